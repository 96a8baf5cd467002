/* pen-program-cost.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-program-cost.h"

#include <math.h>
#include <string.h>

#include "pen-query-occupants.h"
#include "pen-query-private.h"
#include "pen-store-occupants.h"
#include "pen-store-programs.h"
#include "pen-table-hash.h"

/* Programs of one stack: more do not call each other. */
#define MOST_PROGRAMS 32

/*
 * @rows: of each BPF tenure: its row, plus one
 * @by_id: the same of each program's id
 * @links: of each callchain: the nearest one, of it and its callers, whose frame is a program; 0:
 *   none
 * @link_rows: of such a callchain: the row
 */
typedef struct {
  PenQuery *query;
  PenStackIndex *index;
  PenCostTable *table;
  GHashTable *rows;
  GHashTable *by_id;
  guint32 *links;
  guint32 *link_rows;
  guint32 *parents;
  GError *error;
} Programs;

/* ---- loads ---- */

/* "bpf_prog_8a80def6a098fcba_raw_a": the name follows the tag; a program without a name has none.
 */
static const char *
get_name (const char *occupant)
{
  static const char prefix[] = "bpf_prog_";
  const char *end;

  if (!occupant || !g_str_has_prefix (occupant, prefix))
    return occupant;
  end = strchr (occupant + sizeof prefix - 1, '_');
  return end ? end + 1 : occupant;
}

typedef struct {
  const char *occupant;
  guint32 function;
} Wanted;

/* Each load of a program is a function of its own. */
static void
find_function (const PenFunction *function, gpointer user_data)
{
  Wanted *wanted = user_data;

  if (function->kind == PEN_KIND_BPF && g_strcmp0 (function->occupant, wanted->occupant) == 0)
    wanted->function = function->id;
}

static guint32
get_function (PenQuery *query, const PenTenure *tenure)
{
  Wanted wanted = { tenure->occupant, G_MAXUINT32 };

  pen_query_foreach_function_in (query, tenure->start, tenure->start + 1, find_function, &wanted);
  return wanted.function;
}

static gboolean
add_tenure (const PenTenure *tenure, gpointer user_data)
{
  Programs *self = user_data;
  GArray *rows = self->table->rows;
  guint known = 0;
  PenCostRow *row;

  if (tenure->kind != PEN_KIND_BPF)
    return TRUE;
  if (tenure->bpf_id != 0)
    known = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_id, GUINT_TO_POINTER (tenure->bpf_id)));
  if (known == 0) {
    PenStoredBpfProgram program;

    g_array_set_size (rows, rows->len + 1);
    known = rows->len;
    row = &g_array_index (rows, PenCostRow, known - 1);
    *row = (PenCostRow){ .cause = PEN_CAUSE_BPF,
                         .function = get_function (self->query, tenure),
                         .bpf_id = tenure->bpf_id,
                         .tenure = tenure->id,
                         .name = get_name (tenure->occupant),
                         .from = tenure->from.time,
                         .to = tenure->to.time,
                         .previous = G_MAXUINT };
    if (tenure->bpf_id != 0
        && pen_store_find_bpf_program (self->query->store, tenure->bpf_id, &program, &self->error)
        && program.name[0] != '\0')
      row->name = program.name;
    if (!self->error)
      row->metadata = pen_query_describe_metadata (self->query, tenure, &self->error);
    if (self->error)
      return FALSE;
    if (tenure->bpf_id != 0)
      g_hash_table_insert (self->by_id, GUINT_TO_POINTER (tenure->bpf_id),
                           GUINT_TO_POINTER (known));
  }
  row = &g_array_index (rows, PenCostRow, known - 1);
  row->from = MIN (row->from, tenure->from.time);
  row->to = MAX (row->to, tenure->to.time);
  g_hash_table_insert (self->rows, GUINT_TO_POINTER (tenure->id), GUINT_TO_POINTER (known));
  return TRUE;
}

static guint
get_row (const Programs *self, guint32 tenure)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->rows, GUINT_TO_POINTER (tenure)));
}

/* ---- callchains ---- */

static gboolean
link_block (Programs *self, guint number, GError **error)
{
  const PenFrameColumns *frames = self->index->frames;
  guint32 first = number * PEN_BLOCK_CHAINS + 1;
  const PenChainNode *chains;
  guint n;

  if (!pen_store_goes_on (self->query->store, error)
      || !pen_store_read_chain_block (self->query->store, number, &chains, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    guint32 chain = first + i;
    guint32 frame = chains[i].frame;

    self->parents[chain] = chains[i].parent;
    self->links[chain] = self->links[chains[i].parent];
    if (frame < frames->n && frames->kind[frame] == PEN_KIND_BPF) {
      self->link_rows[chain] = get_row (self, frames->tenure[frame]);
      if (self->link_rows[chain] != 0)
        self->links[chain] = chain;
    }
  }
  return TRUE;
}

static gboolean
link_chains (Programs *self, GError **error)
{
  guint32 n = pen_store_count_chains (self->query->store);

  self->links = g_new0 (guint32, (gsize) n + 1);
  self->link_rows = g_new0 (guint32, (gsize) n + 1);
  self->parents = g_new0 (guint32, (gsize) n + 1);
  for (guint i = 0; (guint64) i * PEN_BLOCK_CHAINS < n; i++) {
    if (!link_block (self, i, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- counting ---- */

static void
add_once (guint32 *met, guint *n, guint32 row)
{
  for (guint i = 0; i < *n; i++) {
    if (met[i] == row)
      return;
  }
  if (*n < MOST_PROGRAMS)
    met[(*n)++] = row;
}

static gboolean
count_batch (const PenStackBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  Programs *self = user_data;
  PenCostTable *table = self->table;
  const PenSampleBlock *block = batch->block;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint at = batch->rows[i];
    const PenBucket *bucket = &self->query->buckets[block->bucket[at]];
    guint32 chain = block->has[at] & PEN_SAMPLE_HAS_CHAIN ? self->links[block->chain[at]] : 0;
    guint32 leaf = bucket->kind == PEN_KIND_BPF ? get_row (self, bucket->tenure) : 0;
    guint32 met[MOST_PROGRAMS] = { 0 };
    guint n = 0;

    table->total.samples++;
    table->total.period += block->period[at];
    if (leaf != 0) {
      g_array_index (table->rows, PenCostRow, leaf - 1).own
          += pen_query_is_of_waits (self->query) ? block->period[at] : 1;
      add_once (met, &n, leaf);
    }
    for (guint steps = 0; chain != 0 && steps < 2 * MOST_PROGRAMS; steps++) {
      add_once (met, &n, self->link_rows[chain]);
      chain = self->links[self->parents[chain]];
    }
    if (n == 0)
      continue;
    table->detours.samples++;
    table->detours.period += block->period[at];
    for (guint k = 0; k < n; k++) {
      PenCostRow *row = &g_array_index (table->rows, PenCostRow, met[k] - 1);

      row->count.samples++;
      row->count.period += block->period[at];
    }
  }
  return TRUE;
}

/* ---- rows ---- */

void
pen_cost_row_weigh (PenCostRow *row, const PenCostTable *table, PenQuery *query)
{
  gboolean is_of_waits = pen_query_is_of_waits (query);
  guint64 total = is_of_waits ? table->total.period : table->total.samples;
  double low, high;

  row->weight = is_of_waits ? row->count.period : row->count.samples;
  row->share = total > 0 ? (double) row->weight / (double) total : NAN;
  row->rate = row->low = row->high = NAN;
  if (!(row->seconds > 0))
    return;
  row->rate = (double) row->count.samples / row->seconds;
  if (is_of_waits)
    return;
  pen_poisson_interval (row->count.samples, &low, &high);
  row->low = low / row->seconds;
  row->high = high / row->seconds;
}

static int
compare_loads (gconstpointer a, gconstpointer b)
{
  const PenCostRow *x = a;
  const PenCostRow *y = b;
  int names = g_strcmp0 (x->name, y->name);

  if (names != 0)
    return names;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->tenure < y->tenure ? -1 : x->tenure > y->tenure;
}

/* Programs that were not there at the time asked for. */
static void
drop_rows (PenCostTable *table, guint64 from, guint64 to)
{
  for (guint i = table->rows->len; i > 0; i--) {
    const PenCostRow *row = &g_array_index (table->rows, PenCostRow, i - 1);

    if (row->count.samples == 0 && (row->to < from || row->from > to))
      g_array_remove_index_fast (table->rows, i - 1);
  }
}

static void
finish_rows (PenCostTable *table, PenQuery *query, guint64 from, guint64 to)
{
  drop_rows (table, from, to);
  g_array_sort (table->rows, compare_loads);
  for (guint i = 0; i < table->rows->len; i++) {
    PenCostRow *row = &g_array_index (table->rows, PenCostRow, i);
    const PenCostRow *before = i > 0 ? row - 1 : NULL;

    row->from = MAX (row->from, from);
    row->to = MAX (MIN (row->to, to), row->from);
    row->seconds = (double) (row->to - row->from) / 1e9;
    pen_cost_row_weigh (row, table, query);
    row->test = (PenRateTest){ NAN, NAN, NAN, NAN };
    if (before && g_strcmp0 (before->name, row->name) == 0) {
      row->previous = i - 1;
      if (before->seconds > 0 && row->seconds > 0 && !pen_query_is_of_waits (query))
        row->test = pen_poisson_compare (before->count.samples, before->seconds, row->count.samples,
                                         row->seconds);
    }
  }
}

static void
programs_clear (Programs *self)
{
  g_hash_table_unref (self->rows);
  g_hash_table_unref (self->by_id);
  g_free (self->links);
  g_free (self->link_rows);
  g_free (self->parents);
}

static gboolean
count (Programs *self, const PenMatcher *matcher, guint64 from, guint64 to, GError **error)
{
  if (!pen_query_load_buckets (self->query, error)
      || !pen_store_foreach_tenure (self->query->store, FALSE, add_tenure, self, error))
    return FALSE;
  if (self->error) {
    g_propagate_error (error, self->error);
    return FALSE;
  }
  return link_chains (self, error)
         && pen_stack_index_scan (self->index, matcher, PEN_STACK_GROUPINGS, 0, from, to,
                                  count_batch, self, error);
}

PenCostTable *
pen_program_cost_count (PenStackIndex *index, const PenMatcher *matcher, guint64 from, guint64 to,
                        GError **error)
{
  g_autoptr (PenCostTable) table = pen_cost_table_new ();
  Programs self = { .query = index->query,
                    .index = index,
                    .table = table,
                    .rows = g_hash_table_new (pen_direct_hash, NULL),
                    .by_id = g_hash_table_new (pen_direct_hash, NULL) };
  gboolean ok = count (&self, matcher, from, to, error);
  guint64 first, last;

  programs_clear (&self);
  if (!ok)
    return NULL;
  if (pen_query_get_sample_time_range (index->query, &first, &last)) {
    from = MAX (from, first);
    to = MAX (MIN (to, last), from);
  }
  finish_rows (table, index->query, from, to);
  return g_steal_pointer (&table);
}
