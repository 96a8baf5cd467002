/* pen-kallsyms.c: names: a copy of /proc/kallsyms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "pen-binary-search.h"
#include "pen-map-name.h"
#include "pen-modules.h"
#include "pen-reason.h"
#include "pen-regular-file.h"
#include "pen-table-hash.h"

/* A kernel with every module loaded has some hundred thousand. */
#define MAX_SYMBOLS (4u << 20)
#define USUAL_SYMBOLS (64u << 10)
#define PAGE 4096u
#define CANCEL_STRIDE 4096u

typedef struct {
  guint64 start;
  guint64 end;
  const char *name;
  guint32 owner;
  guint32 line; /* the order of the file decides among equals */
  char type;
} Entry;

typedef struct {
  const char *name;
  gboolean is_left_out;
  gboolean is_livepatch;
  gsize first; /* of its entries */
  gsize n;
  guint64 init;       /* where its beginning is, if the kernel still lists it */
  guint64 text_start; /* both 0: it has no code */
  guint64 text_end;
} Owner;

struct _PenKallsyms {
  gatomicrefcount refs;
  gboolean is_moved;
  GStringChunk *strings;
  GArray *owners;  /* Owner; the first is the core kernel */
  GArray *entries; /* Entry; by owner, then address */
  GArray *aliases; /* Entry; names of the core kernel that lost their address to another */
  GHashTable *owner_index;
  guint64 skipped;
};

static guint32
find_owner (PenKallsyms *self, const char *name)
{
  gpointer index;
  Owner owner = { .name = name };

  if (g_hash_table_lookup_extended (self->owner_index, name, NULL, &index))
    return GPOINTER_TO_UINT (index);

  owner.name = g_string_chunk_insert (self->strings, name);
  owner.is_left_out = strcmp (name, "[bpf]") == 0 || g_str_has_prefix (name, "[__builtin__");
  g_array_append_val (self->owners, owner);
  g_hash_table_insert (self->owner_index, (gpointer) owner.name,
                       GUINT_TO_POINTER (self->owners->len - 1));
  return self->owners->len - 1;
}

/* "[snd-hda]" becomes "[snd_hda]" by rule M4. */
static gboolean
parse_owner (char *text)
{
  char *end = strchr (text, ']');

  if (text[0] != '[' || !end || end == text + 1)
    return FALSE;
  end[1] = '\0';
  g_strdelimit (text, "-", '_');
  return TRUE;
}

/* At most 16 digits; @end is left at the first character that is none. A line of the file costs as
 * much as its parts, and the C library's own conversion is the most expensive. */
static guint64
parse_hex (const char *text, const char **end)
{
  guint64 value = 0;
  const char *p = text;

  for (; p - text < 16; p++) {
    guint digit = (guint) (guchar) *p - '0';

    if (digit > 9) {
      digit = ((guint) (guchar) *p | 0x20u) - 'a';
      if (digit > 5)
        break;
      digit += 10;
    }
    value = value << 4 | digit;
  }
  *end = p;
  return value;
}

static gboolean
is_kept_type (char type)
{
  switch (type | 0x20) {
  case 't':
  case 'w':
  case 'd':
  case 'b':
    return TRUE;
  default:
    return FALSE;
  }
}

/* "ffffffff81000000 T _text" or "ffffffffc0201000 t name<tab>[module]" */
static gboolean
parse_line (PenKallsyms *self, char *line, Entry *entry, gboolean *is_wanted)
{
  const char *p;
  char *name;
  char *separator;
  guint32 owner = 0;
  gboolean is_end;

  entry->start = parse_hex (line, &p);
  if (p == line || p[0] != ' ' || p[1] == '\0' || p[2] != ' ')
    return FALSE;
  /* No address follows the last one, so nothing can be there: a symbol ends where the next begins.
   */
  if (entry->start == G_MAXUINT64)
    return FALSE;

  entry->type = p[1];
  name = line + (p - line) + 3;
  separator = strpbrk (name, "\t ");
  if (separator == name || name[0] == '\0')
    return FALSE;
  if (separator) {
    *separator = '\0';
    separator += 1 + strspn (separator + 1, "\t ");
    if (*separator != '\0' && !parse_owner (separator))
      return FALSE;
    if (*separator != '\0')
      owner = find_owner (self, separator);
  }

  if (owner != 0 && strcmp (name, "klp_enable_patch") == 0)
    g_array_index (self->owners, Owner, owner).is_livepatch = TRUE;
  if (owner != 0 && strcmp (name, "init_module") == 0)
    g_array_index (self->owners, Owner, owner).init = entry->start;
  /* Where recorders let the kernel's map end. */
  is_end = owner == 0 && strcmp (name, "_edata") == 0;
  *is_wanted = is_end || (is_kept_type (entry->type) && name[0] != '$');
  if (*is_wanted) {
    entry->owner = owner;
    entry->name = g_string_chunk_insert (self->strings, name);
  }
  return TRUE;
}

static gboolean
read_lines (PenKallsyms *self, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenLineReader) reader = pen_line_reader_new (path, error);
  GError *local_error = NULL;
  guint32 n_lines = 0;
  char *line;

  if (!reader)
    return FALSE;

  while (pen_line_reader_next (reader, &line, &local_error)) {
    Entry entry = { .line = n_lines };
    gboolean is_wanted = FALSE;

    if (n_lines++ % CANCEL_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;
    if (line && line[0] == '\0')
      continue;
    if (!line || self->entries->len >= MAX_SYMBOLS || !parse_line (self, line, &entry, &is_wanted))
      self->skipped++;
    else if (is_wanted)
      g_array_append_val (self->entries, entry);
  }

  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_addresses (PenKallsyms *self, const char *path, GError **error)
{
  for (guint i = 0; i < self->entries->len; i++) {
    if (g_array_index (self->entries, Entry, i).start != 0)
      return TRUE;
  }

  if (self->entries->len > 0)
    return pen_reason_set_error (error, G_IO_ERROR_PERMISSION_DENIED, PEN_REASON_ADDRESSES_HIDDEN,
                                 path, NULL);
  return pen_reason_set_error (error, G_IO_ERROR_INVALID_DATA, PEN_REASON_NO_SYMBOLS, path, NULL);
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  const Entry *x = a;
  const Entry *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* The file has the core kernel's names in order, and the modules' after them: only what follows the
 * ordered beginning is sorted, and then merged with it. */
static void
sort_by_address (GArray *entries)
{
  Entry *all = (Entry *) (gpointer) entries->data;
  g_autofree Entry *tail = NULL;
  guint ordered = entries->len > 0;
  guint n_tail;

  while (ordered < entries->len && compare_addresses (&all[ordered - 1], &all[ordered]) <= 0)
    ordered++;
  n_tail = entries->len - ordered;
  if (n_tail == 0)
    return;

  tail = g_memdup2 (all + ordered, n_tail * sizeof *tail);
  qsort (tail, n_tail, sizeof *tail, compare_addresses);
  for (guint to = entries->len; n_tail > 0; to--) {
    if (ordered > 0 && compare_addresses (&all[ordered - 1], &tail[n_tail - 1]) > 0)
      all[to - 1] = all[--ordered];
    else
      all[to - 1] = tail[--n_tail];
  }
}

static guint64
round_up (guint64 address)
{
  return address > G_MAXUINT64 - PAGE ? G_MAXUINT64 : (address + PAGE - 1) & ~(guint64) (PAGE - 1);
}

static gboolean
is_code (const Entry *entry)
{
  char type = g_ascii_toupper (entry->type);

  return type == 'T' || type == 'W';
}

/* The last function of a module: what follows it is data, or nothing. */
static gboolean
ends_code (PenKallsyms *self, const Entry *entry, const Entry *next)
{
  return entry->owner != 0 && !g_array_index (self->owners, Owner, entry->owner).is_left_out
         && is_code (entry) && (!next || next->owner != entry->owner || !is_code (next));
}

/* kallsyms has no lengths: a symbol lasts until the next, except where another occupant follows.
 * Where a module's code ends is shown up to the end of the page in which its last symbol begins. */
static void
set_ends (PenKallsyms *self)
{
  GArray *entries = self->entries;
  guint64 above = G_MAXUINT64; /* the next address that has a symbol */

  for (guint i = entries->len; i-- > 0;) {
    Entry *entry = &g_array_index (entries, Entry, i);
    const Entry *next = i + 1 < entries->len ? entry + 1 : NULL;

    if (next && next->start > entry->start)
      above = next->start;

    if (g_array_index (self->owners, Owner, entry->owner).is_left_out)
      entry->end = MIN (above, round_up (MIN (entry->start, G_MAXUINT64 - 1) + 1));
    else if (next && next->owner == entry->owner)
      entry->end = next->start;
    else
      entry->end = round_up (MIN (entry->start, G_MAXUINT64 - PAGE) + PAGE);
    if (ends_code (self, entry, next))
      entry->end = MIN (entry->end, round_up (MIN (entry->start, G_MAXUINT64 - 1) + 1));
  }
}

static int
rank_binding (char type)
{
  if (g_ascii_toupper (type) == 'W')
    return 0;
  return g_ascii_isupper (type) ? 2 : 1;
}

/* Which of two names of one address perf prints: one that has a length, is not weak, is global, has
 * fewer leading underscores, is longer; else the earlier one. Returns: TRUE if @b wins. */
static gboolean
is_better (const Entry *b, const Entry *a)
{
  gsize underscores_a = strspn (a->name, "_");
  gsize underscores_b = strspn (b->name, "_");

  if ((a->end == a->start) != (b->end == b->start))
    return a->end == a->start;
  if (rank_binding (a->type) != rank_binding (b->type))
    return rank_binding (b->type) > rank_binding (a->type);
  if (underscores_a != underscores_b)
    return underscores_b < underscores_a;
  return strlen (b->name) > strlen (a->name);
}

/* Only the best of several entries at one address of one occupant stays. */
static void
choose_names (PenKallsyms *self)
{
  GArray *entries = self->entries;
  guint n = 0;

  for (guint i = 0; i < entries->len; i++) {
    Entry *entry = &g_array_index (entries, Entry, i);
    Entry *last = n > 0 ? &g_array_index (entries, Entry, n - 1) : NULL;
    Entry loser = *entry;

    if (!last || last->start != entry->start || last->owner != entry->owner) {
      g_array_index (entries, Entry, n++) = loser;
      continue;
    }
    if (is_better (entry, last)) {
      loser = *last;
      *last = *entry;
    }
    if (loser.owner == 0)
      g_array_append_val (self->aliases, loser);
  }
  g_array_set_size (entries, n);
}

/* Keeps the order of addresses within each owner. */
static void
group_by_owner (PenKallsyms *self)
{
  const Entry *entries = (const Entry *) (gpointer) self->entries->data;
  GArray *grouped = g_array_sized_new (FALSE, FALSE, sizeof (Entry), self->entries->len);
  gsize first = 0;

  for (guint i = 0; i < self->entries->len; i++)
    g_array_index (self->owners, Owner, entries[i].owner).n++;
  for (guint i = 0; i < self->owners->len; i++) {
    Owner *owner = &g_array_index (self->owners, Owner, i);

    owner->first = first;
    first += owner->n;
    owner->n = 0;
  }
  g_array_set_size (grouped, self->entries->len);
  for (guint i = 0; i < self->entries->len; i++) {
    Owner *owner = &g_array_index (self->owners, Owner, entries[i].owner);

    g_array_index (grouped, Entry, owner->first + owner->n++) = entries[i];
  }
  g_array_unref (self->entries);
  self->entries = grouped;
}

/* Is @address of the module's beginning, unlike @start below it, or the other way round? Both have
 * pages of their own. */
static gboolean
is_other_part (const Owner *owner, guint64 start, guint64 address)
{
  guint64 init_page = owner->init & ~(guint64) (PAGE - 1);

  if (init_page == 0)
    return FALSE;
  return start < init_page ? address >= init_page : start < init_page + PAGE && address % PAGE == 0;
}

/* Live patches keep the names of their beginning, whose memory was given back. */
static void
find_text (PenKallsyms *self, Owner *owner)
{
  const Entry *entries = &g_array_index (self->entries, Entry, owner->first);
  guint64 init_page = owner->init & ~(guint64) (PAGE - 1);
  guint64 start = 0;
  guint64 end = 0;

  for (gsize i = 0; i <= owner->n; i++) {
    const Entry *entry = i < owner->n ? &entries[i] : NULL;

    if (entry && !is_code (entry))
      continue;
    if (entry && end != 0 && entry->start <= end && !is_other_part (owner, start, entry->start)) {
      end = entry->end;
      continue;
    }
    if (init_page > start)
      end = MIN (end, init_page);
    if (end > start && (owner->init < start || owner->init >= end)) {
      owner->text_start = owner->text_end == 0 ? start : owner->text_start;
      owner->text_end = end;
    }
    if (entry) {
      start = entry->start;
      end = entry->end;
    }
  }
}

PenKallsyms *
pen_kallsyms_load (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenKallsyms) self = g_new0 (PenKallsyms, 1);

  g_atomic_ref_count_init (&self->refs);
  self->strings = g_string_chunk_new (64 * 1024);
  self->owners = g_array_new (FALSE, FALSE, sizeof (Owner));
  self->entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), USUAL_SYMBOLS);
  self->aliases = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->owner_index = g_hash_table_new (pen_str_hash, g_str_equal);
  find_owner (self, PEN_CORE_KERNEL);

  if (!read_lines (self, path, cancellable, error) || !check_addresses (self, path, error))
    return NULL;

  sort_by_address (self->entries);
  set_ends (self);
  choose_names (self);
  group_by_owner (self);
  for (guint i = 0; i < self->owners->len; i++)
    find_text (self, &g_array_index (self->owners, Owner, i));
  return g_steal_pointer (&self);
}

PenKallsyms *
pen_kallsyms_ref (PenKallsyms *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

gboolean
pen_kallsyms_is_moved (const PenKallsyms *self)
{
  return self->is_moved;
}

void
pen_kallsyms_free (PenKallsyms *self)
{
  if (!self || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_hash_table_unref (self->owner_index);
  g_array_unref (self->owners);
  g_array_unref (self->entries);
  g_array_unref (self->aliases);
  g_string_chunk_free (self->strings);
  g_free (self);
}

static void
to_symbol (const Entry *entry, PenSymbol *symbol)
{
  symbol->start = entry->start;
  symbol->end = entry->end;
  symbol->name = entry->name;
}

static const Owner *
get_owner (PenKallsyms *self, const char *name)
{
  gpointer index;

  if (!name || !g_hash_table_lookup_extended (self->owner_index, name, NULL, &index))
    return NULL;
  return &g_array_index (self->owners, Owner, GPOINTER_TO_UINT (index));
}

gboolean
pen_kallsyms_find (PenKallsyms *self, const char *occupant, guint64 address, PenSymbol *symbol)
{
  const Owner *owner = get_owner (self, occupant);
  const Entry *entries;
  gsize n;

  if (!owner || owner->is_left_out || owner->n == 0)
    return FALSE;

  entries = &g_array_index (self->entries, Entry, owner->first);
  n = PEN_BINARY_SEARCH (i, 0, owner->n, entries[i].start <= address);
  if (n == 0 || address >= entries[n - 1].end)
    return FALSE;
  to_symbol (&entries[n - 1], symbol);
  return TRUE;
}

guint64
pen_kallsyms_get_text_end (PenKallsyms *self, const char *occupant)
{
  const Owner *owner = get_owner (self, occupant);

  return owner && !owner->is_left_out ? owner->text_end : 0;
}

gboolean
pen_kallsyms_has (PenKallsyms *self, const char *occupant)
{
  const Owner *owner = get_owner (self, occupant);

  return owner && !owner->is_left_out && owner->n > 0;
}

gboolean
pen_kallsyms_is_livepatch (PenKallsyms *self, const char *occupant)
{
  const Owner *owner = get_owner (self, occupant);

  return owner && owner->is_livepatch;
}

void
pen_kallsyms_move (PenKallsyms *self, guint64 difference)
{
  const Owner *kernel = &g_array_index (self->owners, Owner, 0);

  self->is_moved = TRUE;
  g_array_set_size (self->entries, (guint) kernel->n);
  for (guint i = 1; i < self->owners->len; i++) {
    Owner *owner = &g_array_index (self->owners, Owner, i);

    owner->n = 0;
    owner->text_start = owner->text_end = 0;
  }
  for (guint i = 0; i < self->entries->len; i++) {
    g_array_index (self->entries, Entry, i).start += difference;
    g_array_index (self->entries, Entry, i).end += difference;
  }
  for (guint i = 0; i < self->aliases->len; i++)
    g_array_index (self->aliases, Entry, i).start += difference;
}

GArray *
pen_kallsyms_list_modules (PenKallsyms *self)
{
  GArray *modules = g_array_new (FALSE, FALSE, sizeof (PenModule));

  g_array_set_clear_func (modules, (GDestroyNotify) pen_module_clear);
  for (guint i = 1; i < self->owners->len; i++) {
    const Owner *owner = &g_array_index (self->owners, Owner, i);
    PenModule module = { .start = owner->text_start & ~(guint64) (PAGE - 1) };

    if (owner->is_left_out || owner->text_end <= owner->text_start)
      continue;
    module.length = round_up (owner->text_end) - module.start;
    module.name = g_strdup (owner->name);
    g_array_append_val (modules, module);
  }
  return modules;
}

void
pen_kallsyms_foreach (PenKallsyms *self, PenSymbolFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = &g_array_index (self->entries, Entry, i);
    const Owner *owner = &g_array_index (self->owners, Owner, entry->owner);
    PenSymbol symbol;

    if (owner->is_left_out)
      continue;
    to_symbol (entry, &symbol);
    func (&symbol, owner->name, user_data);
  }
}

void
pen_kallsyms_foreach_registered (PenKallsyms *self, PenSymbolFunc func, gpointer user_data)
{
  static const char *const names[] = { "[__builtin__ftrace]", "[__builtin__kprobes]", "[bpf]" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    const Owner *owner = get_owner (self, names[i]);

    for (gsize k = 0; owner && k < owner->n; k++) {
      const Entry *entry = &g_array_index (self->entries, Entry, owner->first + k);
      PenSymbol symbol;

      to_symbol (entry, &symbol);
      if (symbol.start != 0)
        func (&symbol, owner->name, user_data);
    }
  }
}

guint64
pen_kallsyms_get_skipped (PenKallsyms *self)
{
  return self->skipped;
}

static guint64
lookup_in (GArray *entries, gsize n, const char *name)
{
  for (gsize i = 0; i < n; i++) {
    const Entry *entry = &g_array_index (entries, Entry, i);

    if (strcmp (entry->name, name) == 0)
      return entry->start;
  }
  return 0;
}

guint64
pen_kallsyms_lookup (PenKallsyms *self, const char *name)
{
  const Owner *kernel = &g_array_index (self->owners, Owner, 0);
  guint64 address = lookup_in (self->entries, kernel->n, name);

  return address != 0 ? address : lookup_in (self->aliases, self->aliases->len, name);
}
