/* pen-quoting.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-quoting.h"

#include <string.h>

void
pen_quoting_append_csv (GString *out, const char *text)
{
  gboolean is_quoted = text[strcspn (text, ",\"\r\n")] != '\0';

  if (is_quoted)
    g_string_append_c (out, '"');
  if (strchr ("=+-@\t\r'", *text) && *text != '\0')
    g_string_append_c (out, '\'');
  if (!is_quoted) {
    g_string_append (out, text);
    return;
  }
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *p);
  }
  g_string_append_c (out, '"');
}

void
pen_quoting_append_json (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++) {
    guchar c = *p;

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
  g_string_append_c (out, '"');
}
