/* pen-line-choice.h: which line of an annotation a sample is of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-annotation.h"

G_BEGIN_DECLS

/* The lines [first, end) have a bucket's address; which of them a sample is of, its tenure,
 * revision and time tell. */
typedef struct {
  guint first;
  guint end;
} PenLineRange;

static inline const PenAnnotationLine *
pen_annotated_get_line (const PenAnnotated *annotated, guint index)
{
  return annotated->lines->pdata[index];
}

static inline gboolean
pen_line_is_of_tenure (const PenAnnotationLine *line, const PenBucket *bucket)
{
  return line->tenure == bucket->tenure || line->tenure == PEN_SHARED_TENURE;
}

/* Returns: FALSE if no line has @address */
gboolean pen_line_range_find (const PenAnnotated *annotated, guint64 address, PenLineRange *range);

/* Like the annotation itself: the line of the sample's revision at its time, else of its revision,
 * else of its time; always of its tenure. Returns: its index, or G_MAXUINT */
guint pen_line_choose (const PenAnnotated *annotated, PenLineRange range, const PenBucket *bucket,
                       guint64 time);

G_END_DECLS
