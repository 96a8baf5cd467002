/* pen-span-functions.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-functions.h"

#include "pen-store-spans.h"

void
pen_span_functions_add (GArray *functions, guint32 function, guint64 samples, guint64 period)
{
  PenSpanFunction *last
      = functions->len > 0 ? &g_array_index (functions, PenSpanFunction, functions->len - 1) : NULL;
  PenSpanFunction one = { function, samples, period };

  if (!last || last->function != function) {
    g_array_append_val (functions, one);
    return;
  }
  last->samples += samples;
  last->period += period;
}

const guint8 *
pen_span_functions_pack (const GArray *functions, PenPacker *packer, gsize *length)
{
  const PenSpanFunction *rows = (const PenSpanFunction *) (gpointer) functions->data;
  g_autofree guint64 *column = g_new (guint64, functions->len + 1);

  pen_packer_varint (packer, functions->len);
  PEN_PACKER_FIELD (packer, rows, functions->len, column, function);
  PEN_PACKER_FIELD (packer, rows, functions->len, column, samples);
  PEN_PACKER_FIELD (packer, rows, functions->len, column, period);
  return pen_packer_finish (packer, length);
}

static gboolean
are_sound (const GArray *functions, guint64 n_functions, guint64 *total)
{
  *total = 0;
  for (guint i = 0; i < functions->len; i++) {
    const PenSpanFunction *row = &g_array_index (functions, PenSpanFunction, i);

    if (row->function >= n_functions || (i > 0 && row[-1].function >= row->function))
      return FALSE;
    *total += row->samples;
  }
  return TRUE;
}

GArray *
pen_span_functions_unpack (guint64 n_functions, const guint8 *bytes, gsize length,
                           PenUnpacker *unpacker, guint64 *total, const char **reason)
{
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (PenSpanFunction));
  g_autofree guint32 *ids = NULL;
  g_autofree guint64 *samples = NULL;
  g_autofree guint64 *periods = NULL;
  guint64 n;

  /* A store says what the highest id is; ids that are kept here are smaller. */
  n_functions = MIN (n_functions, G_MAXUINT32);
  if (!pen_unpacker_start (unpacker, bytes, length,
                           10 + PEN_PACK_COLUMN_MAX (n_functions, 4)
                               + 2 * PEN_PACK_COLUMN_MAX (n_functions, 8),
                           reason))
    return NULL;

  *reason = "it has more functions than there are";
  n = pen_unpacker_varint (unpacker);
  if (n > n_functions)
    return NULL;
  /* Ids rise, so they are not all the same, and each chunk of them has a byte at least: no pack
   * makes this take much more memory than itself. */
  *reason = "it does not have the functions that it claims";
  if (n > 1 && (n - 1) / PEN_PACK_CHUNK >= (gsize) (unpacker->end - unpacker->at))
    return NULL;

  ids = g_new (guint32, n + 1);
  samples = g_new (guint64, n + 1);
  periods = g_new (guint64, n + 1);
  pen_unpacker_column32 (unpacker, ids, (guint) n);
  pen_unpacker_column (unpacker, samples, (guint) n);
  pen_unpacker_column (unpacker, periods, (guint) n);
  if (!pen_unpacker_finish (unpacker))
    return NULL;

  for (guint i = 0; i < n; i++) {
    PenSpanFunction one = { ids[i], samples[i], periods[i] };

    g_array_append_val (functions, one);
  }
  return are_sound (functions, n_functions, total) ? g_steal_pointer (&functions) : NULL;
}
