/* pen-elf-plt.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-elf-plt.h"

#include <string.h>

#include "pen-table-hash.h"

#define MAX_SECTION (64u << 20)
#define MAX_RELOCATIONS (1u << 20)
#define MAX_NAME 4000
#define MAX_NAMES (16u << 20)
#define STUB 16u
#define NO_SLOT G_MAXUINT64

typedef struct {
  Elf *elf;
  guint16 machine;
  size_t section_names;
  GHashTable *slots; /* address of a slot → name of what it leads to */
  gsize names_left;  /* bytes of names: they may be ends of each other */
  PenElfSymbols *named;
  PenElfSymbols *stubs;
} Reader;

/* ---- what fills the slots ---- */

typedef enum {
  FILLS_NOTHING,
  FILLS_SYMBOL,
  FILLS_IFUNC, /* with what the function at its addend returns */
} Fill;

static Fill
get_fill (guint16 machine, guint64 type)
{
  if (machine == EM_X86_64 && (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT))
    return FILLS_SYMBOL;
  if (machine == EM_AARCH64 && (type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT))
    return FILLS_SYMBOL;
  if ((machine == EM_X86_64 && type == R_X86_64_IRELATIVE)
      || (machine == EM_AARCH64 && type == R_AARCH64_IRELATIVE))
    return FILLS_IFUNC;
  return FILLS_NOTHING;
}

static void
set_slot (Reader *self, guint64 slot, char *name)
{
  guint64 *key = g_memdup2 (&slot, sizeof slot);

  g_hash_table_insert (self->slots, key, name);
}

static void
fill_by_ifunc (Reader *self, const GElf_Rela *relocation)
{
  guint64 resolver = (guint64) relocation->r_addend;
  PenSymbol symbol;

  if (pen_elf_symbols_find (self->named, resolver, &symbol) && symbol.start == resolver)
    set_slot (self, relocation->r_offset, g_strdup (symbol.name));
  else
    set_slot (self, relocation->r_offset,
              g_strdup_printf ("*ABS*+0x%" G_GINT64_MODIFIER "x", resolver));
}

static void
fill_by_symbol (Reader *self, const GElf_Rela *relocation, Elf_Data *symbols, size_t strings)
{
  guint64 index = GELF_R_SYM (relocation->r_info);
  GElf_Sym symbol;
  const char *name;
  gsize length;

  if (!symbols || index > G_MAXINT || !gelf_getsym (symbols, (int) index, &symbol))
    return;

  /* Checked by the library: within the section, and with an end. */
  name = elf_strptr (self->elf, strings, symbol.st_name);
  length = name ? strnlen (name, MAX_NAME) : 0;
  if (length == 0 || length > self->names_left)
    return;

  self->names_left -= length;
  set_slot (self, relocation->r_offset, g_strndup (name, length));
}

static void
read_relocations (Reader *self, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Scn *table = elf_getscn (self->elf, header->sh_link);
  Elf_Data *relocations = header->sh_size <= MAX_SECTION ? elf_getdata (section, NULL) : NULL;
  Elf_Data *symbols = NULL;
  GElf_Shdr table_header = { 0 };
  gsize n;

  if (!relocations || header->sh_entsize == 0)
    return;
  if (table && gelf_getshdr (table, &table_header)
      && (table_header.sh_type == SHT_DYNSYM || table_header.sh_type == SHT_SYMTAB)
      && table_header.sh_size <= MAX_SECTION)
    symbols = elf_getdata (table, NULL);

  n = MIN (relocations->d_size / header->sh_entsize, MAX_RELOCATIONS);
  for (gsize i = 0; i < n && g_hash_table_size (self->slots) < MAX_RELOCATIONS; i++) {
    GElf_Rela relocation;
    Fill fill;

    if (!gelf_getrela (relocations, (int) i, &relocation))
      break;
    fill = get_fill (self->machine, GELF_R_TYPE (relocation.r_info));
    if (fill == FILLS_SYMBOL)
      fill_by_symbol (self, &relocation, symbols, table_header.sh_link);
    else if (fill == FILLS_IFUNC)
      fill_by_ifunc (self, &relocation);
  }
}

/* ---- which slot a stub jumps through ---- */

static gint64
read_signed (const guint8 *bytes)
{
  gint32 value;

  memcpy (&value, bytes, sizeof value);
  return GINT32_FROM_LE (value);
}

static guint32
read_word (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_LE (value);
}

/* [endbr64] [bnd] jmp *slot(%rip) */
static guint64
find_x86_slot (const guint8 *bytes, gsize length, guint64 address)
{
  static const guint8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
  gsize at = length >= sizeof endbr64 && memcmp (bytes, endbr64, sizeof endbr64) == 0
                 ? sizeof endbr64
                 : 0;

  if (at < length && bytes[at] == 0xf2)
    at++;
  if (at + 6 > length || bytes[at] != 0xff || bytes[at + 1] != 0x25)
    return NO_SLOT;
  return address + at + 6 + (guint64) read_signed (bytes + at + 2);
}

static gboolean
is_x86_header (const guint8 *bytes, gsize length)
{
  return length >= 2 && bytes[0] == 0xff && bytes[1] == 0x35; /* push GOT[1](%rip) */
}

static void
add_symbol (Reader *self, guint64 start, guint64 length, const char *name)
{
  const GElf_Sym symbol = {
    .st_size = length,
    .st_info = GELF_ST_INFO (STB_GLOBAL, STT_FUNC),
  };

  pen_elf_symbols_add (self->stubs, &symbol, name, start, start + length);
}

static void
add_stub (Reader *self, guint64 address, guint64 length, guint64 slot)
{
  const char *name = g_hash_table_lookup (self->slots, &slot);
  g_autofree char *shown = NULL;

  if (!name)
    return;

  shown = g_strconcat (name, "@plt", NULL);
  add_symbol (self, address, length, shown);
}

static void
read_x86_stubs (Reader *self, const guint8 *bytes, gsize size, const GElf_Shdr *header)
{
  gsize step = header->sh_entsize == 8 ? 8 : STUB;

  for (gsize at = 0; at + 6 <= size; at += step) {
    gsize length = MIN (step, size - at);
    guint64 slot = find_x86_slot (bytes + at, length, header->sh_addr + at);

    if (slot != NO_SLOT)
      add_stub (self, header->sh_addr + at, length, slot);
    else if (at == 0 && is_x86_header (bytes, size))
      add_symbol (self, header->sh_addr, length, ".plt");
  }
}

/* [bti c]; adrp x16, slot's page; ldr x17, [x16, slot's offset]; add …; br x17 */
static guint64
find_arm_slot (guint32 adrp, guint32 ldr, guint64 address)
{
  gint64 pages;

  if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
    return NO_SLOT;

  pages = (gint64) ((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
  if (pages >= 1 << 20)
    pages -= 1 << 21;
  return (address & ~(guint64) 4095) + (guint64) (pages * 4096) + (ldr >> 10 & 0xfff) * 8u;
}

static void
read_arm_stubs (Reader *self, const guint8 *bytes, gsize size, const GElf_Shdr *header)
{
  const guint32 bti_c = 0xd503245f;
  gsize first = size; /* where the first stub begins */

  for (gsize at = 0; at + STUB <= size; at += 4) {
    guint64 slot
        = find_arm_slot (read_word (bytes + at), read_word (bytes + at + 4), header->sh_addr + at);
    gsize before = at >= 4 && read_word (bytes + at - 4) == bti_c ? 4 : 0;

    if (slot == NO_SLOT || !g_hash_table_contains (self->slots, &slot))
      continue;
    add_stub (self, header->sh_addr + at - before, STUB + before, slot);
    first = MIN (first, at - before);
  }
  if (first > 0 && first < size)
    add_symbol (self, header->sh_addr, first, ".plt");
}

static gboolean
holds_stubs (Reader *self, const GElf_Shdr *header)
{
  static const char *const names[] = { ".plt", ".plt.sec", ".plt.got", ".iplt" };
  const char *name = elf_strptr (self->elf, self->section_names, header->sh_name);

  for (guint i = 0; name && i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      return header->sh_type == SHT_PROGBITS && (header->sh_flags & SHF_EXECINSTR) != 0
             && header->sh_size <= MAX_SECTION && header->sh_size <= G_MAXUINT64 - header->sh_addr;
  return FALSE;
}

static void
read_stubs (Reader *self, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *data = elf_rawdata (section, NULL);

  if (!data || !data->d_buf)
    return;

  if (self->machine == EM_X86_64)
    read_x86_stubs (self, data->d_buf, data->d_size, header);
  else
    read_arm_stubs (self, data->d_buf, data->d_size, header);
}

PenElfSymbols *
pen_elf_plt_read (Elf *elf, PenElfSymbols *named)
{
  Reader self = {
    .elf = elf,
    .names_left = MAX_NAMES,
    .named = named,
    .stubs = pen_elf_symbols_new (),
  };
  Elf_Scn *section = NULL;
  GElf_Ehdr file;
  GElf_Shdr header;

  if (!gelf_getehdr (elf, &file) || (file.e_machine != EM_X86_64 && file.e_machine != EM_AARCH64)
      || elf_getshdrstrndx (elf, &self.section_names) != 0)
    return self.stubs;

  self.machine = file.e_machine;
  pen_elf_symbols_expect (self.stubs, MAX_NAMES);
  self.slots = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, g_free);
  while ((section = elf_nextscn (elf, section)))
    if (gelf_getshdr (section, &header) && header.sh_type == SHT_RELA)
      read_relocations (&self, section, &header);
  while ((section = elf_nextscn (elf, section)))
    if (gelf_getshdr (section, &header) && holds_stubs (&self, &header))
      read_stubs (&self, section, &header);
  g_hash_table_unref (self.slots);
  pen_elf_symbols_seal (self.stubs);
  return self.stubs;
}
