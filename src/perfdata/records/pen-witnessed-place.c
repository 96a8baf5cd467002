/* pen-witnessed-place.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witnessed-place.h"

#include <string.h>

#include "pen-cursor.h"
#include "pen-off-cpu.h"

#define MAGIC 0x54495750u
#define VERSION 1
#define SIZE 88u
#define PADDING 7u

gboolean
pen_attr_is_bpf_output (const PenAttr *attr)
{
  return attr->type == PEN_ATTR_TYPE_SOFTWARE && attr->config == PEN_ATTR_SOFTWARE_BPF_OUTPUT
         && !pen_off_cpu_is_packed (attr);
}

/* The address that was sampled is in the place that was read. */
static gboolean
is_sound (const PenWitnessedPlace *record)
{
  return record->length <= PEN_WITNESSED_BYTES && record->start <= G_MAXUINT64 - PEN_WITNESSED_BYTES
         && record->address >= record->start
         && record->address - record->start < PEN_WITNESSED_BYTES;
}

gboolean
pen_witnessed_place_parse (const PenSampleRecord *sample, gboolean big_endian,
                           PenWitnessedPlace *record)
{
  PenCursor cursor;
  const guint8 *words;

  if (!sample->raw || sample->raw_length < SIZE || sample->raw_length > SIZE + PADDING)
    return FALSE;
  cursor = pen_cursor_init (sample->raw, sample->raw_length, big_endian);
  if (pen_cursor_u32 (&cursor) != MAGIC)
    return FALSE;
  words = pen_cursor_take (&cursor, 4);
  if (words[0] != VERSION)
    return FALSE;

  *record = (PenWitnessedPlace){ .length = words[1], .flags = pen_get_u16 (words + 2, big_endian) };
  record->start = pen_cursor_u64 (&cursor);
  record->address = pen_cursor_u64 (&cursor);
  if (!is_sound (record))
    return FALSE;
  memcpy (record->bytes, pen_cursor_take (&cursor, PEN_WITNESSED_BYTES), record->length);
  return TRUE;
}
