/* test-pair-text.c: texts of two recordings, against differences that are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pair-fixture.h"
#include "pen-pair-align.h"
#include "pen-query-pair-text.h"
#include "pen-store-samples.h"

/* ---- alignment ---- */

/* The length of the longest common sequence. */
static guint
count_common (const char *const *a, guint n, const char *const *b, guint m)
{
  g_autofree guint *row = g_new0 (guint, m + 1);

  for (guint i = 0; i < n; i++) {
    guint diagonal = 0;

    for (guint k = 0; k < m; k++) {
      guint above = row[k + 1];

      row[k + 1] = a[i] == b[k] ? diagonal + 1 : MAX (above, row[k]);
      diagonal = above;
    }
  }
  return row[m];
}

/* Each index once, ascending, and only equal ones together. Returns: how many are */
static guint
check_matches (const GArray *matches, const char *const *a, guint n, const char *const *b, guint m)
{
  guint next[2] = { 0, 0 };
  guint n_equal = 0;

  for (guint i = 0; i < matches->len; i++) {
    const PenPairMatch *match = &g_array_index (matches, PenPairMatch, i);

    if (match->a != G_MAXUINT)
      g_assert_cmpuint (match->a, ==, next[0]++);
    if (match->b != G_MAXUINT)
      g_assert_cmpuint (match->b, ==, next[1]++);
    if (match->a == G_MAXUINT || match->b == G_MAXUINT)
      continue;
    g_assert_true (a[match->a] == b[match->b]);
    n_equal++;
  }
  g_assert_cmpuint (next[0], ==, n);
  g_assert_cmpuint (next[1], ==, m);
  return n_equal;
}

static const char *const words[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };

static void
test_shortest (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint round = 0; round < 2000; round++) {
    guint n = (guint) g_rand_int_range (random, 0, 24),
          m = (guint) g_rand_int_range (random, 0, 24);
    gint32 kinds = g_rand_int_range (random, 1, 10);
    const char *a[24], *b[24];
    PenCancelCheck check = { 0 };
    g_autoptr (GArray) matches = NULL;

    for (guint i = 0; i < n; i++)
      a[i] = words[g_rand_int_range (random, 0, kinds)];
    for (guint i = 0; i < m; i++)
      b[i] = words[g_rand_int_range (random, 0, kinds)];
    matches = pen_pair_align (a, n, b, m, G_MAXUINT, &check);
    g_assert_cmpuint (check_matches (matches, a, n, b, m), ==, count_common (a, n, b, m));
    g_clear_pointer (&matches, g_array_unref);
    /* With few steps, or none, it is still an alignment. */
    matches = pen_pair_align (a, n, b, m, round % 40, &check);
    check_matches (matches, a, n, b, m);
  }
}

/* A hundred thousand instructions without one in common cost as many steps as they may, and one
 * that is there once in each is found nevertheless. */
static void
test_hostile (void)
{
  enum { N = 100000 };
  g_autofree const char **a = g_new (const char *, N);
  g_autofree const char **b = g_new (const char *, N);
  PenCancelCheck check = { 0 };
  g_autoptr (GArray) matches = NULL;

  for (guint i = 0; i < N; i++) {
    a[i] = words[i % 3];
    b[i] = words[3 + i % 4];
  }
  a[70000] = b[20] = words[9];
  matches = pen_pair_align (a, N, b, N, 1 << 16, &check);
  g_assert_cmpuint (check_matches (matches, a, N, b, N), ==, 1);
  g_assert_cmpuint (check.steps, <, (1 << 16) + 20 * N);
}

static gboolean
stop (G_GNUC_UNUSED gpointer user_data)
{
  return FALSE;
}

static void
test_stopped (void)
{
  enum { N = 20000 };
  g_autofree const char **a = g_new (const char *, N);
  g_autofree const char **b = g_new (const char *, N);
  PenCancelCheck check = { .func = stop };
  g_autoptr (GArray) matches = NULL;

  for (guint i = 0; i < N; i++) {
    a[i] = words[i % 3];
    b[i] = words[3 + i % 4];
  }
  matches = pen_pair_align (a, N, b, N, G_MAXUINT, &check);
  g_assert_true (check.is_stopped);
  g_assert_cmpuint (check.steps, <, 5 * PEN_CANCEL_CHECK_STEPS);
}

/* ---- texts ---- */

#define FUNCTIONS 8u

typedef struct {
  GByteArray *bytes[FUNCTIONS];
  PairFunction functions[FUNCTIONS];
  PairRecording recording;
} Code;

static void
code_init (Code *self, guint64 base, guint gap)
{
  static const char *const names[]
      = { "alpha", "beta", "gamma", "delta", "old_name", "new_name", "data", "tail" };

  *self = (Code){ 0 };
  for (guint i = 0; i < FUNCTIONS; i++) {
    self->bytes[i] = g_byte_array_new ();
    self->functions[i].name = names[i];
    self->functions[i].samples = 20;
  }
  self->recording = (PairRecording){
    .base = base, .gap = gap, .seconds = 2, .functions = self->functions, .n = FUNCTIONS
  };
}

static guint64
get_address (const Code *self, guint function)
{
  return pair_recording_get_address (&self->recording, function);
}

static void
put (Code *self, guint function, const char *bytes, guint n)
{
  g_byte_array_append (self->bytes[function], (const guint8 *) bytes, n);
}

/* @opcode, then the distance to @target from after the instruction, of which @rest bytes are still
 * to come. */
static void
put_relative (Code *self, guint function, const char *opcode, guint n, guint64 target)
{
  guint32 distance;

  put (self, function, opcode, n);
  distance = GUINT32_TO_LE (
      (guint32) (target - (get_address (self, function) + self->bytes[function]->len + 4)));
  put (self, function, (const char *) &distance, 4);
}

static void
put_address (Code *self, guint function, const char *opcode, guint n, guint64 address)
{
  guint32 low = GUINT32_TO_LE ((guint32) address);

  put (self, function, opcode, n);
  put (self, function, (const char *) &low, 4);
}

#define NOP "\x0f\x1f\x44\x00\x00"

/* At the function's entry, what ftrace would patch; then a bit of everything that moves. */
static void
put_usual (Code *self, guint function)
{
  put (self, function, NOP, 5);
  put_relative (self, function, "\xe8", 1, get_address (self, 1));         /* call beta */
  put_relative (self, function, "\x48\x8b\x05", 3, get_address (self, 6)); /* mov data(%rip),%rax */
  put_address (self, function, "\x48\xc7\xc7", 3, get_address (self, 6) + 8); /* mov $data+8,%rdi */
  put_relative (self, function, "\x48\x8b\x0d", 3,
                get_address (self, 0) + 0x4000000); /* mov …(%rip),%rcx: without a name */
  put (self, function, "\x83\xc3\x07", 3);          /* add $0x7,%ebx */
  put (self, function, "\x48\x31\xc0", 3);          /* xor %rax,%rax */
}

static void
code_import (Code *self, QueryFixture *fixture)
{
  for (guint i = 0; i < FUNCTIONS; i++) {
    put (self, i, "\xc3", 1);
    self->functions[i].text = self->bytes[i]->data;
    self->functions[i].length = self->bytes[i]->len;
  }
  pair_recording_import (&self->recording, fixture);
}

static void
code_clear (Code *self)
{
  for (guint i = 0; i < FUNCTIONS; i++)
    g_byte_array_unref (self->bytes[i]);
}

typedef struct {
  Code codes[2];
  QueryFixture fixtures[2];
  PenPairSource sources[2];
  PenPairs *pairs;
} Pair;

static void
pair_init (Pair *pair)
{
  *pair = (Pair){ 0 };
  code_init (&pair->codes[0], 0, 0);
  code_init (&pair->codes[1], 0xffffffff9a000000ull, 5);
}

static void
pair_ask (Pair *pair)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++) {
    code_import (&pair->codes[i], &pair->fixtures[i]);
    pair->sources[i] = (PenPairSource){ pair->fixtures[i].query, NULL, NULL };
  }
  pair->pairs = pen_query_pair (pair->sources, &error);
  g_assert_no_error (error);
}

static void
pair_clear (Pair *pair)
{
  pen_pairs_free (pair->pairs);
  for (guint i = 0; i < 2; i++) {
    query_fixture_tear_down (&pair->fixtures[i], NULL);
    code_clear (&pair->codes[i]);
  }
}

static const PenPairRow *
find (const Pair *pair, const char *symbol)
{
  for (guint i = 0; i < pair->pairs->rows->len; i++) {
    const PenPairRow *row = pair->pairs->rows->pdata[i];

    if (g_strcmp0 (row->symbol, symbol) == 0)
      return row;
  }
  return NULL;
}

static void
check_text (const Pair *pair, const char *symbol, PenPairTextState text, guint n_changed,
            guint32 causes)
{
  const PenPairRow *row = find (pair, symbol);

  g_assert_nonnull (row);
  g_assert_cmpstr (pen_pair_text_state_to_string (row->text), ==,
                   pen_pair_text_state_to_string (text));
  g_assert_cmpuint (row->n_changed, ==, n_changed);
  g_assert_cmphex (row->causes, ==, causes);
}

/* Another base, other addresses: the same text. A number is no address, and differs. */
static void
test_moved (void)
{
  Pair pair;

  pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    Code *code = &pair.codes[side];

    for (guint function = 0; function < 4; function++)
      put_usual (code, function);
    /* Instructions in B alone, and jumps over them: one short, one long. */
    put (code, 1, side == 0 ? "\x74\x03" : "\x0f\x84\x06\x00\x00\x00", side == 0 ? 2 : 6);
    put (code, 1, "\x83\xc3\x01", 3);
    if (side == 1)
      put (code, 1, "\x83\xc3\x02", 3);
    put (code, 2, side == 0 ? "\x83\xc0\x01" : "\x83\xc0\x02", 3);
    /* A call of another function. */
    put_relative (code, 3, "\xe8", 1, get_address (code, side == 0 ? 1 : 2));
  }
  pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_SAME, 0, 0);
  check_text (&pair, "beta", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  check_text (&pair, "gamma", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  check_text (&pair, "delta", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  /* It ends beyond what was recorded. */
  check_text (&pair, "tail", PEN_PAIR_TEXT_UNKNOWN, 0, 0);
  pair_clear (&pair);
}

/* A jump in place of a no-op is a static key's; a call at the entry ftrace's. Neither is a change
 * of the code. */
static void
test_patched (void)
{
  Pair pair;

  pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    Code *code = &pair.codes[side];

    put_usual (code, 0);
    put (code, 0, side == 0 ? NOP : "\xe9\x00\x00\x00\x00", 5);
    put (code, 0, "\x83\xc3\x01", 3);
    if (side == 0)
      put (code, 1, NOP, 5);
    else
      put_relative (code, 1, "\xe8", 1, get_address (code, 7));
    put (code, 1, "\x83\xc3\x01", 3);
    /* Neither at an entry, nor a jump within. */
    put (code, 2, "\x83\xc3\x01", 3);
    if (side == 0)
      put (code, 2, NOP, 5);
    else
      put_relative (code, 2, "\xe8", 1, get_address (code, 7));
  }
  pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_PATCHED, 1, 1u << PEN_CAUSE_STATIC_KEY);
  check_text (&pair, "beta", PEN_PAIR_TEXT_PATCHED, 1, 1u << PEN_CAUSE_FTRACE);
  check_text (&pair, "gamma", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  pair_clear (&pair);
}

#define NOP_2 "\x66\x90"

/* Two keys beside a no-op that is none: each is the one that stands where the jump does, also where
 * other instructions came before it. */
static void
test_flipped (void)
{
  Pair pair;

  pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    Code *code = &pair.codes[side];

    for (guint function = 0; function < 2; function++) {
      put_usual (code, function);
      if (function == 1 && side == 1)
        put (code, function, "\x83\xc3\x09", 3);
      put (code, function, side == 0 ? NOP_2 : "\xeb\x02", 2);
      put (code, function, NOP_2, 2);
      put (code, function, "\x83\xc3\x01", 3);
      put (code, function, "\xeb\x02", 2); /* over the key */
      put (code, function, side == 0 ? NOP_2 : "\xeb\x03", 2);
      put (code, function, "\x83\xc3\x02", 3);
      put (code, function, NOP_2, 2);
      put (code, function, "\x83\xc3\x03", 3);
    }
  }
  pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_PATCHED, 2, 1u << PEN_CAUSE_STATIC_KEY);
  check_text (&pair, "beta", PEN_PAIR_TEXT_DIFFERS, 3, 1u << PEN_CAUSE_STATIC_KEY);
  pair_clear (&pair);
}

/* Two kernels: with landings or without, or with one that was taken away; other no-ops, another way
 * to per-CPU data, names that one of the recordings lacks or has in another form. A mask is no
 * address. */
static void
test_builds (void)
{
  Pair pair;

  pair_init (&pair);
  pair.codes[1].functions[7].name = "__pi_tail.isra.0";
  for (guint side = 0; side < 2; side++) {
    Code *code = &pair.codes[side];

    if (side == 1)
      put (code, 0, "\xf3\x0f\x1e\xfa", 4);
    put (code, 0, NOP, 5);
    put (code, 0, side == 0 ? NOP_2 : "\x0f\x1f\x00", side == 0 ? 2 : 3);
    put_relative (code, 0, "\x48\x8b\x05", 3,
                  side == 0 ? get_address (code, 6) : get_address (code, 0) + 0x4000000);
    if (side == 0)
      put (code, 0, "\x65\x48\x8b\x3c\x25\x80\xfb\x01\x00", 9);
    else
      put (code, 0, "\x65\x48\x8b\x3d\x07\x9d\x87\x02", 8);
    put_relative (code, 0, "\xe8", 1, get_address (code, 7));
    put_relative (code, 0, "\xe9", 1, get_address (code, 0) + (side == 0 ? 0 : 4));

    put (code, 1, side == 0 ? "\x0f\x1f\x40\xd6" : "\xf3\x0f\x1e\xfa", 4);
    put (code, 1, NOP, 5);
    /* Where a program may be called from another. */
    if (side == 1)
      put (code, 1, "\xf3\x0f\x1e\xfa", 4);
    put (code, 1, "\x83\xc3\x01", 3);

    put (code, 2,
         side == 0 ? "\x48\xb8\x00\x00\x00\x00\xff\xff\xff\xff"
                   : "\x48\xb8\x00\x00\x00\x00\x00\xff\xff\xff",
         10);
    put (code, 2, "\x83\xc3\x01", 3);
    /* Both names are known: other data. */
    put_relative (code, 3, "\x48\x8b\x05", 3, get_address (code, side == 0 ? 6 : 4));
    put (code, 3, "\x83\xc3\x01", 3);
  }
  pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_SAME, 0, 0);
  check_text (&pair, "beta", PEN_PAIR_TEXT_SAME, 0, 0);
  check_text (&pair, "gamma", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  check_text (&pair, "delta", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  pair_clear (&pair);
}

/* One text, and two names that the other recording does not know. */
static void
test_renamed (void)
{
  const PenPairRow *row;
  Pair pair;

  for (guint round = 0; round < 3; round++) {
    pair_init (&pair);
    for (guint side = 0; side < 2; side++) {
      Code *code = &pair.codes[side];

      for (guint i = 0; i < 6; i++)
        put (code, side == 0 ? 4 : 5, "\x83\xc3\x05\x48\x01\xd8", 6);
      /* Both are there, and one of them was not running. */
      code->functions[side == 0 ? 5 : 4].name = round == 0  ? "other"
                                                : side == 0 ? "new_name"
                                                            : "old_name";
      code->functions[side == 0 ? 5 : 4].samples = 0;
      /* Two of that text: one might be any of them. */
      if (round == 2) {
        code->functions[side == 0 ? 5 : 4].name = "other";
        for (guint i = 0; i < 6 && side == 1; i++)
          put (code, 3, "\x83\xc3\x05\x48\x01\xd8", 6);
        code->functions[3].name = side == 0 ? "x" : "y";
      }
    }
    pair_ask (&pair);
    row = find (&pair, "old_name");
    g_assert_nonnull (row);
    g_assert_cmpint (row->is_renamed, ==, round == 0);
    g_assert_cmpuint (row->rates[1].samples, ==, round == 0 ? 20 : 0);
    if (round == 0) {
      g_assert_cmpstr (row->symbols[1], ==, "new_name");
      g_assert_cmpint (row->text, ==, PEN_PAIR_TEXT_SAME);
      g_assert_null (find (&pair, "new_name"));
    } else {
      g_assert_nonnull (find (&pair, "new_name"));
    }
    pair_clear (&pair);
  }
}

/* Compilers append how they made a function. Where both recordings have one of the names, they are
 * two. */
static void
test_appended (void)
{
  const PenPairRow *row;
  Pair pair;

  pair_init (&pair);
  pair.codes[0].functions[0].name = "worker.constprop.0";
  pair.codes[1].functions[0].name = "worker";
  pair.codes[0].functions[1].name = "slow.cold";
  pair.codes[1].functions[1].name = "slow";
  pair.codes[0].functions[2].name = "both.isra.0";
  pair.codes[1].functions[2].name = "both";
  pair.codes[0].functions[3].name = "both";
  pair.codes[0].functions[3].samples = 0;
  for (guint side = 0; side < 2; side++)
    put (&pair.codes[side], 0, side == 0 ? "\x83\xc3\x01" : "\x83\xc3\x02", 3);
  pair_ask (&pair);
  row = find (&pair, "worker.constprop.0");
  g_assert_true (row && row->is_renamed);
  g_assert_cmpstr (row->symbols[1], ==, "worker");
  g_assert_cmpuint (row->rates[1].samples, ==, 20);
  g_assert_cmpint (row->text, ==, PEN_PAIR_TEXT_DIFFERS);
  g_assert_null (find (&pair, "worker"));
  g_assert_nonnull (find (&pair, "slow.cold"));
  g_assert_nonnull (find (&pair, "slow"));
  g_assert_nonnull (find (&pair, "both.isra.0"));
  pair_clear (&pair);
}

/* ---- side by side ---- */

static PenPairAnnotation *
annotate (Pair *pair, const char *symbol, PenSyntax syntax)
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
  Pair pair;

  pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    Code *code = &pair.codes[side];

    put_relative (code, 0, "\xe8", 1, get_address (code, 1));
    put (code, 0, "\x83\xc3\x01", 3);
    if (side == 1)
      put (code, 0, "\x83\xc3\x02", 3);
    put (code, 0, side == 0 ? "\x83\xc3\x03" : "\x83\xc3\x04", 3);
    put (code, 0, "\x48\x31\xc0", 3);
    code->functions[0].samples = side == 0 ? 20 : 200;
  }
  pair_ask (&pair);
  call_a = g_strdup_printf ("call   0x%" G_GINT64_MODIFIER "x", get_address (&pair.codes[0], 1));
  call_b = g_strdup_printf ("call   0x%" G_GINT64_MODIFIER "x", get_address (&pair.codes[1], 1));

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
  pair_clear (&pair);
}

/* One has samples of the function, and the other none, or not its text. */
static void
test_one_side (void)
{
  g_autoptr (PenPairAnnotation) gone = NULL;
  g_autoptr (PenPairAnnotation) unknown = NULL;
  g_autoptr (GError) error = NULL;
  const PenPairFunction *function;
  Pair pair;

  pair_init (&pair);
  pair.codes[1].functions[2].samples = 0;
  put (&pair.codes[0], 7, "\x83\xc3\x01", 3);
  pair_ask (&pair);
  gone = annotate (&pair, "gamma", PEN_SYNTAX_ATT);
  function = gone->functions->pdata[0];
  g_assert_cmpuint (function->functions[1], ==, G_MAXUINT32);
  /* Its name says where it is, all the same. */
  g_assert_true (function->is_there[1]);
  g_assert_cmpint (function->text, ==, find (&pair, "gamma")->text);
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
  pair_clear (&pair);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-text/shortest", test_shortest);
  g_test_add_func ("/pair-text/hostile", test_hostile);
  g_test_add_func ("/pair-text/stopped", test_stopped);
  g_test_add_func ("/pair-text/moved", test_moved);
  g_test_add_func ("/pair-text/patched", test_patched);
  g_test_add_func ("/pair-text/flipped", test_flipped);
  g_test_add_func ("/pair-text/builds", test_builds);
  g_test_add_func ("/pair-text/renamed", test_renamed);
  g_test_add_func ("/pair-text/appended", test_appended);
  g_test_add_func ("/pair-text/lines", test_lines);
  g_test_add_func ("/pair-text/one-side", test_one_side);
  return g_test_run ();
}
