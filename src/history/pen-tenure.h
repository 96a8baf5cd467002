/* pen-tenure.h: one occupant's hold of a range of addresses, and what a sample found there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-words.h"

G_BEGIN_DECLS

#define PEN_SPACE_KERNEL 0u

/* Kernel space has two layers, and below them text that pokes alone tell of (P6); a process space
 * has maps, and code that a runtime wrote into them (U6). */
typedef enum {
  PEN_LAYER_MAP,
  PEN_LAYER_KSYMBOL,
  PEN_LAYER_JIT,
  PEN_LAYER_POKE,
  PEN_LAYERS,
} PenLayer;

const char *pen_layer_to_string (PenLayer layer);

/* How the beginning or the end of a tenure is known. */
typedef enum {
  PEN_BOUND_RECORDED, /* a record says so */
  PEN_BOUND_INITIAL,  /* it was there when the recording began (record without a time, snapshot) */
  PEN_BOUND_OPEN,     /* still there when the recording ended */
  PEN_BOUND_INFERRED, /* rules K3, K4, K6 and P6 */
  PEN_BOUNDS,
} PenBound;

const char *pen_bound_to_string (PenBound bound);

#define PEN_TENURE_BUILD_ID 20u

/*
 * PenSpace: an address space: the kernel's (id 0), or one process image. In a history that goes on
 * from another one (pen_history_go_on()) its place among the spaces is not its id.
 */
typedef struct {
  guint32 id;
  gint32 pid; /* -1: the kernel's */
  PenMoment from;
  PenMoment to;
} PenSpace;

/*
 * PenTenure:
 * @id: from 1, in the order of @from
 * @space: the place of its space, that is, its id but in a history that goes on from another one
 * @occupant: the name by rule M4; @name: as recorded; both "" where pokes alone tell of it (P6)
 * @start, @end: the range when it began; PenPart says what was left of it over time
 * @file_offset: of @start in the occupant's file
 * @bpf_id: 0: not a BPF program, or its BPF_EVENT was not seen
 * @samples: how many fell on it, at whatever revision; 0 until they were placed
 * @sure_from, @sure_to: of a module that was seen now and then (M5): before and after it is
 * inferred that it was there. PEN_MOMENT_START: sure from its beginning, and to its end
 * @unverified_from: a loss of side-band records lies in its span: from there on nothing is sure
 *   (PEN_MOMENT_END: verified all along)
 * @code_end: of a module whose map counts other memory, too: where its code ends (M8); 0: not
 * known, or at @end
 */
typedef struct {
  guint32 id;
  guint32 space;
  PenLayer layer;
  PenKind kind;
  const char *occupant;
  const char *name;
  guint64 start;
  guint64 end;
  guint64 file_offset;
  PenMoment from;
  PenMoment to;
  PenBound from_bound;
  PenBound to_bound;
  PenEvidence evidence;
  guint32 bpf_id;
  guint8 bpf_tag[8];
  guint8 build_id[PEN_TENURE_BUILD_ID];
  guint8 build_id_length;
  PenMoment sure_from;
  PenMoment sure_to;
  PenMoment unverified_from;
  guint64 code_end;
  guint64 samples;
} PenTenure;

/* Is @address in the map of a module, but not in its code? Another one may be there unseen (M8). */
gboolean pen_tenure_is_beyond_code (const PenTenure *tenure, guint64 address);

/* How far it can be trusted that @tenure held @address from @from to @to: its own evidence, or
 * inferred where it was not seen. Of a tenure as a whole: at its start. */
PenEvidence pen_tenure_get_evidence (const PenTenure *tenure, guint64 address, PenMoment from,
                                     PenMoment to);

/* Returns: from where on @tenure is inferred only, but not before (M8); 0: it has one grade */
guint64 pen_tenure_get_inferred_from (const PenTenure *tenure);

#define PEN_SOURCE_BEYOND_CODE "beyond code"

/* What its grade at @address follows from, where that is no record: "kallsyms" (K6),
 * PEN_SOURCE_BEYOND_CODE (M8). Returns: (nullable) */
const char *pen_tenure_get_source (const PenTenure *tenure, guint64 address);

/* A tenure's range over time is one part, or more where other maps cut it (M1).
 * @tenure: its place from 1, that is, its id but in a history that goes on from another one */
typedef struct {
  guint32 tenure;
  guint64 start;
  guint64 end;
  guint64 file_offset; /* of @start */
  PenMoment from;
  PenMoment to;
} PenPart;

typedef enum {
  PEN_LOSS_RECORDS,   /* LOST: any kind of record may be among them */
  PEN_LOSS_SAMPLES,   /* LOST_SAMPLES */
  PEN_LOSS_UNWANTED,  /* LOST_SAMPLES dropped by a BPF filter: counted apart */
  PEN_LOSS_THROTTLED, /* THROTTLE … UNTHROTTLE */
  PEN_LOSS_SET_ASIDE, /* records that could not be read */
  PEN_LOSS_TRUNCATED, /* the file ended early */
  PEN_LOSSES,
} PenLossKind;

const char *pen_loss_kind_to_string (PenLossKind kind);

/*
 * PenLoss:
 * @cpu: G_MAXUINT32 where not known
 * @count: 0 where not known
 * @repeated: how many of them other losses (RECORDS) have counted already: the kernel's own count
 * of each event, which recorders write at the end, has them once more
 * @event: of what was lost, with @has_event
 */
typedef struct {
  PenLossKind kind;
  guint64 from; /* ns */
  guint64 to;
  guint32 cpu;
  guint64 count;
  guint64 repeated;
  gboolean has_event;
  guint32 event;
} PenLoss;

/*
 * PenBucket: the samples of one event on one instruction of one tenure at one revision
 * @tenure: 0 where nothing is known there; then @kind still says guest or unknown. A tenure may be
 *   of kind unknown, too (P6)
 *
 * 64 bytes, as a line of a processor's cache has: an import counts in them.
 */
typedef struct {
  guint64 address;
  guint64 samples;
  guint64 period;
  guint64 first; /* ns */
  guint64 last;
  guint32 id;
  int event;
  guint32 tenure;
  guint32 revision;
  guint32 function; /* row of the store's function table */
  guint8 kind;
  guint8 has_address;
} PenBucket;

G_END_DECLS
