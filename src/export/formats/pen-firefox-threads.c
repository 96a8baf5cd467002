/* pen-firefox-threads.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-firefox-threads.h"

#include <inttypes.h>

#include "pen-profile-marks.h"
#include "pen-table-hash.h"

/* Phases of markers (src/types/gecko-profile.ts of the Firefox Profiler). */
#define PHASE_INSTANT 0
#define PHASE_INTERVAL 1

/* Words of the schema. */
#define TYPE_PATCH "patch"
#define TYPE_OCCUPANT "occupant"
#define TYPE_LOSS "loss"
#define TYPE_CPU "cpu"

/* What is written of a marker column by column. */
typedef struct {
  guint32 name;
  guint32 category;
  guint64 from;
  guint64 to;
} Marker;

typedef struct {
  PenFirefoxThreads *threads;
  GArray *markers; /* of Marker */
} Marking;

/* ---- schema ---- */

typedef struct {
  const char *key;
  const char *label;
  const char *format;
} Field;

static void
write_type (PenJsonStream *json, const char *name, const char *label, const Field *fields)
{
  pen_json_stream_begin (json, NULL, '{');
  pen_json_stream_text (json, "name", name);
  pen_json_stream_text (json, "tooltipLabel", label);
  pen_json_stream_text (json, "tableLabel", label);
  pen_json_stream_text (json, "chartLabel", label);
  pen_json_stream_begin (json, "display", '[');
  pen_json_stream_text (json, NULL, "marker-chart");
  pen_json_stream_text (json, NULL, "marker-table");
  pen_json_stream_text (json, NULL, "timeline-overview");
  pen_json_stream_end (json, ']');
  pen_json_stream_begin (json, "fields", '[');
  for (; fields->key; fields++) {
    pen_json_stream_begin (json, NULL, '{');
    pen_json_stream_text (json, "key", fields->key);
    pen_json_stream_text (json, "label", fields->label);
    pen_json_stream_text (json, "format", fields->format);
    pen_json_stream_end (json, '}');
  }
  pen_json_stream_end (json, ']');
  pen_json_stream_end (json, '}');
}

void
pen_firefox_threads_write_schema (PenJsonStream *json)
{
  static const Field patch[] = {
    { "place", "Place", "string" },
    { "address", "Address", "string" },
    { "patchCause", "Cause", "string" },
    { "key", "Key", "string" },
    { "old", "Old", "string" },
    { "new", "New", "string" },
    { "batch", "Batch", "integer" },
    { "comm", "Command", "string" },
    { "task", "Task", "string" },
    { "evidence", "Evidence", "string" },
    { NULL, NULL, NULL },
  };
  static const Field occupant[] = {
    { "occupant", "Occupant", "string" },
    { "kind", "Kind", "string" },
    { "detail", "Details", "string" },
    { "range", "Range", "string" },
    { NULL, NULL, NULL },
  };
  static const Field loss[] = {
    { "kind", "Kind", "string" },
    { "count", "Count", "integer" },
    { "cpu", "CPU", "integer" },
    { NULL, NULL, NULL },
  };
  static const Field cpu[] = { { "cpu", "CPU", "integer" }, { NULL, NULL, NULL } };

  pen_json_stream_begin (json, "markerSchema", '[');
  write_type (json, TYPE_PATCH, "{marker.data.patchCause}: {marker.data.place}", patch);
  write_type (json, TYPE_OCCUPANT, "{marker.data.kind}: {marker.data.occupant}", occupant);
  write_type (json, TYPE_LOSS, "lost: {marker.data.kind}", loss);
  write_type (json, TYPE_CPU, "CPU {marker.data.cpu}", cpu);
  pen_json_stream_end (json, ']');
}

/* ---- markers ---- */

static void
write_bytes (PenJsonStream *json, const char *key, const guint8 *bytes, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  pen_json_stream_text (json, key, text->str);
}

static char *
name_place (const PenChange *change)
{
  gboolean is_known = change->symbol && *change->symbol != '\0';
  const char *occupant = change->occupant && *change->occupant ? change->occupant : "[unknown]";

  return is_known
             ? g_strdup_printf ("%s+0x%" PRIx64 " %s", change->symbol, change->offset, occupant)
             : g_strdup_printf ("0x%" PRIx64 " %s", change->address, occupant);
}

static void
write_patch (PenJsonStream *json, const PenChange *change)
{
  g_autofree char *place = name_place (change);
  g_autofree char *address = g_strdup_printf ("0x%" PRIx64, change->address);

  pen_json_stream_text (json, "type", TYPE_PATCH);
  pen_json_stream_text (json, "place", place);
  pen_json_stream_text (json, "address", address);
  pen_json_stream_text (json, "patchCause", pen_cause_to_string (change->cause));
  if (change->key)
    pen_json_stream_text (json, "key", change->key);
  write_bytes (json, "old", change->old_bytes, change->old_length);
  write_bytes (json, "new", change->new_bytes, change->new_length);
  if (change->batch > 0)
    pen_json_stream_unsigned (json, "batch", change->batch);
  if (change->has_task) {
    g_autofree char *task = g_strdup_printf ("%" PRId32 "/%" PRId32, change->pid, change->tid);

    pen_json_stream_text (json, "comm", change->comm);
    pen_json_stream_text (json, "task", task);
  }
  pen_json_stream_text (json, "evidence", pen_evidence_to_string (change->evidence));
}

static void
write_occupant (PenJsonStream *json, const PenOccupantRow *row)
{
  g_autofree char *range = g_strdup_printf ("0x%" PRIx64 "–0x%" PRIx64, row->start, row->end);

  pen_json_stream_text (json, "type", TYPE_OCCUPANT);
  pen_json_stream_text (json, "occupant", row->occupant);
  pen_json_stream_text (json, "kind", pen_kind_to_string (row->kind));
  if (row->detail)
    pen_json_stream_text (json, "detail", row->detail);
  pen_json_stream_text (json, "range", range);
}

static void
write_loss (PenJsonStream *json, const PenLoss *loss)
{
  pen_json_stream_text (json, "type", TYPE_LOSS);
  pen_json_stream_text (json, "kind", pen_loss_kind_to_string (loss->kind));
  if (loss->count > 0)
    pen_json_stream_unsigned (json, "count", loss->count);
  if (loss->cpu != G_MAXUINT32)
    pen_json_stream_unsigned (json, "cpu", loss->cpu);
}

static gboolean
add_mark (const PenProfileMark *mark, gpointer user_data)
{
  Marking *self = user_data;
  PenJsonStream *json = self->threads->json;
  Marker marker = { .from = mark->from, .to = mark->to };
  const char *name;

  pen_json_stream_begin (json, NULL, '{');
  switch (mark->sort) {
  case PEN_PROFILE_PATCH:
    write_patch (json, mark->change);
    name = TYPE_PATCH;
    marker.category = mark->change->kind + 1u;
    break;
  case PEN_PROFILE_OCCUPANT:
    write_occupant (json, mark->occupant);
    name = pen_kind_to_string (mark->occupant->kind);
    marker.category = mark->occupant->kind + 1u;
    break;
  case PEN_PROFILE_LOSS:
  default:
    write_loss (json, mark->loss);
    name = TYPE_LOSS;
    marker.category = PEN_FIREFOX_OTHER;
    break;
  }
  pen_json_stream_end (json, '}');
  marker.name = pen_firefox_strings_get (self->threads->strings, name);
  g_array_append_val (self->markers, marker);
  return !json->error;
}

/* @ns: as recorded */
static void
write_time (PenFirefoxThreads *self, guint64 ns)
{
  pen_json_stream_milliseconds (self->json, NULL, ns > self->base ? ns - self->base : 0);
}

/* All columns but that of the data. */
static void
write_markers (PenFirefoxThreads *self, const GArray *markers)
{
  const Marker *rows = (const Marker *) (gconstpointer) markers->data;
  guint n = markers->len;

  pen_json_stream_begin (self->json, "name", '[');
  for (guint i = 0; i < n && !self->json->error; i++)
    pen_json_stream_unsigned (self->json, NULL, rows[i].name);
  pen_json_stream_end (self->json, ']');
  pen_json_stream_begin (self->json, "startTime", '[');
  for (guint i = 0; i < n && !self->json->error; i++)
    write_time (self, rows[i].from);
  pen_json_stream_end (self->json, ']');
  pen_json_stream_begin (self->json, "endTime", '[');
  for (guint i = 0; i < n && !self->json->error; i++) {
    if (rows[i].from == rows[i].to)
      pen_json_stream_null (self->json, NULL);
    else
      write_time (self, rows[i].to);
  }
  pen_json_stream_end (self->json, ']');
  pen_json_stream_begin (self->json, "phase", '[');
  for (guint i = 0; i < n && !self->json->error; i++)
    pen_json_stream_number (self->json, NULL,
                            rows[i].from == rows[i].to ? PHASE_INSTANT : PHASE_INTERVAL);
  pen_json_stream_end (self->json, ']');
  pen_json_stream_begin (self->json, "category", '[');
  for (guint i = 0; i < n && !self->json->error; i++)
    pen_json_stream_unsigned (self->json, NULL, rows[i].category);
  pen_json_stream_end (self->json, ']');
  pen_json_stream_unsigned (self->json, "length", n);
}

/* ---- a thread ---- */

static void
begin_thread (PenFirefoxThreads *self, const char *name, const char *process, const char *pid,
              gboolean is_main, gint64 tid, const PenTaskTotal *total)
{
  PenJsonStream *json = self->json;

  pen_json_stream_begin (json, NULL, '{');
  pen_json_stream_text (json, "processType", "default");
  pen_json_stream_unsigned (json, "processStartupTime", 0);
  pen_json_stream_null (json, "processShutdownTime");
  if (total && total->has_time && total->first > self->base)
    pen_json_stream_milliseconds (json, "registerTime", total->first - self->base);
  else
    pen_json_stream_unsigned (json, "registerTime", 0);
  pen_json_stream_null (json, "unregisterTime");
  pen_json_stream_repeat (json, "pausedRanges", "", 0);
  pen_json_stream_boolean (json, "showMarkersInTimeline", !total);
  pen_json_stream_text (json, "name", name);
  pen_json_stream_text (json, "processName", process);
  pen_json_stream_boolean (json, "isMainThread", is_main);
  pen_json_stream_text (json, "pid", pid);
  pen_json_stream_number (json, "tid", tid);
}

static gboolean
add_stack (const PenTaskSample *sample, gpointer user_data, GError **error)
{
  PenFirefoxThreads *self = user_data;

  if (sample->stack == 0)
    pen_json_stream_null (self->json, NULL);
  else
    pen_json_stream_unsigned (self->json, NULL, sample->stack - 1);
  return pen_json_stream_goes_on (self->json, error);
}

/* One without a time stands at the beginning, as it does in the sample table. */
static gboolean
add_time (const PenTaskSample *sample, gpointer user_data, GError **error)
{
  PenFirefoxThreads *self = user_data;

  write_time (self, sample->has & PEN_SAMPLE_HAS_TIME ? sample->time : self->base);
  return pen_json_stream_goes_on (self->json, error);
}

static gboolean
add_weight (const PenTaskSample *sample, gpointer user_data, GError **error)
{
  PenFirefoxThreads *self = user_data;

  if (self->units.is_time)
    pen_json_stream_milliseconds (self->json, NULL, sample->period);
  else
    pen_json_stream_unsigned (self->json, NULL, sample->period);
  return pen_json_stream_goes_on (self->json, error);
}

/* @task: G_MAXUINT: none: no samples */
static gboolean
write_samples (PenFirefoxThreads *self, guint task, guint64 n, GError **error)
{
  PenJsonStream *json = self->json;
  gboolean is_counted = self->options->measure == PEN_STACK_SAMPLES;

  pen_json_stream_begin (json, "samples", '{');
  pen_json_stream_unsigned (json, "length", n);
  pen_json_stream_text (json, "weightType",
                        !is_counted && self->units.is_time ? "tracing-ms" : "samples");
  pen_json_stream_begin (json, "stack", '[');
  if (n > 0 && !pen_task_samples_foreach (self->tasks, task, add_stack, self, error))
    return FALSE;
  pen_json_stream_end (json, ']');
  pen_json_stream_begin (json, "time", '[');
  if (n > 0 && !pen_task_samples_foreach (self->tasks, task, add_time, self, error))
    return FALSE;
  pen_json_stream_end (json, ']');
  if (is_counted) {
    pen_json_stream_null (json, "weight");
  } else {
    pen_json_stream_begin (json, "weight", '[');
    if (n > 0 && !pen_task_samples_foreach (self->tasks, task, add_weight, self, error))
      return FALSE;
    pen_json_stream_end (json, ']');
  }
  pen_json_stream_end (json, '}');
  return TRUE;
}

/* The first thread: no task. */
static gboolean
write_marks_thread (PenFirefoxThreads *self, GError **error)
{
  g_autoptr (GArray) markers = g_array_new (FALSE, FALSE, sizeof (Marker));
  Marking marking = { self, markers };

  begin_thread (self, "Kernel text", "Kernel text", "kernel text", TRUE, -1, NULL);
  if (!write_samples (self, G_MAXUINT, 0, error))
    return FALSE;
  pen_json_stream_begin (self->json, "markers", '{');
  pen_json_stream_begin (self->json, "data", '[');
  if (!pen_profile_marks_foreach (self->query, self->options->filter, self->base, self->last,
                                  add_mark, &marking, error))
    return FALSE;
  pen_json_stream_end (self->json, ']');
  write_markers (self, markers);
  pen_json_stream_end (self->json, '}');
  pen_json_stream_end (self->json, '}');
  return pen_json_stream_goes_on (self->json, error);
}

/* ---- tasks ---- */

/* Samples on one CPU that follow each other. */
typedef struct {
  guint32 cpu;
  guint64 from;
  guint64 to;
} Run;

static gboolean
add_run (const PenTaskSample *sample, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  GArray *runs = user_data;
  Run run = { sample->cpu, sample->time, sample->time };
  Run *last = runs->len > 0 ? &g_array_index (runs, Run, runs->len - 1) : NULL;

  if (!(sample->has & PEN_SAMPLE_HAS_CPU) || !(sample->has & PEN_SAMPLE_HAS_TIME))
    return TRUE;
  if (last && last->cpu == run.cpu)
    last->to = MAX (last->to, run.to);
  else
    g_array_append_val (runs, run);
  return TRUE;
}

/* A sample has no column for its CPU: markers say where the samples between their ends were. */
static gboolean
write_cpus (PenFirefoxThreads *self, guint task, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Run));
  g_autoptr (GArray) markers = g_array_new (FALSE, FALSE, sizeof (Marker));

  if (!pen_task_samples_foreach (self->tasks, task, add_run, runs, error))
    return FALSE;
  pen_json_stream_begin (self->json, "markers", '{');
  pen_json_stream_begin (self->json, "data", '[');
  for (guint i = 0; i < runs->len && !self->json->error; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    Marker marker
        = { pen_firefox_strings_get (self->strings, "CPU"), PEN_FIREFOX_OTHER, run->from, run->to };

    pen_json_stream_begin (self->json, NULL, '{');
    pen_json_stream_text (self->json, "type", TYPE_CPU);
    pen_json_stream_unsigned (self->json, "cpu", run->cpu);
    pen_json_stream_end (self->json, '}');
    g_array_append_val (markers, marker);
  }
  pen_json_stream_end (self->json, ']');
  write_markers (self, markers);
  pen_json_stream_end (self->json, '}');
  return pen_json_stream_goes_on (self->json, error);
}

/* A process has one main thread: of a task that changed its name, what has most samples.
 * @mains: pids that have theirs */
static gboolean
write_task (PenFirefoxThreads *self, guint task, const PenTaskTotal *total, const PenThread *thread,
            GHashTable *mains, GError **error)
{
  const char *comm = thread->comm && *thread->comm ? thread->comm : "[unknown]";
  g_autofree char *pid
      = thread->has_task ? g_strdup_printf ("%" PRId32, thread->pid) : g_strdup ("unknown");
  gboolean is_main = thread->has_task && thread->pid == thread->tid
                     && g_hash_table_add (mains, GINT_TO_POINTER (thread->pid));

  begin_thread (self, comm, comm, pid, is_main, thread->has_task ? thread->tid : -1, total);
  if (!write_samples (self, task, total->n, error) || !write_cpus (self, task, error))
    return FALSE;
  pen_json_stream_end (self->json, '}');
  return TRUE;
}

gboolean
pen_firefox_threads_write (PenFirefoxThreads *self, GError **error)
{
  guint n, n_threads;
  const PenTaskTotal *totals = pen_task_samples_get (self->tasks, &n);
  const PenThread *threads
      = pen_store_get_threads (pen_query_get_store (self->query), &n_threads, error);
  g_autoptr (GHashTable) mains = g_hash_table_new (pen_direct_hash, NULL);

  if (!threads)
    return FALSE;
  pen_json_stream_begin (self->json, "threads", '[');
  if (!write_marks_thread (self, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (!write_task (self, i, &totals[i], &threads[totals[i].thread], mains, error))
      return FALSE;
  }
  pen_json_stream_end (self->json, ']');
  return TRUE;
}
