/* test-watch-users.c: lists of users while a machine is watched, and who is at a place since when
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-spans.h"
#include "pen-watch-users.h"

#define PLACE 0xffffffff81000110u
#define MS ((guint64) 1000000u)

static const guint8 text[] = { 0x90 };
static const guint8 breakpoint[] = { 0xcc };
static const guint8 jump[] = { 0xe9 };

/* ---- lists ---- */

/* @reads_take: ns */
typedef struct {
  PenWatchUsers *users;
  const char *events;
  guint64 clock;
  guint64 reads_take;
  guint n_reads;
} Machine;

static guint64
read_clock (gpointer user_data)
{
  return ((Machine *) user_data)->clock;
}

static GString *
read_list (const char *list, gpointer user_data)
{
  Machine *self = user_data;

  if (g_str_equal (list, "kprobes")) {
    self->n_reads++;
    self->clock += self->reads_take;
    return g_string_new (self->events ? "ffffffff81000110  k  vfs_read+0x10\n" : "");
  }
  return g_str_equal (list, "kprobe_events") ? g_string_new (self->events) : NULL;
}

static void
machine_init (Machine *self)
{
  self->users = pen_watch_users_new (read_list, read_clock, self);
}

static void
read_at (Machine *self, guint64 time, const char *events)
{
  self->clock = time;
  self->events = events;
  pen_watch_users_expect (self->users);
  pen_watch_users_update (self->users);
}

static const char *
find (Machine *self, guint64 time, guint64 since, guint64 until)
{
  const PenPoke poke = {
    .cause = PEN_CAUSE_KPROBE,
    .moment = { time, 0 },
    .address = PLACE,
    .before.form = PEN_FORM_BREAKPOINT,
  };

  return pen_watch_users_find (self->users, &poke, NULL, since, until);
}

/* They are read if something came, and that takes a twentieth of the time. */
static void
test_rate (void)
{
  Machine machine = { .reads_take = MS };

  machine_init (&machine);
  for (guint i = 0; i < 1000; i++) {
    machine.clock = i * MS;
    if (i < 500)
      pen_watch_users_expect (machine.users);
    pen_watch_users_update (machine.users);
  }
  g_assert_cmpuint (machine.n_reads, >=, 500 / 25);
  g_assert_cmpuint (machine.n_reads, <=, 500 / 20 + 2);
  pen_watch_users_free (machine.users);
}

/* Whatever comes, the lists of late are known, and those of long ago are not kept. */
static void
test_for_weeks (void)
{
  Machine machine = { 0 };

  machine_init (&machine);
  for (guint64 i = 1; i <= 1000; i++) {
    g_autofree char *events = g_strdup_printf ("p:a/n%u vfs_read+16\n", (guint) i);

    read_at (&machine, i * 1000 * MS, events);
  }
  g_assert_cmpuint (machine.n_reads, ==, 1000);
  for (guint64 i = 750; i <= 1000; i++) {
    g_autofree char *expected = g_strdup_printf ("kprobe a/n%u", (guint) i);

    g_assert_cmpstr (find (&machine, i * 1000 * MS + MS, i * 1000 * MS - MS, i * 1000 * MS + MS),
                     ==, expected);
  }
  g_assert_cmpstr (find (&machine, 1001 * MS, 999 * MS, 1001 * MS), ==, NULL);
  pen_watch_users_free (machine.users);
}

/* ---- places ---- */

static void
add (PenWatchSpans *spans, guint64 time, const guint8 *before, const guint8 *after)
{
  const PenPoke poke = {
    .moment = { time, 0 },
    .address = PLACE,
    .old_bytes = before,
    .old_length = 1,
    .new_bytes = after,
    .new_length = 1,
    .effect = before == after ? PEN_POKE_SAME : PEN_POKE_PATCH,
  };

  pen_watch_spans_add (spans, &poke);
}

static void
assert_span (PenWatchSpans *spans, guint64 number, guint64 since, guint64 until)
{
  guint64 found_since;
  guint64 found_until;

  pen_watch_spans_get (spans, number, &found_since, &found_until);
  g_assert_cmpuint (found_since, ==, since);
  g_assert_cmpuint (found_until, ==, until);
}

/* A probe becomes a jump, and goes; another one comes. */
static void
test_spans (void)
{
  PenWatchSpans *spans = pen_watch_spans_new ();

  add (spans, 10, breakpoint, text); /* it was there before */
  add (spans, 20, text, breakpoint);
  add (spans, 30, breakpoint, jump);
  add (spans, 35, jump, jump);
  assert_span (spans, 1, 20, G_MAXUINT64);
  add (spans, 40, jump, text);
  add (spans, 50, text, breakpoint);
  assert_span (spans, 0, 0, 10);
  for (guint i = 1; i <= 4; i++)
    assert_span (spans, i, 20, 40);
  assert_span (spans, 5, 50, G_MAXUINT64);
  pen_watch_spans_free (spans);
}

/* What goes long after it came, its first pokes dropped. */
static void
test_dropped (void)
{
  PenWatchSpans *spans = pen_watch_spans_new ();

  add (spans, 20, text, breakpoint);
  add (spans, 30, breakpoint, jump);
  pen_watch_spans_drop (spans, 1);
  add (spans, 900, jump, breakpoint);
  pen_watch_spans_drop (spans, 2);
  add (spans, 910, breakpoint, text);
  assert_span (spans, 2, 20, 910);
  assert_span (spans, 3, 20, 910);
  pen_watch_spans_free (spans);
}

/* Records were lost: before and after, another one may have been there. */
static void
test_lost (void)
{
  PenWatchSpans *spans = pen_watch_spans_new ();

  add (spans, 20, text, breakpoint);
  pen_watch_spans_forget (spans, 30);
  add (spans, 40, breakpoint, text);
  assert_span (spans, 0, 20, 30);
  assert_span (spans, 1, 30, 40);
  pen_watch_spans_free (spans);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch-users/rate", test_rate);
  g_test_add_func ("/watch-users/for-weeks", test_for_weeks);
  g_test_add_func ("/watch-users/spans", test_spans);
  g_test_add_func ("/watch-users/dropped", test_dropped);
  g_test_add_func ("/watch-users/lost", test_lost);
  return g_test_run ();
}
