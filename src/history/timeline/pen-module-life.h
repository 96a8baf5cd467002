/* pen-module-life.h: one stay of a module, as it is found out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-events.h"

G_BEGIN_DECLS

#define PEN_MODULE_LIFE_NONE G_MAXUINT32
#define PEN_MODULE_LIFE_PAGE 4096u

/*
 * PenModuleLife: one stay of a module
 * @start, @end: equal: the place is not known
 * @first_page_only: its text may end before @end: memory of other kinds is counted in
 * @is_again: seen in one more list; the life before it in the array is the same, if nothing
 *   contradicts that
 * @map: index of the map that a record began it with; @load: of its module event;
 *   PEN_MODULE_LIFE_NONE: there is none
 * @from, @to: the longest that it can have been; @sure_from, @sure_to: what facts show; @seen_from:
 *   the first list that shows it, where several do and nothing contradicts that it stayed
 */
typedef struct {
  const char *occupant;
  guint64 start;
  guint64 end;
  gboolean first_page_only;
  gboolean is_again;
  guint32 map;
  guint32 load;
  PenMoment from;
  PenMoment seen_from;
  PenMoment sure_from;
  PenMoment sure_to;
  PenMoment to;
  PenBound from_bound;
  PenBound to_bound;
  PenEvidence evidence;
} PenModuleLife;

static inline PenMoment
pen_moment_later (PenMoment a, PenMoment b)
{
  return pen_moment_compare (a, b) > 0 ? a : b;
}

static inline PenMoment
pen_moment_earlier (PenMoment a, PenMoment b)
{
  return pen_moment_compare (a, b) < 0 ? a : b;
}

static inline gboolean
pen_moment_is_before (PenMoment a, PenMoment b)
{
  return pen_moment_compare (a, b) < 0;
}

static inline guint64
pen_module_life_get_text_end (const PenModuleLife *life)
{
  return life->first_page_only ? MIN (life->end, life->start + PEN_MODULE_LIFE_PAGE) : life->end;
}

/* Tasks that load modules, at what they did before: sets @lives (element-type PenModuleLife) in
 * their places (M7), and adds one for each further run of pages. Returns: FALSE: stopped */
gboolean pen_module_loaders_place (const PenEvents *events, GArray *lives, PenCancelCheck *check);

/* Shortens what is not sure of @lives to what nothing contradicts: @ksymbols (element-type
 * PenTenure), allocations, and each other (M5). Returns: FALSE: stopped */
gboolean pen_module_bounds_apply (const PenEvents *events, const GArray *ksymbols, GArray *lives,
                                  PenCancelCheck *check);

G_END_DECLS
