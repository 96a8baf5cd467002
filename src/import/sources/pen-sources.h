/* pen-sources.h: names and bytes beside the capture: kallsyms, kcore, modules, BPF images
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-import.h"
#include "pen-kernel-sources.h"
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
 * PenLoadedSources:
 * @problems: (element-type PenSourceProblem)
 */
typedef struct {
  PenKernelSources *kernel;
  PenDebuginfod *debuginfod; /* or NULL: the user did not ask for it */
  GPtrArray *problems;
  GMutex problems_lock;
  PenRecorderFiles *recorder;
  GHashTable *images;  /* tenure's id → PenTextPiece */
  GArray *bpf_tenures; /* guint32: tenure's id or 0, for each function of each program in turn */
  PenUserNames *user_names;
} PenLoadedSources;

/*
 * pen_loaded_sources_open:
 * @reader: of the capture that they are of
 * @given: (nullable)
 *
 * See pen_kernel_sources_new().
 */
PenLoadedSources *pen_loaded_sources_open (PenReader *reader, const PenSources *given,
                                           GCancellable *cancellable, GError **error);
void pen_loaded_sources_free (PenLoadedSources *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLoadedSources, pen_loaded_sources_free)

/* @file cannot be used, or not all of it; the import goes on, and says so. */
void pen_loaded_sources_add_problem (PenLoadedSources *self, const char *file, const char *reason);

/* The reason why debuginfod did not answer, if it was asked, becomes a problem. Call it when
 * nothing more is asked for. */
void pen_loaded_sources_note_debuginfod (PenLoadedSources *self);

/* Recorded paths of mapped files that were not looked for become sources that are not used, before
 * the sources of the kernel are written. */
void pen_loaded_sources_note_refused (PenLoadedSources *self);

/* Joins the functions and images of BPF_PROG_INFO with the tenures of the sealed @history. */
void pen_loaded_sources_join_images (PenLoadedSources *self, const PenFeatures *features,
                                     PenHistory *history);

/*
 * What the sources give for [@start, @end) of @tenure before any poke: see
 * pen_kernel_sources_read(); and the image of a BPF program.
 *
 * Returns: (transfer full) (element-type PenTextPiece)
 */
GPtrArray *pen_loaded_sources_read (PenLoadedSources *self, const PenTenure *tenure, guint64 start,
                                    guint64 end);

G_END_DECLS
