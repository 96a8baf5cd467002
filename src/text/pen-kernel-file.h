/* pen-kernel-file.h: names and bytes: the ELF file of a kernel (vmlinux), or of a module
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-boot-text.h"
#include "pen-elf-file.h"
#include "pen-kallsyms.h"

G_BEGIN_DECLS

typedef struct _PenKernelFile PenKernelFile;

/*
 * pen_kernel_file_open:
 * @path: opened only if it is a regular file (a link to one will do); gzip, xz and zstd are
 *   unpacked in memory, 512 MiB at most
 *
 * ET_EXEC and ET_DYN are a kernel, ET_REL is a module. The file's contents are checked. It is read,
 * not mapped. Costs little: symbols are not looked at. Errors: G_IO_ERROR, with a
 * reason (pen_reason_set_error()).
 */
PenKernelFile *pen_kernel_file_open (const char *path, GError **error);
void pen_kernel_file_free (PenKernelFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKernelFile, pen_kernel_file_free)

const char *pen_kernel_file_get_path (PenKernelFile *self);
gboolean pen_kernel_file_is_module (PenKernelFile *self);
gboolean pen_kernel_file_is_big_endian (PenKernelFile *self);
/* EM_X86_64, … */
guint pen_kernel_file_get_machine (PenKernelFile *self);
/* Returns: (nullable): owned by @self; @length is at most PEN_ELF_BUILD_ID_MAX */
const guint8 *pen_kernel_file_get_build_id (PenKernelFile *self, guint *length);

/* See pen_debug_link_read(). */
char *pen_kernel_file_read_debug_link (PenKernelFile *self, guint32 *crc);

/* The address of a symbol as the file was linked, before it is placed; 0: none. Cost: a look at
 * each symbol. */
guint64 pen_kernel_file_lookup (PenKernelFile *self, const char *name);

/*
 * pen_kernel_file_place:
 * @address: of a kernel: what to add to the addresses in the file, modulo 2^64 (KASLR); of a
 *   module: where its text was loaded
 *
 * Call it once, before anything of what follows. The sections of a module that are code are laid
 * out as the kernel does it (layout_sections() in kernel/module.c, kernel/module/main.c): in the
 * order of the file, those for initialisation left out. Its other sections get later places, so
 * that pointers into them can be distinguished: real ones may lie elsewhere.
 */
void pen_kernel_file_place (PenKernelFile *self, guint64 address);

/* The number added to addresses of a kernel; 0 of a module, whose relocations are done with its
 * places. */
guint64 pen_kernel_file_get_bias (PenKernelFile *self);
/* Is there code of the file at @address, as placed? */
gboolean pen_kernel_file_has_code (PenKernelFile *self, guint64 address);

/* The end of the last code, as placed; 0: there is none */
guint64 pen_kernel_file_get_code_end (PenKernelFile *self);

/* Functions and labels of code, as perf names them: see pen_elf_symbols_seal(). Call load once.
 * Returns: how many there are */
guint pen_kernel_file_load_symbols (PenKernelFile *self);
gboolean pen_kernel_file_find_symbol (PenKernelFile *self, guint64 address, PenSymbol *symbol);
/* By address. */
void pen_kernel_file_foreach_symbol (PenKernelFile *self, PenSymbolFunc func, const char *occupant,
                                     gpointer user_data);

/*
 * pen_kernel_file_find_object:
 * @offset: (out): of @address in it
 *
 * The variable that holds @address: also one of another file, which a module only refers to.
 *
 * Returns: (nullable): its name, owned by @self
 */
const char *pen_kernel_file_find_object (PenKernelFile *self, guint64 address, guint64 *offset);

/*
 * pen_kernel_file_load_table:
 * @section: a section's name
 * @start, @stop: (nullable): symbols around it, where the linker put it into another section
 * @address: (out): of its first byte
 *
 * Returns: (nullable): its bytes as in memory: the relocations of a module are done
 */
GBytes *pen_kernel_file_load_table (PenKernelFile *self, const char *section, const char *start,
                                    const char *stop, guint64 *address);

/* The meaning of a byte in a file for the byte in memory. */
typedef enum {
  PEN_FILE_BYTE_UNKNOWN,   /* nothing: not in the file, or decided when it is loaded */
  PEN_FILE_BYTE_REWRITTEN, /* the kernel may have rewritten it when it started; of a module: this
                              is what it was rewritten to */
  PEN_FILE_BYTE_SAME,
} PenFileByte;

/* The address of a symbol of another file; 0: not known. */
typedef guint64 (*PenResolveFunc) (const char *name, gpointer user_data);
/* @length bytes of the core kernel. Returns: FALSE: not all are known */
typedef gboolean (*PenReadFunc) (guint64 address, gsize length, guint8 *buffer, gpointer user_data);

/*
 * PenModuleLoad: what is known of how the kernel loaded a module
 * @resolve: (nullable): for what it refers to
 * @read: (nullable): the core kernel's text as it was then
 * @boot: (nullable): how the kernel rewrites text
 * @is_new: the text is that of a module just loaded: what runs has not changed it
 */
typedef struct {
  PenResolveFunc resolve;
  PenReadFunc read;
  const PenBootText *boot;
  gboolean is_new;
  gpointer user_data;
} PenModuleLoad;

/*
 * pen_kernel_file_read:
 * @buffer: (out): @length bytes of code
 * @states: (out): PenFileByte of each
 * @load: (nullable): of a module
 *
 * REWRITTEN are the places that x86-64 and arm64 kernels list for themselves: alternatives,
 * paravirt calls, retpolines, returns, calls, ENDBR, lock prefixes, jump labels, static calls,
 * ftrace's calls.
 *
 * In a module's text (M8) some bytes are only known when it is loaded. Those of references to its
 * own code, and of those that @load can resolve, are calculated; others are UNKNOWN. So are places
 * that are rewritten, except where @load proves what became of them, and for ftrace's calls on
 * x86-64: those are nops until somebody traces.
 */
void pen_kernel_file_read (PenKernelFile *self, guint64 address, gsize length, guint8 *buffer,
                           guint8 *states, const PenModuleLoad *load);

G_END_DECLS
