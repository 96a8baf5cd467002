/* pen-rewritten-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-rewritten-text.h"

#include "pen-binary-search.h"
#include "pen-kernel-file-private.h"
#include "pen-number-table.h"
#include "pen-text-sites.h"

#define MAX_RANGES (8u << 20)
/* A call, or a jump, or the nop in their place, of x86-64. */
#define CALL_LENGTH 5u

typedef struct {
  guint64 start;
  guint64 end;
} Range;

struct _PenRewrittenText {
  PenKernelFile *file;
  GArray *ranges; /* Range; by address, no two touch */
};

static void
add (PenRewrittenText *self, guint64 start, guint64 length)
{
  Range range = { start, start + MIN (length, G_MAXUINT64 - start) };

  if (length > 0 && self->ranges->len < MAX_RANGES)
    g_array_append_val (self->ranges, range);
}

/* Lists of instructions: a number of 32 bits for each, relative to itself. */
static void
add_lists (PenRewrittenText *self)
{
  static const struct {
    const char *section;
    guint length;
  } lists[] = {
    { ".retpoline_sites", CALL_LENGTH },
    { ".return_sites", CALL_LENGTH },
    { ".call_sites", CALL_LENGTH },
    { ".ibt_endbr_seal", 4 },
    { ".cfi_sites", 16 },
    { ".smp_locks", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_autoptr (PenNumberTable) table
        = pen_number_table_load (self->file, lists[i].section, NULL, NULL);

    for (gsize at = 0; pen_number_table_has (table, at, 4); at += 4)
      add (self, pen_number_table_get_relative (table, at), lists[i].length);
  }
}

/* struct paravirt_patch_site: an address, a type, a length; up to Linux 6.7 */
static void
add_paravirt (PenRewrittenText *self)
{
  g_autoptr (PenNumberTable) table
      = pen_number_table_load (self->file, ".parainstructions", NULL, NULL);
  guint64 bias = pen_kernel_file_get_bias (self->file);

  for (gsize at = 0; pen_number_table_has (table, at, 16); at += 16)
    add (self, pen_number_table_get_64 (table, at) + bias, pen_number_table_get_8 (table, at + 9));
}

/* struct alt_instr: two addresses relative to themselves, a feature, the lengths of the text and
 * of its replacement. The feature, and the fields after the lengths, have changed over time: an
 * entry has 12 bytes, or 13, or, with a feature of 32 bits, 14. */
static gboolean
is_entry_size (PenRewrittenText *self, PenNumberTable *table, guint size)
{
  if (pen_number_table_get_length (table) % size != 0)
    return FALSE;

  for (gsize at = 0; pen_number_table_has (table, at, size); at += size) {
    guint8 new_length = pen_number_table_get_8 (table, at + (size == 14 ? 13 : 11));

    if (!pen_kernel_file_has_code (self->file, pen_number_table_get_relative (table, at))
        || (new_length > 0
            && !pen_kernel_file_has_code (self->file,
                                          pen_number_table_get_relative (table, at + 4))))
      return FALSE;
  }
  return TRUE;
}

static void
add_alternatives (PenRewrittenText *self)
{
  static const guint sizes[] = { 14, 12, 13 };
  g_autoptr (PenNumberTable) table
      = pen_number_table_load (self->file, ".altinstructions", NULL, NULL);
  guint size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes) && size == 0; i++)
    if (is_entry_size (self, table, sizes[i]))
      size = sizes[i];

  for (gsize at = 0; size != 0 && pen_number_table_has (table, at, size); at += size)
    add (self, pen_number_table_get_relative (table, at),
         pen_number_table_get_8 (table, at + (size == 14 ? 12 : 10)));
}

/* A short jump has two bytes, and so has its nop. */
static guint
get_jump_length (PenRewrittenText *self, guint64 address)
{
  guint8 first;
  gboolean is_short
      = pen_kernel_file_peek (self->file, address, &first) && (first == 0xeb || first == 0x66);

  return is_short ? 2 : CALL_LENGTH;
}

static void
add_site (const PenTextSite *site, gpointer user_data)
{
  PenRewrittenText *self = user_data;

  if (pen_kernel_file_get_machine (self->file) != EM_X86_64)
    add (self, site->address, site->kind == PEN_SITE_FTRACE ? 8 : 4);
  else if (site->kind == PEN_SITE_JUMP_LABEL)
    add (self, site->address, get_jump_length (self, site->address));
  else
    add (self, site->address, CALL_LENGTH);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *x = a;
  const Range *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

static void
join_ranges (GArray *ranges)
{
  guint n = 0;

  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++) {
    const Range *range = &g_array_index (ranges, Range, i);
    Range *last = n > 0 ? &g_array_index (ranges, Range, n - 1) : NULL;

    if (last && range->start <= last->end)
      last->end = MAX (last->end, range->end);
    else
      g_array_index (ranges, Range, n++) = *range;
  }
  g_array_set_size (ranges, n);
}

PenRewrittenText *
pen_rewritten_text_new (PenKernelFile *file)
{
  PenRewrittenText *self = g_new0 (PenRewrittenText, 1);
  g_autoptr (PenTextSites) sites = pen_text_sites_new (file);

  self->file = file;
  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  add_lists (self);
  add_paravirt (self);
  add_alternatives (self);
  pen_text_sites_foreach (sites, add_site, self);
  join_ranges (self->ranges);
  return self;
}

void
pen_rewritten_text_free (PenRewrittenText *self)
{
  g_array_unref (self->ranges);
  g_free (self);
}

/* The first range that ends after @address. */
static guint
find_range (PenRewrittenText *self, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, self->ranges->len,
                            g_array_index (self->ranges, Range, i).end <= address);
}

void
pen_rewritten_text_mark (PenRewrittenText *self, guint64 address, gsize length, guint8 *states)
{
  for (guint i = find_range (self, address); i < self->ranges->len; i++) {
    const Range *range = &g_array_index (self->ranges, Range, i);
    guint64 from = MAX (range->start, address);

    if (range->start >= address + length)
      break;
    for (; from < MIN (range->end, address + length); from++)
      if (states[from - address] == PEN_FILE_BYTE_SAME)
        states[from - address] = PEN_FILE_BYTE_REWRITTEN;
  }
}
