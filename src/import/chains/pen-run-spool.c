/* pen-run-spool.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-run-spool.h"

#include <string.h>

#include "pen-byte-spool.h"
#include "pen-hash.h"

/* Where runs seen lately are: from 64 KiB to 1 MiB, as there are more of them. A small capture
 * would spend more time on the pages of a large table than on its chains. */
#define SLOTS_MIN (1u << 13)
#define SLOTS_MAX (1u << 17)

/* As many as one line of the cache holds are looked through; the oldest gives way. */
#define WAYS 8u

typedef struct {
  guint32 tag;
  guint32 number; /* its place, and PEN_RUN_HAS_USER; 0: none */
} RunSlot;

struct _PenRunSpool {
  PenByteSpool *bytes; /* of each run: a header, and the entries, narrow where they can be */
  const PenSpoolMemory *memory;
  PenHashKey key;
  RunSlot *slots; /* NULL until there is a run */
  guint32 n_slots;
  guint64 n_runs;
  guint64 *entries; /* @n_entries: of the run that was asked for */
  gsize n_entries;
};

PenRunSpool *
pen_run_spool_new (const char *directory, gsize memory)
{
  PenRunSpool *self = g_new0 (PenRunSpool, 1);

  self->bytes = pen_byte_spool_new (directory, memory);
  self->memory = pen_byte_spool_get_memory (self->bytes);
  self->key = PEN_HASH_KEY_FIXED;
  return self;
}

void
pen_run_spool_free (PenRunSpool *self)
{
  pen_byte_spool_free (self->bytes);
  g_free (self->slots);
  g_free (self->entries);
  g_free (self);
}

guint
pen_chain_context_after (guint64 marker, guint context)
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

/* The length is in the lower half. */
static inline guint64
make_header (const PenChainRun *run)
{
  return run->n | (guint64) run->context << 32 | (guint64) (run->is_return != 0) << 40;
}

/* In the header of a run in the spool: its entries are 32 bits each, after the upper 32 bits that
 * all of them have. */
#define IS_NARROW ((guint64) 1 << 41)

static gboolean
is_narrow (const PenChainRun *run)
{
  guint64 differences = 0;

  for (gsize i = 1; i < run->n; i++)
    differences |= run->entries[i] ^ run->entries[0];
  return differences >> 32 == 0;
}

static gsize
get_size (guint64 header)
{
  gsize n = (guint32) header;

  return 8 + ((header & IS_NARROW) != 0 ? 4 * (n + 1) : 8 * n);
}

static inline guint64
widen (const guint32 *narrow, gsize i)
{
  return (guint64) narrow[0] << 32 | narrow[i + 1];
}

static RunSlot *
get_set (RunSlot *slots, guint32 n_slots, guint32 tag)
{
  return &slots[(tag & (n_slots / WAYS - 1)) * WAYS];
}

/* The one that is free, or the oldest. */
static RunSlot *
find_oldest (RunSlot *set)
{
  RunSlot *oldest = set;

  for (guint way = 1; way < WAYS; way++)
    if ((set[way].number & ~PEN_RUN_HAS_USER) < (oldest->number & ~PEN_RUN_HAS_USER))
      oldest = &set[way];
  return oldest;
}

/* Each set becomes four: there is room for all. */
static void
grow (PenRunSpool *self)
{
  guint32 n_slots = CLAMP (self->n_slots * 4, SLOTS_MIN, SLOTS_MAX);
  RunSlot *slots = g_new0 (RunSlot, n_slots);

  for (guint32 i = 0; i < self->n_slots; i++)
    if (self->slots[i].number != 0)
      *find_oldest (get_set (slots, n_slots, self->slots[i].tag)) = self->slots[i];
  g_free (self->slots);
  self->slots = slots;
  self->n_slots = n_slots;
}

gboolean
pen_run_spool_is_start (PenRunSpool *self, guint32 number, const PenChainRun *run, gsize *n)
{
  const guint64 *known = pen_spool_memory_peek (self->memory, number & ~PEN_RUN_HAS_USER);
  const guint32 *narrow;
  guint64 differences = 0;

  if (!known)
    return FALSE;
  *n = (guint32) known[0];
  if (*n > run->n || (known[0] & ~IS_NARROW) >> 32 != make_header (run) >> 32)
    return FALSE;
  if ((known[0] & IS_NARROW) == 0)
    return memcmp (known + 1, run->entries, 8 * *n) == 0;

  narrow = (const guint32 *) (gconstpointer) (known + 1);
  for (gsize i = 0; i < *n; i++)
    differences |= run->entries[i] ^ widen (narrow, i);
  return differences == 0;
}

static gboolean
has_user (const PenChainRun *run)
{
  guint context = run->context;

  for (gsize i = 0; i < run->n; i++) {
    if (run->entries[i] < PEN_CONTEXT_MAX && context == PEN_CPUMODE_USER)
      return TRUE;
    if (run->entries[i] >= PEN_CONTEXT_MAX)
      context = pen_chain_context_after (run->entries[i], context);
  }
  return FALSE;
}

static void
write_narrow (const PenChainRun *run, guint32 *narrow)
{
  narrow[0] = (guint32) (run->entries[0] >> 32);
  for (gsize i = 0; i < run->n; i++)
    narrow[i + 1] = (guint32) run->entries[i];
}

static gboolean
add_run (PenRunSpool *self, guint64 header, const PenChainRun *run, guint32 *number, GError **error)
{
  GError *local_error = NULL;
  guint8 *room;

  header |= is_narrow (run) ? IS_NARROW : 0;
  room = pen_byte_spool_reserve (self->bytes, get_size (header), number, &local_error);
  if (room) {
    memcpy (room, &header, 8);
    if ((header & IS_NARROW) != 0)
      write_narrow (run, (guint32 *) (gpointer) (room + 8));
    else
      memcpy (room + 8, run->entries, 8 * run->n);
    *number |= has_user (run) ? PEN_RUN_HAS_USER : 0;
  }
  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  return TRUE;
}

guint32
pen_run_spool_get_tag (PenRunSpool *self, const PenChainRun *run)
{
  guint32 tag;

  if (run->n == 0)
    return 0;

  tag = (guint32) pen_hash_words (&self->key, make_header (run), run->entries, run->n);
  if (self->slots)
    __builtin_prefetch (get_set (self->slots, self->n_slots, tag));
  return tag;
}

gboolean
pen_run_spool_intern (PenRunSpool *self, const PenChainRun *run, guint32 tag, guint32 *number,
                      gboolean *is_known, GError **error)
{
  guint64 header = make_header (run);
  RunSlot *set;
  RunSlot *victim = NULL;
  gsize n;

  *number = 0;
  *is_known = FALSE;
  if (run->n == 0)
    return TRUE;

  if (self->n_runs >= self->n_slots / 2 && self->n_slots < SLOTS_MAX)
    grow (self);

  set = get_set (self->slots, self->n_slots, tag);
  for (RunSlot *slot = set; slot < set + WAYS; slot++) {
    if (slot->tag != tag || slot->number == 0)
      continue;
    /* One that has gone to the file is not read again for this. */
    if (pen_run_spool_is_start (self, slot->number, run, &n) && n == run->n) {
      *number = slot->number;
      *is_known = TRUE;
      return TRUE;
    }
    victim = slot;
  }

  if (!add_run (self, header, run, number, error))
    return FALSE;

  self->n_runs++;
  if (*number != 0) {
    if (!victim)
      victim = find_oldest (set);
    *victim = (RunSlot){ tag, *number };
  }
  return TRUE;
}

static const guint64 *
read_narrow (PenRunSpool *self, const guint64 *words, gsize n)
{
  const guint32 *narrow = (const guint32 *) (gconstpointer) (words + 1);

  if (n > self->n_entries) {
    self->n_entries = n;
    self->entries = g_renew (guint64, self->entries, n);
  }
  for (gsize i = 0; i < n; i++)
    self->entries[i] = widen (narrow, i);
  return self->entries;
}

static void
take_header (guint64 header, PenChainRun *run)
{
  run->n = (guint32) header;
  run->context = (guint8) (header >> 32);
  run->is_return = (header >> 40 & 1) != 0;
}

gboolean
pen_run_spool_get (PenRunSpool *self, guint32 number, PenChainRun *run, GError **error)
{
  guint32 place = number & ~PEN_RUN_HAS_USER;
  const guint64 *words
      = (const guint64 *) (gconstpointer) pen_byte_spool_get (self->bytes, place, 8, error);

  if (!words)
    return FALSE;

  take_header (words[0], run);
  words = (const guint64 *) (gconstpointer) pen_byte_spool_get (self->bytes, place,
                                                                get_size (words[0]), error);
  if (!words)
    return FALSE;
  run->entries = (words[0] & IS_NARROW) != 0 ? read_narrow (self, words, run->n) : words + 1;
  return TRUE;
}

void
pen_run_spool_expect (PenRunSpool *self, guint32 number)
{
  const guint8 *bytes = pen_byte_spool_peek (self->bytes, number & ~PEN_RUN_HAS_USER, 8);

  if (bytes) {
    __builtin_prefetch (bytes);
    __builtin_prefetch (bytes + 64);
  }
}

gboolean
pen_run_spool_peek (PenRunSpool *self, guint32 number, PenChainRun *run, guint64 *room)
{
  guint32 place = number & ~PEN_RUN_HAS_USER;
  const guint64 *words
      = (const guint64 *) (gconstpointer) pen_byte_spool_peek (self->bytes, place, 8);

  if (!words || !pen_byte_spool_peek (self->bytes, place, get_size (words[0])))
    return FALSE;

  take_header (words[0], run);
  run->n = MIN (run->n, PEN_RUN_PEEK_MAX);
  run->entries = words + 1;
  if ((words[0] & IS_NARROW) != 0) {
    for (gsize i = 0; i < run->n; i++)
      room[i] = widen ((const guint32 *) (gconstpointer) (words + 1), i);
    run->entries = room;
  }
  return TRUE;
}
