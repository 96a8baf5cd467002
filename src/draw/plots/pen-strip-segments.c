/* pen-strip-segments.c: the versions of an annotation row over time: their words, and which is
 * where
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip-sheet.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-display.h"
#include "pen-palette.h"

/* Narrower segments have no words. */
#define WORDS_MIN_WIDTH 22
#define WORDS_MARGIN 3
/* The part of a strip that words have; samples are below. */
#define WORDS_SHARE 0.62
/* Narrower segments are found by pixels nearby. */
#define REACH 3

static const PenAnnotationLine *
get_line (const PenStripSheet *self, guint i)
{
  return g_ptr_array_index (self->annotated->lines, i);
}

/* ---- words ---- */

/* Without the function's own name before an offset into it. */
static const char *
shorten_target (const PenStripSheet *self, const char *target)
{
  gsize length = self->annotated->symbol ? strlen (self->annotated->symbol) : 0;

  return length > 0 && strncmp (target, self->annotated->symbol, length) == 0
                 && target[length] == '+'
             ? target + length
             : target;
}

static void
squeeze (char *text)
{
  char *to = text;

  for (const char *from = text; *from; from++) {
    if (!g_ascii_isspace (*from))
      *to++ = *from;
    else if (to > text && to[-1] != ' ')
      *to++ = ' ';
  }
  *to = '\0';
}

static char *
make_word (const PenStripSheet *self, const PenAnnotationLine *line)
{
  g_autofree char *text = g_strdup (line->instruction ? line->instruction : "");
  gsize mnemonic;

  squeeze (text);
  mnemonic = strcspn (text, " ");
  if (line->n_bytes == 0)
    return g_strdup (C_ ("version", "unknown"));
  if (line->class == PEN_INSTRUCTION_NOP)
    return g_strdup ("nop");
  if (!line->target || !line->target[0])
    return g_steal_pointer (&text);
  if (line->class == PEN_INSTRUCTION_CALL)
    return g_strdup (shorten_target (self, line->target));
  return g_strdup_printf ("%.*s %s", (int) mnemonic, text, shorten_target (self, line->target));
}

char *
pen_strip_sheet_dup_word (const PenStripSheet *self, const PenAnnotationLine *line)
{
  g_autofree char *word = make_word (self, line);

  return pen_display_text (word);
}

void
pen_strip_sheet_draw_words (const PenStripSheet *self, PenPainter *painter, const PenTheme *theme,
                            double x, double y, double width, double height, guint first, guint n)
{
  double least = MAX (WORDS_MIN_WIDTH, painter->em);

  for (guint i = first; n > 1 && i < first + n; i++) {
    const PenAnnotationLine *line = get_line (self, i);
    double left = MAX (pen_span_position (self->span, line->from.time) * width, 0);
    double right = MIN (pen_span_position (self->span, line->to.time) * width, width);
    g_autofree char *word = NULL;

    if (right - left < least)
      continue;
    word = pen_strip_sheet_dup_word (self, line);
    pen_painter_text (painter, word, PEN_LOOK_SMALL, theme->text, x + left + WORDS_MARGIN, y,
                      right - left - 2 * WORDS_MARGIN, height * WORDS_SHARE, 0);
  }
}

/* ---- places ---- */

guint
pen_strip_sheet_find (const PenStripSheet *self, double width, double x, guint first, guint n,
                      guint64 *time)
{
  guint found = G_MAXUINT;
  double nearest = REACH;

  *time = pen_span_time_at (self->span, width > 0 ? x / width : 0);
  for (guint i = first; i < first + n; i++) {
    const PenAnnotationLine *line = get_line (self, i);

    if (line->from.time <= *time && *time < line->to.time)
      found = i;
  }
  for (guint i = first; i < first + n; i++) {
    const PenAnnotationLine *line = get_line (self, i);
    double left = pen_span_position (self->span, line->from.time) * width;
    double right = pen_span_position (self->span, line->to.time) * width;
    double distance = fabs ((left + right) / 2 - x);

    if (right - left >= REACH || distance >= nearest || line->from.time < self->span.from
        || line->from.time >= self->span.to)
      continue;
    nearest = distance;
    found = i;
  }
  if (found != G_MAXUINT) {
    const PenAnnotationLine *line = get_line (self, found);

    if (*time < line->from.time || *time >= line->to.time)
      *time = line->from.time;
  }
  return found;
}
