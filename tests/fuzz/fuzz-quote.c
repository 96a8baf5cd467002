/* fuzz-quote.c: text as a cell of CSV, as a string of JSON, and as a person sees it
 *
 * The first byte is a choice, the rest is the text. It comes back as it was from what was written,
 * read by the rules of RFC 4180 and RFC 8259; and nothing that acts on a terminal is shown to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-display.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz-steps.h"
#include "pen-fuzz.h"
#include "pen-quoting.h"

static gunichar
read_hex (const char **at)
{
  gunichar value = 0;

  for (guint i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value (*(*at)++);

    g_assert_cmpint (digit, >=, 0);
    value = value << 4 | (gunichar) digit;
  }
  return value;
}

/* After a backslash. */
static gunichar
read_escape (const char **at)
{
  gunichar c = (guchar) * *at;
  gunichar low;

  ++*at;
  if (c == 'n')
    return '\n';
  if (c != 'u') {
    g_assert_true (c == '"' || c == '\\');
    return c;
  }
  c = read_hex (at);
  if (c < 0xd800 || c > 0xdbff)
    return c;
  g_assert_true (g_str_has_prefix (*at, "\\u"));
  *at += 2;
  low = read_hex (at);
  g_assert_true (low >= 0xdc00 && low <= 0xdfff);
  return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

static void
check_json (const char *text, gboolean is_shown)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) back = g_string_new (NULL);
  const char *at;

  if (is_shown)
    pen_quoting_append_json_shown (out, text);
  else
    pen_quoting_append_json (out, text);
  g_assert_true (g_utf8_validate_len (out->str, out->len, NULL));
  g_assert_cmpint (out->str[0], ==, '"');
  for (at = out->str + 1; *at != '"';) {
    gunichar c = g_utf8_get_char (at);

    g_assert_true (c >= 0x20 && c != 0x7f);
    g_assert_true (!is_shown || pen_display_is_shown (c));
    at = g_utf8_next_char (at);
    g_string_append_unichar (back, c == '\\' ? read_escape (&at) : c);
  }
  g_assert_true (at == out->str + out->len - 1);
  g_assert_cmpstr (back->str, ==, text);
}

/* Between two other cells, so that what ends too early or too late is seen. */
static void
check_csv (const char *text)
{
  g_autoptr (GString) out = g_string_new ("a,");
  g_autoptr (GString) back = g_string_new (NULL);
  const char *at;
  gboolean is_quoted;

  pen_quoting_append_csv (out, text);
  g_string_append (out, ",b\r\n");
  at = out->str + 2;
  is_quoted = *at == '"';
  for (at += is_quoted; is_quoted || !strchr (",\r\n", *at); at++) {
    g_assert_true (*at != '\0');
    if (*at == '"') {
      g_assert_true (is_quoted);
      if (*++at != '"')
        break;
    }
    g_string_append_c (back, *at);
  }
  g_assert_cmpstr (at, ==, ",b\r\n");
  g_assert_true (back->len == 0 || !strchr ("=+-@\t\r", back->str[0]));
  g_assert_cmpstr (back->str + (back->str[0] == '\''), ==, text);
}

static void
check_display (const char *text)
{
  g_autofree char *shown = pen_display_text (text);

  g_assert_true (g_utf8_validate (shown, -1, NULL));
  for (const char *p = shown; *p != '\0'; p = g_utf8_next_char (p))
    g_assert_true (pen_display_is_shown (g_utf8_get_char (p)));
  pen_fuzz_touch (pen_display_width (shown));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  PenFuzzBytes input = { data, data + size };
  guint choice = (guint) pen_fuzz_take (&input, 1);
  g_autofree char *raw = g_strndup ((const char *) input.at, (gsize) (input.end - input.at));
  g_autofree char *text = g_utf8_make_valid (raw, -1);

  pen_fuzz_steps_start ();
  if (choice % 4 == 0)
    check_display (raw);
  else if (choice % 4 == 1)
    check_csv (text);
  else
    check_json (text, choice % 4 == 2);
  pen_fuzz_steps_check (size, 2000, 1 << 16);
  return 0;
}

/* Characters of all kinds of Unicode, and those that either form writes otherwise. */
size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  static const char ascii[] = ",\"\r\n\t'=+-@\\ a0\033\177";
  char utf8[8];
  gsize length;
  gsize at;
  gunichar c = pen_fuzz_random (&seed, 2) == 0
                   ? (gunichar) ascii[pen_fuzz_random (&seed, sizeof ascii - 1)]
                   : pen_fuzz_random (&seed, pen_fuzz_random (&seed, 2) == 0 ? 0x3000 : 0x110000);

  length = (gsize) g_unichar_to_utf8 (c, utf8);
  if (size == 0 || size + length > max_size || pen_fuzz_random (&seed, 4) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  at = 1 + pen_fuzz_random (&seed, (guint) size);
  memmove (data + at + length, data + at, size - at);
  memcpy (data + at, utf8, length);
  return size + length;
}
