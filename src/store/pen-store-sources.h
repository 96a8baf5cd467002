/* pen-store-sources.h: files that names and bytes of a store came from, and build-ids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

/*
 * PenStoreNameFile: a file that functions of user space have their names from
 * @occupant: whose code it names
 * @build_id: of the file that was mapped; @build_id_length 0: it has none
 * @source: which of its tables
 */
typedef struct {
  guint32 id; /* from 1 */
  const char *occupant;
  guint8 build_id[20];
  guint build_id_length;
  const char *path;
  const char *source;
  PenEvidence evidence;
} PenStoreNameFile;

/*
 * PenStoreSource: a file that names or bytes of the kernel and its modules came from, or might have
 * @what: "kallsyms", "kcore", "modules", "vmlinux", "module"; "file": looked at, and another one's
 * @occupant: (nullable): of a module's file
 * @found: how
 * @build_id_length: 0: it has none, or is no ELF file
 * @moved: added to its addresses, modulo 2^64
 * @gives: what was taken from it: "names, bytes, sites, modules", or some of these; ""
 * @refused: (nullable): why it was not used
 */
typedef struct {
  guint32 id; /* from 1 */
  const char *what;
  const char *occupant;
  const char *path;
  const char *found;
  guint8 build_id[20];
  guint build_id_length;
  PenEvidence evidence;
  guint64 moved;
  const char *gives;
  const char *refused;
} PenStoreSource;

/* Returns: (transfer full) (element-type PenStoreSource): by id; strings owned by the store */
GArray *pen_store_load_sources (PenStore *self, GError **error);

/* PenStoreFoundFile: a file of this machine that was found and used: when it has changed, another
 * import may find something else. @changed: ns since 1970 */
typedef struct {
  const char *path;
  guint64 size;
  gint64 changed;
} PenStoreFoundFile;

/* Returns: (transfer full) (element-type PenStoreFoundFile): strings owned by the store */
GArray *pen_store_load_found_files (PenStore *self, GError **error);
/* Paths that were looked at and where nothing was.
 * Returns: (transfer full) (element-type utf8): its strings are the store's */
GPtrArray *pen_store_load_absent_files (PenStore *self, GError **error);

/*
 * PenStoredBuildId: what the recorder wrote of a file
 * @mode: "kernel", "user", "guest kernel", "guest user" or "unknown"
 */
typedef struct {
  gint32 pid;
  const char *mode;
  const guint8 *id;
  gsize id_length;
  const char *name;
} PenStoredBuildId;

/* Returns: (transfer full) (element-type PenStoredBuildId): in recorded order */
GArray *pen_store_load_build_ids (PenStore *self, GError **error);

G_END_DECLS
