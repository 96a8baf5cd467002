/* pen-words.c: the words of the domain, as the contract spells them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-words.h"

#include <glib/gi18n-lib.h>

static const char *const kind_words[PEN_KINDS] = {
  [PEN_KIND_UNKNOWN] = "unknown", [PEN_KIND_KERNEL] = "kernel", [PEN_KIND_MODULE] = "module",
  [PEN_KIND_BPF] = "bpf",         [PEN_KIND_STUB] = "stub",     [PEN_KIND_DSO] = "dso",
  [PEN_KIND_VDSO] = "vdso",       [PEN_KIND_ANON] = "anon",     [PEN_KIND_GUEST] = "guest",
};

/* In tables and files as they are; the window and pictures translate them. */
static const char *const evidence_words[PEN_EVIDENCES] = {
  [PEN_EVIDENCE_UNKNOWN] = NC_ ("evidence", "unknown"),
  [PEN_EVIDENCE_INFERRED] = NC_ ("evidence", "inferred"),
  [PEN_EVIDENCE_FILE_UNCHECKED] = NC_ ("evidence", "file, unchecked"),
  [PEN_EVIDENCE_FILE] = NC_ ("evidence", "file"),
  [PEN_EVIDENCE_RECORDED] = NC_ ("evidence", "recorded"),
  [PEN_EVIDENCE_WITNESSED] = NC_ ("evidence", "witnessed"),
};

static const char *const cause_words[PEN_CAUSES] = {
  [PEN_CAUSE_UNKNOWN] = "unknown",         [PEN_CAUSE_STATIC_KEY] = "static-key",
  [PEN_CAUSE_STATIC_CALL] = "static-call", [PEN_CAUSE_FTRACE] = "ftrace",
  [PEN_CAUSE_LIVEPATCH] = "livepatch",     [PEN_CAUSE_KPROBE] = "kprobe",
  [PEN_CAUSE_OPTPROBE] = "optprobe",       [PEN_CAUSE_BPF] = "bpf",
  [PEN_CAUSE_UNANNOUNCED] = "unannounced",
};

static const char *const confidence_words[PEN_CONFIDENCES] = {
  [PEN_CONFIDENCE_NONE] = "none",
  [PEN_CONFIDENCE_GUESS] = NC_ ("confidence", "guess"),
  [PEN_CONFIDENCE_LIKELY] = NC_ ("confidence", "likely"),
  [PEN_CONFIDENCE_CERTAIN] = NC_ ("confidence", "certain"),
};

static const char *const witness_verdict_words[PEN_WITNESS_VERDICTS] = {
  [PEN_WITNESS_NOTHING] = "",  [PEN_WITNESS_AGREES] = "agrees",
  [PEN_WITNESS_TOLD] = "told", [PEN_WITNESS_INT3] = "int3",
  [PEN_WITNESS_BAND] = "band", [PEN_WITNESS_UNANNOUNCED] = "unannounced",
};

const char *
pen_kind_to_string (PenKind kind)
{
  g_return_val_if_fail ((guint) kind < PEN_KINDS, "unknown");
  return kind_words[kind];
}

const char *
pen_evidence_to_string (PenEvidence evidence)
{
  g_return_val_if_fail ((guint) evidence < PEN_EVIDENCES, "unknown");
  return evidence_words[evidence];
}

const char *
pen_cause_to_string (PenCause cause)
{
  g_return_val_if_fail ((guint) cause < PEN_CAUSES, "unknown");
  return cause_words[cause];
}

const char *
pen_confidence_to_string (PenConfidence confidence)
{
  g_return_val_if_fail ((guint) confidence < PEN_CONFIDENCES, "none");
  return confidence_words[confidence];
}

const char *
pen_witness_verdict_to_string (PenWitnessVerdict verdict)
{
  g_return_val_if_fail ((guint) verdict < PEN_WITNESS_VERDICTS, "");
  return witness_verdict_words[verdict];
}

/* Returns: -1: @word is none of them */
static int
find_word (const char *const *words, int n_words, const char *word)
{
  int i = n_words - 1;

  while (i >= 0 && !g_str_equal (words[i], word))
    i--;
  return i;
}

gboolean
pen_kind_from_string (const char *word, PenKind *kind)
{
  int index = find_word (kind_words, PEN_KINDS, word);

  if (index >= 0)
    *kind = (PenKind) index;
  return index >= 0;
}

gboolean
pen_cause_from_string (const char *word, PenCause *cause)
{
  int index = find_word (cause_words, PEN_CAUSES, word);

  if (index >= 0)
    *cause = (PenCause) index;
  return index >= 0;
}
