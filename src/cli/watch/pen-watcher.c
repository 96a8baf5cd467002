/* pen-watcher.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watcher.h"

#include <string.h>

#include "pen-record-decoder.h"
#include "pen-tracepoint.h"
#include "pen-watch-queue.h"
#include "pen-watch-spans.h"

/* Modules are looked at as often, and names read again if these changed: that costs a tenth of a
 * second. */
#define LOOK_AGAIN 100000000u
#define READ_AGAIN 2000000000u

/* Of a BPF program that are looked through for its announcement. */
#define FUNCTIONS_MAX 256u

typedef struct {
  PenTracepoint *format; /* NULL: none */
  gboolean is_free;
} Event;

struct _PenWatcher {
  PenWatchText *text;
  PenWatchTasks *tasks;
  PenWatchUsers *users;
  PenWatchFunc func;
  gpointer user_data;
  PenRecordDecoder *records;
  PenDecoder *decoder; /* NULL: causes are unknown */
  GArray *events;      /* Event */

  PenWatchQueue *queue; /* not yet in order */
  GQueue ready;         /* PenWatchItem, in order; those of pokes belong to @poke_items */
  gsize ready_bytes;
  GArray *pokes;         /* PenPoke, in order: some that were handed out, and those in @ready */
  GPtrArray *poke_items; /* PenWatchItem of each */
  gsize poke_bytes;
  guint64 first_poke; /* number of pokes[0] */
  guint n_done;       /* of @pokes, handed out */
  PenWatchSpans *spans;

  guint64 looked_at; /* modules */
  guint64 read_at;   /* names */
  gboolean has_loss;
  gboolean is_over;
};

static void
clear_event (gpointer data)
{
  g_clear_pointer (&((Event *) data)->format, pen_tracepoint_free);
}

PenWatcher *
pen_watcher_new (PenWatchText *text, PenWatchTasks *tasks, PenWatchUsers *users, PenWatchFunc func,
                 gpointer user_data)
{
  PenWatcher *self = g_new0 (PenWatcher, 1);

  self->text = text;
  self->tasks = tasks;
  self->users = users;
  self->func = func;
  self->user_data = user_data;
  self->records = pen_record_decoder_new ();
  self->decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  self->events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_array_set_clear_func (self->events, clear_event);
  self->queue = pen_watch_queue_new ();
  g_queue_init (&self->ready);
  self->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  self->poke_items = g_ptr_array_new_with_free_func (g_free);
  self->spans = pen_watch_spans_new ();
  return self;
}

static gboolean
is_poke (const PenWatchItem *item)
{
  return item->record.type == PEN_RECORD_TEXT_POKE;
}

void
pen_watcher_free (PenWatcher *self)
{
  PenWatchItem *item;

  if (!self)
    return;
  while ((item = g_queue_pop_head (&self->ready)))
    if (!is_poke (item))
      g_free (item);
  pen_watch_queue_free (self->queue);
  g_array_unref (self->pokes);
  g_ptr_array_unref (self->poke_items);
  pen_watch_spans_free (self->spans);
  g_array_unref (self->events);
  pen_record_decoder_free (self->records);
  g_clear_pointer (&self->decoder, pen_decoder_free);
  g_free (self);
}

void
pen_watcher_add_event (PenWatcher *self, PenAttr *attr, const char *format, gboolean is_free)
{
  Event event = { .is_free = is_free };

  if (format)
    event.format
        = pen_tracepoint_new ("module", format, G_BYTE_ORDER == G_BIG_ENDIAN, sizeof (long), NULL);
  g_array_append_val (self->events, event);
  pen_record_decoder_add_event (self->records, attr);
}

void
pen_watcher_clear_events (PenWatcher *self)
{
  g_return_if_fail (g_queue_is_empty (&self->ready)
                    && pen_watch_queue_get_length (self->queue) == 0);

  pen_record_decoder_free (self->records);
  self->records = pen_record_decoder_new ();
  g_array_set_size (self->events, 0);
}

/* ---- what comes ---- */

static gboolean
is_wanted (const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_TEXT_POKE:
  case PEN_RECORD_KSYMBOL:
  case PEN_RECORD_BPF_EVENT:
  case PEN_RECORD_COMM:
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
  case PEN_RECORD_LOST:
  case PEN_RECORD_SAMPLE:
    return TRUE;
  default:
    return FALSE;
  }
}

void
pen_watcher_take (PenWatcher *self, const guint8 *record, guint32 size)
{
  PenWatchItem *item = pen_watch_item_new (record, size);

  if (pen_record_decoder_decode (self->records, item->bytes, size, &item->record)) {
    pen_watcher_add_loss (self, 0, 1);
    g_free (item);
    return;
  }
  if (!is_wanted (&item->record)) {
    g_free (item);
    return;
  }
  if (item->record.type == PEN_RECORD_TEXT_POKE || item->record.type == PEN_RECORD_BPF_EVENT
      || item->record.type == PEN_RECORD_SAMPLE)
    pen_watch_users_expect (self->users);
  item->time = pen_moment (item->record.time, 0).time;
  if (item->record.type == PEN_RECORD_TEXT_POKE || item->record.type == PEN_RECORD_KSYMBOL
      || item->record.type == PEN_RECORD_SAMPLE)
    pen_watch_tasks_ask (self->tasks, item->record.pid, item->record.tid);
  pen_watch_queue_add (self->queue, item);
}

void
pen_watcher_add_loss (PenWatcher *self, guint64 time, guint64 records)
{
  const PenWatchChange change = {
    .time = time,
    .change = "lost",
    .is_loss = TRUE,
    .lost = records,
    .cpu = G_MAXUINT32,
    .comm = "",
  };

  self->has_loss = TRUE;
  pen_watch_spans_forget (self->spans, time);
  if (!self->is_over && !self->func (&change, self->user_data))
    self->is_over = TRUE;
}

/* ---- names ---- */

static void
read_names (PenWatcher *self, guint64 time)
{
  g_autoptr (GError) wrong = NULL;

  self->read_at = time;
  /* Without names, addresses are shown. */
  pen_watch_text_read (self->text, &wrong);
}

/* A poke may be in a module that came meanwhile. */
static void
update_names (PenWatcher *self, guint64 time)
{
  if (time - self->read_at < READ_AGAIN || time - self->looked_at < LOOK_AGAIN)
    return;
  self->looked_at = time;
  if (self->has_loss) {
    self->has_loss = FALSE;
    pen_watch_tasks_forget (self->tasks);
    pen_watch_text_forget (self->text);
    read_names (self, time);
  } else if (pen_watch_text_is_stale (self->text)) {
    read_names (self, time);
  }
}

/* ---- changes ---- */

static void
set_origin (PenWatchChange *change, const PenRecord *record, PenWatchTasks *tasks)
{
  change->time = record->time;
  change->cpu = record->has & PEN_HAS_CPU ? record->cpu : G_MAXUINT32;
  change->has_task = (record->has & PEN_HAS_TASK) != 0;
  change->pid = change->has_task ? record->pid : -1;
  change->tid = change->has_task ? record->tid : -1;
  change->comm = change->has_task ? pen_watch_tasks_find (tasks, record->tid) : "";
  change->evidence = PEN_EVIDENCE_RECORDED;
}

static void
hand_out (PenWatcher *self, const PenWatchChange *change)
{
  if (!self->is_over && !self->func (change, self->user_data))
    self->is_over = TRUE;
}

/* The kernel announces a program after its functions, whether it comes or goes
 * (perf_event_bpf_event() in kernel/events/core.c). */
static guint32
find_program (PenWatcher *self, const PenRecord *ksymbol)
{
  gboolean is_unload = (ksymbol->ksymbol.flags & PEN_KSYMBOL_UNREGISTER) != 0;
  guint16 wanted = is_unload ? PEN_BPF_EVENT_UNLOAD : PEN_BPF_EVENT_LOAD;
  guint left = FUNCTIONS_MAX;

  if (pen_watch_text_get_kind (&ksymbol->ksymbol) != PEN_KIND_BPF)
    return 0;
  for (const GList *link = self->ready.head; link && left > 0; link = link->next, left--) {
    const PenRecord *record = &((const PenWatchItem *) link->data)->record;

    if (record->type == PEN_RECORD_BPF_EVENT && record->bpf_event.type == wanted
        && record->tid == ksymbol->tid && record->cpu == ksymbol->cpu)
      return record->bpf_event.id;
  }
  return 0;
}

static void
take_ksymbol (PenWatcher *self, const PenRecord *record)
{
  const PenKsymbolRecord *ksymbol = &record->ksymbol;
  PenWatchChange change = {
    .change = ksymbol->flags & PEN_KSYMBOL_UNREGISTER ? "unregister" : "register",
    .has_address = TRUE,
    .address = ksymbol->address,
    .length = ksymbol->length,
    .kind = pen_watch_text_get_kind (ksymbol),
    .occupant = ksymbol->name,
    .symbol = ksymbol->name,
    .bpf_id = find_program (self, record),
  };

  set_origin (&change, record, self->tasks);
  pen_watch_text_register (self->text, ksymbol);
  hand_out (self, &change);
}

/* A module that came has its place when its names are read; one that goes has it still. */
static void
take_sample (PenWatcher *self, const PenRecord *record)
{
  const Event *event = record->event >= 0 && (guint) record->event < self->events->len
                           ? &g_array_index (self->events, Event, record->event)
                           : NULL;
  PenWatchChange change = { .kind = PEN_KIND_MODULE };
  g_autofree char *name = NULL;
  g_autofree char *occupant = NULL;

  if (!event || !event->format || (record->has & PEN_HAS_RAW) == 0)
    return;
  name = pen_tracepoint_get_string (event->format, "name", record->sample.raw,
                                    record->sample.raw_length);
  if (!name)
    return;
  change.change = event->is_free ? "unload" : "load";
  if (!event->is_free)
    update_names (self, record->time);
  change.occupant = occupant = g_strdup_printf ("[%s]", name);
  change.has_address
      = pen_watch_text_find_module (self->text, name, &change.address, &change.length);
  set_origin (&change, record, self->tasks);
  hand_out (self, &change);
}

static void
find_place (guint64 address, PenMoment moment G_GNUC_UNUSED, PenPlace *place, gpointer user_data)
{
  pen_watch_text_find (user_data, address, place);
}

static PenPokeEffect
find_effect (const PenTextPokeRecord *poke)
{
  if (poke->old_length == 0)
    return PEN_POKE_FILL;
  if (poke->new_length == 0)
    return PEN_POKE_CLEAR;
  return poke->old_length == poke->new_length
                 && memcmp (poke->old_bytes, poke->new_bytes, poke->new_length) == 0
             ? PEN_POKE_SAME
             : PEN_POKE_PATCH;
}

static PenPoke
make_poke (const PenWatchItem *item)
{
  const PenRecord *record = &item->record;
  const PenTextPokeRecord *text = &record->text_poke;

  return (PenPoke){
    .moment = pen_moment (item->time, item->number),
    .time = record->time,
    .has_time = (record->has & PEN_HAS_TIME) != 0,
    .address = text->address,
    .old_length = text->old_length,
    .new_length = text->new_length,
    .length = MAX (text->old_length, text->new_length),
    .old_bytes = text->old_bytes,
    .new_bytes = text->new_bytes,
    .effect = find_effect (text),
    .has_task = (record->has & PEN_HAS_TASK) != 0,
    .pid = record->has & PEN_HAS_TASK ? record->pid : -1,
    .tid = record->has & PEN_HAS_TASK ? record->tid : -1,
    .cpu = record->has & PEN_HAS_CPU ? record->cpu : G_MAXUINT32,
    .comm = "",
    .function = PEN_POKE_NO_FUNCTION,
    .rule = "none",
  };
}

/* In the sentence it would be known from a recorder's snapshot. */
static const char *
find_purpose (PenWatcher *self, const PenPoke *poke, guint64 number, const PenPlace *place)
{
  const char *entry = poke->is_at_entry ? place->function_name : NULL;
  guint64 since;
  guint64 until;

  pen_watch_spans_get (self->spans, number, &since, &until);
  return pen_watch_users_find (self->users, poke, entry, since, until);
}

static void
take_poke (PenWatcher *self, const PenWatchItem *item)
{
  const PenCauseSources sources = { .find_place = find_place, .user_data = self->text };
  guint index = (guint) (item->poke - self->first_poke);
  PenPoke poke = g_array_index (self->pokes, PenPoke, index);
  PenCauseVerdict verdict = { 0 };
  PenWatchChange change = {
    .change = "poke",
    .has_address = TRUE,
    .address = poke.address,
    .length = poke.length,
    .poke = &poke,
  };
  PenPlace place;

  update_names (self, item->time);
  /* What is given up was in use before. */
  if (self->decoder && poke.effect != PEN_POKE_CLEAR)
    pen_watch_text_take_poke (self->text, &item->record.text_poke, self->decoder);
  if (self->decoder) {
    verdict = pen_cause_find ((const PenPoke *) (gpointer) self->pokes->data, self->pokes->len,
                              index, self->decoder, &sources);
    pen_cause_verdict_fill (&verdict, &poke);
  }
  pen_watch_text_find (self->text, poke.address, &place);
  change.kind = place.kind;
  change.occupant = place.occupant;
  change.symbol = place.function_name;
  change.offset = place.function_name ? poke.address - place.function_start : 0;
  set_origin (&change, &item->record, self->tasks);
  poke.comm = change.comm;
  change.purpose = find_purpose (self, &poke, item->poke, &place);
  hand_out (self, &change);
  pen_cause_verdict_clear (&verdict);
  self->n_done++;
}

static void
take_lost (PenWatcher *self, const PenRecord *record)
{
  PenWatchChange change = { .change = "lost", .is_loss = TRUE, .lost = record->lost.lost };

  set_origin (&change, record, self->tasks);
  change.has_task = FALSE;
  self->has_loss = TRUE;
  pen_watch_spans_forget (self->spans, record->time);
  hand_out (self, &change);
}

static void
take_item (PenWatcher *self, const PenWatchItem *item)
{
  switch (item->record.type) {
  case PEN_RECORD_TEXT_POKE:
    take_poke (self, item);
    break;
  case PEN_RECORD_KSYMBOL:
    take_ksymbol (self, &item->record);
    break;
  case PEN_RECORD_SAMPLE:
    take_sample (self, &item->record);
    break;
  case PEN_RECORD_LOST:
    take_lost (self, &item->record);
    break;
  case PEN_RECORD_BPF_EVENT:
    break;
  default:
    pen_watch_tasks_take (self->tasks, &item->record);
    break;
  }
}

/* ---- in order ---- */

static void
make_ready (PenWatcher *self, PenWatchItem *item)
{
  g_queue_push_tail (&self->ready, item);
  self->ready_bytes += item->size;
  if (!is_poke (item))
    return;

  PenPoke poke = make_poke (item);

  item->poke = self->first_poke + self->pokes->len;
  g_array_append_val (self->pokes, poke);
  g_ptr_array_add (self->poke_items, item);
  self->poke_bytes += item->size;
  pen_watch_spans_add (self->spans, &poke);
}

/* Those that no later poke looks back to. */
static void
forget_pokes (PenWatcher *self)
{
  guint n = 0;

  /* In large steps: the rest moves. */
  if (self->n_done < 2 * PEN_WATCH_BACK && self->poke_bytes < PEN_WATCH_BACK_BYTES)
    return;
  while (n < self->n_done
         && (self->n_done - n > PEN_WATCH_BACK || self->poke_bytes > PEN_WATCH_BACK_BYTES / 2)) {
    self->poke_bytes -= ((const PenWatchItem *) self->poke_items->pdata[n])->size;
    n++;
  }
  if (n == 0)
    return;
  g_array_remove_range (self->pokes, 0, n);
  g_ptr_array_remove_range (self->poke_items, 0, n);
  self->first_poke += n;
  self->n_done -= n;
  pen_watch_spans_drop (self->spans, self->first_poke);
}

static gboolean
is_due (PenWatcher *self, guint64 until)
{
  const PenWatchItem *item = g_queue_peek_head (&self->ready);

  return item
         && (item->time < until || g_queue_get_length (&self->ready) > PEN_WATCH_WAITING_MAX
             || self->ready_bytes > PEN_WATCH_WAITING_BYTES);
}

static void
take_next (PenWatcher *self)
{
  PenWatchItem *item = g_queue_pop_head (&self->ready);

  self->ready_bytes -= item->size;
  take_item (self, item);
  if (is_poke (item))
    forget_pokes (self);
  else
    g_free (item);
}

gboolean
pen_watcher_run (PenWatcher *self, guint64 now)
{
  guint64 ordered = now == G_MAXUINT64 ? now : now - MIN (now, PEN_WATCH_ORDER);
  guint64 settled = now == G_MAXUINT64 ? now : ordered - MIN (ordered, PEN_WATCH_AHEAD);
  PenWatchItem *item;

  while ((item = pen_watch_queue_take (self->queue, ordered))) {
    make_ready (self, item);
    while (!self->is_over && g_queue_get_length (&self->ready) > PEN_WATCH_WAITING_MAX)
      take_next (self);
  }
  while (!self->is_over && is_due (self, settled))
    take_next (self);
  return !self->is_over;
}

gsize
pen_watcher_get_bytes (PenWatcher *self)
{
  return pen_watch_queue_get_length (self->queue) * sizeof (PenWatchItem) + self->ready_bytes
         + self->poke_bytes;
}
