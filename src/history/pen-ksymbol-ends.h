/* pen-ksymbol-ends.h: where a ksymbol's own bytes end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cancel-check.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* PenKsymbolEnds: ksymbols by where they start; their tenures have to outlive it. */
typedef struct _PenKsymbolEnds PenKsymbolEnds;

/* @tenures: of any layer. @check: (nullable). Cost: O(n log n) in the ksymbols
 * Returns: (nullable): NULL: stopped */
PenKsymbolEnds *pen_ksymbol_ends_new (const PenTenure *tenures, guint n, PenCancelCheck *check);
void pen_ksymbol_ends_free (PenKsymbolEnds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKsymbolEnds, pen_ksymbol_ends_free)

/* By start. */
const PenTenure *const *pen_ksymbol_ends_get_tenures (PenKsymbolEnds *self, guint *n);

/*
 * pen_ksymbol_ends_get:
 * @tenure: of a ksymbol, one of those that it was made of
 *
 * The kernel registers some with more than they have (K3): they end where the next one begins that
 * lived at the same time.
 */
guint64 pen_ksymbol_ends_get (PenKsymbolEnds *self, const PenTenure *tenure);

G_END_DECLS
