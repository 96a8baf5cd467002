/* test-tables.c: what questions write, of a capture whose answers are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-better-recording.h"
#include "pen-lost-count.h"
#include "pen-query-change-list.h"
#include "pen-query-changes.h"
#include "pen-query-history.h"
#include "pen-query-occupants.h"
#include "pen-query-overview.h"
#include "pen-query-samples.h"
#include "pen-store-occupants.h"
#include "pen-store-programs.h"
#include "pen-test-bytes.h"
#include "query-fixture.h"

static char *
write_table (QueryFixture *fixture,
             gboolean (*write) (PenQuery *, const PenFilter *, PenTableWriter *, GError **),
             const PenFilter *filter)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (GError) error = NULL;
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM (stream);

  write (fixture->query, filter, writer, &error);
  g_assert_no_error (error);
  return g_strndup (g_memory_output_stream_get_data (memory),
                    g_memory_output_stream_get_data_size (memory));
}

static void
test_sample_table (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *all = write_table (fixture, pen_query_write_samples, NULL);
  g_autoptr (PenFilter) filter = query_fixture_time_filter (2500, 2500);
  g_autofree char *one = write_table (fixture, pen_query_write_samples, filter);
  guint lines = 0;

  for (const char *p = all; *p != '\0'; p++)
    lines += *p == '\n';
  g_assert_cmpuint (lines, ==, FIXTURE_SAMPLES + 1);
  g_assert_nonnull (
      strstr (all, "\n4700,cpu-clock,1,8,8,two,0xffffffffd0000000,unknown,,0,,,10\n"));
  g_assert_nonnull (strstr (all, "\n4800,cpu-clock,1,8,8,two,0x400123,dso,/bin/two,0,,,10\n"));
  g_assert_nonnull (strstr (
      all, "\n3600,cpu-clock,1,8,8,two,0xffffffffc0001002,bpf,bpf_prog_b,0,bpf_prog_b,0xa,10\n"));
  g_assert_cmpstr (
      one, ==,
      "time,event,cpu,pid,tid,comm,address,kind,occupant,revision,symbol,offset,period\n"
      "2500,cpu-clock,0,7,7,one,0xffffffff81000000,kernel,[kernel.kallsyms],1,alpha,0x0,10\n");
}

/* Samples within so many ns behind the beginning and before the end of each version of ALPHA. */
static void
assert_near (QueryFixture *fixture, guint64 band, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows
      = pen_query_history_with_band (fixture->query, NULL, ALPHA, PEN_SYNTAX_ATT, band, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = rows->pdata[i];

    g_string_append_printf (found, "%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " ", row->near_from,
                            row->near_to);
  }
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_history_band (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  assert_near (fixture, 0, "0-0 0-0 0-0 ");
  assert_near (fixture, 499, "0-0 0-0 0-0 ");
  assert_near (fixture, 500, "0-0 1-0 3-0 ");
  assert_near (fixture, 1000, "0-1 1-0 3-0 ");
  assert_near (fixture, 1500, "0-1 1-1 3-0 ");
  assert_near (fixture, G_MAXUINT64, "0-1 1-1 3-0 ");
}

static gboolean
write_band (PenQuery *query, const PenFilter *filter, PenTableWriter *writer, GError **error)
{
  return pen_query_write_wide_samples (query, filter, PEN_SAMPLES_BAND, writer, error);
}

/* Patches of the byte, and comings and goings of programs: also behind the end of one (K5). */
static void
test_sample_band (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *rows = write_table (fixture, write_band, NULL);
  const char *const expected[] = {
    ",period,since,until\n",
    "\n1000,cpu-clock,0,7,7,one,0xffffffff81000000,kernel,[kernel.kallsyms],0,alpha,0x0,10,,1000\n",
    "\n1100,cpu-clock,0,7,7,one,0xffffffffc0001000,",
    ",10,,400\n",
    "\n2500,cpu-clock,0,7,7,one,0xffffffff81000000,kernel,[kernel.kallsyms],1,alpha,0x0,10,500,"
    "1500\n",
    /* Not patched. */
    "\n2600,cpu-clock,0,7,7,one,0xffffffff81000005,kernel,[kernel.kallsyms],0,alpha,0x5,10,,\n",
    "\n3100,cpu-clock,0,7,7,one,0xffffffffc0001000,",
    ",10,100,400\n",
    ",bpf_prog_b,0xa,10,100,\n",
    /* The third byte of a patch. */
    "\n4600,cpu-clock,1,8,8,two,0xffffffff81000002,kernel,[kernel.kallsyms],2,alpha,0x2,10,600,\n",
    "\n4700,cpu-clock,1,8,8,two,0xffffffffd0000000,unknown,,0,,,10,,\n",
    "\n4800,cpu-clock,1,8,8,two,0x400123,dso,/bin/two,0,,,10,,\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    if (!strstr (rows, expected[i]))
      g_test_message ("%s: not in\n%s", expected[i], rows);
    g_assert_nonnull (strstr (rows, expected[i]));
  }
}

static void
test_batches (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = query_fixture_time_filter (3000, 5000);
  g_autofree char *rows = NULL;

  g_assert_cmpuint (pen_query_get_batch (fixture->query, 2, NULL)->from, ==, 4000);
  g_assert_null (pen_query_get_batch (fixture->query, 0, NULL));
  g_assert_null (pen_query_get_batch (fixture->query, 3, NULL));

  rows = write_table (fixture, pen_query_write_batched_changes, filter);
  g_assert_nonnull (strstr (rows, "evidence,confidence,key,batch,sites,sentence,purpose,"
                                  "called_from,called_from_evidence,called_from_samples\n"));
  g_assert_nonnull (
      strstr (rows, ",recorded,likely,,2,1,A static call was taken out at alpha.,,,,\n"));
}

static void
test_change_table (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = query_fixture_time_filter (2000, 2000);
  g_autofree char *poke = write_table (fixture, pen_query_write_changes, filter);
  const char *row = strchr (poke, '\n') + 1;

  g_assert_true (g_str_has_prefix (row, "2000,poke,0xffffffff81000000,5,kernel,[kernel.kallsyms],"
                                        "alpha,0x0,"));
  g_assert_nonnull (strstr (row, ",0f 1f 44 00 00,e8 3b 00 00 00,0,7,7,one,recorded\n"));
  g_assert_null (strchr (strchr (row, '\n') + 1, '\n'));
}

static void
test_cancelled (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenOverview) overview = NULL;

  pen_store_set_cancellable (fixture->store, cancellable);
  g_cancellable_cancel (cancellable);
  overview = pen_query_overview (fixture->query, NULL, 1000, 5000, 4, &error);
  g_assert_null (overview);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* the same query answers again afterwards */
  g_cancellable_reset (cancellable);
  overview = pen_query_overview (fixture->query, NULL, 1000, 5000, 4, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (overview->total, ==, FIXTURE_SAMPLES);
}

/* ---- losses ---- */

static void
add_losses (PenTestCapture *capture, guint64 lost, guint64 lost_samples, guint64 unwanted)
{
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_at (capture, 1000, 7, 7, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, ALPHA, 1);
  pen_test_capture_at (capture, 2000, 7, 7, 0);
  if (lost > 0)
    pen_test_capture_add_lost (capture, pen_test_capture_get_id (0, 0), lost);
  /* The kernel's own counts, which the recorder writes when all is over. */
  pen_test_capture_as_recorder (capture);
  if (lost_samples > 0)
    pen_test_capture_add_lost_samples (capture, 0, lost_samples);
  if (unwanted > 0)
    pen_test_capture_add_lost_samples (capture, 1u << 15, unwanted);
}

static void
test_losses (void)
{
  static const struct {
    guint64 records;
    guint64 samples;
    guint64 unwanted;
    guint64 lost;
  } cases[] = { { 0, 0, 0, 0 }, { 5, 0, 0, 5 }, { 0, 4, 0, 4 }, { 5, 5, 0, 5 },
                { 5, 7, 0, 7 }, { 5, 3, 0, 5 }, { 0, 0, 9, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    g_autoptr (PenBetterRecording) better = NULL;
    g_autoptr (GError) error = NULL;
    QueryFixture fixture;
    PenLostCount count;

    add_losses (capture, cases[i].records, cases[i].samples, cases[i].unwanted);
    query_fixture_import (&fixture, capture);
    pen_lost_count_load (fixture.store, &count, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (count.records, ==, cases[i].records);
    g_assert_cmpuint (count.samples, ==, cases[i].samples);
    g_assert_cmpuint (count.unwanted, ==, cases[i].unwanted);
    g_assert_cmpuint (count.lost, ==, cases[i].lost);

    better = pen_better_recording_new (fixture.store, &error);
    g_assert_no_error (error);
    g_assert_false (better->has_pokes);
    g_assert_cmpstr (better->command, ==,
                     cases[i].lost > 0 ? "perf record --kcore -a -m 16M -- sleep 10"
                                       : "perf record --kcore -a -- sleep 10");
    query_fixture_tear_down (&fixture, NULL);
  }
}

/* A program of 512 bytes, and keys and values after it. */
static void
add_metadata (PenTestCapture *capture, const char *program, guint64 count, guint n)
{
  PenTestBytes *body = pen_test_bytes_new ();

  pen_test_bytes_raw (body, program, strlen (program));
  pen_test_bytes_zeros (body, 512 - strlen (program));
  pen_test_bytes_u64 (body, count);
  for (guint i = 0; i < n; i++) {
    static const char *const words[] = { "version", "1.2", "owner", "net" };

    for (guint k = 0; k < 2; k++) {
      const char *word = words[2 * i + k];

      pen_test_bytes_raw (body, word, strlen (word));
      pen_test_bytes_zeros (body, (k == 0 ? 64 : 256) - strlen (word));
    }
  }
  pen_test_capture_add_bytes (capture, 84, 0, body, NULL, FALSE);
}

/* What programs say of themselves joins them by the name of their ksymbols. */
static void
test_bpf_metadata (void)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (GArray) tenures = NULL;
  g_autoptr (GArray) all = NULL;
  g_autoptr (GError) error = NULL;
  QueryFixture fixture = { 0 };
  const char *csv;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  add_metadata (capture, "bpf_prog_0102030405060708_x", 2, 2);
  /* More than there are: set aside, and nothing of it is believed. */
  add_metadata (capture, "bpf_prog_0102030405060708_y", G_GUINT64_CONSTANT (1) << 61, 1);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 1500, 7, 7, 0);
  pen_test_capture_add_ksymbol (capture, A, 0x20, 1, 0, "bpf_prog_0102030405060708_x");
  pen_test_capture_add_ksymbol (capture, A + 0x40, 0x20, 1, 0, "bpf_prog_0102030405060708_y");
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, 1600, 7, 7, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, A, 10);
  query_fixture_import (&fixture, capture);

  pen_query_write_programs (fixture.query, NULL, writer, &error);
  g_assert_no_error (error);
  g_output_stream_write (stream, "", 1, NULL, NULL);
  csv = g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream));
  g_assert_nonnull (strstr (csv, ",tenure,bpf_id,bpf_type,bpf_name,bpf_tag,bpf_metadata\n"));
  g_assert_nonnull (strstr (csv, ",,,,,\"version=1.2, owner=net\"\n"));
  all = pen_store_load_bpf_metadata (fixture.store, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 2);

  tenures = pen_store_load_tenures (fixture.store, PEN_SPACE_KERNEL, A, A + 1, &error);
  g_assert_no_error (error);
  {
    g_autofree char *said = pen_query_describe_metadata (
        fixture.query, &g_array_index (tenures, PenTenure, 0), &error);

    g_assert_cmpstr (said, ==, "version=1.2, owner=net");
  }
  query_fixture_tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  static const QueryFixtureTest tests[] = {
    { "/query/tables/samples", test_sample_table },
    { "/query/tables/changes", test_change_table },
    { "/query/batches", test_batches },
    { "/query/history/band", test_history_band },
    { "/query/tables/samples-band", test_sample_band },
    { "/query/cancelled", test_cancelled },
  };

  g_test_init (&argc, &argv, NULL);
  query_fixture_add_tests (tests, G_N_ELEMENTS (tests));
  g_test_add_func ("/query/losses", test_losses);
  g_test_add_func ("/query/bpf-metadata", test_bpf_metadata);
  return g_test_run ();
}
