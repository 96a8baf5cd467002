/* pen-answers.c: what comes back from the worker: results, with what keeps their strings alive
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-answers.h"

#include "pen-free-in-turns.h"
#include "pen-query-functions.h"

/* An answer with a query, which the rest of it points into. */
#define DEFINE_ANSWER(Type, name)                                                                  \
  Type *pen_##name##_new (PenQuery *query)                                                         \
  {                                                                                                \
    Type *self = g_atomic_rc_box_new0 (Type);                                                      \
                                                                                                   \
    self->query = g_object_ref (query);                                                            \
    return self;                                                                                   \
  }                                                                                                \
                                                                                                   \
  static void name##_free (gpointer data)                                                          \
  {                                                                                                \
    name##_clear (data);                                                                           \
    g_object_unref (((Type *) data)->query);                                                       \
  }                                                                                                \
                                                                                                   \
  void pen_##name##_unref (Type *self)                                                             \
  {                                                                                                \
    g_atomic_rc_box_release_full (self, name##_free);                                              \
  }

static void
opened_clear (PenOpened *self)
{
  g_clear_pointer (&self->outline, pen_outline_free);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_clear_pointer (&self->better, pen_better_recording_free);
  g_clear_pointer (&self->live, pen_live_unref);
  g_clear_pointer (&self->ids, pen_function_ids_free);
  g_free (self->store);
  g_free (self->release);
  g_free (self->view_file);
  g_free (self->notes_file);
  g_clear_pointer (&self->last_view, pen_last_view_free);
}

DEFINE_ANSWER (PenOpened, opened)

/* Text that was there from the start is no change. */
gboolean
pen_opened_has_changes (const PenOpened *self)
{
  for (guint i = 0; i < self->outline->bars->len; i++) {
    if (g_array_index (self->outline->bars, PenBar, i).tenure.from.time > 0)
      return TRUE;
  }
  return self->outline->ticks->len > 0;
}

gboolean
pen_opened_may_have_patches (const PenOpened *self)
{
  return self->better->has_pokes || self->outline->ticks->len > 0;
}

gboolean
pen_opened_has_kernel_samples (const PenOpened *self)
{
  return (self->outline->kinds
          & (1u << PEN_KIND_KERNEL | 1u << PEN_KIND_MODULE | 1u << PEN_KIND_BPF
             | 1u << PEN_KIND_STUB))
         != 0;
}

static void
function_list_clear (PenFunctionList *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
}

DEFINE_ANSWER (PenFunctionList, function_list)

static void
annotated_text_clear (PenAnnotatedText *self)
{
  if (self->annotated)
    pen_free_in_turns (g_steal_pointer (&self->annotated->lines));
  g_clear_pointer (&self->annotated, pen_annotated_free);
  g_clear_pointer (&self->loads, pen_loads_free);
}

DEFINE_ANSWER (PenAnnotatedText, annotated_text)

static void
instant_table_clear (PenInstantTable *self)
{
  g_clear_pointer (&self->instants, pen_instants_free);
}

DEFINE_ANSWER (PenInstantTable, instant_table)

static void
history_table_clear (PenHistoryTable *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->compared, pen_comparisons_free);
}

DEFINE_ANSWER (PenHistoryTable, history_table)

static void
verdict_answer_clear (PenVerdictAnswer *self)
{
  g_clear_pointer (&self->report, pen_verdict_report_free);
}

DEFINE_ANSWER (PenVerdictAnswer, verdict_answer)

static void
flame_answer_clear (PenFlameAnswer *self)
{
  if (!self->diff)
    g_clear_pointer (&self->tree, pen_flame_tree_free);
  g_clear_pointer (&self->diff, pen_flame_diff_free);
  g_free (self->command);
}

DEFINE_ANSWER (PenFlameAnswer, flame_answer)

static void
chart_answer_clear (PenChartAnswer *self)
{
  g_clear_pointer (&self->chart, pen_stack_chart_free);
}

DEFINE_ANSWER (PenChartAnswer, chart_answer)

void
pen_match_answer_free (PenMatchAnswer *self)
{
  g_free (self->search);
  g_free (self);
}

static void
neighbour_answer_clear (PenNeighbourAnswer *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    g_clear_pointer (&self->sides[i], pen_stack_neighbours_free);
}

DEFINE_ANSWER (PenNeighbourAnswer, neighbour_answer)

static void
cause_table_clear (PenCauseTable *self)
{
  g_clear_pointer (&self->tree, pen_cause_tree_free);
  g_clear_pointer (&self->filter, pen_filter_free);
}

DEFINE_ANSWER (PenCauseTable, cause_table)

static void
change_table_clear (PenChangeTable *self)
{
  g_clear_pointer (&self->list, pen_change_list_free);
}

DEFINE_ANSWER (PenChangeTable, change_table)

static void
occupant_table_clear (PenOccupantTable *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
}

DEFINE_ANSWER (PenOccupantTable, occupant_table)

static void
recording_clear (PenRecording *self)
{
  g_clear_pointer (&self->better, pen_better_recording_free);
  g_clear_pointer (&self->misattribution, pen_misattribution_free);
  g_clear_pointer (&self->facts, g_ptr_array_unref);
}

DEFINE_ANSWER (PenRecording, recording)

PenStrips *
pen_strips_new (PenAnnotatedText *text)
{
  PenStrips *self = g_atomic_rc_box_new0 (PenStrips);

  self->text = g_atomic_rc_box_acquire (text);
  return self;
}

static void
strips_clear (PenStrips *self)
{
  g_clear_pointer (&self->counts, pen_strip_counts_free);
  g_clear_pointer (&self->text, pen_annotated_text_unref);
}

void
pen_strips_unref (PenStrips *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) strips_clear);
}

PenSides *
pen_sides_new (PenAnnotatedText *text)
{
  PenSides *self = g_atomic_rc_box_new0 (PenSides);

  self->text = g_atomic_rc_box_acquire (text);
  return self;
}

static void
sides_clear (PenSides *self)
{
  g_free (self->bands);
  g_clear_pointer (&self->compared, pen_comparisons_free);
  g_clear_pointer (&self->text, pen_annotated_text_unref);
}

void
pen_sides_unref (PenSides *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) sides_clear);
}

/* ---- all ---- */

void
pen_answers_clear (PenAnswers *self)
{
  g_clear_pointer (&self->overview, pen_overview_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->tasks); i++)
    g_clear_pointer (&self->tasks[i], pen_task_bins_free);
  g_clear_pointer (&self->axis, pen_address_axis_unref);
  g_clear_pointer (&self->map, pen_map_bins_free);
  g_clear_pointer (&self->counts, g_free);
  g_clear_pointer (&self->functions, pen_function_list_unref);
  g_clear_pointer (&self->annotation, pen_strips_unref);
  g_clear_pointer (&self->sides, pen_sides_unref);
  g_clear_pointer (&self->instants, pen_instant_table_unref);
  g_clear_pointer (&self->verdict, pen_verdict_answer_unref);
  g_clear_pointer (&self->history, pen_history_table_unref);
  g_clear_pointer (&self->flame, pen_flame_answer_unref);
  g_clear_pointer (&self->neighbours, pen_neighbour_answer_unref);
  g_clear_pointer (&self->heat, pen_heat_free);
  g_clear_pointer (&self->chart, pen_chart_answer_unref);
  g_clear_pointer (&self->matches, pen_match_answer_free);
  g_clear_pointer (&self->causes, pen_cause_table_unref);
  g_clear_pointer (&self->changes, pen_change_table_unref);
  g_clear_pointer (&self->change_rows, g_ptr_array_unref);
  g_clear_pointer (&self->occupants, pen_occupant_table_unref);
  g_clear_pointer (&self->recording, pen_recording_unref);
  g_clear_pointer (&self->choices, pen_filter_choices_free);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
}

const PenFunction *
pen_answers_find_function (const PenAnswers *self, guint32 id)
{
  for (guint i = 0; self->functions && i < self->functions->rows->len; i++) {
    const PenFunction *row = &g_array_index (self->functions->rows, PenFunctionRow, i).function;

    if (row->id == id)
      return row;
  }
  return NULL;
}

/* Out-of-line text that was only filled once has pokes, but a single version. */
static gboolean
is_patched (const PenFunction *function)
{
  return function->pokes > 0 && function->versions > 1;
}

gboolean
pen_answers_find_hottest_function (const PenAnswers *self, guint32 *function)
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
pen_answers_find_hottest_line (const PenAnswers *self, guint64 *address)
{
  const PenAnnotated *annotated;
  GPtrArray *lines;
  guint64 sum = 0, most = 0;
  gboolean found = FALSE;

  if (!self->annotation)
    return FALSE;
  annotated = self->annotation->text->annotated;
  lines = annotated->lines;
  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (lines, i);
    const PenAnnotationLine *before = i > 0 ? g_ptr_array_index (lines, i - 1) : NULL;

    sum = (before && before->address == line->address ? sum : 0)
          + pen_amount_get (pen_annotated_get_line_amount (annotated, line));
    if (line->is_patched && !line->is_inside && (!found || sum > most)) {
      most = sum;
      *address = line->address;
      found = TRUE;
    }
  }
  return found;
}

/* Lines of one address are its versions. */
gboolean
pen_answers_find_first_line (const PenAnswers *self, guint64 *address)
{
  const PenAnnotated *annotated = self->annotation ? self->annotation->text->annotated : NULL;
  GPtrArray *lines = annotated ? annotated->lines : NULL;
  const PenAnnotationLine *patched = NULL;
  const PenAnnotationLine *hottest = NULL;
  guint64 most = 0;

  for (guint i = 0, end; lines && i < lines->len; i = end) {
    const PenAnnotationLine *first = g_ptr_array_index (lines, i);
    gboolean is_patched = FALSE;
    guint64 sum = 0;

    for (end = i; end < lines->len; end++) {
      const PenAnnotationLine *line = g_ptr_array_index (lines, end);

      if (line->address != first->address)
        break;
      is_patched |= line->is_patched && !line->is_inside;
      sum += pen_amount_get (pen_annotated_get_line_amount (annotated, line));
    }
    if (is_patched && sum > 0) {
      *address = first->address;
      return TRUE;
    }
    if (is_patched && !patched)
      patched = first;
    if (!hottest || sum > most) {
      hottest = first;
      most = sum;
    }
  }
  if (hottest)
    *address = patched ? patched->address : hottest->address;
  return hottest != NULL;
}
