/* pen-stack-map.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-map.h"

#include <glib/gi18n-lib.h>

gboolean
pen_stack_map_refuse_size (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                       _ ("the recording has too many different callchains for a tree"));
  return FALSE;
}

gboolean
pen_stack_map_refuse_damage (PenQuery *query, GError **error)
{
  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
               _ ("%s: the store is damaged: a callchain is missing; import the recording again"),
               pen_store_get_path (query->store));
  return FALSE;
}

#define CHAINS_AHEAD 24u

/* The frame of a chain some places on; and nearer, the slot of a chain whose parent is there. */
static inline void
look_ahead (const PenStackMap *self, const PenChainNode *chains, guint at, guint32 first)
{
  const PenStackRules *rules = &self->rules;
  const PenChainNode *next = &chains[at + CHAINS_AHEAD / 2];

  __builtin_prefetch (rules->of_frame ? &rules->of_frame[chains[at + CHAINS_AHEAD].frame]
                                      : &rules->frames->function[chains[at + CHAINS_AHEAD].frame]);
  if (!rules->place && next->parent < first + at)
    pen_stack_trie_prefetch_slot (self->trie, self->nodes[next->parent],
                                  rules->of_frame
                                      ? rules->of_frame[next->frame]
                                      : rules->of_function[rules->frames->function[next->frame]]);
}

static gboolean
map_block (PenStackMap *self, PenQuery *query, guint number, GError **error)
{
  const PenStackRules *rules = &self->rules;
  const guint32 *functions = rules->frames->function;
  guint32 first = number * PEN_BLOCK_CHAINS + 1;
  const PenChainNode *chains;
  guint n;

  if (!pen_store_goes_on (query->store, error)
      || !pen_store_read_chain_block (query->store, number, &chains, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (chains[i].frame >= rules->frames->n)
      return pen_stack_map_refuse_damage (query, error);
  }
  for (guint i = 0; i < n; i++) {
    guint32 parent = chains[i].parent;
    guint32 frame = chains[i].frame;
    guint32 group;
    gboolean is_place;

    if (i + CHAINS_AHEAD < n)
      look_ahead (self, chains, i, first);
    is_place = rules->place && rules->place->frames[frame];
    group = rules->of_frame ? rules->of_frame[frame] : rules->of_function[functions[frame]];
    self->nodes[first + i] = pen_stack_map_step (self, self->nodes[parent], group, is_place);
  }
  return !self->trie->is_full || pen_stack_map_refuse_size (error);
}

/* Where callchains were dropped, what has none may have had one. */
static void
map_beginnings (PenStackMap *self, PenQuery *query)
{
  gboolean has_dropped = pen_store_get_fact_int (query->store, "callchains_dropped", 0) > 0;

  if (self->rules.place)
    self->unrecorded = PEN_STACK_NOWHERE;
  else
    self->unrecorded = pen_stack_trie_get (self->trie, 0, PEN_STACK_UNRECORDED);
  self->outermost = self->rules.place ? PEN_STACK_NOWHERE : 0;
  if (has_dropped)
    self->outermost = self->unrecorded;
}

PenStackMap *
pen_stack_map_new_empty (PenQuery *query, const PenStackRules *rules)
{
  PenStackMap *self = g_new0 (PenStackMap, 1);

  self->rules = *rules;
  self->trie = pen_stack_trie_new ();
  map_beginnings (self, query);
  return self;
}

static gboolean
map_blocks (PenStackMap *self, PenQuery *query, guint32 n, GError **error)
{
  self->nodes[0] = self->outermost;
  for (guint32 i = 0; i * (guint64) PEN_BLOCK_CHAINS < n; i++) {
    if (!map_block (self, query, i, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_stack_map_complete (PenStackMap *self, PenQuery *query, const PenFrameColumns *frames,
                        GError **error)
{
  guint32 n = pen_store_count_chains (query->store);

  if (self->nodes)
    return TRUE;
  if (n > PEN_STACK_CHAINS_MAX)
    return pen_stack_map_refuse_size (error);
  self->rules.frames = frames;
  self->nodes = g_new (guint32, (gsize) n + 1);
  if (!map_blocks (self, query, n, error))
    g_clear_pointer (&self->nodes, g_free);
  return self->nodes != NULL;
}

PenStackMap *
pen_stack_map_new (PenQuery *query, const PenStackRules *rules, GError **error)
{
  g_autoptr (PenStackMap) self = pen_stack_map_new_empty (query, rules);

  return pen_stack_map_complete (self, query, rules->frames, error) ? g_steal_pointer (&self)
                                                                    : NULL;
}

/* ---- samples ---- */

#define ROWS_AHEAD 32u

/* A leaf to be looked up. @is_whole: it is @caller */
typedef struct {
  guint32 caller;
  guint32 group;
  gboolean is_whole;
  gboolean is_place;
} Leaf;

static Leaf
start_leaf (const PenStackMap *self, const PenBucketFunctions *functions,
            const PenSampleBlock *block, guint32 row)
{
  const PenStackRules *rules = &self->rules;
  guint32 bucket = block->bucket[row];
  guint32 function = pen_bucket_functions_get (functions, bucket);
  Leaf leaf = { .caller = pen_stack_map_get_caller (self, block->has[row], block->chain[row]),
                .is_whole = pen_stack_chain_is_whole (block->has[row], block->chain[row]) };

  if (leaf.is_whole)
    return leaf;
  leaf.group = rules->of_bucket ? rules->of_bucket[bucket] : rules->of_function[function];
  leaf.is_place = rules->place && pen_stack_spot_has_leaf (rules->place, bucket, function);
  pen_stack_trie_prefetch_slot (self->trie, leaf.caller, leaf.group);
  return leaf;
}

static guint32
find_step (const PenStackMap *self, const Leaf *leaf)
{
  if (leaf->caller == PEN_STACK_NOWHERE)
    return leaf->is_place ? pen_stack_trie_find (self->trie, 0, leaf->group) : PEN_STACK_NOWHERE;
  return pen_stack_trie_find (self->trie, leaf->caller, leaf->group);
}

/* @n: ROWS_AHEAD at most */
static void
start_leaves (const PenStackMap *self, const PenBucketFunctions *functions,
              const PenSampleBlock *block, const guint32 *rows, guint n, Leaf *found)
{
  for (guint i = 0; i < n; i++) {
    __builtin_prefetch (&self->nodes[block->chain[rows[i]]]);
    pen_bucket_functions_prefetch (functions, block->bucket[rows[i]]);
  }
  for (guint i = 0; i < n; i++)
    found[i] = start_leaf (self, functions, block, rows[i]);
  for (guint i = 0; i < n; i++)
    pen_stack_trie_prefetch_node (self->trie, found[i].caller, found[i].group);
}

static void
get_some_leaves (PenStackMap *self, const PenBucketFunctions *functions,
                 const PenSampleBlock *block, const guint32 *rows, guint n, guint32 *leaves)
{
  Leaf found[ROWS_AHEAD];

  start_leaves (self, functions, block, rows, n, found);
  for (guint i = 0; i < n; i++)
    leaves[i] = found[i].is_whole
                    ? found[i].caller
                    : pen_stack_map_step (self, found[i].caller, found[i].group, found[i].is_place);
}

void
pen_stack_map_get_leaves (PenStackMap *self, const PenBucketFunctions *functions,
                          const PenSampleBlock *block, const guint32 *rows, guint n,
                          guint32 *leaves)
{
  guint32 all[ROWS_AHEAD];

  for (guint i = 0; i < n; i += ROWS_AHEAD) {
    guint m = MIN (n - i, ROWS_AHEAD);

    for (guint k = 0; !rows && k < m; k++)
      all[k] = i + k;
    get_some_leaves (self, functions, block, rows ? rows + i : all, m, leaves + i);
  }
}

void
pen_stack_map_find_leaves (const PenStackMap *self, const PenBucketFunctions *functions,
                           const PenSampleBlock *block, const guint32 *rows, guint n,
                           guint32 *leaves)
{
  Leaf found[ROWS_AHEAD];

  for (guint i = 0; i < n; i += ROWS_AHEAD) {
    guint m = MIN (n - i, ROWS_AHEAD);

    start_leaves (self, functions, block, rows + i, m, found);
    for (guint k = 0; k < m; k++)
      leaves[i + k] = found[k].is_whole ? found[k].caller : find_step (self, &found[k]);
  }
}

void
pen_stack_map_free (PenStackMap *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->trie, pen_stack_trie_free);
  g_free (self->nodes);
  g_free (self);
}
