/* pen-tenure-builder.c: tenures and their parts, as they are found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tenure-builder.h"

#include <string.h>

void
pen_tenure_builder_init (PenTenureBuilder *self)
{
  self->tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  self->live = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->parts = g_array_new (FALSE, FALSE, sizeof (PenPart));
  self->closed = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
pen_tenure_builder_clear (PenTenureBuilder *self)
{
  g_clear_pointer (&self->tenures, g_array_unref);
  g_clear_pointer (&self->live, g_array_unref);
  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->closed, g_array_unref);
}

guint32
pen_tenure_builder_open (PenTenureBuilder *self, const PenTenure *tenure)
{
  guint32 none = 0;

  g_array_append_vals (self->tenures, tenure, 1);
  g_array_append_val (self->live, none);
  return self->tenures->len - 1;
}

guint32
pen_tenure_builder_open_part (PenTenureBuilder *self, guint32 tenure, guint64 start, guint64 end,
                              PenMoment from)
{
  PenTenure *whole = pen_tenure_builder_get_tenure (self, tenure);
  PenPart part = {
    .tenure = tenure,
    .start = start,
    .end = end,
    .file_offset = whole->file_offset + (start - whole->start),
    .from = from,
    .to = PEN_MOMENT_END,
  };

  whole->to = PEN_MOMENT_END;
  whole->to_bound = PEN_BOUND_OPEN;
  g_array_index (self->live, guint32, tenure)++;
  g_array_append_val (self->parts, part);
  return self->parts->len - 1;
}

void
pen_tenure_builder_close_part (PenTenureBuilder *self, guint32 part, PenMoment to, PenBound bound)
{
  guint32 tenure = pen_tenure_builder_get_part (self, part)->tenure;
  guint32 *live = &g_array_index (self->live, guint32, tenure);

  pen_tenure_builder_get_part (self, part)->to = to;
  g_array_append_val (self->closed, part);
  if (--*live == 0) {
    pen_tenure_builder_get_tenure (self, tenure)->to = to;
    pen_tenure_builder_get_tenure (self, tenure)->to_bound = bound;
  }
}

void
pen_tenure_builder_shorten (PenTenureBuilder *self, guint32 part, PenMoment to, PenBound bound)
{
  PenPart *shortened = pen_tenure_builder_get_part (self, part);
  PenTenure *tenure = pen_tenure_builder_get_tenure (self, shortened->tenure);

  if (pen_moment_compare (shortened->to, to) <= 0)
    return;
  if (g_array_index (self->live, guint32, shortened->tenure) > 0) {
    pen_tenure_builder_close_part (self, part, to, bound);
    return;
  }
  shortened->to = tenure->to = to;
  tenure->to_bound = bound;
}

static int
compare_ends (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenPart *parts = user_data;

  return pen_moment_compare (parts[*(const guint32 *) a].to, parts[*(const guint32 *) b].to);
}

gboolean
pen_tenure_builder_sort_closed (PenTenureBuilder *self, PenCancelCheck *check)
{
  return pen_cancel_check_sort (check, self->closed->data, self->closed->len, sizeof (guint32),
                                compare_ends, self->parts->data);
}

static int
compare_tenures (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenTenure *tenures = user_data;

  return pen_moment_compare (tenures[*(const guint32 *) a].from,
                             tenures[*(const guint32 *) b].from);
}

/* Order of indices, and where each index went. */
static guint32 *
invert (const guint32 *order, guint n)
{
  guint32 *place = g_new (guint32, n);

  for (guint i = 0; i < n; i++)
    place[order[i]] = i;
  return place;
}

/* Moves element order[i] of @array to i, in place: twice the tenures would be too much. @order is
 * used up. Returns: FALSE: stopped */
static gboolean
permute (GArray *array, guint32 *order, PenCancelCheck *check)
{
  gsize size = g_array_get_element_size (array);
  g_autofree char *first = g_malloc (size);

  for (guint32 start = 0; start < array->len; start++) {
    guint32 to = start;

    if (order[start] == start)
      continue;
    memcpy (first, array->data + start * size, size);
    while (order[to] != start) {
      guint32 from = order[to];

      memcpy (array->data + to * size, array->data + from * size, size);
      order[to] = to;
      to = from;
      if (!pen_cancel_check_step (check))
        return FALSE;
    }
    memcpy (array->data + to * size, first, size);
    order[to] = to;
  }
  return TRUE;
}

/* Sorts @array. Returns: the new place of each element, or NULL: stopped */
static guint32 *
sort_array (GArray *array, GCompareDataFunc compare, PenCancelCheck *check)
{
  g_autofree guint32 *order = g_new (guint32, array->len);
  guint32 *place;

  for (guint32 i = 0; i < array->len; i++)
    order[i] = i;
  if (!pen_cancel_check_sort (check, order, array->len, sizeof *order, compare, array->data))
    return NULL;
  place = invert (order, array->len);
  if (!permute (array, order, check))
    g_clear_pointer (&place, g_free);
  return place;
}

static int
compare_parts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenPart *parts = user_data;
  const PenPart *first = &parts[*(const guint32 *) a];
  const PenPart *second = &parts[*(const guint32 *) b];
  int order;

  if (first->tenure != second->tenure)
    return first->tenure < second->tenure ? -1 : 1;
  order = pen_moment_compare (first->from, second->from);
  if (order)
    return order;
  return first->start < second->start ? -1 : first->start > second->start;
}

gboolean
pen_tenure_builder_finish (PenTenureBuilder *self, PenCancelCheck *check)
{
  g_autofree guint32 *place_of_tenure = sort_array (self->tenures, compare_tenures, check);
  g_autofree guint32 *place_of_part = NULL;

  if (check->is_stopped)
    return FALSE;
  for (guint i = 0; i < self->tenures->len; i++)
    pen_tenure_builder_get_tenure (self, i)->unverified_from = PEN_MOMENT_END;
  for (guint i = 0; i < self->parts->len; i++) {
    PenPart *part = pen_tenure_builder_get_part (self, i);

    part->tenure = place_of_tenure[part->tenure] + 1;
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  place_of_part = sort_array (self->parts, compare_parts, check);
  if (check->is_stopped)
    return FALSE;
  for (guint i = 0; i < self->closed->len; i++) {
    guint32 *part = &g_array_index (self->closed, guint32, i);

    *part = place_of_part[*part];
  }
  g_clear_pointer (&self->live, g_array_unref);
  return TRUE;
}
