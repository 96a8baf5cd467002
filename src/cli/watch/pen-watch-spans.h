/* pen-watch-spans.h: since when, and until when somebody is at a place that is patched
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"

G_BEGIN_DECLS

/* Places that are known at once. Of more, nothing of before is known. */
#define PEN_WATCH_PLACES_MAX (1u << 16)

/* PenWatchSpans: pokes in order of time, each with its number from 0. */
typedef struct _PenWatchSpans PenWatchSpans;

PenWatchSpans *pen_watch_spans_new (void);
void pen_watch_spans_free (PenWatchSpans *self);

/* The next one. Cost: amortised O(1) */
void pen_watch_spans_add (PenWatchSpans *self, const PenPoke *poke);

/* Records were lost: who came or went at any place is not known. @time: ns */
void pen_watch_spans_forget (PenWatchSpans *self, guint64 time);

/* Of poke @number: @since: from the poke on that set something where nothing was (0: it was there
 * all along); @until: up to the poke that took it away (G_MAXUINT64: none was added yet). A call, a
 * jump or a breakpoint is something. */
void pen_watch_spans_get (PenWatchSpans *self, guint64 number, guint64 *since, guint64 *until);

/* Nobody asks any more for pokes before @number. */
void pen_watch_spans_drop (PenWatchSpans *self, guint64 number);

G_END_DECLS
