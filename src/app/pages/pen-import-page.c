/* pen-import-page.c: how far the import is, and a way out of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-page.h"

#include "pen-format.h"

struct _PenImportPage {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkImage *marks[PEN_IMPORT_STAGES];

  GtkLabel *title;
  GtkListBox *stages;
  GtkProgressBar *bar;
  GtkLabel *detail;
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
  g_autofree char *done = NULL;
  g_autofree char *total = NULL;

  if (progress->stage == PEN_IMPORT_READ) {
    done = g_format_size (progress->done);
    total = g_format_size (progress->total);
  } else {
    done = pen_format_count (progress->done);
    total = pen_format_count (progress->total);
  }
  return progress->total > 0 ? g_strdup_printf ("%s of %s", done, total) : g_strdup (done);
}

static void
on_progress (PenImportPage *self)
{
  double elapsed = pen_session_get_elapsed (self->session);
  PenImportProgress progress;
  g_autofree char *amount = NULL;
  g_autofree char *records = NULL;
  g_autofree char *rate = NULL;
  g_autofree char *detail = NULL;

  if (pen_session_get_state (self->session) != PEN_SESSION_IMPORTING)
    return;
  pen_session_get_progress (self->session, &progress);
  amount = describe_amount (&progress);
  records = pen_format_count (progress.records);
  rate = pen_format_count (elapsed > 0 ? (guint64) ((double) progress.records / elapsed) : 0);
  detail = g_strdup_printf ("%s · %s records · %s records/s", amount, records, rate);

  show_stages (self, MIN (progress.stage, PEN_IMPORT_STAGES - 1));
  gtk_label_set_text (self->detail, detail);
  if (progress.total > 0)
    gtk_progress_bar_set_fraction (self->bar,
                                   CLAMP ((double) progress.done / (double) progress.total, 0, 1));
  else
    gtk_progress_bar_pulse (self->bar);
}

static void
on_state (PenImportPage *self)
{
  const char *path = pen_session_get_path (self->session);
  g_autofree char *base = path ? pen_format_basename (path) : NULL;
  g_autofree char *title = g_strdup_printf ("Importing %s", base ? base : "");

  gtk_label_set_text (self->title, title);
  gtk_progress_bar_set_fraction (self->bar, 0);
  gtk_label_set_text (self->detail, "");
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
