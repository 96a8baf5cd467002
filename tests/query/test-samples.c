/* test-samples.c: the columns that go beyond the sample table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "query-fixture.h"

#include "pen-query-samples.h"

#define TRACING_DATA 1
#define SAMPLE_CALLCHAIN (1u << 5)
#define SAMPLE_RAW (1u << 10)
#define CONTEXT_KERNEL 0xffffffffffffff80ull
#define CONTEXT_USER 0xfffffffffffffe00ull

static const char counter_format[]
    = "name: counter\nID: 41\nformat:\n"
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
      "\tfield:u32 count;\toffset:4;\tsize:4;\tsigned:0;\n"
      "\tfield:char who[8];\toffset:8;\tsize:8;\tsigned:0;\n\n"
      "print fmt: \"%u\", REC->count\n";

static void
put_u32 (GByteArray *bytes, guint32 value)
{
  guint32 little = GUINT32_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &little, 4);
}

static void
put_u64 (GByteArray *bytes, guint64 value)
{
  put_u32 (bytes, (guint32) value);
  put_u32 (bytes, (guint32) (value >> 32));
}

/* As tracefs's files are put into a capture (trace-cmd.dat(5)): one system with one event. */
static void
add_formats (PenTestCapture *capture)
{
  g_autoptr (GByteArray) blob = g_byte_array_new ();

  g_byte_array_append (blob, (const guint8 *) "\x17\x08\x44tracing0.6", 14);
  g_byte_array_append (blob, (const guint8 *) "\0\x08", 2);
  put_u32 (blob, 4096);
  g_byte_array_append (blob, (const guint8 *) "header_page", 12);
  put_u64 (blob, 0);
  g_byte_array_append (blob, (const guint8 *) "header_event", 13);
  put_u64 (blob, 0);
  put_u32 (blob, 0);
  put_u32 (blob, 1);
  g_byte_array_append (blob, (const guint8 *) "mine", 5);
  put_u32 (blob, 1);
  put_u64 (blob, strlen (counter_format));
  g_byte_array_append (blob, (const guint8 *) counter_format, strlen (counter_format));
  pen_test_capture_set_raw_feature (capture, TRACING_DATA, blob->data, blob->len);
}

static PenTestEvent
make_event (const char *name, guint32 type, guint64 config, guint64 sample_type)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  event.name = name;
  event.type = type;
  event.config = config;
  event.sample_type |= sample_type;
  return event;
}

static void
add_events (PenTestCapture *capture)
{
  const PenTestEvent events[] = {
    make_event ("clock", 1, 0, SAMPLE_CALLCHAIN),
    make_event ("mine:counter", 2, 41, SAMPLE_RAW),
    make_event ("mine:unknown", 2, 42, SAMPLE_RAW),
    make_event ("bpf-output", 1, 10, SAMPLE_RAW),
  };

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    pen_test_capture_add_event (capture, &events[i]);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
}

static void
payload_at (PenTestCapture *capture, guint event, guint64 time)
{
  static const guint8 payload[20]
      = { 41, 0, 0, 0, 7, 0, 0, 0, 'm', 'e', '\033', '=', 0, 0, 0, 0, 0xaa, 0xbb, 0xcc, 0xdd };

  pen_test_capture_from (capture, event);
  pen_test_capture_at (capture, time, 7, 7, 0);
  pen_test_capture_set_payload (capture, payload, sizeof payload);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, ALPHA, 1);
}

/* The program at A calls out: what called the sample is named as it was then. */
static void
add_story (PenTestCapture *capture)
{
  const guint64 chain[]
      = { CONTEXT_KERNEL, ALPHA + 4, A + 8, BETA + 6, CONTEXT_USER, 0x400010, 0x700000 };
  const guint64 late = 3000;

  pen_test_capture_at (capture, 1000, 7, 7, 0);
  pen_test_capture_from (capture, 4);
  pen_test_capture_add_ksymbol (capture, A, 0x20, 1, 0, "bpf_prog_a");
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, 1500, 7, 7, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, ALPHA + 4, 1, chain, 7);
  pen_test_capture_from (capture, 4);
  pen_test_capture_at (capture, 2000, 7, 7, 0);
  pen_test_capture_add_ksymbol (capture, A, 0x20, 1, 1, "bpf_prog_a");
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, late, 7, 7, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, ALPHA + 4, 1, chain, 7);
  for (guint event = 1; event < 4; event++)
    payload_at (capture, event, late + event);
}

static void
set_up (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char kallsyms[] = "ffffffff81000000 T alpha\n"
                                 "ffffffff81000040 T beta\n"
                                 "ffffffff81000080 T _etext\n";
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();

  add_events (capture);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, ALPHA, 0x1000, ALPHA,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 7, 7, TRUE, "one");
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 7, 7, 0x400000, 0x1000, 0, 5, 0, NULL,
                              "/bin/a;b");
  add_story (capture);
  add_formats (capture);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  pen_test_capture_set_arch (capture, "x86_64");
  query_fixture_import (fixture, capture);
}

/* The last column of each row: (transfer full). */
static char **
write_last_cells (QueryFixture *fixture, PenSamplesColumns more)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  char **lines;

  pen_query_write_wide_samples (fixture->query, NULL, more, writer, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  text = g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    const char *comma = strrchr (lines[i], ',');
    char *cell = g_strdup (comma ? comma + 1 : lines[i]);

    g_free (lines[i]);
    lines[i] = cell;
  }
  return lines;
}

static void
test_callchain (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (GStrv) cells = write_last_cells (fixture, PEN_SAMPLES_CALLCHAIN);

  g_assert_cmpuint (g_strv_length (cells), ==, 7);
  g_assert_cmpstr (cells[0], ==, "callchain");
  g_assert_cmpstr (cells[1], ==,
                   "alpha+0x4 [kernel.kallsyms];bpf_prog_a+0x8;beta+0x6 [kernel.kallsyms];"
                   "0x400010 [/bin/a\\;b];0x700000 [unknown]");
  g_assert_cmpstr (cells[2], ==,
                   "alpha+0x4 [kernel.kallsyms];0xffffffffc0001008 [unknown];"
                   "beta+0x6 [kernel.kallsyms];0x400010 [/bin/a\\;b];0x700000 [unknown]");
  for (guint i = 3; i < 6; i++)
    g_assert_cmpstr (cells[i], ==, "");
}

static void
test_payload (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (GStrv) cells = write_last_cells (fixture, PEN_SAMPLES_PAYLOAD);
  const char *bytes = "29 00 00 00 07 00 00 00 6d 65 1b 3d 00 00 00 00 aa bb cc dd";

  g_assert_cmpuint (g_strv_length (cells), ==, 7);
  g_assert_cmpstr (cells[0], ==, "payload");
  g_assert_cmpstr (cells[1], ==, "");
  g_assert_cmpstr (cells[2], ==, "");
  g_assert_cmpstr (cells[3], ==, "\"count=7 who=\"\"me\\x1b=\"\"\"");
  g_assert_true (g_str_has_prefix (cells[4], bytes));
  g_assert_true (g_str_has_prefix (cells[5], bytes));
}

static void
test_columns (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (GStrv) none = write_last_cells (fixture, 0);
  g_auto (GStrv) both = write_last_cells (fixture, PEN_SAMPLES_CALLCHAIN | PEN_SAMPLES_PAYLOAD);

  g_assert_cmpstr (none[0], ==, "period");
  g_assert_cmpstr (both[0], ==, "payload");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function)                                                                        \
  g_test_add ("/samples/" name, QueryFixture, NULL, set_up, function, query_fixture_tear_down)

  ADD ("callchain", test_callchain);
  ADD ("payload", test_payload);
  ADD ("columns", test_columns);
  return g_test_run ();
}
