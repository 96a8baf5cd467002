/* pen-debug-image.h: the part of a file with debug information that libdw reads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gelf.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenDebugImage: an ELF file in memory with copies of the sections that lines and inlined calls are
 * read from: unpacked, relocated, and each followed by zero bytes. libdw 0.188 assumes that
 * strings end in their section, and reads headers a few bytes too far: the zeros are an end.
 */
typedef struct _PenDebugImage PenDebugImage;

/*
 * PenDebugInput:
 * @elf: of an ELF file whose sections have not been changed
 * @fd: the file; or -1, and
 * @bytes: all of it
 * @size: of the file
 * @is_alternate: it is one that others refer to (.gnu_debugaltlink), and has no lines of its own
 */
typedef struct {
  Elf *elf;
  int fd;
  const guint8 *bytes;
  guint64 size;
  gboolean is_alternate;
} PenDebugInput;

/* How many bytes an image of it would have; 0: there are no lines in it, or its sizes are
 * impossible. Cost: the headers of sections. */
guint64 pen_debug_image_measure (const PenDebugInput *input);

/* Relocates @bytes, all @length of @section. Returns: FALSE where it cannot. */
typedef gboolean (*PenRelocateFunc) (Elf_Scn *section, guint8 *bytes, gsize length,
                                     gpointer user_data);

/*
 * pen_debug_image_new:
 * @alternate: (nullable): the file that @input refers to. Its image follows the other one, at the
 *   offset in that one's e_entry; 0: there is none
 * @relocate: (nullable): for @input
 *
 * Cost: reads as many bytes as it measures.
 *
 * Returns: (nullable): NULL where a section cannot be had, or on cancel
 */
PenDebugImage *pen_debug_image_new (const PenDebugInput *input, const PenDebugInput *alternate,
                                    PenRelocateFunc relocate, gpointer user_data,
                                    GCancellable *cancellable);
void pen_debug_image_free (PenDebugImage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDebugImage, pen_debug_image_free)

/* An unnamed file, for another process to read. Owned by the image. */
int pen_debug_image_get_fd (PenDebugImage *self);

G_END_DECLS
