/* pen-query-change-list.c: changes as a list that is sorted and searched as a whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-change-list.h"

#include <string.h>

#include "pen-matcher.h"
#include "pen-poke-phrases.h"
#include "pen-query-changes.h"
#include "pen-query-private.h"

/* Words get numbers in the order in which they were met; once all are known, their ranks. */
typedef struct {
  GHashTable *numbers;
  GPtrArray *words;
} WordBook;

typedef struct {
  guint64 key;
  guint64 second;
  guint32 id;
  guint32 batch;
} Entry;

typedef struct {
  const PenMatcher *matcher;
  const PenChangeOrder *order;
  WordBook words;   /* of the key */
  WordBook seconds; /* of what decides where the key is alike */
  GArray *entries;
  guint64 total;
} ListBuild;

/* ---- words ---- */

static void
word_book_init (WordBook *book)
{
  book->words = g_ptr_array_new_with_free_func (g_free);
  book->numbers = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
word_book_clear (WordBook *book)
{
  g_clear_pointer (&book->numbers, g_hash_table_unref);
  g_clear_pointer (&book->words, g_ptr_array_unref);
}

static guint
get_number (WordBook *book, const char *word)
{
  gpointer number;
  char *copy;

  word = word != NULL ? word : "";
  if (g_hash_table_lookup_extended (book->numbers, word, NULL, &number))
    return GPOINTER_TO_UINT (number);
  copy = g_strdup (word);
  g_hash_table_insert (book->numbers, copy, GUINT_TO_POINTER (book->words->len));
  g_ptr_array_add (book->words, copy);
  return book->words->len - 1;
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns: (transfer full): the rank of each number */
static guint32 *
rank_words (WordBook *book)
{
  guint32 *ranks = g_new (guint32, book->words->len + 1);

  g_ptr_array_sort (book->words, compare_words);
  for (guint rank = 0; rank < book->words->len; rank++) {
    gpointer number = g_hash_table_lookup (book->numbers, book->words->pdata[rank]);

    ranks[GPOINTER_TO_UINT (number)] = rank;
  }
  return ranks;
}

/* ---- search ---- */

static gboolean
holds (const char *text, const char *search)
{
  return text != NULL && strcasestr (text, search) != NULL;
}

static gboolean
is_searched (const PenChange *change, const char *search)
{
  char address[24];

  if (search == NULL || search[0] == '\0')
    return TRUE;
  g_snprintf (address, sizeof address, "0x%" G_GINT64_MODIFIER "x", change->address);
  return holds (change->symbol, search) || holds (change->occupant, search)
         || holds (change->change, search) || holds (change->comm, search)
         || (change->poke != 0 && holds (pen_cause_to_string (change->cause), search))
         || holds (pen_kind_to_string (change->kind), search) || holds (address, search);
}

static gboolean
is_in_scope (const PenChange *change, PenChangeScope scope)
{
  switch (scope) {
  case PEN_CHANGE_SCOPE_TIMED:
    return !pen_change_is_initial (change);
  case PEN_CHANGE_SCOPE_PATCHES:
    return change->poke != 0 && change->effect == PEN_POKE_PATCH;
  case PEN_CHANGE_SCOPE_PROGRAMS:
    return g_str_has_suffix (change->change, "register");
  case PEN_CHANGE_SCOPE_MAPS:
    return g_str_equal (change->change, "map");
  case PEN_CHANGE_SCOPE_ALL:
  case PEN_CHANGE_SCOPES:
  default:
    return TRUE;
  }
}

/* ---- keys ---- */

static void
set_keys (ListBuild *build, const PenChange *change, Entry *entry)
{
  switch (build->order->sort) {
  case PEN_CHANGE_SORT_CHANGE:
    entry->key = get_number (&build->words, change->change);
    break;
  case PEN_CHANGE_SORT_PLACE:
    entry->key = get_number (&build->words, change->occupant);
    entry->second = get_number (&build->seconds, change->symbol);
    break;
  case PEN_CHANGE_SORT_ADDRESS:
    entry->key = change->address;
    break;
  case PEN_CHANGE_SORT_LENGTH:
    entry->key = change->length;
    break;
  case PEN_CHANGE_SORT_CAUSE:
    entry->key
        = get_number (&build->words, change->poke != 0 ? pen_cause_to_string (change->cause) : "");
    break;
  case PEN_CHANGE_SORT_CPU:
    entry->key = change->cpu;
    break;
  case PEN_CHANGE_SORT_TASK:
    entry->key = get_number (&build->words, change->comm);
    entry->second = change->has_task ? (guint64) (gint64) change->pid : 0;
    break;
  case PEN_CHANGE_SORT_TIME:
  case PEN_CHANGE_SORTS:
  default:
    break;
  }
}

static gboolean
is_by_words (PenChangeSort sort)
{
  return sort == PEN_CHANGE_SORT_CHANGE || sort == PEN_CHANGE_SORT_PLACE
         || sort == PEN_CHANGE_SORT_CAUSE || sort == PEN_CHANGE_SORT_TASK;
}

static gboolean
add_change (const PenChange *change, gpointer user_data)
{
  ListBuild *build = user_data;
  Entry entry = { .id = change->id, .batch = change->batch };

  build->total++;
  if (!pen_matcher_has_change (build->matcher, change) || !is_in_scope (change, build->order->scope)
      || !is_searched (change, build->order->search))
    return TRUE;
  set_keys (build, change, &entry);
  g_array_append_val (build->entries, entry);
  return TRUE;
}

static void
replace_numbers_by_ranks (ListBuild *build)
{
  PenChangeSort sort = build->order->sort;
  g_autofree guint32 *ranks = rank_words (&build->words);
  g_autofree guint32 *seconds = rank_words (&build->seconds);

  for (guint i = 0; i < build->entries->len && is_by_words (sort); i++) {
    Entry *entry = &g_array_index (build->entries, Entry, i);

    entry->key = ranks[entry->key];
    if (sort == PEN_CHANGE_SORT_PLACE)
      entry->second = seconds[entry->second];
  }
}

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Entry *x = a;
  const Entry *y = b;
  int sign = GPOINTER_TO_INT (user_data);

  if (x->key != y->key)
    return x->key < y->key ? -sign : sign;
  if (x->second != y->second)
    return x->second < y->second ? -sign : sign;
  return x->id < y->id ? -1 : x->id > y->id;
}

static void
sort_entries (ListBuild *build)
{
  int sign = build->order->is_descending ? -1 : 1;
  guint n = build->entries->len;

  /* By time they are already. */
  if (build->order->sort != PEN_CHANGE_SORT_TIME) {
    replace_numbers_by_ranks (build);
    g_array_sort_with_data (build->entries, compare_entries, GINT_TO_POINTER (sign));
  } else if (sign < 0) {
    for (guint i = 0; i < n / 2; i++) {
      Entry *x = &g_array_index (build->entries, Entry, i);
      Entry *y = &g_array_index (build->entries, Entry, n - 1 - i);
      Entry kept = *x;

      *x = *y;
      *y = kept;
    }
  }
}

/* ---- groups ---- */

/* Batches are met in the order of their first changes; each change of one goes where that is. */
static void
group_entries (const ListBuild *build, PenChangeList *list)
{
  guint n = build->entries->len;
  g_autofree guint32 *group_of = g_new (guint32, n + 1);
  g_autoptr (GHashTable) batches = g_hash_table_new (NULL, NULL);
  guint first = 0;

  list->groups = g_array_new (FALSE, FALSE, sizeof (PenChangeGroup));
  for (guint i = 0; i < n; i++) {
    guint32 batch = g_array_index (build->entries, Entry, i).batch;
    gpointer known = batch != 0 ? g_hash_table_lookup (batches, GUINT_TO_POINTER (batch)) : NULL;
    PenChangeGroup group = { 0, 0 };

    if (known == NULL) {
      g_array_append_val (list->groups, group);
      known = GUINT_TO_POINTER (list->groups->len);
      if (batch != 0)
        g_hash_table_insert (batches, GUINT_TO_POINTER (batch), known);
    }
    group_of[i] = GPOINTER_TO_UINT (known) - 1;
    g_array_index (list->groups, PenChangeGroup, group_of[i]).n++;
  }
  for (guint i = 0; i < list->groups->len; i++) {
    PenChangeGroup *group = &g_array_index (list->groups, PenChangeGroup, i);

    group->first = first;
    first += group->n;
    group->n = 0;
  }
  g_array_set_size (list->ids, n);
  for (guint i = 0; i < n; i++) {
    PenChangeGroup *group = &g_array_index (list->groups, PenChangeGroup, group_of[i]);

    g_array_index (list->ids, guint32, group->first + group->n++)
        = g_array_index (build->entries, Entry, i).id;
  }
}

/* ---- the list ---- */

void
pen_change_list_free (PenChangeList *list)
{
  g_array_unref (list->ids);
  g_clear_pointer (&list->groups, g_array_unref);
  g_free (list);
}

static void
list_build_clear (ListBuild *build)
{
  word_book_clear (&build->words);
  word_book_clear (&build->seconds);
  g_clear_pointer (&build->entries, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ListBuild, list_build_clear)

static PenChangeList *
take_list (const ListBuild *build)
{
  PenChangeList *list = g_new0 (PenChangeList, 1);

  list->total = build->total;
  list->ids = g_array_sized_new (FALSE, FALSE, sizeof (guint32), build->entries->len);
  if (build->order->is_grouped && build->order->sort == PEN_CHANGE_SORT_TIME) {
    group_entries (build, list);
    return list;
  }
  for (guint i = 0; i < build->entries->len; i++)
    g_array_append_val (list->ids, g_array_index (build->entries, Entry, i).id);
  return list;
}

PenChangeList *
pen_query_list_changes (PenQuery *self, const PenFilter *filter, const PenChangeOrder *order,
                        GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_auto (ListBuild) build = { .matcher = matcher, .order = order };

  if (matcher == NULL)
    return NULL;
  word_book_init (&build.words);
  word_book_init (&build.seconds);
  build.entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  if (!pen_store_foreach_change (self->store, add_change, &build, error))
    return NULL;
  sort_entries (&build);
  return take_list (&build);
}

/* ---- rows ---- */

typedef struct {
  PenQuery *query;
  GPtrArray *rows;
} RowBuild;

static void
clear_row (PenChangeRow *row)
{
  g_free (row->sentence);
  g_free ((char *) row->change.key);
  g_free ((char *) row->change.change);
  g_free ((char *) row->change.occupant);
  g_free ((char *) row->change.symbol);
  g_free (row->reason);
  g_free ((char *) row->change.comm);
  g_free ((guint8 *) row->change.old_bytes);
  g_free ((guint8 *) row->change.new_bytes);
}

PenChangeRow *
pen_change_row_ref (PenChangeRow *row)
{
  return g_atomic_rc_box_acquire (row);
}

void
pen_change_row_unref (PenChangeRow *row)
{
  g_atomic_rc_box_release_full (row, (GDestroyNotify) clear_row);
}

/* Of the change's own occupant rather than of who held the place before or after. */
static void
find_function (const PenFunction *function, gpointer user_data)
{
  PenChangeRow *row = user_data;

  if (row->has_function && g_strcmp0 (function->occupant, row->change.occupant) != 0)
    return;
  row->has_function = TRUE;
  row->function = function->id;
}

static gboolean
add_row (const PenChange *change, gpointer user_data)
{
  RowBuild *build = user_data;
  PenChangeRow *row = g_atomic_rc_box_new0 (PenChangeRow);
  const PenBatch *batch;
  PenPoke poke;

  row->change = *change;
  row->change.change = g_strdup (change->change);
  row->change.key = g_strdup (change->key);
  batch = pen_query_get_batch (build->query, change->batch, NULL);
  row->sentence = batch != NULL ? pen_batch_describe (batch) : NULL;
  if (change->poke != 0 && pen_store_load_poke (build->query->store, change->poke, &poke, NULL))
    row->reason = pen_poke_describe (&poke);
  row->change.occupant = g_strdup (change->occupant);
  row->change.symbol = g_strdup (change->symbol);
  row->change.comm = g_strdup (change->comm);
  row->change.old_bytes = g_memdup2 (change->old_bytes, change->old_length);
  row->change.new_bytes = g_memdup2 (change->new_bytes, change->new_length);
  if (change->length > 0 && change->address < G_MAXUINT64)
    pen_query_foreach_function_in (build->query, change->address, change->address + 1,
                                   find_function, row);
  g_ptr_array_add (build->rows, row);
  return TRUE;
}

GPtrArray *
pen_query_load_changes (PenQuery *self, const guint32 *ids, guint n, GError **error)
{
  g_autoptr (GPtrArray) rows
      = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_change_row_unref);
  RowBuild build = { self, rows };

  if (!pen_query_load (self, error)
      || !pen_store_foreach_change_of (self->store, ids, n, add_row, &build, error))
    return NULL;
  return g_steal_pointer (&rows);
}

/* ---- one of them, by its time ---- */

typedef struct {
  gboolean is_there;
  PenMoment moment;
} FoundMoment;

static gboolean
take_moment (const PenChange *change, gpointer user_data)
{
  *(FoundMoment *) user_data = (FoundMoment){ TRUE, change->moment };
  return FALSE;
}

/* What of @id, or of nothing, comes after @moment? */
static gboolean
is_after (PenQuery *self, guint32 id, PenMoment moment, FoundMoment *found, gboolean *after,
          GError **error)
{
  *found = (FoundMoment){ FALSE, PEN_MOMENT_END };
  if (!pen_store_foreach_change_of (self->store, &id, 1, take_moment, found, error))
    return FALSE;
  *after = !found->is_there || pen_moment_compare (found->moment, moment) > 0;
  return TRUE;
}

gboolean
pen_query_find_change (PenQuery *self, PenMoment moment, guint32 *id, GError **error)
{
  guint32 low = 0;
  guint32 high = 1;
  gboolean after = FALSE;
  FoundMoment found;

  /* Ids count up with time. The first may be 0 or 1. */
  for (;;) {
    if (!is_after (self, high, moment, &found, &after, error))
      return FALSE;
    if (after || high > G_MAXUINT32 / 2)
      break;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    guint32 middle = low + (high - low) / 2;

    if (!is_after (self, middle, moment, &found, &after, error))
      return FALSE;
    if (after)
      high = middle;
    else
      low = middle;
  }
  *id = low;
  return is_after (self, low, moment, &found, &after, error) && found.is_there
         && pen_moment_compare (found.moment, moment) == 0;
}
