/* pen-pair-found.h: functions that have neither samples nor changes in one of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/*
 * PenPairNames: functions of the kernel and of modules that are looked for, by name, in the lists
 * of names of one recording
 */
typedef struct _PenPairNames PenPairNames;

PenPairNames *pen_pair_names_new (void);
void pen_pair_names_free (PenPairNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairNames, pen_pair_names_free)

/* @occupant, @symbol: outlive @self */
void pen_pair_names_want (PenPairNames *self, PenKind kind, const char *occupant,
                          const char *symbol);
/* Cost: all names of each occupant that is wanted. */
gboolean pen_pair_names_find (PenPairNames *self, PenQuery *query, GError **error);
/* Returns: (nullable): NULL: there is none, or it was not wanted. Of several functions of one name,
 * it is not known which one it is: one of length 0 stands for them */
const PenFunction *pen_pair_names_get (const PenPairNames *self, const char *occupant,
                                       const char *symbol);

/* Fills in PenPairRow.found. */
gboolean pen_pair_find_functions (PenPairs *self, const PenPairSource sources[2], GError **error);

G_END_DECLS
