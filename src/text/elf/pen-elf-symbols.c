/* pen-elf-symbols.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-elf-symbols.h"

#include <string.h>

#include "pen-symbol-search.h"

#define MAX_NAME 4095
/* Names of a table may be ends of each other: together they have some more bytes than are there. */
#define NAMES_PER_BYTE 4

typedef struct {
  guint64 start;
  guint64 end;
  guint64 section_end;
  const char *name;
  guint8 binding;
} Symbol;

struct _PenElfSymbols {
  GArray *symbols; /* Symbol, until it is sealed */
  GArray *sealed;  /* PenSymbol */
  GStringChunk *names;
  guint64 names_left; /* bytes that they may still have */
  gboolean keeps_labels;
  GCancellable *cancellable;
  guint steps;
  gboolean is_stopped;
};

/* Steps between two looks at the cancellable. */
#define STEPS 4096u

PenElfSymbols *
pen_elf_symbols_new (void)
{
  PenElfSymbols *self = g_new0 (PenElfSymbols, 1);

  self->symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  self->sealed = g_array_new (FALSE, FALSE, sizeof (PenSymbol));
  self->names = g_string_chunk_new (4096);
  return self;
}

void
pen_elf_symbols_free (PenElfSymbols *self)
{
  if (!self)
    return;

  g_array_unref (self->symbols);
  g_array_unref (self->sealed);
  g_string_chunk_free (self->names);
  g_free (self);
}

static gboolean
goes_on (PenElfSymbols *self)
{
  if (++self->steps % STEPS == 0 && g_cancellable_is_cancelled (self->cancellable))
    self->is_stopped = TRUE;
  return !self->is_stopped;
}

void
pen_elf_symbols_set_cancellable (PenElfSymbols *self, GCancellable *cancellable)
{
  self->cancellable = cancellable;
}

/* Labels of assembly have no type; '$' marks what is data and what code in a section, and is no
 * name. */
static gboolean
is_code (const GElf_Sym *symbol, const char *name)
{
  guint type = GELF_ST_TYPE (symbol->st_info);
  guint visibility = GELF_ST_VISIBILITY (symbol->st_other);

  if (*name == '\0' || *name == '$')
    return FALSE;
  return type == STT_FUNC || type == STT_GNU_IFUNC
         || (type == STT_NOTYPE && visibility != STV_HIDDEN && visibility != STV_INTERNAL);
}

/* Returns: (element-type GElf_Shdr): by index; those that are not there are all zero */
static GArray *
read_sections (Elf *elf)
{
  GArray *sections = g_array_new (FALSE, TRUE, sizeof (GElf_Shdr));
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn (elf, section))) {
    size_t index = elf_ndxscn (section);

    if (index >= G_MAXUINT16)
      break;
    if (index >= sections->len)
      g_array_set_size (sections, (guint) index + 1);
    gelf_getshdr (section, &g_array_index (sections, GElf_Shdr, index));
  }
  return sections;
}

/* Where the executable section of a symbol ends; 0 if it is in none. */
static guint64
get_section_end (GArray *sections, const GElf_Sym *symbol)
{
  const GElf_Shdr *section;

  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= sections->len)
    return 0;

  section = &g_array_index (sections, GElf_Shdr, symbol->st_shndx);
  if ((section->sh_flags & SHF_EXECINSTR) == 0 || symbol->st_value < section->sh_addr
      || symbol->st_value - section->sh_addr >= section->sh_size
      || section->sh_size > G_MAXUINT64 - section->sh_addr)
    return 0;
  return section->sh_addr + section->sh_size;
}

void
pen_elf_symbols_expect (PenElfSymbols *self, gsize length)
{
  self->names_left += (guint64) length * NAMES_PER_BYTE;
}

static void
append (PenElfSymbols *self, const GElf_Sym *symbol, const char *name, gsize length,
        guint64 address, guint64 section_end)
{
  Symbol kept = {
    .start = address,
    .end = address + MIN (symbol->st_size, section_end - address),
    .section_end = section_end,
    .name = g_string_chunk_insert_len (self->names, name, (gssize) length),
    .binding = GELF_ST_BIND (symbol->st_info),
  };

  g_array_append_val (self->symbols, kept);
  self->names_left -= length;
}

void
pen_elf_symbols_add (PenElfSymbols *self, const GElf_Sym *symbol, const char *name, guint64 address,
                     guint64 section_end)
{
  gsize length = strnlen (name, MAX_NAME);

  if (is_code (symbol, name) && self->symbols->len < PEN_ELF_SYMBOLS_MAX
      && length <= self->names_left)
    append (self, symbol, name, length, address, section_end);
}

guint
pen_elf_symbols_add_table (PenElfSymbols *self, Elf *elf, Elf_Data *symbols, Elf_Data *strings)
{
  g_autoptr (GArray) sections = read_sections (elf);
  gsize entry = gelf_fsize (elf, ELF_T_SYM, 1, EV_CURRENT);
  gsize n = entry > 0 ? symbols->d_size / entry : 0;
  guint before = self->symbols->len;
  GElf_Ehdr header;
  gboolean is_arm = gelf_getehdr (elf, &header) && header.e_machine == EM_ARM;

  pen_elf_symbols_expect (self, strings->d_size);
  for (gsize i = 0; i < MIN (n, G_MAXINT) && self->symbols->len < PEN_ELF_SYMBOLS_MAX; i++) {
    GElf_Sym symbol;
    const char *name;
    gsize length;
    guint64 section_end;

    if (!goes_on (self))
      break;
    if (!gelf_getsym (symbols, (int) i, &symbol) || symbol.st_name >= strings->d_size)
      continue;
    name = (const char *) strings->d_buf + symbol.st_name;
    length = strnlen (name, MIN (strings->d_size - symbol.st_name, MAX_NAME));
    if (length == strings->d_size - symbol.st_name || length > self->names_left
        || !is_code (&symbol, name))
      continue;
    /* The lowest bit marks Thumb. */
    if (is_arm)
      symbol.st_value &= ~(guint64) 1;
    section_end = get_section_end (sections, &symbol);
    if (section_end == 0)
      continue;

    append (self, &symbol, name, length, symbol.st_value, section_end);
  }
  return self->symbols->len - before;
}

void
pen_elf_symbols_keep_labels (PenElfSymbols *self)
{
  self->keeps_labels = TRUE;
}

static guint
count_underscores (const char *name)
{
  return (guint) strspn (name, "_");
}

/* Which of two names of one address perf prints: one that has a size, is not weak, is global, has
 * fewer leading underscores, is longer. */
static int
compare_worth (const Symbol *x, const Symbol *y)
{
  const gint64 ranks[][2] = {
    { x->end == x->start, y->end == y->start },
    { x->binding == STB_WEAK, y->binding == STB_WEAK },
    { x->binding != STB_GLOBAL, y->binding != STB_GLOBAL },
    { count_underscores (x->name), count_underscores (y->name) },
    { -(gint64) strlen (x->name), -(gint64) strlen (y->name) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    if (ranks[i][0] != ranks[i][1])
      return ranks[i][0] < ranks[i][1] ? -1 : 1;
  return 0; /* then it is the one that comes first in the table: sorting is stable */
}

static int
compare_symbols (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Symbol *x = a;
  const Symbol *y = b;

  /* The rest of a sort that was stopped is done soon. */
  if (!goes_on (user_data))
    return 0;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return compare_worth (x, y);
}

void
pen_elf_symbols_seal (PenElfSymbols *self)
{
  Symbol *symbols;
  guint64 covered = 0; /* up to there by symbols that have a size */
  guint n = 0;

  g_array_sort_with_data (self->symbols, compare_symbols, self);
  if (self->is_stopped)
    g_array_set_size (self->symbols, 0);
  symbols = (Symbol *) (gpointer) self->symbols->data;
  for (guint i = 0; i < self->symbols->len; i++) {
    const Symbol symbol = symbols[i];

    if (n > 0 && symbols[n - 1].start == symbol.start)
      continue;
    /* A label within a function is no function. */
    if (symbol.end == symbol.start && symbol.start < covered && !self->keeps_labels)
      continue;
    covered = MAX (covered, symbol.end);
    symbols[n++] = symbol;
  }

  for (guint i = 0; i < n; i++) {
    guint64 limit = symbols[i].section_end;
    PenSymbol symbol = { symbols[i].start, symbols[i].end, symbols[i].name };

    if (symbol.end == symbol.start)
      symbol.end = i + 1 < n ? MIN (symbols[i + 1].start, limit) : limit;
    g_array_append_val (self->sealed, symbol);
  }
  g_array_unref (self->symbols);
  self->symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
}

guint
pen_elf_symbols_get_count (PenElfSymbols *self)
{
  return self->sealed->len;
}

void
pen_elf_symbols_foreach (PenElfSymbols *self, PenSymbolFunc func, const char *occupant,
                         gpointer user_data)
{
  for (guint i = 0; i < self->sealed->len; i++)
    func (&g_array_index (self->sealed, PenSymbol, i), occupant, user_data);
}

gboolean
pen_elf_symbols_find (PenElfSymbols *self, guint64 address, PenSymbol *symbol)
{
  return pen_symbol_search (self->sealed, address, symbol);
}
