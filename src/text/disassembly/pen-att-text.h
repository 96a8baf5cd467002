/* pen-att-text.h: AT&T syntax as objdump prints it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <capstone.h>
#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_att_text_format:
 * @insn: of x86, decoded with detail, in AT&T syntax
 * @is_64bit: of 64-bit mode: segments other than fs and gs are no part of an operand there
 *
 * Capstone and objdump print the same instruction in slightly different ways. What is compared with
 * objdump's output or searched for should not depend on which of the two made it: no size suffix
 * where a register tells the size, all numbers in hexadecimal, displacements and scales written
 * out.
 */
void pen_att_text_format (const cs_insn *insn, gboolean is_64bit, char *text, gsize size);

G_END_DECLS
