/* pen-kernel-file-private.h: contents of a kernel's or a module's file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gelf.h>

#include "pen-elf-symbols.h"
#include "pen-kernel-file.h"
#include "pen-rewritten-text.h"

G_BEGIN_DECLS

/* Larger tables are not read. */
#define PEN_KERNEL_FILE_MAX_TABLE (256u << 20)
#define PEN_KERNEL_FILE_PAGE 4096u

/* @scn: NULL: there is none of that index. @address: as placed; means nothing without @is_placed */
typedef struct {
  Elf_Scn *scn;
  GElf_Shdr header;
  const char *name;
  guint64 address;
  gboolean is_placed;
} PenKernelSection;

struct _PenKernelFile {
  char *path;
  int fd;
  guint64 size;
  GBytes *unpacked; /* or NULL */
  Elf *elf;
  guint type;
  guint machine;
  gboolean is_big_endian;
  guint8 build_id[PEN_ELF_BUILD_ID_MAX];
  guint build_id_length;
  guint64 bias;
  GArray *sections; /* PenKernelSection, by index */
  gboolean has_looked_for_symbols;
  Elf_Data *symbols;
  Elf_Data *strings;
  gsize n_symbols;
  guint64 extern_start; /* places of symbols of other files: a page each, by index */
  gsize n_extern;
  PenElfSymbols *names;
  GArray *objects;         /* variables by address; NULL: not yet asked for */
  GHashTable *relocations; /* of pen-module-relocation.c: section → GArray */
  PenRewrittenText *rewritten;
};

/* Is there code of @section at @address, as placed? */
gboolean pen_kernel_section_has_code (const PenKernelSection *section, guint64 address);
/* Looks for the table once. Returns: FALSE: there is none */
gboolean pen_kernel_file_find_symbol_table (PenKernelFile *self);
gboolean pen_kernel_file_get_symbol (PenKernelFile *self, gsize index, GElf_Sym *symbol,
                                     const char **name);
/* Returns: FALSE: it has no place */
gboolean pen_kernel_file_place_symbol (PenKernelFile *self, gsize index, const GElf_Sym *symbol,
                                       guint64 *address);
/* Returns: FALSE where the file has no byte of code at @address, as placed */
gboolean pen_kernel_file_peek (PenKernelFile *self, guint64 address, guint8 *byte);
/* Reads @length bytes of @section as linked, with relocations done. Returns: FALSE where the file
 * does not have them all */
gboolean pen_kernel_file_read_linked (PenKernelFile *self, const PenKernelSection *section,
                                      guint64 offset, gsize length, guint8 *buffer, guint8 *states,
                                      const PenModuleLoad *load);
/* Returns: (nullable): the section of code that holds @address, as placed */
const PenKernelSection *pen_kernel_file_find_code (PenKernelFile *self, guint64 address);

G_END_DECLS
