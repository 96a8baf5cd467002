/* pen-seal.c: from events to history
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-private.h"

#include "pen-ksymbol-layer.h"
#include "pen-losses.h"
#include "pen-map-layer.h"
#include "pen-module-lives.h"
#include "pen-spaces.h"
#include "pen-table-hash.h"
#include "pen-unknown-text.h"

typedef struct {
  PenHistory *history;
  PenMapLayer *maps; /* of the kernel */
  PenKsymbolLayer *ksymbols;
  PenSpaces *spaces;
} Seal;

/* K6: the maps of the start lie under what a snapshot lists; later ones take its place. */
static gboolean
take_listed (Seal *seal, PenCancelCheck *check)
{
  const PenEvents *events = &seal->history->events;

  for (guint i = 0; i < events->order->len && events->listed->len > 0; i++) {
    const PenEvent *event = &g_array_index (events->order, PenEvent, i);
    const PenMapItem *map;

    if (!pen_cancel_check_step (check))
      return FALSE;
    if (event->kind != PEN_EVENT_MAP || event->moment.time == 0)
      continue;
    map = &g_array_index (events->maps, PenMapItem, event->index);
    pen_ksymbol_layer_take_listed (seal->ksymbols, event->moment, map->tenure.start,
                                   map->tenure.end);
  }
  return pen_tenure_builder_sort_closed (&seal->history->builder, check);
}

static void
apply_load (Seal *seal, const PenBpfLoadItem *load)
{
  const guint64 *addresses = (const guint64 *) (gpointer) seal->history->events.addresses->data;

  pen_ksymbol_layer_load (seal->ksymbols, load,
                          load->n_addresses > 0 ? addresses + load->first_address : NULL);
}

static void
end_module (Seal *seal, const PenModuleItem *item)
{
  const GArray *maps = seal->history->events.maps;

  if (item->map == G_MAXUINT32)
    pen_map_layer_end_occupant (seal->maps, item->occupant, item->moment);
  else
    pen_map_layer_end_tenure (seal->maps, g_array_index (maps, PenMapItem, item->map).opened,
                              item->moment);
}

/* ---- events, one by one ---- */

static void
apply_event (Seal *seal, const PenEvent *event)
{
  PenHistory *history = seal->history;
  PenEvents *events = &history->events;
  const PenTaskItem *task;
  PenMapItem *map;

  switch ((PenEventKind) event->kind) {
  case PEN_EVENT_EXIT:
    task = &g_array_index (events->tasks, PenTaskItem, event->index);
    pen_spaces_exit (seal->spaces, event->moment, task);
    break;
  case PEN_EVENT_FORK:
    task = &g_array_index (events->tasks, PenTaskItem, event->index);
    pen_spaces_fork (seal->spaces, event->moment, task);
    pen_tasks_fork (&history->tasks, event->moment, task);
    break;
  case PEN_EVENT_COMM:
    task = &g_array_index (events->tasks, PenTaskItem, event->index);
    pen_spaces_comm (seal->spaces, event->moment, task);
    pen_tasks_comm (&history->tasks, event->moment, task);
    break;
  case PEN_EVENT_PROCESS_MAP:
    pen_spaces_map (seal->spaces, event->moment,
                    &g_array_index (events->process_maps, PenProcessMapItem, event->index));
    break;
  case PEN_EVENT_MAP:
    map = &g_array_index (events->maps, PenMapItem, event->index);
    map->opened = pen_map_layer_take (seal->maps, &map->tenure);
    break;
  case PEN_EVENT_REGISTER:
    pen_ksymbol_layer_register (seal->ksymbols, event->moment,
                                &g_array_index (events->ksymbols, PenKsymbolEvent, event->index));
    break;
  case PEN_EVENT_LISTED:
    pen_ksymbol_layer_list (seal->ksymbols,
                            &g_array_index (events->listed, PenListedItem, event->index));
    break;
  case PEN_EVENT_UNREGISTER:
    pen_ksymbol_layer_unregister (seal->ksymbols, event->moment,
                                  &g_array_index (events->ksymbols, PenKsymbolEvent, event->index));
    break;
  case PEN_EVENT_MODULE_FREE:
    end_module (seal, &g_array_index (events->modules, PenModuleItem, event->index));
    break;
  case PEN_EVENT_BPF_LOAD:
    apply_load (seal, &g_array_index (events->bpf_loads, PenBpfLoadItem, event->index));
    break;
  case PEN_EVENT_POKE:
    /* The holder of the bytes is known only after K4: see resolve_pokes(). */
    g_array_append_vals (history->pokes, &g_array_index (events->pokes, PenPoke, event->index), 1);
    break;
  default:
    g_assert_not_reached ();
  }
}

static gboolean
is_of_kernel_maps (const PenEvent *event)
{
  return event->kind == PEN_EVENT_MODULE_FREE || event->kind == PEN_EVENT_MAP;
}

/* A fork or an exit is of all maps of a process. */
static guint
count_changes (const PenTenureBuilder *builder)
{
  return builder->parts->len + builder->closed->len;
}

/* Where modules were follows from ksymbols, among others: the kernel's maps come after these. */
static gboolean
apply_some (Seal *seal, gboolean kernel_maps, PenCancelCheck *check)
{
  const PenTenureBuilder *builder = &seal->history->builder;
  PenEvents *events = &seal->history->events;

  for (guint i = 0; i < events->order->len; i++) {
    const PenEvent *event = &g_array_index (events->order, PenEvent, i);
    guint before = count_changes (builder);

    if (is_of_kernel_maps (event) == kernel_maps)
      apply_event (seal, event);
    if (!pen_cancel_check_steps (check, 1 + count_changes (builder) - before))
      return FALSE;
  }
  return TRUE;
}

static gboolean
apply_events (PenHistory *self, PenCancelCheck *check)
{
  g_autoptr (PenMapLayer) maps = pen_map_layer_new_with_occupants (&self->builder);
  g_autoptr (PenKsymbolLayer) ksymbols = pen_ksymbol_layer_new (&self->builder);
  g_autoptr (PenSpaces) spaces = pen_spaces_new (&self->builder, &self->pids, self->max_copies);
  Seal seal = { .history = self, .maps = maps, .ksymbols = ksymbols, .spaces = spaces };
  guint n = self->events.order->len;
  PenLoss refused;

  if (self->present)
    pen_spaces_go_on (spaces, self->present);
  if (!apply_some (&seal, FALSE, check)
      || !pen_module_lives_add (&self->events, self->builder.tenures, check)
      || (self->events.order->len > n && !pen_events_sort (&self->events, check))
      || !apply_some (&seal, TRUE, check) || !take_listed (&seal, check))
    return FALSE;

  self->ignored_ksymbols = pen_ksymbol_layer_get_ignored (ksymbols);
  self->repeated_ksymbols = pen_ksymbol_layer_get_repeated (ksymbols);
  self->copies = pen_spaces_get_copies (spaces);
  if (pen_spaces_get_refused (spaces, &refused))
    g_array_append_val (self->losses, refused);
  self->threads = pen_spaces_list_threads (spaces);
  self->spaces = pen_spaces_steal (spaces);
  return TRUE;
}

/* ---- numbers ---- */

/* Copies have the ids of those that they were made of. */
static void
forget_ids (PenHistory *self)
{
  guint first = self->present ? self->present->tenures->len : 0;

  for (guint i = first; i < self->builder.tenures->len; i++)
    pen_tenure_builder_get_tenure (&self->builder, i)->id = 0;
}

static gboolean
number_tenures (PenHistory *self)
{
  const PenPresent *present = self->present;

  self->is_other = !pen_present_number (present, self->builder.tenures);
  self->n_earlier = present ? present->tenures->len + present->known->len : 0;
  return !self->is_other;
}

/* ---- what begins when ---- */

/* A moment of each element of @array, @at bytes within it. */
typedef struct {
  const GArray *array;
  gsize at;
} Moments;

static int
compare_moments (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Moments *moments = user_data;
  const char *data = moments->array->data + moments->at;
  gsize size = g_array_get_element_size ((GArray *) moments->array);
  gconstpointer x = data + *(const guint32 *) a * size;
  gconstpointer y = data + *(const guint32 *) b * size;

  return pen_moment_compare (*(const PenMoment *) x, *(const PenMoment *) y);
}

/* @indexes: of @array, rising: those of one moment stay so */
static gboolean
sort_by_moment (guint32 *indexes, guint n, const GArray *array, gsize at, PenCancelCheck *check)
{
  Moments moments = { array, at };

  return pen_cancel_check_sort (check, indexes, n, sizeof *indexes, compare_moments, &moments);
}

static gboolean
list_part_begins (PenHistory *self, PenCancelCheck *check)
{
  const PenPart *parts = (const PenPart *) (gpointer) self->builder.parts->data;
  guint n = self->builder.parts->len;

  self->begins = g_new (guint32, n);
  for (guint i = 0; i < n; i++) {
    if (pen_moment_compare (parts[i].from, parts[i].to) < 0)
      self->begins[self->n_begins++] = i;
  }
  return sort_by_moment (self->begins, self->n_begins, self->builder.parts,
                         G_STRUCT_OFFSET (PenPart, from), check);
}

static gboolean
list_space_changes (PenHistory *self, PenCancelCheck *check)
{
  const PenSpace *spaces = (const PenSpace *) (gpointer) self->spaces->data;
  guint32 n = self->spaces->len - 1;

  self->space_begins = g_new (guint32, n);
  self->space_ends = g_new (guint32, n);
  for (guint32 place = 1; place <= n; place++) {
    self->space_begins[place - 1] = place;
    if (pen_moment_compare (spaces[place].to, PEN_MOMENT_END) < 0)
      self->space_ends[self->n_space_ends++] = place;
  }
  return sort_by_moment (self->space_begins, n, self->spaces, G_STRUCT_OFFSET (PenSpace, from),
                         check)
         && sort_by_moment (self->space_ends, self->n_space_ends, self->spaces,
                            G_STRUCT_OFFSET (PenSpace, to), check);
}

/* ---- as it was stored ---- */

static void
take_parts (PenTenureBuilder *builder, const GArray *tenures, const GArray *parts,
            PenCancelCheck *check)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (pen_direct_hash, NULL);

  g_array_append_vals (builder->tenures, tenures->data, tenures->len);
  for (guint i = 0; i < tenures->len; i++)
    g_hash_table_insert (numbers, GUINT_TO_POINTER (pen_tenure_builder_get_tenure (builder, i)->id),
                         GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < parts->len; i++) {
    PenPart part = g_array_index (parts, PenPart, i);

    if (!pen_cancel_check_step (check))
      return;
    part.tenure = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, GUINT_TO_POINTER (part.tenure)));
    if (part.tenure == 0)
      continue;
    g_array_append_val (builder->closed, builder->parts->len);
    g_array_append_val (builder->parts, part);
  }
}

PenHistory *
pen_history_new_partial (const GArray *tenures, const GArray *parts, PenCancelCheck *check)
{
  PenHistory *self = pen_history_new ();
  PenTenureBuilder *builder = &self->builder;
  PenSpace kernel = { .id = PEN_SPACE_KERNEL, .pid = -1, .to = PEN_MOMENT_END };

  self->is_sealed = TRUE;
  self->spaces = g_array_new (FALSE, FALSE, sizeof (PenSpace));
  g_array_append_val (self->spaces, kernel);
  take_parts (builder, tenures, parts, check);
  pen_planes_init (&self->planes, builder->tenures, builder->parts, self->spaces->len, check);
  list_part_begins (self, check);
  pen_tenure_builder_sort_closed (builder, check);
  return self;
}

PenHistory *
pen_history_new_stored (const GArray *tenures, const GArray *parts, PenHistoryFunc func,
                        gpointer user_data)
{
  PenCancelCheck check = { .func = func, .user_data = user_data };
  g_autoptr (PenHistory) self = pen_history_new_partial (tenures, parts, &check);

  return check.is_stopped ? NULL : g_steal_pointer (&self);
}

/* ---- pokes ---- */

/* P3: each byte counts in the tenure that holds it then; a patch may straddle several. */
static void
spread_patch (PenHistory *self, PenSweep *sweep, const PenPoke *poke)
{
  guint64 start = poke->address;
  guint64 limit = start + MIN (pen_poke_get_length (poke), G_MAXUINT64 - start);

  while (start < limit) {
    guint64 end = limit;
    const PenTenure *tenure = pen_sweep_find_kernel_run (sweep, start, &end);

    if (tenure)
      pen_patches_add (&self->patches, poke->moment, pen_history_get_place (self, tenure), start,
                       end);
    start = end;
  }
}

static gboolean
resolve_pokes (PenHistory *self, PenCancelCheck *check)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new (self);

  pen_sweep_set_func (sweep, check->func, check->user_data);
  for (guint i = 0; i < self->pokes->len; i++) {
    PenPoke *poke = &g_array_index (self->pokes, PenPoke, i);
    const PenTenure *tenure;

    pen_sweep_advance (sweep, poke->moment);
    tenure = pen_sweep_find_kernel (sweep, poke->address, NULL);
    poke->id = i + 1;
    poke->tenure = tenure ? tenure->id : 0;
    poke->comm = pen_sweep_find_comm (sweep, poke->tid);
    if (poke->effect == PEN_POKE_PATCH)
      spread_patch (self, sweep, poke);
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  /* The sweep may have stood still since the last look. */
  return pen_cancel_check_steps (check, PEN_CANCEL_CHECK_STEPS);
}

/* Patches come in the order of their pokes, so each poke's own are those up to its moment. */
static void
count_poke_revisions (PenHistory *self)
{
  g_autofree guint32 *revisions = g_new0 (guint32, self->patches.n_edges);
  GArray *patches = self->patches.patches;
  guint applied = 0;

  for (guint i = 0; i < self->pokes->len; i++) {
    PenPoke *poke = &g_array_index (self->pokes, PenPoke, i);
    guint32 edge;

    for (; applied < patches->len; applied++) {
      const PenPatch *patch = &g_array_index (patches, PenPatch, applied);

      if (pen_moment_compare (patch->moment, poke->moment) > 0)
        break;
      pen_patches_apply (patch, revisions);
    }
    if (poke->tenure == 0)
      continue;
    edge = pen_patches_find_edge (
        &self->patches, pen_history_get_place (self, pen_history_get_tenure (self, poke->tenure)),
        poke->address);
    poke->revision = edge == PEN_PATCHES_NONE ? 0 : revisions[edge];
  }
}

gboolean
pen_history_seal (PenHistory *self, PenHistoryFunc func, gpointer user_data)
{
  PenCancelCheck check = { .func = func, .user_data = user_data };

  g_return_val_if_fail (!self->is_sealed, FALSE);

  pen_pid_set_seal (&self->pids);
  pen_tasks_begin (&self->tasks);
  if (!pen_events_sort (&self->events, &check) || !apply_events (self, &check)
      || !pen_unknown_text_add (self, &check))
    return FALSE;
  pen_events_clear (&self->events);
  self->is_sealed = TRUE;

  pen_tasks_finish (&self->tasks);
  forget_ids (self);
  if (!pen_tenure_builder_finish (&self->builder, &check) || !number_tenures (self)
      || !pen_planes_init (&self->planes, self->builder.tenures, self->builder.parts,
                           self->spaces->len, &check)
      || !list_part_begins (self, &check) || !list_space_changes (self, &check))
    return FALSE;

  pen_losses_sort (self->losses);
  pen_losses_mark (self->losses, self->builder.tenures);

  if (!resolve_pokes (self, &check)
      || !pen_patches_finish (&self->patches, self->builder.tenures->len, &check))
    return FALSE;
  count_poke_revisions (self);
  return TRUE;
}

/* ---- changes without a record ---- */

static int
compare_pokes (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return pen_moment_compare (((const PenPoke *) a)->moment, ((const PenPoke *) b)->moment);
}

gboolean
pen_history_add_unannounced (PenHistory *self, const GPtrArray *pokes, PenHistoryFunc func,
                             gpointer user_data)
{
  PenCancelCheck check = { .func = func, .user_data = user_data };

  g_return_val_if_fail (self->is_sealed, FALSE);

  for (guint i = 0; i < pokes->len; i++) {
    PenPoke poke = *(const PenPoke *) pokes->pdata[i];

    poke.old_bytes = pen_history_copy_bytes (self, poke.old_bytes, poke.old_length);
    poke.new_bytes = pen_history_copy_bytes (self, poke.new_bytes, poke.new_length);
    /* Of text that nobody is known to hold the holder may have changed: that is no patch. */
    poke.effect = pen_history_get_tenure (self, poke.tenure)->layer == PEN_LAYER_POKE
                      ? PEN_POKE_SAME
                      : pen_patches_get_effect (&poke);
    poke.cause = PEN_CAUSE_UNANNOUNCED;
    poke.confidence = PEN_CONFIDENCE_CERTAIN;
    poke.function = PEN_POKE_NO_FUNCTION;
    g_array_append_val (self->pokes, poke);
  }
  pen_patches_clear (&self->patches);
  self->patches = (PenPatches){ 0 };
  pen_patches_init (&self->patches);
  if (!pen_cancel_check_sort (&check, self->pokes->data, self->pokes->len, sizeof (PenPoke),
                              compare_pokes, NULL)
      || !resolve_pokes (self, &check)
      || !pen_patches_finish (&self->patches, self->builder.tenures->len, &check))
    return FALSE;
  count_poke_revisions (self);
  return TRUE;
}
