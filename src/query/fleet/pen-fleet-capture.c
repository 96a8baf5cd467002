/* pen-fleet-capture.c: the recording itself, as a row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fleet-rows.h"

#include <time.h>

#include "pen-bucket-cells.h"
#include "pen-lost-count.h"
#include "pen-problem-count.h"
#include "pen-query-cells.h"
#include "pen-store-callchains.h"
#include "pen-store-changes.h"
#include "pen-store-records.h"

#define MILLISECOND 1000000

static void
write_fact (PenFleetSheet *sheet, const char *key)
{
  pen_fleet_write_word (sheet->writer, pen_store_get_fact (sheet->query->store, key));
}

static void
write_number (PenFleetSheet *sheet, const char *key)
{
  gint64 number = pen_store_get_fact_int (sheet->query->store, key, -1);

  pen_query_write_unsigned_or_empty (sheet->writer, number >= 0, (guint64) number);
}

static void
write_flag (PenFleetSheet *sheet, gboolean is_set)
{
  pen_table_writer_unsigned (sheet->writer, is_set ? 1 : 0);
}

static void
write_recorded (PenFleetSheet *sheet, const char *key)
{
  write_flag (sheet, pen_store_get_fact_int (sheet->query->store, key, 0) == 1);
}

/* The date of a time of the recording's clock, if it has one. */
static void
write_date (PenFleetSheet *sheet, gboolean has_time, guint64 time)
{
  gint64 offset = pen_store_get_fact_int (sheet->query->store, "wall_clock_offset_ns", G_MININT64);
  g_autoptr (GDateTime) seconds = NULL;
  g_autofree char *date = NULL;
  g_autofree char *all = NULL;
  gint64 ns = 0;

  if (has_time && offset != G_MININT64 && time <= G_MAXINT64
      && !__builtin_add_overflow (offset, (gint64) time, &ns) && ns >= 0)
    seconds = g_date_time_new_from_unix_utc (ns / G_GINT64_CONSTANT (1000000000));
  if (seconds) {
    date = g_date_time_format (seconds, "%Y-%m-%d %H:%M:%S");
    all = g_strdup_printf ("%s.%03u", date,
                           (guint) (ns % G_GINT64_CONSTANT (1000000000) / MILLISECOND));
  }
  pen_table_writer_text (sheet->writer, all);
}

/* Clocks of the time of day begin in 1970 (clock_gettime(2)). */
static gboolean
counts_from_boot (PenFleetSheet *sheet)
{
  gint64 id = pen_store_get_fact_int (sheet->query->store, "clock_id", -1);

  return id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW || id == CLOCK_BOOTTIME;
}

static const char *
find_kernel (const PenFleetSheet *sheet)
{
  for (guint i = 0; i < sheet->builds->len; i++) {
    const PenTenureBuild *build = &g_array_index (sheet->builds, PenTenureBuild, i);

    if (build->kind == PEN_KIND_KERNEL)
      return build->build;
  }
  return "";
}

static void
write_events (PenFleetSheet *sheet)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < sheet->query->events->len; i++) {
    const PenStoreEvent *event = sheet->query->events->pdata[i];

    if (event->samples > 0)
      g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", event->name);
  }
  pen_fleet_write_word (sheet->writer, names->str);
}

static gboolean
count_change (const PenChange *change G_GNUC_UNUSED, gpointer user_data)
{
  guint64 *n = user_data;

  (*n)++;
  return TRUE;
}

gboolean
pen_fleet_write_capture (PenFleetSheet *sheet, GError **error)
{
  PenStore *store = sheet->query->store;
  guint64 first = 0;
  guint64 last = 0;
  gboolean has_times = pen_query_get_sample_time_range (sheet->query, &first, &last);
  PenProblemCount problems;
  PenLostCount lost;
  guint64 n_changes = 0;

  if (!pen_problem_count_load (store, &problems, error)
      || !pen_lost_count_load (store, &lost, error)
      || !pen_store_foreach_change (store, count_change, &n_changes, error))
    return FALSE;
  pen_fleet_write_word (sheet->writer, sheet->id);
  write_fact (sheet, "hostname");
  write_date (sheet, counts_from_boot (sheet), 0);
  write_date (sheet, has_times, first);
  pen_query_write_stood (sheet->writer, has_times, (double) (last - first) / 1e9);
  write_fact (sheet, "osrelease");
  pen_fleet_write_word (sheet->writer, find_kernel (sheet));
  write_fact (sheet, "arch");
  write_fact (sheet, "cpu_description");
  write_number (sheet, "cpus_online");
  write_events (sheet);
  pen_table_writer_unsigned (sheet->writer, sheet->query->n_samples);
  pen_table_writer_unsigned (sheet->writer, n_changes);
  write_recorded (sheet, "text_pokes_recorded");
  write_recorded (sheet, "ksymbols_recorded");
  write_recorded (sheet, "bpf_events_recorded");
  write_flag (sheet, pen_store_count_chains (store) > 0);
  pen_table_writer_unsigned (sheet->writer,
                             (guint64) pen_store_get_fact_int (store, "readings", 0));
  pen_table_writer_unsigned (sheet->writer, lost.lost);
  pen_table_writer_unsigned (sheet->writer, lost.unwanted);
  pen_table_writer_unsigned (sheet->writer,
                             problems.repaired + problems.set_aside + problems.ended);
  write_fact (sheet, "writer");
  return pen_table_writer_end_row (sheet->writer, error);
}
