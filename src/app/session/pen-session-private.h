/* pen-session-private.h: what the parts of PenSession share: state, asking, export
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-places.h"
#include "pen-query-overview.h"
#include "pen-session.h"

G_BEGIN_DECLS

/* What timelines show besides. Tables are indexed by PenTaskKey. */
typedef struct {
  guint32 folded;
  gboolean shows_tasks[2];
  PenTaskBins *tasks[2];
  PenHover hover;
  PenAddressAxis *axis;
  PenAxisView axis_view;
  gboolean has_addresses; /* that were looked at last: they are, once there is an axis */
  guint64 address_from;
  guint64 address_to;
  PenMapBins *map;
  guint map_columns; /* of cells that the map wants; 0: none yet */
  guint map_rows;
  guint64 *map_edges;
  guint32 refined;  /* bit per PenJobKind: its newest answer was, or needs not be */
  guint32 refining; /* the same: it is just now */
} PenSessionDrawing;

struct _PenSession {
  GObject parent_instance;

  PenWorker *worker;
  PenProgressBox *progress;
  gint64 opened_at; /* monotonic, µs */

  PenSessionState state;
  char *path;
  GError *failure;
  PenOpened *opened;

  PenTimes times;
  PenSyntax syntax;
  PenPage page;
  PenSpan visible;
  PenFilter *filter;
  guint64 playhead;
  char *search;
  gboolean has_function;
  guint32 function; /* PEN_SESSION_NO_FUNCTION: the text of @text_address at @text_time */
  guint64 text_address;
  guint64 text_time;
  gboolean has_line;
  guint64 line;
  guint overview_bins;
  PenSessionDrawing drawing;

  PenOverview *overview;
  PenCounts *counts;
  PenFunctionList *functions;
  PenStrips *annotation;
  PenSides *sides;
  PenHistoryTable *history;
  PenChangeOrder change_order; /* @search: its own */
  PenChangeTable *changes;
  GPtrArray *change_rows;
  gboolean has_change;
  guint32 change;
  PenOccupantTable *occupants;
  PenRecording *recording;
  GError *errors[PEN_JOBS];
  GTask *export_task;

  PenFilterChoices *choices;
  GPtrArray *notes; /* (element-type PenNoteRow) */

  PenPlaces *places;
  guint visit_id;
  gboolean remembers;
  gboolean wants_hottest; /* of the functions that come next */
  guint save_id;
  char **start_filters; /* (nullable): as they were given on the command line */
  gboolean settling;    /* what changes next was not chosen by the person */

  guint32 stale;    /* bit per PenJobKind: to be asked again */
  guint32 deferred; /* the same, once the page that shows it is looked at */
  guint ask_id;
};

/* Properties, by which changes are notified. */
typedef enum {
  PEN_SESSION_PROP_0,
  PEN_SESSION_PROP_STATE,
  PEN_SESSION_PROP_PROGRESS,
  PEN_SESSION_PROP_VISIBLE,
  PEN_SESSION_PROP_FILTER,
  PEN_SESSION_PROP_PLAYHEAD,
  PEN_SESSION_PROP_CLOCK,
  PEN_SESSION_PROP_PAGE,
  PEN_SESSION_PROP_SEARCH,
  PEN_SESSION_PROP_FUNCTION,
  PEN_SESSION_PROP_LINE,
  PEN_SESSION_PROP_OVERVIEW,
  PEN_SESSION_PROP_COUNTS,
  PEN_SESSION_PROP_FUNCTIONS,
  PEN_SESSION_PROP_ANNOTATION,
  PEN_SESSION_PROP_SIDES,
  PEN_SESSION_PROP_HISTORY,
  PEN_SESSION_PROP_LANES,
  PEN_SESSION_PROP_HOVER,
  PEN_SESSION_PROP_MAP,
  PEN_SESSION_PROP_AXIS_VIEW,
  PEN_SESSION_PROP_CHANGES,
  PEN_SESSION_PROP_CHANGE_ROWS,
  PEN_SESSION_PROP_CHANGE,
  PEN_SESSION_PROP_OCCUPANTS,
  PEN_SESSION_PROP_RECORDING,
  PEN_SESSION_PROP_BUSY,
  PEN_SESSION_PROP_PLACES,
  PEN_SESSION_PROP_CHOICES,
  PEN_SESSION_PROP_NOTES,
  PEN_SESSION_N_PROPS,
} PenSessionProperty;

void pen_session_notify (PenSession *self, PenSessionProperty property);

/* pen-session-answers.c: has the questions of @jobs (bit per PenJobKind) asked anew; several
 * changes of one turn of the main loop make one question. */
void pen_session_make_stale (PenSession *self, guint32 jobs);
void pen_session_ask (PenSession *self, PenJobKind kind, PenWorkFunc func, PenQuestion *question,
                      GDestroyNotify result_free, PenDoneFunc done);
void pen_session_forget_answers (PenSession *self);
/* @error: NULL: none any more */
void pen_session_set_error (PenSession *self, PenJobKind kind, const GError *error);

#define PEN_SESSION_PAGE_JOBS (1u << PEN_JOB_CHANGES | 1u << PEN_JOB_OCCUPANTS)
/* pen-session-pages.c: what is asked only while a page shows it. Returns: those of @jobs that are
 * to be asked now */
guint32 pen_session_defer (PenSession *self, guint32 jobs);
/* Another page is shown: asks what was put off. */
void pen_session_ask_deferred (PenSession *self);
void pen_session_ask_pages (PenSession *self, guint32 stale);
void pen_session_forget_pages (PenSession *self);

/* pen-session-drawing.c */
#define PEN_SESSION_DRAWING_JOBS (1u << PEN_JOB_MAP | 1u << PEN_JOB_CPUS | 1u << PEN_JOB_PROCESSES)
void pen_session_ask_about_drawing (PenSession *self, guint32 stale);
/* What was estimated, because that is quick, is asked for once more while nothing else is to do. */
void pen_session_refine (PenSession *self);
/* Something else is to do. */
void pen_session_stop_refining (PenSession *self);
/* Of the part of the axis that is looked at; FALSE: it is all of it. */
gboolean pen_session_get_map_addresses (PenSession *self, guint64 *from, guint64 *to);
/* Forgets what was of the capture. */
void pen_session_drawing_clear (PenSession *self);
/* pen-session-places.c: one is somewhere else now; what changes in one turn of the main loop is one
 * step. */
void pen_session_visit (PenSession *self);
void pen_session_forget_places (PenSession *self);

/* pen-session-text.c: to a function, or to a text that has none */
void pen_session_set_text (PenSession *self, guint32 function, guint64 address, guint64 time);

/* pen-session-notes.c */
void pen_session_ask_about_notes (PenSession *self);

/* pen-session-last-view.c: what is looked at is to be kept: soon; now, if it was about to be; and
 * is as it was, with nothing told of it */
void pen_session_keep_view (PenSession *self);
void pen_session_keep_view_now (PenSession *self);
void pen_session_restore_view (PenSession *self);

G_END_DECLS
