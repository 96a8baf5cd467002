/* pen-sketcher.h: the contents of a capture so far, while its import runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-placed-sample.h"
#include "pen-reader.h"
#include "pen-sideband.h"
#include "pen-sketch.h"

G_BEGIN_DECLS

/* Kernel, user, guest, or neither: what the record itself says. */
#define PEN_SKETCHER_MODES 4

/*
 * PenSketcher: of the importing thread. Bins are as narrow as the times so far allow: they get
 * twice as wide whenever a time lies beyond them. Memory: some 400 kB, whatever the capture has.
 * Where there are more than PEN_SKETCHER_EXACT samples, one of PEN_SKETCHER_STRIDE stands for the
 * others: to count them all would take 5 % of an import.
 * @left: samples until the next one that counts
 */
#define PEN_SKETCHER_EXACT (1u << 20)
#define PEN_SKETCHER_STRIDE 17 /* of which nothing is a multiple */

typedef struct _PenSketcher PenSketcher;
struct _PenSketcher {
  guint left;
  guint stride;
  guint64 n_counted;
  guint64 n_skipped; /* placed since the last one that counts */
  guint32 (*modes)[PEN_SKETCHER_MODES];
  guint64 first;
  guint64 last;

  guint32 (*kinds)[PEN_KINDS]; /* of samples that were placed */
  guint32 (*causes)[PEN_CAUSES];
  gboolean is_placed;
  PenSketchFacts *facts;
  PenSketch sketch;    /* what is neither a pointer nor above */
  GArray *bars;        /* PenSketchBar */
  GHashTable *open;    /* start of a bar → its index + 1 */
  GArray *told_bars;   /* the same, as the last sketch has them; NULL: they have changed */
  GArray *losses;      /* of the loss tracker */
  GArray *told_losses; /* the same */
};

PenSketcher *pen_sketcher_new (void);
void pen_sketcher_free (PenSketcher *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSketcher, pen_sketcher_free)

/* Facts that the header has so far. */
void pen_sketcher_set_facts (PenSketcher *self, PenReader *reader);

/* For pen_sketcher_add_sample(). */
void pen_sketcher_count_sample (PenSketcher *self, guint64 time, guint cpumode);

/* @time: of its moment: 0: it has none. */
static inline void
pen_sketcher_add_sample (PenSketcher *self, guint64 time, guint cpumode)
{
  if (--self->left == 0)
    pen_sketcher_count_sample (self, time, cpumode);
}

/* Any other record. @losses: (element-type PenLoss): those that are known by now; they are not
 * copied */
void pen_sketcher_add_record (PenSketcher *self, const PenRecord *record, GArray *losses);

/* All records were read, and the history is sealed. */
void pen_sketcher_set_history (PenSketcher *self, PenHistory *history);

/* In the order of their times. */
void pen_sketcher_place (PenSketcher *self, const PenPlacedSample *samples, guint n);
/* All are placed. */
void pen_sketcher_end_samples (PenSketcher *self);

/* After the causes of its pokes were found. */
void pen_sketcher_set_causes (PenSketcher *self, PenHistory *history);

/* Cost: a copy of the bins, some 200 kB. Returns: (transfer full) */
PenSketch *pen_sketcher_draw (PenSketcher *self);

G_END_DECLS
