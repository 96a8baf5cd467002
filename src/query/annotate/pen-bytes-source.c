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
pen_bytes_source_tell (GPtrArray *lines, const GPtrArray *pieces)
{
  guint next = 0;

  for (guint i = 0; i < lines->len; i++) {
    PenAnnotationLine *line = lines->pdata[i];

    if (line->evidence == PEN_EVIDENCE_RECORDED || line->evidence == PEN_EVIDENCE_UNKNOWN)
      continue;
    for (guint tried = 0; tried < pieces->len; tried++) {
      const PenTextPiece *piece = pieces->pdata[(next + tried) % pieces->len];

      if (!holds (piece, line))
        continue;
      line->bytes_source = piece->source;
      next = (next + tried) % pieces->len;
      break;
    }
  }
}
