/* test-strip-words.c: versions of an annotation's row in words, where their segments have the room
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-strip-sheet.h"

/* A painter that only notes what it is given; letters are 6 wide. */
typedef struct {
  PenPainter painter;
  GString *words;
} Notes;

static void
note_nothing (PenPainter *self, guint32 color, double x, double y, double width, double height)
{
}

static double
note_text (PenPainter *self, const char *text, PenLook look, guint32 color, double x, double y,
           double width, double height, double align)
{
  g_string_append_printf (((Notes *) self)->words, "%s|", text);
  g_assert_cmpfloat (6.0 * (double) g_utf8_strlen (text, -1), <=, width);
  return 0;
}

static double
note_measure (PenPainter *self, const char *text, PenLook look)
{
  return 6.0 * (double) g_utf8_strlen (text, -1);
}

/* Each target has a segment of the strip, all of one width. */
static char *
draw (const char *const *targets, double width)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  PenTheme theme = pen_theme_new (FALSE, FALSE);
  Notes notes
      = { { PEN_EM, note_nothing, note_nothing, note_text, note_measure }, g_string_new (NULL) };
  guint n = g_strv_length ((char **) targets);
  PenAnnotated annotated = { .kind = PEN_KIND_KERNEL, .lines = lines };
  PenStripSheet sheet = { .annotated = &annotated, .span = { 0, n * 1000 } };

  for (guint i = 0; i < n; i++) {
    PenAnnotationLine *line = g_new0 (PenAnnotationLine, 1);
    gboolean is_nop = g_str_equal (targets[i], "nop");

    line->from = pen_moment (i * 1000, 0);
    line->to = pen_moment ((i + 1) * 1000, 0);
    line->n_bytes = 5;
    line->class = is_nop ? PEN_INSTRUCTION_NOP : PEN_INSTRUCTION_CALL;
    line->instruction = (char *) (is_nop ? "nop" : "call");
    line->target = is_nop ? NULL : (char *) targets[i];
    g_ptr_array_add (lines, line);
  }
  pen_strip_sheet_draw_words (&sheet, &notes.painter, &theme, 0, 0, width, 20, 0, n);
  return g_string_free (notes.words, FALSE);
}

static void
assert_words (const char *const *targets, double width, const char *expected)
{
  g_autofree char *words = draw (targets, width);

  g_assert_cmpstr (words, ==, expected);
}

/* A segment has 3 pixels of margin on either side. */
static void
test_cut (void)
{
  const char *const targets[] = { "nop", "ftrace_caller", "nop", NULL };

  assert_words (targets, 3 * 90, "nop|ftrace_caller|nop|");
  assert_words (targets, 3 * 60, "nop|ftra…ller|nop|");
  /* Four letters and the sign that there were more. */
  assert_words (targets, 3 * 36, "nop|ft…er|nop|");
  assert_words (targets, 3 * 35, "nop|nop|");
  /* A whole word may be shorter. */
  assert_words (targets, 3 * 24, "nop|nop|");
  assert_words (targets, 3 * 23, "");
}

/* What all names in sight begin with says nothing. */
static void
test_common (void)
{
  const char *const targets[] = { "bpf_trampoline_6442536", "nop", "bpf_trampoline_6442999", NULL };
  const char *const same[] = { "bpf_trampoline_6442536", "nop", "bpf_trampoline_6442536", NULL };
  const char *const programs[]
      = { "bpf_prog_0123456789abcdef_first", "bpf_prog_fedcba9876543210_second", NULL };

  assert_words (targets, 3 * 78, "bpf_…6442536|nop|bpf_…6442999|");
  assert_words (targets, 3 * 54, "…6442536|nop|…6442999|");
  assert_words (targets, 3 * 48, "644…536|nop|644…999|");
  assert_words (same, 3 * 54, "bpf_…536|nop|bpf_…536|");
  assert_words (programs, 2 * 70, "bpf…_first|bp…_second|");
  assert_words (programs, 2 * 48, "…_first|…second|");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strip-words/cut", test_cut);
  g_test_add_func ("/strip-words/common", test_common);
  return g_test_run ();
}
