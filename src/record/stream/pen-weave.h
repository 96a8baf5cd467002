/* pen-weave.h: records put into a stream of perf, where they are in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenWeave: cuts the stream that `perf record -o -` writes into its records. After those that
 * describe perf's events it adds those of other events; before each PERF_RECORD_FINISHED_ROUND,
 * what these events recorded until then: the readers of a round have all that is older than it. A
 * stream that is none of this machine's goes through as it is.
 */
typedef struct _PenWeave PenWeave;

/*
 * PenWeaveFuncs: each appends whole records to @to
 * @add_events: PERF_RECORD_HEADER_ATTR of the other events
 * @add_records: all that they recorded until now; called once they are described
 */
typedef struct {
  void (*add_events) (GByteArray *to, gpointer user_data);
  void (*add_records) (GByteArray *to, gpointer user_data);
  gpointer user_data;
} PenWeaveFuncs;

PenWeave *pen_weave_new (const PenWeaveFuncs *funcs);
void pen_weave_free (PenWeave *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWeave, pen_weave_free)

/* Appends to @to what is whole of @bytes and of what was left before. */
void pen_weave_feed (PenWeave *self, const guint8 *bytes, gsize n, GByteArray *to);

/* Adds records now, if a record may begin here: those that wait would be too many. */
void pen_weave_add_records (PenWeave *self, GByteArray *to);

/* The end of the stream. */
void pen_weave_end (PenWeave *self, GByteArray *to);

/* PERF_RECORD_HEADER_ATTR of tools/perf */
#define PEN_WEAVE_HEADER_ATTR 64u

/* Whether nothing will be added to this stream any more. */
gboolean pen_weave_is_plain (const PenWeave *self);

/* Whether the other events are in the stream. They are not where an event of perf's has no
 * identifier (PERF_SAMPLE_IDENTIFIER): nobody could tell their records from its own. */
gboolean pen_weave_has_events (const PenWeave *self);

G_END_DECLS
