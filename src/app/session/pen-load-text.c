/* pen-load-text.c: the code of a function, its samples and its changes, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-text.h"

#include <glib/gi18n-lib.h>

#include "pen-load-flame.h"
#include "pen-query-history.h"

/* As many steps as a strip is likely to have pixels; fewer where the text is long. */
#define STRIP_BINS_MIN 96
#define STRIP_BINS_MAX 320
#define STRIP_COUNTS_MAX (2u << 20)

/* @text: NULL: that of @function is asked for, or of @address at @time
 * @flame: (nullable): whose measure the window has */
typedef struct {
  PenFilter *filter;
  PenFlameState *flame;
  PenAnnotatedText *text;
  guint32 function;
  guint64 address;
  guint64 time;
  guint64 second_time;
  guint32 load;
  gboolean all_loads;
  PenSyntax syntax;
  PenSpan span;
} Question;

static Question *
question_new (const PenFilter *filter, PenAnnotatedText *text)
{
  Question *self = g_new0 (Question, 1);

  self->filter = filter ? pen_filter_copy (filter) : NULL;
  self->text = text ? g_atomic_rc_box_acquire (text) : NULL;
  return self;
}

static void
question_free (gpointer data)
{
  Question *self = data;

  g_clear_pointer (&self->filter, pen_filter_free);
  g_clear_pointer (&self->flame, pen_flame_state_unref);
  g_clear_pointer (&self->text, pen_annotated_text_unref);
  g_free (self);
}

/* Whom the text was asked of. */
static PenQuery *
choose_of_text (PenQuery *query, const PenAnnotatedText *text, GError **error)
{
  return text->annotated->population == PEN_POPULATION_WAITS ? pen_query_get_waits (query, error)
                                                             : query;
}

/* The filter of the question, for the one load that its text is of. */
static PenFilter *
dup_filter (const Question *question)
{
  return question->text->load != 0 ? pen_loads_dup_filter (question->filter, question->text->load)
                                   : pen_filter_copy (question->filter);
}

/* ---- annotation ---- */

static gpointer
load_strips (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  PenAnnotated *annotated = question->text->annotated;
  g_autoptr (PenStrips) strips = pen_strips_new (question->text);
  guint n_bins
      = CLAMP (STRIP_COUNTS_MAX / MAX (annotated->lines->len, 1), STRIP_BINS_MIN, STRIP_BINS_MAX);
  g_autoptr (PenFilter) filter = dup_filter (question);
  PenQuery *asked = choose_of_text (*query, question->text, error);

  if (!asked)
    return NULL;
  strips->span = question->span;
  strips->counts = pen_query_strips (asked, filter, annotated, question->span.from,
                                     question->span.to, n_bins, error);
  return strips->counts ? g_steal_pointer (&strips) : NULL;
}

/* Which function it is that held an address is known after it was annotated. */
static PenAnnotated *
annotate (PenQuery *query, const Question *question, const PenFilter *filter, GError **error)
{
  if (question->function != G_MAXUINT32)
    return pen_query_annotate (query, filter, question->function, question->syntax, error);
  return pen_query_annotate_at (query, filter, question->address,
                                pen_moment (question->time, G_MAXUINT64), question->syntax, error);
}

/* None where no other tenure had the function's bytes. */
static gboolean
choose_load (PenQuery *query, const Question *question, guint32 function, GError **error)
{
  PenAnnotatedText *text = question->text;
  const PenLoad *load = NULL;

  text->loads = pen_query_list_loads (query, question->filter, function, error);
  if (!text->loads)
    return FALSE;
  if (text->loads->loads->len + text->loads->n_others < 2 || question->all_loads
      || pen_filter_asks_tenures (question->filter))
    return TRUE;
  load = pen_loads_find_tenure (text->loads, question->load);
  if (!load)
    load = pen_loads_find (text->loads, question->time);
  text->load = load ? load->tenure.id : 0;
  return TRUE;
}

static gpointer
load_annotation (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  Question *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->flame, error);
  PenAnnotatedText *text;

  if (!asked)
    return NULL;
  text = question->text = pen_annotated_text_new (asked);
  text->function = question->function;
  if (text->function == G_MAXUINT32) {
    text->annotated = annotate (asked, question, question->filter, error);
    if (!text->annotated)
      return NULL;
    text->function = text->annotated->function;
  }
  if (text->function != G_MAXUINT32 && !choose_load (asked, question, text->function, error))
    return NULL;
  if (text->load != 0) {
    g_clear_pointer (&text->annotated, pen_annotated_free);
    text->annotated = pen_query_annotate_load (asked, question->filter, text->function, text->load,
                                               question->syntax, error);
  } else if (!text->annotated) {
    text->annotated = annotate (asked, question, question->filter, error);
  }
  if (!text->annotated)
    return NULL;
  return load_strips (query, question, cancellable, error);
}

void
pen_load_annotation_async (PenWorker *worker, const PenViewState *view, PenSyntax syntax,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = question_new (view->filter, NULL);
  gboolean is_known = view->function != PEN_NO_FUNCTION;

  question->flame = pen_flame_state_copy (view->flame);
  question->function = view->function;
  question->address = view->text_address;
  question->time = is_known ? view->playhead : view->text_time;
  question->load = view->load;
  question->all_loads = view->all_loads;
  question->syntax = syntax;
  question->span = view->visible;
  pen_worker_run_async (worker, PEN_JOB_ANNOTATION, "annotation", load_annotation, question,
                        question_free, (GDestroyNotify) pen_strips_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (annotation, PenStrips)

void
pen_load_strips_async (PenWorker *worker, const PenFilter *filter, PenAnnotatedText *text,
                       PenSpan span, GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = question_new (filter, text);

  question->span = span;
  pen_worker_run_async (worker, PEN_JOB_STRIPS, "strips", load_strips, question, question_free,
                        (GDestroyNotify) pen_strips_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (strips, PenStrips)

static gpointer
load_sides (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  PenAnnotated *annotated = question->text->annotated;
  g_autoptr (PenSides) sides = pen_sides_new (question->text);
  g_autoptr (PenFilter) filter = dup_filter (question);
  PenQuery *asked = choose_of_text (*query, question->text, error);

  sides->bands = g_new0 (PenBandCount, MAX (annotated->lines->len, 1));
  if (!asked || !pen_query_count_bands (asked, filter, annotated, PEN_BAND, sides->bands, error))
    return NULL;
  /* The text is told, whether or not a function is known. */
  if (annotated->pokes->len > 0 && annotated->function != G_MAXUINT32)
    sides->compared = pen_query_compare_function (*query, filter, annotated->function, NULL);
  return g_steal_pointer (&sides);
}

void
pen_load_sides_async (PenWorker *worker, const PenFilter *filter, PenAnnotatedText *text,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_SIDES, "sides", load_sides, question_new (filter, text),
                        question_free, (GDestroyNotify) pen_sides_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (sides, PenSides)

/* ---- two instants ---- */

static gpointer
load_instants (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  const PenAnnotated *annotated = question->text->annotated;
  PenMoment moments[] = { pen_moment (question->time, G_MAXUINT64),
                          pen_moment (question->second_time, G_MAXUINT64) };
  g_autoptr (PenInstantTable) table = NULL;
  PenQuery *asked = choose_of_text (*query, question->text, error);

  if (!asked)
    return NULL;
  if (!pen_query_is_kernel_kind (annotated->kind) && annotated->kind != PEN_KIND_UNKNOWN) {
    g_set_error_literal (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                         _ ("Code in user space is not patched: it is the same at both instants."));
    return NULL;
  }
  table = pen_instant_table_new (asked);
  table->instants = pen_query_instants (asked, question->filter, annotated->start, annotated->end,
                                        moments, question->syntax, error);
  return table->instants ? g_steal_pointer (&table) : NULL;
}

void
pen_load_instants_async (PenWorker *worker, const PenFilter *filter, PenAnnotatedText *text,
                         const guint64 *times, PenSyntax syntax, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  Question *question = question_new (filter, text);

  question->time = times[0];
  question->second_time = times[1];
  question->syntax = syntax;
  pen_worker_run_async (worker, PEN_JOB_INSTANTS, "instants", load_instants, question,
                        question_free, (GDestroyNotify) pen_instant_table_unref, callback,
                        user_data);
}

PEN_DEFINE_LOAD_FINISH (instants, PenInstantTable)

/* ---- verdict ---- */

static gpointer
load_verdict (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  g_autoptr (PenVerdictAnswer) answer = pen_verdict_answer_new (*query);

  answer->function = question->function;
  answer->report
      = pen_query_verdict_of_function (*query, question->filter, question->function, error);
  return answer->report ? g_steal_pointer (&answer) : NULL;
}

void
pen_load_verdict_async (PenWorker *worker, const PenFilter *filter, guint32 function,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = question_new (filter, NULL);

  question->function = function;
  pen_worker_run_async (worker, PEN_JOB_VERDICT, "verdict", load_verdict, question, question_free,
                        (GDestroyNotify) pen_verdict_answer_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (verdict, PenVerdictAnswer)

/* ---- history ---- */

static gpointer
load_history (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->flame, error);
  g_autoptr (PenHistoryTable) table = NULL;

  if (!asked)
    return NULL;
  table = pen_history_table_new (asked);
  table->address = question->address;
  table->rows
      = pen_query_history (asked, question->filter, question->address, question->syntax, error);
  if (!table->rows)
    return NULL;
  /* Rates of waits have no tests. */
  if (pen_query_is_of_waits (asked))
    return g_steal_pointer (&table);
  table->compared = pen_query_compare_address (asked, question->filter, question->address, error);
  return table->compared ? g_steal_pointer (&table) : NULL;
}

void
pen_load_history_async (PenWorker *worker, const PenViewState *view, PenSyntax syntax,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = question_new (view->filter, NULL);

  question->flame = pen_flame_state_copy (view->flame);
  question->address = view->line;
  question->syntax = syntax;
  pen_worker_run_async (worker, PEN_JOB_HISTORY, "history", load_history, question, question_free,
                        (GDestroyNotify) pen_history_table_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (history, PenHistoryTable)
