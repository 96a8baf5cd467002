/* pen-query-cells.h: cells that several tables have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-table.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

void pen_query_write_task (PenTableWriter *writer, gboolean has_task, gint32 pid, gint32 tid,
                           const char *comm);
void pen_query_write_cpu (PenTableWriter *writer, guint32 cpu);
/* "kind", "occupant": the occupant is empty for unknown. */
void pen_query_write_occupant (PenTableWriter *writer, PenKind kind, const char *occupant);
/* "from", "to": empty, in a table "start" and "end", where the capture does not bound them. */
void pen_query_write_span (PenTableWriter *writer, PenMoment from, gboolean is_bounded_below,
                           PenMoment to, gboolean is_bounded_above);
/* A loss of side-band records lies before @to in the tenure: a change may be missing. */
gboolean pen_query_is_unverified (const PenTenure *tenure, PenMoment to);
/* @source: (nullable): what the bytes, or the tenure, come from, in brackets */
void pen_query_write_evidence_of (PenTableWriter *writer, PenEvidence evidence, const char *source,
                                  gboolean is_unverified);
/* The same of a tenure as a whole. @inferred_from: see pen_tenure_get_inferred_from() */
void pen_query_write_tenure_evidence (PenTableWriter *writer, PenEvidence evidence,
                                      const char *source, guint64 inferred_from,
                                      gboolean is_unverified);
/* The grade of @tenure at @address from @from to @to, with its source in brackets. */
void pen_query_append_evidence (GString *words, const PenTenure *tenure, guint64 address,
                                PenMoment from, PenMoment to);
/* confidence, key, batch, sites: four cells; empty where @is_poke is FALSE */
void pen_query_write_cause (PenTableWriter *writer, gboolean is_poke, PenConfidence confidence,
                            const char *key, guint32 batch, guint32 n_sites);
void pen_query_write_text_or_empty (PenTableWriter *writer, const char *text);
void pen_query_write_unsigned_or_empty (PenTableWriter *writer, gboolean is_known, guint64 number);
void pen_query_write_hex_or_empty (PenTableWriter *writer, gboolean is_known, guint64 number);
/* Empty where it is not finite. */
void pen_query_write_real_or_empty (PenTableWriter *writer, double value, guint digits);
/* "start", "end", or seconds, for a heading. @digits: 6 or 9 after the point */
void pen_query_append_moment (GString *words, PenMoment moment, guint digits);

G_END_DECLS
