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
/* Alternatives have a byte for their length. */
#define MAX_LENGTH 255u
#define MAX_PADDING 16u
#define NOP 0x90

struct _PenRewrittenText {
  PenKernelFile *file;
  PenTextSites *sites;
  GArray *ranges; /* PenRewrite; by address; they may overlap */
};

static void
add (PenRewrittenText *self, PenRewriteKind kind, guint64 start, guint length)
{
  PenRewrite range = { start, (guint8) MIN (length, MAX_LENGTH), kind };

  if (length > 0 && start <= G_MAXUINT64 - MAX_LENGTH && self->ranges->len < MAX_RANGES)
    g_array_append_val (self->ranges, range);
}

/* Some have a prefix, or jump on a condition. */
static guint
get_branch_length (PenRewrittenText *self, guint64 address)
{
  guint8 first;
  gboolean is_long
      = pen_kernel_file_peek (self->file, address, &first) && (first == 0x2e || first == 0x0f);

  return is_long ? CALL_LENGTH + 1 : CALL_LENGTH;
}

/* Lists of instructions: a number of 32 bits for each, relative to itself. */
static void
add_lists (PenRewrittenText *self)
{
  static const struct {
    const char *section;
    PenRewriteKind kind;
    guint length; /* 0: of a branch */
  } lists[] = {
    { ".retpoline_sites", PEN_REWRITE_RETPOLINE, 0 },
    { ".return_sites", PEN_REWRITE_RETURN, CALL_LENGTH },
    { ".call_sites", PEN_REWRITE_CALL, CALL_LENGTH },
    { ".ibt_endbr_seal", PEN_REWRITE_SEAL, 4 },
    { ".cfi_sites", PEN_REWRITE_OTHER, 16 },
    { ".smp_locks", PEN_REWRITE_LOCK, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_autoptr (PenNumberTable) table
        = pen_number_table_load (self->file, lists[i].section, NULL, NULL);

    for (gsize at = 0; pen_number_table_has (table, at, 4); at += 4) {
      guint64 address = pen_number_table_get_relative (table, at);
      guint length = lists[i].length;

      add (self, lists[i].kind, address, length != 0 ? length : get_branch_length (self, address));
    }
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
    add (self, PEN_REWRITE_OTHER, pen_number_table_get_64 (table, at) + bias,
         pen_number_table_get_8 (table, at + 9));
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
    add (self, PEN_REWRITE_OTHER, pen_number_table_get_relative (table, at),
         pen_number_table_get_8 (table, at + (size == 14 ? 12 : 10)));
}

/* Where calls are counted, so it is done in the padding before a module's functions. */
static void
add_padding (PenRewrittenText *self)
{
  g_autoptr (PenNumberTable) calls = pen_number_table_load (self->file, ".call_sites", NULL, NULL);
  GElf_Sym symbol;
  const char *name;

  if (!calls || !pen_kernel_file_is_module (self->file))
    return;

  for (gsize i = 1; i < self->file->n_symbols; i++) {
    guint64 address;
    guint8 byte;
    guint n = 0;

    if (!pen_kernel_file_get_symbol (self->file, i, &symbol, &name)
        || GELF_ST_TYPE (symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF
        || !pen_kernel_file_place_symbol (self->file, i, &symbol, &address))
      continue;
    while (n < MAX_PADDING && pen_kernel_file_peek (self->file, address - n - 1, &byte)
           && byte == NOP)
      n++;
    add (self, PEN_REWRITE_CALL, address - n, n);
  }
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
  static const PenRewriteKind kinds[] = { [PEN_SITE_JUMP_LABEL] = PEN_REWRITE_JUMP_LABEL,
                                          [PEN_SITE_STATIC_CALL] = PEN_REWRITE_STATIC_CALL,
                                          [PEN_SITE_FTRACE] = PEN_REWRITE_FTRACE };
  PenRewrittenText *self = user_data;
  guint length = CALL_LENGTH;

  if (pen_kernel_file_get_machine (self->file) != EM_X86_64)
    length = site->kind == PEN_SITE_FTRACE ? 8 : 4;
  else if (site->kind == PEN_SITE_JUMP_LABEL)
    length = get_jump_length (self, site->address);
  else if (site->kind == PEN_SITE_STATIC_CALL)
    length = get_branch_length (self, site->address);
  add (self, kinds[site->kind], site->address, length);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const PenRewrite *x = a;
  const PenRewrite *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (int) x->kind - (int) y->kind;
}

/* What is listed twice would be looked at twice, each time. */
static void
sort_ranges (GArray *ranges)
{
  guint n = 0;

  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++) {
    const PenRewrite *range = &g_array_index (ranges, PenRewrite, i);
    PenRewrite *last = n > 0 ? &g_array_index (ranges, PenRewrite, n - 1) : NULL;

    if (last && last->start == range->start && last->kind == range->kind)
      last->length = MAX (last->length, range->length);
    else
      g_array_index (ranges, PenRewrite, n++) = *range;
  }
  g_array_set_size (ranges, n);
}

PenRewrittenText *
pen_rewritten_text_new (PenKernelFile *file)
{
  PenRewrittenText *self = g_new0 (PenRewrittenText, 1);

  self->file = file;
  self->sites = pen_text_sites_new (file);
  self->ranges = g_array_new (FALSE, FALSE, sizeof (PenRewrite));
  add_lists (self);
  add_paravirt (self);
  add_alternatives (self);
  add_padding (self);
  pen_text_sites_foreach (self->sites, add_site, self);
  sort_ranges (self->ranges);
  return self;
}

void
pen_rewritten_text_free (PenRewrittenText *self)
{
  g_array_unref (self->ranges);
  pen_text_sites_free (self->sites);
  g_free (self);
}

PenTextSites *
pen_rewritten_text_get_sites (PenRewrittenText *self)
{
  return self->sites;
}

void
pen_rewritten_text_foreach (PenRewrittenText *self, guint64 address, gsize length,
                            PenRewriteFunc func, gpointer user_data)
{
  guint64 first = address - MIN (address, MAX_LENGTH);
  guint i = PEN_BINARY_SEARCH (k, 0, self->ranges->len,
                               g_array_index (self->ranges, PenRewrite, k).start < first);

  for (; i < self->ranges->len; i++) {
    const PenRewrite *range = &g_array_index (self->ranges, PenRewrite, i);

    if (range->start >= address + length)
      break;
    if (range->start + range->length > address)
      func (range, user_data);
  }
}

typedef struct {
  guint64 address;
  gsize length;
  guint8 *states;
} Marking;

static void
mark (const PenRewrite *rewrite, gpointer user_data)
{
  const Marking *marking = user_data;
  guint64 from = MAX (rewrite->start, marking->address);
  guint64 to = MIN (rewrite->start + rewrite->length, marking->address + marking->length);

  for (; from < to; from++)
    if (marking->states[from - marking->address] == PEN_FILE_BYTE_SAME)
      marking->states[from - marking->address] = PEN_FILE_BYTE_REWRITTEN;
}

void
pen_rewritten_text_mark (PenRewrittenText *self, guint64 address, gsize length, guint8 *states)
{
  Marking marking = { address, length, states };

  pen_rewritten_text_foreach (self, address, length, mark, &marking);
}
