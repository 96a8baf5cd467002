/* pen-pair-frames.h: frames of two recordings, matched as functions are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair-paths.h"
#include "pen-query-stacks.h"

G_BEGIN_DECLS

/* PenPairFrames: which frame a group of one of the recordings is */
typedef struct _PenPairFrames PenPairFrames;

/* @frames: (element-type PenPairFrame): where they are added; @strings: of their names. Both
 * outlive it. Cost: a step for each row, and the programs of both. */
PenPairFrames *pen_pair_frames_new (const PenPairSource sources[2], const PenPairs *pairs,
                                    GArray *frames, PenNames *strings, GError **error);
void pen_pair_frames_free (PenPairFrames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairFrames, pen_pair_frames_free)

/* @groups: all of that side, by function; @index: of one. Returns: index in the frames */
guint32 pen_pair_frames_get (PenPairFrames *self, guint side, const PenStackGroup *groups,
                             guint32 index);

G_END_DECLS
