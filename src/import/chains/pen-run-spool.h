/* pen-run-spool.h: parts of callchains, each kept once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-record.h"

G_BEGIN_DECLS

/*
 * PenChainRun: a part of a callchain
 * @entries: addresses, the one reached last first, and markers (of PEN_CONTEXT_MAX and above)
 * @n: fewer than a record has room for
 * @context: a cpumode: where addresses are that stand before any marker
 * @is_return: whether the first of these will be returned to. The first one after a marker is
 *   where its space was left, all others will be returned to
 */
typedef struct {
  const guint64 *entries;
  gsize n;
  guint context;
  gboolean is_return;
} PenChainRun;

/* The context after @marker, if @context was before it. */
guint pen_chain_context_after (guint64 marker, guint context);

/*
 * PenRunSpool: in memory, then in a temporary file; see PenByteSpool. One that has not been seen
 * for long may be kept once more.
 */
typedef struct _PenRunSpool PenRunSpool;

PenRunSpool *pen_run_spool_new (const char *directory, gsize memory);
void pen_run_spool_free (PenRunSpool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRunSpool, pen_run_spool_free)

/* Set in the number of a run that has addresses of a process. */
#define PEN_RUN_HAS_USER 0x80000000u

/* The set in which @run is looked for is on its way into the cache. Returns: for
 * pen_run_spool_intern() */
guint32 pen_run_spool_get_tag (PenRunSpool *self, const PenChainRun *run);

/* @tag: its own. @number: (out): to find it again: equal numbers, equal runs; 0: @run is empty, or
 * there is no more room. @is_known: (out): it was there */
gboolean pen_run_spool_intern (PenRunSpool *self, const PenChainRun *run, guint32 tag,
                               guint32 *number, gboolean *is_known, GError **error);

/* Whether @run begins with that of @number, @n entries long, FALSE where that is not in memory. */
gboolean pen_run_spool_is_start (PenRunSpool *self, guint32 number, const PenChainRun *run,
                                 gsize *n);

/* @run: (out): its entries are valid until the next call */
gboolean pen_run_spool_get (PenRunSpool *self, guint32 number, PenChainRun *run, GError **error);

#define PEN_RUN_PEEK_MAX 32u

/* The beginning of the run is on its way into the cache, if nothing has to be read for it. */
void pen_run_spool_expect (PenRunSpool *self, guint32 number);

/* The same as pen_run_spool_get() where nothing has to be read for it, but no more than
 * PEN_RUN_PEEK_MAX entries. @room: for so many. Returns: FALSE: it would have to be read */
gboolean pen_run_spool_peek (PenRunSpool *self, guint32 number, PenChainRun *run, guint64 *room);

G_END_DECLS
