/* pen-session-answers.c: what a session asks its worker, and what came back
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-query-functions.h"

/* Questions are asked of the worker; answers are kept until newer ones come. */

#define STRIP_BINS 96

void
pen_session_set_error (PenSession *self, PenJobKind kind, const GError *error)
{
  g_clear_error (&self->errors[kind]);
  if (error)
    self->errors[kind] = g_error_copy (error);
}

static void
on_overview (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  pen_session_set_error (self, PEN_JOB_OVERVIEW, error);
  if (result) {
    g_clear_pointer (&self->overview, pen_overview_free);
    self->overview = result;
  }
  pen_session_notify (self, PEN_SESSION_PROP_OVERVIEW);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_count (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  pen_session_set_error (self, PEN_JOB_COUNT, error);
  g_clear_pointer (&self->counts, g_free);
  self->counts = result;
  pen_session_notify (self, PEN_SESSION_PROP_COUNTS);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_functions (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenFunctionList) old = g_steal_pointer (&self->functions);
  guint32 hottest;

  pen_session_set_error (self, PEN_JOB_FUNCTIONS, error);
  self->functions = result;
  pen_session_notify (self, PEN_SESSION_PROP_FUNCTIONS);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);

  if ((!self->has_function || self->wants_hottest)
      && pen_session_find_hottest_function (self, &hottest)) {
    self->settling = TRUE;
    self->wants_hottest = FALSE;
    pen_session_set_function (self, hottest);
  }
}

static void
on_sides (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  pen_session_set_error (self, PEN_JOB_SIDES, error);
  g_clear_pointer (&self->sides, pen_sides_unref);
  self->sides = result;
  pen_session_notify (self, PEN_SESSION_PROP_SIDES);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

/* After the text, which is shown without them meanwhile. */
static void
ask_about_sides (PenSession *self)
{
  PenAnnotatedText *text = self->annotation ? self->annotation->text : NULL;
  PenQuestion *question;

  g_clear_pointer (&self->sides, pen_sides_unref);
  pen_worker_cancel (self->worker, PEN_JOB_SIDES);
  pen_session_notify (self, PEN_SESSION_PROP_SIDES);
  if (!text)
    return;
  question = pen_question_new (self->filter);
  question->text = g_atomic_rc_box_acquire (text);
  pen_session_ask (self, PEN_JOB_SIDES, pen_question_sides, question,
                   (GDestroyNotify) pen_sides_unref, on_sides);
}

static void
take_annotation (PenSession *self, PenStrips *strips)
{
  g_autoptr (PenStrips) old = g_steal_pointer (&self->annotation);

  self->annotation = strips;
  pen_session_notify (self, PEN_SESSION_PROP_ANNOTATION);
}

/* It turned out that what was looked for has samples or changes. */
static void
take_known_function (PenSession *self)
{
  guint32 function = self->annotation ? self->annotation->text->function : PEN_SESSION_NO_FUNCTION;

  if (self->function != PEN_SESSION_NO_FUNCTION || function == PEN_SESSION_NO_FUNCTION)
    return;
  self->settling = TRUE;
  self->function = function;
  self->text_address = self->text_time = 0;
  pen_session_notify (self, PEN_SESSION_PROP_FUNCTION);
}

static void
on_annotation (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  pen_session_set_error (self, PEN_JOB_ANNOTATION, error);
  take_annotation (self, result);
  take_known_function (self);
  ask_about_sides (self);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_strips (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  PenStrips *strips = result;

  /* Of a text that was replaced meanwhile: its own strips are on their way. */
  if (strips && self->annotation && strips->text == self->annotation->text)
    take_annotation (self, strips);
  else if (strips)
    pen_strips_unref (strips);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_history (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenHistoryTable) old = g_steal_pointer (&self->history);

  pen_session_set_error (self, PEN_JOB_HISTORY, error);
  self->history = result;
  pen_session_notify (self, PEN_SESSION_PROP_HISTORY);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_choices (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  pen_session_set_error (self, PEN_JOB_CHOICES, error);
  g_clear_pointer (&self->choices, pen_filter_choices_unref);
  self->choices = result;
  pen_session_notify (self, PEN_SESSION_PROP_CHOICES);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

void
pen_session_ask (PenSession *self, PenJobKind kind, PenWorkFunc func, PenQuestion *question,
                 GDestroyNotify result_free, PenDoneFunc done)
{
  if (kind != PEN_JOB_REFINE)
    pen_session_stop_refining (self);
  pen_worker_submit (self->worker, kind, func, question, (GDestroyNotify) pen_question_free,
                     result_free, done);
}

static void
ask_about_text (PenSession *self, guint32 stale)
{
  PenQuestion *question;

  if ((stale & (1u << PEN_JOB_ANNOTATION)) && self->has_function) {
    question = pen_question_new (self->filter);
    question->function = self->function;
    question->address = self->text_address;
    question->moment = pen_moment (self->text_time, G_MAXUINT64);
    question->syntax = self->syntax;
    question->span = self->visible;
    question->n_bins = STRIP_BINS;
    pen_session_ask (self, PEN_JOB_ANNOTATION, pen_question_annotation, question,
                     (GDestroyNotify) pen_strips_unref, on_annotation);
  } else if ((stale & (1u << PEN_JOB_STRIPS)) && self->annotation) {
    question = pen_question_new (self->filter);
    question->text = g_atomic_rc_box_acquire (self->annotation->text);
    question->span = self->visible;
    question->n_bins = STRIP_BINS;
    pen_session_ask (self, PEN_JOB_STRIPS, pen_question_strips, question,
                     (GDestroyNotify) pen_strips_unref, on_strips);
  }

  if ((stale & (1u << PEN_JOB_HISTORY)) && self->has_line) {
    question = pen_question_new (self->filter);
    question->address = self->line;
    question->function = self->function;
    question->syntax = self->syntax;
    pen_session_ask (self, PEN_JOB_HISTORY, pen_question_history, question,
                     (GDestroyNotify) pen_history_table_unref, on_history);
  }
}

static gboolean
ask_what_is_stale (gpointer data)
{
  PenSession *self = data;
  guint32 stale = self->stale;
  PenQuestion *question;

  self->ask_id = 0;
  self->stale = 0;

  if ((stale & (1u << PEN_JOB_OVERVIEW)) && self->overview_bins > 0) {
    question = pen_question_new (self->filter);
    question->span = self->visible;
    question->n_bins = self->overview_bins;
    pen_session_ask (self, PEN_JOB_OVERVIEW, pen_question_overview, question,
                     (GDestroyNotify) pen_overview_free, on_overview);
  }
  if (stale & (1u << PEN_JOB_COUNT))
    pen_session_ask (self, PEN_JOB_COUNT, pen_question_count, pen_question_new (self->filter),
                     g_free, on_count);
  if (stale & (1u << PEN_JOB_FUNCTIONS))
    pen_session_ask (self, PEN_JOB_FUNCTIONS, pen_question_functions,
                     pen_question_new (self->filter), (GDestroyNotify) pen_function_list_unref,
                     on_functions);
  pen_session_ask_about_drawing (self, stale);
  ask_about_text (self, stale);
  if (stale & (1u << PEN_JOB_NOTES))
    pen_session_ask_about_notes (self);
  if (stale & (1u << PEN_JOB_CHOICES))
    pen_session_ask (self, PEN_JOB_CHOICES, pen_question_choices, pen_question_new (NULL),
                     (GDestroyNotify) pen_filter_choices_unref, on_choices);
  pen_session_ask_pages (self, stale);

  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
  return G_SOURCE_REMOVE;
}

void
pen_session_make_stale (PenSession *self, guint32 jobs)
{
  if (self->state != PEN_SESSION_READY)
    return;
  self->stale |= pen_session_defer (self, jobs);
  if (self->stale != 0 && self->ask_id == 0)
    self->ask_id = g_idle_add_full (G_PRIORITY_DEFAULT, ask_what_is_stale, self, NULL);
}

void
pen_session_forget_answers (PenSession *self)
{
  pen_session_drawing_clear (self);
  g_clear_pointer (&self->overview, pen_overview_free);
  g_clear_pointer (&self->counts, g_free);
  g_clear_pointer (&self->functions, pen_function_list_unref);
  g_clear_pointer (&self->annotation, pen_strips_unref);
  g_clear_pointer (&self->sides, pen_sides_unref);
  g_clear_pointer (&self->history, pen_history_table_unref);
  g_clear_pointer (&self->choices, pen_filter_choices_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  pen_session_forget_pages (self);
  g_clear_pointer (&self->opened, pen_opened_unref);
  for (guint i = 0; i < PEN_JOBS; i++)
    g_clear_error (&self->errors[i]);
}

/* ---- answers ---- */

const PenOverview *
pen_session_get_overview (PenSession *self)
{
  return self->overview;
}

const PenCounts *
pen_session_get_counts (PenSession *self)
{
  return self->counts;
}

const PenFunctionList *
pen_session_get_functions (PenSession *self)
{
  return self->functions;
}

const PenStrips *
pen_session_get_annotation (PenSession *self)
{
  return self->annotation;
}

const PenSides *
pen_session_get_sides (PenSession *self)
{
  return self->sides;
}

const PenHistoryTable *
pen_session_get_history (PenSession *self)
{
  return self->history;
}

PenFilterChoices *
pen_session_get_choices (PenSession *self)
{
  return self->choices;
}

void
pen_session_want_choices (PenSession *self)
{
  if (!self->choices && !pen_session_is_busy (self, PEN_JOB_CHOICES))
    pen_session_make_stale (self, 1u << PEN_JOB_CHOICES);
}

const GError *
pen_session_get_error (PenSession *self, PenJobKind kind)
{
  return self->errors[kind];
}

gboolean
pen_session_is_busy (PenSession *self, PenJobKind kind)
{
  return (self->stale & (1u << kind)) || (self->worker && pen_worker_is_busy (self->worker, kind));
}

gboolean
pen_session_is_settled (PenSession *self)
{
  for (guint i = 0; i < PEN_JOBS; i++) {
    if (pen_session_is_busy (self, i))
      return FALSE;
  }
  return TRUE;
}

/* Out-of-line text that was only filled once has pokes, but a single version. */
static gboolean
is_patched (const PenFunction *function)
{
  return function->pokes > 0 && function->versions > 1;
}

gboolean
pen_session_find_hottest_function (PenSession *self, guint32 *function)
{
  const PenFunction *best = NULL;

  if (!self->functions)
    return FALSE;
  for (guint i = 0; i < self->functions->rows->len; i++) {
    const PenFunction *row = &g_array_index (self->functions->rows, PenFunctionRow, i).function;

    if (row->length == 0)
      continue;
    if (!best || (is_patched (row) && !is_patched (best))
        || (is_patched (row) == is_patched (best) && row->samples > best->samples))
      best = row;
  }
  if (best)
    *function = best->id;
  return best != NULL;
}

gboolean
pen_session_find_hottest_line (PenSession *self, guint64 *address)
{
  GPtrArray *lines;
  guint64 sum = 0, most = 0;
  gboolean found = FALSE;

  if (!self->annotation)
    return FALSE;
  lines = self->annotation->text->annotated->lines;
  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (lines, i);
    const PenAnnotationLine *before = i > 0 ? g_ptr_array_index (lines, i - 1) : NULL;

    sum = (before && before->address == line->address ? sum : 0) + line->samples;
    if (line->is_patched && !line->is_inside && (!found || sum > most)) {
      most = sum;
      *address = line->address;
      found = TRUE;
    }
  }
  return found;
}
