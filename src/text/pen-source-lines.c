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

#include "pen-regular-file.h"

#define MAX_FILE (G_GUINT64_CONSTANT (4) << 30)
/* Of all sections with debug information, unpacked: they are held in memory. */
#define MAX_SECTIONS (G_GUINT64_CONSTANT (1) << 30)
#define MAX_RANGES (4u << 20)

/* Code of one compilation unit. */
typedef struct {
  guint64 start;
  guint64 end;
  Dwarf_Off unit;
} Range;

struct _PenSourceLines {
  int fd;
  Elf *elf;
  Dwarf *dwarf;
  GPtrArray *copies; /* of sections: see terminate() */
  GArray *ranges;    /* Range, by start */
  GHashTable *units; /* offsets of units whose lines were counted */
  guint64 n_lines;
};

void
pen_source_lines_free (PenSourceLines *self)
{
  if (self == NULL)
    return;

  g_hash_table_unref (self->units);
  g_array_unref (self->ranges);
  g_clear_pointer (&self->dwarf, dwarf_end);
  g_clear_pointer (&self->elf, elf_end);
  g_clear_pointer (&self->copies, g_ptr_array_unref);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

/* Is what libdw would read and unpack of a size that can be meant? @debug_size: (out): how much
 * that is */
static gboolean
measure (Elf *elf, guint64 *debug_size)
{
  Elf_Scn *section = NULL;
  guint64 all = 0;
  size_t names;

  if (elf_getshdrstrndx (elf, &names) != 0)
    return FALSE;

  while ((section = elf_nextscn (elf, section)) != NULL) {
    GElf_Shdr header;
    GElf_Chdr packed;
    const char *name;
    guint64 size;

    if (gelf_getshdr (section, &header) == NULL || header.sh_type == SHT_NOBITS)
      continue;
    name = elf_strptr (elf, names, header.sh_name);
    if (name == NULL || (strstr (name, "debug_") == NULL))
      continue;
    size = header.sh_size;
    /* As old compilers had it, the size is in the contents; libdw unpacks that, too. */
    if (g_str_has_prefix (name, ".zdebug_"))
      return FALSE;
    if ((header.sh_flags & SHF_COMPRESSED) != 0 && gelf_getchdr (section, &packed) != NULL)
      size = packed.ch_size;
    if (size > MAX_SECTIONS - all)
      return FALSE;
    all += size;
  }

  *debug_size = all;
  return all > 0;
}

/* libdw 0.188 believes that each string ends within its section. A section that does not end with a
 * zero byte gets one behind it, where libdw does not look for anything else. */
static gboolean
terminate (PenSourceLines *self, Elf_Scn *section)
{
  GElf_Shdr header;
  Elf_Data *data;
  guint8 *copy;
  size_t size;

  if (gelf_getshdr (section, &header) == NULL || header.sh_type == SHT_NOBITS)
    return TRUE;
  if ((header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress (section, 0, 0) < 0)
    return FALSE;
  data = elf_rawdata (section, NULL);
  if (data == NULL || data->d_buf == NULL || data->d_size == 0
      || ((const guint8 *) data->d_buf)[data->d_size - 1] == 0)
    return TRUE;

  copy = g_try_malloc (data->d_size + 1);
  if (copy == NULL)
    return FALSE;
  memcpy (copy, data->d_buf, data->d_size);
  copy[data->d_size] = 0;
  g_ptr_array_add (self->copies, copy);
  data->d_buf = copy;
  size = data->d_size;
  data = elf_getdata (section, NULL);
  if (data != NULL && data->d_size == size)
    data->d_buf = copy;

  return TRUE;
}

static gboolean
terminate_sections (PenSourceLines *self)
{
  Elf_Scn *section = NULL;
  size_t names;

  if (elf_getshdrstrndx (self->elf, &names) != 0)
    return FALSE;
  while ((section = elf_nextscn (self->elf, section)) != NULL) {
    GElf_Shdr header;
    const char *name = gelf_getshdr (section, &header) != NULL
                           ? elf_strptr (self->elf, names, header.sh_name)
                           : NULL;

    if (name != NULL && strstr (name, "debug_") != NULL && !terminate (self, section))
      return FALSE;
  }

  return TRUE;
}

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
read_units (PenSourceLines *self, GCancellable *cancellable)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  guint8 type;

  while (self->ranges->len < MAX_RANGES && !g_cancellable_is_cancelled (cancellable)
         && dwarf_get_units (self->dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
    if (type == DW_UT_compile || type == DW_UT_skeleton)
      add_unit (self, &die);
  g_array_sort (self->ranges, compare_ranges);
}

PenSourceLines *
pen_source_lines_open (const char *path, const guint8 *build_id, guint length, guint64 *budget,
                       gboolean *is_too_large, GCancellable *cancellable)
{
  g_autoptr (PenSourceLines) self = g_new0 (PenSourceLines, 1);
  guint64 size, debug_size;

  *is_too_large = FALSE;
  self->copies = g_ptr_array_new_with_free_func (g_free);
  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  self->units = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->fd = pen_regular_file_open (path, &size, NULL);
  if (self->fd < 0 || size > MAX_FILE)
    return NULL;

  elf_version (EV_CURRENT);
  self->elf = elf_begin (self->fd, ELF_C_READ, NULL);
  if (self->elf == NULL || elf_kind (self->elf) != ELF_K_ELF
      || !has_build_id (self->elf, build_id, length) || !measure (self->elf, &debug_size))
    return NULL;
  if (debug_size > *budget) {
    *is_too_large = TRUE;
    return NULL;
  }
  *budget -= debug_size;
  if (!terminate_sections (self))
    return NULL;

  self->dwarf = dwarf_begin_elf (self->elf, DWARF_C_READ, NULL);
  if (self->dwarf == NULL)
    return NULL;
  read_units (self, cancellable);

  return self->ranges->len > 0 ? g_steal_pointer (&self) : NULL;
}

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

/* Returns: (nullable): the unit's lines, by address; NULL where there were enough already */
static Dwarf_Lines *
load_lines (PenSourceLines *self, Dwarf_Off unit, size_t *n)
{
  Dwarf_Lines *lines;
  Dwarf_Die die;
  guint64 key = unit;

  if (self->n_lines > PEN_SOURCE_LINES_MAX && !g_hash_table_contains (self->units, &key))
    return NULL;
  if (dwarf_offdie (self->dwarf, unit, &die) == NULL || dwarf_getsrclines (&die, &lines, n) != 0)
    return NULL;
  if (g_hash_table_add (self->units, g_memdup2 (&key, sizeof key)))
    self->n_lines += *n;

  return lines;
}

/* The index of the first line at or after @address. */
static size_t
find_line (Dwarf_Lines *lines, size_t n, guint64 address)
{
  size_t low = 0;
  size_t high = n;

  while (low < high) {
    size_t middle = low + (high - low) / 2;
    Dwarf_Addr at = 0;

    dwarf_lineaddr (dwarf_onesrcline (lines, middle), &at);
    if (at < address)
      low = middle + 1;
    else
      high = middle;
  }

  return low;
}

/* The last line of those of one address counts: nothing stands between them. */
static gboolean
is_last_of_address (Dwarf_Lines *lines, size_t n, size_t i, guint64 address)
{
  Dwarf_Addr next = 0;

  return i + 1 >= n || dwarf_lineaddr (dwarf_onesrcline (lines, i + 1), &next) != 0
         || next != address;
}

typedef struct {
  PenLineFunc func;
  gpointer user_data;
  const char *file;
  int line;
} Output;

static void
tell (Output *output, guint64 address, Dwarf_Line *line)
{
  bool is_end = false;
  const char *file = NULL;
  int number = 0;

  if (dwarf_lineendsequence (line, &is_end) != 0 || dwarf_lineno (line, &number) != 0 || is_end
      || number <= 0)
    number = 0;
  else
    file = dwarf_linesrc (line, NULL, NULL);
  if (file == output->file && number == output->line)
    return;

  output->file = file;
  output->line = number;
  output->func (address, file, file != NULL ? (guint) number : 0, output->user_data);
}

static void
tell_unit (PenSourceLines *self, const Range *range, guint64 start, guint64 end, Output *output)
{
  size_t n = 0;
  Dwarf_Lines *lines = load_lines (self, range->unit, &n);
  size_t i = lines != NULL ? find_line (lines, n, start + 1) : 0;

  /* The line that @start is of may begin before it. */
  for (i -= i > 0; lines != NULL && i < n; i++) {
    Dwarf_Line *line = dwarf_onesrcline (lines, i);
    Dwarf_Addr address = 0;

    if (dwarf_lineaddr (line, &address) != 0 || address >= end)
      break;
    if (is_last_of_address (lines, n, i, address))
      tell (output, MAX (address, start), line);
  }
}

void
pen_source_lines_foreach (PenSourceLines *self, guint64 start, guint64 end, PenLineFunc func,
                          gpointer user_data)
{
  Output output = { .func = func, .user_data = user_data };

  for (guint i = find_range (self, start); i < self->ranges->len; i++) {
    const Range *range = &g_array_index (self->ranges, Range, i);

    if (range->start >= end)
      break;
    tell_unit (self, range, MAX (start, range->start), MIN (end, range->end), &output);
  }
}
