/* steep-program-files.c: ELF files, debug information and dumps of JIT compilers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "steep.h"

#define ELF_START 0x1000u
#define ELF_CODE 0x100000u

static void
save (SteepMaker *self, const char *name, GByteArray *bytes)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);

  if (!g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL))
    exit (1);
}

static void
put (GByteArray *bytes, gconstpointer data, gsize length)
{
  g_byte_array_append (bytes, data, (guint) length);
}

/* How a file of @n symbols is made worse. */
typedef enum {
  ELF_PLAIN,
  ELF_ENDS_OF_ONE_NAME, /* names are ends of a long one */
  ELF_TABLES_OVER_EACH_OTHER,
  ELF_SECTIONS_OF_CODE,
} ElfShape;

static const guint8 build_id[20] = { 0x57, 0xee, 0x9 };

typedef struct {
  GByteArray *bytes;
  GArray *sections; /* Elf64_Shdr */
} Elf;

static guint
add_section (Elf *self, Elf64_Shdr section, gconstpointer data, gsize length)
{
  section.sh_offset = self->bytes->len;
  section.sh_size = length;
  put (self->bytes, data, length);
  g_array_append_val (self->sections, section);
  return self->sections->len - 1;
}

/* A copy of its place, not of its bytes. */
static void
repeat_section (Elf *self, guint number, guint n)
{
  Elf64_Shdr section = g_array_index (self->sections, Elf64_Shdr, number);

  for (guint i = 0; i < n; i++)
    g_array_append_val (self->sections, section);
}

static void
add_code (Elf *self, guint n_pieces)
{
  g_autofree guint8 *code = g_malloc (ELF_CODE);
  guint64 step = ELF_CODE / n_pieces;

  memset (code, 0x90, ELF_CODE);
  for (guint i = 0; i < n_pieces; i++) {
    Elf64_Shdr piece = {
      .sh_name = 1,
      .sh_type = SHT_PROGBITS,
      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
      .sh_addr = ELF_START + i * step,
      .sh_addralign = 1,
    };

    add_section (self, piece, code, i + 1 < n_pieces ? step : ELF_CODE - i * step);
  }
}

static void
add_symbols (Elf *self, guint n, guint step, guint n_pieces, gboolean ends)
{
  g_autoptr (GByteArray) strings = g_byte_array_new ();
  g_autoptr (GByteArray) symbols = g_byte_array_new ();
  Elf64_Sym none = { 0 };
  guint table;

  put (strings, "", 1);
  put (symbols, &none, sizeof none);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("function_%u", i);
    guint piece = i % n_pieces;
    Elf64_Sym symbol = {
      .st_name = ends ? 1 + 8 * i : strings->len,
      .st_info = ELF64_ST_INFO (STB_GLOBAL, STT_FUNC),
      .st_shndx = (Elf64_Half) (1 + piece),
      .st_value = ELF_START
                  + (n_pieces == 1 ? (step * (guint64) i) % (ELF_CODE - PAGE)
                                   : piece * (guint64) (ELF_CODE / n_pieces)),
      .st_size = step == 0 ? 0x100 + i : 0x8000 - i % 0x4000,
    };

    if (ends)
      put (strings, "function", 8);
    else
      put (strings, name, strlen (name) + 1);
    put (symbols, &symbol, sizeof symbol);
  }
  put (strings, "", 1);

  table
      = add_section (self, (Elf64_Shdr){ .sh_name = 15, .sh_type = SHT_STRTAB, .sh_addralign = 1 },
                     strings->data, strings->len);
  add_section (self,
               (Elf64_Shdr){ .sh_name = 7,
                             .sh_type = SHT_SYMTAB,
                             .sh_link = table,
                             .sh_info = 1,
                             .sh_addralign = 8,
                             .sh_entsize = sizeof (Elf64_Sym) },
               symbols->data, symbols->len);
}

static void
add_build_id (Elf *self)
{
  g_autoptr (GByteArray) note = g_byte_array_new ();
  Elf64_Nhdr header = { 4, sizeof build_id, NT_GNU_BUILD_ID };

  put (note, &header, sizeof header);
  put (note, "GNU", 4);
  put (note, build_id, sizeof build_id);
  add_section (self, (Elf64_Shdr){ .sh_name = 23, .sh_type = SHT_NOTE, .sh_addralign = 4 },
               note->data, note->len);
}

/* 64-bit ELF: code, and @n symbols @step apart. */
static GByteArray *
make_elf (guint n, guint step, ElfShape shape)
{
  static const char names[] = "\0.text\0.symtab\0.strtab\0.note";
  guint n_pieces = shape == ELF_SECTIONS_OF_CODE ? MIN (n, 60000) : 1;
  Elf64_Shdr none = { 0 };
  Elf elf = { g_byte_array_new (), g_array_new (FALSE, FALSE, sizeof (Elf64_Shdr)) };
  Elf64_Phdr segment = {
    .p_type = PT_LOAD,
    .p_flags = PF_R | PF_X,
    .p_offset = sizeof (Elf64_Ehdr) + sizeof segment,
    .p_vaddr = ELF_START,
    .p_filesz = ELF_CODE,
    .p_memsz = ELF_CODE,
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
    .e_shentsize = sizeof none,
  };

  put (elf.bytes, &header, sizeof header);
  put (elf.bytes, &segment, sizeof segment);
  g_array_append_val (elf.sections, none);
  add_code (&elf, n_pieces);
  add_build_id (&elf);
  add_symbols (&elf, n, step, n_pieces, shape == ELF_ENDS_OF_ONE_NAME);
  if (shape == ELF_TABLES_OVER_EACH_OTHER)
    repeat_section (&elf, elf.sections->len - 1, MIN (n, 60000));
  header.e_shstrndx = (Elf64_Half) add_section (
      &elf, (Elf64_Shdr){ .sh_name = 15, .sh_type = SHT_STRTAB, .sh_addralign = 1 }, names,
      sizeof names);
  header.e_shoff = elf.bytes->len;
  header.e_shnum = (Elf64_Half) elf.sections->len;
  memcpy (elf.bytes->data, &header, sizeof header);
  put (elf.bytes, elf.sections->data, elf.sections->len * sizeof none);
  g_array_unref (elf.sections);
  return elf.bytes;
}

static void
map_file (SteepMaker *self, const char *name, guint64 start, guint64 length, guint64 offset,
          const guint8 *id)
{
  g_autofree char *path = g_canonicalize_filename (name, self->directory);

  steep_at (self, 7);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, start, length, offset, 5, 2, id,
                              path);
}

static void
use_elf (SteepMaker *self, guint n, guint step, ElfShape shape)
{
  g_autoptr (GByteArray) bytes = make_elf (n, step, shape);
  guint64 offset = sizeof (Elf64_Ehdr) + sizeof (Elf64_Phdr);

  save (self, "program", bytes);
  map_file (self, "program", MEMORY, ELF_CODE, offset, build_id);
  for (guint i = 0; i < n / 2; i++)
    steep_sample (self, MEMORY
                            + (shape == ELF_SECTIONS_OF_CODE ? i * 2ull * (ELF_CODE / n) : i)
                                  % (ELF_CODE - PAGE));
}

static void
elf_at_one_place (SteepMaker *self, guint n)
{
  use_elf (self, n, 0, ELF_PLAIN);
}

static void
elf_nested (SteepMaker *self, guint n)
{
  use_elf (self, n, 1, ELF_PLAIN);
}

static void
elf_apart (SteepMaker *self, guint n)
{
  use_elf (self, n, 16, ELF_PLAIN);
}

static void
elf_ends_of_one_name (SteepMaker *self, guint n)
{
  use_elf (self, n, 1, ELF_ENDS_OF_ONE_NAME);
}

static void
elf_tables_over_each_other (SteepMaker *self, guint n)
{
  use_elf (self, n, 1, ELF_TABLES_OVER_EACH_OTHER);
}

static void
elf_sections_of_code (SteepMaker *self, guint n)
{
  use_elf (self, n, 1, ELF_SECTIONS_OF_CODE);
}

static void
put_load (GByteArray *bytes, guint64 time, guint64 index, guint64 address, guint32 length)
{
  static const guint8 code[64] = { 0x90 };
  guint32 start[2] = { 0, 16 + 40 + 4 + length };
  guint32 process[2] = { 7, 7 };
  guint64 rest[4] = { address, address, length, index };

  put (bytes, start, sizeof start);
  put (bytes, &time, sizeof time);
  put (bytes, process, sizeof process);
  put (bytes, rest, sizeof rest);
  put (bytes, "jit", 4);
  put (bytes, code, length);
}

static void
put_move (GByteArray *bytes, guint64 time, guint64 index, guint64 from, guint64 to)
{
  guint32 start[2] = { 1, 16 + 48 };
  guint32 process[2] = { 7, 7 };
  guint64 rest[5] = { to, from, to, 64, index };

  put (bytes, start, sizeof start);
  put (bytes, &time, sizeof time);
  put (bytes, process, sizeof process);
  put (bytes, rest, sizeof rest);
}

/* Many of them at few places, each moved over others. */
static void
jitdump (SteepMaker *self, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 start[6] = { 0x4a695444, 1, 40, 62, 0, 7 };
  guint64 rest[2] = { 5, 0 };

  put (bytes, start, sizeof start);
  put (bytes, rest, sizeof rest);
  steep_at (self, 7);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, MEMORY, 0x100000, 0, 5, 2, NULL,
                              "//anon");
  map_file (self, "jit-7.dump", MEMORY + 0x200000, PAGE, 0, NULL);
  for (guint i = 0; i < n; i++) {
    steep_at (self, 7);
    put_load (bytes, self->now, i, MEMORY + i % 64 * 8, 64);
    if (i % 2) {
      steep_at (self, 7);
      put_move (bytes, self->now, i / 2, MEMORY + i / 2 % 64 * 8, MEMORY + i % 4000 * 16);
    }
    if (i % 4 == 0)
      steep_sample (self, MEMORY + i % 512);
  }
  save (self, "jit-7.dump", bytes);
}

static void
perf_map (SteepMaker *self, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  steep_at (self, 7);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, MEMORY, 0x10000000, 0, 5, 2, NULL,
                              "//anon");
  for (guint i = 0; i < n; i++) {
    g_autofree char *line
        = g_strdup_printf ("%" G_GINT64_MODIFIER "x %x name_%u\n", MEMORY + i, 2 * (n - i), i);

    put (bytes, line, strlen (line));
    if (i % 2)
      steep_sample (self, MEMORY + i);
  }
  save (self, "perf-7.map", bytes);
}

const SteepKind steep_program_files[] = {
  STEEP_KIND (elf_at_one_place),
  STEEP_KIND (elf_nested),
  STEEP_KIND (elf_apart),
  STEEP_KIND (elf_ends_of_one_name),
  STEEP_KIND (elf_tables_over_each_other),
  STEEP_KIND (elf_sections_of_code),
  STEEP_KIND (jitdump),
  STEEP_KIND (perf_map),
  { 0 },
};
