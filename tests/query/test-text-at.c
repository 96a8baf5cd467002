/* test-text-at.c: text as of a time, and where the lines of an annotation lead
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "query-fixture.h"

#include "pen-query-annotation.h"
#include "pen-query-find.h"
#include "pen-query-resolve.h"
#include "pen-query-text.h"

/* f: je f+7; call g; nopl; ret. At 2000 the nop becomes a jump to f; at 4000, twice within the same
 * nanosecond: first a nop, then the jump again. g: ret. */
static const guint8 f_text[]
    = { 0x74, 0x05, 0xe8, 0x39, 0, 0, 0, 0x0f, 0x1f, 0x44, 0x00, 0x00, 0xc3 };
static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 jump[] = { 0xe9, 0xf4, 0xff, 0xff, 0xff };

#define F ALPHA
#define G BETA
#define H (ALPHA + 0x80)
#define PATCHED (F + 7)
/* Where nothing is known to be. */
#define UNHELD 0xffffffffc0300010u

static void
sample (PenTestCapture *capture, guint64 time, guint64 address)
{
  pen_test_capture_at (capture, time, 7, 7, 0);
  pen_test_capture_from (capture, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, address, 10);
}

static void
poke (PenTestCapture *capture, guint64 time, const guint8 *old, const guint8 *new)
{
  pen_test_capture_at (capture, time, 7, 7, 0);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_text_poke (capture, PATCHED, old, 5, new, 5);
}

static void
add_story (PenTestCapture *capture)
{
  static const char kallsyms[] = "ffffffff81000000 T f\n"
                                 "ffffffff81000040 T g\n"
                                 "ffffffff81000080 T h\n"
                                 "ffffffff81000100 T _etext\n";
  guint8 text[0x1000];

  memset (text, 0xcc, sizeof text);
  memcpy (text, f_text, sizeof f_text);
  text[G - F] = 0xc3;
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  pen_test_capture_add_kcore_segment (capture, F, text, sizeof text);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, F, 0x1000, F,
                             "[kernel.kallsyms]_text");
  sample (capture, 1000, PATCHED);
  sample (capture, 1100, G);
  poke (capture, 2000, nop, jump);
  for (guint i = 0; i < 3; i++)
    sample (capture, 2500 + i, PATCHED);
  sample (capture, 2600, F);
  pen_test_capture_at (capture, 3000, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, UNHELD, nop, 5, jump, 5);
  poke (capture, 4000, jump, nop);
  poke (capture, 4000, nop, jump);
  sample (capture, 5000, F);
}

static void
set_up (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  add_story (capture);
  query_fixture_import (fixture, capture);
}

static guint32
find_function (QueryFixture *fixture, const char *symbol)
{
  g_autoptr (GArray) found = pen_query_find_functions (fixture->query, symbol, NULL);

  g_assert_nonnull (found);
  return g_array_index (found, guint32, 0);
}

static PenMoment
after (guint64 time)
{
  return pen_moment (time, G_MAXUINT64);
}

static const PenAnnotationLine *
get_line (const PenAnnotated *annotated, guint index)
{
  g_assert_cmpuint (index, <, annotated->lines->len);
  return annotated->lines->pdata[index];
}

static PenAnnotated *
annotate (QueryFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  PenAnnotated *annotated = pen_query_annotate (fixture->query, NULL, find_function (fixture, "f"),
                                                PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  return annotated;
}

static void
assert_jump (const PenAnnotated *annotated, guint index, guint64 from, guint64 to,
             const char *instruction)
{
  const PenAnnotatedJump *found;

  g_assert_cmpuint (index, <, annotated->jumps->len);
  found = &g_array_index (annotated->jumps, PenAnnotatedJump, index);
  g_assert_cmphex (get_line (annotated, found->line)->address, ==, from);
  g_assert_cmphex (get_line (annotated, found->target)->address, ==, to);
  g_assert_cmphex (found->address, ==, to);
  g_assert_cmpstr (get_line (annotated, found->target)->instruction, ==, instruction);
}

static void
test_links (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) annotated = annotate (fixture);
  const PenAnnotatedCall *call;
  const PenAnnotationLine *hottest;

  /* The jump that was patched in, twice, leads to f. */
  g_assert_cmpuint (annotated->jumps->len, ==, 3);
  assert_jump (annotated, 0, F, PATCHED, "nopl   0x0(%rax,%rax,1)");
  assert_jump (annotated, 1, PATCHED, F, "je     0xffffffff81000007");
  assert_jump (annotated, 2, PATCHED, F, "je     0xffffffff81000007");

  g_assert_cmpuint (annotated->calls->len, ==, 1);
  call = &g_array_index (annotated->calls, PenAnnotatedCall, 0);
  g_assert_cmphex (get_line (annotated, call->line)->address, ==, F + 2);
  g_assert_cmphex (call->address, ==, G);
  g_assert_cmpuint (call->function, ==, find_function (fixture, "g"));

  g_assert_cmpuint (annotated->hot->len, ==, 3);
  hottest = get_line (annotated, g_array_index (annotated->hot, guint, 0));
  g_assert_cmphex (hottest->address, ==, PATCHED);
  g_assert_cmpuint (hottest->samples, ==, 3);
}

static const PenAnnotationLine *
find_line (const PenAnnotated *annotated, guint64 address)
{
  for (guint i = 0; i < annotated->lines->len; i++) {
    if (get_line (annotated, i)->address == address)
      return get_line (annotated, i);
  }
  g_assert_not_reached ();
}

static void
test_keep (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) early = annotate (fixture);
  g_autoptr (PenAnnotated) late = annotate (fixture);
  const PenAnnotationLine *line;

  pen_annotated_keep (early, pen_moment (2000, 0));
  line = find_line (early, PATCHED);
  g_assert_cmpstr (line->instruction, ==, "nopl   0x0(%rax,%rax,1)");
  g_assert_cmpuint (line->samples, ==, 1);
  g_assert_cmpuint (early->jumps->len, ==, 1);
  g_assert_cmpuint (early->calls->len, ==, 1);
  assert_jump (early, 0, F, PATCHED, "nopl   0x0(%rax,%rax,1)");

  pen_annotated_keep (late, after (2000));
  assert_jump (late, 0, F, PATCHED, "jmp    0xffffffff81000000");
  assert_jump (late, 1, PATCHED, F, "je     0xffffffff81000007");
  g_assert_cmphex (get_line (late, g_array_index (late->hot, guint, 0))->address, ==, PATCHED);
}

static void
assert_text (QueryFixture *fixture, PenMoment moment, const char *instruction)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenTextAt) text
      = pen_query_text_at (fixture->query, PATCHED, PATCHED + 6, 0, moment, PEN_SYNTAX_ATT, &error);
  const PenTextStretch *stretch;

  g_assert_no_error (error);
  g_assert_cmpuint (text->stretches->len, ==, 1);
  stretch = &g_array_index (text->stretches, PenTextStretch, 0);
  g_assert_cmpstr (stretch->symbol, ==, "f");
  g_assert_cmpuint (text->lines->len, ==, 2);
  g_assert_cmpstr (((PenAnnotationLine *) text->lines->pdata[0])->instruction, ==, instruction);
  g_assert_cmpuint (((PenAnnotationLine *) text->lines->pdata[0])->offset, ==, 7);
  g_assert_cmpstr (((PenAnnotationLine *) text->lines->pdata[1])->instruction, ==, "ret");
  g_assert_cmpuint (text->bytes[5], ==, 0xc3);
  g_assert_cmpuint (text->known[5], ==, 1);
}

/* Both sides of a patch; in the midst of a nanosecond, the stream's order tells. */
static void
test_sides (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenAnnotated) annotated = annotate (fixture);
  PenMoment second = PEN_MOMENT_START;

  for (guint i = 0; i < annotated->lines->len; i++) {
    PenMoment from = get_line (annotated, i)->from;

    if (pen_moment_compare (from, second) > 0)
      second = from;
  }
  assert_text (fixture, after (0), "nopl   0x0(%rax,%rax,1)");
  assert_text (fixture, pen_moment (2000, 0), "nopl   0x0(%rax,%rax,1)");
  assert_text (fixture, after (2000), "jmp    0xffffffff81000000");
  assert_text (fixture, pen_moment (4000, 0), "jmp    0xffffffff81000000");
  assert_text (fixture, after (4000), "jmp    0xffffffff81000000");
  assert_text (fixture, PEN_MOMENT_END, "jmp    0xffffffff81000000");
  assert_text (fixture, second, "nopl   0x0(%rax,%rax,1)");
}

static void
test_moment_words (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *word;
    PenMoment moment;
  } good[] = {
    { "start", { 0, G_MAXUINT64 } },       { "end", { G_MAXUINT64, G_MAXUINT64 } },
    { "0.000002", { 2000, G_MAXUINT64 } }, { "0.000002-", { 2000, 0 } },
    { "0%", { 1000, G_MAXUINT64 } },       { "50%-", { 3000, 0 } },
    { "100%", { 5000, G_MAXUINT64 } },
  };
  static const char *const bad[]
      = { "", "-", "soon", "1,2", "101%", "2--", "start-", "99999999999" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++) {
    g_autoptr (GError) error = NULL;
    PenMoment moment;

    g_assert_true (pen_query_parse_moment (fixture->query, good[i].word, &moment, &error));
    g_assert_no_error (error);
    g_assert_cmpuint (moment.time, ==, good[i].moment.time);
    g_assert_cmpuint (moment.position, ==, good[i].moment.position);
  }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    PenMoment moment;

    g_assert_false (pen_query_parse_moment (fixture->query, bad[i], &moment, &error));
    g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE);
  }
}

static void
assert_range (QueryFixture *fixture, const char *target, guint64 length, guint64 start, guint64 end)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found
      = pen_query_find_text (fixture->query, target, length, PEN_MOMENT_END, &error);
  const PenTextRange *range;

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 1);
  range = &g_array_index (found, PenTextRange, 0);
  g_assert_cmphex (range->start, ==, start);
  g_assert_cmphex (range->end, ==, end);
}

static void
test_ranges (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const missing[] = { "nobody", "f+0x40", "0x10" };
  g_autoptr (GError) error = NULL;

  assert_range (fixture, "f", 0, F, G);
  assert_range (fixture, "f+0x7", 0, PATCHED, G);
  assert_range (fixture, "f+7", 3, PATCHED, PATCHED + 3);
  assert_range (fixture, "f", 0x80, F, H);
  assert_range (fixture, "0xffffffff81000007", 0, F, G);
  assert_range (fixture, "0xffffffff81000007", 3, PATCHED, PATCHED + 3);
  /* Only pokes show the bytes of unknown text. */
  assert_range (fixture, "0xffffffffc0300012", 0, UNHELD, UNHELD + 5);
  assert_range (fixture, "0xffffffffc0300012", 2, UNHELD + 2, UNHELD + 4);
  /* Nothing fell on it, and nothing changed there. */
  assert_range (fixture, "h", 0, H, H + 0x80);
  for (guint i = 0; i < G_N_ELEMENTS (missing); i++) {
    g_assert_null (pen_query_find_text (fixture->query, missing[i], 0, PEN_MOMENT_END, &error));
    g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND);
    g_clear_error (&error);
  }
  g_assert_null (pen_query_text_at (fixture->query, 0, PEN_ANNOTATION_MAX + 1, 0, PEN_MOMENT_END,
                                    PEN_SYNTAX_ATT, &error));
  g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE);
}

/* A range over what is held and what is not: all of it is told. */
static void
test_across (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenTextAt) text = pen_query_text_at (fixture->query, F - 0x10, F + 0x1010, 0,
                                                  PEN_MOMENT_END, PEN_SYNTAX_ATT, &error);
  guint64 at = F - 0x10;

  g_assert_no_error (error);
  g_assert_cmpuint (text->stretches->len, ==, 6);
  for (guint i = 0; i < text->stretches->len; i++) {
    const PenTextStretch *stretch = &g_array_index (text->stretches, PenTextStretch, i);

    g_assert_cmphex (stretch->start, ==, at);
    g_assert_cmpuint (stretch->end_line, >, stretch->first_line);
    at = stretch->end;
  }
  g_assert_cmphex (at, ==, F + 0x1010);
  g_assert_cmpuint (g_array_index (text->stretches, PenTextStretch, 0).tenure.id, ==, 0);
  g_assert_cmpstr (g_array_index (text->stretches, PenTextStretch, 3).symbol, ==, "h");
  g_assert_cmpuint (text->known[0], ==, 0);
  g_assert_cmpuint (text->known[0x10], ==, 1);
}

/* ---- text that has no samples ---- */

/* The whole of it, with nothing counted; of a function that has samples, the function. */
static void
test_annotate_at (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenAnnotated) known = NULL;
  g_autoptr (PenAnnotated) annotated
      = pen_query_annotate_at (fixture->query, NULL, H + 3, after (1000), PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (annotated->function, ==, G_MAXUINT32);
  g_assert_cmpstr (annotated->symbol, ==, "h");
  g_assert_cmpstr (annotated->occupant, ==, "[kernel.kallsyms]");
  g_assert_cmphex (annotated->start, ==, H);
  g_assert_cmphex (annotated->end, ==, F + 0x100);
  /* Bytes are kept a little beyond what was recorded. */
  g_assert_cmpuint (annotated->lines->len, >, 4);
  g_assert_cmpstr (get_line (annotated, 0)->instruction, ==, "int3");
  g_assert_cmpuint (annotated->samples, ==, 0);
  g_assert_cmpuint (annotated->total_samples, >, 0);

  known = pen_query_annotate_at (fixture->query, NULL, F + 2, after (1000), PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (known->function, ==, find_function (fixture, "f"));
  g_assert_cmpuint (known->samples, >, 0);

  g_assert_null (
      pen_query_annotate_at (fixture->query, NULL, 0x1000, after (1000), PEN_SYNTAX_ATT, &error));
  g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (pen_query_annotate_at (fixture->query, NULL, G_MAXUINT64, after (1000),
                                        PEN_SYNTAX_ATT, &error));
  g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND);
}

/* Places of text with and without samples, as they are typed. */
static void
test_find (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *text;
    gboolean has_function;
    guint64 address;
  } cases[] = {
    { "f", TRUE, F },  { "f+0x7", TRUE, PATCHED },    { " 0xffffffff81000002 ", TRUE, F + 2 },
    { "h", FALSE, H }, { "h+0x1f", FALSE, H + 0x1f }, { "0xffffffff81000090", FALSE, H + 0x10 },
  };
  static const char *const bad[] = { "nobody", "f+0x7000", "0x10", "0xzz", "+", "" };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PenFound) found
        = pen_query_find (fixture->query, cases[i].text, after (1000), &error);
    const PenFoundRow *row;

    g_assert_no_error (error);
    g_assert_cmpuint (found->rows->len, >, 0);
    row = &g_array_index (found->rows, PenFoundRow, 0);
    g_assert_cmpint (row->when, ==, PEN_FOUND_THEN);
    g_assert_cmpint (row->function != G_MAXUINT32, ==, cases[i].has_function);
    g_assert_cmphex (row->address, ==, cases[i].address);
  }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (PenFound) found = pen_query_find (fixture->query, bad[i], after (1000), &error);

    g_assert_no_error (error);
    if (found->rows->len > 0)
      g_assert_cmpuint (g_array_index (found->rows, PenFoundRow, 0).tenure, ==, 0);
  }
}

/* je, call, nop or jump, ret; within a call, and where nothing is held, the next byte; what pokes
 * alone tell of. */
static void
test_instruction_end (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    guint64 address;
    guint64 length;
  } cases[] = {
    { F, 2 },     { F + 2, 5 },  { PATCHED, 5 },         { F + 12, 1 },
    { F + 3, 1 }, { UNHELD, 5 }, { UNHELD + 0x1000, 1 },
  };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint64 end = 0;

    pen_query_find_instruction_end (fixture->query, cases[i].address, &end, &error);
    g_assert_no_error (error);
    g_assert_cmphex (end, ==, cases[i].address + cases[i].length);
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (QueryFixture *fixture, gconstpointer data);
  } tests[] = {
    { "/query/text-at/links", test_links },
    { "/query/text-at/keep", test_keep },
    { "/query/text-at/sides", test_sides },
    { "/query/text-at/words", test_moment_words },
    { "/query/text-at/ranges", test_ranges },
    { "/query/text-at/across", test_across },
    { "/query/text-at/annotate", test_annotate_at },
    { "/query/text-at/find", test_find },
    { "/query/text-at/instruction-end", test_instruction_end },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, QueryFixture, NULL, set_up, tests[i].test, query_fixture_tear_down);
  return g_test_run ();
}
