/* pen-pair-programs.h: names of BPF programs, where several have one name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/* "bpf_prog_6deef7357e7b4530_sd_fw_egress" → "sd_fw_egress"; all of it where there is no name after
 * the tag, which is a digest of the program's instructions. */
const char *pen_pair_program_get_name (const char *symbol);

/*
 * PenPairPrograms: the BPF functions of one recording, by their symbols: which others are of the
 * same program
 */
typedef struct _PenPairPrograms PenPairPrograms;

/* Of both. Where programs of one name have other functions, in either of them, names of these go
 * with their functions in both. */
gboolean pen_pair_programs_load_both (const PenPairSource sources[2], PenPairPrograms *programs[2],
                                      GError **error);
void pen_pair_programs_free (PenPairPrograms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairPrograms, pen_pair_programs_free)

/* "helper, main": names of the other functions of the program; NULL: its name alone says which. */
const char *pen_pair_programs_get_others (const PenPairPrograms *self, const char *symbol);

#define PEN_PAIR_TRAMPOLINE "bpf_trampoline_"

/* @name: "bpf_trampoline_6442492247", whose number is that of a type in one kernel's BTF. The
 * function that it is attached to; NULL: its name alone says which, or that is not known. */
const char *pen_pair_programs_get_attached (const PenPairPrograms *self, const char *name);

G_END_DECLS
