/* pen-kernel-witness.c: modules that only a witness saw, as a source
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-sources-private.h"

#include "pen-witnessed-modules.h"

/* Of the lists of the start: these are there. */
static void
add_listed (PenKernelSources *self, PenRangeIndex *named)
{
  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    for (guint k = 0;
         source->date == PEN_SNAPSHOT_START && source->modules && k < source->modules->len; k++) {
      const PenModule *module = &g_array_index (source->modules, PenModule, k);

      pen_range_index_add (named, module->start, module->start + module->length, 0);
    }
  }
  pen_range_index_seal (named);
}

gboolean
pen_kernel_sources_find_witnessed (PenKernelSources *self, PenReadings *readings,
                                   PenRangeIndex *named, guint64 start, guint64 end,
                                   const char *release, PenModulesFunc func, gpointer user_data,
                                   GError **error)
{
  g_autoptr (PenKernelFinder) finder = pen_kernel_finder_new (self->symfs, release, NULL);
  GArray *modules;
  g_autofree char *path = NULL;
  PenSource *source;

  add_listed (self, named);
  modules
      = pen_witnessed_modules_find (readings, named, start, end, finder, self->cancellable, error);
  if (!modules)
    return FALSE;
  if (modules->len == 0) {
    g_array_unref (modules);
    return TRUE;
  }
  path = pen_kernel_finder_get_module_list (finder);
  source = pen_kernel_sources_add (self, "modules", "witness", path, PEN_EVIDENCE_FILE_UNCHECKED);
  source->is_folder = TRUE;
  source->date = PEN_SNAPSHOT_TIME;
  source->modules = modules;
  source->gives |= PEN_SOURCE_MODULES;
  for (guint i = 0; i < modules->len; i++) {
    const PenModule *module = &g_array_index (modules, PenModule, i);
    g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (PenModule));
    const PenModuleList list = {
      .modules = one,
      .date = PEN_SNAPSHOT_TIME,
      .time = module->time,
      .is_rough = TRUE,
      .evidence = source->evidence,
    };

    g_array_append_val (one, *module);
    func (&list, source->path, user_data);
  }
  return TRUE;
}
