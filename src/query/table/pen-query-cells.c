/* pen-query-cells.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-cells.h"

#include <math.h>

void
pen_query_write_text_or_empty (PenTableWriter *writer, const char *text)
{
  if (!text || *text == '\0')
    pen_table_writer_empty (writer);
  else
    pen_table_writer_text (writer, text);
}

void
pen_query_write_unsigned_or_empty (PenTableWriter *writer, gboolean is_known, guint64 number)
{
  if (is_known)
    pen_table_writer_unsigned (writer, number);
  else
    pen_table_writer_empty (writer);
}

void
pen_query_write_hex_or_empty (PenTableWriter *writer, gboolean is_known, guint64 number)
{
  if (is_known)
    pen_table_writer_hex (writer, number);
  else
    pen_table_writer_empty (writer);
}

void
pen_query_write_real_or_empty (PenTableWriter *writer, double value, guint digits)
{
  if (isfinite (value))
    pen_table_writer_real (writer, value, digits);
  else
    pen_table_writer_empty (writer);
}

void
pen_query_write_cause (PenTableWriter *writer, gboolean is_poke, PenConfidence confidence,
                       const char *key, guint32 batch, guint32 n_sites)
{
  pen_table_writer_text (writer, is_poke ? pen_confidence_to_string (confidence) : NULL);
  pen_query_write_text_or_empty (writer, is_poke ? key : NULL);
  if (is_poke && batch != 0) {
    pen_table_writer_unsigned (writer, batch);
    pen_table_writer_unsigned (writer, n_sites);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
}

void
pen_query_write_task (PenTableWriter *writer, gboolean has_task, gint32 pid, gint32 tid,
                      const char *comm)
{
  if (has_task) {
    pen_table_writer_signed (writer, pid);
    pen_table_writer_signed (writer, tid);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_query_write_text_or_empty (writer, comm);
}

void
pen_query_write_cpu (PenTableWriter *writer, guint32 cpu)
{
  pen_query_write_unsigned_or_empty (writer, cpu != G_MAXUINT32, cpu);
}

void
pen_query_write_occupant (PenTableWriter *writer, PenKind kind, const char *occupant)
{
  pen_table_writer_text (writer, pen_kind_to_string (kind));
  pen_query_write_text_or_empty (writer, kind == PEN_KIND_UNKNOWN ? NULL : occupant);
}

void
pen_query_write_span (PenTableWriter *writer, PenMoment from, gboolean is_bounded_below,
                      PenMoment to, gboolean is_bounded_above)
{
  gboolean is_table = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (is_bounded_below && from.time != 0)
    pen_table_writer_time (writer, from.time);
  else
    pen_table_writer_text (writer, is_table ? "start" : NULL);
  if (is_bounded_above && to.time != G_MAXUINT64)
    pen_table_writer_time (writer, to.time);
  else
    pen_table_writer_text (writer, is_table ? "end" : NULL);
}

gboolean
pen_query_is_unverified (const PenTenure *tenure, PenMoment to)
{
  return tenure && pen_moment_compare (tenure->unverified_from, to) < 0;
}

void
pen_query_write_evidence_of (PenTableWriter *writer, PenEvidence evidence, const char *source,
                             gboolean is_unverified)
{
  pen_query_write_tenure_evidence (writer, evidence, source, 0, is_unverified);
}

void
pen_query_write_tenure_evidence (PenTableWriter *writer, PenEvidence evidence, const char *source,
                                 guint64 inferred_from, gboolean is_unverified)
{
  g_autoptr (GString) words = g_string_new (pen_evidence_to_string (evidence));

  if (source)
    g_string_append_printf (words, " (%s)", source);
  if (inferred_from != 0)
    g_string_append_printf (words, ", inferred from 0x%" G_GINT64_MODIFIER "x", inferred_from);
  if (is_unverified)
    g_string_append (words, ", unverified");
  pen_table_writer_text (writer, words->str);
}

void
pen_query_append_evidence (GString *words, const PenTenure *tenure, guint64 address, PenMoment from,
                           PenMoment to)
{
  const char *source = pen_tenure_get_source (tenure, address);

  g_string_append (words,
                   pen_evidence_to_string (pen_tenure_get_evidence (tenure, address, from, to)));
  if (source)
    g_string_append_printf (words, " (%s)", source);
}

void
pen_query_append_moment (GString *words, PenMoment moment, guint digits)
{
  guint ns = moment.time % 1000000000u;

  if (moment.time == 0)
    g_string_append (words, "start");
  else if (moment.time == G_MAXUINT64)
    g_string_append (words, "end");
  else
    g_string_append_printf (words, "%" G_GUINT64_FORMAT ".%0*u", moment.time / 1000000000u,
                            (int) digits, digits == 6 ? ns / 1000 : ns);
}
