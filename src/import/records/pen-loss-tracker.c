/* pen-loss-tracker.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loss-tracker.h"

#include "pen-table-hash.h"

#define NO_CPU G_MAXUINT32
/* A damaged file can name as many CPUs as there are numbers. */
#define MAX_CPUS 65536
#define MAX_THROTTLES 65536u
/* Beyond these, losses of all CPUs and events are joined. */
#define MAX_JOINED 4096u

typedef struct {
  guint32 cpu;
  guint64 id;
  guint64 time;
  int event;
} Throttle;

/* Losses that are joined. */
typedef struct {
  PenLossKind kind;
  guint32 cpu;
  int event;
  gboolean is_untimed;
  guint index; /* of the losses */
} Joined;

/* How much of one of the reader's problems has been counted. */
typedef struct {
  guint64 count;
  guint loss; /* index, or NO_LOSS */
} Seen;

#define NO_LOSS G_MAXUINT

struct _PenLossTracker {
  GArray *losses;
  GArray *last_of_cpu;   /* guint64: element i is CPU i's; 0: none */
  GHashTable *throttles; /* Throttle, by CPU and id: not yet ended */
  guint64 first;
  guint64 last; /* the largest so far */
  guint32 file; /* of the record before */
  guint64 file_last;
  guint64 previous; /* of the record before */
  guint64 round;    /* nothing older than this can still come: two FINISHED_ROUNDs ago */
  guint64 next_round;
  GArray *seen; /* Seen: of each problem */
  gboolean is_unterminated;
  GArray *untimed;    /* indexes of losses that get the whole span in the end */
  GArray *open;       /* indexes of losses that last until the next record */
  GHashTable *joined; /* Joined → itself; NULL: none are */
  guint64 n_joined;
};

static guint
throttle_hash (gconstpointer data)
{
  const Throttle *throttle = data;
  guint64 key[] = { throttle->cpu, throttle->id };

  return pen_data_hash (key, sizeof key);
}

static gboolean
throttle_equal (gconstpointer a, gconstpointer b)
{
  const Throttle *x = a;
  const Throttle *y = b;

  return x->cpu == y->cpu && x->id == y->id;
}

static guint
joined_hash (gconstpointer data)
{
  const Joined *joined = data;
  guint32 key[]
      = { joined->kind, joined->cpu, (guint32) joined->event, (guint32) joined->is_untimed };

  return pen_data_hash (key, sizeof key);
}

static gboolean
joined_equal (gconstpointer a, gconstpointer b)
{
  const Joined *x = a;
  const Joined *y = b;

  return x->kind == y->kind && x->cpu == y->cpu && x->event == y->event
         && x->is_untimed == y->is_untimed;
}

static GHashTable *
throttles_new (void)
{
  return g_hash_table_new_full (throttle_hash, throttle_equal, g_free, NULL);
}

static GHashTable *
joined_new (void)
{
  return g_hash_table_new_full (joined_hash, joined_equal, g_free, NULL);
}

/* @size: of the keys, which are their values */
static GHashTable *
fill_copy (GHashTable *copy, GHashTable *table, gsize size)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (copy, g_memdup2 (key, size));
  return copy;
}

PenLossTracker *
pen_loss_tracker_new (void)
{
  PenLossTracker *self = g_new0 (PenLossTracker, 1);

  self->losses = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  self->last_of_cpu = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->throttles = throttles_new ();
  self->seen = g_array_new (FALSE, FALSE, sizeof (Seen));
  self->untimed = g_array_new (FALSE, FALSE, sizeof (guint));
  self->open = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

void
pen_loss_tracker_free (PenLossTracker *self)
{
  g_array_unref (self->losses);
  g_array_unref (self->last_of_cpu);
  g_hash_table_unref (self->throttles);
  g_array_unref (self->seen);
  g_array_unref (self->untimed);
  g_array_unref (self->open);
  g_clear_pointer (&self->joined, g_hash_table_unref);
  g_free (self);
}

void
pen_loss_tracker_next_reader (PenLossTracker *self)
{
  g_array_set_size (self->seen, 0);
}

PenLossTracker *
pen_loss_tracker_copy (PenLossTracker *self)
{
  PenLossTracker *copy = g_memdup2 (self, sizeof *self);

  copy->losses = g_array_copy (self->losses);
  copy->last_of_cpu = g_array_copy (self->last_of_cpu);
  copy->throttles = fill_copy (throttles_new (), self->throttles, sizeof (Throttle));
  if (self->joined)
    copy->joined = fill_copy (joined_new (), self->joined, sizeof (Joined));
  copy->seen = g_array_copy (self->seen);
  copy->untimed = g_array_copy (self->untimed);
  copy->open = g_array_copy (self->open);
  return copy;
}

void
pen_loss_tracker_join (PenLossTracker *self)
{
  if (!self->joined)
    self->joined = joined_new ();
}

guint64
pen_loss_tracker_get_joined (PenLossTracker *self)
{
  return self->n_joined;
}

/* Returns: the index of the one that goes on with @loss, or NO_LOSS: none does yet */
static guint
find_joined (PenLossTracker *self, PenLoss *loss, gboolean is_untimed)
{
  Joined key = { loss->kind, loss->cpu, loss->has_event ? (int) loss->event : -1, is_untimed,
                 self->losses->len };
  const Joined *joined = g_hash_table_lookup (self->joined, &key);

  if (!joined && g_hash_table_size (self->joined) >= MAX_JOINED) {
    loss->cpu = key.cpu = NO_CPU;
    loss->event = 0;
    loss->has_event = FALSE;
    key.event = -1;
    joined = g_hash_table_lookup (self->joined, &key);
  }
  if (joined)
    return joined->index;
  g_hash_table_add (self->joined, g_memdup2 (&key, sizeof key));
  return NO_LOSS;
}

/* Returns: its index, or that of the one that it is joined with */
static guint
keep_loss (PenLossTracker *self, PenLoss *loss, gboolean is_untimed)
{
  guint index = self->joined ? find_joined (self, loss, is_untimed) : NO_LOSS;
  PenLoss *joined;

  if (index == NO_LOSS) {
    g_array_append_vals (self->losses, loss, 1);
    if (is_untimed)
      g_array_append_vals (self->untimed, &(guint){ self->losses->len - 1 }, 1);
    return self->losses->len - 1;
  }
  joined = &g_array_index (self->losses, PenLoss, index);
  joined->from = MIN (joined->from, loss->from);
  joined->to = MAX (joined->to, loss->to);
  joined->count += MIN (loss->count, G_MAXUINT64 - joined->count);
  self->n_joined++;
  return index;
}

/* @event: -1: not known. Returns: its index */
static guint
add_loss (PenLossTracker *self, PenLossKind kind, guint64 from, guint64 to, guint32 cpu,
          guint64 count, int event)
{
  PenLoss loss = {
    .kind = kind,
    .from = MIN (from, to),
    .to = to,
    .cpu = cpu,
    .count = count,
    .has_event = event >= 0,
    .event = event >= 0 ? (guint32) event : 0,
  };

  return keep_loss (self, &loss, FALSE);
}

/* The whole span, in the end. */
static void
add_untimed (PenLossTracker *self, PenLossKind kind, guint32 cpu, guint64 count, int event)
{
  PenLoss loss = {
    .kind = kind,
    .cpu = cpu,
    .count = count,
    .has_event = event >= 0,
    .event = event >= 0 ? (guint32) event : 0,
  };

  keep_loss (self, &loss, TRUE);
}

static guint64
record_time (const PenRecord *record)
{
  return (record->has & PEN_HAS_TIME) != 0 ? pen_moment (record->time, 0).time : 0;
}

static guint32
record_cpu (const PenRecord *record)
{
  return (record->has & PEN_HAS_CPU) != 0 ? record->cpu : NO_CPU;
}

/* The record stands in the ring buffer where the lost ones would: they lie between the record
 * before it on that CPU and itself. */
static void
add_lost (PenLossTracker *self, const PenRecord *record)
{
  guint64 time = record_time (record);
  guint32 cpu = record_cpu (record);
  PenLossKind kind = PEN_LOSS_RECORDS;
  guint64 before = 0;

  if (record->type == PEN_RECORD_LOST_SAMPLES)
    kind = (record->misc & PEN_MISC_BPF_DROPPED) != 0 ? PEN_LOSS_UNWANTED : PEN_LOSS_SAMPLES;

  if (time == 0) {
    add_untimed (self, kind, cpu, record->lost.lost, record->event);
    return;
  }

  if (cpu < self->last_of_cpu->len)
    before = g_array_index (self->last_of_cpu, guint64, cpu);
  add_loss (self, kind, before != 0 ? before : self->round, time, cpu, record->lost.lost,
            record->event);
}

static void
add_throttle (PenLossTracker *self, const PenRecord *record)
{
  Throttle throttle = {
    .cpu = record_cpu (record),
    .id = record->throttle.id,
    .time = record_time (record),
    .event = record->event,
  };
  const Throttle *open = g_hash_table_lookup (self->throttles, &throttle);

  if (throttle.time == 0)
    throttle.time = pen_moment (record->throttle.time, 0).time;

  if (record->type == PEN_RECORD_UNTHROTTLE) {
    if (!open)
      return;
    add_loss (self, PEN_LOSS_THROTTLED, open->time, throttle.time, open->cpu, 0, open->event);
    g_hash_table_remove (self->throttles, &throttle);
  } else if (!open && g_hash_table_size (self->throttles) < MAX_THROTTLES) {
    g_hash_table_add (self->throttles, g_memdup2 (&throttle, sizeof throttle));
  }
}

/* The records set aside last lie between the record before and the one that comes: a loss goes on
 * from the first of its problem to the last. */
static void
extend_loss (PenLossTracker *self, guint index, guint64 count)
{
  g_array_index (self->losses, PenLoss, index).count += count;
  for (guint i = 0; i < self->open->len; i++)
    if (g_array_index (self->open, guint, i) == index)
      return;
  g_array_append_val (self->open, index);
}

static void
add_problem (PenLossTracker *self, const PenProblem *problem, Seen *seen)
{
  switch (problem->action) {
  case PEN_PROBLEM_ENDED:
    add_loss (self, PEN_LOSS_TRUNCATED, self->round, self->last, NO_CPU, 0, -1);
    break;
  case PEN_PROBLEM_SET_ASIDE:
    if (problem->record_type == 0)
      break;
    seen->loss = add_loss (
        self, problem->record_type == PEN_RECORD_SAMPLE ? PEN_LOSS_SAMPLES : PEN_LOSS_SET_ASIDE,
        self->previous, self->previous, NO_CPU, 0, -1);
    break;
  default:
    /* Not about a record: the size of all records was missing in the header. */
    self->is_unterminated |= problem->record_type == 0;
    break;
  }
}

static void
look_at_problems (PenLossTracker *self, GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);
    Seen *seen;

    if (i == self->seen->len) {
      Seen first = { 0, NO_LOSS };

      add_problem (self, problem, &first);
      g_array_append_val (self->seen, first);
    }

    seen = &g_array_index (self->seen, Seen, i);
    if (seen->loss != NO_LOSS && problem->count > seen->count)
      extend_loss (self, seen->loss, problem->count - seen->count);
    seen->count = problem->count;
  }
}

/* The kernel counts for each event what did not fit; LOST records report the same as it happens.
 * So what they told is in the counts that have no time. */
static void
mark_repeated (PenLossTracker *self)
{
  guint64 told = 0;

  for (guint i = 0; i < self->losses->len; i++) {
    const PenLoss *loss = &g_array_index (self->losses, PenLoss, i);

    if (loss->kind == PEN_LOSS_RECORDS)
      told += MIN (loss->count, G_MAXUINT64 - told);
  }

  for (guint i = 0; i < self->untimed->len && told > 0; i++) {
    PenLoss *loss = &g_array_index (self->losses, PenLoss, g_array_index (self->untimed, guint, i));

    if (loss->kind != PEN_LOSS_SAMPLES)
      continue;
    loss->repeated = MIN (loss->count, told);
    told -= loss->repeated;
  }
}

static void
close_open (PenLossTracker *self, guint64 time)
{
  for (guint i = 0; i < self->open->len; i++) {
    PenLoss *loss = &g_array_index (self->losses, PenLoss, g_array_index (self->open, guint, i));

    loss->from = MIN (loss->from, time);
    loss->to = MAX (loss->to, time);
  }

  g_array_set_size (self->open, 0);
}

/* Records of another file were in other rings: none of those before lies before the lost ones. */
static void
begin_file (PenLossTracker *self, guint32 file)
{
  self->file = file;
  self->file_last = 0;
  self->round = self->next_round = self->first;
  g_array_set_size (self->last_of_cpu, 0);
}

static void
note_time (PenLossTracker *self, const PenRecord *record, guint64 time)
{
  guint32 cpu = record_cpu (record);

  self->first = self->first == 0 ? time : MIN (self->first, time);
  self->last = MAX (self->last, time);
  self->file_last = MAX (self->file_last, time);
  self->previous = time;
  if (self->open->len > 0)
    close_open (self, time);

  if (cpu >= self->last_of_cpu->len) {
    if (cpu >= MAX_CPUS)
      return;
    g_array_set_size (self->last_of_cpu, cpu + 1);
  }
  g_array_index (self->last_of_cpu, guint64, cpu) = time;
}

void
pen_loss_tracker_add (PenLossTracker *self, const PenRecord *record, GPtrArray *problems)
{
  guint64 time = record_time (record);

  if (problems->len > 0)
    look_at_problems (self, problems);
  if (record->file != self->file)
    begin_file (self, record->file);

  switch (record->type) {
  case PEN_RECORD_LOST:
  case PEN_RECORD_LOST_SAMPLES:
    add_lost (self, record);
    break;
  case PEN_RECORD_THROTTLE:
  case PEN_RECORD_UNTHROTTLE:
    add_throttle (self, record);
    break;
  case PEN_RECORD_FINISHED_ROUND:
    self->round = self->next_round;
    self->next_round = MAX (self->next_round, self->file_last);
    break;
  default:
    break;
  }

  if (time != 0)
    note_time (self, record, time);
}

/* In any order: the history sorts losses. */
static void
close_throttles (PenLossTracker *self)
{
  GHashTableIter iter;
  gpointer throttle;

  g_hash_table_iter_init (&iter, self->throttles);
  while (g_hash_table_iter_next (&iter, &throttle, NULL)) {
    const Throttle *open = throttle;

    add_loss (self, PEN_LOSS_THROTTLED, open->time, MAX (self->last, open->time), open->cpu, 0,
              open->event);
  }
  g_hash_table_remove_all (self->throttles);
}

void
pen_loss_tracker_finish (PenLossTracker *self, GPtrArray *problems, PenHistory *history)
{
  look_at_problems (self, problems);
  close_open (self, self->last);

  close_throttles (self);

  for (guint i = 0; i < self->untimed->len; i++) {
    PenLoss *loss = &g_array_index (self->losses, PenLoss, g_array_index (self->untimed, guint, i));

    loss->from = self->first;
    loss->to = self->last;
  }

  mark_repeated (self);
  /* The recorder was killed before it wrote the rest. */
  if (self->is_unterminated)
    add_loss (self, PEN_LOSS_TRUNCATED, self->last, self->last, NO_CPU, 0, -1);

  for (guint i = 0; i < self->losses->len; i++)
    pen_history_add_loss (history, &g_array_index (self->losses, PenLoss, i));
}

void
pen_loss_tracker_get_span (PenLossTracker *self, guint64 *first, guint64 *last)
{
  *first = self->first;
  *last = self->last;
}

GArray *
pen_loss_tracker_get_losses (PenLossTracker *self)
{
  return self->losses;
}
