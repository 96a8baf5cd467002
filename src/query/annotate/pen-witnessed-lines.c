/* pen-witnessed-lines.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witnessed-lines.h"

#include <string.h>

#include "pen-store-outputs.h"
#include "pen-table-hash.h"
#include "pen-unknown-text.h"

/* A sample is read from the multiple of it at or below its address. */
#define GRAIN 32u

/* @readings: guint: indexes, in time order */
typedef struct {
  guint64 start;
  GArray *readings;
} Place;

static void
free_place (gpointer data)
{
  Place *place = data;

  g_array_unref (place->readings);
  g_free (place);
}

/* Returns: start (guint64 *) → Place */
static GHashTable *
list_places (const GArray *readings)
{
  GHashTable *places = g_hash_table_new_full (pen_int64_hash, g_int64_equal, NULL, free_place);

  for (guint i = 0; i < readings->len; i++) {
    const PenReading *reading = &g_array_index (readings, PenReading, i);
    Place *place = g_hash_table_lookup (places, &reading->start);

    if ((reading->flags & PEN_READING_USER) != 0 || reading->length == 0)
      continue;
    if (!place) {
      place = g_new (Place, 1);
      *place = (Place){ reading->start, g_array_new (FALSE, FALSE, sizeof (guint)) };
      g_hash_table_insert (places, &place->start, place);
    }
    g_array_append_val (place->readings, i);
  }
  return places;
}

static void
set_instruction (PenAnnotationLine *line, PenDecoder *decoder, const PenReading *reading)
{
  gsize offset = (gsize) (line->address - reading->start);
  PenInstruction instruction;

  pen_decoder_decode (decoder, reading->bytes + offset,
                      MIN (reading->length - offset, sizeof line->bytes), line->address,
                      &instruction);
  line->n_bytes = (guint8) MIN (instruction.length, sizeof line->bytes);
  memcpy (line->bytes, reading->bytes + offset, line->n_bytes);
  line->class = instruction.class;
  line->has_target = instruction.has_target;
  line->target_address = instruction.target;
  line->evidence = PEN_EVIDENCE_WITNESSED;
  line->bytes_source = "witness";
  g_free (line->instruction);
  line->instruction = g_strdup (instruction.text);
}

static gboolean
has_bytes_of (const PenAnnotationLine *line, const PenReading *reading)
{
  gsize offset = (gsize) (line->address - reading->start);

  return reading->length >= offset + line->n_bytes
         && memcmp (reading->bytes + offset, line->bytes, line->n_bytes) == 0;
}

static void
clear_instruction (PenAnnotationLine *line)
{
  line->n_bytes = 0;
  line->class = PEN_INSTRUCTION_BAD;
  line->has_target = FALSE;
  line->evidence = PEN_EVIDENCE_UNKNOWN;
  line->bytes_source = NULL;
  g_free (line->instruction);
  line->instruction = g_strdup (PEN_UNKNOWN_TEXT_SEVERAL);
}

/* The next reading may have the time of its sample. */
static gboolean
ends_before (const PenReading *reading, guint64 time)
{
  return reading->to_time < time || (reading->to_time == time && reading->moment.time < time);
}

static void
tell_line (PenAnnotationLine *line, PenDecoder *decoder, const GArray *readings, const Place *place)
{
  for (guint i = 0; i < place->readings->len; i++) {
    const PenReading *reading
        = &g_array_index (readings, PenReading, g_array_index (place->readings, guint, i));

    if (reading->moment.time > line->last)
      return;
    if (ends_before (reading, line->first) || line->address - reading->start >= reading->length)
      continue;
    if (line->n_bytes == 0) {
      set_instruction (line, decoder, reading);
    } else if (!has_bytes_of (line, reading)) {
      clear_instruction (line);
      return;
    }
  }
}

gboolean
pen_witnessed_lines_tell (PenStore *store, PenDecoder *decoder, GPtrArray *lines, GError **error)
{
  g_autoptr (GArray) readings = NULL;
  g_autoptr (GHashTable) places = NULL;
  guint64 lowest = G_MAXUINT64;
  guint64 highest = 0;

  if (pen_store_get_fact_int (store, "readings", 0) == 0 || lines->len == 0)
    return TRUE;
  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];

    lowest = MIN (lowest, line->address);
    highest = MAX (highest, line->address);
  }
  readings = pen_store_load_readings (store, lowest, highest + (highest < G_MAXUINT64), error);
  if (!readings)
    return FALSE;

  places = list_places (readings);
  for (guint i = 0; i < lines->len; i++) {
    PenAnnotationLine *line = lines->pdata[i];
    guint64 start = line->address & ~(guint64) (GRAIN - 1);
    const Place *place = g_hash_table_lookup (places, &start);

    if (place)
      tell_line (line, decoder, readings, place);
  }
  return TRUE;
}
