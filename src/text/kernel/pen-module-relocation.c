/* pen-module-relocation.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-relocation.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-table-hash.h"

#define MAX_RELOCATIONS (4u << 20)
/* No relocation is wider. */
#define MAX_WIDTH 8u

typedef struct {
  guint64 offset;
  guint64 addend;
  guint32 symbol;
  guint32 type;
} Relocation;

static int
compare_relocations (gconstpointer a, gconstpointer b)
{
  const Relocation *x = a;
  const Relocation *y = b;

  return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
take_section (PenKernelFile *file, const PenKernelSection *from, GArray *taken)
{
  Elf_Data *data = elf_getdata (from->scn, NULL);
  gsize entry = gelf_fsize (file->elf, ELF_T_RELA, 1, EV_CURRENT);
  gsize n = data && entry > 0 ? data->d_size / entry : 0;

  for (gsize i = 0; i < n && taken->len < MAX_RELOCATIONS; i++) {
    GElf_Rela rela;
    Relocation relocation;

    if (!gelf_getrela (data, (int) i, &rela))
      break;
    relocation
        = (Relocation){ rela.r_offset, (guint64) rela.r_addend, (guint32) GELF_R_SYM (rela.r_info),
                        (guint32) GELF_R_TYPE (rela.r_info) };
    g_array_append_val (taken, relocation);
  }
}

/* Returns: (element-type Relocation): by offset; owned by @file */
static GArray *
get_relocations (PenKernelFile *file, const PenKernelSection *section)
{
  size_t index = elf_ndxscn (section->scn);
  GArray *taken;

  if (!file->relocations)
    file->relocations
        = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) g_array_unref);
  taken = g_hash_table_lookup (file->relocations, section->scn);
  if (taken)
    return taken;

  taken = g_array_new (FALSE, FALSE, sizeof (Relocation));
  for (guint i = 0; i < file->sections->len; i++) {
    const PenKernelSection *from = &g_array_index (file->sections, PenKernelSection, i);

    if (from->scn && from->header.sh_type == SHT_RELA && from->header.sh_info == index)
      take_section (file, from, taken);
  }
  g_array_sort (taken, compare_relocations);
  g_hash_table_insert (file->relocations, section->scn, taken);
  return taken;
}

typedef struct {
  guint width;
  gboolean is_relative;
} Form;

/* Returns: FALSE for relocations that do more than write a number. */
static gboolean
get_form (guint machine, guint type, Form *form)
{
  static const struct {
    guint machine;
    guint type;
    Form form;
  } forms[] = {
    { EM_X86_64, R_X86_64_64, { 8, FALSE } },      { EM_X86_64, R_X86_64_PC32, { 4, TRUE } },
    { EM_X86_64, R_X86_64_PLT32, { 4, TRUE } },    { EM_X86_64, R_X86_64_32, { 4, FALSE } },
    { EM_X86_64, R_X86_64_32S, { 4, FALSE } },     { EM_X86_64, R_X86_64_PC64, { 8, TRUE } },
    { EM_AARCH64, R_AARCH64_ABS64, { 8, FALSE } }, { EM_AARCH64, R_AARCH64_ABS32, { 4, FALSE } },
    { EM_AARCH64, R_AARCH64_PREL64, { 8, TRUE } }, { EM_AARCH64, R_AARCH64_PREL32, { 4, TRUE } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (forms[i].machine == machine && forms[i].type == type) {
      *form = forms[i].form;
      return TRUE;
    }
  *form = (Form){ machine == EM_AARCH64 ? 4 : MAX_WIDTH, FALSE };
  return FALSE;
}

/* Where a reference leads. In code, only what is certain counts: where the kernel puts a module's
 * data is not known. */
static gboolean
find_target (PenKernelFile *file, const Relocation *relocation, gboolean is_code,
             PenResolveFunc resolve, gpointer user_data, guint64 *target)
{
  GElf_Sym symbol;
  const char *name;

  if (!pen_kernel_file_get_symbol (file, relocation->symbol, &symbol, &name)
      || !pen_kernel_file_place_symbol (file, relocation->symbol, &symbol, target))
    return FALSE;

  if (is_code && symbol.st_shndx == SHN_UNDEF) {
    *target = resolve != NULL ? resolve (name, user_data) : 0;
    if (*target == 0)
      return FALSE;
  } else if (is_code && !pen_kernel_file_find_code (file, *target)) {
    return FALSE;
  }
  *target += relocation->addend;
  return TRUE;
}

static void
write_number (const PenKernelFile *file, guint64 number, guint width, gint64 at, gsize length,
              guint8 *buffer)
{
  for (guint i = 0; i < width; i++) {
    guint shift = 8 * (file->is_big_endian ? width - 1 - i : i);

    if (at + i >= 0 && (guint64) (at + i) < length)
      buffer[at + i] = (guint8) (number >> shift);
  }
}

static void
forget (guint width, gint64 at, gsize length, guint8 *buffer, guint8 *states)
{
  for (guint i = 0; i < width; i++)
    if (at + i >= 0 && (guint64) (at + i) < length) {
      buffer[at + i] = 0;
      states[at + i] = PEN_FILE_BYTE_UNKNOWN;
    }
}

static guint
find_first (GArray *relocations, guint64 offset)
{
  return PEN_BINARY_SEARCH (i, 0, relocations->len,
                            g_array_index (relocations, Relocation, i).offset < offset);
}

void
pen_module_relocation_apply (PenKernelFile *file, const PenKernelSection *section, guint64 offset,
                             gsize length, guint8 *buffer, guint8 *states, PenResolveFunc resolve,
                             gpointer user_data)
{
  GArray *relocations;

  if (file->type != ET_REL)
    return;

  relocations = get_relocations (file, section);
  for (guint i = find_first (relocations, offset - MIN (offset, MAX_WIDTH)); i < relocations->len;
       i++) {
    const Relocation *relocation = &g_array_index (relocations, Relocation, i);
    gint64 at = (gint64) (relocation->offset - offset);
    guint64 target;
    Form form;

    if (relocation->offset >= offset + length)
      break;
    if (!get_form (file->machine, relocation->type, &form)
        || !find_target (file, relocation, states != NULL, resolve, user_data, &target)) {
      if (states)
        forget (form.width, at, length, buffer, states);
      continue;
    }
    if (form.is_relative)
      target -= section->address + relocation->offset;
    write_number (file, target, form.width, at, length, buffer);
  }
}

/* ---- debug information ---- */

static void
apply_to_debug (PenKernelFile *file, const GElf_Rela *rela, guint8 *bytes, gsize length)
{
  GElf_Sym symbol;
  const char *name;
  guint64 target;
  Form form;

  if (rela->r_offset >= length
      || !get_form (file->machine, (guint) GELF_R_TYPE (rela->r_info), &form)
      || !pen_kernel_file_get_symbol (file, GELF_R_SYM (rela->r_info), &symbol, &name))
    return;

  target = symbol.st_value;
  pen_kernel_file_place_symbol (file, GELF_R_SYM (rela->r_info), &symbol, &target);
  target += (guint64) rela->r_addend;
  if (form.is_relative)
    target -= rela->r_offset;
  write_number (file, target, form.width, (gint64) rela->r_offset, length, bytes);
}

/* One after the other: a large driver has ten million of them. */
gboolean
pen_module_relocation_apply_debug (PenKernelFile *file, Elf_Scn *section, guint8 *bytes,
                                   gsize length)
{
  size_t index = elf_ndxscn (section);
  gsize entry = gelf_fsize (file->elf, ELF_T_RELA, 1, EV_CURRENT);

  if (file->machine != EM_X86_64 && file->machine != EM_AARCH64)
    return FALSE;

  for (guint i = 0; i < file->sections->len; i++) {
    const PenKernelSection *from = &g_array_index (file->sections, PenKernelSection, i);
    Elf_Data *data;
    GElf_Rela rela;

    if (!from->scn || from->header.sh_type != SHT_RELA || from->header.sh_info != index)
      continue;
    data = elf_getdata (from->scn, NULL);
    for (gsize k = 0; data && k < data->d_size / entry; k++)
      if (gelf_getrela (data, (int) k, &rela))
        apply_to_debug (file, &rela, bytes, length);
  }
  return TRUE;
}
