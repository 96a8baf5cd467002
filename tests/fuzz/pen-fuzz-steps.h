/* pen-fuzz-steps.h: how much work an input makes, counted rather than timed
 *
 * A step is a branch of this project's code that was taken by the thread that asks; what libraries
 * do is not counted. Only the builds for fuzzing count: in others there are none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Counts from 0 again. */
void pen_fuzz_steps_start (void);

/* Breaks off where there were more than @per_byte steps for each of @size bytes, and @more. */
void pen_fuzz_steps_check (gsize size, guint64 per_byte, guint64 more);

G_END_DECLS
