/* test-tracepoint.c: payloads become text, and neither formats nor payloads are trusted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tracepoint.h"

#include <string.h>

#include "pen-tracing-data.h"

#define COMMON                                                                                     \
  "format:\n"                                                                                      \
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                           \
  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                           \
  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"                   \
  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char module_load[]
    = "name: module_load\nID: 329\n" COMMON
      "\tfield:unsigned int taints;\toffset:8;\tsize:4;\tsigned:0;\n"
      "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\n"
      "print fmt: \"%s %s\", __get_str(name), __print_flags(REC->taints, \"\", { 1, \"P\" })\n";

static const char mixed[]
    = "name: mixed\nID: 7\n" COMMON "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
      "\tfield:long small;\toffset:16;\tsize:2;\tsigned:1;\n"
      "\tfield:u16 list[2];\toffset:18;\tsize:4;\tsigned:0;\n"
      "\tfield:const void * where;\toffset:24;\tsize:8;\tsigned:0;\n"
      "\tfield:__rel_loc char[] rest;\toffset:32;\tsize:4;\tsigned:0;\n"
      "\tfield:u64 beyond;\toffset:60000;\tsize:8;\tsigned:0;\n"
      "\nprint fmt: \"\"\n";

static void
test_module (void)
{
  static const guint8 payload[] = { 0x49, 1, 0, 0, 7,   0,   0,   0,   2,   0,   0,   0,
                                    16,   0, 8, 0, 's', 'n', 'd', '_', 'h', 'd', 'a', 0 };
  GError *error = NULL;
  g_autoptr (PenTracepoint) tracepoint
      = pen_tracepoint_new ("module", module_load, FALSE, 8, &error);
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;

  g_assert_no_error (error);
  text = pen_tracepoint_decode (tracepoint, payload, sizeof payload);
  g_assert_cmpstr (text, ==, "taints=2 name=snd_hda");
  name = pen_tracepoint_get_string (tracepoint, "name", payload, sizeof payload);
  g_assert_cmpstr (name, ==, "snd_hda");
  g_assert_null (pen_tracepoint_get_string (tracepoint, "taints", payload, sizeof payload));
  g_assert_null (pen_tracepoint_get_string (tracepoint, "nothing", payload, sizeof payload));

  /* Each shorter payload: nothing is read beyond it. */
  for (gsize n = 0; n < sizeof payload; n++) {
    g_autofree guint8 *part = g_memdup2 (payload, n);
    g_autofree char *cut = pen_tracepoint_decode (tracepoint, part, n);

    g_assert_true (g_str_has_suffix (cut, "name=?"));
    g_assert_null (pen_tracepoint_get_string (tracepoint, "name", part, n));
  }
}

static void
test_kinds_of_fields (void)
{
  guint8 little[44] = { 0 };
  guint8 big[44] = { 0 };
  g_autoptr (PenTracepoint) tracepoint = pen_tracepoint_new ("x", mixed, FALSE, 8, NULL);
  g_autoptr (PenTracepoint) reverse = pen_tracepoint_new ("x", mixed, TRUE, 8, NULL);
  g_autofree char *text = NULL;
  g_autofree char *text_of_big = NULL;
  static const char expected[] = "comm=\"a \\\"\\x1b\\xff\" small=-2 list={1,515} "
                                 "where=0x1122334455667788 rest=\"\" beyond=?";

  memcpy (little + 8, "a \"\x1b\xff", 5);
  memcpy (big + 8, "a \"\x1b\xff", 5);
  memcpy (little + 16, "\xfe\xff\x01\x00\x03\x02", 6);
  memcpy (big + 16, "\xff\xfe\x00\x01\x02\x03", 6);
  memcpy (little + 24, "\x88\x77\x66\x55\x44\x33\x22\x11", 8);
  memcpy (big + 24, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
  memcpy (little + 32, "\x02\x00\x04\x00", 4);
  memcpy (big + 32, "\x00\x04\x00\x02", 4);

  text = pen_tracepoint_decode (tracepoint, little, sizeof little);
  g_assert_cmpstr (text, ==, expected);
  text_of_big = pen_tracepoint_decode (reverse, big, sizeof big);
  g_assert_cmpstr (text_of_big, ==, expected);
}

static void
test_bad_formats (void)
{
  static const char *const formats[] = {
    "",
    "name: \nID: 1\nformat:\n",
    "name: x\nID: 1\nformat:\n\nprint fmt: \"\"\n",
    "name: x y\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:0;\n",
    "name: x\n\tfield:int a;\toffset:-1;\tsize:4;\tsigned:0;\n",
    "name: x\n\tfield:int a;\toffset:0;\tsize:99999999;\tsigned:0;\n",
    "name: x\n\tfield:int a[[[1]]];\toffset:0;\tsize:4;\tsigned:0;\n",
    "name: x\n\tfield:int a(b;\toffset:0;\tsize:4;\tsigned:0;\n",
    "name: x\n\tfield:;\toffset:0;\tsize:4;\tsigned:0;\n",
    "name: x\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:0; more\n",
  };
  g_autoptr (GString) deep = g_string_new (module_load);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GError *error = NULL;

    g_assert_null (pen_tracepoint_new ("x", formats[i], FALSE, 8, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    g_clear_error (&error);
  }

  /* What a recursive parser would die of. */
  g_string_truncate (deep, deep->len - 1);
  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '(');
  pen_tracepoint_free (pen_tracepoint_new ("module", deep->str, FALSE, 8, NULL));
}

/* Declarations that are allowed, put together at random: no crash, whatever libtraceevent says. */
static void
test_random_formats (void)
{
  static const char *const words[]
      = { "int", "char", "unsigned", "__data_loc", "*",  "[",    "]",         "long", "struct",
          "x1",  "u64",  "const",    "[16]",       "[]", "name", "__rel_loc", "bool", "_" };
  guint8 payload[64];

  for (guint run = 0; run < 3000; run++) {
    g_autoptr (GString) format = g_string_new ("name: x\nID: 1\n" COMMON);
    g_autoptr (PenTracepoint) tracepoint = NULL;

    for (guint i = 0; i < 4; i++) {
      g_string_append (format, "\tfield:");
      for (guint k = (guint) g_test_rand_int_range (1, 6); k > 0; k--)
        g_string_append_printf (format, "%s ",
                                words[g_test_rand_int_range (0, G_N_ELEMENTS (words))]);
      g_string_append_printf (format, ";\toffset:%d;\tsize:%d;\tsigned:%d;\n",
                              g_test_rand_int_range (0, 70), g_test_rand_int_range (0, 70),
                              g_test_rand_int_range (0, 2));
    }
    for (guint i = 0; i < sizeof payload; i++)
      payload[i] = (guint8) g_test_rand_int ();

    tracepoint = pen_tracepoint_new ("x", format->str, run % 2, run % 3 ? 8 : 4, NULL);
    if (tracepoint)
      g_free (pen_tracepoint_decode (tracepoint, payload, sizeof payload));
  }
}

static void
append_number (GByteArray *bytes, guint64 value, guint size, gboolean big_endian)
{
  for (guint i = 0; i < size; i++) {
    guint8 byte = (guint8) (value >> (8 * (big_endian ? size - 1 - i : i)));

    g_byte_array_append (bytes, &byte, 1);
  }
}

static void
append_string (GByteArray *bytes, const char *text, gsize n)
{
  g_byte_array_append (bytes, (const guint8 *) text, (guint) n);
}

static GByteArray *
make_blob (gboolean big_endian)
{
  GByteArray *blob = g_byte_array_new ();

  append_string (blob, "\x17\x08\x44tracing0.6", 14);
  append_number (blob, big_endian, 1, FALSE);
  append_number (blob, 8, 1, FALSE);
  append_number (blob, 4096, 4, big_endian);
  append_string (blob, "header_page", 12);
  append_number (blob, 3, 8, big_endian);
  append_string (blob, "abc", 3);
  append_string (blob, "header_event", 13);
  append_number (blob, 0, 8, big_endian);
  append_number (blob, 1, 4, big_endian);
  append_number (blob, 2, 8, big_endian);
  append_string (blob, "xx", 2);
  append_number (blob, 2, 4, big_endian);
  append_string (blob, "module", 7);
  append_number (blob, 1, 4, big_endian);
  append_number (blob, sizeof module_load - 1, 8, big_endian);
  append_string (blob, module_load, sizeof module_load - 1);
  append_string (blob, "x", 2);
  append_number (blob, 1, 4, big_endian);
  append_number (blob, sizeof mixed - 1, 8, big_endian);
  append_string (blob, mixed, sizeof mixed - 1);
  return blob;
}

static void
test_tracing_data (void)
{
  for (guint big = 0; big < 2; big++) {
    g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (make_blob (big != 0));
    g_autoptr (PenTracingData) data = pen_tracing_data_parse (bytes);
    guint seen = 0;

    g_assert_cmpint (data->big_endian, ==, big);
    g_assert_cmpuint (data->long_size, ==, 8);
    g_assert_cmpuint (data->formats->len, ==, 2);
    g_assert_cmpstr (pen_tracing_data_find (data, 329)->system, ==, "module");
    g_assert_cmpstr (pen_tracing_data_find (data, 7)->text, ==, mixed);
    g_assert_null (pen_tracing_data_find (data, 8));

    for (gsize n = 0; n < g_bytes_get_size (bytes); n++) {
      g_autoptr (GBytes) part = g_bytes_new (g_bytes_get_data (bytes, NULL), n);
      g_autoptr (PenTracingData) cut = pen_tracing_data_parse (part);

      if (cut) {
        g_assert_cmpuint (cut->formats->len, >=, seen);
        seen = cut->formats->len;
      }
    }
    g_assert_cmpuint (seen, ==, 1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tracepoint/module", test_module);
  g_test_add_func ("/tracepoint/kinds-of-fields", test_kinds_of_fields);
  g_test_add_func ("/tracepoint/bad-formats", test_bad_formats);
  g_test_add_func ("/tracepoint/random-formats", test_random_formats);
  g_test_add_func ("/tracepoint/tracing-data", test_tracing_data);
  return g_test_run ();
}
