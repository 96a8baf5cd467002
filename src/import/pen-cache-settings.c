/* pen-cache-settings.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cache-settings.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "pen-cache.h"

#define FILE_NAME "settings.ini"
#define GROUP "cache"
#define KEY "limit"
#define NONE "none"

/* Larger than any disk, and far from where a product would overflow. */
#define MAX_SIZE 1e18

static const char prefixes[] = "KMGTP";

static char *
settings_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "pentimento", FILE_NAME, NULL);
}

static gboolean
read_unit (const char *unit, double *factor)
{
  const char *prefix = *unit != '\0' ? strchr (prefixes, g_ascii_toupper (*unit)) : NULL;
  double base = 1000;

  *factor = 1;
  if (prefix != NULL) {
    unit++;
    if (*unit == 'i') {
      base = 1024;
      unit++;
    }
    for (const char *p = prefixes; p <= prefix; p++)
      *factor *= base;
  }

  return strcmp (unit, "B") == 0 || (prefix != NULL && *unit == '\0');
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

char *
pen_size_to_string (guint64 size)
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

/* Returns: (transfer full): empty where there is no file */
static GKeyFile *
load_settings (const char *path, GError **error)
{
  g_autoptr (GKeyFile) settings = g_key_file_new ();
  g_autoptr (GError) wrong = NULL;

  if (g_key_file_load_from_file (settings, path, G_KEY_FILE_KEEP_COMMENTS, &wrong)
      || g_error_matches (wrong, G_FILE_ERROR, G_FILE_ERROR_NOENT)
      || g_error_matches (wrong, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    return g_steal_pointer (&settings);

  g_set_error (error, wrong->domain, wrong->code, "Cannot read “%s”: %s", path, wrong->message);

  return NULL;
}

gboolean
pen_cache_get_limit (guint64 *limit, GError **error)
{
  g_autofree char *path = settings_path ();
  g_autoptr (GKeyFile) settings = load_settings (path, error);
  g_autofree char *text = NULL;

  *limit = PEN_CACHE_DEFAULT_LIMIT;
  if (settings == NULL)
    return FALSE;

  text = g_key_file_get_string (settings, GROUP, KEY, NULL);
  if (text == NULL || pen_size_from_string (g_strstrip (text), limit))
    return TRUE;

  *limit = PEN_CACHE_DEFAULT_LIMIT;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "“%s”: the cache's limit, “%s”, is no size such as 10GB", path, text);

  return FALSE;
}

gboolean
pen_cache_set_limit (guint64 limit, GError **error)
{
  g_autofree char *path = settings_path ();
  g_autofree char *directory = g_path_get_dirname (path);
  g_autoptr (GKeyFile) settings = load_settings (path, error);
  g_autofree char *text = pen_size_to_string (limit);
  g_autoptr (GError) wrong = NULL;

  if (settings == NULL)
    return FALSE;

  g_key_file_set_string (settings, GROUP, KEY, text);
  if (g_mkdir_with_parents (directory, 0700) == 0
      && g_key_file_save_to_file (settings, path, &wrong))
    return TRUE;

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Cannot write “%s”: %s", path,
               wrong != NULL ? wrong->message : g_strerror (errno));

  return FALSE;
}
