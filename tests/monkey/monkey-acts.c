/* monkey-acts.c: all that the monkey does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-acts.h"

#include <adwaita.h>

#include "monkey-eyes.h"
#include "monkey-place.h"
#include "pen-window.h"

/* More of them is slow, and nothing else. */
#define WINDOWS_MAX 4
#define STEPS_MAX 12
#define PAUSE_MAX_MS 150
#define REST_MAX_MS 1500
#define HOLD_MS 130

/* An action is all of its numbers: how many it took of them does not change the next one. */
typedef struct {
  Monkey *monkey;
  GRand *rand;
  GtkWindow *window; /* in front */
} Act;

static guint32
choose (Act *act)
{
  return g_rand_int (act->rand);
}

static guint
below (Act *act, guint n)
{
  return choose (act) % n;
}

static gboolean
one_in (Act *act, guint n)
{
  return below (act, n) == 0;
}

static void G_GNUC_PRINTF (2, 3) say (Act *act, const char *format, ...)
{
  GtkWidget *focus = act->window ? gtk_window_get_focus (act->window) : NULL;
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_print ("%u %s [%s, %s]\n", act->monkey->n, text,
           act->window ? G_OBJECT_TYPE_NAME (act->window) : "no window",
           focus ? G_OBJECT_TYPE_NAME (focus) : "no focus");
}

/* ---- pointer ---- */

static void
aim (Act *act, MonkeyAim *at)
{
  guint32 choice = choose (act);
  gboolean anywhere = one_in (act, 4);
  double x = g_rand_double (act->rand);
  double y = g_rand_double (act->rand);

  *at = (MonkeyAim){ .x = 100, .y = 100, .name = "nothing" };
  if (anywhere)
    monkey_eyes_aim_anywhere (act->window, x, y, at);
  else
    monkey_eyes_aim (act->window, choice, x, y, at);
}

/* xdotool takes a negative number for an option. */
static void
move_to (Act *act, int x, int y)
{
  monkey_hands_add (act->monkey->hands, "mousemove %d %d", MAX (x, 0), MAX (y, 0));
}

static void
act_move (Act *act)
{
  MonkeyAim at;

  aim (act, &at);
  say (act, "move to %s at %d,%d", at.name, at.x, at.y);
  move_to (act, at.x, at.y);
}

static void
act_click (Act *act)
{
  static const char *const modifiers[] = { "", "", "", "", "", "shift", "ctrl", "alt" };
  const char *modifier = modifiers[below (act, G_N_ELEMENTS (modifiers))];
  guint button = one_in (act, 5) ? 3 : one_in (act, 10) ? 2 : 1;
  guint times = one_in (act, 6) ? 2 + below (act, 2) : 1;
  MonkeyAim at;

  aim (act, &at);
  say (act, "click %s at %d,%d: button %u, %u times %s", at.name, at.x, at.y, button, times,
       modifier);
  move_to (act, at.x, at.y);
  if (*modifier)
    monkey_hands_add (act->monkey->hands, "keydown %s", modifier);
  monkey_hands_add (act->monkey->hands, "click --repeat %u --delay 20 %u", times, button);
  if (*modifier)
    monkey_hands_add (act->monkey->hands, "keyup %s", modifier);
}

static void
act_drag (Act *act)
{
  guint button = one_in (act, 5) ? 2 : 1;
  gboolean breaks_off = one_in (act, 6);
  guint n = 1 + below (act, STEPS_MAX);
  MonkeyAim from, to;

  aim (act, &from);
  aim (act, &to);
  say (act, "drag %s at %d,%d to %s at %d,%d: button %u, %u steps%s", from.name, from.x, from.y,
       to.name, to.x, to.y, button, n, breaks_off ? ", Escape" : "");
  move_to (act, from.x, from.y);
  monkey_hands_add (act->monkey->hands, "mousedown %u", button);
  for (guint i = 1; i <= n; i++)
    move_to (act, from.x + (to.x - from.x) * (int) i / (int) n,
             from.y + (to.y - from.y) * (int) i / (int) n);
  if (breaks_off)
    monkey_hands_add (act->monkey->hands, "key Escape");
  monkey_hands_add (act->monkey->hands, "mouseup %u", button);
}

/* The gutter of the overview is at its edge. */
static void
act_drag_out (Act *act)
{
  guint32 choice = choose (act);
  double x = g_rand_double (act->rand) / 12;
  double y = g_rand_double (act->rand);
  gboolean breaks_off = one_in (act, 4);
  guint n = 2 + below (act, STEPS_MAX);
  MonkeyAim from, to;

  aim (act, &to);
  if (!monkey_eyes_aim_source (act->window, choice, x, y, &from)) {
    say (act, "drag nothing out");
    return;
  }
  say (act, "drag out of %s at %d,%d to %d,%d: %u steps%s", from.name, from.x, from.y, to.x, to.y,
       n, breaks_off ? ", Escape" : "");
  move_to (act, from.x, from.y);
  monkey_hands_add (act->monkey->hands, "mousedown 1");
  /* Later versions of GTK than 4.8 begin nothing before 100 ms. */
  monkey_hands_add (act->monkey->hands, "sleep 0.%03d", HOLD_MS);
  for (guint i = 1; i <= n; i++)
    move_to (act, from.x + (to.x - from.x) * (int) i / (int) n,
             from.y + (to.y - from.y) * (int) i / (int) n);
  if (breaks_off)
    monkey_hands_add (act->monkey->hands, "key Escape");
  monkey_hands_add (act->monkey->hands, "mouseup 1");
}

static void
act_scroll (Act *act)
{
  guint button = 4 + (one_in (act, 4) ? 2 : 0) + below (act, 2);
  guint times = 1 + below (act, 2 * STEPS_MAX);
  gboolean zooms = one_in (act, 3);
  MonkeyAim at;

  aim (act, &at);
  say (act, "scroll %s at %d,%d: button %u, %u times%s", at.name, at.x, at.y, button, times,
       zooms ? ", Control" : "");
  move_to (act, at.x, at.y);
  if (zooms)
    monkey_hands_add (act->monkey->hands, "keydown ctrl");
  monkey_hands_add (act->monkey->hands, "click --repeat %u --delay 5 %u", times, button);
  if (zooms)
    monkey_hands_add (act->monkey->hands, "keyup ctrl");
}

static void
act_wander (Act *act)
{
  guint n = 2 + below (act, STEPS_MAX);

  say (act, "wander over %u places", n);
  for (guint i = 0; i < n; i++) {
    MonkeyAim at;

    aim (act, &at);
    move_to (act, at.x, at.y);
  }
}

/* ---- keys ---- */

static void
act_key (Act *act)
{
  static const char *const keys[]
      = { "Up",     "Down",   "Left",      "Right",     "Page_Up", "Page_Down",   "Home",
          "End",    "Tab",    "Return",    "space",     "Escape",  "Menu",        "BackSpace",
          "Delete", "plus",   "minus",     "period",    "comma",   "slash",       "a",
          "b",      "n",      "p",         "F10",       "0",       "1",           "Insert",
          "Escape", "Return", "shift+Tab", "shift+F10", "alt+F4",  "bracketleft", "bracketright",
          "ctrl+c", "ctrl+a", "ctrl+k",    "ctrl+Home" };
  const char *key = keys[below (act, G_N_ELEMENTS (keys))];
  guint times = one_in (act, 3) ? 1 + below (act, STEPS_MAX) : 1;

  say (act, "key %s, %u times", key, times);
  for (guint i = 0; i < times; i++)
    monkey_hands_add (act->monkey->hands, "key %s", key);
}

static void
act_shortcut (Act *act)
{
  guint32 choice = choose (act);
  g_autofree char *keys = monkey_eyes_dup_shortcut (act->window, choice);

  say (act, "shortcut %s", keys ? keys : "none");
  /* It would close all windows: once in a while is enough. */
  if (keys && (!g_str_equal (keys, "ctrl+q") || one_in (act, 5)))
    monkey_hands_add (act->monkey->hands, "key %s", keys);
}

/* Pointer and keys in a menu, and on to the next thing while it goes. */
static void
act_menu (Act *act)
{
  gboolean by_key = one_in (act, 2);
  gboolean is_quick = one_in (act, 2);
  guint downs = below (act, STEPS_MAX);
  guint32 choice = choose (act);
  g_autofree char *next = one_in (act, 2) ? monkey_eyes_dup_shortcut (act->window, choice) : NULL;
  MonkeyHands *hands = act->monkey->hands;
  MonkeyAim at;

  aim (act, &at);
  say (act, "menu of %s at %d,%d %s, %u down, Return%s%s", at.name, at.x, at.y,
       by_key ? "by key" : "by button", downs, next ? ", " : "", next ? next : "");
  move_to (act, at.x, at.y);
  monkey_hands_add (hands, "click %u", by_key ? 1 : 3);
  if (by_key)
    monkey_hands_add (hands, "key Menu");
  if (!is_quick)
    monkey_hands_add (hands, "sleep 0.3");
  for (guint i = 0; i < downs; i++)
    monkey_hands_add (hands, "key Down");
  monkey_hands_add (hands, "key Return");
  if (next && !g_str_equal (next, "ctrl+q"))
    monkey_hands_add (hands, "key %s", next);
}

static void
act_type (Act *act)
{
  static const char *const words[] = {
    "vfs",
    "bpf",
    "vfs_read",
    "comm:sh",
    "!kind:dso",
    "time:10%,20%",
    "cpu:0",
    "xyzzy",
    "0xffff",
    "_",
    "cause:ftrace",
    "vfs_read+0x1c/0x310",
    "kind:bpf",
    ":",
    "dso:",
    "\"",
    "tid:99999999999999",
    "0xffffffffc0000c10",
    "time:,",
    "func:a",
    "6.5",
    "a b c",
    "!",
    "ffffffffc0000c10",
    "address:0",
    "*",
    "%s%n",
    "<b>&amp;",
    "------",
    "comm:\\",
  };
  static const char *const entries[] = { "ctrl+f", "ctrl+l", "ctrl+k", "ctrl+d", "" };
  const char *entry = entries[below (act, G_N_ELEMENTS (entries))];
  const char *word = words[below (act, G_N_ELEMENTS (words))];
  gboolean confirms = one_in (act, 2);

  say (act, "type %s \"%s\"%s", entry, word, confirms ? ", Return" : "");
  if (*entry)
    monkey_hands_add (act->monkey->hands, "key %s", entry);
  monkey_hands_add_text (act->monkey->hands, word);
  if (confirms)
    monkey_hands_add (act->monkey->hands, "key Return");
}

/* Lines of a trace, and what is in between, into the find box; then to one of its places. */
static void
act_paste (Act *act)
{
  static const char *const lines[] = {
    "[    5.100004] RIP: 0010:bpf_prog_dcd45494952b77d4_sock_a+0x20/0x60",
    "[    6.500000] Call Trace:",
    " <TASK>",
    "[    6.500011]  vfs_read+0x1c/0x310",
    " ? ksys_read+0x5f/0xe0 [xfs]",
    " [<ffffffffc0000c10>] 0xffffffffc0000c10",
    "[<0>] do_syscall_64+0x5b/0xc0",
    " => ksys_read <ffffffff8134d81f>",
    "\tffffffff8134cc6c vfs_read+0x1c ([kernel.kallsyms])",
    "sh;entry_SYSCALL_64;ksys_read;vfs_read 12",
    "  sh-132 [000] d..1.  5.844816: vfs_read <-ksys_read",
    "RIP: 0033:0x7f1c2a0b1e8e",
    " vfs_read (fs/read_write.c:468) <b>&amp;",
    "no place: é +0x1/0x",
    "",
  };
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 1 + below (act, 2 * STEPS_MAX);
  guint times = one_in (act, 8) ? 40 : 1;
  guint downs = below (act, STEPS_MAX);
  gboolean returns = one_in (act, 2);
  MonkeyHands *hands = act->monkey->hands;

  for (guint i = 0; i < n; i++) {
    const char *line = lines[below (act, G_N_ELEMENTS (lines))];

    for (guint k = 0; k < times; k++)
      g_string_append_printf (text, "%s\n", line);
  }
  say (act, "paste %u lines, %u down%s", n * times, downs, returns ? ", Return" : "");
  gdk_clipboard_set_text (gdk_display_get_clipboard (gdk_display_get_default ()), text->str);
  monkey_hands_add (hands, "key ctrl+k");
  monkey_hands_add (hands, "key ctrl+v");
  for (guint i = 0; i < downs; i++)
    monkey_hands_add (hands, "key Down");
  if (returns)
    monkey_hands_add (hands, "key Return");
}

/* ---- windows ---- */

static void
act_resize (Act *act)
{
  int width = 200 + (int) below (act, 1800);
  int height = 150 + (int) below (act, 1200);

  say (act, "resize to %dx%d", width, height);
  gtk_window_set_default_size (act->window, width, height);
}

static void
act_present (Act *act)
{
  guint32 choice = choose (act);
  g_autoptr (GList) windows = monkey_eyes_list_windows ();
  GtkWindow *window = g_list_nth_data (windows, choice % g_list_length (windows));

  say (act, "present %s", G_OBJECT_TYPE_NAME (window));
  gtk_window_present (window);
}

static void
open_path (Act *act, const char *path, gboolean beside)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (beside || !PEN_IS_WINDOW (act->window)) {
    GFile *files[] = { file };

    if (g_list_length (gtk_application_get_windows (GTK_APPLICATION (act->monkey->application)))
        < WINDOWS_MAX)
      g_application_open (G_APPLICATION (act->monkey->application), files, 1, "");
  } else {
    pen_window_open (PEN_WINDOW (act->window), file);
  }
}

static void
act_open (Act *act)
{
  GPtrArray *captures = act->monkey->captures;
  /* Every other is whole: those come first. */
  guint n = one_in (act, 2) ? act->monkey->n_whole : captures->len;
  const char *path = captures->pdata[below (act, n)];
  gboolean beside = one_in (act, 2);

  say (act, "open %s%s", path, beside ? " in another window" : "");
  open_path (act, path, beside);
}

static void
act_open_store (Act *act)
{
  g_autofree char *path = monkey_place_dup_store (act->monkey->place, choose (act));
  gboolean beside = one_in (act, 2);

  say (act, "open store %s", path ? path : "none");
  if (path)
    open_path (act, path, beside);
}

/* What is dropped on the window by another program, as its drop target has it. */
static void
act_drop (Act *act)
{
  GPtrArray *captures = act->monkey->captures;
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (act->window));
  g_autoslist (GFile) files = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  guint n = 1 + (one_in (act, 3) ? below (act, 3) : 0);
  g_autoptr (GtkEventController) target = NULL;
  gboolean is_taken = FALSE;

  for (guint i = 0; i < n; i++)
    files = g_slist_prepend (files,
                             g_file_new_for_path (captures->pdata[below (act, captures->len)]));
  for (guint i = 0; !target && i < g_list_model_get_n_items (controllers); i++) {
    target = g_list_model_get_item (controllers, i);
    if (!GTK_IS_DROP_TARGET (target))
      g_clear_object (&target);
  }
  if (target
      && g_list_length (gtk_application_get_windows (GTK_APPLICATION (act->monkey->application)))
             < 2 * WINDOWS_MAX) {
    g_value_init (&value, GDK_TYPE_FILE_LIST);
    g_value_set_boxed (&value, files);
    g_signal_emit_by_name (target, "drop", &value, 40.0, 40.0, &is_taken);
  }
  say (act, "drop %u files: %s", n, is_taken ? "taken" : "refused");
}

/* A recording is opened while it is made; later it grows, and at last it ends. */
static void
act_follow (Act *act)
{
  Monkey *monkey = act->monkey;
  const char *capture = monkey->captures->pdata[below (act, monkey->n_whole)];
  double more = 0.05 + g_rand_double (act->rand) / 3;
  gboolean beside = one_in (act, 2);

  if (monkey->growing) {
    monkey->grown = MIN (monkey->grown + more, 1);
    say (act, "a recording grows to %.0f %%", 100 * monkey->grown);
    pen_test_growing_write (monkey->growing, monkey->grown);
    if (monkey->grown >= 1)
      g_clear_pointer (&monkey->growing, pen_test_growing_free);
    return;
  }
  monkey->growing = pen_test_growing_new (monkey->place, capture, monkey->n);
  monkey->grown = more;
  say (act, "follow %s", monkey->growing ? capture : "nothing");
  if (!monkey->growing)
    return;
  pen_test_growing_write (monkey->growing, monkey->grown);
  open_path (act, pen_test_growing_get_path (monkey->growing), beside);
}

/* As the option of the command line. */
static void
act_compare (Act *act)
{
  const char *path = act->monkey->captures->pdata[below (act, act->monkey->captures->len)];
  g_autoptr (GFile) file = g_file_new_for_path (path);

  say (act, "compare with %s", path);
  if (PEN_IS_WINDOW (act->window))
    pen_window_compare_with (PEN_WINDOW (act->window), file);
}

static void
act_close (Act *act)
{
  say (act, "close %s", G_OBJECT_TYPE_NAME (act->window));
  gtk_window_close (act->window);
}

/* An action that needs no argument, of those that the window has. */
static void
act_by_name (Act *act)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint32 choice = choose (act);
  const GVariantType *type;
  const char *name, *property;
  GType owner;

  for (guint i = 0; gtk_widget_class_query_action (GTK_WIDGET_GET_CLASS (act->window), i, &owner,
                                                   &name, &type, &property);
       i++) {
    /* GTK's own tools are not what is tried. */
    if (!type && !g_str_equal (name, "window.enable-debugging"))
      g_ptr_array_add (names, (gpointer) name);
  }
  name = names->len > 0 ? names->pdata[choice % names->len] : NULL;
  say (act, "action %s", name ? name : "none");
  if (name)
    gtk_widget_activate_action (GTK_WIDGET (act->window), name, NULL);
}

static void
act_page (Act *act)
{
  guint page = 1 + below (act, 6);
  gboolean by_alt = one_in (act, 2);

  say (act, "page %u", page);
  monkey_hands_add (act->monkey->hands, "key %s+%u", by_alt ? "alt" : "ctrl", page);
}

static void
act_look (Act *act)
{
  static const AdwColorScheme schemes[] = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_DARK };
  static const int dpis[] = { 96, 96, 120, 192 };
  AdwColorScheme scheme = schemes[below (act, G_N_ELEMENTS (schemes))];
  int dpi = dpis[below (act, G_N_ELEMENTS (dpis))];
  gboolean moves = one_in (act, 2);
  gboolean to_left = one_in (act, 4);

  say (act, "look %s, %d dpi, %s%s", scheme == ADW_COLOR_SCHEME_DEFAULT ? "light" : "dark", dpi,
       moves ? "with animations" : "without animations", to_left ? ", right to left" : "");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", moves, "gtk-xft-dpi",
                dpi * 1024, NULL);
  gtk_widget_set_default_direction (to_left ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
}

static void
act_rest (Act *act)
{
  say (act, "rest");
}

static const struct {
  void (*func) (Act *act);
  guint weight;
  guint pause_max; /* milliseconds */
} acts[] = {
  { act_move, 8, PAUSE_MAX_MS },      { act_click, 30, PAUSE_MAX_MS },
  { act_drag, 8, PAUSE_MAX_MS },      { act_scroll, 8, PAUSE_MAX_MS },
  { act_wander, 4, PAUSE_MAX_MS },    { act_key, 20, PAUSE_MAX_MS },
  { act_shortcut, 18, PAUSE_MAX_MS }, { act_menu, 10, PAUSE_MAX_MS },
  { act_type, 8, PAUSE_MAX_MS },      { act_resize, 4, PAUSE_MAX_MS },
  { act_present, 2, PAUSE_MAX_MS },   { act_open, 5, REST_MAX_MS },
  { act_open_store, 2, REST_MAX_MS }, { act_close, 2, PAUSE_MAX_MS },
  { act_by_name, 10, PAUSE_MAX_MS },  { act_page, 8, PAUSE_MAX_MS },
  { act_look, 1, PAUSE_MAX_MS },      { act_rest, 4, REST_MAX_MS },
  { act_compare, 4, REST_MAX_MS },    { act_drag_out, 3, PAUSE_MAX_MS },
  { act_paste, 4, REST_MAX_MS },      { act_drop, 3, REST_MAX_MS },
  { act_follow, 6, REST_MAX_MS },
};

static gboolean
shows_nothing (GtkWindow *window)
{
  PenSessionState state = PEN_IS_WINDOW (window)
                              ? pen_session_get_state (pen_window_get_session (PEN_WINDOW (window)))
                              : PEN_SESSION_READY;

  return state == PEN_SESSION_EMPTY || state == PEN_SESSION_FAILED;
}

guint
monkey_act (Monkey *monkey)
{
  const guint32 seeds[] = { monkey->seed, ++monkey->n };
  g_autoptr (GRand) rand = g_rand_new_with_seed_array (seeds, G_N_ELEMENTS (seeds));
  Act act = { .monkey = monkey, .rand = rand, .window = monkey_eyes_get_window () };
  guint sum = 0, choice, i;
  double pause;

  for (i = 0; i < G_N_ELEMENTS (acts); i++)
    sum += acts[i].weight;
  choice = below (&act, sum);
  pause = g_rand_double (rand);
  for (i = 0; choice >= acts[i].weight; i++)
    choice -= acts[i].weight;
  if (!act.window) {
    say (&act, "a new window");
    g_application_activate (G_APPLICATION (monkey->application));
  } else if (shows_nothing (act.window) && one_in (&act, 3)) {
    act_open (&act);
  } else {
    acts[i].func (&act);
  }
  return (guint) (pause * pause * acts[i].pause_max);
}
