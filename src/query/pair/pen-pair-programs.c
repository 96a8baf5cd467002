/* pen-pair-programs.c: names of BPF programs, where several have one name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-programs.h"

#include <string.h>

#include "pen-query-private.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-store-programs.h"
#include "pen-table-hash.h"

/* kernel/bpf/core.c: "bpf_prog_", 16 hexadecimal digits, and where there is a name "_" and that. */
#define PREFIX "bpf_prog_"
#define TAG_DIGITS 16u

/* Names that are listed: what is longer is told apart by its beginning. */
#define OTHERS_MAX 16u

/*
 * @programs: number of a program → its symbols, (element-type char *), owned by the store
 * @ids: (element-type guint32): those numbers, as they came
 * @others: symbol → "helper, main"
 * @by_name: name → the first others; SEVERAL_OTHERS where symbols of that name have others
 * @ambiguous: names of which only that says which: a set
 * @trampolines: their names: a set; @attached: name → the function; SEVERAL_OTHERS where there were
 *   several; @has_several_trampolines: in either recording
 */
struct _PenPairPrograms {
  GHashTable *programs;
  GArray *ids;
  GHashTable *others;
  GHashTable *by_name;
  GHashTable *ambiguous;
  GHashTable *trampolines;
  GHashTable *attached;
  gboolean has_several_trampolines;
};

static const char several_others[] = "";

const char *
pen_pair_program_get_name (const char *symbol)
{
  const char *at = symbol + strlen (PREFIX);

  if (!g_str_has_prefix (symbol, PREFIX))
    return symbol;
  for (guint i = 0; i < TAG_DIGITS; i++)
    if (!g_ascii_isxdigit (at[i]))
      return symbol;
  at += TAG_DIGITS;
  return at[0] == '_' && at[1] != '\0' ? at + 1 : symbol;
}

static void
add_symbol (PenPairPrograms *self, guint32 bpf_id, const char *symbol)
{
  GPtrArray *symbols = g_hash_table_lookup (self->programs, GUINT_TO_POINTER (bpf_id));

  if (!symbols) {
    symbols = g_ptr_array_new ();
    g_hash_table_insert (self->programs, GUINT_TO_POINTER (bpf_id), symbols);
    g_array_append_val (self->ids, bpf_id);
  }
  g_ptr_array_add (symbols, (gpointer) symbol);
}

typedef struct {
  PenPairPrograms *self;
  GHashTable *tenures; /* of functions that are described → number of their program */
} TenureSearch;

static gboolean
add_tenure (const PenTenure *tenure, gpointer user_data)
{
  TenureSearch *search = user_data;
  guint32 bpf_id = tenure->bpf_id;

  if (tenure->kind == PEN_KIND_STUB && g_str_has_prefix (tenure->occupant, PEN_PAIR_TRAMPOLINE))
    g_hash_table_add (search->self->trampolines, (gpointer) tenure->occupant);
  if (tenure->kind != PEN_KIND_BPF)
    return TRUE;
  if (bpf_id == 0)
    bpf_id
        = GPOINTER_TO_UINT (g_hash_table_lookup (search->tenures, GUINT_TO_POINTER (tenure->id)));
  if (bpf_id != 0)
    add_symbol (search->self, bpf_id, tenure->occupant);
  return TRUE;
}

/* Parts of a program have tenures of their own, of which BPF_EVENT names the first alone; what the
 * recorder asked the kernel names the others. */
static gboolean
load_symbols (PenPairPrograms *self, PenQuery *query, GError **error)
{
  g_autoptr (GArray) functions = pen_store_load_bpf_functions (query->store, error);
  g_autoptr (GHashTable) tenures = g_hash_table_new (pen_direct_hash, NULL);
  TenureSearch search = { self, tenures };

  if (!functions)
    return FALSE;
  for (guint i = 0; i < functions->len; i++) {
    const PenStoredBpfFunction *function = &g_array_index (functions, PenStoredBpfFunction, i);

    if (function->tenure != 0)
      g_hash_table_insert (tenures, GUINT_TO_POINTER (function->tenure),
                           GUINT_TO_POINTER (function->bpf_id));
  }
  return pen_store_foreach_tenure (query->store, FALSE, add_tenure, &search, error);
}

/* A call at a function's entry that leads to one. */
static gboolean
load_attached (PenPairPrograms *self, PenQuery *query, GError **error)
{
  GError *failure = NULL;
  guint n;
  const PenBatch *batches = pen_store_get_batches (query->store, &n, &failure);
  PenCancelCheck check = pen_query_make_check (query);

  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  for (guint i = 0; batches && i < n && pen_cancel_check_step (&check); i++) {
    const char *site = batches[i].site;
    const char *target = batches[i].target;
    const char *known;

    if (!site || !target || strchr (site, '+')
        || !g_hash_table_contains (self->trampolines, target))
      continue;
    known = g_hash_table_lookup (self->attached, target);
    g_hash_table_insert (self->attached, (gpointer) target,
                         (gpointer) (!known || g_str_equal (known, site) ? site : several_others));
  }
  return pen_query_end_check (query, &check, error);
}

/* By name, and one symbol beside itself. */
static int
compare_names (gconstpointer a, gconstpointer b)
{
  const char *x = *(const char *const *) a;
  const char *y = *(const char *const *) b;
  int order = strcmp (pen_pair_program_get_name (x), pen_pair_program_get_name (y));

  return order != 0 ? order : strcmp (x, y);
}

/* The first names of @symbols, each once. @symbols: sorted by name */
static GPtrArray *
list_names (const GPtrArray *symbols)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < symbols->len && names->len < OTHERS_MAX; i++) {
    const char *name = pen_pair_program_get_name (symbols->pdata[i]);

    if (names->len == 0 || !g_str_equal (names->pdata[names->len - 1], name))
      g_ptr_array_add (names, (gpointer) name);
  }
  return names;
}

/* But @symbol's own. */
static char *
list_others (const GPtrArray *names, const char *symbol)
{
  GString *words = g_string_new (NULL);
  const char *own = pen_pair_program_get_name (symbol);

  for (guint i = 0; i < names->len; i++)
    if (!g_str_equal (names->pdata[i], own))
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "",
                              (const char *) names->pdata[i]);
  return g_string_free (words, FALSE);
}

static void
add_others (PenPairPrograms *self, const char *symbol, const GPtrArray *names)
{
  const char *name = pen_pair_program_get_name (symbol);
  const char *known;
  char *others;

  /* The same instructions in another load. */
  if (g_hash_table_contains (self->others, symbol))
    return;
  others = list_others (names, symbol);
  g_hash_table_insert (self->others, (gpointer) symbol, others);
  known = g_hash_table_lookup (self->by_name, name);
  if (!known)
    g_hash_table_insert (self->by_name, (gpointer) name, others);
  else if (known != several_others && !g_str_equal (known, others))
    g_hash_table_insert (self->by_name, (gpointer) name, (gpointer) several_others);
}

static gboolean
find_others (PenPairPrograms *self, PenQuery *query, GError **error)
{
  PenCancelCheck check = pen_query_make_check (query);

  for (guint k = 0; k < self->ids->len; k++) {
    guint32 id = g_array_index (self->ids, guint32, k);
    GPtrArray *symbols = g_hash_table_lookup (self->programs, GUINT_TO_POINTER (id));
    g_autoptr (GPtrArray) names = NULL;

    g_ptr_array_sort (symbols, compare_names);
    names = list_names (symbols);
    for (guint i = 0; i < symbols->len && pen_cancel_check_step (&check); i++)
      if (i == 0 || !g_str_equal (symbols->pdata[i], symbols->pdata[i - 1]))
        add_others (self, symbols->pdata[i], names);
  }
  return pen_query_end_check (query, &check, error);
}

static PenPairPrograms *
load_programs (PenQuery *query, GError **error)
{
  g_autoptr (PenPairPrograms) self = g_new0 (PenPairPrograms, 1);

  self->programs
      = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->others = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, g_free);
  self->by_name = g_hash_table_new (pen_str_hash, g_str_equal);
  self->ambiguous = g_hash_table_new (pen_str_hash, g_str_equal);
  self->trampolines = g_hash_table_new (pen_str_hash, g_str_equal);
  self->attached = g_hash_table_new (pen_str_hash, g_str_equal);
  return load_symbols (self, query, error) && find_others (self, query, error)
                 && load_attached (self, query, error)
             ? g_steal_pointer (&self)
             : NULL;
}

void
pen_pair_programs_free (PenPairPrograms *self)
{
  g_hash_table_unref (self->programs);
  g_array_unref (self->ids);
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->ambiguous);
  g_hash_table_unref (self->others);
  g_hash_table_unref (self->trampolines);
  g_hash_table_unref (self->attached);
  g_free (self);
}

static void
add_ambiguous (const PenPairPrograms *from, PenPairPrograms *to)
{
  GHashTableIter iter;
  gpointer name, others;

  g_hash_table_iter_init (&iter, from->by_name);
  while (g_hash_table_iter_next (&iter, &name, &others))
    if (others == several_others)
      g_hash_table_add (to->ambiguous, name);
}

gboolean
pen_pair_programs_load_both (const PenPairSource sources[2], PenPairPrograms *programs[2],
                             GError **error)
{
  g_autoptr (PenPairPrograms) a = load_programs (sources[0].query, error);
  g_autoptr (PenPairPrograms) b = a ? load_programs (sources[1].query, error) : NULL;

  if (!b)
    return FALSE;
  add_ambiguous (a, a);
  add_ambiguous (a, b);
  add_ambiguous (b, a);
  add_ambiguous (b, b);
  a->has_several_trampolines = b->has_several_trampolines
      = g_hash_table_size (a->trampolines) > 1 || g_hash_table_size (b->trampolines) > 1;
  programs[0] = g_steal_pointer (&a);
  programs[1] = g_steal_pointer (&b);
  return TRUE;
}

const char *
pen_pair_programs_get_others (const PenPairPrograms *self, const char *symbol)
{
  const char *others;

  if (!g_hash_table_contains (self->ambiguous, pen_pair_program_get_name (symbol)))
    return NULL;
  others = g_hash_table_lookup (self->others, symbol);
  return others && *others != '\0' ? others : NULL;
}

const char *
pen_pair_programs_get_attached (const PenPairPrograms *self, const char *name)
{
  const char *function
      = self->has_several_trampolines ? g_hash_table_lookup (self->attached, name) : NULL;

  return function && *function != '\0' ? function : NULL;
}
