/* pen-sideband.h: every record but samples, as recorded: into the history, and into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-modules.h"
#include "pen-progress.h"
#include "pen-reader.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

typedef struct _PenSideband PenSideband;

PenSideband *pen_sideband_new (PenHistory *history);
void pen_sideband_free (PenSideband *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSideband, pen_sideband_free)

/* Adds one record to the history, and keeps it for the store. Samples and what is not about
 * text or tasks are passed over. */
void pen_sideband_add (PenSideband *self, const PenRecord *record);

/* Whether the name of a map, or of a COMM, was in a record before. */
gboolean pen_sideband_knows_name (PenSideband *self, const PenRecord *record);

/* Modules of a list of the start (rule M3) that no map of the initial state names, and that overlap
 * none. @modules: (element-type PenModule). Returns: how many were added */
guint pen_sideband_add_modules (PenSideband *self, const GArray *modules);

/* After resolving: how many stays of modules there are that no record of a map began. */
guint64 pen_sideband_get_unmapped_modules (PenSideband *self);

/*
 * PenKernelPlace: where the first map of the core kernel says that it is
 * @symbol: (nullable): "_text" or "_stext", which is at @address; 0: no map says so
 */
typedef struct {
  const char *symbol;
  guint64 address;
  guint64 start;
  guint64 end;
} PenKernelPlace;

PenKernelPlace pen_sideband_get_kernel (PenSideband *self);

/* Ranges of ksymbol records, at whatever time. */
typedef void (*PenKsymbolFunc) (guint64 start, guint64 end, gpointer user_data);
void pen_sideband_foreach_ksymbol (PenSideband *self, PenKsymbolFunc func, gpointer user_data);

/* Maps of processes, with their names as recorded. */
typedef void (*PenProcessMapFunc) (const char *name, gint32 pid, gpointer user_data);
void pen_sideband_foreach_process_map (PenSideband *self, PenProcessMapFunc func,
                                       gpointer user_data);

/* At the end of the stream: what only the features tell. Then the history can be sealed. */
void pen_sideband_finish (PenSideband *self, const PenFeatures *features);

/*
 * How many modules' build-ids were not used, since two modules had the same. perf of 6.17 to 6.19
 * gave all modules the build-id of the first.
 */
guint pen_sideband_get_dropped_build_ids (PenSideband *self);

/* Ranges of the kernel space that timed maps and ksymbol records changed. */
typedef struct {
  guint32 tenure; /* 0: of a map that left none */
  guint64 start;
  guint64 end;
} PenSidebandChange;

/*
 * PenSidebandRows: what a store has of the parts before of the same recording; records of processes
 * come once, those of the kernel in each part
 * @maps, @ksymbols: how many of the kernel's, in time order
 * @tenures: the last that was known
 * @changes: (element-type guint32): of the kernel's changes, in time order
 * @last_change: of all
 */
typedef struct {
  guint maps;
  guint ksymbols;
  guint tenures;
  GArray *changes;
  guint32 last_change;
} PenSidebandRows;

/* After sealing: sorts the changes, numbers them, and finds the tenure of each. @rows: (nullable):
 * those that are among these keep their numbers. Returns: FALSE when cancelled. */
gboolean pen_sideband_resolve (PenSideband *self, PenSidebandRows *rows, PenProgress *progress,
                               GError **error);

/* After resolving, before writing. Returns: (transfer full) (element-type PenSidebandChange) */
GArray *pen_sideband_get_kernel_changes (PenSideband *self);

/* All but the pokes; after pen_sideband_resolve(). They are forgotten.
 * @rows: (nullable) (inout): these are not written again, but for events of programs */
gboolean pen_sideband_write (PenSideband *self, PenSidebandRows *rows, PenStoreWriter *writer,
                             PenProgress *progress, GError **error);
/* Writes the pokes of the history, with the facts that were found out about them. */
gboolean pen_sideband_write_pokes (PenSideband *self, PenStoreWriter *writer, PenProgress *progress,
                                   GError **error);

G_END_DECLS
