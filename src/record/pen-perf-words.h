/* pen-perf-words.h: options of perf record that somebody gave, as far as a plan needs to know them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenPerfWords:
 * @has_event: -e
 * @has_clock: -k
 * @has_tasks: processes, threads or users are recorded, not CPUs
 * @has_period: -c: also of tracepoints, so that few of them would be recorded
 * @has_threads: --threads: perf writes a directory
 * @cpus: (nullable): of -C
 * @rate: of -F, in samples per second; 0: not given, or max
 */
typedef struct {
  gboolean has_event;
  gboolean has_clock;
  gboolean has_tasks;
  gboolean has_period;
  gboolean has_threads;
  char *cpus;
  guint rate;
} PenPerfWords;

/*
 * pen_perf_words_parse:
 * @words: (array zero-terminated=1): before a “--”; they are not changed
 *
 * Options that are not known here are perf's business. Refused are those that would write elsewhere
 * or start the events at another time, and words that are no options: perf would run these.
 *
 * Returns: FALSE with PEN_RECORD_ERROR_USAGE
 */
gboolean pen_perf_words_parse (char **words, PenPerfWords *self, GError **error);
void pen_perf_words_clear (PenPerfWords *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenPerfWords, pen_perf_words_clear)

G_END_DECLS
