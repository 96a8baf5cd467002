/* pen-chain-resolver.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-resolver.h"

#include "pen-chain-tree.h"
#include "pen-hash.h"
#include "pen-record.h"

/* Chains known by their slots: few for a small capture, which would spend more time on the pages of
 * a large table than on its chains. */
#define SLOTS_MIN (1u << 11)
#define SLOTS_MAX (1u << 15)

/* A chain that was resolved, and when that is still right. */
typedef struct {
  guint32 first;
  guint32 second;
  gint32 pid;
  guint32 cpumode;
  PenSweepState state;
  guint32 chain;
  gboolean is_dropped;
} Known;

/* A frame that was resolved; @state: the number of PenSweepState that its answer depends on, which
 * no other space ever has. Chains that differ share most of their frames. */
typedef struct {
  guint64 address;
  guint64 state;
  guint32 id;
  gboolean is_return;
} KnownFrame;

#define FRAME_SLOTS 2048u

struct _PenChainResolver {
  PenChainSpool *spool;
  PenFrameTable *frames;
  PenChainTree *tree;
  Known *known; /* NULL until there is a chain */
  guint32 n_known;
  guint64 n_resolved;
  KnownFrame *known_frames;
  guint32 *ids; /* of the chain at hand, leaf first */
  gsize n_ids;
  guint64 dropped;
};

PenChainResolver *
pen_chain_resolver_new (PenChainSpool *spool, PenFrameTable *frames)
{
  PenChainResolver *self = g_new0 (PenChainResolver, 1);

  self->spool = spool;
  self->frames = frames;
  self->tree = pen_chain_tree_new ();

  return self;
}

void
pen_chain_resolver_free (PenChainResolver *self)
{
  if (self == NULL)
    return;

  pen_chain_tree_free (self->tree);
  g_free (self->known);
  g_free (self->known_frames);
  g_free (self->ids);
  g_free (self);
}

static guint
context_of_marker (guint64 marker, guint context)
{
  switch (marker) {
  case PEN_CONTEXT_KERNEL:
    return PEN_CPUMODE_KERNEL;
  case PEN_CONTEXT_USER:
    return PEN_CPUMODE_USER;
  case PEN_CONTEXT_HYPERVISOR:
    return PEN_CPUMODE_HYPERVISOR;
  case PEN_CONTEXT_GUEST_KERNEL:
    return PEN_CPUMODE_GUEST_KERNEL;
  case PEN_CONTEXT_GUEST:
  case PEN_CONTEXT_GUEST_USER:
    return PEN_CPUMODE_GUEST_USER;
  default:
    return context;
  }
}

/* What @frame calls returns to it: the call stands before the address that was recorded. */
static void
find_frame (const PenSortedSample *sample, PenSweep *sweep, guint context, PenTableFrame *frame)
{
  guint64 address = frame->address - (frame->is_return && frame->address != 0);
  const PenTenure *tenure = NULL;

  frame->kind = PEN_KIND_UNKNOWN;
  if (context == PEN_CPUMODE_KERNEL)
    tenure = pen_sweep_find_kernel (sweep, address, &frame->revision);
  else if (context == PEN_CPUMODE_USER && (sample->has & PEN_HAS_TASK) != 0)
    tenure = pen_sweep_find_process (sweep, sample->pid, address);
  else if (context == PEN_CPUMODE_GUEST_KERNEL || context == PEN_CPUMODE_GUEST_USER)
    frame->kind = PEN_KIND_GUEST;

  if (tenure != NULL) {
    frame->tenure = tenure->id;
    frame->kind = (guint8) tenure->kind;
  } else {
    frame->revision = 0;
  }
}

static guint64
state_of (const PenSweepState *state, guint context)
{
  return context == PEN_CPUMODE_KERNEL ? state->kernel
         : context == PEN_CPUMODE_USER ? state->process
                                       : 0;
}

static guint32
get_frame (PenChainResolver *self, guint64 address, gboolean is_return, guint context,
           guint64 state, const PenSortedSample *sample, PenSweep *sweep)
{
  guint64 hash = pen_hash_mix (address, (guint64) is_return);
  KnownFrame *known = &self->known_frames[(hash >> 24) % FRAME_SLOTS];
  PenTableFrame frame = { .address = address, .is_return = is_return != 0 };

  if (state != 0 && known->state == state && known->address == address
      && known->is_return == is_return)
    return known->id;

  find_frame (sample, sweep, context, &frame);
  *known = (KnownFrame){ address, state, pen_frame_table_get (self->frames, &frame), is_return };

  return known->id;
}

/* @context: of the first entry, unless a marker says more. The first address of each space is where
 * it was left, not where it will be returned to. */
static gboolean
add_half (PenChainResolver *self, guint32 half, guint context, const PenSweepState *state,
          const PenSortedSample *sample, PenSweep *sweep, GError **error)
{
  gboolean is_return = FALSE;
  gsize n;
  const guint64 *entries = pen_chain_spool_get (self->spool, half, &n, error);

  if (entries == NULL)
    return FALSE;

  for (gsize i = 0; i < n; i++) {
    if (entries[i] >= PEN_CONTEXT_MAX) {
      context = context_of_marker (entries[i], context);
      is_return = entries[i] == PEN_CHAIN_LEAF;
      continue;
    }

    self->ids[self->n_ids++] = get_frame (self, entries[i], is_return, context,
                                          state_of (state, context), sample, sweep);
    is_return = TRUE;
  }

  return TRUE;
}

static gboolean
resolve (PenChainResolver *self, Known *known, const PenSortedSample *sample, PenSweep *sweep,
         GError **error)
{
  self->n_ids = 0;
  if (known->first != 0
      && !add_half (self, known->first, sample->cpumode, &known->state, sample, sweep, error))
    return FALSE;
  if (known->second != 0
      && !add_half (self, known->second, PEN_CPUMODE_USER, &known->state, sample, sweep, error))
    return FALSE;

  for (gsize i = 0; i < self->n_ids; i++)
    known->is_dropped |= self->ids[i] == PEN_FRAME_NONE;
  if (known->is_dropped)
    return TRUE;

  known->chain = pen_chain_tree_get (self->tree, self->ids, self->n_ids);
  known->is_dropped = self->n_ids > 0 && known->chain == 0;

  return TRUE;
}

static Known *
get_slot (PenChainResolver *self, const Known *key)
{
  guint64 hash = pen_hash_mix ((guint64) key->first << 32 | key->second, (guint32) key->pid);

  if (self->known_frames == NULL) {
    self->known_frames = g_new0 (KnownFrame, FRAME_SLOTS);
    self->ids = g_new (guint32, 2 * PEN_CHAIN_LENGTH_MAX);
  }
  if (self->n_resolved >= self->n_known && self->n_known < SLOTS_MAX) {
    /* what it held is resolved once more when it comes again */
    self->n_known = self->n_known == 0 ? SLOTS_MIN : self->n_known * 4;
    g_free (self->known);
    self->known = g_new0 (Known, self->n_known);
  }

  return &self->known[(hash >> 24) % self->n_known];
}

static gboolean
is_known (const Known *known, const Known *key)
{
  return known->first == key->first && known->second == key->second && known->pid == key->pid
         && known->cpumode == key->cpumode && known->state.kernel == key->state.kernel
         && known->state.process == key->state.process;
}

gboolean
pen_chain_resolver_get (PenChainResolver *self, const PenSortedSample *sample, PenSweep *sweep,
                        guint32 *chain, GError **error)
{
  Known key = { .cpumode = sample->cpumode, .pid = -1 };
  Known *known;

  *chain = 0;
  if (sample->chain == 0)
    return TRUE;

  if ((sample->has & PEN_HAS_TASK) != 0)
    key.pid = sample->pid;
  key.state = pen_sweep_get_state (sweep, key.pid);
  pen_chain_spool_split (self->spool, sample->chain, &key.first, &key.second);
  known = get_slot (self, &key);
  if (!is_known (known, &key)) {
    if (!resolve (self, &key, sample, sweep, error))
      return FALSE;
    *known = key;
    self->n_resolved++;
  }

  *chain = known->chain;
  self->dropped += known->is_dropped;

  return TRUE;
}

void
pen_chain_resolver_take_blocks (PenChainResolver *self, gboolean is_last, GArray *blocks)
{
  pen_chain_tree_take_blocks (self->tree, is_last, blocks);
}

guint64
pen_chain_resolver_get_dropped (PenChainResolver *self)
{
  return self->dropped;
}
