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

/* And of a range of PEN_STORE_TEXT_RANGE at most, what the kernel's text beside the store has. */
#define PEN_STORE_TEXT_RANGE (4u << 20)
GPtrArray *pen_store_load_text (PenStore *self, guint64 start, guint64 end, GError **error);

/* The core kernel's text, of which a store keeps only functions with samples or pokes, is in a file
 * of the cache, and is found where the store still lies beside it. */
typedef enum {
  PEN_STORE_KERNEL_TEXT_NONE, /* there never was one */
  PEN_STORE_KERNEL_TEXT_THERE,
  PEN_STORE_KERNEL_TEXT_GONE,
} PenStoreKernelText;

PenStoreKernelText pen_store_has_kernel_text (PenStore *self);

/* The same of a file that names code of user space (PenStoreNameFile): addresses are those in the
 * file, and no text has a tenure. */
GPtrArray *pen_store_load_file_text (PenStore *self, guint32 name_file, guint64 start, guint64 end,
                                     GError **error);

G_END_DECLS
