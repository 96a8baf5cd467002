/* pen-inflater.h: the records inside COMPRESSED records
 *
 * Each file of a capture has one zstd stream that goes on from record to record and never ends its
 * frame; a record inside may begin in one COMPRESSED record and end in the next. Output is made
 * piece by piece, so that memory does not grow with what a record claims to hold.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PenInflater PenInflater;

PenInflater *pen_inflater_new (void);
void pen_inflater_free (PenInflater *self);

/* Forgets everything: for the next file, or for the same from its start. */
void pen_inflater_reset (PenInflater *self);

/*
 * pen_inflater_begin:
 * @data: what one COMPRESSED record holds; must stay until peek() gives fewer bytes than needed
 * @output_max: more output than this means a damaged or malicious record
 */
void pen_inflater_begin (PenInflater *self, const guint8 *data, gsize length, guint64 output_max);

/*
 * pen_inflater_peek:
 * @needed: at most PEN_RECORD_SIZE_MAX
 * @available: (out): how many bytes are at hand: fewer than @needed when the input is used up
 *
 * Returns: the bytes at hand, valid until the next call; NULL if the stream is damaged, after which
 *   it gives nothing more until it is reset
 */
const guint8 *pen_inflater_peek (PenInflater *self, gsize needed, gsize *available);

/* Why pen_inflater_peek() returned NULL: one sentence, (transfer none). */
const char *pen_inflater_get_reason (PenInflater *self);

void pen_inflater_consume (PenInflater *self, gsize size);

/* Whether bytes of an unfinished record are waiting for the next COMPRESSED record. */
gsize pen_inflater_get_left_over (PenInflater *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenInflater, pen_inflater_free)

G_END_DECLS
