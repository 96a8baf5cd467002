/* pen-stack-counter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-counter.h"

#include <stdlib.h>

#include "pen-hash-index.h"
#include "pen-hash.h"
#include "pen-mapped-memory.h"

#define FIRST_CHAINS 4096u
#define OF_CHAIN_LENGTH (PEN_STACK_COUNTER_CHAINS * sizeof (guint32))
/* Samples whose slots are fetched ahead. */
#define BATCH 64u
/* After so many blocks there have to be fewer stacks than samples. */
#define TRIAL_BLOCKS 4u

const PenStackCounterLimits pen_stack_counter_limits = { 8, 8, PEN_STACKS_MAX };

/*
 * @stacks: (element-type PenStoredStack): by id; the first has no parent that any other has
 * @of_chain: stack of each of the last chains, by its id modulo @n_slots
 * @cell_of: of each stack, the cell of its own function and of event 0, plus one; 0: none yet
 * @cells: (element-type PenStackCell): of the blocks since the last span
 * @others: of cells whose function or event is another one: by index in @other_cells
 */
struct _PenStackCounter {
  const PenStackCounterLimits *limits;
  PenStoreWriter *writer;
  gboolean is_over;

  GArray *stacks;
  PenHashIndex index;
  PenHashKey key;
  guint32 unrecorded; /* 0: there is none yet */

  guint32 *of_chain;
  guint32 n_slots; /* a power of two */
  guint32 n_chains;

  guint32 *cell_of;
  guint n_cell_of;
  GArray *cells;
  GArray *other_cells;
  PenHashIndex others;

  guint n_blocks;
  guint64 n_samples; /* since the last span; whose first block is */
  guint first_block;
  guint n_spans;
};

PenStackCounter *
pen_stack_counter_new (const PenStackCounterLimits *limits, PenStoreWriter *writer)
{
  PenStackCounter *self = g_new0 (PenStackCounter, 1);
  PenStoredStack none = { G_MAXUINT32, PEN_STACK_NO_FUNCTION };

  self->limits = limits;
  self->writer = writer;
  self->stacks = g_array_new (FALSE, FALSE, sizeof (PenStoredStack));
  g_array_append_val (self->stacks, none);
  self->key = pen_hash_key ();
  pen_hash_index_init (&self->index);
  self->index.n = 1;
  self->cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  self->other_cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  pen_hash_index_init (&self->others);
  self->n_slots = FIRST_CHAINS;
  self->of_chain = pen_mapped_memory_new (OF_CHAIN_LENGTH);
  pen_large_pages_advise_rest (self->of_chain, OF_CHAIN_LENGTH);
  return self;
}

void
pen_stack_counter_free (PenStackCounter *self)
{
  if (!self)
    return;
  g_array_unref (self->stacks);
  g_array_unref (self->cells);
  g_array_unref (self->other_cells);
  pen_hash_index_clear (&self->index);
  pen_hash_index_clear (&self->others);
  pen_mapped_memory_free (self->of_chain, OF_CHAIN_LENGTH);
  g_free (self->cell_of);
  g_free (self);
}

gboolean
pen_stack_counter_is_over (const PenStackCounter *self)
{
  return self->is_over;
}

void
pen_stack_counter_give_up (PenStackCounter *self)
{
  self->is_over = TRUE;
  g_array_set_size (self->cells, 0);
  g_array_set_size (self->other_cells, 0);
  if (self->n_spans == 0)
    g_array_set_size (self->stacks, 1);
}

/* ---- stacks ---- */

static inline guint64
hash_stack (const PenStackCounter *self, PenStoredStack stack)
{
  return pen_hash_pair (&self->key, stack.parent, stack.function);
}

static guint64
hash_of_stack (gconstpointer owner, guint32 index)
{
  const PenStackCounter *self = owner;

  return hash_stack (self, g_array_index (self->stacks, PenStoredStack, index));
}

static gboolean
is_same_stack (gconstpointer owner, guint32 index, gconstpointer key)
{
  const PenStackCounter *self = owner;
  const PenStoredStack *known = &g_array_index (self->stacks, PenStoredStack, index);
  const PenStoredStack *stack = key;

  return known->parent == stack->parent && known->function == stack->function;
}

static guint32
get_stack (PenStackCounter *self, PenStoredStack stack, guint64 hash)
{
  guint32 id = pen_hash_index_find (&self->index, hash, is_same_stack, self, &stack);

  if (id == PEN_HASH_INDEX_NONE) {
    if (self->stacks->len > self->limits->stacks) {
      pen_stack_counter_give_up (self);
      return 0;
    }
    id = self->stacks->len;
    pen_hash_index_add (&self->index, hash, hash_of_stack, self);
    g_array_append_val (self->stacks, stack);
  }
  return id;
}

void
pen_stack_counter_add_chain (PenStackCounter *self, guint32 parent, guint32 function)
{
  guint32 id = ++self->n_chains;
  PenStoredStack stack = { 0, function };

  if (self->is_over)
    return;
  if (id >= self->n_slots && self->n_slots < PEN_STACK_COUNTER_CHAINS)
    self->n_slots *= 2;
  if (parent != 0)
    stack.parent = self->of_chain[parent & (self->n_slots - 1)];
  self->of_chain[id & (self->n_slots - 1)] = get_stack (self, stack, hash_stack (self, stack));
}

/* ---- samples ---- */

static void
make_cells (PenStackCounter *self)
{
  guint n = self->stacks->len;

  if (n <= self->n_cell_of)
    return;
  n = MAX (n, 2 * self->n_cell_of);
  self->cell_of = g_renew (guint32, self->cell_of, n);
  memset (self->cell_of + self->n_cell_of, 0, (n - self->n_cell_of) * sizeof *self->cell_of);
  self->n_cell_of = n;
}

static inline guint64
hash_cell (const PenStackCounter *self, const PenStackCell *cell)
{
  return pen_hash_mix (pen_hash_pair (&self->key, cell->stack, cell->function), cell->event);
}

static guint64
hash_of_cell (gconstpointer owner, guint32 index)
{
  const PenStackCounter *self = owner;

  return hash_cell (self, &g_array_index (self->other_cells, PenStackCell, index));
}

static gboolean
is_same_cell (gconstpointer owner, guint32 index, gconstpointer key)
{
  const PenStackCounter *self = owner;
  const PenStackCell *known = &g_array_index (self->other_cells, PenStackCell, index);
  const PenStackCell *cell = key;

  return known->stack == cell->stack && known->function == cell->function
         && known->event == cell->event;
}

/* What few samples have: the instruction is not in the callchain, or the event is not the first. */
static PenStackCell *
get_other_cell (PenStackCounter *self, const PenStackCell *key)
{
  guint64 hash = hash_cell (self, key);
  guint32 index = pen_hash_index_find (&self->others, hash, is_same_cell, self, key);

  if (index == PEN_HASH_INDEX_NONE) {
    index = self->other_cells->len;
    pen_hash_index_add (&self->others, hash, hash_of_cell, self);
    g_array_append_val (self->other_cells, *key);
  }
  return &g_array_index (self->other_cells, PenStackCell, index);
}

static PenStackCell *
get_cell (PenStackCounter *self, const PenStackCell *key)
{
  guint32 *of = &self->cell_of[key->stack];

  if (key->event != 0
      || key->function != g_array_index (self->stacks, PenStoredStack, key->stack).function)
    return get_other_cell (self, key);
  if (*of == 0) {
    g_array_append_val (self->cells, *key);
    *of = self->cells->len;
  }
  return &g_array_index (self->cells, PenStackCell, *of - 1);
}

static guint32
get_unrecorded (PenStackCounter *self)
{
  PenStoredStack stack = { 0, PEN_STACK_NO_FUNCTION };

  if (self->unrecorded == 0)
    self->unrecorded = get_stack (self, stack, hash_stack (self, stack));
  return self->unrecorded;
}

/* As the callchain says it: without the sample's own instruction, but where it is in there. */
static guint32
get_caller (PenStackCounter *self, guint8 has, guint32 chain)
{
  if (!(has & PEN_SAMPLE_HAS_CHAIN) || (has & PEN_SAMPLE_CHAIN_IS_WHOLE && chain == 0))
    return get_unrecorded (self);
  return chain != 0 ? self->of_chain[chain & (self->n_slots - 1)] : 0;
}

static inline gboolean
is_whole (guint8 has, guint32 chain)
{
  return has & PEN_SAMPLE_CHAIN_IS_WHOLE && chain != 0;
}

static void
count_batch (PenStackCounter *self, const PenSampleBlock *block, guint first, guint n,
             const guint32 *functions, const guint32 *events)
{
  PenStoredStack stacks[BATCH];
  guint64 hashes[BATCH];

  for (guint i = 0; i < n; i++)
    __builtin_prefetch (&self->of_chain[block->chain[first + i] & (self->n_slots - 1)]);
  for (guint i = 0; i < n; i++) {
    stacks[i].parent = get_caller (self, block->has[first + i], block->chain[first + i]);
    stacks[i].function = functions[i];
    hashes[i] = hash_stack (self, stacks[i]);
    pen_hash_index_prefetch (&self->index, hashes[i]);
  }
  for (guint i = 0; i < n; i++) {
    guint32 guess = pen_hash_index_find (&self->index, hashes[i], NULL, NULL, NULL);

    if (guess != PEN_HASH_INDEX_NONE)
      __builtin_prefetch (&g_array_index (self->stacks, PenStoredStack, guess));
  }
  for (guint i = 0; i < n; i++)
    if (!is_whole (block->has[first + i], block->chain[first + i]))
      stacks[i].parent = get_stack (self, stacks[i], hashes[i]);
  if (self->is_over)
    return;

  make_cells (self);
  for (guint i = 0; i < n; i++) {
    PenStackCell key = { .stack = stacks[i].parent, .function = functions[i], .event = events[i] };
    PenStackCell *cell = get_cell (self, &key);

    cell->samples++;
    cell->period += block->period[first + i];
  }
  self->n_samples += n;
}

void
pen_stack_counter_count (PenStackCounter *self, const PenSampleBlock *block, guint first, guint n,
                         const guint32 *functions, const guint32 *events)
{
  for (guint i = 0; i < n && !self->is_over; i += BATCH)
    count_batch (self, block, first + i, MIN (BATCH, n - i), functions + i, events + i);
}

/* ---- spans ---- */

/* Those of the stacks' own functions, by stack; then the others. */
static GArray *
sort_cells (PenStackCounter *self)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (PenStackCell),
                                      self->cells->len + self->other_cells->len);

  for (guint i = 0; i < self->n_cell_of; i++)
    if (self->cell_of[i] != 0)
      g_array_append_val (sorted, g_array_index (self->cells, PenStackCell, self->cell_of[i] - 1));
  qsort (self->other_cells->data, self->other_cells->len, sizeof (PenStackCell),
         pen_stack_cell_compare);
  g_array_append_vals (sorted, self->other_cells->data, self->other_cells->len);
  return sorted;
}

static gboolean
write_span (PenStackCounter *self, GError **error)
{
  g_autoptr (GArray) sorted = sort_cells (self);
  PenStackSpan span
      = { self->n_spans, self->first_block, self->n_blocks - self->first_block, sorted->len };

  self->n_spans++;
  self->first_block = self->n_blocks;
  self->n_samples = 0;
  g_array_set_size (self->cells, 0);
  g_array_set_size (self->other_cells, 0);
  pen_hash_index_empty (&self->others);
  memset (self->cell_of, 0, self->n_cell_of * sizeof *self->cell_of);
  return pen_store_writer_add_stack_span (
      self->writer, &span, (const PenStackCell *) (gpointer) sorted->data,
      (const PenStoredStack *) (gpointer) self->stacks->data, error);
}

gboolean
pen_stack_counter_end_block (PenStackCounter *self, GError **error)
{
  guint n_cells = self->cells->len + self->other_cells->len;

  if (self->is_over)
    return TRUE;
  self->n_blocks++;
  if (self->n_blocks - self->first_block >= self->limits->blocks
      && self->n_samples / self->limits->share >= n_cells)
    return write_span (self, error);
  if (n_cells > PEN_STACK_CELLS_MAX - PEN_BLOCK_SAMPLES
      || (self->n_spans == 0 && self->n_blocks == TRIAL_BLOCKS
          && self->stacks->len > self->n_samples))
    pen_stack_counter_give_up (self);
  return TRUE;
}

static gboolean
write_stacks (PenStackCounter *self, GError **error)
{
  for (guint32 first = 1; first < self->stacks->len; first += PEN_BLOCK_STACKS)
    if (!pen_store_writer_add_stacks (self->writer, first,
                                      &g_array_index (self->stacks, PenStoredStack, first),
                                      MIN (self->stacks->len - first, PEN_BLOCK_STACKS), error))
      return FALSE;
  return TRUE;
}

gboolean
pen_stack_counter_finish (PenStackCounter *self, GError **error)
{
  guint n_cells = self->cells->len + self->other_cells->len;

  if (!self->is_over && self->n_samples > 0 && self->n_samples * 2 / self->limits->share >= n_cells
      && !write_span (self, error))
    return FALSE;
  return self->n_spans == 0 || write_stacks (self, error);
}
