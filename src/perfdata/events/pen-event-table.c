/* pen-event-table.c: the events of a capture, found by the kernel's ids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-event-table.h"

#include <stdlib.h>

#include "pen-byte-order.h"

#define UNSETTLED_IDS_MAX 4096

static void
forget_cache (PenEventTable *self)
{
  for (guint i = 0; i < PEN_EVENT_CACHE; i++) {
    self->cache_ids[i] = 0;
    self->cache_events[i] = -1;
  }
}

PenEventTable *
pen_event_table_new (void)
{
  PenEventTable *self = g_new0 (PenEventTable, 1);

  self->attrs = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_attr_free);
  self->layouts = g_array_new (FALSE, FALSE, sizeof (PenSampleLayout));
  self->trailers = g_array_new (FALSE, FALSE, sizeof (PenTrailer));
  self->layouts_are_alike = TRUE;
  self->ids = g_array_new (FALSE, FALSE, sizeof (PenEventId));
  forget_cache (self);
  return self;
}

void
pen_event_table_free (PenEventTable *self)
{
  g_ptr_array_unref (self->attrs);
  g_array_unref (self->layouts);
  g_array_unref (self->trailers);
  g_array_unref (self->ids);
  g_free (self);
}

static guint
find_or_add_trailer (PenEventTable *self, const PenAttr *attr)
{
  PenTrailer trailer;

  pen_trailer_init (&trailer, attr);
  for (guint i = 0; i < self->trailers->len; i++) {
    if (pen_trailer_equal (&g_array_index (self->trailers, PenTrailer, i), &trailer))
      return i;
  }
  g_array_append_val (self->trailers, trailer);
  return self->trailers->len - 1;
}

static void
note_id_place (PenEventTable *self, guint16 place)
{
  for (guint i = 0; i < self->n_id_places; i++) {
    if (self->id_places[i] == place)
      return;
  }
  if (place != 0 && self->n_id_places < PEN_ID_PLACES_MAX)
    self->id_places[self->n_id_places++] = place;
}

static void
note_ids (PenEventTable *self, guint event, const GArray *ids)
{
  for (guint i = 0; i < ids->len && self->ids->len < PEN_EVENT_IDS_MAX; i++) {
    PenEventId entry = { g_array_index (ids, guint64, i), event };

    /* 0 is what the recorder writes where a record is of no event of the kernel. */
    if (entry.id != 0)
      g_array_append_val (self->ids, entry);
  }
}

void
pen_event_table_add (PenEventTable *self, PenAttr *attr)
{
  PenSampleLayout layout;
  guint event = self->attrs->len;

  pen_sample_layout_init (&layout, attr);
  layout.trailer = find_or_add_trailer (self, attr);
  if (event > 0) {
    const PenSampleLayout *first = pen_event_table_get_layout (self, 0);

    self->layouts_are_alike
        &= layout.sample_type == first->sample_type && layout.read_format == first->read_format;
  }
  g_array_append_val (self->layouts, layout);
  g_ptr_array_add (self->attrs, attr);
  note_id_place (self, layout.id_at);
  note_ids (self, event, attr->ids);
  forget_cache (self);
}

static gint
compare_ids (gconstpointer a, gconstpointer b)
{
  const PenEventId *left = a;
  const PenEventId *right = b;

  if (left->id != right->id)
    return left->id < right->id ? -1 : 1;
  return (left->event > right->event) - (left->event < right->event);
}

/* Sorts [@from, @end), of which [@from, @middle) is sorted. */
static void
merge (PenEventTable *self, guint from, guint middle, guint end)
{
  PenEventId *ids = (PenEventId *) (gpointer) self->ids->data;
  guint n_new = end - middle;
  guint left = middle;
  guint to = end;
  g_autofree PenEventId *new_ids = g_memdup2 (ids + middle, n_new * sizeof *ids);

  qsort (new_ids, n_new, sizeof *new_ids, compare_ids);
  while (n_new > 0) {
    if (left > from && compare_ids (&ids[left - 1], &new_ids[n_new - 1]) > 0)
      ids[--to] = ids[--left];
    else
      ids[--to] = new_ids[--n_new];
  }
}

/* In pipe form, ids and questions may come by turns: new ones are merged with the latest only, and
 * these with all once there are many of them. */
static void
sort_new_ids (PenEventTable *self)
{
  merge (self, self->n_settled_ids, self->n_sorted_ids, self->ids->len);
  self->n_sorted_ids = self->ids->len;
  if (self->n_sorted_ids - self->n_settled_ids > UNSETTLED_IDS_MAX) {
    merge (self, 0, self->n_settled_ids, self->n_sorted_ids);
    self->n_settled_ids = self->n_sorted_ids;
  }
}

static int
search_part (const PenEventTable *self, guint from, guint end, guint64 id)
{
  guint low = from;
  guint high = end;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->ids, PenEventId, middle).id < id)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < end && g_array_index (self->ids, PenEventId, low).id == id)
    return (int) g_array_index (self->ids, PenEventId, low).event;
  return -1;
}

/* If two events have the same id, the first counts. */
static int
search (PenEventTable *self, guint64 id)
{
  int event;

  if (self->n_sorted_ids < self->ids->len)
    sort_new_ids (self);
  event = search_part (self, 0, self->n_settled_ids, id);
  return event >= 0 ? event : search_part (self, self->n_settled_ids, self->ids->len, id);
}

int
pen_event_table_find_slowly (PenEventTable *self, guint64 id)
{
  guint slot = id % PEN_EVENT_CACHE;

  self->cache_ids[slot] = id;
  self->cache_events[slot] = search (self, id);
  return self->cache_events[slot];
}

int
pen_event_table_find_sample (PenEventTable *self, const guint8 *record, guint32 size,
                             gboolean big_endian)
{
  gboolean is_anonymous = FALSE;

  if (self->attrs->len <= 1)
    return (int) self->attrs->len - 1;

  for (guint i = 0; i < self->n_id_places; i++) {
    guint at = self->id_places[i];
    guint64 id;
    int event;

    if (at + 8 > size)
      continue;
    id = pen_get_u64 (record + at, big_endian);
    event = pen_event_table_find (self, id);
    if (event >= 0 && pen_event_table_get_layout (self, (guint) event)->id_at == at)
      return event;
    is_anonymous |= id == 0;
  }

  /* As perf does: a sample that the recorder itself made up carries no id. */
  if (is_anonymous && self->n_id_places == 1 && self->layouts_are_alike)
    return 0;
  return -1;
}
