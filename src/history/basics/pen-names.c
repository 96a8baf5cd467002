/* pen-names.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-names.h"

#include "pen-table-hash.h"

#include "pen-table-hash.h"

struct _PenNames {
  GStringChunk *chunk;
  GHashTable *known;
};

PenNames *
pen_names_new (void)
{
  PenNames *self = g_new0 (PenNames, 1);

  self->chunk = g_string_chunk_new (4096);
  self->known = g_hash_table_new (pen_str_hash, g_str_equal);
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

gboolean
pen_names_contains (PenNames *self, const char *name)
{
  return g_hash_table_contains (self->known, name);
}

GStringChunk *
pen_names_get_chunk (PenNames *self)
{
  return self->chunk;
}
