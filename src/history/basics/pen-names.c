/* pen-names.c: strings of a history, each kept once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-names.h"

struct _PenNames {
  GStringChunk *chunk;
  GHashTable *known;
};

static guint64 seed;

/* Names come from the capture: with a hash that everybody can compute (g_str_hash), a million names
 * made to collide would cost a million squared. FNV-1a from a random basis. */
static guint
name_hash (gconstpointer key)
{
  guint64 hash = seed;

  for (const guint8 *byte = key; *byte; byte++)
    hash = (hash ^ *byte) * G_GUINT64_CONSTANT (0x100000001b3);
  hash ^= hash >> 32;
  return (guint) (hash ^ (hash >> 15));
}

PenNames *
pen_names_new (void)
{
  static gsize once;
  PenNames *self = g_new0 (PenNames, 1);

  if (g_once_init_enter (&once)) {
    seed = ((guint64) g_random_int () << 32) | g_random_int ();
    g_once_init_leave (&once, 1);
  }

  self->chunk = g_string_chunk_new (4096);
  self->known = g_hash_table_new (name_hash, g_str_equal);
  return self;
}

void
pen_names_free (PenNames *self)
{
  if (!self)
    return;
  g_hash_table_unref (self->known);
  g_string_chunk_free (self->chunk);
  g_free (self);
}

const char *
pen_names_add (PenNames *self, const char *name)
{
  const char *kept = g_hash_table_lookup (self->known, name ? name : "");

  if (!kept) {
    kept = g_string_chunk_insert (self->chunk, name ? name : "");
    g_hash_table_add (self->known, (gpointer) kept);
  }
  return kept;
}
