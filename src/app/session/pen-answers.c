/* pen-answers.c: what comes back from the worker: results, with what keeps their strings alive
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-answers.h"

PenOpened *
pen_opened_new (PenQuery *query)
{
  PenOpened *self = g_atomic_rc_box_new0 (PenOpened);

  self->query = g_object_ref (query);
  return self;
}

static void
opened_clear (PenOpened *self)
{
  g_clear_pointer (&self->outline, pen_outline_unref);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_free (self->store);
  g_free (self->release);
  g_free (self->view_file);
  g_free (self->notes_file);
  g_clear_pointer (&self->last_view, pen_last_view_free);
  g_clear_object (&self->query);
}

void
pen_opened_unref (PenOpened *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) opened_clear);
}

PenFunctionList *
pen_function_list_new (PenQuery *query)
{
  PenFunctionList *self = g_atomic_rc_box_new0 (PenFunctionList);

  self->query = g_object_ref (query);
  return self;
}

static void
function_list_clear (PenFunctionList *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_object (&self->query);
}

void
pen_function_list_unref (PenFunctionList *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) function_list_clear);
}

PenAnnotatedText *
pen_annotated_text_new (PenQuery *query)
{
  PenAnnotatedText *self = g_atomic_rc_box_new0 (PenAnnotatedText);

  self->query = g_object_ref (query);
  return self;
}

static void
annotated_text_clear (PenAnnotatedText *self)
{
  g_clear_pointer (&self->annotated, pen_annotated_free);
  g_clear_object (&self->query);
}

void
pen_annotated_text_unref (PenAnnotatedText *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) annotated_text_clear);
}

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
  g_free (self->counts);
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

PenHistoryTable *
pen_history_table_new (PenQuery *query)
{
  PenHistoryTable *self = g_atomic_rc_box_new0 (PenHistoryTable);

  self->query = g_object_ref (query);
  return self;
}

static void
history_table_clear (PenHistoryTable *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->compared, pen_comparisons_free);
  g_clear_object (&self->query);
}

void
pen_history_table_unref (PenHistoryTable *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) history_table_clear);
}

PenChangeTable *
pen_change_table_new (PenQuery *query)
{
  PenChangeTable *self = g_atomic_rc_box_new0 (PenChangeTable);

  self->query = g_object_ref (query);
  return self;
}

static void
change_table_clear (PenChangeTable *self)
{
  g_clear_pointer (&self->list, pen_change_list_free);
  g_clear_object (&self->query);
}

void
pen_change_table_unref (PenChangeTable *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) change_table_clear);
}

void
pen_map_answer_free (PenMapAnswer *self)
{
  g_clear_pointer (&self->axis, pen_address_axis_unref);
  pen_map_bins_free (self->bins);
  g_free (self);
}

PenRecording *
pen_recording_new (PenQuery *query)
{
  PenRecording *self = g_atomic_rc_box_new0 (PenRecording);

  self->query = g_object_ref (query);
  return self;
}

static void
recording_clear (PenRecording *self)
{
  g_clear_pointer (&self->better, pen_better_recording_free);
  g_clear_pointer (&self->misattribution, pen_misattribution_free);
  g_clear_pointer (&self->facts, g_ptr_array_unref);
  g_clear_object (&self->query);
}

void
pen_recording_unref (PenRecording *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) recording_clear);
}

PenOccupantTable *
pen_occupant_table_new (PenQuery *query)
{
  PenOccupantTable *self = g_atomic_rc_box_new0 (PenOccupantTable);

  self->query = g_object_ref (query);
  return self;
}

static void
occupant_table_clear (PenOccupantTable *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_object (&self->query);
}

void
pen_occupant_table_unref (PenOccupantTable *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) occupant_table_clear);
}
