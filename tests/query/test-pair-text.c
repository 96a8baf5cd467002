/* test-pair-text.c: texts of two recordings, against differences that are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-code.h"

static void
check_text (const CodePair *pair, const char *symbol, PenPairTextState text, guint n_changed,
            guint32 causes)
{
  const PenPairRow *row = code_pair_find (pair, symbol);

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
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    for (guint function = 0; function < 4; function++)
      pair_code_put_usual (code, function);
    /* Instructions in B alone, and jumps over them: one short, one long. */
    pair_code_put (code, 1, side == 0 ? "\x74\x03" : "\x0f\x84\x06\x00\x00\x00", side == 0 ? 2 : 6);
    pair_code_put (code, 1, "\x83\xc3\x01", 3);
    if (side == 1)
      pair_code_put (code, 1, "\x83\xc3\x02", 3);
    pair_code_put (code, 2, side == 0 ? "\x83\xc0\x01" : "\x83\xc0\x02", 3);
    /* A call of another function. */
    pair_code_put_relative (code, 3, "\xe8", 1, pair_code_get_address (code, side == 0 ? 1 : 2));
  }
  code_pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_SAME, 0, 0);
  check_text (&pair, "beta", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  check_text (&pair, "gamma", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  check_text (&pair, "delta", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  /* It ends beyond what was recorded. */
  check_text (&pair, "tail", PEN_PAIR_TEXT_UNKNOWN, 0, 0);
  code_pair_clear (&pair);
}

/* A jump in place of a no-op is a static key's; a call at the entry ftrace's. Neither is a change
 * of the code. */
static void
test_patched (void)
{
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    pair_code_put_usual (code, 0);
    pair_code_put (code, 0, side == 0 ? PAIR_CODE_NOP : "\xe9\x00\x00\x00\x00", 5);
    pair_code_put (code, 0, "\x83\xc3\x01", 3);
    if (side == 0)
      pair_code_put (code, 1, PAIR_CODE_NOP, 5);
    else
      pair_code_put_relative (code, 1, "\xe8", 1, pair_code_get_address (code, 7));
    pair_code_put (code, 1, "\x83\xc3\x01", 3);
    /* Neither at an entry, nor a jump within. */
    pair_code_put (code, 2, "\x83\xc3\x01", 3);
    if (side == 0)
      pair_code_put (code, 2, PAIR_CODE_NOP, 5);
    else
      pair_code_put_relative (code, 2, "\xe8", 1, pair_code_get_address (code, 7));
  }
  code_pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_PATCHED, 1, 1u << PEN_CAUSE_STATIC_KEY);
  check_text (&pair, "beta", PEN_PAIR_TEXT_PATCHED, 1, 1u << PEN_CAUSE_FTRACE);
  check_text (&pair, "gamma", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  code_pair_clear (&pair);
}

#define NOP_2 "\x66\x90"

/* Two keys beside a no-op that is none: each is the one that stands where the jump does, also where
 * other instructions came before it. */
static void
test_flipped (void)
{
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    for (guint function = 0; function < 2; function++) {
      pair_code_put_usual (code, function);
      if (function == 1 && side == 1)
        pair_code_put (code, function, "\x83\xc3\x09", 3);
      pair_code_put (code, function, side == 0 ? NOP_2 : "\xeb\x02", 2);
      pair_code_put (code, function, NOP_2, 2);
      pair_code_put (code, function, "\x83\xc3\x01", 3);
      pair_code_put (code, function, "\xeb\x02", 2); /* over the key */
      pair_code_put (code, function, side == 0 ? NOP_2 : "\xeb\x03", 2);
      pair_code_put (code, function, "\x83\xc3\x02", 3);
      pair_code_put (code, function, NOP_2, 2);
      pair_code_put (code, function, "\x83\xc3\x03", 3);
    }
  }
  code_pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_PATCHED, 2, 1u << PEN_CAUSE_STATIC_KEY);
  check_text (&pair, "beta", PEN_PAIR_TEXT_DIFFERS, 3, 1u << PEN_CAUSE_STATIC_KEY);
  code_pair_clear (&pair);
}

/* Two kernels: with landings or without, or with one that was taken away; other no-ops, another way
 * to per-CPU data, names that one of the recordings lacks or has in another form. A mask is no
 * address. */
static void
test_builds (void)
{
  CodePair pair;

  code_pair_init (&pair);
  pair.codes[1].functions[7].name = "__pi_tail.isra.0";
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    if (side == 1)
      pair_code_put (code, 0, "\xf3\x0f\x1e\xfa", 4);
    pair_code_put (code, 0, PAIR_CODE_NOP, 5);
    pair_code_put (code, 0, side == 0 ? NOP_2 : "\x0f\x1f\x00", side == 0 ? 2 : 3);
    pair_code_put_relative (code, 0, "\x48\x8b\x05", 3,
                            side == 0 ? pair_code_get_address (code, 6)
                                      : pair_code_get_address (code, 0) + 0x4000000);
    if (side == 0)
      pair_code_put (code, 0, "\x65\x48\x8b\x3c\x25\x80\xfb\x01\x00", 9);
    else
      pair_code_put (code, 0, "\x65\x48\x8b\x3d\x07\x9d\x87\x02", 8);
    pair_code_put_relative (code, 0, "\xe8", 1, pair_code_get_address (code, 7));
    pair_code_put_relative (code, 0, "\xe9", 1,
                            pair_code_get_address (code, 0) + (side == 0 ? 0 : 4));

    pair_code_put (code, 1, side == 0 ? "\x0f\x1f\x40\xd6" : "\xf3\x0f\x1e\xfa", 4);
    pair_code_put (code, 1, PAIR_CODE_NOP, 5);
    /* Where a program may be called from another. */
    if (side == 1)
      pair_code_put (code, 1, "\xf3\x0f\x1e\xfa", 4);
    pair_code_put (code, 1, "\x83\xc3\x01", 3);

    pair_code_put (code, 2,
                   side == 0 ? "\x48\xb8\x00\x00\x00\x00\xff\xff\xff\xff"
                             : "\x48\xb8\x00\x00\x00\x00\x00\xff\xff\xff",
                   10);
    pair_code_put (code, 2, "\x83\xc3\x01", 3);
    /* Both names are known: other data. */
    pair_code_put_relative (code, 3, "\x48\x8b\x05", 3,
                            pair_code_get_address (code, side == 0 ? 6 : 4));
    pair_code_put (code, 3, "\x83\xc3\x01", 3);
  }
  code_pair_ask (&pair);
  check_text (&pair, "alpha", PEN_PAIR_TEXT_SAME, 0, 0);
  check_text (&pair, "beta", PEN_PAIR_TEXT_SAME, 0, 0);
  check_text (&pair, "gamma", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  check_text (&pair, "delta", PEN_PAIR_TEXT_DIFFERS, 1, 0);
  code_pair_clear (&pair);
}

/* One text, and two names that the other recording does not know. */
static void
test_renamed (void)
{
  const PenPairRow *row;
  CodePair pair;

  for (guint round = 0; round < 3; round++) {
    code_pair_init (&pair);
    for (guint side = 0; side < 2; side++) {
      PairCode *code = &pair.codes[side];

      for (guint i = 0; i < 6; i++)
        pair_code_put (code, side == 0 ? 4 : 5, "\x83\xc3\x05\x48\x01\xd8", 6);
      /* Both are there, and one of them was not running. */
      code->functions[side == 0 ? 5 : 4].name = round == 0  ? "other"
                                                : side == 0 ? "new_name"
                                                            : "old_name";
      code->functions[side == 0 ? 5 : 4].samples = 0;
      /* Two of that text: one might be any of them. */
      if (round == 2) {
        code->functions[side == 0 ? 5 : 4].name = "other";
        for (guint i = 0; i < 6 && side == 1; i++)
          pair_code_put (code, 3, "\x83\xc3\x05\x48\x01\xd8", 6);
        code->functions[3].name = side == 0 ? "x" : "y";
      }
    }
    code_pair_ask (&pair);
    row = code_pair_find (&pair, "old_name");
    g_assert_nonnull (row);
    g_assert_cmpint (row->is_renamed, ==, round == 0);
    g_assert_cmpuint (row->rates[1].samples, ==, round == 0 ? 20 : 0);
    if (round == 0) {
      g_assert_cmpstr (row->symbols[1], ==, "new_name");
      g_assert_cmpint (row->text, ==, PEN_PAIR_TEXT_SAME);
      g_assert_null (code_pair_find (&pair, "new_name"));
    } else {
      g_assert_nonnull (code_pair_find (&pair, "new_name"));
    }
    code_pair_clear (&pair);
  }
}

/* Compilers append how they made a function. Where both recordings have one of the names, they are
 * two. */
static void
test_appended (void)
{
  const PenPairRow *row;
  CodePair pair;

  code_pair_init (&pair);
  pair.codes[0].functions[0].name = "worker.constprop.0";
  pair.codes[1].functions[0].name = "worker";
  pair.codes[0].functions[1].name = "slow.cold";
  pair.codes[1].functions[1].name = "slow";
  pair.codes[0].functions[2].name = "both.isra.0";
  pair.codes[1].functions[2].name = "both";
  pair.codes[0].functions[3].name = "both";
  pair.codes[0].functions[3].samples = 0;
  for (guint side = 0; side < 2; side++)
    pair_code_put (&pair.codes[side], 0, side == 0 ? "\x83\xc3\x01" : "\x83\xc3\x02", 3);
  code_pair_ask (&pair);
  row = code_pair_find (&pair, "worker.constprop.0");
  g_assert_true (row && row->is_renamed);
  g_assert_cmpstr (row->symbols[1], ==, "worker");
  g_assert_cmpuint (row->rates[1].samples, ==, 20);
  g_assert_cmpint (row->text, ==, PEN_PAIR_TEXT_DIFFERS);
  g_assert_null (code_pair_find (&pair, "worker"));
  g_assert_nonnull (code_pair_find (&pair, "slow.cold"));
  g_assert_nonnull (code_pair_find (&pair, "slow"));
  g_assert_nonnull (code_pair_find (&pair, "both.isra.0"));
  code_pair_clear (&pair);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-text/moved", test_moved);
  g_test_add_func ("/pair-text/patched", test_patched);
  g_test_add_func ("/pair-text/flipped", test_flipped);
  g_test_add_func ("/pair-text/builds", test_builds);
  g_test_add_func ("/pair-text/renamed", test_renamed);
  g_test_add_func ("/pair-text/appended", test_appended);
  return g_test_run ();
}
