/* pen-place-name.c: what led to a place, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-place-name.h"

#include <glib/gi18n-lib.h>

#include "pen-filter-words.h"
#include "pen-flame.h"
#include "pen-format.h"
#include "pen-query-functions.h"
#include "pen-lanes.h"

static char *
name_function (const PenAnswers *answers, guint32 id)
{
  const PenFunction *function = pen_answers_find_function (answers, id);
  const PenAnnotatedText *text = answers->annotation ? answers->annotation->text : NULL;
  const char *name = NULL;

  if (function)
    name = function->symbol ? function->symbol : function->occupant;
  else if (text && text->function == id)
    name = text->annotated->symbol;
  return name ? pen_display_text (name) : g_strdup (_ ("Another function"));
}

/* The name of a text without a function is not known yet when one goes there. */
static char *
name_text (const PenAnswers *answers, const PenViewState *place)
{
  if (place->function == PEN_NO_FUNCTION) {
    g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", place->text_address);

    return g_strdup_printf (_ ("Code at %s"), address);
  }
  return name_function (answers, place->function);
}

static char *
name_line (const PenAnswers *answers, const PenViewState *place)
{
  g_autofree char *function = name_text (answers, place);
  const PenAnnotated *annotated = answers->annotation ? answers->annotation->text->annotated : NULL;

  if (!place->has_line)
    return g_steal_pointer (&function);
  if (annotated && answers->annotation->text->function == place->function
      && place->line >= annotated->start)
    return g_strdup_printf ("%s +%" G_GINT64_MODIFIER "x", function,
                            place->line - annotated->start);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", place->line);
}

static char *
name_addresses (const PenAddressAxis *axis, PenAxisView view)
{
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (!axis || (view.from <= 0 && view.to >= 1))
    return g_strdup (_ ("All addresses"));
  low = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x",
                         pen_address_axis_get_address (axis, view.from));
  high
      = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", pen_address_axis_get_address (axis, view.to));
  return g_strdup_printf (_ ("Addresses %s–%s"), low, high);
}

static char *
name_zoom (const PenAnswers *answers, const PenClock *clock, const PenViewState *from,
           const PenViewState *place)
{
  g_autofree char *span = pen_filter_words_describe_span (place->visible, clock);

  if (pen_span_equal (from->visible, place->visible) && place->page == PEN_PAGE_MAP)
    return name_addresses (answers->axis, place->axis_view);
  if (pen_span_equal (place->visible, clock->span))
    return g_strdup (_ ("Entire recording"));
  return g_strdup_printf (_ ("Zoom %s"), span);
}

/* The first lane that differs from before. */
static char *
name_lanes (const PenViewState *from, const PenViewState *to)
{
  static const char *const tasks[][2]
      = { { N_ ("No rows for CPUs"), N_ ("Rows for CPUs") },
          { N_ ("No rows for processes"), N_ ("Rows for processes") } };

  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++) {
    if (from->shows_tasks[i] != to->shows_tasks[i])
      return g_strdup (_ (tasks[i][to->shows_tasks[i] ? 1 : 0]));
  }
  for (guint i = 0; i < PEN_LANES; i++) {
    if ((from->folded ^ to->folded) >> i & 1)
      return g_strdup_printf (to->folded >> i & 1 ? _ ("Fold %s") : _ ("Unfold %s"),
                              pen_lane_get_title (i));
  }
  return g_strdup (_ ("Lanes"));
}

static char *
name_mark (const PenViewState *place, const PenClock *clock)
{
  guint64 resolution = MAX (pen_span_length (clock->span) / 100000, 1000);
  g_autofree char *time = pen_clock_format_long (clock, place->mark, resolution);

  return place->has_mark ? g_strdup_printf (_ ("Compare with %s"), time)
                         : g_strdup (_ ("No second instant"));
}

static char *
name_compared (const PenCompared *compared)
{
  g_autofree char *name = compared ? pen_format_capture_in_folder (compared->path) : NULL;

  return name ? g_strdup_printf (_ ("Compare with %s"), name) : g_strdup (_ ("End the comparison"));
}

/* On a clock that is not known here: its recorded times. */
static char *
name_compared_time (const PenCompared *compared, const PenClock *clock)
{
  const PenClock recorded = { .times = PEN_TIMES_RECORDED, .span = clock->span };
  const PenSpan entire = PEN_COMPARED_ENTIRE;
  g_autofree char *time = compared->has_time && !pen_span_equal (compared->time, entire)
                              ? pen_filter_words_describe_span (compared->time, &recorded)
                              : g_strdup (_ ("Entire recording"));

  return g_strdup_printf ("%s: %s", C_ ("recording", "B"), time);
}

/* What is known of the function when one goes there. */
static char *
name_flame_function (const PenAnswers *answers, guint32 id)
{
  const PenFlameAnswer *flame = answers->flame;
  const PenFunction *function = flame && id < flame->n_functions ? &flame->functions[id] : NULL;

  if (!function)
    return g_strdup (_ ("Another function"));
  return pen_display_text (function->symbol && function->symbol[0] ? function->symbol
                                                                   : function->occupant);
}

static char *
name_zoomed (const PenAnswers *answers, const PenFlameState *state)
{
  const PenFlameTree *tree = answers->flame ? answers->flame->tree : NULL;
  g_autofree char *name = NULL;
  guint32 group;

  if (state->zoom->len == 0)
    return g_strdup (_ ("All stacks"));
  group = g_array_index (state->zoom, guint32, state->zoom->len - 1);
  if (!tree || tree->grouping != state->grouping || group >= tree->n_groups)
    return g_strdup (_ ("Zoom into stacks"));
  name = pen_flame_dup_name (tree, group);
  return g_strdup_printf (_ ("Stacks in %s"), name);
}

/* The first of what differs. */
static char *
name_stacks (const PenAnswers *answers, const PenFlameState *from, const PenFlameState *to)
{
  g_autoptr (PenFlameState) before = pen_flame_state_copy (from);
  g_autoptr (PenFlameState) after = pen_flame_state_copy (to);
  g_autofree char *name = NULL;

  if (!pen_flame_pair_equal (&before->pair, &after->pair))
    return g_strdup (after->pair.is_set ? _ ("Stacks before and after")
                                        : _ ("Stacks of all times"));
  if (before->focus != after->focus && after->focus != PEN_FLAME_NO_FUNCTION) {
    name = name_flame_function (answers, after->focus);
    return g_strdup_printf (after->is_inverted ? _ ("Callers of %s") : _ ("Stacks from %s"), name);
  }
  if ((before->lens != after->lens || before->is_lens_reversed != after->is_lens_reversed
       || before->has_lens_text != after->has_lens_text
       || before->lens_revision != after->lens_revision)
      && after->lens != PEN_FLAME_NO_FUNCTION) {
    name = name_flame_function (answers, after->lens);
    return g_strdup_printf (after->is_lens_reversed ? _ ("Without %s") : _ ("Through %s"), name);
  }
  if (before->hidden->len < after->hidden->len) {
    name = name_flame_function (answers,
                                g_array_index (after->hidden, guint32, after->hidden->len - 1));
    return g_strdup_printf (_ ("%s hidden"), name);
  }
  if (before->is_inverted != after->is_inverted)
    return g_strdup (after->is_inverted ? _ ("Inverted stacks") : _ ("Stacks from outermost"));
  if (before->grouping != after->grouping)
    return g_strdup (after->grouping == PEN_STACK_BY_OCCUPANT ? _ ("Stacks by occupant")
                     : after->grouping == PEN_STACK_BY_FILE   ? _ ("Stacks by source file")
                                                              : _ ("Stacks by function"));
  if (before->is_chart != after->is_chart)
    return g_strdup (after->is_chart ? _ ("Stacks in time order") : _ ("Stacks, most first"));
  if (before->chart_key != after->chart_key)
    return g_strdup (after->chart_key == PEN_CHART_BY_TASK ? _ ("Stacks by task")
                                                           : _ ("Stacks by CPU"));
  if (before->is_heat != after->is_heat)
    return g_strdup (after->is_heat ? _ ("Heat map shown") : _ ("Heat map hidden"));
  if (before->subject != after->subject && after->subject != PEN_FLAME_NO_FUNCTION
      && pen_flame_state_has_same_tree (before, after)) {
    name = name_flame_function (answers, after->subject);
    return g_strdup_printf (_ ("Callers and callees of %s"), name);
  }
  return name_zoomed (answers, after);
}

char *
pen_place_name_step (PenStep step, const PenViewState *from, const PenViewState *to,
                     const PenAnswers *answers, const PenClock *clock)
{
  switch (step) {
  case PEN_STEP_FILTER:
  case PEN_STEP_TIME:
    return pen_filter_words_describe_step (from->filter, to->filter, clock);
  case PEN_STEP_COMPARED:
    return name_compared (to->compared);
  case PEN_STEP_COMPARED_TIME:
    return name_compared_time (to->compared, clock);
  case PEN_STEP_FUNCTION:
    return to->has_line ? name_line (answers, to) : name_text (answers, to);
  case PEN_STEP_LINE:
    return name_line (answers, to);
  case PEN_STEP_MARK:
    return name_mark (to, clock);
  case PEN_STEP_PAGE:
    return g_strdup (pen_page_get_title (to->page));
  case PEN_STEP_LANES:
    return name_lanes (from, to);
  case PEN_STEP_STACKS:
  case PEN_STEP_SUBJECT:
    return name_stacks (answers, from->flame, to->flame);
  case PEN_STEP_ZOOM:
  case PEN_STEP_NONE:
  default:
    return name_zoom (answers, clock, from, to);
  }
}
