/* pen-kernel-facts.h: what a capture says of the kernel that it was recorded on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-features.h"
#include "pen-history.h"

G_BEGIN_DECLS

/*
 * PenKernelFacts:
 * @build_id_length: 0: not recorded
 * @release, @hostname: (nullable)
 * @symbol: (nullable): "_text" or "_stext", whose address @symbol_address the recorder wrote into
 *   the kernel's map, and with it where this boot put the kernel; 0: it was not allowed to see it
 * @text_start, @text_end: of the kernel's map; equal: none was recorded
 */
typedef struct {
  guint8 build_id[20];
  guint build_id_length;
  char *release;
  char *hostname;
  char *symbol;
  guint64 symbol_address;
  guint64 text_start;
  guint64 text_end;
  GHashTable *module_ids; /* recorded name → PenBuildId, or NULL where several differ */
} PenKernelFacts;

/* @features: outlive the facts. @history: sealed */
PenKernelFacts *pen_kernel_facts_new (const PenFeatures *features, PenHistory *history);
/* A file that is being written has no name of a host yet: it is this one, if its kernel lies where
 * the recorded one does. */
void pen_kernel_facts_assume_own (PenKernelFacts *self);
/* Of the core kernel, by the list of build IDs alone, before there is a history. Returns:
 * (nullable):
 * @features' own */
const guint8 *pen_kernel_facts_find_listed_id (const PenFeatures *features, guint *length);
void pen_kernel_facts_free (PenKernelFacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKernelFacts, pen_kernel_facts_free)

/* The build-id of the module of @tenure. Returns: (nullable): not recorded */
const guint8 *pen_kernel_facts_get_module_id (const PenKernelFacts *self, const PenTenure *tenure,
                                              guint *length);

/* Could a module, or a BPF program, lie at @address? That is: in the space that x86-64 and arm64
 * kernels keep for them. */
gboolean pen_kernel_facts_is_module_space (const PenKernelFacts *self, guint64 address);

G_END_DECLS
