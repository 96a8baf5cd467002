/* pen-memory.h: the C library's way to get memory from the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_memory_prepare_for_import:
 *
 * An import fills some ten megabytes within some ten milliseconds, and a good part of that are
 * page faults for each 4 KiB. This asks the kernel for pages of 2 MiB, which all threads share. For
 * a program that ends soon; to be called before its first thread.
 */
void pen_memory_prepare_for_import (void);

G_END_DECLS
