/* pen-source.h: a file that names or bytes of the kernel may come from, and what became of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-dated-kcore.h"
#include "pen-kallsyms.h"
#include "pen-kcore.h"
#include "pen-kernel-file.h"
#include "pen-snapshot-file.h"
#include "pen-text-sites.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

typedef enum {
  PEN_SOURCE_NAMES = 1 << 0,
  PEN_SOURCE_BYTES = 1 << 1,
  PEN_SOURCE_SITES = 1 << 2,   /* the kernel's own tables of what it patches */
  PEN_SOURCE_MODULES = 1 << 3, /* where modules were */
  PEN_SOURCE_LINES = 1 << 4,   /* of source */
} PenSourceGift;

/*
 * PenSource:
 * @what: "kallsyms", "kcore", "modules", "vmlinux", "module"
 * @found: how: "kcore_dir", "recorder", "given", "perf's cache", "this machine", …
 * @is_captured: it is of the capture itself: of kcore_dir, or a snapshot of the recorder
 * @date, @time: when a snapshot was made: see pen-snapshot-file.h; ns, once the recorded time is
 *   known
 * @evidence: what it gives has, before pokes confirm it
 * @moved: added to its addresses (KASLR)
 * @gives: what was taken from it, PenSourceGift
 * @refused: (nullable): why nothing is
 * @kallsyms, @kcore, @file: which of them it is; all NULL: refused, or a list of modules
 * @dated: of @kcore, where it was made after the start; from when it is checked
 * @sites: of @file, when asked for
 * @modules: (nullable) (element-type PenModule): where it says that modules were
 * @is_folder: @modules are of a copy of /sys/module, which need not be whole; they may have times
 *   of their own
 */
typedef struct {
  const char *what;
  const char *found;
  char *path;
  char *occupant; /* of a module's file; else NULL */
  gboolean is_captured;
  gboolean is_given;
  PenSnapshotDate date;
  guint64 time;
  PenEvidence evidence;
  guint64 moved;
  guint gives;
  char *refused;
  PenKallsyms *kallsyms;
  PenKcore *kcore;
  PenDatedKcore *dated;
  PenKernelFile *file;
  PenTextSites *sites;
  GArray *modules;
  gboolean is_folder;
} PenSource;

/* @path: copied */
PenSource *pen_source_new (const char *what, const char *found, const char *path,
                           PenEvidence evidence);
void pen_source_free (PenSource *self);

/* Frees what @self has loaded. @reason: taken */
void pen_source_refuse (PenSource *self, char *reason);

/* M5: a copy shows the modules that were there when it was made. Is @tenure one of them, or of
 * something else? Its time is known. */
gboolean pen_source_is_of_stay (const PenSource *self, const PenTenure *tenure);

gboolean pen_source_write (const PenSource *self, guint32 id, PenStoreWriter *writer,
                           GError **error);

G_END_DECLS
