/* pen-store-payloads.c: raw payloads of samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

static gboolean
set_piece_error (PenStore *self, guint block, const char *reason, GError **error)
{
  g_autofree char *what = g_strdup_printf ("payloads of sample block %u: %s", block, reason);

  return pen_store_set_damaged (self, what, error);
}

/* The piece that may hold the payload; none: FALSE without @error. */
static gboolean
load_piece (PenStore *self, guint block, guint index, GError **error)
{
  const char *reason = "they are gone";
  const guint8 *bytes;
  guint first;

  sqlite3_bind_int64 (self->read_payloads, 1, block);
  sqlite3_bind_int64 (self->read_payloads, 2, index);
  if (pen_sql_step (self->read_payloads, error) != PEN_SQL_ROW)
    return FALSE;

  g_clear_pointer (&self->payloads, pen_payload_block_free);
  first = (guint) sqlite3_column_int64 (self->read_payloads, 0);
  bytes = sqlite3_column_blob (self->read_payloads, 2);
  if (bytes)
    self->payloads = pen_payload_block_unpack (
        (guint) MIN (pen_sql_u64 (self->read_payloads, 1), G_MAXUINT), bytes,
        (gsize) sqlite3_column_bytes (self->read_payloads, 2), &self->unpacker, &reason);
  if (!self->payloads)
    return set_piece_error (self, block, reason, error);

  self->payloads->block = block;
  self->payloads->first = first;
  return TRUE;
}

static gboolean
holds (const PenPayloadBlock *piece, guint block, guint index)
{
  return piece && piece->block == block && index >= piece->first && index - piece->first < piece->n;
}

gboolean
pen_store_read_payload (PenStore *self, guint block, guint index, const guint8 **bytes,
                        gsize *length, GError **error)
{
  const PenPayloadBlock *piece;
  GError *local_error = NULL;

  *bytes = NULL;
  *length = 0;
  if (!holds (self->payloads, block, index)) {
    if (!self->read_payloads) {
      self->read_payloads = pen_sql_prepare (self->db,
                                             "SELECT first, n, payloads FROM payload_block"
                                             " WHERE block = ? AND first <= ?"
                                             " ORDER BY first DESC LIMIT 1",
                                             error);
      if (!self->read_payloads)
        return FALSE;
    }
    load_piece (self, block, index, &local_error);
    sqlite3_reset (self->read_payloads);
    if (local_error) {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  }

  piece = self->payloads;
  if (holds (piece, block, index) && piece->has[index - piece->first]) {
    guint i = index - piece->first;

    *length = piece->offsets[i + 1] - piece->offsets[i];
    *bytes = *length > 0 ? piece->bytes + piece->offsets[i] : (const guint8 *) "";
  }
  return TRUE;
}
