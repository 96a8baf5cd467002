/* pen-cause-leaves.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-leaves.h"

#include <string.h>

#include "pen-compare.h"
#include "pen-matcher.h"
#include "pen-table-hash.h"

/* As many are named of one group. */
#define PROGRAMS_MAX 8

typedef struct {
  PenCauseLeaves *self;
  PenCauseGrouping grouping;
  const PenFilter *filter;
  PenPokeLosses losses;
  guint8 *marks; /* by change: 1: the filter, but for its time, leaves it; NULL: all */
  guint n_marks;
  GHashTable *groups;  /* key → index + 1 */
  GArray *site_leaves; /* PenCauseLeaf: of the site that is looked at: its pokes have indexes of
                          these in PenCauseLeaves.leaf_of meanwhile */
  GPtrArray *lanes;    /* GArray of PenCauseStretch: of each of them */
  GHashTable *by_group;
} Build;

static void
build_clear (Build *build)
{
  pen_poke_losses_clear (&build->losses);
  g_clear_pointer (&build->groups, g_hash_table_unref);
  g_clear_pointer (&build->by_group, g_hash_table_unref);
  g_clear_pointer (&build->site_leaves, g_array_unref);
  g_clear_pointer (&build->lanes, g_ptr_array_unref);
  g_free (build->marks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

/* ---- which patches are meant ---- */

typedef struct {
  const PenMatcher *matcher;
  Build *build;
} Marking;

static gboolean
mark_change (const PenChange *change, gpointer user_data)
{
  Marking *marking = user_data;

  if (change->id < marking->build->n_marks && change->poke != 0)
    marking->build->marks[change->id] = pen_matcher_has_change (marking->matcher, change) ? 1 : 0;
  return TRUE;
}

static gboolean
mark_changes (Build *build, GError **error)
{
  PenQuery *query = build->self->query;
  const GArray *pokes = build->self->sites->pokes;
  g_autoptr (PenFilter) timeless = pen_filter_copy (build->filter);
  g_autoptr (PenMatcher) matcher = NULL;
  Marking marking = { NULL, build };

  timeless->has_time = FALSE;
  if (pen_filter_is_empty (timeless))
    return TRUE;
  matcher = pen_matcher_new (query, timeless, error);
  if (!matcher)
    return FALSE;
  marking.matcher = matcher;
  for (guint i = 0; i < pokes->len; i++)
    build->n_marks = MAX (build->n_marks, g_array_index (pokes, PenPoke, i).change + 1);
  build->marks = g_malloc0 (build->n_marks + 1);
  return pen_store_foreach_change (query->store, mark_change, &marking, error);
}

/* A change that only a witness saw, of text whose holder is unknown, is no patch of it (W3), and a
 * change all the same. */
static gboolean
is_change_of_text (const PenPoke *poke)
{
  return poke->effect == PEN_POKE_PATCH
         || (poke->effect == PEN_POKE_SAME && poke->cause == PEN_CAUSE_UNANNOUNCED);
}

static gboolean
is_meant (const Build *build, const PenPoke *poke)
{
  return is_change_of_text (poke)
         && (!build->marks || (poke->change < build->n_marks && build->marks[poke->change]));
}

static gboolean
is_in_time (const Build *build, const PenPoke *poke)
{
  const PenFilter *filter = build->filter;

  return !filter->has_time
         || (poke->has_time && poke->time >= filter->from && poke->time <= filter->to);
}

/* ---- groups ---- */

static char *
make_key (Build *build, guint index, const PenPoke *poke, PenCauseGroup *group)
{
  PenCauseName name;
  const PenFunction *function;

  switch (build->grouping) {
  case PEN_CAUSES_BY_TASK:
    if (!poke->has_task)
      return g_strdup_printf ("%d", poke->cause);
    group->name = "";
    return g_strdup_printf ("%d %d %s", poke->cause, poke->pid, poke->comm);
  case PEN_CAUSES_BY_FUNCTION:
    function = pen_query_get_function (build->self->query, poke->function);
    group->function = function ? poke->function : PEN_POKE_NO_FUNCTION;
    group->name = function ? (function->symbol ? function->symbol : function->occupant) : NULL;
    return g_strdup_printf ("%d %u", poke->cause, group->function);
  case PEN_CAUSES_BY_KEY:
  case PEN_CAUSE_GROUPINGS:
  default:
    name = pen_cause_names_get (build->self->names, index);
    group->name = name.name;
    group->is_place = name.is_place;
    return g_strdup_printf ("%d %d %s", poke->cause, name.is_place, name.name);
  }
}

static void
add_words (GPtrArray **list, const char *text)
{
  g_auto (GStrv) words = NULL;

  if (!text || (*list && (*list)->len >= PROGRAMS_MAX))
    return;
  if (!*list)
    *list = g_ptr_array_new_with_free_func (g_free);
  words = g_strsplit (text, ", ", PROGRAMS_MAX);
  for (guint i = 0; words[i] && (*list)->len < PROGRAMS_MAX; i++) {
    if (!g_ptr_array_find_with_equal_func (*list, words[i], g_str_equal, NULL))
      g_ptr_array_add (*list, g_strdup (words[i]));
  }
}

static guint32
find_group (Build *build, guint index, const PenPoke *poke)
{
  PenCauseLeaves *self = build->self;
  PenCauseGroup group = { .cause = poke->cause, .function = PEN_POKE_NO_FUNCTION };
  g_autofree char *key = make_key (build, index, poke, &group);
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (build->groups, key));

  if (found == 0) {
    if (build->grouping == PEN_CAUSES_BY_TASK && group.name) {
      g_autofree char *task = g_strdup_printf ("%s [%d]", poke->comm, poke->pid);

      group.name = g_string_chunk_insert (self->strings, task);
    }
    g_array_append_val (self->groups, group);
    found = self->groups->len;
    g_hash_table_insert (build->groups, g_steal_pointer (&key), GUINT_TO_POINTER (found));
  }
  if (build->grouping == PEN_CAUSES_BY_KEY) {
    PenCauseGroup *kept = &g_array_index (self->groups, PenCauseGroup, found - 1);

    add_words (&kept->programs, poke->programs);
    add_words (&kept->purposes, poke->purpose);
  }
  return found - 1;
}

/* ---- leaves of one site ---- */

static guint
find_leaf (Build *build, guint site, guint index, const PenPoke *poke)
{
  guint32 group = find_group (build, index, poke);
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (build->by_group, GUINT_TO_POINTER (group)));
  PenCauseLeaf leaf = { .group = group, .site = site, .function = PEN_POKE_NO_FUNCTION };

  if (found != 0)
    return found - 1;
  if (pen_query_get_function (build->self->query, poke->function))
    leaf.function = poke->function;
  g_array_append_val (build->site_leaves, leaf);
  if (build->lanes->len < build->site_leaves->len)
    g_ptr_array_add (build->lanes, g_array_new (FALSE, FALSE, sizeof (PenCauseStretch)));
  g_array_set_size (build->lanes->pdata[build->site_leaves->len - 1], 0);
  g_hash_table_insert (build->by_group, GUINT_TO_POINTER (group),
                       GUINT_TO_POINTER (build->site_leaves->len));
  return build->site_leaves->len - 1;
}

static guint32
get_leaf_of (const Build *build, guint poke)
{
  return poke == PEN_NO_POKE ? PEN_NO_LEAF : build->self->leaf_of[poke];
}

static void
add_to_lane (Build *build, guint32 leaf, PenCauseStretch stretch)
{
  if (leaf != PEN_NO_LEAF)
    pen_lane_append (build->lanes->pdata[leaf], 0, stretch);
}

static void
take_stretch (const PenSiteStretch *part, gpointer user_data)
{
  Build *build = user_data;
  const PenCauseStretch *window = &build->self->window;
  PenCauseStretch stretch = { MAX (part->stretch.from, window->from),
                              MIN (part->stretch.to, window->to), part->stretch.state };
  guint32 before = get_leaf_of (build, part->before);
  guint32 after = get_leaf_of (build, part->after);

  if (stretch.from >= stretch.to)
    return;
  if (stretch.state == PEN_CAUSE_ON) {
    add_to_lane (build, get_leaf_of (build, part->owner), stretch);
  } else if (build->site_leaves->len <= PEN_CAUSE_SITE_ROWS) {
    for (guint i = 0; i < build->site_leaves->len; i++)
      add_to_lane (build, i, stretch);
  } else {
    add_to_lane (build, before, stretch);
    if (after != before)
      add_to_lane (build, after, stretch);
  }
}

static gboolean
is_ever_on (const GArray *lane)
{
  for (guint i = 0; i < lane->len; i++) {
    if (g_array_index (lane, PenCauseStretch, i).state == PEN_CAUSE_ON)
      return TRUE;
  }
  return FALSE;
}

/* Pokes of the site, by leaf: first how many, then where. */
static void
list_flips (Build *build, guint site)
{
  const PenPokeSites *sites = build->self->sites;
  GArray *flips = build->self->flips;
  guint next = flips->len;

  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = sites->starts[site]; i < sites->starts[site + 1]; i++) {
      guint32 index = sites->order[i];
      PenCauseLeaf *leaf;

      if (build->self->leaf_of[index] == PEN_NO_LEAF
          || !is_in_time (build, pen_poke_sites_get (sites, index)))
        continue;
      leaf = &g_array_index (build->site_leaves, PenCauseLeaf, build->self->leaf_of[index]);
      if (pass == 1)
        g_array_index (flips, guint32, leaf->first_flip + leaf->n_flips) = index;
      leaf->n_flips++;
    }
    if (pass == 1)
      continue;
    for (guint i = 0; i < build->site_leaves->len; i++) {
      PenCauseLeaf *leaf = &g_array_index (build->site_leaves, PenCauseLeaf, i);

      leaf->first_flip = next;
      next += leaf->n_flips;
      leaf->n_flips = 0;
    }
    g_array_set_size (flips, next);
  }
}

/* From leaves of the site to leaves of all. @numbers: of each of the former */
static void
renumber (Build *build, guint site, const guint32 *numbers)
{
  const PenPokeSites *sites = build->self->sites;

  for (guint i = sites->starts[site]; i < sites->starts[site + 1]; i++) {
    guint32 *leaf = &build->self->leaf_of[sites->order[i]];

    if (*leaf != PEN_NO_LEAF)
      *leaf = numbers[*leaf];
  }
}

static void
add_site (Build *build, guint site)
{
  PenCauseLeaves *self = build->self;
  const PenPokeSites *sites = self->sites;
  guint32 tenure = pen_poke_sites_get (sites, sites->order[sites->starts[site]])->tenure;
  g_autofree guint32 *numbers = NULL;

  g_array_set_size (build->site_leaves, 0);
  g_hash_table_remove_all (build->by_group);
  for (guint i = sites->starts[site]; i < sites->starts[site + 1]; i++) {
    guint32 index = sites->order[i];
    const PenPoke *poke = pen_poke_sites_get (sites, index);

    build->self->leaf_of[index]
        = is_meant (build, poke) ? find_leaf (build, site, index, poke) : PEN_NO_LEAF;
  }
  if (build->site_leaves->len == 0)
    return;
  pen_site_foreach_stretch (sites, site, pen_cause_names_get_tenure (self->names, tenure),
                            &build->losses, take_stretch, build);
  list_flips (build, site);
  numbers = g_new (guint32, build->site_leaves->len);
  for (guint i = 0; i < build->site_leaves->len; i++) {
    PenCauseLeaf leaf = g_array_index (build->site_leaves, PenCauseLeaf, i);
    const GArray *lane = build->lanes->pdata[i];

    numbers[i] = PEN_NO_LEAF;
    if (leaf.n_flips == 0 && !is_ever_on (lane))
      continue;
    numbers[i] = self->leaves->len;
    leaf.first_stretch = self->stretches->len;
    leaf.n_stretches = lane->len;
    g_array_append_vals (self->stretches, lane->data, lane->len);
    g_array_append_val (self->leaves, leaf);
  }
  renumber (build, site, numbers);
}

/* ---- all ---- */

static PenCauseStretch
find_window (PenQuery *query, const PenFilter *filter)
{
  PenCauseStretch window = { 0, 0, PEN_CAUSE_NONE };
  guint64 first;
  guint64 last;

  if (!pen_query_get_time_range (query, &first, &last))
    return window;
  if (filter->has_time) {
    first = MAX (first, filter->from);
    last = MIN (last, filter->to);
  }
  window.from = first;
  window.to = last < G_MAXUINT64 ? last + 1 : last;
  return window;
}

static void
group_clear (gpointer data)
{
  PenCauseGroup *group = data;

  g_clear_pointer (&group->programs, g_ptr_array_unref);
  g_clear_pointer (&group->purposes, g_ptr_array_unref);
}

PenCauseLeaves *
pen_cause_leaves_new (PenQuery *query, const PenFilter *filter, PenCauseGrouping grouping,
                      GError **error)
{
  g_autoptr (PenCauseLeaves) self = g_new0 (PenCauseLeaves, 1);
  g_auto (Build) build = { .self = self, .grouping = grouping, .filter = filter };

  self->query = query;
  self->groups = g_array_new (FALSE, FALSE, sizeof (PenCauseGroup));
  g_array_set_clear_func (self->groups, group_clear);
  self->leaves = g_array_new (FALSE, FALSE, sizeof (PenCauseLeaf));
  self->flips = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->stretches = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  self->strings = g_string_chunk_new (4096);
  if (!pen_query_load (query, error) || !pen_poke_losses_init (&build.losses, query, error))
    return NULL;
  self->window = find_window (query, filter);
  self->sites = pen_poke_sites_new (query, error);
  if (!self->sites)
    return NULL;
  self->names = pen_cause_names_new (query, self->sites, error);
  if (!self->names || !mark_changes (&build, error))
    return NULL;

  build.groups = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  build.by_group = g_hash_table_new (pen_direct_hash, NULL);
  build.site_leaves = g_array_new (FALSE, FALSE, sizeof (PenCauseLeaf));
  build.lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->leaf_of = g_new (guint32, self->sites->pokes->len + 1);
  for (guint i = 0; i < self->sites->n_sites; i++) {
    if (!pen_store_steps_on (query->store, i, error))
      return NULL;
    add_site (&build, i);
  }
  return g_steal_pointer (&self);
}

void
pen_cause_leaves_free (PenCauseLeaves *self)
{
  g_clear_pointer (&self->sites, pen_poke_sites_free);
  g_clear_pointer (&self->names, pen_cause_names_free);
  g_clear_pointer (&self->groups, g_array_unref);
  g_clear_pointer (&self->leaves, g_array_unref);
  g_free (self->leaf_of);
  g_clear_pointer (&self->flips, g_array_unref);
  g_clear_pointer (&self->stretches, g_array_unref);
  g_clear_pointer (&self->strings, g_string_chunk_free);
  g_free (self);
}
