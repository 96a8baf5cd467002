/* pen-chain-spool.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-spool.h"

#include <string.h>

#include "pen-byte-spool.h"
#include "pen-hash.h"

/* Where chains seen lately are: from 128 KiB to 2 MiB, as there are more of them. A small capture
 * would spend more time on the pages of a large table than on its chains. */
#define SLOTS_MIN (1u << 13)
#define SLOTS_MAX (1u << 17)

/* Set in a place: an index of joins, else a run. */
#define IS_JOIN 0x80000000u

/* A thread's halves arrive a few thousand records apart; those that wait longer are given up. */
#define MAX_WAITING (1u << 18)

typedef struct {
  guint64 hash;
  guint32 place;
} Slot;

typedef struct {
  guint32 first;
  guint32 second; /* 0: not there yet */
} Join;

typedef struct {
  guint64 cookie;
  gint32 tid;
  guint32 half;  /* where the user half is, once it is there */
  GArray *joins; /* guint32: indexes of those that wait for it, or NULL */
} Waiting;

struct _PenChainSpool {
  PenByteSpool *runs; /* guint64 n, and n entries */
  guint64 seed;
  Slot *slots; /* NULL until there is a chain */
  guint32 n_slots;
  guint64 n_runs;
  guint64 *scratch;
  guint64 *callers;
  GArray *joins;
  GHashTable *waiting[2]; /* Waiting → itself: newer, and older ones */
  guint64 unjoined;
};

/* The seed of a thread's cookies is part of the process: hash functions have no user data. */
static guint64 cookie_seed;

static guint
waiting_hash (gconstpointer data)
{
  const Waiting *waiting = data;

  return (guint) (pen_hash_mix (pen_hash_mix (cookie_seed, waiting->cookie), (guint32) waiting->tid)
                  >> 16);
}

static gboolean
waiting_equal (gconstpointer a, gconstpointer b)
{
  const Waiting *x = a;
  const Waiting *y = b;

  return x->cookie == y->cookie && x->tid == y->tid;
}

static void
waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_clear_pointer (&waiting->joins, g_array_unref);
  g_free (waiting);
}

static GHashTable *
waiting_table_new (void)
{
  return g_hash_table_new_full (waiting_hash, waiting_equal, waiting_free, NULL);
}

PenChainSpool *
pen_chain_spool_new (const char *directory, gsize memory)
{
  static gsize once;
  PenChainSpool *self = g_new0 (PenChainSpool, 1);

  if (g_once_init_enter (&once)) {
    cookie_seed = pen_hash_seed ();
    g_once_init_leave (&once, 1);
  }

  self->runs = pen_byte_spool_new (directory, memory);
  self->seed = pen_hash_seed ();
  self->joins = g_array_new (FALSE, FALSE, sizeof (Join));
  self->waiting[0] = waiting_table_new ();
  self->waiting[1] = waiting_table_new ();

  return self;
}

void
pen_chain_spool_free (PenChainSpool *self)
{
  if (self == NULL)
    return;

  pen_byte_spool_free (self->runs);
  g_free (self->slots);
  g_free (self->scratch);
  g_free (self->callers);
  g_array_unref (self->joins);
  g_hash_table_unref (self->waiting[0]);
  g_hash_table_unref (self->waiting[1]);
  g_free (self);
}

/* Returns: whether the run at @place is that of @chain; FALSE with @error on failure, too */
static gboolean
is_run (PenChainSpool *self, guint32 place, const guint64 *chain, gsize n, GError **error)
{
  const guint64 *run
      = (const guint64 *) (gconstpointer) pen_byte_spool_get (self->runs, place, 8, error);

  if (run == NULL || run[0] != n)
    return FALSE;

  run = (const guint64 *) (gconstpointer) pen_byte_spool_get (self->runs, place, 8 * (n + 1),
                                                              error);

  return run != NULL && memcmp (run + 1, chain, 8 * n) == 0;
}

static void
grow_slots (PenChainSpool *self)
{
  guint32 n_slots = self->n_slots == 0 ? SLOTS_MIN : self->n_slots * 4;
  Slot *slots = g_new0 (Slot, n_slots);

  for (guint32 i = 0; i < self->n_slots; i++)
    if (self->slots[i].place != 0)
      slots[(self->slots[i].hash >> 32) % n_slots] = self->slots[i];
  g_free (self->slots);
  self->slots = slots;
  self->n_slots = n_slots;
}

static gboolean
intern (PenChainSpool *self, const guint64 *chain, gsize n, guint32 *place, GError **error)
{
  GError *local_error = NULL;
  guint64 hash = self->seed;
  Slot *slot;

  *place = 0;
  if (n == 0)
    return TRUE;
  n = MIN (n, PEN_CHAIN_LENGTH_MAX);

  if (self->scratch == NULL)
    self->scratch = g_new (guint64, PEN_CHAIN_LENGTH_MAX + 1);
  if (self->n_runs >= self->n_slots / 2 && self->n_slots < SLOTS_MAX)
    grow_slots (self);

  for (gsize i = 0; i < n; i++)
    hash = pen_hash_mix (hash, chain[i]);

  slot = &self->slots[(hash >> 32) % self->n_slots];
  if (slot->place != 0 && slot->hash == hash
      && is_run (self, slot->place, chain, n, &local_error)) {
    *place = slot->place;
    return TRUE;
  }
  if (local_error != NULL) {
    g_propagate_error (error, local_error);
    return FALSE;
  }

  self->scratch[0] = n;
  memcpy (self->scratch + 1, chain, 8 * n);
  if (!pen_byte_spool_add (self->runs, self->scratch, 8 * (n + 1), place, error))
    return FALSE;

  self->n_runs++;
  if (*place != 0) {
    slot->hash = hash;
    slot->place = *place;
  }

  return TRUE;
}

static void
count_unjoined (gpointer key, gpointer value G_GNUC_UNUSED, gpointer user_data)
{
  const Waiting *waiting = key;
  guint64 *count = user_data;

  if (waiting->half == 0 && waiting->joins != NULL)
    *count += waiting->joins->len;
}

/* The entry for (cookie, tid), made if there is none. */
static Waiting *
get_waiting (PenChainSpool *self, guint64 cookie, gint32 tid)
{
  Waiting key = { .cookie = cookie, .tid = tid };
  Waiting *waiting = g_hash_table_lookup (self->waiting[0], &key);

  if (waiting == NULL)
    waiting = g_hash_table_lookup (self->waiting[1], &key);
  if (waiting != NULL)
    return waiting;

  if (g_hash_table_size (self->waiting[0]) >= MAX_WAITING) {
    g_hash_table_foreach (self->waiting[1], count_unjoined, &self->unjoined);
    g_hash_table_unref (self->waiting[1]);
    self->waiting[1] = self->waiting[0];
    self->waiting[0] = waiting_table_new ();
  }

  waiting = g_memdup2 (&key, sizeof key);
  g_hash_table_add (self->waiting[0], waiting);

  return waiting;
}

static gsize
find_cookie (const guint64 *chain, gsize n)
{
  for (gsize i = 0; i + 1 < n; i++)
    if (chain[i] == PEN_CONTEXT_USER_DEFERRED)
      return i;

  return n;
}

/* Returns: @sample's chain with PEN_CHAIN_LEAF for its first address, if that is the sample's own.
 */
static const guint64 *
replace_leaf (PenChainSpool *self, const PenSampleRecord *sample, gsize n, gboolean *is_whole)
{
  gsize leaf = 0;

  while (leaf < n && sample->callchain[leaf] >= PEN_CONTEXT_MAX)
    leaf++;

  *is_whole = leaf == n || sample->callchain[leaf] != sample->address;
  if (*is_whole)
    return sample->callchain;

  if (self->callers == NULL)
    self->callers = g_new (guint64, PEN_CHAIN_LENGTH_MAX);
  memcpy (self->callers, sample->callchain, 8 * n);
  self->callers[leaf] = PEN_CHAIN_LEAF;

  return self->callers;
}

gboolean
pen_chain_spool_add (PenChainSpool *self, const PenSampleRecord *sample, gint32 tid, guint32 *place,
                     gboolean *is_whole, GError **error)
{
  gsize n = (gsize) MIN (sample->callchain_length, PEN_CHAIN_LENGTH_MAX);
  gsize marker = find_cookie (sample->callchain, n);
  const guint64 *chain = replace_leaf (self, sample, marker, is_whole);
  Join join = { 0 };
  Waiting *waiting;
  guint32 index = self->joins->len;

  if (marker == n)
    return intern (self, chain, n, place, error);

  *place = 0;
  if (!intern (self, chain, marker, &join.first, error))
    return FALSE;
  if (index >= IS_JOIN - 1) {
    *place = join.first;
    return TRUE;
  }

  waiting = get_waiting (self, sample->callchain[marker + 1], tid);
  join.second = waiting->half;
  if (waiting->half == 0) {
    if (waiting->joins == NULL)
      waiting->joins = g_array_new (FALSE, FALSE, sizeof (guint32));
    g_array_append_val (waiting->joins, index);
  }
  g_array_append_val (self->joins, join);
  *place = IS_JOIN | index;

  return TRUE;
}

gboolean
pen_chain_spool_add_deferred (PenChainSpool *self, guint64 cookie, gint32 tid, const guint64 *chain,
                              gsize n, GError **error)
{
  Waiting *waiting;
  guint32 half;

  if (!intern (self, chain, n, &half, error))
    return FALSE;
  if (half == 0)
    return TRUE;

  waiting = get_waiting (self, cookie, tid);
  waiting->half = half;
  for (guint i = 0; waiting->joins != NULL && i < waiting->joins->len; i++)
    g_array_index (self->joins, Join, g_array_index (waiting->joins, guint32, i)).second = half;
  g_clear_pointer (&waiting->joins, g_array_unref);

  return TRUE;
}

void
pen_chain_spool_split (PenChainSpool *self, guint32 place, guint32 *first, guint32 *second)
{
  if ((place & IS_JOIN) != 0) {
    const Join *join = &g_array_index (self->joins, Join, place & ~IS_JOIN);

    *first = join->first;
    *second = join->second;
  } else {
    *first = place;
    *second = 0;
  }
}

const guint64 *
pen_chain_spool_get (PenChainSpool *self, guint32 half, gsize *n, GError **error)
{
  const guint64 *run
      = (const guint64 *) (gconstpointer) pen_byte_spool_get (self->runs, half, 8, error);

  if (run == NULL)
    return NULL;

  *n = (gsize) run[0];
  run = (const guint64 *) (gconstpointer) pen_byte_spool_get (self->runs, half, 8 * (*n + 1),
                                                              error);

  return run != NULL ? run + 1 : NULL;
}

guint64
pen_chain_spool_get_unjoined (PenChainSpool *self)
{
  guint64 unjoined = self->unjoined;

  g_hash_table_foreach (self->waiting[0], count_unjoined, &unjoined);
  g_hash_table_foreach (self->waiting[1], count_unjoined, &unjoined);

  return unjoined;
}
