/* pen-row.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row.h"

#include "pen-query.h"

PenRow *
pen_row_new (void)
{
  PenRow *self = g_new0 (PenRow, 1);

  self->terms = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_filter_term_free);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->command = g_ptr_array_new_with_free_func (g_free);
  self->actions = g_ptr_array_new_with_free_func (g_free);
  self->function = G_MAXUINT32;
  self->notes = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_note_free);
  return self;
}

void
pen_row_free (PenRow *self)
{
  g_ptr_array_unref (self->terms);
  g_ptr_array_unref (self->cells);
  g_ptr_array_unref (self->command);
  g_ptr_array_unref (self->actions);
  g_ptr_array_unref (self->notes);
  g_free (self->line);
  g_free (self);
}

void
pen_row_add_term (PenRow *self, PenFilterPart part, const char *value)
{
  if (value && value[0] != '\0')
    g_ptr_array_add (self->terms, pen_filter_term_new (part, FALSE, value));
}

void
pen_row_add_number (PenRow *self, PenFilterPart part, gint64 number)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  pen_row_add_term (self, part, value);
}

void
pen_row_add_action (PenRow *self, const char *label, const char *action)
{
  g_ptr_array_add (self->actions, g_strdup (label));
  g_ptr_array_add (self->actions, g_strdup (action));
}

void
pen_row_add_cell (PenRow *self, const char *text)
{
  g_ptr_array_add (self->cells, g_strdup (text ? text : ""));
}

void
pen_row_set_command (PenRow *self, const char *word, const char *target)
{
  g_ptr_array_set_size (self->command, 0);
  g_ptr_array_add (self->command, g_strdup (word));
  if (target)
    g_ptr_array_add (self->command, g_strdup (target));
}

void
pen_row_set_address (PenRow *self, guint64 address)
{
  self->has_address = TRUE;
  self->address = address;
}

void
pen_row_set_time (PenRow *self, guint64 time)
{
  self->has_time = TRUE;
  self->time = time;
}

void
pen_row_set_range (PenRow *self, PenKind kind, guint64 from, guint64 to)
{
  if (!pen_query_is_kernel_kind (kind) || to <= from)
    return;
  self->range_from = from;
  self->range_to = to;
}

void
pen_row_set_life (PenRow *self, guint64 from, guint64 to)
{
  if (to <= from)
    return;
  self->life_from = from;
  self->life_to = to;
}

void
pen_row_set_change (PenRow *self, PenMoment moment)
{
  self->has_change = TRUE;
  self->change = moment;
}

void
pen_row_set_function (PenRow *self, guint32 function)
{
  self->function = function;
}

void
pen_row_set_batch (PenRow *self, guint32 batch)
{
  self->batch = batch;
}

void
pen_row_add_note (PenRow *self, const PenNote *note)
{
  g_ptr_array_add (self->notes, pen_note_copy (note));
}

char *
pen_row_dup_text (PenRow *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->cells->len; i++) {
    g_autofree char *cell = g_strdelimit (g_strdup (self->cells->pdata[i]), "\t\n\r", ' ');

    g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", cell);
  }
  return g_string_free (text, FALSE);
}
