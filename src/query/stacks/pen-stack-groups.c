/* pen-stack-groups.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-groups.h"

#include <string.h>

#include "pen-query-private.h"
#include "pen-store-source-lines.h"
#include "pen-table-hash.h"

static const char *const grouping_words[PEN_STACK_GROUPINGS] = {
  [PEN_STACK_BY_FUNCTION] = "function",
  [PEN_STACK_BY_OCCUPANT] = "occupant",
  [PEN_STACK_BY_FILE] = "file",
};

gboolean
pen_stack_grouping_from_string (const char *word, PenStackGrouping *grouping)
{
  for (guint i = 0; i < PEN_STACK_GROUPINGS; i++) {
    if (g_str_equal (word, grouping_words[i])) {
      *grouping = i;
      return TRUE;
    }
  }
  return FALSE;
}

static guint
hash_group (gconstpointer data)
{
  const PenStackGroup *group = data;
  guint64 key[] = { group->symbol ? pen_str_hash (group->symbol) + (guint64) 1 : 0,
                    pen_str_hash (group->occupant), group->kind };

  return pen_data_hash (key, sizeof key);
}

static gboolean
equal_groups (gconstpointer a, gconstpointer b)
{
  const PenStackGroup *x = a;
  const PenStackGroup *y = b;

  return x->kind == y->kind && g_str_equal (x->occupant, y->occupant)
         && g_strcmp0 (x->symbol, y->symbol) == 0;
}

static int
compare_by_name (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GArray *groups = user_data;
  const PenStackGroup *x = &g_array_index (groups, PenStackGroup, *(const guint32 *) a);
  const PenStackGroup *y = &g_array_index (groups, PenStackGroup, *(const guint32 *) b);
  int order = g_strcmp0 (x->symbol, y->symbol);

  if (order == 0)
    order = strcmp (x->occupant, y->occupant);
  return order != 0 ? order : (int) x->kind - (int) y->kind;
}

static void
rank_groups (PenStackGroups *self)
{
  guint n = self->groups->len;
  g_autofree guint32 *order = g_new (guint32, n);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_by_name, self->groups);
  self->ranks = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    self->ranks[order[i]] = i;
}

/* The source files of functions. */
typedef struct {
  PenStore *store;
  guint32 *of_function; /* ids; NULL: they are not asked for */
  GHashTable *paths;    /* id → path */
} Files;

static void
files_clear (Files *self)
{
  g_free (self->of_function);
  g_clear_pointer (&self->paths, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Files, files_clear)

/* NULL: with @error */
static const char *
find_path (Files *self, guint32 function, GError **error)
{
  gpointer id = GUINT_TO_POINTER (self->of_function[function]);
  const char *path = id ? g_hash_table_lookup (self->paths, id) : "";
  GError *failure = NULL;

  if (path)
    return path;
  path = pen_store_find_source_file (self->store, GPOINTER_TO_UINT (id), &failure);
  if (failure) {
    g_propagate_error (error, failure);
    return NULL;
  }
  path = path ? path : "";
  g_hash_table_insert (self->paths, id, (gpointer) path);
  return path;
}

/* NULL only where there is none; or with @error, of files */
static const char *
find_symbol (Files *files, PenStackGrouping grouping, const PenFunction *function, GError **error)
{
  if (grouping == PEN_STACK_BY_FILE)
    return find_path (files, function->id, error);
  return grouping == PEN_STACK_BY_FUNCTION && function->symbol && *function->symbol
             ? function->symbol
             : NULL;
}

PenStackGroups *
pen_stack_groups_new (PenQuery *query, PenStackGrouping grouping, GError **error)
{
  g_autoptr (PenStackGroups) self = g_new0 (PenStackGroups, 1);
  g_auto (Files) files = { .store = query->store };
  g_autoptr (GHashTable) known = g_hash_table_new_full (hash_group, equal_groups, g_free, NULL);
  g_autofree guint64 *most = g_new0 (guint64, (gsize) query->n_functions + 1);
  PenStackGroup unrecorded = { NULL, "", PEN_KIND_UNKNOWN, G_MAXUINT32 };

  self->groups = g_array_new (FALSE, FALSE, sizeof (PenStackGroup));
  if (grouping == PEN_STACK_BY_FILE) {
    files.paths = g_hash_table_new (pen_direct_hash, NULL);
    files.of_function = pen_store_load_source_files (query->store, query->n_functions, error);
    if (!files.of_function)
      return NULL;
  }
  g_array_append_val (self->groups, unrecorded);
  self->of_function = g_new (guint32, (gsize) query->n_functions + 1);
  for (guint32 i = 0; i < query->n_functions; i++) {
    const PenFunction *function = &query->functions[i];
    PenStackGroup key = { find_symbol (&files, grouping, function, error), function->occupant,
                          function->kind, i };
    guint32 index = GPOINTER_TO_UINT (g_hash_table_lookup (known, &key));

    if (grouping == PEN_STACK_BY_FILE && !key.symbol)
      return NULL;
    if (index == 0) {
      index = self->groups->len;
      g_array_append_val (self->groups, key);
      g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (index));
      most[index - 1] = function->samples;
    } else if (function->samples > most[index - 1]) {
      g_array_index (self->groups, PenStackGroup, index).function = i;
      most[index - 1] = function->samples;
    }
    self->of_function[i] = index;
  }
  rank_groups (self);
  return g_steal_pointer (&self);
}

void
pen_stack_groups_free (PenStackGroups *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->groups, g_array_unref);
  g_free (self->of_function);
  g_free (self->ranks);
  g_free (self);
}

char *
pen_stack_group_get_name (const PenStackGroup *group)
{
  g_autofree char *name = NULL;

  if (group->symbol && *group->symbol)
    return g_strdup (group->symbol);
  if (group->kind == PEN_KIND_UNKNOWN || *group->occupant == '\0')
    return g_strdup ("[unknown]");
  if (*group->occupant == '[' && !group->symbol)
    return g_strdup (group->occupant);
  name = g_path_get_basename (group->occupant);
  if (!group->symbol)
    return g_strdup_printf ("[%s]", name);
  return *name == '[' ? g_strdup_printf ("[unknown file of %s", name + 1)
                      : g_strdup_printf ("[unknown file of %s]", name);
}
