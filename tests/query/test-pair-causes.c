/* test-pair-causes.c: what stands differently in two recordings, against differences that are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-causes.h"

#include <math.h>
#include <string.h>

#include "pair-code.h"

#define SITE 5u
#define JUMP "\xe9\x03\x00\x00\x00"
#define ADD "\x83\xc3\x01"

/* Code of each function: a no-op at the entry, and one of a key in it. */
enum { ALPHA_FUNCTION, BETA_FUNCTION, GAMMA_FUNCTION, DELTA_FUNCTION, OLD_FUNCTION };

/* ---- records ---- */

static void
poke (const PairCode *self, PenTestCapture *capture, double seconds, guint function, guint offset,
      const char *before, const char *after, guint16 n)
{
  pen_test_capture_at (capture, PAIR_START + (guint64) (seconds * 1e9), 7, 7, 0);
  pen_test_capture_add_text_poke (capture, pair_code_get_address (self, function) + offset,
                                  (const guint8 *) before, n, (const guint8 *) after, n);
}

static void
flip (const PairCode *self, PenTestCapture *capture, double seconds, guint function, gboolean is_on)
{
  poke (self, capture, seconds, function, SITE, is_on ? PAIR_CODE_NOP : JUMP,
        is_on ? JUMP : PAIR_CODE_NOP, 5);
}

static void
probe (const PairCode *self, PenTestCapture *capture, double seconds, guint function,
       gboolean is_armed)
{
  poke (self, capture, seconds, function, 10, is_armed ? "\x83" : "\xcc",
        is_armed ? "\xcc" : "\x83", 1);
}

static void
add_program (const PairCode *self, PenTestCapture *capture, double seconds, guint slot,
             const char *name, gboolean is_gone)
{
  pen_test_capture_at (capture, PAIR_START + (guint64) (seconds * 1e9), 7, 7, 0);
  pen_test_capture_add_ksymbol (capture,
                                pair_code_get_address (self, 0) + 0x2f000000 + slot * 0x1000, 0x100,
                                1, is_gone ? 1 : 0, name);
}

/* ---- rows ---- */

static PenPairCauses *
ask (const CodePair *pair)
{
  g_autoptr (GError) error = NULL;
  PenPairCauses *causes = pen_query_pair_causes (pair->sources, pair->pairs, &error);

  g_assert_no_error (error);
  return causes;
}

/* The one row of @cause at @symbol, or, of a program, for it. */
static const PenPairCause *
find (const PenPairCauses *causes, PenCause cause, gboolean is_program, const char *symbol)
{
  const PenPairCause *found = NULL;

  for (guint i = 0; i < causes->rows->len; i++) {
    const PenPairCause *row = causes->rows->pdata[i];

    if (row->cause != cause || row->is_program != is_program
        || g_strcmp0 (is_program ? row->name : row->symbol, symbol) != 0)
      continue;
    g_assert_null (found);
    found = row;
  }
  g_assert_nonnull (found);
  return found;
}

typedef struct {
  PenPairStandState state;
  double on;
  guint64 flips;
  gboolean is_read;
} Stand;

static void
check_row (const PenPairCause *row, PenPairStandVerdict verdict, Stand a, Stand b)
{
  const Stand expected[] = { a, b };

  g_assert_cmpstr (pen_pair_stand_to_string (row->verdict), ==, pen_pair_stand_to_string (verdict));
  for (guint i = 0; i < 2; i++) {
    const PenPairStand *stand = &row->stands[i];

    g_assert_cmpstr (pen_pair_stand_state_to_string (stand->state), ==,
                     pen_pair_stand_state_to_string (expected[i].state));
    g_assert_cmpfloat_with_epsilon (stand->on, expected[i].on, 1e-6);
    g_assert_cmpuint (stand->flips, ==, expected[i].flips);
    g_assert_cmpint (stand->is_read, ==, expected[i].is_read);
  }
}

static const Stand OFF = { PEN_PAIR_STAND_IS_OFF, 0, 0, TRUE };
static const Stand ON = { PEN_PAIR_STAND_IS_ON, 1, 0, TRUE };

/* What differs is first, then what is not known, then what is the same; each by samples. */
static void
check_order (const PenPairCauses *causes)
{
  guint rank = 0, n_different = 0;
  guint64 samples = G_MAXUINT64;

  for (guint i = 0; i < causes->rows->len; i++) {
    const PenPairCause *row = causes->rows->pdata[i];
    guint64 own = row->rates[0].samples + row->rates[1].samples;
    guint own_rank = row->verdict == PEN_PAIR_STAND_SAME      ? 2
                     : row->verdict == PEN_PAIR_STAND_UNKNOWN ? 1
                                                              : 0;

    g_assert_cmpuint (own_rank, >=, rank);
    g_assert_true (own_rank > rank || own <= samples);
    rank = own_rank;
    samples = own;
    n_different += rank == 0;
  }
  g_assert_cmpuint (causes->n_different, ==, n_different);
}

/* ---- keys ---- */

static void
flip_keys (const PairCode *self, PenTestCapture *capture)
{
  gboolean is_b = self->recording.gap > 0;

  pen_test_capture_set_os_release (capture, is_b ? "6.2" : "6.1");
  if (!is_b)
    flip (self, capture, 0.5, ALPHA_FUNCTION, TRUE);
  flip (self, capture, is_b ? 0.25 : 1, DELTA_FUNCTION, TRUE);
  flip (self, capture, is_b ? 1.25 : 2, DELTA_FUNCTION, FALSE);
  if (!is_b)
    flip (self, capture, 1.5, OLD_FUNCTION, FALSE);
}

/* A key that is switched on in A alone, one that B finds on, one that is switched in both, one that
 * no patch touches, and one of a function that B has not; with samples or without. */
static void
test_keys (void)
{
  CodePair pair;

  for (guint round = 0; round < 2; round++) {
    g_autoptr (PenPairCauses) causes = NULL;
    const PenPairCause *row;

    code_pair_init (&pair);
    for (guint side = 0; side < 2; side++) {
      PairCode *code = &pair.codes[side];

      code->add_records = flip_keys;
      for (guint function = 0; function < 5; function++) {
        gboolean is_on = function == OLD_FUNCTION || (side == 1 && function == BETA_FUNCTION);

        pair_code_put (code, function, PAIR_CODE_NOP, 5);
        pair_code_put (code, function, is_on ? JUMP : PAIR_CODE_NOP, 5);
        pair_code_put (code, function, ADD, 3);
        code->functions[function].samples = round == 0 ? 20 + function : 0;
      }
    }
    /* Only functions with samples or changes are looked at without a patch. */
    pair.codes[0].functions[BETA_FUNCTION].samples = 3;
    pair.codes[1].functions[BETA_FUNCTION].samples = 3;
    pair.codes[1].functions[OLD_FUNCTION].name = "other";
    code_pair_ask (&pair);
    causes = ask (&pair);
    check_order (causes);
    g_assert_cmpuint (causes->rows->len, ==, 4);

    row = find (causes, PEN_CAUSE_STATIC_KEY, FALSE, "alpha");
    check_row (row, PEN_PAIR_STAND_GONE, (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.75, 1, FALSE }, OFF);
    g_assert_cmpstr (row->name, ==, "alpha+0x5");
    g_assert_cmphex (row->offset, ==, SITE);
    g_assert_cmpuint (row->rates[0].samples, ==, round == 0 ? 20 : 0);
    g_assert_cmpuint (row->rates[1].samples, ==, round == 0 ? 20 : 0);
    row = find (causes, PEN_CAUSE_STATIC_KEY, FALSE, "beta");
    check_row (row, PEN_PAIR_STAND_NEW, OFF, ON);
    g_assert_cmpuint (row->rates[0].samples, ==, 3);
    row = find (causes, PEN_CAUSE_STATIC_KEY, FALSE, "delta");
    check_row (row, PEN_PAIR_STAND_SAME, (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.5, 2, FALSE },
               (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.5, 2, FALSE });
    row = find (causes, PEN_CAUSE_STATIC_KEY, FALSE, "old_name");
    check_row (row, PEN_PAIR_STAND_GONE, (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.75, 1, FALSE },
               (Stand){ PEN_PAIR_STAND_IS_ABSENT, 0, 0, TRUE });
    code_pair_clear (&pair);
  }
}

/* ---- probes and traced functions ---- */

static void
arm (const PairCode *self, PenTestCapture *capture)
{
  gboolean is_b = self->recording.gap > 0;

  if (is_b) {
    probe (self, capture, 0.5, ALPHA_FUNCTION, TRUE);
    probe (self, capture, 1.5, ALPHA_FUNCTION, FALSE);
  } else {
    /* Its trampoline is from before the recording. */
    poke (self, capture, 1, BETA_FUNCTION, 0, PAIR_CODE_NOP, "\xe8\x00\x00\x00\x7e", 5);
  }
  probe (self, capture, is_b ? 1.5 : 0.5, GAMMA_FUNCTION, TRUE);
}

/* A probe of B, a traced function of A, and a probe that is armed longer in A. */
static void
test_probes (void)
{
  g_autoptr (PenPairCauses) causes = NULL;
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    code->add_records = arm;
    for (guint function = 0; function < 4; function++) {
      /* B is a build with landings. */
      if (side == 1 && function == BETA_FUNCTION)
        pair_code_put (code, function, "\xf3\x0f\x1e\xfa", 4);
      pair_code_put (code, function, PAIR_CODE_NOP, 5);
      pair_code_put (code, function, PAIR_CODE_NOP, 5);
      pair_code_put (code, function, ADD, 3);
    }
  }
  code_pair_ask (&pair);
  causes = ask (&pair);
  check_order (causes);
  g_assert_cmpuint (causes->rows->len, ==, 3);
  check_row (find (causes, PEN_CAUSE_KPROBE, FALSE, "alpha"), PEN_PAIR_STAND_NEW, OFF,
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.5, 2, FALSE });
  check_row (find (causes, PEN_CAUSE_FTRACE, FALSE, "beta"), PEN_PAIR_STAND_GONE,
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.5, 1, FALSE }, OFF);
  check_row (find (causes, PEN_CAUSE_KPROBE, FALSE, "gamma"), PEN_PAIR_STAND_LESS,
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.75, 1, FALSE },
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.25, 1, FALSE });
  code_pair_clear (&pair);
}

/* ---- programs ---- */

static void
load_programs (const PairCode *self, PenTestCapture *capture)
{
  gboolean is_b = self->recording.gap > 0;

  if (is_b) {
    add_program (self, capture, 0.5, 0, "bpf_prog_0123456789abcdef_only_b", FALSE);
    add_program (self, capture, 1, 0, "bpf_prog_0123456789abcdef_only_b", TRUE);
    add_program (self, capture, 1.5, 0, "bpf_prog_0123456789abcdef_only_b", FALSE);
  } else {
    add_program (self, capture, 1.5, 1, "bpf_prog_0123456789abcdef_only_a", TRUE);
  }
  /* Other instructions, and as long. */
  add_program (self, capture, 1, 2,
               is_b ? "bpf_prog_1111111111111111_both" : "bpf_prog_2222222222222222_both", FALSE);
}

static void
test_programs (void)
{
  g_autoptr (PenPairCauses) causes = NULL;
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++)
    pair.codes[side].add_records = load_programs;
  code_pair_ask (&pair);
  causes = ask (&pair);
  check_order (causes);
  g_assert_cmpuint (causes->rows->len, ==, 3);
  check_row (find (causes, PEN_CAUSE_BPF, TRUE, "only_a"), PEN_PAIR_STAND_GONE,
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.75, 1, FALSE },
             (Stand){ PEN_PAIR_STAND_IS_OFF, 0, 0, FALSE });
  check_row (find (causes, PEN_CAUSE_BPF, TRUE, "only_b"), PEN_PAIR_STAND_NEW,
             (Stand){ PEN_PAIR_STAND_IS_OFF, 0, 0, FALSE },
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.5, 3, FALSE });
  g_assert_cmpuint (find (causes, PEN_CAUSE_BPF, TRUE, "only_b")->stands[1].sites, ==, 2);
  check_row (find (causes, PEN_CAUSE_BPF, TRUE, "both"), PEN_PAIR_STAND_SAME,
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.5, 1, FALSE },
             (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.5, 1, FALSE });
  code_pair_clear (&pair);
}

/* ---- what is not known ---- */

static void
lose_records (const PairCode *self, PenTestCapture *capture)
{
  if (self->recording.gap == 0) {
    flip (self, capture, 0.5, ALPHA_FUNCTION, TRUE);
    return;
  }
  pen_test_capture_at (capture, PAIR_START + 1000000000, 7, 7, 0);
  pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 3);
}

/* Where records are lost, a patch may be among them; and not all bytes of the last function are
 * known. */
static void
test_unknown (void)
{
  g_autoptr (PenPairCauses) causes = NULL;
  const PenPairCause *row;
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    code->add_records = lose_records;
    pair_code_put (code, ALPHA_FUNCTION, PAIR_CODE_NOP, 5);
    pair_code_put (code, ALPHA_FUNCTION, PAIR_CODE_NOP, 5);
    pair_code_put (code, ALPHA_FUNCTION, ADD, 3);
  }
  code_pair_ask (&pair);
  causes = ask (&pair);
  g_assert_cmpuint (causes->rows->len, ==, 1);
  row = causes->rows->pdata[0];
  check_row (row, PEN_PAIR_STAND_LESS, (Stand){ PEN_PAIR_STAND_IS_BOTH, 0.75, 1, FALSE }, OFF);
  g_assert_cmpfloat (row->stands[1].unknown, >, 0.4);
  code_pair_clear (&pair);
}

/* ---- without samples and patches ---- */

static void
set_release (G_GNUC_UNUSED const PairCode *self, PenTestCapture *capture)
{
  pen_test_capture_set_os_release (capture, "6.1");
}

/* One kernel at two places, of which two functions stand differently since before the recordings:
 * a key that is on in B, and a traced function of A. An address that has moved is no difference. */
static void
test_silent (void)
{
  g_autoptr (PenPairCauses) causes = NULL;
  CodePair pair;

  code_pair_init (&pair);
  for (guint side = 0; side < 2; side++) {
    PairCode *code = &pair.codes[side];

    code->recording.gap = 16;
    code->has_kernel_text = TRUE;
    code->functions[7].name = "_etext";
    code->add_records = set_release;
    for (guint function = 0; function < 5; function++) {
      code->functions[function].samples = 0;
      if (side == 0 && function == GAMMA_FUNCTION)
        pair_code_put_relative (code, function, "\xe8", 1, pair_code_get_address (code, 6));
      else
        pair_code_put (code, function, PAIR_CODE_NOP, 5);
      pair_code_put (code, function, side == 1 && function == BETA_FUNCTION ? JUMP : PAIR_CODE_NOP,
                     5);
      pair_code_put (code, function, ADD, 3);
      pair_code_put_usual (code, function);
    }
  }
  code_pair_ask (&pair);
  g_assert_null (code_pair_find (&pair, "beta"));
  causes = ask (&pair);
  g_assert_cmpuint (causes->rows->len, ==, 2);
  check_row (find (causes, PEN_CAUSE_STATIC_KEY, FALSE, "beta"), PEN_PAIR_STAND_NEW, OFF, ON);
  check_row (find (causes, PEN_CAUSE_FTRACE, FALSE, "gamma"), PEN_PAIR_STAND_GONE, ON, OFF);
  g_assert_null (find (causes, PEN_CAUSE_FTRACE, FALSE, "gamma")->function);
  code_pair_clear (&pair);
}

/* A recording and itself: all stands alike. */
static void
test_itself (void)
{
  g_autoptr (PenPairCauses) causes = NULL;
  CodePair pair;

  code_pair_init (&pair);
  pair_code_put (&pair.codes[0], ALPHA_FUNCTION, PAIR_CODE_NOP PAIR_CODE_NOP ADD, 13);
  pair_code_put (&pair.codes[0], DELTA_FUNCTION, PAIR_CODE_NOP PAIR_CODE_NOP ADD, 13);
  pair_code_put (&pair.codes[0], OLD_FUNCTION, PAIR_CODE_NOP JUMP ADD, 13);
  pair.codes[0].add_records = flip_keys;
  code_pair_ask (&pair);
  pen_pairs_free (pair.pairs);
  pair.sources[1] = pair.sources[0];
  pair.pairs = pen_query_pair (pair.sources, NULL);
  causes = ask (&pair);
  g_assert_cmpuint (causes->rows->len, ==, 3);
  g_assert_cmpuint (causes->n_different, ==, 0);
  for (guint i = 0; i < causes->rows->len; i++) {
    const PenPairCause *row = causes->rows->pdata[i];

    g_assert_cmpint (row->verdict, ==, PEN_PAIR_STAND_SAME);
    g_assert_cmpint (memcmp (&row->stands[0], &row->stands[1], sizeof row->stands[0]), ==, 0);
    g_assert_cmpint (row->test.verdict, ==, PEN_PAIR_UNSURE);
  }
  code_pair_clear (&pair);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-causes/keys", test_keys);
  g_test_add_func ("/pair-causes/probes", test_probes);
  g_test_add_func ("/pair-causes/programs", test_programs);
  g_test_add_func ("/pair-causes/unknown", test_unknown);
  g_test_add_func ("/pair-causes/silent", test_silent);
  g_test_add_func ("/pair-causes/itself", test_itself);
  return g_test_run ();
}
