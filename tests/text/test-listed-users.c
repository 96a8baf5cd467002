/* test-listed-users.c: lists of several times, and the user of a patch between them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-listed-users.h"

#include <string.h>

#define READ 0xffffffff81000010u
#define PROBE "ffffffff81000010  k  vfs_read+0x10\n"
#define FIRST "p:a/first vfs_read+16\n"
#define SECOND "p:a/second vfs_read+16\n"

static guint
read_list (PenListedUsers *users, const char *list, guint64 begun, guint64 ended, const char *text)
{
  g_autoptr (PenLineReader) lines = pen_line_reader_new_for_text (text, strlen (text));

  return pen_listed_users_read (users, list, begun, ended, lines, 1000);
}

static void
read_probes (PenListedUsers *users, guint64 begun, guint64 ended, const char *events)
{
  read_list (users, "kprobes", begun, begun + 1, PROBE);
  read_list (users, "kprobe_events", begun + 1, ended, events);
}

/* @sets: else it removes */
static const char *
find (PenListedUsers *users, gboolean sets, guint64 time, guint64 since, guint64 until)
{
  const PenPoke poke = {
    .cause = PEN_CAUSE_KPROBE,
    .moment = { time, 0 },
    .address = READ,
    .before.form = sets ? PEN_FORM_OTHER : PEN_FORM_BREAKPOINT,
    .after.form = sets ? PEN_FORM_BREAKPOINT : PEN_FORM_OTHER,
  };

  return pen_listed_users_find (users, &poke, NULL, since, until);
}

/* Of two users one after the other, each has its own name; one that no list has seen has none. */
static void
test_between (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_probes (users, 100, 110, FIRST);
  read_probes (users, 200, 210, SECOND);
  g_assert_cmpstr (find (users, TRUE, 90, 90, 150), ==, "kprobe a/first");
  g_assert_cmpstr (find (users, FALSE, 150, 90, 150), ==, "kprobe a/first");
  g_assert_cmpstr (find (users, TRUE, 160, 160, 250), ==, "kprobe a/second");
  g_assert_cmpstr (find (users, FALSE, 250, 160, 250), ==, "kprobe a/second");
  g_assert_cmpstr (find (users, TRUE, 10, 10, 20), ==, NULL);
  g_assert_cmpstr (find (users, TRUE, 260, 260, 300), ==, NULL);
}

/* While it is read, a list may change: one that is not all in the time of the user does not count.
 */
static void
test_overlap (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_probes (users, 100, 110, FIRST);
  g_assert_cmpstr (find (users, TRUE, 105, 105, 150), ==, NULL);
  g_assert_cmpstr (find (users, TRUE, 90, 90, 105), ==, NULL);
  g_assert_cmpstr (find (users, TRUE, 90, 90, 110), ==, "kprobe a/first");
  /* Its probes were read first. */
  g_assert_cmpstr (find (users, TRUE, 101, 101, 150), ==, NULL);
}

/* The nearest one: after what sets something, before what removes it. */
static void
test_nearest (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_probes (users, 100, 110, FIRST);
  read_probes (users, 200, 210, SECOND);
  g_assert_cmpstr (find (users, TRUE, 150, 0, G_MAXUINT64), ==, "kprobe a/second");
  g_assert_cmpstr (find (users, FALSE, 150, 0, G_MAXUINT64), ==, "kprobe a/first");
  g_assert_cmpstr (find (users, TRUE, 300, 0, G_MAXUINT64), ==, "kprobe a/second");
  g_assert_cmpstr (find (users, FALSE, 50, 0, G_MAXUINT64), ==, "kprobe a/first");
}

/* A list that was read again and was the same is one of that time, too. */
static void
test_repeated (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_probes (users, 100, 110, FIRST);
  for (guint64 time = 200; time < 400; time += 100) {
    pen_listed_users_repeat (users, "kprobes", time, time + 1);
    pen_listed_users_repeat (users, "kprobe_events", time + 1, time + 10);
  }
  read_probes (users, 400, 410, SECOND);
  g_assert_cmpstr (find (users, TRUE, 250, 250, 350), ==, "kprobe a/first");
  g_assert_cmpstr (find (users, FALSE, 350, 250, 350), ==, "kprobe a/first");
  g_assert_cmpstr (find (users, TRUE, 320, 320, 390), ==, NULL);
  g_assert_cmpstr (find (users, TRUE, 390, 390, 500), ==, "kprobe a/second");
}

/* An event is listed before its probe is there. */
static void
test_enabled_later (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_list (users, "kprobes", 100, 101, "");
  read_list (users, "kprobe_events", 101, 110, FIRST);
  read_list (users, "kprobes", 200, 201, PROBE);
  pen_listed_users_repeat (users, "kprobe_events", 201, 210);
  g_assert_cmpstr (find (users, TRUE, 50, 50, 150), ==, NULL);
  g_assert_cmpstr (find (users, TRUE, 150, 150, 250), ==, "kprobe a/first");
}

static void
test_start_and_end (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_probes (users, 0, 0, FIRST);
  read_list (users, "kprobes", G_MAXUINT64, G_MAXUINT64, PROBE);
  read_list (users, "kprobe_events", G_MAXUINT64, G_MAXUINT64, SECOND);
  g_assert_cmpstr (find (users, FALSE, 100, 0, 100), ==, "kprobe a/first");
  g_assert_cmpstr (find (users, TRUE, 200, 200, G_MAXUINT64), ==, "kprobe a/second");
  g_assert_cmpstr (find (users, TRUE, 100, 100, 200), ==, NULL);
}

/* Times that do not rise: nothing of that list counts. */
static void
test_backwards (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_probes (users, 200, 210, FIRST);
  read_probes (users, 100, 110, SECOND);
  pen_listed_users_repeat (users, "kprobe_events", 300, 310);
  g_assert_cmpstr (find (users, TRUE, 90, 90, 150), ==, NULL);
  g_assert_cmpstr (find (users, TRUE, 250, 250, 400), ==, NULL);
  g_assert_cmpstr (find (users, TRUE, 90, 90, 400), ==, "kprobe a/first");
}

static void
test_tracers (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();
  PenPoke poke = {
    .cause = PEN_CAUSE_FTRACE,
    .moment = { 90, 0 },
    .after = { .form = PEN_FORM_CALL, .user = "function_trace_call" },
  };

  read_list (users, "tracers", 100, 110,
             "/sys/kernel/tracing/current_tracer nop\n"
             "/sys/kernel/tracing/instances/a/current_tracer function\n");
  read_list (users, "tracers", 200, 210,
             "/sys/kernel/tracing/current_tracer function\n"
             "/sys/kernel/tracing/instances/a/current_tracer function_graph\n");
  g_assert_cmpstr (pen_listed_users_find (users, &poke, NULL, 90, 150), ==, "tracer function (a)");
  g_assert_cmpstr (pen_listed_users_find (users, &poke, NULL, 90, 300), ==, "tracer function (a)");
  poke.moment.time = 190;
  g_assert_cmpstr (pen_listed_users_find (users, &poke, NULL, 190, 300), ==, "tracer function");
}

static void
test_trampolines (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_list (users, "enabled_functions", 100, 110,
             "vfs_read (1) R I \ttramp: 0xffffffffc0214000 (function_trace_call+0x0/0x1d0) ->x\n");
  g_assert_cmpstr (pen_listed_users_find_called (users, 0xffffffffc0214000, 50, 150), ==,
                   "function_trace_call");
  g_assert_cmpstr (pen_listed_users_find_called (users, 0xffffffffc0214000, 120, 150), ==, NULL);
}

/* A function with two users: of both lists. */
static void
test_links (void)
{
  g_autoptr (PenListedUsers) users = pen_listed_users_new ();

  read_probes (users, 100, 110, FIRST);
  read_list (users, "programs", 110, 111, "[\n{\"id\":7,\"name\":\"reader\"}\n]\n");
  read_list (users, "links", 111, 120,
             "[\n{\"id\":3,\"type\":\"perf_event\",\"prog_id\":7,\"attach_type\":\"kprobe\","
             "\"addresses\":[\"0xffffffff81000010\"]}\n]\n");
  g_assert_cmpstr (find (users, TRUE, 90, 90, 150), ==, "kprobe a/first, kprobe reader (id 7)");
  g_assert_cmpuint (read_list (users, "links", 200, 210, "?\n"), ==, 1);
  g_assert_cmpuint (read_list (users, "other", 200, 210, "?\n"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/listed-users/between", test_between);
  g_test_add_func ("/listed-users/overlap", test_overlap);
  g_test_add_func ("/listed-users/nearest", test_nearest);
  g_test_add_func ("/listed-users/repeated", test_repeated);
  g_test_add_func ("/listed-users/enabled-later", test_enabled_later);
  g_test_add_func ("/listed-users/start-and-end", test_start_and_end);
  g_test_add_func ("/listed-users/backwards", test_backwards);
  g_test_add_func ("/listed-users/tracers", test_tracers);
  g_test_add_func ("/listed-users/trampolines", test_trampolines);
  g_test_add_func ("/listed-users/links", test_links);
  return g_test_run ();
}
