/* pen-attr.h: one event of a capture, as perf_event_attr describes it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* perf_event_attr.sample_type */
#define PEN_SAMPLE_IP (1ull << 0)
#define PEN_SAMPLE_TID (1ull << 1)
#define PEN_SAMPLE_TIME (1ull << 2)
#define PEN_SAMPLE_ADDR (1ull << 3)
#define PEN_SAMPLE_READ (1ull << 4)
#define PEN_SAMPLE_CALLCHAIN (1ull << 5)
#define PEN_SAMPLE_ID (1ull << 6)
#define PEN_SAMPLE_CPU (1ull << 7)
#define PEN_SAMPLE_PERIOD (1ull << 8)
#define PEN_SAMPLE_STREAM_ID (1ull << 9)
#define PEN_SAMPLE_RAW (1ull << 10)
#define PEN_SAMPLE_BRANCH_STACK (1ull << 11)
#define PEN_SAMPLE_REGS_USER (1ull << 12)
#define PEN_SAMPLE_STACK_USER (1ull << 13)
#define PEN_SAMPLE_WEIGHT (1ull << 14)
#define PEN_SAMPLE_DATA_SRC (1ull << 15)
#define PEN_SAMPLE_IDENTIFIER (1ull << 16)
#define PEN_SAMPLE_TRANSACTION (1ull << 17)
#define PEN_SAMPLE_REGS_INTR (1ull << 18)
#define PEN_SAMPLE_PHYS_ADDR (1ull << 19)
#define PEN_SAMPLE_AUX (1ull << 20)
#define PEN_SAMPLE_CGROUP (1ull << 21)
#define PEN_SAMPLE_DATA_PAGE_SIZE (1ull << 22)
#define PEN_SAMPLE_CODE_PAGE_SIZE (1ull << 23)
#define PEN_SAMPLE_WEIGHT_STRUCT (1ull << 24)

/* perf_event_attr.read_format */
#define PEN_READ_ENABLED (1ull << 0)
#define PEN_READ_RUNNING (1ull << 1)
#define PEN_READ_ID (1ull << 2)
#define PEN_READ_GROUP (1ull << 3)
#define PEN_READ_LOST (1ull << 4)

/* perf_event_attr.branch_sample_type */
#define PEN_BRANCH_HW_INDEX (1ull << 17)
#define PEN_BRANCH_COUNTERS (1ull << 19)

/* perf_event_attr.type */
#define PEN_ATTR_TYPE_HARDWARE 0
#define PEN_ATTR_TYPE_SOFTWARE 1
#define PEN_ATTR_TYPE_TRACEPOINT 2
#define PEN_ATTR_TYPE_CACHE 3
#define PEN_ATTR_TYPE_RAW 4
#define PEN_ATTR_TYPE_BREAKPOINT 5

/* perf_event_attr.config of software events (PERF_COUNT_SW_BPF_OUTPUT) */
#define PEN_ATTR_SOFTWARE_BPF_OUTPUT 10

/* perf_event_attr's flag word; bit numbers are the same whatever the byte order of the writer. */
#define PEN_ATTR_EXCLUDE_USER (1ull << 4)
#define PEN_ATTR_EXCLUDE_KERNEL (1ull << 5)
#define PEN_ATTR_EXCLUDE_HV (1ull << 6)
#define PEN_ATTR_FREQ (1ull << 10)
#define PEN_ATTR_SAMPLE_ID_ALL (1ull << 18)
#define PEN_ATTR_PRECISE_IP_SHIFT 15
#define PEN_ATTR_PRECISE_IP_MASK 3
#define PEN_ATTR_EXCLUDE_HOST (1ull << 19)
#define PEN_ATTR_EXCLUDE_GUEST (1ull << 20)
#define PEN_ATTR_USE_CLOCKID (1ull << 25)
#define PEN_ATTR_KSYMBOL (1ull << 29)
#define PEN_ATTR_BPF_EVENT (1ull << 30)
#define PEN_ATTR_TEXT_POKE (1ull << 33)

/*
 * PenAttr:
 * @size: what the writer said; fields beyond it are 0
 * @period_or_frequency: a frequency if PEN_ATTR_FREQ is set
 * @name: as recorded (EVENT_DESC, EVENT_UPDATE), else as perf would derive it from type and config
 * @ids: (element-type guint64): the kernel's ids of this event, one per CPU or task
 */
typedef struct {
  guint32 type;
  guint32 size;
  guint64 config;
  guint64 period_or_frequency;
  guint64 sample_type;
  guint64 read_format;
  guint64 flags;
  guint64 branch_sample_type;
  guint64 sample_regs_user;
  guint64 sample_regs_intr;
  gint32 clockid;
  guint32 breakpoint_type;
  guint64 breakpoint_address;
  char *name;
  GArray *ids;
} PenAttr;

/* The smallest perf_event_attr there ever was, and the largest one known here. */
#define PEN_ATTR_SIZE_MIN 64
#define PEN_ATTR_SIZE_KNOWN 144

/*
 * pen_attr_new_from_bytes:
 * @bytes: a perf_event_attr as recorded
 * @length: how much of it there is, at least PEN_ATTR_SIZE_MIN; what is missing counts as 0, what
 *   is not known here is left out
 *
 * Its name is the derived one, and it has no ids.
 */
PenAttr *pen_attr_new_from_bytes (const guint8 *bytes, gsize length, gboolean big_endian);
void pen_attr_free (PenAttr *self);

/*
 * pen_attr_derive_name:
 *
 * The name that `perf evlist` prints for an event without a recorded one: from type, config and the
 * modifiers.
 */
char *pen_attr_derive_name (const PenAttr *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAttr, pen_attr_free)

G_END_DECLS
