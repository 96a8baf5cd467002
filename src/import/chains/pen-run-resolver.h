/* pen-run-resolver.h: parts of callchains to lists of frames, as of a moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-spool.h"
#include "pen-frame-table.h"
#include "pen-history.h"

G_BEGIN_DECLS

/*
 * PenRunResolver: a run that was resolved is resolved again only after a change that may alter one
 * of its frames; where it turns out to be what it was, it has the same list.
 */
typedef struct _PenRunResolver PenRunResolver;

/* All are borrowed. */
PenRunResolver *pen_run_resolver_new (PenChainSpool *spool, PenFrameTable *frames, PenSweep *sweep);
void pen_run_resolver_free (PenRunResolver *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRunResolver, pen_run_resolver_free)

/*
 * PenResolvedRun:
 * @list: names what the run's frames are: two runs with one list have the same; 0: no run
 * @ids: the frames, the leaf first; PEN_FRAME_NONE for each that was one too many
 * @note: for the caller, who may keep there what it knows of the list: 0 at first; NULL: no run
 */
typedef struct {
  guint32 list;
  const guint32 *ids;
  guint32 n;
  guint32 *note;
} PenResolvedRun;

/* To be called before each two runs. Returns: TRUE: lists from before mean nothing any more */
gboolean pen_run_resolver_make_room (PenRunResolver *self);

/*
 * pen_run_resolver_get:
 * @run: a number of a run in the spool; 0: none
 * @pid: of the sample, and @space: where that is now, or PEN_SWEEP_NO_SPACE; @change: the last
 *   change there
 * @resolved: (out): what it points to is valid until the next call
 */
gboolean pen_run_resolver_get (PenRunResolver *self, guint32 run, gint32 pid, guint32 space,
                               guint64 change, PenResolvedRun *resolved, GError **error);

/* The same for a run that is not asked for again: nothing of it is kept. @resolved: has no list,
 * and no note */
gboolean pen_run_resolver_get_once (PenRunResolver *self, guint32 run, gint32 pid, guint32 space,
                                    PenResolvedRun *resolved, GError **error);

/*
 * Memory that is needed to resolve @run is on its way into the cache: of the run; some runs later
 * of its frames, if it is not known; and some later of those frames that are not known. Only frames
 * of a process: there are few places in the kernel, and these are in the cache.
 */
void pen_run_resolver_expect (PenRunResolver *self, guint32 run, gint32 pid);
void pen_run_resolver_expect_frames (PenRunResolver *self, guint32 run, gint32 pid, guint32 space);
void pen_run_resolver_expect_unknown (PenRunResolver *self, guint32 run, gint32 pid, guint32 space);

G_END_DECLS
