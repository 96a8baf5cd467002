/* pen-store-functions.h: functions of a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

/*
 * PenFunction: what `functions` lists: a symbol of one occupant at one address; or, where no symbol
 * is known, all that an occupant held (symbol NULL, start and length 0).
 * @changes: pokes, registers, unregisters and maps that touched its range
 * @versions: texts that stood there one after the other: one per tenure and one per patch
 * @name_file: (PenStoreNameFile) that named it, or 0. Then @start is an address as in that file,
 * and pen_store_get_offset() knows where the file was mapped
 * @linkage_name: as it stands in the file, where @symbol is made of it; else NULL
 */
typedef struct {
  guint32 id;
  const char *symbol;
  PenKind kind;
  const char *occupant; /* "" for unknown */
  guint64 start;
  guint64 length;
  guint64 samples;
  guint64 period;
  guint64 changes;
  guint64 versions;
  guint64 pokes; /* those of the changes that are text pokes */
  const char *linkage_name;
  guint32 name_file;
} PenFunction;

/* The difference from an address in a tenure to the one in the file that names it, modulo 2^64; 0
 * where no file does. Asks for nothing: pen_store_get_functions() has to be called before. */
guint64 pen_store_get_bias (PenStore *self, const PenFunction *function, guint32 tenure);
/* The offset in @function, which has a symbol and to which @address in @tenure belongs. */
guint64 pen_store_get_offset (PenStore *self, const PenFunction *function, guint32 tenure,
                              guint64 address);

/* Element i has id i. Owned by the store, kept after the first call. */
const PenFunction *pen_store_get_functions (PenStore *self, guint *n, GError **error);

G_END_DECLS
