/* pen-text.h: the bytes of a tenure as of a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cancel-check.h"
#include "pen-kallsyms.h"
#include "pen-kcore.h"
#include "pen-modules.h"
#include "pen-poke.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * PenTextPiece: bytes that some source gives for a stretch of a tenure, before any poke.
 * @evidence: RECORDED for the image of a BPF program; FILE for the kcore that the recorder took
 * with the capture, which a poke's old bytes then raise to RECORDED where they agree
 * @source: "kcore", "BPF image": for a person
 *
 * A copy of the kernel's memory shows the moment when it was taken: it shows nothing of a tenure
 * that began later. The caller leaves such pieces out.
 */
typedef struct {
  guint32 tenure;
  guint64 start;
  GBytes *bytes;
  PenEvidence evidence;
  const char *source;
} PenTextPiece;

/*
 * PenText: the bytes of one tenure's range over time: pieces, with the pokes applied in time order.
 * Pieces and pokes of other tenures are left out (P3: a new tenure has bytes of its own). Old bytes
 * of a poke give the text before it where no piece does. Nothing is known before a fill, nor after
 * a clear. Where pieces overlap, the better evidence wins.
 */
typedef struct _PenText PenText;

/*
 * pen_text_new:
 * @start, @end: cut to @tenure's range, and to PEN_TEXT_MAX bytes
 * @pokes: in any order; they, not the pieces, have to outlive the text
 *
 * Cost: the range, and O(n log n) in the pokes.
 */
#define PEN_TEXT_MAX (64u << 20)

PenText *pen_text_new (const PenTenure *tenure, guint64 start, guint64 end,
                       const PenTextPiece *const *pieces, gsize n_pieces,
                       const PenPoke *const *pokes, gsize n_pokes);

/* Returns: NULL: @check stopped it */
PenText *pen_text_new_checked (const PenTenure *tenure, guint64 start, guint64 end,
                               const PenTextPiece *const *pieces, gsize n_pieces,
                               const PenPoke *const *pokes, gsize n_pokes, PenCancelCheck *check);
void pen_text_free (PenText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenText, pen_text_free)

/*
 * pen_text_read:
 * @buffer: (out): @length bytes
 * @known: (out): @length flags, 1 where the byte is known
 * @evidence: (out) (optional): the weakest of the known bytes'; UNKNOWN where none is
 *
 * The text just before @moment (a poke at @moment itself is not yet in it).
 * Cost: @length, and O(log n) in the pokes for each stretch that pokes divide it into.
 */
void pen_text_read (PenText *self, guint64 address, gsize length, PenMoment moment, guint8 *buffer,
                    guint8 *known, PenEvidence *evidence);

/*
 * PenChainBreak: a poke whose old bytes are not what was there (P5)
 * @is_of_copy: what was there is known by a copy of the kernel's memory alone: no poke of these
 *   bytes came before this one
 * @length: of the old bytes
 * @expected: what was there; the first bytes of it
 * @expected_known: how many of @expected are known, counted from the first
 */
typedef struct {
  guint32 poke;
  guint16 length;
  guint8 expected[16];
  guint8 expected_known;
  gboolean is_of_copy;
} PenChainBreak;

/*
 * pen_text_check_chain: compares the old bytes of each poke with the known bytes before it. Old
 * bytes outside the range are not looked at.
 *
 * Returns: (element-type PenChainBreak): in time order; not all of them where @check stopped it
 */
GArray *pen_text_check_chain (PenText *self, PenCancelCheck *check);

G_END_DECLS
