/* pen-sample-codec.h: sorted samples in few bytes, for the temporary file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sample-sorter.h"

G_BEGIN_DECLS

/* Of one sample: five numbers of up to 64 bits, and five of up to 32. */
#define PEN_SAMPLE_CODE_MAX (5 * 10 + 5 * 5)

/* @bytes: room for @n times PEN_SAMPLE_CODE_MAX. Returns: how many were used */
gsize pen_sample_codec_encode (const PenSortedSample *samples, guint n, guint8 *bytes);

/* Returns: FALSE if @bytes are not the code of @n samples, or of more */
gboolean pen_sample_codec_decode (const guint8 *bytes, gsize length, PenSortedSample *samples,
                                  guint n);

G_END_DECLS
