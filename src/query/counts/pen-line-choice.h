/* pen-line-choice.h: which line of an annotation a sample is of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-set.h"
#include "pen-line-order.h"
#include "pen-query-annotation.h"

G_BEGIN_DECLS

/* PenLineChoice: for each bucket of a set the lines at its address, of which its samples' times
 * choose one. */
typedef struct _PenLineChoice PenLineChoice;

static inline const PenAnnotationLine *
pen_annotated_get_line (const PenAnnotated *annotated, guint index)
{
  return annotated->lines->pdata[index];
}

/* The first line at @address or above it; as many as there are lines if none is. */
guint pen_annotated_find_line (const PenAnnotated *annotated, guint64 address);

/* Whether a line has the bucket's address. @in_file: where a file names the function, its lines
 * have addresses in that file, and a bucket has one of memory. @before: (inout): a line, 0 at
 * first: the one that the last call left is tried first */
gboolean pen_annotated_has_bucket (const PenAnnotated *annotated, PenQuery *query,
                                   const PenBucket *bucket, gboolean in_file, guint *before);

/*
 * pen_line_choice_new:
 * @annotated, @set: stay the caller's, and as they are
 * @in_file: see above
 *
 * Cost: n log n of the lines, and of the buckets.
 *
 * Returns: NULL: cancelled
 */
PenLineChoice *pen_line_choice_new (PenQuery *query, const PenAnnotated *annotated,
                                    const PenBucketSet *set, gboolean in_file, GError **error);
void pen_line_choice_free (PenLineChoice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLineChoice, pen_line_choice_free)

/* Like the annotation itself: the line of the sample's revision at its time, else of its revision,
 * else of its time; always of its tenure. @bucket: its index in the set. O(log n). Returns: the
 * line's index, or G_MAXUINT */
guint pen_line_choice_choose (const PenLineChoice *self, guint bucket, guint64 time);

/*
 * pen_line_choice_list_ends:
 *
 * The moments at which samples of a bucket may pass from one line to another: where several lines
 * of a tenure have a bucket's address and revision, or none its revision, time decides.
 *
 * Returns: (element-type guint64): in order; NULL: cancelled
 */
GArray *pen_line_choice_list_ends (const PenLineChoice *self, GError **error);

G_END_DECLS
