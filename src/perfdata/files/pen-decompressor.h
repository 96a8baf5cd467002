/* pen-decompressor.h: gzip, xz and zstd, piece by piece
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "pen-magic.h"

G_BEGIN_DECLS

typedef struct _PenDecompressor PenDecompressor;

typedef enum {
  PEN_DECOMPRESSOR_GOES_ON,
  PEN_DECOMPRESSOR_ENDED,   /* what follows in the input is no part of it */
  PEN_DECOMPRESSOR_DAMAGED, /* pen_decompressor_get_reason() */
} PenDecompressorState;

/* @wrapper: PEN_WRAPPER_NONE copies its input. */
PenDecompressor *pen_decompressor_new (PenWrapper wrapper);
void pen_decompressor_free (PenDecompressor *self);

/*
 * pen_decompressor_run:
 * @input_is_last: the file ends with this input
 * @taken, @made: (out): bytes of @input that were used, bytes that were put into @output
 *
 * To be called again with what is left of the input, and with more of it when nothing was made.
 * Several compressed streams one after the other are one, as their tools have it.
 */
PenDecompressorState pen_decompressor_run (PenDecompressor *self, const guint8 *input,
                                           gsize input_length, gboolean input_is_last,
                                           guint8 *output, gsize output_length, gsize *taken,
                                           gsize *made);

/* The rest of a sentence: "is damaged", "needs more memory than …". (transfer none) */
const char *pen_decompressor_get_reason (PenDecompressor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDecompressor, pen_decompressor_free)

G_END_DECLS
