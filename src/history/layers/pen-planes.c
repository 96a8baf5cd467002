/* pen-planes.c: the parts of tenures by where they are looked up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-planes.h"

#include "pen-binary-search.h"

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenPart *parts = user_data;
  guint32 first = *(const guint32 *) a;
  guint32 second = *(const guint32 *) b;

  if (parts[first].start != parts[second].start)
    return parts[first].start < parts[second].start ? -1 : 1;
  return first < second ? -1 : first > second;
}

static guint
get_plane (const PenPart *part, GArray *tenures)
{
  const PenTenure *tenure = &g_array_index (tenures, PenTenure, part->tenure - 1);

  return pen_plane_of (tenure->space, tenure->layer);
}

static gboolean
order_parts (PenPlanes *self, GArray *tenures, PenCancelCheck *check)
{
  g_autofree guint32 *next = g_new (guint32, self->n_planes);

  /* One more than there are: so there is an array to point into, even with no parts at all. */
  self->order = g_new (guint32, (gsize) self->n_parts + 1);
  self->first = g_new0 (guint32, self->n_planes + 1);
  for (guint i = 0; i < self->n_parts; i++)
    self->first[get_plane (&self->parts[i], tenures) + 1]++;
  for (guint plane = 0; plane < self->n_planes; plane++) {
    self->first[plane + 1] += self->first[plane];
    next[plane] = self->first[plane];
  }
  for (guint i = 0; i < self->n_parts; i++)
    self->order[next[get_plane (&self->parts[i], tenures)]++] = i;

  for (guint plane = 0; plane < self->n_planes; plane++) {
    guint32 n = self->first[plane + 1] - self->first[plane];

    if (n > 1
        && !pen_cancel_check_sort (check, &self->order[self->first[plane]], n, sizeof *self->order,
                                   compare_starts, (gpointer) self->parts))
      return FALSE;
  }
  return TRUE;
}

static void
number_slots (PenPlanes *self)
{
  guint n = 0;

  self->slot = g_new (guint32, (gsize) self->n_parts + 1);
  self->starts = g_new (guint64, (gsize) self->n_parts + 1);
  self->first_slot = g_new0 (guint32, self->n_planes + 1);
  for (guint plane = 0; plane < self->n_planes; plane++) {
    for (guint i = self->first[plane]; i < self->first[plane + 1]; i++) {
      guint64 start = self->parts[self->order[i]].start;

      if (n == self->first_slot[plane] || self->starts[n - 1] != start)
        self->starts[n++] = start;
      self->slot[self->order[i]] = n - 1 - self->first_slot[plane];
    }
    self->first_slot[plane + 1] = n;
  }
}

gboolean
pen_planes_init (PenPlanes *self, GArray *tenures, GArray *parts, guint n_spaces,
                 PenCancelCheck *check)
{
  self->n_planes = n_spaces + 1;
  self->parts = (const PenPart *) (gpointer) parts->data;
  self->n_parts = parts->len;
  self->ends = g_new0 (PenEndTree *, self->n_planes);
  if (!order_parts (self, tenures, check))
    return FALSE;
  number_slots (self);
  return TRUE;
}

void
pen_planes_clear (PenPlanes *self)
{
  for (guint plane = 0; self->ends && plane < self->n_planes; plane++)
    pen_end_tree_free (self->ends[plane]);
  g_clear_pointer (&self->ends, g_free);
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->slot, g_free);
  g_clear_pointer (&self->starts, g_free);
  g_clear_pointer (&self->first_slot, g_free);
}

static const PenEndTree *
get_ends (PenPlanes *self, guint plane)
{
  guint n = self->first[plane + 1] - self->first[plane];
  PenEndTree *ends = g_atomic_pointer_get (&self->ends[plane]);

  if (ends)
    return ends;

  ends = pen_end_tree_new (n);
  for (guint i = 0; i < n; i++)
    ends->max[ends->size + i] = self->parts[self->order[self->first[plane] + i]].end;
  pen_end_tree_build (ends);
  if (g_atomic_pointer_compare_and_exchange (&self->ends[plane], NULL, ends))
    return ends;

  /* Another thread made them meanwhile. */
  pen_end_tree_free (ends);
  return g_atomic_pointer_get (&self->ends[plane]);
}

/* How many parts of @plane start at or below @address. */
static guint
count_parts_below (const PenPlanes *self, guint plane, guint64 address)
{
  guint low = PEN_BINARY_SEARCH (i, self->first[plane], self->first[plane + 1],
                                 self->parts[self->order[i]].start <= address);

  return low - self->first[plane];
}

const PenPart *
pen_planes_find (PenPlanes *self, guint plane, guint64 address, PenMoment moment)
{
  const PenEndTree *ends = get_ends (self, plane);
  guint above = count_parts_below (self, plane, address);

  while (above > 0) {
    const PenPart *part;

    above = pen_end_tree_find_last (ends, above - 1, address);
    if (above == PEN_END_TREE_NONE)
      break;
    part = &self->parts[self->order[self->first[plane] + above]];
    if (pen_moment_compare (part->from, moment) < 0 && pen_moment_compare (moment, part->to) <= 0)
      return part;
  }
  return NULL;
}

gboolean
pen_planes_foreach (PenPlanes *self, guint plane, guint64 address, guint max, PenPartFunc func,
                    gpointer user_data)
{
  const PenEndTree *ends = get_ends (self, plane);
  guint above = count_parts_below (self, plane, address);

  for (guint n = 0; above > 0; n++) {
    above = pen_end_tree_find_last (ends, above - 1, address);
    if (above == PEN_END_TREE_NONE)
      break;
    if (n == max)
      return FALSE;
    if (!func (&self->parts[self->order[self->first[plane] + above]], user_data))
      break;
  }
  return TRUE;
}
