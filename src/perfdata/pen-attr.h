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
#define PEN_SAMPLE_IDENTIFIER (1ull << 16)

/* perf_event_attr's flag word; bit numbers are the same whatever the byte order of the writer. */
#define PEN_ATTR_EXCLUDE_USER (1ull << 4)
#define PEN_ATTR_EXCLUDE_KERNEL (1ull << 5)
#define PEN_ATTR_EXCLUDE_HV (1ull << 6)
#define PEN_ATTR_FREQ (1ull << 10)
#define PEN_ATTR_SAMPLE_ID_ALL (1ull << 18)
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
  char *name;
  gboolean name_is_recorded;
  GArray *ids;
} PenAttr;

G_END_DECLS
