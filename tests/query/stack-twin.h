/* stack-twin.h: stacks of a random store, sample by sample and frame by frame
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "random-store.h"

#include "pen-query-flame.h"

G_BEGIN_DECLS

/* With few and many blocks, and without callchains; then those of many blocks, of which stacks are
 * counted in advance: of all of them, and of some. */
extern const RandomStoreShape stack_twin_shapes[5];

/* @function: G_MAXUINT32: callers that were not recorded */
typedef struct {
  guint32 group;
  guint32 function;
  guint32 tenure;
  guint32 revision;
  guint64 address; /* of the byte */
} StackStep;

typedef struct {
  guint32 group;
  PenFlameVersion version;
} StackLevel;

guint stack_twin_draw (RandomStore *random, guint n);

/* Returns: (transfer full) (element-type StackStep): the outermost first */
GArray *stack_twin_get_stack (const RandomStore *random, const RandomSample *sample,
                              PenStackGrouping grouping);
gboolean stack_twin_is_at (const RandomStore *random, const PenStackPlace *place,
                           const StackStep *step);
PenFlameVersion stack_twin_get_version (const RandomStore *random, const StackStep *step);

/* A stack as the options have it, from the tree's first level on.
 * Returns: (transfer full) (element-type StackLevel); NULL: it is outside */
GArray *stack_twin_get_path (const RandomStore *random, const PenFlameOptions *options,
                             const RandomSample *sample);

/* A place of any sort. */
PenStackPlace stack_twin_draw_place (RandomStore *random);

void stack_twin_add (PenStackCount *sum, const RandomSample *sample);
void stack_twin_assert_count (PenStackCount a, PenStackCount b);

G_END_DECLS
