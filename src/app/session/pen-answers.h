/* pen-answers.h: what comes back from the worker: results, with what keeps their strings alive
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-address-axis.h"
#include "pen-amount.h"
#include "pen-better-recording.h"
#include "pen-filter-choices.h"
#include "pen-function-ids.h"
#include "pen-last-view.h"
#include "pen-live.h"
#include "pen-outline.h"
#include "pen-query-bars.h"
#include "pen-query-causes.h"
#include "pen-query-change-list.h"
#include "pen-query-compare.h"
#include "pen-query-flame-diff.h"
#include "pen-query-heat.h"
#include "pen-query-instants.h"
#include "pen-query-loads.h"
#include "pen-query-map.h"
#include "pen-query-misattribution.h"
#include "pen-query-notes.h"
#include "pen-query-occupant-list.h"
#include "pen-query-overview.h"
#include "pen-query-strips.h"
#include "pen-query-tasks.h"
#include "pen-query-verdict.h"
#include "pen-span.h"

G_BEGIN_DECLS

/*
 * Each answer holds its query: the strings in it belong to its store. Answers are not
 * changed once made; they are shared between threads by reference (g_atomic_rc_box).
 */

/* A capture, ready for questions: what stays the same for as long as it is open.
 * @span: first to last time of samples and changes
 * @better: what it lacks
 * @has_wall, @wall_offset: as in PenClock
 * @notes: bit per PenImportNote: why it was imported again
 * @syntax: as preferred
 * @notes_file: where notes about it are, whether or not there are any
 * @view_file: where what is looked at is kept; NULL: nowhere, for what cannot be opened again
 * @last_view: (nullable): what was kept of this very capture
 * @last_function: that which was looked at, if it is there
 * @live: (nullable): it is being recorded: this is a part of it, and the next one comes from there
 * @ids: (nullable): to find its functions in the next part, and those of the part before in it */
typedef struct {
  PenQuery *query;
  char *store;
  PenSpan span;
  PenOutline *outline;
  char *release;
  guint64 samples;
  guint32 callchains;
  GPtrArray *problems; /* (element-type PenStoreProblem) */
  PenBetterRecording *better;
  gboolean has_waits;
  gboolean has_wall;
  gint64 wall_offset;
  guint32 notes;
  PenSyntax syntax;
  char *notes_file;
  char *view_file;
  PenLastView *last_view;
  gboolean has_last_function;
  guint32 last_function;
  PenLive *live;
  PenFunctionIds *ids;
} PenOpened;

typedef struct {
  PenQuery *query;
  GArray *rows; /* (element-type PenFunctionRow) */
  guint64 total;
} PenFunctionList;

/* @loads: (nullable): of the function, if it is known; @load: the tenure that @annotated is of
 * alone, 0: there is but one, or it is of all */
typedef struct {
  PenQuery *query;
  guint32 function;
  PenAnnotated *annotated;
  PenLoads *loads;
  guint32 load;
} PenAnnotatedText;

/* Samples of each line of @text in equal steps of @span, or ns off CPU. */
typedef struct {
  PenAnnotatedText *text;
  PenSpan span;
  PenStripCounts *counts;
} PenStrips;

/*
 * PenSides: what lies on the two sides of a text's changes
 * @bands: of each line of @text: samples, or waits, that may belong to the other side of a change
 * @compared: (nullable): how often samples came before and after each change of the function, also
 *   where @text is about waits; NULL where none is known here
 */
typedef struct {
  PenAnnotatedText *text;
  PenBandCount *bands;
  PenComparisons *compared;
} PenSides;

/* @rows: (element-type PenHistoryRow)
 * @compared: (nullable): of the patches of that address; NULL: of waits */
typedef struct {
  PenQuery *query;
  guint64 address;
  GPtrArray *rows;
  PenComparisons *compared;
} PenHistoryTable;

/* A text at the playhead and at the second instant. */
typedef struct {
  PenQuery *query;
  PenInstants *instants;
} PenInstantTable;

/* The effect of the patches of @function on its samples. */
typedef struct {
  PenQuery *query;
  guint32 function;
  PenVerdictReport *report;
} PenVerdictAnswer;

/* Under the filter, and of the whole capture. */
typedef struct {
  PenAmount matching;
  PenAmount total;
} PenCounts;

/* @filter, @grouping: by which it was asked */
typedef struct {
  PenQuery *query;
  PenFilter *filter;
  PenCauseTree *tree;
  PenCauseGrouping grouping;
} PenCauseTable;

/*
 * PenFlameAnswer: stacks of samples
 * @diff: (nullable): two stretches are compared, and @tree is its
 * @batch: (nullable): around which they lie
 * @seconds: of the stretch
 * @functions: of all of the store
 * @command: (nullable): how to record callchains, where there are none
 */
typedef struct {
  PenQuery *query;
  PenFlameTree *tree;
  PenFlameDiff *diff;
  const PenBatch *batch;
  double seconds;
  const PenFunction *functions;
  guint n_functions;
  char *command;
} PenFlameAnswer;

/* @group: that the place is of; @functions: of all of the store; @sides: by PenStackSide
 * @has_stretch: they are those of the text at the playhead: @from to @to, ns */
typedef struct {
  PenQuery *query;
  guint32 function;
  guint32 group;
  PenStackMeasure measure;
  const PenFunction *functions;
  guint n_functions;
  PenStackNeighbours *sides[2];
  gboolean has_stretch;
  guint64 from;
  guint64 to;
} PenNeighbourAnswer;

/* @functions: of all of the store */
typedef struct {
  PenQuery *query;
  PenStackChart *chart;
  const PenFunction *functions;
  guint n_functions;
} PenChartAnswer;

/* @search: frames with it in their names */
typedef struct {
  char *search;
  PenStackMatches found;
} PenMatchAnswer;

void pen_match_answer_free (PenMatchAnswer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMatchAnswer, pen_match_answer_free)

/* Which changes there are, in which order; their rows are asked for as they come into sight. */
typedef struct {
  PenQuery *query;
  PenChangeList *list;
} PenChangeTable;

/* @elsewhere: what is at places that nobody is known to have held */
typedef struct {
  PenQuery *query;
  GPtrArray *rows; /* (element-type PenOccupantRow) */
  PenAmount elsewhere;
} PenOccupantTable;

/* The contents of the recording, and how good it is. @facts: (element-type PenInfoFact) */
typedef struct {
  PenQuery *query;
  PenBetterRecording *better;
  PenMisattribution *misattribution;
  GPtrArray *facts;
} PenRecording;

/*
 * PenAnswers: about what is looked at, with the answers that are there; NULL: not yet, or not asked
 * @tasks: by PenTaskKey
 * @sides: of the text of @annotation, once they have come
 * @instants: NULL: there is no second instant
 * @verdict: of the function that was looked at last
 * @neighbours: NULL: there is no subject
 * @matches: of what is searched for now, unless it is asked for once more
 * @change_rows: (element-type PenChangeRow): those that were asked for last
 * @notes: (element-type PenNoteRow)
 */
typedef struct {
  PenOverview *overview;
  PenTaskBins *tasks[2];
  PenAddressAxis *axis;
  PenMapBins *map;
  PenCounts *counts;
  PenFunctionList *functions;
  PenStrips *annotation;
  PenSides *sides;
  PenInstantTable *instants;
  PenVerdictAnswer *verdict;
  PenHistoryTable *history;
  PenFlameAnswer *flame;
  PenNeighbourAnswer *neighbours;
  PenHeat *heat;
  PenChartAnswer *chart;
  PenMatchAnswer *matches;
  PenCauseTable *causes;
  PenChangeTable *changes;
  GPtrArray *change_rows;
  PenOccupantTable *occupants;
  PenRecording *recording;
  PenFilterChoices *choices;
  GPtrArray *notes;
} PenAnswers;

void pen_answers_clear (PenAnswers *self);
/* (nullable): of the list of functions */
const PenFunction *pen_answers_find_function (const PenAnswers *self, guint32 id);
/* The function with patched text that has most samples, or else the first of the list; and its
 * patched line with most samples. FALSE: there is none. */
gboolean pen_answers_find_hottest_function (const PenAnswers *self, guint32 *function);
gboolean pen_answers_find_hottest_line (const PenAnswers *self, guint64 *address);
/* The line that says most of the text at first: its first patched line with samples; or else the
 * first patched one, or the one with most samples. FALSE: there is none. */
gboolean pen_answers_find_first_line (const PenAnswers *self, guint64 *address);

/* Whether text changed: patches, and what came or went. */
gboolean pen_opened_has_changes (const PenOpened *self);
/* Whether patches of text were recorded, or would have been if there had been any. */
gboolean pen_opened_may_have_patches (const PenOpened *self);
gboolean pen_opened_has_kernel_samples (const PenOpened *self);

PenOpened *pen_opened_new (PenQuery *query);
void pen_opened_unref (PenOpened *self);
PenFunctionList *pen_function_list_new (PenQuery *query);
void pen_function_list_unref (PenFunctionList *self);
PenAnnotatedText *pen_annotated_text_new (PenQuery *query);
void pen_annotated_text_unref (PenAnnotatedText *self);
PenStrips *pen_strips_new (PenAnnotatedText *text);
void pen_strips_unref (PenStrips *self);
PenSides *pen_sides_new (PenAnnotatedText *text);
void pen_sides_unref (PenSides *self);
PenInstantTable *pen_instant_table_new (PenQuery *query);
void pen_instant_table_unref (PenInstantTable *self);
PenHistoryTable *pen_history_table_new (PenQuery *query);
void pen_history_table_unref (PenHistoryTable *self);
PenVerdictAnswer *pen_verdict_answer_new (PenQuery *query);
void pen_verdict_answer_unref (PenVerdictAnswer *self);
PenFlameAnswer *pen_flame_answer_new (PenQuery *query);
void pen_flame_answer_unref (PenFlameAnswer *self);
PenNeighbourAnswer *pen_neighbour_answer_new (PenQuery *query);
void pen_neighbour_answer_unref (PenNeighbourAnswer *self);
PenChartAnswer *pen_chart_answer_new (PenQuery *query);
void pen_chart_answer_unref (PenChartAnswer *self);
PenCauseTable *pen_cause_table_new (PenQuery *query);
void pen_cause_table_unref (PenCauseTable *self);
PenChangeTable *pen_change_table_new (PenQuery *query);
void pen_change_table_unref (PenChangeTable *self);
PenOccupantTable *pen_occupant_table_new (PenQuery *query);
void pen_occupant_table_unref (PenOccupantTable *self);
PenRecording *pen_recording_new (PenQuery *query);
void pen_recording_unref (PenRecording *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOpened, pen_opened_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFunctionList, pen_function_list_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAnnotatedText, pen_annotated_text_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStrips, pen_strips_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSides, pen_sides_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenInstantTable, pen_instant_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenHistoryTable, pen_history_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenVerdictAnswer, pen_verdict_answer_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFlameAnswer, pen_flame_answer_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenNeighbourAnswer, pen_neighbour_answer_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChartAnswer, pen_chart_answer_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCauseTable, pen_cause_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChangeTable, pen_change_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOccupantTable, pen_occupant_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecording, pen_recording_unref)

G_END_DECLS
