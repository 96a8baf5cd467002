/* pen-import-page.c: what an import has seen so far, how far it is, and a way out of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-page.h"

#include <glib/gi18n-lib.h>

#include "pen-css-class.h"
#include "pen-format.h"
#include "pen-import-speed.h"
#include "pen-import-timeline.h"
#include "pen-query-info.h"
#include "pen-recording-rows.h"

/* ms: what is over before that is not worth reading. */
#define PATIENCE 150

struct _PenImportPage {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkImage *marks[PEN_IMPORT_STAGES];
  GtkLabel *counts[PEN_IMPORT_STAGES];
  PenImportSpeed speed;
  guint reveal_id;
  const PenSketchFacts *told; /* weak: compared only */

  GtkWidget *strip;
  PenImportTimeline *timeline;
  GtkWidget *facts;
  GtkListBox *facts_list;
  GtkLabel *title;
  GtkListBox *stages;
  GtkProgressBar *bar;
  GtkLabel *detail;
  GtkLabel *left;
  GtkLabel *note;
};

G_DEFINE_FINAL_TYPE (PenImportPage, pen_import_page, ADW_TYPE_BIN)

static const char *const stage_titles[PEN_IMPORT_STAGES] = {
  [PEN_IMPORT_READ] = N_ ("Read records"),
  [PEN_IMPORT_HISTORY] = N_ ("Resolve address ownership"),
  [PEN_IMPORT_SAMPLES] = N_ ("Attribute samples"),
  [PEN_IMPORT_TEXT] = N_ ("Find names, bytes and causes"),
  [PEN_IMPORT_WRITE] = N_ ("Write the store"),
};

static void
add_stages (PenImportPage *self)
{
  for (guint i = 0; i < PEN_IMPORT_STAGES; i++) {
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *title = gtk_label_new (_ (stage_titles[i]));
    GtkWidget *count = gtk_label_new (NULL);

    self->counts[i] = GTK_LABEL (count);
    gtk_label_set_wrap (GTK_LABEL (title), TRUE);
    gtk_label_set_xalign (GTK_LABEL (title), 0);
    gtk_widget_set_hexpand (title, TRUE);
    gtk_widget_add_css_class (count, "numeric");
    gtk_widget_add_css_class (count, "dim-label");
    self->marks[i] = GTK_IMAGE (gtk_image_new ());
    gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->marks[i]));
    gtk_box_append (GTK_BOX (row), title);
    gtk_box_append (GTK_BOX (row), count);
    gtk_widget_add_css_class (row, "import-stage");
    gtk_list_box_append (self->stages, row);
    gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (row)),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, _ (stage_titles[i]), -1);
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
  return g_strdup_printf (C_ ("progress", "%s of %s"), done, total);
}

/* All of it: the last report came shortly before the end. */
static void
end_stage (PenImportPage *self, const PenImportProgress *last)
{
  g_autofree char *amount = NULL;

  if (last->total == 0)
    return;
  amount = last->stage == PEN_IMPORT_READ ? g_format_size (last->total)
                                          : pen_format_count (last->total);
  gtk_label_set_text (self->counts[last->stage], amount);
}

/* Finished stages keep their counts. */
static void
show_stages (PenImportPage *self, const PenImportProgress *progress)
{
  PenImportStage stage = MIN (progress->stage, PEN_IMPORT_STAGES - 1);
  g_autofree char *amount = describe_amount (progress);

  if (amount)
    gtk_label_set_text (self->counts[stage], amount);
  for (guint i = 0; i < PEN_IMPORT_STAGES; i++) {
    const char *icon = i < stage ? "object-select-symbolic" : "media-playback-start-symbolic";

    gtk_image_set_from_icon_name (self->marks[i], icon);
    gtk_widget_set_opacity (GTK_WIDGET (self->marks[i]), i <= stage ? 1 : 0);
    pen_css_class_set (gtk_widget_get_parent (GTK_WIDGET (self->marks[i])), "dim-label", i > stage);
  }
}

static void
append_count (GString *text, guint64 count, const char *format)
{
  g_autofree char *formatted = NULL;

  if (count == 0)
    return;
  formatted = pen_format_count (count);
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append_printf (text, format, formatted);
}

/* The counts so far, and the speed. */
static char *
describe (const PenImportSpeed *speed, const PenSketch *sketch)
{
  double rate = pen_import_speed_get_samples_rate (speed);
  g_autoptr (GString) text = g_string_new (NULL);

  append_count (text, speed->newest.samples,
                ngettext ("%s sample", "%s samples", speed->newest.samples));
  if (sketch) {
    append_count (text, sketch->n_patches, ngettext ("%s patch", "%s patches", sketch->n_patches));
    append_count (text, sketch->n_programs,
                  ngettext ("%s program", "%s programs", sketch->n_programs));
    append_count (text, sketch->n_lost, _ ("%s lost"));
  }
  if (rate > 0) {
    /* More digits would only flicker. */
    if (rate >= 1e5)
      g_string_append_printf (text, _ (" · %.1f million samples/s"), rate / 1e6);
    else
      g_string_append_printf (text, _ (" · %.0f samples/s"), rate);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Blank until it can be known: its place is kept. */
static char *
describe_time_left (const PenImportSpeed *speed)
{
  double seconds = pen_import_speed_get_seconds_left (speed);
  g_autofree char *text = seconds < 0 ? NULL : pen_import_speed_format_seconds (seconds);

  if (!text)
    return g_strdup (" ");
  return g_strdup_printf (speed->newest.stage + 1 < PEN_IMPORT_STAGES
                              ? _ ("About %s to the next stage")
                              : _ ("About %s left"),
                          text);
}

/* ---- what was recorded ---- */

static void
add_fact (GtkListBox *list, const char *title, const char *value)
{
  g_autofree char *shown = value && value[0] ? pen_display_text (value) : NULL;

  if (shown)
    gtk_list_box_append (list, pen_recording_new_property (title, shown));
}

static char *
describe_file (const PenSketchFacts *facts)
{
  g_autofree char *size = facts->size > 0 ? g_format_size (facts->size) : NULL;
  g_autofree char *shape = pen_query_translate_shape (facts->shape);

  return size ? g_strdup_printf ("%s, %s", size, shape) : g_steal_pointer (&shape);
}

/* Only gaps are worth a word here; the page of the recording has the rest. */
static char *
describe_gaps (const PenSketchFacts *facts)
{
  const char *gaps[4] = { NULL };
  guint n = 0;

  if (!facts->has_pokes)
    gaps[n++] = _ ("kernel text patches");
  if (!facts->has_ksymbols)
    gaps[n++] = _ ("BPF programs and trampolines");
  if (!facts->has_kcore)
    gaps[n++] = _ ("kernel code");
  return n > 0 ? g_strjoinv (", ", (char **) gaps) : NULL;
}

static void
show_facts (PenImportPage *self, const PenSketchFacts *facts)
{
  GtkListBoxRow *row;
  g_autofree char *file = NULL;
  g_autofree char *gaps = NULL;
  g_autofree char *machine = NULL;

  if (facts == self->told)
    return;
  self->told = facts;
  while ((row = gtk_list_box_get_row_at_index (self->facts_list, 0)))
    gtk_list_box_remove (self->facts_list, GTK_WIDGET (row));
  gtk_widget_set_visible (self->facts, facts != NULL);
  if (!facts)
    return;

  file = describe_file (facts);
  gaps = describe_gaps (facts);
  if (facts->hostname || facts->arch)
    machine = facts->cpus_online > 0
                  ? g_strdup_printf (
                      ngettext ("%s · %s · %u CPU", "%s · %s · %u CPUs", facts->cpus_online),
                      facts->hostname ? facts->hostname : "?", facts->arch ? facts->arch : "?",
                      facts->cpus_online)
                  : g_strdup_printf ("%s · %s", facts->hostname ? facts->hostname : "?",
                                     facts->arch ? facts->arch : "?");
  add_fact (self->facts_list, _ ("Command"), facts->command_line);
  add_fact (self->facts_list, _ ("Machine"), machine);
  add_fact (self->facts_list, _ ("Kernel"), facts->os_release);
  add_fact (self->facts_list, _ ("Processor"), facts->processor);
  add_fact (self->facts_list, _ ("Events"), facts->events);
  add_fact (self->facts_list, "perf", facts->perf_version);
  add_fact (self->facts_list, _ ("File"), file);
  add_fact (self->facts_list, _ ("Not recorded"), gaps);
}

/* ---- keeping up ---- */

static void
show_notes (PenImportPage *self, guint32 notes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < PEN_IMPORT_NOTES; i++) {
    if ((notes & 1u << i) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                              _ (pen_import_note_to_string (i)));
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
      = g_strdup_printf (waiting ? _ ("Waiting for %s") : _ ("Importing %s"), name ? name : "");

  gtk_label_set_text (self->title, title);
  gtk_widget_set_sensitive (GTK_WIDGET (self->stages), !waiting);
}

/* How much there is to do is unknown. A bar that moves to and fro does so whatever the desktop says
 * of animations: without them it stands still, and the words beside it go on. */
static void
pulse (PenImportPage *self)
{
  if (adw_get_enable_animations (GTK_WIDGET (self)))
    gtk_progress_bar_pulse (self->bar);
  else
    gtk_progress_bar_set_fraction (self->bar, 0);
}

static void
show_wait (PenImportPage *self)
{
  show_title (self, TRUE);
  gtk_widget_set_opacity (GTK_WIDGET (self->marks[0]), 0);
  gtk_label_set_text (self->detail, _ ("Another window or program is importing this recording"));
  gtk_label_set_text (self->left, " ");
  pulse (self);
}

/* The share of the records that is read. */
static double
get_part (const PenImportProgress *progress)
{
  if (progress->stage != PEN_IMPORT_READ)
    return 1;
  return progress->total > 0 ? (double) progress->done / (double) progress->total : -1;
}

static void
on_progress (PenImportPage *self)
{
  PenImportProgress progress;
  g_autoptr (PenSketch) sketch = pen_session_dup_sketch (self->session);
  g_autofree char *detail = NULL;
  g_autofree char *left = NULL;

  if (pen_session_get_state (self->session) != PEN_SESSION_IMPORTING)
    return;
  pen_session_get_progress (self->session, &progress);
  if (self->speed.is_started && self->speed.newest.stage < progress.stage)
    end_stage (self, &self->speed.newest);
  pen_import_speed_add (&self->speed, &progress, g_get_monotonic_time ());
  show_notes (self, progress.notes);
  show_stages (self, &progress);
  if (progress.is_waiting) {
    show_wait (self);
    return;
  }

  if (sketch) {
    pen_import_timeline_show (self->timeline, sketch, get_part (&progress));
    show_facts (self, sketch->facts);
  }
  detail = describe (&self->speed, sketch);
  left = describe_time_left (&self->speed);
  show_title (self, FALSE);
  gtk_label_set_text (self->detail, detail);
  gtk_label_set_text (self->left, left);
  if (progress.total > 0)
    gtk_progress_bar_set_fraction (self->bar,
                                   CLAMP ((double) progress.done / (double) progress.total, 0, 1));
  else
    pulse (self);
}

static void
on_reveal (gpointer user_data)
{
  PenImportPage *self = user_data;

  self->reveal_id = 0;
  gtk_widget_set_opacity (adw_bin_get_child (ADW_BIN (self)), 1);
}

gboolean
pen_import_page_is_revealed (PenImportPage *self)
{
  return gtk_widget_get_opacity (adw_bin_get_child (ADW_BIN (self))) > 0;
}

static void
on_state (PenImportPage *self)
{
  PenSessionState state = pen_session_get_state (self->session);

  g_clear_handle_id (&self->reveal_id, g_source_remove);
  /* It is shown until what comes next is there. A bar that pulses would draw for ever, unseen. */
  if (state == PEN_SESSION_READY) {
    gtk_progress_bar_set_fraction (self->bar, 1);
    return;
  }
  gtk_widget_set_opacity (adw_bin_get_child (ADW_BIN (self)), 0);
  if (state == PEN_SESSION_IMPORTING)
    self->reveal_id = g_timeout_add_once (PATIENCE, on_reveal, self);
  for (guint i = 0; i < PEN_IMPORT_STAGES; i++)
    gtk_label_set_text (self->counts[i], "");
  pen_import_timeline_show (self->timeline, NULL, -1);
  show_facts (self, NULL);
  self->speed = (PenImportSpeed){ 0 };
  show_title (self, FALSE);
  gtk_progress_bar_set_fraction (self->bar, 0);
  gtk_label_set_text (self->detail, "");
  gtk_label_set_text (self->left, " ");
  on_progress (self);
}

GtkWidget *
pen_import_page_get_strip (PenImportPage *self)
{
  return self->strip;
}

void
pen_import_page_set_session (PenImportPage *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  pen_import_timeline_set_session (self->timeline, session);
  g_signal_group_set_target (self->signals, session);
  on_state (self);
}

static void
pen_import_page_dispose (GObject *object)
{
  PenImportPage *self = PEN_IMPORT_PAGE (object);

  g_clear_handle_id (&self->reveal_id, g_source_remove);
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
  g_type_ensure (PEN_TYPE_IMPORT_TIMELINE);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pages/pen-import-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, strip);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, timeline);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, facts);
  gtk_widget_class_bind_template_child (widget_class, PenImportPage, facts_list);
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
