/* steep-elf.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "steep-elf.h"

#include <stdlib.h>
#include <string.h>

static const guint8 build_id[20] = { 0x57, 0xee, 0x9 };

/* Of sections. */
static const char names[] = "\0.text\0.symtab\0.strtab\0.note\0.debug_info\0.debug_abbrev\0"
                            ".debug_line\0.debug_ranges\0.debug_str";

void
steep_save (SteepMaker *maker, const char *name, GByteArray *bytes)
{
  g_autofree char *path = g_build_filename (maker->directory, name, NULL);

  if (!g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL))
    exit (1);
}

void
steep_map_file (SteepMaker *maker, const char *name, guint64 start, guint64 length, guint64 offset,
                const guint8 *id)
{
  g_autofree char *path = g_canonicalize_filename (name, maker->directory);

  steep_at (maker, 7);
  pen_test_capture_add_mmap2 (maker->capture, PEN_TEST_USER, 7, 7, start, length, offset, 5, 2, id,
                              path);
}

void
steep_put (GByteArray *bytes, gconstpointer data, gsize length)
{
  g_byte_array_append (bytes, data, (guint) length);
}

static guint32
find_name (const char *name)
{
  for (const char *at = names + 1; at < names + sizeof names; at += strlen (at) + 1)
    if (strcmp (at, name) == 0)
      return (guint32) (at - names);
  g_return_val_if_reached (0);
}

guint
steep_elf_add (SteepElf *self, const char *name, Elf64_Shdr section, gconstpointer data,
               gsize length)
{
  section.sh_name = find_name (name);
  section.sh_offset = self->bytes->len;
  section.sh_size = length;
  steep_put (self->bytes, data, length);
  g_array_append_val (self->sections, section);
  return self->sections->len - 1;
}

void
steep_elf_repeat (SteepElf *self, guint section, guint n)
{
  Elf64_Shdr header = g_array_index (self->sections, Elf64_Shdr, section);

  for (guint i = 0; i < n; i++)
    g_array_append_val (self->sections, header);
}

static void
add_code (SteepElf *self, guint n_pieces)
{
  g_autofree guint8 *code = g_malloc (STEEP_ELF_CODE);
  guint64 step = STEEP_ELF_CODE / n_pieces;

  memset (code, 0x90, STEEP_ELF_CODE);
  for (guint i = 0; i < n_pieces; i++) {
    Elf64_Shdr piece = {
      .sh_type = SHT_PROGBITS,
      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
      .sh_addr = STEEP_ELF_START + i * step,
      .sh_addralign = 1,
    };

    steep_elf_add (self, ".text", piece, code, i + 1 < n_pieces ? step : STEEP_ELF_CODE - i * step);
  }
}

static void
add_build_id (SteepElf *self)
{
  g_autoptr (GByteArray) note = g_byte_array_new ();
  Elf64_Nhdr header = { 4, sizeof build_id, NT_GNU_BUILD_ID };

  steep_put (note, &header, sizeof header);
  steep_put (note, "GNU", 4);
  steep_put (note, build_id, sizeof build_id);
  steep_elf_add (self, ".note", (Elf64_Shdr){ .sh_type = SHT_NOTE, .sh_addralign = 4 }, note->data,
                 note->len);
}

void
steep_elf_begin (SteepElf *self, guint n_pieces)
{
  static const guint8 headers[STEEP_ELF_OFFSET] = { 0 };
  const Elf64_Shdr none = { 0 };

  self->bytes = g_byte_array_new ();
  self->sections = g_array_new (FALSE, FALSE, sizeof (Elf64_Shdr));
  steep_put (self->bytes, headers, sizeof headers);
  g_array_append_val (self->sections, none);
  add_code (self, n_pieces);
  add_build_id (self);
}

void
steep_elf_add_symbols (SteepElf *self, GByteArray *symbols, GByteArray *strings)
{
  guint table
      = steep_elf_add (self, ".strtab", (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1 },
                       strings->data, strings->len);

  steep_elf_add (self, ".symtab",
                 (Elf64_Shdr){ .sh_type = SHT_SYMTAB,
                               .sh_link = table,
                               .sh_info = 1,
                               .sh_addralign = 8,
                               .sh_entsize = sizeof (Elf64_Sym) },
                 symbols->data, symbols->len);
}

void
steep_elf_end (SteepElf *self, SteepMaker *maker)
{
  Elf64_Phdr segment = {
    .p_type = PT_LOAD,
    .p_flags = PF_R | PF_X,
    .p_offset = STEEP_ELF_OFFSET,
    .p_vaddr = STEEP_ELF_START,
    .p_filesz = STEEP_ELF_CODE,
    .p_memsz = STEEP_ELF_CODE,
    .p_align = 1,
  };
  Elf64_Ehdr header = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_DYN,
    .e_machine = EM_X86_64,
    .e_version = EV_CURRENT,
    .e_phoff = sizeof header,
    .e_ehsize = sizeof header,
    .e_phentsize = sizeof segment,
    .e_phnum = 1,
    .e_shentsize = sizeof (Elf64_Shdr),
  };

  header.e_shstrndx = (Elf64_Half) steep_elf_add (
      self, ".strtab", (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1 }, names,
      sizeof names);
  header.e_shoff = self->bytes->len;
  header.e_shnum = (Elf64_Half) self->sections->len;
  memcpy (self->bytes->data, &header, sizeof header);
  memcpy (self->bytes->data + sizeof header, &segment, sizeof segment);
  steep_put (self->bytes, self->sections->data, self->sections->len * sizeof (Elf64_Shdr));
  steep_save (maker, "program", self->bytes);
  steep_map_file (maker, "program", MEMORY, STEEP_ELF_CODE, STEEP_ELF_OFFSET, build_id);
  g_byte_array_unref (self->bytes);
  g_array_unref (self->sections);
}
