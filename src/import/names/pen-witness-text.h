/* pen-witness-text.h: the text of the places that a witness read, as it is known without it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sources.h"
#include "pen-witnessed-place.h"

G_BEGIN_DECLS

/*
 * PenWitnessText: a place (64 bytes from a start) as of any time. Each place's own is kept. Bytes
 * are numbered from the start; a mask has bit i for byte i.
 */
typedef struct _PenWitnessText PenWitnessText;

/* @history: sealed; @sources: checked; both outlive it */
PenWitnessText *pen_witness_text_new (PenHistory *history, PenLoadedSources *sources);
void pen_witness_text_free (PenWitnessText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWitnessText, pen_witness_text_free)

/* Pokes of the history were added or numbered again: what was kept of them is forgotten. */
void pen_witness_text_forget_pokes (PenWitnessText *self);

/* A change that no record tells of, from now on: copied. In time order, as all that is read with
 * PEN_PLACE_CHANGED. */
void pen_witness_text_add_poke (PenWitnessText *self, const PenPoke *poke);
/* (element-type PenPoke): those, in time order. Owned by it. */
const GPtrArray *pen_witness_text_get_added (PenWitnessText *self);
/* Position of the last of them in the place at @start; 0: there is none */
guint64 pen_witness_text_get_last_added (PenWitnessText *self, guint64 start);

/*
 * PenPlaceText: a place at a moment
 * @known: bytes that are; @weak: of these, those that a file alone tells that nothing checked, or
 * that are inferred
 * @tenures: of each byte; 0: nothing is known there
 */
typedef struct {
  guint8 bytes[PEN_WITNESSED_BYTES];
  guint32 tenures[PEN_WITNESSED_BYTES];
  guint64 known;
  guint64 weak;
} PenPlaceText;

/* What is read of a place. */
typedef enum {
  PEN_PLACE_RECORDED = 0,
  PEN_PLACE_CHANGED = 1 << 0, /* with the changes that were added */
  PEN_PLACE_ASKED = 1 << 1,   /* sources may be asked; else text of a tenure that was not asked for
                               * before is not known */
} PenPlaceFlags;

/* The place at @start just before @moment. @sweep: where it is: who holds the bytes */
void pen_witness_text_read (PenWitnessText *self, PenSweep *sweep, guint64 start, guint length,
                            PenMoment moment, PenPlaceFlags flags, PenPlaceText *text);

/* Which bytes of the place at @start any record of a poke ever touched. */
guint64 pen_witness_text_get_touched (PenWitnessText *self, guint64 start);
/* (element-type guint32): indexes of those pokes, in time order. Owned by it. */
const GArray *pen_witness_text_get_pokes (PenWitnessText *self, guint64 start);

/* A reading told the bytes in @mask, which nothing else knows, of the tenures in @text. */
void pen_witness_text_tell (PenWitnessText *self, guint64 start, const guint8 *bytes, guint64 mask,
                            const PenPlaceText *text);
/* Writes the bytes that were told of a tenure, and never otherwise, nor poked. */
gboolean pen_witness_text_write (PenWitnessText *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
