/* pen-store-text.h: bytes of code that a store keeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

/* Bytes kept of [@start, @end) for any tenure.
 * Returns: (transfer full) (element-type PenStoredText) */
typedef struct {
  guint32 tenure;
  guint64 start;
  GBytes *bytes;
  PenEvidence evidence;
  const char *source;
} PenStoredText;

GPtrArray *pen_store_load_text (PenStore *self, guint64 start, guint64 end, GError **error);

/* The same of a file that names code of user space (PenStoreNameFile): addresses are those in the
 * file, and no text has a tenure. */
GPtrArray *pen_store_load_file_text (PenStore *self, guint32 name_file, guint64 start, guint64 end,
                                     GError **error);

G_END_DECLS
