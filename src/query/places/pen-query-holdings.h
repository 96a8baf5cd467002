/* pen-query-holdings.h: who held a byte, or a range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-query.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* Who held which byte of the kernel's [@start, @end) when, without patches. Strings are owned by
 * the store. Returns: (transfer full) */
PenHistory *pen_query_load_history (PenQuery *self, guint64 start, guint64 end, GError **error);

/* A tenure's turn at one byte of the kernel's space: a tenure may have several. */
typedef struct {
  PenTenure tenure;
  PenMoment from;
  PenMoment to;
} PenHolding;

/* Returns: (transfer full) (element-type PenHolding): in time order, without overlap */
GArray *pen_query_find_holdings (PenQuery *self, guint64 address, GError **error);

/* The same of ksymbols alone, by their ids: a whole tenure is one part. */
GArray *pen_query_find_holdings_among (PenQuery *self, const GArray *tenures, guint64 address,
                                       GError **error);

/* The part of a range of the kernel's space that one tenure held at one moment; its id is 0 where
 * nothing is known there. */
typedef struct {
  guint64 start;
  guint64 end;
  PenTenure tenure;
} PenHolder;

/* @moment: just before it
 * Returns: (transfer full) (element-type PenHolder): all of [@start, @end), by address */
GArray *pen_query_find_holders (PenQuery *self, guint64 start, guint64 end, PenMoment moment,
                                GError **error);

/* The symbol that @address belongs to in @tenure: the tenure itself for a ksymbol. */
gboolean pen_query_find_symbol (PenQuery *self, const PenTenure *tenure, guint64 address,
                                const char **name, guint64 *start, guint64 *end);

/* How far it can be trusted that @address was @tenure's from @from to @to, and that what pokes
 * state there is its text: a module's map may reach beyond its named text, where another module may
 * come unseen (M8). */
PenEvidence pen_query_get_evidence (PenQuery *self, const PenTenure *tenure, guint64 address,
                                    PenMoment from, PenMoment to);

/* What @evidence at @address of @tenure (nullable) is from: the bytes' source, or that the code of
 * the module ended before. Returns: (nullable) */
const char *pen_query_get_source (const PenTenure *tenure, guint64 address, PenEvidence evidence,
                                  const char *bytes_source);

G_END_DECLS
