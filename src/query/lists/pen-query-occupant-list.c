/* pen-query-occupant-list.c: who held text, each with its life, samples and changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-occupant-list.h"

#include "pen-binary-search.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-occupant-count.h"
#include "pen-program-words.h"
#include "pen-query-cells.h"
#include "pen-query-private.h"
#include "pen-sample-count.h"
#include "pen-store-programs.h"
#include "pen-table-hash.h"

/* Where tenures of the kernel's space are looked for by address. */
#define PAGE_SHIFT 12
/* A larger occupant is no program or stub: it is not searched. */
#define PAGES_MAX 64

typedef struct {
  PenQuery *query;
  GPtrArray *rows;
  GHashTable *files;    /* kind and name → row: those of processes */
  GHashTable *programs; /* id → PenStoredBpfProgram */
  GHashTable *spaces;   /* row and space */
  GHashTable *pages;    /* page → GArray of indexes of rows, by from */
  PenAmount total;
} Build;

static void
build_clear (Build *build)
{
  g_clear_pointer (&build->rows, g_ptr_array_unref);
  g_clear_pointer (&build->files, g_hash_table_unref);
  g_clear_pointer (&build->programs, g_hash_table_unref);
  g_clear_pointer (&build->spaces, g_hash_table_unref);
  g_clear_pointer (&build->pages, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

static void
free_row (gpointer data)
{
  PenOccupantRow *row = data;

  g_free (row->occupant);
  g_free (row->detail);
  g_free (row->next);
  g_array_unref (row->lives);
  g_free (row);
}

/* ---- rows ---- */

static char *
describe_program (const Build *build, const PenTenure *tenure)
{
  const PenStoredBpfProgram *program
      = g_hash_table_lookup (build->programs, GUINT_TO_POINTER (tenure->bpf_id));
  g_autoptr (GString) tag = g_string_new (NULL);
  const char *type;

  if (tenure->bpf_id == 0)
    return NULL;
  for (guint i = 0; i < sizeof tenure->bpf_tag; i++)
    g_string_append_printf (tag, "%02x", tenure->bpf_tag[i]);
  type = program ? pen_bpf_type_title (program->type) : NULL;
  if (!type)
    return g_strdup_printf (_ ("id %u, tag %s"), tenure->bpf_id, tag->str);
  return g_strdup_printf (_ ("%s, id %u, tag %s"), type, tenure->bpf_id, tag->str);
}

static PenOccupantRow *
add_row (Build *build, const PenTenure *tenure)
{
  PenOccupantRow *row = g_new0 (PenOccupantRow, 1);

  row->kind = tenure->kind;
  row->occupant = g_strdup (tenure->occupant);
  row->lives = g_array_new (FALSE, FALSE, sizeof (PenLife));
  row->evidence = pen_tenure_get_evidence (tenure, tenure->start, tenure->from, tenure->to);
  g_ptr_array_add (build->rows, row);
  return row;
}

/* Tenures come by from: a life that touches the last one lengthens it. */
static void
add_life (PenOccupantRow *row, const PenTenure *tenure)
{
  PenLife life = { tenure->from.time, tenure->to.time };
  PenLife *last
      = row->lives->len > 0 ? &g_array_index (row->lives, PenLife, row->lives->len - 1) : NULL;

  if (last && life.from <= last->to)
    last->to = MAX (last->to, life.to);
  else
    g_array_append_val (row->lives, life);
}

static char *
make_key (PenKind kind, const char *occupant)
{
  return g_strdup_printf ("%d %s", kind, occupant);
}

static PenOccupantRow *
get_file_row (Build *build, const PenTenure *tenure)
{
  g_autofree char *key = make_key (tenure->kind, tenure->occupant);
  PenOccupantRow *row = g_hash_table_lookup (build->files, key);
  g_autofree char *space = NULL;

  if (!row) {
    row = add_row (build, tenure);
    g_hash_table_insert (build->files, g_strdup (key), row);
  }
  space = g_strdup_printf ("%u %s", tenure->space, key);
  if (g_hash_table_add (build->spaces, g_steal_pointer (&space)))
    row->n_spaces++;
  return row;
}

static void
note_pages (Build *build, guint index)
{
  const PenOccupantRow *row = build->rows->pdata[index];
  guint64 first = row->start >> PAGE_SHIFT;
  guint64 last = (row->end - 1) >> PAGE_SHIFT;

  if (row->end <= row->start || last - first >= PAGES_MAX)
    return;
  for (guint64 page = first; page <= last; page++) {
    GArray *indexes = g_hash_table_lookup (build->pages, &page);

    if (!indexes) {
      indexes = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (build->pages, g_memdup2 (&page, sizeof page), indexes);
    }
    g_array_append_val (indexes, index);
  }
}

static gboolean
add_tenure (const PenTenure *tenure, guint64 samples, guint64 period, guint64 changes,
            gpointer user_data)
{
  Build *build = user_data;
  PenOccupantRow *row;

  if (tenure->space == PEN_SPACE_KERNEL) {
    row = add_row (build, tenure);
    row->tenure = tenure->id;
    row->source = pen_tenure_get_source (tenure, tenure->start);
    row->inferred_from = pen_tenure_get_inferred_from (tenure);
    row->bpf_id = tenure->bpf_id;
    row->start = tenure->start;
    row->end = tenure->end;
    row->detail = describe_program (build, tenure);
    note_pages (build, build->rows->len - 1);
  } else {
    row = get_file_row (build, tenure);
  }
  add_life (row, tenure);
  row->samples += samples;
  row->period += period;
  row->changes += changes;
  row->evidence = MIN (row->evidence,
                       pen_tenure_get_evidence (tenure, tenure->start, tenure->from, tenure->to));
  row->is_unverified |= pen_query_is_unverified (tenure, tenure->to);
  return TRUE;
}

/* ---- who came next ---- */

static const PenLife *
get_life (const PenOccupantRow *row)
{
  return &g_array_index (row->lives, PenLife, 0);
}

static const PenOccupantRow *
get_row (const Build *build, const GArray *indexes, guint i)
{
  return build->rows->pdata[g_array_index (indexes, guint, i)];
}

/* The first in a page that came once @row had gone, and lies on any of its bytes. */
static const PenOccupantRow *
find_next_in (const Build *build, const GArray *indexes, const PenOccupantRow *row)
{
  guint64 gone = get_life (row)->to;
  guint low
      = PEN_BINARY_SEARCH (i, 0, indexes->len, get_life (get_row (build, indexes, i))->from < gone);

  for (; low < indexes->len; low++) {
    const PenOccupantRow *other = get_row (build, indexes, low);

    if (other != row && other->start < row->end && other->end > row->start)
      return other;
  }
  return NULL;
}

static void
find_next (const Build *build, PenOccupantRow *row)
{
  const PenOccupantRow *next = NULL;
  guint64 first = row->start >> PAGE_SHIFT;
  guint64 last = row->end > 0 ? (row->end - 1) >> PAGE_SHIFT : 0;

  if (row->end <= row->start || last - first >= PAGES_MAX || get_life (row)->to == G_MAXUINT64)
    return;
  for (guint64 page = first; page <= last; page++) {
    const GArray *indexes = g_hash_table_lookup (build->pages, &page);
    const PenOccupantRow *found = indexes ? find_next_in (build, indexes, row) : NULL;

    if (found && (!next || get_life (found)->from < get_life (next)->from))
      next = found;
  }
  if (!next)
    return;
  row->next = g_strdup (next->occupant);
  row->next_time = get_life (next)->from;
}

/* ---- its busiest function ---- */

/* Each load of a program is a function of its own. */
static gboolean
has_own_functions (PenKind kind)
{
  return kind == PEN_KIND_BPF || kind == PEN_KIND_STUB;
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenOccupantRow *x = *(const PenOccupantRow *const *) a;
  const PenOccupantRow *y = *(const PenOccupantRow *const *) b;

  return x->start < y->start ? -1 : x->start > y->start;
}

static void
open_function (const Build *build, GHashTable *open, const PenFunctionRange *range)
{
  const PenFunction *function = &build->query->functions[range->function];
  g_autofree char *key = NULL;
  GArray *ranges;

  if (!has_own_functions (function->kind))
    return;
  key = make_key (function->kind, function->occupant);
  ranges = g_hash_table_lookup (open, key);
  if (!ranges) {
    ranges = g_array_new (FALSE, FALSE, sizeof (PenFunctionRange));
    g_hash_table_insert (open, g_steal_pointer (&key), ranges);
  }
  g_array_append_val (ranges, *range);
}

/* The last of its name that began, of those that hold its first byte. What ends before it ends
 * before all rows after it, too. */
static void
take_open_function (const Build *build, GHashTable *open, PenOccupantRow *row)
{
  g_autofree char *key = make_key (row->kind, row->occupant);
  GArray *ranges = g_hash_table_lookup (open, key);
  const PenFunctionRange *last = NULL;

  while (ranges && ranges->len > 0) {
    last = &g_array_index (ranges, PenFunctionRange, ranges->len - 1);
    if (last->end > row->start)
      break;
    g_array_set_size (ranges, ranges->len - 1);
  }
  if (!ranges || ranges->len == 0)
    return;
  row->has_function = TRUE;
  row->function = build->query->functions[last->function].id;
}

/* Thousands of programs and functions may be at one address: rows and functions are gone through
 * side by side, by address. */
static gboolean
tell_own_functions (const Build *build, GError **error)
{
  g_autoptr (GHashTable) open
      = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  const PenFunctionRange *ranges = (const PenFunctionRange *) build->query->ranges->data;
  guint next = 0;

  for (guint i = 0; i < build->rows->len; i++) {
    const PenOccupantRow *row = build->rows->pdata[i];

    if (has_own_functions (row->kind))
      g_ptr_array_add (rows, build->rows->pdata[i]);
  }
  g_ptr_array_sort (rows, compare_starts);
  for (guint i = 0; i < rows->len; i++) {
    PenOccupantRow *row = rows->pdata[i];

    for (; next < build->query->ranges->len && ranges[next].start <= row->start; next++) {
      if (!pen_store_steps_on (build->query->store, next, error))
        return FALSE;
      open_function (build, open, &ranges[next]);
    }
    if (!pen_store_steps_on (build->query->store, i, error))
      return FALSE;
    take_open_function (build, open, row);
  }
  return TRUE;
}

static guint64
weigh_function (const Build *build, const PenFunction *function)
{
  return pen_amount_get (pen_amount (build->query, function->samples, function->period));
}

/* Functions by name; where occupants have many, the one with most samples of that name, or most
 * time off CPU. Returns: NULL: cancelled */
static GHashTable *
list_busiest (const Build *build, GError **error)
{
  g_autoptr (GHashTable) busiest = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < build->query->n_functions; i++) {
    const PenFunction *function = &build->query->functions[i];
    g_autofree char *key = make_key (function->kind, function->occupant);
    const PenFunction *before = g_hash_table_lookup (busiest, key);

    if (!pen_store_steps_on (build->query->store, i, error))
      return NULL;
    if (function->length > 0
        && (!before || weigh_function (build, function) > weigh_function (build, before)))
      g_hash_table_insert (busiest, g_steal_pointer (&key), (gpointer) function);
  }
  return g_steal_pointer (&busiest);
}

static void
tell_function (GHashTable *busiest, PenOccupantRow *row)
{
  g_autofree char *key = make_key (row->kind, row->occupant);
  const PenFunction *function = g_hash_table_lookup (busiest, key);

  if (row->has_function || !function)
    return;
  row->has_function = TRUE;
  row->function = function->id;
}

/* ---- all ---- */

static guint64
weigh (PenQuery *query, const PenOccupantRow *row)
{
  return pen_amount_get (pen_amount (query, row->samples, row->period));
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer query)
{
  const PenOccupantRow *x = *(const PenOccupantRow *const *) a;
  const PenOccupantRow *y = *(const PenOccupantRow *const *) b;

  guint64 weight_x = weigh (query, x);
  guint64 weight_y = weigh (query, y);

  if (weight_x != weight_y)
    return weight_x > weight_y ? -1 : 1;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (get_life (x)->from != get_life (y)->from)
    return get_life (x)->from < get_life (y)->from ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

static gboolean
load_programs (Build *build, GError **error)
{
  g_autoptr (GArray) programs = pen_store_load_bpf_programs (build->query->store, error);

  for (guint i = 0; programs && i < programs->len; i++) {
    const PenStoredBpfProgram *program = &g_array_index (programs, PenStoredBpfProgram, i);

    g_hash_table_insert (build->programs, GUINT_TO_POINTER (program->id),
                         g_memdup2 (program, sizeof *program));
  }
  return programs != NULL;
}

static gboolean
finish_rows (const Build *build, GError **error)
{
  g_autoptr (GHashTable) busiest = list_busiest (build, error);
  guint64 total = pen_amount_get (build->total);

  if (!busiest || !tell_own_functions (build, error))
    return FALSE;
  for (guint i = 0; i < build->rows->len; i++) {
    PenOccupantRow *row = build->rows->pdata[i];

    if (!pen_store_steps_on (build->query->store, i, error))
      return FALSE;
    row->share = total > 0 ? (double) weigh (build->query, row) / (double) total : 0;
    find_next (build, row);
    tell_function (busiest, row);
  }
  g_ptr_array_sort_with_data (build->rows, compare_rows, build->query);
  return TRUE;
}

/* All but that of the rows. */
static PenAmount
count_elsewhere (const Build *build)
{
  PenAmount rest = build->total;

  for (guint i = 0; i < build->rows->len; i++) {
    const PenOccupantRow *row = build->rows->pdata[i];

    rest.n -= MIN (rest.n, row->samples);
    rest.period -= MIN (rest.period, row->period);
  }
  return rest;
}

GPtrArray *
pen_query_occupants (PenQuery *self, const PenFilter *filter, PenAmount *elsewhere, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_auto (Build) build = { .query = self };

  if (!matcher || !pen_query_count_amount (self, matcher, &build.total, error))
    return NULL;
  build.rows = g_ptr_array_new_with_free_func (free_row);
  build.files = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  build.programs = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  build.spaces = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  build.pages = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free,
                                       (GDestroyNotify) g_array_unref);
  if (!load_programs (&build, error)
      || !pen_query_foreach_occupant (self, matcher, add_tenure, &build, error)
      || !finish_rows (&build, error))
    return NULL;
  if (elsewhere)
    *elsewhere = count_elsewhere (&build);
  return g_steal_pointer (&build.rows);
}
