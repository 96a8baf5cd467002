/* pen-function-item.c: one row of the list of functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-function-item.h"

#include <glib/gi18n-lib.h>

#include "pen-phrases.h"
#include "pen-table-hash.h"

struct _PenFunctionItem {
  GObject parent_instance;

  PenFunctionList *table;
  guint index;
};

G_DEFINE_FINAL_TYPE (PenFunctionItem, pen_function_item, G_TYPE_OBJECT)

static void
pen_function_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_FUNCTION_ITEM (object)->table, pen_function_list_unref);

  G_OBJECT_CLASS (pen_function_item_parent_class)->finalize (object);
}

static void
pen_function_item_class_init (PenFunctionItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_function_item_finalize;
  g_signal_new ("changed", PEN_TYPE_FUNCTION_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
pen_function_item_init (PenFunctionItem *self)
{
}

PenFunctionItem *
pen_function_item_new (const PenFunctionList *table, guint index)
{
  PenFunctionItem *self = g_object_new (PEN_TYPE_FUNCTION_ITEM, NULL);

  self->table = g_atomic_rc_box_acquire ((PenFunctionList *) table);
  self->index = index;
  return self;
}

const PenFunctionRow *
pen_function_item_get_row (PenFunctionItem *self)
{
  return &g_array_index (self->table->rows, PenFunctionRow, self->index);
}

static const PenFunction *
get_function (gconstpointer item)
{
  return &pen_function_item_get_row ((PenFunctionItem *) item)->function;
}

guint
pen_function_item_hash (gconstpointer item)
{
  const PenFunction *function = get_function (item);

  return pen_int64_hash (&function->start)
         ^ pen_str_hash (function->symbol ? function->symbol : "");
}

gboolean
pen_function_item_equal (gconstpointer a, gconstpointer b)
{
  const PenFunction *x = get_function (a);
  const PenFunction *y = get_function (b);

  return x->start == y->start && x->kind == y->kind && g_strcmp0 (x->symbol, y->symbol) == 0
         && g_strcmp0 (x->occupant, y->occupant) == 0;
}

void
pen_function_item_take (gpointer item, gpointer like)
{
  PenFunctionItem *self = item;
  PenFunctionItem *other = like;
  g_autoptr (PenFunctionList) old = g_steal_pointer (&self->table);

  self->table = g_atomic_rc_box_acquire (other->table);
  self->index = other->index;
}

PenAmount
pen_function_item_get_amount (PenFunctionItem *self)
{
  const PenFunction *function = get_function (self);

  return pen_amount (self->table->query, function->samples, function->period);
}

char *
pen_function_item_dup_name (PenFunctionItem *self)
{
  const PenFunctionRow *row = pen_function_item_get_row (self);
  const PenFunction *function = &row->function;

  if (function->symbol && function->symbol[0]) {
    g_autofree char *symbol = pen_display_text (function->symbol);

    return pen_phrase_program (symbol, row->bpf_id);
  }
  if (function->occupant && function->occupant[0])
    return pen_display_text (function->occupant);
  return g_strdup (_ ("(unknown)"));
}
