/* steep-elf.h: a program whose pages are code, and what else is put into its file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <elf.h>

#include "steep.h"

G_BEGIN_DECLS

#define STEEP_ELF_START 0x1000u
#define STEEP_ELF_CODE 0x100000u
/* Where the code begins in the file. */
#define STEEP_ELF_OFFSET (sizeof (Elf64_Ehdr) + sizeof (Elf64_Phdr))

typedef struct {
  GByteArray *bytes;
  GArray *sections; /* Elf64_Shdr */
} SteepElf;

void steep_put (GByteArray *bytes, gconstpointer data, gsize length);

/* 64-bit ELF for x86-64: its code is in @n_pieces sections of one length, the first ones. */
void steep_elf_begin (SteepElf *self, guint n_pieces);

/* @name: one of those that steep-elf.c lists. Returns: the section's number */
guint steep_elf_add (SteepElf *self, const char *name, Elf64_Shdr section, gconstpointer data,
                     gsize length);

/* @symbols: Elf64_Sym, the first of which is none; @strings: their names */
void steep_elf_add_symbols (SteepElf *self, GByteArray *symbols, GByteArray *strings);

/* Names of @section once more, not its bytes. */
void steep_elf_repeat (SteepElf *self, guint section, guint n);

/* Writes the file, and maps its code at MEMORY in process 7. */
void steep_elf_end (SteepElf *self, SteepMaker *maker);

/* A file in the capture's directory. */
void steep_save (SteepMaker *maker, const char *name, GByteArray *bytes);
void steep_map_file (SteepMaker *maker, const char *name, guint64 start, guint64 length,
                     guint64 offset, const guint8 *build_id);

G_END_DECLS
