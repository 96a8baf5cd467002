/* pen-info-sheet.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include <glib/gi18n-lib.h>

#include "pen-query-info.h"

/* CSV and JSON have them as a store has them. */
static const char *const words[] = {
  /* shapes of captures */
  NC_ ("info", "file"),
  NC_ ("info", "directory"),
  NC_ ("info", "pipe"),
  NC_ ("info", "compressed"),
  /* byte orders */
  NC_ ("info", "little"),
  NC_ ("info", "big"),
  /* where a source was found, and what it gave */
  NC_ ("info", "recorder"),
  NC_ ("info", "witness"),
  NC_ ("info", "given"),
  NC_ ("info", "perf's cache"),
  NC_ ("info", "debug directory"),
  NC_ ("info", "path"),
  NC_ ("info", "debug link"),
  NC_ ("info", "this machine"),
  NC_ ("info", "names"),
  NC_ ("info", "bytes"),
  NC_ ("info", "sites"),
  NC_ ("info", "modules"),
  NC_ ("info", "lines"),
  NC_ ("info", "nothing"),
  /* kinds */
  NC_ ("info", "unknown"),
  NC_ ("info", "kernel"),
  NC_ ("info", "module"),
  NC_ ("info", "bpf"),
  NC_ ("info", "stub"),
  NC_ ("info", "dso"),
  NC_ ("info", "vdso"),
  NC_ ("info", "anon"),
  NC_ ("info", "guest"),
  /* effects and causes of pokes */
  NC_ ("info", "patch"),
  NC_ ("info", "fill"),
  NC_ ("info", "clear"),
  NC_ ("info", "same"),
  NC_ ("info", "static-key"),
  NC_ ("info", "static-call"),
  NC_ ("info", "ftrace"),
  NC_ ("info", "livepatch"),
  NC_ ("info", "kprobe"),
  NC_ ("info", "optprobe"),
  /* losses, and what was done about damage */
  NC_ ("info", "records"),
  NC_ ("info", "samples"),
  NC_ ("info", "unwanted"),
  NC_ ("info", "throttled"),
  NC_ ("info", "set aside"),
  NC_ ("info", "truncated"),
  NC_ ("info", "repaired"),
  NC_ ("info", "ended"),
  NULL,
};

static char *
translate_words (const char *domain, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ", ", -1);

  for (char **part = parts; *part; part++) {
    if (g_strv_contains (words, *part)) {
      char *word = g_strdup (g_dpgettext2 (domain, "info", *part));

      g_free (*part);
      *part = word;
    }
  }
  return g_strjoinv (", ", parts);
}

char *
pen_info_sheet_dup_words (PenInfoSheet *self, const char *text)
{
  return translate_words (self->domain, text);
}

char *
pen_query_translate_shape (const char *shape)
{
  return translate_words (GETTEXT_PACKAGE, shape);
}

void
pen_info_sheet_begin_group (PenInfoSheet *self, const char *heading, const char *group)
{
  g_free (self->heading);
  self->heading = g_strdup (g_dgettext (self->domain, heading));
  g_free (self->group);
  self->group = g_strdup (group);
  if (self->writer)
    pen_table_writer_section (self->writer, self->heading);
}

void
pen_info_sheet_clear (PenInfoSheet *self)
{
  g_clear_pointer (&self->heading, g_free);
  g_clear_pointer (&self->group, g_free);
  g_clear_error (&self->error);
}

static void
keep_fact (PenInfoSheet *self, const char *key, const char *fact, const char *text)
{
  PenInfoFact *kept = g_new0 (PenInfoFact, 1);

  kept->group = g_strdup (self->group);
  kept->heading = g_strdup (self->heading);
  kept->key = g_strdup (key);
  kept->fact = g_strdup (fact);
  kept->value = g_strdup (text);
  g_ptr_array_add (self->facts, kept);
}

static void
add_row (PenInfoSheet *self, const char *key, const char *fact, const char *text)
{
  if (self->error || !text || *text == '\0')
    return;
  if (!self->writer) {
    keep_fact (self, key, fact, text);
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
pen_info_sheet_tell_data (PenInfoSheet *self, const char *name, const char *text)
{
  add_row (self, name, name, text);
}

void
pen_info_sheet_tell_text (PenInfoSheet *self, const char *fact, const char *text)
{
  add_row (self, fact, g_dpgettext2 (self->domain, "fact", fact), text);
}

void
pen_info_sheet_tell_words (PenInfoSheet *self, const char *fact, const char *text)
{
  g_autofree char *value = pen_info_sheet_dup_words (self, text);

  pen_info_sheet_tell_text (self, fact, value);
}

void
pen_info_sheet_tell_phrase (PenInfoSheet *self, const char *fact, const char *phrase)
{
  pen_info_sheet_tell_text (self, fact, g_dgettext (self->domain, phrase));
}

void
pen_info_sheet_tell (PenInfoSheet *self, const char *fact, const char *format, ...)
{
  g_autofree char *value = NULL;
  va_list values;

  va_start (values, format);
  value = g_strdup_vprintf (g_dgettext (self->domain, format), values);
  va_end (values);
  pen_info_sheet_tell_text (self, fact, value);
}

void
pen_info_sheet_tell_data_count (PenInfoSheet *self, const char *name, guint64 count)
{
  g_autofree char *value = g_strdup_printf ("%" G_GUINT64_FORMAT, count);

  pen_info_sheet_tell_data (self, name, value);
}

void
pen_info_sheet_tell_count (PenInfoSheet *self, const char *fact, guint64 count)
{
  g_autofree char *value = g_strdup_printf ("%" G_GUINT64_FORMAT, count);

  pen_info_sheet_tell_text (self, fact, value);
}

void
pen_info_sheet_tell_word_count (PenInfoSheet *self, const char *word, guint64 count)
{
  g_autofree char *name = pen_info_sheet_dup_words (self, word);

  pen_info_sheet_tell_data_count (self, name, count);
}

guint64
pen_info_sheet_get_count (PenInfoSheet *self, const char *key)
{
  return (guint64) pen_store_get_fact_int (self->query->store, key, 0);
}
