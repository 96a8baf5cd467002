/* pen-import-kept.h: what the import of the next part of a growing recording goes on with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-book.h"
#include "pen-chain-tree.h"
#include "pen-frame-table.h"
#include "pen-import-facts.h"
#include "pen-import-history.h"
#include "pen-jit-pass.h"
#include "pen-loss-tracker.h"
#include "pen-names.h"
#include "pen-page-file.h"
#include "pen-sample-writer.h"
#include "pen-sideband.h"
#include "pen-thread-table.h"

G_BEGIN_DECLS

/*
 * PenImportKept: samples of a part are placed in a history that goes on from that of the part
 * before, and go to those of the parts before: so tenures keep their ids. They do, since a part
 * ends at a time before which nothing comes any more; if something does all the same, or a later
 * record tells of earlier times, is_other is set, and all parts begin anew.
 *
 * @present: at the end of the last part
 * @pokes: (element-type PenKnownPoke)
 * @names: of those who made them
 * @n_frames: frames whose functions are known
 * @rows, @sideband: what the store has
 * @has_text: (element-type guint8): of each function, whether its file was read
 * @n_mapped: maps of the kernel whose names the store has
 * @wanted: of the text pass
 * @n_attrs: events of the last part; 0: there was none
 */
typedef struct {
  PenMoment moment;
  const char *comm;
} PenKnownPoke;

typedef struct {
  PenPageFile *pages;
  PenStoreWriter *writer;
  PenPageState *state; /* of the last part */
  gboolean is_other;

  PenPresent *present;
  GArray *pokes;
  PenNames *names;
  PenThreadTable *threads;
  PenFrameTable *frames;
  guint n_frames;
  PenChainTree *tree;
  PenBucketTable *buckets;
  PenBookSums sums;
  PenSampleRest rest;
  PenUserNames *user_names;
  PenHistoryRows rows;
  PenSidebandRows sideband;
  PenJitKept *jit;
  GByteArray *has_text;
  guint n_mapped;
  GArray *wanted;
  PenLossTracker *losses;
  PenImportCounts counts;
  guint n_attrs;
} PenImportKept;

/* @directory: for the store's file */
PenImportKept *pen_import_kept_new (const char *directory, GError **error);
void pen_import_kept_free (PenImportKept *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenImportKept, pen_import_kept_free)

/* Whether there are other maps of the kernel than when it was asked the last time. */
gboolean pen_import_kept_take_maps (PenImportKept *self, PenHistory *history);

/* Whether @history, sealed, begins with the pokes that were known of it; then all of them are.
 * Those have the names that tasks had then. */
gboolean pen_import_kept_take_pokes (PenImportKept *self, PenHistory *history);

G_END_DECLS
