/* pen-chain-spool.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-spool.h"

#include "pen-byte-spool.h"
#include "pen-hash.h"
#include "pen-table-hash.h"

/* Where chains seen lately are: from 32 KiB to 2 MiB, as there are more of them. One that is found
 * there need not be cut into its halves. */
#define SLOTS_MIN (1u << 11)
#define SLOTS_MAX (1u << 17)

/* As many as one line of the cache holds are looked through; the oldest gives way. */
#define WAYS 4u

/* A thread's halves arrive a few thousand records apart; those that wait longer are given up. */
#define MAX_WAITING (1u << 18)

/* On all machines that have kernel and user addresses apart without a marker, this is where. */
#define KERNEL_MIN ((guint64) 1 << 63)

typedef struct {
  guint32 tag;
  guint32 place; /* 0: none */
  guint32 first;
  guint32 second;
} ChainSlot;

/* A spooled chain; of one that waits for its second half, also the place of another that waits for
 * the same. */
typedef struct {
  guint32 first;
  guint32 second; /* 0: none, or not there yet */
  guint32 next;
  guint32 padding;
} Pair;

#define PAIR_SIZE 8u

G_STATIC_ASSERT (G_STRUCT_OFFSET (Pair, next) == PAIR_SIZE);

typedef struct {
  guint64 cookie;
  gint32 tid;
  gboolean is_there;
  guint32 half;   /* the user half, once it is there; 0: it has no addresses */
  guint32 newest; /* place of the last pair that waits for it */
  guint32 n;      /* how many do */
} Waiting;

struct _PenChainSpool {
  PenRunSpool *runs;
  PenByteSpool *pairs; /* Pair, or PAIR_SIZE bytes of it */
  PenHashKey key;
  GArray *again; /* guint64: a bit by place: something of the pair there was met more than once */
  ChainSlot *slots; /* NULL until there is a chain */
  guint32 n_slots;
  guint64 n_chains;
  GHashTable *waiting[2]; /* Waiting → itself: newer, and older ones */
  guint64 unjoined;
};

static guint
waiting_hash (gconstpointer data)
{
  const Waiting *waiting = data;

  guint64 key[] = { waiting->cookie, (guint32) waiting->tid };

  return pen_data_hash (key, sizeof key);
}

static gboolean
waiting_equal (gconstpointer a, gconstpointer b)
{
  const Waiting *x = a;
  const Waiting *y = b;

  return x->cookie == y->cookie && x->tid == y->tid;
}

static GHashTable *
waiting_table_new (void)
{
  return g_hash_table_new_full (waiting_hash, waiting_equal, g_free, NULL);
}

PenChainSpool *
pen_chain_spool_new (const char *directory, gsize memory)
{
  PenChainSpool *self = g_new0 (PenChainSpool, 1);

  self->runs = pen_run_spool_new (directory, memory - memory / 4);
  self->pairs = pen_byte_spool_new (directory, memory / 4);
  self->key = PEN_HASH_KEY_FIXED;
  self->again = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->waiting[0] = waiting_table_new ();
  self->waiting[1] = waiting_table_new ();
  return self;
}

void
pen_chain_spool_free (PenChainSpool *self)
{
  pen_run_spool_free (self->runs);
  pen_byte_spool_free (self->pairs);
  g_array_unref (self->again);
  g_free (self->slots);
  g_hash_table_unref (self->waiting[0]);
  g_hash_table_unref (self->waiting[1]);
  g_free (self);
}

/* ---- pairs ---- */

static ChainSlot *
get_set (ChainSlot *slots, guint32 n_slots, guint32 tag)
{
  return &slots[(tag & (n_slots / WAYS - 1)) * WAYS];
}

static ChainSlot *
find_oldest (ChainSlot *set)
{
  ChainSlot *oldest = set;

  for (guint way = 1; way < WAYS; way++)
    if ((set[way].place & ~PEN_RUN_HAS_USER) < (oldest->place & ~PEN_RUN_HAS_USER))
      oldest = &set[way];
  return oldest;
}

/* Each set becomes four: there is room for all. */
static void
grow (PenChainSpool *self)
{
  guint32 n_slots = CLAMP (self->n_slots * 4, SLOTS_MIN, SLOTS_MAX);
  ChainSlot *slots = g_new0 (ChainSlot, n_slots);

  for (guint32 i = 0; i < self->n_slots; i++) {
    const ChainSlot *known = &self->slots[i];

    if (known->place != 0)
      *find_oldest (get_set (slots, n_slots, known->tag)) = *known;
  }
  g_free (self->slots);
  self->slots = slots;
  self->n_slots = n_slots;
}

static void
note_again (PenChainSpool *self, guint32 place)
{
  guint32 bit = place & ~PEN_RUN_HAS_USER;

  if (bit / 64 >= self->again->len)
    g_array_set_size (self->again, bit / 64 + 1);
  g_array_index (self->again, guint64, bit / 64) |= (guint64) 1 << bit % 64;
}

gboolean
pen_chain_spool_is_met_again (PenChainSpool *self, guint32 place)
{
  guint32 bit = place & ~PEN_RUN_HAS_USER;

  return bit / 64 < self->again->len
         && (g_array_index (self->again, guint64, bit / 64) >> bit % 64 & 1) != 0;
}

static gboolean
add_pair (PenChainSpool *self, guint32 first, guint32 second, guint32 *place, GError **error)
{
  Pair pair = { .first = first, .second = second };

  if (!pen_byte_spool_add (self->pairs, &pair, PAIR_SIZE, place, error))
    return FALSE;
  if (*place != 0)
    *place |= (first | second) & PEN_RUN_HAS_USER;
  return TRUE;
}

gboolean
pen_chain_spool_split (PenChainSpool *self, guint32 place, guint32 *first, guint32 *second,
                       GError **error)
{
  const Pair *pair = (const Pair *) (gconstpointer) pen_byte_spool_get (
      self->pairs, place & ~PEN_RUN_HAS_USER, PAIR_SIZE, error);

  if (!pair)
    return FALSE;
  *first = pair->first;
  *second = pair->second;
  return TRUE;
}

/* ---- halves that come later ---- */

static void
count_unjoined (gpointer key, gpointer value G_GNUC_UNUSED, gpointer user_data)
{
  const Waiting *waiting = key;
  guint64 *count = user_data;

  *count += waiting->n;
}

/* The entry for (cookie, tid), made if there is none. */
static Waiting *
get_waiting (PenChainSpool *self, guint64 cookie, gint32 tid)
{
  Waiting key = { .cookie = cookie, .tid = tid };
  Waiting *waiting = g_hash_table_lookup (self->waiting[0], &key);

  if (!waiting)
    waiting = g_hash_table_lookup (self->waiting[1], &key);
  if (waiting)
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

static gboolean
add_waiting_pair (PenChainSpool *self, guint32 first, guint64 cookie, gint32 tid, guint32 *place,
                  GError **error)
{
  Waiting *waiting = get_waiting (self, cookie, tid);
  Pair pair = { .first = first, .next = waiting->newest };

  if (waiting->is_there) {
    if (!add_pair (self, first, waiting->half, place, error))
      return FALSE;
    note_again (self, *place);
    return TRUE;
  }

  if (!pen_byte_spool_add (self->pairs, &pair, sizeof pair, place, error))
    return FALSE;
  if (*place != 0) {
    note_again (self, *place);
    waiting->newest = *place;
    waiting->n++;
    *place |= PEN_RUN_HAS_USER;
  }
  return TRUE;
}

/* The half is there: those that wait for it get it. */
static gboolean
join (PenChainSpool *self, Waiting *waiting, guint32 half, GError **error)
{
  guint32 place = waiting->newest;

  while (place != 0) {
    const Pair *pair = (const Pair *) (gconstpointer) pen_byte_spool_get (self->pairs, place,
                                                                          sizeof *pair, error);
    Pair joined;

    if (!pair)
      return FALSE;
    joined = (Pair){ .first = pair->first, .second = half };
    place = pair->next;
    if (!pen_byte_spool_change (self->pairs, waiting->newest, &joined, sizeof joined, error))
      return FALSE;
    waiting->newest = place;
  }

  waiting->n = 0;
  waiting->is_there = TRUE;
  waiting->half = half;
  return TRUE;
}

guint64
pen_chain_spool_get_unjoined (PenChainSpool *self)
{
  guint64 unjoined = self->unjoined;

  g_hash_table_foreach (self->waiting[0], count_unjoined, &unjoined);
  g_hash_table_foreach (self->waiting[1], count_unjoined, &unjoined);
  return unjoined;
}

/* ---- from records ---- */

/* Takes the markers at the beginning of @run off it. */
static void
start_run (PenChainRun *run)
{
  while (run->n > 0 && run->entries[0] >= PEN_CONTEXT_MAX
         && run->entries[0] != PEN_CONTEXT_USER_DEFERRED) {
    run->context = pen_chain_context_after (run->entries[0], run->context);
    run->entries++;
    run->n--;
  }
}

/* Where @run is cut: the entries from @at on are the second half, but for @skipped of them. Most
 * chains have addresses of the kernel, a marker, and user addresses. */
static gsize
find_cut (const PenChainRun *run, gsize *skipped)
{
  const guint64 *entries = run->entries;
  gsize n = run->n;
  gsize cut = 0;
  gsize i;

  *skipped = 0;
  while (cut < n && entries[cut] - KERNEL_MIN < PEN_CONTEXT_MAX - KERNEL_MIN)
    cut++;
  if (cut < n && entries[cut] == PEN_CONTEXT_USER)
    *skipped = 1;

  for (i = cut + *skipped; i < n && entries[i] < PEN_CONTEXT_MAX; i++)
    ;
  if (i == n)
    return cut;

  /* Others are cut where user space begins, and where that is not told here. */
  *skipped = 1;
  for (cut = 0; cut + 1 < n; cut++)
    if (entries[cut] == PEN_CONTEXT_USER_DEFERRED)
      return cut;
  for (cut = 0; cut < n; cut++)
    if (entries[cut] == PEN_CONTEXT_USER)
      return cut;

  *skipped = 0;
  return n;
}

/* The run after the marker at @cut, or after the address before it. */
static PenChainRun
get_second_run (const PenChainRun *run, gsize cut, gsize skipped)
{
  PenChainRun second = { run->entries + cut + skipped, run->n - cut - skipped, run->context,
                         run->is_return || cut > 0 };

  if (skipped > 0) {
    second.context = PEN_CPUMODE_USER;
    second.is_return = FALSE;
  }
  return second;
}

static gboolean
is_chain (PenChainSpool *self, const ChainSlot *slot, const PenChainRun *run)
{
  PenChainRun second;
  gsize n = 0;

  if (slot->first != 0 && !pen_run_spool_is_start (self->runs, slot->first, run, &n))
    return FALSE;
  second = get_second_run (run, n, n < run->n && run->entries[n] == PEN_CONTEXT_USER);
  if (slot->second == 0)
    return second.n == 0;
  return pen_run_spool_is_start (self->runs, slot->second, &second, &n) && n == second.n;
}

static void
cut_chain (PenChainSpool *self, PenReadyChain *ready)
{
  PenChainRun first = ready->run;
  PenChainRun second;

  ready->cut = find_cut (&first, &ready->skipped);
  second = get_second_run (&first, ready->cut, ready->skipped);
  first.n = ready->cut;
  ready->tags[0] = pen_run_spool_get_tag (self->runs, &first);
  ready->tags[1] = pen_run_spool_get_tag (self->runs, &second);
  ready->is_cut = TRUE;
}

/* Keeps the halves of @chain, which is cut.
 * @slot: (out): its place is 0 if the second half comes later: others will have another one */
static gboolean
add_chain (PenChainSpool *self, const PenReadyChain *chain, gint32 tid, ChainSlot *slot,
           guint32 *place, GError **error)
{
  PenChainRun first = chain->run;
  PenChainRun second = get_second_run (&first, chain->cut, chain->skipped);
  gboolean is_again = FALSE;
  gboolean is_known;
  gboolean is_deferred
      = chain->skipped > 0 && first.entries[chain->cut] == PEN_CONTEXT_USER_DEFERRED;

  first.n = chain->cut;
  if (!pen_run_spool_intern (self->runs, &first, chain->tags[0], &slot->first, &is_known, error))
    return FALSE;
  is_again |= is_known;
  if (first.n > 0 && slot->first == 0)
    return TRUE;

  if (is_deferred)
    return add_waiting_pair (self, slot->first, second.entries[0], tid, place, error);

  if (!pen_run_spool_intern (self->runs, &second, chain->tags[1], &slot->second, &is_known, error))
    return FALSE;
  is_again |= is_known;
  if (second.n > 0 && slot->second == 0)
    return TRUE;

  if (!add_pair (self, slot->first, slot->second, place, error))
    return FALSE;
  slot->place = *place;
  if (is_again && *place != 0)
    note_again (self, *place);
  return TRUE;
}

void
pen_chain_spool_get_ready (PenChainSpool *self, const PenSampleRecord *sample, guint cpumode,
                           PenReadyChain *ready)
{
  PenChainRun run = { .entries = sample->callchain, .context = cpumode };
  gboolean is_whole;

  run.n = (gsize) MIN (sample->callchain_length, PEN_CHAIN_LENGTH_MAX);
  start_run (&run);
  is_whole = run.n == 0 || run.entries[0] != sample->address || run.entries[0] >= PEN_CONTEXT_MAX;
  if (!is_whole) {
    run.is_return = TRUE;
    run.entries++;
    run.n--;
  }

  *ready = (PenReadyChain){ .run = run, .is_whole = is_whole };
  ready->tag = (guint32) pen_hash_words (
      &self->key, run.n << 8 | run.context << 1 | (run.is_return != 0), run.entries, run.n);
  if (self->slots)
    __builtin_prefetch (get_set (self->slots, self->n_slots, ready->tag));
}

/* For one that is not there. */
void
pen_chain_spool_cut_ready (PenChainSpool *self, PenReadyChain *ready)
{
  const ChainSlot *set;

  if (!self->slots)
    return;
  set = get_set (self->slots, self->n_slots, ready->tag);
  for (guint way = 0; way < WAYS; way++)
    if (set[way].tag == ready->tag && set[way].place != 0)
      return;
  cut_chain (self, ready);
}

gboolean
pen_chain_spool_add_ready (PenChainSpool *self, const PenReadyChain *ready, gint32 tid,
                           guint32 *place, GError **error)
{
  PenReadyChain chain;
  ChainSlot new = { .tag = ready->tag };
  ChainSlot *set;

  *place = 0;
  if (self->n_chains >= self->n_slots / 2 && self->n_slots < SLOTS_MAX)
    grow (self);
  set = get_set (self->slots, self->n_slots, new.tag);
  for (guint way = 0; way < WAYS; way++)
    if (set[way].tag == new.tag && set[way].place != 0 && is_chain (self, &set[way], &ready->run)) {
      *place = set[way].place;
      note_again (self, *place);
      return TRUE;
    }

  chain = *ready;
  if (!chain.is_cut)
    cut_chain (self, &chain);
  if (!add_chain (self, &chain, tid, &new, place, error))
    return FALSE;
  if (new.place != 0) {
    *find_oldest (set) = new;
    self->n_chains++;
  }
  return TRUE;
}

gboolean
pen_chain_spool_add (PenChainSpool *self, const PenSampleRecord *sample, guint cpumode, gint32 tid,
                     guint32 *place, gboolean *is_whole, GError **error)
{
  PenReadyChain ready;

  *place = 0;
  *is_whole = FALSE;
  if (sample->callchain_length == 0)
    return TRUE;

  pen_chain_spool_get_ready (self, sample, cpumode, &ready);
  *is_whole = ready.is_whole;
  return pen_chain_spool_add_ready (self, &ready, tid, place, error);
}

gboolean
pen_chain_spool_add_deferred (PenChainSpool *self, guint64 cookie, gint32 tid, const guint64 *chain,
                              gsize n, GError **error)
{
  PenChainRun run = { chain, MIN (n, PEN_CHAIN_LENGTH_MAX), PEN_CPUMODE_USER, FALSE };
  gboolean is_known;
  guint32 half;

  if (n == 0)
    return TRUE;
  start_run (&run);
  if (!pen_run_spool_intern (self->runs, &run, pen_run_spool_get_tag (self->runs, &run), &half,
                             &is_known, error))
    return FALSE;
  if (run.n > 0 && half == 0)
    return TRUE;
  return join (self, get_waiting (self, cookie, tid), half, error);
}

void
pen_chain_spool_expect (PenChainSpool *self, guint32 place)
{
  guint32 bit = place & ~PEN_RUN_HAS_USER;
  const guint8 *pair = pen_byte_spool_peek (self->pairs, bit, PAIR_SIZE);

  if (pair)
    __builtin_prefetch (pair);
  if (bit / 64 < self->again->len)
    __builtin_prefetch (&g_array_index (self->again, guint64, bit / 64));
}

gboolean
pen_chain_spool_peek (PenChainSpool *self, guint32 place, guint32 *first, guint32 *second)
{
  const Pair *pair = (const Pair *) (gconstpointer) pen_byte_spool_peek (
      self->pairs, place & ~PEN_RUN_HAS_USER, PAIR_SIZE);

  if (!pair)
    return FALSE;
  *first = pair->first;
  *second = pair->second;
  return TRUE;
}

PenRunSpool *
pen_chain_spool_get_runs (PenChainSpool *self)
{
  return self->runs;
}

gboolean
pen_chain_spool_get (PenChainSpool *self, guint32 half, PenChainRun *run, GError **error)
{
  return pen_run_spool_get (self->runs, half, run, error);
}
