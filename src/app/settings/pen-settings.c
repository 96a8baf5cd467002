/* pen-settings.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-settings.h"

#include "pen-settings-file.h"

#define START "start"
#define CODE "code"
#define SOURCES "sources"

static const char *const path_words[PEN_SOURCE_PATHS] = {
  [PEN_SOURCE_VMLINUX] = "vmlinux", [PEN_SOURCE_KALLSYMS] = "kallsyms",
  [PEN_SOURCE_KCORE] = "kcore",     [PEN_SOURCE_MODULES] = "modules",
  [PEN_SOURCE_SYMFS] = "symfs",
};

static const char *
syntax_word (PenSyntax syntax)
{
  return syntax == PEN_SYNTAX_INTEL ? "intel" : "att";
}

/* Names of files are bytes; a key file wants UTF-8. */
static char *
get_path (GKeyFile *file, const char *key)
{
  g_autofree char *escaped = g_key_file_get_value (file, SOURCES, key, NULL);
  g_autofree char *path = escaped ? g_strcompress (escaped) : NULL;

  return path && g_path_is_absolute (path) ? g_steal_pointer (&path) : NULL;
}

PenSettings *
pen_settings_load (void)
{
  PenSettings *settings = g_new0 (PenSettings, 1);
  g_autoptr (GKeyFile) file = pen_settings_file_read (NULL);
  g_autofree char *syntax = NULL;

  settings->syntax = PEN_SYNTAX_ATT;
  if (!file)
    return settings;
  settings->reopens = g_key_file_get_boolean (file, START, "reopen", NULL);
  syntax = g_key_file_get_value (file, CODE, "syntax", NULL);
  if (g_strcmp0 (syntax, syntax_word (PEN_SYNTAX_INTEL)) == 0)
    settings->syntax = PEN_SYNTAX_INTEL;
  for (guint i = 0; i < PEN_SOURCE_PATHS; i++)
    settings->paths[i][0] = get_path (file, path_words[i]);
  settings->debuginfod = g_key_file_get_boolean (file, SOURCES, "debuginfod", NULL);
  settings->source_lines = g_key_file_get_boolean (file, SOURCES, "source-lines", NULL);
  return settings;
}

static PenSettings *
copy_settings (const PenSettings *settings)
{
  PenSettings *copy = g_memdup2 (settings, sizeof *settings);

  for (guint i = 0; i < PEN_SOURCE_PATHS; i++)
    copy->paths[i][0] = g_strdup (settings->paths[i][0]);
  return copy;
}

void
pen_settings_free (PenSettings *settings)
{
  for (guint i = 0; i < PEN_SOURCE_PATHS; i++)
    g_free (settings->paths[i][0]);
  g_free (settings);
}

PenSources
pen_settings_get_sources (const PenSettings *settings)
{
  return (PenSources){
    .kallsyms = (const char *const *) settings->paths[PEN_SOURCE_KALLSYMS],
    .kcore = (const char *const *) settings->paths[PEN_SOURCE_KCORE],
    .modules = (const char *const *) settings->paths[PEN_SOURCE_MODULES],
    .vmlinux = settings->paths[PEN_SOURCE_VMLINUX][0],
    .symfs = settings->paths[PEN_SOURCE_SYMFS][0],
    .source_lines = settings->source_lines,
    .debuginfod = settings->debuginfod,
  };
}

static void
write_to (const PenSettings *settings, GKeyFile *file)
{
  g_key_file_set_boolean (file, START, "reopen", settings->reopens);
  g_key_file_set_value (file, CODE, "syntax", syntax_word (settings->syntax));
  g_key_file_set_boolean (file, SOURCES, "debuginfod", settings->debuginfod);
  g_key_file_set_boolean (file, SOURCES, "source-lines", settings->source_lines);
  for (guint i = 0; i < PEN_SOURCE_PATHS; i++) {
    g_autofree char *escaped
        = settings->paths[i][0] ? g_strescape (settings->paths[i][0], NULL) : NULL;

    if (escaped)
      g_key_file_set_value (file, SOURCES, path_words[i], escaped);
    else
      g_key_file_remove_key (file, SOURCES, path_words[i], NULL);
  }
}

/* ---- in threads ---- */

static void
load (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, pen_settings_load (), (GDestroyNotify) pen_settings_free);
}

void
pen_settings_load_async (GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_run_in_thread (task, load);
}

PenSettings *
pen_settings_load_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* Threads may come to the file in another order than the choices were made: one that comes late
 * must not undo a later choice. */
typedef struct {
  PenSettings *settings;
  guint64 serial;
} Save;

static guint64 last_serial;  /* window's thread */
static guint64 saved_serial; /* under the lock of save() */

static void
save_free (Save *save)
{
  pen_settings_free (save->settings);
  g_free (save);
}

static gboolean
change (GKeyFile *file, gpointer data)
{
  const Save *save = data;

  if (save->serial < saved_serial)
    return FALSE;
  saved_serial = save->serial;
  write_to (save->settings, file);
  return TRUE;
}

static void
save (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  static GMutex lock;
  GError *error = NULL;

  g_mutex_lock (&lock);
  pen_settings_file_change (change, data, &error);
  g_mutex_unlock (&lock);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
pen_settings_save_async (const PenSettings *settings, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  GApplication *application = g_application_get_default ();
  Save *kept = g_new (Save, 1);

  if (application)
    g_application_hold (application);
  *kept = (Save){ .settings = copy_settings (settings), .serial = ++last_serial };
  g_task_set_task_data (task, kept, (GDestroyNotify) save_free);
  g_task_run_in_thread (task, save);
}

gboolean
pen_settings_save_finish (GAsyncResult *result, GError **error)
{
  GApplication *application = g_application_get_default ();

  if (application)
    g_application_release (application);
  return g_task_propagate_boolean (G_TASK (result), error);
}
