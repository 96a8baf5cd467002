/* flip-history.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "flip-history.h"

#include <string.h>

#include "pen-store-records.h"

#define TEXT 0xffffffff81000000ull
#define FUNCTION_LENGTH 64u
#define FIRST (1000 * MS)

static const guint place_offsets[N_PLACES] = { 8, 24, 40 };
static const guint8 nop[5] = { 0x0f, 0x1f, 0x44, 0, 0 };

guint
flip_history_draw (FlipHistory *history, guint n)
{
  return (guint) g_rand_int_range (history->rand, 0, (gint32) n);
}

static gint32
draw_pid (FlipHistory *history)
{
  return 7 + (gint32) flip_history_draw (history, history->n_tasks);
}

guint64
flip_history_get_address (guint site)
{
  return TEXT + site / N_PLACES * FUNCTION_LENGTH + place_offsets[site % N_PLACES];
}

/* Returns: how many bytes */
static guint16
get_bytes (guint site, gboolean is_on, guint8 bytes[5])
{
  if (site % N_PLACES == 2) {
    bytes[0] = is_on ? 0xcc : 0x55;
    return 1;
  }
  memcpy (bytes, nop, sizeof nop);
  if (is_on) {
    /* To the function's offset 50. */
    memset (bytes, 0, 5);
    bytes[0] = 0xe9;
    bytes[1] = (guint8) (50 - place_offsets[site % N_PLACES] - 5);
  }
  return 5;
}

static void
add_kernel (const FlipHistory *history, PenTestCapture *capture)
{
  g_autoptr (GString) kallsyms = g_string_new (NULL);
  guint8 text[0x1000];

  memset (text, 0x90, sizeof text);
  for (guint i = 0; i < N_FUNCTIONS; i++)
    g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T f%u\n",
                            (guint64) (TEXT + i * FUNCTION_LENGTH), i);
  g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T _etext\n",
                          (guint64) (TEXT + N_FUNCTIONS * FUNCTION_LENGTH));
  for (guint i = 0; i < N_SITES; i++) {
    guint8 bytes[5];
    guint16 length = get_bytes (i, FALSE, bytes);

    memcpy (text + (flip_history_get_address (i) - TEXT), bytes, length);
  }
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms->str, kallsyms->len);
  pen_test_capture_add_kcore_segment (capture, TEXT, text, sizeof text);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_set_os_release (capture, "6.1.0-test");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0x1000, TEXT,
                             "[kernel.kallsyms]_text");
  for (guint i = 0; i < history->n_tasks; i++) {
    g_autofree char *comm = g_strdup_printf ("task%u", i);

    pen_test_capture_add_comm (capture, 7 + (gint32) i, 7 + (gint32) i, FALSE, comm);
  }
}

static void
add_poke (PenTestCapture *capture, const Flip *flip)
{
  guint8 before[5];
  guint8 after[5];
  guint16 length = get_bytes (flip->site, flip->was_on, before);

  get_bytes (flip->site, flip->is_on, after);
  pen_test_capture_at (capture, flip->time, flip->pid, flip->pid, 0);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_text_poke (capture, flip_history_get_address (flip->site), before, length,
                                  after, length);
}

#define WAITED 2 /* its event */

/* Before @time, and after what was recorded before that. */
static void
add_wait (FlipHistory *history, PenTestCapture *capture, guint64 time)
{
  guint64 period = 1 + flip_history_draw (history, 15 * MS);
  guint64 end = time - 1 - flip_history_draw (history, 5 * MS);
  Hit wait = { end - period, flip_history_draw (history, N_FUNCTIONS), draw_pid (history), period };

  g_array_append_val (history->waits, wait);
  pen_test_capture_at (capture, end, wait.pid, wait.pid, 0);
  pen_test_capture_from (capture, WAITED);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, TEXT + wait.function * FUNCTION_LENGTH,
                               period);
}

static void
make_story (FlipHistory *history, PenTestCapture *capture, gboolean with_losses)
{
  gboolean is_on[N_SITES] = { FALSE };
  gboolean is_poked[N_SITES] = { FALSE };
  gboolean is_missing[N_SITES] = { FALSE };
  guint64 time = FIRST;

  for (guint i = 0; i < 1500; i++) {
    /* So far apart that each poke is a batch of its own. */
    time += 25 * MS + flip_history_draw (history, 40 * MS);
    if (flip_history_draw (history, 3) == 0)
      add_wait (history, capture, time);
    if (flip_history_draw (history, 4) > 0) {
      Hit hit = { time, flip_history_draw (history, N_FUNCTIONS), draw_pid (history), 10 };

      g_array_append_val (history->hits, hit);
      pen_test_capture_at (capture, hit.time, hit.pid, hit.pid, 0);
      pen_test_capture_from (capture, 0);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, TEXT + hit.function * FUNCTION_LENGTH,
                                   10);
    } else if (with_losses && flip_history_draw (history, 30) == 0) {
      pen_test_capture_at (capture, time, 7, 7, 0);
      pen_test_capture_from (capture, 1);
      pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 1);
    } else {
      guint site = flip_history_draw (history, N_SITES);
      Flip flip = { time, site, draw_pid (history), !is_on[site], is_on[site], is_missing[site] };

      is_on[site] = !is_on[site];
      is_missing[site] = with_losses && is_poked[site] && flip_history_draw (history, 10) == 0;
      if (is_missing[site])
        continue;
      is_poked[site] = TRUE;
      g_array_append_val (history->flips, flip);
      add_poke (capture, &flip);
    }
  }
}

/* Two pokes in a row that are missing leave bytes as they were: nothing breaks. */
static void
find_breaks (FlipHistory *history)
{
  gboolean is_known[N_SITES] = { FALSE };
  gboolean was_on[N_SITES] = { FALSE };

  for (guint i = 0; i < history->flips->len; i++) {
    Flip *flip = &g_array_index (history->flips, Flip, i);

    flip->breaks = is_known[flip->site] && was_on[flip->site] != flip->was_on;
    is_known[flip->site] = TRUE;
    was_on[flip->site] = flip->is_on;
  }
}

void
flip_history_init (FlipHistory *history, guint32 seed, guint n_tasks, gboolean with_losses)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GError) error = NULL;
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;

  *history = (FlipHistory){ .rand = g_rand_new_with_seed (seed), .n_tasks = n_tasks };
  history->flips = g_array_new (FALSE, FALSE, sizeof (Flip));
  history->hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  history->waits = g_array_new (FALSE, FALSE, sizeof (Hit));
  off_cpu.name = "offcpu-time";
  off_cpu.type = 1;
  off_cpu.config = 10;
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_add_event (capture, &off_cpu);
  add_kernel (history, capture);
  make_story (history, capture, with_losses);
  find_breaks (history);
  query_fixture_import (&history->fixture, capture);
  history->losses = pen_store_load_losses (history->fixture.store, &error);
  g_assert_no_error (error);
  g_assert_true (
      pen_query_get_time_range (history->fixture.query, &history->first, &history->last));
  g_assert_true (with_losses == (history->losses->len > 0));
}

void
flip_history_clear (FlipHistory *history)
{
  query_fixture_tear_down (&history->fixture, NULL);
  g_array_unref (history->flips);
  g_array_unref (history->hits);
  g_array_unref (history->waits);
  g_array_unref (history->losses);
  g_rand_free (history->rand);
}

guint
flip_history_count_tasks (const FlipHistory *history, guint site)
{
  g_autoptr (GHashTable) pids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < history->flips->len; i++) {
    const Flip *flip = &g_array_index (history->flips, Flip, i);

    if (flip->site == site)
      g_hash_table_add (pids, GINT_TO_POINTER (flip->pid));
  }
  return g_hash_table_size (pids);
}
