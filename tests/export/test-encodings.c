/* test-encodings.c: JSON and Protocol Buffers, byte by byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-json-stream.h"
#include "pen-protobuf.h"

static void
assert_bytes (const GByteArray *message, const char *bytes, gsize n)
{
  g_assert_cmpmem (message->data, message->len, bytes, n);
}

/* The examples of https://protobuf.dev/programming-guides/encoding/. */
static void
test_protobuf (void)
{
  g_autoptr (GByteArray) message = g_byte_array_new ();
  g_autoptr (GByteArray) inner = g_byte_array_new ();
  const guint64 numbers[] = { 3, 270, 86942 };

  pen_protobuf_append_number (message, 1, 150);
  assert_bytes (message, "\x08\x96\x01", 3);
  pen_protobuf_append_number (message, 2, 0);
  assert_bytes (message, "\x08\x96\x01", 3);
  g_byte_array_set_size (message, 0);
  pen_protobuf_append_bytes (message, 2, (const guint8 *) "testing", 7);
  assert_bytes (message, "\x12\x07testing", 9);
  g_byte_array_set_size (message, 0);
  pen_protobuf_append_number (inner, 1, 150);
  pen_protobuf_append_message (message, 3, inner);
  assert_bytes (message, "\x1a\x03\x08\x96\x01", 5);
  g_assert_cmpuint (inner->len, ==, 0);
  g_byte_array_set_size (message, 0);
  pen_protobuf_append_numbers (message, 6, numbers, G_N_ELEMENTS (numbers));
  assert_bytes (message, "\x32\x06\x03\x8e\x02\x9e\xa7\x05", 8);
  g_byte_array_set_size (message, 0);
  pen_protobuf_append_varint (message, G_MAXUINT64);
  assert_bytes (message, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
}

static void
test_json (void)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_auto (PenJsonStream) json = { 0 };
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM (stream);
  const char *expected
      = "{\"text\":\"a\\\"b\\\\c\",\"none\":\"\",\"list\":[-1,18446744073709551615,null,"
        "{\"ms\":1234.000567,\"is\":true}],\"many\":[0,0,0],\"empty\":[]}";

  pen_json_stream_init (&json, stream, NULL);
  pen_json_stream_begin (&json, NULL, '{');
  pen_json_stream_text (&json, "text", "a\"b\\c");
  pen_json_stream_text (&json, "none", NULL);
  pen_json_stream_begin (&json, "list", '[');
  pen_json_stream_number (&json, NULL, -1);
  pen_json_stream_unsigned (&json, NULL, G_MAXUINT64);
  pen_json_stream_null (&json, NULL);
  pen_json_stream_begin (&json, NULL, '{');
  pen_json_stream_milliseconds (&json, "ms", 1234000567);
  pen_json_stream_boolean (&json, "is", TRUE);
  pen_json_stream_end (&json, '}');
  pen_json_stream_end (&json, ']');
  pen_json_stream_repeat (&json, "many", "0", 3);
  pen_json_stream_repeat (&json, "empty", "0", 0);
  pen_json_stream_end (&json, '}');
  g_assert_true (pen_json_stream_finish (&json, NULL));
  g_assert_cmpmem (g_memory_output_stream_get_data (memory),
                   g_memory_output_stream_get_data_size (memory), expected, strlen (expected));
}

/* Bytes that are no text, and control characters, leave a document that readers take. */
static void
test_json_of_hostile_names (void)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_auto (PenJsonStream) json = { 0 };
  g_autofree char *text = NULL;

  pen_json_stream_init (&json, stream, NULL);
  pen_json_stream_text (&json, NULL, "\x01\x1b[2J\n\xff\xfe\"\\");
  g_assert_true (pen_json_stream_finish (&json, NULL));
  text = g_strndup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)),
                    g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)));
  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (const char *p = text; *p; p++)
    g_assert_cmpint ((guchar) *p, >=, 0x20);
  g_assert_true (g_str_has_suffix (text, "\\\"\\\\\""));
}

/* A full disk stops the writing, and is told once. */
static void
test_json_of_a_broken_stream (void)
{
  char space[16];
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new (space, sizeof space, NULL, NULL);
  g_auto (PenJsonStream) json = { 0 };
  g_autoptr (GError) error = NULL;

  pen_json_stream_init (&json, stream, NULL);
  pen_json_stream_repeat (&json, NULL, "1234567890", 100000);
  g_assert_false (pen_json_stream_goes_on (&json, NULL));
  g_assert_false (pen_json_stream_finish (&json, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
}

static void
test_json_cancelled (void)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (PenJsonStream) json = { 0 };
  g_autoptr (GError) error = NULL;

  pen_json_stream_init (&json, stream, cancellable);
  g_cancellable_cancel (cancellable);
  pen_json_stream_repeat (&json, NULL, "1234567890", 100000);
  g_assert_cmpuint (json.text->len, <, 100000);
  g_assert_false (pen_json_stream_goes_on (&json, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export/protobuf", test_protobuf);
  g_test_add_func ("/export/json", test_json);
  g_test_add_func ("/export/json/hostile", test_json_of_hostile_names);
  g_test_add_func ("/export/json/broken", test_json_of_a_broken_stream);
  g_test_add_func ("/export/json/cancelled", test_json_cancelled);
  return g_test_run ();
}
