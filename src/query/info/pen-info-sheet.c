/* pen-info-sheet.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include "pen-query-info.h"

void
pen_info_sheet_begin_group (PenInfoSheet *self, const char *heading, const char *group)
{
  if (self->writer)
    pen_table_writer_section (self->writer, heading);
  g_free (self->heading);
  self->heading = g_strdup (heading);
  g_free (self->group);
  self->group = g_strdup (group);
}

void
pen_info_sheet_clear (PenInfoSheet *self)
{
  g_clear_pointer (&self->heading, g_free);
  g_clear_pointer (&self->group, g_free);
  g_clear_error (&self->error);
}

static void
keep_fact (PenInfoSheet *self, const char *fact, const char *text)
{
  PenInfoFact *kept = g_new0 (PenInfoFact, 1);

  kept->heading = g_strdup (self->heading);
  kept->fact = g_strdup (fact);
  kept->value = g_strdup (text);
  g_ptr_array_add (self->facts, kept);
}

void
pen_info_sheet_tell_text (PenInfoSheet *self, const char *fact, const char *text)
{
  if (self->error || !text || *text == '\0')
    return;
  if (!self->writer) {
    keep_fact (self, fact, text);
    return;
  }
  if (!self->group || pen_table_writer_get_format (self->writer) == PEN_FORMAT_TABLE) {
    pen_table_writer_text (self->writer, fact);
  } else {
    g_autofree char *whole = g_strdup_printf ("%s %s", self->group, fact);

    pen_table_writer_text (self->writer, whole);
  }
  pen_table_writer_text (self->writer, text);
  pen_table_writer_end_row (self->writer, &self->error);
}

void
pen_info_sheet_tell (PenInfoSheet *self, const char *fact, const char *format, ...)
{
  g_autofree char *value = NULL;
  va_list values;

  va_start (values, format);
  value = g_strdup_vprintf (format, values);
  va_end (values);
  pen_info_sheet_tell_text (self, fact, value);
}

void
pen_info_sheet_tell_count (PenInfoSheet *self, const char *fact, guint64 count)
{
  pen_info_sheet_tell (self, fact, "%" G_GUINT64_FORMAT, count);
}

guint64
pen_info_sheet_get_count (PenInfoSheet *self, const char *key)
{
  return (guint64) pen_store_get_fact_int (self->query->store, key, 0);
}
