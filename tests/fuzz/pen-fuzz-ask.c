/* pen-fuzz-ask.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fuzz-ask.h"

#include "pen-fuzz.h"
#include "pen-query-bars.h"
#include "pen-query-changes.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-info.h"
#include "pen-query-occupants.h"
#include "pen-query-overview.h"
#include "pen-query-resolve.h"
#include "pen-query-samples.h"
#include "pen-query-strips.h"
#include "pen-query.h"
#include "pen-store-buckets.h"
#include "pen-store-changes.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"
#include "pen-store-text.h"

/* A damaged store may name very many functions. */
#define MAX_ANNOTATED 2
#define N_BINS 16

typedef gboolean (*WriteFunc) (PenQuery *query, const PenFilter *filter, PenTableWriter *writer,
                               GError **error);

static void
check (gboolean ok, GError **error)
{
  g_assert_true (ok == (!*error));
  if (!ok)
    pen_fuzz_touch_string ((*error)->message);
  g_clear_error (error);
}

static void
ask_tables (PenQuery *query, const PenFilter *filter, PenFormat format)
{
  static const WriteFunc functions[] = { pen_query_write_samples, pen_query_write_changes,
                                         pen_query_write_functions, pen_query_write_occupants };
  GError *error = NULL;

  for (guint i = 0; i <= G_N_ELEMENTS (functions); i++) {
    g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
    g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, format);
    gboolean ok = i < G_N_ELEMENTS (functions) ? functions[i](query, filter, writer, &error)
                                               : pen_query_write_info (query, writer, &error);

    check (ok && pen_table_writer_finish (writer, &error), &error);
  }
}

static void
ask_text (PenQuery *query, const PenFilter *filter, const PenFunction *function)
{
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", function->start);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (PenAnnotated) annotated = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  GError *error = NULL;

  annotated = pen_query_annotate (query, filter, function->id, PEN_SYNTAX_ATT, &error);
  check (annotated != NULL, &error);
  if (annotated && annotated->lines->len < 65536) {
    g_autoptr (PenStripCounts) counts
        = pen_query_strips (query, filter, annotated, 0, 10000, N_BINS, &error);

    check (counts != NULL, &error);
  }

  rows = pen_query_history (query, filter, function->start, PEN_SYNTAX_INTEL, &error);
  check (rows != NULL, &error);
  check (pen_query_write_history (query, filter, target, PEN_SYNTAX_ATT, writer, &error)
             && pen_table_writer_finish (writer, &error),
         &error);
  if (function->symbol && function->symbol[0] != '\0') {
    g_autoptr (GArray) found = pen_query_find_functions (query, function->symbol, &error);

    check (found != NULL, &error);
  }
}

static void
ask_about_functions (PenQuery *query, const PenFilter *filter)
{
  GError *error = NULL;
  guint64 total = 0;
  g_autoptr (GArray) rows = pen_query_functions (query, filter, &total, &error);

  check (rows != NULL, &error);
  for (guint i = 0; rows && i < MIN (rows->len, MAX_ANNOTATED); i++)
    ask_text (query, filter, &g_array_index (rows, PenFunctionRow, i).function);
}

static void
ask_overview (PenQuery *query, const PenFilter *filter)
{
  g_autoptr (PenOverview) overview = NULL;
  g_autoptr (GArray) bars = NULL;
  GError *error = NULL;
  guint64 from = 0;
  guint64 to = 0;
  guint64 matching;
  guint64 total;
  guint n_lanes;

  if (pen_query_get_time_range (query, &from, &to) && from < to) {
    overview = pen_query_overview (query, filter, from, to, N_BINS, &error);
    check (overview != NULL, &error);
  }
  bars = pen_query_bars (query, &n_lanes, &error);
  check (bars != NULL, &error);
  check (pen_query_count (query, filter, &matching, &total, &error), &error);
}

static gboolean
touch_change (const PenChange *change, gpointer user_data)
{
  (void) user_data;
  pen_fuzz_touch_string (change->change);
  pen_fuzz_touch_string (change->occupant);
  pen_fuzz_touch_string (change->symbol);
  pen_fuzz_touch_string (change->comm);
  pen_fuzz_touch_bytes (change->old_bytes, change->old_length);
  pen_fuzz_touch_bytes (change->new_bytes, change->new_length);
  return TRUE;
}

static gboolean
touch_tenure (const PenTenure *tenure, gpointer user_data)
{
  (void) user_data;
  g_assert_cmpuint (tenure->kind, <, PEN_KINDS);
  pen_fuzz_touch_string (tenure->occupant);
  pen_fuzz_touch_string (tenure->name);
  pen_fuzz_touch_bytes (tenure->build_id, MIN (tenure->build_id_length, sizeof tenure->build_id));
  return TRUE;
}

static void
ask_store (PenStore *store)
{
  g_autoptr (GPtrArray) counts = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GArray) losses = NULL;
  g_autoptr (GArray) parts = NULL;
  g_autoptr (GArray) pokes = NULL;
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (GArray) ticks = NULL;
  GError *error = NULL;

  check ((counts = pen_store_load_record_counts (store, &error)) != NULL, &error);
  check ((problems = pen_store_load_problems (store, &error)) != NULL, &error);
  check ((losses = pen_store_load_losses (store, &error)) != NULL, &error);
  check ((parts = pen_store_load_parts (store, 0, 0, G_MAXUINT64, &error)) != NULL, &error);
  check ((pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, &error)) != NULL, &error);
  check ((texts = pen_store_load_text (store, 0, G_MAXUINT64, &error)) != NULL, &error);
  check ((ticks = pen_store_load_poke_ticks (store, &error)) != NULL, &error);
  check (pen_store_foreach_change (store, touch_change, NULL, &error), &error);
  check (pen_store_foreach_tenure (store, TRUE, touch_tenure, NULL, &error), &error);
}

static gboolean
is_asked (guint question, guint choice)
{
  return pen_fuzz_is_replay || choice % PEN_FUZZ_QUESTIONS == question;
}

void
pen_fuzz_ask (PenStore *store, guint choice)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (PenFilter) filter = pen_filter_new ();

  filter->has_time = TRUE;
  filter->from = 600;
  filter->to = 2600;
  filter->changed = TRUE;
  if (is_asked (5, choice))
    ask_store (store);
  if (is_asked (0, choice))
    ask_tables (query, NULL, PEN_FORMAT_TABLE);
  if (is_asked (1, choice))
    ask_tables (query, filter, PEN_FORMAT_JSON);
  if (is_asked (2, choice))
    ask_overview (query, NULL);
  if (is_asked (3, choice))
    ask_about_functions (query, NULL);
  if (is_asked (4, choice))
    ask_about_functions (query, filter);
}

void
pen_fuzz_check_import (PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GPtrArray) counts = pen_store_load_record_counts (store, NULL);
  GError *error = NULL;
  guint64 records = 0;
  guint64 samples = 0;
  guint64 in_buckets = 0;
  guint n_buckets;
  guint n_blocks;
  const PenBucket *buckets = pen_store_get_buckets (store, &n_buckets, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < counts->len; i++) {
    const PenRecordCount *count = g_ptr_array_index (counts, i);

    if (count->type == 9)
      records = count->records;
  }
  pen_store_get_blocks (store, &n_blocks);
  for (guint i = 0; i < n_blocks; i++) {
    g_assert_true (pen_store_read_block (store, i, block, &error));
    samples += block->n;
  }
  for (guint i = 0; i < n_buckets; i++)
    in_buckets += buckets[i].samples;
  g_assert_cmpuint (samples, ==, records);
  g_assert_cmpuint (in_buckets, ==, records);
}
