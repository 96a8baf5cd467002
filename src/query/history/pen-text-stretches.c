/* pen-text-stretches.c: when the text of a function was another one than at first
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-stretches.h"

#include "pen-poke.h"
#include "pen-table-hash.h"

/* A byte that was poked. */
typedef struct {
  guint8 first;
  guint8 now;
  guint32 revision;
} Byte;

/* A byte at a revision. */
typedef struct {
  guint64 address;
  guint32 revision;
} Version;

static guint
version_hash (gconstpointer data)
{
  const Version *version = data;

  guint64 key[] = { version->address, version->revision };

  return pen_data_hash (key, sizeof key);
}

static gboolean
version_equal (gconstpointer a, gconstpointer b)
{
  const Version *x = a;
  const Version *y = b;

  return x->address == y->address && x->revision == y->revision;
}

typedef struct {
  PenTextStretches *self;
  GHashTable *bytes; /* address → Byte */
  guint n_differing;
} Replay;

static Byte *
get_byte (Replay *replay, guint64 address, guint8 first)
{
  Byte *byte = g_hash_table_lookup (replay->bytes, &address);
  guint64 *key;

  if (byte)
    return byte;
  byte = g_new0 (Byte, 1);
  byte->first = byte->now = first;
  key = g_memdup2 (&address, sizeof address);
  g_hash_table_insert (replay->bytes, key, byte);
  return byte;
}

/* Returns: whether any of the patch's bytes is not the first one of its place. */
static gboolean
put_bytes (Replay *replay, const PenPoke *poke)
{
  gboolean differs = FALSE;

  for (guint i = 0; i < MIN (poke->old_length, poke->new_length); i++) {
    Byte *byte = get_byte (replay, poke->address + i, poke->old_bytes[i]);

    replay->n_differing -= byte->now != byte->first;
    byte->now = poke->new_bytes[i];
    byte->revision++;
    replay->n_differing += byte->now != byte->first;
    differs |= byte->now != byte->first;
  }
  return differs;
}

static void
note_versions (Replay *replay, const PenPoke *poke)
{
  for (guint i = 0; i < MIN (poke->old_length, poke->new_length); i++) {
    const Byte *byte = get_byte (replay, poke->address + i, 0);
    Version version = { poke->address + i, byte->revision };

    g_hash_table_add (replay->self->differing, g_memdup2 (&version, sizeof version));
  }
}

PenTextStretches *
pen_text_stretches_new (const GArray *pokes, guint32 tenure)
{
  PenTextStretches *self = g_new0 (PenTextStretches, 1);
  g_autoptr (GHashTable) bytes
      = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, g_free);
  Replay replay = { self, bytes, 0 };
  const guint64 end = G_MAXUINT64;

  self->stretches = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->differing = g_hash_table_new_full (version_hash, version_equal, g_free, NULL);
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);
    gboolean differed = replay.n_differing > 0;

    if (poke->tenure != tenure || poke->effect != PEN_POKE_PATCH)
      continue;
    if (put_bytes (&replay, poke))
      note_versions (&replay, poke);
    if (differed != (replay.n_differing > 0))
      g_array_append_val (self->stretches, poke->moment.time);
  }
  if (self->stretches->len % 2 != 0)
    g_array_append_val (self->stretches, end);
  return self;
}

void
pen_text_stretches_free (PenTextStretches *self)
{
  g_array_unref (self->stretches);
  g_hash_table_unref (self->differing);
  g_free (self);
}

gboolean
pen_text_stretches_differs (const PenTextStretches *self, guint64 address, guint32 revision)
{
  Version version = { address, revision };

  return g_hash_table_contains (self->differing, &version);
}
