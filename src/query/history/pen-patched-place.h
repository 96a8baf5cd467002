/* pen-patched-place.h: a function, or the bytes that pokes of one address covered, and its samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-recorded-time.h"
#include "pen-sample-count.h"

G_BEGIN_DECLS

/*
 * PenPatchedPlace:
 * @symbol: (nullable)
 * @start, @end: the function, or the bytes that the pokes of one address covered
 * @pokes: (element-type PenPoke): its patches, in time order; bytes and strings are the store's
 * @holds: (element-type PenTextHold): of their tenures, by id: before and after those something
 *   else was there
 * @set, @time: its buckets; when it was there, and samples could be taken. NULL where it was not
 *   patched
 */
typedef struct {
  PenQuery *query;
  PenMatcher *matcher;
  char *symbol;
  guint64 start;
  guint64 end;
  GArray *pokes;
  GArray *holds;
  PenBucketSet *set;
  PenRecordedTime *time;
} PenPatchedPlace;

/* @filter: (nullable): has to live as long */
PenPatchedPlace *pen_patched_place_new_of_function (PenQuery *query, const PenFilter *filter,
                                                    guint32 function, GError **error);
PenPatchedPlace *pen_patched_place_new_of_address (PenQuery *query, const PenFilter *filter,
                                                   guint64 address, GError **error);
void pen_patched_place_free (PenPatchedPlace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPatchedPlace, pen_patched_place_free)

/*
 * PenStretch: both ends are in it, ns
 * @seconds, @lost: as in PenRate
 * @samples, @period: of the place
 * @all: samples that the filter leaves, of that time
 */
typedef struct {
  guint64 from;
  guint64 to;
  double seconds;
  double lost;
  guint64 samples;
  guint64 period;
  guint64 all;
} PenStretch;

/*
 * pen_patched_place_count:
 * @edges: (element-type guint64): rising; each begins a stretch, and the first stretch begins at 0
 *
 * Returns: (transfer full) (element-type PenStretch): one more than @edges. Samples of time that is
 * not recorded are in none.
 */
GArray *pen_patched_place_count (const PenPatchedPlace *self, const GArray *edges, GError **error);

/* Whether a sample at @time counts. */
gboolean pen_patched_place_has_time (const PenPatchedPlace *self, guint64 time);

G_END_DECLS
