/* pen-stack-map.h: from callchains to a tree of merged stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-stack-spot.h"
#include "pen-stack-trie.h"
#include "pen-store-callchains.h"
#include "pen-store-samples.h"

G_BEGIN_DECLS

/* No node: the stack has not come to the place yet. */
#define PEN_STACK_NOWHERE G_MAXUINT32

/*
 * PenStackRules: how frames become nodes
 * @of_function: group of each function
 * @of_frame, @of_bucket: in place of that, group of each frame and bucket; or NULL
 * @place: where stacks begin; NULL: at the outermost frame
 */
typedef struct {
  const PenFrameColumns *frames;
  const guint32 *of_function;
  const guint32 *of_frame;
  const guint32 *of_bucket;
  const PenStackSpot *place;
} PenStackRules;

/*
 * PenStackMap: callchains as nodes of a trie
 * @nodes: of each chain; element 0: of what nothing called. NULL: not found out yet
 * @outermost: of what nothing called, and @unrecorded: of what has no callchain
 */
typedef struct {
  PenStackRules rules;
  PenStackTrie *trie;
  guint32 *nodes;
  guint32 outermost;
  guint32 unrecorded;
} PenStackMap;

/* @rules: what it points to outlives the map. Without the nodes of chains. */
PenStackMap *pen_stack_map_new_empty (PenQuery *query, const PenStackRules *rules);
/* With them; what is there keeps its number. @frames: of the rules, from now on. Cost: one step for
 * each chain, and 4 bytes. */
gboolean pen_stack_map_complete (PenStackMap *self, PenQuery *query, const PenFrameColumns *frames,
                                 GError **error);
/* Both. */
PenStackMap *pen_stack_map_new (PenQuery *query, const PenStackRules *rules, GError **error);
void pen_stack_map_free (PenStackMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackMap, pen_stack_map_free)

#define PEN_STACK_CHAINS_MAX (1u << 26)

/* More callchains than that, or more stacks than PEN_STACK_NODES_MAX. */
gboolean pen_stack_map_refuse_size (GError **error);
/* A chain names a frame that is not there. */
gboolean pen_stack_map_refuse_damage (PenQuery *query, GError **error);

static inline guint32
pen_stack_map_step (PenStackMap *self, guint32 caller, guint32 group, gboolean is_place)
{
  if (caller == PEN_STACK_NOWHERE)
    return is_place ? pen_stack_trie_get (self->trie, 0, group) : PEN_STACK_NOWHERE;
  return pen_stack_trie_get (self->trie, caller, group);
}

/* The chain is all there is of the stack: the leaf, too. */
static inline gboolean
pen_stack_chain_is_whole (guint8 has, guint32 chain)
{
  return has & PEN_SAMPLE_CHAIN_IS_WHOLE && chain != 0;
}

/* The node of a sample's caller: of the stack but for its leaf. */
static inline guint32
pen_stack_map_get_caller (const PenStackMap *self, guint8 has, guint32 chain)
{
  if (!(has & PEN_SAMPLE_HAS_CHAIN) || (has & PEN_SAMPLE_CHAIN_IS_WHOLE && chain == 0))
    return self->unrecorded;
  return self->nodes[chain];
}

/* The node of a sample's stack; PEN_STACK_NOWHERE: it does not come to the place. @function: of the
 * bucket */
static inline guint32
pen_stack_map_get_leaf (PenStackMap *self, guint8 has, guint32 chain, guint32 bucket,
                        guint32 function)
{
  const PenStackRules *rules = &self->rules;
  guint32 caller = pen_stack_map_get_caller (self, has, chain);

  if (pen_stack_chain_is_whole (has, chain))
    return caller;
  return pen_stack_map_step (
      self, caller, rules->of_bucket ? rules->of_bucket[bucket] : rules->of_function[function],
      rules->place && pen_stack_spot_has_leaf (rules->place, bucket, function));
}

/*
 * pen_stack_map_get_leaves:
 * @rows: (array length=n): of the block; NULL: the first @n
 * @leaves: (out caller-allocates): of each of them, as pen_stack_map_get_leaf() has it
 *
 * Memory is asked for some rows ahead: nearly all that it looks at is somewhere else.
 */
void pen_stack_map_get_leaves (PenStackMap *self, const PenBucketFunctions *functions,
                               const PenSampleBlock *block, const guint32 *rows, guint n,
                               guint32 *leaves);
/* The same, but nothing is changed, so that several threads may ask: 0 in place of nodes that are
 * not there yet. */
void pen_stack_map_find_leaves (const PenStackMap *self, const PenBucketFunctions *functions,
                                const PenSampleBlock *block, const guint32 *rows, guint n,
                                guint32 *leaves);

G_END_DECLS
