/* pen-import-batches.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-batches.h"

gboolean
pen_import_batches_write (PenPokeBatches *batches, PenStoreWriter *writer, GError **error)
{
  guint n;
  const PenPokeBatch *all = pen_poke_batches_finish (batches, &n);

  for (guint i = 0; i < n; i++) {
    const PenPokeBatch *batch = &all[i];
    PenBatch row = {
      .id = batch->id,
      .first_poke = batch->first,
      .last_poke = batch->last,
      .from = batch->from,
      .to = batch->to,
      .cause = batch->cause,
      .confidence = batch->confidence,
      .effect = batch->effect,
      .n_sites = batch->n_sites,
      .key = batch->key,
      .sentence = batch->sentence,
      .cpu = batch->cpu,
      .pid = batch->pid,
      .tid = batch->tid,
      .comm = batch->comm,
    };

    if (!pen_store_writer_add_batch (writer, &row, error))
      return FALSE;
  }

  return TRUE;
}
