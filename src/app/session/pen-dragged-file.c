/* pen-dragged-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-dragged-file.h"

#include <glib/gi18n-lib.h>

#include "pen-dragged-folder.h"

struct _PenDraggedFile {
  GdkContentProvider parent_instance;

  char *name;
  char *mime_type;
  GFile *file; /* NULL: it has no folder yet */
  gboolean is_written;
  gboolean is_given_up;
  gboolean is_told; /* its name, to another program */
  GError *error;
  GPtrArray *waiting; /* (element-type GTask) */
};

G_DEFINE_FINAL_TYPE (PenDraggedFile, pen_dragged_file, GDK_TYPE_CONTENT_PROVIDER)

/* One that is there until the application ends. */
typedef struct {
  char *folder;
  gint64 told; /* µs of the monotonic clock; 0: never */
} Kept;

/* (element-type Kept): main thread only */
static GPtrArray *kept;

static void
kept_free (gpointer data)
{
  Kept *self = data;

  g_free (self->folder);
  g_free (self);
}

/* ---- folders ---- */

static char *
dup_folder (PenDraggedFile *self)
{
  g_autoptr (GFile) folder = g_file_get_parent (self->file);

  return g_file_get_path (folder);
}

static void
keep (PenDraggedFile *self)
{
  Kept *entry = g_new0 (Kept, 1);

  entry->folder = dup_folder (self);
  if (!kept)
    kept = g_ptr_array_new_with_free_func (kept_free);
  g_ptr_array_add (kept, entry);
}

/* (nullable) */
static Kept *
find_kept (const char *folder)
{
  for (guint i = 0; kept && i < kept->len; i++) {
    Kept *entry = kept->pdata[i];

    if (g_str_equal (entry->folder, folder))
      return entry;
  }
  return NULL;
}

static void
remove_folder (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  pen_dragged_folder_remove (task_data);
}

/* In a thread. Until the application ends, it is tried once more then. */
static void
remove_file (PenDraggedFile *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  if (!self->file)
    return;
  g_task_set_task_data (task, dup_folder (self), g_free);
  g_task_run_in_thread (task, remove_folder);
}

void
pen_dragged_file_remove_all (gint64 idle)
{
  gint64 now = g_get_monotonic_time ();

  for (guint i = 0; kept && i < kept->len; i++) {
    const Kept *entry = kept->pdata[i];

    if (entry->told == 0 || now - entry->told >= idle)
      pen_dragged_folder_remove (entry->folder);
  }
  g_clear_pointer (&kept, g_ptr_array_unref);
}

static void
make_folder (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autofree char *folder = NULL;
  GError *error = NULL;

  folder = pen_dragged_folder_make (&error);
  if (folder)
    g_task_return_pointer (task, g_file_new_build_filename (folder, task_data, NULL),
                           g_object_unref);
  else
    g_task_return_error (task, error);
}

void
pen_dragged_file_place_async (PenDraggedFile *self, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_task_data (task, g_strdup (self->name), g_free);
  g_task_run_in_thread (task, make_folder);
}

GFile *
pen_dragged_file_place_finish (PenDraggedFile *self, GAsyncResult *result, GError **error)
{
  GFile *file = g_task_propagate_pointer (G_TASK (result), error);

  if (!file)
    return NULL;
  self->file = g_object_ref (file);
  keep (self);
  return file;
}

/* ---- what is handed out ---- */

static gboolean
is_picture (const char *mime_type)
{
  return g_str_has_prefix (mime_type, "image/");
}

/* Not as text: whatever takes text would get the path. */
static GdkContentFormats *
pen_dragged_file_ref_formats (GdkContentProvider *provider)
{
  PenDraggedFile *self = PEN_DRAGGED_FILE (provider);
  g_autoptr (GdkContentFormats) files = gdk_content_formats_union_serialize_mime_types (
      gdk_content_formats_new_for_gtype (GDK_TYPE_FILE_LIST));
  GdkContentFormatsBuilder *builder = gdk_content_formats_builder_new ();
  gsize n;
  const char *const *types = gdk_content_formats_get_mime_types (files, &n);

  for (gsize i = 0; i < n; i++) {
    if (!g_str_has_prefix (types[i], "text/plain"))
      gdk_content_formats_builder_add_mime_type (builder, types[i]);
  }
  if (is_picture (self->mime_type))
    gdk_content_formats_builder_add_mime_type (builder, self->mime_type);
  return gdk_content_formats_builder_free_to_formats (builder);
}

/* Who asks for what, and gets it where. */
typedef struct {
  char *mime_type;
  GOutputStream *stream;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_free (self->mime_type);
  g_object_unref (self->stream);
  g_free (self);
}

static void
return_done (GTask *task, gboolean is_done, GError *error)
{
  if (is_done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_told (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  gboolean is_done = gdk_content_serialize_finish (result, &error);

  return_done (task, is_done, error);
}

static void
tell_name (PenDraggedFile *self, GTask *task)
{
  const Request *request = g_task_get_task_data (task);
  g_autofree char *folder = dup_folder (self);
  Kept *entry = find_kept (folder);
  g_auto (GValue) files = G_VALUE_INIT;

  self->is_told = TRUE;
  if (entry)
    entry->told = g_get_monotonic_time ();
  g_value_init (&files, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&files, gdk_file_list_new_from_array (&self->file, 1));
  gdk_content_serialize_async (request->stream, request->mime_type, &files,
                               g_task_get_priority (task), g_task_get_cancellable (task), on_told,
                               g_object_ref (task));
}

static void
on_copied (GObject *stream, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  gboolean is_done = g_output_stream_splice_finish (G_OUTPUT_STREAM (stream), result, &error) >= 0;

  return_done (task, is_done, error);
}

static void
on_opened (GObject *file, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read_finish (G_FILE (file), result, &error);

  if (stream)
    g_output_stream_splice_async (request->stream, G_INPUT_STREAM (stream),
                                  G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE, g_task_get_priority (task),
                                  g_task_get_cancellable (task), on_copied, g_object_ref (task));
  else
    g_task_return_error (task, error);
}

/* It is there, or will never be. */
static void
answer (PenDraggedFile *self, GTask *task)
{
  const Request *request = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->error)
    g_task_return_error (task, g_error_copy (self->error));
  else if (g_str_equal (request->mime_type, self->mime_type))
    g_file_read_async (self->file, g_task_get_priority (task), g_task_get_cancellable (task),
                       on_opened, g_object_ref (task));
  else
    tell_name (self, task);
}

static void
answer_all (PenDraggedFile *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);

  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    answer (self, waiting->pdata[i]);
}

static void
pen_dragged_file_write_async (GdkContentProvider *provider, const char *mime_type,
                              GOutputStream *stream, int priority, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  PenDraggedFile *self = PEN_DRAGGED_FILE (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Request *request = g_new (Request, 1);

  *request = (Request){ g_strdup (mime_type), g_object_ref (stream) };
  g_task_set_priority (task, priority);
  g_task_set_task_data (task, request, request_free);
  if (self->is_written || self->error)
    answer (self, task);
  else
    g_ptr_array_add (self->waiting, g_steal_pointer (&task));
}

static gboolean
pen_dragged_file_write_finish (GdkContentProvider *provider, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
pen_dragged_file_set_written (PenDraggedFile *self, const GError *error)
{
  if (self->error)
    return;
  self->is_written = !error;
  self->error = error ? g_error_copy (error) : NULL;
  answer_all (self);
}

void
pen_dragged_file_give_up (PenDraggedFile *self)
{
  self->is_given_up = TRUE;
  self->is_told = FALSE;
  self->is_written = FALSE;
  if (!self->error)
    g_set_error_literal (&self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Drag cancelled"));
  answer_all (self);
}

gboolean
pen_dragged_file_is_given_up (PenDraggedFile *self)
{
  return self->is_given_up;
}

const char *
pen_dragged_file_get_name (PenDraggedFile *self)
{
  return self->name;
}

const char *
pen_dragged_file_get_mime_type (PenDraggedFile *self)
{
  return self->mime_type;
}

/* ---- object ---- */

static void
pen_dragged_file_finalize (GObject *object)
{
  PenDraggedFile *self = PEN_DRAGGED_FILE (object);

  if (!self->is_told)
    remove_file (self);
  g_ptr_array_unref (self->waiting);
  g_clear_object (&self->file);
  g_clear_error (&self->error);
  g_free (self->name);
  g_free (self->mime_type);

  G_OBJECT_CLASS (pen_dragged_file_parent_class)->finalize (object);
}

static void
pen_dragged_file_class_init (PenDraggedFileClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = pen_dragged_file_finalize;
  provider_class->ref_formats = pen_dragged_file_ref_formats;
  provider_class->write_mime_type_async = pen_dragged_file_write_async;
  provider_class->write_mime_type_finish = pen_dragged_file_write_finish;
}

static void
pen_dragged_file_init (PenDraggedFile *self)
{
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
}

PenDraggedFile *
pen_dragged_file_new (const char *name, const char *mime_type)
{
  PenDraggedFile *self = g_object_new (PEN_TYPE_DRAGGED_FILE, NULL);

  self->name = g_strdup (name);
  self->mime_type = g_strdup (mime_type);
  return self;
}
