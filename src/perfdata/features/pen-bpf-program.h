/* pen-bpf-program.h: BPF programs as BPF_PROG_INFO holds them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cursor.h"
#include "pen-features.h"

G_BEGIN_DECLS

/*
 * pen_bpf_program_take:
 * @cursor: at an element of BPF_PROG_INFO, moved past it
 * @section: what @cursor goes over; the program's image shares it
 *
 * Where the recorder lacked the right to see addresses or code, the program has no functions or its
 * functions have no bytes.
 *
 * Returns: (transfer full): or NULL if the element does not fit, and @cursor->failed is set
 */
PenBpfProgram *pen_bpf_program_take (PenCursor *cursor, GBytes *section);
void pen_bpf_program_free (PenBpfProgram *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenBpfProgram, pen_bpf_program_free)

G_END_DECLS
