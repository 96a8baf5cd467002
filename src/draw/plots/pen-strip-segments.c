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
#include "pen-short-name.h"

/* Narrower segments have no words. */
#define WORDS_MIN_WIDTH 22
#define WORDS_MARGIN 3
/* So many letters are left of a word that is cut, or it says nothing. */
#define LETTERS_MIN 4
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

/* A segment that is wide enough for a word. */
typedef struct {
  char *word;
  gboolean is_name;
  double left;
  double width;
} Segment;

static void
clear_segment (gpointer data)
{
  g_free (((Segment *) data)->word);
}

static GArray *
list_segments (const PenStripSheet *self, const PenPainter *painter, double width, guint first,
               guint n)
{
  GArray *segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  double least = MAX (WORDS_MIN_WIDTH, painter->em);

  g_array_set_clear_func (segments, clear_segment);
  for (guint i = first; n > 1 && i < first + n; i++) {
    const PenAnnotationLine *line = get_line (self, i);
    double left = MAX (pen_span_position (self->span, line->from.time) * width, 0);
    double right = MIN (pen_span_position (self->span, line->to.time) * width, width);
    Segment segment = { .left = left + WORDS_MARGIN, .width = right - left - 2 * WORDS_MARGIN };

    if (right - left < least)
      continue;
    segment.word = pen_strip_sheet_dup_word (self, line);
    segment.is_name = line->target && line->target[0];
    g_array_append_val (segments, segment);
  }
  return segments;
}

/* How many bytes all names in sight begin with. */
static gsize
count_common (const GArray *segments)
{
  const char *first = NULL;
  gsize n = G_MAXSIZE;

  for (guint i = 0; i < segments->len; i++) {
    const Segment *segment = &g_array_index (segments, Segment, i);

    if (!segment->is_name || g_strcmp0 (segment->word, first) == 0)
      continue;
    if (first)
      n = MIN (n, pen_short_name_count_common (first, segment->word));
    else
      first = segment->word;
  }
  return n == G_MAXSIZE ? 0 : n;
}

static gboolean
says_enough (const char *shown, const char *word)
{
  glong n = g_utf8_strlen (shown, -1);

  return g_str_equal (shown, word) || n - 1 >= LETTERS_MIN;
}

void
pen_strip_sheet_draw_words (const PenStripSheet *self, PenPainter *painter, const PenTheme *theme,
                            double x, double y, double width, double height, guint first, guint n)
{
  g_autoptr (GArray) segments = list_segments (self, painter, width, first, n);
  gsize n_common = count_common (segments);

  for (guint i = 0; i < segments->len; i++) {
    const Segment *segment = &g_array_index (segments, Segment, i);
    g_autofree char *shown = pen_painter_shorten (
        painter, segment->word, segment->is_name ? n_common : 0, PEN_LOOK_SMALL, segment->width);

    if (says_enough (shown, segment->word))
      pen_painter_text (painter, shown, PEN_LOOK_SMALL, theme->text, x + segment->left, y,
                        segment->width, height * WORDS_SHARE, 0);
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
