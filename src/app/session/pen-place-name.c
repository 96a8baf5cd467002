/* pen-place-name.c: what led to a place, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-place-name.h"

#include "pen-filter-words.h"
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
  return name ? pen_display_text (name) : g_strdup ("Another function");
}

/* Of a text without a function, the name is not known yet when one goes there. */
static char *
name_text (const PenAnswers *answers, const PenViewState *place)
{
  if (place->function == PEN_NO_FUNCTION)
    return g_strdup_printf ("Code at 0x%" G_GINT64_MODIFIER "x", place->text_address);
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
  if (!axis || (view.from <= 0 && view.to >= 1))
    return g_strdup ("All addresses");
  return g_strdup_printf ("Addresses 0x%" G_GINT64_MODIFIER "x–0x%" G_GINT64_MODIFIER "x",
                          pen_address_axis_get_address (axis, view.from),
                          pen_address_axis_get_address (axis, view.to));
}

static char *
name_zoom (const PenAnswers *answers, const PenClock *clock, const PenViewState *from,
           const PenViewState *place)
{
  g_autofree char *span = pen_filter_words_describe_span (place->visible, clock);

  if (pen_span_equal (from->visible, place->visible) && place->page == PEN_PAGE_MAP)
    return name_addresses (answers->axis, place->axis_view);
  if (pen_span_equal (place->visible, clock->span))
    return g_strdup ("Whole recording");
  return g_strdup_printf ("Zoom %s", span);
}

/* Of several lanes that are other than before, the first. */
static char *
name_lanes (const PenViewState *from, const PenViewState *to)
{
  static const char *const tasks[] = { "CPUs", "processes" };

  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++) {
    if (from->shows_tasks[i] != to->shows_tasks[i])
      return g_strdup_printf ("%s for %s", to->shows_tasks[i] ? "Rows" : "No rows", tasks[i]);
  }
  for (guint i = 0; i < PEN_LANES; i++) {
    if ((from->folded ^ to->folded) >> i & 1)
      return g_strdup_printf ("%s %s", to->folded >> i & 1 ? "Fold" : "Unfold",
                              pen_lane_get_title (i));
  }
  return g_strdup ("Lanes");
}

static char *
name_page (PenPage page)
{
  char *name = g_strdup (pen_page_to_string (page));

  name[0] = g_ascii_toupper (name[0]);
  return name;
}

char *
pen_place_name_step (PenStep step, const PenViewState *from, const PenViewState *to,
                     const PenAnswers *answers, const PenClock *clock)
{
  switch (step) {
  case PEN_STEP_FILTER:
  case PEN_STEP_TIME:
    return pen_filter_words_describe_step (from->filter, to->filter, clock);
  case PEN_STEP_FUNCTION:
    return to->has_line ? name_line (answers, to) : name_text (answers, to);
  case PEN_STEP_LINE:
    return name_line (answers, to);
  case PEN_STEP_PAGE:
    return name_page (to->page);
  case PEN_STEP_LANES:
    return name_lanes (from, to);
  case PEN_STEP_ZOOM:
  case PEN_STEP_NONE:
  default:
    return name_zoom (answers, clock, from, to);
  }
}
