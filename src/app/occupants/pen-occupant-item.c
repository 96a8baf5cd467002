/* pen-occupant-item.c: one row of the list of occupants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-occupant-item.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"

/* ns */
#define RESOLUTION 1000000

struct _PenOccupantItem {
  GObject parent_instance;

  PenOccupantTable *table;
  guint index;
  PenClock clock;
};

G_DEFINE_FINAL_TYPE (PenOccupantItem, pen_occupant_item, G_TYPE_OBJECT)

static void
pen_occupant_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_OCCUPANT_ITEM (object)->table, pen_occupant_table_unref);

  G_OBJECT_CLASS (pen_occupant_item_parent_class)->finalize (object);
}

static void
pen_occupant_item_class_init (PenOccupantItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_occupant_item_finalize;
}

static void
pen_occupant_item_init (PenOccupantItem *self)
{
}

PenOccupantItem *
pen_occupant_item_new (const PenOccupantTable *table, guint index, PenClock clock)
{
  PenOccupantItem *self = g_object_new (PEN_TYPE_OCCUPANT_ITEM, NULL);

  self->table = g_atomic_rc_box_acquire ((PenOccupantTable *) table);
  self->index = index;
  self->clock = clock;
  return self;
}

const PenOccupantRow *
pen_occupant_item_get_row (PenOccupantItem *self)
{
  return g_ptr_array_index (self->table->rows, self->index);
}

const PenClock *
pen_occupant_item_get_clock (PenOccupantItem *self)
{
  return &self->clock;
}

char *
pen_occupant_item_dup_name (PenOccupantItem *self)
{
  const char *occupant = pen_occupant_item_get_row (self)->occupant;

  return occupant && occupant[0] ? pen_display_text (occupant) : g_strdup (_ ("(unknown)"));
}

char *
pen_occupant_item_dup_life (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);
  const PenLife *first = &g_array_index (row->lives, PenLife, 0);
  const PenLife *last = &g_array_index (row->lives, PenLife, row->lives->len - 1);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (first->from <= self->clock.span.from && last->to >= self->clock.span.to
      && row->lives->len == 1)
    return g_strdup (_ ("Entire recording"));
  from = first->from <= self->clock.span.from
             ? g_strdup (C_ ("time", "start"))
             : pen_clock_format (&self->clock, first->from, RESOLUTION);
  to = last->to >= self->clock.span.to ? g_strdup (C_ ("time", "end"))
                                       : pen_clock_format (&self->clock, last->to, RESOLUTION);
  return g_strdup_printf ("%s – %s", from, to);
}

char *
pen_occupant_item_dup_next (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);
  g_autofree char *name = NULL;
  g_autofree char *time = NULL;

  if (!row->next)
    return g_strdup ("");
  name = pen_display_text (row->next);
  time = pen_clock_format_long (&self->clock, row->next_time, RESOLUTION);
  return g_strdup_printf ("%s, %s", name, time);
}
