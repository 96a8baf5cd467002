/* test-watch-rows.c: changes of text, as they are printed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-rows.h"

static const guint8 nop[] = { 0x0f };
static const guint8 jump[] = { 0xe9, 0x20 };

static void
test_rows (void)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_JSON);
  const PenPoke poke = {
    .address = 0x1010,
    .old_length = 1,
    .old_bytes = nop,
    .new_length = 2,
    .new_bytes = jump,
    .cause = PEN_CAUSE_STATIC_KEY,
    .confidence = PEN_CONFIDENCE_LIKELY,
    .site = "f+0x10",
    .before = { .form = PEN_FORM_NOP },
    .after = { .form = PEN_FORM_JUMP, .target = "f+0x20" },
  };
  PenWatchChange row = {
    .time = 1500000000,
    .change = "poke",
    .has_address = TRUE,
    .address = 0x1010,
    .length = 2,
    .kind = PEN_KIND_KERNEL,
    .occupant = "[kernel.kallsyms]",
    .symbol = "f",
    .offset = 16,
    .poke = &poke,
    .purpose = "tracer function",
    .cpu = 1,
    .has_task = TRUE,
    .pid = 4,
    .tid = 5,
    .comm = "a \"b\"\n",
    .evidence = PEN_EVIDENCE_RECORDED,
  };
  g_autofree char *text = NULL;
  char *second;

  pen_watch_rows_begin (writer);
  g_assert_true (pen_watch_rows_write (writer, &row, 0, NULL));
  g_assert_true (pen_table_writer_flush (writer, NULL));
  g_assert_cmpuint (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)), >, 100);
  row = (PenWatchChange){
    .change = "lost", .is_loss = TRUE, .lost = 3, .cpu = G_MAXUINT32, .comm = ""
  };
  g_assert_true (pen_watch_rows_write (writer, &row, 0, NULL));
  g_assert_true (pen_table_writer_finish (writer, NULL));
  g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL);
  text = g_strdup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)));

  second = strchr (text, '\n');
  g_assert_nonnull (second);
  *second++ = '\0';
  g_assert_cmpstr (
      text, ==,
      "{\"time\":1500000000,\"change\":\"poke\",\"address\":\"0x1010\",\"length\":2,\"kind\":"
      "\"kernel\",\"occupant\":\"[kernel.kallsyms]\",\"symbol\":\"f\",\"offset\":\"0x10\","
      "\"cause\":"
      "\"static-key\",\"old\":\"0f\",\"new\":\"e9 20\",\"cpu\":1,\"pid\":4,\"tid\":5,\"comm\":"
      "\"a "
      "\\\"b\\\"\\n\",\"evidence\":\"recorded\",\"bpf_id\":null,\"confidence\":\"likely\",\"key\":"
      "null,\"sentence\":\"A 1-byte nop at f+0x10 became a jump to f+0x20.\",\"lost\":null,"
      "\"date\":\"1970-01-01T00:00:01.500Z\",\"purpose\":\"tracer function\"}");
  g_assert_cmpstr (
      second, ==,
      "{\"time\":null,\"change\":\"lost\",\"address\":null,\"length\":null,\"kind\":null,"
      "\"occupant\":null,\"symbol\":null,\"offset\":null,\"cause\":null,\"old\":null,\"new\":null,"
      "\"cpu\":null,\"pid\":null,\"tid\":null,\"comm\":null,\"evidence\":null,\"bpf_id\":null,"
      "\"confidence\":null,\"key\":null,\"sentence\":null,\"lost\":3,\"date\":null,\"purpose\":"
      "null}\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/rows", test_rows);
  return g_test_run ();
}
