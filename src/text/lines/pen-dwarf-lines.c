/* pen-dwarf-lines.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-dwarf-lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-inlined-calls.h"
#include "pen-table-hash.h"

/* The most lines that are read; a browser's engine has as many. */
#define MAX_LINES (8u << 20)
#define MAX_RANGES (4u << 20)
/* The most entries that are read for inlined calls; a whole kernel has some twenty million. */
#define MAX_ENTRIES (G_GUINT64_CONSTANT (1) << 28)

/* Code of one compilation unit. */
typedef struct {
  guint64 start;
  guint64 end;
  Dwarf_Off unit;
} Range;

typedef struct {
  Dwarf_Lines *lines; /* by address; or NULL */
  size_t n_lines;
  PenInlinedCalls *calls;
  guint first_call;    /* how many those of the units before it have */
  PenInlinedWalk walk; /* through its calls */
  guint64 walked;      /* the address that @walk has come to */
} Unit;

struct _PenDwarfLines {
  Elf *elf;
  Dwarf *dwarf;
  Elf *alternate_elf; /* of another file that this one refers to, or NULL */
  Dwarf *alternate_dwarf;
  GArray *ranges; /* Range, by start; none over another */
  guint ranges_max;
  GHashTable *units; /* offset → Unit; of those that were asked for */
  GPtrArray *order;  /* the same Units, by first_call */
  guint64 n_lines;
  guint64 entries_left;
};

static void
unit_free (gpointer data)
{
  Unit *unit = data;

  pen_inlined_walk_clear (&unit->walk);
  pen_inlined_calls_free (unit->calls);
  g_free (unit);
}

void
pen_dwarf_lines_free (PenDwarfLines *self)
{
  if (!self)
    return;

  g_hash_table_unref (self->units);
  g_ptr_array_unref (self->order);
  g_array_unref (self->ranges);
  g_clear_pointer (&self->dwarf, dwarf_end);
  g_clear_pointer (&self->elf, elf_end);
  g_clear_pointer (&self->alternate_dwarf, dwarf_end);
  g_clear_pointer (&self->alternate_elf, elf_end);
  g_free (self);
}

/* ---- opening ---- */

static void
add_unit (PenDwarfLines *self, Dwarf_Die *die)
{
  Dwarf_Addr base;
  Dwarf_Addr start;
  Dwarf_Addr end;
  ptrdiff_t next = 0;

  while (self->ranges->len < self->ranges_max
         && (next = dwarf_ranges (die, next, &base, &start, &end)) > 0) {
    Range range = { start, end, dwarf_dieoffset (die) };

    if (start < end)
      g_array_append_val (self->ranges, range);
  }
}

/* Code that several units say is theirs is that of the first: else each of them would be looked
 * through for each function in it. */
static void
part_ranges (PenDwarfLines *self)
{
  guint64 reach = 0;
  guint n = 0;

  for (guint i = 0; i < self->ranges->len; i++) {
    Range range = g_array_index (self->ranges, Range, i);

    range.start = MAX (range.start, reach);
    if (range.start >= range.end)
      continue;
    reach = range.end;
    g_array_index (self->ranges, Range, n++) = range;
  }
  g_array_set_size (self->ranges, n);
}

static void
read_units (PenDwarfLines *self)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  guint8 type;

  while (self->ranges->len < self->ranges_max
         && dwarf_get_units (self->dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
    if (type == DW_UT_compile || type == DW_UT_skeleton)
      add_unit (self, &die);
  g_array_sort (self->ranges, pen_compare_u64);
  part_ranges (self);
}

/* See pen_debug_image_new(). */
static void
read_alternate (PenDwarfLines *self, guint8 *image, gsize length)
{
  GElf_Ehdr header;

  if (!gelf_getehdr (self->elf, &header) || header.e_entry == 0 || length <= header.e_entry)
    return;

  self->alternate_elf
      = elf_memory ((char *) image + header.e_entry, length - (gsize) header.e_entry);
  if (self->alternate_elf)
    self->alternate_dwarf = dwarf_begin_elf (self->alternate_elf, DWARF_C_READ, NULL);
  if (self->alternate_dwarf)
    dwarf_setalt (self->dwarf, self->alternate_dwarf);
}

PenDwarfLines *
pen_dwarf_lines_new (guint8 *image, gsize length)
{
  g_autoptr (PenDwarfLines) self = g_new0 (PenDwarfLines, 1);

  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  self->units = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, unit_free);
  self->order = g_ptr_array_new ();
  /* Each takes a byte or more: a list of many ranges may be that of many entries. */
  self->ranges_max = (guint) MIN (MAX_RANGES, length);
  self->entries_left = MIN (MAX_ENTRIES, length);
  elf_version (EV_CURRENT);
  self->elf = elf_memory ((char *) image, length);
  self->dwarf = self->elf ? dwarf_begin_elf (self->elf, DWARF_C_READ, NULL) : NULL;
  if (!self->dwarf)
    return NULL;
  read_alternate (self, image, length);
  read_units (self);
  return self->ranges->len > 0 ? g_steal_pointer (&self) : NULL;
}

/* ---- units ---- */

/* The first range that ends after @address. */
static guint
find_range (PenDwarfLines *self, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, self->ranges->len,
                            g_array_index (self->ranges, Range, i).end <= address);
}

static guint
count_calls (PenDwarfLines *self)
{
  const Unit *last
      = self->order->len > 0 ? g_ptr_array_index (self->order, self->order->len - 1) : NULL;

  return last ? last->first_call + pen_inlined_calls_get_count (last->calls) : 0;
}

/* Where there were enough lines already, or the unit is damaged, it has none. */
static void
load_unit (PenDwarfLines *self, Dwarf_Off offset, Unit *unit)
{
  Dwarf_Die die;
  gboolean is_good = self->n_lines <= MAX_LINES && dwarf_offdie (self->dwarf, offset, &die)
                     && dwarf_getsrclines (&die, &unit->lines, &unit->n_lines) == 0;

  if (!is_good) {
    unit->lines = NULL;
    unit->n_lines = 0;
  }
  self->n_lines += unit->n_lines;
  unit->first_call = count_calls (self);
  unit->calls = pen_inlined_calls_new (is_good ? &die : NULL, &self->entries_left);
  pen_inlined_walk_init (&unit->walk, unit->calls, 0);
}

static Unit *
get_unit (PenDwarfLines *self, Dwarf_Off offset)
{
  guint64 key = offset;
  Unit *unit = g_hash_table_lookup (self->units, &key);

  if (!unit) {
    unit = g_new0 (Unit, 1);
    load_unit (self, offset, unit);
    g_hash_table_insert (self->units, g_memdup2 (&key, sizeof key), unit);
    g_ptr_array_add (self->order, unit);
  }
  return unit;
}

static guint
get_first_call (PenDwarfLines *self, guint i)
{
  return ((const Unit *) g_ptr_array_index (self->order, i))->first_call;
}

void
pen_dwarf_lines_get_call (PenDwarfLines *self, guint number, PenInlinedCall *call)
{
  guint n = PEN_BINARY_SEARCH (i, 1, self->order->len, get_first_call (self, i) < number);
  const Unit *unit = g_ptr_array_index (self->order, n - 1);

  *call = *pen_inlined_calls_get (unit->calls, number - 1 - unit->first_call);
  if (call->outer != 0)
    call->outer += unit->first_call;
}

/* ---- lines ---- */

static guint64
get_address (const Unit *unit, size_t i)
{
  Dwarf_Addr at = 0;

  dwarf_lineaddr (dwarf_onesrcline (unit->lines, i), &at);
  return at;
}

/* The index of the first line at or after @address. */
static size_t
find_line (const Unit *unit, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, unit->n_lines, get_address (unit, i) < address);
}

/* Where the code of a line ends: the last line of those of one address counts, as nothing stands
 * between them. */
static guint64
find_end (const Unit *unit, size_t i, guint64 limit)
{
  Dwarf_Addr next = 0;

  if (i + 1 >= unit->n_lines || dwarf_lineaddr (dwarf_onesrcline (unit->lines, i + 1), &next) != 0)
    return limit;
  return MIN (next, limit);
}

typedef struct {
  PenLineFunc func;
  gpointer user_data;
  PenCodePlace place; /* reported last */
} Output;

static PenCodePlace
get_place (Dwarf_Line *line)
{
  PenCodePlace place = { 0 };
  bool is_end = false;
  int number = 0;

  if (dwarf_lineendsequence (line, &is_end) != 0 || dwarf_lineno (line, &number) != 0 || is_end
      || number <= 0)
    return place;

  place.file = dwarf_linesrc (line, NULL, NULL);
  place.line = place.file ? (guint) number : 0;
  return place;
}

static void
tell (Output *output, guint64 address, const PenCodePlace *place)
{
  if (place->file == output->place.file && place->line == output->place.line
      && place->call == output->place.call)
    return;

  output->place = *place;
  output->func (address, place, output->user_data);
}

/* [@start, @end) is of one line, and perhaps of several calls. */
static void
tell_line (Unit *unit, Dwarf_Line *line, guint64 start, guint64 end, Output *output)
{
  PenCodePlace place = get_place (line);

  while (start < end) {
    guint64 until = end;
    guint call = pen_inlined_walk_step (&unit->walk, start, &until);

    unit->walked = start;
    place.call = call != 0 && place.file ? unit->first_call + call : 0;
    tell (output, start, &place);
    start = until;
  }
}

static void
tell_unit (PenDwarfLines *self, const Range *range, guint64 start, guint64 end, Output *output)
{
  Unit *unit = get_unit (self, range->unit);
  size_t i = unit->n_lines > 0 ? find_line (unit, start + 1) : 0;

  /* Each question is about what comes after the one before, but for functions in one another. */
  if (start < unit->walked) {
    pen_inlined_walk_clear (&unit->walk);
    pen_inlined_walk_init (&unit->walk, unit->calls, start);
  }
  /* The line that @start is of may begin before it. */
  for (i -= i > 0; i < unit->n_lines; i++) {
    Dwarf_Line *line = dwarf_onesrcline (unit->lines, i);
    Dwarf_Addr address = 0;

    if (dwarf_lineaddr (line, &address) != 0 || address >= end)
      break;
    tell_line (unit, line, MAX (address, start), find_end (unit, i, end), output);
  }
}

void
pen_dwarf_lines_foreach (PenDwarfLines *self, guint64 start, guint64 end, PenLineFunc func,
                         gpointer user_data)
{
  Output output = { .func = func, .user_data = user_data };
  const PenCodePlace none = { 0 };
  guint64 told = start;

  for (guint i = find_range (self, start); i < self->ranges->len; i++) {
    const Range *range = &g_array_index (self->ranges, Range, i);

    if (range->start >= end)
      break;
    if (range->start > told)
      tell (&output, told, &none);
    tell_unit (self, range, MAX (start, range->start), MIN (end, range->end), &output);
    told = MAX (told, MIN (end, range->end));
  }
  if (told < end)
    tell (&output, told, &none);
}
