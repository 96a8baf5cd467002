/* pen-module-loaders.c: what a task that loads a module does before (rule M7)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-life.h"

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-ranges.h"
#include "pen-table-hash.h"

/* A load's own pokes come some milliseconds before its tracepoint, with interrupts and a slow
 * machine between. */
#define SHORTLY G_GUINT64_CONSTANT (100000000)

typedef struct {
  const PenEvents *events;
  GArray *lives; /* PenModuleLife */
  PenCancelCheck *check;
} Lives;

static const PenModuleItem *
get_item (const Lives *self, guint32 index)
{
  return &g_array_index (self->events->modules, PenModuleItem, index);
}

/* A poke or an allocation: @index in its array. */
typedef struct {
  gint32 tid;
  PenMoment moment;
  guint32 index;
} Deed;

static int
compare_deeds (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Deed *x = a;
  const Deed *y = b;

  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  return pen_moment_compare (x->moment, y->moment);
}

static guint
find_deed (const GArray *deeds, gint32 tid, PenMoment moment)
{
  const Deed wanted = { tid, moment, 0 };

  return PEN_BINARY_SEARCH (i, 0, deeds->len,
                            compare_deeds (&g_array_index (deeds, Deed, i), &wanted, NULL) < 0);
}

static GHashTable *
find_loaders (const Lives *self)
{
  GHashTable *loaders = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = 0; i < self->events->modules->len; i++)
    if (get_item (self, i)->has_task)
      g_hash_table_add (loaders, GINT_TO_POINTER (get_item (self, i)->tid));
  return loaders;
}

static void
add_deed (GArray *deeds, GHashTable *loaders, gboolean has_task, gint32 tid, PenMoment moment,
          guint32 index)
{
  Deed deed = { tid, moment, index };

  if (has_task && g_hash_table_contains (loaders, GINT_TO_POINTER (tid)))
    g_array_append_val (deeds, deed);
}

/* Deeds of those tasks that load modules. */
typedef struct {
  GArray *pokes;
  GArray *allocations;
  GArray *modules;
  PenRanges *held; /* by the kernel, and by modules of the start */
} Deeds;

static void
deeds_clear (Deeds *deeds)
{
  g_array_unref (deeds->pokes);
  g_array_unref (deeds->allocations);
  g_array_unref (deeds->modules);
  pen_ranges_free (deeds->held);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Deeds, deeds_clear)

static gboolean
sort_deeds (Lives *self, GArray *deeds)
{
  return pen_cancel_check_sort (self->check, deeds->data, deeds->len, sizeof (Deed), compare_deeds,
                                NULL);
}

static gboolean
collect_deeds (Lives *self, Deeds *deeds)
{
  g_autoptr (GHashTable) loaders = find_loaders (self);
  const PenEvents *events = self->events;

  for (guint i = 0; i < events->modules->len; i++) {
    const PenModuleItem *item = get_item (self, i);

    add_deed (deeds->modules, loaders, item->has_task, item->tid, item->moment, i);
  }
  for (guint i = 0; i < events->allocations->len; i++) {
    const PenAllocationItem *item = &g_array_index (events->allocations, PenAllocationItem, i);

    add_deed (deeds->allocations, loaders, TRUE, item->tid, item->moment, i);
  }
  for (guint i = 0; i < events->pokes->len; i++) {
    const PenPoke *poke = &g_array_index (events->pokes, PenPoke, i);

    add_deed (deeds->pokes, loaders, poke->has_task, poke->tid, poke->moment, i);
  }
  for (guint i = 0; i < events->maps->len; i++) {
    const PenTenure *map = &g_array_index (events->maps, PenMapItem, i).tenure;

    if (map->kind == PEN_KIND_KERNEL)
      pen_ranges_take (deeds->held, map->start, map->end, PEN_MODULE_LIFE_NONE, NULL, NULL, NULL);
  }
  for (guint i = 0; i < self->lives->len; i++) {
    const PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, i);

    if (life->map != PEN_MODULE_LIFE_NONE)
      pen_ranges_take (deeds->held, life->start, pen_module_life_get_text_end (life), i, NULL, NULL,
                       NULL);
  }
  return sort_deeds (self, deeds->modules) && sort_deeds (self, deeds->allocations)
         && sort_deeds (self, deeds->pokes);
}

/* Since when what the task did was for this load: after its last one, and shortly before. */
static PenMoment
get_window (const Deeds *deeds, const PenModuleItem *load, guint64 length)
{
  guint i = find_deed (deeds->modules, load->tid, load->moment);
  const Deed *last = i > 0 ? &g_array_index (deeds->modules, Deed, i - 1) : NULL;
  PenMoment from = { load->moment.time - MIN (load->moment.time, length), 0 };

  return last && last->tid == load->tid ? pen_moment_later (from, last->moment) : from;
}

static gboolean
is_held (const Lives *self, const Deeds *deeds, guint64 page, PenMoment moment)
{
  const PenRange *range = pen_ranges_find (deeds->held, page, page + PEN_MODULE_LIFE_PAGE);

  return range
         && (range->value == PEN_MODULE_LIFE_NONE
             || pen_moment_is_before (moment,
                                      g_array_index (self->lives, PenModuleLife, range->value).to));
}

/* Returns: (element-type guint64): pages that the task poked for @load. @first: (out): when first
 */
static GArray *
list_pages (const Lives *self, const Deeds *deeds, const PenModuleItem *load, PenMoment *first)
{
  GArray *pages = g_array_new (FALSE, FALSE, sizeof (guint64));
  PenMoment from = get_window (deeds, load, SHORTLY);

  *first = load->moment;
  for (guint i = find_deed (deeds->pokes, load->tid, from); i < deeds->pokes->len; i++) {
    const Deed *deed = &g_array_index (deeds->pokes, Deed, i);
    const PenPoke *poke = &g_array_index (self->events->pokes, PenPoke, deed->index);
    guint64 page = poke->address & ~(guint64) (PEN_MODULE_LIFE_PAGE - 1);

    if (deed->tid != load->tid || !pen_moment_is_before (deed->moment, load->moment))
      break;
    if (page > G_MAXUINT64 - PEN_MODULE_LIFE_PAGE || is_held (self, deeds, page, deed->moment))
      continue;
    *first = pen_moment_earlier (*first, deed->moment);
    g_array_append_val (pages, page);
  }
  g_array_sort (pages, pen_compare_u64);
  return pages;
}

static gboolean
holds_any (guint64 start, guint64 end, const GArray *pages)
{
  for (guint i = 0; i < pages->len; i++) {
    guint64 page = g_array_index (pages, guint64, i);

    if (page >= start && page < end)
      return TRUE;
  }
  return FALSE;
}

/* The first that a loader asks for is that of the text (kernel/module/main.c); what it poked says
 * so. */
static const PenAllocationItem *
find_allocation (const Lives *self, const Deeds *deeds, const PenModuleItem *load,
                 const GArray *pages)
{
  PenMoment from = get_window (deeds, load, 10 * SHORTLY);
  guint i = find_deed (deeds->allocations, load->tid, from);
  const PenAllocationItem *item;
  const Deed *deed;

  if (i == deeds->allocations->len)
    return NULL;
  deed = &g_array_index (deeds->allocations, Deed, i);
  item = &g_array_index (self->events->allocations, PenAllocationItem, deed->index);
  return deed->tid == load->tid && pen_moment_is_before (deed->moment, load->moment)
                 && (pages->len == 0 || holds_any (item->start, item->end, pages))
             ? item
             : NULL;
}

static void
begin_with (PenModuleLife *life, PenMoment first)
{
  life->from = life->sure_from
      = (PenMoment){ first.time, first.position > 0 ? first.position - 1 : 0 };
}

/* One life for each run of pages; the first is @life's own. */
static void
take_pages (Lives *self, guint index, const GArray *pages, PenMoment first)
{
  for (guint i = 0; i < pages->len;) {
    guint64 start = g_array_index (pages, guint64, i);
    guint64 end = start + PEN_MODULE_LIFE_PAGE;
    PenModuleLife life = g_array_index (self->lives, PenModuleLife, index);

    for (i++; i < pages->len && g_array_index (pages, guint64, i) <= end; i++)
      end = g_array_index (pages, guint64, i) + PEN_MODULE_LIFE_PAGE;
    life.start = start;
    life.end = end;
    begin_with (&life, first);
    if (start == g_array_index (pages, guint64, 0))
      g_array_index (self->lives, PenModuleLife, index) = life;
    else
      g_array_append_val (self->lives, life);
  }
}

static void
place_life (Lives *self, const Deeds *deeds, guint index)
{
  PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, index);
  const PenModuleItem *load = get_item (self, life->load);
  PenMoment first;
  g_autoptr (GArray) pages = list_pages (self, deeds, load, &first);
  const PenAllocationItem *allocation = find_allocation (self, deeds, load, pages);

  if (life->start == life->end && allocation) {
    life->start = allocation->start;
    life->end = allocation->end;
  }
  if (life->start == life->end)
    take_pages (self, index, pages, first);
  else if (holds_any (life->start, life->end, pages))
    begin_with (life, first);
}

gboolean
pen_module_loaders_place (const PenEvents *events, GArray *lives, PenCancelCheck *check)
{
  Lives self = { events, lives, check };
  g_auto (Deeds) deeds = {
    .pokes = g_array_new (FALSE, FALSE, sizeof (Deed)),
    .allocations = g_array_new (FALSE, FALSE, sizeof (Deed)),
    .modules = g_array_new (FALSE, FALSE, sizeof (Deed)),
    .held = pen_ranges_new (),
  };
  guint n = lives->len;

  if (events->modules->len == 0)
    return TRUE;
  if (!collect_deeds (&self, &deeds))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const PenModuleLife *life = &g_array_index (lives, PenModuleLife, i);

    if (life->load != PEN_MODULE_LIFE_NONE && get_item (&self, life->load)->has_task)
      place_life (&self, &deeds, i);
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  return TRUE;
}
