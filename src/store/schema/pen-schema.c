/* pen-schema.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-schema.h"

#include "pen-sql.h"
#include "pen-store-table.h"

/* clang-format off */
/* Of the tenure where the change is. */
#define KIND "ifnull(" PEN_SHARED ("t.kind") ", 'unknown')"
#define OCCUPANT "ifnull(" PEN_SHARED ("t.occupant") ", '')"

/* The columns of pen_store_change_view, in its order, from each of the tables. */
#define OF_MAPS                                                                                    \
  " SELECT m.change AS id, m.time, m.position, 'map' AS change, m.start AS address, m.length, "    \
  KIND " AS kind, " OCCUPANT " AS occupant, NULL AS symbol,"                                       \
  "    0 AS offset, m.tenure, NULL AS poke, NULL AS cause, NULL AS confidence, NULL AS effect,"    \
  "    NULL AS old, NULL AS new, NULL AS key, NULL AS batch, NULL AS sites, m.cpu,"                \
  "    iif(m.pid = -1, NULL, m.pid) AS pid, iif(m.pid = -1, NULL, m.tid) AS tid, "                 \
  PEN_SHARED ("m.comm") " AS comm, " PEN_SHARED ("m.evidence") " AS evidence"                      \
  "  FROM map_row m LEFT JOIN tenure_row t ON t.id = m.tenure WHERE NOT m.is_data"
#define OF_KSYMBOLS                                                                                \
  " SELECT k.change, k.time, k.position, iif(k.is_unregister, 'unregister', 'register'),"          \
  "    k.address, k.length, " KIND ", " OCCUPANT ", k.name, 0,"                                    \
  "    k.tenure, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, k.cpu, k.pid, k.tid,"       \
  "    k.comm, 'recorded'"                                                                         \
  "  FROM ksymbol k LEFT JOIN tenure_row t ON t.id = k.tenure"
#define OF_POKES                                                                                   \
  " SELECT p.change, p.time, p.position, 'poke', p.address,"                                       \
  "    max(length(p.old), length(p.new)), " KIND ", " OCCUPANT ","                                 \
  "    f.symbol, iif(f.symbol IS NULL, 0, p.address - f.start), p.tenure, p.id, p.cause,"          \
  "    p.confidence, p.effect, p.old, p.new, p.key, p.batch, b.sites, p.cpu, p.pid, p.tid,"        \
  "    p.comm, iif(p.cause = 'unannounced', 'witnessed', 'recorded')"                              \
  "  FROM text_poke p LEFT JOIN tenure_row t ON t.id = p.tenure"                                   \
  "    LEFT JOIN function_row f ON f.id = p.function LEFT JOIN batch b ON b.id = p.batch"
/* clang-format on */

/* The three are merged as they lie, by their keys; through the view, SQLite would sort them all. */
#define CHANGES OF_MAPS " UNION ALL" OF_KSYMBOLS " UNION ALL" OF_POKES " ORDER BY 1"

const char pen_schema_changes[] = CHANGES;
const char pen_schema_poke_change[] = OF_POKES " WHERE p.id = ?1";
const char pen_schema_other_change[]
    = OF_MAPS " AND m.change = ?1 UNION ALL" OF_KSYMBOLS " WHERE k.change = ?1";

static const char *const views[] = {
  "CREATE VIEW change AS" CHANGES ";",

  "CREATE VIEW function_total AS"
  "  SELECT symbol, kind, occupant, samples,"
  "    round(100.0 * samples / (SELECT sum(samples) FROM function), 2) AS percent, period,"
  "    changes, versions"
  "  FROM function WHERE samples > 0 OR changes > 0 ORDER BY samples DESC, id;",

  "CREATE VIEW occupant_total AS"
  "  SELECT kind, occupant, sum(samples) AS samples,"
  "    round(100.0 * sum(samples) / (SELECT sum(samples) FROM function), 2) AS percent,"
  "    count(symbol) AS functions"
  "  FROM function GROUP BY kind, occupant ORDER BY 3 DESC, 1, 2;",

  "CREATE VIEW patch_total AS"
  "  SELECT cause, count(*) AS patches, count(DISTINCT address) AS sites,"
  "    count(DISTINCT function) AS functions, sum(breaks_chain) AS chain_breaks,"
  "    count(break_loss) AS explained_breaks,"
  "    min(time) AS first, max(time) AS last"
  "  FROM text_poke WHERE effect = 'patch' GROUP BY cause ORDER BY 2 DESC, 1;",

  "CREATE VIEW batch_total AS"
  "  SELECT id AS batch, from_time AS time, to_time - from_time AS ns, cause, confidence, effect,"
  "    action, sites, jumps, key, site, target, comm, tid,"
  "    (SELECT count(DISTINCT function) FROM text_poke p"
  "      WHERE p.batch = b.id AND p.id BETWEEN b.first_poke AND b.last_poke) AS functions,"
  "    (SELECT sum(breaks_chain) FROM text_poke p"
  "      WHERE p.batch = b.id AND p.id BETWEEN b.first_poke AND b.last_poke) AS chain_breaks"
  "  FROM batch b ORDER BY id;",

  "CREATE VIEW confidence_total AS"
  "  SELECT cause, confidence, rule, count(*) AS pokes, count(DISTINCT address) AS sites"
  "  FROM text_poke GROUP BY cause, confidence, rule ORDER BY 4 DESC, 1, 2, 3;",

  "CREATE VIEW patcher_total AS"
  "  SELECT comm, pid, tid, cause, count(*) AS patches, min(time) AS first, max(time) AS last"
  "  FROM text_poke WHERE effect = 'patch' GROUP BY comm, pid, tid, cause"
  "  ORDER BY 5 DESC, 1, 2, 3, 4;",

  "CREATE VIEW loss_total AS"
  "  SELECT kind, count(*) AS losses, sum(count) AS count, min(from_time) AS first,"
  "    max(to_time) AS last"
  "  FROM loss GROUP BY kind ORDER BY 1;",

};

static const char *const indexes[] = {
  "CREATE INDEX text_poke_site ON text_poke (address, length, effect, tenure);",
  "CREATE INDEX tenure_space ON tenure_row (space);",
  "CREATE INDEX part_tenure ON part (tenure);",
  "CREATE INDEX text_start ON text (start);",
  "CREATE INDEX source_lines_function ON source_lines (function);",
  "CREATE INDEX span_piece_function ON span_piece (span, first_function, last_function);",
  "CREATE INDEX wait_span_piece_function"
  "  ON wait_span_piece (span, first_function, last_function);",
  "CREATE INDEX bpf_line_program ON bpf_line (bpf_id);",
  "CREATE INDEX reading_start ON reading (start, time);",
};

static gboolean
exec_all (sqlite3 *db, const char *const *statements, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!pen_sql_exec (db, statements[i], error))
      return FALSE;
  return TRUE;
}

gboolean
pen_schema_create (sqlite3 *db, GError **error)
{
  for (guint i = 0; i < PEN_TABLES; i++) {
    g_autofree char *sql = pen_store_table_get_schema (&pen_store_tables[i]);

    if (!pen_sql_exec (db, sql, error))
      return FALSE;
  }
  for (guint i = 0; i < PEN_TABLES; i++) {
    g_autofree char *sql = pen_store_table_get_view (&pen_store_tables[i]);

    if (sql && !pen_sql_exec (db, sql, error))
      return FALSE;
  }
  return exec_all (db, views, G_N_ELEMENTS (views), error);
}

gboolean
pen_schema_create_indexes (sqlite3 *db, GError **error)
{
  return exec_all (db, indexes, G_N_ELEMENTS (indexes), error);
}
