/* pen-places.h: where one has been: places to go back and forward to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-view-state.h"

G_BEGIN_DECLS

/* The step that led from one place to the next; of several, the first of these. */
typedef enum {
  PEN_STEP_NONE,
  PEN_STEP_COMPARED, /* another recording, or none */
  PEN_STEP_FILTER,
  PEN_STEP_TIME,          /* the filter, but only its time */
  PEN_STEP_COMPARED_TIME, /* of the other recording */
  PEN_STEP_FUNCTION,
  PEN_STEP_LINE,
  PEN_STEP_MARK,
  PEN_STEP_PAGE,
  PEN_STEP_ZOOM, /* of time, of addresses, or of both */
  PEN_STEP_LANES,
  PEN_STEP_STACKS,  /* how they are shown, or where in them one is */
  PEN_STEP_SUBJECT, /* the function whose callers are listed */
} PenStep;

/* @name: what led here, in words */
typedef struct {
  char *name;
  PenViewState view;
} PenVisit;

PenVisit *pen_visit_copy (const PenVisit *place);
void pen_visit_free (PenVisit *place);
PenStep pen_visit_compare (const PenVisit *from, const PenVisit *to);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenVisit, pen_visit_free)

/* As many as are kept: the oldest are forgotten. */
#define PEN_PLACES_MAX 100
/* Steps of one sort that follow each other within this are one: turns of a wheel, a drag, a walk
 * down a list. */
#define PEN_PLACES_BURST (700 * G_TIME_SPAN_MILLISECOND)

typedef struct _PenPlaces PenPlaces;

PenPlaces *pen_places_new (void);
void pen_places_free (PenPlaces *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPlaces, pen_places_free)

void pen_places_clear (PenPlaces *self);

/*
 * pen_places_visit:
 * @place: (transfer none): where one is now
 * @now: monotonic time, µs
 *
 * Places forward of here are forgotten. Where nothing is other than before, nothing happens.
 * Returns: whether there is another history now
 */
gboolean pen_places_visit (PenPlaces *self, const PenVisit *place, gint64 now);
/* One is there, but did not go there: the place where one was is that one now. */
void pen_places_settle (PenPlaces *self, const PenVisit *place);

/* Each place becomes what @func makes of it. */
typedef void (*PenPlaceFunc) (PenViewState *view, gpointer user_data);
void pen_places_foreach (PenPlaces *self, PenPlaceFunc func, gpointer user_data);

/* @steps: −1: the place before; 1: the next one. NULL: there is none. */
const PenVisit *pen_places_peek (PenPlaces *self, int steps);
/* Goes there. Returns: (nullable): where one is now */
const PenVisit *pen_places_go (PenPlaces *self, int steps);

G_END_DECLS
