/* pen-firefox-profile.c: the processed format of the Firefox Profiler
 *
 * docs-developer/CHANGELOG-formats.md of https://github.com/firefox-devtools/profiler has the
 * versions; the types are in src/types/profile.ts. Version 60 is the first whose tables are shared
 * by all threads; later ones upgrade it. Times are milliseconds from the beginning.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-firefox-tables.h"
#include "pen-firefox-threads.h"
#include "pen-profile-writers.h"

#define PROCESSED_VERSION 60
/* Of the format that Firefox itself writes, from which a processed one is made. */
#define GECKO_VERSION 30

#define MILLISECOND G_GUINT64_CONSTANT (1000000)
/* Tasks that are shown first; the others are in the menu of tracks. */
#define SHOWN_TASKS 15u

static void
write_machine (PenJsonStream *json, PenStore *store)
{
  const char *release = pen_store_get_fact (store, "osrelease");
  const char *arch = pen_store_get_fact (store, "arch");
  const char *cpu = pen_store_get_fact (store, "cpu_description");
  gint64 n_cpus = pen_store_get_fact_int (store, "cpus_online", 0);
  g_autofree char *system
      = release ? g_strdup_printf ("Linux %s%s%s", release, arch ? " " : "", arch ? arch : "")
                : NULL;

  pen_json_stream_text (json, "platform", "Linux");
  if (system)
    pen_json_stream_text (json, "oscpu", system);
  if (cpu)
    pen_json_stream_text (json, "CPUName", cpu);
  if (n_cpus > 0)
    pen_json_stream_number (json, "logicalCPUs", n_cpus);
}

static void
write_meta (PenFirefoxThreads *self)
{
  PenStore *store = pen_query_get_store (self->query);
  PenJsonStream *json = self->json;
  gint64 offset = pen_store_get_fact_int (store, "wall_clock_offset_ns", 0);
  guint64 interval = self->units.interval > 0 ? self->units.interval : MILLISECOND;
  guint n;

  pen_task_samples_get (self->tasks, &n);
  pen_json_stream_begin (json, "meta", '{');
  pen_json_stream_unsigned (json, "version", GECKO_VERSION);
  pen_json_stream_unsigned (json, "preprocessedProfileVersion", PROCESSED_VERSION);
  pen_json_stream_text (json, "product", "Pentimento");
  pen_json_stream_text (json, "importedFrom", "pentimento " PEN_VERSION);
  pen_json_stream_unsigned (json, "processType", 0);
  pen_json_stream_unsigned (json, "stackwalk", 1);
  pen_json_stream_boolean (json, "symbolicated", TRUE);
  pen_json_stream_boolean (json, "symbolicationNotSupported", TRUE);
  pen_json_stream_boolean (json, "sourceCodeIsNotOnSearchfox", TRUE);
  pen_json_stream_boolean (json, "usesOnlyOneStackType", TRUE);
  pen_json_stream_boolean (json, "keepProfileThreadOrder", TRUE);
  pen_json_stream_milliseconds (json, "interval", interval);
  pen_json_stream_milliseconds (json, "startTime", offset > 0 ? self->base + (guint64) offset : 0);
  pen_json_stream_unsigned (json, "profilingStartTime", 0);
  /* Its last sample lies before it. */
  pen_json_stream_milliseconds (json, "profilingEndTime", self->last - self->base + interval);
  write_machine (json, store);
  pen_json_stream_begin (json, "initialVisibleThreads", '[');
  for (guint i = 0; i <= MIN (n, SHOWN_TASKS); i++)
    pen_json_stream_unsigned (json, NULL, i);
  pen_json_stream_end (json, ']');
  pen_json_stream_begin (json, "initialSelectedThreads", '[');
  pen_json_stream_unsigned (json, NULL, MIN (n, 1));
  pen_json_stream_end (json, ']');
  pen_firefox_tables_write_categories (json);
  pen_firefox_threads_write_schema (json);
  pen_json_stream_end (json, '}');
}

/* What the filter asks for, or all of the recording. */
static void
set_range (PenFirefoxThreads *self, const PenFilter *filter)
{
  guint64 first = 0;
  guint64 last = 0;

  pen_query_get_time_range (self->query, &first, &last);
  if (filter && filter->has_time) {
    first = MAX (first, filter->from);
    last = MAX (MIN (last, filter->to), first);
  }
  self->base = first;
  self->last = last;
}

gboolean
pen_firefox_profile_write (PenWeightedStacks *stacks, const PenProfileOptions *options,
                           GOutputStream *stream, guint64 *n_samples, GError **error)
{
  g_autoptr (PenTaskSamples) tasks
      = pen_task_samples_new (stacks, options->measure, PEN_TASK_SAMPLES_KEPT, error);
  g_auto (PenFirefoxStrings) strings = { 0 };
  g_auto (PenJsonStream) json = { 0 };
  PenFirefoxThreads threads = { .options = options, .tasks = tasks };

  if (!tasks)
    return FALSE;
  pen_firefox_strings_init (&strings);
  threads.query = pen_weighted_stacks_get_query (stacks);
  pen_json_stream_init (&json, stream,
                        pen_store_get_cancellable (pen_query_get_store (threads.query)));
  threads.strings = &strings;
  threads.json = &json;
  threads.units = pen_profile_units_find (threads.query, options->filter);
  set_range (&threads, options->filter);
  pen_json_stream_begin (&json, NULL, '{');
  write_meta (&threads);
  pen_json_stream_repeat (&json, "libs", "", 0);
  if (!pen_firefox_threads_write (&threads, error)
      || !pen_firefox_tables_write (stacks, &strings, &json, error))
    return FALSE;
  pen_json_stream_end (&json, '}');
  *n_samples = pen_task_samples_get_total (tasks).n;
  return pen_json_stream_finish (&json, error);
}
