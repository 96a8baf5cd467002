/* pen-elf-symbols.h: the functions that symbol tables of an ELF file name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gelf.h>
#include <gio/gio.h>
#include <glib.h>

#include "pen-kallsyms.h"

G_BEGIN_DECLS

/* More than the largest programs have; what comes after them is left out. */
#define PEN_ELF_SYMBOLS_MAX (8u << 20)

typedef struct _PenElfSymbols PenElfSymbols;

PenElfSymbols *pen_elf_symbols_new (void);
void pen_elf_symbols_free (PenElfSymbols *self);
/* Reading and sorting stop where @cancellable is cancelled: then there are less, or none.
 * @cancellable: (nullable): not used once they are sealed */
void pen_elf_symbols_set_cancellable (PenElfSymbols *self, GCancellable *cancellable);

/* Names of these many bytes more may come, and some times as many where they overlap; symbols whose
 * names go beyond are left out. Tables say so themselves. */
void pen_elf_symbols_expect (PenElfSymbols *self, gsize length);
/* Names are copied. Returns: how many symbols were taken */
guint pen_elf_symbols_add_table (PenElfSymbols *self, Elf *elf, Elf_Data *symbols,
                                 Elf_Data *strings);
/*
 * pen_elf_symbols_add:
 * @address: where it is, whatever @symbol says
 * @section_end: of the executable section that holds it
 *
 * One symbol, if it is code. Its name is copied.
 */
void pen_elf_symbols_add (PenElfSymbols *self, const GElf_Sym *symbol, const char *name,
                          guint64 address, guint64 section_end);
/* Labels within functions count, as they do in kallsyms. Call it before sealing. */
void pen_elf_symbols_keep_labels (PenElfSymbols *self);
/* Sorts them, chooses among those of one address, and gives an end to those without a size. Once;
 * only then they are found. */
void pen_elf_symbols_seal (PenElfSymbols *self);
guint pen_elf_symbols_get_count (PenElfSymbols *self);
/* By address. @occupant: passed on */
void pen_elf_symbols_foreach (PenElfSymbols *self, PenSymbolFunc func, const char *occupant,
                              gpointer user_data);
gboolean pen_elf_symbols_find (PenElfSymbols *self, guint64 address, PenSymbol *symbol);

G_END_DECLS
