/* pen-sources.h: names and bytes beside the capture: kallsyms, kcore, modules, BPF images
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-import.h"
#include "pen-kallsyms.h"
#include "pen-kcore.h"
#include "pen-modules.h"
#include "pen-reader.h"
#include "pen-text.h"
#include "pen-user-names.h"

G_BEGIN_DECLS

/* One source that could not be used: the import goes on without it, and says so. */
typedef struct {
  char *file;
  char *reason;
} PenSourceProblem;

/*
 * PenLoadedSources: NULL where there is none
 * @problems: (element-type PenSourceProblem)
 */
typedef struct {
  char *kallsyms_path;
  char *kcore_path;
  char *modules_path;
  PenKallsyms *kallsyms; /* after pen_loaded_sources_wait() */
  PenKcore *kcore;
  GArray *modules;            /* (element-type PenModule) */
  gboolean kcore_is_captured; /* it came with the capture: the same kernel, the same boot */
  GPtrArray *problems;
  GHashTable *images;  /* tenure's id → PenTextPiece */
  GArray *bpf_tenures; /* guint32: tenure's id or 0, for each function of each program in turn */
  GMutex kallsyms_lock;
  GThread *kallsyms_loader;
  GError *kallsyms_error; /* why nothing can go on without it */
  GCancellable *cancellable;
  gboolean kallsyms_is_given;
  PenUserNames *user_names;
} PenLoadedSources;

/*
 * pen_loaded_sources_open:
 * @kcore_dir: (nullable): as pen_reader_get_kcore_dir() gives it
 * @given: (nullable): what the user gave goes before what the capture has
 *
 * A given file that cannot be used is an error; one of the capture's own is a problem.
 * kallsyms is parsed in a thread of its own, while the records are read.
 */
PenLoadedSources *pen_loaded_sources_open (const char *kcore_dir, const PenSources *given,
                                           GCancellable *cancellable, GError **error);
/* Until kallsyms is there. May be called by several threads. */
gboolean pen_loaded_sources_wait (PenLoadedSources *self, GError **error);
void pen_loaded_sources_free (PenLoadedSources *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLoadedSources, pen_loaded_sources_free)

/* Joins the functions and images of BPF_PROG_INFO with the tenures of the sealed @history. */
void pen_loaded_sources_join_images (PenLoadedSources *self, const PenFeatures *features,
                                     PenHistory *history);

/*
 * What the sources give for [@start, @end) of @tenure before any poke. kcore shows the moment when
 * it was copied, before the first record: only a tenure of the initial state has its bytes from
 * there.
 *
 * Returns: (transfer full) (element-type PenTextPiece)
 */
GPtrArray *pen_loaded_sources_read (PenLoadedSources *self, const PenTenure *tenure, guint64 start,
                                    guint64 end);

G_END_DECLS
