/* pen-query-ticks.c: which pokes a filter means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-binary-search.h"

typedef struct {
  const PenMatcher *matcher;
  gboolean is_meant;
} TickAt;

static void
mean_tick (const PenFunction *function, gpointer user_data)
{
  TickAt *at = user_data;

  at->is_meant |= pen_matcher_has_function (at->matcher, function->id);
}

gboolean
pen_matcher_has_tick (const PenMatcher *matcher, const PenPokeTick *tick)
{
  const PenFilter *filter = matcher->filter;
  TickAt at = { matcher, FALSE };

  if (!pen_filter_admits_cause (filter, TRUE, tick->cause))
    return FALSE;
  if (filter->has_address
      && (tick->address < filter->address_from || tick->address > filter->address_to))
    return FALSE;
  if (matcher->functions == NULL)
    return TRUE;
  pen_query_foreach_function_in (matcher->query, tick->address, tick->address + 1, mean_tick, &at);
  return at.is_meant;
}

guint
pen_query_find_tick (PenQuery *self, guint64 time)
{
  const GArray *ticks = self->ticks;

  return PEN_BINARY_SEARCH (i, 0, ticks->len, g_array_index (ticks, PenPokeTick, i).time < time);
}
