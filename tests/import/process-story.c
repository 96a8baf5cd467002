/* process-story.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "process-story.h"

#define CPUS 2u
/* Of what is lost: nothing else is heard of it, so that a loss reaches back to the one before. */
#define SILENT_CPU CPUS
#define PIDS 300
#define FIRST_PID 1000
#define MAX_LIVE 40u
#define MAX_THREADS 4u
#define SLOTS 8u
#define SLOT (1ull << 20)
#define SITES 4u

typedef enum { MAP, FORK, EXIT, NAME, EXEC, SAMPLE, POKE, LOST } What;

typedef struct {
  What what;
  guint64 time;
  guint cpu;
  gint32 pid;
  gint32 tid;
  gint32 child;
  gint32 child_tid;
  guint64 address;
  guint64 length;
  guint number;
} Event;

typedef struct {
  gint32 pid;
  guint n_threads;
  gint32 threads[MAX_THREADS];
} Process;

struct _ProcessStory {
  GRand *rand;
  guint64 time;
  guint tick;
  guint64 kernel;
  gboolean has_pokes;
  guint64 n_started;
  gint32 next_tid;
  GArray *live;   /* Process */
  GArray *events; /* Event: of this round */
  gboolean is_patched[SITES];
};

ProcessStory *
process_story_new (guint32 seed, guint64 start, guint tick, guint64 kernel, gboolean has_pokes)
{
  ProcessStory *self = g_new0 (ProcessStory, 1);
  Process first = { .pid = 1, .n_threads = 1, .threads = { 1 } };

  self->rand = g_rand_new_with_seed (seed);
  self->time = start;
  self->tick = tick;
  self->has_pokes = has_pokes;
  self->kernel = kernel;
  self->next_tid = FIRST_PID + PIDS;
  self->live = g_array_new (FALSE, FALSE, sizeof (Process));
  self->events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_array_append_val (self->live, first);
  return self;
}

void
process_story_free (ProcessStory *self)
{
  g_rand_free (self->rand);
  g_array_unref (self->live);
  g_array_unref (self->events);
  g_free (self);
}

guint64
process_story_get_time (ProcessStory *self)
{
  return self->time;
}

guint64
process_story_count_started (ProcessStory *self)
{
  return self->n_started;
}

static guint
below (ProcessStory *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

static Event *
add (ProcessStory *self, What what, const Process *process, gint32 tid)
{
  Event event = {
    .what = what,
    .time = self->time += 1 + below (self, self->tick),
    .cpu = below (self, CPUS),
    .pid = process->pid,
    .tid = tid,
  };

  g_array_append_val (self->events, event);
  return &g_array_index (self->events, Event, self->events->len - 1);
}

static Process *
pick (ProcessStory *self)
{
  return &g_array_index (self->live, Process, below (self, self->live->len));
}

static gint32
pick_thread (ProcessStory *self, const Process *process)
{
  return process->threads[below (self, process->n_threads)];
}

static void
add_map (ProcessStory *self, const Process *process)
{
  Event *event = add (self, MAP, process, pick_thread (self, process));

  event->number = below (self, 5);
  event->address = 0x400000 + below (self, SLOTS) * SLOT + below (self, 4) * (SLOT / 4);
  event->length = (1 + below (self, 6)) * (SLOT / 4);
}

static void
add_samples (ProcessStory *self, const Process *process, guint n)
{
  for (guint i = 0; i < n; i++) {
    Event *event = add (self, SAMPLE, process, pick_thread (self, process));

    event->address = below (self, 3) == 0
                         ? self->kernel + 16 * below (self, SITES)
                         : 0x400000 + below (self, SLOTS) * SLOT + 64 * below (self, 1024);
  }
}

static void
exec_process (ProcessStory *self, Process *process)
{
  gint32 tid = process->threads[0];

  process->n_threads = 1;
  add (self, EXEC, process, tid)->number = below (self, 6);
  for (guint i = below (self, 5); i-- > 0;)
    add_map (self, process);
}

static gboolean
is_live (ProcessStory *self, gint32 pid)
{
  for (guint i = 0; i < self->live->len; i++)
    if (g_array_index (self->live, Process, i).pid == pid)
      return TRUE;
  return FALSE;
}

static void
start_process (ProcessStory *self)
{
  const Process parent = *pick (self);
  Process child = { .n_threads = 1 };
  Event *event;

  do
    child.pid = FIRST_PID + (gint32) below (self, PIDS);
  while (is_live (self, child.pid));
  child.threads[0] = child.pid;
  event = add (self, FORK, &parent, pick_thread (self, &parent));
  event->child = event->child_tid = child.pid;
  self->n_started++;
  if (below (self, 4) != 0)
    exec_process (self, &child);
  g_array_append_val (self->live, child);
  add_samples (self, &child, below (self, 3));
}

static void
start_thread (ProcessStory *self)
{
  Process *process = pick (self);
  Event *event;

  if (process->n_threads == MAX_THREADS)
    return;
  event = add (self, FORK, process, pick_thread (self, process));
  event->child = process->pid;
  event->child_tid = self->next_tid++;
  process->threads[process->n_threads++] = event->child_tid;
}

/* Now and then nothing is heard of it, and its pid is another's later; or it still runs after its
 * end was told. */
static void
end_process (ProcessStory *self)
{
  guint i = below (self, self->live->len);
  const Process process = g_array_index (self->live, Process, i);

  if (process.pid == 1)
    return;
  add_samples (self, &process, below (self, 3));
  for (guint k = process.n_threads; below (self, 12) != 0 && k-- > 0;)
    add (self, EXIT, &process, process.threads[k]);
  if (below (self, 3) == 0)
    add_samples (self, &process, 1);
  g_array_remove_index_fast (self->live, i);
}

static void
add_poke (ProcessStory *self)
{
  const Process *process = pick (self);

  add (self, POKE, process, pick_thread (self, process))->number = below (self, SITES);
}

static void
step (ProcessStory *self)
{
  guint n = below (self, 100);
  Process *process;

  if (n < 30 && self->live->len < MAX_LIVE)
    start_process (self);
  else if (n < 55)
    end_process (self);
  else if (n < 62)
    start_thread (self);
  else if (n < 68)
    add_map (self, pick (self));
  else if (n < 70)
    exec_process (self, pick (self));
  else if (n < 74) {
    process = pick (self);
    add (self, NAME, process, pick_thread (self, process))->number = below (self, 6);
  } else if (n < 76 && self->has_pokes)
    add_poke (self);
  else if (n < 77 && below (self, 4) == 0)
    add (self, LOST, pick (self), 1)->cpu = SILENT_CPU;
  else
    add_samples (self, pick (self), 2);
}

static void
put_poke (ProcessStory *self, PenTestCapture *capture, guint site)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
  gboolean was = self->is_patched[site];

  self->is_patched[site] = !was;
  pen_test_capture_add_text_poke (capture, self->kernel + 16 * site, was ? jump : nop, 5,
                                  was ? nop : jump, 5);
}

static void
put (ProcessStory *self, PenTestCapture *capture, const Event *event)
{
  static const char *const names[] = { "sh", "make", "cc1", "as", "ld", "python3" };
  static const char *const files[]
      = { "/usr/bin/none", "/usr/lib/libnone.so", "/usr/lib/libother.so", "//anon", "[vdso]" };

  pen_test_capture_from (capture, event->what != SAMPLE);
  pen_test_capture_at (capture, event->time, event->pid, event->tid, event->cpu);
  switch (event->what) {
  case MAP:
    pen_test_capture_add_mmap (capture, PEN_TEST_USER, event->pid, event->tid, event->address,
                               event->length, 0x1000, files[event->number]);
    break;
  case FORK:
    pen_test_capture_add_fork (capture, 0, event->child, event->pid, event->child_tid, event->tid);
    break;
  case EXIT:
    pen_test_capture_add_exit (capture, event->pid, 1, event->tid, 1);
    break;
  case NAME:
  case EXEC:
    pen_test_capture_add_comm (capture, event->pid, event->tid, event->what == EXEC,
                               names[event->number]);
    break;
  case SAMPLE:
    pen_test_capture_add_sample (capture,
                                 event->address >= self->kernel ? PEN_TEST_KERNEL : PEN_TEST_USER,
                                 event->address, 1);
    break;
  case POKE:
    put_poke (self, capture, event->number);
    break;
  case LOST:
    pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, event->cpu), 3);
    break;
  }
}

void
process_story_go_on (ProcessStory *self, PenTestCapture *capture, guint steps)
{
  g_array_set_size (self->events, 0);
  for (guint i = 0; i < steps; i++)
    step (self);
  add_samples (self, &g_array_index (self->live, Process, 0), 1);
  g_array_index (self->events, Event, self->events->len - 1).cpu = 0;

  for (guint cpu = 0; cpu <= SILENT_CPU; cpu++)
    for (guint i = 0; i < self->events->len; i++)
      if (g_array_index (self->events, Event, i).cpu == cpu)
        put (self, capture, &g_array_index (self->events, Event, i));
  pen_test_capture_add_finished_round (capture);
}
