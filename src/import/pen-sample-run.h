/* pen-sample-run.h: samples sorted within memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sample-sorter.h"

G_BEGIN_DECLS

/*
 * pen_sample_run_sort:
 * @samples: @n of them, their positions ascending
 * @spare: room for as many
 *
 * Sorts by moment. Takes 32 bytes of memory per sample more while it runs.
 *
 * Returns: TRUE if the sorted samples are in @spare, FALSE if in @samples, which were in order
 */
gboolean pen_sample_run_sort (const PenSortedSample *samples, PenSortedSample *spare, guint n);

G_END_DECLS
