/* pen-span-functions.h: samples of a span by function, packed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store.h"

G_BEGIN_DECLS

/* Adds to the last of @functions (element-type PenSpanFunction), or one after it: by function,
 * as a span's pieces have them. */
void pen_span_functions_add (GArray *functions, guint32 function, guint64 samples, guint64 period);

/* How many; then columns of functions, samples and periods.
 * Returns: (transfer none): owned by @packer, until it is used again */
const guint8 *pen_span_functions_pack (const GArray *functions, PenPacker *packer, gsize *length);

/* Ids rise, and are less than @n_functions.
 * @total: (out): sum of all samples
 * @reason: (out): static text, on failure
 * Returns: (transfer full) (nullable) (element-type PenSpanFunction) */
GArray *pen_span_functions_unpack (guint64 n_functions, const guint8 *bytes, gsize length,
                                   PenUnpacker *unpacker, guint64 *total, const char **reason);

G_END_DECLS
