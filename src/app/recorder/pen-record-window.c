/* pen-record-window.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-window.h"

#include <glib/gi18n-lib.h>

#include "pen-chooser.h"
#include "pen-command-row.h"
#include "pen-display.h"
#include "pen-record-choices.h"
#include "pen-record-kept.h"
#include "pen-record-outlook.h"
#include "pen-spoken-names.h"

/* In a sandbox, how often it is looked whether the recording is there. */
#define LOOK_SECONDS 1
/* They show standard input. */
#define VIEWER "pentimento -"
#define SANDBOXED_VIEWER "flatpak run io.github.pentimento.Pentimento -"

struct _PenRecordWindow {
  AdwWindow parent_instance;

  gboolean is_sandboxed;
  gboolean is_closing; /* once it is recorded */
  PenRecorderClient *client;
  PenRecordProbe *probe;
  GCancellable *cancellable;
  GtkFileChooserNative *chooser; /* while it is open */
  char *folder;
  gboolean has_shown; /* it, while it grows */
  char *awaited;      /* (nullable): a recording that a command makes outside */
  guint tick;
  GPtrArray *missing_rows;

  GtkWidget *what;
  GtkWidget *how;
  GtkWidget *outside; /* of a sandbox */
  GtkWidget *choose;
  AdwPreferencesGroup *missing;
  AdwComboRow *target;
  GtkEditable *pid;
  GtkEditable *command;
  AdwComboRow *duration;
  AdwComboRow *event;
  AdwComboRow *rate;
  AdwComboRow *chains;
  GtkWidget *witness_row;
  GtkSwitch *witness;
  GtkWidget *administrator_row;
  GtkSwitch *administrator;
  AdwActionRow *folder_row;
  AdwActionRow *shell_row;
  PenCommandRow *remote;
  GtkWidget *spinner;
  GtkLabel *status;
  GtkButton *button;
};

G_DEFINE_FINAL_TYPE (PenRecordWindow, pen_record_window, ADW_TYPE_WINDOW)

enum { RECORDED, SIGNALS };
static guint signals[SIGNALS];

static void show (PenRecordWindow *self);

/* ---- what is chosen ---- */

static gboolean
is_busy (PenRecordWindow *self)
{
  return self->awaited || (self->client && pen_recorder_client_is_busy (self->client));
}

static gboolean
is_administrator (PenRecordWindow *self)
{
  return gtk_widget_get_visible (self->administrator_row)
         && gtk_switch_get_active (self->administrator);
}

/* Returns: (transfer full) (nullable): of a command; NULL with @problem, if one is wanted */
static char **
make_words (PenRecordWindow *self, const char **problem)
{
  g_auto (GStrv) words = NULL;

  if (adw_combo_row_get_selected (self->target) != PEN_RECORDER_COMMAND)
    return NULL;
  if (g_shell_parse_argv (gtk_editable_get_text (self->command), NULL, &words, NULL))
    return g_steal_pointer (&words);
  *problem = *gtk_editable_get_text (self->command) == '\0'
                 ? _ ("Enter a command")
                 : _ ("A quote in the command is not closed");
  return NULL;
}

/* @problem: (out): NULL, or why nothing can be recorded */
static PenRecorderRequest
make_request (PenRecordWindow *self, const char **problem)
{
  guint target = adw_combo_row_get_selected (self->target);
  PenRecorderRequest request = {
    .magic = PEN_RECORDER_MAGIC,
    .target = target,
    .event = adw_combo_row_get_selected (self->event),
    .chains = adw_combo_row_get_selected (self->chains),
    .has_witness = gtk_switch_get_active (self->witness) && target != PEN_RECORDER_PROCESS,
    .rate = pen_record_choices_get_rate (adw_combo_row_get_selected (self->rate)),
    .seconds = pen_record_choices_get_duration (adw_combo_row_get_selected (self->duration)),
  };
  gint64 pid;

  *problem = NULL;
  if (target != PEN_RECORDER_PROCESS)
    return request;
  if (!g_ascii_string_to_signed (gtk_editable_get_text (self->pid), 10, 2, G_MAXINT32, &pid, NULL))
    *problem = _ ("Enter the ID of a process");
  else
    request.pid = (gint32) pid;
  return request;
}

/* ---- what would be missing ---- */

static void
add_missing (PenRecordWindow *self, const char *sentence)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *shown = pen_display_text (sentence);
  g_autofree char *first = g_utf8_substring (shown, 0, 1);
  g_autofree char *upper = g_utf8_strup (first, -1);
  g_autofree char *title = g_strconcat (upper, shown + strlen (first), NULL);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  adw_preferences_group_add (self->missing, row);
  g_ptr_array_add (self->missing_rows, row);
}

static void
show_lacks (PenRecordWindow *self, const GPtrArray *lacks)
{
  for (guint i = 0; i < lacks->len; i++) {
    g_autofree char *sentence = pen_record_lack_describe (lacks->pdata[i]);

    add_missing (self, sentence);
  }
}

/* Of the recording, if it is made; else of the next one.
 * Returns: FALSE: nothing can be recorded */
static gboolean
show_missing (PenRecordWindow *self, const PenRecorderRequest *request)
{
  gboolean is_made
      = self->client && pen_recorder_client_get_stage (self->client) == PEN_RECORDING_DONE;
  g_autoptr (GError) wrong = NULL;

  for (guint i = 0; i < self->missing_rows->len; i++)
    adw_preferences_group_remove (self->missing, self->missing_rows->pdata[i]);
  g_ptr_array_set_size (self->missing_rows, 0);
  if (is_made) {
    show_lacks (self, pen_recorder_client_get_lacks (self->client));
  } else if (self->probe && !self->is_sandboxed) {
    g_autoptr (GPtrArray) lacks
        = pen_record_outlook_list (self->probe, request, is_administrator (self), &wrong);

    if (lacks)
      show_lacks (self, lacks);
    else
      add_missing (self, wrong->message);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->missing), self->missing_rows->len > 0);
  return !wrong;
}

static void
on_probed (GObject *object, GAsyncResult *result, gpointer data)
{
  PenRecordProbe *probe = pen_record_outlook_probe_finish (result, NULL);
  PenRecordWindow *self = data;

  /* Cancelled: it is gone. */
  if (!probe)
    return;
  self->probe = probe;
  show (self);
}

/* ---- what is going on ---- */

static char *
describe_elapsed (PenRecordWindow *self)
{
  gint64 seconds = pen_recorder_client_get_elapsed (self->client) / G_USEC_PER_SEC;

  return g_strdup_printf ("%d:%02d", (int) (seconds / 60), (int) (seconds % 60));
}

static char *
describe_end (PenRecordWindow *self)
{
  g_autofree char *path = pen_display_text (pen_recorder_client_get_path (self->client));

  switch (pen_recorder_client_get_end (self->client)) {
  case PEN_RECORDER_FULL:
    return g_strdup_printf (_ ("Recording ended early: the disk of /var/tmp is nearly full. %s"),
                            path);
  case PEN_RECORDER_PERF:
    return g_strdup_printf (_ ("perf ended the recording. %s"), path);
  case PEN_RECORDER_STOPPED:
  case PEN_RECORDER_TIME:
  case PEN_RECORDER_GONE:
  default:
    return g_strdup_printf (_ ("Recorded: %s"), path);
  }
}

static char *
describe_status (PenRecordWindow *self)
{
  g_autofree char *elapsed = NULL;

  if (self->awaited)
    return g_strdup (_ ("Waiting for the recording. It opens when the command has ended"));
  if (!self->client)
    return g_strdup ("");
  elapsed = describe_elapsed (self);
  switch (pen_recorder_client_get_stage (self->client)) {
  case PEN_RECORDING_ASKING:
    return g_strdup (is_administrator (self) ? _ ("Waiting for authentication")
                                             : _ ("Starting the recorder"));
  case PEN_RECORDING_PREPARING:
    return g_strdup (_ ("Copying the kernel's code and lists"));
  case PEN_RECORDING_RUNNING:
    return g_strdup_printf (_ ("Recording, %s"), elapsed);
  case PEN_RECORDING_FINISHING:
    return g_strdup (_ ("Finishing the recording"));
  case PEN_RECORDING_MOVING:
    return g_strdup (_ ("Moving the recording to its folder"));
  case PEN_RECORDING_DONE:
    return describe_end (self);
  case PEN_RECORDING_FAILED:
  default:
    return g_strdup (pen_recorder_client_get_error (self->client)->message);
  }
}

static void
show_button (PenRecordWindow *self, gboolean can_record)
{
  gboolean has_recorded = self->client && !is_busy (self);
  PenRecordingStage stage
      = self->client ? pen_recorder_client_get_stage (self->client) : PEN_RECORDING_FAILED;
  GtkWidget *button = GTK_WIDGET (self->button);

  if (is_busy (self)) {
    gtk_button_set_label (self->button, stage == PEN_RECORDING_RUNNING && !self->awaited
                                            ? _ ("_Stop")
                                            : _ ("_Cancel"));
    gtk_widget_remove_css_class (button, "suggested-action");
    gtk_widget_add_css_class (button, "destructive-action");
    gtk_widget_set_sensitive (button, self->awaited || stage <= PEN_RECORDING_RUNNING);
    return;
  }
  gtk_button_set_label (self->button, self->is_sandboxed ? _ ("_Copy Command and Wait")
                                      : has_recorded     ? _ ("_Record Again")
                                                         : _ ("_Record"));
  gtk_widget_remove_css_class (button, "destructive-action");
  gtk_widget_add_css_class (button, "suggested-action");
  gtk_widget_set_sensitive (button, can_record);
}

static gboolean
on_tick (gpointer data)
{
  PenRecordWindow *self = data;
  g_autofree char *status = describe_status (self);

  gtk_label_set_text (self->status, status);
  return G_SOURCE_CONTINUE;
}

/* With its name, so that one sees whether it is the one that was meant. */
static void
show_process (PenRecordWindow *self, gint32 pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/comm", pid);
  g_autofree char *name = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *title = NULL;

  if (pid > 0 && g_file_get_contents (path, &name, NULL, NULL))
    shown = pen_display_text (g_strchomp (name));
  title = shown ? g_strdup_printf (_ ("Process ID: %s"), shown) : g_strdup (_ ("Process ID"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->pid), title);
}

static char *
make_path (PenRecordWindow *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *name = g_date_time_format (now, "perf-%Y%m%d-%H%M%S.data");

  return g_build_filename (self->folder, name, NULL);
}

/* @words: of the command under test, or NULL; @problem: (nullable): what is still to be entered */
static void
show_command (PenRecordWindow *self, const PenRecorderRequest *request, char **words,
              const char *problem)
{
  g_autofree char *path = self->awaited ? g_strdup (self->awaited) : make_path (self);
  g_autofree char *command
      = problem ? g_strdup ("") : pen_record_choices_make_command (request, words, path);
  g_autofree char *shown = pen_display_text (command);

  adw_action_row_set_subtitle (self->shell_row, shown);
}

static void
show_remote (PenRecordWindow *self, const PenRecorderRequest *request, char **words,
             const char *problem)
{
  g_autofree char *command
      = problem ? NULL
                : pen_record_choices_make_remote_command (
                    request, words, self->is_sandboxed ? SANDBOXED_VIEWER : VIEWER);

  pen_command_row_set_command (self->remote, command);
}

static void
show (PenRecordWindow *self)
{
  guint target = adw_combo_row_get_selected (self->target);
  gboolean busy = is_busy (self);
  const char *problem;
  PenRecorderRequest request = make_request (self, &problem);
  g_auto (GStrv) words = make_words (self, &problem);
  g_autofree char *status = describe_status (self);
  g_autofree char *folder = pen_display_text (self->folder);
  gboolean can_record;

  gtk_widget_set_visible (GTK_WIDGET (self->pid), target == PEN_RECORDER_PROCESS);
  show_process (self, request.pid);
  gtk_widget_set_visible (GTK_WIDGET (self->command), target == PEN_RECORDER_COMMAND);
  /* Its program needs events of CPUs. */
  gtk_widget_set_visible (self->witness_row, target != PEN_RECORDER_PROCESS && !self->is_sandboxed);
  gtk_widget_set_sensitive (self->what, !busy);
  gtk_widget_set_sensitive (self->how, !busy);
  adw_action_row_set_subtitle (self->folder_row, folder);
  if (self->is_sandboxed)
    show_command (self, &request, words, problem);
  show_remote (self, &request, words, problem);
  can_record = show_missing (self, &request) && !problem;
  gtk_widget_set_visible (self->spinner, busy);
  gtk_label_set_text (self->status, *status == '\0' && problem ? problem : status);
  show_button (self, can_record);
  pen_spoken_names_mend (GTK_WIDGET (self->button));
}

static void
on_changed (PenRecordWindow *self)
{
  if (self->is_closing || is_busy (self))
    return;
  /* It is about the next one now. */
  if (self->client)
    g_signal_handlers_disconnect_by_data (self->client, self);
  g_clear_object (&self->client);
  show (self);
}

/* ---- the next time ---- */

static void
keep_choices (PenRecordWindow *self, const PenRecorderRequest *request)
{
  PenRecorderRequest kept = *request;

  /* Of a process there is none. */
  kept.has_witness = gtk_switch_get_active (self->witness);
  pen_record_kept_set (&kept, gtk_switch_get_active (self->administrator));
}

static void
show_kept_choices (PenRecordWindow *self)
{
  const char *problem;
  PenRecorderRequest request = make_request (self, &problem);
  gboolean as_administrator = gtk_switch_get_active (self->administrator);

  request.has_witness = gtk_switch_get_active (self->witness);
  pen_record_kept_get (&request, &as_administrator);
  adw_combo_row_set_selected (self->target, request.target);
  adw_combo_row_set_selected (self->event, request.event);
  adw_combo_row_set_selected (self->chains, request.chains);
  adw_combo_row_set_selected (self->duration, pen_record_choices_find_duration (request.seconds));
  adw_combo_row_set_selected (self->rate, pen_record_choices_find_rate (request.rate));
  gtk_switch_set_active (self->witness, request.has_witness != 0);
  gtk_switch_set_active (self->administrator, as_administrator);
}

/* ---- recording ---- */

static void
stop_tick (PenRecordWindow *self)
{
  g_clear_handle_id (&self->tick, g_source_remove);
}

static void
finish (PenRecordWindow *self, const char *path)
{
  g_autofree char *kept = g_strdup (path);

  stop_tick (self);
  if (kept)
    g_signal_emit (self, signals[RECORDED], 0, kept);
  if (self->is_closing)
    gtk_window_destroy (GTK_WINDOW (self));
}

static void
on_client_changed (PenRecordWindow *self)
{
  g_autoptr (PenRecordWindow) held = g_object_ref (self);
  PenRecordingStage stage = pen_recorder_client_get_stage (self->client);
  const char *path = pen_recorder_client_get_path (self->client);

  show (self);
  /* A recorder may fall before the file has its place. */
  if ((stage == PEN_RECORDING_RUNNING || stage == PEN_RECORDING_FAILED) && path
      && !self->has_shown) {
    self->has_shown = TRUE;
    g_signal_emit (self, signals[RECORDED], 0, path);
  }
  if (stage == PEN_RECORDING_DONE)
    finish (self, path);
  else if (stage == PEN_RECORDING_FAILED)
    finish (self, NULL);
}

static void
record (PenRecordWindow *self)
{
  const char *problem;
  PenRecorderRequest request = make_request (self, &problem);
  g_auto (GStrv) words = make_words (self, &problem);

  if (problem)
    return;
  if (self->client)
    g_signal_handlers_disconnect_by_data (self->client, self);
  g_clear_object (&self->client);
  keep_choices (self, &request);
  self->has_shown = FALSE;
  self->client = pen_recorder_client_new (&request, words, is_administrator (self), self->folder);
  g_signal_connect_swapped (self->client, "changed", G_CALLBACK (on_client_changed), self);
  self->tick = g_timeout_add_seconds (1, on_tick, self);
  show (self);
}

/* ---- in a sandbox ---- */

static void
stop_waiting (PenRecordWindow *self)
{
  stop_tick (self);
  g_clear_pointer (&self->awaited, g_free);
  show (self);
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (PenRecordWindow) self = data;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (object), result, NULL);
  g_autofree char *path = NULL;

  /* It can be read once the last part of the command gave it to the user. */
  if (!self->awaited || !info
      || !g_file_info_get_attribute_boolean (info, G_FILE_ATTRIBUTE_ACCESS_CAN_READ))
    return;
  path = g_strdup (self->awaited);
  stop_waiting (self);
  finish (self, path);
}

static gboolean
look (gpointer data)
{
  PenRecordWindow *self = data;
  g_autofree char *data_path = g_build_filename (self->awaited, "data", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (data_path);

  g_file_query_info_async (file, G_FILE_ATTRIBUTE_ACCESS_CAN_READ, G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT, self->cancellable, on_looked, g_object_ref (self));
  return G_SOURCE_CONTINUE;
}

static void
on_copy (PenRecordWindow *self)
{
  const char *problem;
  PenRecorderRequest request = make_request (self, &problem);
  g_auto (GStrv) words = make_words (self, &problem);
  g_autofree char *command = NULL;

  if (problem)
    return;
  keep_choices (self, &request);
  if (!self->awaited) {
    self->awaited = make_path (self);
    self->tick = g_timeout_add_seconds (LOOK_SECONDS, look, self);
  }
  command = pen_record_choices_make_command (&request, words, self->awaited);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  show (self);
}

/* ---- */

static void
on_button (PenRecordWindow *self)
{
  if (self->awaited)
    stop_waiting (self);
  else if (self->is_sandboxed)
    on_copy (self);
  else if (is_busy (self))
    pen_recorder_client_stop (self->client);
  else
    record (self);
}

static void
on_chosen (PenRecordWindow *self, int response, GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = NULL;

  g_clear_pointer (&self->chooser, pen_chooser_release);
  file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                                         : NULL;
  if (!file || !g_file_peek_path (file))
    return;
  g_free (self->folder);
  self->folder = g_file_get_path (file);
  on_changed (self);
}

static void
on_choose (PenRecordWindow *self)
{
  g_clear_pointer (&self->chooser, pen_chooser_release);
  self->chooser = gtk_file_chooser_native_new (_ ("Folder for Recordings"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, NULL, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_chosen), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static gboolean
pen_record_window_close_request (GtkWindow *window)
{
  PenRecordWindow *self = PEN_RECORD_WINDOW (window);

  if (self->client && pen_recorder_client_is_busy (self->client)) {
    self->is_closing = TRUE;
    pen_recorder_client_stop (self->client);
    return TRUE;
  }
  return GTK_WINDOW_CLASS (pen_record_window_parent_class)->close_request (window);
}

PenRecorderClient *
pen_record_window_get_client (PenRecordWindow *self)
{
  return self->client;
}

static void
pen_record_window_dispose (GObject *object)
{
  PenRecordWindow *self = PEN_RECORD_WINDOW (object);

  stop_tick (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_pointer (&self->chooser, pen_chooser_release);
  if (self->client)
    g_signal_handlers_disconnect_by_data (self->client, self);
  g_clear_object (&self->client);
  gtk_window_set_focus (GTK_WINDOW (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_RECORD_WINDOW);

  G_OBJECT_CLASS (pen_record_window_parent_class)->dispose (object);
}

static void
pen_record_window_finalize (GObject *object)
{
  PenRecordWindow *self = PEN_RECORD_WINDOW (object);

  g_clear_pointer (&self->probe, pen_record_probe_free);
  g_object_unref (self->cancellable);
  g_free (self->folder);
  g_free (self->awaited);
  g_ptr_array_unref (self->missing_rows);

  G_OBJECT_CLASS (pen_record_window_parent_class)->finalize (object);
}

static void
pen_record_window_class_init (PenRecordWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_record_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = pen_record_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = pen_record_window_close_request;
  signals[RECORDED] = g_signal_new ("recorded", PEN_TYPE_RECORD_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure (PEN_TYPE_COMMAND_ROW);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/recorder/pen-record-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, what);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, how);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, outside);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, missing);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, target);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, pid);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, command);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, duration);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, event);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, rate);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, chains);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, witness_row);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, witness);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, administrator_row);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, administrator);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, folder_row);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, choose);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, shell_row);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, remote);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, status);
  gtk_widget_class_bind_template_child (widget_class, PenRecordWindow, button);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_button);
  gtk_widget_class_bind_template_callback (widget_class, on_choose);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
}

static void
pen_record_window_init (PenRecordWindow *self)
{
  g_autoptr (GListModel) durations = pen_record_choices_list_durations ();
  g_autoptr (GListModel) rates = pen_record_choices_list_rates ();

  self->cancellable = g_cancellable_new ();
  self->folder = g_strdup (g_get_home_dir ());
  self->missing_rows = g_ptr_array_new ();
  /* Its rows are not all there while it is made. */
  self->is_closing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  adw_combo_row_set_model (self->duration, durations);
  adw_combo_row_set_model (self->rate, rates);
  adw_combo_row_set_selected (self->rate, PEN_RECORD_CHOICES_RATE);
  show_kept_choices (self);
  self->is_closing = FALSE;
  pen_spoken_names_mend (GTK_WIDGET (self));
}

PenRecordWindow *
pen_record_window_new (GtkApplication *application, gboolean is_sandboxed)
{
  PenRecordWindow *self = g_object_new (PEN_TYPE_RECORD_WINDOW, "application", application, NULL);

  self->is_sandboxed = is_sandboxed;
  gtk_widget_set_visible (self->administrator_row, !is_sandboxed && pen_recorder_client_can_ask ());
  gtk_widget_set_visible (self->outside, is_sandboxed);
  /* A folder from a portal has a name that only the sandbox knows; that of its data is the same
   * outside. */
  gtk_widget_set_visible (self->choose, !is_sandboxed);
  if (is_sandboxed) {
    g_free (self->folder);
    self->folder = g_strdup (g_get_user_data_dir ());
  } else
    pen_record_outlook_probe_async (self->cancellable, on_probed, self);
  show (self);
  return self;
}
