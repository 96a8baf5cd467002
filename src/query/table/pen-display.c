/* pen-display.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-display.h"

#include "pen-table.h"

static gboolean
is_plain_ascii (const char *text)
{
  for (const guchar *p = (const guchar *) text; *p != '\0'; p++) {
    if (*p < 0x20 || *p >= 0x7f)
      return FALSE;
  }
  return TRUE;
}

/* Characters that draw nothing, or move what is drawn, could make a name look like another. */
gboolean
pen_display_is_shown (gunichar c)
{
  switch (g_unichar_type (c)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_FORMAT:
  case G_UNICODE_UNASSIGNED:
  case G_UNICODE_PRIVATE_USE:
  case G_UNICODE_SURROGATE:
  case G_UNICODE_LINE_SEPARATOR:
  case G_UNICODE_PARAGRAPH_SEPARATOR:
    return FALSE;
  default:
    return TRUE;
  }
}

static void
append_escaped (GString *out, gunichar c)
{
  switch (c) {
  case '\n':
    g_string_append (out, "\\n");
    break;
  case '\r':
    g_string_append (out, "\\r");
    break;
  case '\t':
    g_string_append (out, "\\t");
    break;
  default:
    if (c < 0x80)
      g_string_append_printf (out, "\\x%02x", c);
    else
      g_string_append_printf (out, "\\u{%x}", c);
    break;
  }
}

void
pen_display_append (GString *out, const char *text)
{
  if (is_plain_ascii (text)) {
    g_string_append (out, text);
    return;
  }

  for (const char *p = text; *p != '\0';) {
    gunichar c = g_utf8_get_char_validated (p, -1);

    if (c == (gunichar) -1 || c == (gunichar) -2) {
      g_string_append_printf (out, "\\x%02x", (guchar) *p);
      p++;
      continue;
    }
    if (pen_display_is_shown (c))
      g_string_append_unichar (out, c);
    else
      append_escaped (out, c);
    p = g_utf8_next_char (p);
  }
}

char *
pen_display_text (const char *text)
{
  GString *out = g_string_new (NULL);

  if (text)
    pen_display_append (out, text);
  return g_string_free (out, FALSE);
}

guint
pen_display_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0';) {
    if ((guchar) *p < 0x80) {
      width++;
      p++;
      continue;
    }

    gunichar c = g_utf8_get_char (p);

    if (g_unichar_iswide (c))
      width += 2;
    else if (!g_unichar_iszerowidth (c))
      width++;
    p = g_utf8_next_char (p);
  }
  return width;
}
