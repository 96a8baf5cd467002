/* pictures.c: a picture of every view in every guise, for people to look at
 *
 * ./dev pictures makes sheets of what comes out; nothing is compared. With --audit it is a test:
 * each view is looked at by contrast-audit.h, focus-audit.h and text-audit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pictures.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "contrast-audit.h"
#include "focus-audit.h"
#include "pen-layout.h"
#include "pen-screenshot.h"
#include "pen-translations.h"
#include "text-audit.h"

static const char *const colours[] = { "light", "dark", "contrast", "dark-contrast" };

static const struct {
  const char *name;
  int width;
  int height;
} sizes[] = { { "1920x1080", 1920, 1080 },
              { "1280x800", 1280, 800 },
              { "900x600", 900, 600 },
              { "400x700", 400, 700 } };

#define PLAIN_DPI (96 * 1024)

static const char *directory;
static char **captures;
static const char *other; /* that the next window is compared with */
static char **wanted;     /* words that the name of a picture has to have; NULL: all */
static gboolean is_audit;
static gboolean only_texts;
static guint n_views;
static guint n_faults;

/* ---- a desktop ---- */

static void
dress (const Guise *guise)
{
  /* Where a desktop keeps it; in memory here. */
  g_autoptr (GSettings) settings = g_settings_new ("org.gnome.desktop.a11y.interface");

  g_settings_set_boolean (settings, "high-contrast", strstr (guise->colours, "contrast") != NULL);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      g_str_has_prefix (guise->colours, "dark")
                                          ? ADW_COLOR_SCHEME_FORCE_DARK
                                          : ADW_COLOR_SCHEME_FORCE_LIGHT);
  gtk_widget_set_default_direction (guise->is_rtl ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi",
                guise->is_large ? PLAIN_DPI * 2 : PLAIN_DPI, NULL);
}

static char *
name_picture (const Guise *guise, const char *capture, const char *view)
{
  const char *scale = g_getenv ("GDK_SCALE");

  return g_strdup_printf ("%s%s%s-%s%s%s.%s.%s.png", guise->colours, guise->is_rtl ? "-rtl" : "",
                          guise->is_large ? "-large" : "", guise->size, scale ? "@" : "",
                          scale ? scale : "", capture, view);
}

gboolean
pictures_is_wanted (const Guise *guise, const char *capture, const char *view)
{
  g_autofree char *name = name_picture (guise, capture, view);

  for (char **word = wanted; word && *word; word++) {
    if (!strstr (name, *word))
      return FALSE;
  }
  return TRUE;
}

/* Words that tell of a view, or a capture, have a dot. */
static gboolean
is_guise_wanted (const Guise *guise)
{
  g_autofree char *name = name_picture (guise, "", "");

  for (char **word = wanted; word && *word; word++) {
    if (!strchr (*word, '.') && !strstr (name, *word))
      return FALSE;
  }
  return TRUE;
}

void
pictures_settle (PenWindow *window)
{
  app_support_run (150);
  app_support_settle (window->session);
  app_support_run (150);
}

void
pictures_resize (GtkWindow *window, const Guise *guise)
{
  guint n_turns = 0;

  gtk_window_set_default_size (window, guise->width, guise->height);
  while (ABS (gtk_widget_get_width (GTK_WIDGET (window)) - guise->width) > 40 && n_turns++ < 100)
    app_support_run (20);
}

gboolean
pictures_is_audit (void)
{
  return is_audit;
}

/* Only a window that has the focus is read: what others fade is left out. */
static void
audit (GtkWidget *widget, const char *name)
{
  gtk_widget_unset_state_flags (widget, GTK_STATE_FLAG_BACKDROP);
  app_support_run (20);
  n_faults += text_audit (widget, name);
  n_views++;
  if (only_texts)
    return;
  n_faults += contrast_audit (widget, name);
  if (GTK_IS_WINDOW (widget))
    n_faults += focus_audit (GTK_WINDOW (widget), NULL, name);
}

void
pictures_check_focus (GtkWindow *window, GtkWidget *within, const Guise *guise, const char *capture,
                      const char *view)
{
  g_autofree char *name = name_picture (guise, capture, view);

  if (is_audit && !only_texts)
    n_faults += focus_audit (window, within, name);
}

void
pictures_take (GtkWidget *widget, const Guise *guise, const char *capture, const char *view)
{
  g_autofree char *name = name_picture (guise, capture, view);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;

  if (is_audit) {
    audit (widget, name);
    return;
  }
  /* Between two frames there may be nothing. */
  for (guint i = 0; i < 40; i++) {
    g_clear_error (&error);
    if (pen_screenshot_write (widget, path, 0666, &error))
      return;
    app_support_run (25);
  }
  g_printerr ("%s: %s\n", name, error->message);
}

/* ---- windows of their own ---- */

static GtkWidget *
find_newest (PenWindow *window)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();
  GtkWidget *found = NULL;

  for (GList *at = all; at; at = at->next) {
    if (at->data != window && gtk_widget_get_mapped (at->data) && !PEN_IS_WINDOW (at->data))
      found = at->data;
  }
  return found;
}

static void
take_dialog (PenWindow *window, const char *action, const Guise *guise, const char *capture,
             const char *view)
{
  GtkWidget *dialog;

  if (!pictures_is_wanted (guise, capture, view))
    return;
  if (g_str_has_prefix (action, "app."))
    g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()),
                                    action + strlen ("app."), NULL);
  else
    gtk_widget_activate_action (GTK_WIDGET (window), action, NULL);
  app_support_run (300);
  dialog = find_newest (window);
  if (!dialog) {
    g_printerr ("%s: no window came up\n", action);
    return;
  }
  if (gtk_widget_get_width (dialog) > guise->width
      && gtk_window_get_resizable (GTK_WINDOW (dialog)))
    pictures_resize (GTK_WINDOW (dialog), guise);
  pictures_take (dialog, guise, capture, view);
  gtk_window_destroy (GTK_WINDOW (dialog));
  app_support_run (20);
}

/* ---- a capture ---- */

static void
take_page (PenWindow *window, const char *page, const Guise *guise, const char *capture)
{
  if (!pictures_is_wanted (guise, capture, page))
    return;
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", page);
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, capture, page);
}

/* What a narrow window shows one at a time. */
static void
take_panes (PenWindow *window, const Guise *guise, const char *capture)
{
  static const char *const panes[] = { "annotation", "history", "functions" };

  if (guise->width > 500)
    return;
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "code");
  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++) {
    g_autofree char *view = g_strdup_printf ("code-%s", panes[i]);

    gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", panes[i]);
    pictures_settle (window);
    if (pictures_is_wanted (guise, capture, view))
      pictures_take (GTK_WIDGET (window), guise, capture, view);
  }
}

static gboolean
is_scrolled (GtkWidget *widget, gpointer data)
{
  return GTK_IS_SCROLLED_WINDOW (widget) && gtk_widget_get_mapped (widget);
}

/* Recording is more than a window holds. */
static void
take_rest_of_recording (PenWindow *window, const Guise *guise, const char *capture)
{
  GtkWidget *scrolled;
  GtkAdjustment *adjustment;

  if (!pictures_is_wanted (guise, capture, "recording-rest"))
    return;
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "recording");
  pictures_settle (window);
  scrolled = window_support_find_widget (GTK_WIDGET (window->recording), is_scrolled, NULL);
  if (!scrolled)
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_page_size (adjustment) * 0.95);
  app_support_run (100);
  pictures_take (GTK_WIDGET (window), guise, capture, "recording-rest");
  gtk_adjustment_set_value (adjustment, 0);
}

static void
take_filtered (PenWindow *window, const Guise *guise, const char *capture)
{
  PenSpan span = pen_session_get_span (window->session);
  PenSpan part = { span.from + pen_span_length (span) / 4, span.to - pen_span_length (span) / 3 };

  if (!pictures_is_wanted (guise, capture, "filtered"))
    return;
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "code");
  pen_session_set_selected (window->session, &part);
  pen_session_add_filter_text (window->session, "kind:kernel,bpf,stub", NULL);
  pen_session_add_filter_text (window->session, "!comm:perf", NULL);
  pen_session_add_filter_text (window->session, "changed", NULL);
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, capture, "filtered");
  /* All is gone where nothing is left. */
  pen_session_add_filter_text (window->session, "comm:nobody", NULL);
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, capture, "nothing-left");
  pen_session_clear_filter (window->session);
  pictures_settle (window);
}

static void
take_stacks (PenWindow *window, const Guise *guise, const char *capture, const char *view,
             const PenFlameState *state)
{
  g_autoptr (PenFlameState) copy = pen_flame_state_copy (state);

  if (!pictures_is_wanted (guise, capture, view))
    return;
  pen_session_set_flame (window->session, copy);
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, capture, view);
}

/* A heat map, from the middle of which time is selected. */
static void
take_heat (PenWindow *window, const Guise *guise, const char *capture)
{
  g_autoptr (PenFlameState) state = pen_flame_state_new ();
  PenSpan span = pen_session_get_span (window->session);
  guint64 length = pen_span_length (span);
  PenSpan part = { span.from + length * 47 / 100, span.from + length * 58 / 100 };

  state->is_heat = TRUE;
  take_stacks (window, guise, capture, "callers-heat", state);
  pen_session_set_selected (window->session, &part);
  take_stacks (window, guise, capture, "callers-heat-part", state);
  pen_session_set_selected (window->session, NULL);
  state->measure = PEN_STACK_OFF_CPU;
  if (pen_session_get_opened (window->session)->has_waits)
    take_stacks (window, guise, capture, "callers-off-cpu", state);
}

/* The other pages in time off CPU, with rows of processes, and where those of CPUs would be. */
static void
take_off_cpu (PenWindow *window, const Guise *guise, const char *capture)
{
  static const char *const pages[] = { "code", "occupants", "map", "causes" };
  static const char *const panes[] = { "annotation", "history", "functions" };
  PenSpan span = pen_session_get_span (window->session);
  g_autoptr (PenFlameState) state = pen_flame_state_new ();
  PenPage before = pen_session_get_view (window->session)->page;

  if (!pen_session_get_opened (window->session)->has_waits)
    return;
  state->measure = PEN_STACK_OFF_CPU;
  pen_session_set_flame (window->session, state);
  pen_session_set_playhead (window->session, span.from + pen_span_length (span) / 2);
  for (guint key = 0; key < 2; key++)
    pen_session_set_shows_tasks (window->session, key, TRUE);
  for (gsize i = 0; guise->width < 500 && i < G_N_ELEMENTS (panes); i++) {
    g_autofree char *view = g_strconcat ("off-cpu-code-", panes[i], NULL);

    gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "code");
    gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", panes[i]);
    pictures_settle (window);
    if (pictures_is_wanted (guise, capture, view))
      pictures_take (GTK_WIDGET (window), guise, capture, view);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autofree char *view = g_strconcat ("off-cpu-", pages[i], NULL);

    if (!pictures_is_wanted (guise, capture, view))
      continue;
    gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", pages[i]);
    pictures_settle (window);
    pictures_take (GTK_WIDGET (window), guise, capture, view);
  }
  for (guint key = 0; key < 2; key++)
    pen_session_set_shows_tasks (window->session, key, FALSE);
  pen_session_set_flame (window->session, NULL);
  pen_session_set_page (window->session, before);
  pictures_settle (window);
}

/* Stacks in time order, by CPU and by task; of a part, too. */
static void
take_chart (PenWindow *window, const Guise *guise, const char *capture)
{
  g_autoptr (PenFlameState) state = pen_flame_state_new ();
  PenSpan span = pen_session_get_span (window->session);
  guint64 length = pen_span_length (span);

  state->is_chart = TRUE;
  take_stacks (window, guise, capture, "callers-chart", state);
  pen_session_set_visible (
      window->session, (PenSpan){ span.from + length * 47 / 100, span.from + length * 49 / 100 });
  state->chart_key = PEN_CHART_BY_TASK;
  take_stacks (window, guise, capture, "callers-chart-tasks", state);
  pen_session_set_visible (window->session, span);
}

/* Stacks that are searched, looked into, turned round, and listed. */
static void
take_callers (PenWindow *window, const Guise *guise, const char *capture)
{
  GtkEditable *search = window_support_child (window->callers, "search");
  g_autoptr (PenFlameState) state = pen_flame_state_new ();
  guint32 group;

  pen_session_set_page (window->session, PEN_PAGE_CALLERS);
  pictures_settle (window);
  if (!pen_session_get_answers (window->session)->flame)
    return;
  gtk_editable_set_text (search, "vfs");
  take_stacks (window, guise, capture, "callers-search", NULL);
  gtk_editable_set_text (search, "");
  group = pen_flame_tree_get (pen_session_get_answers (window->session)->flame->tree, 1)->group;
  g_array_append_val (state->zoom, group);
  state->is_downwards = TRUE;
  take_stacks (window, guise, capture, "callers-zoom", state);
  pen_flame_state_set_zoom (state, NULL);
  state->is_inverted = TRUE;
  pen_session_get_function (window->session, &state->focus);
  take_stacks (window, guise, capture, "callers-focus", state);
  state->is_table = TRUE;
  state->is_inverted = FALSE;
  take_stacks (window, guise, capture, "callers-table", state);
  state->is_table = FALSE;
  state->focus = PEN_FLAME_NO_FUNCTION;
  pen_flame_state_compare_batch (state, 2, (PenWindowRules){ .crosses = TRUE });
  take_stacks (window, guise, capture, "callers-difference", state);
  state->is_table = TRUE;
  take_stacks (window, guise, capture, "callers-difference-table", state);
  take_heat (window, guise, capture);
  take_chart (window, guise, capture);
  pen_session_set_flame (window->session, NULL);
}

/* With the next one on the command line. */
static void
take_compared (PenWindow *window, const Guise *guise, const char *capture)
{
  static const char *const details[]
      = { "compared", "compared-sources", "compared-callers", "compared-paths", "compared-causes" };
  g_autoptr (GFile) file = NULL;

  if (!other || !pictures_is_wanted (guise, capture, "compared"))
    return;
  file = g_file_new_for_path (other);
  pen_window_compare_with (window, file);
  app_support_wait_for (pen_pair_session_get_state (window->pair) != PEN_PAIR_OPENING
                        && !pen_pair_session_is_busy (window->pair));
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, capture, "compared");
  for (guint i = 1; i < G_N_ELEMENTS (details); i++) {
    gtk_drop_down_set_selected (
        window_support_child (pen_pair_view_get_detail (window->pair_view), "choice"), i);
    app_support_wait_for (!pen_pair_session_is_busy (window->pair));
    pictures_settle (window);
    pictures_take (GTK_WIDGET (window), guise, capture, details[i]);
  }
  gtk_drop_down_set_selected (
      window_support_child (pen_pair_view_get_detail (window->pair_view), "choice"), 0);
  pen_pair_session_close (window->pair);
}

/* Two times of the recording itself. */
static void
take_times (PenWindow *window, const Guise *guise, const char *capture)
{
  if (!pictures_is_wanted (guise, capture, "times"))
    return;
  gtk_widget_activate_action (GTK_WIDGET (window), "win.compare-times", NULL);
  app_support_wait_for (pen_pair_session_get_state (window->pair) != PEN_PAIR_OPENING
                        && !pen_pair_session_is_busy (window->pair));
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, capture, "times");
  pen_pair_session_close (window->pair);
  pen_session_set_selected (window->session, NULL);
  pictures_settle (window);
}

static void
take_capture (PenWindow *window, const Guise *guise, const char *capture)
{
  static const char *const pages[]
      = { "code", "callers", "map", "causes", "occupants", "recording" };
  guint64 address;

  pictures_resize (GTK_WINDOW (window), guise);
  if (!pen_session_get_line (window->session, &address)
      && pen_answers_find_hottest_line (pen_session_get_answers (window->session), &address))
    pen_window_show_line (window, address);
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    take_page (window, pages[i], guise, capture);
  take_callers (window, guise, capture);
  take_off_cpu (window, guise, capture);
  take_rest_of_recording (window, guise, capture);
  take_panes (window, guise, capture);
  take_filtered (window, guise, capture);
  take_compared (window, guise, capture);
  take_times (window, guise, capture);
  pictures_take_boxes (window, guise, capture);
  take_dialog (window, "win.add-note", guise, capture, "note");
  take_dialog (window, "win.notes", guise, capture, "notes");
}

/* ---- what is there without one ---- */

static void
take_import (const Guise *guise)
{
  g_autofree char *path = app_support_temporary ("perf.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  PenWindow *window;

  if (!pictures_is_wanted (guise, "none", "import"))
    return;
  if (mkfifo (path, 0600) != 0)
    return;
  window = window_support_new_window ();
  pictures_resize (GTK_WINDOW (window), guise);
  pen_window_open (window, file);
  app_support_run (300);
  pictures_take (GTK_WIDGET (window), guise, "none", "import");
  pen_session_cancel (window->session);
  window_support_close_window (window);
  g_remove (path);
}

static void
take_error (const Guise *guise, const char *name, const char *text, gsize length, const char *view)
{
  g_autofree char *path = app_support_temporary (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  PenWindow *window;

  if (!pictures_is_wanted (guise, "none", view))
    return;
  if (text)
    g_file_set_contents (path, text, (gssize) length, NULL);
  window = window_support_new_window ();
  pictures_resize (GTK_WINDOW (window), guise);
  pen_window_open (window, file);
  pictures_settle (window);
  pictures_take (GTK_WIDGET (window), guise, "none", view);
  window_support_close_window (window);
}

static void
take_others (const Guise *guise)
{
  PenWindow *window;

  dress (guise);
  window = window_support_new_window ();
  pictures_resize (GTK_WINDOW (window), guise);
  app_support_run (100);
  if (pictures_is_wanted (guise, "none", "empty"))
    pictures_take (GTK_WIDGET (window), guise, "none", "empty");
  if (captures[0] && pictures_is_wanted (guise, "none", "tour")) {
    pen_layout_set (pen_layout_get_default (), "tour.shown", NULL);
    window_support_activate (window, "win.explore");
    app_support_wait_for (gtk_widget_get_mapped (GTK_WIDGET (window->tour)));
    pictures_settle (window);
    /* It lies over the window, whose words below it are no words any more. */
    pictures_take (is_audit ? GTK_WIDGET (window->tour) : GTK_WIDGET (window), guise, "none",
                   "tour");
    window_support_close_window (window);
    window = window_support_new_window ();
    pictures_resize (GTK_WINDOW (window), guise);
  }
  take_dialog (window, "app.preferences", guise, "none", "preferences");
  take_dialog (window, "win.record", guise, "none", "record");
  take_dialog (window, "win.show-help-overlay", guise, "none", "shortcuts");
  take_dialog (window, "app.about", guise, "none", "about");
  take_dialog (window, "app.help", guise, "none", "help");
  window_support_close_window (window);
  take_import (guise);
  pictures_take_live (guise);
  take_error (guise, "picture.data", "\x89PNG\r\n\x1a\n", 8, "error-other");
  take_error (guise, "empty.data", "", 0, "error-nothing");
  take_error (guise, "a-very-long-name-that-somebody-gave-to-a-recording-of-theirs.data", NULL, 0,
              "error-missing");
}

/* ---- */

static void
for_each_guise (void (*take_guise) (const Guise *guise, gpointer data), gpointer data)
{
  for (gsize size = 0; size < G_N_ELEMENTS (sizes); size++) {
    for (gsize colour = 0; colour < G_N_ELEMENTS (colours); colour++) {
      for (guint bits = 0; bits < 4; bits++) {
        const Guise guise = { .colours = colours[colour],
                              .size = sizes[size].name,
                              .width = sizes[size].width,
                              .height = sizes[size].height,
                              .is_rtl = (bits & 1) != 0,
                              .is_large = (bits & 2) != 0 };

        if (is_guise_wanted (&guise))
          take_guise (&guise, data);
      }
    }
  }
}

/* "perf.data" alone tells little. */
static char *
name_capture (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);

  return g_path_get_basename (g_str_equal (base, "perf.data") ? folder : path);
}

/* Each in a window of its own: one that is turned round may not be what one finds that way. */
static void
take_guise_of_capture (const Guise *guise, gpointer path)
{
  g_autofree char *name = name_capture (path);
  PenWindow *window;

  dress (guise);
  window = window_support_open_path (path);
  take_capture (window, guise, name);
  window_support_close_window (window);
}

static void
take_guise_of_others (const Guise *guise, gpointer data)
{
  take_others (guise);
}

static void
take_all (void)
{
  for_each_guise (take_guise_of_others, NULL);
  for (char **path = captures; *path; path++) {
    other = path[1];
    for_each_guise (take_guise_of_capture, *path);
  }
  if (!is_audit)
    return;
  g_test_message ("%u views, %u letters and colours, %u texts, %u places of the focus", n_views,
                  contrast_audit_count (), text_audit_count (), focus_audit_count ());
  g_assert_cmpuint (n_views, >, 0);
  g_assert_cmpuint (text_audit_count (), >, n_views);
  g_assert_cmpuint (n_faults, ==, 0);
  if (only_texts)
    return;
  /* Of a dialog, some twenty; of a page, a thousand. */
  g_assert_cmpuint (contrast_audit_count (), >, 20 * n_views);
  g_assert_cmpuint (focus_audit_count (), >, n_views);
}

static void
add_tests (void)
{
  if (captures[0])
    window_support_install_example (captures[0]);
  g_test_add_func ("/pictures", take_all);
}

int
main (int argc, char **argv)
{
  static const GOptionEntry entries[] = {
    { "only", 0, 0, G_OPTION_ARG_STRING_ARRAY, &wanted,
      "Only pictures with this word in their name: light-1280x800, -rtl, .recording. ; all of "
      "several",
      "WORD" },
    { "audit", 0, 0, G_OPTION_ARG_NONE, &is_audit,
      "Look at contrast and room of text instead of writing pictures", NULL },
    { "texts", 0, 0, G_OPTION_ARG_NONE, &only_texts,
      "With --audit: look at the room of text alone, which differs between languages", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("DIRECTORY CAPTURE…");
  g_autoptr (GError) error = NULL;

  pen_translations_init ();
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc < 2) {
    g_printerr ("pictures: %s\n", error ? error->message : "where to?");
    return 2;
  }
  directory = argv[1];
  captures = argv + 2;
  g_mkdir_with_parents (directory, 0755);
  argc = 1;
  return window_support_main (argc, argv, add_tests);
}
