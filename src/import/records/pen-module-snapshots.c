/* pen-module-snapshots.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-snapshots.h"

#include "pen-kernel-release.h"

/* kernel/module/procfs.c: module_total_size() replaced the size of one area in Linux 6.4. */
static gboolean
counts_other_memory (const char *release)
{
  return pen_kernel_release_is_from (release, 6, 4);
}

static PenMoment
get_moment (const PenModuleList *list)
{
  switch (list->date) {
  case PEN_SNAPSHOT_START:
    return (PenMoment){ 0, G_MAXUINT64 };
  case PEN_SNAPSHOT_TIME:
  case PEN_SNAPSHOT_PORTION:
    return (PenMoment){ MAX (list->time, 1), 0 };
  case PEN_SNAPSHOT_UNDATED:
  case PEN_SNAPSHOT_END:
  default:
    return (PenMoment){ MAX (list->time, 1), G_MAXUINT64 };
  }
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenModuleSighting *x = a;
  const PenModuleSighting *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

/* Leaves out those that are at one address, and cuts what would reach into the next. */
static char **
sort_out (GArray *sightings)
{
  PenModuleSighting *all = (PenModuleSighting *) (gpointer) sightings->data;
  char **wrong = NULL;
  guint n = 0;

  g_array_sort (sightings, compare_starts);
  for (guint i = 0, next; i < sightings->len; i = next) {
    PenModuleSighting kept = all[i];

    for (next = i + 1; next < sightings->len && all[next].start == kept.start; next++)
      ;
    if (next > i + 1) {
      const char *const names[] = { all[i].module, all[i + 1].module, NULL };

      if (!wrong)
        wrong = g_strdupv ((char **) names);
      continue;
    }
    if (next < sightings->len)
      kept.length = MIN (kept.length, all[next].start - kept.start);
    all[n++] = kept;
  }
  g_array_set_size (sightings, n);
  return wrong;
}

char **
pen_module_snapshot_add (const PenModuleList *list, const char *release, PenHistory *history)
{
  g_autoptr (GArray) sightings = g_array_new (FALSE, FALSE, sizeof (PenModuleSighting));
  gboolean is_whole = !list->is_rough && list->date != PEN_SNAPSHOT_START;
  char **wrong;

  for (guint i = 0; i < list->modules->len; i++) {
    const PenModule *module = &g_array_index (list->modules, PenModule, i);
    PenModuleSighting sighting = {
      .module = module->name,
      .start = module->start,
      .length = module->length,
      .is_rough = list->is_rough,
      .has_other_memory = !list->is_rough && counts_other_memory (release),
      .evidence = list->evidence,
    };

    g_array_append_val (sightings, sighting);
  }
  wrong = sort_out (sightings);
  pen_history_add_modules (history, get_moment (list), list->date != PEN_SNAPSHOT_UNDATED, is_whole,
                           (const PenModuleSighting *) (gpointer) sightings->data, sightings->len);
  return wrong;
}
