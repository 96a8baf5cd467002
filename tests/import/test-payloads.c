/* test-payloads.c: what tracepoints and BPF programs put into samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-store-buckets.h"
#include "pen-store-functions.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"
#include "pen-store-outputs.h"
#include "pen-tracepoint.h"

#define SNAPSHOT 0xffffffffa0200000u

static const char module_load[]
    = "name: module_load\nID: 329\nformat:\n"
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
      "\tfield:unsigned int taints;\toffset:8;\tsize:4;\tsigned:0;\n"
      "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\n"
      "print fmt: \"%s\", __get_str(name)\n";
static const char module_free[]
    = "name: module_free\nID: 330\nformat:\n"
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
      "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n\n"
      "print fmt: \"%s\", __get_str(name)\n";

static void
put (GByteArray *bytes, gconstpointer data, gsize n)
{
  g_byte_array_append (bytes, data, (guint) n);
}

static void
put_number (GByteArray *bytes, guint64 value, guint size, gboolean big_endian)
{
  for (guint i = 0; i < size; i++) {
    guint8 byte = (guint8) (value >> (8 * (big_endian ? size - 1 - i : i)));

    put (bytes, &byte, 1);
  }
}

static void
add_tracing_data (PenTestCapture *capture, gboolean big)
{
  g_autoptr (GByteArray) blob = g_byte_array_new ();
  const char *formats[] = { module_load, module_free };

  put (blob, "\x17\x08\x44tracing0.6", 14);
  put_number (blob, big, 1, FALSE);
  put_number (blob, 8, 1, FALSE);
  put_number (blob, 4096, 4, big);
  put (blob, "header_page", 12);
  put_number (blob, 0, 8, big);
  put (blob, "header_event", 13);
  put_number (blob, 0, 8, big);
  put_number (blob, 0, 4, big);
  put_number (blob, 1, 4, big);
  put (blob, "module", 7);
  put_number (blob, 2, 4, big);
  for (guint i = 0; i < 2; i++) {
    put_number (blob, strlen (formats[i]), 8, big);
    put (blob, formats[i], strlen (formats[i]));
  }
  pen_test_capture_set_raw_feature (capture, 1, blob->data, blob->len);
}

static void
module_event (PenTestCapture *capture, guint64 time, gboolean is_free, const char *name,
              gboolean big)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  guint fixed = is_free ? 12 : 16;

  put_number (payload, is_free ? 330 : 329, 2, big);
  put_number (payload, 0, 2, big);
  put_number (payload, 77, 4, big);
  if (!is_free)
    put_number (payload, 1, 4, big);
  put_number (payload, (strlen (name) + 1) << 16 | fixed, 4, big);
  put (payload, name, strlen (name) + 1);

  pen_test_capture_from (capture, is_free ? 2 : 1);
  pen_test_capture_at (capture, time, 77, 77, 0);
  pen_test_capture_set_payload (capture, payload->data, payload->len);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x100, 1);
}

static void
plain_sample (PenTestCapture *capture, guint64 time, guint64 address)
{
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, time, 42, 42, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, address, 1);
}

/* @load, @release: what the recorder called the events; NULL: nothing */
static PenTestCapture *
make_named_capture (gboolean big, const char *load, const char *release)
{
  PenTestCapture *capture = pen_test_capture_new ();
  PenTestEvent tracepoint = PEN_TEST_EVENT_CLOCK;
  PenTestEvent output = PEN_TEST_EVENT_CLOCK;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  tracepoint.type = 2;
  tracepoint.sample_type |= 1 << 10;
  tracepoint.name = load;
  tracepoint.config = 329;
  pen_test_capture_add_event (capture, &tracepoint);
  tracepoint.name = release;
  tracepoint.config = 330;
  pen_test_capture_add_event (capture, &tracepoint);
  output.name = "bpf-output";
  output.config = 10;
  output.sample_type |= 1 << 10;
  pen_test_capture_add_event (capture, &output);
  add_tracing_data (capture, big);

  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x1000000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0,
                             "/lib/modules/6.1/snd-hda.ko");

  plain_sample (capture, 1000, MODULE + 8);
  plain_sample (capture, 1100, SNAPSHOT + 8);
  module_event (capture, 2000, TRUE, "snd_hda", big);
  plain_sample (capture, 2100, MODULE + 8);
  module_event (capture, 3000, FALSE, "late", big);
  plain_sample (capture, 3100, SNAPSHOT + 8);

  pen_test_capture_from (capture, 3);
  pen_test_capture_at (capture, 4000, 42, 42, 1);
  pen_test_capture_set_payload (capture,
                                "\x00\x01"
                                "from a program",
                                16);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 8, 1);
  return capture;
}

static PenTestCapture *
make_capture (gboolean big)
{
  return make_named_capture (big, "module:module_load", "module:module_free");
}

/* Outputs of programs come after all: they are no samples. */
static void
dump_outputs (PenStore *store, GString *text)
{
  GError *error = NULL;
  g_autoptr (PenOutputCursor) outputs = pen_output_cursor_new (store, &error);
  const PenBpfOutput *output;
  guint n;

  while (pen_output_cursor_next (outputs, &output, &error)) {
    const PenFunction *function = &pen_store_get_functions (store, &n, NULL)[output->function];

    g_string_append_printf (text, "%" G_GUINT64_FORMAT " after %" G_GUINT64_FORMAT " %s",
                            output->time, output->sample, function->occupant);
    for (guint k = 0; k < output->payload_length; k++)
      g_string_append_c (text,
                         g_ascii_isprint (output->payload[k]) ? (char) output->payload[k] : '.');
    g_string_append_c (text, '\n');
  }
  g_assert_no_error (error);
}

static char *
dump (PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GString *text = g_string_new (NULL);
  GError *error = NULL;
  guint n;
  gboolean big = g_strcmp0 (pen_store_get_fact (store, "byte_order"), "big") == 0;

  pen_store_read_block (store, 0, block, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < block->n; i++) {
    const PenBucket *bucket = &pen_store_get_buckets (store, &n, NULL)[block->bucket[i]];
    const PenFunction *function = &pen_store_get_functions (store, &n, NULL)[bucket->function];
    const PenStoreEvent *event
        = g_ptr_array_index (pen_store_get_events (store), (guint) bucket->event);
    const guint8 *payload;
    gsize length;

    g_assert_true (pen_store_read_payload (store, 0, i, &payload, &length, &error));
    g_assert_cmpint ((block->has[i] & PEN_SAMPLE_HAS_PAYLOAD) != 0, ==, payload != NULL);
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " %s", block->time[i], function->occupant);
    if (event->format) {
      g_autoptr (PenTracepoint) tracepoint
          = pen_tracepoint_new (event->system, event->format, big,
                                (guint) pen_store_get_fact_int (store, "long_size", 0), &error);
      g_autofree char *decoded = NULL;

      g_assert_no_error (error);
      decoded = pen_tracepoint_decode (tracepoint, payload, length);
      g_string_append_printf (text, " %s %s", event->name, decoded);
    } else if (payload) {
      for (gsize k = 0; k < length; k++)
        g_string_append_c (text, g_ascii_isprint (payload[k]) ? (char) payload[k] : '.');
    }
    g_string_append_c (text, '\n');
  }
  dump_outputs (store, text);
  return g_string_free (text, FALSE);
}

static void
test_tracepoints (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char snapshot[] = "snd_hda 16384 0 - Live 0xffffffffa0000000\n"
                                 "late 8192 0 - Live 0xffffffffa0200000\n";
  static const PenTestCaptureFlags shapes[] = {
    PEN_TEST_CAPTURE_FILE,
    PEN_TEST_CAPTURE_ZSTD,
    PEN_TEST_CAPTURE_BIG_ENDIAN,
    PEN_TEST_CAPTURE_THREADS,
  };
  g_autofree char *modules = g_build_filename (fixture->directory, "modules", NULL);
  PenSources sources = { .modules = (const char *const[]){ modules, NULL } };

  g_assert_true (g_file_set_contents (modules, snapshot, -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autoptr (PenTestCapture) capture
        = make_capture ((shapes[i] & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0);
    g_autoptr (PenStore) store = NULL;
    g_autofree char *text = NULL;
    GError *error = NULL;

    import_fixture_remove (fixture->capture);
    g_assert_true (pen_test_capture_write (capture, fixture->capture, shapes[i], &error));
    pen_import (fixture->capture, fixture->store, &sources, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    store = import_fixture_open (fixture);
    text = dump (store);
    g_assert_cmpstr (text, ==,
                     "1000 [snd_hda]\n"
                     "1100 \n"
                     "2000 [kernel.kallsyms] module:module_free name=snd_hda\n"
                     "2100 \n"
                     "3000 [kernel.kallsyms] module:module_load taints=1 name=late\n"
                     "3100 [late]\n"
                     "4000 after 6 [kernel.kallsyms]..from a program....\n");
  }
  g_unlink (modules);
}

/* What an event is called is the user's; what the kernel recorded, the id tells. */
static void
test_other_names (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char snapshot[] = "snd_hda 16384 0 - Live 0xffffffffa0000000\n"
                                 "late 8192 0 - Live 0xffffffffa0200000\n";
  static const struct {
    const char *load;
    const char *release;
    PenTestCaptureFlags shape;
  } cases[] = {
    { NULL, NULL, PEN_TEST_CAPTURE_FILE },
    { NULL, NULL, PEN_TEST_CAPTURE_PIPE },
    { "mine", "yours", PEN_TEST_CAPTURE_FILE },
    { "sched:sched_switch", "module:module_load", PEN_TEST_CAPTURE_FILE },
    { "module:module_free", "module:module_load", PEN_TEST_CAPTURE_PIPE },
  };
  g_autofree char *modules = g_build_filename (fixture->directory, "modules", NULL);
  PenSources sources = { .modules = (const char *const[]){ modules, NULL } };

  g_assert_true (g_file_set_contents (modules, snapshot, -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PenTestCapture) capture
        = make_named_capture (FALSE, cases[i].load, cases[i].release);
    g_autoptr (PenStore) store = NULL;
    g_autofree char *text = NULL;
    GError *error = NULL;

    import_fixture_remove (fixture->capture);
    g_assert_true (pen_test_capture_write (capture, fixture->capture, cases[i].shape, &error));
    pen_import (fixture->capture, fixture->store, &sources, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    store = import_fixture_open (fixture);
    text = dump (store);
    g_assert_true (g_str_has_prefix (text, "1000 [snd_hda]\n1100 \n"));
    g_assert_nonnull (strstr (text, "2100 \n"));
    g_assert_nonnull (strstr (text, "3100 [late]\n"));
  }
  g_unlink (modules);
}

/* More than one piece, more than one block, large and small, some without. */
static void
test_many (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenStore) store = NULL;
  g_autofree guint8 *bytes = g_malloc0 (60000);
  PenTestEvent tracepoint = PEN_TEST_EVENT_CLOCK;
  const PenBlockInfo *infos;
  guint n_blocks;
  guint seen = 0;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  tracepoint.type = 2;
  tracepoint.config = 329;
  tracepoint.sample_type |= 1 << 10;
  pen_test_capture_add_event (capture, &tracepoint);
  for (guint i = 0; i < 66000; i++) {
    gsize length = i % 1000 == 0 ? 60000 : i % 7 * 8 + 4;

    pen_test_capture_from (capture, i % 5 != 0);
    pen_test_capture_at (capture, 1000 + i, 42, 42, 1);
    memcpy (bytes, &i, sizeof i);
    pen_test_capture_set_payload (capture, bytes, length);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL, 1);
  }
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_FILE);
  store = import_fixture_open (fixture);
  infos = pen_store_get_blocks (store, &n_blocks);
  g_assert_cmpuint (n_blocks, ==, 2);

  for (guint b = 0; b < n_blocks; b++) {
    for (guint k = 0; k < infos[b].n; k++, seen++) {
      GError *error = NULL;
      const guint8 *payload;
      gsize length;
      guint32 number;

      g_assert_true (pen_store_read_payload (store, b, k, &payload, &length, &error));
      if (seen % 5 == 0) {
        g_assert_null (payload);
        continue;
      }
      memcpy (&number, payload, sizeof number);
      g_assert_cmpuint (number, ==, seen);
      g_assert_cmpuint (length, ==, seen % 1000 == 0 ? 60000 + 4 : seen % 7 * 8 + 4);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/import/payloads/tracepoints", ImportFixture, NULL, import_fixture_set_up,
              test_tracepoints, import_fixture_tear_down);
  g_test_add ("/import/payloads/other-names", ImportFixture, NULL, import_fixture_set_up,
              test_other_names, import_fixture_tear_down);
  g_test_add ("/import/payloads/many", ImportFixture, NULL, import_fixture_set_up, test_many,
              import_fixture_tear_down);
  return g_test_run ();
}
