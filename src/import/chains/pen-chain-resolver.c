/* pen-chain-resolver.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-resolver.h"

#include <string.h>

#include "pen-hash.h"
#include "pen-run-resolver.h"

/* Chains known by their slots: few for a small capture, which would spend more time on the pages of
 * a large table than on its chains. */
#define SLOTS_MIN (1u << 10)
#define SLOTS_MAX (1u << 16)
#define WAYS 2u

/* A chain that was resolved, and since when that is right. */
typedef struct {
  guint64 since; /* the count of changes */
  guint32 place; /* 0: none */
  gint32 pid;
  guint32 space;
  guint32 lists[2]; /* of its halves */
  guint32 number;
} KnownChain;

struct _PenChainResolver {
  PenChainSpool *spool;
  PenFrameTable *frames;
  PenRunResolver *runs; /* NULL until there is a chain */
  const PenSweepChanges *changes;
  KnownChain *known;
  guint32 n_known;
  guint32 n_resolved; /* chains that were not known */
  guint32 n_chains;   /* numbers of chains that were given */
  guint32 n_lists;    /* and of lists, since these began anew */
};

PenChainResolver *
pen_chain_resolver_new (PenChainSpool *spool, PenFrameTable *frames)
{
  PenChainResolver *self = g_new0 (PenChainResolver, 1);

  self->spool = spool;
  self->frames = frames;
  return self;
}

void
pen_chain_resolver_free (PenChainResolver *self)
{
  pen_run_resolver_free (self->runs);
  g_free (self->known);
  g_free (self);
}

void
pen_chain_resolver_add_new_frames (PenChainResolver *self, guint *n_taken, GArray *frames)
{
  GArray *all = pen_frame_table_get_frames (self->frames);

  if (*n_taken < all->len)
    g_array_append_vals (frames, &g_array_index (all, PenTableFrame, *n_taken),
                         all->len - *n_taken);
  *n_taken = all->len;
}

static KnownChain *
get_set (KnownChain *known, guint32 n_known, guint32 place, gint32 pid)
{
  guint64 hash = pen_hash_mix (place, (guint64) (guint32) pid << 32);

  return &known[(hash >> 32) & (n_known - WAYS)];
}

static void
make_room (PenChainResolver *self)
{
  guint32 n_known = CLAMP (self->n_known * 4, SLOTS_MIN, SLOTS_MAX);
  KnownChain *known;

  if (self->n_resolved < self->n_known / 2 || self->n_known >= SLOTS_MAX)
    return;

  known = g_new0 (KnownChain, n_known);
  for (guint i = 0; i < self->n_known; i++) {
    const KnownChain *old = &self->known[i];
    KnownChain *set = get_set (known, n_known, old->place, old->pid);

    if (old->place != 0)
      set[set[0].place != 0] = *old;
  }
  g_free (self->known);
  self->known = known;
  self->n_known = n_known;
}

/* Returns: the slot of @place, which may have another one */
static KnownChain *
find_slot (PenChainResolver *self, guint32 place, gint32 pid)
{
  KnownChain *set = get_set (self->known, self->n_known, place, pid);

  for (guint way = 0; way < WAYS; way++)
    if (set[way].place == place && set[way].pid == pid)
      return &set[way];

  /* The number of the one that gives way is free. */
  if (set[0].place != 0) {
    guint32 number = set[1].number;

    set[1] = set[0];
    set[0].number = number;
  }
  set[0].place = 0;
  return set;
}

/* The number of a half's list, and its frames if they were not told before. */
static void
add_list (PenChainResolver *self, const PenResolvedRun *run, GArray *words)
{
  guint32 number;

  if (!run->note) {
    g_array_append_val (words, (guint32){ 0 });
    return;
  }

  if (*run->note != 0) {
    g_array_append_val (words, *run->note);
    return;
  }

  *run->note = ++self->n_lists;
  number = *run->note | PEN_CHAIN_NEW;
  g_array_append_val (words, number);
  g_array_append_val (words, run->n);
  g_array_append_vals (words, run->ids, run->n);
}

/* One half's list, told at once: it may be gone when the other half is resolved. */
static gboolean
resolve_half (PenChainResolver *self, guint32 half, const KnownChain *known, guint64 change,
              guint32 *list, GArray *words, GError **error)
{
  PenResolvedRun run;

  if (!pen_run_resolver_get (self->runs, half, known->pid, known->space, change, &run, error))
    return FALSE;
  *list = run.list;
  add_list (self, &run, words);
  return TRUE;
}

static gboolean
resolve (PenChainResolver *self, KnownChain *known, guint32 place, guint64 change, GArray *words,
         GError **error)
{
  guint n_words = words->len;
  guint32 halves[2];
  guint32 lists[2];

  if (!pen_chain_spool_split (self->spool, place, &halves[0], &halves[1], error)
      || !resolve_half (self, halves[1], known, change, &lists[1], words, error)
      || !resolve_half (self, halves[0], known, change, &lists[0], words, error))
    return FALSE;

  known->since = self->changes->count;
  if (known->place != 0 && memcmp (known->lists, lists, sizeof lists) == 0) {
    g_array_set_size (words, n_words);
    return TRUE;
  }

  memcpy (known->lists, lists, sizeof lists);
  if (known->number == 0)
    known->number = ++self->n_chains;
  known->place = place;
  self->n_resolved++;
  return TRUE;
}

/* A chain that is not met again. */
static gboolean
resolve_once (PenChainResolver *self, guint32 place, gint32 pid, guint32 space, GArray *words,
              GError **error)
{
  guint32 halves[2];

  if (!pen_chain_spool_split (self->spool, place, &halves[0], &halves[1], error))
    return FALSE;
  for (guint i = 2; i-- > 0;) {
    PenResolvedRun run;

    if (!pen_run_resolver_get_once (self->runs, halves[i], pid, space, &run, error))
      return FALSE;
    g_array_append_val (words, run.n);
    g_array_append_vals (words, run.ids, run.n);
  }
  return TRUE;
}

static void
start (PenChainResolver *self, PenSweep *sweep)
{
  if (!self->runs) {
    self->runs = pen_run_resolver_new (self->spool, self->frames, sweep);
    self->changes = pen_sweep_get_changes (sweep);
    make_room (self);
  }
}

/* Before something is resolved. Returns: the slot of @place, which may have another one */
static KnownChain *
prepare (PenChainResolver *self, KnownChain *known, guint32 place, gint32 pid)
{
  if (pen_run_resolver_make_room (self->runs)) {
    memset (self->known, 0, self->n_known * sizeof *self->known);
    self->n_chains = 0;
    self->n_lists = 0;
  }
  if (known->place != 0)
    return known;

  make_room (self);
  return find_slot (self, place, pid);
}

static gboolean
has_space (const PenSampleChain *sample)
{
  return (sample->place & PEN_RUN_HAS_USER) != 0 && sample->has_task;
}

gboolean
pen_chain_resolver_get (PenChainResolver *self, const PenSampleChain *sample, PenSweep *sweep,
                        PenResolvedChain *chain, GArray *words, GError **error)
{
  guint n_words = words->len;
  gint32 pid = -1;
  guint32 space = PEN_SWEEP_NO_SPACE;
  guint64 change = 0;
  KnownChain *known;

  *chain = 0;
  if (sample->place == 0)
    return TRUE;

  start (self, sweep);
  if (has_space (sample)) {
    pid = sample->pid;
    space = pen_sweep_find_space (sweep, pid, &change);
  }

  if (!pen_chain_spool_is_met_again (self->spool, sample->place)) {
    *chain = PEN_CHAIN_ONCE;
    return resolve_once (self, sample->place, pid, space, words, error);
  }

  known = find_slot (self, sample->place, pid);
  if (known->place == 0 || known->space != space
      || MAX (self->changes->kernel, change) > known->since) {
    known = prepare (self, known, sample->place, pid);
    known->pid = pid;
    known->space = space;
    if (!resolve (self, known, sample->place, change, words, error))
      return FALSE;
  }

  *chain = known->number | (words->len > n_words ? PEN_CHAIN_NEW : 0);
  return TRUE;
}

/* ---- ahead ---- */

void
pen_chain_resolver_expect (PenChainResolver *self, const PenSampleChain *sample)
{
  gint32 pid = has_space (sample) ? sample->pid : -1;

  if (!self->runs || sample->place == 0)
    return;
  __builtin_prefetch (get_set (self->known, self->n_known, sample->place, pid));
  pen_chain_spool_expect (self->spool, sample->place);
}

static gboolean
is_known (PenChainResolver *self, guint32 place, gint32 pid)
{
  const KnownChain *set = get_set (self->known, self->n_known, place, pid);

  for (guint way = 0; way < WAYS; way++)
    if (set[way].place == place && set[way].pid == pid)
      return TRUE;
  return FALSE;
}

void
pen_chain_resolver_expect_runs (PenChainResolver *self, const PenSampleChain *sample,
                                PenSweep *sweep, PenExpectedChain *expected)
{
  guint64 change;

  *expected = (PenExpectedChain){ .pid = -1, .space = PEN_SWEEP_NO_SPACE };
  if (!self->runs || sample->place == 0)
    return;
  if (has_space (sample)) {
    expected->pid = sample->pid;
    expected->space = pen_sweep_find_space (sweep, sample->pid, &change);
  }
  if (is_known (self, sample->place, expected->pid)
      || !pen_chain_spool_peek (self->spool, sample->place, &expected->halves[0],
                                &expected->halves[1]))
    return;

  for (guint i = 0; i < 2; i++)
    if (expected->halves[i] != 0)
      pen_run_resolver_expect (self->runs, expected->halves[i], expected->pid);
}

void
pen_chain_resolver_expect_frames (PenChainResolver *self, const PenExpectedChain *expected)
{
  for (guint i = 0; i < 2; i++)
    if (expected->halves[i] != 0)
      pen_run_resolver_expect_frames (self->runs, expected->halves[i], expected->pid,
                                      expected->space);
}

void
pen_chain_resolver_expect_unknown (PenChainResolver *self, const PenExpectedChain *expected)
{
  for (guint i = 0; i < 2; i++)
    if (expected->halves[i] != 0)
      pen_run_resolver_expect_unknown (self->runs, expected->halves[i], expected->pid,
                                       expected->space);
}
