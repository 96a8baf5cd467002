/* pen-flame-item.c: one frame of the tree of stacks, as a row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-item.h"

/* ---- one row ---- */

struct _PenFlameItem {
  GObject parent_instance;

  PenFlameAnswer *answer;
  guint node;
};

G_DEFINE_FINAL_TYPE (PenFlameItem, pen_flame_item, G_TYPE_OBJECT)

static void
pen_flame_item_finalize (GObject *object)
{
  pen_flame_answer_unref (PEN_FLAME_ITEM (object)->answer);

  G_OBJECT_CLASS (pen_flame_item_parent_class)->finalize (object);
}

static void
pen_flame_item_class_init (PenFlameItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_flame_item_finalize;
}

static void
pen_flame_item_init (PenFlameItem *self)
{
}

PenFlameItem *
pen_flame_item_new (const PenFlameAnswer *answer, guint node)
{
  PenFlameItem *self = g_object_new (PEN_TYPE_FLAME_ITEM, NULL);

  self->answer = g_atomic_rc_box_acquire ((PenFlameAnswer *) answer);
  self->node = node;
  return self;
}

const PenFlameAnswer *
pen_flame_item_get_answer (PenFlameItem *self)
{
  return self->answer;
}

guint
pen_flame_item_get_node (PenFlameItem *self)
{
  return self->node;
}

/* ---- rows side by side ---- */

#define PEN_TYPE_FLAME_LIST (pen_flame_list_get_type ())
G_DECLARE_FINAL_TYPE (PenFlameList, pen_flame_list, PEN, FLAME_LIST, GObject)

struct _PenFlameList {
  GObject parent_instance;

  PenFlameAnswer *answer;
  guint first;
  guint n;
};

static GType
pen_flame_list_get_item_type (GListModel *model)
{
  return PEN_TYPE_FLAME_ITEM;
}

static guint
pen_flame_list_get_n_items (GListModel *model)
{
  return PEN_FLAME_LIST (model)->n;
}

static gpointer
pen_flame_list_get_item (GListModel *model, guint position)
{
  PenFlameList *self = PEN_FLAME_LIST (model);

  return position < self->n ? pen_flame_item_new (self->answer, self->first + position) : NULL;
}

static void
pen_flame_list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = pen_flame_list_get_item_type;
  interface->get_n_items = pen_flame_list_get_n_items;
  interface->get_item = pen_flame_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PenFlameList, pen_flame_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, pen_flame_list_model_init))

static void
pen_flame_list_finalize (GObject *object)
{
  pen_flame_answer_unref (PEN_FLAME_LIST (object)->answer);

  G_OBJECT_CLASS (pen_flame_list_parent_class)->finalize (object);
}

static void
pen_flame_list_class_init (PenFlameListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_flame_list_finalize;
}

static void
pen_flame_list_init (PenFlameList *self)
{
}

GListModel *
pen_flame_list_new (const PenFlameAnswer *answer, guint first, guint n)
{
  PenFlameList *self = g_object_new (PEN_TYPE_FLAME_LIST, NULL);

  self->answer = g_atomic_rc_box_acquire ((PenFlameAnswer *) answer);
  self->first = first;
  self->n = n;
  return G_LIST_MODEL (self);
}
