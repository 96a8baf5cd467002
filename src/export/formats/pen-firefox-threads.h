/* pen-firefox-threads.h: threads of a Firefox profile: tasks, and one for what happened beside them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-firefox-tables.h"
#include "pen-profile-events.h"
#include "pen-profile-writer.h"
#include "pen-task-samples.h"

G_BEGIN_DECLS

/*
 * PenFirefoxThreads: what the writing of threads needs
 * @base, @last: ns: where the profile begins: its times are from there on; and where it ends
 */
typedef struct {
  PenQuery *query;
  const PenProfileOptions *options;
  PenTaskSamples *tasks;
  PenFirefoxStrings *strings;
  PenJsonStream *json;
  PenProfileUnits units;
  guint64 base;
  guint64 last;
} PenFirefoxThreads;

/* meta.markerSchema */
void pen_firefox_threads_write_schema (PenJsonStream *json);
/* profile.threads: the one with patches, programs and losses first, then tasks in their order. */
gboolean pen_firefox_threads_write (PenFirefoxThreads *self, GError **error);

G_END_DECLS
