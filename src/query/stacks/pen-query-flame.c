/* pen-query-flame.c: trees of callers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-flame.h"

#include "pen-flame-build.h"

void
pen_flame_tree_free (PenFlameTree *self)
{
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->versions, g_array_unref);
  g_free (self);
}

GArray *
pen_flame_tree_get_path (const PenFlameTree *self, guint node)
{
  guint depth = pen_flame_tree_get (self, node)->depth;
  GArray *path = g_array_sized_new (FALSE, FALSE, sizeof (guint32), depth);

  g_array_set_size (path, depth);
  while (depth > 0) {
    g_array_index (path, guint32, --depth) = pen_flame_tree_get (self, node)->group;
    node = pen_flame_tree_get (self, node)->parent;
  }
  return path;
}

static PenFlameTree *
tree_new (const PenStackCounts *counts, const PenFlameOptions *options)
{
  PenFlameTree *self = g_new0 (PenFlameTree, 1);
  const GArray *groups = counts->index->groups[options->grouping]->groups;

  self->order = options->order;
  self->measure = options->measure;
  self->grouping = options->grouping;
  self->groups = (const PenStackGroup *) (gpointer) groups->data;
  self->n_groups = groups->len;
  self->nodes = g_array_new (FALSE, FALSE, sizeof (PenFlameNode));
  self->versions = g_array_new (FALSE, FALSE, sizeof (PenFlameVersion));
  self->total = counts->total;
  self->outside = counts->outside;
  return self;
}

static gboolean
is_inverted (const PenFlameOptions *options)
{
  return options->order == PEN_FLAME_INNERMOST || options->order == PEN_FLAME_CALLERS;
}

/* Takes @counts. */
static PenFlameTree *
build (PenStackCounts *taken, const PenFlameOptions *options, GError **error)
{
  g_autoptr (PenStackCounts) counts = taken;
  g_autoptr (PenFlameTree) tree = counts ? tree_new (counts, options) : NULL;
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (PenFlameChild));
  PenFlameBuild build = {
    .counts = counts, .options = options, .tree = tree, .sources = sources, .children = children
  };

  if (!counts)
    return NULL;
  build.ranks = counts->index->groups[options->grouping]->ranks;
  build.max_nodes = options->max_nodes > 0 ? MIN (options->max_nodes, PEN_FLAME_MAX_NODES)
                                           : PEN_FLAME_MAX_NODES;
  if (!(is_inverted (options) ? pen_flame_build_up (&build, error)
                              : pen_flame_build_down (&build, error)))
    return NULL;
  if (options->version_share > 0 && !pen_flame_build_add_versions (&build, error))
    return NULL;
  return g_steal_pointer (&tree);
}

PenFlameTree *
pen_query_flame (PenQuery *self, const PenFilter *filter, const PenFlameOptions *options,
                 GError **error)
{
  static const PenFlameOptions plain = { 0 };
  const PenFlameOptions *asked = options ? options : &plain;

  return build (pen_stack_counts_new (self, filter, asked, error), asked, error);
}

PenFlameTree *
pen_flame_build_between (PenQuery *query, const PenFilter *filter, const PenFlameOptions *options,
                         const GArray *before, const GArray *after, GError **error)
{
  return build (pen_stack_counts_new_between (query, filter, options, before, after, error),
                options, error);
}
