/* pen-record-budget.h: how much of a capture an import has memory for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record.h"

G_BEGIN_DECLS

/* Bytes for all that is kept of a capture, but for samples and callchains: maps, symbols, patches
 * and tasks; and how much of them those of processes may take: so that recordings of many short
 * programs keep what happened to the kernel. Losses, events of modules, what the header says of the
 * machine, and the tasks of samples share them. With PEN_SORTER_MEMORY and that of switches, which
 * are there at the same time, an import takes 512 MiB at most: tests/steps measures mixtures. Who
 * reads debug information is a process of its own.
 */
#define PEN_RECORD_BUDGET (G_GUINT64_CONSTANT (424) << 20)
#define PEN_RECORD_BUDGET_OF_PROCESSES (G_GUINT64_CONSTANT (352) << 20)
/* These get no more of it, so that maps are kept beside many of them. */
#define PEN_RECORD_BUDGET_OF_LOSSES (G_GUINT64_CONSTANT (96) << 20)
#define PEN_RECORD_BUDGET_OF_MODULE_EVENTS (G_GUINT64_CONSTANT (160) << 20)
/* Bytes of the tables that samples are counted in, when they are full: frames and nodes of
 * callchains (PEN_FRAMES_MAX, PEN_CHAIN_NODES_MAX), and buckets (PEN_GENERATION_BUCKETS). */
#define PEN_COUNTING_MEMORY (G_GUINT64_CONSTANT (192) << 20)
#define PEN_HALVINGS_MAX 3u
/* Tasks of samples for which there is memory in any case. */
#define PEN_THREADS_MIN 65536u

/*
 * PenRecordBudget:
 * @taken: with @features: what the reader took of it for what the header says
 * @pids: of processes that have maps; but 0, which has none
 */
typedef struct {
  guint64 taken;
  guint64 features;
  guint64 taken_by_processes;
  guint64 taken_by_losses;
  guint64 taken_by_module_events;
  GHashTable *pids;
} PenRecordBudget;

void pen_record_budget_init (PenRecordBudget *self);
void pen_record_budget_clear (PenRecordBudget *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenRecordBudget, pen_record_budget_clear)

/*
 * @name_is_known: of a map of a process, or of a COMM: its name came before, and is kept once
 *
 * Returns: FALSE: @record is to be left out. Samples and what is not kept cost nothing.
 */
gboolean pen_record_budget_take (PenRecordBudget *self, const PenRecord *record,
                                 gboolean name_is_known);

/* The same for one reading of a witness, for a loss, and for a sample that tells of a module and
 * has a payload of @length bytes. */
gboolean pen_record_budget_take_reading (PenRecordBudget *self);
gboolean pen_record_budget_take_loss (PenRecordBudget *self);
gboolean pen_record_budget_take_module_event (PenRecordBudget *self, gsize length);

/* @bytes: what the reader took for features, as of now. */
void pen_record_budget_set_features (PenRecordBudget *self, guint64 bytes);

guint64 pen_record_budget_get_left (const PenRecordBudget *self);

/* How many tenures forks may copy, and maps of processes cut, in what is left. */
guint pen_record_budget_get_copies (const PenRecordBudget *self);

/* How often the tables that samples are counted in are to be halved, so that they take what is left
 * beside @copies that were made: PEN_HALVINGS_MAX at most, even if that is nothing. */
guint pen_record_budget_get_halvings (const PenRecordBudget *self, guint copies);

/* How many tasks of samples are kept beside all that. */
guint pen_record_budget_get_threads (const PenRecordBudget *self, guint copies, guint halvings);

G_END_DECLS
