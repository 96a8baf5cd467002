/* pen-change-index.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-change-index.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-schema.h"
#include "pen-store-private.h"
#include "pen-table-hash.h"

/* The tables that the view `change` is made of. */
typedef enum {
  MAPS,
  KSYMBOLS,
  POKES,
  TABLES,
} Table;

static const char *const tables[TABLES] = {
  [MAPS] = "map_row m LEFT JOIN tenure_row t ON t.id = m.tenure WHERE NOT m.is_data",
  [KSYMBOLS] = "ksymbol k LEFT JOIN tenure_row t ON t.id = k.tenure",
  [POKES] = "text_poke p LEFT JOIN tenure_row t ON t.id = p.tenure"
            " LEFT JOIN function_row f ON f.id = p.function",
};

static const char *const facts[TABLES] = {
  [MAPS] = "m.change, m.time, NULL, 0, NULL",
  [KSYMBOLS] = "k.change, k.time, NULL, 0, NULL",
  [POKES] = "p.change, p.time, p.batch, p.effect = 'patch', p.id",
};

/* Numbers are compared as unsigned ones. */
#define PARTS 3

/* @n_texts: how many of the parts are words; those come first */
typedef struct {
  guint n_texts;
  guint n_parts;
  const char *columns[TABLES];
} SortRule;

#define TASK_OF(row)                                                                               \
  "iif(" row ".pid IS NULL, NULL, ifnull(" row ".comm, '')), " row ".pid, " row ".cpu"

#define OCCUPANT "nullif(" PEN_SHARED ("t.occupant") ", '')"

static const SortRule rules[PEN_CHANGE_SORTS] = {
  [PEN_CHANGE_SORT_CHANGE]
  = { 1, 1, { "'map'", "iif(k.is_unregister, 'unregister', 'register')", "'poke'" } },
  [PEN_CHANGE_SORT_PLACE]
  = { 2, 2, { OCCUPANT ", ''", OCCUPANT ", k.name", OCCUPANT ", ifnull(f.symbol, '')" } },
  [PEN_CHANGE_SORT_ADDRESS] = { 0, 1, { "m.start", "k.address", "p.address" } },
  [PEN_CHANGE_SORT_LENGTH]
  = { 0, 1, { "m.length", "k.length", "max(length(p.old), length(p.new))" } },
  [PEN_CHANGE_SORT_CAUSE] = { 1, 1, { "NULL", "NULL", "iif(p.effect = 'patch', p.cause, NULL)" } },
  [PEN_CHANGE_SORT_CPU] = { 0, 1, { "m.cpu", "k.cpu", "p.cpu" } },
  [PEN_CHANGE_SORT_TASK] = { 1,
                             3,
                             { "iif(m.pid = -1, NULL, ifnull(" PEN_SHARED (
                                   "m.comm") ", '')),"
                                             " iif(m.pid = -1, NULL, m.pid), m.cpu",
                               TASK_OF ("k"), TASK_OF ("p") } },
};

void
pen_change_index_free (PenChangeIndex *self)
{
  if (!self)
    return;
  g_array_unref (self->changes);
  g_free (self->order);
  g_free (self);
}

/* ---- what there is ---- */

static guint32
find_scopes (Table table, sqlite3_stmt *row)
{
  gint64 time = sqlite3_column_int64 (row, 1);
  gboolean is_timed = sqlite3_column_type (row, 1) != SQLITE_NULL && time != 0 && time != -1;
  guint32 scopes = 1u << PEN_CHANGE_SCOPE_ALL;

  if (is_timed)
    scopes |= 1u << PEN_CHANGE_SCOPE_TIMED;
  if (is_timed && table != MAPS)
    scopes |= 1u << PEN_CHANGE_SCOPE_TEXT;
  if (sqlite3_column_int (row, 3))
    scopes |= 1u << PEN_CHANGE_SCOPE_PATCHES;
  if (table == KSYMBOLS)
    scopes |= 1u << PEN_CHANGE_SCOPE_PROGRAMS;
  if (table == MAPS)
    scopes |= 1u << PEN_CHANGE_SCOPE_MAPS;
  return scopes;
}

static sqlite3_stmt *
select_from (PenStore *store, Table table, const char *columns, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM %s", columns, tables[table]);

  return pen_sql_prepare (store->db, sql, error);
}

static gboolean
add_changes (PenChangeIndex *self, PenStore *store, Table table, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = select_from (store, table, facts[table], error);
  PenSqlStep step = PEN_SQL_FAILED;

  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenIndexedChange change = {
      .id = (guint32) pen_sql_u64 (statement, 0),
      .batch = (guint32) pen_sql_u64 (statement, 2),
      .poke = (guint32) pen_sql_u64 (statement, 4),
      .scopes = find_scopes (table, statement),
    };

    g_array_append_val (self->changes, change);
  }
  return step == PEN_SQL_DONE;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const PenIndexedChange *x = a;
  const PenIndexedChange *y = b;

  return (x->id > y->id) - (x->id < y->id);
}

PenChangeIndex *
pen_change_index_new (PenStore *store, GError **error)
{
  g_autoptr (PenChangeIndex) self = g_new0 (PenChangeIndex, 1);

  self->changes = g_array_new (FALSE, FALSE, sizeof (PenIndexedChange));
  for (Table table = 0; table < TABLES; table++) {
    if (!add_changes (self, store, table, error))
      return NULL;
  }
  g_array_sort (self->changes, compare_ids);
  return g_steal_pointer (&self);
}

const PenIndexedChange *
pen_change_index_find (const PenChangeIndex *self, guint32 id)
{
  const PenIndexedChange *changes = (const PenIndexedChange *) (gpointer) self->changes->data;
  guint n = self->changes->len;
  guint at = PEN_BINARY_SEARCH (i, 0, n, changes[i].id < id);

  return at < n && changes[at].id == id ? &changes[at] : NULL;
}

/* ---- orders ---- */

/* @nulls: bit per part: there is none. Words are the store's own, and later their ranks. */
typedef struct {
  guint64 parts[PARTS];
  guint32 nulls;
} Key;

typedef struct {
  const Key *keys;
  guint n_parts;
  gboolean is_descending;
} Comparison;

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Comparison *comparison = user_data;
  guint32 index_x = *(const guint32 *) a;
  guint32 index_y = *(const guint32 *) b;
  const Key *x = &comparison->keys[index_x];
  const Key *y = &comparison->keys[index_y];

  for (guint i = 0; i < comparison->n_parts; i++) {
    guint x_is_null = x->nulls >> i & 1;
    guint y_is_null = y->nulls >> i & 1;

    if (x_is_null != y_is_null)
      return x_is_null ? 1 : -1;
    if (!x_is_null && x->parts[i] != y->parts[i])
      return (x->parts[i] < y->parts[i]) == !comparison->is_descending ? -1 : 1;
  }
  return index_x < index_y ? -1 : index_x > index_y;
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Puts ranks in place of the words of part @part. */
static void
rank_words (Key *keys, guint n, guint part)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; i < n; i++) {
    gpointer word = GSIZE_TO_POINTER (keys[i].parts[part]);

    if (!(keys[i].nulls >> part & 1) && g_hash_table_add (ranks, word))
      g_ptr_array_add (words, word);
  }
  g_ptr_array_sort (words, compare_words);
  for (guint i = 0; i < words->len; i++)
    g_hash_table_insert (ranks, words->pdata[i], GUINT_TO_POINTER (i));
  for (guint i = 0; i < n; i++)
    keys[i].parts[part]
        = GPOINTER_TO_UINT (g_hash_table_lookup (ranks, GSIZE_TO_POINTER (keys[i].parts[part])));
}

static Key
read_key (PenStore *store, const SortRule *rule, sqlite3_stmt *row)
{
  Key key = { 0 };

  for (guint i = 0; i < rule->n_parts; i++) {
    int column = (int) i + 1;

    if (sqlite3_column_type (row, column) == SQLITE_NULL)
      key.nulls |= 1u << i;
    else if (i < rule->n_texts)
      key.parts[i] = GPOINTER_TO_SIZE (pen_store_column_string (store, row, column));
    else
      key.parts[i] = pen_sql_u64 (row, column);
  }
  return key;
}

static gboolean
read_keys (const PenChangeIndex *self, PenStore *store, const SortRule *rule, Table table,
           Key *keys, GError **error)
{
  static const char *const ids[TABLES] = { "m.change", "k.change", "p.change" };
  g_autofree char *columns = g_strdup_printf ("%s, %s", ids[table], rule->columns[table]);
  g_autoptr (sqlite3_stmt) statement = select_from (store, table, columns, error);
  const PenIndexedChange *changes = (const PenIndexedChange *) (gpointer) self->changes->data;
  PenSqlStep step = PEN_SQL_FAILED;
  guint at = 0;

  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    guint32 id = (guint32) pen_sql_u64 (statement, 0);

    /* Most come in this order. */
    if (at >= self->changes->len || changes[at].id != id)
      at = PEN_BINARY_SEARCH (i, 0, self->changes->len, changes[i].id < id);
    if (at < self->changes->len)
      keys[at++] = read_key (store, rule, statement);
  }
  return step == PEN_SQL_DONE;
}

const guint32 *
pen_change_index_get_order (PenChangeIndex *self, PenStore *store, PenChangeSort sort,
                            gboolean is_descending, GError **error)
{
  const SortRule *rule = &rules[sort];
  guint n = self->changes->len;
  g_autofree Key *keys = NULL;
  Comparison comparison;

  if (self->order && self->sort == sort && !self->is_descending == !is_descending)
    return self->order;
  keys = g_new0 (Key, (gsize) n + 1);
  for (Table table = 0; table < TABLES; table++) {
    if (!read_keys (self, store, rule, table, keys, error))
      return NULL;
  }
  for (guint i = 0; i < rule->n_texts; i++)
    rank_words (keys, n, i);
  if (!self->order)
    self->order = g_new (guint32, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++)
    self->order[i] = i;
  comparison = (Comparison){ keys, rule->n_parts, is_descending };
  g_qsort_with_data (self->order, (gint) n, sizeof *self->order, compare_keys, &comparison);
  self->sort = sort;
  self->is_descending = is_descending;
  return self->order;
}
