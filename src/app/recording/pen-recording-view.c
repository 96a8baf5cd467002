/* pen-recording-view.c: what was recorded, how well, and what would do better
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recording-view.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-late-spinner.h"
#include "pen-phrases.h"
#include "pen-loss-words.h"
#include "pen-problem-list.h"
#include "pen-query-info.h"
#include "pen-recording-rows.h"
#include "pen-spoken-names.h"
#include "pen-sandbox.h"

/* The most rows of long lists: the rest is shown as a number, and by the command line. */
#define LOSSES_MAX 40
#define FUNCTIONS_MAX 8

/* Wrapped texts of a hundred rows take 60 ms to measure: the first parts fill a window. */
#define N_PARTS 6
#define N_PARTS_FIRST 2
#define PART_MS 20

struct _PenRecordingView {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenRecording *recording; /* NULL: no answer yet */
  GPtrArray *problems;     /* (element-type PenProblemRow): of the same; or NULL */
  AdwPreferencesPage *page;
  guint n_parts; /* of the page that are there */
  guint part_id; /* adds the others; 0: all are there */

  GtkStack *stack;
  AdwStatusPage *error;
  AdwBin *bin;
};

G_DEFINE_FINAL_TYPE (PenRecordingView, pen_recording_view, ADW_TYPE_BIN)

/* ---- quality ---- */

/* Text that changed without a record is an alarm. */
static void
add_witness (AdwPreferencesGroup *group, const PenWitnessCount *count)
{
  g_autofree char *agree = pen_format_count (count->agree);
  g_autofree char *all = pen_format_count (count->agree + count->differ);
  g_autofree char *good
      = g_strdup_printf (_ ("%s of %s samples agree with what the kernel saw"), agree, all);
  g_autofree char *changes = pen_format_count (count->unannounced);
  g_autofree char *first
      = g_strdup_printf (ngettext ("%s change of text without a record",
                                   "%s changes of text without a record", count->unannounced),
                         changes);
  g_autofree char *bad
      = g_strdup_printf ("%s. %s", first,
                         _ ("A module that came unseen, a debugger, or something that hides: "
                            "see Causes with the filter cause:unannounced"));
  g_autofree char *places = pen_format_count (count->unheld);
  g_autofree char *unheld = g_strdup_printf (
      ngettext ("%s change, probably another module: see Causes with the filter cause:unannounced",
                "%s changes, probably other modules: see Causes with the filter cause:unannounced",
                count->unheld),
      places);

  if (count->readings > 0)
    pen_recording_add_check (group, count->unannounced == 0, _ ("Witness"), good, bad);
  if (count->unheld > 0)
    adw_preferences_group_add (group, pen_recording_new_row (_ ("Unknown Text"), unheld));
  if (count->readings > 0 && count->unannounced > 0)
    adw_preferences_group_add (group, pen_recording_new_row (_ ("Agreement"), good));
}

static void
add_quality (AdwPreferencesGroup *group, const PenBetterRecording *better)
{
  g_autofree char *lost = pen_format_count (better->lost);
  g_autofree char *missing
      = g_strdup_printf (ngettext ("At least %s record or sample was lost",
                                   "At least %s records or samples were lost", better->lost),
                         lost);

  pen_recording_add_check (
      group, better->has_pokes, _ ("Kernel text patches"),
      _ ("Recorded, with the bytes before and after"),
      better->can_have_pokes
          ? _ ("Not recorded: patched text may be wrong")
          : _ ("Never recorded on this architecture: patched text may be wrong"));
  pen_recording_add_check (group, better->has_ksymbols, _ ("BPF programs and trampolines"),
                           _ ("Load and unload times are known"),
                           _ ("Not recorded: samples may have a wrong name, or none"));
  pen_recording_add_check (group, better->has_kcore, _ ("Kernel code"),
                           _ ("Saved when the recording began (kcore)"),
                           _ ("Missing: only patched instructions can be shown"));
  pen_recording_add_check (group, better->has_kallsyms, _ ("Kernel symbols"),
                           _ ("Saved with the recording (kallsyms)"),
                           _ ("Missing: kernel samples may have no symbol"));
  pen_recording_add_check (group, better->is_system_wide, _ ("All CPUs"),
                           _ ("The whole machine was recorded"),
                           _ ("Only some tasks or CPUs: other changes may be missing"));
  add_witness (group, &better->witness);
  pen_recording_add_check (group, better->lost == 0, _ ("Complete"), _ ("Nothing was lost"),
                           missing);
}

static void
on_copy (PenRecordingView *self)
{
  const char *command = self->recording ? self->recording->better->command : NULL;

  /* It has the words of the recorded one. */
  if (command && !g_utf8_validate (command, -1, NULL))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.tell", "s",
                                _ ("Cannot copy: a name is not valid UTF-8"));
  else if (command)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
}

static void
add_better (PenRecordingView *self, AdwPreferencesGroup *group)
{
  GtkWidget *copy;

  if (!self->recording->better->command)
    return;
  copy = pen_recording_add_command (group, _ ("Recommended command"),
                                    self->recording->better->command);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (on_copy), self);
}

/* ---- misattribution ---- */

#define FUNCTION_KEY "pen-function"

static void
on_function (PenRecordingView *self, GtkWidget *row)
{
  guint32 function = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), FUNCTION_KEY));

  pen_session_set_function (self->session, function);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-code", NULL);
}

static const char *
explain (PenMisattributionReason reason)
{
  switch (reason) {
  case PEN_MISATTRIBUTION_PART:
    return _ ("shown with the text of the program's first function");
  case PEN_MISATTRIBUTION_NO_TEXT:
    return _ ("no text in perf annotate");
  case PEN_MISATTRIBUTION_PATCHED:
  case PEN_MISATTRIBUTIONS:
  default:
    return _ ("patched at the time");
  }
}

static void
add_function (PenRecordingView *self, AdwExpanderRow *list, const PenMisattributionRow *row)
{
  g_autofree char *symbol
      = pen_display_text (row->function.symbol ? row->function.symbol : row->function.occupant);
  g_autofree char *samples = pen_format_count (row->samples);
  g_autofree char *all = pen_phrase_samples (row->function.samples, FALSE);
  g_autofree char *subtitle
      = g_strdup_printf (_ ("%s of %s · %s"), samples, all, explain (row->reason));
  GtkWidget *widget = pen_recording_new_row (symbol, subtitle);

  g_object_set_data (G_OBJECT (widget), FUNCTION_KEY, GUINT_TO_POINTER (row->function.id));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (widget), TRUE);
  adw_action_row_add_suffix (ADW_ACTION_ROW (widget),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  g_signal_connect_object (widget, "activated", G_CALLBACK (on_function), self, G_CONNECT_SWAPPED);
  adw_expander_row_add_row (list, widget);
}

static void
fill_functions (gpointer owner, AdwExpanderRow *list, guint first, guint n)
{
  PenRecordingView *self = owner;
  const GArray *rows = self->recording->misattribution->rows;

  for (guint i = first; i < first + MIN (n, FUNCTIONS_MAX); i++)
    add_function (self, list, &g_array_index (rows, PenMisattributionRow, i));
  if (n > FUNCTIONS_MAX) {
    g_autofree char *more = g_strdup_printf (_ ("%u more"), n - FUNCTIONS_MAX);

    adw_expander_row_add_row (
        list, pen_recording_new_row (more, _ ("pentimento-cli misattribution lists all")));
  }
}

static void
add_misattribution (PenRecordingView *self, AdwPreferencesGroup *group,
                    const PenMisattribution *all)
{
  double kernel = (double) MAX (all->kernel_samples, 1);
  g_autofree char *share = pen_format_share ((double) all->samples / kernel);
  g_autofree char *no_text = pen_format_share ((double) all->no_text / kernel);
  g_autofree char *count = pen_format_count (all->samples);
  g_autofree char *of = pen_format_count (all->kernel_samples);
  g_autofree char *title = g_strdup_printf (_ ("%s of the kernel's samples"), share);
  g_autofree char *subtitle = g_strdup_printf (_ ("%s of %s landed in text that differs from what "
                                                  "perf annotate shows; another %s in text that "
                                                  "it does not show."),
                                               count, of, no_text);

  if (all->kernel_samples == 0) {
    adw_preferences_group_add (
        group,
        pen_recording_new_row (_ ("No kernel samples"), _ ("No samples landed in kernel text")));
    return;
  }
  if (!all->is_known) {
    adw_preferences_group_add (
        group, pen_recording_new_row (_ ("Unknown"),
                                      _ ("Kernel text patches were not recorded: the affected "
                                         "samples cannot be determined")));
    return;
  }
  if (all->rows->len == 0) {
    adw_preferences_group_add (
        group,
        pen_recording_new_row (_ ("None of the kernel's samples"),
                               _ ("No samples landed in text that perf annotate gets wrong")));
    return;
  }
  pen_recording_add_list (group, title, subtitle, fill_functions, 0, all->rows->len, self);
}

/* ---- losses and damage ---- */

#define TIME_KEY "pen-time"

static void
on_loss (PenRecordingView *self, GtkWidget *row)
{
  const guint64 *time = g_object_get_data (G_OBJECT (row), TIME_KEY);

  pen_session_show_time (self->session, *time);
  pen_session_set_playhead (self->session, *time);
}

static void
add_problem (PenRecordingView *self, AdwExpanderRow *list, const PenProblemRow *problem)
{
  g_autofree char *subtitle
      = g_strdup_printf ("%s%s%s", problem->detail, problem->place[0] ? "\n" : "", problem->place);
  GtkWidget *row = pen_recording_new_row (problem->title, subtitle);

  if (pen_span_length (problem->span) > 0) {
    g_object_set_data_full (G_OBJECT (row), TIME_KEY,
                            g_memdup2 (&problem->span.from, sizeof problem->span.from), g_free);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               gtk_image_new_from_icon_name ("find-location-symbolic"));
    g_signal_connect_object (row, "activated", G_CALLBACK (on_loss), self, G_CONNECT_SWAPPED);
  }
  adw_expander_row_add_row (list, row);
}

static void
fill_problems (gpointer owner, AdwExpanderRow *list, guint first, guint n)
{
  PenRecordingView *self = owner;

  for (guint i = first; i < first + MIN (n, LOSSES_MAX); i++)
    add_problem (self, list, g_ptr_array_index (self->problems, i));
  if (n > LOSSES_MAX)
    adw_expander_row_add_row (
        list, pen_recording_new_row (_ ("More"), _ ("pentimento-cli info lists all")));
}

/* The end of those that stand together with the one at @first. */
static guint
find_end_of_group (const GPtrArray *problems, guint first)
{
  const PenProblemRow *head = g_ptr_array_index (problems, first);
  guint end = first + 1;

  while (end < problems->len
         && ((const PenProblemRow *) g_ptr_array_index (problems, end))->group == head->group)
    end++;
  return end;
}

static void
add_problems (PenRecordingView *self, AdwPreferencesGroup *group)
{
  for (guint i = 0, end; i < self->problems->len; i = end) {
    const PenProblemRow *head = g_ptr_array_index (self->problems, i);

    end = find_end_of_group (self->problems, i);
    pen_recording_add_list (group, pen_problem_group_title (head->group), NULL, fill_problems, i,
                            end - i, self);
  }
  if (self->problems->len == 0)
    adw_preferences_group_add (
        group,
        pen_recording_new_row (_ ("None"), _ ("No records were lost, repaired or set aside")));
}

/* ---- details ---- */

static const PenInfoFact *
find_fact (const PenRecording *recording, const char *name)
{
  for (guint i = 0; i < recording->facts->len; i++) {
    const PenInfoFact *fact = g_ptr_array_index (recording->facts, i);

    if (g_str_equal (fact->key, name))
      return fact;
  }
  return NULL;
}

static void
add_outline (AdwPreferencesGroup *group, const PenRecording *recording)
{
  static const struct {
    const char *fact;
    const char *title;
  } shown[] = {
    { "command line", N_ ("Command") },  { "began", N_ ("Began") },
    { "ended", N_ ("Ended") },           { "host", N_ ("Machine") },
    { "kernel release", N_ ("Kernel") }, { "processor", N_ ("Processor") },
    { "CPUs online", N_ ("CPUs") },      { "perf version", "perf" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (shown); i++) {
    const PenInfoFact *fact = find_fact (recording, shown[i].fact);
    g_autofree char *value = fact ? pen_display_text (fact->value) : NULL;

    if (value)
      adw_preferences_group_add (group, pen_recording_new_property (_ (shown[i].title), value));
  }
}

/* The sources that were used, and why the others were not. */
static void
add_sources (AdwPreferencesPage *page, const PenRecording *recording)
{
  AdwPreferencesGroup *group = NULL;
  GtkWidget *button;

  for (guint i = 0; i < recording->facts->len; i++) {
    const PenInfoFact *fact = g_ptr_array_index (recording->facts, i);
    g_autofree char *name = NULL;
    g_autofree char *value = NULL;

    if (g_strcmp0 (fact->group, "source") != 0)
      continue;
    if (!group)
      group = pen_recording_add_group (page, _ ("Sources"),
                                       _ ("Sources of kernel names and bytes, used and unused"));
    name = pen_display_text (fact->fact);
    value = pen_display_text (fact->value);
    adw_preferences_group_add (group, pen_recording_new_row (name, value));
  }
  if (!group)
    group = pen_recording_add_group (
        page, _ ("Sources"), _ ("No kernel names or bytes in the recording, and none given"));
  button = gtk_button_new_with_mnemonic (_ ("_Preferences"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.preferences");
  gtk_widget_set_tooltip_text (button, _ ("Select sources for all recordings"));
  pen_spoken_names_mend (button);
  adw_preferences_group_set_header_suffix (group, button);
}

static void
fill_details (gpointer owner, AdwExpanderRow *list, guint first, guint n)
{
  const GPtrArray *facts = ((PenRecordingView *) owner)->recording->facts;

  for (guint i = first; i < first + n; i++) {
    const PenInfoFact *fact = g_ptr_array_index (facts, i);
    g_autofree char *name = pen_display_text (fact->fact);
    g_autofree char *value = pen_display_text (fact->value);

    adw_expander_row_add_row (list, pen_recording_new_property (name, value));
  }
}

/* All that `info` prints, a folded list for each of its groups. */
static void
add_details (PenRecordingView *self, AdwPreferencesGroup *group)
{
  const GPtrArray *facts = self->recording->facts;

  for (guint i = 0, end; i < facts->len; i = end) {
    const PenInfoFact *head = g_ptr_array_index (facts, i);
    g_autofree char *title = pen_display_text (head->heading);

    for (end = i + 1; end < facts->len; end++) {
      const PenInfoFact *fact = g_ptr_array_index (facts, end);

      if (g_strcmp0 (fact->heading, head->heading) != 0)
        break;
    }
    pen_recording_add_list (group, title, NULL, fill_details, i, end - i, self);
  }
}

/* Parts of the page, from its top. */
static void
add_part (PenRecordingView *self, guint part)
{
  const PenRecording *recording = self->recording;
  g_autoptr (GPtrArray) hidden = NULL;
  AdwPreferencesGroup *group;

  switch (part) {
  case 0:
    group = pen_recording_add_group (self->page, _ ("Recording Quality"), NULL);
    add_quality (group, recording->better);
    add_better (self, group);
    break;
  case 1:
    group
        = pen_recording_add_group (self->page, _ ("Misattribution"),
                                   _ ("perf annotate shows one text of each function for the whole "
                                      "recording. Samples it misattributes:"));
    add_misattribution (self, group, recording->misattribution);
    break;
  case 2:
    group = pen_recording_add_group (self->page, _ ("Details"), NULL);
    add_outline (group, recording);
    break;
  case 3:
    add_sources (self->page, recording);
    hidden = pen_sandbox_list_hidden (PEN_SANDBOX_INFO, g_get_home_dir ());
    pen_recording_add_hidden (self->page, hidden);
    break;
  case 4:
    group = pen_recording_add_group (self->page, _ ("Lost or Damaged"), NULL);
    add_problems (self, group);
    break;
  default:
    group = pen_recording_add_group (self->page, _ ("All Details"), NULL);
    add_details (self, group);
    break;
  }
}

/* The rest of the page, a part at a time, with a frame after each, while it is looked at. */
static gboolean
add_next_part (gpointer data)
{
  PenRecordingView *self = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    add_part (self, self->n_parts++);
  if (self->n_parts < N_PARTS && gtk_widget_get_mapped (GTK_WIDGET (self)))
    return G_SOURCE_CONTINUE;
  self->part_id = 0;
  return G_SOURCE_REMOVE;
}

static void
add_parts_later (PenRecordingView *self)
{
  if (self->part_id == 0 && self->recording && self->n_parts < N_PARTS)
    self->part_id
        = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, PART_MS, add_next_part, self, NULL);
}

static void
show_page (PenRecordingView *self)
{
  self->page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  for (self->n_parts = 0; self->n_parts < N_PARTS_FIRST; self->n_parts++)
    add_part (self, self->n_parts);
  adw_bin_set_child (self->bin, GTK_WIDGET (self->page));
  add_parts_later (self);
}

/* ---- keeping up with the session ---- */

static void
on_recording (PenRecordingView *self)
{
  PenRecording *recording = pen_session_get_answers (self->session)->recording;
  PenClock clock = pen_session_get_clock (self->session);
  const GError *error = pen_session_get_error (self->session, PEN_JOB_RECORDING);

  g_clear_handle_id (&self->part_id, g_source_remove);
  g_clear_pointer (&self->recording, pen_recording_unref);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  if (recording) {
    self->recording = g_atomic_rc_box_acquire (recording);
    self->problems = pen_problem_list_new (pen_session_get_opened (self->session), &clock);
  }
  if (error) {
    g_autofree char *message = pen_format_error (error);
    g_autofree char *escaped = g_markup_escape_text (message, -1);

    adw_status_page_set_description (self->error, escaped);
  }
  if (recording)
    show_page (self);
  else
    adw_bin_set_child (self->bin, NULL);
  gtk_stack_set_visible_child_name (self->stack, error ? "error" : recording ? "page" : "wait");
}

void
pen_recording_view_set_session (PenRecordingView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_recording (self);
}

static void
pen_recording_view_dispose (GObject *object)
{
  PenRecordingView *self = PEN_RECORDING_VIEW (object);

  g_clear_handle_id (&self->part_id, g_source_remove);
  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_RECORDING_VIEW);
  g_clear_pointer (&self->recording, pen_recording_unref);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_recording_view_parent_class)->dispose (object);
}

static void
pen_recording_view_class_init (PenRecordingViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_recording_view_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/recording/pen-recording-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenRecordingView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenRecordingView, error);
  gtk_widget_class_bind_template_child (widget_class, PenRecordingView, bin);
  /* GTK 4.8 draws for ever while a spinner turns that nobody sees. */
  gtk_widget_class_bind_template_callback (widget_class, pen_late_spinner_start);
  gtk_widget_class_bind_template_callback (widget_class, pen_late_spinner_stop);
}

static void
pen_recording_view_init (PenRecordingView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  g_signal_connect (self, "map", G_CALLBACK (add_parts_later), NULL);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::recording", G_CALLBACK (on_recording),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_recording), self);
}
