/* pen-session-places.c: where a session has been, and going back there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-filter-words.h"
#include "pen-lanes.h"
#include "pen-query-functions.h"

/* ---- names ---- */

static char *
name_function (PenSession *self, guint32 id)
{
  const char *name = NULL;

  for (guint i = 0; self->functions && i < self->functions->rows->len && !name; i++) {
    const PenFunction *row = &g_array_index (self->functions->rows, PenFunctionRow, i).function;

    if (row->id == id)
      name = row->symbol ? row->symbol : row->occupant;
  }
  if (!name && self->annotation && self->annotation->text->function == id)
    name = self->annotation->text->annotated->symbol;
  return name ? pen_display_text (name) : g_strdup ("Another function");
}

/* Of a text without a function, the name is not known yet when one goes there. */
static char *
name_text (PenSession *self, const PenPlace *place)
{
  if (place->function == PEN_SESSION_NO_FUNCTION)
    return g_strdup_printf ("Code at 0x%" G_GINT64_MODIFIER "x", place->text_address);
  return name_function (self, place->function);
}

static char *
name_line (PenSession *self, const PenPlace *place)
{
  g_autofree char *function = name_text (self, place);
  const PenAnnotated *annotated = self->annotation ? self->annotation->text->annotated : NULL;

  if (!place->has_line)
    return g_steal_pointer (&function);
  if (annotated && self->annotation->text->function == place->function
      && place->line >= annotated->start)
    return g_strdup_printf ("%s +%" G_GINT64_MODIFIER "x", function,
                            place->line - annotated->start);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", place->line);
}

static char *
name_addresses (PenSession *self, PenAxisView view)
{
  const PenAddressAxis *axis = pen_session_get_axis (self);

  if (!axis || (view.from <= 0 && view.to >= 1))
    return g_strdup ("All addresses");
  return g_strdup_printf ("Addresses 0x%" G_GINT64_MODIFIER "x–0x%" G_GINT64_MODIFIER "x",
                          pen_address_axis_get_address (axis, view.from),
                          pen_address_axis_get_address (axis, view.to));
}

static char *
name_zoom (PenSession *self, const PenPlace *from, const PenPlace *place)
{
  PenClock clock = pen_session_get_clock (self);
  g_autofree char *span = pen_filter_words_describe_span (place->visible, &clock);

  if (pen_span_equal (from->visible, place->visible) && place->page == PEN_PAGE_MAP)
    return name_addresses (self, place->axis_view);
  if (pen_span_equal (place->visible, pen_session_get_span (self)))
    return g_strdup ("Whole recording");
  return g_strdup_printf ("Zoom %s", span);
}

/* Of several lanes that are other than before, the first. */
static char *
name_lanes (const PenPlace *from, const PenPlace *to)
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

/* What led from one place to the other. */
static char *
name_step (PenSession *self, const PenPlace *from, const PenPlace *to)
{
  PenClock clock = pen_session_get_clock (self);

  if (!from)
    return g_strdup ("Start");
  switch (pen_place_compare (from, to)) {
  case PEN_STEP_FILTER:
  case PEN_STEP_TIME:
    return pen_filter_words_describe_step (from->filter, to->filter, &clock);
  case PEN_STEP_FUNCTION:
    return to->has_line ? name_line (self, to) : name_text (self, to);
  case PEN_STEP_LINE:
    return name_line (self, to);
  case PEN_STEP_PAGE:
    return name_page (to->page);
  case PEN_STEP_LANES:
    return name_lanes (from, to);
  case PEN_STEP_ZOOM:
  case PEN_STEP_NONE:
  default:
    return name_zoom (self, from, to);
  }
}

/* ---- visiting ---- */

static gboolean
visit (gpointer data)
{
  PenSession *self = data;
  const PenPlace *from = pen_places_peek (self->places, 0);
  PenPlace here = {
    .visible = self->visible,
    .filter = self->filter,
    .has_function = self->has_function,
    .function = self->function,
    .text_address = self->text_address,
    .text_time = self->text_time,
    .has_line = self->has_line,
    .line = self->line,
    .page = self->page,
    .axis_view = self->drawing.axis_view,
    .folded = self->drawing.folded,
    .shows_tasks = { self->drawing.shows_tasks[0], self->drawing.shows_tasks[1] },
  };
  g_autofree char *name = NULL;

  self->visit_id = 0;
  if (self->settling) {
    here.name = name = g_strdup (from ? from->name : "Start");
    pen_places_settle (self->places, &here);
  } else {
    here.name = name = name_step (self, from, &here);
    pen_places_visit (self->places, &here, g_get_monotonic_time ());
  }
  self->settling = FALSE;
  pen_session_notify (self, PEN_SESSION_PROP_PLACES);
  return G_SOURCE_REMOVE;
}

void
pen_session_visit (PenSession *self)
{
  if (self->state == PEN_SESSION_READY && self->visit_id == 0)
    self->visit_id = g_idle_add_full (G_PRIORITY_DEFAULT, visit, self, NULL);
}

void
pen_session_forget_places (PenSession *self)
{
  g_clear_handle_id (&self->visit_id, g_source_remove);
  self->settling = FALSE;
  pen_places_clear (self->places);
}

/* ---- going ---- */

void
pen_session_go (PenSession *self, int steps)
{
  const PenPlace *there;
  g_autoptr (PenPlace) place = NULL;

  /* What was done in this very turn of the main loop is a place to come back to, too. */
  if (self->visit_id != 0) {
    g_source_remove (self->visit_id);
    visit (self);
  }
  there = steps != 0 ? pen_places_go (self->places, steps) : NULL;
  if (!there)
    return;
  place = pen_place_copy (there);
  g_object_freeze_notify (G_OBJECT (self));
  pen_session_set_filter (self, place->filter);
  pen_session_set_visible (self, place->visible);
  if (place->has_function)
    pen_session_set_text (self, place->function, place->text_address, place->text_time);
  pen_session_set_line (self, place->has_line ? &place->line : NULL);
  pen_session_set_page (self, place->page);
  pen_session_set_axis_view (self, place->axis_view);
  pen_session_set_folded (self, place->folded);
  for (guint key = 0; key < G_N_ELEMENTS (place->shows_tasks); key++)
    pen_session_set_shows_tasks (self, key, place->shows_tasks[key]);
  pen_session_notify (self, PEN_SESSION_PROP_PLACES);
  g_object_thaw_notify (G_OBJECT (self));
}

const char *
pen_session_get_place_name (PenSession *self, int steps)
{
  const PenPlace *place = pen_places_peek (self->places, steps);

  return place ? place->name : NULL;
}
