/* pen-screenshot.c: a picture of a window, once everything is shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-screenshot.h"

#include "pen-capture-mode.h"
#include "pen-new-file.h"

/* Turns of 50 ms in which nothing is asked and nothing is drawn, before the picture is taken. */
#define QUIET_TURNS 6
#define TURN_MS 50
#define TURNS_MAX (20 * 60 * 10)

typedef struct {
  char *path;
  guint turns;
  guint quiet;
  gboolean line_chosen;
} PenShot;

static void
pen_shot_free (PenShot *shot)
{
  g_free (shot->path);
  g_free (shot);
}

gboolean
pen_screenshot_write (GtkWidget *widget, const char *path, mode_t mode, GError **error)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GBytes) png = NULL;
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  float scale = (float) gtk_widget_get_scale_factor (widget);

  /* As many pixels as the screen shows, which are more than the window's units on HiDPI. */
  gtk_snapshot_scale (snapshot, scale, scale);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (!node) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "The window has nothing to draw");
    return FALSE;
  }
  if (!gsk_renderer_realize (renderer, NULL, error))
    return FALSE;
  texture = gsk_renderer_render_texture (
      renderer, node, &GRAPHENE_RECT_INIT (0, 0, scale * (float) width, scale * (float) height));
  gsk_renderer_unrealize (renderer);
  png = gdk_texture_save_to_png_bytes (texture);
  return pen_new_file_save (path, mode, g_bytes_get_data (png, NULL), g_bytes_get_size (png),
                            error);
}

/* Returns: TRUE when something was chosen whose answers are still to come. */
static gboolean
choose (PenWindow *window, PenShot *shot)
{
  PenSession *session = pen_window_get_session (window);
  guint64 address;

  if (pen_session_get_state (session) != PEN_SESSION_READY || shot->line_chosen)
    return FALSE;
  /* The session itself has chosen the function. */
  shot->line_chosen = TRUE;
  if (!pen_answers_find_hottest_line (pen_session_get_answers (session), &address))
    return FALSE;
  pen_window_show_line (window, address);
  return TRUE;
}

/* A window without a recording shows nobody's facts. */
static gboolean
write_picture (PenWindow *window, PenShot *shot, GError **error)
{
  const char *path = pen_session_get_path (pen_window_get_session (window));

  return pen_screenshot_write (GTK_WIDGET (window), shot->path,
                               path ? pen_capture_mode (path) : 0666, error);
}

static gboolean
on_turn (gpointer user_data)
{
  GTask *task = user_data;
  PenWindow *window = g_task_get_source_object (task);
  PenSession *session = pen_window_get_session (window);
  PenShot *shot = g_task_get_task_data (task);
  GError *error = NULL;

  if (++shot->turns > TURNS_MAX) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                             "The recording was not shown in time");
    return G_SOURCE_REMOVE;
  }
  if (pen_session_get_state (session) == PEN_SESSION_FAILED) {
    g_autoptr (GError) ignored = NULL;

    /* The picture shows the error page; the exit status shows it too. */
    write_picture (window, shot, &ignored);
    g_task_return_error (task, g_error_copy (pen_session_get_failure (session)));
    return G_SOURCE_REMOVE;
  }
  if (pen_session_get_state (session) == PEN_SESSION_IMPORTING
      || !pen_session_is_settled (session)) {
    shot->quiet = 0;
    return G_SOURCE_CONTINUE;
  }
  if (++shot->quiet < QUIET_TURNS)
    return G_SOURCE_CONTINUE;
  if (choose (window, shot)) {
    shot->quiet = 0;
    return G_SOURCE_CONTINUE;
  }

  if (write_picture (window, shot, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  return G_SOURCE_REMOVE;
}

void
pen_screenshot_async (PenWindow *window, const char *path, GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (window, NULL, callback, user_data);
  PenShot *shot = g_new0 (PenShot, 1);

  shot->path = g_strdup (path);
  g_task_set_task_data (task, shot, (GDestroyNotify) pen_shot_free);
  g_timeout_add_full (G_PRIORITY_LOW, TURN_MS, on_turn, task, g_object_unref);
}

gboolean
pen_screenshot_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
