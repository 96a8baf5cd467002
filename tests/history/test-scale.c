/* test-scale.c: histories that are made to be slow
 *
 * No clock is read: each case is some 10^5 events for which work that grows with the square would
 * be 10^10 steps, for which the limit on the processor's time is too short. Other programs do not
 * count in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "maker.h"
#include "pen-history-private.h"
#include "pen-cancel-check.h"

#include <string.h>
#include <sys/resource.h>

#define N 100000u
/* All cases take five. */
#define PROCESSOR_S 30

static void
ask_many (Maker *maker, guint64 first, guint64 step, const char *occupant)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new (maker_seal (maker));

  pen_sweep_advance (sweep, PEN_MOMENT_END);
  for (guint i = 0; i < N; i++) {
    const PenTenure *tenure = pen_sweep_find_kernel (sweep, first + i * step, NULL);

    g_assert_cmpstr (tenure ? tenure->occupant : NULL, ==, occupant);
  }
}

/* Every symbol ends behind all that start after it: nearest start, no short way by the ends. */
static void
test_nested (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 1, 0x10000, 0x1000000, "bpf_prog_outer");
  for (guint i = 1; i < N; i++)
    maker_register (maker, 1 + i, 0x10000 + i * 16, 8, "bpf_prog_inner");
  ask_many (maker, 0x10000 + 9, 16, "bpf_prog_outer");
  for (guint i = 0; i < N; i++) {
    const PenTenure *tenure = pen_history_find (maker->history, PEN_SPACE_KERNEL,
                                                0x10000 + i * 16 + 9, PEN_MOMENT_END, NULL);

    g_assert_cmpstr (tenure->occupant, ==, "bpf_prog_outer");
  }
}

/* Ghosts that look back over many ends, again and again. */
static void
test_ghosts (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  for (guint i = 0; i < N; i++)
    maker_unregister (maker, 1 + i, 0x10000 + i * 16, 16, "bpf_prog_small");
  for (guint i = 0; i < N; i++)
    maker_unregister (maker, N + 1 + i, 0x10001, 16 * N, "bpf_prog_large");
  pen_history_get_tenures (maker_seal (maker), &n);
  g_assert_cmpuint (n, ==, 2 * N);
}

static void
test_cuts (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  maker_kernel_map (maker, 1, 0x10000, 0x10000000, "[wide]");
  for (guint i = 0; i < N; i++)
    maker_kernel_map (maker, 2 + i, 0x10000 + (N - i) * 32, 8, "[narrow]");
  ask_many (maker, 0x10000 + 10, 32, "[wide]");
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, N + 1);
  pen_history_get_parts (maker->history, &n);
  g_assert_cmpuint (n, ==, 3 * N + 1);
}

/* Names that GLib's string hash cannot tell apart ("Ab" and "BA" hash alike). */
static void
test_names (void)
{
  g_autoptr (Maker) maker = maker_new ();

  for (guint i = 0; i < N; i++) {
    char name[35] = "";

    for (guint bit = 0; bit < 17; bit++)
      memcpy (name + 2 * bit, i >> bit & 1 ? "BA" : "Ab", 2);
    maker_register (maker, 1, 0x10000 + i * 16, 8, name);
  }
  ask_many (maker, 0x10000 + 8, 16, NULL);
}

/* P6: what is open is cut, in pieces and as a whole, again and again. */
static void
test_unknown_text (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n_unknown = 0;
  guint n;
  const PenTenure *tenures;

  for (guint i = 0; i < N; i++) {
    maker_poke (maker, 3 * i + 1, 0x10000 + i * 2, "a", "b");
    if (i % 2) {
      maker_register (maker, 3 * i + 2, 0x10000 + i % 8, 2 * N, "bpf_prog_x");
      maker_unregister (maker, 3 * i + 3, 0x10000 + i % 8, 2 * N, "bpf_prog_x");
    }
  }
  tenures = pen_history_get_tenures (maker_seal (maker), &n);
  for (guint i = 0; i < n; i++)
    n_unknown += tenures[i].kind == PEN_KIND_UNKNOWN;
  g_assert_cmpuint (n_unknown, ==, N);
}

static void
test_pokes_of_one_byte (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenPoke *pokes;
  guint n;

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[a]");
  for (guint i = 0; i < N; i++)
    maker_poke (maker, 1 + i, 0x1100, i % 2 ? "ab" : "ba", i % 2 ? "ba" : "ab");
  pokes = pen_history_get_pokes (maker_seal (maker), &n);
  g_assert_cmpuint (n, ==, N);
  g_assert_cmpuint (pokes[N - 1].revision, ==, N);
  for (guint i = 0; i < N; i++) {
    guint32 revision;

    pen_history_find (maker->history, PEN_SPACE_KERNEL, 0x1101, pokes[i].moment, &revision);
    g_assert_cmpuint (revision, ==, i);
  }
}

static void
test_fork_bomb (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenLoss *losses;
  guint n;

  maker->history->max_copies = 2 * N;
  for (guint i = 0; i < 1000; i++)
    maker_map (maker, 1, 1, 0x1000 * (i + 1), 0x1000, 0, "/bin/a");
  for (guint i = 0; i < N; i++)
    maker_fork (maker, 2 + i, 1, (gint32) i + 2);

  maker_assert_process (maker, 10 + N, 100, 0x1000, "/bin/a");
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 2 * N + 1000);
  losses = pen_history_get_losses (maker->history, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (losses[0].kind, ==, PEN_LOSS_SET_ASIDE);
}

/* One process image after the other, with one map each; and threads that come and go. */
static void
test_many_images (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  for (guint i = 0; i < N; i++) {
    maker_exec (maker, 3 * i + 1, 1, "sh");
    maker_map (maker, 3 * i + 2, 1, 0x1000, 0x1000, 0, "/bin/a");
    maker_thread (maker, 3 * i + 3, 1, (gint32) i + 2);
  }
  maker_assert_process (maker, 3 * N + 1, 1, 0x1000, "/bin/a");
  pen_history_get_spaces (maker->history, &n);
  g_assert_cmpuint (n, ==, N + 1);
  g_assert_cmpstr (maker_find_comm (maker, 3 * N + 1, N), ==, "sh");
}

typedef struct {
  guint calls;
  guint stop_at; /* 0: never */
} Watch;

static gboolean
watch (gpointer user_data)
{
  Watch *self = user_data;

  return ++self->calls != self->stop_at;
}

static PenHistory *
make_busy (void)
{
  PenHistory *history = pen_history_new ();

  for (guint i = 0; i < N; i++) {
    PenMoment moment = pen_moment (1 + (i * 7919u) % N, i + 1);
    PenMapEvent map = { .pid = (gint32) (i % 50),
                        .tid = (gint32) (i % 50),
                        .start = 0x1000 + i,
                        .length = 0x100,
                        .name = "/bin/a",
                        .evidence = PEN_EVIDENCE_RECORDED };
    PenPoke poke = { .moment = moment,
                     .address = 0x1000 + i % 777,
                     .old_length = 1,
                     .new_length = 1,
                     .old_bytes = (const guint8 *) "a",
                     .new_bytes = (const guint8 *) "b" };

    map.is_kernel = i % 2 == 0;
    map.origin.moment = moment;
    pen_history_add_map (history, &map);
    pen_history_add_poke (history, &poke);
  }
  return history;
}

/* Wherever sealing is stopped, it stops, and what is left can be freed. */
static void
test_stop (void)
{
  Watch all = { 0 };
  g_autoptr (PenHistory) history = make_busy ();

  g_assert_true (pen_history_seal (history, watch, &all));
  g_assert_cmpuint (all.calls, >, 100);

  for (guint stop_at = 1; stop_at <= all.calls; stop_at += 1 + all.calls / 9) {
    Watch some = { .stop_at = stop_at };
    g_autoptr (PenHistory) stopped = make_busy ();

    g_assert_false (pen_history_seal (stopped, watch, &some));
    g_assert_cmpuint (some.calls, ==, stop_at);
  }
}

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  guint32 first = *(const guint32 *) a >> 16;
  guint32 second = *(const guint32 *) b >> 16;

  return first < second ? -1 : first > second;
}

/* Sorted, and equal ones in their order: the lower half of each is its place. */
static void
test_sort (void)
{
  static const guint lengths[] = { 0, 1, 2, 16383, 16384, 16385, 50000, 65536 };

  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++) {
    guint n = lengths[k];
    g_autofree guint32 *numbers = g_new (guint32, n + 1);
    PenCancelCheck check = { 0 };

    for (guint i = 0; i < n; i++)
      numbers[i] = (guint32) g_test_rand_int_range (0, 300) << 16 | i;
    g_assert_true (
        pen_cancel_check_sort (&check, numbers, n, sizeof *numbers, compare_numbers, NULL));
    for (guint i = 1; i < n; i++)
      g_assert_cmpuint (numbers[i - 1], <, numbers[i]);
  }
}

static void
limit_time (void)
{
  const struct rlimit limit = { PROCESSOR_S, PROCESSOR_S };

  g_assert_cmpint (setrlimit (RLIMIT_CPU, &limit), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  limit_time ();
  g_test_add_func ("/scale/nested", test_nested);
  g_test_add_func ("/scale/ghosts", test_ghosts);
  g_test_add_func ("/scale/cuts", test_cuts);
  g_test_add_func ("/scale/names", test_names);
  g_test_add_func ("/scale/unknown-text", test_unknown_text);
  g_test_add_func ("/scale/pokes-of-one-byte", test_pokes_of_one_byte);
  g_test_add_func ("/scale/fork-bomb", test_fork_bomb);
  g_test_add_func ("/scale/many-images", test_many_images);
  g_test_add_func ("/scale/stop", test_stop);
  g_test_add_func ("/scale/sort", test_sort);
  return g_test_run ();
}
