/* pen-pair-path-item.c: one call path of two recordings, as a row of a tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-path-item.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-pair-words.h"
#include "pen-palette.h"

/* The way down is opened while a path has at least this of the one above it. */
#define OPEN_SHARE 0.8
#define OPEN_MAX 24

struct _PenPairPathItem {
  GObject parent_instance;

  PenPairTree *tree;
  guint index;
};

G_DEFINE_FINAL_TYPE (PenPairPathItem, pen_pair_path_item, G_TYPE_OBJECT)

static void
pen_pair_path_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_PAIR_PATH_ITEM (object)->tree, pen_pair_tree_unref);

  G_OBJECT_CLASS (pen_pair_path_item_parent_class)->finalize (object);
}

static void
pen_pair_path_item_class_init (PenPairPathItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_pair_path_item_finalize;
}

static void
pen_pair_path_item_init (PenPairPathItem *self)
{
}

static PenPairPathItem *
item_new (const PenPairTree *tree, guint index)
{
  PenPairPathItem *self = g_object_new (PEN_TYPE_PAIR_PATH_ITEM, NULL);

  self->tree = pen_pair_tree_ref ((PenPairTree *) tree);
  self->index = index;
  return self;
}

const PenPairPath *
pen_pair_path_item_get_path (PenPairPathItem *self)
{
  return pen_pair_paths_get (self->tree->paths, self->index);
}

static const PenPairFrame *
get_frame (PenPairPathItem *self)
{
  return pen_pair_paths_get_frame (self->tree->paths, pen_pair_path_item_get_path (self));
}

PenKind
pen_pair_path_item_get_kind (PenPairPathItem *self)
{
  const PenPairFrame *frame = get_frame (self);

  return frame && !frame->is_unrecorded ? frame->kind : PEN_KIND_UNKNOWN;
}

static gboolean
is_not_comparable (PenPairPathItem *self)
{
  return self->tree->paths->obstacle == PEN_PAIR_OTHER_CHAINS;
}

/* ---- words ---- */

char *
pen_pair_path_item_dup_name (PenPairPathItem *self)
{
  const PenPairFrame *frame = get_frame (self);
  g_autofree char *name = NULL;
  g_autofree char *both = NULL;

  if (!frame && is_not_comparable (self))
    return g_strdup (_ ("Not comparable: other callchains"));
  if (!frame)
    return g_strdup (self->tree->row ? _ ("All samples of it") : _ ("All samples"));
  if (frame->is_unrecorded)
    return g_strdup (_ ("Callers unknown"));
  name = pen_pair_frame_get_name (frame);
  both = frame->b_symbol ? g_strdup_printf ("%s → %s", name, frame->b_symbol) : NULL;
  return pen_display_text (both ? both : name);
}

char *
pen_pair_path_item_dup_words (PenPairPathItem *self)
{
  const PenPairPath *path = pen_pair_path_item_get_path (self);
  const PenPairFrame *frame = get_frame (self);
  g_autofree char *name = pen_pair_path_item_dup_name (self);
  GString *words = g_string_new (name);

  if (frame && !frame->is_unrecorded) {
    g_autofree char *occupant = pen_display_text (frame->occupant);

    g_string_append_printf (words, "\n%s %s", pen_palette_kind_title (frame->kind), occupant);
  }
  for (guint side = 0; side < 2; side++) {
    g_autofree char *rate = pen_pair_words_of_rate (&path->rates[side], side);

    g_string_append_printf (words, "\n%s", rate);
  }
  if (!frame && is_not_comparable (self))
    g_string_append_printf (words, "\n%s", pen_pair_obstacle_describe (PEN_PAIR_OTHER_CHAINS));
  return g_string_free (words, FALSE);
}

char *
pen_pair_path_item_dup_spoken (PenPairPathItem *self)
{
  const PenPairPath *path = pen_pair_path_item_get_path (self);
  g_autofree char *words = pen_pair_path_item_dup_words (self);
  g_autofree char *ratio = pen_pair_words_of_ratio (&path->test);

  g_strdelimit (words, "\n", ',');
  /* Translators: a call path, its level, ratio and verdict */
  return g_strdup_printf (_ ("%s, level %u, %s, %s"), words, path->depth, ratio,
                          path->test.verdict == PEN_PAIR_UNSURE
                              ? _ ("no significant difference")
                              : pen_pair_words_of_verdict (path->test.verdict));
}

/* ---- rows ---- */

static GListModel *
create_children (gpointer item, gpointer user_data)
{
  PenPairPathItem *self = item;
  const PenPairPath *path = pen_pair_path_item_get_path (self);
  GListStore *children;

  if (path->n_children == 0)
    return NULL;
  children = g_list_store_new (PEN_TYPE_PAIR_PATH_ITEM);
  for (guint i = 0; i < path->n_children; i++) {
    g_autoptr (PenPairPathItem) child = item_new (self->tree, path->first_child + i);

    g_list_store_append (children, child);
  }
  return G_LIST_MODEL (children);
}

static guint64
count_both (const PenPairPath *path)
{
  return path->rates[0].samples + path->rates[1].samples;
}

/* Down to where paths part. */
static void
open_way (GtkTreeListModel *model, const PenPairPaths *paths)
{
  g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (model, 0);

  for (guint i = 0; row && i < OPEN_MAX; i++) {
    g_autoptr (PenPairPathItem) item = gtk_tree_list_row_get_item (row);
    const PenPairPath *path = pen_pair_path_item_get_path (item);
    GtkTreeListRow *child = NULL;

    gtk_tree_list_row_set_expanded (row, TRUE);
    if (path->n_children > 0
        && (double) count_both (pen_pair_paths_get (paths, path->first_child))
               >= OPEN_SHARE * (double) count_both (path))
      child = gtk_tree_list_row_get_child_row (row, 0);
    g_set_object (&row, child);
    g_clear_object (&child);
  }
}

GtkTreeListModel *
pen_pair_path_model_new (const PenPairTree *tree)
{
  GListStore *root = g_list_store_new (PEN_TYPE_PAIR_PATH_ITEM);
  g_autoptr (PenPairPathItem) item = item_new (tree, 0);
  GtkTreeListModel *model;

  g_list_store_append (root, item);
  model = gtk_tree_list_model_new (G_LIST_MODEL (root), FALSE, FALSE, create_children, NULL, NULL);
  open_way (model, tree->paths);
  return model;
}
