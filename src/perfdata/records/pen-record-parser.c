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
#include "pen-off-cpu.h"
#include "pen-reason.h"
#include "pen-sample-parser.h"

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

/* Bytes of each type's own fields: the trailer, or a name, comes after them. 0: types that are not
 * taken apart. */
static const guint8 body_sizes[PEN_RECORD_CALLCHAIN_DEFERRED + 1] = {
  [PEN_RECORD_MMAP] = 40,
  [PEN_RECORD_LOST] = 24,
  [PEN_RECORD_COMM] = 16,
  [PEN_RECORD_EXIT] = 32,
  [PEN_RECORD_THROTTLE] = 32,
  [PEN_RECORD_UNTHROTTLE] = 32,
  [PEN_RECORD_FORK] = 32,
  [PEN_RECORD_READ] = 24,
  [PEN_RECORD_MMAP2] = 72,
  [PEN_RECORD_AUX] = 32,
  [PEN_RECORD_ITRACE_START] = 16,
  [PEN_RECORD_LOST_SAMPLES] = 16,
  [PEN_RECORD_SWITCH] = 8,
  [PEN_RECORD_SWITCH_CPU_WIDE] = 16,
  [PEN_RECORD_NAMESPACES] = 24,
  [PEN_RECORD_KSYMBOL] = 24,
  [PEN_RECORD_BPF_EVENT] = 24,
  [PEN_RECORD_CGROUP] = 16,
  [PEN_RECORD_TEXT_POKE] = 20,
  [PEN_RECORD_AUX_OUTPUT_HW_ID] = 16,
  [PEN_RECORD_CALLCHAIN_DEFERRED] = 24,
};

/* A string that ends within the record, padded to 8 bytes; @front, where it begins, becomes what
 * comes after it. */
static const char *
parse_name (const Span *span, const char **name, guint32 *front)
{
  guint32 at = *front;
  const guint8 *nul;

  if (span->size <= at)
    return PEN_REASON_RECORD_TOO_SHORT;
  nul = memchr (span->bytes + at, 0, span->size - at);
  if (!nul)
    return PEN_REASON_NAME_WITHOUT_END;

  *name = (const char *) span->bytes + at;
  *front = at + align8 ((guint32) (nul - (span->bytes + at)) + 1);
  return *front > span->size ? PEN_REASON_RECORD_TOO_SHORT : NULL;
}

static const char *
parse_map (const Span *span, PenRecord *record, guint32 *front)
{
  record->map.pid = s32_at (span, 8);
  record->map.tid = s32_at (span, 12);
  record->map.start = u64_at (span, 16);
  record->map.length = u64_at (span, 24);
  record->map.file_offset = u64_at (span, 32);
  if (record->type == PEN_RECORD_MMAP2) {
    if (record->misc & PEN_MISC_MMAP_BUILD_ID) {
      record->map.build_id_length = MIN (span->bytes[40], PEN_BUILD_ID_MAX);
      memcpy (record->map.build_id, span->bytes + 44, PEN_BUILD_ID_MAX);
    }
    record->map.prot = u32_at (span, 64);
    record->map.flags = u32_at (span, 68);
  }
  return parse_name (span, &record->map.name, front);
}

/* FORK and EXIT have a time of their own, which serves where there is no trailer. */
static const char *
parse_task (const Span *span, PenRecord *record)
{
  record->task.pid = s32_at (span, 8);
  record->task.ppid = s32_at (span, 12);
  record->task.tid = s32_at (span, 16);
  record->task.ptid = s32_at (span, 20);
  record->time = u64_at (span, 24);
  record->has |= PEN_HAS_TIME;
  return NULL;
}

static const char *
parse_throttle (const Span *span, PenRecord *record)
{
  record->throttle.time = u64_at (span, 8);
  record->throttle.id = u64_at (span, 16);
  record->time = record->throttle.time;
  record->has |= PEN_HAS_TIME;
  return NULL;
}

static const char *
parse_ksymbol (const Span *span, PenRecord *record, guint32 *front)
{
  record->ksymbol.address = u64_at (span, 8);
  record->ksymbol.length = u32_at (span, 16);
  record->ksymbol.type = u16_at (span, 20);
  record->ksymbol.flags = u16_at (span, 22);
  return parse_name (span, &record->ksymbol.name, front);
}

static const char *
parse_bpf_event (const Span *span, PenRecord *record)
{
  record->bpf_event.type = u16_at (span, 8);
  record->bpf_event.flags = u16_at (span, 10);
  record->bpf_event.id = u32_at (span, 12);
  memcpy (record->bpf_event.tag, span->bytes + 16, sizeof record->bpf_event.tag);
  return NULL;
}

static const char *
parse_text_poke (const Span *span, PenRecord *record, guint32 *front)
{
  PenTextPokeRecord *poke = &record->text_poke;

  poke->address = u64_at (span, 8);
  poke->old_length = u16_at (span, 16);
  poke->new_length = u16_at (span, 18);
  *front = 16 + align8 (4u + poke->old_length + poke->new_length);
  if (*front > span->size)
    return PEN_REASON_TEXT_TOO_LONG;
  poke->old_bytes = span->bytes + 20;
  poke->new_bytes = poke->old_bytes + poke->old_length;
  return NULL;
}

static const char *
parse_deferred (const Span *span, guint64 *scratch, PenRecord *record, guint32 *front)
{
  PenCursor cursor = pen_cursor_init (span->bytes, span->size, span->big_endian);

  record->deferred.cookie = u64_at (span, 8);
  cursor.position = 16;
  record->deferred.callchain
      = pen_callchain_take (&cursor, scratch, &record->deferred.callchain_length);
  *front = (guint32) cursor.position;
  return cursor.failed ? PEN_REASON_COUNT_TOO_LARGE : NULL;
}

/* A count, and two u64 for each. */
static const char *
parse_namespaces (const Span *span, guint32 *front)
{
  guint64 count = u64_at (span, 16);

  if (count > (span->size - 24) / 16)
    return PEN_REASON_COUNT_TOO_LARGE;
  *front = 24 + (guint32) count * 16;
  return NULL;
}

/*
 * Fills the fields of @record's type.
 *
 * @front: (out): where the trailer starts; 0: this cannot be told from the front
 */
static const char *
parse_body (const Span *span, guint64 *scratch, PenRecord *record, guint32 *front)
{
  *front = body_sizes[record->type];
  if (span->size < *front)
    return PEN_REASON_RECORD_TOO_SHORT;

  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    return parse_map (span, record, front);
  case PEN_RECORD_COMM:
    record->comm.pid = s32_at (span, 8);
    record->comm.tid = s32_at (span, 12);
    return parse_name (span, &record->comm.comm, front);
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    return parse_task (span, record);
  case PEN_RECORD_LOST:
    record->lost.id = u64_at (span, 8);
    record->lost.lost = u64_at (span, 16);
    return NULL;
  case PEN_RECORD_LOST_SAMPLES:
    record->lost.lost = u64_at (span, 8);
    return NULL;
  case PEN_RECORD_THROTTLE:
  case PEN_RECORD_UNTHROTTLE:
    return parse_throttle (span, record);
  case PEN_RECORD_KSYMBOL:
    return parse_ksymbol (span, record, front);
  case PEN_RECORD_BPF_EVENT:
    return parse_bpf_event (span, record);
  case PEN_RECORD_TEXT_POKE:
    return parse_text_poke (span, record, front);
  case PEN_RECORD_NAMESPACES:
    return parse_namespaces (span, front);
  case PEN_RECORD_CALLCHAIN_DEFERRED:
    return parse_deferred (span, scratch, record, front);
  case PEN_RECORD_CGROUP:
    record->cgroup.id = u64_at (span, 8);
    return parse_name (span, &record->cgroup.path, front);
  case PEN_RECORD_READ:
    *front = 0;
    return NULL;
  default:
    return NULL;
  }
}

/* Types whose size the kernel lets grow with every event beyond the first that listens. */
static gboolean
may_be_inflated (guint32 type)
{
  return type == PEN_RECORD_KSYMBOL || type == PEN_RECORD_BPF_EVENT || type == PEN_RECORD_TEXT_POKE;
}

typedef struct {
  int trailer; /* index; -1: none found */
  guint32 start;
  int event;
} Found;

/* Where a trailer may be: from the front to the record's end; from the front, and more after it;
 * at the record's end. */
typedef enum { FILLS, IS_FOLLOWED, ENDS } Fit;

/* A trailer whose id is that of an event with such a trailer. */
static Found
find_by_id (PenEventTable *events, const Span *span, guint32 front, Fit fit)
{
  guint32 rest = span->size - front;

  for (guint i = 0; i < events->trailers->len; i++) {
    const PenTrailer *trailer = &g_array_index (events->trailers, PenTrailer, i);
    guint32 start = fit == ENDS ? span->size - trailer->size : front;
    int event;

    if (trailer->id_at < 0 || trailer->size > rest || (fit == FILLS && trailer->size != rest)
        || (fit == IS_FOLLOWED && trailer->size == rest))
      continue;
    event = pen_event_table_find (events, u64_at (span, start + (guint) trailer->id_at));
    if (event >= 0 && pen_event_table_get_layout (events, (guint) event)->trailer == i)
      return (Found){ (int) i, start, event };
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
    found = find_by_id (events, span, front, FILLS);
  if (found.trailer < 0 && front != 0 && may_be_longer)
    found = find_by_id (events, span, front, IS_FOLLOWED);
  if (found.trailer < 0 && !may_be_longer)
    found = find_by_id (events, span, front, ENDS);
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
    return front == 0 ? NULL : PEN_REASON_NO_TRAILER;

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
  const char *problem;

  if (event < 0)
    return PEN_REASON_NO_EVENT;
  record->event = event;
  problem = pen_sample_parse (pen_event_table_get_layout (events, (guint) event), span->bytes,
                              span->size, span->big_endian, scratch, record);
  if (!problem && (record->has & PEN_HAS_RAW) != 0
      && pen_off_cpu_is_packed (g_ptr_array_index (events->attrs, (guint) event)))
    return pen_off_cpu_unpack (span->big_endian, scratch, record);
  return problem;
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
    return PEN_REASON_NO_TYPE;
  if (record->type > PEN_RECORD_CALLCHAIN_DEFERRED)
    return NULL;

  reason = parse_body (&span, scratch, record, &front);
  if (reason)
    return reason;
  return parse_trailer (events, &span, front, record);
}
