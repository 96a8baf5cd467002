/* pen-annotation-widths.c: how much of the annotation's width each column has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-private.h"

#include <string.h>

#include "pen-column-widths.h"
#include "pen-column.h"
#include "pen-format.h"
#include "pen-unknown-text.h"

/* All in pixels, at the usual size of text. Below these widths of the pane the bytes give way to
 * the instructions and the strips of time, then these do. */
#define BYTES_MIN_WIDTH 940
#define TIME_MIN_WIDTH 340
/* From this width on there is room for lines of source, where such are known. */
#define SOURCE_MIN_WIDTH 880
/* Below this one offsets and instructions take less, so that there is room for the strips. */
#define TIGHT 480
/* The other columns, as pen-slot-table.c has them, and margins. */
#define OFFSET_WIDTH 124
#define TIGHT_OFFSET_WIDTH 92
#define MARGINS 8
#define BYTES_WIDTH 114
/* Of samples, and what each letter of a number adds that is longer than most. */
#define SAMPLES_WIDTH 67
#define SAMPLES_LETTERS 6
#define DIGIT_WIDTH 8
#define LONGEST_TIME "999 ms"
#define SOURCE_WIDTH 132
#define LETTER_WIDTH 7.4
#define ARROWS_WIDTH 40
#define CODE_MIN_WIDTH 150
#define TIGHT_CODE_MIN_WIDTH 110
#define STRIPS_MIN_WIDTH 84
/* The strips are the picture: they get that part of the pane, if it leaves so much for
 * instructions, which is what half of them take. */
#define STRIPS_PART 0.4
#define CODE_READABLE_WIDTH 200
/* But that part at least, and above that width of the pane more of what is added. */
#define STRIPS_LEAST_PART 0.25
#define WIDE 700
/* The part of a version's row that says since when it stands there, in letters. */
#define TIMES_LETTERS 14
#define LETTERS_MAX 110
/* One line in so many is longer than what is usual. */
#define USUAL 20

static guint
count_letters (const PenAnnotationLine *line, gboolean has_versions)
{
  g_autofree char *known = pen_unknown_text_translate (line->instruction);
  gsize n = known ? (gsize) g_utf8_strlen (known, -1) : 0;

  /* The name of a target is in place of its address. */
  if (line->target)
    n = MAX (n, strlen (line->target) + 8);
  return (guint) MIN (n + (has_versions ? TIMES_LETTERS : 0), LETTERS_MAX);
}

/* As long as nearly all lines are: a few that are much longer would take the room of the strips. */
static guint
find_usual (const guint *n_lines, guint n)
{
  guint letters = LETTERS_MAX;
  guint longer = n_lines[letters];

  while (letters > 0 && longer * USUAL <= n)
    longer += n_lines[--letters];
  return letters;
}

static void
measure (PenAnnotationView *self, PenAnnotatedText *text)
{
  GPtrArray *lines = text->annotated->lines;
  guint n_lines[LETTERS_MAX + 1] = { 0 };

  g_clear_pointer (&self->measured, pen_annotated_text_unref);
  self->measured = g_atomic_rc_box_acquire (text);
  self->has_source = FALSE;
  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];

    n_lines[count_letters (line, line->version > 0)]++;
    self->has_source |= line->source_file != NULL;
  }
  self->n_letters = find_usual (n_lines, lines->len);
}

/* No line has more samples than all of them. A time has three digits and a unit, whatever its
 * length. */
static int
find_samples_width (const PenStrips *strips)
{
  const PenAnnotated *annotated = strips ? strips->text->annotated : NULL;
  gboolean is_time = annotated && annotated->population == PEN_POPULATION_WAITS;
  g_autofree char *most
      = is_time ? g_strdup (LONGEST_TIME) : pen_format_count (annotated ? annotated->samples : 0);
  int letters = (int) g_utf8_strlen (most, -1);

  return SAMPLES_WIDTH + MAX (letters - SAMPLES_LETTERS, 0) * DIGIT_WIDTH;
}

static GtkColumnViewColumn *
get_column (PenAnnotationView *self, PenSlotColumn column)
{
  return pen_slot_table_get_column (self->view, column);
}

/* What is left beside the strips of the @rest that both have, @min at least; no more than nearly
 * all lines take. */
static int
find_code_width (PenAnnotationView *self, int rest, int min)
{
  int usual = (int) (self->n_letters * LETTER_WIDTH) + ARROWS_WIDTH;
  int least = MAX ((int) (self->width * STRIPS_LEAST_PART) + MAX (self->width - WIDE, 0) / 3,
                   STRIPS_MIN_WIDTH);
  int wanted = MAX ((int) (self->width * STRIPS_PART), least);
  int code = MAX (rest - wanted, MIN (CODE_READABLE_WIDTH, rest - least));

  return MIN (MAX (code, min), usual);
}

void
pen_annotation_fit_columns (PenAnnotationView *self)
{
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;
  gboolean has_bytes = self->width >= BYTES_MIN_WIDTH;
  gboolean has_time = self->width >= TIME_MIN_WIDTH;
  gboolean is_tight = self->width < TIGHT;
  int offset = is_tight ? TIGHT_OFFSET_WIDTH : OFFSET_WIDTH;
  int samples = find_samples_width (strips);
  gboolean has_source;
  int min = is_tight ? TIGHT_CODE_MIN_WIDTH : CODE_MIN_WIDTH;
  int rest;

  if (strips && strips->text != self->measured)
    measure (self, strips->text);
  has_source = self->width >= SOURCE_MIN_WIDTH && strips && self->has_source;
  pen_column_widths_set_later (get_column (self, PEN_SLOT_OFFSET), offset);
  pen_column_widths_set_later (get_column (self, PEN_SLOT_SAMPLES), samples);
  pen_column_set_visible_later (get_column (self, PEN_SLOT_BYTES), has_bytes);
  pen_column_set_visible_later (get_column (self, PEN_SLOT_TIME), has_time);
  pen_column_set_visible_later (get_column (self, PEN_SLOT_SOURCE), has_source);
  if (self->width <= 0)
    return;
  rest = self->width - offset - samples - MARGINS - (has_bytes ? BYTES_WIDTH : 0)
         - (has_source ? SOURCE_WIDTH : 0);
  pen_column_widths_set_later (get_column (self, PEN_SLOT_INSTRUCTION),
                               has_time ? find_code_width (self, rest, min) : MAX (rest, min));
}
