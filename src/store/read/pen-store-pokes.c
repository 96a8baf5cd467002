/* pen-store-pokes.c: text pokes of a range, all of them or those that matter at a moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include "pen-store-pokes.h"

static gboolean
read_poke (PenStore *self, sqlite3_stmt *statement, PenPoke *poke, GError **error)
{
  if (!pen_store_read_row (self, PEN_TABLE_TEXT_POKE, statement, poke, error))
    return FALSE;
  poke->moment = pen_moment (poke->time, poke->moment.position);
  return TRUE;
}

gboolean
pen_store_load_poke (PenStore *self, guint32 id, PenPoke *poke, GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_store_select (self, PEN_TABLE_TEXT_POKE, "WHERE id = ?", error);

  if (!statement)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  return pen_sql_step (statement, error) == PEN_SQL_ROW && read_poke (self, statement, poke, error);
}

/* Where a poke that reaches @start begins at the lowest. */
static guint64
find_lowest (PenStore *self, guint64 start)
{
  gint64 longest = pen_store_get_fact_int (self, "longest_poke", G_MAXUINT16);

  return start - MIN (start, (guint64) CLAMP (longest, 0, G_MAXUINT16));
}

GArray *
pen_store_load_pokes (PenStore *self, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  if (start >= end)
    return g_steal_pointer (&pokes);

  statement = pen_store_select (
      self, PEN_TABLE_TEXT_POKE,
      "WHERE address BETWEEN ?1 AND ?2 OR address BETWEEN ?3 AND ?4 ORDER BY id", error);
  if (!statement)
    return NULL;

  pen_sql_bind_range (statement, 1, find_lowest (self, start), end - 1);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenPoke poke;

    if (!read_poke (self, statement, &poke, error))
      return NULL;
    if (poke.address >= start || start - poke.address < pen_poke_get_length (&poke))
      g_array_append_val (pokes, poke);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&pokes) : NULL;
}

GArray *
pen_store_load_poke_ticks (PenStore *self, GError **error)
{
  g_autoptr (GArray) ticks = g_array_new (FALSE, FALSE, sizeof (PenPokeTick));
  g_autofree char *sql = pen_store_table_get_select (&pen_store_tick_view, "ORDER BY p.id");
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->db, sql, error);
  PenSqlStep step = PEN_SQL_FAILED;
  PenPokeTick tick;

  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    pen_store_row_read (&pen_store_tick_view, statement, NULL, &tick);
    tick.time = pen_moment (tick.time, 0).time;
    g_array_append_val (ticks, tick);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&ticks) : NULL;
}

/* ---- as of a moment ---- */

/*
 * The pokes of one effect and length at one address, and the statements that find the few of them
 * that matter. An index holds them by site and tenure, so that each costs a search.
 * @bound: of @bound_moment, with @has_bound: most texts are asked for as of one moment
 */
struct _PenPokeSearch {
  sqlite3_stmt *sites[3];
  sqlite3_stmt *pokes[3];
  sqlite3_stmt *next;
  gboolean has_bound;
  PenMoment bound_moment;
  guint32 bound;
};

/* @bound: pokes with a lower id are before the moment; @found: (element-type PenPoke) */
typedef struct {
  PenStore *store;
  const PenPokeSearch *statements;
  guint32 tenure;
  guint64 start;
  guint32 bound;
  GArray *found;
} Search;

typedef struct {
  guint64 address;
  guint64 length;
  char *effect;
} Site;

void
pen_poke_search_free (PenPokeSearch *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->sites); i++)
    g_clear_pointer (&self->sites[i], sqlite3_finalize);
  for (guint i = 0; i < G_N_ELEMENTS (self->pokes); i++)
    g_clear_pointer (&self->pokes[i], sqlite3_finalize);
  g_clear_pointer (&self->next, sqlite3_finalize);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPokeSearch, pen_poke_search_free)

static void
site_clear (Site *site)
{
  g_clear_pointer (&site->effect, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Site, site_clear)

/* Pokes have their ids in the order of their moments: the first id that is not before @moment. */
static gboolean
find_bound (PenPokeSearch *self, PenMoment moment, GError **error)
{
  guint64 low = 0;
  guint64 high = G_MAXUINT32;

  if (self->has_bound && pen_moment_compare (self->bound_moment, moment) == 0)
    return TRUE;
  while (low < high) {
    guint64 middle = low + (high - low) / 2;
    PenSqlStep step;

    pen_sql_bind_u64 (self->next, 1, middle);
    step = pen_sql_step (self->next, error);
    if (step == PEN_SQL_ROW
        && pen_moment_compare (
               pen_moment (pen_sql_u64 (self->next, 1), pen_sql_u64 (self->next, 2)), moment)
               < 0)
      low = MAX (pen_sql_u64 (self->next, 0), middle) + 1;
    else
      high = middle;
    sqlite3_reset (self->next);
    if (step == PEN_SQL_FAILED)
      return FALSE;
  }
  self->bound = (guint32) MIN (low, G_MAXUINT32);
  self->bound_moment = moment;
  self->has_bound = TRUE;
  return TRUE;
}

static PenPokeSearch *
new_search (PenStore *store, GError **error)
{
#define SITE "SELECT address, length, effect FROM text_poke"
#define OF_SITE "WHERE address = ?1 AND length = ?2 AND effect = ?3 AND tenure = ?4"
  static const char *const pokes[] = {
    OF_SITE " AND id < ?5 ORDER BY id LIMIT 1",
    OF_SITE " AND id < ?5 ORDER BY id DESC LIMIT 1",
    OF_SITE " AND id >= ?5 ORDER BY id LIMIT 1",
  };
  /* One after the other: for a comparison of all three at once SQLite would pass over every poke of
   * the site before. */
  static const char *const sites[] = {
    SITE " WHERE address = ?1 AND length = ?2 AND effect > ?3 ORDER BY effect LIMIT 1",
    SITE " WHERE address = ?1 AND length > ?2 ORDER BY length, effect LIMIT 1",
    SITE " WHERE address > ?1 AND address <= ?4 ORDER BY address, length, effect LIMIT 1",
  };
#undef OF_SITE
#undef SITE
  g_autoptr (PenPokeSearch) self = g_new0 (PenPokeSearch, 1);

  self->next = pen_sql_prepare (
      store->db, "SELECT id, time, position FROM text_poke WHERE id >= ? ORDER BY id LIMIT 1",
      error);
  if (!self->next)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (sites); i++) {
    self->sites[i] = pen_sql_prepare (store->db, sites[i], error);
    if (!self->sites[i])
      return NULL;
  }
  for (guint i = 0; i < G_N_ELEMENTS (pokes); i++) {
    self->pokes[i] = pen_store_select (store, PEN_TABLE_TEXT_POKE, pokes[i], error);
    if (!self->pokes[i])
      return NULL;
  }
  return g_steal_pointer (&self);
}

/* @site: (inout): the one before, without an effect at first. Returns: PEN_SQL_DONE: no more */
static PenSqlStep
find_next_site (Search *search, Site *site, guint64 last, GError **error)
{
  PenSqlStep step = PEN_SQL_DONE;

  for (guint i = 0; i < G_N_ELEMENTS (search->statements->sites) && step == PEN_SQL_DONE; i++) {
    sqlite3_stmt *statement = search->statements->sites[i];

    pen_sql_bind_u64 (statement, 1, site->address);
    if (i < 2)
      pen_sql_bind_u64 (statement, 2, site->length);
    if (i < 1)
      sqlite3_bind_text (statement, 3, site->effect ? site->effect : "", -1, SQLITE_TRANSIENT);
    if (i == 2)
      pen_sql_bind_u64 (statement, 4, last);
    step = pen_sql_step (statement, error);
    if (step == PEN_SQL_ROW) {
      site->address = pen_sql_u64 (statement, 0);
      site->length = pen_sql_u64 (statement, 1);
      g_free (site->effect);
      site->effect = g_strdup (pen_sql_text (statement, 2));
    }
    sqlite3_reset (statement);
  }
  return step;
}

static gboolean
add_pokes_of_site (Search *search, const Site *site, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (search->statements->pokes); i++) {
    sqlite3_stmt *statement = search->statements->pokes[i];
    PenPoke poke;
    gboolean is_read;
    PenSqlStep step;

    pen_sql_bind_u64 (statement, 1, site->address);
    pen_sql_bind_u64 (statement, 2, site->length);
    sqlite3_bind_text (statement, 3, site->effect, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64 (statement, 4, search->tenure);
    sqlite3_bind_int64 (statement, 5, search->bound);
    step = pen_sql_step (statement, error);
    is_read = step == PEN_SQL_ROW && read_poke (search->store, statement, &poke, error);
    sqlite3_reset (statement);
    if (is_read)
      g_array_append_val (search->found, poke);
    else if (step != PEN_SQL_DONE)
      return FALSE;
  }
  return TRUE;
}

/* @first, @last: of one half of the addresses */
static gboolean
search_half (Search *search, guint64 first, guint64 last, GError **error)
{
  g_auto (Site) site = { first, 0, NULL };
  PenSqlStep step;

  while ((step = find_next_site (search, &site, last, error)) == PEN_SQL_ROW)
    if ((site.address >= search->start || search->start - site.address < site.length)
        && !add_pokes_of_site (search, &site, error))
      return FALSE;
  return step == PEN_SQL_DONE;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = ((const PenPoke *) a)->id;
  guint32 y = ((const PenPoke *) b)->id;

  return x < y ? -1 : x > y;
}

/* The first one of a site may also be the last before the moment. */
static void
sort_pokes (GArray *pokes)
{
  guint n = 0;

  g_array_sort (pokes, compare_ids);
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);

    if (n == 0 || g_array_index (pokes, PenPoke, n - 1).id != poke->id)
      g_array_index (pokes, PenPoke, n++) = *poke;
  }
  g_array_set_size (pokes, n);
}

GArray *
pen_store_load_pokes_at (PenStore *self, guint32 tenure, guint64 start, guint64 end,
                         PenMoment moment, GError **error)
{
  static const guint64 middle = G_GUINT64_CONSTANT (1) << 63;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  Search search = { .store = self, .tenure = tenure, .start = start, .found = found };
  guint64 first = find_lowest (self, start);

  if (start >= end)
    return g_steal_pointer (&found);
  if (!self->poke_search)
    self->poke_search = new_search (self, error);
  if (!self->poke_search || !find_bound (self->poke_search, moment, error))
    return NULL;
  search.statements = self->poke_search;
  search.bound = self->poke_search->bound;

  /* Signed integers have the upper half of the addresses below the lower one. */
  if (first < middle && !search_half (&search, first, MIN (end, middle) - 1, error))
    return NULL;
  if (end > middle && !search_half (&search, MAX (first, middle), end - 1, error))
    return NULL;
  sort_pokes (found);
  return g_steal_pointer (&found);
}

const PenBatch *
pen_store_get_batches (PenStore *self, guint *n, GError **error)
{
  *n = 0;
  if (!self->batches)
    self->batches = pen_store_load_numbered (self, PEN_TABLE_BATCH, 1, error);
  if (!self->batches)
    return NULL;

  *n = self->batches->len;
  return (const PenBatch *) (gpointer) self->batches->data;
}
