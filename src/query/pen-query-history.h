/* pen-query-history.h: patch history of one byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-query-patch-path.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * PenHistoryRow: one tenure and revision of a byte, in time order.
 * @bpf_id: of a program; 0: none
 * @instruction, @before_instruction: of this version, and of the one that it replaced (NULL for the
 *   first of a tenure)
 * @poke: id of the poke that brought it; 0: the beginning of a tenure
 * @why: what makes the cause so, a sentence; @key: the static key's or static call's name, or NULL
 * @batch: id, or 0; @n_sites: that were patched together, in that batch; @sentence: what it did;
 *   @path: who asked for it
 */
typedef struct {
  PenMoment from;
  PenMoment to;
  PenKind kind;
  char *occupant;
  char *program; /* pen_query_describe_program(), or NULL */
  char *symbol;
  guint64 offset;
  guint32 tenure;
  guint32 bpf_id;
  guint32 revision;
  PenBound from_bound;
  PenBound to_bound;
  guint8 bytes[16];
  guint8 n_bytes;
  char *instruction;
  guint8 before_bytes[16];
  guint8 n_before_bytes;
  char *before_instruction;
  guint32 poke;
  PenCause cause;
  PenConfidence confidence;
  char *reason;
  char *why;
  char *key;
  guint32 batch;
  guint32 n_sites;
  char *sentence;
  PenPatchPath path;
  gboolean breaks_chain;
  gboolean is_changed_early;
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  char *comm;
  guint64 samples;
  guint64 period;
  guint64 near_from; /* of them, those no further than the band after its beginning */
  guint64 near_to;   /* and before its end; 0 where the capture does not bound it */
  double share;      /* of the samples of all rows, 0–1 */
  double rate;       /* samples per second of its span; NAN where the span has no length */
  PenEvidence evidence;
  const char
      *bytes_source; /* what gave bytes that were not recorded, PEN_SOURCE_BEYOND_CODE, or NULL */
  gboolean is_unverified; /* side-band records were lost in its span: a change may be missing */
} PenHistoryRow;

/*
 * The band: a poke is recorded while a breakpoint guards the site, and memory is freed after a
 * grace period (semantics.md, P4 and K5). So near a change it is not sure to which side a sample
 * belongs.
 */
#define PEN_BAND 1000000u /* ns */

/* Cost: the buckets of functions around the address; those of the whole process space for an
 * address that the kernel does not have; and the blocks within a band of a row's ends.
 * Returns: (transfer full) (element-type PenHistoryRow) */
GPtrArray *pen_query_history (PenQuery *self, const PenFilter *filter, guint64 address,
                              PenSyntax syntax, GError **error);
/* @band: ns, in place of PEN_BAND */
GPtrArray *pen_query_history_with_band (PenQuery *self, const PenFilter *filter, guint64 address,
                                        PenSyntax syntax, guint64 band, GError **error);

/* @target: ADDRESS or SYMBOL+OFFSET */
gboolean pen_query_write_history (PenQuery *self, const PenFilter *filter, const char *target,
                                  PenSyntax syntax, PenTableWriter *writer, GError **error);
/* @band: ns, in place of PEN_BAND */
gboolean pen_query_write_history_with_band (PenQuery *self, const PenFilter *filter,
                                            const char *target, PenSyntax syntax, guint64 band,
                                            PenTableWriter *writer, GError **error);

G_END_DECLS
