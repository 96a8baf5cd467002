/* pen-fleet-sql.c: tables and views of the files of a fleet
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fleet-export.h"

/* Of each type: text that is not known is empty; of numbers, those that may be unknown can be NULL.
 * Rows are sorted: the same words and small numbers follow each other. */
static const struct {
  const char *clickhouse;
  const char *duckdb;
  gboolean is_text;
} types[PEN_FLEET_TYPES] = {
  [PEN_FLEET_ID] = { "LowCardinality(String) CODEC(ZSTD)", "VARCHAR", TRUE },
  [PEN_FLEET_WORD] = { "LowCardinality(String) CODEC(ZSTD)", "VARCHAR", TRUE },
  [PEN_FLEET_TEXT] = { "String CODEC(ZSTD)", "VARCHAR", TRUE },
  [PEN_FLEET_COUNT] = { "UInt64 CODEC(T64, ZSTD)", "UBIGINT", FALSE },
  [PEN_FLEET_COUNT_IF_KNOWN] = { "Nullable(UInt64) CODEC(T64, ZSTD)", "UBIGINT", FALSE },
  [PEN_FLEET_SUM] = { "UInt64 CODEC(ZSTD)", "UBIGINT", FALSE },
  [PEN_FLEET_OFFSET] = { "UInt64 CODEC(Delta, ZSTD)", "UBIGINT", FALSE },
  [PEN_FLEET_SMALL] = { "Nullable(UInt32) CODEC(T64, ZSTD)", "UINTEGER", FALSE },
  [PEN_FLEET_FLAG] = { "UInt8", "UTINYINT", FALSE },
  [PEN_FLEET_SECONDS] = { "Nullable(Decimal(12, 3)) CODEC(T64, ZSTD)", "DOUBLE", FALSE },
  [PEN_FLEET_DATE] = { "Nullable(DateTime64(3, 'UTC'))", "TIMESTAMP", FALSE },
};

/* ---- ClickHouse ---- */

static void
append_order (GString *sql, const PenFleetColumn *columns, guint n)
{
  const char *separator = "";

  g_string_append (sql, "ORDER BY (");
  for (guint i = 0; i < n; i++) {
    if (!columns[i].is_key)
      continue;
    g_string_append_printf (sql, "%s%s", separator, columns[i].name);
    separator = ", ";
  }
  g_string_append (sql, ");\n");
}

char *
pen_fleet_make_clickhouse (void)
{
  GString *sql = g_string_new (NULL);

  for (guint i = 0; i < PEN_FLEET_TABLES; i++) {
    guint n;
    const PenFleetColumn *columns = pen_fleet_table_get_columns ((PenFleetTable) i, &n);

    g_string_append_printf (sql, "%sCREATE TABLE IF NOT EXISTS %s (\n", i > 0 ? "\n" : "",
                            pen_fleet_table_to_string ((PenFleetTable) i));
    for (guint k = 0; k < n; k++)
      g_string_append_printf (sql, "  %s %s%s\n", columns[k].name,
                              types[columns[k].type].clickhouse, k + 1 < n ? "," : "");
    g_string_append (sql, ") ENGINE = MergeTree\n");
    append_order (sql, columns, n);
  }
  return g_string_free (sql, FALSE);
}

/* ---- DuckDB ---- */

/* A string of SQL. */
static void
append_string (GString *sql, const char *text)
{
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '\'')
      g_string_append_c (sql, '\'');
    g_string_append_c (sql, *p);
  }
}

/* In a pattern, an expression in brackets stands for a character of a name. */
static char *
escape_pattern (const char *directory)
{
  GString *pattern = g_string_new (NULL);

  for (const char *p = directory; *p != '\0'; p++) {
    if (*p == '*' || *p == '?' || *p == '[')
      g_string_append_printf (pattern, "[%c]", *p);
    else
      g_string_append_c (pattern, *p);
  }
  return g_string_free (pattern, FALSE);
}

static void
append_view (GString *sql, PenFleetTable table, const char *pattern)
{
  const char *name = pen_fleet_table_to_string (table);
  guint n;
  const PenFleetColumn *columns = pen_fleet_table_get_columns (table, &n);

  g_string_append_printf (sql, "CREATE OR REPLACE VIEW %s AS SELECT\n", name);
  for (guint i = 0; i < n; i++) {
    const char *separator = i + 1 < n ? "," : "";

    if (types[columns[i].type].is_text)
      g_string_append_printf (sql, "  coalesce(\"%s\", '') AS \"%s\"%s\n", columns[i].name,
                              columns[i].name, separator);
    else
      g_string_append_printf (sql, "  \"%s\"%s\n", columns[i].name, separator);
  }
  g_string_append (sql, "FROM read_csv('");
  append_string (sql, pattern);
  g_string_append_printf (sql,
                          "/%s-*.csv.zst', header = true, auto_detect = false, delim = ',',\n"
                          "  quote = '\"', escape = '\"', columns = {\n",
                          name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "  '%s': '%s'%s\n", columns[i].name, types[columns[i].type].duckdb,
                            i + 1 < n ? "," : "");
  g_string_append (sql, "});\n");
}

char *
pen_fleet_make_duckdb (const char *directory)
{
  g_autofree char *pattern = escape_pattern (directory);
  GString *sql = g_string_new (NULL);

  for (guint i = 0; i < PEN_FLEET_TABLES; i++) {
    if (i > 0)
      g_string_append_c (sql, '\n');
    append_view (sql, (PenFleetTable) i, pattern);
  }
  return g_string_free (sql, FALSE);
}
