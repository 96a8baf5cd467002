/* pen-record-outlook.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-outlook.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

static void
probe (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, pen_record_probe_new (), (GDestroyNotify) pen_record_probe_free);
}

void
pen_record_outlook_probe_async (GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_run_in_thread (task, probe);
}

PenRecordProbe *
pen_record_outlook_probe_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static int
without_right (int error)
{
  return error == EACCES || error == EPERM ? 0 : error;
}

GPtrArray *
pen_record_outlook_list (const PenRecordProbe *probe, const PenRecorderRequest *request,
                         gboolean as_administrator, GError **error)
{
  g_auto (GStrv) words = pen_recorder_request_make_words (request);
  const PenRecordWishes wishes
      = { .perf_words = words, .output = "perf.data", .has_no_witness = !request->has_witness };
  PenRecordProbe seen = *probe;
  g_autoptr (PenRecordPlan) plan = NULL;

  if (as_administrator) {
    seen.may_record_cpus = TRUE;
    seen.has_names = TRUE;
    seen.kcore_error = without_right (probe->kcore_error);
    seen.modules_error = without_right (probe->modules_error);
  } else if (!probe->may_record_cpus) {
    seen.witness_problem
        = (char *) _ ("it needs root, or CAP_BPF and CAP_PERFMON, and no lockdown");
  }
  plan = pen_record_plan_new (&wishes, &seen, error);
  return plan ? g_ptr_array_ref (plan->lacks) : NULL;
}
