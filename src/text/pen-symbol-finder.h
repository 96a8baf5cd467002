/* pen-symbol-finder.h: which file names the code of a mapped file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-debuginfod.h"
#include "pen-elf-file.h"
#include "pen-words.h"

G_BEGIN_DECLS

/*
 * PenFoundSymbols:
 * @path: of the file that names come from
 * @table: ".symtab", ".dynsym", ".gnu_debugdata"
 * @evidence: FILE: its build-id is the one that was recorded, or it belongs to a file of that
 *   build-id; FILE_UNCHECKED: no build-id was recorded, and the user gave the place of files
 * @build_id: of the file that was mapped; @build_id_length is 0 where it has none
 */
typedef struct {
  const char *path;
  const char *table;
  PenEvidence evidence;
  guint8 build_id[PEN_ELF_BUILD_ID_MAX];
  guint build_id_length;
  PenElfFile *image; /* whose segments count */
  PenElfFile *names; /* may be the same */
} PenFoundSymbols;

typedef struct _PenSymbolFinder PenSymbolFinder;

/*
 * pen_symbol_finder_new:
 * @symfs: (nullable): a directory that the recorded machine's files are below; then none of this
 *   machine's are looked at but those in perf's cache
 *
 * Looks in perf's cache (~/.debug) and /usr/lib/debug by build-id, then at the recorded path; for
 * a separate debug file also where .gnu_debuglink points. In a Flatpak sandbox the host's files are
 * those below /run/host.
 *
 * @debuginfod: (nullable): asked for what is not found here; outlives the finder. NULL: nothing is
 *   asked from a network
 * @cancellable: (nullable): where it is cancelled, less is found
 */
PenSymbolFinder *pen_symbol_finder_new (const char *symfs, PenDebuginfod *debuginfod,
                                        GCancellable *cancellable);
/* For what is looked for from now on. @cancellable: (nullable) */
void pen_symbol_finder_set_cancellable (PenSymbolFinder *self, GCancellable *cancellable);
void pen_symbol_finder_free (PenSymbolFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSymbolFinder, pen_symbol_finder_free)

/*
 * pen_symbol_finder_find:
 * @path: as recorded; a file name, or "[vdso]"
 * @build_id: as recorded; @length 0: it was not
 *
 * A file counts only if its build-id is @build_id. Each (path, build-id) is looked for once, and at
 * most 4096 of them.
 *
 * Returns: (nullable): NULL where nothing matches, or what matches names nothing; owned by @self
 */
const PenFoundSymbols *pen_symbol_finder_find (PenSymbolFinder *self, const char *path,
                                               const guint8 *build_id, guint length);

/* (element-type utf8): recorded paths that were not looked for (pen_file_roots_is_refused()) */
GPtrArray *pen_symbol_finder_get_refused (PenSymbolFinder *self);

G_END_DECLS
