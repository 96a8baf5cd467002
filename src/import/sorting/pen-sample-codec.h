/* pen-sample-codec.h: sorted samples in few bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sample-sorter.h"

G_BEGIN_DECLS

/* The bytes of @n packed samples: what all have in common, and then five numbers of up to 64 bits
 * and five of up to 32 of each; and what is written beyond them. */
#define PEN_SAMPLE_CODE_MAX(n) ((gsize) 96 + (gsize) (n) * (5 * 8 + 5 * 4) + 8)

/* @bytes: room for PEN_SAMPLE_CODE_MAX (@n). Returns: how many were used */
gsize pen_sample_codec_encode (const PenSortedSample *samples, guint n, guint8 *bytes);

/* Returns: FALSE if @bytes are not the code of @n samples */
gboolean pen_sample_codec_decode (const guint8 *bytes, gsize length, PenSortedSample *samples,
                                  guint n);

G_END_DECLS
