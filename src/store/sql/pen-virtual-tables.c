/* pen-virtual-tables.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-virtual-tables.h"

#include "pen-virtual-private.h"

/* The questions that people ask first. A stored view could not name tables that only an extension
 * brings. */
static const char views[]
    = "CREATE TEMP VIEW IF NOT EXISTS occupant_second AS"
      "  SELECT time / 1000000000 AS second, kind, occupant, count(*) AS samples"
      "  FROM sample WHERE time IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 2, 3;"
      "CREATE TEMP VIEW IF NOT EXISTS thread_total AS"
      "  SELECT comm, pid, tid, count(*) AS samples"
      "  FROM sample GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3;"
      "CREATE TEMP VIEW IF NOT EXISTS version_total AS"
      "  SELECT f.symbol, f.kind, f.occupant, b.function, b.tenure, b.revision,"
      "    sum(b.samples) AS samples, min(nullif(b.first, 0)) AS first,"
      "    max(nullif(b.last, 0)) AS last"
      "  FROM bucket b JOIN function f ON f.id = b.function"
      "  GROUP BY b.function, b.tenure, b.revision ORDER BY b.function, first;"
      "CREATE TEMP VIEW IF NOT EXISTS patched_total AS"
      "  SELECT f.symbol, f.kind, f.occupant, b.function, sum(b.samples) AS samples,"
      "    sum(iif(b.revision > 0, b.samples, 0)) AS on_patched,"
      "    round(100.0 * sum(iif(b.revision > 0, b.samples, 0)) / sum(b.samples), 2) AS percent"
      "  FROM bucket b JOIN function f ON f.id = b.function WHERE f.pokes > 0"
      "  GROUP BY b.function ORDER BY on_patched DESC, b.function;";

static void
host_unref (void *data)
{
  PenVirtualHost *self = data;

  if (!g_atomic_ref_count_dec (&self->references))
    return;

  if (self->owns_store)
    g_clear_object (&self->store);
  g_free (self);
}

/* Returns: (transfer none): or NULL, with *@message from sqlite3_mprintf() */
static PenStore *
get_store (PenVirtualHost *self, char **message)
{
  g_autoptr (GError) error = NULL;
  const char *path;

  if (self->store)
    return self->store;

  path = sqlite3_db_filename (self->db, "main");
  if (!path || *path == '\0') {
    *message = sqlite3_mprintf ("the main database is no file: open a Pentimento store");
    return NULL;
  }

  self->store = pen_store_open (path, &error);
  self->owns_store = TRUE;
  if (!self->store)
    *message = sqlite3_mprintf ("%s", error->message);
  return self->store;
}

static gboolean
is_store (sqlite3 *db)
{
  sqlite3_stmt *statement = NULL;
  gboolean is;

  if (sqlite3_prepare_v2 (db, "PRAGMA main.application_id", -1, &statement, NULL) != SQLITE_OK)
    return FALSE;

  is = sqlite3_step (statement) == SQLITE_ROW
       && sqlite3_column_int (statement, 0) == PEN_STORE_APPLICATION_ID;
  sqlite3_finalize (statement);
  return is;
}

int
pen_virtual_tables_register (sqlite3 *db, PenStore *store)
{
  static const struct {
    const char *name;
    const sqlite3_module *module;
  } tables[] = {
    { "sample", &pen_virtual_sample },
    { "bucket", &pen_virtual_bucket },
    { "callchain", &pen_virtual_callchain },
  };
  PenVirtualHost *host = g_new0 (PenVirtualHost, 1);
  int code = SQLITE_OK;

  g_atomic_ref_count_init (&host->references);
  host->db = db;
  host->store = store;

  for (guint i = 0; i < G_N_ELEMENTS (tables) && code == SQLITE_OK; i++) {
    /* SQLite calls it on failure too. */
    g_atomic_ref_count_inc (&host->references);
    code = sqlite3_create_module_v2 (db, tables[i].name, tables[i].module, host, host_unref);
  }

  /* Tables without the views are still of use; a database that is no store gets none. */
  if (code == SQLITE_OK && (store || is_store (db)))
    sqlite3_exec (db, views, NULL, NULL, NULL);

  host_unref (host);
  return code;
}

int
pen_virtual_table_connect (sqlite3 *db, PenVirtualHost *host, const char *columns, gsize size,
                           sqlite3_vtab **table, char **message)
{
  PenStore *store = get_store (host, message);
  PenVirtualTable *self;
  int code;

  if (!store)
    return SQLITE_ERROR;

  code = sqlite3_declare_vtab (db, columns);
  if (code != SQLITE_OK)
    return code;

  /* They show what the file holds, and nothing else: a view of the file may name them. */
  sqlite3_vtab_config (db, SQLITE_VTAB_INNOCUOUS);

  self = g_malloc0 (size);
  self->store = store;
  *table = &self->base;
  return SQLITE_OK;
}

int
pen_virtual_table_disconnect (sqlite3_vtab *table)
{
  g_free (table);
  return SQLITE_OK;
}

int
pen_virtual_table_fail (sqlite3_vtab *table, GError *error)
{
  int code = SQLITE_ERROR;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    code = SQLITE_INTERRUPT;
  else if (g_error_matches (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED))
    code = SQLITE_CORRUPT_VTAB;

  sqlite3_free (table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf ("%s", error->message);
  g_error_free (error);
  return code;
}
