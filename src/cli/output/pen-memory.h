/* pen-memory.h: how the C library gets its memory from the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_memory_prepare_for_import:
 *
 * An import fills some ten megabytes within some ten milliseconds, of which a page fault for each
 * 4 KiB is a good part: where the kernel has pages of 2 MiB for those who ask, they are asked for,
 * and all threads share them. For a program that ends soon, before its first thread.
 */
void pen_memory_prepare_for_import (void);

G_END_DECLS
