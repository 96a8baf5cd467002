/* pen-lost-count.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-lost-count.h"

#include "pen-store-records.h"
#include "pen-tenure.h"

gboolean
pen_lost_count_load (PenStore *store, PenLostCount *count, GError **error)
{
  g_autoptr (GArray) losses = pen_store_load_losses (store, error);

  *count = (PenLostCount){ 0 };
  if (!losses)
    return FALSE;
  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    if (loss->kind == PEN_LOSS_RECORDS)
      count->records += loss->count;
    else if (loss->kind == PEN_LOSS_SAMPLES)
      count->samples += loss->count;
    else if (loss->kind == PEN_LOSS_UNWANTED)
      count->unwanted += loss->count;
    count->repeated += MIN (loss->repeated, loss->count);
  }
  count->lost = count->records + count->samples - MIN (count->repeated, count->samples);
  return TRUE;
}
