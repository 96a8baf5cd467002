/* pen-store-batches.c: pokes that belong together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

const PenBatch *
pen_store_get_batches (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (!self->batches)
    self->batches = pen_store_load_numbered (self, PEN_TABLE_BATCH, 1, error);
  if (!self->batches)
    return NULL;

  *n = self->batches->len;
  return (const PenBatch *) (gpointer) self->batches->data;
}
