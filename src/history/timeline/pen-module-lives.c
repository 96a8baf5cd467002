/* pen-module-lives.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-lives.h"

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-module-life.h"
#include "pen-table-hash.h"

#include <string.h>

/* In the order in which those of one moment count. */
typedef enum {
  FACT_MAP, /* of the initial state */
  FACT_FREE,
  FACT_SEEN, /* in a snapshot */
  FACT_LACKS,
  FACT_LOAD,
} FactKind;

typedef struct {
  FactKind kind;
  PenMoment moment;
  const char *occupant;
  guint32 index; /* of the map, sighting or module event */
} Fact;

typedef struct {
  PenEvents *events;
  const GArray *ksymbols; /* PenTenure */
  PenCancelCheck *check;
  GArray *facts;
  GArray *lives;
} Lives;

static const PenSighting *
get_sighting (const Lives *self, guint32 index)
{
  return &g_array_index (self->events->sightings, PenSighting, index);
}

static const PenModuleItem *
get_item (const Lives *self, guint32 index)
{
  return &g_array_index (self->events->modules, PenModuleItem, index);
}

/* ---- facts ---- */

static void
add_fact (Lives *self, FactKind kind, PenMoment moment, const char *occupant, guint32 index)
{
  Fact fact = { kind, moment, occupant, index };

  g_array_append_val (self->facts, fact);
}

/* A list of which nobody said when it was made shows what the module's last stay was. */
static PenMoment
date_sighting (const GHashTable *last_events, const PenSightingList *list, const char *occupant)
{
  const PenModuleItem *last = g_hash_table_lookup ((GHashTable *) last_events, occupant);

  if (list->is_dated || !last || !last->is_free)
    return list->moment;
  return (PenMoment){ last->moment.time,
                      last->moment.position > 0 ? last->moment.position - 1 : 0 };
}

static GHashTable *
find_last_events (const Lives *self)
{
  GHashTable *last_events = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = 0; i < self->events->modules->len; i++) {
    const PenModuleItem *item = get_item (self, i);
    const PenModuleItem *last = g_hash_table_lookup (last_events, item->occupant);

    if (!last || pen_moment_is_before (last->moment, item->moment))
      g_hash_table_insert (last_events, (gpointer) item->occupant, (gpointer) item);
  }
  return last_events;
}

/* A recorder writes one map for each module: what comes again is a map like others (M1). */
static void
add_maps (Lives *self, GHashTable *known)
{
  const PenMapItem *maps = (const PenMapItem *) (gpointer) self->events->maps->data;
  GHashTableIter iter;
  gpointer occupant;
  gpointer index;

  for (guint i = 0; i < self->events->maps->len; i++) {
    const PenTenure *map = &maps[i].tenure;

    if (map->kind != PEN_KIND_MODULE || map->from.time != 0)
      continue;
    if (!g_hash_table_lookup_extended (known, map->occupant, NULL, &index)
        || pen_moment_is_before (map->from, maps[GPOINTER_TO_UINT (index)].tenure.from))
      g_hash_table_insert (known, (gpointer) map->occupant, GUINT_TO_POINTER (i));
  }
  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &occupant, &index))
    add_fact (self, FACT_MAP, PEN_MOMENT_INITIAL_END, occupant, GPOINTER_TO_UINT (index));
}

static void
add_lacking (Lives *self, const PenSightingList *list, GHashTable *known, GHashTable *listed)
{
  GHashTableIter iter;
  gpointer occupant;

  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &occupant, NULL))
    if (!g_hash_table_contains (listed, occupant))
      add_fact (self, FACT_LACKS, list->moment, occupant, PEN_MODULE_LIFE_NONE);
}

static void
add_list (Lives *self, const PenSightingList *list, const GHashTable *last_events,
          GHashTable *known)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (pen_direct_hash, NULL);

  for (guint32 i = list->first; i < list->first + list->n; i++) {
    const char *occupant = get_sighting (self, i)->occupant;

    if (!g_hash_table_add (listed, (gpointer) occupant))
      continue;
    add_fact (self, FACT_SEEN, date_sighting (last_events, list, occupant), occupant, i);
  }
  if (list->is_whole)
    add_lacking (self, list, known, listed);
}

static int
compare_facts (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Fact *x = a;
  const Fact *y = b;
  int order;

  if (x->occupant != y->occupant)
    return strcmp (x->occupant, y->occupant);
  order = pen_moment_compare (x->moment, y->moment);
  return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static gboolean
collect_facts (Lives *self)
{
  g_autoptr (GHashTable) last_events = find_last_events (self);
  g_autoptr (GHashTable) known = g_hash_table_new (pen_direct_hash, NULL);
  const GArray *lists = self->events->sighting_lists;

  add_maps (self, known);
  for (guint i = 0; i < self->events->modules->len; i++) {
    const PenModuleItem *item = get_item (self, i);

    g_hash_table_add (known, (gpointer) item->occupant);
    add_fact (self, item->is_free ? FACT_FREE : FACT_LOAD, item->moment, item->occupant, i);
  }
  for (guint i = 0; i < self->events->sightings->len; i++)
    g_hash_table_add (known, (gpointer) get_sighting (self, i)->occupant);
  for (guint i = 0; i < lists->len; i++)
    add_list (self, &g_array_index (lists, PenSightingList, i), last_events, known);
  return pen_cancel_check_sort (self->check, self->facts->data, self->facts->len, sizeof (Fact),
                                compare_facts, NULL);
}

/* ---- from facts to lives ---- */

static PenModuleLife *
begin_life (Lives *self, const Fact *fact, PenMoment from, PenBound bound)
{
  PenModuleLife life = {
    .occupant = fact->occupant,
    .map = PEN_MODULE_LIFE_NONE,
    .load = PEN_MODULE_LIFE_NONE,
    .from = from,
    .seen_from = fact->moment,
    .sure_from = fact->moment,
    .sure_to = fact->moment,
    .to = PEN_MOMENT_END,
    .from_bound = bound,
    .to_bound = PEN_BOUND_OPEN,
    .evidence = PEN_EVIDENCE_INFERRED,
  };

  g_array_append_val (self->lives, life);
  return &g_array_index (self->lives, PenModuleLife, self->lives->len - 1);
}

static void
take_place (PenModuleLife *life, const PenSighting *sighting)
{
  life->start = sighting->start;
  life->end = sighting->end;
  life->first_page_only = sighting->has_other_memory;
  life->evidence = sighting->evidence;
}

static void
take_map (Lives *self, PenModuleLife *life, guint32 index)
{
  const PenTenure *map = &g_array_index (self->events->maps, PenMapItem, index).tenure;

  life->map = index;
  life->start = map->start;
  life->end = map->end;
  life->evidence = map->evidence;
  /* Recorders let a map reach to where the next one begins. */
  life->first_page_only = TRUE;
}

/* No record shows its end. */
static void
end_unseen (PenModuleLife *life, PenMoment moment)
{
  life->to = moment;
  life->to_bound = PEN_BOUND_INFERRED;
}

static gboolean
is_there (const PenModuleLife *life, const PenSighting *sighting)
{
  return life->start < sighting->end && sighting->start < life->end;
}

/* M5: a list shows its own time. A module that only lists show may have gone and come again between
 * two of them. */
static PenModuleLife *
see_again (Lives *self, PenModuleLife *open, const Fact *fact)
{
  const PenModuleLife before = *open;

  end_unseen (open, fact->moment);
  open = begin_life (self, fact, before.sure_to, PEN_BOUND_INFERRED);
  open->is_again = TRUE;
  open->start = before.start;
  open->end = before.end;
  open->first_page_only = before.first_page_only;
  open->evidence = before.evidence;
  return open;
}

/* @gone: when it was last not there */
static PenModuleLife *
see (Lives *self, PenModuleLife *open, const Fact *fact, PenMoment gone)
{
  const PenSighting *sighting = get_sighting (self, fact->index);

  if (open && open->start != open->end && !is_there (open, sighting)) {
    end_unseen (open, fact->moment);
    gone = open->sure_to;
    open = NULL;
  }
  if (!open && fact->moment.time == 0)
    open = begin_life (self, fact, PEN_MOMENT_START, PEN_BOUND_INITIAL);
  else if (!open)
    open = begin_life (self, fact, pen_moment_later (gone, PEN_MOMENT_INITIAL_END),
                       PEN_BOUND_INFERRED);
  else if (open->from_bound == PEN_BOUND_INFERRED
           && pen_moment_is_before (open->sure_to, fact->moment))
    open = see_again (self, open, fact);
  if (open->start == open->end || (open->map == PEN_MODULE_LIFE_NONE && !sighting->is_rough))
    take_place (open, sighting);
  if (open->map != PEN_MODULE_LIFE_NONE && !sighting->is_rough && sighting->start == open->start) {
    open->end = MIN (open->end, sighting->end);
    open->first_page_only = sighting->has_other_memory;
  }
  open->sure_to = fact->moment;
  return open;
}

/* Facts of one module, in the order of their moments. */
static void
live (Lives *self, const Fact *facts, guint n)
{
  PenMoment gone = PEN_MOMENT_START;
  PenModuleLife *open = NULL;

  for (guint i = 0; i < n; i++) {
    const Fact *fact = &facts[i];

    switch (fact->kind) {
    case FACT_MAP:
      open = begin_life (self, fact, PEN_MOMENT_START, PEN_BOUND_INITIAL);
      take_map (self, open, fact->index);
      continue;
    case FACT_SEEN:
      open = see (self, open, fact, gone);
      continue;
    case FACT_LOAD:
      if (open)
        end_unseen (open, fact->moment);
      open = begin_life (self, fact, fact->moment, PEN_BOUND_RECORDED);
      open->load = fact->index;
      continue;
    case FACT_FREE:
      if (open) {
        open->to = open->sure_to = fact->moment;
        open->to_bound = PEN_BOUND_RECORDED;
      }
      break;
    case FACT_LACKS:
    default:
      if (open)
        end_unseen (open, fact->moment);
      break;
    }
    gone = fact->moment;
    open = NULL;
  }
}

static gboolean
make_lives (Lives *self)
{
  const Fact *facts = (const Fact *) (gpointer) self->facts->data;

  for (guint first = 0, end; first < self->facts->len; first = end) {
    for (end = first + 1; end < self->facts->len && facts[end].occupant == facts[first].occupant;
         end++)
      ;
    live (self, &facts[first], end - first);
    if (!pen_cancel_check_step (self->check))
      return FALSE;
  }
  return TRUE;
}

/* ---- into the history ---- */

static void
add_end (Lives *self, const PenModuleLife *life)
{
  PenModuleItem item = {
    .occupant = life->occupant,
    .moment = life->to,
    .is_free = TRUE,
    .map = life->map,
  };

  if (life->to_bound == PEN_BOUND_INFERRED && pen_moment_is_before (life->to, PEN_MOMENT_END))
    pen_events_add (self->events, life->to, PEN_EVENT_MODULE_FREE, self->events->modules, &item);
}

/* Where memory of other kinds is counted in, other text may lie: the module's ends before it. */
static guint64
find_other_text (const GArray *starts, const PenModuleLife *life)
{
  guint i = PEN_BINARY_SEARCH (
      k, 0, starts->len, g_array_index (starts, guint64, k) < pen_module_life_get_text_end (life));

  if (!life->first_page_only || i == starts->len)
    return life->end;
  return MIN (life->end, g_array_index (starts, guint64, i));
}

static void
add_map (Lives *self, const PenModuleLife *life, const GArray *starts)
{
  PenMapItem item = {
    .tenure = {
      .space = PEN_SPACE_KERNEL,
      .layer = PEN_LAYER_MAP,
      .kind = PEN_KIND_MODULE,
      .occupant = life->occupant,
      .name = life->occupant,
      .start = life->start,
      .end = find_other_text (starts, life),
      .from = life->from,
      .from_bound = life->from_bound,
      .evidence = life->evidence,
    },
  };

  pen_events_add (self->events, life->from, PEN_EVENT_MAP, self->events->maps, &item);
}

static GArray *
list_starts (const Lives *self)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < self->ksymbols->len; i++) {
    const PenTenure *tenure = &g_array_index (self->ksymbols, PenTenure, i);

    if (tenure->layer == PEN_LAYER_KSYMBOL)
      g_array_append_val (starts, tenure->start);
  }
  g_array_sort (starts, pen_compare_u64);
  return starts;
}

static void
write_lives (Lives *self)
{
  g_autoptr (GArray) starts = list_starts (self);

  for (guint i = 0; i < self->lives->len; i++) {
    PenModuleLife *life = &g_array_index (self->lives, PenModuleLife, i);
    PenTenure *tenure;

    if (life->start == life->end || !pen_moment_is_before (life->from, life->to))
      continue;
    if (life->map == PEN_MODULE_LIFE_NONE) {
      add_map (self, life, starts);
      life->map = self->events->maps->len - 1;
    }
    tenure = &g_array_index (self->events->maps, PenMapItem, life->map).tenure;
    tenure->sure_from = life->from_bound == PEN_BOUND_INFERRED ? life->sure_from : PEN_MOMENT_START;
    tenure->sure_to = life->to_bound == PEN_BOUND_INFERRED ? life->sure_to : PEN_MOMENT_START;
    add_end (self, life);
  }
}

gboolean
pen_module_lives_add (PenEvents *events, const GArray *tenures, PenCancelCheck *check)
{
  g_autoptr (GArray) facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  g_autoptr (GArray) lives = g_array_new (FALSE, FALSE, sizeof (PenModuleLife));
  Lives self
      = { .events = events, .ksymbols = tenures, .check = check, .facts = facts, .lives = lives };

  if (events->modules->len == 0 && events->sighting_lists->len == 0)
    return TRUE;
  if (!collect_facts (&self) || !make_lives (&self)
      || !pen_module_loaders_place (events, lives, check)
      || !pen_module_bounds_apply (events, tenures, lives, check))
    return FALSE;
  write_lives (&self);
  return TRUE;
}
