/* pen-ftrace-users.h: the function that a trampoline of ftrace is for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-features.h"
#include "pen-history.h"
#include "pen-kernel-sources.h"
#include "pen-module-events.h"
#include "pen-purposes.h"
#include "pen-trampoline-users.h"

G_BEGIN_DECLS

/*
 * PenFtraceUsers: what the trampoline calls, or whom that stands for: see PenFtraceTrampoline.
 * Where it stands for any, the kernel's list at the start or the end says whom, else the form, and
 * the load of a live patch.
 */
typedef struct _PenFtraceUsers PenFtraceUsers;

/* @history: sealed. All of it outlives the users. */
PenFtraceUsers *pen_ftrace_users_new (PenHistory *history, PenKernelSources *kernel,
                                      PenTrampolineUsers *trampolines, PenPurposes *purposes,
                                      PenModuleEvents *modules, const PenFeatures *features);
void pen_ftrace_users_free (PenFtraceUsers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFtraceUsers, pen_ftrace_users_free)

/*
 * pen_ftrace_users_find:
 * @trampoline: of ftrace; another one has no user here
 * @is_inferred: (out): its registers and its struct are those of a live patch alone, but nothing
 *   shows that one was loaded then
 *
 * Returns: (transfer full) (nullable): "klp_ftrace_handler"; NULL: not known
 */
char *pen_ftrace_users_find (PenFtraceUsers *self, const PenTenure *trampoline, PenMoment moment,
                             gboolean *is_inferred);

G_END_DECLS
