/* pen-session-private.h: a session, as the files that change it see it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-loader.h"
#include "pen-places.h"
#include "pen-progress-box.h"
#include "pen-session.h"

G_BEGIN_DECLS

/* The jobs that depend on the visible stretch, and on the filter: bits of PenJobKind. */
#define PICTURE_JOBS                                                                               \
  (1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_MAP | 1u << PEN_JOB_CPUS | 1u << PEN_JOB_PROCESSES       \
   | 1u << PEN_JOB_HEAT | 1u << PEN_JOB_CHART)
#define FILTERED_JOBS                                                                              \
  (PICTURE_JOBS | 1u << PEN_JOB_COUNT | 1u << PEN_JOB_FUNCTIONS | 1u << PEN_JOB_ANNOTATION         \
   | 1u << PEN_JOB_HISTORY | 1u << PEN_JOB_CAUSES | 1u << PEN_JOB_CHANGES                          \
   | 1u << PEN_JOB_OCCUPANTS | 1u << PEN_JOB_FLAME | 1u << PEN_JOB_NEIGHBOURS                      \
   | 1u << PEN_JOB_MATCHES)

enum {
  PROP_0,
  PROP_STATE,
  PROP_PROGRESS,
  PROP_BUSY,
  PROP_VISIBLE,
  PROP_FILTER,
  PROP_PLAYHEAD,
  PROP_MARK,
  PROP_CLOCK,
  PROP_PAGE,
  PROP_SEARCH,
  PROP_FUNCTION,
  PROP_LINE,
  PROP_LANES,
  PROP_AXIS_VIEW,
  PROP_FLAME,
  PROP_COMPARED,
  PROP_HOVER,
  PROP_PLACES,
  PROP_LIVE,
  PROP_PART,
  N_PROPS,
};

struct _PenSession {
  GObject parent_instance;

  PenLoader *loader;
  PenProgressBox *progress;
  gint64 opened_at; /* monotonic, µs */

  PenSessionState state;
  char *path;
  GError *failure;
  PenOpened *opened;

  PenViewState view;
  char *search;
  PenHover hover;
  gboolean has_change; /* that is to be shown in the list of them */
  guint32 change;
  gboolean has_addresses; /* that were looked at last: they are, once there is an axis */
  guint64 address_from;
  guint64 address_to;

  PenPlaces *places;
  guint visit_id;
  gboolean settling; /* what changes next was not chosen by the person */
  gboolean remembers;
  gboolean page_is_chosen; /* since the capture was named */
  gboolean wants_hottest;  /* of the functions that come next */
  gboolean wants_line;     /* of the text that comes next, if none was selected by then */
  guint save_id;
  PenLive *live;      /* (nullable): the recording is being made */
  GError *live_error; /* no part comes any more */
  gboolean is_paused;
  gboolean follows;       /* the newest is looked at */
  PenLoader *next;        /* (nullable): asks for the next part, and about it */
  PenOpened *next_opened; /* (nullable): it is there */
  PenViewState next_view; /* of it, what is looked at */
  guint64 next_from;      /* addresses of it that are; both 0: all */
  guint64 next_to;
  guint n_holds;        /* no part is taken */
  guint serial;         /* changes with what is looked at */
  guint next_serial;    /* of which @next_view was made */
  char **start_filters; /* (nullable): as they were given on the command line */
};

/* Notifies of a property; a change of what is looked at becomes a place, and is kept. */
void pen_session_notify (PenSession *self, guint property);
void pen_session_notify_all (PenSession *self);
void pen_session_tell (PenSession *self, PenJobKind kind);

/* Makes what is looked at now a place; returns G_SOURCE_REMOVE. @data: the session */
gboolean pen_session_visit (gpointer data);

/* The answers of @loader are the session's from now on. */
void pen_session_adopt_loader (PenSession *self, PenLoader *loader);
/* What was opened may be a part of a recording that is being made: others follow. */
void pen_session_start_live (PenSession *self);
void pen_session_end_live (PenSession *self);
/* Shows the next part, if all that is looked at is known of it. */
void pen_session_take_part (PenSession *self);
/* The visible stretch was chosen: whether the newest is followed depends on it. */
void pen_session_judge_follows (PenSession *self);

/* Back to nothing that is open; what was looked at is kept. */
void pen_session_close (PenSession *self);

/* Writes what is looked at to a file, a while later. */
void pen_session_keep_view (PenSession *self);
/* The same at once, if it is still to be done. */
void pen_session_keep_view_now (PenSession *self);
/* Takes what was kept; without notifications. */
void pen_session_restore_view (PenSession *self);
/* Of what is open: what it can tell best, which is who called where no text pokes were recorded. */
PenPage pen_session_get_first_page (PenSession *self);

/* @address, @time: of a text without a function, else 0 */
void pen_session_set_text (PenSession *self, guint32 function, guint64 address, guint64 time);

G_END_DECLS
