/* pen-sideband-resolve.c: the order of all changes, and the tenure of each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sideband-private.h"

#include "pen-table-hash.h"

#define PROGRESS_STEP 4096

static int
compare_ksymbols (gconstpointer a, gconstpointer b)
{
  return pen_moment_compare (((const PenKsymbolEvent *) a)->origin.moment,
                             ((const PenKsymbolEvent *) b)->origin.moment);
}

/* Snapshot maps share a position: they stay in the order in which they were added. */
static int
compare_maps (gconstpointer a, gconstpointer b)
{
  const PenMapEvent *x = &((const Map *) a)->event;
  const PenMapEvent *y = &((const Map *) b)->event;
  int order = pen_moment_compare (x->origin.moment, y->origin.moment);

  return order != 0 ? order : (x->start > y->start) - (x->start < y->start);
}

/* Numbers all changes in the order of their moments. */
static void
number_changes (PenSideband *self)
{
  guint n_pokes;
  PenPoke *pokes = pen_history_get_pokes (self->history, &n_pokes);
  guint n = n_pokes + self->maps->len + self->ksymbols->len;
  guint map = 0;
  guint ksymbol = 0;
  guint poke = 0;

  g_array_sort (self->maps, compare_maps);
  g_array_sort (self->ksymbols, compare_ksymbols);

  for (guint32 change = 1; change <= n; change++) {
    PenMapEvent *next_map
        = map < self->maps->len ? &g_array_index (self->maps, Map, map).event : NULL;
    PenKsymbolEvent *next_ksymbol = ksymbol < self->ksymbols->len
                                        ? &g_array_index (self->ksymbols, PenKsymbolEvent, ksymbol)
                                        : NULL;
    PenMoment map_moment = next_map ? next_map->origin.moment : PEN_MOMENT_END;
    PenMoment ksymbol_moment = next_ksymbol ? next_ksymbol->origin.moment : PEN_MOMENT_END;
    PenMoment poke_moment = poke < n_pokes ? pokes[poke].moment : PEN_MOMENT_END;

    if (next_map && pen_moment_compare (map_moment, ksymbol_moment) <= 0
        && pen_moment_compare (map_moment, poke_moment) <= 0) {
      next_map->change = change;
      map++;
    } else if (next_ksymbol && pen_moment_compare (ksymbol_moment, poke_moment) <= 0) {
      next_ksymbol->change = change;
      ksymbol++;
    } else {
      pokes[poke++].change = change;
    }
  }
}

/* A tenure begins or ends with the record at a position of the stream; no other record has it. */
typedef struct {
  guint64 position;
  guint64 start;
} Bound;

static guint
bound_hash (gconstpointer data)
{
  const Bound *bound = data;

  return pen_data_hash (bound, sizeof *bound);
}

static gboolean
bound_equal (gconstpointer a, gconstpointer b)
{
  const Bound *x = a;
  const Bound *y = b;

  return x->position == y->position && x->start == y->start;
}

static void
bound_insert (GHashTable *bounds, guint64 position, const PenTenure *tenure)
{
  Bound bound = { position, tenure->start };

  if (!g_hash_table_contains (bounds, &bound))
    g_hash_table_insert (bounds, g_memdup2 (&bound, sizeof bound), GUINT_TO_POINTER (tenure->id));
}

static guint32
bound_find (GHashTable *bounds, guint64 position, guint64 start)
{
  Bound bound = { position, start };

  return GPOINTER_TO_UINT (g_hash_table_lookup (bounds, &bound));
}

static guint32
find_live (PenSideband *self, guint64 address, PenMoment moment)
{
  const PenTenure *tenure
      = pen_history_find (self->history, PEN_SPACE_KERNEL, address, moment, NULL);

  return tenure ? tenure->id : 0;
}

/* A register of what is there already (K2) began nothing, and an unregister may have had nothing
 * to end: then what stands there just after, or just before, it is meant. */
static void
resolve_ksymbol (PenSideband *self, PenKsymbolEvent *ksymbol, GHashTable *begins, GHashTable *ends)
{
  PenMoment moment = ksymbol->origin.moment;
  GHashTable *bounds = ksymbol->is_unregister ? ends : begins;

  ksymbol->tenure = bound_find (bounds, moment.position, ksymbol->address);
  if (ksymbol->tenure != 0 || ksymbol->length == 0)
    return;

  if (!ksymbol->is_unregister)
    moment.position++;
  ksymbol->tenure = find_live (self, ksymbol->address, moment);
}

/* Stays of modules that follow from snapshots and loads begin with no record: each is a map, too,
 * among the changes. */
static void
add_unmapped (PenSideband *self, const PenTenure *tenure)
{
  Map map = {
    .event = {
      .origin = { .moment = tenure->from, .time = tenure->from.time, .cpu = G_MAXUINT32 },
      .is_kernel = TRUE,
      .pid = -1,
      .tid = -1,
      .start = tenure->start,
      .length = tenure->end - tenure->start,
      .name = tenure->name,
      .evidence = tenure->evidence,
      .tenure = tenure->id,
    },
  };

  map.event.origin.has_time = tenure->from.time != 0;
  g_array_append_val (self->maps, map);
}

static void
find_unmapped (PenSideband *self, const PenTenure *tenures, guint n)
{
  g_autoptr (GHashTable) mapped = g_hash_table_new_full (bound_hash, bound_equal, g_free, NULL);

  for (guint i = 0; i < self->maps->len; i++) {
    const PenMapEvent *map = &g_array_index (self->maps, Map, i).event;
    Bound bound = { map->origin.moment.position, map->start };

    if (map->is_kernel)
      g_hash_table_add (mapped, g_memdup2 (&bound, sizeof bound));
  }
  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    Bound bound = { tenure->from.position, tenure->start };

    if (tenure->space != PEN_SPACE_KERNEL || tenure->layer != PEN_LAYER_MAP
        || tenure->kind != PEN_KIND_MODULE)
      continue;
    self->unmapped_modules += tenure->evidence != PEN_EVIDENCE_RECORDED;
    if (!g_hash_table_contains (mapped, &bound))
      add_unmapped (self, tenure);
  }
}

gboolean
pen_sideband_resolve (PenSideband *self, PenProgress *progress, GError **error)
{
  g_autoptr (GHashTable) begins = g_hash_table_new_full (bound_hash, bound_equal, g_free, NULL);
  g_autoptr (GHashTable) ends = g_hash_table_new_full (bound_hash, bound_equal, g_free, NULL);
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (self->history, &n);

  find_unmapped (self, tenures, n);
  number_changes (self);

  for (guint i = 0; i < n; i++) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, 0, error))
      return FALSE;
    bound_insert (begins, tenures[i].from.position, &tenures[i]);
    if (tenures[i].layer == PEN_LAYER_KSYMBOL)
      bound_insert (ends, tenures[i].to.position, &tenures[i]);
  }

  for (guint i = 0; i < self->maps->len; i++) {
    PenMapEvent *map = &g_array_index (self->maps, Map, i).event;

    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, 0, error))
      return FALSE;
    if (!map->is_data && map->tenure == 0)
      map->tenure = bound_find (begins, map->origin.moment.position, map->start);
  }

  for (guint i = 0; i < self->ksymbols->len; i++) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, 0, error))
      return FALSE;
    resolve_ksymbol (self, &g_array_index (self->ksymbols, PenKsymbolEvent, i), begins, ends);
  }
  return TRUE;
}

static void
append_change (GArray *changes, guint32 tenure, guint64 start, guint64 length)
{
  PenSidebandChange change = {
    .tenure = tenure,
    .start = start,
    .end = start + MIN (length, G_MAXUINT64 - start),
  };

  g_array_append_val (changes, change);
}

GArray *
pen_sideband_get_kernel_changes (PenSideband *self)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (PenSidebandChange));

  for (guint i = 0; i < self->maps->len; i++) {
    const PenMapEvent *map = &g_array_index (self->maps, Map, i).event;

    if (map->is_kernel && !map->is_data && map->origin.moment.time != 0)
      append_change (changes, map->tenure, map->start, map->length);
  }

  for (guint i = 0; i < self->ksymbols->len; i++) {
    const PenKsymbolEvent *ksymbol = &g_array_index (self->ksymbols, PenKsymbolEvent, i);

    if (ksymbol->origin.moment.time != 0)
      append_change (changes, ksymbol->tenure, ksymbol->address, ksymbol->length);
  }
  return changes;
}
