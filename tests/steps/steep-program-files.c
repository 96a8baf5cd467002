/* steep-program-files.c: ELF files, debug information and dumps of JIT compilers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep-elf.h"

/* How a file of @n symbols is made worse. */
typedef enum {
  ELF_PLAIN,
  ELF_ENDS_OF_ONE_NAME, /* names are ends of a long one */
  ELF_TABLES_OVER_EACH_OTHER,
  ELF_SECTIONS_OF_CODE,
} ElfShape;

static void
add_symbols (SteepElf *self, guint n, guint step, guint n_pieces, gboolean ends)
{
  g_autoptr (GByteArray) strings = g_byte_array_new ();
  g_autoptr (GByteArray) symbols = g_byte_array_new ();
  Elf64_Sym none = { 0 };

  steep_put (strings, "", 1);
  steep_put (symbols, &none, sizeof none);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("function_%u", i);
    guint piece = i % n_pieces;
    Elf64_Sym symbol = {
      .st_name = ends ? 1 + 8 * i : strings->len,
      .st_info = ELF64_ST_INFO (STB_GLOBAL, STT_FUNC),
      .st_shndx = (Elf64_Half) (1 + piece),
      .st_value = STEEP_ELF_START
                  + (n_pieces == 1 ? (step * (guint64) i) % (STEEP_ELF_CODE - PAGE)
                                   : piece * (guint64) (STEEP_ELF_CODE / n_pieces)),
      .st_size = step == 0 ? 0x100 + i : 0x8000 - i % 0x4000,
    };

    if (ends)
      steep_put (strings, "function", 8);
    else
      steep_put (strings, name, strlen (name) + 1);
    steep_put (symbols, &symbol, sizeof symbol);
  }
  steep_put (strings, "", 1);
  steep_elf_add_symbols (self, symbols, strings);
}

/* Code, and @n symbols @step apart. */
static void
use_elf (SteepMaker *self, guint n, guint step, ElfShape shape)
{
  guint n_pieces = shape == ELF_SECTIONS_OF_CODE ? MIN (n, 60000) : 1;
  SteepElf elf;

  steep_elf_begin (&elf, n_pieces);
  add_symbols (&elf, n, step, n_pieces, shape == ELF_ENDS_OF_ONE_NAME);
  if (shape == ELF_TABLES_OVER_EACH_OTHER)
    steep_elf_repeat (&elf, elf.sections->len - 1, MIN (n, 60000));
  steep_elf_end (&elf, self);
  for (guint i = 0; i < n / 2; i++)
    steep_sample (self, MEMORY
                            + (shape == ELF_SECTIONS_OF_CODE ? i * 2ull * (STEEP_ELF_CODE / n) : i)
                                  % (STEEP_ELF_CODE - PAGE));
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

  steep_put (bytes, start, sizeof start);
  steep_put (bytes, &time, sizeof time);
  steep_put (bytes, process, sizeof process);
  steep_put (bytes, rest, sizeof rest);
  steep_put (bytes, "jit", 4);
  steep_put (bytes, code, length);
}

static void
put_move (GByteArray *bytes, guint64 time, guint64 index, guint64 from, guint64 to)
{
  guint32 start[2] = { 1, 16 + 48 };
  guint32 process[2] = { 7, 7 };
  guint64 rest[5] = { to, from, to, 64, index };

  steep_put (bytes, start, sizeof start);
  steep_put (bytes, &time, sizeof time);
  steep_put (bytes, process, sizeof process);
  steep_put (bytes, rest, sizeof rest);
}

/* Many of them at few places, each moved over others. */
static void
jitdump (SteepMaker *self, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 start[6] = { 0x4a695444, 1, 40, 62, 0, 7 };
  guint64 rest[2] = { 5, 0 };

  steep_put (bytes, start, sizeof start);
  steep_put (bytes, rest, sizeof rest);
  steep_at (self, 7);
  pen_test_capture_add_mmap2 (self->capture, PEN_TEST_USER, 7, 7, MEMORY, 0x100000, 0, 5, 2, NULL,
                              "//anon");
  steep_map_file (self, "jit-7.dump", MEMORY + 0x200000, PAGE, 0, NULL);
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
  steep_save (self, "jit-7.dump", bytes);
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

    steep_put (bytes, line, strlen (line));
    if (i % 2)
      steep_sample (self, MEMORY + i);
  }
  steep_save (self, "perf-7.map", bytes);
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
