/* pen-store-history.c: spaces, tenures, parts, pokes, text, changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include "pen-schema.h"
#include "pen-store-changes.h"
#include "pen-store-occupants.h"
#include "pen-text-block.h"
#include "pen-text-limits.h"

GArray *
pen_store_load_spaces (PenStore *self, GError **error)
{
  return pen_store_load_numbered (self, PEN_TABLE_SPACE, 0, error);
}

static GArray *
load_tenures_of_space (PenStore *self, guint32 space, GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_store_select (self, PEN_TABLE_TENURE, "WHERE space = ? ORDER BY id", error);

  if (statement)
    sqlite3_bind_int64 (statement, 1, space);
  return pen_store_load_rows (self, PEN_TABLE_TENURE, statement, error);
}

/* All tenures of the kernel space, by id. */
static GArray *
get_kernel_tenures (PenStore *self, GError **error)
{
  if (!self->kernel_tenures)
    self->kernel_tenures = load_tenures_of_space (self, PEN_SPACE_KERNEL, error);
  return self->kernel_tenures;
}

GArray *
pen_store_load_tenures (PenStore *self, guint32 space, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) found = NULL;

  if (space == PEN_SPACE_KERNEL) {
    all = get_kernel_tenures (self, error);
    if (all)
      g_array_ref (all);
  } else {
    all = load_tenures_of_space (self, space, error);
  }

  if (!all)
    return NULL;

  found = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  for (guint i = 0; i < all->len; i++) {
    const PenTenure *tenure = &g_array_index (all, PenTenure, i);

    if (tenure->start < end && tenure->end > start)
      g_array_append_val (found, *tenure);
  }
  return g_steal_pointer (&found);
}

gboolean
pen_store_load_tenure (PenStore *self, guint32 id, PenTenure *tenure, GError **error)
{
  gboolean is_read;

  if (!self->read_tenure) {
    self->read_tenure = pen_store_select (self, PEN_TABLE_TENURE, "WHERE id = ?", error);
    if (!self->read_tenure)
      return FALSE;
  }
  sqlite3_bind_int64 (self->read_tenure, 1, id);
  is_read = pen_sql_step (self->read_tenure, error) == PEN_SQL_ROW
            && pen_store_read_row (self, PEN_TABLE_TENURE, self->read_tenure, tenure, error);
  sqlite3_reset (self->read_tenure);
  return is_read;
}

static gboolean
foreach_row (PenStore *self, PenTenureFunc func, gpointer user_data, GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_store_select (self, PEN_TABLE_TENURE, "ORDER BY id", error);
  PenSqlStep step = PEN_SQL_FAILED;
  PenTenure tenure;

  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    if (!pen_store_read_row (self, PEN_TABLE_TENURE, statement, &tenure, error))
      return FALSE;
    if (!func (&tenure, user_data))
      return TRUE;
  }
  return step == PEN_SQL_DONE;
}

gboolean
pen_store_foreach_tenure (PenStore *self, gboolean processes, PenTenureFunc func,
                          gpointer user_data, GError **error)
{
  GArray *tenures = NULL;

  if (processes)
    return foreach_row (self, func, user_data, error);

  tenures = get_kernel_tenures (self, error);
  for (guint i = 0; tenures && i < tenures->len; i++)
    if (!func (&g_array_index (tenures, PenTenure, i), user_data))
      break;
  return tenures != NULL;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const PenPart *x = a;
  const PenPart *y = b;
  int order = pen_moment_compare (x->from, y->from);

  if (order == 0)
    order = (x->tenure > y->tenure) - (x->tenure < y->tenure);
  if (order == 0)
    order = (x->start > y->start) - (x->start < y->start);
  return order;
}

/* A tenure without rows in `part` was never cut. */
static gboolean
append_parts (PenStore *self, sqlite3_stmt *statement, const PenTenure *tenure, GArray *parts,
              GError **error)
{
  PenPart whole = {
    .tenure = tenure->id,
    .start = tenure->start,
    .end = tenure->end,
    .file_offset = tenure->file_offset,
    .from = tenure->from,
    .to = tenure->to,
  };
  g_autoptr (GArray) cut = NULL;

  sqlite3_bind_int64 (statement, 1, tenure->id);
  cut = pen_store_load_rows (self, PEN_TABLE_PART, statement, error);
  sqlite3_reset (statement);
  if (!cut)
    return FALSE;

  if (cut->len > 0)
    g_array_append_vals (parts, cut->data, cut->len);
  else
    g_array_append_val (parts, whole);
  return TRUE;
}

GArray *
pen_store_load_parts (PenStore *self, guint32 space, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) tenures = pen_store_load_tenures (self, space, start, end, error);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (PenPart));
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (!tenures)
    return NULL;

  statement = pen_store_select (self, PEN_TABLE_PART, "WHERE tenure = ? ORDER BY id", error);
  if (!statement)
    return NULL;

  for (guint i = 0; i < tenures->len; i++)
    if (!pen_store_steps_on (self, i, error)
        || !append_parts (self, statement, &g_array_index (tenures, PenTenure, i), parts, error))
      return NULL;

  g_array_sort (parts, compare_parts);
  return g_steal_pointer (&parts);
}

static void
stored_text_free (gpointer data)
{
  PenStoredText *text = data;

  g_bytes_unref (text->bytes);
  g_free (text);
}

/* Bytes of texts are many, and not kept with the store. */
static GPtrArray *
read_texts (PenStore *self, sqlite3_stmt *statement, guint64 start, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (stored_text_free);
  PenSqlStep step;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenTextRow row;
    PenStoredText *text;

    pen_store_row_read (&pen_store_tables[PEN_TABLE_TEXT], statement, NULL, &row);
    if (row.start < start && start - row.start >= row.length)
      continue;

    text = g_new0 (PenStoredText, 1);
    text->tenure = row.tenure;
    text->start = row.start;
    text->bytes = g_bytes_new (row.bytes, row.length);
    text->evidence = row.evidence;
    text->source = pen_names_add (self->strings, row.source);
    g_ptr_array_add (texts, text);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&texts) : NULL;
}

static GPtrArray *
load_texts (PenStore *self, guint64 start, guint64 end, GError **error)
{
  GPtrArray *texts;

  if (!self->read_text)
    self->read_text = pen_store_select (
        self, PEN_TABLE_TEXT,
        "WHERE start BETWEEN ?1 AND ?2 OR start BETWEEN ?3 AND ?4 ORDER BY id", error);
  if (!self->read_text)
    return NULL;

  pen_sql_bind_range (self->read_text, 1,
                      start > PEN_STORE_TEXT_MAX ? start - PEN_STORE_TEXT_MAX : 0, end - 1);
  texts = read_texts (self, self->read_text, start, error);
  sqlite3_reset (self->read_text);
  return texts;
}

GPtrArray *
pen_store_load_text (PenStore *self, guint64 start, guint64 end, GError **error)
{
  GPtrArray *texts;

  if (start >= end)
    return g_ptr_array_new_with_free_func (stored_text_free);

  texts = load_texts (self, start, end, error);
  if (texts && end - start <= PEN_STORE_TEXT_RANGE)
    pen_store_add_kernel_text (self, start, end, texts);
  return texts;
}

static gboolean
read_file_texts (PenStore *self, const PenFileTextRow *row, guint64 start, guint64 end,
                 GPtrArray *texts, GError **error)
{
  const char *source = pen_names_add (self->strings, row->source);
  const char *reason = NULL;
  guint first = texts->len;

  if (!pen_text_block_unpack (row->bytes, row->length, row->n, start, end, &self->unpacker, texts,
                              &reason)) {
    g_autofree char *what = g_strdup_printf ("code of a file: %s", reason);

    return pen_store_set_damaged (self, what, error);
  }
  for (guint i = first; i < texts->len; i++) {
    PenStoredText *text = texts->pdata[i];

    text->evidence = row->evidence;
    text->source = source;
  }
  return TRUE;
}

GPtrArray *
pen_store_load_file_text (PenStore *self, guint32 name_file, guint64 start, guint64 end,
                          GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (stored_text_free);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  if (start >= end)
    return g_steal_pointer (&texts);

  statement = pen_store_select (self, PEN_TABLE_FILE_TEXT_BLOCK, "WHERE name_file = ? ORDER BY id",
                                error);
  if (!statement)
    return NULL;
  sqlite3_bind_int64 (statement, 1, (gint64) name_file);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenFileTextRow row;

    pen_store_row_read (&pen_store_tables[PEN_TABLE_FILE_TEXT_BLOCK], statement, NULL, &row);
    if (row.first < end && row.last >= start
        && !read_file_texts (self, &row, start, end, texts, error))
      return NULL;
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&texts) : NULL;
}

static gboolean
read_change (PenStore *self, sqlite3_stmt *statement, PenChange *change, GError **error)
{
  if (!pen_store_row_read (&pen_store_change_view, statement, NULL, change))
    return pen_store_set_damaged (self, "a text poke is too long", error);
  change->moment = pen_moment (change->time, change->moment.position);
  return TRUE;
}

/* Steps through @statement. @is_done: (inout): set when @func asked to stop */
static gboolean
tell_changes (PenStore *self, sqlite3_stmt *statement, PenChangeFunc func, gpointer user_data,
              gboolean *is_done, GError **error)
{
  PenSqlStep step;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenChange change;

    if (!read_change (self, statement, &change, error))
      return FALSE;
    if (!func (&change, user_data)) {
      *is_done = TRUE;
      return TRUE;
    }
  }
  return step == PEN_SQL_DONE;
}

gboolean
pen_store_foreach_change (PenStore *self, PenChangeFunc func, gpointer user_data, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->db, pen_schema_changes, error);
  gboolean is_done = FALSE;

  return statement && tell_changes (self, statement, func, user_data, &is_done, error);
}

/* Each of the tables is asked by its own numbers. */
static gboolean
tell_change (sqlite3_stmt *statement, guint32 id, PenStore *self, PenChangeFunc func,
             gpointer user_data, gboolean *is_done, GError **error)
{
  sqlite3_reset (statement);
  sqlite3_bind_int64 (statement, 1, id);
  return tell_changes (self, statement, func, user_data, is_done, error);
}

gboolean
pen_store_foreach_change_of (PenStore *self, const guint32 *ids, guint n, PenChangeFunc func,
                             gpointer user_data, GError **error)
{
  const PenChangeIndex *index = pen_store_get_change_index (self, error);
  g_autoptr (sqlite3_stmt) poke = NULL;
  g_autoptr (sqlite3_stmt) other = NULL;
  gboolean is_done = FALSE;

  if (!index)
    return FALSE;
  poke = pen_sql_prepare (self->db, pen_schema_poke_change, error);
  other = poke ? pen_sql_prepare (self->db, pen_schema_other_change, error) : NULL;
  if (!other)
    return FALSE;

  for (guint i = 0; i < n && !is_done; i++) {
    const PenIndexedChange *change = pen_change_index_find (index, ids[i]);
    gboolean is_poke = change && change->poke != 0;

    if (change
        && !tell_change (is_poke ? poke : other, is_poke ? change->poke : change->id, self, func,
                         user_data, &is_done, error))
      return FALSE;
  }
  return TRUE;
}
