/* pen-verdict-patchers.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-verdict-patchers.h"

#include "pen-compare.h"
#include "pen-table-hash.h"

typedef struct {
  const char *comm;
  gint32 pid;
  gboolean has_several;
  guint pokes;
} Patcher;

static int
compare_patchers (gconstpointer a, gconstpointer b)
{
  const Patcher *x = *(const Patcher *const *) a, *y = *(const Patcher *const *) b;

  return x->pokes != y->pokes ? PEN_COMPARE (y->pokes, x->pokes) : g_strcmp0 (x->comm, y->comm);
}

/* The kernel's own, that do what others began: probes are made into jumps by them (since 7.0 by one
 * of their own), and back. */
static gboolean
is_worker (const char *comm)
{
  return g_str_has_prefix (comm, "kworker/") || g_str_has_prefix (comm, "kprobe-optimize");
}

static Patcher *
get_patcher (GHashTable *seen, GPtrArray *patchers, const PenPoke *poke)
{
  Patcher *patcher = g_hash_table_lookup (seen, poke->comm);

  if (patcher)
    return patcher;
  patcher = g_new0 (Patcher, 1);
  patcher->comm = poke->comm;
  patcher->pid = poke->pid;
  g_hash_table_insert (seen, (gpointer) patcher->comm, patcher);
  g_ptr_array_add (patchers, patcher);
  return patcher;
}

void
pen_verdict_list_patchers (const PenPatchedPlace *place, GPtrArray *names)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_str_hash, g_str_equal);
  g_autoptr (GPtrArray) patchers = g_ptr_array_new_with_free_func (g_free);
  gboolean has_people = FALSE;

  for (guint i = 0; i < place->pokes->len; i++) {
    const PenPoke *poke = &g_array_index (place->pokes, PenPoke, i);
    Patcher *patcher;

    if (!poke->has_task || !poke->comm || *poke->comm == '\0')
      continue;
    patcher = get_patcher (seen, patchers, poke);
    patcher->has_several |= patcher->pid != poke->pid;
    patcher->pokes++;
    has_people |= !is_worker (poke->comm);
  }
  g_ptr_array_sort (patchers, compare_patchers);
  for (guint i = 0; i < patchers->len; i++) {
    const Patcher *patcher = patchers->pdata[i];

    if (has_people && is_worker (patcher->comm))
      continue;
    g_ptr_array_add (names, patcher->has_several
                                ? g_strdup (patcher->comm)
                                : g_strdup_printf ("%s [%d]", patcher->comm, patcher->pid));
  }
}
