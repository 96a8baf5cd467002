/* test-pair-lines.c: the text of one function in two recordings, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pair-code.h"
#include "pen-query-pair-text.h"

static PenPairAnnotation *
annotate (CodePair *pair, const char *symbol, PenSyntax syntax)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = pen_pairs_find (pair->pairs, pair->sources, symbol, &error);
  PenPairAnnotation *annotation;

  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 1);
  annotation = pen_query_pair_annotate (pair->sources, pair->pairs, rows->pdata[0], syntax,
                                        G_MAXUINT, &error);
  g_assert_no_error (error);
  return annotation;
}

typedef struct {
  PenPairDifference difference;
  const char *a;
  const char *b;
  const char *target;
} Expected;

static void
check_lines (const PenPairFunction *function, const Expected *expected, guint n)
{
  guint64 samples[2] = { 0, 0 };

  g_assert_cmpuint (function->lines->len, ==, n);
  for (guint i = 0; i < n; i++) {
    const PenPairLine *line = function->lines->pdata[i];

    g_assert_cmpstr (pen_pair_difference_to_string (line->difference), ==,
                     pen_pair_difference_to_string (expected[i].difference));
    g_assert_cmpstr (line->lines[0] ? line->lines[0]->instruction : NULL, ==, expected[i].a);
    g_assert_cmpstr (line->lines[1] ? line->lines[1]->instruction : NULL, ==,
                     expected[i].b ? expected[i].b : expected[i].a);
    g_assert_cmpstr (line->targets[0], ==, expected[i].target);
    samples[0] += line->rates[0].samples;
    samples[1] += line->rates[1].samples;
  }
  g_assert_cmpuint (samples[0], ==, function->samples[0]);
  g_assert_cmpuint (samples[1], ==, function->samples[1]);
}

static void
test_lines (void)
{
  g_autoptr (PenPairAnnotation) att = NULL;
  g_autoptr (PenPairAnnotation) intel = NULL;
  g_autofree char *call_a = NULL;
  g_autofree char *call_b = NULL;
  const PenPairFunction *function;
  const PenPairLine *line;
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    pair_code_put_relative (code, 0, "\xe8", 1, pair_code_get_address (code, 1));
    pair_code_put (code, 0, "\x83\xc3\x01", 3);
    if (side == 1)
      pair_code_put (code, 0, "\x83\xc3\x02", 3);
    pair_code_put (code, 0, side == 0 ? "\x83\xc3\x03" : "\x83\xc3\x04", 3);
    pair_code_put (code, 0, "\x48\x31\xc0", 3);
    code->functions[0].samples = side == 0 ? 20 : 200;
  }
  code_pair_ask (&pair);
  call_a = g_strdup_printf ("call   0x%" G_GINT64_MODIFIER "x",
                            pair_code_get_address (&pair.codes[0], 1));
  call_b = g_strdup_printf ("call   0x%" G_GINT64_MODIFIER "x",
                            pair_code_get_address (&pair.codes[1], 1));

  const Expected expected[] = {
    { PEN_PAIR_LINE_SAME, call_a, call_b, "beta" },
    { PEN_PAIR_LINE_SAME, "add    $0x1,%ebx", NULL, NULL },
    { PEN_PAIR_LINE_CHANGED, "add    $0x3,%ebx", "add    $0x2,%ebx", NULL },
    { PEN_PAIR_LINE_ADDED, NULL, "add    $0x4,%ebx", NULL },
    { PEN_PAIR_LINE_SAME, "xor    %rax,%rax", NULL, NULL },
    { PEN_PAIR_LINE_SAME, "ret", NULL, NULL },
  };

  att = annotate (&pair, "alpha", PEN_SYNTAX_ATT);
  g_assert_cmpuint (att->functions->len, ==, 1);
  function = att->functions->pdata[0];
  check_lines (function, expected, G_N_ELEMENTS (expected));
  g_assert_cmpuint (function->n_different, ==, 2);
  g_assert_cmpint (function->text, ==, PEN_PAIR_TEXT_DIFFERS);
  g_assert_cmpuint (function->samples[0], ==, 20);
  g_assert_cmpuint (function->samples[1], ==, 200);
  /* All of them fell on its first instruction, ten times as often. */
  line = function->lines->pdata[0];
  g_assert_cmpint (line->test.verdict, ==, PEN_PAIR_SLOWER);
  g_assert_cmpfloat_with_epsilon (line->test.test.ratio, 10, 1e-6);
  g_assert_cmpfloat (line->rates[1].low, >, line->rates[0].high);

  intel = annotate (&pair, "alpha", PEN_SYNTAX_INTEL);
  line = ((const PenPairFunction *) intel->functions->pdata[0])->lines->pdata[4];
  g_assert_cmpstr (line->lines[1]->instruction, ==, "xor    rax,rax");
  code_pair_clear (&pair);
}

/* One has samples of the function, and the other none, or not its text. */
static void
test_one_side (void)
{
  g_autoptr (PenPairAnnotation) gone = NULL;
  g_autoptr (PenPairAnnotation) unknown = NULL;
  g_autoptr (GError) error = NULL;
  const PenPairFunction *function;
  CodePair pair;

  code_pair_init (&pair);
  pair.codes[1].functions[2].samples = 0;
  pair_code_put (&pair.codes[0], 7, "\x83\xc3\x01", 3);
  code_pair_ask (&pair);
  gone = annotate (&pair, "gamma", PEN_SYNTAX_ATT);
  function = gone->functions->pdata[0];
  g_assert_cmpuint (function->functions[1], ==, G_MAXUINT32);
  /* Its name says where it is, all the same. */
  g_assert_true (function->is_there[1]);
  g_assert_cmpint (function->text, ==, code_pair_find (&pair, "gamma")->text);
  g_assert_cmpint (function->text, !=, PEN_PAIR_TEXT_NONE);
  g_assert_cmpuint (function->samples[0], ==, 20);
  g_assert_cmpuint (function->samples[1], ==, 0);

  unknown = annotate (&pair, "tail", PEN_SYNTAX_ATT);
  function = unknown->functions->pdata[0];
  g_assert_cmpint (function->text, ==, PEN_PAIR_TEXT_UNKNOWN);
  for (guint i = 0; i < function->lines->len; i++) {
    const PenPairLine *line = function->lines->pdata[i];

    g_assert_cmpint (line->difference, !=, PEN_PAIR_LINE_REMOVED);
    g_assert_cmpint (line->difference, !=, PEN_PAIR_LINE_ADDED);
  }

  g_assert_null (pen_pairs_find (pair.pairs, pair.sources, "nothing", &error));
  g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND);
  code_pair_clear (&pair);
}

/* ---- loads of a program ---- */

/* One load: its instructions, where it lies, and how many samples it has. */
typedef struct {
  const char *image;
  guint32 slot;
  guint samples;
} Load;

#define ONE "\x31\xc0\x83\xc0\x01\xc3"
#define TWO "\x31\xc0\x83\xc0\x02\xc3"
#define IMAGE_LENGTH 6u

static void
add_load (const PairCode *code, PenTestCapture *capture, guint32 id, const Load *load)
{
  gboolean is_one = g_str_equal (load->image, ONE);
  guint64 address = pair_code_get_address (code, 0) + 0x2f000000 + load->slot * 0x1000;
  guint8 tag[8];

  memset (tag, is_one ? 0x11 : 0x22, sizeof tag);
  pen_test_capture_at (capture, PAIR_START + 1000 * id, 7, 7, 0);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_ksymbol (capture, address, IMAGE_LENGTH, 1, 0,
                                is_one ? "bpf_prog_1111111111111111_prog"
                                       : "bpf_prog_2222222222222222_prog");
  pen_test_capture_add_bpf_event (capture, 1, id, tag);
  if (id < 4)
    pen_test_capture_add_bpf_program (capture, id, "prog", tag, 0, &address,
                                      (const guint32[]){ IMAGE_LENGTH }, 1,
                                      (const guint8 *) load->image, IMAGE_LENGTH);
  pen_test_capture_from (capture, 0);
  for (guint i = 0; i < load->samples; i++) {
    pen_test_capture_at (capture, PAIR_START + 1000000 * id + i, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, address + 2, 1000000);
  }
}

/* The image of the fourth is not known. */
static const Load a_loads[] = { { ONE, 0, 5 }, { TWO, 1, 2 }, { ONE, 2, 4 }, { ONE, 3, 3 } };
static const Load b_loads[] = { { TWO, 5, 9 }, { ONE, 4, 1 } };

static void
add_loads (const PairCode *code, PenTestCapture *capture)
{
  gboolean is_b = code->recording.gap > 0;
  const Load *loads = is_b ? b_loads : a_loads;
  guint n = is_b ? G_N_ELEMENTS (b_loads) : G_N_ELEMENTS (a_loads);

  for (guint32 i = 0; i < n; i++)
    add_load (code, capture, i + 1, &loads[i]);
}

static void
check_load (const PenPairFunction *function, guint a_loads_of, guint64 a, guint64 b)
{
  guint64 on_add[2] = { 0, 0 };

  g_assert_cmpuint (function->loads[0], ==, a_loads_of);
  g_assert_cmpuint (function->loads[1], ==, 1);
  g_assert_cmpint (function->text, ==, PEN_PAIR_TEXT_SAME);
  g_assert_cmpuint (function->lines->len, ==, 3);
  for (guint i = 0; i < 2; i++)
    on_add[i] = ((const PenPairLine *) function->lines->pdata[1])->rates[i].samples;
  g_assert_cmpuint (on_add[0], ==, a);
  g_assert_cmpuint (on_add[1], ==, b);
  g_assert_cmpuint (function->samples[0], ==, a);
  g_assert_cmpuint (function->samples[1], ==, b);
}

/* Loads of equal text are one, wherever they lie, and stand beside those of the other recording
 * that have that text, though others have more samples. */
static void
test_loads (void)
{
  g_autoptr (PenPairAnnotation) all = NULL;
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++)
    pair.codes[side].add_records = add_loads;
  code_pair_ask (&pair);
  g_assert_cmpuint (code_pair_find (&pair, "prog")->functions[0]->len, ==, G_N_ELEMENTS (a_loads));
  all = annotate (&pair, "prog", PEN_SYNTAX_ATT);
  g_assert_cmpuint (all->functions->len, ==, 2);
  check_load (all->functions->pdata[0], 3, 12, 1);
  check_load (all->functions->pdata[1], 1, 2, 9);
  code_pair_clear (&pair);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-lines/lines", test_lines);
  g_test_add_func ("/pair-lines/one-side", test_one_side);
  g_test_add_func ("/pair-lines/loads", test_loads);
  return g_test_run ();
}
