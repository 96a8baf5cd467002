/* pen-stack-time.c: how long a place in stacks stood as it was at one moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-stacks.h"

#include <glib/gi18n-lib.h>

#include "pen-query-holdings.h"
#include "pen-query-private.h"
#include "pen-query-text.h"

/* @stands: any of the place was there */
typedef struct {
  PenMoment moment;
  PenMoment from;
  PenMoment to;
  gboolean stands;
} Search;

static gboolean
narrow (Search *self, PenQuery *query, guint64 start, guint64 end, GError **error)
{
  g_autoptr (PenTextAt) text = NULL;
  PenMoment from, to;

  if (!pen_store_goes_on (query->store, error))
    return FALSE;
  text = pen_query_text_at (query, start, end, 0, self->moment, PEN_SYNTAX_ATT, error);
  if (!text || !pen_text_at_find_span (text, query->store, &from, &to, error))
    return FALSE;
  if (pen_moment_compare (self->from, from) < 0)
    self->from = from;
  if (pen_moment_compare (to, self->to) < 0)
    self->to = to;
  return TRUE;
}

/* Whether @function, or where it is NULL anything, held @address then. */
static gboolean
find_holder (Search *self, PenQuery *query, guint64 address, const PenFunction *function,
             GError **error)
{
  g_autoptr (GArray) holders
      = pen_query_find_holders (query, address, address + 1, self->moment, error);
  const PenHolder *holder
      = holders && holders->len > 0 ? &g_array_index (holders, PenHolder, 0) : NULL;

  if (!holders)
    return FALSE;
  if (holder && holder->tenure.id != 0
      && (!function
          || (holder->tenure.kind == function->kind
              && g_strcmp0 (holder->tenure.occupant, function->occupant) == 0)))
    self->stands = TRUE;
  return TRUE;
}

/* All functions of the group have to stand as they stood: one that comes later ends the stretch. */
static gboolean
search_group (Search *self, PenQuery *query, const PenStackPlace *place, GError **error)
{
  for (guint32 i = 0; i < query->n_functions; i++) {
    const PenFunction *function = &query->functions[i];
    guint64 length = MIN (function->length, PEN_ANNOTATION_MAX);
    g_autoptr (GError) wrong = NULL;

    if (!pen_query_is_kernel_text (function) || length == 0)
      continue;
    if (pen_query_get_stack_group (query, place->grouping, i, &wrong) != place->group) {
      if (!wrong)
        continue;
      g_propagate_error (error, g_steal_pointer (&wrong));
      return FALSE;
    }
    if (!find_holder (self, query, function->start, function, error)
        || !narrow (self, query, function->start, function->start + length, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
search_range (Search *self, PenQuery *query, const PenStackPlace *place, GError **error)
{
  if (place->start >= place->end)
    return TRUE;
  return find_holder (self, query, place->start, NULL, error)
         && narrow (self, query, place->start,
                    place->start + MIN (place->end - place->start, PEN_ANNOTATION_MAX), error);
}

gboolean
pen_query_select_stack_text (PenQuery *self, const PenStackPlace *place, PenMoment moment,
                             PenFilter *filter, guint64 *from, guint64 *to, GError **error)
{
  Search search = { moment, PEN_MOMENT_START, PEN_MOMENT_END, FALSE };

  if (!pen_query_load (self, error)
      || !(place->parts & PEN_STACK_PLACE_RANGE ? search_range (&search, self, place, error)
                                                : search_group (&search, self, place, error)))
    return FALSE;
  if (!search.stands) {
    g_set_error_literal (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                         _ ("no kernel text of that name or address is known at that time"));
    return FALSE;
  }
  *from = search.from.time;
  *to = search.to.time < G_MAXUINT64 ? search.to.time - MIN (search.to.time, 1) : G_MAXUINT64;
  filter->from = filter->has_time ? MAX (filter->from, *from) : *from;
  filter->to = filter->has_time ? MIN (filter->to, *to) : *to;
  filter->has_time = TRUE;
  return TRUE;
}
