/* pen-info-times.c: when it was recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include <glib/gi18n-lib.h>

#include "pen-attr-words.h"
#include "pen-better-recording.h"
#include "pen-numbers.h"
#include "pen-store-records.h"

#define SECOND 1000000000

char *
pen_info_format_seconds (guint64 ns)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s%09u", ns / SECOND, pen_numbers_get_mark (),
                          (guint) (ns % SECOND));
}

/* ISO 8601, in the time zone of whoever asks. Returns: (nullable) */
static char *
format_wall_clock (gint64 ns)
{
  g_autoptr (GDateTime) seconds = g_date_time_new_from_unix_local (ns / SECOND);
  g_autofree char *time = NULL;
  g_autofree char *zone = NULL;

  if (!seconds)
    return NULL;
  time = g_date_time_format (seconds, "%Y-%m-%dT%H:%M:%S");
  zone = g_date_time_format (seconds, "%:z");
  return g_strdup_printf ("%s.%09u%s", time, (guint) (ns % SECOND), zone);
}

static void
tell_wall_clock (PenInfoSheet *sheet, const char *fact, guint64 time)
{
  gint64 offset = pen_store_get_fact_int (sheet->query->store, "wall_clock_offset_ns", G_MININT64);
  gint64 moment;
  g_autofree char *date = NULL;

  if (offset == G_MININT64 || time > G_MAXINT64
      || __builtin_add_overflow (offset, (gint64) time, &moment) || moment < 0)
    return;
  date = format_wall_clock (moment);
  pen_info_sheet_tell_text (sheet, fact, date);
}

static void
tell_clock (PenInfoSheet *sheet)
{
  PenStore *store = sheet->query->store;
  gint64 id = pen_store_get_fact_int (store, "clock_id", -1);
  const char *clock = pen_clock_id_to_string (id);

  if (clock)
    pen_info_sheet_tell_text (sheet, NC_ ("fact", "clock"), clock);
  else if (id >= 0)
    pen_info_sheet_tell (sheet, NC_ ("fact", "clock"), N_ ("clock %s"),
                         pen_store_get_fact (store, "clock_id"));
  if (pen_info_sheet_get_count (sheet, "clock_resolution_ns") > 0)
    pen_info_sheet_tell (sheet, NC_ ("fact", "clock resolution"), N_ ("%s ns"),
                         pen_store_get_fact (store, "clock_resolution_ns"));
}

static void
tell_sample_times (PenInfoSheet *sheet)
{
  guint64 first;
  guint64 last;

  if (!pen_query_get_sample_time_range (sheet->query, &first, &last))
    return;

  g_autofree char *from = pen_info_format_seconds (first);
  g_autofree char *to = pen_info_format_seconds (last);

  pen_info_sheet_tell_text (sheet, NC_ ("fact", "first sample"), from);
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "last sample"), to);
}

/* Order 0. */
static void
tell_timeless (PenInfoSheet *sheet)
{
  const char *domain = sheet->domain;
  guint64 samples = pen_info_sheet_get_count (sheet, "timeless_samples");
  guint64 n_unknown = pen_info_sheet_get_count (sheet, "timeless_unknown");
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, samples);
  g_autofree char *unknown = g_strdup_printf ("%" G_GUINT64_FORMAT, n_unknown);
  g_autofree char *begin = NULL;
  g_autofree char *text = NULL;

  if (samples == 0)
    return;
  begin = n_unknown == 0
              ? g_strdup (count)
              : g_strdup_printf (
                  g_dgettext (domain, N_ ("%s; the occupant and revision of %s are unknown, since "
                                          "more than one is possible")),
                  count, unknown);
  text = pen_better_recording_can_have_times (sheet->query->store) ? g_strconcat (
             begin, ". ", g_dgettext (domain, N_ ("Record with -T to have the times")), NULL)
                                                                   : g_strdup (begin);
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "samples without a time"), text);
}

void
pen_info_tell_times (PenInfoSheet *sheet)
{
  guint64 first;
  guint64 last;

  pen_info_sheet_begin_group (sheet, N_ ("Time"), NULL);
  tell_timeless (sheet);
  if (!pen_query_get_time_range (sheet->query, &first, &last)) {
    pen_info_sheet_tell_phrase (sheet, NC_ ("fact", "time"), N_ ("nothing in it has a time"));
    return;
  }

  g_autofree char *from = pen_info_format_seconds (first);
  g_autofree char *to = pen_info_format_seconds (last);
  g_autofree char *length = pen_info_format_seconds (last - first);

  pen_info_sheet_tell_text (sheet, NC_ ("fact", "first time"), from);
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "last time"), to);
  pen_info_sheet_tell (sheet, NC_ ("fact", "duration"), N_ ("%s s"), length);
  tell_sample_times (sheet);
  tell_wall_clock (sheet, NC_ ("fact", "began"), first);
  tell_wall_clock (sheet, NC_ ("fact", "ended"), last);
  tell_clock (sheet);
}
