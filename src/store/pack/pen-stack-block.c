/* pen-stack-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-block.h"

#define STACKS_MAX_LENGTH (2 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_STACKS, 4))
#define CELLS_MAX_LENGTH                                                                           \
  (10 + 3 * PEN_PACK_COLUMN_MAX (PEN_STACK_CELLS_MAX, 4)                                           \
   + 2 * PEN_PACK_COLUMN_MAX (PEN_STACK_CELLS_MAX, 8))

const guint8 *
pen_stack_block_pack (guint32 first, const PenStoredStack *stacks, guint n, PenPacker *packer,
                      gsize *length)
{
  g_autofree guint32 *column = g_new (guint32, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    column[i] = stacks[i].parent != 0 ? first + i - stacks[i].parent : 0;
  pen_packer_column32 (packer, column, n);
  for (guint i = 0; i < n; i++)
    column[i] = stacks[i].function + 1;
  pen_packer_column32 (packer, column, n);
  return pen_packer_finish (packer, length);
}

gboolean
pen_stack_block_unpack (guint32 first, PenStoredStack *stacks, guint n, const guint8 *bytes,
                        gsize length, PenUnpacker *unpacker, const char **reason)
{
  g_autofree guint32 *column = NULL;

  if (!pen_unpacker_start (unpacker, bytes, length, STACKS_MAX_LENGTH, reason))
    return FALSE;

  column = g_new (guint32, MAX (n, 1));
  pen_unpacker_column32 (unpacker, column, n);
  for (guint i = 0; i < n; i++) {
    if (column[i] >= first + i) {
      *reason = "a stack has a caller that is not there";
      return FALSE;
    }
    stacks[i].parent = column[i] != 0 ? first + i - column[i] : 0;
  }
  pen_unpacker_column32 (unpacker, column, n);
  for (guint i = 0; i < n; i++)
    stacks[i].function = column[i] - 1;

  *reason = "its columns do not have the stacks that it claims";
  return pen_unpacker_finish (unpacker);
}

const guint8 *
pen_stack_cells_pack (const PenStackCell *cells, guint n, const PenStoredStack *stacks,
                      PenPacker *packer, gsize *length)
{
  g_autofree guint64 *column = g_new (guint64, MAX (n, 1));
  guint64 period = n > 0 && cells[0].samples > 0 ? cells[0].period / cells[0].samples : 0;

  PEN_PACKER_FIELD (packer, cells, n, column, stack);
  for (guint i = 0; i < n; i++)
    column[i] = cells[i].function == stacks[cells[i].stack].function
                    ? 0
                    : cells[i].function + (guint64) 1;
  pen_packer_column (packer, column, n);
  PEN_PACKER_FIELD (packer, cells, n, column, event);
  PEN_PACKER_FIELD (packer, cells, n, column, samples);
  pen_packer_varint (packer, period);
  for (guint i = 0; i < n; i++)
    column[i] = pen_zigzag (cells[i].period - period * cells[i].samples);
  pen_packer_column (packer, column, n);
  return pen_packer_finish (packer, length);
}

static gboolean
unpack_cells (PenStackCell *cells, guint n, const PenStoredStack *stacks, guint32 n_stacks,
              PenUnpacker *unpacker, guint32 *narrow, guint64 *column)
{
  guint64 period;

  pen_unpacker_column32 (unpacker, narrow, n);
  for (guint i = 0; i < n; i++) {
    if (narrow[i] > n_stacks)
      return FALSE;
    cells[i].stack = narrow[i];
  }
  pen_unpacker_column32 (unpacker, narrow, n);
  for (guint i = 0; i < n; i++)
    cells[i].function = narrow[i] == 0 ? stacks[cells[i].stack].function : narrow[i] - 1;
  pen_unpacker_column32 (unpacker, narrow, n);
  for (guint i = 0; i < n; i++)
    cells[i].event = narrow[i];
  pen_unpacker_column (unpacker, column, n);
  for (guint i = 0; i < n; i++)
    cells[i].samples = column[i];
  period = pen_unpacker_varint (unpacker);
  pen_unpacker_column (unpacker, column, n);
  for (guint i = 0; i < n; i++)
    cells[i].period = pen_unzigzag (column[i]) + period * cells[i].samples;
  return TRUE;
}

gboolean
pen_stack_cells_unpack (GArray *cells, guint n, const PenStoredStack *stacks, guint32 n_stacks,
                        const guint8 *bytes, gsize length, PenUnpacker *unpacker,
                        const char **reason)
{
  g_autofree guint32 *narrow = NULL;
  g_autofree guint64 *column = NULL;

  if (!pen_unpacker_start (unpacker, bytes, length, CELLS_MAX_LENGTH, reason))
    return FALSE;

  /* Stacks rise, so they are not all the same, and each chunk of them has a byte at least: no pack
   * makes this take much more memory than itself. */
  *reason = "it does not have the cells that it claims";
  if (n > 1 && (n - 1) / PEN_PACK_CHUNK >= (gsize) (unpacker->end - unpacker->at))
    return FALSE;
  narrow = g_new (guint32, MAX (n, 1));
  column = g_new (guint64, MAX (n, 1));
  g_array_set_size (cells, n);
  return unpack_cells ((PenStackCell *) (gpointer) cells->data, n, stacks, n_stacks, unpacker,
                       narrow, column)
         && pen_unpacker_finish (unpacker);
}
