/* pen-elf-plt.h: names of the stubs through which a program calls into others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gelf.h>
#include <glib.h>

#include "pen-elf-symbols.h"

G_BEGIN_DECLS

/*
 * pen_elf_plt_read:
 * @elf: an image: debug files have no such stubs
 * @named: sealed; knows what an ifunc is called
 *
 * No symbol table has them. As perf does it, a stub that jumps through a slot which a relocation
 * fills with "puts" is "puts@plt", and one that an ifunc fills has the ifunc's name; the part
 * before all stubs, which asks the linker, is ".plt". Which slot a stub jumps through is read from
 * its instructions: x86-64 (.plt, .plt.sec, .plt.got, .iplt) and arm64; of other machines nothing
 * is known. Cost: the relocations and the stubs.
 *
 * Returns: (transfer full): sealed
 */
PenElfSymbols *pen_elf_plt_read (Elf *elf, PenElfSymbols *named);

G_END_DECLS
