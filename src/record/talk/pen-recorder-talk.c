/* pen-recorder-talk.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recorder-talk.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-perf-words.h"
#include "pen-record-error.h"

/* perf takes a clock where there are no hardware events. */
#define DEFAULT_EVENT "cycles:P"

/* The names of perf-list(1). */
static const char *const events[PEN_RECORDER_EVENTS] = {
  [PEN_RECORDER_DEFAULT_EVENT] = NULL,          [PEN_RECORDER_CYCLES] = "cycles",
  [PEN_RECORDER_CPU_CLOCK] = "cpu-clock",       [PEN_RECORDER_INSTRUCTIONS] = "instructions",
  [PEN_RECORDER_CACHE_MISSES] = "cache-misses", [PEN_RECORDER_BRANCH_MISSES] = "branch-misses",
  [PEN_RECORDER_PAGE_FAULTS] = "page-faults",   [PEN_RECORDER_SWITCHES] = "context-switches",
};

static const char *const chains[PEN_RECORDER_CHAINS] = {
  [PEN_RECORDER_NO_CHAINS] = NULL,
  [PEN_RECORDER_FRAME_POINTERS] = "fp",
  [PEN_RECORDER_DWARF] = "dwarf",
  [PEN_RECORDER_LBR] = "lbr",
};

static gboolean
is_pid_valid (const PenRecorderRequest *request)
{
  return request->target == PEN_RECORDER_SYSTEM ? request->pid == 0 : request->pid > 1;
}

gboolean
pen_recorder_request_read (const guint8 *bytes, gsize length, PenRecorderRequest *request,
                           GError **error)
{
  if (length == sizeof *request) {
    memcpy (request, bytes, sizeof *request);
    if (request->magic == PEN_RECORDER_MAGIC && request->target < PEN_RECORDER_TARGETS
        && request->event < PEN_RECORDER_EVENTS && request->chains < PEN_RECORDER_CHAINS
        && request->has_witness <= 1 && is_pid_valid (request) && request->rate >= 1
        && request->rate <= PEN_RECORDER_RATE_MAX && request->seconds <= PEN_RECORDER_SECONDS_MAX)
      return TRUE;
  }
  g_set_error_literal (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE,
                       _ ("the request for a recording is invalid"));
  return FALSE;
}

char **
pen_recorder_request_make_words (const PenRecorderRequest *request)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *rate = g_strdup_printf ("%u", request->rate);
  g_autofree char *pid = g_strdup_printf ("%d", request->pid);

  g_strv_builder_add_many (words, "-F", rate, NULL);
  if (events[request->event])
    g_strv_builder_add_many (words, "-e", events[request->event], NULL);
  if (chains[request->chains])
    g_strv_builder_add_many (words, "--call-graph", chains[request->chains], NULL);
  if (request->target == PEN_RECORDER_PROCESS)
    g_strv_builder_add_many (words, "-p", pid, NULL);
  return g_strv_builder_end (words);
}

char **
pen_recorder_request_make_perf_words (const PenRecorderRequest *request, gboolean has_modules)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *rate = g_strdup_printf ("freq=%u", request->rate);
  g_autofree char *pid = g_strdup_printf ("%d", request->pid);
  g_autofree char *event = pen_perf_words_add_term (
      events[request->event] ? events[request->event] : DEFAULT_EVENT, rate);

  g_strv_builder_add (words, "--kcore");
  if (request->target == PEN_RECORDER_PROCESS)
    g_strv_builder_add_many (words, "-p", pid, NULL);
  else
    g_strv_builder_add (words, "-a");
  g_strv_builder_add_many (words, "--buildid-mmap", "-k", "CLOCK_MONOTONIC", NULL);
  if (chains[request->chains])
    g_strv_builder_add_many (words, "--call-graph", chains[request->chains], NULL);
  g_strv_builder_add_many (words, "-e", event, NULL);
  if (has_modules)
    g_strv_builder_add_many (words, "-e", "module:module_load", "-e", "module:module_free", NULL);
  return g_strv_builder_end (words);
}
