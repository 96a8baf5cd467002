/* pen-speedscope-profile.c: speedscope's own format
 *
 * https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources: frames, and of each
 * task a profile: its samples in time order, each a list of frames from the outermost on, and the
 * weight of each. Samples of one stack that follow each other are one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <inttypes.h>

#include "pen-json-stream.h"
#include "pen-profile-events.h"
#include "pen-profile-writers.h"
#include "pen-task-samples.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct {
  PenJsonStream *json;
  PenStackMeasure measure;
  const PenWeightedNode *nodes;
  GArray *frames; /* of guint32: scratch */
  guint32 stack;
  guint64 weight;
} Profile;

static void
write_frames (PenWeightedStacks *stacks, PenJsonStream *json)
{
  guint n = pen_weighted_stacks_count_frames (stacks);

  pen_json_stream_begin (json, "shared", '{');
  pen_json_stream_begin (json, "frames", '[');
  for (guint32 i = 0; i < n && !json->error; i++) {
    PenWeightedFrame frame = pen_weighted_stacks_get_frame (stacks, i);

    pen_json_stream_begin (json, NULL, '{');
    pen_json_stream_text (json, "name", frame.name);
    if (*frame.group->occupant != '\0')
      pen_json_stream_text (json, "file", frame.group->occupant);
    pen_json_stream_end (json, '}');
  }
  pen_json_stream_end (json, ']');
  pen_json_stream_end (json, '}');
}

/* ---- a profile's two columns, each in a walk of its own ---- */

static void
write_stack (Profile *self)
{
  g_array_set_size (self->frames, 0);
  for (guint32 at = self->stack; at != 0; at = self->nodes[at].parent)
    g_array_append_val (self->frames, self->nodes[at].frame);
  pen_json_stream_begin (self->json, NULL, '[');
  for (guint i = self->frames->len; i > 0; i--)
    pen_json_stream_unsigned (self->json, NULL, g_array_index (self->frames, guint32, i - 1));
  pen_json_stream_end (self->json, ']');
}

/* Node 0 is no stack. */
static gboolean
add_stack (const PenTaskSample *sample, gpointer user_data, GError **error)
{
  Profile *self = user_data;

  if (sample->stack == self->stack)
    return TRUE;
  self->stack = sample->stack;
  write_stack (self);
  return pen_json_stream_goes_on (self->json, error);
}

static gboolean
add_weight (const PenTaskSample *sample, gpointer user_data, GError **error)
{
  Profile *self = user_data;

  if (sample->stack != self->stack && self->stack != 0) {
    pen_json_stream_unsigned (self->json, NULL, self->weight);
    self->weight = 0;
  }
  self->stack = sample->stack;
  self->weight += pen_stack_count_get ((PenStackCount){ 1, sample->period, 0 }, self->measure);
  return pen_json_stream_goes_on (self->json, error);
}

static char *
name_task (const PenThread *thread)
{
  const char *comm = thread->comm && *thread->comm ? thread->comm : "[unknown]";

  return thread->has_task
             ? g_strdup_printf ("%s %" PRId32 "/%" PRId32, comm, thread->pid, thread->tid)
             : g_strdup (comm);
}

static gboolean
write_profile (Profile *self, PenTaskSamples *tasks, guint task, const PenThread *thread,
               GError **error)
{
  g_autofree char *name = name_task (thread);

  pen_json_stream_text (self->json, "name", name);
  pen_json_stream_unsigned (self->json, "startValue", 0);
  pen_json_stream_begin (self->json, "samples", '[');
  self->stack = 0;
  if (!pen_task_samples_foreach (tasks, task, add_stack, self, error))
    return FALSE;
  pen_json_stream_end (self->json, ']');
  pen_json_stream_begin (self->json, "weights", '[');
  self->stack = 0;
  self->weight = 0;
  if (!pen_task_samples_foreach (tasks, task, add_weight, self, error))
    return FALSE;
  if (self->stack != 0)
    pen_json_stream_unsigned (self->json, NULL, self->weight);
  pen_json_stream_end (self->json, ']');
  return TRUE;
}

static gboolean
write_profiles (Profile *self, PenTaskSamples *tasks, PenStore *store, const char *unit,
                GError **error)
{
  guint n, n_threads;
  const PenTaskTotal *totals = pen_task_samples_get (tasks, &n);
  const PenThread *threads = pen_store_get_threads (store, &n_threads, error);

  if (!threads)
    return FALSE;
  pen_json_stream_begin (self->json, "profiles", '[');
  for (guint i = 0; i < n; i++) {
    pen_json_stream_begin (self->json, NULL, '{');
    pen_json_stream_text (self->json, "type", "sampled");
    pen_json_stream_text (self->json, "unit", unit);
    pen_json_stream_unsigned (
        self->json, "endValue",
        pen_stack_count_get ((PenStackCount){ totals[i].n, totals[i].period, 0 }, self->measure));
    if (!write_profile (self, tasks, i, &threads[totals[i].thread], error))
      return FALSE;
    pen_json_stream_end (self->json, '}');
  }
  pen_json_stream_end (self->json, ']');
  return TRUE;
}

gboolean
pen_speedscope_profile_write (PenWeightedStacks *stacks, const PenProfileOptions *options,
                              GOutputStream *stream, guint64 *n_samples, GError **error)
{
  PenQuery *query = pen_weighted_stacks_get_query (stacks);
  PenProfileUnits units = pen_profile_units_find (query, options->filter);
  gboolean is_time = units.is_time && options->measure != PEN_STACK_SAMPLES;
  g_autoptr (PenTaskSamples) tasks
      = pen_task_samples_new (stacks, options->measure, PEN_TASK_SAMPLES_KEPT, error);
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (PenJsonStream) json = { 0 };
  Profile profile = { .json = &json, .measure = options->measure, .frames = frames };
  guint n_nodes;

  if (!tasks)
    return FALSE;
  profile.nodes = pen_weighted_stacks_get_nodes (stacks, &n_nodes);
  pen_json_stream_init (&json, stream, pen_store_get_cancellable (pen_query_get_store (query)));
  pen_json_stream_begin (&json, NULL, '{');
  pen_json_stream_text (&json, "$schema", SCHEMA);
  pen_json_stream_text (&json, "exporter", "pentimento " PEN_VERSION);
  pen_json_stream_unsigned (&json, "activeProfileIndex", 0);
  write_frames (stacks, &json);
  if (!write_profiles (&profile, tasks, pen_query_get_store (query),
                       is_time ? "nanoseconds" : "none", error))
    return FALSE;
  pen_json_stream_end (&json, '}');
  *n_samples = pen_task_samples_get_total (tasks).n;
  return pen_json_stream_finish (&json, error);
}
