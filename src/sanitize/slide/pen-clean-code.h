/* pen-clean-code.h: code of the kernel, with its addresses moved
 *
 * Where an instruction begins decides what its bytes are. It is known of symbols, programs and
 * stubs, of patches, and of addresses at which a sample landed; from there on, one follows the
 * other, up to bytes that are none, and to a breakpoint that stands in place of another one's first
 * byte. Bytes that no instruction is known to begin before are not sound: they may be a part of an
 * address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clean-slide.h"
#include "pen-store-clean.h"

G_BEGIN_DECLS

typedef struct _PenCleanCode PenCleanCode;

/* @slide: kept. Decodes all text of the kernel's space that @store has; memory: three times that.
 */
PenCleanCode *pen_clean_code_new (PenStore *store, const PenCleanSlide *slide,
                                  GCancellable *cancellable, GError **error);
void pen_clean_code_free (PenCleanCode *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCleanCode, pen_clean_code_free)

/* As PenStoreCleaner.code. */
void pen_clean_code_move (PenCleanCode *self, PenCleanPiece *piece);

/* How many bytes were not sound. */
guint64 pen_clean_code_get_unsound (const PenCleanCode *self);

G_END_DECLS
