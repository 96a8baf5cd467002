/* pen-cache-settings.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cache-settings.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-cache.h"
#include "pen-settings-file.h"

#define GROUP "cache"
#define KEY "limit"
#define NONE "none"

/* Larger than any disk, and far from where a product would overflow. */
#define MAX_SIZE 1e18

static const char prefixes[] = "KMGTP";

static gboolean
read_unit (const char *unit, double *factor)
{
  const char *prefix = *unit != '\0' ? strchr (prefixes, g_ascii_toupper (*unit)) : NULL;
  double base = 1000;

  *factor = 1;
  if (prefix) {
    unit++;
    if (*unit == 'i') {
      base = 1024;
      unit++;
    }
    for (const char *p = prefixes; p <= prefix; p++)
      *factor *= base;
  }
  return strcmp (unit, "B") == 0 || (prefix && *unit == '\0');
}

gboolean
pen_size_from_string (const char *text, guint64 *size)
{
  double factor;
  double number;
  char *end;

  *size = PEN_CACHE_NO_LIMIT;
  if (strcmp (text, NONE) == 0 || strcmp (text, "0") == 0)
    return TRUE;
  if (!g_ascii_isdigit (*text))
    return FALSE;

  number = g_ascii_strtod (text, &end);
  while (*end == ' ')
    end++;
  /* Written so that what is not a number fails, too. */
  if (!read_unit (end, &factor) || !(number * factor < MAX_SIZE))
    return FALSE;

  *size = (guint64) (number * factor);
  return TRUE;
}

/* Returns: (transfer full): which pen_size_from_string() reads back */
static char *
size_to_string (guint64 size)
{
  guint64 number = size;
  guint prefix = 0;

  if (size == PEN_CACHE_NO_LIMIT)
    return g_strdup (NONE);

  while (prefix < strlen (prefixes) && number > 0 && number % 1000 == 0) {
    number /= 1000;
    prefix++;
  }
  return prefix > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT "%cB", number, prefixes[prefix - 1])
                    : g_strdup_printf ("%" G_GUINT64_FORMAT "B", number);
}

gboolean
pen_cache_get_limit (guint64 *limit, GError **error)
{
  g_autofree char *path = pen_settings_file_path ();
  g_autoptr (GKeyFile) settings = pen_settings_file_read (error);
  g_autofree char *text = NULL;

  *limit = PEN_CACHE_DEFAULT_LIMIT;
  if (!settings)
    return FALSE;

  text = g_key_file_get_string (settings, GROUP, KEY, NULL);
  if (!text || pen_size_from_string (g_strstrip (text), limit))
    return TRUE;

  *limit = PEN_CACHE_DEFAULT_LIMIT;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               _ ("“%s”: the cache limit “%s” is not a size such as 10GB"), path, text);
  return FALSE;
}

static gboolean
change_limit (GKeyFile *file, gpointer text)
{
  g_key_file_set_string (file, GROUP, KEY, text);
  return TRUE;
}

gboolean
pen_cache_set_limit (guint64 limit, GError **error)
{
  g_autofree char *text = size_to_string (limit);

  return pen_settings_file_change (change_limit, text, error);
}
