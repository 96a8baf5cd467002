/* pen-recording.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recording.h"

#include <glib/gi18n-lib.h>
#include <sys/wait.h>

#include "pen-graft.h"
#include "pen-kernel-watch.h"
#include "pen-perf-run.h"
#include "pen-record-place.h"
#include "pen-snapshots.h"
#include "pen-stream-weaver.h"

void
pen_recorded_free (PenRecorded *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->lacks);
  g_free (self);
}

static PenRecorded *
new_recorded (const PenRecordPlan *plan)
{
  PenRecorded *self = g_new0 (PenRecorded, 1);

  self->lacks = pen_record_lacks_new ();
  for (guint i = 0; i < plan->lacks->len; i++) {
    const PenRecordLack *lack = plan->lacks->pdata[i];

    pen_record_lacks_add (self->lacks, lack->kind, lack->detail);
  }
  return self;
}

/* ---- start ---- */

static void
graft (PenRecorded *self, const PenRecordPlan *plan, PenWitness *witness, PenPerfRun *run)
{
  g_autofree char *data = g_build_filename (plan->output, "data", NULL);
  g_autoptr (GError) wrong = NULL;

  self->has_witness = pen_graft (witness, pen_perf_run_get_pid (run), data, plan->cpus, &wrong);
  if (!self->has_witness)
    pen_record_lacks_add (self->lacks, PEN_LACK_WITNESS, wrong->message);
}

/* Once perf answers, its events are open, and their ids in its file. */
static gboolean
begin (PenRecorded *self, const PenRecordPlan *plan, PenWitness *witness, PenPerfRun *run,
       PenKernelWatch **watch, GCancellable *cancellable, GError **error)
{
  if (!pen_perf_run_order (run, "disable", cancellable, error))
    return FALSE;
  if (plan->has_witness)
    graft (self, plan, witness, run);
  if (!plan->is_stream) {
    *watch = pen_kernel_watch_new (plan->output, plan->cpus, plan->adds_patches, self->lacks);
    pen_snapshots_take (plan->output, "start", self->lacks);
  }
  return pen_perf_run_order (run, "enable", cancellable, error);
}

/* ---- end ---- */

/* A lack of the start is one of the end, too: it is said once. */
static void
take_end (PenRecorded *self, const PenRecordPlan *plan)
{
  g_autoptr (GPtrArray) lacks = pen_record_lacks_new ();
  const PenRecordLack *of_start = pen_record_lacks_find (self->lacks, PEN_LACK_SNAPSHOTS);

  if (plan->is_stream)
    return;
  pen_snapshots_take (plan->output, "end", lacks);
  for (guint i = 0; i < lacks->len; i++) {
    const PenRecordLack *lack = lacks->pdata[i];

    if (!of_start || g_strcmp0 (of_start->detail, lack->detail) != 0)
      pen_record_lacks_add (self->lacks, lack->kind, lack->detail);
  }
}

static void
wait_for_end (PenRecorded *self, const PenRecordPlan *plan, PenPerfRun *run, PenKernelWatch *watch,
              GCancellable *cancellable)
{
  gboolean has_end = FALSE;
  PenPerfEvent event;

  do {
    event = pen_perf_run_wait (run, pen_kernel_watch_get_descriptor (watch), cancellable);
    if (event == PEN_PERF_READABLE) {
      pen_kernel_watch_take (watch);
      continue;
    }
    if (event == PEN_PERF_CANCELLED) {
      /* perf, and then its command, end as they do on Ctrl-C. */
      cancellable = NULL;
      if (plan->has_command)
        pen_perf_run_interrupt (run);
    }
    if (!has_end && (event != PEN_PERF_CANCELLED || !plan->has_command)) {
      take_end (self, plan);
      has_end = TRUE;
    }
    if (!plan->has_command)
      pen_perf_run_let_end (run);
  } while (event != PEN_PERF_ENDED);
}

static void
keep_counts (PenRecorded *self, const PenRecordPlan *plan, PenWitness *witness)
{
  g_autoptr (GError) wrong = NULL;

  if (!pen_witness_count (witness, &self->counts, &wrong)
      || !pen_snapshots_write_counts (plan->output, &self->counts,
                                      pen_witness_get_program (witness), &wrong))
    pen_record_lacks_add (self->lacks, PEN_LACK_COUNTS, wrong->message);
}

static void
keep_status (PenRecorded *self, int status)
{
  self->status = WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

/* ---- a stream ---- */

/* Returns: (transfer full) (nullable): NULL: perf writes the stream itself */
static PenStreamWeaver *
open_weaver (PenRecorded *self, const PenRecordPlan *plan)
{
  g_autoptr (GError) wrong = NULL;
  PenStreamWeaver *weaver
      = plan->is_stream && plan->adds_patches ? pen_stream_weaver_new (plan->cpus, &wrong) : NULL;

  if (wrong)
    pen_record_lacks_add (self->lacks, PEN_LACK_PATCHES, wrong->message);
  return weaver;
}

static gboolean
end_stream (PenRecorded *self, PenStreamWeaver *weaver, GError **error)
{
  gboolean has_patches;

  if (!pen_stream_weaver_finish (weaver, &has_patches, error))
    return FALSE;
  if (!has_patches)
    pen_record_lacks_add (self->lacks, PEN_LACK_PATCHES,
                          _ ("events of perf's have no identifiers; record several, "
                             "-e cpu-clock -e dummy"));
  return TRUE;
}

/* ---- all ---- */

static PenRecorded *
record (const PenRecordPlan *plan, PenWitness *witness, const PenRecordingFuncs *funcs,
        GCancellable *cancellable, GError **error)
{
  g_autoptr (PenRecorded) self = new_recorded (plan);
  g_autoptr (PenStreamWeaver) weaver = open_weaver (self, plan);
  g_autoptr (PenPerfRun) run = NULL;
  PenKernelWatch *watch = NULL;

  if (plan->makes_directory && !pen_record_place_make (plan->output, error))
    return NULL;
  run = pen_perf_run_start (plan, weaver ? pen_stream_weaver_get_input (weaver) : -1,
                            funcs->message, funcs->user_data, error);
  if (run && weaver)
    pen_stream_weaver_start (weaver);
  if (!run || !begin (self, plan, witness, run, &watch, cancellable, error)) {
    pen_kernel_watch_close (watch, self->lacks);
    return NULL;
  }
  funcs->begun (plan, funcs->user_data);
  if (plan->has_command)
    pen_perf_run_release (run);
  wait_for_end (self, plan, run, watch, cancellable);
  pen_kernel_watch_close (watch, self->lacks);
  if (self->has_witness)
    keep_counts (self, plan, witness);
  keep_status (self, pen_perf_run_get_status (run));
  if (weaver && !end_stream (self, weaver, error))
    return NULL;
  return g_steal_pointer (&self);
}

PenRecorded *
pen_recording_run (const PenRecordPlan *plan, PenWitness *witness, const PenRecordingFuncs *funcs,
                   GCancellable *cancellable, GError **error)
{
  gboolean was_moved;
  PenRecorded *recorded;

  if (plan->is_stream)
    return record (plan, witness, funcs, cancellable, error);
  if (!pen_record_place_set_aside (plan->output, &was_moved, error))
    return NULL;
  recorded = record (plan, witness, funcs, cancellable, error);
  if (!recorded) {
    pen_record_place_put_back (plan->output, was_moved);
    return NULL;
  }
  recorded->was_moved = was_moved;
  return recorded;
}
