/* pen-questions.h: the jobs that a session gives to its worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-import.h"
#include "pen-picture.h"
#include "pen-query-tasks.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* The tables that can be exported; the same columns as on the command line. */
typedef enum {
  PEN_EXPORT_FUNCTIONS,
  PEN_EXPORT_ANNOTATION,
  PEN_EXPORT_HISTORY,
  PEN_EXPORT_SAMPLES,
  PEN_EXPORT_CHANGES,
  PEN_EXPORT_NOTES,
  PEN_EXPORT_OCCUPANTS,
  PEN_EXPORT_RECORDING, /* as `info` prints it */
  PEN_EXPORTS,
} PenExport;

/* "functions", "annotation" …: as in action targets and file names */
const char *pen_export_to_string (PenExport table);
gboolean pen_export_from_string (const char *word, PenExport *table);

/* The newest progress of an import: written by its thread, read by the main loop. */
typedef struct {
  GMutex lock;
  PenImportProgress newest;
  PenSketch *sketch; /* (nullable): the newest, too */
  gint64 begun;      /* monotonic µs: when it was made */
  guint32 notes;     /* all that were told */
  gboolean pending;  /* the main loop was told and has not looked yet */
  GSourceFunc told;  /* called in the main loop with @owner, while @owner is set */
  gpointer owner;
} PenProgressBox;

/* µs before the first sketch of an import is made */
#define PEN_PROGRESS_BOX_PATIENCE (100 * G_TIME_SPAN_MILLISECOND)

PenProgressBox *pen_progress_box_new (GSourceFunc told, gpointer owner);
PenProgressBox *pen_progress_box_ref (PenProgressBox *self);
void pen_progress_box_unref (PenProgressBox *self);
/* Returns: (transfer full) (nullable) */
PenSketch *pen_progress_box_dup_sketch (PenProgressBox *self);
/* In the main thread: nothing is called any more. */
void pen_progress_box_disown (PenProgressBox *self);

/* What a question is about; each job reads the parts that it needs. */
typedef struct {
  char *path;
  PenProgressBox *progress;
  PenFilter *filter;
  PenSpan span;
  guint n_bins;
  guint n_rows;
  guint n_blocks;
  PenTaskKey task_key;
  PenAddressAxis *axis; /* NULL: it is asked for, too */
  guint64 *edges;       /* n_rows + 1 */
  gboolean exactly;     /* however long that takes */
  guint32 function;
  guint64 address;
  PenMoment moment;
  PenSyntax syntax;
  PenAnnotatedText *text;
  PenExport table;
  PenPictureOptions picture; /* without filter and capture */
  char *capture;
  GFile *file;
  PenChangeOrder change_order; /* @search: its own */
  GArray *ids;                 /* guint32 */
} PenQuestion;

PenQuestion *pen_question_new (const PenFilter *filter);
void pen_question_free (PenQuestion *self);

/* PenWorkFuncs. Results: PenOpened, PenOverview, PenMapAnswer, PenTaskBins, PenCounts (g_free),
 * PenFunctionList, PenStrips (of a function, or of a text that is already there), PenSides,
 * PenHistoryTable, and for an export the GFile. */
gpointer pen_question_open (PenQuery **query, gpointer input, GCancellable *cancellable,
                            GError **error);
gpointer pen_question_overview (PenQuery **query, gpointer input, GCancellable *cancellable,
                                GError **error);
gpointer pen_question_map (PenQuery **query, gpointer input, GCancellable *cancellable,
                           GError **error);
gpointer pen_question_tasks (PenQuery **query, gpointer input, GCancellable *cancellable,
                             GError **error);
gpointer pen_question_count (PenQuery **query, gpointer input, GCancellable *cancellable,
                             GError **error);
gpointer pen_question_functions (PenQuery **query, gpointer input, GCancellable *cancellable,
                                 GError **error);
/* Without a function (G_MAXUINT32), of the text at @address and @moment */
gpointer pen_question_annotation (PenQuery **query, gpointer input, GCancellable *cancellable,
                                  GError **error);
/* (PenTextTarget *): of what @path says */
gpointer pen_question_look_up (PenQuery **query, gpointer input, GCancellable *cancellable,
                               GError **error);
gpointer pen_question_strips (PenQuery **query, gpointer input, GCancellable *cancellable,
                              GError **error);
gpointer pen_question_sides (PenQuery **query, gpointer input, GCancellable *cancellable,
                             GError **error);
gpointer pen_question_history (PenQuery **query, gpointer input, GCancellable *cancellable,
                               GError **error);
/* (element-type PenNoteRow), of the file @path */
gpointer pen_question_notes (PenQuery **query, gpointer input, GCancellable *cancellable,
                             GError **error);
/* PenFilterChoices */
gpointer pen_question_choices (PenQuery **query, gpointer input, GCancellable *cancellable,
                               GError **error);
/* PenOccupantTable */
gpointer pen_question_occupants (PenQuery **query, gpointer input, GCancellable *cancellable,
                                 GError **error);
/* PenRecording */
gpointer pen_question_recording (PenQuery **query, gpointer input, GCancellable *cancellable,
                                 GError **error);
/* PenChangeTable; and PenChangeRows in a GPtrArray, of the ids */
gpointer pen_question_changes (PenQuery **query, gpointer input, GCancellable *cancellable,
                               GError **error);
/* (guint32 *): the id of the change at @moment */
gpointer pen_question_find_change (PenQuery **query, gpointer input, GCancellable *cancellable,
                                   GError **error);
gpointer pen_question_change_rows (PenQuery **query, gpointer input, GCancellable *cancellable,
                                   GError **error);
gpointer pen_question_export (PenQuery **query, gpointer input, GCancellable *cancellable,
                              GError **error);
gpointer pen_question_picture (PenQuery **query, gpointer input, GCancellable *cancellable,
                               GError **error);

G_END_DECLS
