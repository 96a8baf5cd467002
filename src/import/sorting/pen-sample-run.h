/* pen-sample-run.h: samples sorted within memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sample-sorter.h"

G_BEGIN_DECLS

/*
 * pen_sample_run_order:
 * @samples: @n of them, their positions ascending
 *
 * Takes up to 32 bytes of memory per sample while it runs.
 *
 * Returns: (transfer full) (nullable): their indexes by moment; NULL: they are in order
 */
guint32 *pen_sample_run_order (const PenSortedSample *samples, guint n);

/* The same where positions need not ascend: by time, then by position. Returns: (transfer full) */
guint32 *pen_sample_run_order_mixed (const PenSortedSample *samples, guint n);

G_END_DECLS
