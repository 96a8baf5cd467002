/* pen-words.h: the words of the domain: kinds, evidence, causes, moments
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The holder of an address. The order is the one in which views stack and list kinds. */
typedef enum {
  PEN_KIND_UNKNOWN,
  PEN_KIND_KERNEL,
  PEN_KIND_MODULE,
  PEN_KIND_BPF,
  PEN_KIND_STUB,
  PEN_KIND_DSO,
  PEN_KIND_VDSO,
  PEN_KIND_ANON,
  PEN_KIND_GUEST,
  PEN_KINDS,
} PenKind;

/* How far a fact can be trusted, the best last. */
typedef enum {
  PEN_EVIDENCE_UNKNOWN,
  PEN_EVIDENCE_INFERRED,
  PEN_EVIDENCE_FILE_UNCHECKED,
  PEN_EVIDENCE_FILE,
  PEN_EVIDENCE_RECORDED,
  PEN_EVIDENCE_WITNESSED,
  PEN_EVIDENCES,
} PenEvidence;

/* Why text was patched. */
typedef enum {
  PEN_CAUSE_UNKNOWN,
  PEN_CAUSE_STATIC_KEY,
  PEN_CAUSE_STATIC_CALL,
  PEN_CAUSE_FTRACE,
  PEN_CAUSE_LIVEPATCH,
  PEN_CAUSE_KPROBE,
  PEN_CAUSE_OPTPROBE,
  PEN_CAUSE_BPF,
  PEN_CAUSE_UNANNOUNCED, /* no record tells of it: a witness saw other text (W3) */
  PEN_CAUSES,
} PenCause;

/* How sure a cause is, the best last. */
typedef enum {
  PEN_CONFIDENCE_NONE,    /* there is no cause to be sure of */
  PEN_CONFIDENCE_GUESS,   /* fits, and nothing else that is known does; the place is not known */
  PEN_CONFIDENCE_LIKELY,  /* fits, and something is missing that would settle it */
  PEN_CONFIDENCE_CERTAIN, /* nothing else in a kernel writes such bytes at such a place */
  PEN_CONFIDENCES,
} PenConfidence;

/* What a witness's reading says of the text that was known before it (rule W3). */
typedef enum {
  PEN_WITNESS_NOTHING, /* it could not read */
  PEN_WITNESS_AGREES,
  PEN_WITNESS_TOLD, /* nothing else knows these bytes */
  PEN_WITNESS_INT3, /* the breakpoint of a poke */
  PEN_WITNESS_BAND, /* another version, within the band of a poke */
  PEN_WITNESS_UNANNOUNCED,
  PEN_WITNESS_VERDICTS,
} PenWitnessVerdict;

/* The words as the contract spells them; static strings. */
const char *pen_kind_to_string (PenKind kind);
const char *pen_evidence_to_string (PenEvidence evidence);
const char *pen_cause_to_string (PenCause cause);
const char *pen_confidence_to_string (PenConfidence confidence);
/* "" of PEN_WITNESS_NOTHING */
const char *pen_witness_verdict_to_string (PenWitnessVerdict verdict);

/* Returns: FALSE if @word is none of them. */
gboolean pen_kind_from_string (const char *word, PenKind *kind);
gboolean pen_cause_from_string (const char *word, PenCause *cause);

/*
 * PenMoment: a place in the order of records: by time, then by position in the stream.
 * Records with no time, time 0 or time ~0 have time 0 here: the initial state (semantics.md, Order
 * 1).
 */
typedef struct {
  guint64 time;
  guint64 position;
} PenMoment;

#define PEN_MOMENT_START ((PenMoment){ 0, 0 })
/* After all of the initial state. */
#define PEN_MOMENT_INITIAL_END ((PenMoment){ 0, G_MAXUINT64 })
#define PEN_MOMENT_END ((PenMoment){ G_MAXUINT64, G_MAXUINT64 })

static inline PenMoment
pen_moment (guint64 time, guint64 position)
{
  return (PenMoment){ time == G_MAXUINT64 ? 0 : time, position };
}

static inline int
pen_moment_compare (PenMoment a, PenMoment b)
{
  if (a.time != b.time)
    return a.time < b.time ? -1 : 1;
  if (a.position != b.position)
    return a.position < b.position ? -1 : 1;
  return 0;
}

G_END_DECLS
