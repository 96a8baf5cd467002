/* pen-sample-ends.h: the first and the last sample of buckets in a stretch of time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sample-count.h"

G_BEGIN_DECLS

/*
 * pen_query_find_ends:
 * @counts: of each bucket of @set in the stretch; of those that have samples, first and last are
 *   set, but for a first of 0 and a last of G_MAXUINT64: times that are in no span
 *
 * A bucket's own first and last are used where they suffice. The others' are looked for in the
 * tiles of spans, then in the block that such a tile lies in.
 *
 * Cost: the blocks at the ends of the stretch, and at most two for each bucket that has samples
 * outside of it, too; one block serves all buckets whose first or last sample is there. The spans
 * above them.
 */
gboolean pen_query_find_ends (PenQuery *self, const PenBucketSet *set, guint64 from, guint64 to,
                              PenBucketCount *counts, GError **error);

G_END_DECLS
