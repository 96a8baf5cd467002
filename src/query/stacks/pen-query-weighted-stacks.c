/* pen-query-weighted-stacks.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-weighted-stacks.h"

#include "pen-stack-labels.h"

/* @versions: NULL: not asked for */
struct _PenWeightedStacks {
  PenQuery *query;
  PenWeightedOptions options;
  PenMatcher *matcher;
  PenStackIndex *index;
  PenStackLabels *labels;
  PenStackMap *map;
  const PenStackVersions *versions;
};

G_STATIC_ASSERT (sizeof (PenWeightedNode) == sizeof (PenStackNode));

static gboolean
make_map (PenWeightedStacks *self, GError **error)
{
  PenStackRules rules = { 0 };

  rules.frames = self->index->frames;
  rules.of_function = self->labels->of_function;
  rules.of_frame = self->labels->of_frame;
  rules.of_bucket = self->labels->of_bucket;
  self->map = pen_stack_map_new (self->query, &rules, error);
  return self->map != NULL;
}

PenWeightedStacks *
pen_weighted_stacks_new (PenQuery *query, const PenFilter *filter,
                         const PenWeightedOptions *options, GError **error)
{
  g_autoptr (PenWeightedStacks) self = g_new0 (PenWeightedStacks, 1);

  self->query = g_object_ref (query);
  self->options = *options;
  self->matcher = pen_matcher_new (query, filter, error);
  if (!self->matcher || !pen_query_load_buckets (query, error))
    return NULL;
  self->index = pen_stack_index_get (query, options->grouping, error);
  if (!self->index)
    return NULL;
  if (options->has_versions) {
    self->versions = pen_stack_index_get_versions (self->index, error);
    if (!self->versions)
      return NULL;
  }
  self->labels = pen_stack_labels_new (self->index, options->grouping, options->suffixes,
                                       PEN_STACK_WORDS_DISTINCT, error);
  return self->labels && make_map (self, error) ? g_steal_pointer (&self) : NULL;
}

void
pen_weighted_stacks_free (PenWeightedStacks *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->map, pen_stack_map_free);
  g_clear_pointer (&self->labels, pen_stack_labels_free);
  g_clear_pointer (&self->matcher, pen_matcher_free);
  g_object_unref (self->query);
  g_free (self);
}

PenQuery *
pen_weighted_stacks_get_query (PenWeightedStacks *self)
{
  return self->query;
}

const PenFilter *
pen_weighted_stacks_get_filter (PenWeightedStacks *self)
{
  return self->matcher->filter;
}

typedef struct {
  PenWeightedStacks *stacks;
  PenWeightedFunc func;
  gpointer user_data;
} Walk;

static void
set_version (const PenWeightedStacks *self, guint32 bucket, PenWeightedSample *sample)
{
  const PenStackVersion *version
      = pen_stack_versions_get (self->versions, self->versions->of_bucket[bucket]);

  sample->has_cause = version->poke > 0;
  sample->cause = version->cause;
}

static gboolean
walk_batch (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  const Walk *walk = user_data;
  PenWeightedStacks *self = walk->stacks;
  const PenSampleBlock *block = batch->block;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    const PenBucket *bucket = &self->query->buckets[block->bucket[row]];
    PenWeightedSample sample = {
      .has = block->has[row],
      .time = block->time[row],
      .period = block->period[row],
      .thread = block->thread[row],
      .cpu = block->cpu[row],
      .event = bucket->event,
      .function = bucket->function,
      .revision = bucket->revision,
    };

    sample.stack = pen_stack_map_get_leaf (self->map, block->has[row], block->chain[row],
                                           block->bucket[row], bucket->function);
    if (self->versions)
      set_version (self, block->bucket[row], &sample);
    if (!pen_store_steps_on (self->query->store, i, error)
        || !walk->func (&sample, walk->user_data, error))
      return FALSE;
  }
  return !self->map->trie->is_full || pen_stack_map_refuse_size (error);
}

gboolean
pen_weighted_stacks_foreach (PenWeightedStacks *self, PenWeightedFunc func, gpointer user_data,
                             GError **error)
{
  Walk walk = { self, func, user_data };
  gboolean asks_time = self->matcher->asks_time;

  return pen_stack_index_scan (self->index, self->matcher, PEN_STACK_GROUPINGS,
                               PEN_SAMPLE_COLUMNS_ALL, asks_time ? self->matcher->filter->from : 0,
                               asks_time ? self->matcher->filter->to : G_MAXUINT64, walk_batch,
                               &walk, error);
}

const PenWeightedNode *
pen_weighted_stacks_get_nodes (PenWeightedStacks *self, guint *n)
{
  *n = self->map->trie->n;
  /* The group of a node of this map is the number of its words. */
  return (const PenWeightedNode *) (gpointer) self->map->trie->nodes;
}

guint
pen_weighted_stacks_count_frames (PenWeightedStacks *self)
{
  return self->labels->words->len;
}

PenWeightedFrame
pen_weighted_stacks_get_frame (PenWeightedStacks *self, guint32 frame)
{
  const PenStackLabel *label = &g_array_index (self->labels->labels, PenStackLabel, frame);
  const GArray *groups = self->index->groups[self->options.grouping]->groups;
  PenWeightedFrame found = {
    .name = self->labels->words->pdata[frame],
    .group = &g_array_index (groups, PenStackGroup, label->group),
  };

  if (self->options.suffixes & PEN_FOLD_OFFSET) {
    found.has_address = label->has_address;
    found.address = label->address;
  }
  return found;
}
