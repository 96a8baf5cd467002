/* pen-test-kernel.h: a small vmlinux and a small module
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where the small kernel is linked. */
#define PEN_TEST_KERNEL_TEXT G_GUINT64_CONSTANT (0xffffffff81000000)

/* What is in it, as offsets from its text: functions, and the instructions that its tables name. */
#define PEN_TEST_KERNEL_HOT 0x100u
#define PEN_TEST_KERNEL_FTRACE 0x100u
#define PEN_TEST_KERNEL_JUMP 0x106u
#define PEN_TEST_KERNEL_CALL 0x10fu
#define PEN_TEST_KERNEL_LOCK 0x114u
#define PEN_TEST_KERNEL_LABEL 0x122u
#define PEN_TEST_KERNEL_RETURN 0x126u
#define PEN_TEST_KERNEL_COLD 0x180u
#define PEN_TEST_KERNEL_TRAMPOLINE 0x190u
#define PEN_TEST_KERNEL_END 0x1a0u

/* Is there a compiler for x86-64, and binutils? Else the test is marked as skipped. */
gboolean pen_test_kernel_can_build (void);

/*
 * pen_test_kernel_build:
 * @build_id: 40 hexadecimal digits
 *
 * Writes an ELF file with the functions "hot" and "cold", the static key "pen_key", the static call
 * "pen_hook", and tables of them. Where it is a module, "cold" and "pen_key" are another file's.
 */
void pen_test_kernel_build (const char *path, const char *build_id, gboolean is_module);

/* Runs a command, which has to succeed. */
void pen_test_kernel_run (const char *format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
