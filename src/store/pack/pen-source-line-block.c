/* pen-source-line-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-source-line-block.h"

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenUnpacker, pen_unpacker_clear)

PenFunctionLines *
pen_function_lines_new (guint32 tenure)
{
  PenFunctionLines *self = g_new0 (PenFunctionLines, 1);

  self->tenure = tenure;
  self->lines = g_array_new (FALSE, FALSE, sizeof (PenSourceLine));
  self->calls = g_array_new (FALSE, FALSE, sizeof (PenSourceCall));
  return self;
}

void
pen_function_lines_free (PenFunctionLines *self)
{
  if (!self)
    return;

  g_array_unref (self->lines);
  g_array_unref (self->calls);
  g_free (self);
}

const guint8 *
pen_source_line_block_pack (const PenFunctionLines *lines, PenPacker *packer, gsize *length)
{
  const PenSourceLine *rows = (const PenSourceLine *) (gpointer) lines->lines->data;
  const PenSourceCall *calls = (const PenSourceCall *) (gpointer) lines->calls->data;
  guint n = lines->lines->len;
  guint n_calls = lines->calls->len;
  g_autofree guint64 *column = g_new (guint64, MAX (n, n_calls));

  PEN_PACKER_FIELD (packer, rows, n, column, offset);
  PEN_PACKER_FIELD (packer, rows, n, column, file);
  PEN_PACKER_FIELD (packer, rows, n, column, line);
  PEN_PACKER_FIELD (packer, rows, n, column, call);
  if (n_calls == 0)
    return pen_packer_finish (packer, length);

  PEN_PACKER_FIELD (packer, calls, n_calls, column, inlined);
  PEN_PACKER_FIELD (packer, calls, n_calls, column, file);
  PEN_PACKER_FIELD (packer, calls, n_calls, column, line);
  PEN_PACKER_FIELD (packer, calls, n_calls, column, outer);
  return pen_packer_finish (packer, length);
}

static void
unpack_lines (PenUnpacker *unpacker, guint n, GArray *lines)
{
  g_autofree guint64 *offsets = g_new0 (guint64, n);
  g_autofree guint32 *numbers = g_new0 (guint32, (gsize) n * 3);

  pen_unpacker_column (unpacker, offsets, n);
  for (guint i = 0; i < 3; i++)
    pen_unpacker_column32 (unpacker, numbers + (gsize) i * n, n);
  for (guint i = 0; i < n; i++) {
    PenSourceLine line = { offsets[i], numbers[i], numbers[n + i], numbers[2 * (gsize) n + i] };

    g_array_append_val (lines, line);
  }
}

static void
unpack_calls (PenUnpacker *unpacker, guint n, GArray *calls)
{
  g_autofree guint32 *numbers = g_new0 (guint32, (gsize) n * 4);

  for (guint i = 0; i < 4; i++)
    pen_unpacker_column32 (unpacker, numbers + (gsize) i * n, n);
  for (guint i = 0; i < n; i++) {
    PenSourceCall call
        = { numbers[i], numbers[n + i], numbers[2 * (gsize) n + i], numbers[3 * (gsize) n + i] };

    g_array_append_val (calls, call);
  }
}

/* Do all calls that are named exist, and lead outwards? */
static gboolean
are_calls_in_order (const PenFunctionLines *lines)
{
  for (guint i = 0; i < lines->lines->len; i++)
    if (g_array_index (lines->lines, PenSourceLine, i).call > lines->calls->len)
      return FALSE;
  for (guint i = 0; i < lines->calls->len; i++)
    if (g_array_index (lines->calls, PenSourceCall, i).outer > i)
      return FALSE;
  return TRUE;
}

PenFunctionLines *
pen_source_line_block_unpack (guint32 tenure, gint64 n, gint64 n_calls, const guint8 *bytes,
                              gsize length, const char **reason)
{
  g_auto (PenUnpacker) unpacker = { 0 };
  g_autoptr (PenFunctionLines) lines = NULL;

  *reason = "it is empty";
  if (!bytes || n <= 0 || n > PEN_FUNCTION_LINES_MAX || n_calls < 0
      || n_calls > PEN_FUNCTION_LINES_MAX
      || !pen_unpacker_start (&unpacker, bytes, length,
                              4 * PEN_PACK_COLUMN_MAX (n, 8) + 4 * PEN_PACK_COLUMN_MAX (n_calls, 8),
                              reason))
    return NULL;

  lines = pen_function_lines_new (tenure);
  unpack_lines (&unpacker, (guint) n, lines->lines);
  if (n_calls > 0)
    unpack_calls (&unpacker, (guint) n_calls, lines->calls);
  *reason = "it does not have the numbers that it says it has";
  if (!pen_unpacker_finish (&unpacker))
    return NULL;
  *reason = "it has calls that are not there";
  return are_calls_in_order (lines) ? g_steal_pointer (&lines) : NULL;
}
