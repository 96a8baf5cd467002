/* pen-query-pair-paths.c: call paths of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-paths.h"

#include <math.h>

#include "pen-pair-frames.h"
#include "pen-pair-test.h"
#include "pen-query-flame.h"
#include "pen-query-private.h"
#include "pen-table-hash.h"

void
pen_pair_paths_free (PenPairPaths *self)
{
  if (!self)
    return;
  g_array_unref (self->frames);
  g_array_unref (self->paths);
  pen_names_free (self->strings);
  g_free (self);
}

char *
pen_pair_frame_get_name (const PenPairFrame *self)
{
  const PenStackGroup group
      = { .symbol = self->symbol, .occupant = self->occupant, .kind = self->kind };

  return self->is_unrecorded ? g_strdup ("[callers unknown]") : pen_stack_group_get_name (&group);
}

/* A node of one of the recordings' trees, that goes into the path at hand or one below it. */
typedef struct {
  guint32 frame;
  guint tree;
  guint32 node;
} Entry;

/* Which entries a path was made of. */
typedef struct {
  guint first;
  guint end;
} Range;

/* A path that may be added: its entries are [@first, @end) of the children. */
typedef struct {
  Range range;
  guint64 samples[2];
  double share;
} Candidate;

/*
 * @trees: (element-type PenFlameTree), @sides: of which recording each is
 * @entries: (element-type Entry): of all paths; @ranges: (element-type Range): of each
 * @children: (element-type Entry), @candidates: (element-type Candidate): of the path at hand
 */
typedef struct {
  const PenPairSource *sources;
  const PenPairs *pairs;
  PenPairPaths *paths;
  PenPairFrames *frames;
  GPtrArray *trees;
  GArray *sides;
  GArray *entries;
  GArray *ranges;
  GArray *children;
  GArray *candidates;
  double least;
  PenCancelCheck checks[2];
} Merge;

static void
free_tree (gpointer data)
{
  pen_flame_tree_free (data);
}

static void
merge_clear (Merge *self)
{
  g_clear_pointer (&self->frames, pen_pair_frames_free);
  g_clear_pointer (&self->trees, g_ptr_array_unref);
  g_clear_pointer (&self->sides, g_array_unref);
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->ranges, g_array_unref);
  g_clear_pointer (&self->children, g_array_unref);
  g_clear_pointer (&self->candidates, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Merge, merge_clear)

static gboolean
steps_on (Merge *self, guint n)
{
  return pen_cancel_check_steps (&self->checks[0], n)
         && pen_cancel_check_steps (&self->checks[1], n);
}

static const PenFlameNode *
get_node (const Merge *self, const Entry *entry)
{
  return pen_flame_tree_get (self->trees->pdata[entry->tree], entry->node);
}

static guint
get_side (const Merge *self, const Entry *entry)
{
  return g_array_index (self->sides, guint, entry->tree);
}

/* ---- trees of each ---- */

static gboolean
add_tree (Merge *self, guint side, const PenFlameOptions *options, GError **error)
{
  PenFlameTree *tree
      = pen_query_flame (self->sources[side].query, self->sources[side].filter, options, error);

  if (!tree)
    return FALSE;
  g_ptr_array_add (self->trees, tree);
  g_array_append_val (self->sides, side);
  return TRUE;
}

/* Functions of one row may be of several groups: two loads of a program with other tags. */
static gboolean
add_callers (Merge *self, guint side, const PenPairRow *row, GError **error)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = 0; i < row->functions[side]->len; i++) {
    guint32 id = g_array_index (row->functions[side], guint32, i);
    g_autoptr (GError) wrong = NULL;
    PenFlameOptions options
        = { .order = PEN_FLAME_CALLERS, .place = { .parts = PEN_STACK_PLACE_GROUP } };

    options.place.group
        = pen_query_get_stack_group (self->sources[side].query, PEN_STACK_BY_FUNCTION, id, &wrong);
    if (wrong) {
      g_propagate_error (error, g_steal_pointer (&wrong));
      return FALSE;
    }
    if (options.place.group == PEN_STACK_NO_GROUP
        || !g_hash_table_add (groups, GUINT_TO_POINTER (options.place.group)))
      continue;
    if (!add_tree (self, side, &options, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
load_trees (Merge *self, const PenPairRow *row, GError **error)
{
  const PenFlameOptions all = { .order = PEN_FLAME_OUTERMOST };

  for (guint side = 0; side < 2; side++)
    if (row ? !add_callers (self, side, row, error) : !add_tree (self, side, &all, error))
      return FALSE;
  return TRUE;
}

/* ---- one tree of both ---- */

static int
compare_entries (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const Entry *x = a;
  const Entry *y = b;

  return (x->frame > y->frame) - (x->frame < y->frame);
}

/* Those with most first, whichever recording has it; of as many, by the name. */
static int
compare_candidates (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Candidate *x = a;
  const Candidate *y = b;
  const Merge *self = user_data;
  const PenPairFrame *frames = (const PenPairFrame *) (gconstpointer) self->paths->frames->data;
  const PenPairFrame *of_x = &frames[g_array_index (self->children, Entry, x->range.first).frame];
  const PenPairFrame *of_y = &frames[g_array_index (self->children, Entry, y->range.first).frame];
  int order;

  if (x->share != y->share)
    return x->share > y->share ? -1 : 1;
  order = g_strcmp0 (of_x->symbol, of_y->symbol);
  if (order == 0)
    order = g_strcmp0 (of_x->occupant, of_y->occupant);
  return order != 0 ? order : (of_x->kind > of_y->kind) - (of_x->kind < of_y->kind);
}

/* The nodes below those of a path, by frame. */
static gboolean
list_children (Merge *self, const Range *range)
{
  g_array_set_size (self->children, 0);
  for (guint i = range->first; i < range->end; i++) {
    const Entry entry = g_array_index (self->entries, Entry, i);
    const PenFlameTree *tree = self->trees->pdata[entry.tree];
    const PenFlameNode *node = get_node (self, &entry);

    for (guint32 k = 0; k < node->n_children; k++) {
      Entry child = { .tree = entry.tree, .node = node->first_child + k };

      child.frame = pen_pair_frames_get (self->frames, get_side (self, &entry), tree->groups,
                                         get_node (self, &child)->group);
      g_array_append_val (self->children, child);
      if (!steps_on (self, 1))
        return FALSE;
    }
  }
  return pen_cancel_check_sort (&self->checks[0], self->children->data, self->children->len,
                                sizeof (Entry), compare_entries, NULL);
}

static double
get_share (const Merge *self, const Candidate *candidate, guint side)
{
  guint64 total = pen_pair_paths_get (self->paths, 0)->rates[side].samples;

  return total > 0 ? (double) candidate->samples[side] / (double) total : 0;
}

/* Returns: how many are left out */
static guint
list_candidates (Merge *self)
{
  guint n_left_out = 0;

  g_array_set_size (self->candidates, 0);
  for (guint i = 0, end; i < self->children->len; i = end) {
    guint32 frame = g_array_index (self->children, Entry, i).frame;
    Candidate candidate = { .range.first = i };
    double shares[2];

    for (end = i;
         end < self->children->len && g_array_index (self->children, Entry, end).frame == frame;
         end++) {
      const Entry *entry = &g_array_index (self->children, Entry, end);

      candidate.samples[get_side (self, entry)] += get_node (self, entry)->total.samples;
    }
    candidate.range.end = end;
    for (guint side = 0; side < 2; side++)
      shares[side] = get_share (self, &candidate, side);
    candidate.share = shares[0] + shares[1];
    if (MAX (shares[0], shares[1]) >= self->least)
      g_array_append_val (self->candidates, candidate);
    else
      n_left_out++;
  }
  return n_left_out;
}

/* @range: of entries, which are added to the others */
static void
add_path (Merge *self, guint32 parent, const Candidate *candidate, guint32 frame)
{
  const Range range
      = { self->entries->len, self->entries->len + candidate->range.end - candidate->range.first };
  PenPairPath path
      = { .parent = parent,
          .frame = frame,
          .rates = { { .samples = candidate->samples[0] }, { .samples = candidate->samples[1] } } };

  if (parent != PEN_PAIR_NO_PATH)
    path.depth = pen_pair_paths_get (self->paths, parent)->depth + 1;
  for (guint i = candidate->range.first; i < candidate->range.end; i++) {
    const Entry entry = g_array_index (self->children, Entry, i);

    path.own[get_side (self, &entry)] += get_node (self, &entry)->own.samples;
    g_array_append_val (self->entries, entry);
  }
  g_array_append_val (self->paths->paths, path);
  g_array_append_val (self->ranges, range);
}

static void
add_root (Merge *self)
{
  Candidate all = { .range = { 0, self->trees->len } };

  for (guint i = 0; i < self->trees->len; i++) {
    const Entry entry = { .tree = i };

    all.samples[get_side (self, &entry)] += get_node (self, &entry)->total.samples;
    g_array_append_val (self->children, entry);
  }
  add_path (self, PEN_PAIR_NO_PATH, &all, PEN_PAIR_NO_FRAME);
}

static gboolean
add_below (Merge *self, guint32 parent)
{
  const Range range = g_array_index (self->ranges, Range, parent);
  PenPairPath *path;
  guint first = self->paths->paths->len;
  guint n_left_out;

  if (!list_children (self, &range))
    return FALSE;
  n_left_out = list_candidates (self);
  if (!pen_cancel_check_sort (&self->checks[0], self->candidates->data, self->candidates->len,
                              sizeof (Candidate), compare_candidates, self))
    return FALSE;
  for (guint i = 0; i < self->candidates->len; i++) {
    const Candidate *candidate = &g_array_index (self->candidates, Candidate, i);

    add_path (self, parent, candidate,
              g_array_index (self->children, Entry, candidate->range.first).frame);
  }
  path = &g_array_index (self->paths->paths, PenPairPath, parent);
  path->first_child = first;
  path->n_children = self->candidates->len;
  path->n_left_out = n_left_out;
  return TRUE;
}

static gboolean
merge (Merge *self, GError **error)
{
  add_root (self);
  for (guint i = 0; i < self->paths->paths->len; i++)
    if (!add_below (self, i))
      break;
  return pen_query_end_check (self->sources[0].query, &self->checks[0], error)
         && pen_query_end_check (self->sources[1].query, &self->checks[1], error);
}

/* ---- rates ---- */

static gboolean
measure (Merge *self, GError **error)
{
  GArray *paths = self->paths->paths;
  double times[2];

  pen_pairs_get_test_times (self->pairs, times);
  if (self->paths->obstacle == PEN_PAIR_OTHER_CHAINS)
    times[0] = times[1] = NAN;
  self->paths->alpha = PEN_POISSON_ALPHA / MAX (paths->len, 1);
  for (guint i = 0; i < paths->len && steps_on (self, 100); i++) {
    PenPairPath *path = &g_array_index (paths, PenPairPath, i);

    pen_pairs_find_rates (self->pairs, path->rates);
    path->test
        = pen_pair_test (path->rates[0].samples, path->rates[1].samples, times, self->paths->alpha);
  }
  return pen_query_end_check (self->sources[0].query, &self->checks[0], error)
         && pen_query_end_check (self->sources[1].query, &self->checks[1], error);
}

PenPairPaths *
pen_query_pair_paths (const PenPairSource sources[2], const PenPairs *pairs, const PenPairRow *row,
                      double least, GError **error)
{
  g_autoptr (PenPairPaths) paths = g_new0 (PenPairPaths, 1);
  g_auto (Merge) self = { .sources = sources, .pairs = pairs, .paths = paths, .least = least };

  paths->frames = g_array_new (FALSE, FALSE, sizeof (PenPairFrame));
  paths->paths = g_array_new (FALSE, FALSE, sizeof (PenPairPath));
  paths->strings = pen_names_new ();
  paths->is_of_callers = row != NULL;
  paths->obstacle = pairs->has_same_chains ? pairs->obstacle : PEN_PAIR_OTHER_CHAINS;
  self.trees = g_ptr_array_new_with_free_func (free_tree);
  self.sides = g_array_new (FALSE, FALSE, sizeof (guint));
  self.entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self.ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  self.children = g_array_new (FALSE, FALSE, sizeof (Entry));
  self.candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  for (guint i = 0; i < 2; i++)
    self.checks[i] = pen_query_make_check (sources[i].query);
  self.frames = pen_pair_frames_new (sources, pairs, paths->frames, paths->strings, error);
  if (!self.frames || !load_trees (&self, row, error) || !merge (&self, error)
      || !measure (&self, error))
    return NULL;
  return g_steal_pointer (&paths);
}
