/* pen-live-patches.h: which live patch replaced a function, and by what
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-kernel-sources.h"
#include "pen-module-events.h"

G_BEGIN_DECLS

/*
 * PenLivePatches: a live patch is a module whose own initialisation enables it
 * (klp_enable_patch()), so that the task that writes the entry of a function is the one that loaded
 * the module; where that is not recorded, copies of kallsyms tell which modules are live patches.
 */
typedef struct _PenLivePatches PenLivePatches;

/* @history: sealed. All of it outlives the patches. */
PenLivePatches *pen_live_patches_new (PenHistory *history, PenKernelSources *kernel,
                                      PenModuleEvents *modules);
void pen_live_patches_free (PenLivePatches *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLivePatches, pen_live_patches_free)

/*
 * pen_live_patches_find:
 * @poke: of an entry, by cause `livepatch`; pokes come in time order
 * @function: (nullable): what is replaced
 *
 * Returns: (nullable): "function [module]", or "[module]" where the function is not known; owned by
 * @self. Cost: the copies of kallsyms, once; then up to 64 tenures
 */
const char *pen_live_patches_find (PenLivePatches *self, const PenPoke *poke, const char *function);

G_END_DECLS
