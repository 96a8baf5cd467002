/* process-story.h: processes that come and go in a capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-capture.h"

G_BEGIN_DECLS

/*
 * ProcessStory: processes that fork, with and without exec, have threads, rename them, map over
 * what is mapped, and end, or are never heard of again; few pids, which are used again. Samples hit
 * them, at the last moment, too. Patches are made by any of them, and records are lost now and
 * then.
 */
typedef struct _ProcessStory ProcessStory;

/* @start: ns: of the first event; @tick: from one event to the next at most; @kernel: of text that
 * samples hit, and patches, with @has_pokes */
ProcessStory *process_story_new (guint32 seed, guint64 start, guint tick, guint64 kernel,
                                 gboolean has_pokes);
void process_story_free (ProcessStory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ProcessStory, process_story_free)

/* Adds what happens in @steps, and a mark of a round: a CPU's records after the other's, of which
 * the first has the newest record. */
void process_story_go_on (ProcessStory *self, PenTestCapture *capture, guint steps);

/* ns: of the newest record */
guint64 process_story_get_time (ProcessStory *self);
guint64 process_story_count_started (ProcessStory *self);

G_END_DECLS
