/* pen-text-pass.h: which bytes the store keeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-function-table.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * PenTextPass: the store keeps the bytes of each function of the kernel space that has samples or
 * pokes, with a margin, of each BPF program whose image is known, and, on x86-64, of functions that
 * these call directly, 2 MiB of them at most.
 */
typedef struct _PenTextPass PenTextPass;

PenTextPass *pen_text_pass_new (PenHistory *history);
void pen_text_pass_free (PenTextPass *self);
/* Of a pass of the same history when it was shorter: what it wanted, in the end. */
GArray *pen_text_pass_get_wanted (PenTextPass *self);
void pen_text_pass_add_wanted (PenTextPass *self, const GArray *wanted);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTextPass, pen_text_pass_free)

/* An instruction in the kernel's space that has samples. */
typedef struct {
  guint64 address;
  guint32 tenure;
  guint32 function;
} PenSampledPlace;

/* @places: @n of them; best by function and address: then what is wanted twice is seen at once */
void pen_text_pass_want_places (PenTextPass *self, PenFunctionTable *functions,
                                const PenSampledPlace *places, guint n);

/* @arch: (nullable). @has_kernel_text: the core kernel's is kept elsewhere: none is added of it
 * that is only called */
gboolean pen_text_pass_write (PenTextPass *self, PenFunctionTable *functions,
                              PenLoadedSources *sources, const char *arch, gboolean has_kernel_text,
                              PenStoreWriter *writer, PenProgress *progress, GError **error);

G_END_DECLS
