/* pen-part-records.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-part-records.h"

#include <string.h>

#include "pen-attr.h"

#define NO_CPU G_MAXUINT32
/* So many records are looked at for one part, or wait for the end of their round. */
#define MAX_WAITING (1u << 18)
/* Some of them tell of modules: all are kept. */
#define MAX_TRACES 65536u
#define MAX_BYTES (256u << 20)
#define ALIGNMENT 8u

/* What becomes of a record when its part is made. */
typedef enum {
  USE_ONCE,
  USE_PROCESS, /* once; what it tells is kept (PenPresent) */
  USE_KEPT,    /* its bytes */
  USE_FILE,    /* it stays in the file: bytes follow it */
} Use;

typedef struct {
  guint64 begin;
  guint64 position;
  guint64 time; /* 0: it waits for nothing */
  guint at;     /* of its bytes, if they are kept */
  guint8 use;
  guint8 is_sample;
  guint8 is_meta;
} Waiting;

/* @is_meta: it may tell how to read others */
typedef struct {
  guint64 begin;
  guint64 position;
  guint at;
  guint8 is_in_file;
  guint8 is_meta;
} Kept;

/*
 * @end: of what was looked at; @position: of the last record there
 * @until: the next part ends there
 * @round_cpu, @round_time: of the buffer that was emptied first in this round: its last time
 */
struct _PenPartRecords {
  guint64 end;
  guint64 position;
  guint64 until;
  guint64 taken; /* until then, the last part went */
  guint64 last;
  guint32 round_cpu;
  guint64 round_time;
  gboolean is_first_buffer;
  gboolean has_rounds;
  gboolean is_unfit;
  gboolean is_late;
  gboolean has_parts; /* one was made */
  gboolean has_more;
  guint n_traces;
  GArray *waiting;
  GArray *kept; /* in the order of the file */
  GByteArray *bytes;
  GArray *ranges;
};

PenPartRecords *
pen_part_records_new (void)
{
  PenPartRecords *self = g_new0 (PenPartRecords, 1);

  self->is_first_buffer = TRUE;
  self->round_cpu = NO_CPU;
  self->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  self->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  self->bytes = g_byte_array_new ();
  self->ranges = g_array_new (FALSE, FALSE, sizeof (PenRecordRange));
  return self;
}

void
pen_part_records_free (PenPartRecords *self)
{
  g_array_unref (self->waiting);
  g_array_unref (self->kept);
  g_byte_array_unref (self->bytes);
  g_array_unref (self->ranges);
  g_free (self);
}

/* ---- what it is ---- */

static gboolean
has_time (const PenRecord *record)
{
  return (record->has & PEN_HAS_TIME) != 0 && record->time != 0 && record->time != G_MAXUINT64;
}

static Use
get_sample_use (PenPartRecords *self, PenReader *reader, const PenRecord *record)
{
  const GPtrArray *attrs = pen_reader_get_attrs (reader);
  const PenAttr *attr = record->event >= 0 && (guint) record->event < attrs->len
                            ? attrs->pdata[record->event]
                            : NULL;

  self->is_unfit |= !has_time (record);
  if ((record->has & PEN_HAS_RAW) == 0 || !attr || attr->type != PEN_ATTR_TYPE_TRACEPOINT)
    return USE_ONCE;
  self->is_unfit |= ++self->n_traces > MAX_TRACES;
  return USE_KEPT;
}

/* As the side band has it. */
static gboolean
is_kernel_map (const PenRecord *record)
{
  return record->map.pid == -1 || pen_record_get_cpumode (record) == PEN_CPUMODE_KERNEL;
}

static Use
get_use (PenPartRecords *self, PenReader *reader, const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_SAMPLE:
    return get_sample_use (self, reader, record);
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    return is_kernel_map (record) ? USE_KEPT : USE_PROCESS;
  case PEN_RECORD_COMM:
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    return USE_PROCESS;
  case PEN_RECORD_SWITCH:
  case PEN_RECORD_SWITCH_CPU_WIDE:
  case PEN_RECORD_CALLCHAIN_DEFERRED:
  case PEN_RECORD_COMPRESSED:
  case PEN_RECORD_COMPRESSED2:
    self->is_unfit = TRUE;
    return USE_ONCE;
  case PEN_RECORD_LOST:
  case PEN_RECORD_LOST_SAMPLES:
  case PEN_RECORD_THROTTLE:
  case PEN_RECORD_UNTHROTTLE:
  case PEN_RECORD_READ:
  case PEN_RECORD_AUX:
  case PEN_RECORD_ITRACE_START:
  case PEN_RECORD_NAMESPACES:
  case PEN_RECORD_CGROUP:
  case PEN_RECORD_AUX_OUTPUT_HW_ID:
  case PEN_RECORD_FINISHED_ROUND:
  case PEN_RECORD_AUXTRACE:
  case PEN_RECORD_AUXTRACE_ERROR:
    return USE_ONCE;
  case PEN_RECORD_TRACING_DATA:
    return USE_FILE;
  default:
    return USE_KEPT;
  }
}

/* ---- when ---- */

static void
end_round (PenPartRecords *self)
{
  self->has_rounds = TRUE;
  self->until = MAX (self->until, self->round_time);
  self->round_time = 0;
  self->round_cpu = NO_CPU;
  self->is_first_buffer = TRUE;
}

static void
note_time (PenPartRecords *self, const PenRecord *record)
{
  guint32 cpu = (record->has & PEN_HAS_CPU) != 0 ? record->cpu : NO_CPU;

  self->last = MAX (self->last, record->time);
  if (self->round_cpu == NO_CPU)
    self->round_cpu = cpu;
  if (cpu != self->round_cpu)
    self->is_first_buffer = FALSE;
  if (self->is_first_buffer)
    self->round_time = MAX (self->round_time, record->time);
}

/* ---- looking ---- */

static guint
keep_bytes (PenPartRecords *self, PenReader *reader)
{
  static const guint8 zeros[ALIGNMENT];
  guint at = self->bytes->len;
  gsize length;
  const guint8 *bytes = pen_reader_get_bytes (reader, &length);

  g_byte_array_append (self->bytes, bytes, (guint) length);
  g_byte_array_append (self->bytes, zeros, (guint) ((ALIGNMENT - length % ALIGNMENT) % ALIGNMENT));
  return at;
}

static void
add (PenPartRecords *self, PenReader *reader, const PenRecord *record)
{
  Waiting waiting = {
    .begin = record->offset,
    .position = record->position,
    .use = (guint8) get_use (self, reader, record),
    .is_sample = record->type == PEN_RECORD_SAMPLE,
    .is_meta = record->type >= PEN_RECORD_HEADER_ATTR,
  };

  if (record->type == PEN_RECORD_FINISHED_ROUND)
    end_round (self);
  if (has_time (record) && !waiting.is_meta) {
    note_time (self, record);
    waiting.time = record->time;
    self->is_late |= record->time <= self->taken;
  } else {
    self->is_late |= waiting.use == USE_PROCESS && self->has_parts;
  }
  if (waiting.use == USE_KEPT)
    waiting.at = keep_bytes (self, reader);
  g_array_append_val (self->waiting, waiting);
  self->position = record->position;
}

static void
add_kept_range (PenPartRecords *self, const Kept *kept)
{
  PenRecordRange range = { kept->begin, kept->begin + 1, kept->position,
                           kept->is_in_file ? NULL : self->bytes->data + kept->at };

  g_array_append_val (self->ranges, range);
}

static gboolean
is_due (const PenPartRecords *self, const Waiting *waiting)
{
  return waiting->time <= self->until;
}

gboolean
pen_part_records_is_late (PenPartRecords *self)
{
  return self->is_late;
}

gboolean
pen_part_records_has_more (PenPartRecords *self)
{
  return self->has_more;
}

guint64
pen_part_records_count_new (PenPartRecords *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->waiting->len; i++) {
    const Waiting *waiting = &g_array_index (self->waiting, Waiting, i);

    n += waiting->is_sample && is_due (self, waiting);
  }
  return n;
}

/* Not of a part yet: a stream has its events long before its first sample. */
static void
add_waiting_range (PenPartRecords *self, const Waiting *waiting)
{
  PenRecordRange range = { waiting->begin, waiting->begin + 1, waiting->position,
                           waiting->use == USE_KEPT ? self->bytes->data + waiting->at : NULL };

  if (waiting->use == USE_KEPT || waiting->use == USE_FILE)
    g_array_append_val (self->ranges, range);
}

/* What tells how to read the rest, then the rest. */
static void
choose_rest (PenPartRecords *self, PenReader *reader)
{
  PenRecordRange rest = { self->end, G_MAXUINT64, self->position + 1, NULL };

  g_array_set_size (self->ranges, 0);
  for (guint i = 0; i < self->kept->len; i++) {
    const Kept *kept = &g_array_index (self->kept, Kept, i);

    if (kept->is_meta)
      add_kept_range (self, kept);
  }
  for (guint i = 0; i < self->waiting->len; i++) {
    const Waiting *waiting = &g_array_index (self->waiting, Waiting, i);

    if (waiting->is_meta)
      add_waiting_range (self, waiting);
  }
  g_array_append_val (self->ranges, rest);
  pen_reader_choose (reader, (const PenRecordRange *) (gpointer) self->ranges->data,
                     self->ranges->len);
}

gboolean
pen_part_records_look (PenPartRecords *self, PenReader *reader, gboolean *is_fit,
                       GCancellable *cancellable, GError **error)
{
  GError *local_error = NULL;
  guint64 begin = self->end;
  PenRecord record;

  self->is_unfit |= !pen_reader_can_choose (reader);
  *is_fit = !self->is_unfit;
  if (self->is_unfit)
    return TRUE;

  choose_rest (self, reader);
  while (!self->is_unfit && self->waiting->len < MAX_WAITING
         && pen_reader_next (reader, &record, cancellable, &local_error)) {
    if (record.was_kept || record.offset < begin)
      continue;
    add (self, reader, &record);
    self->is_unfit |= self->bytes->len > MAX_BYTES;
  }
  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  self->end = MAX (self->end, pen_reader_get_end (reader));
  self->has_more = self->waiting->len >= MAX_WAITING;
  if (!self->has_rounds
      || (self->waiting->len >= MAX_WAITING && pen_part_records_count_new (self) == 0))
    self->until = self->last;
  *is_fit = !self->is_unfit;
  return TRUE;
}

/* ---- a part ---- */

/* Records that follow each other are one range. */
static void
add_new_range (PenPartRecords *self, const Waiting *waiting, guint64 *next)
{
  PenRecordRange range = { waiting->begin, waiting->begin + 1, waiting->position, NULL };

  if (waiting->position == *next)
    g_array_index (self->ranges, PenRecordRange, self->ranges->len - 1).end = range.end;
  else
    g_array_append_val (self->ranges, range);
  *next = waiting->position + 1;
}

static void
keep (GArray *all, const Waiting *waiting)
{
  Kept kept = {
    .begin = waiting->begin,
    .position = waiting->position,
    .at = waiting->at,
    .is_in_file = waiting->use == USE_FILE,
    .is_meta = waiting->is_meta,
  };

  g_array_append_val (all, kept);
}

const PenRecordRange *
pen_part_records_take (PenPartRecords *self, guint *n)
{
  GArray *all = g_array_sized_new (FALSE, FALSE, sizeof (Kept), self->kept->len);
  guint64 next = G_MAXUINT64;
  guint n_waiting = 0;
  guint k = 0;

  g_array_set_size (self->ranges, 0);
  for (guint i = 0; i < self->waiting->len; i++) {
    const Waiting waiting = g_array_index (self->waiting, Waiting, i);

    if (!is_due (self, &waiting)) {
      g_array_index (self->waiting, Waiting, n_waiting++) = waiting;
      continue;
    }
    for (; k < self->kept->len && g_array_index (self->kept, Kept, k).begin < waiting.begin; k++) {
      g_array_append_val (all, g_array_index (self->kept, Kept, k));
      add_kept_range (self, &g_array_index (self->kept, Kept, k));
      next = G_MAXUINT64;
    }
    add_new_range (self, &waiting, &next);
    if (waiting.use == USE_KEPT || waiting.use == USE_FILE)
      keep (all, &waiting);
  }
  for (; k < self->kept->len; k++) {
    g_array_append_val (all, g_array_index (self->kept, Kept, k));
    add_kept_range (self, &g_array_index (self->kept, Kept, k));
  }
  self->taken = self->until;
  self->has_parts = TRUE;
  g_array_set_size (self->waiting, n_waiting);
  g_array_unref (self->kept);
  self->kept = all;
  *n = self->ranges->len;
  return (const PenRecordRange *) (gpointer) self->ranges->data;
}
