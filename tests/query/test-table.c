/* test-table.c: cells as tables, CSV and JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-digits.h"
#include "pen-table.h"

static const PenColumn columns[] = {
  { "time", PEN_COLUMN_TIME },
  { "name", PEN_COLUMN_TEXT },
  { "address", PEN_COLUMN_HEX },
  { "count", PEN_COLUMN_NUMBER },
};

typedef struct {
  GOutputStream *stream;
  PenTableWriter *writer;
} Sheet;

static Sheet
sheet_new (PenFormat format)
{
  GOutputStream *stream = g_memory_output_stream_new_resizable ();

  return (Sheet){ stream, pen_table_writer_new (stream, format, columns, G_N_ELEMENTS (columns)) };
}

static void
sheet_row (Sheet *sheet, guint64 time, const char *name, guint64 address, gint64 count)
{
  g_autoptr (GError) error = NULL;

  pen_table_writer_time (sheet->writer, time);
  pen_table_writer_text (sheet->writer, name);
  pen_table_writer_hex (sheet->writer, address);
  pen_table_writer_signed (sheet->writer, count);
  pen_table_writer_end_row (sheet->writer, &error);
  g_assert_no_error (error);
}

static char *
sheet_finish (Sheet *sheet)
{
  g_autoptr (GError) error = NULL;
  gsize size;

  pen_table_writer_finish (sheet->writer, &error);
  g_assert_no_error (error);
  pen_table_writer_free (sheet->writer);
  g_output_stream_close (sheet->stream, NULL, NULL);
  size = g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (sheet->stream));

  char *text
      = g_strndup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (sheet->stream)), size);

  g_object_unref (sheet->stream);
  return text;
}

/* The name column of a one-row CSV, still quoted. */
static char *
csv_cell (const char *name)
{
  Sheet sheet = sheet_new (PEN_FORMAT_CSV);

  sheet_row (&sheet, 1, name, 0, 0);

  g_autofree char *text = sheet_finish (&sheet);
  const char *begin = strchr (text, '\n') + 3;
  const char *end = g_strrstr (text, ",0x0,0\n");

  g_assert_nonnull (end);
  return g_strndup (begin, end - begin);
}

static void
assert_csv_cell (const char *name, const char *expected)
{
  g_autofree char *cell = csv_cell (name);

  g_assert_cmpstr (cell, ==, expected);
}

static void
test_csv_whole (void)
{
  Sheet sheet = sheet_new (PEN_FORMAT_CSV);

  sheet_row (&sheet, 4810912345, "vfs_read", G_GUINT64_CONSTANT (0xffffffff812e4d10), -1);
  sheet_row (&sheet, 0, NULL, 0, G_MININT64);

  g_autofree char *text = sheet_finish (&sheet);

  g_assert_cmpstr (text, ==,
                   "time,name,address,count\n"
                   "4810912345,vfs_read,0xffffffff812e4d10,-1\n"
                   "0,,0x0,-9223372036854775808\n");
}

static void
test_csv_quotes (void)
{
  assert_csv_cell ("plain", "plain");
  assert_csv_cell ("a,b", "\"a,b\"");
  assert_csv_cell ("say \"hi\"", "\"say \"\"hi\"\"\"");
  assert_csv_cell ("two\nlines", "\"two\nlines\"");
  assert_csv_cell ("re\rturn", "\"re\rturn\"");
  assert_csv_cell ("", "");
  assert_csv_cell ("räksmörgås", "räksmörgås");
}

static void
test_csv_formulas (void)
{
  assert_csv_cell ("=1+1", "'=1+1");
  assert_csv_cell ("+1", "'+1");
  assert_csv_cell ("-1", "'-1");
  assert_csv_cell ("@sum", "'@sum");
  assert_csv_cell ("\tx", "'\tx");
  assert_csv_cell ("\rx", "\"'\rx\"");
  assert_csv_cell ("=a,\"b\"", "\"'=a,\"\"b\"\"\"");
  /* what already begins with an apostrophe gets one more: taking one off gives the text back */
  assert_csv_cell ("'=1", "''=1");
  assert_csv_cell ("a=b", "a=b");
}

static void
test_csv_invalid_utf8 (void)
{
  assert_csv_cell ("bad\xff\xfe!", "bad\xef\xbf\xbd\xef\xbf\xbd!");
  assert_csv_cell ("cut\xe2\x82", "cut\xef\xbf\xbd\xef\xbf\xbd");
}

static void
test_json (void)
{
  Sheet sheet = sheet_new (PEN_FORMAT_JSON);

  sheet_row (&sheet, G_MAXUINT64, "a\"b\\c\n\t\x01\x7f é \xff", 16, 7);
  sheet_row (&sheet, 1, NULL, 0, -7);

  g_autofree char *text = sheet_finish (&sheet);

  g_assert_cmpstr (text, ==,
                   "[\n{\"time\":18446744073709551615,"
                   "\"name\":\"a\\\"b\\\\c\\n\\u0009\\u0001\\u007f é \xef\xbf\xbd\","
                   "\"address\":\"0x10\",\"count\":7},\n"
                   "{\"time\":1,\"name\":null,\"address\":\"0x0\",\"count\":-7}\n]\n");
}

static void
test_empty (void)
{
  const char *expected[] = { "time  name  address  count\n", "time,name,address,count\n", "[]\n" };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    Sheet sheet = sheet_new ((PenFormat) i);
    g_autofree char *text = sheet_finish (&sheet);

    g_assert_cmpstr (text, ==, expected[i]);
  }
}

static void
test_table_alignment (void)
{
  Sheet sheet = sheet_new (PEN_FORMAT_TABLE);

  sheet_row (&sheet, 4810912345, "a", 0x10, 1);
  sheet_row (&sheet, 12000000001, "漢字", 0x1, 1000);

  g_autofree char *text = sheet_finish (&sheet);

  g_assert_cmpstr (text, ==,
                   "        time  name  address  count\n"
                   " 4.810912345  a        0x10      1\n"
                   "12.000000001  漢字      0x1   1000\n");
}

/* It is there in full, and what stands beside the others stays where it is. */
static void
test_table_long_name (void)
{
  Sheet sheet = sheet_new (PEN_FORMAT_TABLE);
  g_autofree char *name = g_strnfill (400, 'n');
  g_auto (GStrv) lines = NULL;

  sheet_row (&sheet, 1000000000, name, 0x10, 1);
  sheet_row (&sheet, 2000000000, "short", 0x10, 1);

  g_autofree char *text = sheet_finish (&sheet);

  lines = g_strsplit (text, "\n", -1);
  g_assert_nonnull (strstr (lines[1], name));
  g_assert_cmpuint (strlen (lines[2]), <, 110);
}

static void
test_table_headings (void)
{
  Sheet sheet = sheet_new (PEN_FORMAT_TABLE);

  pen_table_writer_heading (sheet.writer, "first");
  sheet_row (&sheet, 1000000000, "long name", 0, 1);
  pen_table_writer_heading (sheet.writer, "second\nline");
  sheet_row (&sheet, 1000000000, "x", 0, 1);

  g_autofree char *text = sheet_finish (&sheet);

  g_assert_cmpstr (text, ==,
                   "first\n"
                   "       time  name       address  count\n"
                   "1.000000000  long name      0x0      1\n"
                   "\n"
                   "second\\nline\n"
                   "       time  name  address  count\n"
                   "1.000000000  x         0x0      1\n");
}

static void
test_table_streams (void)
{
  Sheet sheet = sheet_new (PEN_FORMAT_TABLE);
  guint n_lines = 0;

  for (guint i = 0; i < 20000; i++)
    sheet_row (&sheet, i, "name", i, i);

  g_autofree char *text = sheet_finish (&sheet);

  for (const char *p = text; *p != '\0'; p++)
    n_lines += *p == '\n';
  g_assert_cmpuint (n_lines, ==, 20001);
}

static void
test_fragments (void)
{
  for (guint format = 0; format < 3; format++) {
    Sheet plain = sheet_new ((PenFormat) format);
    Sheet cut = sheet_new ((PenFormat) format);
    PenTableFragment *fragment = NULL;

    for (guint i = 0; i < 3; i++) {
      sheet_row (&plain, i, "=na,me", 0x20, i);

      pen_table_writer_time (cut.writer, i);
      if (!fragment) {
        PenTableMark mark = pen_table_writer_begin_fragment (cut.writer);

        PenTableMark inner_mark = pen_table_writer_begin_fragment (cut.writer);

        pen_table_writer_text (cut.writer, "=na,me");

        g_autoptr (PenTableFragment) inner = pen_table_writer_end_fragment (cut.writer, inner_mark);

        pen_table_writer_fragment (cut.writer, inner);
        pen_table_writer_hex (cut.writer, 0x20);
        fragment = pen_table_writer_end_fragment (cut.writer, mark);
      }
      pen_table_writer_fragment (cut.writer, fragment);
      pen_table_writer_signed (cut.writer, i);
      g_assert_true (pen_table_writer_end_row (cut.writer, NULL));
    }
    pen_table_fragment_free (fragment);

    g_autofree char *expected = sheet_finish (&plain);
    g_autofree char *text = sheet_finish (&cut);

    g_assert_cmpstr (text, ==, expected);
  }
}

static void
test_cells (void)
{
  static const PenColumn kinds[] = {
    { "bytes", PEN_COLUMN_TEXT },
    { "real", PEN_COLUMN_NUMBER },
    { "none", PEN_COLUMN_NUMBER },
    { "nan", PEN_COLUMN_NUMBER },
  };
  static const guint8 bytes[] = { 0x0f, 0x1f, 0x44, 0x00 };
  GOutputStream *stream = g_memory_output_stream_new_resizable ();
  Sheet sheet = { stream, pen_table_writer_new (stream, PEN_FORMAT_JSON, kinds, 4) };

  pen_table_writer_bytes (sheet.writer, bytes, sizeof bytes);
  pen_table_writer_real (sheet.writer, 2.0 / 3, 2);
  pen_table_writer_empty (sheet.writer);
  pen_table_writer_real (sheet.writer, 0.0 / 0.0, 2);
  g_assert_true (pen_table_writer_end_row (sheet.writer, NULL));

  g_autofree char *text = sheet_finish (&sheet);

  g_assert_cmpstr (text, ==,
                   "[\n{\"bytes\":\"0f 1f 44 00\",\"real\":0.67,\"none\":null,\"nan\":null}\n]\n");
}

static char *
list_cell (PenFormat format, const char *const *texts, guint n)
{
  Sheet sheet = sheet_new (format);

  pen_table_writer_time (sheet.writer, 1);
  pen_table_writer_list (sheet.writer, texts, n);
  pen_table_writer_end_row (sheet.writer, NULL);
  return sheet_finish (&sheet);
}

static void
test_lists (void)
{
  const char *const texts[] = { "=a;b", "c\\\xff", "d,\"e" };
  g_autofree char *csv = list_cell (PEN_FORMAT_CSV, texts, 3);
  g_autofree char *json = list_cell (PEN_FORMAT_JSON, texts, 3);
  g_autofree char *table = list_cell (PEN_FORMAT_TABLE, texts, 3);
  g_autofree char *csv_none = list_cell (PEN_FORMAT_CSV, texts, 0);
  g_autofree char *json_none = list_cell (PEN_FORMAT_JSON, texts, 0);

  g_assert_cmpstr (csv, ==,
                   "time,name,address,count\n"
                   "1,\"'=a\\;b;c\\\\\357\277\275;d,\"\"e\",,\n");
  g_assert_cmpstr (json, ==,
                   "[\n{\"time\":1,\"name\":[\"=a;b\",\"c\\\\\357\277\275\",\"d,\\\"e\"],"
                   "\"address\":null,\"count\":null}\n]\n");
  g_assert_nonnull (strstr (table, "=a;b ← c\\\\xff ← d,\"e"));
  g_assert_cmpstr (csv_none, ==, "time,name,address,count\n1,,,\n");
  g_assert_nonnull (strstr (json_none, "\"name\":null"));
}

static void
test_sections (void)
{
  Sheet sheet = sheet_new (PEN_FORMAT_TABLE);
  Sheet csv = sheet_new (PEN_FORMAT_CSV);

  pen_table_writer_section (sheet.writer, "nothing in it");
  pen_table_writer_section (sheet.writer, "first \033");
  sheet_row (&sheet, 1, "a long name", 0x10, 1);
  pen_table_writer_section (sheet.writer, "second, longer than the first column");
  sheet_row (&sheet, 2, "b", 0x2000, 2);
  pen_table_writer_section (sheet.writer, "nothing in it");
  pen_table_writer_section (csv.writer, "not here");
  sheet_row (&csv, 1, "a", 1, 1);

  g_autofree char *text = sheet_finish (&sheet);
  g_autofree char *plain = sheet_finish (&csv);

  g_assert_cmpstr (text, ==,
                   "       time  name         address  count\n"
                   "\n"
                   "first \\x1b\n"
                   "0.000000001  a long name     0x10      1\n"
                   "\n"
                   "second, longer than the first column\n"
                   "0.000000002  b             0x2000      2\n");
  g_assert_cmpstr (plain, ==, "time,name,address,count\n1,a,0x1,1\n");
}

static void
test_refusing_stream (void)
{
  char room[1024];
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new (room, sizeof room, NULL, NULL);
  g_autoptr (PenTableWriter) writer
      = pen_table_writer_new (stream, PEN_FORMAT_CSV, columns, G_N_ELEMENTS (columns));
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;
  gboolean is_open = TRUE;

  for (guint i = 0; i < 100000 && is_open; i++) {
    pen_table_writer_unsigned (writer, i);
    is_open = pen_table_writer_end_row (writer, &error);
  }
  g_assert_false (is_open);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_false (pen_table_writer_finish (writer, &again));
  g_assert_error (again, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
}

static void
assert_display (const char *text, const char *expected)
{
  g_autofree char *shown = pen_display_text (text);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_display (void)
{
  assert_display (NULL, "");
  assert_display ("plain", "plain");
  assert_display ("a\nb\tc\x1b[31m", "a\\nb\\tc\\x1b[31m");
  assert_display ("abc\u202e"
                  "def",
                  "abc\\u{202e}def");
  assert_display ("\u200bzero", "\\u{200b}zero");
  assert_display ("\xff\xfe", "\\xff\\xfe");
  assert_display ("é漢", "é漢");
  assert_display ("c1\xc2\x9b"
                  "31m",
                  "c1\\u{9b}31m");
}

static void
assert_digits (gsize (*format) (char *, guint64), guint64 value, const char *expected)
{
  char digits[PEN_DIGITS_MAX + 1];
  gsize n = format (digits, value);

  digits[n] = '\0';
  g_assert_cmpstr (digits, ==, expected);
}

static void
test_digits (void)
{
  guint64 value = 0;

  for (guint i = 0; i < 2000; i++) {
    g_autofree char *decimal = g_strdup_printf ("%" G_GUINT64_FORMAT, value);
    g_autofree char *hex = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", value);
    g_autofree char *seconds = g_strdup_printf ("%" G_GUINT64_FORMAT ".%09u", value / 1000000000u,
                                                (guint) (value % 1000000000u));

    assert_digits (pen_digits_unsigned, value, decimal);
    assert_digits (pen_digits_hex, value, hex);
    assert_digits (pen_digits_seconds, value, seconds);
    value = i < 200
                ? i
                : (((guint64) g_test_rand_int () << 32) | (guint32) g_test_rand_int ()) >> (i % 64);
  }
  assert_digits (pen_digits_unsigned, G_MAXUINT64, "18446744073709551615");
  assert_digits (pen_digits_hex, G_MAXUINT64, "0xffffffffffffffff");
  assert_digits (pen_digits_seconds, G_MAXUINT64, "18446744073.709551615");
}

/* Rows that are read while others are to come. */
static void
test_live (void)
{
  static const struct {
    PenFormat format;
    const char *first;
    const char *second;
  } cases[] = {
    { PEN_FORMAT_JSON, "{\"time\":1,\"name\":\"a\",\"address\":\"0x10\",\"count\":-1}\n",
      "{\"time\":2,\"name\":\"bb\",\"address\":\"0xffffffff81000000\",\"count\":22}\n" },
    { PEN_FORMAT_CSV, "time,name,address,count\n1,a,0x10,-1\n", "2,bb,0xffffffff81000000,22\n" },
    { PEN_FORMAT_TABLE,
      "            time  name                     address   count\n"
      "     0.000000001  a                           0x10      -1\n",
      "     0.000000002  bb            0xffffffff81000000      22\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Sheet sheet = sheet_new (cases[i].format);
    g_autofree char *both = g_strconcat (cases[i].first, cases[i].second, NULL);
    g_autofree char *text = NULL;
    GMemoryOutputStream *stream = G_MEMORY_OUTPUT_STREAM (sheet.stream);
    gsize n;

    pen_table_writer_set_live (sheet.writer);
    sheet_row (&sheet, 1, "a", 0x10, -1);
    g_assert_true (pen_table_writer_flush (sheet.writer, NULL));
    n = g_memory_output_stream_get_data_size (stream);
    g_assert_cmpmem (g_memory_output_stream_get_data (stream), n, cases[i].first,
                     strlen (cases[i].first));
    sheet_row (&sheet, 2, "bb", 0xffffffff81000000, 22);
    text = sheet_finish (&sheet);
    g_assert_cmpstr (text, ==, both);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table/csv/whole", test_csv_whole);
  g_test_add_func ("/table/csv/quotes", test_csv_quotes);
  g_test_add_func ("/table/csv/formulas", test_csv_formulas);
  g_test_add_func ("/table/csv/invalid-utf8", test_csv_invalid_utf8);
  g_test_add_func ("/table/json", test_json);
  g_test_add_func ("/table/empty", test_empty);
  g_test_add_func ("/table/alignment", test_table_alignment);
  g_test_add_func ("/table/long-name", test_table_long_name);
  g_test_add_func ("/table/headings", test_table_headings);
  g_test_add_func ("/table/streams", test_table_streams);
  g_test_add_func ("/table/fragments", test_fragments);
  g_test_add_func ("/table/cells", test_cells);
  g_test_add_func ("/table/lists", test_lists);
  g_test_add_func ("/table/sections", test_sections);
  g_test_add_func ("/table/live", test_live);
  g_test_add_func ("/table/refusing-stream", test_refusing_stream);
  g_test_add_func ("/table/display", test_display);
  g_test_add_func ("/table/digits", test_digits);
  return g_test_run ();
}
