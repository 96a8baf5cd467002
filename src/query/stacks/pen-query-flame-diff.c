/* pen-query-flame-diff.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-flame-diff.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-flame-build.h"
#include "pen-query-cells.h"
#include "pen-query-history.h"
#include "pen-recorded-time.h"
#include "pen-store-pokes.h"
#include "pen-table-hash.h"

void
pen_flame_diff_free (PenFlameDiff *self)
{
  g_clear_pointer (&self->tree, pen_flame_tree_free);
  g_free (self->nodes);
  g_free (self);
}

/* ---- windows ---- */

/* Addresses that the batch patched. */
static GHashTable *
list_places (PenQuery *self, const PenBatch *batch)
{
  GHashTable *places = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = pen_query_find_tick (self, batch->from); i < self->ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (self->ticks, PenPokeTick, i);

    if (tick->time > batch->to)
      break;
    if (tick->batch == batch->id)
      g_hash_table_add (places, g_memdup2 (&tick->address, sizeof tick->address));
  }
  return places;
}

/* The stretch around the batch in which none of its places has another patch. */
static void
narrow (PenQuery *self, const PenBatch *batch, PenFlameWindow *around)
{
  g_autoptr (GHashTable) places = list_places (self, batch);

  for (guint i = 0; i < self->ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (self->ticks, PenPokeTick, i);

    if (tick->batch == batch->id || tick->effect == PEN_POKE_SAME
        || !g_hash_table_contains (places, &tick->address))
      continue;
    if (tick->time > batch->to) {
      around->to = MIN (around->to, tick->time - MIN (tick->time, PEN_BAND));
      return;
    }
    around->from = MAX (around->from, tick->time + PEN_BAND);
  }
}

static gboolean
refuse (guint32 batch, const char *format, GError **error)
{
  g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND, format, batch);
  return FALSE;
}

gboolean
pen_query_find_windows (PenQuery *self, guint32 batch, const PenWindowRules *rules,
                        PenFlameWindow windows[2], GError **error)
{
  GError *failure = NULL;
  guint n;
  const PenBatch *batches = pen_store_get_batches (self->store, &n, &failure);
  PenFlameWindow around;
  guint64 before, after, length;

  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  if (!batches || batch == 0 || batch > n)
    return refuse (batch, _ ("batch %u is not in this recording"), error);
  if (!pen_query_load_ticks (self, error))
    return FALSE;
  if (!pen_query_get_sample_time_range (self, &around.from, &around.to))
    return refuse (batch, _ ("no samples around batch %u"), error);

  batches += batch - 1;
  if (!rules->crosses)
    narrow (self, batches, &around);
  before = batches->from - MIN (batches->from, PEN_BAND);
  after = batches->to + MIN (G_MAXUINT64 - batches->to, PEN_BAND);
  if (around.from > before || around.to < after)
    return refuse (batch, _ ("no time around batch %u: other patches, or an end of the recording"),
                   error);
  length = MIN (before - around.from, around.to - after);
  if (rules->most > 0)
    length = MIN (length, rules->most - 1);
  windows[0] = (PenFlameWindow){ before - length, before };
  windows[1] = (PenFlameWindow){ after, after + length };
  return TRUE;
}

/* ---- differences ---- */

/* What two counts are found to be: most frames share theirs with others, and a test takes some
 * microseconds. */
typedef struct {
  guint64 counts[2];
  PenFlameDifference difference;
} Known;

static guint
hash_known (gconstpointer data)
{
  return pen_data_hash (((const Known *) data)->counts, sizeof ((const Known *) data)->counts);
}

static gboolean
equal_known (gconstpointer a, gconstpointer b)
{
  const guint64 *x = ((const Known *) a)->counts;
  const guint64 *y = ((const Known *) b)->counts;

  return x[0] == y[0] && x[1] == y[1];
}

static void
compare (const PenFlameDiff *self, Known *known)
{
  const guint64 *counts = known->counts;
  PenFlameDifference *found = &known->difference;

  found->rates[0] = (double) counts[0] / self->seconds[0];
  found->rates[1] = (double) counts[1] / self->seconds[1];
  found->test = pen_poisson_compare_at (counts[0], self->seconds[0], counts[1], self->seconds[1],
                                        self->alpha);
  found->verdict = found->test.p >= self->alpha        ? PEN_VERDICT_ALIKE
                   : found->rates[1] > found->rates[0] ? PEN_VERDICT_MORE
                                                       : PEN_VERDICT_LESS;
}

static PenFlameDifference
find_difference (const PenFlameDiff *self, GHashTable *table, PenStackCount total)
{
  Known key = { .counts = { total.samples, total.after } };
  Known *known = g_hash_table_lookup (table, &key);

  if (!known) {
    known = g_memdup2 (&key, sizeof key);
    compare (self, known);
    g_hash_table_add (table, known);
  }
  return known->difference;
}

static gboolean
compare_all (PenFlameDiff *self, PenStore *store, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (hash_known, equal_known, g_free, NULL);
  guint n = self->tree->nodes->len;

  self->alpha = PEN_POISSON_ALPHA / n;
  self->nodes = g_new0 (PenFlameDifference, n);
  for (guint i = 0; i < n; i++) {
    if (!pen_store_steps_on (store, i, error))
      return FALSE;
    if (self->seconds[0] > 0 && self->seconds[1] > 0)
      self->nodes[i] = find_difference (self, known, pen_flame_tree_get (self->tree, i)->total);
    else
      self->nodes[i] = (PenFlameDifference){ .rates = { NAN, NAN },
                                             .test = { NAN, NAN, NAN, NAN },
                                             .verdict = PEN_VERDICT_UNKNOWN };
  }
  return TRUE;
}

PenFlameDiff *
pen_query_flame_diff (PenQuery *self, const PenFilter *filter, const PenFlameOptions *options,
                      const PenFlameWindow windows[2], GError **error)
{
  g_autoptr (PenRecordedTime) recorded = pen_recorded_time_new (self, NULL, error);
  g_autoptr (PenFlameDiff) diff = g_new0 (PenFlameDiff, 1);
  PenFlameOptions asked = { 0 };
  g_autoptr (GArray) before = NULL;
  g_autoptr (GArray) after = NULL;

  if (!recorded)
    return NULL;
  if (options)
    asked = *options;
  asked.measure = PEN_STACK_BOTH;
  asked.version_share = 0;
  before = pen_recorded_time_list (recorded, windows[0].from, windows[0].to);
  after = pen_recorded_time_list (recorded, windows[1].from, windows[1].to);
  diff->windows[0] = windows[0];
  diff->windows[1] = windows[1];
  diff->seconds[0] = pen_pieces_sum (before);
  diff->seconds[1] = pen_pieces_sum (after);
  diff->is_coarse = recorded->is_coarse;
  diff->tree = pen_flame_build_between (self, filter, &asked, before, after, error);
  if (!diff->tree || !compare_all (diff, self->store, error))
    return NULL;
  return g_steal_pointer (&diff);
}

/* ---- rows ---- */

static const PenColumn columns[] = {
  { "depth", PEN_COLUMN_NUMBER },       { "symbol", PEN_COLUMN_TEXT },
  { "kind", PEN_COLUMN_TEXT },          { "occupant", PEN_COLUMN_TEXT },
  { "before", PEN_COLUMN_NUMBER },      { "after", PEN_COLUMN_NUMBER },
  { "own_before", PEN_COLUMN_NUMBER },  { "own_after", PEN_COLUMN_NUMBER },
  { "rate_before", PEN_COLUMN_NUMBER }, { "rate_after", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },       { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER },  { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },
};

static void
write_heading (const PenFlameDiff *self, PenTableWriter *writer)
{
  g_autoptr (GString) words = g_string_new (_ ("before: "));

  if (pen_table_writer_get_format (writer) != PEN_FORMAT_TABLE)
    return;
  for (guint i = 0; i < 2; i++) {
    if (i > 0)
      g_string_append (words, _ (", after: "));
    g_string_append_printf (words, "%.6f–%.6f (%.6f s)", (double) self->windows[i].from / 1e9,
                            (double) self->windows[i].to / 1e9, self->seconds[i]);
  }
  g_string_append_printf (words, _ (", each test at %.2g"), self->alpha);
  pen_table_writer_heading (writer, words->str);
}

static void
write_node (const PenFlameDiff *self, guint index, PenTableWriter *writer)
{
  const PenFlameNode *node = pen_flame_tree_get (self->tree, index);
  const PenFlameDifference *difference = &self->nodes[index];
  const PenStackGroup *group
      = node->group < self->tree->n_groups ? &self->tree->groups[node->group] : NULL;
  g_autofree char *name = NULL;

  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE) {
    g_autofree char *plain = group ? pen_stack_group_get_name (group) : g_strdup (_ ("(all)"));

    name = g_strdup_printf ("%*s%s", (int) MIN (2 * node->depth, 60), "", plain);
  }
  pen_table_writer_unsigned (writer, node->depth);
  pen_query_write_text_or_empty (writer, name ? name : group ? group->symbol : NULL);
  if (group && node->group != PEN_STACK_UNRECORDED) {
    pen_query_write_occupant (writer, group->kind, group->occupant);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_unsigned (writer, node->total.samples);
  pen_table_writer_unsigned (writer, node->total.after);
  pen_table_writer_unsigned (writer, node->own.samples);
  pen_table_writer_unsigned (writer, node->own.after);
  pen_query_write_real_or_empty (writer, difference->rates[0], 3);
  pen_query_write_real_or_empty (writer, difference->rates[1], 3);
  pen_query_write_real_or_empty (writer, difference->test.ratio, 3);
  pen_query_write_real_or_empty (writer, difference->test.low, 3);
  pen_query_write_real_or_empty (writer, difference->test.high, 3);
  pen_query_write_real_or_empty (writer, difference->test.p, 6);
  pen_table_writer_text (writer, pen_verdict_to_string (difference->verdict));
}

/* The tree is level after level; rows are in the order in which one reads calls. */
static gboolean
write_below (const PenFlameDiff *self, PenTableWriter *writer, GError **error)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 index = 0;

  g_array_append_val (stack, index);
  while (stack->len > 0) {
    const PenFlameNode *node;

    index = g_array_index (stack, guint32, stack->len - 1);
    g_array_set_size (stack, stack->len - 1);
    node = pen_flame_tree_get (self->tree, index);
    pen_table_writer_style (writer, self->nodes[index].verdict == PEN_VERDICT_MORE
                                            || self->nodes[index].verdict == PEN_VERDICT_LESS
                                        ? PEN_STYLE_MARKED
                                        : PEN_STYLE_PLAIN);
    write_node (self, index, writer);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
    for (guint32 i = node->n_children; i > 0; i--) {
      guint32 child = node->first_child + i - 1;

      g_array_append_val (stack, child);
    }
  }
  return TRUE;
}

gboolean
pen_query_write_flame_diff (PenQuery *self, const PenFilter *filter, const PenFlameOptions *options,
                            const PenFlameWindow windows[2], PenTableWriter *writer, GError **error)
{
  g_autoptr (PenFlameDiff) diff = pen_query_flame_diff (self, filter, options, windows, error);

  if (!diff)
    return FALSE;
  if (options->grouping == PEN_STACK_BY_FILE)
    pen_table_writer_rename (writer, "symbol", "file");
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  write_heading (diff, writer);
  return write_below (diff, writer, error) && pen_table_writer_finish (writer, error);
}
