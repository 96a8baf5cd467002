/* pen-row.h: what a row of a list says of itself, for its menu and for copying
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter-term.h"
#include "pen-notes.h"
#include "pen-words.h"

G_BEGIN_DECLS

/*
 * PenRow:
 * @terms: (element-type PenFilterTerm): what can be asked for alone, or left out
 * @cells: (element-type char *): as shown; empty: those of the list's columns
 * @line: as objdump would print it, or NULL
 * @command: (element-type char *): of pentimento-cli, with what it is about: "annotate",
 * "vfs_read"; the capture and the filters are put in. Empty: none
 * @address, @time: what a note would be about
 * @range_from, @range_to: kernel addresses that it is about, @range_to exclusive; both 0: none
 * @life_from, @life_to: when it was there, in ns; G_MAXUINT64: to the end; both 0: not known
 * @change: the time of the row's event: the list of changes has it
 * @function: whose callers can be listed; G_MAXUINT32: none
 * @batch: of patches, of which it is one; 0: none
 * @actions: (element-type char *): pairs of a label and an action without a target, of the list's
 *   own view: where the row leads to
 * @notes: (element-type PenNote): that are about it already
 */
typedef struct {
  GPtrArray *terms;
  GPtrArray *cells;
  char *line;
  GPtrArray *command;
  gboolean has_address;
  guint64 address;
  gboolean has_time;
  guint64 time;
  guint64 range_from;
  guint64 range_to;
  guint64 life_from;
  guint64 life_to;
  gboolean has_change;
  PenMoment change;
  guint32 function;
  guint32 batch;
  GPtrArray *actions;
  GPtrArray *notes;
} PenRow;

PenRow *pen_row_new (void);
void pen_row_free (PenRow *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRow, pen_row_free)

/* @value: NULL or "": there is nothing to ask for */
void pen_row_add_term (PenRow *self, PenFilterPart part, const char *value);
void pen_row_add_number (PenRow *self, PenFilterPart part, gint64 number);
void pen_row_add_action (PenRow *self, const char *label, const char *action);
void pen_row_add_cell (PenRow *self, const char *text);
/* @word: of the command; @target: (nullable): what it is about */
void pen_row_set_command (PenRow *self, const char *word, const char *target);
void pen_row_set_address (PenRow *self, guint64 address);
void pen_row_set_time (PenRow *self, guint64 time);
/* @kind: what holds the addresses: nothing is kept for those of processes */
void pen_row_set_range (PenRow *self, PenKind kind, guint64 from, guint64 to);
void pen_row_set_life (PenRow *self, guint64 from, guint64 to);
void pen_row_set_change (PenRow *self, PenMoment moment);
void pen_row_set_function (PenRow *self, guint32 function);
void pen_row_set_batch (PenRow *self, guint32 batch);
void pen_row_add_note (PenRow *self, const PenNote *note);

/* Its cells with tabs between; what would be taken for the end of a cell becomes a blank. */
char *pen_row_dup_text (PenRow *self);

G_END_DECLS
