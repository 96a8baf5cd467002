/* pen-places.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-places.h"

struct _PenPlaces {
  GPtrArray *places; /* (element-type PenVisit) */
  guint current;
  PenStep step; /* that led to the newest place, while more of its sort would join it */
  gint64 stepped_at;
};

PenVisit *
pen_visit_copy (const PenVisit *place)
{
  PenVisit *copy = g_memdup2 (place, sizeof *place);

  copy->name = g_strdup (place->name);
  copy->view.filter = pen_filter_copy (place->view.filter);
  copy->view.flame = pen_flame_state_ref (place->view.flame);
  if (copy->view.compared)
    pen_compared_ref (copy->view.compared);
  return copy;
}

void
pen_visit_free (PenVisit *place)
{
  g_free (place->name);
  pen_filter_free (place->view.filter);
  g_clear_pointer (&place->view.flame, pen_flame_state_unref);
  g_clear_pointer (&place->view.compared, pen_compared_unref);
  g_free (place);
}

static gboolean
differ_by_time_alone (const PenFilter *a, const PenFilter *b)
{
  g_autoptr (PenFilter) copy = pen_filter_copy (b);

  copy->has_time = a->has_time;
  copy->from = a->from;
  copy->to = a->to;
  return pen_filter_equal (a, copy);
}

static gboolean
differ_by_subject_alone (const PenFlameState *a, const PenFlameState *b)
{
  g_autoptr (PenFlameState) copy = pen_flame_state_copy (b);

  copy->subject = a ? a->subject : PEN_FLAME_NO_FUNCTION;
  return pen_flame_state_equal (a, copy);
}

PenStep
pen_visit_compare (const PenVisit *a, const PenVisit *b)
{
  const PenViewState *from = &a->view, *to = &b->view;

  if (!pen_compared_is_same_recording (from->compared, to->compared))
    return PEN_STEP_COMPARED;
  if (!pen_filter_equal (from->filter, to->filter))
    return differ_by_time_alone (from->filter, to->filter) ? PEN_STEP_TIME : PEN_STEP_FILTER;
  if (!pen_compared_equal (from->compared, to->compared))
    return PEN_STEP_COMPARED_TIME;
  if (from->has_function != to->has_function
      || (from->has_function
          && (from->function != to->function || from->text_address != to->text_address
              || from->text_time != to->text_time || from->load != to->load
              || from->all_loads != to->all_loads)))
    return PEN_STEP_FUNCTION;
  if (from->has_line != to->has_line || (from->has_line && from->line != to->line))
    return PEN_STEP_LINE;
  if (from->has_mark != to->has_mark || (from->has_mark && from->mark != to->mark))
    return PEN_STEP_MARK;
  if (from->page != to->page)
    return PEN_STEP_PAGE;
  if (!pen_span_equal (from->visible, to->visible) || from->axis_view.from != to->axis_view.from
      || from->axis_view.to != to->axis_view.to)
    return PEN_STEP_ZOOM;
  if (from->folded != to->folded || from->shows_tasks[0] != to->shows_tasks[0]
      || from->shows_tasks[1] != to->shows_tasks[1])
    return PEN_STEP_LANES;
  if (!pen_flame_state_equal (from->flame, to->flame))
    return differ_by_subject_alone (from->flame, to->flame) ? PEN_STEP_SUBJECT : PEN_STEP_STACKS;
  return PEN_STEP_NONE;
}

PenPlaces *
pen_places_new (void)
{
  PenPlaces *self = g_new0 (PenPlaces, 1);

  self->places = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_visit_free);
  return self;
}

void
pen_places_free (PenPlaces *self)
{
  g_ptr_array_unref (self->places);
  g_free (self);
}

void
pen_places_clear (PenPlaces *self)
{
  g_ptr_array_set_size (self->places, 0);
  self->current = 0;
  self->step = PEN_STEP_NONE;
}

static void
put (PenPlaces *self, const PenVisit *place)
{
  PenVisit *copy = pen_visit_copy (place);

  if (self->current < self->places->len) {
    pen_visit_free (self->places->pdata[self->current]);
    self->places->pdata[self->current] = copy;
  } else {
    g_ptr_array_add (self->places, copy);
  }
}

void
pen_places_settle (PenPlaces *self, const PenVisit *place)
{
  put (self, place);
  self->step = PEN_STEP_NONE;
}

/* Filters, lanes, zooms into stacks and what is compared are each chosen: a burst of them is
 * several wishes. To leave a stretch of time again is a wish of its own, too, however soon it
 * comes. */
static gboolean
joins_burst (PenPlaces *self, const PenVisit *place, PenStep step, gint64 now)
{
  if (step == PEN_STEP_TIME && !place->view.filter->has_time)
    return FALSE;
  return step != PEN_STEP_FILTER && step != PEN_STEP_LANES && step != PEN_STEP_STACKS
         && step != PEN_STEP_COMPARED && step != PEN_STEP_COMPARED_TIME && step == self->step
         && self->current > 0 && self->current + 1 == self->places->len
         && now - self->stepped_at < PEN_PLACES_BURST;
}

gboolean
pen_places_visit (PenPlaces *self, const PenVisit *place, gint64 now)
{
  PenStep step;

  if (self->places->len == 0) {
    pen_places_settle (self, place);
    return TRUE;
  }
  step = pen_visit_compare (self->places->pdata[self->current], place);
  if (step == PEN_STEP_NONE)
    return FALSE;
  if (!joins_burst (self, place, step, now)) {
    self->current++;
    g_ptr_array_set_size (self->places, (int) self->current);
  }
  put (self, place);
  /* A burst that ends where it began was no step. */
  if (self->current > 0
      && pen_visit_compare (self->places->pdata[self->current - 1], place) == PEN_STEP_NONE) {
    g_ptr_array_set_size (self->places, (int) self->current);
    self->current--;
    self->step = PEN_STEP_NONE;
    return TRUE;
  }
  if (self->places->len > PEN_PLACES_MAX) {
    g_ptr_array_remove_index (self->places, 0);
    self->current--;
  }
  self->step = step;
  self->stepped_at = now;
  return TRUE;
}

const PenVisit *
pen_places_peek (PenPlaces *self, int steps)
{
  gint64 index = (gint64) self->current + steps;

  return index >= 0 && index < self->places->len ? self->places->pdata[index] : NULL;
}

const PenVisit *
pen_places_go (PenPlaces *self, int steps)
{
  const PenVisit *place = pen_places_peek (self, steps);

  if (place) {
    self->current = (guint) ((gint64) self->current + steps);
    self->step = PEN_STEP_NONE;
  }
  return place;
}

void
pen_places_foreach (PenPlaces *self, PenPlaceFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->places->len; i++)
    func (&((PenVisit *) self->places->pdata[i])->view, user_data);
}
