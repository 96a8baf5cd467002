/* pen-importer.h: one import: what its passes share
 *
 * Each pass has a file of its own, and they come in the order in which they stand here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-book.h"
#include "pen-chain-intake.h"
#include "pen-file-pass.h"
#include "pen-frame-table.h"
#include "pen-import-facts.h"
#include "pen-import-kept.h"
#include "pen-import.h"
#include "pen-jit-pass.h"
#include "pen-kernel-text-pass.h"
#include "pen-line-pass.h"
#include "pen-loss-tracker.h"
#include "pen-module-events.h"
#include "pen-name-pass.h"
#include "pen-output-pass.h"
#include "pen-poke-batches.h"
#include "pen-progress.h"
#include "pen-range-index.h"
#include "pen-record-budget.h"
#include "pen-sketcher.h"
#include "pen-thread-table.h"
#include "pen-wait-finder.h"
#include "pen-witness-judge.h"

G_BEGIN_DECLS

typedef enum {
  PEN_IMPORTER_ALONE,
  PEN_IMPORTER_BESIDE_TEXT, /* the kernel's text is kept beside the store */
  PEN_IMPORTER_GROWING,     /* a part, soon to be replaced: what costs much is left out */
} PenImporterWay;

/* @kept: NULL: the import begins and ends here; else what it has is used, and not freed */
typedef struct {
  PenImporterWay way;
  PenImportKept *kept;
  char *capture;
  PenReader *reader;
  PenHistory *history;
  PenSideband *sideband;
  GArray *changes; /* PenSidebandChange: the kernel's */
  PenRecordBudget budget;
  guint64 shared; /* what was taken of it when the reader was told what is left */
  guint halvings; /* of what samples are counted in: see PenRecordBudget */
  PenLossTracker *losses;
  PenSampleSorter *sorter;
  PenWaitFinder *waits;
  PenChainSpool *chains;
  PenChainIntake *intake;
  PenFrameTable *frames;
  GArray
      *frame_functions; /* guint32: of the first frames, as far as they were asked for; or NULL */
  PenPayloads *payloads;
  PenOutputPass *outputs;
  guint64 n_outputs;
  PenReadings *readings;
  guint n_attrs; /* of which is known whether they are outputs */
  gboolean has_output_event;
  PenWitnessJudge *witness; /* NULL: nothing was read */
  gboolean is_text_ready;
  PenModuleEvents *modules;
  PenRangeIndex *named;    /* of the kernel, by lists and ksymbols; until the history is sealed */
  PenTracingData *tracing; /* or NULL */
  PenLoadedSources *sources;
  PenBucketTable *buckets;
  PenBucketBook *book;
  PenThreadTable *threads;
  PenFunctionTable *functions; /* of the book */
  PenNamePass *names;
  PenFilePass *files;
  PenLinePass *lines[2]; /* of user space, and of the kernel */
  PenLineBook *book_of_lines;
  PenJitPass *jit;
  const PenSources *given; /* or NULL */
  PenPokeBatches *batches;
  PenStoreWriter *writer;
  PenSketcher *sketcher; /* NULL: there is no listener */
  PenProgress progress;
  PenImportCounts counts;
  char *text_directory; /* where the kernel's text is kept; NULL: it is not */
  PenKernelTextPass *kernel_text;
} PenImporter;

/*
 * pen_importer_new:
 * @capture: as pen_import() takes it
 * @store: where the store is written; its directory has the scratch files, too
 * @given: (nullable): stays the caller's, and outlives the import
 *
 * Opens the capture, and begins the store. Returns: NULL with @error
 */
PenImporter *pen_importer_new (const char *capture, const char *store, PenImporterWay way,
                               const PenSources *given, PenImportFunc func, gpointer user_data,
                               GCancellable *cancellable, GError **error);

/*
 * pen_importer_new_part:
 * @reader: (transfer full): open, and what it is to read chosen
 * @kept: of the parts before, or new; outlives the import. On failure it can only be freed.
 * @directory: for scratch files
 *
 * G_IO_ERROR_NOT_SUPPORTED of a pass: the recording cannot be imported in parts.
 */
PenImporter *pen_importer_new_part (const char *capture, PenReader *reader, PenImportKept *kept,
                                    const char *directory, const PenSources *given,
                                    GCancellable *cancellable, GError **error);

void pen_importer_free (PenImporter *self);

/* The passes: FALSE with @error, G_IO_ERROR_CANCELLED among them. */
gboolean pen_importer_read_records (PenImporter *self, GError **error);
gboolean pen_importer_build_history (PenImporter *self, GError **error);
gboolean pen_importer_place_samples (PenImporter *self, GError **error);
gboolean pen_importer_place_waits (PenImporter *self, GError **error);
gboolean pen_importer_write_history (PenImporter *self, GError **error);
gboolean pen_importer_find_text (PenImporter *self, GError **error);
gboolean pen_importer_write_store (PenImporter *self, GError **error);

/* What is known of text beside the records; once, by the first pass that needs it. */
gboolean pen_importer_prepare_text (PenImporter *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenImporter, pen_importer_free)

G_END_DECLS
