/* pen-command-cache.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

#include "pen-cache-directory.h"
#include "pen-cache-settings.h"
#include "pen-cache.h"

static const PenColumn columns[] = {
  { "capture", PEN_COLUMN_TEXT }, { "size", PEN_COLUMN_NUMBER }, { "used", PEN_COLUMN_TEXT },
  { "state", PEN_COLUMN_TEXT },   { "store", PEN_COLUMN_TEXT },
};

static char *
limit_in_words (guint64 limit)
{
  return limit == PEN_CACHE_NO_LIMIT ? g_strdup (C_ ("limit", "none")) : g_format_size (limit);
}

/* ---- list ---- */

static void
write_heading (PenTableWriter *writer, const char *directory, GPtrArray *entries, guint64 limit)
{
  g_autofree char *allowed = limit_in_words (limit);
  g_autofree char *size = NULL;
  g_autofree char *text = NULL;
  guint64 total = 0;
  guint n = 0;

  for (guint i = 0; i < entries->len; i++) {
    const PenCacheEntry *entry = entries->pdata[i];

    total += entry->size;
    n += entry->state != PEN_CACHE_KERNEL_TEXT;
  }
  size = g_format_size (total);
  /* Translators: directory, number of imports, their size, limit of their size */
  text = g_strdup_printf (
      ngettext ("%s: %u import, %s; limit: %s", "%s: %u imports, %s; limit: %s", n), directory, n,
      size, allowed);
  pen_table_writer_heading (writer, text);
}

static void
write_size (PenTableWriter *writer, guint64 size)
{
  g_autofree char *text = g_format_size (size);

  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE)
    pen_table_writer_text (writer, text);
  else
    pen_table_writer_unsigned (writer, size);
}

static void
write_used (PenTableWriter *writer, gint64 used)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (used / G_USEC_PER_SEC);
  g_autofree char *text = time ? g_date_time_format_iso8601 (time) : NULL;

  pen_table_writer_text (writer, text);
}

static gboolean
write_entries (PenTableWriter *writer, GPtrArray *entries, GError **error)
{
  for (guint i = 0; i < entries->len; i++) {
    const PenCacheEntry *entry = entries->pdata[i];
    gboolean is_open = entry->is_in_use && entry->state != PEN_CACHE_IMPORTING;
    g_autofree char *state
        = g_strconcat (pen_cache_state_to_string (entry->state), is_open ? ", in use" : "", NULL);

    pen_table_writer_text (writer, entry->capture);
    write_size (writer, entry->size);
    write_used (writer, entry->used);
    pen_table_writer_text (writer, state);
    pen_table_writer_text (writer, entry->path);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
list (const PenArguments *arguments, const char *directory, guint64 limit, GError **error)
{
  g_autoptr (GPtrArray) entries = pen_cache_load_entries (directory, error);
  g_autoptr (PenOutput) output = NULL;
  g_autoptr (PenTableWriter) writer = NULL;

  if (!entries)
    return FALSE;
  output = pen_output_new (arguments->output, NULL, error);
  if (!output)
    return FALSE;
  writer = pen_command_new_writer (arguments, pen_output_get_stream (output),
                                   pen_output_is_terminal (output));
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  write_heading (writer, directory, entries, limit);
  return write_entries (writer, entries, error) && pen_table_writer_finish (writer, error)
         && pen_output_commit (output, error);
}

/* ---- removal ---- */

static gboolean
trim (const char *directory, guint64 limit, GError **error)
{
  PenCacheTrimmed trimmed;
  g_autofree char *removed = NULL;
  g_autofree char *kept = NULL;

  if (!pen_cache_trim (directory, limit, NULL, 0, &trimmed, error))
    return FALSE;

  removed = g_format_size (trimmed.removed);
  kept = g_format_size (trimmed.kept);
  /* Translators: number of imports, their size, number of those left, their size, and ", in use" or
   * nothing */
  fprintf (stderr,
           ngettext ("%u import removed, %s; %u left, %s%s\n",
                     "%u imports removed, %s; %u left, %s%s\n", trimmed.n_removed),
           trimmed.n_removed, removed, trimmed.n_kept, kept,
           trimmed.kept > limit ? _ (", in use") : "");
  return TRUE;
}

static gboolean
set_limit (const char *directory, guint64 limit, GError **error)
{
  g_autofree char *allowed = limit_in_words (limit);

  if (!pen_cache_set_limit (limit, error))
    return FALSE;
  fprintf (stderr, _ ("limit: %s\n"), allowed);
  return trim (directory, limit, error);
}

static gboolean
work (const PenArguments *arguments, GError **error)
{
  g_autofree char *directory = pen_cache_directory (error);
  guint64 limit;

  if (!directory)
    return FALSE;
  if (arguments->has_cache_limit && !set_limit (directory, arguments->cache_limit, error))
    return FALSE;
  if (arguments->clears_cache && !trim (directory, 0, error))
    return FALSE;
  if (arguments->has_cache_limit || arguments->clears_cache)
    return TRUE;
  return pen_cache_get_limit (&limit, error) && list (arguments, directory, limit, error);
}

int
pen_command_cache (const PenArguments *arguments, GError **error)
{
  return work (arguments, error) ? PEN_EXIT_DONE : PEN_EXIT_FAILED;
}
