/* pen-chain-spool.h: callchains between the reading of samples and their placing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-record.h"
#include "pen-run-spool.h"

G_BEGIN_DECLS

/* A record is no longer than 64 KiB. */
#define PEN_CHAIN_LENGTH_MAX (65536u / 8)

/*
 * PenChainSpool: a callchain is kept as two runs of addresses: where the kernel was, and where user
 * space, which called it, was. There are far fewer different halves than chains; equal ones are
 * kept once (but for those not seen for long, which may be kept again). Where the user half of a
 * chain comes in a record of its own (CALLCHAIN_DEFERRED), which may stand before or after the
 * sample, the two are joined. Its memory is bounded.
 */
typedef struct _PenChainSpool PenChainSpool;

PenChainSpool *pen_chain_spool_new (const char *directory, gsize memory);
void pen_chain_spool_free (PenChainSpool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainSpool, pen_chain_spool_free)

/*
 * pen_chain_spool_add:
 * @cpumode: of the sample: where addresses are that stand before any marker
 * @place: (out): a number to find it again: equal numbers, equal chains; has PEN_RUN_HAS_USER
 *   where it may have addresses of a process; 0: none, or there is no more room
 * @is_whole: (out): FALSE: the chain began with the sample's address, which is not kept: so there
 *   are far fewer different ones
 */
gboolean pen_chain_spool_add (PenChainSpool *self, const PenSampleRecord *sample, guint cpumode,
                              gint32 tid, guint32 *place, gboolean *is_whole, GError **error);

/*
 * PenReadyChain: a callchain about to be added: its words stay where they are
 * @is_cut: @cut, @skipped and @tags are known: where it is cut in two, and the tags of both runs
 */
typedef struct {
  PenChainRun run;
  guint32 tag;
  guint8 is_whole;
  guint8 is_cut;
  gsize cut;
  gsize skipped;
  guint32 tags[2];
} PenReadyChain;

/* The parts of pen_chain_spool_add(): between them, memory that the next one needs is on its way.
 * Others may be added meanwhile. The one in the middle may be left out. */
void pen_chain_spool_get_ready (PenChainSpool *self, const PenSampleRecord *sample, guint cpumode,
                                PenReadyChain *ready);
void pen_chain_spool_cut_ready (PenChainSpool *self, PenReadyChain *ready);
gboolean pen_chain_spool_add_ready (PenChainSpool *self, const PenReadyChain *ready, gint32 tid,
                                    guint32 *place, GError **error);

/* The user half of those chains of @tid that wait for @cookie. */
gboolean pen_chain_spool_add_deferred (PenChainSpool *self, guint64 cookie, gint32 tid,
                                       const guint64 *chain, gsize n, GError **error);

/* @first, @second: the two halves of the chain at @place, numbers of runs; 0: none. */
gboolean pen_chain_spool_split (PenChainSpool *self, guint32 place, guint32 *first, guint32 *second,
                                GError **error);

/* Whether the chain at @place, or a half of it, was met before or again. Where not, keeping in mind
 * what it is would be in vain. */
gboolean pen_chain_spool_is_met_again (PenChainSpool *self, guint32 place);

/* The chain at @place is on its way into the cache, if nothing has to be read for it. */
void pen_chain_spool_expect (PenChainSpool *self, guint32 place);

/* The same as pen_chain_spool_split(). Returns: FALSE: it would have to be read */
gboolean pen_chain_spool_peek (PenChainSpool *self, guint32 place, guint32 *first, guint32 *second);

/* Borrowed: its halves. */
PenRunSpool *pen_chain_spool_get_runs (PenChainSpool *self);

/* A half that is not 0: see pen_run_spool_get(). */
gboolean pen_chain_spool_get (PenChainSpool *self, guint32 half, PenChainRun *run, GError **error);

/* Chains whose user half was announced and never came, or came too late. */
guint64 pen_chain_spool_get_unjoined (PenChainSpool *self);

G_END_DECLS
