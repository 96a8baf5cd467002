/* pen-session.h: one open capture and what is looked at: every view binds to it, none to another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-clock.h"
#include "pen-export.h"
#include "pen-hover.h"
#include "pen-import.h"
#include "pen-view-state.h"

G_BEGIN_DECLS

typedef enum {
  PEN_SESSION_EMPTY,
  PEN_SESSION_IMPORTING,
  PEN_SESSION_READY,
  PEN_SESSION_FAILED,
} PenSessionState;

typedef enum {
  PEN_LIVE_NONE, /* the recording is complete */
  PEN_LIVE_RUNNING,
  PEN_LIVE_PAUSED,
  PEN_LIVE_FAILED, /* no more of it can be read */
} PenLiveState;

/*
 * PenSession: main thread only. Views listen to notify:: of
 *   state, progress, busy                    the capture is being opened; what is open; whether
 *                                            answers are on their way
 *   visible, filter, playhead, mark,         what is looked at: pen_session_get_view(), and the
 *   function, line, clock, page, lanes,      functions below
 *   axis-view, flame, compared, search,
 *   hover
 *   places                                   what there is to go back and forward to
 *   live, part                               whether it is being recorded; there is more of it
 * and to the signal answered:: of
 *   overview, tasks, map (and its axis), counts, functions, annotation, sides, verdict, instants,
 *   history, flame, neighbours, heat, chart, matches, causes, changes, change-rows, occupants,
 * recording, choices, notes pen_session_get_answers() change                                   a
 * change that is to be shown in the list of them An answer lives until the session notifies of it
 * again.
 */
#define PEN_TYPE_SESSION (pen_session_get_type ())
G_DECLARE_FINAL_TYPE (PenSession, pen_session, PEN, SESSION, GObject)

PenSession *pen_session_new (void);

/* ---- the capture ---- */

/* Opens a capture or a store, in place of what was open. */
void pen_session_open (PenSession *self, const char *path);
/* Whether what is looked at is kept when the capture is closed, and comes back when it is opened
 * again: it does, unless told otherwise. */
void pen_session_set_remembers (PenSession *self, gboolean remembers);
gboolean pen_session_get_remembers (PenSession *self);
/* As if it were opened for the first time; forgets what was kept. */
void pen_session_start_afresh (PenSession *self);
/* The filters that the next captures are opened with, in place of the kept one: as typed into the
 * window. NULL: nothing */
void pen_session_set_start_filters (PenSession *self, const char *const *texts);
/* Stops an import; back to the empty state. */
void pen_session_cancel (PenSession *self);

PenSessionState pen_session_get_state (PenSession *self);
const char *pen_session_get_path (PenSession *self);
/* In PEN_SESSION_FAILED */
const GError *pen_session_get_failure (PenSession *self);
void pen_session_get_progress (PenSession *self, PenImportProgress *progress);
/* The picture of the import so far. Returns: (transfer full): NULL: nothing, or it is over */
PenSketch *pen_session_dup_sketch (PenSession *self);
/* In PEN_SESSION_READY */
const PenOpened *pen_session_get_opened (PenSession *self);

/* ---- a recording that is being made ---- */

PenLiveState pen_session_get_live (PenSession *self);
/* In PEN_LIVE_FAILED */
const GError *pen_session_get_live_error (PenSession *self);
/* Nothing that is shown changes until it goes on. */
void pen_session_set_paused (PenSession *self, gboolean paused);
/* No part takes the place of what is shown before this is released: what refers to it is being
 * chosen from. */
void pen_session_hold_part (PenSession *self);
void pen_session_release_part (PenSession *self);
/* Whether the visible stretch stays at the end. It does until an earlier one is chosen. */
gboolean pen_session_get_follows (PenSession *self);
void pen_session_set_follows (PenSession *self, gboolean follows);
/* The newest instant that is known. */
guint64 pen_session_get_newest (PenSession *self);

/* ---- what is looked at ---- */

PenSpan pen_session_get_span (PenSession *self);
const PenViewState *pen_session_get_view (PenSession *self);
void pen_session_set_visible (PenSession *self, PenSpan visible);

void pen_session_set_filter (PenSession *self, const PenFilter *filter);
/* Shorthands for one part of the filter. @span NULL: any time */
void pen_session_set_selected (PenSession *self, const PenSpan *span);
gboolean pen_session_get_selected (PenSession *self, PenSpan *span);
void pen_session_set_changed_only (PenSession *self, gboolean changed);
void pen_session_set_kinds (PenSession *self, guint32 kinds);
/* Leaves samples of @kind out, or takes them in again. */
void pen_session_toggle_left_out (PenSession *self, PenKind kind);
void pen_session_add_term (PenSession *self, const PenFilterTerm *term);
void pen_session_remove_term (PenSession *self, const PenFilterTerm *term);
/* @text: as pen_filter_add_text() takes it. FALSE: @error says what it does not mean */
gboolean pen_session_add_filter_text (PenSession *self, const char *text, GError **error);
void pen_session_clear_filter (PenSession *self);

/* ---- places: every zoom (of time and of addresses), filter, function, line, second instant, page
 * and choice of lanes is one ---- */

/* @steps: −1 is the place before, 1 the next. */
void pen_session_go (PenSession *self, int steps);
/* The step that led there, in words; NULL: there is no such place. */
const char *pen_session_get_place_name (PenSession *self, int steps);

/* The view that is shown below the overview. */
void pen_session_set_page (PenSession *self, PenPage page);

/* How times are told. The choice outlives the capture; where that has no wall-clock times, the
 * clock tells recorded ones. */
void pen_session_set_times (PenSession *self, PenTimes times);
PenClock pen_session_get_clock (PenSession *self);

/* The syntax of instructions; as preferred, unless it is set. */
PenSyntax pen_session_get_syntax (PenSession *self);
void pen_session_set_syntax (PenSession *self, PenSyntax syntax);

void pen_session_set_playhead (PenSession *self, guint64 time);
/* The second instant, whose text is compared with that of the playhead. @time NULL: none */
void pen_session_set_mark (PenSession *self, const guint64 *time);
/* Whether all lines of the two instants are shown, or those that differ. */
void pen_session_set_mark_all (PenSession *self, gboolean all);
/* At the time that is pointed at in any view, or else at the playhead. */
void pen_session_mark_pointed (PenSession *self);
/* What the recording is compared with: PenPairSession does it. @compared: (nullable): nothing */
void pen_session_set_compared (PenSession *self, PenCompared *compared);
/* Moves what is visible, if @time is not in it. */
void pen_session_show_time (PenSession *self, guint64 time);
/* To the next (1) or previous (-1) change: of the annotated text, or where that has none of all.
 * Keeps the playhead in sight. */
void pen_session_step_change (PenSession *self, int direction);

/* Narrows the list of functions to names that hold @search, case ignored. */
const char *pen_session_get_search (PenSession *self);
void pen_session_set_search (PenSession *self, const char *search);
gboolean pen_session_matches_search (PenSession *self, const PenFunction *function);

/* @function: PEN_NO_FUNCTION: a text without samples and changes is shown */
gboolean pen_session_get_function (PenSession *self, guint32 *function);
void pen_session_set_function (PenSession *self, guint32 function);
/* Shows the text of one @load alone, by its tenure; or with @all that of all loads of the function,
 * and of others that had its bytes. For the function that is shown: another one begins with that of
 * the playhead. */
void pen_session_set_load (PenSession *self, guint32 load, gboolean all);
/* Shows the text that held @address of the kernel's space at @time, whether or not samples or
 * changes are known of it. */
void pen_session_show_text (PenSession *self, guint64 address, guint64 time);
gboolean pen_session_get_line (PenSession *self, guint64 *address);
/* NULL: none */
void pen_session_set_line (PenSession *self, const guint64 *address);

/* How many steps the overview wants to draw. */
void pen_session_set_overview_bins (PenSession *self, guint n_bins);

/* Lanes of the overview that are drawn in one row: bit per PenLaneKind. */
void pen_session_set_folded (PenSession *self, guint32 folded);
/* Lanes with a row per CPU or process: not there until asked for. */
void pen_session_set_shows_tasks (PenSession *self, PenTaskKey key, gboolean shows);

/* How many cells the text map wants to draw: @n_rows + 1 rising addresses are the @edges of its
 * rows. */
void pen_session_set_map_cells (PenSession *self, guint n_columns, const guint64 *edges,
                                guint n_rows);

/* The part of its axis that the text map shows. */
void pen_session_set_axis_view (PenSession *self, PenAxisView view);

/* How the stacks of samples are looked at. Returns: (transfer full): to be changed and set */
PenFlameState *pen_session_dup_flame (PenSession *self);
void pen_session_set_flame (PenSession *self, PenFlameState *flame);
/* Whether the window counts waits, and their time, in place of samples. */
gboolean pen_session_is_off_cpu (PenSession *self);
/* How many pixels wide the picture of stacks is: what is too narrow is not asked for. */
void pen_session_set_flame_width (PenSession *self, guint pixels);
/* How many columns of time the heat map has room for. */
void pen_session_set_heat_columns (PenSession *self, guint n);
/* Frames with @text in their names are searched for, case ignored; "": none are. */
void pen_session_set_flame_search (PenSession *self, const char *text);
/* How wide stacks in time order are. */
void pen_session_set_chart_width (PenSession *self, guint pixels);
/* The page Callers, with the callers and callees of @function. */
void pen_session_show_callers (PenSession *self, guint32 function);
/* The stacks before and after a batch of patches (its id), on the same page. */
void pen_session_compare_batch (PenSession *self, guint32 batch);
/* The same of the selected time and the second instant: inside, it parts the selection; outside, as
 * much time from there on is compared with the selection. FALSE: one of them is not there */
gboolean pen_session_can_compare_stretches (PenSession *self);
/* Two times to begin with when the recording is compared with itself: those, or the selected one
 * and as much beside it, or both halves. Both ends included */
void pen_session_find_two_times (PenSession *self, PenSpan times[2]);
void pen_session_compare_stretches (PenSession *self);

/* The text map, and in it these addresses with some around them; @to is exclusive. */
void pen_session_show_addresses (PenSession *self, guint64 from, guint64 to);

/* The thing pointed at: it lights up in every view. @hover: NULL: nothing */
const PenHover *pen_session_get_hover (PenSession *self);
void pen_session_set_hover (PenSession *self, const PenHover *hover);

/* ---- answers ---- */

const PenAnswers *pen_session_get_answers (PenSession *self);
/* Loads the choices for filters, once for each capture. */
void pen_session_want_choices (PenSession *self);
const PenCauseOrder *pen_session_get_cause_order (PenSession *self);
void pen_session_set_cause_order (PenSession *self, const PenCauseOrder *order);
/* The list of changes is that of row @row of @causes, an answer; NULL: of all. */
void pen_session_set_changes_of (PenSession *self, const PenCauseTable *causes, guint row);
const PenChangeOrder *pen_session_get_change_order (PenSession *self);
void pen_session_set_change_order (PenSession *self, const PenChangeOrder *order);
/* Has the change at @moment shown in the list of changes: the page, and the row once it is found.
 */
void pen_session_show_change (PenSession *self, PenMoment moment);
/* FALSE: none is to be shown, or no more. Whoever shows it takes it. */
gboolean pen_session_get_change (PenSession *self, guint32 *id);
void pen_session_take_change (PenSession *self);
/* Asks for the rows of the changes @ids (element-type guint32), in place of what was asked before.
 */
void pen_session_want_change_rows (PenSession *self, GArray *ids);
/* Why there is no answer of that kind, or NULL. */
const GError *pen_session_get_error (PenSession *self, PenJobKind kind);

gboolean pen_session_is_busy (PenSession *self, PenJobKind kind);
/* Nothing is being asked, or about to be. */
gboolean pen_session_is_settled (PenSession *self);
/* What is being asked is only what other pages will show. */
gboolean pen_session_works_ahead (PenSession *self);

/* ---- notes ---- */

/* Writes a new note, or changes the one of its id; it is written even if the capture is closed. */
void pen_session_put_note_async (PenSession *self, const PenNote *note,
                                 GAsyncReadyCallback callback, gpointer user_data);
void pen_session_remove_note_async (PenSession *self, gint64 id, GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean pen_session_change_notes_finish (PenSession *self, GAsyncResult *result, GError **error);
/* To the line and the time that it is about. */
void pen_session_show_note (PenSession *self, const PenNoteRow *row);
/* Moves the playhead to the next (1) or previous (-1) note about a time, and keeps it in sight.
 * FALSE: there is none */
gboolean pen_session_step_note (PenSession *self, int direction);

/* ---- export ---- */

/* Whether there is something to export. */
gboolean pen_session_can_export (PenSession *self, PenExport table);
/* Writes CSV of what is shown, under the filter, in the worker's thread. */
void pen_session_export_async (PenSession *self, PenExport table, GFile *file,
                               GAsyncReadyCallback callback, gpointer user_data);
/* The same of a view as a picture: PNG, SVG or PDF, by the ending of the file's name. It shows what
 * the view shows: the visible stretch, the folded lanes, the part of the map. */
gboolean pen_session_can_export_picture (PenSession *self, PenView view);
void pen_session_export_picture_async (PenSession *self, PenView view, gboolean dark, GFile *file,
                                       GAsyncReadyCallback callback, gpointer user_data);
/* The samples under all filters and in the selected time, as a file of another program. */
gboolean pen_session_can_export_profile (PenSession *self);
void pen_session_export_profile_async (PenSession *self, PenProfileFormat format, GFile *file,
                                       GAsyncReadyCallback callback, gpointer user_data);
/* @n_rows: (nullable): of a table, without its titles; of a profile, its samples or waits */
gboolean pen_session_export_finish (PenSession *self, GAsyncResult *result, guint64 *n_rows,
                                    GError **error);
/* Stops the export that is in progress, if there is one: it leaves no file. */
void pen_session_cancel_export (PenSession *self);

G_END_DECLS
