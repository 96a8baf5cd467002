/* pen-kernel-text.h: the text of a kernel, kept once beside all the stores of one boot
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Names are kernel-KEY-ID.text: KEY is that of a kernel, ID that of the file. */
#define PEN_KERNEL_TEXT_PREFIX "kernel-"
#define PEN_KERNEL_TEXT_SUFFIX ".text"
#define PEN_KERNEL_TEXT_PAGE 4096u
#define PEN_KERNEL_TEXT_MAX (64u << 20)
/* Hexadecimal digits. */
#define PEN_KERNEL_TEXT_ID 32u

/* Packed with zstd, in chunks that are read one at a time. docs/store.md has the format. */
typedef struct _PenKernelText PenKernelText;

/*
 * pen_kernel_text_open:
 * @path: a regular file of the user's own to which nobody else can write
 *
 * Checks all but the chunks, which have checksums of their own. Errors: G_IO_ERROR.
 */
PenKernelText *pen_kernel_text_open (const char *path, GError **error);
void pen_kernel_text_free (PenKernelText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKernelText, pen_kernel_text_free)

const char *pen_kernel_text_get_id (PenKernelText *self);
guint64 pen_kernel_text_get_start (PenKernelText *self);
gsize pen_kernel_text_get_length (PenKernelText *self);

/*
 * pen_kernel_text_read:
 * @bytes: (out): @length of them; 0 where not known
 * @known: (out): 1 for each that is known. Chunks that are damaged are not
 */
void pen_kernel_text_read (PenKernelText *self, guint64 address, gsize length, guint8 *bytes,
                           guint8 *known);

/*
 * pen_kernel_text_write:
 * @key: of the kernel: PEN_KERNEL_TEXT_ID digits
 * @bytes: @length bytes from @start on: whole pages, PEN_KERNEL_TEXT_MAX at most
 * @pages: 1 for each page that is known
 *
 * Only the user may read it (0600), since a kernel's text shows where it was loaded.
 *
 * Returns: (transfer full): the name of the new file in @directory
 */
char *pen_kernel_text_write (const char *directory, const char *key, guint64 start,
                             const guint8 *bytes, gsize length, const guint8 *pages,
                             GError **error);

/* Is @name such a file's? */
gboolean pen_kernel_text_is_name (const char *name);

G_END_DECLS
