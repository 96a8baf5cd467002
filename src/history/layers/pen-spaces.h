/* pen-spaces.h: process images that come and go (rules U1–U4)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-events.h"
#include "pen-tenure-builder.h"
#include "pen-pid-set.h"
#include "pen-present-private.h"

G_BEGIN_DECLS

/* How many tenures forks may copy in all, and how many pieces maps may make of others. Each costs
 * some 400 bytes, and a small capture can ask for any number of them. */
#define PEN_SPACES_MAX_COPIES (1u << 20)

typedef struct _PenSpaces PenSpaces;

/* @builder and @pids (every pid that an event names, sealed) are borrowed. */
PenSpaces *pen_spaces_new (PenTenureBuilder *builder, const PenPidSet *pids, guint max_copies);
void pen_spaces_free (PenSpaces *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSpaces, pen_spaces_free)

/* Before the first event: those who are there; @pids has theirs, and the builder nothing. */
void pen_spaces_go_on (PenSpaces *self, const PenPresent *present);

/* In time order. */
void pen_spaces_map (PenSpaces *self, PenMoment moment, const PenProcessMapItem *map);
void pen_spaces_fork (PenSpaces *self, PenMoment moment, const PenTaskItem *fork);
void pen_spaces_exit (PenSpaces *self, PenMoment moment, const PenTaskItem *exit);
void pen_spaces_comm (PenSpaces *self, PenMoment moment, const PenTaskItem *comm);

/* The kernel's space and all processes'. Returns: (transfer full) (element-type PenSpace): by
 * id; tenures name them by their places */
GArray *pen_spaces_steal (PenSpaces *self);

/* Before: of the images that have not ended. Returns: (transfer full)
 * (element-type PenPresentThread) */
GArray *pen_spaces_list_threads (PenSpaces *self);

/* Tenures that forks copied, and pieces of those that maps cut. */
guint pen_spaces_get_copies (const PenSpaces *self);

/* Forks that were not copied, and maps that were left out where they would have cut another, since
 * there were too many copies already. Returns: FALSE: none */
gboolean pen_spaces_get_refused (PenSpaces *self, PenLoss *loss);

G_END_DECLS
