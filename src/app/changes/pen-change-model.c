/* pen-change-model.c: the changes of a session as a list whose rows are read as they are looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-change-model.h"

#include <gtk/gtk.h>

#include "pen-table-hash.h"

/* Rows kept for coming back to. */
#define ROWS_MAX 4096

struct _PenChangeModel {
  GObject parent_instance;

  PenSession *session;
  PenChangeTable *table;
  guint n_items;
  GArray *open;        /* guint: groups that are, by number */
  GHashTable *rows;    /* id → PenChangeRow */
  GHashTable *items;   /* id → PenChangeItem, weak: those that somebody holds */
  GHashTable *headers; /* first id → PenChangeItem, the same, of groups */
  guint ask_id;
};

static void pen_change_model_list_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PenChangeModel, pen_change_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      pen_change_model_list_init))

/* The item at a position. */
typedef struct {
  guint index; /* of the list's ids */
  guint group;
  guint n_changes; /* above 1: it is the head of a group */
} Place;

static const PenChangeGroup *
get_group (PenChangeModel *self, guint group)
{
  return &g_array_index (self->table->list->groups, PenChangeGroup, group);
}

/* Few groups are open at a time. */
static Place
find_place (PenChangeModel *self, guint position)
{
  guint passed = 0; /* changes of open groups above */

  if (!self->table->list->groups)
    return (Place){ position, 0, 1 };
  for (guint i = 0; i < self->open->len; i++) {
    guint number = g_array_index (self->open, guint, i);
    const PenChangeGroup *group = get_group (self, number);

    if (position <= number + passed)
      break;
    if (position <= number + passed + group->n)
      return (Place){ group->first + position - number - passed - 1, number, 1 };
    passed += group->n;
  }

  const PenChangeGroup *group = get_group (self, position - passed);

  return (Place){ group->first, position - passed, group->n };
}

/* ---- rows ---- */

/* Changes that are held and have no row yet: those in sight, and a little around. */
static void
list_awaited (GHashTable *items, GArray *ids)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, items);
  while (g_hash_table_iter_next (&iter, NULL, &item)) {
    guint32 id = pen_change_item_get_id (item);

    if (!pen_change_item_get_row (item))
      g_array_append_val (ids, id);
  }
}

static gboolean
ask (gpointer data)
{
  PenChangeModel *self = data;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->ask_id = 0;
  list_awaited (self->items, ids);
  list_awaited (self->headers, ids);
  if (ids->len > 0)
    pen_session_want_change_rows (self->session, ids);
  return G_SOURCE_REMOVE;
}

/* Before the frame that shows them without. */
static void
ask_later (PenChangeModel *self)
{
  if (self->ask_id == 0)
    self->ask_id = g_idle_add_full (G_PRIORITY_DEFAULT, ask, self, NULL);
}

static void
give_row (GHashTable *items, PenChangeRow *row)
{
  PenChangeItem *item = g_hash_table_lookup (items, GUINT_TO_POINTER (row->change.id));

  if (item && !pen_change_item_get_row (item))
    pen_change_item_set_row (item, row);
}

static void
on_rows (PenChangeModel *self)
{
  GPtrArray *rows = pen_session_get_answers (self->session)->change_rows;

  if (g_hash_table_size (self->rows) > ROWS_MAX)
    g_hash_table_remove_all (self->rows);
  for (guint i = 0; rows && i < rows->len; i++) {
    PenChangeRow *row = g_ptr_array_index (rows, i);

    g_hash_table_replace (self->rows, GUINT_TO_POINTER (row->change.id), pen_change_row_ref (row));
    give_row (self->items, row);
    give_row (self->headers, row);
  }
}

/* ---- list ---- */

static GType
pen_change_model_get_item_type (GListModel *model)
{
  return PEN_TYPE_CHANGE_ITEM;
}

static guint
pen_change_model_get_n_items (GListModel *model)
{
  return PEN_CHANGE_MODEL (model)->n_items;
}

static void
on_item_gone (gpointer items, GObject *item)
{
  GHashTableIter iter;
  gpointer held;

  g_hash_table_iter_init (&iter, items);
  while (g_hash_table_iter_next (&iter, NULL, &held)) {
    if (held == item) {
      g_hash_table_iter_remove (&iter);
      return;
    }
  }
}

static gpointer
pen_change_model_get_item (GListModel *model, guint position)
{
  PenChangeModel *self = PEN_CHANGE_MODEL (model);
  PenChangeItem *item;
  PenChangeRow *row;
  GHashTable *items;
  Place place;
  guint32 id;

  if (position >= self->n_items)
    return NULL;
  place = find_place (self, position);
  id = g_array_index (self->table->list->ids, guint32, place.index);
  items = place.n_changes > 1 ? self->headers : self->items;
  item = g_hash_table_lookup (items, GUINT_TO_POINTER (id));
  if (item)
    return g_object_ref (item);

  item = pen_change_item_new (id, pen_session_get_clock (self->session));
  pen_change_item_set_group (item, place.n_changes);
  g_hash_table_insert (items, GUINT_TO_POINTER (id), item);
  g_object_weak_ref (G_OBJECT (item), on_item_gone, items);
  row = g_hash_table_lookup (self->rows, GUINT_TO_POINTER (id));
  if (row)
    pen_change_item_set_row (item, row);
  else
    ask_later (self);
  return item;
}

static void
pen_change_model_list_init (GListModelInterface *interface)
{
  interface->get_item_type = pen_change_model_get_item_type;
  interface->get_n_items = pen_change_model_get_n_items;
  interface->get_item = pen_change_model_get_item;
}

static void
forget_items (GHashTable *items)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, items);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    g_object_weak_unref (item, on_item_gone, items);
  g_hash_table_remove_all (items);
}

/* Another list, or other clocks: every row is another one. */
static void
on_changes (PenChangeModel *self)
{
  const PenChangeTable *table = pen_session_get_answers (self->session)->changes;
  guint n_before = self->n_items;

  if (!table || (self->table && self->table->query != table->query))
    g_hash_table_remove_all (self->rows);
  forget_items (self->items);
  forget_items (self->headers);
  g_array_set_size (self->open, 0);
  g_clear_pointer (&self->table, pen_change_table_unref);
  self->table = table ? g_atomic_rc_box_acquire ((PenChangeTable *) table) : NULL;
  self->n_items = !table                ? 0
                  : table->list->groups ? table->list->groups->len
                                        : table->list->ids->len;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, self->n_items);
}

/* Where in @open a group stands, or would. */
static guint
find_open (PenChangeModel *self, guint group)
{
  guint i = 0;

  while (i < self->open->len && g_array_index (self->open, guint, i) < group)
    i++;
  return i;
}

gboolean
pen_change_model_set_open (PenChangeModel *self, guint position, gboolean is_open)
{
  g_autoptr (PenChangeItem) item = NULL;
  Place place;
  guint i;

  if (position >= self->n_items)
    return FALSE;
  place = find_place (self, position);
  i = find_open (self, place.group);
  if (place.n_changes < 2
      || is_open == (i < self->open->len && g_array_index (self->open, guint, i) == place.group))
    return FALSE;
  item = g_list_model_get_item (G_LIST_MODEL (self), position);
  if (is_open)
    g_array_insert_val (self->open, i, place.group);
  else
    g_array_remove_index (self->open, i);
  pen_change_item_set_open (item, is_open);
  self->n_items += is_open ? place.n_changes : -place.n_changes;
  g_list_model_items_changed (G_LIST_MODEL (self), position + 1, is_open ? 0 : place.n_changes,
                              is_open ? place.n_changes : 0);
  return TRUE;
}

/* The group that has the change at @index of the ids. Groups are all of them, in order. */
static guint
find_group (PenChangeModel *self, guint index)
{
  GArray *groups = self->table->list->groups;
  guint low = 0, high = groups->len;

  while (low + 1 < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (groups, PenChangeGroup, middle).first <= index)
      low = middle;
    else
      high = middle;
  }
  return low;
}

gboolean
pen_change_model_find (PenChangeModel *self, guint32 id, guint *position)
{
  GArray *ids = self->table ? self->table->list->ids : NULL;
  guint index = 0, group, passed = 0;

  while (ids && index < ids->len && g_array_index (ids, guint32, index) != id)
    index++;
  if (!ids || index == ids->len)
    return FALSE;
  *position = index;
  if (!self->table->list->groups)
    return TRUE;
  group = find_group (self, index);
  for (guint i = 0; i < self->open->len && g_array_index (self->open, guint, i) < group; i++)
    passed += get_group (self, g_array_index (self->open, guint, i))->n;
  *position = group + passed;
  if (get_group (self, group)->n > 1) {
    pen_change_model_set_open (self, *position, TRUE);
    *position += 1 + index - get_group (self, group)->first;
  }
  return TRUE;
}

static void
pen_change_model_dispose (GObject *object)
{
  PenChangeModel *self = PEN_CHANGE_MODEL (object);

  g_clear_handle_id (&self->ask_id, g_source_remove);
  if (self->session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->items)
    forget_items (self->items);
  if (self->headers)
    forget_items (self->headers);
  g_clear_pointer (&self->items, g_hash_table_unref);
  g_clear_pointer (&self->headers, g_hash_table_unref);
  g_clear_pointer (&self->open, g_array_unref);
  g_clear_pointer (&self->rows, g_hash_table_unref);
  g_clear_pointer (&self->table, pen_change_table_unref);
  self->n_items = 0;
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_change_model_parent_class)->dispose (object);
}

static void
pen_change_model_class_init (PenChangeModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_change_model_dispose;
}

static void
pen_change_model_init (PenChangeModel *self)
{
  self->open = g_array_new (FALSE, FALSE, sizeof (guint));
  self->items = g_hash_table_new (pen_direct_hash, NULL);
  self->headers = g_hash_table_new (pen_direct_hash, NULL);
  self->rows
      = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) pen_change_row_unref);
}

PenChangeModel *
pen_change_model_new (PenSession *session)
{
  PenChangeModel *self = g_object_new (PEN_TYPE_CHANGE_MODEL, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "answered::changes", G_CALLBACK (on_changes), self);
  g_signal_connect_swapped (session, "notify::clock", G_CALLBACK (on_changes), self);
  g_signal_connect_swapped (session, "answered::change-rows", G_CALLBACK (on_rows), self);
  on_changes (self);
  return self;
}
