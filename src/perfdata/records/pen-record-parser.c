/* pen-record-parser.c: takes records apart, and finds the trailer of those that are no samples
 *
 * Layouts: linux/perf_event.h, enum perf_event_type.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-parser.h"

#include <stddef.h>

#include "pen-byte-order.h"
#include "pen-cursor.h"
#include "pen-sample-parser.h"

#define TOO_SHORT "The record is shorter than its type needs"
#define NO_NUL "A name in the record has no end"
#define COUNT_TOO_LARGE "A count in the record says more than the record holds"
#define POKE_TOO_LONG "The lengths of old and new text say more than the record holds"
#define NO_TRAILER "The record's trailer is cut short, or belongs to no event of the capture"
#define NO_EVENT "The sample's event cannot be told: its id is not in the capture's header"
#define NO_SUCH_TYPE "There is no record type 0"

typedef struct {
  const guint8 *bytes;
  guint32 size;
  gboolean big_endian;
} Span;

static inline guint16
u16_at (const Span *span, guint at)
{
  return pen_get_u16 (span->bytes + at, span->big_endian);
}

static inline guint32
u32_at (const Span *span, guint at)
{
  return pen_get_u32 (span->bytes + at, span->big_endian);
}

static inline gint32
s32_at (const Span *span, guint at)
{
  return (gint32) u32_at (span, at);
}

static inline guint64
u64_at (const Span *span, guint at)
{
  return pen_get_u64 (span->bytes + at, span->big_endian);
}

static inline guint32
align8 (guint32 length)
{
  return (length + 7) & ~7u;
}

/* A string that ends within the record, padded to 8 bytes; @front becomes what comes after it. */
static const char *
parse_name (const Span *span, guint at, const char **name, guint32 *front)
{
  const guint8 *nul;

  if (span->size <= at)
    return TOO_SHORT;
  nul = memchr (span->bytes + at, 0, span->size - at);
  if (!nul)
    return NO_NUL;

  *name = (const char *) span->bytes + at;
  *front = at + align8 ((guint32) (nul - (span->bytes + at)) + 1);
  return *front > span->size ? TOO_SHORT : NULL;
}

static const char *
parse_mmap (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 40)
    return TOO_SHORT;
  record->map.pid = s32_at (span, 8);
  record->map.tid = s32_at (span, 12);
  record->map.start = u64_at (span, 16);
  record->map.length = u64_at (span, 24);
  record->map.file_offset = u64_at (span, 32);
  return parse_name (span, 40, &record->map.name, front);
}

static const char *
parse_mmap2 (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 72)
    return TOO_SHORT;
  record->map.pid = s32_at (span, 8);
  record->map.tid = s32_at (span, 12);
  record->map.start = u64_at (span, 16);
  record->map.length = u64_at (span, 24);
  record->map.file_offset = u64_at (span, 32);
  if (record->misc & PEN_MISC_MMAP_BUILD_ID) {
    record->map.build_id_length = MIN (span->bytes[40], PEN_BUILD_ID_MAX);
    memcpy (record->map.build_id, span->bytes + 44, PEN_BUILD_ID_MAX);
  }
  record->map.prot = u32_at (span, 64);
  record->map.flags = u32_at (span, 68);
  return parse_name (span, 72, &record->map.name, front);
}

static const char *
parse_comm (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 16)
    return TOO_SHORT;
  record->comm.pid = s32_at (span, 8);
  record->comm.tid = s32_at (span, 12);
  return parse_name (span, 16, &record->comm.comm, front);
}

/* FORK and EXIT have a time of their own, which serves where there is no trailer. */
static const char *
parse_task (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 32)
    return TOO_SHORT;
  record->task.pid = s32_at (span, 8);
  record->task.ppid = s32_at (span, 12);
  record->task.tid = s32_at (span, 16);
  record->task.ptid = s32_at (span, 20);
  record->time = u64_at (span, 24);
  record->has |= PEN_HAS_TIME;
  *front = 32;
  return NULL;
}

static const char *
parse_lost (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 24)
    return TOO_SHORT;
  record->lost.id = u64_at (span, 8);
  record->lost.lost = u64_at (span, 16);
  *front = 24;
  return NULL;
}

static const char *
parse_lost_samples (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 16)
    return TOO_SHORT;
  record->lost.lost = u64_at (span, 8);
  *front = 16;
  return NULL;
}

static const char *
parse_throttle (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 32)
    return TOO_SHORT;
  record->throttle.time = u64_at (span, 8);
  record->throttle.id = u64_at (span, 16);
  record->time = record->throttle.time;
  record->has |= PEN_HAS_TIME;
  *front = 32;
  return NULL;
}

static const char *
parse_ksymbol (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 24)
    return TOO_SHORT;
  record->ksymbol.address = u64_at (span, 8);
  record->ksymbol.length = u32_at (span, 16);
  record->ksymbol.type = u16_at (span, 20);
  record->ksymbol.flags = u16_at (span, 22);
  return parse_name (span, 24, &record->ksymbol.name, front);
}

static const char *
parse_bpf_event (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 24)
    return TOO_SHORT;
  record->bpf_event.type = u16_at (span, 8);
  record->bpf_event.flags = u16_at (span, 10);
  record->bpf_event.id = u32_at (span, 12);
  memcpy (record->bpf_event.tag, span->bytes + 16, sizeof record->bpf_event.tag);
  *front = 24;
  return NULL;
}

static const char *
parse_text_poke (const Span *span, PenRecord *record, guint32 *front)
{
  PenTextPokeRecord *poke = &record->text_poke;

  if (span->size < 20)
    return TOO_SHORT;
  poke->address = u64_at (span, 8);
  poke->old_length = u16_at (span, 16);
  poke->new_length = u16_at (span, 18);
  *front = 16 + align8 (4u + poke->old_length + poke->new_length);
  if (*front > span->size)
    return POKE_TOO_LONG;
  poke->old_bytes = span->bytes + 20;
  poke->new_bytes = poke->old_bytes + poke->old_length;
  return NULL;
}

static const char *
parse_deferred (const Span *span, guint64 *scratch, PenRecord *record, guint32 *front)
{
  PenCursor cursor = pen_cursor_init (span->bytes, span->size, span->big_endian);

  if (span->size < 24)
    return TOO_SHORT;
  record->deferred.cookie = u64_at (span, 8);
  cursor.position = 16;
  record->deferred.callchain
      = pen_callchain_take (&cursor, scratch, &record->deferred.callchain_length);
  *front = (guint32) cursor.position;
  return cursor.failed ? COUNT_TOO_LARGE : NULL;
}

static const char *
parse_cgroup (const Span *span, PenRecord *record, guint32 *front)
{
  if (span->size < 16)
    return TOO_SHORT;
  record->cgroup.id = u64_at (span, 8);
  return parse_name (span, 16, &record->cgroup.path, front);
}

static const char *
parse_counted (const Span *span, guint count_at, guint element_size, guint32 *front)
{
  guint64 count;

  if (span->size < count_at + 8)
    return TOO_SHORT;
  count = u64_at (span, count_at);
  if (count > (span->size - count_at - 8) / element_size)
    return COUNT_TOO_LARGE;
  *front = count_at + 8 + (guint32) count * element_size;
  return NULL;
}

static const char *
parse_fixed (const Span *span, guint32 length, guint32 *front)
{
  *front = length;
  return span->size < length ? TOO_SHORT : NULL;
}

/*
 * Fills the fields of @record's type.
 *
 * @front: (out): where the trailer starts; 0: this cannot be told from the front
 */
static const char *
parse_body (const Span *span, guint64 *scratch, PenRecord *record, guint32 *front)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
    return parse_mmap (span, record, front);
  case PEN_RECORD_MMAP2:
    return parse_mmap2 (span, record, front);
  case PEN_RECORD_COMM:
    return parse_comm (span, record, front);
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    return parse_task (span, record, front);
  case PEN_RECORD_LOST:
    return parse_lost (span, record, front);
  case PEN_RECORD_LOST_SAMPLES:
    return parse_lost_samples (span, record, front);
  case PEN_RECORD_THROTTLE:
  case PEN_RECORD_UNTHROTTLE:
    return parse_throttle (span, record, front);
  case PEN_RECORD_KSYMBOL:
    return parse_ksymbol (span, record, front);
  case PEN_RECORD_BPF_EVENT:
    return parse_bpf_event (span, record, front);
  case PEN_RECORD_TEXT_POKE:
    return parse_text_poke (span, record, front);
  case PEN_RECORD_AUX:
    return parse_fixed (span, 32, front);
  case PEN_RECORD_ITRACE_START:
  case PEN_RECORD_SWITCH_CPU_WIDE:
  case PEN_RECORD_AUX_OUTPUT_HW_ID:
    return parse_fixed (span, 16, front);
  case PEN_RECORD_SWITCH:
    return parse_fixed (span, 8, front);
  case PEN_RECORD_NAMESPACES:
    return parse_counted (span, 16, 16, front);
  case PEN_RECORD_CALLCHAIN_DEFERRED:
    return parse_deferred (span, scratch, record, front);
  case PEN_RECORD_CGROUP:
    return parse_cgroup (span, record, front);
  case PEN_RECORD_READ:
    *front = 0;
    return span->size < 24 ? TOO_SHORT : NULL;
  default:
    *front = 0;
    return NULL;
  }
}

/* Types whose size grows with every listener beyond the first (research note F1). */
static gboolean
may_be_inflated (guint32 type)
{
  return type == PEN_RECORD_KSYMBOL || type == PEN_RECORD_BPF_EVENT || type == PEN_RECORD_TEXT_POKE;
}

/* The event whose trailer this is, judged by the id in it; -1: none. */
static int
identify_trailer (PenEventTable *events, const Span *span, guint index, guint32 start)
{
  const PenTrailer *trailer = &g_array_index (events->trailers, PenTrailer, index);
  int event;

  if (trailer->id_at < 0 || start + trailer->size > span->size)
    return -1;
  event = pen_event_table_find (events, u64_at (span, start + (guint) trailer->id_at));
  if (event >= 0 && pen_event_table_get_layout (events, (guint) event)->trailer == index)
    return event;
  return -1;
}

typedef struct {
  int trailer; /* index; -1: none found */
  guint32 start;
  int event;
} Found;

static Found
find_by_id (PenEventTable *events, const Span *span, guint32 front, gboolean may_be_longer)
{
  for (guint i = 0; i < events->trailers->len; i++) {
    guint32 end = front + g_array_index (events->trailers, PenTrailer, i).size;
    int event;

    if (may_be_longer ? end >= span->size : end != span->size)
      continue;
    event = identify_trailer (events, span, i, front);
    if (event >= 0)
      return (Found){ (int) i, front, event };
  }
  return (Found){ -1, 0, -1 };
}

static Found
find_by_id_from_end (PenEventTable *events, const Span *span, guint32 front)
{
  for (guint i = 0; i < events->trailers->len; i++) {
    guint size = g_array_index (events->trailers, PenTrailer, i).size;
    int event;

    if (front + size > span->size)
      continue;
    event = identify_trailer (events, span, i, span->size - size);
    if (event >= 0)
      return (Found){ (int) i, span->size - size, event };
  }
  return (Found){ -1, 0, -1 };
}

/* No id to go by: the recorder made the record up, or the events have none. */
static Found
find_by_size (PenEventTable *events, const Span *span, guint32 front, gboolean may_be_longer)
{
  int only_event = events->attrs->len == 1 ? 0 : -1;

  for (guint i = 0; front != 0 && i < events->trailers->len; i++) {
    if (front + g_array_index (events->trailers, PenTrailer, i).size == span->size)
      return (Found){ (int) i, front, only_event };
  }
  if (events->trailers->len == 1) {
    guint size = g_array_index (events->trailers, PenTrailer, 0).size;

    if (front + size < span->size)
      return (Found){ 0, front != 0 && may_be_longer ? front : span->size - size, only_event };
  }
  return (Found){ -1, 0, -1 };
}

static Found
find_trailer (PenEventTable *events, const Span *span, guint32 front, gboolean may_be_longer)
{
  Found found = { -1, 0, -1 };

  if (front != 0)
    found = find_by_id (events, span, front, FALSE);
  if (found.trailer < 0 && front != 0 && may_be_longer)
    found = find_by_id (events, span, front, TRUE);
  if (found.trailer < 0 && !may_be_longer)
    found = find_by_id_from_end (events, span, front);
  if (found.trailer < 0)
    found = find_by_size (events, span, front, may_be_longer);
  return found;
}

static gboolean
is_made_up (const PenTrailer *trailer, const Span *span, guint32 start)
{
  if (trailer->time_at >= 0)
    return u64_at (span, start + (guint) trailer->time_at) == 0;
  return trailer->id_at >= 0 && u64_at (span, start + (guint) trailer->id_at) == 0;
}

static void
take_trailer (const PenTrailer *trailer, const Span *span, guint32 start, PenRecord *record)
{
  if (trailer->time_at >= 0) {
    record->time = u64_at (span, start + (guint) trailer->time_at);
    record->has |= PEN_HAS_TIME;
  }

  /* The recorder's own records have zeros here, or an id at most: that is no task, and not CPU 0.
   */
  if (is_made_up (trailer, span, start))
    return;

  if (trailer->tid_at >= 0) {
    record->pid = s32_at (span, start + (guint) trailer->tid_at);
    record->tid = s32_at (span, start + (guint) trailer->tid_at + 4);
    record->has |= PEN_HAS_TASK;
  }
  if (trailer->cpu_at >= 0) {
    record->cpu = u32_at (span, start + (guint) trailer->cpu_at);
    record->has |= PEN_HAS_CPU;
  }
}

static const char *
parse_trailer (PenEventTable *events, const Span *span, guint32 front, PenRecord *record)
{
  Found found;

  if (front == span->size)
    return NULL;

  found = find_trailer (events, span, front, may_be_inflated (record->type));
  if (found.trailer < 0)
    return front == 0 ? NULL : NO_TRAILER;

  record->event = found.event;
  take_trailer (&g_array_index (events->trailers, PenTrailer, found.trailer), span, found.start,
                record);
  record->was_inflated
      = may_be_inflated (record->type)
        && found.start + g_array_index (events->trailers, PenTrailer, found.trailer).size
               < span->size;
  return NULL;
}

static const char *
parse_sample (PenEventTable *events, const Span *span, guint64 *scratch, PenRecord *record)
{
  int event = pen_event_table_find_sample (events, span->bytes, span->size, span->big_endian);

  if (event < 0)
    return NO_EVENT;
  record->event = event;
  return pen_sample_parse (pen_event_table_get_layout (events, (guint) event), span->bytes,
                           span->size, span->big_endian, scratch, record);
}

/* But for what depends on its type: one memset() of all takes longer than a sample's fields. */
static inline void
clear_record (PenRecord *record)
{
  record->has = 0;
  record->was_inflated = FALSE;
  record->position = 0;
  record->file = 0;
  record->offset = 0;
  record->time = 0;
  record->pid = 0;
  record->tid = 0;
  record->cpu = 0;
  record->event = -1;
}

const char *
pen_record_parse (PenEventTable *events, const guint8 *bytes, guint32 size, gboolean big_endian,
                  guint64 *scratch, PenRecord *record)
{
  Span span = { bytes, size, big_endian };
  const char *reason;
  guint32 front;

  clear_record (record);
  record->type = pen_get_u32 (bytes, big_endian);
  record->misc = pen_get_u16 (bytes + 4, big_endian);

  if (record->type == PEN_RECORD_SAMPLE) {
    record->sample = (PenSampleRecord){ 0 };
    return parse_sample (events, &span, scratch, record);
  }
  memset (&record->map, 0, sizeof *record - offsetof (PenRecord, map));
  if (record->type == 0)
    return NO_SUCH_TYPE;
  if (record->type > PEN_RECORD_CALLCHAIN_DEFERRED)
    return NULL;

  reason = parse_body (&span, scratch, record, &front);
  if (reason)
    return reason;
  return parse_trailer (events, &span, front, record);
}
