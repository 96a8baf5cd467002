/* pen-event-ids.h: which of the kernel's events are for the witness, from the header that perf
 * wrote
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* In config1 of the two events that are recorded for the witness, where the kernel ignores it: the
 * header has no names yet when it is needed. */
#define PEN_EVENT_MARK 0x50574954u

typedef enum {
  PEN_EVENT_LOOK,   /* samples, for the program to run at */
  PEN_EVENT_OUTPUT, /* bpf-output: takes the records of the program */
} PenEventRole;

/*
 * PenEventId:
 * @id: as PERF_EVENT_IOC_ID returns it
 * @index: which of its event's ids: that of a CPU, in the order in which perf records them
 */
typedef struct {
  guint64 id;
  guint index;
  PenEventRole role;
} PenEventId;

/*
 * pen_event_ids_read:
 * @file: a perf.data file, open for reading; its header may be all that is there
 *
 * Source of the layout: tools/perf/Documentation/perf.data-file-format.txt, struct perf_file_attr
 * of tools/perf/util/header.c. Only the byte order of this machine is read.
 *
 * Returns: (transfer full) (element-type PenEventId): the marked ones, by id; or NULL with a
 *   G_IO_ERROR_INVALID_DATA
 */
GArray *pen_event_ids_read (int file, GError **error);

/* Returns: (nullable) (transfer none): @ids: from pen_event_ids_read() */
const PenEventId *pen_event_ids_find (const GArray *ids, guint64 id);

/* How many there are of @role. */
guint pen_event_ids_count (const GArray *ids, PenEventRole role);

G_END_DECLS
