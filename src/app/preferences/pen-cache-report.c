/* pen-cache-report.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cache-report.h"

#include "pen-cache-directory.h"
#include "pen-cache-settings.h"

void
pen_cache_report_free (PenCacheReport *self)
{
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_error (&self->error);
  g_free (self->request.removes);
  g_free (self);
}

static void
change (const char *directory, PenCacheReport *report)
{
  const PenCacheRequest *request = &report->request;
  guint64 limit = request->clears ? 0 : request->limit;

  if (request->sets_limit && !pen_cache_set_limit (request->limit, &report->error))
    return;
  if (request->removes)
    pen_cache_remove (directory, request->removes, &report->trimmed, &report->error);
  else if (request->sets_limit || request->clears)
    pen_cache_trim (directory, limit, NULL, 0, &report->trimmed, &report->error);
}

static void
look (const char *directory, PenCacheReport *report)
{
  g_autoptr (GError) error = NULL;

  report->entries = pen_cache_load_entries (directory, &error);
  if (!report->entries)
    report->entries = g_ptr_array_new ();
  for (guint i = 0; i < report->entries->len; i++)
    report->total += ((const PenCacheEntry *) g_ptr_array_index (report->entries, i))->size;
  if (error && !report->error)
    report->error = g_steal_pointer (&error);
}

static void
read_limit (PenCacheReport *report)
{
  g_autoptr (GError) error = NULL;

  report->has_limit = pen_cache_get_limit (&report->limit, &error);
  if (error && !report->error)
    report->error = g_steal_pointer (&error);
}

static void
free_request (gpointer data)
{
  PenCacheRequest *request = data;

  g_free (request->removes);
  g_free (request);
}

static PenCacheRequest *
copy_request (const PenCacheRequest *request)
{
  PenCacheRequest *copy = g_memdup2 (request, sizeof *request);

  copy->removes = g_strdup (request->removes);
  return copy;
}

static void
work (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  static GMutex lock;
  PenCacheReport *report = g_new0 (PenCacheReport, 1);
  g_autofree char *directory = NULL;

  report->request = *(PenCacheRequest *) task_data;
  report->request.removes = g_strdup (report->request.removes);

  /* Who looks into a store has it open for that while, and it would stay as one in use. */
  g_mutex_lock (&lock);
  directory = pen_cache_directory (&report->error);
  if (directory) {
    change (directory, report);
    look (directory, report);
  } else {
    report->entries = g_ptr_array_new ();
  }
  read_limit (report);
  g_mutex_unlock (&lock);

  g_task_return_pointer (task, report, (GDestroyNotify) pen_cache_report_free);
}

void
pen_cache_report_async (const PenCacheRequest *request, GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  GApplication *application = g_application_get_default ();

  if (application)
    g_application_hold (application);
  g_task_set_task_data (task, copy_request (request), free_request);
  g_task_run_in_thread (task, work);
}

PenCacheReport *
pen_cache_report_finish (GAsyncResult *result)
{
  GApplication *application = g_application_get_default ();

  if (application)
    g_application_release (application);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
