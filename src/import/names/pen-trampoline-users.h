/* pen-trampoline-users.h: who uses the trampolines of ftrace and of BPF
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-ftrace-trampoline.h"
#include "pen-history.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * PenTrampolineUsers: what each trampoline calls, by the bytes that pokes filled it with and
 * changed in it, else by copies of the kernel's memory; and the BPF programs of a BPF trampoline's
 * function, which its name tells (bpf_trampoline_compute_key() in include/linux/bpf_verifier.h).
 */
typedef struct _PenTrampolineUsers PenTrampolineUsers;

/*
 * pen_trampoline_users_new:
 * @history: sealed
 * @programs: (element-type PenBpfProgram): of BPF_PROG_INFO, whose tenures @sources has joined
 * @decoder: (nullable): of the capture's architecture
 *
 * All of it outlives the users. Cost: O(n) in the programs
 */
PenTrampolineUsers *pen_trampoline_users_new (PenHistory *history, PenLoadedSources *sources,
                                              GPtrArray *programs, PenDecoder *decoder);
void pen_trampoline_users_free (PenTrampolineUsers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTrampolineUsers, pen_trampoline_users_free)

/* In time order: what a trampoline calls changes with @poke. Cost: 1,024 bytes decoded at most */
void pen_trampoline_users_take (PenTrampolineUsers *self, const PenPoke *poke);

/*
 * PenFtraceText: the text of a trampoline of ftrace
 * @has_task, @tid, @moment: of the poke that filled it; no task: a copy of the memory has it
 */
typedef struct {
  PenFtraceTrampoline form;
  gboolean has_task;
  gint32 tid;
  PenMoment moment;
} PenFtraceText;

/* Returns: (nullable): after the pokes that were taken; NULL: @tenure is no trampoline of ftrace */
const PenFtraceText *pen_trampoline_users_get_ftrace (PenTrampolineUsers *self,
                                                      const PenTenure *tenure);

/*
 * pen_trampoline_users_list_called, pen_trampoline_users_list_loaded:
 * @tenure: a BPF trampoline
 *
 * The programs that it calls, where its bytes are known; those that were loaded for its function at
 * @moment, which it may call. Eight names at most, of the first 4,096 programs of a function.
 *
 * Returns: (transfer full) (nullable): "fe1, fe2"; NULL: none is known
 */
char *pen_trampoline_users_list_called (PenTrampolineUsers *self, const PenTenure *tenure,
                                        PenMoment moment);
char *pen_trampoline_users_list_loaded (PenTrampolineUsers *self, const PenTenure *tenure,
                                        PenMoment moment);

G_END_DECLS
