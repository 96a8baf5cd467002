/* pen-query-occupant-list.h: who held text, each with its life, samples and changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"

G_BEGIN_DECLS

/* ns; @to G_MAXUINT64: still there at the end */
typedef struct {
  guint64 from;
  guint64 to;
} PenLife;

/*
 * PenOccupantRow: one tenure of the kernel's space; or all that processes mapped of one name
 * @detail: of a BPF program its type, id and tag: "tracing, id 12, tag 5d974bd568f50ce7"; or NULL
 * @tenure, @bpf_id: of the kernel's space; 0 of processes, and of what is no program
 * @start, @end: of the kernel's space; both 0 of processes
 * @lives: (element-type PenLife): by from; of processes without overlap
 * @n_spaces: process images that mapped it; 0 in the kernel's space
 * @next: what held any of its bytes next, and @next_time since when; NULL: nothing did
 * @period: of waits, their time off CPU; else 0
 * @share: of all samples, or of all time off CPU, that the filter leaves, 0–1
 * @has_function, @function: with most samples, or most time off CPU, of it
 */
typedef struct {
  PenKind kind;
  char *occupant;
  char *detail;
  guint32 tenure;
  guint32 bpf_id;
  guint64 start;
  guint64 end;
  GArray *lives;
  guint n_spaces;
  char *next;
  guint64 next_time;
  guint64 samples;
  guint64 period;
  double share;
  guint64 changes;
  PenEvidence evidence;
  const char *source;    /* as pen_tenure_get_source() has it */
  guint64 inferred_from; /* as pen_tenure_get_inferred_from() has it */
  gboolean is_unverified;
  gboolean has_function;
  guint32 function;
} PenOccupantRow;

/*
 * pen_query_occupants:
 * @elsewhere: (out) (optional): what the filter leaves besides, at places that nobody is known to
 *   have held
 *
 * Most samples, or most time off CPU, first, then as they came. Cost: every tenure and every change
 * once; with a filter that functions cannot answer, all buckets.
 *
 * Returns: (transfer full) (element-type PenOccupantRow)
 */
GPtrArray *pen_query_occupants (PenQuery *self, const PenFilter *filter, PenAmount *elsewhere,
                                GError **error);

G_END_DECLS
