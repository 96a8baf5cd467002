/* pen-quoting.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-quoting.h"

#include <string.h>

#include "pen-display.h"

static void
append_quoted (GString *out, const char *text)
{
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *p);
  }
  g_string_append_c (out, '"');
}

void
pen_quoting_append_csv (GString *out, const char *text)
{
  gboolean is_quoted = text[strcspn (text, ",\"\r\n")] != '\0';

  if (is_quoted)
    g_string_append_c (out, '"');
  if (strchr ("=+-@\t\r'", *text) && *text != '\0')
    g_string_append_c (out, '\'');
  if (is_quoted)
    append_quoted (out, text);
  else
    g_string_append (out, text);
}

void
pen_quoting_append_bare (GString *out, const char *text)
{
  gsize n = strlen (text);
  gboolean has_ends = n > 0 && (g_ascii_isspace (text[0]) || g_ascii_isspace (text[n - 1]));

  if (!has_ends && text[strcspn (text, ",\"\r\n'\\")] == '\0') {
    g_string_append (out, text);
    return;
  }
  g_string_append_c (out, '"');
  append_quoted (out, text);
}

/* @c: of ASCII */
static void
append_json_ascii (GString *out, guchar c)
{
  if (c == '"' || c == '\\') {
    g_string_append_c (out, '\\');
    g_string_append_c (out, c);
  } else if (c == '\n') {
    g_string_append (out, "\\n");
  } else if (c < 0x20 || c == 0x7f) {
    g_string_append_printf (out, "\\u%04x", c);
  } else {
    g_string_append_c (out, c);
  }
}

void
pen_quoting_append_json (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++) {
    if ((guchar) *p < 0x80)
      append_json_ascii (out, *p);
    else
      g_string_append_c (out, *p);
  }
  g_string_append_c (out, '"');
}

/* As UTF-16, of which JSON's escapes are (RFC 8259, 7). */
static void
append_json_units (GString *out, gunichar c)
{
  if (c < 0x10000)
    g_string_append_printf (out, "\\u%04x", c);
  else
    g_string_append_printf (out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                            0xdc00 + ((c - 0x10000) & 0x3ff));
}

void
pen_quoting_append_json_shown (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if (c < 0x80)
      append_json_ascii (out, (guchar) c);
    else if (pen_display_is_shown (c))
      g_string_append_unichar (out, c);
    else
      append_json_units (out, c);
  }
  g_string_append_c (out, '"');
}
