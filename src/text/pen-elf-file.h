/* pen-elf-file.h: names: an ELF file of user space
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-kallsyms.h"

G_BEGIN_DECLS

#define PEN_ELF_BUILD_ID_MAX 20

typedef struct _PenElfFile PenElfFile;

/*
 * pen_elf_file_open:
 * @path: opened only if it is a regular file (a link to one will do)
 *
 * Executables, shared objects and their debug files. The file's contents are checked: parts that
 * cannot be read are left out. It is read, not mapped: truncating it meanwhile does no harm.
 *
 * Returns: (nullable): NULL where it cannot be read, or is none of these
 */
PenElfFile *pen_elf_file_open (const char *path);
void pen_elf_file_free (PenElfFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenElfFile, pen_elf_file_free)

const char *pen_elf_file_get_path (PenElfFile *self);
/* Returns: (nullable): owned by @self; @length is at most PEN_ELF_BUILD_ID_MAX: what is longer is
 * none */
const guint8 *pen_elf_file_get_build_id (PenElfFile *self, guint *length);
/* The file name in .gnu_debuglink, or NULL; owned by @self. @crc: of the whole file that it names
 */
const char *pen_elf_file_get_debug_link (PenElfFile *self, guint32 *crc);

/*
 * pen_elf_file_find_bias:
 * @file_offset, @length: what of the file was mapped
 * @bias: (out): add it to an offset in the file for the address that symbols are given in, modulo
 *   2^64
 *
 * Returns: FALSE where no executable segment with contents lies there (debug files have none)
 */
gboolean pen_elf_file_find_bias (PenElfFile *self, guint64 file_offset, guint64 length,
                                 guint64 *bias);

/* EM_X86_64, … */
guint pen_elf_file_get_machine (PenElfFile *self);

/*
 * pen_elf_file_read_code:
 * @address: as in the file
 *
 * Only the file's contents are read: of a debug file nothing, though its tables show where the code
 * was. Not after pen_elf_file_load_symbols().
 *
 * Returns: (transfer full) (nullable): at most @length bytes, up to where the section ends; NULL
 * where there is no code
 */
GBytes *pen_elf_file_read_code (PenElfFile *self, guint64 address, gsize length);

/* Which of the tables a name came from. */
typedef enum {
  PEN_ELF_NAMES_NONE,
  PEN_ELF_NAMES_DYNAMIC, /* .dynsym: what others may link to */
  PEN_ELF_NAMES_MINI,    /* that, and .gnu_debugdata */
  PEN_ELF_NAMES_FULL,    /* .symtab */
} PenElfNames;

/*
 * pen_elf_file_load_symbols:
 *
 * Functions, and labels in executable sections. Where several names have one address, the one that
 * perf prints is kept. A symbol without a size ends at the next one, or with its section. Call it
 * once before pen_elf_file_find_symbol(). The file is not needed any more afterwards, and closed.
 * Cost: the tables, O(n log n) in the symbols. Where @cancellable (nullable) is cancelled, there
 * are less, or none.
 */
PenElfNames pen_elf_file_load_symbols (PenElfFile *self, GCancellable *cancellable);
guint pen_elf_file_get_n_symbols (PenElfFile *self);
/* @address: as in the file. @symbol: its name is owned by @self */
gboolean pen_elf_file_find_symbol (PenElfFile *self, guint64 address, PenSymbol *symbol);
/* The same for the stubs that no symbol table names: see pen_elf_plt_read(). Only images have them:
 * their debug files have none. */
gboolean pen_elf_file_find_stub (PenElfFile *self, guint64 address, PenSymbol *symbol);

G_END_DECLS
