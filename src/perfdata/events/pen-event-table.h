/* pen-event-table.h: the events of a capture, found by the kernel's ids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"
#include "pen-sample-layout.h"

G_BEGIN_DECLS

#define PEN_EVENT_CACHE 256

/* Far above what recorders write (an id per event and CPU or task); more are left out. */
#define PEN_EVENT_IDS_MAX (1u << 19)
#define PEN_EVENTS_MAX 65536

typedef struct {
  guint64 id;
  guint32 event;
} PenEventId;

/* Each distinct place of the id in samples; there are nine slots that it can be in. */
#define PEN_ID_PLACES_MAX 10

/*
 * PenEventTable:
 * @attrs: (element-type PenAttr)
 * @layouts: (element-type PenSampleLayout): as many
 * @trailers: (element-type PenTrailer): the distinct ones, at most 65
 * @layouts_are_alike: a sample means the same, whichever event's layout it is read by
 * @ids: (element-type PenEventId): a sorted array, because a hash table's cost is in the hands of
 *   whoever chose the ids
 * @n_settled_ids, @n_sorted_ids: @ids up to the first, and from there to the second, are sorted;
 * what is behind that has been added since
 * @id_places: distinct places of the id in samples, in the order of the first event that has each
 * @cache_ids, @cache_events: what was found last for ids with the same low bits
 */
typedef struct {
  GPtrArray *attrs;
  GArray *layouts;
  GArray *trailers;
  gboolean layouts_are_alike;
  GArray *ids;
  guint n_settled_ids;
  guint n_sorted_ids;
  guint16 id_places[PEN_ID_PLACES_MAX];
  guint n_id_places;
  guint64 cache_ids[PEN_EVENT_CACHE];
  int cache_events[PEN_EVENT_CACHE];
} PenEventTable;

PenEventTable *pen_event_table_new (void);
void pen_event_table_free (PenEventTable *self);

/* @attr: (transfer full): with its ids */
void pen_event_table_add (PenEventTable *self, PenAttr *attr);

int pen_event_table_find_slowly (PenEventTable *self, guint64 id);

/* The index of the event with this id, or -1. */
static inline int
pen_event_table_find (PenEventTable *self, guint64 id)
{
  guint slot = id % PEN_EVENT_CACHE;

  if (self->cache_ids[slot] == id)
    return self->cache_events[slot];
  return pen_event_table_find_slowly (self, id);
}

static inline const PenSampleLayout *
pen_event_table_get_layout (const PenEventTable *self, guint event)
{
  return &g_array_index (self->layouts, PenSampleLayout, event);
}

/*
 * pen_event_table_find_sample:
 * @record: a SAMPLE of @size bytes
 *
 * Returns: the index of the event that it belongs to, or -1 if that cannot be told
 */
int pen_event_table_find_sample (PenEventTable *self, const guint8 *record, guint32 size,
                                 gboolean big_endian);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenEventTable, pen_event_table_free)

G_END_DECLS
