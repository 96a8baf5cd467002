/* pen-pair-texts.c: the texts of functions that are in a list of both recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-texts.h"

#include "pen-pair-changes.h"
#include "pen-pair-found.h"
#include "pen-pair-reader.h"
#include "pen-query-private.h"
#include "pen-store-symbols.h"
#include "pen-table-hash.h"

/* Shorter functions are the same by chance: “xor %eax,%eax; ret”. */
#define LEAST_INSTRUCTIONS 5u

/* Steps of an alignment for each instruction of both texts. */
#define STEPS_PER_INSTRUCTION 32u

/* @texts: row → PenPairText: those of functions that only that recording has, until they are
 * compared */
typedef struct {
  PenPairs *pairs;
  const PenPairSource *sources;
  PenPairReader *readers[2];
  GHashTable *texts[2];
  gboolean is_one_store;
} Comparison;

static void
comparison_clear (Comparison *self)
{
  /* Their strings are the readers'. */
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->texts[i], g_hash_table_unref);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->readers[i], pen_pair_reader_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Comparison, comparison_clear)

static PenPairText *
read_text (Comparison *self, const PenPairRow *row, guint side, GError **error)
{
  gpointer text;

  if (g_hash_table_steal_extended (self->texts[side], row, NULL, &text))
    return text;
  if (row->functions[side]->len == 0)
    return pen_pair_reader_read_found (self->readers[side], row->found[side], error);
  return pen_pair_reader_read (self->readers[side],
                               g_array_index (row->functions[side], guint32, 0), error);
}

static gboolean
is_there (const PenPairRow *row, guint side)
{
  return row->functions[side]->len > 0 || row->found[side];
}

/* ---- renamed functions ---- */

static guint
text_hash (gconstpointer text)
{
  return pen_pair_text_hash (text);
}

static gboolean
text_equal (gconstpointer a, gconstpointer b)
{
  return pen_pair_text_equal (a, b);
}

static gboolean
is_only_on (const PenPairRow *row, guint side)
{
  return row->symbol && row->functions[side]->len == 1 && row->functions[!side]->len == 0
         && row->rates[side].samples > 0;
}

/* An address that has no name may be any. */
static gboolean
is_distinct (const PenPairText *text)
{
  if (!text->is_known || text->n < LEAST_INSTRUCTIONS)
    return FALSE;
  for (guint i = 0; i < text->n; i++)
    if (text->instructions[i].is_masked)
      return FALSE;
  return TRUE;
}

/* Returns: (transfer full): texts of functions that only that recording has → the row; NULL: there
 * are several. Texts are those of @self */
static GHashTable *
list_owners (Comparison *self, guint side, GError **error)
{
  g_autoptr (GHashTable) owners = g_hash_table_new (text_hash, text_equal);
  GPtrArray *rows = self->pairs->rows;

  for (guint i = 0; i < rows->len; i++) {
    PenPairText *text;

    if (!is_only_on (rows->pdata[i], side))
      continue;
    text = read_text (self, rows->pdata[i], side, error);
    if (!text)
      return NULL;
    g_hash_table_insert (self->texts[side], rows->pdata[i], text);
    if (is_distinct (text))
      g_hash_table_insert (owners, text,
                           g_hash_table_contains (owners, text) ? NULL : rows->pdata[i]);
  }
  return g_steal_pointer (&owners);
}

/* Where the other recording has a function of that name, it is this one, and has no samples there.
 * Kernels and modules have lists of their names. */
static gboolean
keep_known_names (PenQuery *query, const char *occupant, GHashTable *wanted, GHashTable *known,
                  GError **error)
{
  PenCancelCheck check = pen_query_make_check (query);
  guint64 address = pen_store_find_symbol_above (query->store, occupant, 0);

  for (; address != G_MAXUINT64 && pen_cancel_check_step (&check);
       address = pen_store_find_symbol_above (query->store, occupant, address)) {
    const char *name;
    guint64 start, end;

    if (pen_store_find_symbol (query->store, occupant, address, &name, &start, &end)
        && g_hash_table_contains (wanted, name))
      g_hash_table_add (known, (gpointer) name);
  }
  return pen_query_end_check (query, &check, error);
}

static const char *
get_occupant (const Comparison *self, const PenPairRow *row, guint side)
{
  guint32 id = g_array_index (row->functions[side], guint32, 0);

  return pen_query_get_function (self->sources[side].query, id)->occupant;
}

static void
join_rows (Comparison *self, PenPairRow *row, PenPairRow *other)
{
  GArray *functions = row->functions[1];
  gpointer text;

  if (g_hash_table_steal_extended (self->texts[1], other, NULL, &text))
    g_hash_table_insert (self->texts[1], row, text);

  row->functions[1] = other->functions[1];
  other->functions[1] = functions;
  row->rates[1] = other->rates[1];
  row->symbols[1] = other->symbols[1];
  row->occupants[1] = other->occupants[1];
  row->is_renamed = TRUE;
}

/* @names: occupant of one recording → (element-type char *): a set of names of the other's rows */
static void
note_name (GHashTable *names, const char *occupant, const char *name)
{
  GHashTable *wanted = g_hash_table_lookup (names, occupant);

  if (!wanted) {
    wanted = g_hash_table_new (pen_str_hash, g_str_equal);
    g_hash_table_insert (names, (gpointer) occupant, wanted);
  }
  g_hash_table_add (wanted, (gpointer) name);
}

/* Returns: (transfer full): "occupant" → set of names, for recording @side: those of the other that
 * it has, too */
static GHashTable *
find_known (Comparison *self, const GPtrArray *candidates, guint side, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL,
                                                        (GDestroyNotify) g_hash_table_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (pen_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer occupant, wanted;

  for (guint i = 0; i + 1 < candidates->len; i += 2) {
    const PenPairRow *own = candidates->pdata[i + side];
    const PenPairRow *other = candidates->pdata[i + !side];

    note_name (names, get_occupant (self, own, side), other->symbol);
  }
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &occupant, &wanted))
    if (!keep_known_names (self->sources[side].query, occupant, wanted, known, error))
      return NULL;
  return g_steal_pointer (&known);
}

/* Returns: (transfer full) (element-type PenPairRow): of A, of B, of A, … */
static GPtrArray *
find_candidates (GHashTable *before, GHashTable *after)
{
  GPtrArray *candidates = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer text, data;

  g_hash_table_iter_init (&iter, before);
  while (g_hash_table_iter_next (&iter, &text, &data)) {
    PenPairRow *old = data;
    PenPairRow *new = g_hash_table_lookup (after, text);

    if (!old || !new || new->kind != old->kind)
      continue;
    g_ptr_array_add (candidates, old);
    g_ptr_array_add (candidates, new);
  }
  return candidates;
}

/* @rows: plain name → the row of it that only one recording has; NULL: there are several */
static void
note_plain_name (GHashTable *rows, PenPairRow *row, GString *name)
{
  g_string_printf (name, "%d\n%s\n", (int) row->kind, row->occupant);
  pen_pair_append_plain_symbol (name, row->symbol);
  if (g_hash_table_contains (rows, name->str))
    row = NULL;
  g_hash_table_insert (rows, g_strdup (name->str), row);
}

/* Adds rows whose names are the same but for what compilers append. */
static gboolean
add_plain_names (Comparison *self, GPtrArray *candidates, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->sources[0].query);
  GHashTable *rows[2];
  g_autoptr (GString) name = g_string_new (NULL);
  GHashTableIter iter;
  gpointer key, old;

  for (guint side = 0; side < 2; side++)
    rows[side] = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->pairs->rows->len && pen_cancel_check_step (&check); i++) {
    PenPairRow *row = self->pairs->rows->pdata[i];

    for (guint side = 0; side < 2; side++)
      if (is_only_on (row, side))
        note_plain_name (rows[side], row, name);
  }
  g_hash_table_iter_init (&iter, rows[0]);
  while (g_hash_table_iter_next (&iter, &key, &old)) {
    PenPairRow *new = g_hash_table_lookup (rows[1], key);

    if (old && new) {
      g_ptr_array_add (candidates, old);
      g_ptr_array_add (candidates, new);
    }
  }
  for (guint side = 0; side < 2; side++)
    g_hash_table_unref (rows[side]);
  return pen_query_end_check (self->sources[0].query, &check, error);
}

static void
drop_empty_rows (GPtrArray *rows)
{
  for (guint i = 0; i < rows->len;) {
    const PenPairRow *row = rows->pdata[i];

    if (row->functions[0]->len == 0 && row->functions[1]->len == 0)
      g_ptr_array_remove_index_fast (rows, i);
    else
      i++;
  }
}

static gboolean
join_renamed (Comparison *self, GError **error)
{
  g_autoptr (GHashTable) before = list_owners (self, 0, error);
  g_autoptr (GHashTable) after = before ? list_owners (self, 1, error) : NULL;
  g_autoptr (GPtrArray) candidates = after ? find_candidates (before, after) : NULL;
  g_autoptr (GHashTable) known_a = NULL;
  g_autoptr (GHashTable) known_b = NULL;

  if (!candidates || !add_plain_names (self, candidates, error))
    return FALSE;
  known_a = find_known (self, candidates, 0, error);
  known_b = known_a ? find_known (self, candidates, 1, error) : NULL;
  if (!known_b)
    return FALSE;
  for (guint i = 0; i + 1 < candidates->len; i += 2) {
    PenPairRow *old = candidates->pdata[i], *new = candidates->pdata[i + 1];

    if (is_only_on (old, 0) && is_only_on (new, 1) && !g_hash_table_contains (known_a, new->symbol)
        && !g_hash_table_contains (known_b, old->symbol))
      join_rows (self, old, new);
  }
  drop_empty_rows (self->pairs->rows);
  return TRUE;
}

/* ---- how texts differ ---- */

/* A recording that is compared with itself. */
static gboolean
is_one_text (const Comparison *self, const PenPairRow *row)
{
  return self->is_one_store && row->functions[0]->len > 0 && row->functions[1]->len > 0
         && pen_pair_reader_is_same_text (
             self->readers[0], g_array_index (row->functions[0], guint32, 0), self->readers[1],
             g_array_index (row->functions[1], guint32, 0));
}

static gboolean
tell_one_text (Comparison *self, PenPairRow *row, GError **error)
{
  gboolean is_known;

  if (!pen_pair_reader_knows (self->readers[0], g_array_index (row->functions[0], guint32, 0),
                              &is_known, error))
    return FALSE;
  row->text = is_known ? PEN_PAIR_TEXT_SAME : PEN_PAIR_TEXT_UNKNOWN;
  return TRUE;
}

static void
add_site (const PenPairRow *row, const PenPairText *const texts[2], const PenPairChange *change,
          GArray *sites)
{
  const guint lines[] = { change->a, change->b };
  PenPairSite site = { .row = row, .cause = change->cause };

  for (guint side = 0; side < 2; side++) {
    const PenAnnotationLine *line = texts[side]->lines->pdata[lines[side]];

    site.offsets[side] = line->address - texts[side]->start;
    site.is_on[side] = line->class != PEN_INSTRUCTION_NOP;
    site.pokes[side] = line->poke;
  }
  g_array_append_val (sites, site);
}

gboolean
pen_pair_compare_two (const PenPairSource sources[2], PenPairRow *row, const PenPairText *a,
                      const PenPairText *b, GArray *sites, GError **error)
{
  g_autoptr (GArray) changes = NULL;
  gboolean is_patched = TRUE;

  row->text = a->is_known && b->is_known ? PEN_PAIR_TEXT_SAME : PEN_PAIR_TEXT_UNKNOWN;
  if (row->text == PEN_PAIR_TEXT_UNKNOWN || pen_pair_text_equal (a, b))
    return TRUE;
  changes = pen_pair_list_changes (sources, a, b, STEPS_PER_INSTRUCTION * (a->n + b->n), error);
  if (!changes)
    return FALSE;
  for (guint i = 0; i < changes->len; i++) {
    const PenPairChange *change = &g_array_index (changes, PenPairChange, i);

    if (change->difference == PEN_PAIR_LINE_SAME)
      continue;
    row->n_changed++;
    if (change->cause == PEN_CAUSE_UNKNOWN) {
      is_patched = FALSE;
      continue;
    }
    row->causes |= 1u << change->cause;
    add_site (row, (const PenPairText *const[]){ a, b }, change, sites);
  }
  row->text = is_patched ? PEN_PAIR_TEXT_PATCHED : PEN_PAIR_TEXT_DIFFERS;
  return TRUE;
}

static gboolean
compare_texts (Comparison *self, PenPairRow *row, GError **error)
{
  g_autoptr (PenPairText) a = read_text (self, row, 0, error);
  g_autoptr (PenPairText) b = a ? read_text (self, row, 1, error) : NULL;

  return b && pen_pair_compare_two (self->sources, row, a, b, self->pairs->sites, error);
}

gboolean
pen_pair_compare_texts (PenPairs *pairs, const PenPairSource sources[2], GError **error)
{
  g_auto (Comparison) self = { .pairs = pairs, .sources = sources };

  for (guint i = 0; i < 2; i++) {
    self.readers[i] = pen_pair_reader_new (&sources[i], pairs->strings, error);
    if (!self.readers[i])
      return FALSE;
    self.texts[i]
        = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) pen_pair_text_free);
  }
  self.is_one_store = pen_store_is_same_file (pen_query_get_store (sources[0].query),
                                              pen_query_get_store (sources[1].query));
  if (!join_renamed (&self, error) || !pen_pair_find_functions (pairs, sources, error))
    return FALSE;
  for (guint i = 0; i < pairs->rows->len; i++) {
    PenPairRow *row = pairs->rows->pdata[i];

    if (is_there (row, 0) && is_there (row, 1)
        && !(is_one_text (&self, row) ? tell_one_text : compare_texts) (&self, row, error))
      return FALSE;
  }
  return TRUE;
}
