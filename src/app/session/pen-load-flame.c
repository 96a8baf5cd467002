/* pen-load-flame.c: stacks of samples, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-flame.h"

#include "pen-better-recording.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"

/* px: narrower frames are left out; frames at least so wide have the shares of their versions */
#define FRAME_MIN 0.5
#define STRIPE_MIN 12

#define SAMPLE_CALLCHAIN (1u << 5) /* perf_event.h, PERF_SAMPLE_CALLCHAIN */

typedef struct {
  PenFilter *filter;
  PenFlameState *state;
  guint pixels;
  guint32 function;
  guint64 playhead;
} FlameQuestion;

static FlameQuestion *
flame_question_new (const PenFilter *filter, const PenFlameState *state)
{
  FlameQuestion *self = g_new0 (FlameQuestion, 1);

  self->filter = pen_filter_copy (filter);
  self->state = pen_flame_state_copy (state);
  return self;
}

static void
flame_question_free (gpointer data)
{
  FlameQuestion *self = data;

  pen_filter_free (self->filter);
  pen_flame_state_unref (self->state);
  g_free (self);
}

/* ---- functions, and the groups that stand for them ---- */

static gboolean
fill_place (PenQuery *query, const PenFlameState *state, guint32 function, PenStackPlace *place,
            GError **error)
{
  g_autoptr (GError) wrong = NULL;

  if (function == PEN_FLAME_NO_FUNCTION)
    return TRUE;
  place->parts = PEN_STACK_PLACE_GROUP;
  place->grouping = state->grouping;
  place->group = pen_query_get_stack_group (query, state->grouping, function, &wrong);
  if (!wrong)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

PenStackMeasure
pen_load_flame_get_measure (PenQuery *query, const PenFlameState *state)
{
  if (!state)
    return PEN_STACK_SAMPLES;
  return state->measure == PEN_STACK_OFF_CPU
                 && (state->pair.is_set || !pen_store_has_waits (pen_query_get_store (query)))
             ? PEN_STACK_SAMPLES
             : state->measure;
}

PenQuery *
pen_load_flame_choose (PenQuery *query, const PenFlameState *state, GError **error)
{
  return pen_load_flame_get_measure (query, state) == PEN_STACK_OFF_CPU
             ? pen_query_get_waits (query, error)
             : query;
}

gboolean
pen_load_flame_fill_options (PenQuery *query, const PenFlameState *state, PenFlameOptions *options,
                             GArray *hidden, GError **error)
{
  *options = (PenFlameOptions){ 0 };
  if (!state)
    return TRUE;
  options->grouping = state->grouping;
  options->measure = pen_load_flame_get_measure (query, state);
  options->order = pen_flame_state_get_order (state);
  options->sort = state->sort;
  options->is_lens_reversed = state->is_lens_reversed;
  options->collapses_recursion = state->collapses_recursion;
  options->zoom = &g_array_index (state->zoom, guint32, 0);
  options->n_zoom = state->zoom->len;
  if (!fill_place (query, state, state->focus, &options->place, error)
      || !fill_place (query, state, state->lens, &options->lens, error))
    return FALSE;
  if (state->has_lens_text && options->lens.parts != 0) {
    options->lens.parts |= PEN_STACK_PLACE_REVISION;
    options->lens.parts |= state->lens_tenure != 0 ? PEN_STACK_PLACE_TENURE : 0;
    options->lens.tenure = state->lens_tenure;
    options->lens.revision = state->lens_revision;
  }
  for (guint i = 0; i < state->hidden->len; i++) {
    PenStackPlace place = { 0 };

    if (!fill_place (query, state, g_array_index (state->hidden, guint32, i), &place, error))
      return FALSE;
    g_array_append_val (hidden, place.group);
  }
  options->hidden = &g_array_index (hidden, guint32, 0);
  options->n_hidden = hidden->len;
  return TRUE;
}

/* ---- the tree ---- */

/* There may be none. */
static gboolean
load_functions (PenStore *store, const PenFunction **functions, guint *n, GError **error)
{
  g_autoptr (GError) wrong = NULL;

  *functions = pen_store_get_functions (store, n, &wrong);
  if (!wrong)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

/* (transfer full) (nullable): there are callchains */
static char *
find_better_command (PenStore *store)
{
  GPtrArray *events = pen_store_get_events (store);

  for (guint i = 0; i < events->len; i++) {
    if (((const PenStoreEvent *) events->pdata[i])->sample_type & SAMPLE_CALLCHAIN)
      return NULL;
  }
  return pen_better_recording_command (pen_store_get_fact (store, "command_line"),
                                       PEN_WISH_CALLCHAINS);
}

gboolean
pen_load_flame_find_windows (PenQuery *query, const PenFlamePair *pair, PenFlameWindow windows[2],
                             GError **error)
{
  if (pair->batch > 0)
    return pen_query_find_windows (query, pair->batch, &pair->rules, windows, error);
  windows[0] = pair->windows[0];
  windows[1] = pair->windows[1];
  return TRUE;
}

static gboolean
compare (PenQuery *query, const FlameQuestion *question, PenFlameOptions options,
         PenFlameAnswer *answer, GError **error)
{
  const PenFlamePair *pair = &question->state->pair;
  PenFlameWindow windows[2];
  const PenBatch *batches;
  guint n;

  /* All frames have one test together: zooming in must not make it easier. */
  options.n_zoom = 0;
  options.least_share = PEN_FLAME_DIFF_LEAST;
  if (!pen_load_flame_find_windows (query, pair, windows, error))
    return FALSE;
  answer->diff = pen_query_flame_diff (query, question->filter, &options, windows, error);
  if (!answer->diff)
    return FALSE;
  answer->tree = answer->diff->tree;
  batches = pen_store_get_batches (pen_query_get_store (query), &n, NULL);
  answer->batch = pair->batch > 0 && pair->batch <= n ? &batches[pair->batch - 1] : NULL;
  return TRUE;
}

static gboolean
ask_for_tree (PenQuery *query, const FlameQuestion *question, const PenFlameOptions *options,
              PenFlameAnswer *answer, GError **error)
{
  if (question->state->pair.is_set)
    return compare (query, question, *options, answer, error);
  answer->tree = pen_query_flame (query, question->filter, options, error);
  return answer->tree != NULL;
}

static gpointer
load_flame (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const FlameQuestion *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->state, error);
  g_autoptr (PenFlameAnswer) answer = NULL;
  g_autoptr (GArray) hidden = g_array_new (FALSE, FALSE, sizeof (guint32));
  PenFlameOptions options;
  PenStore *store;

  if (!asked || !pen_load_flame_fill_options (asked, question->state, &options, hidden, error))
    return NULL;
  store = pen_query_get_store (asked);
  answer = pen_flame_answer_new (asked);
  options.least_share = FRAME_MIN / question->pixels;
  options.version_share = (double) STRIPE_MIN / question->pixels;
  if (!ask_for_tree (asked, question, &options, answer, error))
    return NULL;
  /* There is no rate of time. */
  if (options.measure != PEN_STACK_OFF_CPU)
    answer->seconds = pen_query_count_seconds (asked, question->filter);
  if (!load_functions (store, &answer->functions, &answer->n_functions, error))
    return NULL;
  answer->command = find_better_command (store);
  return g_steal_pointer (&answer);
}

void
pen_load_flame_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *state,
                      guint pixels, GAsyncReadyCallback callback, gpointer user_data)
{
  FlameQuestion *question = flame_question_new (filter, state);

  question->pixels = pixels;
  pen_worker_run_async (worker, PEN_JOB_FLAME, "flame", load_flame, question, flame_question_free,
                        (GDestroyNotify) pen_flame_answer_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (flame, PenFlameAnswer)

/* ---- callers and callees ---- */

guint32
pen_load_flame_find_subject (const PenViewState *view)
{
  if (view->flame && view->flame->subject != PEN_FLAME_NO_FUNCTION)
    return view->flame->subject;
  return view->has_function ? view->function : PEN_FLAME_NO_FUNCTION;
}

/* Of two stretches, the second is what is asked about now. */
static gboolean
select_after (PenQuery *query, const FlameQuestion *question, GError **error)
{
  PenFlameWindow windows[2];

  if (!pen_load_flame_find_windows (query, &question->state->pair, windows, error))
    return FALSE;
  question->filter->has_time = TRUE;
  question->filter->from = windows[1].from;
  question->filter->to = windows[1].to;
  return TRUE;
}

/* Code in user space is not patched: it is the same at all times. */
static gboolean
select_as_of (PenQuery *query, const FlameQuestion *question, const PenStackPlace *place,
              PenNeighbourAnswer *answer, GError **error)
{
  const PenMoment moment = pen_moment (question->playhead, G_MAXUINT64);

  if (question->function >= answer->n_functions
      || !pen_query_is_kernel_text (&answer->functions[question->function]))
    return TRUE;
  answer->has_stretch = TRUE;
  return pen_query_select_stack_text (query, place, moment, question->filter, &answer->from,
                                      &answer->to, error);
}

static gpointer
load_neighbours (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const FlameQuestion *question = input;
  const PenFlameState *state = question->state;
  PenQuery *asked;
  g_autoptr (PenNeighbourAnswer) answer = NULL;
  PenNeighbourQuestion asked_for = { .grouping = state->grouping, .has_versions = TRUE };

  if (question->function == PEN_FLAME_NO_FUNCTION)
    return NULL;
  asked = pen_load_flame_choose (*query, state, error);
  if (!asked || !fill_place (asked, state, question->function, &asked_for.place, error))
    return NULL;
  answer = pen_neighbour_answer_new (asked);
  answer->function = question->function;
  answer->group = asked_for.place.group;
  answer->measure = asked_for.measure = pen_load_flame_get_measure (asked, state);
  if (!load_functions (pen_query_get_store (asked), &answer->functions, &answer->n_functions,
                       error))
    return NULL;
  if (state->pair.is_set && !select_after (asked, question, error))
    return NULL;
  if (pen_flame_state_follows_playhead (state)
      && !select_as_of (asked, question, &asked_for.place, answer, error))
    return NULL;
  if (!pen_query_stack_all_neighbours (asked, question->filter, &asked_for, answer->sides, error))
    return NULL;
  return g_steal_pointer (&answer);
}

void
pen_load_neighbours_async (PenWorker *worker, const PenViewState *view,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  FlameQuestion *question = flame_question_new (view->filter, view->flame);

  question->function = pen_load_flame_find_subject (view);
  question->playhead = view->playhead;
  pen_worker_run_async (worker, PEN_JOB_NEIGHBOURS, "neighbours", load_neighbours, question,
                        flame_question_free, (GDestroyNotify) pen_neighbour_answer_unref, callback,
                        user_data);
}

PEN_DEFINE_LOAD_FINISH (neighbours, PenNeighbourAnswer)
