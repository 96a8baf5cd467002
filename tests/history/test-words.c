/* test-words.c: the words are those of the contract
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke.h"
#include "pen-tenure.h"

static void
test_kinds (void)
{
  static const char *const words[]
      = { "unknown", "kernel", "module", "bpf", "stub", "dso", "vdso", "anon", "guest" };
  PenKind kind;

  g_assert_cmpuint (G_N_ELEMENTS (words), ==, PEN_KINDS);
  for (guint i = 0; i < PEN_KINDS; i++) {
    g_assert_cmpstr (pen_kind_to_string ((PenKind) i), ==, words[i]);
    g_assert_true (pen_kind_from_string (words[i], &kind));
    g_assert_cmpuint (kind, ==, i);
  }
  g_assert_false (pen_kind_from_string ("Kernel", &kind));
  g_assert_false (pen_kind_from_string ("", &kind));
}

static void
test_causes (void)
{
  static const char *const words[]
      = { "unknown", "static-key", "static-call", "ftrace",     "livepatch",
          "kprobe",  "optprobe",   "bpf",         "unannounced" };
  PenCause cause;

  g_assert_cmpuint (G_N_ELEMENTS (words), ==, PEN_CAUSES);
  for (guint i = 0; i < PEN_CAUSES; i++) {
    g_assert_cmpstr (pen_cause_to_string ((PenCause) i), ==, words[i]);
    g_assert_true (pen_cause_from_string (words[i], &cause));
    g_assert_cmpuint (cause, ==, i);
  }
  g_assert_false (pen_cause_from_string ("statickey", &cause));
}

static void
test_confidences (void)
{
  static const char *const words[] = { "none", "guess", "likely", "certain" };

  g_assert_cmpuint (G_N_ELEMENTS (words), ==, PEN_CONFIDENCES);
  for (guint i = 0; i < PEN_CONFIDENCES; i++)
    g_assert_cmpstr (pen_confidence_to_string ((PenConfidence) i), ==, words[i]);
}

static void
test_witness_verdicts (void)
{
  static const char *const words[] = { "", "agrees", "told", "int3", "band", "unannounced" };

  g_assert_cmpuint (G_N_ELEMENTS (words), ==, PEN_WITNESS_VERDICTS);
  for (guint i = 0; i < PEN_WITNESS_VERDICTS; i++)
    g_assert_cmpstr (pen_witness_verdict_to_string ((PenWitnessVerdict) i), ==, words[i]);
}

static void
test_others (void)
{
  g_assert_cmpstr (pen_evidence_to_string (PEN_EVIDENCE_UNKNOWN), ==, "unknown");
  g_assert_cmpstr (pen_evidence_to_string (PEN_EVIDENCE_INFERRED), ==, "inferred");
  g_assert_cmpstr (pen_evidence_to_string (PEN_EVIDENCE_FILE_UNCHECKED), ==, "file, unchecked");
  g_assert_cmpstr (pen_evidence_to_string (PEN_EVIDENCE_FILE), ==, "file");
  g_assert_cmpstr (pen_evidence_to_string (PEN_EVIDENCE_RECORDED), ==, "recorded");
  g_assert_cmpstr (pen_evidence_to_string (PEN_EVIDENCE_WITNESSED), ==, "witnessed");
  g_assert_cmpint (PEN_EVIDENCE_WITNESSED, >, PEN_EVIDENCE_RECORDED);
  g_assert_cmpint (PEN_EVIDENCE_RECORDED, >, PEN_EVIDENCE_FILE);
  g_assert_cmpint (PEN_EVIDENCE_FILE, >, PEN_EVIDENCE_FILE_UNCHECKED);
  g_assert_cmpint (PEN_EVIDENCE_FILE_UNCHECKED, >, PEN_EVIDENCE_INFERRED);

  g_assert_cmpstr (pen_bound_to_string (PEN_BOUND_INITIAL), ==, "initial");
  g_assert_cmpstr (pen_bound_to_string (PEN_BOUND_INFERRED), ==, "inferred");
  g_assert_cmpstr (pen_poke_effect_to_string (PEN_POKE_FILL), ==, "fill");
  g_assert_cmpstr (pen_loss_kind_to_string (PEN_LOSS_SET_ASIDE), ==, "set aside");
  for (guint i = 0; i < PEN_BOUNDS; i++)
    g_assert_nonnull (pen_bound_to_string ((PenBound) i));
  for (guint i = 0; i < PEN_POKE_EFFECTS; i++)
    g_assert_nonnull (pen_poke_effect_to_string ((PenPokeEffect) i));
  for (guint i = 0; i < PEN_LOSSES; i++)
    g_assert_nonnull (pen_loss_kind_to_string ((PenLossKind) i));
}

static void
test_moments (void)
{
  g_assert_cmpint (pen_moment_compare (pen_moment (0, 9), pen_moment (1, 1)), <, 0);
  g_assert_cmpint (pen_moment_compare (pen_moment (1, 2), pen_moment (1, 1)), >, 0);
  g_assert_cmpint (pen_moment_compare (pen_moment (1, 1), pen_moment (1, 1)), ==, 0);
  /* Order 1: time ~0 is no time. */
  g_assert_cmpint (pen_moment_compare (pen_moment (G_MAXUINT64, 1), pen_moment (0, 1)), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/words/kinds", test_kinds);
  g_test_add_func ("/words/causes", test_causes);
  g_test_add_func ("/words/confidences", test_confidences);
  g_test_add_func ("/words/witness-verdicts", test_witness_verdicts);
  g_test_add_func ("/words/others", test_others);
  g_test_add_func ("/words/moments", test_moments);
  return g_test_run ();
}
