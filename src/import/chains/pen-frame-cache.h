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
 * PenCachedFrame:
 * @id: or PEN_FRAME_NONE where there are too many
 * @page: PEN_FRAME_NO_PAGE: it is the same at any time; else see pen_sweep_is_held_since()
 * @site: of its revision: see pen_sweep_find_kernel_site()
 */
typedef struct {
  guint32 id;
  guint32 page;
  guint32 site;
  guint32 revision;
} PenCachedFrame;

#define PEN_FRAME_NO_PAGE G_MAXUINT32

/* @is_return: @address will be returned to: the call stands before it */
PenCachedFrame pen_frame_cache_get (PenFrameCache *self, const PenFramePlace *place,
                                    guint64 address, gboolean is_return);

/*
 * pen_frame_cache_get_ids:
 * @addresses: @n of them; all but the first will be returned to, and that one if @is_return
 * @ids: (out): see PenCachedFrame
 */
void pen_frame_cache_get_ids (PenFrameCache *self, const PenFramePlace *place,
                              const guint64 *addresses, guint n, gboolean is_return, guint32 *ids);

/* Memory that pen_frame_cache_get() needs is on its way into the cache; and some frames later, if
 * @address is not known, of the table of frames: as if nothing were there. Most addresses that are
 * met once are no code. */
void pen_frame_cache_expect (PenFrameCache *self, const PenFramePlace *place, guint64 address,
                             gboolean is_return);
void pen_frame_cache_expect_unknown (PenFrameCache *self, const PenFramePlace *place,
                                     guint64 address, gboolean is_return);

G_END_DECLS
