/* pen-growing-list.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-growing-list.h"

#include "pen-gone-rows.h"
#include "pen-row-item.h"

#define STEP 32
#define STEP_MS 50
/* More rows than that get no widgets: the rest is listed at once. */
#define WIDGETS_MAX 240

struct _PenGrowingList {
  GObject parent_instance;

  GListModel *model;
  GtkWidget *view; /* weak; NULL: none */
  gboolean keeps_items;
  guint n_first;
  guint n_listed; /* the first ones */
  guint grow_id;
};

static void pen_growing_list_model_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PenGrowingList, pen_growing_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      pen_growing_list_model_init))

static GType
pen_growing_list_get_item_type (GListModel *model)
{
  return g_list_model_get_item_type (PEN_GROWING_LIST (model)->model);
}

static guint
pen_growing_list_get_n_items (GListModel *model)
{
  return PEN_GROWING_LIST (model)->n_listed;
}

static gpointer
pen_growing_list_get_item (GListModel *model, guint position)
{
  PenGrowingList *self = PEN_GROWING_LIST (model);

  return position < self->n_listed ? g_list_model_get_item (self->model, position) : NULL;
}

static void
pen_growing_list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = pen_growing_list_get_item_type;
  interface->get_n_items = pen_growing_list_get_n_items;
  interface->get_item = pen_growing_list_get_item;
}

static void
grow_to (PenGrowingList *self, guint n)
{
  guint before = self->n_listed;

  self->n_listed = n;
  g_list_model_items_changed (G_LIST_MODEL (self), before, 0, n - before);
}

static gboolean
grow (gpointer data)
{
  PenGrowingList *self = data;
  guint n = g_list_model_get_n_items (self->model);

  if (self->view && !gtk_widget_get_mapped (self->view)) {
    self->grow_id = 0;
    return G_SOURCE_REMOVE;
  }
  if (self->n_listed < n)
    grow_to (self, self->n_listed >= WIDGETS_MAX ? n : MIN (n, self->n_listed + STEP));
  if (self->n_listed < n)
    return G_SOURCE_CONTINUE;
  self->grow_id = 0;
  return G_SOURCE_REMOVE;
}

/* With a frame after each step, also where frames are late. */
static void
grow_later (PenGrowingList *self)
{
  if (self->view && !gtk_widget_get_mapped (self->view))
    return;
  if (self->grow_id == 0 && self->n_listed < g_list_model_get_n_items (self->model))
    self->grow_id = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, STEP_MS, grow, self, NULL);
}

/* In pixels: that of the lowest row that is there; else of text. */
static int
get_row_height (GtkWidget *view)
{
  int lowest = 0;
  PangoFontMetrics *metrics;

  for (GtkWidget *row = gtk_widget_get_first_child (pen_row_item_find_list (view)); row;
       row = gtk_widget_get_next_sibling (row)) {
    int height = gtk_widget_get_height (row);

    if (height > 0 && (lowest == 0 || height < lowest))
      lowest = height;
  }
  if (lowest > 0)
    return lowest;
  metrics = pango_context_get_metrics (gtk_widget_get_pango_context (view), NULL, NULL);
  lowest = PANGO_PIXELS (pango_font_metrics_get_height (metrics));
  pango_font_metrics_unref (metrics);
  return lowest;
}

static guint
count_first (PenGrowingList *self)
{
  int height = self->view ? gtk_widget_get_height (self->view) : 0;
  int row;

  if (height == 0)
    return self->n_first;
  row = get_row_height (self->view);
  return MIN (self->n_first, (guint) (height / MAX (row, 1) + 1));
}

static void
on_items_changed (PenGrowingList *self, guint position, guint removed, guint added)
{
  guint n_before = g_list_model_get_n_items (self->model) - added + removed;
  guint listed = self->n_listed;
  guint gone = position < listed ? MIN (removed, listed - position) : 0;
  guint come = added;

  /* All are others. Where some of those listed follow, those that came are listed, too. */
  if (removed == n_before && !(self->keeps_items && added == removed))
    come = MIN (added, count_first (self));
  else if (position + gone == listed)
    come = MIN (added, MAX (gone, listed == n_before ? count_first (self) : 0));
  if (position <= listed) {
    self->n_listed = listed - gone + come;
    if (gone == listed && listed > 0 && self->view)
      pen_gone_rows_keep (self->view);
    if (gone > 0 || come > 0)
      g_list_model_items_changed (G_LIST_MODEL (self), position, gone, come);
  }
  grow_later (self);
}

void
pen_growing_list_ensure (PenGrowingList *self, guint position)
{
  guint n = g_list_model_get_n_items (self->model);

  if (position >= self->n_listed && self->n_listed < n)
    grow_to (self, MIN (position, n - 1) + 1);
}

void
pen_growing_list_set_view (PenGrowingList *self, GtkWidget *view)
{
  g_set_weak_pointer (&self->view, view);
  g_signal_connect_object (view, "map", G_CALLBACK (grow_later), self, G_CONNECT_SWAPPED);
  if (self->n_listed == MIN (g_list_model_get_n_items (self->model), self->n_first))
    self->n_listed = MIN (self->n_listed, count_first (self));
}

static void
pen_growing_list_dispose (GObject *object)
{
  PenGrowingList *self = PEN_GROWING_LIST (object);

  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_weak_pointer (&self->view);
  if (self->model)
    g_signal_handlers_disconnect_by_data (self->model, self);
  self->n_listed = 0;
  g_clear_object (&self->model);

  G_OBJECT_CLASS (pen_growing_list_parent_class)->dispose (object);
}

static void
pen_growing_list_class_init (PenGrowingListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_growing_list_dispose;
}

static void
pen_growing_list_init (PenGrowingList *self)
{
}

PenGrowingList *
pen_growing_list_new (GListModel *model, gboolean keeps_items, guint n_first)
{
  PenGrowingList *self = g_object_new (PEN_TYPE_GROWING_LIST, NULL);

  self->keeps_items = keeps_items;
  self->n_first = n_first;
  self->model = g_object_ref (model);
  self->n_listed = MIN (g_list_model_get_n_items (model), self->n_first);
  g_signal_connect_swapped (model, "items-changed", G_CALLBACK (on_items_changed), self);
  grow_later (self);
  return self;
}
