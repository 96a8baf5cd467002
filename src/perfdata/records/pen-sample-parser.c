/* pen-sample-parser.c: takes a SAMPLE record apart
 *
 * The order of the fields and their sizes: linux/perf_event.h, PERF_RECORD_SAMPLE.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-parser.h"

#include "pen-cursor.h"
#include "pen-off-cpu.h"
#include "pen-reason.h"

#define HOST_IS_BIG_ENDIAN (G_BYTE_ORDER == G_BIG_ENDIAN)

static void
skip_read (PenCursor *cursor, guint64 format)
{
  gsize per_value = 8;
  gsize times = 0;
  guint64 count = 1;

  if (format & PEN_READ_ID)
    per_value += 8;
  if (format & PEN_READ_LOST)
    per_value += 8;
  if (format & PEN_READ_ENABLED)
    times += 8;
  if (format & PEN_READ_RUNNING)
    times += 8;

  if (format & PEN_READ_GROUP)
    count = pen_cursor_u64 (cursor);
  pen_cursor_take (cursor, times);
  pen_cursor_take_array (cursor, count, per_value);
}

const guint64 *
pen_callchain_take (PenCursor *cursor, guint64 *scratch, guint64 *length)
{
  guint64 count = pen_cursor_u64 (cursor);
  const guint8 *bytes = pen_cursor_take_array (cursor, count, 8);

  *length = 0;
  if (!bytes || count == 0)
    return NULL;

  *length = count;
  if (!cursor->big_endian == !HOST_IS_BIG_ENDIAN && ((gsize) bytes & 7) == 0)
    return (const guint64 *) (gconstpointer) bytes;
  for (guint64 i = 0; i < count; i++)
    scratch[i] = pen_get_u64 (bytes + 8 * i, cursor->big_endian);
  return scratch;
}

static void
take_raw (PenCursor *cursor, PenSampleRecord *sample)
{
  sample->raw_length = pen_cursor_u32 (cursor);
  sample->raw = pen_cursor_take (cursor, sample->raw_length);
}

static void
skip_branch_stack (PenCursor *cursor, guint64 branch_sample_type)
{
  guint64 count = pen_cursor_u64 (cursor);

  if (branch_sample_type & PEN_BRANCH_HW_INDEX)
    pen_cursor_take (cursor, 8);
  pen_cursor_take_array (cursor, count, 24);
  if (branch_sample_type & PEN_BRANCH_COUNTERS)
    pen_cursor_take_array (cursor, count, 8);
}

#define REGISTERS_SIMD 4

/* With PERF_SAMPLE_REGS_ABI_SIMD, wide registers follow, which say themselves how many words there
 * are: {u16 vectors, words of each, predicates, words of each}, then the words. */
static void
skip_registers (PenCursor *cursor, guint count)
{
  guint64 abi = pen_cursor_u64 (cursor);
  const guint8 *counts;
  guint64 words = 0;

  if (abi != 0)
    pen_cursor_take_array (cursor, count, 8);
  if ((abi & REGISTERS_SIMD) == 0)
    return;
  counts = pen_cursor_take (cursor, 8);
  for (guint i = 0; counts && i < 8; i += 4)
    words += (guint64) pen_get_u16 (counts + i, cursor->big_endian)
             * pen_get_u16 (counts + i + 2, cursor->big_endian);
  pen_cursor_take_array (cursor, words, 8);
}

static void
skip_stack (PenCursor *cursor)
{
  guint64 size = pen_cursor_u64 (cursor);

  if (size == 0)
    return;
  pen_cursor_take (cursor, size);
  pen_cursor_take (cursor, 8);
}

static void
skip_sized_u64 (PenCursor *cursor)
{
  pen_cursor_take (cursor, pen_cursor_u64 (cursor));
}

/* Everything after PERIOD, in its order. */
static gboolean
parse_rest (const PenSampleLayout *layout, PenCursor *cursor, guint64 *scratch,
            PenSampleRecord *sample)
{
  guint64 type = layout->sample_type;

  if (type & PEN_SAMPLE_READ)
    skip_read (cursor, layout->read_format);
  if (type & PEN_SAMPLE_CALLCHAIN)
    sample->callchain = pen_callchain_take (cursor, scratch, &sample->callchain_length);
  if (type & PEN_SAMPLE_RAW)
    take_raw (cursor, sample);
  if (type & PEN_SAMPLE_BRANCH_STACK)
    skip_branch_stack (cursor, layout->branch_sample_type);
  if (type & PEN_SAMPLE_REGS_USER)
    skip_registers (cursor, layout->user_registers);
  if (type & PEN_SAMPLE_STACK_USER)
    skip_stack (cursor);
  if (type & (PEN_SAMPLE_WEIGHT | PEN_SAMPLE_WEIGHT_STRUCT))
    pen_cursor_take (cursor, 8);
  if (type & PEN_SAMPLE_DATA_SRC)
    pen_cursor_take (cursor, 8);
  if (type & PEN_SAMPLE_TRANSACTION)
    pen_cursor_take (cursor, 8);
  if (type & PEN_SAMPLE_REGS_INTR)
    skip_registers (cursor, layout->interrupt_registers);
  if (type & PEN_SAMPLE_PHYS_ADDR)
    pen_cursor_take (cursor, 8);
  if (type & PEN_SAMPLE_CGROUP)
    sample->cgroup = pen_cursor_u64 (cursor);
  if (type & PEN_SAMPLE_DATA_PAGE_SIZE)
    pen_cursor_take (cursor, 8);
  if (type & PEN_SAMPLE_CODE_PAGE_SIZE)
    pen_cursor_take (cursor, 8);
  if (type & PEN_SAMPLE_AUX)
    skip_sized_u64 (cursor);
  return !cursor->failed;
}

const char *
pen_sample_parse (const PenSampleLayout *layout, const guint8 *bytes, guint32 size,
                  gboolean big_endian, guint64 *scratch, PenRecord *record)
{
  gboolean is_marked = FALSE;
  guint has = 0;

  if (layout->fixed_size > size)
    return PEN_REASON_SAMPLE_TOO_SHORT;

  if (layout->ip_at) {
    record->sample.address = pen_get_u64 (bytes + layout->ip_at, big_endian);
    has |= PEN_HAS_ADDRESS;
  }
  if (layout->tid_at) {
    record->pid = (gint32) pen_get_u32 (bytes + layout->tid_at, big_endian);
    record->tid = (gint32) pen_get_u32 (bytes + layout->tid_at + 4, big_endian);
    has |= PEN_HAS_TASK;
  }
  if (layout->time_at) {
    guint64 time = pen_get_u64 (bytes + layout->time_at, big_endian);

    is_marked = pen_off_cpu_is_mark (time);
    if (!is_marked) {
      record->time = time;
      has |= PEN_HAS_TIME;
    }
  }
  /* Where there is no time, the recorder knew no CPU, and wrote 0. */
  if (layout->cpu_at && !is_marked) {
    record->cpu = pen_get_u32 (bytes + layout->cpu_at, big_endian);
    has |= PEN_HAS_CPU;
  }
  if (layout->period_at) {
    record->sample.period = pen_get_u64 (bytes + layout->period_at, big_endian);
    has |= PEN_HAS_PERIOD;
  } else if (layout->has_fixed_period) {
    record->sample.period = layout->fixed_period;
    has |= PEN_HAS_PERIOD;
  }
  if (layout->data_address_at) {
    record->sample.data_address = pen_get_u64 (bytes + layout->data_address_at, big_endian);
    has |= PEN_HAS_DATA_ADDRESS;
  }
  record->has = (guint8) (has | layout->has_of_rest);

  if (layout->has_rest) {
    PenCursor cursor = pen_cursor_init (bytes, size, big_endian);

    cursor.position = layout->fixed_size;
    if (!parse_rest (layout, &cursor, scratch, &record->sample))
      return PEN_REASON_FIELD_TOO_LONG;
  }
  return NULL;
}
