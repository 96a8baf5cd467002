/* pen-perf-words.h: options of perf record that somebody gave, as far as a plan needs to know them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenPerfWords:
 * @words: (element-type utf8): for perf: all that were given, but for events, -F, -c and @after
 * @events: (element-type utf8): of -e
 * @after: (element-type GPtrArray of utf8): options that perf applies to the event before them
 *   (--filter): those before the first event, then those of each
 * @rate, @period: (nullable): of -F and -c, as given
 * @has_clock: -k
 * @has_tasks: processes, threads or users are recorded, not CPUs
 * @has_threads: --threads: perf writes a directory
 * @cpus: (nullable): of -C
 */
typedef struct {
  GPtrArray *words;
  GPtrArray *events;
  GPtrArray *after;
  char *rate;
  char *period;
  gboolean has_clock;
  gboolean has_tasks;
  gboolean has_threads;
  char *cpus;
} PenPerfWords;

/*
 * pen_perf_words_add_term:
 * @event: a value of -e
 * @term: such as "freq=99"
 *
 * perf applies -F and -c to all events, also to those of tracepoints, of which some, or most, are
 * then left out. As a term of an event they are its own.
 *
 * Returns: (transfer full) (nullable): @event with @term in each of its parts:
 * "cycles/name=cycles,freq=99/u"; NULL: that is not possible, as for tracepoints, groups and parts
 * with terms
 */
char *pen_perf_words_add_term (const char *event, const char *term);

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
