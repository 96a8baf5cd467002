/* pen-code-ends.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-code-ends.h"

#include "pen-kernel-release.h"

void
pen_code_ends_find (PenHistory *history, PenKernelSources *sources, const char *release,
                    const guint64 *samples)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  if (pen_kernel_release_is_before (release, 6, 4))
    return;
  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    guint64 end;

    if (tenure->layer != PEN_LAYER_MAP || tenure->kind != PEN_KIND_MODULE)
      continue;
    end = pen_kernel_sources_find_code_end (sources, tenure, samples[tenure->id] > 0);
    if (end > tenure->start && end < tenure->end)
      pen_history_set_code_end (history, tenure->id, end);
  }
}
