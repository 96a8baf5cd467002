/* pen-loaded-text.h: what the store has of a range of the kernel's text, by tenure
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-store-text.h"
#include "pen-text.h"

G_BEGIN_DECLS

/*
 * PenTenureText: of one tenure
 * @pieces: (element-type PenTextPiece)
 * @pokes: (element-type PenPoke): in time order
 */
typedef struct {
  GPtrArray *pieces;
  GPtrArray *pokes;
  guint last_piece; /* that held a line: lines next to one another come from the same */
} PenTenureText;

/* Returns: (transfer full): g_free(); as long as @text is there */
PenTextPiece *pen_stored_text_dup_piece (const PenStoredText *text);

typedef struct _PenLoadedText PenLoadedText;

PenLoadedText *pen_loaded_text_new (PenStore *store, guint64 start, guint64 end, GError **error);
void pen_loaded_text_free (PenLoadedText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLoadedText, pen_loaded_text_free)

/* Whether all of [@start, @end) was loaded. @self: (nullable) */
gboolean pen_loaded_text_has (const PenLoadedText *self, guint64 start, guint64 end);

/* Returns: (transfer none): empty where there is nothing of @tenure */
PenTenureText *pen_loaded_text_find (PenLoadedText *self, guint32 tenure);

G_END_DECLS
