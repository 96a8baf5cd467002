/* pen-frame-cache.h: addresses to frames, as of a moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-frame-table.h"
#include "pen-history.h"

G_BEGIN_DECLS

/*
 * PenFrameCache: whose an address is now, and in which revision; each is looked up again only if
 * something changed near it. Callchains that differ share most of their frames.
 */
typedef struct _PenFrameCache PenFrameCache;

PenFrameCache *pen_frame_cache_new (PenFrameTable *frames, PenSweep *sweep);
void pen_frame_cache_free (PenFrameCache *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFrameCache, pen_frame_cache_free)

/*
 * PenFramePlace: where an address is to be looked up
 * @context: a cpumode
 * @pid: of user addresses; @space: its space now, or PEN_SWEEP_NO_SPACE
 */
typedef struct {
  guint context;
  gint32 pid;
  guint32 space;
} PenFramePlace;

/*
 * pen_frame_cache_get:
 * @is_return: @address will be returned to: the call stands before it
 * @site: (out): PEN_SWEEP_NO_SITE: the frame is right as long as no part of a tenure comes or goes;
 *   else its revision has to stay the same, too
 * @revision: (out): of the frame
 *
 * Returns: its id, or PEN_FRAME_NONE where there are too many
 */
guint32 pen_frame_cache_get (PenFrameCache *self, const PenFramePlace *place, guint64 address,
                             gboolean is_return, guint32 *site, guint32 *revision);

G_END_DECLS
