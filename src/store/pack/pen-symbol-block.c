/* pen-symbol-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-symbol-block.h"

#include <string.h>

#define NAME_MAX_LENGTH 4095
#define MAX_LENGTH ((gsize) 64 << 20)

const guint8 *
pen_symbol_block_pack (const PenStoreSymbol *symbols, guint n, PenPacker *packer, gsize *length)
{
  g_autofree guint64 *column = g_new (guint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    column[i] = symbols[i].start;
  pen_packer_column (packer, column, n);

  for (guint i = 0; i < n; i++)
    column[i] = symbols[i].end - symbols[i].start;
  pen_packer_column (packer, column, n);

  for (guint i = 0; i < n; i++) {
    gsize bytes = strnlen (symbols[i].name, NAME_MAX_LENGTH);

    pen_packer_bytes (packer, symbols[i].name, bytes);
    pen_packer_byte (packer, 0);
  }
  return pen_packer_finish (packer, length);
}

static void
clear_pack (gpointer data)
{
  PenSymbolPack *pack = data;

  g_free (pack->occupant);
  g_bytes_unref (pack->bytes);
}

GArray *
pen_symbol_packs_new (void)
{
  GArray *packs = g_array_new (FALSE, FALSE, sizeof (PenSymbolPack));

  g_array_set_clear_func (packs, clear_pack);
  return packs;
}

void
pen_symbol_packs_add (GArray *packs, const char *occupant, const PenStoreSymbol *symbols, guint n)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();

  for (guint done = 0; done < n;) {
    PenSymbolPack pack = { .n = MIN (n - done, PEN_BLOCK_SYMBOLS) };
    gsize length;
    const guint8 *bytes = pen_symbol_block_pack (symbols + done, pack.n, packer, &length);

    pack.occupant = g_strdup (occupant);
    pack.bytes = g_bytes_new (bytes, length);
    g_array_append_val (packs, pack);
    done += pack.n;
  }
}

static gboolean
unpack_names (PenUnpacker *unpacker, PenStoreSymbol *symbols, guint n, GStringChunk *names)
{
  for (guint i = 0; i < n; i++) {
    gsize left = (gsize) (unpacker->end - unpacker->at);
    const guint8 *nul = left > 0 ? memchr (unpacker->at, 0, left) : NULL;

    if (!nul)
      return FALSE;

    symbols[i].name
        = g_string_chunk_insert_len (names, (const char *) unpacker->at, nul - unpacker->at);
    unpacker->at = nul + 1;
  }
  return TRUE;
}

gboolean
pen_symbol_block_unpack (const guint8 *bytes, gsize length, guint n, GArray *symbols,
                         GStringChunk *names, const char **reason)
{
  PenUnpacker unpacker = { 0 };
  g_autofree guint64 *column = NULL;
  guint first = symbols->len;
  PenStoreSymbol *added;
  gboolean ok = FALSE;

  *reason = "it does not have the symbols that it claims";
  if (n == 0 || n > PEN_BLOCK_SYMBOLS)
    return FALSE;
  if (!pen_unpacker_start (&unpacker, bytes, length, MAX_LENGTH, reason))
    goto out;

  column = g_new (guint64, MAX (n, 1));
  g_array_set_size (symbols, first + n);
  added = &g_array_index (symbols, PenStoreSymbol, first);

  pen_unpacker_column (&unpacker, column, n);
  for (guint i = 0; i < n; i++)
    added[i].start = column[i];

  pen_unpacker_column (&unpacker, column, n);
  for (guint i = 0; i < n; i++)
    added[i].end = added[i].start + column[i];

  ok = !unpacker.failed && unpack_names (&unpacker, added, n, names)
       && pen_unpacker_finish (&unpacker);
  if (!ok) {
    *reason = "it does not have the symbols that it claims";
    g_array_set_size (symbols, first);
  }

out:
  pen_unpacker_clear (&unpacker);
  return ok;
}
