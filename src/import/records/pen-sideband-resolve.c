/* pen-sideband-resolve.c: the order of all changes, and the tenure of each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sideband-private.h"

#include "pen-binary-search.h"
#include "pen-cancel-check.h"
#include "pen-compare.h"

#define PROGRESS_STEP 4096

static gboolean
sort_array (GArray *array, GCompareDataFunc compare, PenCancelCheck *check)
{
  return pen_cancel_check_sort (check, array->data, array->len, g_array_get_element_size (array),
                                compare, NULL);
}

static int
compare_ksymbols (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return pen_moment_compare (((const PenKsymbolEvent *) a)->origin.moment,
                             ((const PenKsymbolEvent *) b)->origin.moment);
}

/* Snapshot maps share a position: they stay in the order in which they were added. */
static int
compare_maps (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Map *x = a;
  const Map *y = b;
  int order = pen_moment_compare (x->origin.moment, y->origin.moment);

  return order != 0 ? order : (x->start > y->start) - (x->start < y->start);
}

/* The number of the next change. @numbers: (nullable): of the kernel's; @n_known: of these are
 * numbered */
typedef struct {
  GArray *numbers;
  guint n_known;
  guint kernel;
  guint32 last;
} Numbers;

static guint32
take_number (Numbers *self, gboolean is_kernel)
{
  if (!self->numbers || !is_kernel)
    return ++self->last;
  if (self->kernel < self->n_known)
    return g_array_index (self->numbers, guint32, self->kernel++);
  self->kernel++;
  self->last++;
  g_array_append_val (self->numbers, self->last);
  return self->last;
}

/* Numbers all changes in the order of their moments. Returns: FALSE: stopped */
static gboolean
number_changes (PenSideband *self, PenSidebandRows *rows, PenCancelCheck *check)
{
  Numbers numbers = { .numbers = rows ? rows->changes : NULL,
                      .n_known = rows ? rows->changes->len : 0,
                      .last = rows ? rows->last_change : 0 };
  guint n_pokes;
  PenPoke *pokes = pen_history_get_pokes (self->history, &n_pokes);
  guint n = n_pokes + self->maps->len + self->ksymbols->len;
  guint map = 0;
  guint ksymbol = 0;
  guint poke = 0;

  if (!sort_array (self->maps, compare_maps, check)
      || !sort_array (self->ksymbols, compare_ksymbols, check))
    return FALSE;

  for (guint i = 0; i < n; i++) {
    Map *next_map = map < self->maps->len ? &g_array_index (self->maps, Map, map) : NULL;
    PenKsymbolEvent *next_ksymbol = ksymbol < self->ksymbols->len
                                        ? &g_array_index (self->ksymbols, PenKsymbolEvent, ksymbol)
                                        : NULL;
    PenMoment map_moment = next_map ? next_map->origin.moment : PEN_MOMENT_END;
    PenMoment ksymbol_moment = next_ksymbol ? next_ksymbol->origin.moment : PEN_MOMENT_END;
    PenMoment poke_moment = poke < n_pokes ? pokes[poke].moment : PEN_MOMENT_END;

    if (next_map && pen_moment_compare (map_moment, ksymbol_moment) <= 0
        && pen_moment_compare (map_moment, poke_moment) <= 0) {
      next_map->change = take_number (&numbers, next_map->is_kernel);
      map++;
    } else if (next_ksymbol && pen_moment_compare (ksymbol_moment, poke_moment) <= 0) {
      next_ksymbol->change = take_number (&numbers, TRUE);
      ksymbol++;
    } else {
      pokes[poke++].change = take_number (&numbers, TRUE);
    }
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  if (rows)
    rows->last_change = numbers.last;
  return TRUE;
}

/* A tenure begins or ends with the record at a position of the stream; no other record has it. */
typedef struct {
  guint64 position;
  guint64 start;
} Bound;

static int
compare_bounds (Bound a, Bound b)
{
  int order = PEN_COMPARE (a.position, b.position);

  return order != 0 ? order : PEN_COMPARE (a.start, b.start);
}

static Bound
get_begin (const PenTenure *tenure)
{
  return (Bound){ tenure->from.position, tenure->start };
}

static Bound
get_end (const PenTenure *tenure)
{
  return (Bound){ tenure->to.position, tenure->start };
}

static Bound
get_map_bound (const Map *map)
{
  return (Bound){ map->origin.moment.position, map->start };
}

/* Indexes of tenures, or of maps, by bound: a hash of them would take as much as they do. */
typedef struct {
  gconstpointer items; /* PenTenure, or Map */
  Bound (*get) (gconstpointer items, guint32 index);
  GArray *order; /* guint32 */
} Bounds;

static Bound
get_begin_of (gconstpointer tenures, guint32 index)
{
  return get_begin ((const PenTenure *) tenures + index);
}

static Bound
get_end_of (gconstpointer tenures, guint32 index)
{
  return get_end ((const PenTenure *) tenures + index);
}

static Bound
get_bound_of_map (gconstpointer maps, guint32 index)
{
  return get_map_bound ((const Map *) maps + index);
}

static int
compare_indexes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Bounds *bounds = user_data;

  return compare_bounds (bounds->get (bounds->items, *(const guint32 *) a),
                         bounds->get (bounds->items, *(const guint32 *) b));
}

static void
bounds_init (Bounds *self, gconstpointer items, Bound (*get) (gconstpointer items, guint32 index))
{
  *self = (Bounds){ items, get, g_array_new (FALSE, FALSE, sizeof (guint32)) };
}

static void
bounds_clear (Bounds *self)
{
  g_clear_pointer (&self->order, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bounds, bounds_clear)

/* Equal ones stay in their order. Returns: FALSE: stopped */
static gboolean
bounds_sort (Bounds *self, PenCancelCheck *check)
{
  return pen_cancel_check_sort (check, self->order->data, self->order->len, sizeof (guint32),
                                compare_indexes, self);
}

/* Returns: the first index at @bound; G_MAXUINT32: none */
static guint32
bounds_find (const Bounds *self, Bound bound)
{
  const guint32 *order = (const guint32 *) (gpointer) self->order->data;
  guint low = PEN_BINARY_SEARCH (i, 0, self->order->len,
                                 compare_bounds (self->get (self->items, order[i]), bound) < 0);

  return low < self->order->len && compare_bounds (self->get (self->items, order[low]), bound) == 0
             ? order[low]
             : G_MAXUINT32;
}

/* Returns: an id; 0: none */
static guint32
bounds_find_tenure (const Bounds *self, Bound bound)
{
  guint32 index = bounds_find (self, bound);

  return index == G_MAXUINT32 ? 0 : ((const PenTenure *) self->items)[index].id;
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
resolve_ksymbol (PenSideband *self, PenKsymbolEvent *ksymbol, const Bounds *begins,
                 const Bounds *ends)
{
  PenMoment moment = ksymbol->origin.moment;
  const Bounds *bounds = ksymbol->is_unregister ? ends : begins;

  ksymbol->tenure = bounds_find_tenure (bounds, (Bound){ moment.position, ksymbol->address });
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
    .origin = { .moment = tenure->from, .cpu = G_MAXUINT32, .has_time = tenure->from.time != 0 },
    .is_kernel = TRUE,
    .pid = -1,
    .tid = -1,
    .start = tenure->start,
    .length = tenure->end - tenure->start,
    .name = tenure->name,
    .evidence = (guint8) tenure->evidence,
    .tenure = tenure->id,
  };

  g_array_append_val (self->maps, map);
}

/* Returns: FALSE: stopped */
static gboolean
find_unmapped (PenSideband *self, const PenTenure *tenures, guint n, PenCancelCheck *check)
{
  g_autoptr (GArray) unmapped = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (Bounds) mapped;

  bounds_init (&mapped, self->maps->data, get_bound_of_map);
  for (guint32 i = 0; i < self->maps->len; i++)
    if (g_array_index (self->maps, Map, i).is_kernel)
      g_array_append_val (mapped.order, i);
  if (!bounds_sort (&mapped, check))
    return FALSE;

  for (guint32 i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];

    if (tenure->space != PEN_SPACE_KERNEL || tenure->layer != PEN_LAYER_MAP
        || tenure->kind != PEN_KIND_MODULE)
      continue;
    self->unmapped_modules += tenure->evidence != PEN_EVIDENCE_RECORDED;
    if (bounds_find (&mapped, get_begin (tenure)) == G_MAXUINT32)
      g_array_append_val (unmapped, i);
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  for (guint i = 0; i < unmapped->len; i++)
    add_unmapped (self, &tenures[g_array_index (unmapped, guint32, i)]);
  return TRUE;
}

/* @known: those of processes up to it began with maps that are left out. Returns: FALSE: stopped */
static gboolean
list_bounds (Bounds *begins, Bounds *ends, const PenTenure *tenures, guint n, guint32 known,
             PenCancelCheck *check)
{
  bounds_init (begins, tenures, get_begin_of);
  bounds_init (ends, tenures, get_end_of);
  for (guint32 i = 0; i < n; i++) {
    if (tenures[i].id <= known && tenures[i].space != PEN_SPACE_KERNEL)
      continue;
    g_array_append_val (begins->order, i);
    if (tenures[i].layer == PEN_LAYER_KSYMBOL)
      g_array_append_val (ends->order, i);
  }
  return bounds_sort (begins, check) && bounds_sort (ends, check);
}

static gboolean
may_go_on (gpointer user_data)
{
  PenProgress *progress = user_data;

  return pen_progress_step (progress, 0, NULL);
}

gboolean
pen_sideband_resolve (PenSideband *self, PenSidebandRows *rows, PenProgress *progress,
                      GError **error)
{
  g_auto (Bounds) begins = { 0 };
  g_auto (Bounds) ends = { 0 };
  PenCancelCheck check = { .func = may_go_on, .user_data = progress };
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (self->history, &n);

  if (!find_unmapped (self, tenures, n, &check) || !number_changes (self, rows, &check)
      || !list_bounds (&begins, &ends, tenures, n, rows ? rows->tenures : 0, &check))
    return !g_cancellable_set_error_if_cancelled (progress->cancellable, error);

  for (guint i = 0; i < self->maps->len; i++) {
    Map *map = &g_array_index (self->maps, Map, i);

    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, 0, error))
      return FALSE;
    if (!map->is_data && map->tenure == 0)
      map->tenure = bounds_find_tenure (&begins, get_map_bound (map));
  }

  for (guint i = 0; i < self->ksymbols->len; i++) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, 0, error))
      return FALSE;
    resolve_ksymbol (self, &g_array_index (self->ksymbols, PenKsymbolEvent, i), &begins, &ends);
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
    const Map *map = &g_array_index (self->maps, Map, i);

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
