/* random-run.c: random events of every kind, from a seed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-run.h"

#include <string.h>

#define MAX_EVENTS 44
#define MAX_EVENTS_OF_LONG 130

guint
run_pick (Run *run, guint n)
{
  return (guint) g_rand_int_range (run->rand, 0, (gint32) n);
}

gboolean
run_chance (Run *run, guint percent)
{
  return run_pick (run, 100) < percent;
}

static const char *
pick_name (Run *run, const char *const *names, guint n)
{
  return names[run_pick (run, n)];
}

static void
pick_range (Run *run, RawEvent *event, guint max_length)
{
  event->start = run_pick (run, MODEL_ADDRESSES - 1);
  event->length = run_chance (run, 4) ? 0 : 1 + run_pick (run, max_length);
  event->length = MIN (event->length, MODEL_ADDRESSES - event->start);
}

static void
pick_task (Run *run, RawEvent *event)
{
  event->pid = 1 + (gint32) run_pick (run, RUN_PIDS);
  event->tid = event->pid + 10 * (gint32) (run_chance (run, 30) ? run_pick (run, 3) : 0);
}

static const char *const modules[] = { "[a]", "[b]", "[c]" };

static void
make_module_event (Run *run, RawEvent *event)
{
  event->kind = RAW_MODULE_FREE;
  event->name = pick_name (run, modules, G_N_ELEMENTS (modules));
}

static void
make_kernel_map (Run *run, RawEvent *event)
{
  event->kind = RAW_KERNEL_MAP;
  event->name = pick_name (run, modules, G_N_ELEMENTS (modules));
  event->flag = event->moment.time == 0 && run_chance (run, 60);
  event->file_offset = 100 * run_pick (run, 100);
  pick_range (run, event, 20);
}

static const RawEvent *
pick_earlier_register (Run *run)
{
  for (guint tries = 0; tries < 8 && run->stream->len > 0; tries++) {
    const RawEvent *event
        = &g_array_index (run->stream, RawEvent, run_pick (run, run->stream->len));

    if (event->kind == RAW_REGISTER || event->kind == RAW_LISTED)
      return event;
  }
  return NULL;
}

static const char *const ksymbols[] = { "bpf_prog_a", "bpf_prog_b", "bpf_trampoline_1" };

/* One each in the lower and the upper half: the lines of a snapshot do not overlap. */
static void
make_listed (Run *run, guint64 upper)
{
  RawEvent event = { .kind = RAW_LISTED, .pid = -1, .tid = -1, .ppid = -1, .ptid = -1 };

  event.moment = (PenMoment){ 0, G_MAXUINT64 - 2 + upper };
  event.name = pick_name (run, ksymbols, G_N_ELEMENTS (ksymbols));
  event.start = upper * MODEL_ADDRESSES / 2 + run_pick (run, MODEL_ADDRESSES / 2 - 1);
  event.length = 1 + run_pick (run, 10);
  event.length = MIN (event.length, (1 + upper) * MODEL_ADDRESSES / 2 - event.start);
  g_array_append_val (run->stream, event);
}

static void
make_ksymbol (Run *run, RawEvent *event, RawKind kind)
{
  const RawEvent *earlier
      = run_chance (run, kind == RAW_REGISTER ? 35 : 75) ? pick_earlier_register (run) : NULL;

  event->kind = kind;
  event->name = pick_name (run, ksymbols, G_N_ELEMENTS (ksymbols));
  pick_range (run, event, 14);
  if (!earlier)
    return;
  event->start = earlier->start;
  if (run_chance (run, 70)) {
    event->length = earlier->length;
    event->name = earlier->name;
  }
  event->length = MIN (event->length, MODEL_ADDRESSES - event->start);
}

static void
make_poke (Run *run, RawEvent *event)
{
  guint same;

  event->kind = RAW_POKE;
  event->start
      = run_chance (run, 60) ? run->hot + run_pick (run, 4) : run_pick (run, MODEL_ADDRESSES);
  event->old_length = (guint16) run_pick (run, run_chance (run, 20) ? RAW_POKE_MAX + 1 : 6);
  event->new_length = (guint16) run_pick (run, run_chance (run, 20) ? RAW_POKE_MAX + 1 : 6);
  if (run_chance (run, 60))
    event->new_length = event->old_length;
  for (guint i = 0; i < RAW_POKE_MAX; i++) {
    event->old_bytes[i] = (guint8) run_pick (run, 3);
    event->new_bytes[i] = (guint8) run_pick (run, 3);
  }
  same = run_pick (run, 4);
  if (same == 0)
    memcpy (event->new_bytes, event->old_bytes, RAW_POKE_MAX);
  event->length = MAX (event->old_length, event->new_length);
  pick_task (run, event);
}

static void
make_map (Run *run, RawEvent *event)
{
  static const char *const names[] = { "/bin/a", "/lib/b.so", "//anon" };

  event->kind = RAW_MAP;
  event->name = pick_name (run, names, G_N_ELEMENTS (names));
  event->file_offset = 100 * run_pick (run, 100);
  event->flag = run_chance (run, 8);
  pick_task (run, event);
  pick_range (run, event, 30);
}

static void
make_fork (Run *run, RawEvent *event)
{
  event->kind = RAW_FORK;
  pick_task (run, event);
  event->ppid = run_chance (run, 30) ? event->pid : 1 + (gint32) run_pick (run, RUN_PIDS);
  event->ptid = run_chance (run, 80) ? event->ppid : event->ppid + 10;
  if (run_chance (run, 5))
    event->ptid = 0;
  if (run_chance (run, 3))
    event->tid = 0;
  event->flag = run_chance (run, 15);
}

static void
make_comm (Run *run, RawEvent *event)
{
  static const char *const names[] = { "sh", "cat", "init", "" };

  event->kind = RAW_COMM;
  event->name = pick_name (run, names, G_N_ELEMENTS (names));
  event->flag = run_chance (run, 35);
  pick_task (run, event);
  if (run_chance (run, 4))
    event->pid = event->tid = 0;
}

static void
make_event (Run *run, RawEvent *event, gboolean is_kernel)
{
  guint dice = run_pick (run, 100);

  if (is_kernel && run_chance (run, run->poke_share))
    make_poke (run, event);
  else if (is_kernel && dice < 7)
    make_module_event (run, event);
  else if (is_kernel && dice < 30)
    make_kernel_map (run, event);
  else if (is_kernel && dice < 70)
    make_ksymbol (run, event, RAW_REGISTER);
  else if (is_kernel)
    make_ksymbol (run, event, RAW_UNREGISTER);
  else if (dice < 40)
    make_map (run, event);
  else if (dice < 65)
    make_fork (run, event);
  else if (dice < 82)
    make_comm (run, event);
  else {
    event->kind = RAW_EXIT;
    pick_task (run, event);
  }
}

static int
compare_raw (gconstpointer a, gconstpointer b)
{
  return pen_moment_compare (((const RawEvent *) a)->moment, ((const RawEvent *) b)->moment);
}

static void
sort_for_model (Run *run)
{
  g_array_append_vals (run->sorted, run->stream->data, run->stream->len);
  g_array_sort (run->sorted, compare_raw);
  run->model.events = (const RawEvent *) (gpointer) run->sorted->data;
  run->model.n = run->sorted->len;
  run->model.held = g_new0 (guint8, (run->model.n + 1) * MODEL_BYTES);
}

void
run_init (Run *run, guint32 seed)
{
  static const guint kernel_shares[] = { 100, 0, 50, 85, 15 };
  guint share;
  guint n;

  run->seed = seed;
  run->rand = g_rand_new_with_seed (seed);
  run->stream = g_array_new (FALSE, FALSE, sizeof (RawEvent));
  share = kernel_shares[run_pick (run, G_N_ELEMENTS (kernel_shares))];
  run->hot = run_pick (run, MODEL_ADDRESSES - 4);
  run->poke_share = run_chance (run, 50) ? 22 : 60;
  n = 1 + run_pick (run, run_chance (run, 15) ? MAX_EVENTS_OF_LONG : MAX_EVENTS);
  for (guint half = 0; half < 2 && share > 0; half++)
    if (run_chance (run, 40))
      make_listed (run, half);
  for (guint i = 0; i < n; i++) {
    RawEvent event = { .pid = -1, .tid = -1, .ppid = -1, .ptid = -1, .name = "" };
    guint64 time = run_chance (run, 12) ? 0 : 1 + run_pick (run, RUN_MAX_TIME);

    event.moment = pen_moment (time == 0 && run_chance (run, 30) ? G_MAXUINT64 : time, i + 1);
    make_event (run, &event, run_chance (run, share));
    g_array_append_val (run->stream, event);
  }
  run->sorted = g_array_new (FALSE, FALSE, sizeof (RawEvent));
  sort_for_model (run);
}

void
run_clear (Run *run)
{
  g_rand_free (run->rand);
  g_array_unref (run->stream);
  g_array_unref (run->sorted);
  g_free (run->model.held);
}
