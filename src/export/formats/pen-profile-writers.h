/* pen-profile-writers.h: one for each format
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-profile-writer.h"
#include "pen-query-weighted-stacks.h"

G_BEGIN_DECLS

/* @n_samples: (out). @stream: compressed already, where the format is */
typedef gboolean (*PenProfileFunc) (PenWeightedStacks *stacks, const PenProfileOptions *options,
                                    GOutputStream *stream, guint64 *n_samples, GError **error);

gboolean pen_pprof_profile_write (PenWeightedStacks *stacks, const PenProfileOptions *options,
                                  GOutputStream *stream, guint64 *n_samples, GError **error);
gboolean pen_firefox_profile_write (PenWeightedStacks *stacks, const PenProfileOptions *options,
                                    GOutputStream *stream, guint64 *n_samples, GError **error);
gboolean pen_speedscope_profile_write (PenWeightedStacks *stacks, const PenProfileOptions *options,
                                       GOutputStream *stream, guint64 *n_samples, GError **error);

G_END_DECLS
