/* pen-import-page.c: how far the import is, and a way out of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-page.h"

#include "pen-format.h"
#include "pen-import-pace.h"

struct _PenImportPage {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkImage *marks[PEN_IMPORT_STAGES];
  PenImportPace pace;

  GtkLabel *title;
  GtkListBox *stages;
  GtkProgressBar *bar;
  GtkLabel *detail;
  GtkLabel *left;
  GtkLabel *note;
};

G_DEFINE_FINAL_TYPE (PenImportPage, pen_import_page, ADW_TYPE_BIN)

static const char *const stage_titles[PEN_IMPORT_STAGES] = {
  [PEN_IMPORT_READ] = "Read records",
  [PEN_IMPORT_HISTORY] = "Sort out who held which address",
  [PEN_IMPORT_SAMPLES] = "Place the samples",
  [PEN_IMPORT_TEXT] = "Find names, bytes and causes",
  [PEN_IMPORT_WRITE] = "Write the store",
};

static void
add_stages (PenImportPage *self)
{
  for (guint i = 0; i < PEN_IMPORT_STAGES; i++) {
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *title = gtk_label_new (stage_titles[i]);

    self->marks[i] = GTK_IMAGE (gtk_image_new ());
    gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->marks[i]));
    gtk_box_append (GTK_BOX (row), title);
    gtk_widget_add_css_class (row, "import-stage");
    gtk_list_box_append (self->stages, row);
  }
}

static void
show_stages (PenImportPage *self, PenImportStage stage)
{
  for (guint i = 0; i < PEN_IMPORT_STAGES; i++) {
    const char *icon = i < stage ? "object-select-symbolic" : "media-playback-start-symbolic";

    gtk_image_set_from_icon_name (self->marks[i], icon);
    gtk_widget_set_opacity (GTK_WIDGET (self->marks[i]), i <= stage ? 1 : 0);
    gtk_widget_set_opacity (gtk_widget_get_parent (GTK_WIDGET (self->marks[i])),
                            i <= stage ? 1 : 0.55);
  }
}

static char *
describe_amount (const PenImportProgress *progress)
{
  gboolean is_read = progress->stage == PEN_IMPORT_READ;
  g_autofree char *done = NULL;
  g_autofree char *total = NULL;

  if (progress->done == 0 && progress->total == 0)
    return NULL;
  done = is_read ? g_format_size (progress->done) : pen_format_count (progress->done);
  if (progress->total == 0)
    return g_steal_pointer (&done);
  total = is_read ? g_format_size (progress->total) : pen_format_count (progress->total);
  return g_strdup_printf ("%s of %s", done, total);
}

/* What is known of bytes, samples and samples per second. */
static char *
describe (const PenImportPace *pace)
{
  const PenImportProgress *progress = &pace->newest;
  double rate = pen_import_pace_get_samples_rate (pace);
  g_autofree char *amount = describe_amount (progress);
  g_autoptr (GString) text = g_string_new (amount ? amount : "");

  if (progress->stage != PEN_IMPORT_SAMPLES && progress->samples > 0) {
    g_autofree char *samples = pen_format_count (progress->samples);

    g_string_append_printf (text, "%s%s samples", text->len > 0 ? " · " : "", samples);
  } else if (progress->stage == PEN_IMPORT_SAMPLES) {
    g_string_append (text, " samples");
  }
  if (rate > 0) {
    /* More digits would only flicker. */
    if (rate >= 1e5)
      g_string_append_printf (text, " · %.1f million samples/s", rate / 1e6);
    else
      g_string_append_printf (text, " · %.0f samples/s", rate);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Blank until it can be known: its place is kept. */
static char *
describe_time_left (const PenImportPace *pace)
{
  double seconds = pen_import_pace_get_seconds_left (pace);
  g_autofree char *text = seconds < 0 ? NULL : pen_import_pace_format_seconds (seconds);

  if (!text)
    return g_strdup (" ");
  return g_strdup_printf (pace->newest.stage + 1 < PEN_IMPORT_STAGES ? "About %s to the next stage"
                                                                     : "About %s left",
                          text);
}

static void
show_notes (PenImportPage *self, guint32 notes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < PEN_IMPORT_NOTES; i++) {
    if ((notes & 1u << i) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                              pen_import_note_to_string (i));
  }
  gtk_label_set_text (self->note, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->note), text->len > 0);
}

static void
show_title (PenImportPage *self, gboolean waiting)
{
  const char *path = pen_session_get_path (self->session);
  g_autofree char *name = path ? pen_format_capture (path) : NULL;
  g_autofree char *title
      = g_strdup_printf (waiting ? "Waiting for %s" : "Importing %s", name ? name : "");

  gtk_label_set_text (self->title, title);
  gtk_widget_set_sensitive (GTK_WIDGET (self->stages), !waiting);
}

static void
show_wait (PenImportPage *self)
{
  show_title (self, TRUE);
  gtk_widget_set_opacity (GTK_WIDGET (self->marks[0]), 0);
  gtk_label_set_text (self->detail, "Another window or program is importing it.");
  gtk_label_set_text (self->left, " ");
  gtk_progress_bar_pulse (self->bar);
}

static void
on_progress (PenImportPage *self)
{
  PenImportProgress progress;
  g_autofree char *detail = NULL;
  g_autofree char *left = NULL;

  if (pen_session_get_state (self->session) != PEN_SESSION_IMPORTING)
    return;
  pen_session_get_progress (self->session, &progress);
  pen_import_pace_add (&self->pace, &progress, g_get_monotonic_time ());
  show_notes (self, progress.notes);
  show_stages (self, MIN (progress.stage, PEN_IMPORT_STAGES - 1));
  if (progress.is_waiting) {
    show_wait (self);
    return;
  }

  detail = describe (&self->pace);
  left = describe_time_left (&self->pace);
  show_title (self, FALSE);
  gtk_label_set_text (self->detail, detail);
  gtk_label_set_text (self->left, left);
  if (progress.total > 0)
    gtk_progress_bar_set_fraction (self->bar,
                                   CLAMP ((double) progress.done / (double) progress.total, 0, 1));
  else
    gtk_progress_bar_pulse (self->bar);
}

static void
on_state (PenImportPage *self)
{
  self->pace = (PenImportPace){ 0 };
  show_title (self, FALSE);
  gtk_progress_bar_set_fraction (self->bar, 0);
  gtk_label_set_text (self->detail, "");
  gtk_label_set_text (self->left, " ");
  on_progress (self);
}

void
pen_import_page_set_session (PenImportPage *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
}

char *
pen_import_page_dup_text (PenImportPage *self)
{
  return g_strdup_printf ("%s\n%s\n%s\n%s", gtk_label_get_text (self->title),
                          gtk_label_get_text (self->detail), gtk_label_get_text (self->left),
                          gtk_label_get_text (self->note));
}

static void
pen_import_page_dispose (GObject *object)
{
  PenImportPage *self = PEN_IMPORT_PAGE (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_IMPORT_PAGE);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_import_page_parent_class)->dispose (object);
}

static void
pen_import_page_class_init (PenImportPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_import_page_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pages/pen-import-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, title);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, stages);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, bar);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, detail);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, left);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, note);
}

static void
pen_import_page_init (PenImportPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  add_stages (self);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::progress", G_CALLBACK (on_progress),
                                  self);
}
