/* pen-perf-cache.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-perf-cache.h"

#include <string.h>

#include "pen-regular-file.h"

#define MAX_LINES 10000u

/* "name = value", with quotes or without, to the value. Returns: (nullable): within @line */
static char *
get_value (char *line, const char *name)
{
  gsize n = strlen (name);
  char *value;
  char *end;

  if (strncmp (line, name, n) != 0)
    return NULL;
  value = g_strstrip (line + n);
  if (*value != '=')
    return NULL;

  value = g_strchug (value + 1);
  if (*value == '"') {
    end = strchr (++value, '"');
    if (end)
      *end = '\0';
  } else {
    value[strcspn (value, "#;")] = '\0';
    g_strchomp (value);
  }
  return value;
}

/* Sections in brackets, then names and values, as in git's configuration. */
static char *
read_directory (const char *path)
{
  g_autoptr (PenLineReader) reader = pen_line_reader_new (path, NULL);
  gboolean is_wanted = FALSE;
  char *line;
  char *found = NULL;

  for (guint i = 0; reader && i < MAX_LINES && pen_line_reader_next (reader, &line, NULL); i++) {
    const char *value;

    if (!line)
      continue;
    line = g_strstrip (line);
    if (*line == '[')
      is_wanted = g_str_has_prefix (line, "[buildid]");
    value = is_wanted ? get_value (line, "dir") : NULL;
    if (value && *value == '/') {
      g_free (found);
      found = g_strdup (value);
    }
  }
  return found;
}

static char *
find_configured (void)
{
  const char *given = g_getenv ("PERF_CONFIG");
  g_autofree char *own = g_build_filename (g_get_home_dir (), ".perfconfig", NULL);
  char *directory = read_directory (given ? given : own);

  return !directory && !given ? read_directory ("/etc/perfconfig") : directory;
}

char **
pen_perf_cache_get_directories (void)
{
  g_autoptr (GStrvBuilder) directories = g_strv_builder_new ();
  g_autofree char *configured = find_configured ();
  g_autofree char *usual = g_build_filename (g_get_home_dir (), ".debug", NULL);
  const char *directory = configured ? configured : usual;

  if (!g_str_equal (directory, "/dev/null")) {
    g_strv_builder_add (directories, directory);
    if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS)) {
      g_autofree char *of_host = g_strconcat ("/run/host", directory, NULL);

      g_strv_builder_add (directories, of_host);
    }
  }
  return g_strv_builder_end (directories);
}

char *
pen_perf_cache_get_file (const char *directory, const char *build_id, const char *name)
{
  g_autofree char *first = g_strndup (build_id, 2);

  return g_build_filename (directory, ".build-id", first, build_id + 2, name, NULL);
}
