/* steep-debug-files.c: debug information of programs, DWARF 4
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep-elf.h"

#define TAG_COMPILE_UNIT 0x11
#define TAG_INLINED 0x1d
#define TAG_SUBPROGRAM 0x2e
#define AT_NAME 0x03
#define AT_STMT_LIST 0x10
#define AT_LOW_PC 0x11
#define AT_HIGH_PC 0x12
#define AT_ABSTRACT_ORIGIN 0x31
#define AT_RANGES 0x55
#define AT_CALL_FILE 0x58
#define AT_CALL_LINE 0x59
#define FORM_ADDR 0x01
#define FORM_DATA4 0x06
#define FORM_DATA1 0x0b
#define FORM_STRING 0x08
#define FORM_REF4 0x13
#define FORM_SEC_OFFSET 0x17

#define LNS_COPY 1
#define LNS_ADVANCE_PC 2
#define LNS_ADVANCE_LINE 3
#define LNE_END_SEQUENCE 1
#define LNE_SET_ADDRESS 2

/* Abbreviations: how entries are written. */
enum {
  UNIT = 1,       /* where its code is, and its lines */
  UNIT_OF_RANGES, /* the list of its code, and its lines */
  NAME,           /* a function that is inlined */
  FUNCTION,
  CALL,
  CALL_OF_RANGES,
};

/* Number, tag, whether it has children, and pairs of attributes and forms. */
/* clang-format off */
static const guint8 abbreviations[] = {
  UNIT, TAG_COMPILE_UNIT, TRUE,
    AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, AT_STMT_LIST, FORM_SEC_OFFSET, 0, 0,
  UNIT_OF_RANGES, TAG_COMPILE_UNIT, TRUE,
    AT_LOW_PC, FORM_ADDR, AT_RANGES, FORM_SEC_OFFSET, AT_STMT_LIST, FORM_SEC_OFFSET, 0, 0,
  NAME, TAG_SUBPROGRAM, FALSE,
    AT_NAME, FORM_STRING, 0, 0,
  FUNCTION, TAG_SUBPROGRAM, TRUE,
    AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0, 0,
  CALL, TAG_INLINED, FALSE,
    AT_ABSTRACT_ORIGIN, FORM_REF4, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4,
    AT_CALL_FILE, FORM_DATA1, AT_CALL_LINE, FORM_DATA1, 0, 0,
  CALL_OF_RANGES, TAG_INLINED, FALSE,
    AT_ABSTRACT_ORIGIN, FORM_REF4, AT_RANGES, FORM_SEC_OFFSET,
    AT_CALL_FILE, FORM_DATA1, AT_CALL_LINE, FORM_DATA1, 0, 0,
  0,
};
/* clang-format on */

/* Sections. @unit: where the last unit begins in @info; @name: in it, the function NAME */
typedef struct {
  GByteArray *info;
  GByteArray *lines;
  GByteArray *ranges;
  guint unit;
  guint32 name;
} Debug;

static void
put_8 (GByteArray *bytes, guint8 value)
{
  steep_put (bytes, &value, sizeof value);
}

static void
put_16 (GByteArray *bytes, guint16 value)
{
  steep_put (bytes, &value, sizeof value);
}

static void
put_32 (GByteArray *bytes, guint32 value)
{
  steep_put (bytes, &value, sizeof value);
}

static void
put_64 (GByteArray *bytes, guint64 value)
{
  steep_put (bytes, &value, sizeof value);
}

static void
put_uleb (GByteArray *bytes, guint value)
{
  for (; value >= 0x80; value >>= 7)
    put_8 (bytes, (guint8) (value | 0x80));
  put_8 (bytes, (guint8) value);
}

/* A length that was left open. */
static void
close_length (GByteArray *bytes, guint at)
{
  guint32 length = bytes->len - at - (guint) sizeof length;

  memcpy (bytes->data + at, &length, sizeof length);
}

static guint
open_length (GByteArray *bytes)
{
  put_32 (bytes, 0);
  return bytes->len - (guint) sizeof (guint32);
}

/* ---- lines ---- */

/* A table of @n lines from @start on, @step bytes apart. Returns: where it begins */
static guint32
add_lines (Debug *self, guint64 start, guint n, guint step)
{
  static const guint8 lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
  GByteArray *lines = self->lines;
  guint table = open_length (lines);
  guint header;

  put_16 (lines, 4);
  header = open_length (lines);
  put_8 (lines, 1);           /* bytes of the shortest instruction */
  put_8 (lines, 1);           /* instructions of a bundle */
  put_8 (lines, 1);           /* lines are statements */
  put_8 (lines, (guint8) -5); /* the first line of special opcodes, */
  put_8 (lines, 14);          /* and how many lines they have */
  put_8 (lines, sizeof lengths + 1);
  steep_put (lines, lengths, sizeof lengths);
  put_8 (lines, 0);                         /* no directories */
  steep_put (lines, "steep.c\0\0\0\0", 11); /* a file, of none of them, and no other */
  put_8 (lines, 0);
  close_length (lines, header);

  put_8 (lines, 0);
  put_8 (lines, 9);
  put_8 (lines, LNE_SET_ADDRESS);
  put_64 (lines, start);
  for (guint i = 0; i < n; i++) {
    put_8 (lines, LNS_ADVANCE_LINE);
    put_8 (lines, 1);
    put_8 (lines, LNS_COPY);
    put_8 (lines, LNS_ADVANCE_PC);
    put_uleb (lines, step);
  }
  put_8 (lines, 0);
  put_8 (lines, 1);
  put_8 (lines, LNE_END_SEQUENCE);
  close_length (lines, table);
  return table;
}

/* ---- entries ---- */

static void
begin_unit (Debug *self)
{
  self->unit = open_length (self->info);
  put_16 (self->info, 4);
  put_32 (self->info, 0);
  put_8 (self->info, sizeof (guint64));
}

static void
put_place (Debug *self, guint64 start, guint32 length)
{
  put_64 (self->info, start);
  put_32 (self->info, length);
}

static void
begin_plain_unit (Debug *self, guint64 start, guint32 length, guint32 lines)
{
  begin_unit (self);
  put_8 (self->info, UNIT);
  put_place (self, start, length);
  put_32 (self->info, lines);
}

static void
end_unit (Debug *self)
{
  put_8 (self->info, 0);
  close_length (self->info, self->unit);
}

/* All calls in it are to one function. */
static void
begin_function (Debug *self)
{
  self->name = self->info->len - self->unit;
  put_8 (self->info, NAME);
  steep_put (self->info, "inlined", 8);
  put_8 (self->info, FUNCTION);
  put_place (self, STEEP_ELF_START, STEEP_ELF_CODE);
}

static void
end_function (Debug *self)
{
  put_8 (self->info, 0);
}

static void
put_call_site (Debug *self, guint i)
{
  put_8 (self->info, 1);
  put_8 (self->info, (guint8) (1 + i % 100));
}

static void
add_call (Debug *self, guint i, guint64 start, guint32 length)
{
  put_8 (self->info, CALL);
  put_32 (self->info, self->name);
  put_place (self, start, length);
  put_call_site (self, i);
}

/* ---- files ---- */

static void
debug_init (Debug *self)
{
  *self = (Debug){ .info = g_byte_array_new (),
                   .lines = g_byte_array_new (),
                   .ranges = g_byte_array_new () };
}

/* @n functions, @step bytes apart and @size long, and samples on half of them. */
static void
use_debug (SteepMaker *maker, Debug *self, guint n, guint step, guint size)
{
  const Elf64_Shdr section = { .sh_type = SHT_PROGBITS, .sh_addralign = 1 };
  g_autoptr (GByteArray) strings = g_byte_array_new ();
  g_autoptr (GByteArray) symbols = g_byte_array_new ();
  Elf64_Sym symbol = { 0 };
  SteepElf elf;

  steep_put (strings, "", 1);
  steep_put (symbols, &symbol, sizeof symbol);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("function_%u", i);

    symbol = (Elf64_Sym){ .st_name = strings->len,
                          .st_info = ELF64_ST_INFO (STB_GLOBAL, STT_FUNC),
                          .st_shndx = 1,
                          .st_value = STEEP_ELF_START + step * (guint64) i,
                          .st_size = size };
    steep_put (strings, name, strlen (name) + 1);
    steep_put (symbols, &symbol, sizeof symbol);
  }
  steep_elf_begin (&elf, 1);
  steep_elf_add_symbols (&elf, symbols, strings);
  steep_elf_add (&elf, ".debug_info", section, self->info->data, self->info->len);
  steep_elf_add (&elf, ".debug_abbrev", section, abbreviations, sizeof abbreviations);
  steep_elf_add (&elf, ".debug_line", section, self->lines->data, self->lines->len);
  steep_elf_add (&elf, ".debug_ranges", section, self->ranges->data, self->ranges->len);
  steep_elf_end (&elf, maker);
  g_byte_array_unref (self->info);
  g_byte_array_unref (self->lines);
  g_byte_array_unref (self->ranges);
  for (guint i = 0; i < n; i += 2)
    steep_sample (maker, MEMORY + step * (guint64) i);
}

static guint
get_step (guint n)
{
  return STEEP_ELF_CODE / MAX (n, 1);
}

static void
dwarf_lines (SteepMaker *maker, guint n)
{
  guint step = get_step (n);
  Debug debug;

  debug_init (&debug);
  begin_plain_unit (&debug, STEEP_ELF_START, STEEP_ELF_CODE,
                    add_lines (&debug, STEEP_ELF_START, n, step));
  end_unit (&debug);
  use_debug (maker, &debug, n, step, step);
}

/* Functions begin within one another: the lines of each are those of many. */
static void
dwarf_lines_of_nested_functions (SteepMaker *maker, guint n)
{
  Debug debug;

  debug_init (&debug);
  begin_plain_unit (&debug, STEEP_ELF_START, STEEP_ELF_CODE,
                    add_lines (&debug, STEEP_ELF_START, n, 1));
  end_unit (&debug);
  use_debug (maker, &debug, n, 1, n);
}

/* Each says that all code is its own. */
static void
dwarf_units_over_each_other (SteepMaker *maker, guint n)
{
  Debug debug;

  debug_init (&debug);
  for (guint i = 0; i < n; i++) {
    begin_plain_unit (&debug, STEEP_ELF_START, STEEP_ELF_CODE,
                      add_lines (&debug, STEEP_ELF_START + i, 4, STEEP_ELF_CODE / 4));
    end_unit (&debug);
  }
  use_debug (maker, &debug, n, get_step (n), get_step (n));
}

static guint32
add_list (Debug *self, guint n, guint step)
{
  guint32 at = self->ranges->len;

  for (guint i = 0; i < n; i++) {
    put_64 (self->ranges, STEEP_ELF_START + i * (guint64) step);
    put_64 (self->ranges, STEEP_ELF_START + i * (guint64) step + 1);
  }
  put_64 (self->ranges, 0);
  put_64 (self->ranges, 0);
  return at;
}

/* The code of all units is one list. */
static void
dwarf_units_of_one_list (SteepMaker *maker, guint n)
{
  guint step = get_step (n);
  guint32 list;
  guint32 lines;
  Debug debug;

  debug_init (&debug);
  list = add_list (&debug, n, step);
  lines = add_lines (&debug, STEEP_ELF_START, n, step);
  for (guint i = 0; i < n; i++) {
    begin_unit (&debug);
    put_8 (debug.info, UNIT_OF_RANGES);
    put_64 (debug.info, 0);
    put_32 (debug.info, list);
    put_32 (debug.info, lines);
    end_unit (&debug);
  }
  use_debug (maker, &debug, n, step, step);
}

/* One all over the code, and the others after one another in it. */
static void
dwarf_calls_nested (SteepMaker *maker, guint n)
{
  guint step = get_step (n);
  Debug debug;

  debug_init (&debug);
  begin_plain_unit (&debug, STEEP_ELF_START, STEEP_ELF_CODE,
                    add_lines (&debug, STEEP_ELF_START, n, step));
  begin_function (&debug);
  add_call (&debug, 0, STEEP_ELF_START, STEEP_ELF_CODE);
  for (guint i = 0; i < n; i++)
    add_call (&debug, i, STEEP_ELF_START + i * (guint64) step, MAX (step / 2, 1));
  end_function (&debug);
  end_unit (&debug);
  use_debug (maker, &debug, n, step, step);
}

static void
dwarf_calls_of_one_list (SteepMaker *maker, guint n)
{
  guint step = get_step (n);
  guint32 list;
  Debug debug;

  debug_init (&debug);
  list = add_list (&debug, n, step);
  begin_plain_unit (&debug, STEEP_ELF_START, STEEP_ELF_CODE,
                    add_lines (&debug, STEEP_ELF_START, n, step));
  begin_function (&debug);
  for (guint i = 0; i < n; i++) {
    put_8 (debug.info, CALL_OF_RANGES);
    put_32 (debug.info, debug.name);
    put_32 (debug.info, list);
    put_call_site (&debug, i);
  }
  end_function (&debug);
  end_unit (&debug);
  use_debug (maker, &debug, n, step, step);
}

const SteepKind steep_debug_files[] = {
  STEEP_KIND (dwarf_lines),
  STEEP_KIND (dwarf_lines_of_nested_functions),
  STEEP_KIND (dwarf_units_over_each_other),
  STEEP_KIND (dwarf_units_of_one_list),
  STEEP_KIND (dwarf_calls_nested),
  STEEP_KIND (dwarf_calls_of_one_list),
  { 0 },
};
