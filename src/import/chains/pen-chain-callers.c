/* pen-chain-callers.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-callers.h"

#include "pen-frame-table.h"

/* How many chains ahead memory is asked for: in steps, since one look leads to the next. */
#define AHEAD 8u
#define NODE_AHEAD 5u
#define CALLED_AHEAD 2u

/* In place of a node: left out. */
#define DROPPED G_MAXUINT32

/* A node's meaning is known again where the tree has forgotten nothing since. */
typedef struct {
  guint64 since; /* pen_chain_tree_get_first() */
  guint32 node;  /* or DROPPED */
} KnownNode;

/* @n frames from @first on. @called: the node of these, called by nothing */
typedef struct {
  KnownNode called;
  guint32 first;
  guint32 n;
} List;

/* @lists: of its second half, and its first */
typedef struct {
  KnownNode known;
  guint32 lists[2];
} Chain;

struct _PenChainCallers {
  PenChainTree *tree;
  gboolean is_tree_kept; /* by another */
  GArray *chains;        /* Chain: by number */
  GArray *lists;         /* List: by number */
  GArray *frames;        /* guint32: of the lists */
  guint64 dropped;
};

PenChainCallers *
pen_chain_callers_new (guint max_nodes)
{
  PenChainCallers *self = pen_chain_callers_new_with (pen_chain_tree_new (max_nodes));

  self->is_tree_kept = FALSE;
  return self;
}

PenChainCallers *
pen_chain_callers_new_with (PenChainTree *tree)
{
  PenChainCallers *self = g_new0 (PenChainCallers, 1);

  self->tree = tree;
  self->is_tree_kept = TRUE;
  self->chains = g_array_new (FALSE, TRUE, sizeof (Chain));
  self->lists = g_array_new (FALSE, TRUE, sizeof (List));
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pen_chain_callers_free (PenChainCallers *self)
{
  if (!self->is_tree_kept)
    pen_chain_tree_free (self->tree);
  g_array_unref (self->chains);
  g_array_unref (self->lists);
  g_array_unref (self->frames);
  g_free (self);
}

/* Returns: the node of @n frames, or DROPPED */
static guint32
get_node (PenChainCallers *self, guint32 caller, const guint32 *frames, guint n)
{
  guint32 node;

  if (n == 0 || caller == DROPPED)
    return caller;
  for (guint i = 0; i < n; i++)
    if (frames[i] == PEN_FRAME_NONE)
      return DROPPED;

  node = pen_chain_tree_get (self->tree, caller, frames, n);
  return node != 0 ? node : DROPPED;
}

/* A number may be one more than there are. */
static void
reserve (GArray *array, guint32 number)
{
  if (number >= array->len)
    g_array_set_size (array, number + 1);
}

/* Returns: the number of a list, whose meaning is kept if it is new */
static guint32
take_list (PenChainCallers *self, const guint32 **words)
{
  guint32 number = *(*words)++;
  List list = { 0 };

  if ((number & PEN_CHAIN_NEW) == 0)
    return number;

  number &= ~PEN_CHAIN_NEW;
  if (number == 1)
    g_array_set_size (self->frames, 0);
  list.first = self->frames->len;
  list.n = *(*words)++;
  g_array_append_vals (self->frames, *words, list.n);
  *words += list.n;

  reserve (self->lists, number);
  g_array_index (self->lists, List, number) = list;
  return number;
}

static guint32
take_once (PenChainCallers *self, const guint32 **words)
{
  guint32 node = 0;

  for (guint half = 0; half < 2; half++) {
    guint32 n = *(*words)++;

    node = get_node (self, node, *words, n);
    *words += n;
  }
  return node;
}

static gboolean
is_known (PenChainCallers *self, const KnownNode *known)
{
  return known->since == pen_chain_tree_get_first (self->tree);
}

/* Many first halves have the same second half. */
static guint32
get_called (PenChainCallers *self, guint32 number)
{
  List *list = &g_array_index (self->lists, List, number);
  guint64 now = pen_chain_tree_get_first (self->tree);

  if (!is_known (self, &list->called)) {
    list->called.node
        = get_node (self, 0, &g_array_index (self->frames, guint32, list->first), list->n);
    list->called.since = now;
  }
  return list->called.node;
}

static guint32
get_chain (PenChainCallers *self, guint32 number)
{
  Chain *chain = &g_array_index (self->chains, Chain, number);
  guint64 now = pen_chain_tree_get_first (self->tree);
  guint32 node = 0;

  if (is_known (self, &chain->known))
    return chain->known.node;

  if (chain->lists[0] != 0)
    node = get_called (self, chain->lists[0]);
  if (chain->lists[1] != 0) {
    const List *list = &g_array_index (self->lists, List, chain->lists[1]);

    node = get_node (self, node, &g_array_index (self->frames, guint32, list->first), list->n);
  }
  chain->known = (KnownNode){ now, node };
  return node;
}

static guint32
get_id (PenChainCallers *self, PenResolvedChain chain, const guint32 **words)
{
  guint32 number = chain & ~PEN_CHAIN_NEW;
  guint32 node;

  if (chain == 0)
    return 0;

  if (chain == PEN_CHAIN_ONCE) {
    node = take_once (self, words);
  } else {
    if ((chain & PEN_CHAIN_NEW) != 0) {
      Chain new = { 0 };

      new.lists[0] = take_list (self, words);
      new.lists[1] = take_list (self, words);
      reserve (self->chains, number);
      g_array_index (self->chains, Chain, number) = new;
    }
    node = get_chain (self, number);
  }

  if (node != DROPPED)
    return node;
  self->dropped++;
  return 0;
}

/* ---- ahead ---- */

/* The outermost of @n frames, the leaf first, behind those that are there. */
static void
add_roots (PenChainRoots *roots, const guint32 *frames, guint n)
{
  while (n > 0 && roots->n < G_N_ELEMENTS (roots->frames))
    roots->frames[roots->n++] = frames[--n];
}

/* See take_list(). Returns: FALSE: its frames are not among the words */
static gboolean
pass_list (const guint32 **words, PenChainRoots *roots)
{
  guint32 number = *(*words)++;
  guint32 n;

  if ((number & PEN_CHAIN_NEW) == 0)
    return number == 0;

  n = *(*words)++;
  add_roots (roots, *words, n);
  *words += n;
  return TRUE;
}

/* A chain whose second half has a node is not looked for from its roots. */
static void
pass_lists (const guint32 **words, PenChainRoots *roots)
{
  gboolean has_roots = pass_list (words, roots);

  pass_list (words, roots);
  if (!has_roots)
    roots->n = 0;
}

static void
expect (PenChainCallers *self, PenResolvedChain chain, const guint32 **words, PenChainRoots *roots)
{
  *roots = (PenChainRoots){ 0 };
  if (chain == PEN_CHAIN_ONCE) {
    for (guint half = 0; half < 2; half++) {
      guint32 n = *(*words)++;

      add_roots (roots, *words, n);
      *words += n;
    }
  } else if ((chain & PEN_CHAIN_NEW) != 0) {
    pass_lists (words, roots);
  } else if (chain < self->chains->len) {
    __builtin_prefetch (&g_array_index (self->chains, Chain, chain));
  }
  pen_chain_tree_expect_slot (self->tree, roots);
}

void
pen_chain_callers_get (PenChainCallers *self, PenResolvedChain *chains, guint n,
                       const guint32 *words)
{
  const guint32 *words_ahead = words;
  PenChainRoots ahead[AHEAD];

  for (guint i = 0; i < MIN (n, AHEAD); i++)
    expect (self, chains[i], &words_ahead, &ahead[i]);

  for (guint i = 0; i < n; i++) {
    chains[i] = get_id (self, chains[i], &words);
    if (i + AHEAD < n)
      expect (self, chains[i + AHEAD], &words_ahead, &ahead[i % AHEAD]);
    if (i + NODE_AHEAD < n)
      pen_chain_tree_expect_node (self->tree, &ahead[(i + NODE_AHEAD) % AHEAD]);
    if (i + CALLED_AHEAD < n)
      pen_chain_tree_expect_called (self->tree, &ahead[(i + CALLED_AHEAD) % AHEAD]);
  }
}

PenChainNode *
pen_chain_callers_take_block (PenChainCallers *self, gboolean rest, guint32 *first, guint *n)
{
  return pen_chain_tree_take_block (self->tree, rest, first, n);
}

void
pen_chain_callers_keep_new (PenChainCallers *self)
{
  pen_chain_tree_keep_new (self->tree);
}

gboolean
pen_chain_callers_take_new (PenChainCallers *self, GArray *nodes)
{
  return pen_chain_tree_take_new (self->tree, nodes);
}

guint64
pen_chain_callers_get_dropped (PenChainCallers *self)
{
  return self->dropped;
}
