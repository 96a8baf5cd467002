/* pen-sightings.h: names by a key, as a list had them each time that it was read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"

G_BEGIN_DECLS

/*
 * PenSightingSpan: the time in which a name is looked for: a list counts that was begun at @since
 * or later, and complete at @until or earlier; the nearest to @time.
 * @is_forward: first those begun at @time or later, then those complete by then; else the other way
 * round
 */
typedef struct {
  guint64 since;
  guint64 time;
  guint64 until;
  gboolean is_forward;
} PenSightingSpan;

/* PenSightings: a list, each time that it was read, and names by addresses or by words in it. */
typedef struct _PenSightings PenSightings;

/* Returns: @names, and @name if it is new; more than a few are cut off. @kept: keeps it */
const char *pen_sightings_join (PenNames *kept, const char *names, const char *name);

/* @names: keeps the strings, and outlives it */
PenSightings *pen_sightings_new (PenNames *names);
void pen_sightings_free (PenSightings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSightings, pen_sightings_free)

/* The list was read from @begun to @ended: what is added from now on was in it. Nothing of one
 * counts that was begun before the one before was complete. */
void pen_sightings_begin (PenSightings *self, guint64 begun, guint64 ended);
/* It was read again, and was the same. */
void pen_sightings_repeat (PenSightings *self, guint64 begun, guint64 ended);

/* To the names that the key has in the list that was begun last. */
void pen_sightings_add_number (PenSightings *self, guint64 key, const char *name);
void pen_sightings_add_word (PenSightings *self, const char *key, const char *name);

/* Cost: O(log n) in the times that the list was read. @begun: (out) (optional): when that one was
 * Returns: (nullable) */
const char *pen_sightings_find_number (PenSightings *self, guint64 key,
                                       const PenSightingSpan *span);
const char *pen_sightings_find_word (PenSightings *self, const char *key,
                                     const PenSightingSpan *span, guint64 *begun);

G_END_DECLS
