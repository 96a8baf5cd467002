/* pen-watch-rows.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-rows.h"

#include "pen-poke-phrases.h"

static const PenColumn columns[] = {
  { "time", PEN_COLUMN_TIME },     { "change", PEN_COLUMN_TEXT },
  { "address", PEN_COLUMN_HEX },   { "length", PEN_COLUMN_NUMBER },
  { "kind", PEN_COLUMN_TEXT },     { "occupant", PEN_COLUMN_TEXT },
  { "symbol", PEN_COLUMN_TEXT },   { "offset", PEN_COLUMN_HEX },
  { "cause", PEN_COLUMN_TEXT },    { "old", PEN_COLUMN_TEXT },
  { "new", PEN_COLUMN_TEXT },      { "cpu", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },    { "tid", PEN_COLUMN_NUMBER },
  { "comm", PEN_COLUMN_TEXT },     { "evidence", PEN_COLUMN_TEXT },
  { "bpf_id", PEN_COLUMN_NUMBER }, { "confidence", PEN_COLUMN_TEXT },
  { "key", PEN_COLUMN_TEXT },      { "sentence", PEN_COLUMN_TEXT },
  { "lost", PEN_COLUMN_NUMBER },   { "date", PEN_COLUMN_TEXT },
  { "purpose", PEN_COLUMN_TEXT },
};

void
pen_watch_rows_begin (PenTableWriter *writer)
{
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  pen_table_writer_set_live (writer);
}

static void
write_number (PenTableWriter *writer, gboolean is_known, guint64 number)
{
  if (is_known)
    pen_table_writer_unsigned (writer, number);
  else
    pen_table_writer_empty (writer);
}

static void
write_hex (PenTableWriter *writer, gboolean is_known, guint64 number)
{
  if (is_known)
    pen_table_writer_hex (writer, number);
  else
    pen_table_writer_empty (writer);
}

static void
write_text (PenTableWriter *writer, const char *text)
{
  pen_table_writer_text (writer, text && *text != '\0' ? text : NULL);
}

static void
write_place (PenTableWriter *writer, const PenWatchChange *change)
{
  gboolean is_named = change->symbol && *change->symbol != '\0';

  write_hex (writer, change->has_address, change->address);
  write_number (writer, change->has_address, change->length);
  write_text (writer, !change->is_loss ? pen_kind_to_string (change->kind) : NULL);
  write_text (writer, change->occupant);
  write_text (writer, change->symbol);
  write_hex (writer, is_named, change->offset);
}

static void
write_bytes (PenTableWriter *writer, const PenPoke *poke)
{
  write_text (writer, poke ? pen_cause_to_string (poke->cause) : NULL);
  pen_table_writer_bytes (writer, poke ? poke->old_bytes : NULL, poke ? poke->old_length : 0);
  pen_table_writer_bytes (writer, poke ? poke->new_bytes : NULL, poke ? poke->new_length : 0);
}

static void
write_task (PenTableWriter *writer, const PenWatchChange *change)
{
  write_number (writer, change->cpu != G_MAXUINT32, change->cpu);
  if (change->has_task) {
    pen_table_writer_signed (writer, change->pid);
    pen_table_writer_signed (writer, change->tid);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  write_text (writer, change->comm);
}

static void
write_reason (PenTableWriter *writer, const PenPoke *poke)
{
  g_autofree char *sentence = poke ? pen_poke_describe (poke) : NULL;

  write_text (writer, poke ? pen_confidence_to_string (poke->confidence) : NULL);
  write_text (writer, poke ? poke->key : NULL);
  write_text (writer, sentence);
}

/* "2026-01-31T12:00:00.123Z" */
static void
write_date (PenTableWriter *writer, const PenWatchChange *change, gint64 clock_offset)
{
  gint64 time = (gint64) (change->time / 1000) + clock_offset / 1000;
  g_autoptr (GDateTime) date
      = change->time != 0 ? g_date_time_new_from_unix_utc (time / G_USEC_PER_SEC) : NULL;
  g_autofree char *second = date ? g_date_time_format (date, "%Y-%m-%dT%H:%M:%S") : NULL;
  g_autofree char *text = NULL;

  if (second)
    text = g_strdup_printf ("%s.%03dZ", second, (int) (time % G_USEC_PER_SEC / 1000));
  write_text (writer, text);
}

gboolean
pen_watch_rows_write (PenTableWriter *writer, const PenWatchChange *change, gint64 clock_offset,
                      GError **error)
{
  if (change->time != 0)
    pen_table_writer_time (writer, change->time);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, change->change);
  write_place (writer, change);
  write_bytes (writer, change->poke);
  write_task (writer, change);
  write_text (writer, !change->is_loss ? pen_evidence_to_string (change->evidence) : NULL);
  write_number (writer, change->bpf_id != 0, change->bpf_id);
  write_reason (writer, change->poke);
  write_number (writer, change->lost != 0, change->lost);
  write_date (writer, change, clock_offset);
  write_text (writer, change->purpose);
  return pen_table_writer_end_row (writer, error);
}
