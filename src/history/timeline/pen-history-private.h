/* pen-history-private.h: the inside of a sealed history, for PenSweep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-events.h"
#include "pen-history.h"
#include "pen-tenure-builder.h"
#include "pen-names.h"
#include "pen-pid-set.h"
#include "pen-patches.h"
#include "pen-planes.h"
#include "pen-present-private.h"
#include "pen-tasks.h"

G_BEGIN_DECLS

struct _PenHistory {
  gboolean is_sealed;
  gboolean is_other;
  const PenPresent *present; /* NULL: it begins with nobody */
  guint n_earlier;           /* tenures that began before: they come first */
  GArray *threads;           /* PenPresentThread: at the end */
  PenNames *names;
  GStringChunk *bytes; /* of pokes */
  PenEvents events;    /* gone after sealing */
  guint max_copies;    /* of tenures, by forks */
  guint copies;        /* that were made */

  PenTenureBuilder builder;
  GArray *spaces; /* PenSpace */
  GArray *pokes;  /* PenPoke */
  GArray *losses; /* PenLoss */
  PenPidSet pids;
  guint32 *begins; /* parts by from */
  guint n_begins;
  guint32 *space_begins; /* process spaces by from */
  guint32 *space_ends;   /* process spaces that end, by to */
  guint n_space_ends;
  PenPlanes planes;
  PenTasks tasks;
  PenPatches patches;
  guint64 ignored_ksymbols;
  guint64 repeated_ksymbols;
};

/* @place: as in PenPart */
static inline const PenTenure *
pen_history_get_tenure_at (const PenHistory *self, guint32 place)
{
  return &g_array_index (self->builder.tenures, PenTenure, place - 1);
}

static inline guint32
pen_history_get_place (const PenHistory *self, const PenTenure *tenure)
{
  return (guint32) (tenure - pen_history_get_tenure_at (self, 1)) + 1;
}

/* Returns: (transfer none): as long as the history */
const guint8 *pen_history_copy_bytes (PenHistory *self, const guint8 *bytes, gsize length);

/* As pen_history_new_stored(), but of no use once @check has stopped it. */
PenHistory *pen_history_new_partial (const GArray *tenures, const GArray *parts,
                                     PenCancelCheck *check);

G_END_DECLS
