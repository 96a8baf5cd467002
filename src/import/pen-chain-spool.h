/* pen-chain-spool.h: callchains as recorded, each kept once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-record.h"

G_BEGIN_DECLS

#define PEN_CHAIN_LENGTH_MAX (65536u / 8)

/*
 * PenChainSpool: many samples have the same callchain, so each is kept once (or nearly: what has
 * not been seen for long may be kept again). Where the user half of a chain comes in a record of
 * its own (CALLCHAIN_DEFERRED), which may stand before or after the sample, the two are joined.
 */
typedef struct _PenChainSpool PenChainSpool;

PenChainSpool *pen_chain_spool_new (const char *directory, gsize memory);
void pen_chain_spool_free (PenChainSpool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainSpool, pen_chain_spool_free)

/* Stands in a run for the sample's own address: what follows it called it. */
#define PEN_CHAIN_LEAF G_MAXUINT64

/*
 * pen_chain_spool_add:
 * @place: (out): 0: none, or there is no more room
 * @is_whole: (out): FALSE: the chain began with the sample's address, which the run has not: so
 *   there are far fewer different ones
 */
gboolean pen_chain_spool_add (PenChainSpool *self, const PenSampleRecord *sample, gint32 tid,
                              guint32 *place, gboolean *is_whole, GError **error);

/* The user half of those chains of @tid that wait for @cookie. */
gboolean pen_chain_spool_add_deferred (PenChainSpool *self, guint64 cookie, gint32 tid,
                                       const guint64 *chain, gsize n, GError **error);

/* @first, @second: the chain's two halves: places of runs; 0: none. Equal halves, equal callers. */
void pen_chain_spool_split (PenChainSpool *self, guint32 place, guint32 *first, guint32 *second);

/* The run at @half: valid until the next call, or NULL with @error. */
const guint64 *pen_chain_spool_get (PenChainSpool *self, guint32 half, gsize *n, GError **error);

/* Chains whose user half was announced and never came, or came too late. */
guint64 pen_chain_spool_get_unjoined (PenChainSpool *self);

G_END_DECLS
