/* pen-user-names.h: names of the code of user space
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kept-names.h"
#include "pen-debuginfod.h"
#include "pen-features.h"
#include "pen-store-writer.h"
#include "pen-symbol-finder.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

typedef struct _PenUserNames PenUserNames;

/*
 * PenUserSymbol:
 * @name: to be shown
 * @linkage_name: as it stands in the file, where @name is made of it; else NULL
 * @start, @length: in bytes; @start as in the file
 * @file: (PenStoreNameFile), from 1
 */
typedef struct {
  const char *name;
  const char *linkage_name;
  guint64 start;
  guint64 length;
  guint32 file;
} PenUserSymbol;

/*
 * pen_user_names_new:
 * @symfs, @debuginfod: (nullable): see pen_symbol_finder_new()
 * @perf_map, @kept: (nullable): see PenSources; @kept outlives the result
 * @cancellable: (nullable): where it is cancelled, less is found
 *
 * Only mapped files in which something is asked for are read.
 */
PenUserNames *pen_user_names_new (const char *symfs, const char *perf_map,
                                  PenDebuginfod *debuginfod, PenKeptNames *kept,
                                  GCancellable *cancellable);
void pen_user_names_free (PenUserNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenUserNames, pen_user_names_free)

/* @features: for build-ids that maps do not tell; of a name that has several none is taken. Call it
 * before anything is asked for. */
void pen_user_names_set_features (PenUserNames *self, const PenFeatures *features);

/* @spaces: all of them; whose memory it is that a perf-PID.map names. Without it none is read. They
 * outlive @self. */
void pen_user_names_set_spaces (PenUserNames *self, const PenSpace *spaces, guint n);

/* Is there a file whose names count in @tenure? The first time, it is looked for. */
gboolean pen_user_names_has (PenUserNames *self, const PenTenure *tenure);
/* @symbol: its strings are owned by @self */
gboolean pen_user_names_find (PenUserNames *self, const PenTenure *tenure, guint64 address,
                              PenUserSymbol *symbol);

/* The symbols of a file (PenStoreNameFile's id); NULL: a perf-PID.map. Owned by @self. */
const PenFoundSymbols *pen_user_names_get_file (PenUserNames *self, guint32 id);
/* The recorded name of the code that it named first; owned by @self */
const char *pen_user_names_get_occupant (PenUserNames *self, guint32 id);

/* (element-type utf8): recorded paths that were not looked for (pen_file_roots_is_refused()) */
GPtrArray *pen_user_names_get_refused (PenUserNames *self);

/* The files that names came from, and where they were mapped: what was not written before. */
gboolean pen_user_names_write (PenUserNames *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
