/* pen-bytes-source.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bytes-source.h"

static gboolean
holds (const PenTextPiece *piece, const PenAnnotationLine *line)
{
  return piece->tenure == line->tenure && line->address >= piece->start
         && line->address - piece->start < g_bytes_get_size (piece->bytes);
}

void
pen_bytes_source_tell (PenAnnotationLine *line, const GPtrArray *pieces, guint *last)
{
  if (line->evidence == PEN_EVIDENCE_RECORDED || line->evidence == PEN_EVIDENCE_UNKNOWN)
    return;
  for (guint tried = 0; tried < pieces->len; tried++) {
    guint i = (*last + tried) % pieces->len;
    const PenTextPiece *piece = pieces->pdata[i];

    if (!holds (piece, line))
      continue;
    line->bytes_source = piece->source;
    *last = i;
    return;
  }
}
