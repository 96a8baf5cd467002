/* pen-query-misattribution.h: samples that perf annotate shows on text that was not there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-store-functions.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* Why the text of perf annotate is another one; see help/C/cli-misattribution.page. */
typedef enum {
  PEN_MISATTRIBUTION_PATCHED, /* it shows the text before the first patch; the function was patched
                               */
  PEN_MISATTRIBUTION_PART,    /* of a BPF program's further functions it shows the first one's */
  PEN_MISATTRIBUTION_NO_TEXT, /* it has none: stubs, and BPF programs that were gone too soon */
  PEN_MISATTRIBUTIONS,
} PenMisattributionReason;

/*
 * PenMisattributionRow:
 * @function: with the counts that the filter leaves
 * @samples: those of it that landed while its text differed from what perf annotate shows of it
 * @on_changed: those of @samples whose own instruction differed
 * @n_stretches: of time in which it differed
 */
typedef struct {
  PenFunction function;
  PenMisattributionReason reason;
  guint64 samples;
  guint64 on_changed;
  guint n_stretches;
} PenMisattributionRow;

/*
 * PenMisattribution:
 * @is_known: FALSE: text pokes were not recorded, so that what follows of patches says nothing
 * @kernel_samples: in the kernel's space, under the filter
 * @samples, @on_changed: of all rows that are patched, or another part; @no_text: of the others
 * @rows: (element-type PenMisattributionRow), most samples first
 */
typedef struct {
  gboolean is_known;
  guint64 kernel_samples;
  guint64 samples;
  guint64 on_changed;
  guint64 no_text;
  GArray *rows;
} PenMisattribution;

void pen_misattribution_free (PenMisattribution *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMisattribution, pen_misattribution_free)

/* FALSE: text pokes were not recorded. TRUE also where the store does not say. */
gboolean pen_query_knows_patches (PenQuery *self);

/* Cost: the buckets of the functions that have both samples and patches; of these, each bucket that
 * has samples on both sides of a patch is counted by the ends of stretches, from spans. */
PenMisattribution *pen_query_misattribution (PenQuery *self, const PenFilter *filter,
                                             GError **error);

gboolean pen_query_write_misattribution (PenQuery *self, const PenFilter *filter,
                                         PenTableWriter *writer, GError **error);

G_END_DECLS
