/* pen-found-item.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-found-item.h"

#include "pen-found-words.h"

struct _PenFoundItem {
  GObject parent_instance;

  PenFoundAnswer *answer;
  const PenFoundRow *row;
  gboolean is_heading;
  gboolean is_place;
  gboolean is_more;
  PenFoundKind group; /* with @is_more */
  const char *action; /* static */
  GVariant *target;
  char *title;
  char *when;
  char *detail;
};

G_DEFINE_FINAL_TYPE (PenFoundItem, pen_found_item, G_TYPE_OBJECT)

static void
pen_found_item_finalize (GObject *object)
{
  PenFoundItem *self = PEN_FOUND_ITEM (object);

  g_clear_pointer (&self->answer, pen_found_answer_unref);
  g_clear_pointer (&self->target, g_variant_unref);
  g_free (self->title);
  g_free (self->when);
  g_free (self->detail);

  G_OBJECT_CLASS (pen_found_item_parent_class)->finalize (object);
}

static void
pen_found_item_class_init (PenFoundItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_found_item_finalize;
}

static void
pen_found_item_init (PenFoundItem *self)
{
}

PenFoundItem *
pen_found_item_new (PenFoundAnswer *answer, const PenFoundRow *row, PenClock clock)
{
  PenFoundItem *self = g_object_new (PEN_TYPE_FOUND_ITEM, NULL);

  self->answer = pen_found_answer_ref (answer);
  self->row = row;
  self->title = pen_found_words_title (row, &clock);
  self->when = pen_found_words_when (row, &clock);
  self->detail = pen_found_words_detail (row);
  return self;
}

PenFoundItem *
pen_found_item_new_heading (const char *title, gboolean is_place)
{
  PenFoundItem *self = g_object_new (PEN_TYPE_FOUND_ITEM, NULL);

  self->is_heading = TRUE;
  self->is_place = is_place;
  self->title = g_strdup (title);
  return self;
}

PenFoundItem *
pen_found_item_new_command (const char *title, const char *action, GVariant *target)
{
  PenFoundItem *self = g_object_new (PEN_TYPE_FOUND_ITEM, NULL);

  self->title = g_strdup (title);
  self->action = action;
  self->target = target ? g_variant_ref_sink (target) : NULL;
  return self;
}

PenFoundItem *
pen_found_item_new_more (const char *title, PenFoundKind group)
{
  PenFoundItem *self = g_object_new (PEN_TYPE_FOUND_ITEM, NULL);

  self->is_more = TRUE;
  self->group = group;
  self->title = g_strdup (title);
  return self;
}

const PenFoundRow *
pen_found_item_get_row (PenFoundItem *self)
{
  return self->row;
}

PenFoundAnswer *
pen_found_item_get_answer (PenFoundItem *self)
{
  return self->answer;
}

gboolean
pen_found_item_is_heading (PenFoundItem *self)
{
  return self->is_heading;
}

gboolean
pen_found_item_is_place (PenFoundItem *self)
{
  return self->is_place;
}

gboolean
pen_found_item_is_more (PenFoundItem *self, PenFoundKind *group)
{
  *group = self->group;
  return self->is_more;
}

const char *
pen_found_item_get_action (PenFoundItem *self, GVariant **target)
{
  *target = self->target;
  return self->action;
}

gboolean
pen_found_item_is_active (PenFoundItem *self)
{
  if (!self->row)
    return !self->is_heading;
  if (self->row->found == PEN_FOUND_ADDRESS || self->row->found == PEN_FOUND_OCCUPANT)
    return self->row->tenure != 0 || self->row->function != G_MAXUINT32;
  return self->row->remark != PEN_REMARK_MORE;
}

const char *
pen_found_item_get_title (PenFoundItem *self)
{
  return self->title;
}

const char *
pen_found_item_get_when (PenFoundItem *self)
{
  return self->when;
}

const char *
pen_found_item_get_detail (PenFoundItem *self)
{
  return self->detail;
}
