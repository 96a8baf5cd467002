/* pen-detour-counts.h: samples in detours, patch by patch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-detour-map.h"
#include "pen-matcher.h"

G_BEGIN_DECLS

/* @parts: samples, or of waits ns off CPU, by PenCostPart */
typedef struct {
  PenStackCount count;
  guint64 parts[PEN_COST_PARTS];
} PenDetourCount;

/*
 * PenDetourCounts:
 * @total: all samples that are meant
 * @of_cause: those in detours; @without_site: of them, those of which no patch is known
 * @numbers: of each poke: its element of @of_pokes, plus one; 0: it has no samples
 * @of_pokes: (element-type PenDetourCount)
 */
typedef struct {
  PenStackCount total;
  PenDetourCount of_cause[PEN_CAUSES];
  PenDetourCount without_site[PEN_CAUSES];
  guint32 *numbers;
  GArray *of_pokes;
} PenDetourCounts;

/* @from, @to: of samples, both included. Cost: that of the map of detours, and those samples. */
PenDetourCounts *pen_detour_counts_new (PenStackIndex *index, const PenPokeSites *sites,
                                        const PenMatcher *matcher, guint64 from, guint64 to,
                                        GError **error);
void pen_detour_counts_free (PenDetourCounts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDetourCounts, pen_detour_counts_free)

void pen_detour_count_add (PenDetourCount *self, const PenDetourCount *other);

/* (nullable): of the poke with that index; NULL: no samples */
static inline const PenDetourCount *
pen_detour_counts_get (const PenDetourCounts *self, guint poke)
{
  guint32 number = self->numbers[poke];

  return number > 0 ? &g_array_index (self->of_pokes, PenDetourCount, number - 1) : NULL;
}

G_END_DECLS
