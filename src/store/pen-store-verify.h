/* pen-store-verify.h: is everything in a store as it was written?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/* @damage: what is damaged, and how: "sample_block 17, columns: its checksum does not fit" */
typedef void (*PenVerifyFunc) (const char *damage, gpointer user_data);

/*
 * PenVerified: what was looked at
 * @packs: blocks, of all kinds
 */
typedef struct {
  guint64 packs;
  guint64 bytes;
  guint64 samples;
  guint damages;
} PenVerified;

/*
 * pen_store_verify:
 *
 * Reads all of the file: SQLite's own check of it (PRAGMA integrity_check), the checksum of every
 * block of every table that has blocks, and then what is in them.
 *
 * Returns: FALSE with @error: it could not be looked at, or was cancelled. Damage is no error here.
 */
gboolean pen_store_verify (PenStore *self, PenVerifyFunc func, gpointer user_data,
                           PenVerified *verified, GError **error);

G_END_DECLS
