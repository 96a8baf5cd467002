/* pen-query-folded.c: each stack once, folded or as rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-flame.h"

#include <inttypes.h>

#include "pen-stack-counts.h"
#include "pen-stack-labels.h"
#include "pen-stack-readers.h"

static const PenColumn columns[] = {
  { "comm", PEN_COLUMN_TEXT },
  { "samples", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER },
  { "stack", PEN_COLUMN_TEXT },
};

/*
 * @tasks: of stack and comm: a node for each pair: its parent is a node of the map's trie, its
 *   group the comm
 * @counts: of each of its nodes
 */
typedef struct {
  PenStackIndex *index;
  PenStackLabels *labels;
  PenStackMap *map;
  PenStackTrie *tasks;
  PenStackCount *counts;
  guint n;
  guint32 *leaves; /* of the batch at hand, in its order */
  PenStackMeasure measure;
} Folding;

static void
folding_clear (Folding *self)
{
  g_clear_pointer (&self->labels, pen_stack_labels_free);
  g_clear_pointer (&self->map, pen_stack_map_free);
  g_clear_pointer (&self->tasks, pen_stack_trie_free);
  g_free (self->counts);
  g_free (self->leaves);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folding, folding_clear)

/* So many rows on, memory is asked for: pairs are many, and the next one is anywhere. */
#define SLOTS_AHEAD 24u
#define NODES_AHEAD 12u

static inline guint32
get_comm (const Folding *self, const PenStackBatch *batch, guint index)
{
  return self->labels->of_thread[batch->block->thread[batch->rows[index]]];
}

static inline void
look_ahead (const Folding *self, const PenStackBatch *batch, guint index)
{
  guint slot = index + SLOTS_AHEAD;
  guint node = index + NODES_AHEAD;

  if (slot < batch->n_rows)
    pen_stack_trie_prefetch_slot (self->tasks, self->leaves[slot], get_comm (self, batch, slot));
  if (node < batch->n_rows) {
    guint32 guess = pen_stack_trie_prefetch_node (self->tasks, self->leaves[node],
                                                  get_comm (self, batch, node));

    if (guess < self->n)
      __builtin_prefetch (&self->counts[guess], 1);
  }
}

static gboolean
fold_batch (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  Folding *self = user_data;

  pen_stack_batch_get_leaves (batch, self->map, self->index->query->bucket_functions, self->leaves);
  for (guint i = 0; i < batch->n_rows; i++) {
    guint32 task;

    look_ahead (self, batch, i);
    task = pen_stack_trie_get (self->tasks, self->leaves[i], get_comm (self, batch, i));
    if (task >= self->n) {
      self->counts = g_renew (PenStackCount, self->counts, self->tasks->size);
      for (; self->n < self->tasks->size; self->n++)
        self->counts[self->n] = (PenStackCount){ 0 };
    }
    pen_stack_count_add (&self->counts[task],
                         (PenStackCount){ 1, batch->block->period[batch->rows[i]], 0 });
  }
  return !(self->map->trie->is_full || self->tasks->is_full) || pen_stack_map_refuse_size (error);
}

static gboolean
folding_init (Folding *self, PenQuery *query, const PenFilter *filter, PenStackGrouping grouping,
              PenStackMeasure measure, guint suffixes, gboolean is_folded, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (query, filter, error);
  PenStackRules rules = { 0 };
  PenStackReading reading;

  *self = (Folding){ .measure = measure };
  if (!matcher)
    return FALSE;
  self->index = pen_stack_index_get (query, grouping, error);
  if (!self->index)
    return FALSE;
  self->labels
      = pen_stack_labels_new (self->index, grouping, suffixes,
                              is_folded ? PEN_STACK_WORDS_FOLDED : PEN_STACK_WORDS_PLAIN, error);
  if (!self->labels)
    return FALSE;
  rules.frames = self->index->frames;
  rules.of_function = self->labels->of_function;
  rules.of_frame = self->labels->of_frame;
  rules.of_bucket = self->labels->of_bucket;
  self->map = pen_stack_map_new (query, &rules, error);
  if (!self->map)
    return FALSE;
  self->tasks = pen_stack_trie_new ();
  self->leaves = g_new (guint32, PEN_BLOCK_SAMPLES);
  reading = (PenStackReading){ .index = self->index,
                               .matcher = matcher,
                               .map = self->map,
                               .columns = PEN_SAMPLE_COLUMN_THREAD,
                               .from = matcher->asks_time ? matcher->filter->from : 0,
                               .to = matcher->asks_time ? matcher->filter->to : G_MAXUINT64 };
  return pen_stack_readers_scan_all (&reading, fold_batch, self, error);
}

/* ---- in order ---- */

static int
compare_stacks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Folding *self = user_data;
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;
  guint64 count_x = pen_stack_count_get (self->counts[x], self->measure);
  guint64 count_y = pen_stack_count_get (self->counts[y], self->measure);

  if (count_x != count_y)
    return count_x > count_y ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Returns: (element-type guint32): nodes of @tasks that have samples, most first */
static GArray *
list_stacks (Folding *self)
{
  GArray *stacks = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 1; i < MIN (self->tasks->n, self->n); i++) {
    if (self->counts[i].samples > 0)
      g_array_append_val (stacks, i);
  }
  g_array_sort_with_data (stacks, compare_stacks, self);
  return stacks;
}

/* @words: (out): of the stack, the outermost first. Not owned */
static const char *
spell_stack (const Folding *self, guint32 stack, GPtrArray *words)
{
  const PenStackTrie *trie = self->map->trie;
  PenStackNode task = self->tasks->nodes[stack];

  g_ptr_array_set_size (words, 0);
  for (guint32 at = task.parent; at != 0; at = trie->nodes[at].parent)
    g_ptr_array_add (words, self->labels->words->pdata[trie->nodes[at].group]);
  for (guint i = 0; i < words->len / 2; i++) {
    gpointer word = words->pdata[i];

    words->pdata[i] = words->pdata[words->len - 1 - i];
    words->pdata[words->len - 1 - i] = word;
  }
  return self->labels->comms->pdata[task.group];
}

#define PIECE 65536u

static gboolean
write_piece (GString *text, gsize least, GOutputStream *stream, GError **error)
{
  if (text->len < least)
    return TRUE;
  if (!g_output_stream_write_all (stream, text->str, text->len, NULL, NULL, error))
    return FALSE;
  g_string_truncate (text, 0);
  return TRUE;
}

gboolean
pen_query_write_folded (PenQuery *self, const PenFilter *filter, PenStackGrouping grouping,
                        PenStackMeasure measure, guint suffixes, GOutputStream *stream,
                        GError **error)
{
  g_auto (Folding) folding = { 0 };
  g_autoptr (GArray) stacks = NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  if (!folding_init (&folding, self, filter, grouping, measure, suffixes, TRUE, error))
    return FALSE;
  stacks = list_stacks (&folding);
  for (guint i = 0; i < stacks->len; i++) {
    guint32 stack = g_array_index (stacks, guint32, i);

    g_string_append (text, spell_stack (&folding, stack, words));
    for (guint k = 0; k < words->len; k++) {
      g_string_append_c (text, ';');
      g_string_append (text, words->pdata[k]);
    }
    g_string_append_printf (text, " %" PRIu64 "\n",
                            pen_stack_count_get (folding.counts[stack], measure));
    if (!pen_store_steps_on (self->store, i, error) || !write_piece (text, PIECE, stream, error))
      return FALSE;
  }
  return write_piece (text, 1, stream, error);
}

gboolean
pen_query_write_stacks (PenQuery *self, const PenFilter *filter, PenStackGrouping grouping,
                        PenStackMeasure measure, guint suffixes, PenTableWriter *writer,
                        GError **error)
{
  g_auto (Folding) folding = { 0 };
  g_autoptr (GArray) stacks = NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  if (!folding_init (&folding, self, filter, grouping, measure, suffixes, FALSE, error))
    return FALSE;
  stacks = list_stacks (&folding);
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < stacks->len; i++) {
    guint32 stack = g_array_index (stacks, guint32, i);

    pen_table_writer_text (writer, spell_stack (&folding, stack, words));
    pen_table_writer_unsigned (writer, folding.counts[stack].samples);
    pen_table_writer_unsigned (writer, folding.counts[stack].period);
    pen_table_writer_path (writer, (const char *const *) words->pdata, words->len);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
