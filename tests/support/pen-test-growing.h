/* pen-test-growing.h: a recording that is written piece by piece, as perf does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PenTestGrowing PenTestGrowing;

/* A copy of @capture in @place, of which nothing is written yet. @number: of its name. Returns:
 * (transfer full) (nullable): NULL: @capture is of another kind */
PenTestGrowing *pen_test_growing_new (const char *place, const char *capture, guint number);
void pen_test_growing_free (PenTestGrowing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTestGrowing, pen_test_growing_free)

const char *pen_test_growing_get_path (const PenTestGrowing *self);
/* Writes on, up to @share of it, from 0 to 1: in general, into the middle of a record. With 1 the
 * recorder ends, and its header says so. */
void pen_test_growing_write (PenTestGrowing *self, double share);

G_END_DECLS
