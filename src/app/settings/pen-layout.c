/* pen-layout.c: how a person arranged the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-layout.h"

#include "pen-settings-file.h"
#include "pen-table-hash.h"

#define GROUP "layout"
/* A drag of a column's edge changes it many times. */
#define SAVE_AFTER_S 1

struct _PenLayout {
  GObject parent_instance;

  GHashTable *values; /* key → value; NULL: it was taken away */
  GHashTable *dirty;  /* keys that the file does not have as they are */
  gboolean is_loaded;
  guint save_id;
  GThreadPool *writer; /* NULL: nothing was written yet */
};

G_DEFINE_FINAL_TYPE (PenLayout, pen_layout, G_TYPE_OBJECT)

enum { LOADED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- reading ---- */

static void
load (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GHashTable *read = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GKeyFile) file = pen_settings_file_read (NULL);
  g_auto (GStrv) keys = file ? g_key_file_get_keys (file, GROUP, NULL, NULL) : NULL;

  for (guint i = 0; keys && keys[i]; i++) {
    char *value = g_key_file_get_string (file, GROUP, keys[i], NULL);

    if (value)
      g_hash_table_insert (read, g_strdup (keys[i]), value);
  }
  g_task_return_pointer (task, read, (GDestroyNotify) g_hash_table_unref);
}

/* Values that a person changed meanwhile are newer. */
static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  PenLayout *self = PEN_LAYOUT (source);
  g_autoptr (GHashTable) read = g_task_propagate_pointer (G_TASK (result), NULL);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, read);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    if (!g_hash_table_contains (self->values, key))
      g_hash_table_insert (self->values, g_strdup (key), g_strdup (value));
  }
  self->is_loaded = TRUE;
  g_signal_emit (self, signals[LOADED], 0);
}

gboolean
pen_layout_is_loaded (PenLayout *self)
{
  return self->is_loaded;
}

const char *
pen_layout_get (PenLayout *self, const char *key)
{
  return g_hash_table_lookup (self->values, key);
}

/* ---- writing ---- */

static gboolean
change (GKeyFile *file, gpointer data)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, data);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    if (value)
      g_key_file_set_string (file, GROUP, key, value);
    else
      g_key_file_remove_key (file, GROUP, key, NULL);
  }
  return TRUE;
}

/* (transfer full): what is to be written, which is then taken for written. */
static GHashTable *
take_dirty (PenLayout *self)
{
  GHashTable *changes = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key;

  g_clear_handle_id (&self->save_id, g_source_remove);
  g_hash_table_iter_init (&iter, self->dirty);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_insert (changes, g_strdup (key), g_strdup (pen_layout_get (self, key)));
  g_hash_table_remove_all (self->dirty);
  return changes;
}

static void
write_changes (gpointer data, gpointer user_data)
{
  g_autoptr (GHashTable) changes = data;

  pen_settings_file_change (change, changes, NULL);
}

static gboolean
save (gpointer data)
{
  PenLayout *self = data;
  GHashTable *changes = take_dirty (self);

  /* One thread: the last change is written last. */
  if (!self->writer)
    self->writer = g_thread_pool_new (write_changes, NULL, 1, FALSE, NULL);
  g_thread_pool_push (self->writer, changes, NULL);
  return G_SOURCE_REMOVE;
}

void
pen_layout_set (PenLayout *self, const char *key, const char *value)
{
  if (g_hash_table_contains (self->values, key)
      && g_strcmp0 (pen_layout_get (self, key), value) == 0)
    return;
  g_hash_table_insert (self->values, g_strdup (key), g_strdup (value));
  g_hash_table_add (self->dirty, g_strdup (key));
  if (self->save_id == 0)
    self->save_id = g_timeout_add_seconds (SAVE_AFTER_S, save, self);
}

void
pen_layout_flush (PenLayout *self)
{
  if (g_hash_table_size (self->dirty) > 0)
    save (self);
  if (self->writer)
    g_thread_pool_free (g_steal_pointer (&self->writer), FALSE, TRUE);
}

/* ---- object ---- */

static void
pen_layout_finalize (GObject *object)
{
  PenLayout *self = PEN_LAYOUT (object);

  pen_layout_flush (self);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->dirty);

  G_OBJECT_CLASS (pen_layout_parent_class)->finalize (object);
}

static void
pen_layout_class_init (PenLayoutClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_layout_finalize;
  signals[LOADED] = g_signal_new ("loaded", PEN_TYPE_LAYOUT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
pen_layout_init (PenLayout *self)
{
  self->values = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_free);
  self->dirty = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
}

PenLayout *
pen_layout_new (void)
{
  PenLayout *self = g_object_new (PEN_TYPE_LAYOUT, NULL);
  g_autoptr (GTask) task = g_task_new (self, NULL, on_loaded, NULL);

  g_task_run_in_thread (task, load);
  return self;
}

PenLayout *
pen_layout_get_default (void)
{
  static PenLayout *layout;

  if (!layout)
    layout = pen_layout_new ();
  return layout;
}
