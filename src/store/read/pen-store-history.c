/* pen-store-history.c: spaces, tenures, parts, pokes, text, changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include <string.h>

#include "pen-schema.h"
#include "pen-text-limits.h"

#define TENURE_COLUMNS                                                                             \
  "id, space, layer, kind, occupant, name, start, end, file_offset, from_time, from_position,"     \
  " to_time, to_position, from_bound, to_bound, evidence, bpf_id, bpf_tag, build_id,"              \
  " unverified_time, unverified_position, samples"

GArray *
pen_store_load_spaces (PenStore *self, GError **error)
{
  g_autoptr (GArray) spaces = g_array_new (FALSE, FALSE, sizeof (PenSpace));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT id, pid, from_time, from_position, to_time, to_position"
                               " FROM space ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenSpace space = {
      .id = (guint32) pen_sql_u64 (statement, 0),
      .pid = sqlite3_column_int (statement, 1),
      .from = { pen_sql_u64 (statement, 2), pen_sql_u64 (statement, 3) },
      .to = pen_sql_moment (statement, 4),
    };

    if (sqlite3_column_int64 (statement, 0) != spaces->len) {
      pen_store_set_damaged (self, "spaces are not numbered from 0", error);
      return NULL;
    }

    g_array_append_val (spaces, space);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&spaces) : NULL;
}

static void
copy_bytes (sqlite3_stmt *statement, int column, guint8 *to, gsize size, guint8 *length)
{
  const void *bytes = sqlite3_column_blob (statement, column);
  gsize n = MIN ((gsize) sqlite3_column_bytes (statement, column), size);

  if (bytes != NULL && n > 0)
    memcpy (to, bytes, n);
  if (length != NULL)
    *length = (guint8) n;
}

static PenBound
column_bound (sqlite3_stmt *statement, int column)
{
  return pen_store_word (pen_sql_text (statement, column), (PenWordFunc) pen_bound_to_string,
                         PEN_BOUNDS);
}

static PenLayer
get_layer (const char *word)
{
  if (strcmp (word, "ksymbol") == 0)
    return PEN_LAYER_KSYMBOL;

  return strcmp (word, "jit") == 0 ? PEN_LAYER_JIT : PEN_LAYER_MAP;
}

static PenTenure
read_tenure (PenStore *self, sqlite3_stmt *statement)
{
  PenTenure tenure = {
    .id = (guint32) pen_sql_u64 (statement, 0),
    .space = (guint32) pen_sql_u64 (statement, 1),
    .layer = get_layer (pen_sql_text (statement, 2)),
    .kind = pen_store_column_kind (statement, 3),
    .occupant = pen_store_column_string (self, statement, 4),
    .name = pen_store_column_string (self, statement, 5),
    .start = pen_sql_u64 (statement, 6),
    .end = pen_sql_u64 (statement, 7),
    .file_offset = pen_sql_u64 (statement, 8),
    .from = { pen_sql_u64 (statement, 9), pen_sql_u64 (statement, 10) },
    .to = pen_sql_moment (statement, 11),
    .from_bound = column_bound (statement, 13),
    .to_bound = column_bound (statement, 14),
    .evidence = pen_store_column_evidence (statement, 15),
    .bpf_id = (guint32) pen_sql_u64 (statement, 16),
    .unverified_from = pen_sql_moment (statement, 19),
    .samples = pen_sql_u64 (statement, 21),
  };

  copy_bytes (statement, 17, tenure.bpf_tag, sizeof tenure.bpf_tag, NULL);
  copy_bytes (statement, 18, tenure.build_id, sizeof tenure.build_id, &tenure.build_id_length);

  return tenure;
}

static GArray *
load_tenures_of_space (PenStore *self, guint32 space, GError **error)
{
  g_autoptr (GArray) tenures = g_array_sized_new (FALSE, FALSE, sizeof (PenTenure), 64);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (
      self->db, "SELECT " TENURE_COLUMNS " FROM tenure WHERE space = ? ORDER BY id", error);
  if (statement == NULL)
    return NULL;

  sqlite3_bind_int64 (statement, 1, space);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenTenure tenure = read_tenure (self, statement);

    g_array_append_val (tenures, tenure);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&tenures) : NULL;
}

GArray *
pen_store_get_kernel_tenures (PenStore *self, GError **error)
{
  if (self->kernel_tenures == NULL)
    self->kernel_tenures = load_tenures_of_space (self, PEN_SPACE_KERNEL, error);

  return self->kernel_tenures;
}

GArray *
pen_store_load_tenures (PenStore *self, guint32 space, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) found = NULL;

  if (space == PEN_SPACE_KERNEL) {
    all = pen_store_get_kernel_tenures (self, error);
    if (all != NULL)
      g_array_ref (all);
  } else {
    all = load_tenures_of_space (self, space, error);
  }

  if (all == NULL)
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
  g_autoptr (sqlite3_stmt) statement = NULL;

  statement
      = pen_sql_prepare (self->db, "SELECT " TENURE_COLUMNS " FROM tenure WHERE id = ?", error);
  if (statement == NULL)
    return FALSE;

  sqlite3_bind_int64 (statement, 1, id);
  if (pen_sql_step (statement, error) != PEN_SQL_ROW)
    return FALSE;

  *tenure = read_tenure (self, statement);

  return TRUE;
}

gboolean
pen_store_foreach_tenure (PenStore *self, gboolean processes, PenTenureFunc func,
                          gpointer user_data, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  if (!processes) {
    GArray *tenures = pen_store_get_kernel_tenures (self, error);

    for (guint i = 0; tenures != NULL && i < tenures->len; i++)
      if (!func (&g_array_index (tenures, PenTenure, i), user_data))
        break;

    return tenures != NULL;
  }

  statement
      = pen_sql_prepare (self->db, "SELECT " TENURE_COLUMNS " FROM tenure ORDER BY id", error);
  if (statement == NULL)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenTenure tenure = read_tenure (self, statement);

    if (!func (&tenure, user_data))
      return TRUE;
  }

  return step == PEN_SQL_DONE;
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
append_parts (sqlite3_stmt *statement, const PenTenure *tenure, GArray *parts, GError **error)
{
  guint before = parts->len;
  PenSqlStep step;

  sqlite3_bind_int64 (statement, 1, tenure->id);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenPart part = {
      .tenure = tenure->id,
      .start = pen_sql_u64 (statement, 0),
      .end = pen_sql_u64 (statement, 1),
      .file_offset = pen_sql_u64 (statement, 2),
      .from = { pen_sql_u64 (statement, 3), pen_sql_u64 (statement, 4) },
      .to = pen_sql_moment (statement, 5),
    };

    g_array_append_val (parts, part);
  }
  sqlite3_reset (statement);

  if (step == PEN_SQL_DONE && parts->len == before) {
    PenPart part = {
      .tenure = tenure->id,
      .start = tenure->start,
      .end = tenure->end,
      .file_offset = tenure->file_offset,
      .from = tenure->from,
      .to = tenure->to,
    };

    g_array_append_val (parts, part);
  }

  return step == PEN_SQL_DONE;
}

GArray *
pen_store_load_parts (PenStore *self, guint32 space, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) tenures = pen_store_load_tenures (self, space, start, end, error);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (PenPart));
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (tenures == NULL)
    return NULL;

  statement = pen_sql_prepare (self->db,
                               "SELECT start, end, file_offset, from_time, from_position, to_time,"
                               " to_position FROM part WHERE tenure = ? ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  for (guint i = 0; i < tenures->len; i++)
    if (!append_parts (statement, &g_array_index (tenures, PenTenure, i), parts, error))
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

/* @statement: of owner, start, bytes, evidence, source */
static GPtrArray *
read_texts (PenStore *self, sqlite3_stmt *statement, guint64 start, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (stored_text_free);
  PenSqlStep step;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    guint64 at = pen_sql_u64 (statement, 1);
    gsize length = (gsize) sqlite3_column_bytes (statement, 2);
    PenStoredText *text;

    if (at < start && start - at >= length)
      continue;

    text = g_new0 (PenStoredText, 1);
    text->tenure = (guint32) pen_sql_u64 (statement, 0);
    text->start = at;
    text->bytes = g_bytes_new (sqlite3_column_blob (statement, 2), length);
    text->evidence = pen_store_column_evidence (statement, 3);
    text->source = pen_store_column_string (self, statement, 4);
    g_ptr_array_add (texts, text);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&texts) : NULL;
}

GPtrArray *
pen_store_load_text (PenStore *self, guint64 start, guint64 end, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (start >= end)
    return g_ptr_array_new_with_free_func (stored_text_free);

  statement = pen_sql_prepare (self->db,
                               "SELECT tenure, start, bytes, evidence, source FROM text"
                               " WHERE start BETWEEN ?1 AND ?2 OR start BETWEEN ?3 AND ?4"
                               " ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  pen_sql_bind_range (statement, 1, start > PEN_STORE_TEXT_MAX ? start - PEN_STORE_TEXT_MAX : 0,
                      end - 1);

  return read_texts (self, statement, start, error);
}

GPtrArray *
pen_store_load_file_text (PenStore *self, guint32 name_file, guint64 start, guint64 end,
                          GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (start >= end)
    return g_ptr_array_new_with_free_func (stored_text_free);

  statement = pen_sql_prepare (self->db,
                               "SELECT 0, start, bytes, evidence, source FROM file_text"
                               " WHERE name_file = ?5"
                               "   AND (start BETWEEN ?1 AND ?2 OR start BETWEEN ?3 AND ?4)"
                               " ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  pen_sql_bind_range (statement, 1, start > PEN_STORE_TEXT_MAX ? start - PEN_STORE_TEXT_MAX : 0,
                      end - 1);
  sqlite3_bind_int64 (statement, 5, (gint64) name_file);

  return read_texts (self, statement, start, error);
}

static gboolean
read_change (PenStore *self, sqlite3_stmt *statement, PenChange *change, GError **error)
{
  *change = (PenChange){
    .id = (guint32) pen_sql_u64 (statement, 0),
    .has_time = !pen_sql_is_null (statement, 1),
    .time = pen_sql_u64 (statement, 1),
    .moment = pen_moment (pen_sql_u64 (statement, 1), pen_sql_u64 (statement, 2)),
    .change = pen_sql_text (statement, 3),
    .address = pen_sql_u64 (statement, 4),
    .length = pen_sql_u64 (statement, 5),
    .kind = pen_store_column_kind (statement, 6),
    .occupant = pen_sql_text (statement, 7),
    .symbol = (const char *) sqlite3_column_text (statement, 8),
    .offset = pen_sql_u64 (statement, 9),
    .tenure = (guint32) pen_sql_u64 (statement, 10),
    .is_poke = !pen_sql_is_null (statement, 11),
    .effect = pen_store_column_effect (statement, 12),
    .cause = pen_store_column_cause (statement, 13),
    .reason = pen_sql_text (statement, 14),
    .cpu = pen_sql_cpu (statement, 17),
    .has_task = !pen_sql_is_null (statement, 18),
    .pid = sqlite3_column_int (statement, 18),
    .tid = sqlite3_column_int (statement, 19),
    .comm = pen_sql_text (statement, 20),
    .evidence = pen_store_column_evidence (statement, 21),
    .confidence = pen_store_column_confidence (statement, 22),
    .key = (const char *) sqlite3_column_text (statement, 23),
    .batch = (guint32) pen_sql_u64 (statement, 24),
    .n_sites = (guint32) pen_sql_u64 (statement, 25),
  };

  return !change->is_poke
         || pen_store_read_poke_bytes (self, statement, 15, 16, &change->old_bytes,
                                       &change->old_length, &change->new_bytes, &change->new_length,
                                       error);
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

  return statement != NULL && tell_changes (self, statement, func, user_data, &is_done, error);
}

gboolean
pen_store_foreach_change_of (PenStore *self, const guint32 *ids, guint n, PenChangeFunc func,
                             gpointer user_data, GError **error)
{
  /* SQLite hands the condition down to the three tables, each of which has an index for it. */
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db, "SELECT * FROM change WHERE id = ?1", error);
  gboolean is_done = FALSE;

  if (statement == NULL)
    return FALSE;
  for (guint i = 0; i < n && !is_done; i++) {
    sqlite3_reset (statement);
    sqlite3_bind_int64 (statement, 1, ids[i]);
    if (!tell_changes (self, statement, func, user_data, &is_done, error))
      return FALSE;
  }
  return TRUE;
}
