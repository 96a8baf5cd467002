/* pen-line-choice.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-line-choice.h"

#include "pen-binary-search.h"

gboolean
pen_line_range_find (const PenAnnotated *annotated, guint64 address, PenLineRange *lines)
{
  guint low = PEN_BINARY_SEARCH (i, 0, annotated->lines->len,
                                 pen_annotated_get_line (annotated, i)->address < address);

  lines->first = lines->end = low;
  while (lines->end < annotated->lines->len
         && pen_annotated_get_line (annotated, lines->end)->address == address)
    lines->end++;
  return lines->end > lines->first;
}

static gboolean
stands_at (const PenAnnotationLine *line, guint64 time)
{
  return line->from.time <= time && time <= line->to.time;
}

guint
pen_line_choose (const PenAnnotated *annotated, PenLineRange lines, const PenBucket *bucket,
                 guint64 time)
{
  guint best = G_MAXUINT;
  guint best_score = 0;

  for (guint i = lines.first; i < lines.end; i++) {
    const PenAnnotationLine *line = pen_annotated_get_line (annotated, i);
    guint score
        = 1 + (stands_at (line, time) ? 1 : 0) + (line->revision == bucket->revision ? 2 : 0);

    if (pen_line_is_of_tenure (line, bucket) && score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}
