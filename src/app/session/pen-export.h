/* pen-export.h: tables, profiles and pictures, written to files by the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-flame-state.h"
#include "pen-pair-answers.h"
#include "pen-picture.h"
#include "pen-profile-format.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* The tables that can be exported; the same columns as on the command line. */
typedef enum {
  PEN_EXPORT_FUNCTIONS,
  PEN_EXPORT_ANNOTATION,
  PEN_EXPORT_HISTORY,
  PEN_EXPORT_CALLERS,
  PEN_EXPORT_CALLEES,
  PEN_EXPORT_STACKS, /* folded, unless the file is named .csv */
  PEN_EXPORT_SAMPLES,
  PEN_EXPORT_CAUSES,
  PEN_EXPORT_CHANGES,
  PEN_EXPORT_NOTES,
  PEN_EXPORT_OCCUPANTS,
  PEN_EXPORT_RECORDING, /* as `info` prints it */
  PEN_EXPORTS,
} PenExport;

/* "functions", "annotation" …: as in action targets and file names */
const char *pen_export_to_string (PenExport table);
gboolean pen_export_from_string (const char *word, PenExport *table);

/* The part of a table: @subject: (nullable): the function whose callers or callees they are;
 * @flame: (nullable): of stacks, and of callers, whose playhead is the first of @instants; @address
 * of annotation and history, @order of changes; with
 * @has_instants the annotation is the text of two @instants, from @address to @end, @all of its
 * lines or those that differ; changes are those of row @cause_row of @causes, or all; @cause_order
 * of causes */
typedef struct {
  const PenFilter *filter;
  PenSyntax syntax;
  guint64 address;
  guint64 end;
  gboolean has_instants;
  guint64 instants[2];
  gboolean all;
  const char *notes_file;
  const char *subject;
  const PenFlameState *flame;
  PenChangeOrder order;
  PenCauseOrder cause_order;
  const PenCauseTable *causes;
  guint cause_row;
} PenExportScope;

/* CSV, but for stacks, or JSON where the file is named .json; what was in @file before is kept
 * until all of it is written. If not everyone can read the recording @path, only its user can read
 * @file. */
void pen_export_table_async (PenWorker *worker, PenExport table, const PenExportScope *scope,
                             const char *path, GFile *file, GAsyncReadyCallback callback,
                             gpointer user_data);
/* A comparison, as `compare` writes it; only the user can read it if that is so of one of the
 * recordings. @row: (nullable): of @list, where @shown is of a function */
void pen_export_comparison_async (PenWorker *worker, const PenPairList *list, PenPairShown shown,
                                  const PenPairRow *row, PenSyntax syntax, GFile *file,
                                  GAsyncReadyCallback callback, gpointer user_data);
/* PNG, SVG or PDF, by the ending of the file's name. @flame: (nullable): of a flame graph */
void pen_export_picture_async (PenWorker *worker, const PenPictureOptions *options,
                               const PenFlameState *flame, const char *path, GFile *file,
                               GAsyncReadyCallback callback, gpointer user_data);
/* As `export` writes it. */
void pen_export_profile_async (PenWorker *worker, PenProfileFormat format,
                               const PenExportScope *scope, const char *path, GFile *file,
                               GAsyncReadyCallback callback, gpointer user_data);
/* @n_rows: of a table, without its titles; of a profile, its samples or waits */
gboolean pen_export_finish (GAsyncResult *result, guint64 *n_rows, GError **error);

G_END_DECLS
