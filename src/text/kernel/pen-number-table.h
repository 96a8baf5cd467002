/* pen-number-table.h: numbers in a table of a kernel's file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-file.h"

G_BEGIN_DECLS

/* In the byte order of the file. */
typedef struct _PenNumberTable PenNumberTable;

/* Arguments: as of pen_kernel_file_load_table(). Returns: (nullable): NULL where there is none */
PenNumberTable *pen_number_table_load (PenKernelFile *file, const char *section, const char *start,
                                       const char *stop);
void pen_number_table_free (PenNumberTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenNumberTable, pen_number_table_free)

/* @self: (nullable). Are there @length bytes at @at? */
gboolean pen_number_table_has (PenNumberTable *self, gsize at, gsize length);
/* 0: there is none */
gsize pen_number_table_get_length (PenNumberTable *self);

/* None of these checks the bounds. */
guint8 pen_number_table_get_8 (PenNumberTable *self, gsize at);
guint64 pen_number_table_get_64 (PenNumberTable *self, gsize at);
/* Addresses: a signed number of 32 or 64 bits is counted from its own place. */
guint64 pen_number_table_get_relative (PenNumberTable *self, gsize at);
guint64 pen_number_table_get_relative_64 (PenNumberTable *self, gsize at);

G_END_DECLS
