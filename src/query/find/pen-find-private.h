/* pen-find-private.h: what one search keeps while it runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cancel-check.h"
#include "pen-pasted-trace.h"
#include "pen-query-find.h"
#include "pen-query-holdings.h"

G_BEGIN_DECLS

/*
 * @tenures: (element-type PenTenure): of the kernel's space, by from
 * @by_name: name → (element-type guint): indexes of ksymbols
 * @spots: name → where text of that name began, once it was asked for
 * @n_listed: rows of the last group or place so far, but for the first
 * @check: once it is stopped, rows are missing
 */
typedef struct {
  PenQuery *query;
  PenFound *found;
  PenMoment moment;
  GArray *tenures;
  GHashTable *by_name;
  GHashTable *spots;
  guint n_listed;
  PenCancelCheck check;
} Find;

/* An address, and the byte that says whose it is: a call at the very end of a function returns past
 * it. */
typedef struct {
  guint64 address;
  guint64 byte;
} FindProbe;

/* ---- rows ---- */

PenFoundWhen pen_find_get_when (const Find *find, PenMoment from, PenMoment to);
/* Of no address, at any time. */
PenFoundRow pen_find_make_row (PenFoundKind found, guint place);
/* Without its function: finding that costs as much as there are functions at the place. */
PenFoundRow pen_find_make_holding_row (Find *find, guint place, FindProbe probe,
                                       const PenHolding *holding);
/* As pen_find_add_row(), with its function, samples and changes. */
gboolean pen_find_add_holding_row (Find *find, PenFoundRow *row);
void pen_find_fill_function (PenFoundRow *row, const PenFunction *function);
/* Whether the row's address is that of the symbol and offset that are @written. */
gboolean pen_find_row_is (const PenFoundRow *row, const PenPastedPlace *written);

/* Returns: FALSE: it is not listed, and one row says so */
gboolean pen_find_add_row (Find *find, const PenFoundRow *row);
void pen_find_add_unknown (Find *find, guint place, const PenPastedPlace *written,
                           PenFoundRemark remark);
/* All who ever held an address: first who did then.
 * @written: what they are compared with */
void pen_find_add_holdings (Find *find, guint place, const PenPastedPlace *written, FindProbe probe,
                            const GArray *holdings, PenFoundRemark remark);
/* Returns: (nullable) */
const PenHolding *pen_find_get_then (const Find *find, const GArray *holdings);

/* ---- places ---- */

gboolean pen_find_symbol (Find *find, guint place, const PenPastedPlace *written, GError **error);

G_END_DECLS
