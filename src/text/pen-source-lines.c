/* pen-source-lines.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-source-lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "pen-debug-image.h"
#include "pen-kernel-file-private.h"
#include "pen-module-relocation.h"
#include "pen-regular-file.h"

#define MAX_FILE (G_GUINT64_CONSTANT (4) << 30)
#define MAX_RANGES (4u << 20)
/* Of debug information, looked at for inlined calls; all of a kernel has some twenty million. */
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
  guint first_call; /* how many those of the units before it have */
} Unit;

struct _PenSourceLines {
  PenDebugImage *image;
  Dwarf *dwarf;
  guint64 bias;      /* from addresses in the file to those that are asked for */
  GArray *ranges;    /* Range, by start */
  GHashTable *units; /* offset → Unit; of those that were asked for */
  GPtrArray *order;  /* the same Units, by first_call */
  guint64 n_lines;
  guint64 entries_left;
  GCancellable *cancellable;
};

static void
unit_free (gpointer data)
{
  Unit *unit = data;

  pen_inlined_calls_free (unit->calls);
  g_free (unit);
}

void
pen_source_lines_free (PenSourceLines *self)
{
  if (self == NULL)
    return;

  g_hash_table_unref (self->units);
  g_ptr_array_unref (self->order);
  g_array_unref (self->ranges);
  g_clear_pointer (&self->dwarf, dwarf_end);
  g_clear_pointer (&self->image, pen_debug_image_free);
  g_free (self);
}

/* ---- opening ---- */

static gboolean
has_build_id (Elf *elf, const guint8 *build_id, guint length)
{
  const void *own = NULL;
  ssize_t own_length = dwelf_elf_gnu_build_id (elf, &own);

  return length == 0 || (own_length == (ssize_t) length && memcmp (own, build_id, length) == 0);
}

static void
add_unit (PenSourceLines *self, Dwarf_Die *die)
{
  Dwarf_Addr base;
  Dwarf_Addr start;
  Dwarf_Addr end;
  ptrdiff_t next = 0;

  while (self->ranges->len < MAX_RANGES
         && (next = dwarf_ranges (die, next, &base, &start, &end)) > 0) {
    Range range = { start, end, dwarf_dieoffset (die) };

    if (start < end)
      g_array_append_val (self->ranges, range);
  }
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *x = a;
  const Range *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

static void
read_units (PenSourceLines *self)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  guint8 type;

  while (self->ranges->len < MAX_RANGES && !g_cancellable_is_cancelled (self->cancellable)
         && dwarf_get_units (self->dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
    if (type == DW_UT_compile || type == DW_UT_skeleton)
      add_unit (self, &die);
  g_array_sort (self->ranges, compare_ranges);
}

static gboolean
take_budget (const PenDebugInput *input, guint64 *budget, gboolean *is_too_large)
{
  guint64 size = pen_debug_image_measure (input);

  *is_too_large = size > *budget;
  if (size == 0 || size > *budget)
    return FALSE;
  *budget -= size;

  return TRUE;
}

static PenSourceLines *
open_image (const PenDebugInput *input, PenRelocateFunc relocate, gpointer user_data,
            guint64 *budget, gboolean *is_too_large, GCancellable *cancellable)
{
  g_autoptr (PenSourceLines) self = g_new0 (PenSourceLines, 1);

  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  self->units = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, unit_free);
  self->order = g_ptr_array_new ();
  self->entries_left = MAX_ENTRIES;
  self->cancellable = cancellable;
  if (!take_budget (input, budget, is_too_large))
    return NULL;

  self->image = pen_debug_image_new (input, relocate, user_data, cancellable);
  if (self->image == NULL)
    return NULL;
  self->dwarf = dwarf_begin_elf (pen_debug_image_get_elf (self->image), DWARF_C_READ, NULL);
  if (self->dwarf == NULL)
    return NULL;
  read_units (self);

  return self->ranges->len > 0 ? g_steal_pointer (&self) : NULL;
}

PenSourceLines *
pen_source_lines_open (const char *path, const guint8 *build_id, guint length, guint64 *budget,
                       gboolean *is_too_large, GCancellable *cancellable)
{
  PenSourceLines *self = NULL;
  PenDebugInput input = { 0 };

  *is_too_large = FALSE;
  input.fd = pen_regular_file_open (path, &input.size, NULL);
  if (input.fd < 0)
    return NULL;

  elf_version (EV_CURRENT);
  input.elf = elf_begin (input.fd, ELF_C_READ, NULL);
  if (input.elf != NULL && input.size <= MAX_FILE && elf_kind (input.elf) == ELF_K_ELF
      && has_build_id (input.elf, build_id, length))
    self = open_image (&input, NULL, NULL, budget, is_too_large, cancellable);
  g_clear_pointer (&input.elf, elf_end);
  close (input.fd);

  return self;
}

static gboolean
relocate_module (Elf_Scn *section, guint8 *bytes, gsize length, gpointer user_data)
{
  return pen_module_relocation_apply_debug (user_data, section, bytes, length);
}

PenSourceLines *
pen_source_lines_open_kernel (PenKernelFile *file, guint64 *budget, gboolean *is_too_large,
                              GCancellable *cancellable)
{
  PenDebugInput input = { .elf = file->elf, .fd = file->fd, .size = file->size };
  PenSourceLines *self;
  gsize length;

  if (file->unpacked != NULL) {
    input.fd = -1;
    input.bytes = g_bytes_get_data (file->unpacked, &length);
    input.size = length;
  }
  self = open_image (&input, pen_kernel_file_is_module (file) ? relocate_module : NULL, file,
                     budget, is_too_large, cancellable);
  if (self != NULL)
    self->bias = pen_kernel_file_get_bias (file);

  return self;
}

/* ---- units ---- */

/* The first range that ends after @address, as long as they do not overlap; of those that do, one
 * that holds it may be missed. */
static guint
find_range (PenSourceLines *self, guint64 address)
{
  guint low = 0;
  guint high = self->ranges->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->ranges, Range, middle).end <= address)
      low = middle + 1;
    else
      high = middle;
  }

  return low;
}

static guint
count_calls (PenSourceLines *self)
{
  const Unit *last
      = self->order->len > 0 ? g_ptr_array_index (self->order, self->order->len - 1) : NULL;

  return last != NULL ? last->first_call + pen_inlined_calls_get_count (last->calls) : 0;
}

/* Where there were enough lines already, or the unit is damaged, it has none. */
static void
load_unit (PenSourceLines *self, Dwarf_Off offset, Unit *unit)
{
  Dwarf_Die die;
  gboolean is_good = self->n_lines <= PEN_SOURCE_LINES_MAX
                     && dwarf_offdie (self->dwarf, offset, &die) != NULL
                     && dwarf_getsrclines (&die, &unit->lines, &unit->n_lines) == 0;

  if (!is_good) {
    unit->lines = NULL;
    unit->n_lines = 0;
  }
  self->n_lines += unit->n_lines;
  unit->first_call = count_calls (self);
  unit->calls
      = pen_inlined_calls_new (is_good ? &die : NULL, &self->entries_left, self->cancellable);
}

static Unit *
get_unit (PenSourceLines *self, Dwarf_Off offset)
{
  guint64 key = offset;
  Unit *unit = g_hash_table_lookup (self->units, &key);

  if (unit == NULL) {
    unit = g_new0 (Unit, 1);
    load_unit (self, offset, unit);
    g_hash_table_insert (self->units, g_memdup2 (&key, sizeof key), unit);
    g_ptr_array_add (self->order, unit);
  }

  return unit;
}

void
pen_source_lines_get_call (PenSourceLines *self, guint number, PenInlinedCall *call)
{
  guint low = 0;
  guint high = self->order->len;
  const Unit *unit;

  /* The last one with a call before it. */
  while (low + 1 < high) {
    guint middle = low + (high - low) / 2;

    if (((const Unit *) g_ptr_array_index (self->order, middle))->first_call < number)
      low = middle;
    else
      high = middle;
  }

  unit = g_ptr_array_index (self->order, low);
  *call = *pen_inlined_calls_get (unit->calls, number - 1 - unit->first_call);
  if (call->outer != 0)
    call->outer += unit->first_call;
}

/* ---- lines ---- */

/* The index of the first line at or after @address. */
static size_t
find_line (const Unit *unit, guint64 address)
{
  size_t low = 0;
  size_t high = unit->n_lines;

  while (low < high) {
    size_t middle = low + (high - low) / 2;
    Dwarf_Addr at = 0;

    dwarf_lineaddr (dwarf_onesrcline (unit->lines, middle), &at);
    if (at < address)
      low = middle + 1;
    else
      high = middle;
  }

  return low;
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
  PenSourceLines *self;
  PenLineFunc func;
  gpointer user_data;
  PenCodePlace place; /* that was told last */
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
  place.line = place.file != NULL ? (guint) number : 0;

  return place;
}

static void
tell (Output *output, guint64 address, const PenCodePlace *place)
{
  if (place->file == output->place.file && place->line == output->place.line
      && place->call == output->place.call)
    return;

  output->place = *place;
  output->func (address + output->self->bias, place, output->user_data);
}

/* [@start, @end) is of one line, and perhaps of several calls. */
static void
tell_line (const Unit *unit, PenInlinedWalk *walk, Dwarf_Line *line, guint64 start, guint64 end,
           Output *output)
{
  PenCodePlace place = get_place (line);

  while (start < end) {
    guint64 until = end;
    guint call = pen_inlined_walk_step (walk, start, &until);

    place.call = call != 0 && place.file != NULL ? unit->first_call + call : 0;
    tell (output, start, &place);
    start = until;
  }
}

static void
tell_unit (PenSourceLines *self, const Range *range, guint64 start, guint64 end, Output *output)
{
  const Unit *unit = get_unit (self, range->unit);
  size_t i = unit->n_lines > 0 ? find_line (unit, start + 1) : 0;
  PenInlinedWalk walk;

  pen_inlined_walk_init (&walk, unit->calls, start);
  /* The line that @start is of may begin before it. */
  for (i -= i > 0; i < unit->n_lines; i++) {
    Dwarf_Line *line = dwarf_onesrcline (unit->lines, i);
    Dwarf_Addr address = 0;

    if (dwarf_lineaddr (line, &address) != 0 || address >= end)
      break;
    tell_line (unit, &walk, line, MAX (address, start), find_end (unit, i, end), output);
  }
  pen_inlined_walk_clear (&walk);
}

void
pen_source_lines_foreach (PenSourceLines *self, guint64 start, guint64 end, PenLineFunc func,
                          gpointer user_data)
{
  Output output = { .self = self, .func = func, .user_data = user_data };
  const PenCodePlace none = { 0 };
  guint64 told;

  start -= self->bias;
  end -= self->bias;
  told = start;
  for (guint i = find_range (self, start);
       i < self->ranges->len && !g_cancellable_is_cancelled (self->cancellable); i++) {
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
