/* pen-info-sheet.h: facts under headings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* There are no translations in this domain: gettext gives the English text and plural. */
#define PEN_INFO_UNTRANSLATED "untranslated"

/*
 * PenInfoSheet: rows of a fact and its value.
 * @group: begins the name of each fact where there are no headings to say it; or NULL
 * @domain: of gettext; PEN_INFO_UNTRANSLATED: rows are for programs
 * @facts: (element-type PenInfoFact): where they go instead, with @writer NULL
 * @error: the first one; rows after it are dropped
 */
typedef struct {
  PenQuery *query;
  PenTableWriter *writer;
  const char *domain;
  GPtrArray *facts;
  char *heading;
  char *group;
  GError *error;
} PenInfoSheet;

void pen_info_sheet_clear (PenInfoSheet *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenInfoSheet, pen_info_sheet_clear)

/* @heading: of a table, translated here; @group: in csv and json "GROUP FACT" */
void pen_info_sheet_begin_group (PenInfoSheet *self, const char *heading, const char *group);

/* @fact, marked in the context "fact", and @format are translated here. */
void pen_info_sheet_tell (PenInfoSheet *self, const char *fact, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* @phrase: translated like a format, and without any values */
void pen_info_sheet_tell_phrase (PenInfoSheet *self, const char *fact, const char *phrase);
void pen_info_sheet_tell_count (PenInfoSheet *self, const char *fact, guint64 count);
/* @text is shown as it is. NULL or "": no row */
void pen_info_sheet_tell_text (PenInfoSheet *self, const char *fact, const char *text);
/* @name and @text are shown as they are. NULL or "": no row */
void pen_info_sheet_tell_data (PenInfoSheet *self, const char *name, const char *text);
void pen_info_sheet_tell_data_count (PenInfoSheet *self, const char *name, guint64 count);

/* Words of a store, or several with ", " between, in the language of the sheet; others are left as
 * they are. Returns: (transfer full) */
char *pen_info_sheet_dup_words (PenInfoSheet *self, const char *text);
void pen_info_sheet_tell_words (PenInfoSheet *self, const char *fact, const char *text);
void pen_info_sheet_tell_word_count (PenInfoSheet *self, const char *word, guint64 count);

/* A count among the facts of the capture; 0 where it is not there. */
guint64 pen_info_sheet_get_count (PenInfoSheet *self, const char *key);

char *pen_info_format_seconds (guint64 ns);

/* ---- the groups ---- */

void pen_info_tell_events (PenInfoSheet *sheet);
void pen_info_tell_times (PenInfoSheet *sheet);
void pen_info_tell_samples (PenInfoSheet *sheet);
void pen_info_tell_waits (PenInfoSheet *sheet);
void pen_info_tell_witness (PenInfoSheet *sheet);
void pen_info_tell_changes (PenInfoSheet *sheet);
void pen_info_tell_tenures (PenInfoSheet *sheet);
void pen_info_tell_misattribution (PenInfoSheet *sheet);
void pen_info_tell_records (PenInfoSheet *sheet);
void pen_info_tell_losses (PenInfoSheet *sheet);
void pen_info_tell_problems (PenInfoSheet *sheet);
void pen_info_tell_sources (PenInfoSheet *sheet);
void pen_info_tell_build_ids (PenInfoSheet *sheet);

G_END_DECLS
