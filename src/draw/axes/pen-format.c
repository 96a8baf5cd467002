/* pen-format.c: times, counts and bytes as a person reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-format.h"

#include "pen-numbers.h"
#include "pen-table.h"
#include "pen-unknown-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define NS_PER_S G_GUINT64_CONSTANT (1000000000)
/* Bytes; file systems take 255, with the ending. */
#define FILE_NAME_MAX 180

char *
pen_format_time (guint64 time, guint64 resolution)
{
  guint64 unit = NS_PER_S;
  int digits = 0;

  for (; digits < 9 && unit > MAX (resolution, 1); digits++)
    unit /= 10;

  if (digits == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, time / NS_PER_S);
  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s%0*" G_GUINT64_FORMAT, time / NS_PER_S,
                          pen_numbers_get_mark (), digits, time % NS_PER_S / unit);
}

char *
pen_format_duration (guint64 ns)
{
  static const struct {
    guint64 unit;
    const char *name;
  } units[] = { { NS_PER_S, "s" }, { 1000000, "ms" }, { 1000, "µs" } };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++) {
    if (ns >= 1000 * units[i].unit)
      return g_strdup_printf ("%.0f %s", (double) ns / (double) units[i].unit, units[i].name);
    if (ns >= units[i].unit)
      return g_strdup_printf ("%.3g %s", (double) ns / (double) units[i].unit, units[i].name);
  }
  return g_strdup_printf ("%" G_GUINT64_FORMAT " ns", ns);
}

char *
pen_format_count (guint64 count)
{
  g_autofree char *plain = g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  gsize length = strlen (plain);
  const char *group = pen_numbers_get_group ();
  GString *grouped = g_string_new (NULL);

  for (gsize i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      g_string_append (grouped, group);
    g_string_append_c (grouped, plain[i]);
  }
  return g_string_free (grouped, FALSE);
}

char *
pen_format_share (double share)
{
  double percent = share * 100;

  if (percent > 0 && percent < 0.05)
    return g_strdup_printf ("< %.1f %%", 0.1);
  return g_strdup_printf ("%.1f %%", percent);
}

char *
pen_format_rate (double per_second)
{
  if (isnan (per_second))
    return g_strdup ("");
  return g_strdup_printf (per_second < 10 ? "%.2g/s" : "%.0f/s", per_second);
}

char *
pen_format_bytes (const guint8 *bytes, gsize n)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, i ? " %02x" : "%02x", bytes[i]);
  return g_string_free (text, FALSE);
}

/* Where a bare address of a jump or call begins, or NULL: the last operand, 0x and 8 digits or
 * more. */
static const char *
find_address (const char *text)
{
  const char *address = g_strrstr (text, "0x");
  gsize digits = 0;

  if (!address)
    return NULL;
  while (g_ascii_isxdigit (address[2 + digits]))
    digits++;
  return digits >= 8 && (address[2 + digits] == '\0' || address[2 + digits] == ' ') ? address
                                                                                    : NULL;
}

char *
pen_format_instruction (const char *instruction, const char *target)
{
  g_autofree char *known = pen_unknown_text_translate (instruction);
  const char *text = known ? known : "";
  const char *open = strstr (text, " <");
  g_autofree char *head = open ? g_strndup (text, (gsize) (open - text)) : g_strdup (text);
  g_autofree char *named = NULL;
  const char *address = find_address (head);

  if (open && g_str_has_suffix (open, ">"))
    named = g_strndup (open + 2, strlen (open) - 3);
  else if (target && target[0])
    named = g_strdup (target);
  if (!address || !named)
    return g_strdup (text);
  head[address - head] = '\0';
  return g_strconcat (head, named, NULL);
}

char *
pen_format_basename (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  return pen_display_text (base);
}

char *
pen_format_capture (const char *path)
{
  return g_str_equal (path, "-") ? g_strdup (_ ("Standard Input")) : pen_format_basename (path);
}

char *
pen_format_capture_in_folder (const char *path)
{
  g_autofree char *base = pen_format_capture (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *folder_base = pen_format_basename (folder);

  return g_str_has_prefix (base, "perf.data") && folder_base[0] != '.' && folder_base[0] != '/'
             ? g_build_filename (folder_base, base, NULL)
             : g_steal_pointer (&base);
}

char *
pen_format_error (const GError *error)
{
  return pen_display_text (error->message);
}

char *
pen_format_file_name (const char *name, const char *ending)
{
  g_autofree char *shown = pen_display_text (name);
  GString *text = g_string_new (NULL);

  for (const char *p = shown; *p && text->len < FILE_NAME_MAX; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    /* Not hidden, not an option, not a path. */
    if ((text->len == 0 && (c == '.' || c == '-')) || (c < 0x80 && strchr ("/\\:*?\"<>|", (int) c)))
      c = '_';
    g_string_append_unichar (text, c);
  }
  g_string_append (text, ending);
  return g_string_free (text, FALSE);
}

char *
pen_format_badge (const char *letter, guint32 color, gboolean dark)
{
  return g_strdup_printf ("<span background=\"#%06x\" bgalpha=\"100%%\" foreground=\"%s\" "
                          "alpha=\"100%%\" weight=\"bold\" font_family=\"monospace\"> %s </span>",
                          color & 0xffffff, dark ? "#1e1e1e" : "#ffffff", letter);
}

char *
pen_format_square (guint32 color)
{
  return g_strdup_printf ("<span foreground=\"#%06x\" alpha=\"100%%\">■</span>", color & 0xffffff);
}
