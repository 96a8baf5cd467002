/* pen-witness.h: the program in the kernel that reads the bytes at each sample
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-witness-record.h"

G_BEGIN_DECLS

typedef struct PenWitness PenWitness;

/*
 * PenWitnessCounts:
 * @values: by PenWitnessCounter, of all CPUs
 */
typedef struct {
  guint64 values[PEN_WITNESS_COUNTERS];
} PenWitnessCounts;

/* FALSE: this program was built without clang, bpftool or libbpf. */
gboolean pen_witness_is_built (void);

/*
 * pen_witness_load:
 * @reads_user: also the text of processes
 *
 * Loads the program; it does not run yet. Nothing of it stays when this process ends, however it
 * ends.
 *
 * Returns: (transfer full): or NULL with a GIOErrorEnum: NOT_SUPPORTED if it is not built,
 *   PERMISSION_DENIED without CAP_BPF and CAP_PERFMON, or as the kernel's errno has it
 */
PenWitness *pen_witness_load (gboolean reads_user, GError **error);
void pen_witness_free (PenWitness *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWitness, pen_witness_free)

/* @event: a bpf-output event of that CPU, open; it may be closed afterwards */
gboolean pen_witness_add_output (PenWitness *self, guint cpu, int event, GError **error);

/* Runs the program at each sample of @event, which is never written then. The event may be closed
 * afterwards, if others have it open. */
gboolean pen_witness_attach (PenWitness *self, int event, GError **error);

gboolean pen_witness_count (PenWitness *self, PenWitnessCounts *counts, GError **error);

/* The kernel's number of the program; 0: unknown */
guint32 pen_witness_get_program (PenWitness *self);

G_END_DECLS
