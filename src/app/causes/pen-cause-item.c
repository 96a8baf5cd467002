/* pen-cause-item.c: one row of the tree of causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-item.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-palette.h"

/* GTK 4.8 makes widgets for 200 rows of a list, however few are in sight: half a millisecond each.
 */
#define ROWS_FIRST 32
#define ROWS_AT_ONCE 1000

/* ---- what they share ---- */

PenCauseShow *
pen_cause_show_new (const PenCauseTable *table, PenClock clock, PenSpan visible)
{
  PenCauseShow *self = g_rc_box_new0 (PenCauseShow);

  self->table = g_atomic_rc_box_acquire ((PenCauseTable *) table);
  self->clock = clock;
  self->visible = visible;
  for (guint i = 0; i < table->tree->costs->len; i++)
    self->most_cost = MAX (
        self->most_cost,
        pen_amount_get (g_array_index (table->tree->costs, PenCauseCost, i).while_on.amount));
  return self;
}

PenCauseShow *
pen_cause_show_ref (PenCauseShow *self)
{
  return g_rc_box_acquire (self);
}

static void
clear_show (gpointer data)
{
  pen_cause_table_unref (((PenCauseShow *) data)->table);
}

void
pen_cause_show_unref (PenCauseShow *self)
{
  g_rc_box_release_full (self, clear_show);
}

/* ---- one row ---- */

struct _PenCauseItem {
  GObject parent_instance;

  PenCauseShow *show;
  guint index;
  guint n_more; /* 0: it is a row */
};

G_DEFINE_FINAL_TYPE (PenCauseItem, pen_cause_item, G_TYPE_OBJECT)

static void
pen_cause_item_finalize (GObject *object)
{
  pen_cause_show_unref (PEN_CAUSE_ITEM (object)->show);

  G_OBJECT_CLASS (pen_cause_item_parent_class)->finalize (object);
}

static void
pen_cause_item_class_init (PenCauseItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_cause_item_finalize;
}

static void
pen_cause_item_init (PenCauseItem *self)
{
}

PenCauseItem *
pen_cause_item_new (PenCauseShow *show, guint index)
{
  PenCauseItem *self = g_object_new (PEN_TYPE_CAUSE_ITEM, NULL);

  self->show = pen_cause_show_ref (show);
  self->index = index;
  return self;
}

PenCauseItem *
pen_cause_item_new_more (PenCauseShow *show, guint index, guint n)
{
  PenCauseItem *self = pen_cause_item_new (show, index);

  self->n_more = n;
  return self;
}

gboolean
pen_cause_item_is_more (PenCauseItem *self)
{
  return self->n_more > 0;
}

guint
pen_cause_item_get_index (PenCauseItem *self)
{
  return self->index;
}

const PenCauseRow *
pen_cause_item_get_row (PenCauseItem *self)
{
  return pen_cause_tree_get (self->show->table->tree, self->index);
}

const PenCauseCost *
pen_cause_item_get_cost (PenCauseItem *self)
{
  return self->n_more > 0
             ? NULL
             : pen_cause_tree_get_cost (self->show->table->tree, pen_cause_item_get_row (self));
}

const PenCauseShow *
pen_cause_item_get_show (PenCauseItem *self)
{
  return self->show;
}

char *
pen_cause_item_dup_name (PenCauseItem *self)
{
  const PenCauseRow *row = pen_cause_item_get_row (self);
  g_autofree char *symbol = NULL;

  if (self->n_more > 0) {
    g_autofree char *count = pen_format_count (self->n_more);

    return g_strdup_printf (ngettext ("%s more row", "%s more rows", self->n_more), count);
  }
  if (row->level == 0 && row->is_program)
    return g_strdup (_ ("BPF programs"));
  if (row->level == 0)
    return g_strdup (pen_palette_cause_title (row->cause));
  if (row->level == 1)
    return row->name[0] != '\0' ? pen_display_text (row->name) : g_strdup (_ ("(unknown)"));
  if (!row->symbol)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->address);
  symbol = pen_display_text (row->symbol);
  if (row->is_program)
    return g_steal_pointer (&symbol);
  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", symbol, row->offset);
}

char *
pen_cause_item_dup_detail (PenCauseItem *self)
{
  const PenCauseRow *row = pen_cause_item_get_row (self);

  if (self->n_more > 0 || (row->level != 1 && !row->is_program))
    return g_strdup ("");
  if (row->is_program && row->level == 1 && row->n_children > 1)
    return g_strdup_printf (ngettext ("%u load", "%u loads", row->n_children), row->n_children);
  if (row->purpose)
    return pen_display_text (row->purpose);
  if (row->detail)
    return pen_display_text (row->detail);
  return g_strdup (row->is_place ? _ ("unnamed") : "");
}

char *
pen_cause_item_dup_task (PenCauseItem *self)
{
  const PenCauseRow *row = pen_cause_item_get_row (self);
  g_autofree char *comm = NULL;
  g_autofree char *task = NULL;

  if (!row->has_task)
    return g_strdup ("");
  comm = pen_display_text (row->comm ? row->comm : "");
  task = g_strdup_printf ("%s [%d]", comm, row->pid);
  if (row->n_tasks < 2)
    return g_steal_pointer (&task);
  return g_strdup_printf (ngettext ("%s and %u more", "%s and %u more", row->n_tasks - 1), task,
                          row->n_tasks - 1);
}

static guint
count_stretches (const PenCauseItem *self, const PenCauseRow *row, PenCauseState state)
{
  const GArray *stretches = self->show->table->tree->stretches;
  guint n = 0;

  for (guint i = row->first_stretch; i < row->first_stretch + row->n_stretches; i++)
    n += g_array_index (stretches, PenCauseStretch, i).state == state;
  return n;
}

char *
pen_cause_item_dup_times (PenCauseItem *self)
{
  const PenCauseRow *row = pen_cause_item_get_row (self);
  guint n = count_stretches (self, row, PEN_CAUSE_ON);
  GString *text = g_string_new (NULL);

  if (n == 0)
    g_string_append (text, _ ("never on"));
  else
    g_string_append_printf (
        text, ngettext ("on for %.3f s in %u stretch", "on for %.3f s in %u stretches", n),
        row->on_seconds, n);
  if (row->off_seconds > 0)
    g_string_append_printf (text, _ (", off for %.3f s"), row->off_seconds);
  if (row->unknown_seconds > 0)
    g_string_append_printf (text, _ (", unknown for %.3f s"), row->unknown_seconds);
  return g_string_free (text, FALSE);
}

/* ---- rows ---- */

struct _PenCauseList {
  GObject parent_instance;

  PenCauseShow *show;
  guint first;
  guint n;
  guint n_listed; /* less than @n: one more item stands for the rest */
};

static GType
pen_cause_list_get_item_type (GListModel *model)
{
  return PEN_TYPE_CAUSE_ITEM;
}

static guint
pen_cause_list_get_n_items (GListModel *model)
{
  PenCauseList *self = PEN_CAUSE_LIST (model);

  return self->n_listed + (self->n_listed < self->n ? 1 : 0);
}

static gpointer
pen_cause_list_get_item (GListModel *model, guint position)
{
  PenCauseList *self = PEN_CAUSE_LIST (model);

  if (position < self->n_listed)
    return pen_cause_item_new (self->show, self->first + position);
  if (position == self->n_listed && self->n_listed < self->n)
    return pen_cause_item_new_more (self->show, self->first + position, self->n - position);
  return NULL;
}

static void
pen_cause_list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = pen_cause_list_get_item_type;
  interface->get_n_items = pen_cause_list_get_n_items;
  interface->get_item = pen_cause_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PenCauseList, pen_cause_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, pen_cause_list_model_init))

static void
pen_cause_list_finalize (GObject *object)
{
  pen_cause_show_unref (PEN_CAUSE_LIST (object)->show);

  G_OBJECT_CLASS (pen_cause_list_parent_class)->finalize (object);
}

static void
pen_cause_list_class_init (PenCauseListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_cause_list_finalize;
}

static void
pen_cause_list_init (PenCauseList *self)
{
}

PenCauseList *
pen_cause_list_new (PenCauseShow *show, guint first, guint n)
{
  PenCauseList *self = g_object_new (PEN_TYPE_CAUSE_LIST, NULL);

  self->show = pen_cause_show_ref (show);
  self->first = first;
  self->n = n;
  self->n_listed = MIN (n, ROWS_FIRST);
  return self;
}

gboolean
pen_cause_list_has (PenCauseList *self, guint position)
{
  return position < self->n_listed;
}

void
pen_cause_list_extend (PenCauseList *self)
{
  guint before = self->n_listed;

  if (before == self->n)
    return;
  self->n_listed = MIN (self->n, before + MIN (before, ROWS_AT_ONCE));
  /* The item for the rest is another, or gone. */
  g_list_model_items_changed (G_LIST_MODEL (self), before, 1,
                              self->n_listed - before + (self->n_listed < self->n ? 1 : 0));
}
