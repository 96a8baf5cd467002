/* pen-history-build.h: the history of a byte while it is being made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotator.h"
#include "pen-query-history.h"
#include "pen-query-private.h"
#include "pen-sample-count.h"

G_BEGIN_DECLS

/* A row while it is being made: how its samples are told from those of the others. */
typedef struct {
  PenHistoryRow *row;
  GArray *slots; /* PenHistorySlot: the instructions of this version that contain the byte */
} PenHistoryDraft;

/* Samples of this version have this address and, at it, this revision. */
typedef struct {
  guint64 address;
  guint32 revision;
} PenHistorySlot;

typedef struct {
  PenQuery *query;
  guint64 address;
  GArray *pokes; /* PenPoke: those that cover the byte, in time order */
  PenAnnotator *annotator;
  GArray *drafts;
  PenBucketSet *set;
  PenBucketCount *counts; /* of the set's buckets, under the filter */
  GHashTable *rows;       /* by SlotKey: GArray of guint, indices of drafts */
} PenHistoryBuild;

static inline PenHistoryRow *
pen_history_build_get_row (const PenHistoryBuild *build, guint index)
{
  return g_array_index (build->drafts, PenHistoryDraft, index).row;
}

/* Loads the buckets that may be of the byte, with what the filter leaves of them. @kernel: it is in
 * the kernel's space */
gboolean pen_history_build_load_buckets (PenHistoryBuild *build, const PenMatcher *matcher,
                                         gboolean kernel, GError **error);

/* Gives each row its samples, and those near its ends. After the last of the rows whose slots tell
 * which samples are theirs. @band: ns */
gboolean pen_history_build_count (PenHistoryBuild *build, const PenMatcher *matcher, guint64 band,
                                  GError **error);

void pen_history_build_clear (PenHistoryBuild *build);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenHistoryBuild, pen_history_build_clear)

G_END_DECLS
