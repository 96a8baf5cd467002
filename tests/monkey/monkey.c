/* monkey.c: uses the window at random, and sees whether it stays up
 *
 * monkey [--seed=N] SECONDS CAPTURE...
 *
 * All that is done follows from the seed, and is printed. Needs a display of its own, without a
 * window manager: xvfb-run. Captures are read; nothing is written but in a temporary directory.
 * Returns: 0: the window stayed up for SECONDS; 1: it fell, something of a closed window was left,
 * or something was written to standard error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monkey-acts.h"
#include "monkey-dialogs.h"
#include "monkey-ears.h"
#include "monkey-holders.h"
#include "monkey-place.h"
#include "pen-last-view.h"
#include "pen-window.h"
#include "pen-worker.h"

/* A window that does nothing for so long hangs: also one under sanitizers, on a busy machine. */
#define HANGS_S 180
/* Actions, and seconds at the end, after which nothing keeps a closed window any more. The end is
 * at least some seconds long: what was begun may still fall over what is gone. */
#define GONE_AFTER 200
#define CLOSING_S 2
#define CLOSED_S 60
#define TURN_US 1000
/* Then nothing is asked any more, and what was begun is cancelled. */
#define ENDS_S 60

typedef struct {
  guint n_actions;
  guint n_left; /* closed windows, or what they showed */
} Count;

typedef struct {
  Monkey monkey;
  Count *count; /* shared with the process that prints it */
  GMainLoop *loop;
  gint64 end;
  GPtrArray *opened; /* (element-type Opened) */
} Run;

/* A window, and what it showed: each NULL once it is gone. */
typedef struct {
  const Monkey *monkey;
  gpointer window;
  gpointer session;
  guint closed; /* the action by which it was closed, or taken off the screen; 0: it was not */
  gboolean is_told;
} Opened;

static Count *shared;
static char own_id[16];

/* ---- messages ---- */

/* (nullable): that a frame is drawn with before it has a place */
static GtkWidget *
find_unplaced (const char *message)
{
  const char *at = strstr (message, " 0x");

  return g_str_has_prefix (message, "Trying to snapshot ") && at
             ? GSIZE_TO_POINTER (g_ascii_strtoull (at + 1, NULL, 16))
             : NULL;
}

/* A dialog of files shows the arrows of its path as it lays this out. */
static gboolean
is_in_path_bar (GtkWidget *widget)
{
  return widget && gtk_widget_get_parent (widget)
         && g_str_equal (G_OBJECT_TYPE_NAME (gtk_widget_get_parent (widget)), "GtkPathBar");
}

/* Which one it is: what it is in, too. */
static void
print_widget (GtkWidget *widget)
{
  for (; widget; widget = gtk_widget_get_parent (widget))
    g_printerr ("  in %s “%s”\n", G_OBJECT_TYPE_NAME (widget), gtk_widget_get_name (widget));
}

/* GTK 4.8 prints these itself: a tooltip that was about to come up asks a window that is gone where
 * the pointer is; Return in a popover of its own, of a column's title say, asks whether what has
 * the focus is in there, where nothing has it; a wheel moves a list whose rows are new, and have no
 * height until the next frame; a dialog of files that has just been closed tells of a folder, and
 * frees references to rows twice; an entry whose text was selected by a drag, and which then lost
 * the focus, finds its cursor still blinking. */
static gboolean
is_of_gtk (const char *message)
{
  return strstr (message, "gdk_surface_get_device_position: assertion 'GDK_IS_SURFACE")
         || strstr (message, "_gtk_widget_find_at_coords: assertion 'GDK_IS_SURFACE")
         || strstr (message, "gtk_widget_is_ancestor: assertion 'GTK_IS_WIDGET (widget)'")
         || strstr (message, "failed to scroll to given position. Ignoring...")
         || strstr (message, "GtkDialog mapped without a transient parent.")
         || strstr (message, "bad row reference, proxy has no outstanding row references")
         || strstr (message, "GtkText - unexpected blinking selection.");
}

static GLogWriterOutput
write_message (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
               gpointer data G_GNUC_UNUSED)
{
  const char *message = "";

  for (gsize i = 0; i < n_fields; i++) {
    if (g_str_equal (fields[i].key, "MESSAGE"))
      message = fields[i].value;
  }
  if (is_of_gtk (message) || is_in_path_bar (find_unplaced (message)))
    return G_LOG_WRITER_HANDLED;
  g_log_writer_default (level, fields, n_fields, NULL);
  print_widget (find_unplaced (message));
  /* GDK would end the program, without a trace of where; GDK_SYNCHRONIZE=1 has it at the right one.
   */
  if (level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)
      || strstr (message, "X Window System error"))
    abort ();
  return G_LOG_WRITER_HANDLED;
}

static void
on_alarm (int number G_GNUC_UNUSED)
{
  static const char text[] = "the window hangs\n";
  pid_t child;

  if (write (STDERR_FILENO, text, sizeof text - 1) < 0)
    _exit (1);
  /* It may be another thread that does not end. */
  child = fork ();
  if (child == 0) {
    execlp ("gdb", "gdb", "-batch", "-nx", "-ex", "thread apply all backtrace", "-p", own_id, NULL);
    _exit (1);
  }
  if (child > 0)
    waitpid (child, NULL, 0);
  abort ();
}

/* ---- windows that are closed are gone ---- */

static void
free_opened (gpointer data)
{
  Opened *opened = data;

  g_clear_weak_pointer (&opened->window);
  g_clear_weak_pointer (&opened->session);
  g_free (opened);
}

static void
on_closed (Opened *opened)
{
  if (opened->closed == 0)
    opened->closed = opened->monkey->n;
}

static void
on_window_added (Run *run, gpointer window)
{
  Opened *opened;

  /* GTK 4.8 keeps a modal dialog that Escape closes while a button is pressed in its parent. */
  if (!g_str_has_prefix (G_OBJECT_TYPE_NAME (window), "Pen"))
    return;
  opened = g_new0 (Opened, 1);
  opened->monkey = &run->monkey;
  g_set_weak_pointer (&opened->window, window);
  if (PEN_IS_WINDOW (window))
    g_set_weak_pointer (&opened->session, pen_window_get_session (window));
  g_signal_connect_swapped (window, "unmap", G_CALLBACK (on_closed), opened);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (on_closed), opened);
  g_ptr_array_add (run->opened, opened);
}

/* Says which were closed before action @n, and are still there. Returns: whether there are none */
static gboolean
check_closed (Run *run, guint n)
{
  gboolean are_gone = TRUE;

  for (guint i = 0; i < run->opened->len; i++) {
    Opened *opened = run->opened->pdata[i];
    GObject *left = opened->window ? opened->window : opened->session;

    if (!left || opened->closed == 0 || opened->closed >= n)
      continue;
    are_gone = FALSE;
    if (!opened->is_told) {
      g_print (
          "the %s of a window that was closed by action %u is still there, with %u references%s\n",
          G_OBJECT_TYPE_NAME (left), opened->closed, left->ref_count,
          opened->session && !pen_session_is_settled (opened->session) ? ", and at work" : "");
      monkey_holders_print (left);
      run->count->n_left++;
    }
    opened->is_told = TRUE;
  }
  return are_gone;
}

static gboolean
is_any_left (Run *run)
{
  for (guint i = 0; i < run->opened->len; i++) {
    Opened *opened = run->opened->pdata[i];

    if (opened->closed > 0 && (opened->window || opened->session))
      return TRUE;
  }
  return FALSE;
}

/* ---- one action after the other ---- */

static gboolean
act (gpointer data)
{
  Run *run = data;
  guint pause;

  if (g_get_monotonic_time () >= run->end) {
    g_main_loop_quit (run->loop);
    return G_SOURCE_REMOVE;
  }
  if (run->monkey.in_dialog) {
    g_timeout_add (20, act, run);
    return G_SOURCE_REMOVE;
  }
  alarm (HANGS_S);
  if (run->monkey.n > GONE_AFTER)
    check_closed (run, run->monkey.n - GONE_AFTER);
  pause = monkey_act (&run->monkey);
  run->count->n_actions = run->monkey.n;
  monkey_hands_add (run->monkey.hands, "sleep %u.%03u", pause / 1000, pause % 1000);
  monkey_hands_do (run->monkey.hands, act, run);
  return G_SOURCE_REMOVE;
}

/* Events go to all windows of a display: they have to be the monkey's. */
static gboolean
has_window_manager (Display *display)
{
  unsigned long n = 0, left;
  unsigned char *value = NULL;
  Atom type;
  int format;

  XGetWindowProperty (display, DefaultRootWindow (display),
                      XInternAtom (display, "_NET_SUPPORTING_WM_CHECK", False), 0, 1, False,
                      AnyPropertyType, &type, &format, &n, &left, &value);
  if (value)
    XFree (value);
  return n > 0;
}

/* Without one, GTK 4.8 moves windows itself while their headers are dragged, and also those that
 * were closed meanwhile, which ends the program. This one has them stay where they are. */
static void
stand_in_for_window_manager (Display *display)
{
  Window root = DefaultRootWindow (display);
  Window check = XCreateSimpleWindow (display, root, 0, 0, 1, 1, 0, 0, 0);
  Atom is_there = XInternAtom (display, "_NET_SUPPORTING_WM_CHECK", False);
  Atom moves = XInternAtom (display, "_NET_WM_MOVERESIZE", False);

  XChangeProperty (display, check, is_there, XA_WINDOW, 32, PropModeReplace,
                   (const unsigned char *) &check, 1);
  XChangeProperty (display, root, is_there, XA_WINDOW, 32, PropModeReplace,
                   (const unsigned char *) &check, 1);
  XChangeProperty (display, root, XInternAtom (display, "_NET_SUPPORTED", False), XA_ATOM, 32,
                   PropModeReplace, (const unsigned char *) &moves, 1);
  XSync (display, False);
}

static void
close_all (Run *run)
{
  gint64 begun = g_get_monotonic_time ();
  GList *toplevels;

  while ((toplevels = gtk_application_get_windows (GTK_APPLICATION (run->monkey.application))))
    gtk_window_destroy (toplevels->data);
  while (g_get_monotonic_time () < begun + CLOSING_S * G_USEC_PER_SEC
         || (is_any_left (run) && g_get_monotonic_time () < begun + CLOSED_S * G_USEC_PER_SEC)) {
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (TURN_US);
  }
  alarm (ENDS_S);
  /* The thread of a session that is left would not end. */
  if (!check_closed (run, G_MAXUINT))
    return;
  pen_worker_wait_all ();
  pen_last_view_wait_all ();
}

/* GTK's own inspector falls, too (4.8: an idle reads a colour that is gone). */
static void
keep_inspector_shut (void)
{
  g_autoptr (GSettings) settings = g_settings_new ("org.gtk.gtk4.Settings.Debug");

  g_settings_set_boolean (settings, "enable-inspector-keybinding", FALSE);
}

static int
use_window (const char *place, guint32 seed, guint seconds, char **captures)
{
  const guint32 seeds[] = { seed };
  g_autoptr (GRand) rand = g_rand_new_with_seed_array (seeds, G_N_ELEMENTS (seeds));
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GError) error = NULL;
  Display *display;
  Run run = { .count = shared, .monkey = { .place = place, .seed = seed } };

  setvbuf (stdout, NULL, _IOLBF, 0);
  g_log_set_writer_func (write_message, NULL, NULL);
  g_snprintf (own_id, sizeof own_id, "%d", (int) getpid ());
  signal (SIGALRM, on_alarm);
  display = XOpenDisplay (NULL);
  if (!display) {
    g_print ("there is no display\n");
    return 77;
  }
  if (has_window_manager (display)) {
    g_printerr ("monkey: this is someone's desktop: run it under xvfb-run\n");
    return 2;
  }
  stand_in_for_window_manager (display);
  gtk_init ();
  keep_inspector_shut ();
  run.monkey.hands = monkey_hands_new (&error);
  if (!run.monkey.hands) {
    g_print ("%s\n", error->message);
    return 77;
  }
  run.monkey.n_whole = g_strv_length (captures);
  paths = run.monkey.captures = monkey_place_write_captures (place, captures, rand);
  run.monkey.application = pen_application_new (G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (run.monkey.application), NULL, &error);
  g_assert_no_error (error);
  run.opened = g_ptr_array_new_with_free_func (free_opened);
  g_signal_connect_swapped (run.monkey.application, "window-added", G_CALLBACK (on_window_added),
                            &run);
  /* With the last window it would end. */
  g_application_hold (G_APPLICATION (run.monkey.application));
  monkey_watch_dialogs (&run.monkey);
  run.loop = g_main_loop_new (NULL, FALSE);
  run.end = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;
  act (&run);
  g_main_loop_run (run.loop);
  close_all (&run);
  g_clear_pointer (&run.monkey.growing, pen_test_growing_free);
  g_ptr_array_unref (run.opened);
  XCloseDisplay (display);
  return 0;
}

int
main (int argc, char **argv)
{
  int seed = 0, status = 0;
  const GOptionEntry entries[] = {
    { "seed", 's', 0, G_OPTION_ARG_INT, &seed, "Seed of all that is done (default: another one)",
      "N" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("SECONDS CAPTURE...");
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *place = NULL;
  g_autoptr (GError) error = NULL;
  guint64 seconds = 0;
  guint n_lines;
  gboolean stayed_up;
  gint64 begun;
  int errors[2];
  pid_t child;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc < 3
      || !g_ascii_string_to_unsigned (argv[1], 10, 1, G_MAXINT, &seconds, &error)) {
    g_printerr ("monkey: %s\n", error ? error->message : "expected SECONDS CAPTURE...");
    return 2;
  }
  if (seed == 0)
    seed = g_random_int_range (1, G_MAXINT);
  for (int i = 2; i < argc; i++)
    g_ptr_array_add (captures, g_canonicalize_filename (argv[i], NULL));
  g_ptr_array_add (captures, NULL);
  place = monkey_place_make ();
  shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    g_error ("mmap: %s", g_strerror (errno));

  if (pipe (errors) < 0)
    g_error ("pipe: %s", g_strerror (errno));

  begun = g_get_monotonic_time ();
  child = fork ();
  if (child < 0)
    g_error ("fork: %s", g_strerror (errno));
  if (child == 0) {
    dup2 (errors[1], STDERR_FILENO);
    close (errors[0]);
    close (errors[1]);
    exit (use_window (place, (guint32) seed, (guint) seconds, (char **) captures->pdata));
  }
  close (errors[1]);
  n_lines = monkey_ears_listen (child, errors[0], &status);
  monkey_place_remove (place);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    return 77;
  stayed_up = WIFEXITED (status) && WEXITSTATUS (status) == 0;
  g_print ("seed %d, %u actions, %.0f seconds, %u lines on standard error, %u left: %s\n", seed,
           shared->n_actions, (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC, n_lines,
           shared->n_left, stayed_up ? "stayed up" : "fell");
  return stayed_up && n_lines == 0 && shared->n_left == 0 ? 0 : 1;
}
