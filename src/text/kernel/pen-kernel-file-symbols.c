/* pen-kernel-file-symbols.c: the symbol table of a kernel's or a module's file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-binary-search.h"
#include "pen-kernel-file-private.h"

/* ---- the symbol table ---- */

gboolean
pen_kernel_file_find_symbol_table (PenKernelFile *self)
{
  if (self->has_looked_for_symbols)
    return self->symbols != NULL;

  self->has_looked_for_symbols = TRUE;
  for (guint i = 0; i < self->sections->len; i++) {
    const PenKernelSection *section = &g_array_index (self->sections, PenKernelSection, i);
    const PenKernelSection *strings;

    if (!section->scn || section->header.sh_type != SHT_SYMTAB
        || section->header.sh_link >= self->sections->len
        || section->header.sh_size > PEN_KERNEL_FILE_MAX_TABLE)
      continue;
    strings = &g_array_index (self->sections, PenKernelSection, section->header.sh_link);
    if (!strings->scn || strings->header.sh_type != SHT_STRTAB
        || strings->header.sh_size > PEN_KERNEL_FILE_MAX_TABLE)
      continue;

    self->symbols = elf_getdata (section->scn, NULL);
    self->strings = elf_getdata (strings->scn, NULL);
    if (!self->symbols || !self->strings || !self->symbols->d_buf || !self->strings->d_buf
        || self->strings->d_size == 0
        || ((const char *) self->strings->d_buf)[self->strings->d_size - 1] != '\0') {
      self->symbols = NULL;
      continue;
    }
    self->n_symbols = MIN (self->symbols->d_size / gelf_fsize (self->elf, ELF_T_SYM, 1, EV_CURRENT),
                           PEN_ELF_SYMBOLS_MAX);
    return TRUE;
  }
  return FALSE;
}

gboolean
pen_kernel_file_get_symbol (PenKernelFile *self, gsize index, GElf_Sym *symbol, const char **name)
{
  if (!pen_kernel_file_find_symbol_table (self) || index >= self->n_symbols
      || !gelf_getsym (self->symbols, (int) index, symbol)
      || symbol->st_name >= self->strings->d_size)
    return FALSE;

  *name = (const char *) self->strings->d_buf + symbol->st_name;
  return TRUE;
}

guint64
pen_kernel_file_lookup (PenKernelFile *self, const char *name)
{
  GElf_Sym symbol;
  const char *own;

  pen_kernel_file_find_symbol_table (self);
  for (gsize i = 1; i < self->n_symbols; i++)
    if (pen_kernel_file_get_symbol (self, i, &symbol, &own) && symbol.st_shndx != SHN_UNDEF
        && strcmp (own, name) == 0)
      return symbol.st_value;
  return 0;
}

gboolean
pen_kernel_file_place_symbol (PenKernelFile *self, gsize index, const GElf_Sym *symbol,
                              guint64 *address)
{
  const PenKernelSection *section;

  if (symbol->st_shndx == SHN_UNDEF) {
    *address = self->extern_start + index * PEN_KERNEL_FILE_PAGE;
    return self->type == ET_REL && index < self->n_extern;
  }
  if (symbol->st_shndx >= self->sections->len)
    return FALSE;

  section = &g_array_index (self->sections, PenKernelSection, symbol->st_shndx);
  *address
      = section->address + symbol->st_value - (self->type == ET_REL ? 0 : section->header.sh_addr);
  return section->is_placed;
}

/* ---- names ---- */

guint
pen_kernel_file_load_symbols (PenKernelFile *self)
{
  GElf_Sym symbol;
  const char *name;

  if (pen_kernel_file_find_symbol_table (self))
    pen_elf_symbols_expect (self->names, self->strings->d_size);
  for (gsize i = 1; i < self->n_symbols; i++) {
    const PenKernelSection *section;
    guint64 address;

    if (!pen_kernel_file_get_symbol (self, i, &symbol, &name)
        || symbol.st_shndx >= self->sections->len
        || !pen_kernel_file_place_symbol (self, i, &symbol, &address))
      continue;
    section = &g_array_index (self->sections, PenKernelSection, symbol.st_shndx);
    if (pen_kernel_section_has_code (section, address))
      pen_elf_symbols_add (self->names, &symbol, name, address,
                           section->address + section->header.sh_size);
  }
  pen_elf_symbols_seal (self->names);
  return pen_elf_symbols_get_count (self->names);
}

gboolean
pen_kernel_file_find_symbol (PenKernelFile *self, guint64 address, PenSymbol *symbol)
{
  return pen_elf_symbols_find (self->names, address, symbol);
}

void
pen_kernel_file_foreach_symbol (PenKernelFile *self, PenSymbolFunc func, const char *occupant,
                                gpointer user_data)
{
  pen_elf_symbols_foreach (self->names, func, occupant, user_data);
}

/* ---- variables ---- */

typedef struct {
  guint64 start;
  guint64 length;
  const char *name;
} Object;

static int
compare_objects (gconstpointer a, gconstpointer b)
{
  const Object *x = a;
  const Object *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return strcmp (x->name, y->name);
}

static void
load_objects (PenKernelFile *self)
{
  GElf_Sym symbol;
  const char *name;

  self->objects = g_array_new (FALSE, FALSE, sizeof (Object));
  pen_kernel_file_find_symbol_table (self);
  for (gsize i = 1; i < self->n_symbols; i++) {
    Object object = { .length = PEN_KERNEL_FILE_PAGE };
    gboolean is_extern;

    if (!pen_kernel_file_get_symbol (self, i, &symbol, &name) || *name == '\0')
      continue;
    is_extern = symbol.st_shndx == SHN_UNDEF;
    if ((!is_extern && GELF_ST_TYPE (symbol.st_info) != STT_OBJECT)
        || !pen_kernel_file_place_symbol (self, i, &symbol, &object.start))
      continue;
    object.name = name;
    if (!is_extern)
      object.length = MAX (symbol.st_size, 1);
    g_array_append_val (self->objects, object);
  }
  g_array_sort (self->objects, compare_objects);
}

const char *
pen_kernel_file_find_object (PenKernelFile *self, guint64 address, guint64 *offset)
{
  const Object *object;
  guint n;

  if (!self->objects)
    load_objects (self);

  n = PEN_BINARY_SEARCH (i, 0, self->objects->len,
                         g_array_index (self->objects, Object, i).start <= address);
  if (n == 0)
    return NULL;

  object = &g_array_index (self->objects, Object, n - 1);
  *offset = address - object->start;
  return *offset < object->length ? object->name : NULL;
}
