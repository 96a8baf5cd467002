/* pen-readings.h: readings of a witness as they are read: whose they are, and how long they hold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"
#include "pen-history.h"
#include "pen-record-budget.h"
#include "pen-witness-counters.h"
#include "pen-witnessed-place.h"

G_BEGIN_DECLS

/* Of a sample: it is the reading of none. */
#define PEN_READINGS_NONE G_MAXUINT

/*
 * PenSeen: one reading
 * @mate: position of the sample of its address next to it in its CPU's ring, to which it belongs
 *   unless readings have an event of their own (W1); 0: none
 * @to_time: until then it holds (W2); that of its own sample it is even so
 * @verdict, @poke: found out later: PenReading. @poke_position: of the record of that poke; 0: none
 */
typedef struct {
  PenMoment moment;
  PenWitnessedPlace record;
  guint64 mate;
  guint64 to_time;
  guint64 poke_position;
  guint32 poke;
  guint32 event;
  guint8 verdict;
} PenSeen;

typedef struct _PenReadings PenReadings;

PenReadings *pen_readings_new (void);
void pen_readings_free (PenReadings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenReadings, pen_readings_free)

/*
 * pen_readings_add:
 * @record: a sample, in the order of the stream: a reading, or one that a reading may belong to
 * @attr: (nullable): of its event
 * @big_endian: of the recording machine
 * @budget: what a reading takes is taken from it; where there is no room, it is none
 */
void pen_readings_add (PenReadings *self, const PenRecord *record, const PenAttr *attr,
                       gboolean big_endian, PenRecordBudget *budget);

/*
 * pen_readings_seal: after the last record: puts them in order, and finds out how long each holds
 * @attrs: (element-type PenAttr)
 * @losses: those of the history
 * @counters: where they are missing, or show a loss, each reading holds at its own time only (W2)
 */
void pen_readings_seal (PenReadings *self, const GPtrArray *attrs, const PenLoss *losses,
                        guint n_losses, const PenWitnessCounters *counters);

/* In time order, after sealing. */
PenSeen *pen_readings_get (PenReadings *self, guint *n);
/* Do they have an event of their own? Then each stands for its address and time. */
gboolean pen_readings_are_apart (PenReadings *self);
/* The reading that the record at @position is; PEN_READINGS_NONE: it is none. */
guint pen_readings_find (PenReadings *self, guint64 position);
/* The reading next to the sample at @position. */
guint pen_readings_find_mate (PenReadings *self, guint64 position);

G_END_DECLS
