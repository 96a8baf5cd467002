/* pen-store-verify.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-verify.h"

#include "pen-store-buckets.h"
#include "pen-store-private.h"

/* No pack's content comes near this. */
#define MAX_CONTENT ((gsize) 256 << 20)

/* Tables whose bytes are packs, all of them. */
static const char *const packed[] = { "sample_block",      "bucket_block",     "span",
                                      "span_piece",        "frame_block",      "chain_block",
                                      "symbol_block",      "payload_block",    "source_lines",
                                      "wait_bucket_block", "wait_block",       "wait_span",
                                      "wait_span_piece",   "wait_chain_block", "file_text_block",
                                      "stack_block",       "stack_span" };

typedef struct {
  PenStore *store;
  PenVerifyFunc func;
  gpointer user_data;
  PenVerified *verified;
} Check;

static void
tell (Check *self, const char *damage)
{
  self->verified->damages++;
  if (self->func)
    self->func (damage, self->user_data);
}

/* Unreadable parts are damage, and the check goes on; a cancelled check is none.
 *
 * Returns: FALSE: to be handed on */
static gboolean
take_error (Check *self, const char *where, GError *failure, GError **error)
{
  g_autofree char *damage = NULL;

  if (!g_error_matches (failure, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED)) {
    g_propagate_error (error, failure);
    return FALSE;
  }

  damage = g_strdup_printf ("%s: %s", where, failure->message);
  tell (self, damage);
  g_error_free (failure);
  return TRUE;
}

/* ---- SQLite's pages ---- */

static gboolean
check_pages (Check *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  GError *failure = NULL;
  PenSqlStep step = PEN_SQL_FAILED;

  statement = pen_sql_prepare (self->store->db, "PRAGMA integrity_check", &failure);
  while (statement && (step = pen_sql_step (statement, &failure)) == PEN_SQL_ROW)
    if (g_strcmp0 (pen_sql_text (statement, 0), "ok") != 0)
      tell (self, pen_sql_text (statement, 0));
  return !failure || take_error (self, "the database", failure, error);
}

/* ---- checksums ---- */

static void
check_pack (Check *self, const char *table, sqlite3_stmt *statement, int column)
{
  const guint8 *bytes = sqlite3_column_blob (statement, column);
  gsize n = (gsize) sqlite3_column_bytes (statement, column);
  const char *reason = "it is empty";
  g_autofree char *damage = NULL;

  self->verified->packs++;
  self->verified->bytes += n;
  if (bytes && pen_unpacker_start (&self->store->unpacker, bytes, n, MAX_CONTENT, &reason))
    return;

  damage = g_strdup_printf ("%s %" G_GINT64_FORMAT ", %s: %s", table,
                            (gint64) sqlite3_column_int64 (statement, 0),
                            sqlite3_column_name (statement, column), reason);
  tell (self, damage);
}

static gboolean
check_packs (Check *self, const char *table, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT rowid, * FROM %s ORDER BY rowid", table);
  g_autoptr (sqlite3_stmt) statement = NULL;
  GError *failure = NULL;

  statement = pen_sql_prepare (self->store->db, sql, &failure);
  while (statement && pen_sql_step (statement, &failure) == PEN_SQL_ROW)
    for (int i = 1; i < sqlite3_column_count (statement); i++)
      if (g_strcmp0 (sqlite3_column_decltype (statement, i), "BLOB") == 0)
        check_pack (self, table, statement, i);
  return !failure || take_error (self, table, failure, error);
}

/* ---- what is in them ---- */

static gboolean
read_samples (PenStore *store, guint64 *samples, GError **error)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  guint n_blocks;

  pen_store_get_blocks (store, &n_blocks);
  for (guint i = 0; i < n_blocks; i++) {
    if (!pen_store_read_block (store, i, block, error))
      return FALSE;
    *samples += block->n;
  }
  return *samples == (guint64) pen_store_get_fact_int (store, "samples", 0)
         || pen_store_set_damaged (store, "there are not as many samples as were written", error);
}

static gboolean
read_chains (PenStore *store, GError **error)
{
  guint32 n = pen_store_count_chains (store);
  PenChainNode node;

  for (guint64 id = 1; id <= n; id += PEN_BLOCK_CHAINS)
    if (!pen_store_read_chain (store, (guint32) id, &node, error))
      return FALSE;
  return TRUE;
}

static gboolean
go_on (G_GNUC_UNUSED const PenSpanBucket *bucket, G_GNUC_UNUSED gpointer user_data)
{
  return TRUE;
}

static gboolean
read_spans (PenStore *store, GError **error)
{
  guint n;
  const PenStoreSpan *spans = pen_store_get_spans (store, &n);

  for (guint i = 0; i < n; i++) {
    g_autofree guint32 *counts
        = g_new (guint32, (gsize) pen_store_span_get_n_tiles (&spans[i]) * PEN_KINDS);

    if (!pen_store_read_span_tiles (store, &spans[i], counts, error)
        || !pen_store_foreach_span_bucket (store, &spans[i], 0, G_MAXUINT32, go_on, NULL, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_stacks (PenStore *store, GError **error)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  g_autofree PenStoredStack *stacks = NULL;
  guint32 n_stacks;
  guint n;
  const PenStackSpan *spans = pen_store_get_stack_spans (store, &n);

  stacks = pen_store_load_stacks (store, &n_stacks, error);
  for (guint i = 0; stacks && i < n; i++)
    if (!pen_store_read_stack_span (store, &spans[i], stacks, n_stacks, cells, error))
      return FALSE;
  return stacks != NULL;
}

/* The reader checks what it reads: numbers that name rows, lengths, orders.
 * @samples: (out): how many there are */
static gboolean
read_population (PenStore *store, guint64 *samples, GError **error)
{
  guint n;

  return pen_store_get_threads (store, &n, error) && pen_store_get_functions (store, &n, error)
         && pen_store_get_buckets (store, &n, error) && read_samples (store, samples, error)
         && pen_store_get_frames (store, &n, error) && read_chains (store, error)
         && read_spans (store, error);
}

static gboolean
read_waits (PenStore *store, GError **error)
{
  g_autoptr (PenStore) waits = pen_store_open_waits (store, error);

  return waits && read_population (waits, &(guint64){ 0 }, error);
}

static gboolean
check_content (Check *self, GError **error)
{
  GError *failure = NULL;

  if (!read_population (self->store, &self->verified->samples, &failure)
      || !read_stacks (self->store, &failure) || !read_waits (self->store, &failure))
    return take_error (self, "the content", failure, error);
  return TRUE;
}

gboolean
pen_store_verify (PenStore *self, PenVerifyFunc func, gpointer user_data, PenVerified *verified,
                  GError **error)
{
  Check check = { self, func, user_data, verified };

  *verified = (PenVerified){ 0 };
  if (!check_pages (&check, error))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (packed); i++)
    if (!check_packs (&check, packed[i], error))
      return FALSE;

  /* It would only report the same once more. */
  return verified->damages > 0 || check_content (&check, error);
}
