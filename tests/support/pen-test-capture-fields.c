/* pen-test-capture-fields.c: attrs, sample fields and trailers, as the kernel writes them
 *
 * Written from the documentation of the format (linux/perf_event.h) and on purpose sharing nothing
 * with the reader, so that a mistake in the one is not a mistake in the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-capture-private.h"

/* Bits of sample_type in the order in which PERF_RECORD_SAMPLE has the fields. */
enum {
  BIT_IDENTIFIER = 16,
  BIT_IP = 0,
  BIT_TID = 1,
  BIT_TIME = 2,
  BIT_ADDR = 3,
  BIT_ID = 6,
  BIT_STREAM_ID = 9,
  BIT_CPU = 7,
  BIT_PERIOD = 8,
  BIT_READ = 4,
  BIT_CALLCHAIN = 5,
  BIT_RAW = 10,
  BIT_BRANCH_STACK = 11,
  BIT_REGS_USER = 12,
  BIT_STACK_USER = 13,
  BIT_WEIGHT = 14,
  BIT_WEIGHT_STRUCT = 24,
  BIT_DATA_SRC = 15,
  BIT_TRANSACTION = 17,
  BIT_REGS_INTR = 18,
  BIT_PHYS_ADDR = 19,
  BIT_CGROUP = 21,
  BIT_DATA_PAGE_SIZE = 22,
  BIT_CODE_PAGE_SIZE = 23,
  BIT_AUX = 20,
};

#define SAMPLE_ID_ALL (1ull << 18)

/* IP | TID | TIME | CPU | PERIOD | IDENTIFIER */
#define USUAL_SAMPLE_TYPE 0x10187

const PenTestEvent PEN_TEST_EVENT_CLOCK = {
  .name = "cpu-clock",
  .type = 1,
  .period = 1000000,
  .sample_type = USUAL_SAMPLE_TYPE,
  .flags = SAMPLE_ID_ALL,
};

/* mmap, comm, task, mmap2, comm_exec, ksymbol, bpf_event, text_poke */
const PenTestEvent PEN_TEST_EVENT_DUMMY = {
  .name = "dummy:u",
  .type = 1,
  .config = 9,
  .period = 1,
  .sample_type = USUAL_SAMPLE_TYPE,
  .flags = SAMPLE_ID_ALL | 1ull << 8 | 1ull << 9 | 1ull << 13 | 1ull << 23 | 1ull << 24 | 1ull << 29
           | 1ull << 30 | 1ull << 33,
};

guint64
pen_test_capture_get_id (guint event, guint cpu)
{
  return 1000ull * (event + 1) + cpu % PEN_TEST_CPUS;
}

void
pen_test_capture_put_attr (PenTestBytes *bytes, const PenTestEvent *event)
{
  g_autoptr (PenTestBytes) attr = pen_test_bytes_new ();
  guint32 size = event->attr_size ? event->attr_size : 128;

  pen_test_bytes_u32 (attr, event->type);
  pen_test_bytes_u32 (attr, size);
  pen_test_bytes_u64 (attr, event->config);
  pen_test_bytes_u64 (attr, event->period);
  pen_test_bytes_u64 (attr, event->sample_type);
  pen_test_bytes_u64 (attr, event->read_format);
  pen_test_bytes_bits (attr, event->flags);
  pen_test_bytes_zeros (attr, 24); /* wakeup, breakpoint, config2 */
  pen_test_bytes_u64 (attr, event->branch_sample_type);
  pen_test_bytes_u64 (attr, event->sample_regs_user);
  pen_test_bytes_zeros (attr, 4); /* stack size */
  pen_test_bytes_u32 (attr, (guint32) event->clockid);
  pen_test_bytes_u64 (attr, event->sample_regs_intr);
  pen_test_bytes_zeros (attr, MAX (size, 104) - 104);

  for (guint i = 0; i < 2; i++)
    g_byte_array_append (bytes->order[i], attr->order[i]->data, size);
}

static void
put_read (PenTestBytes *bytes, guint64 format, guint64 id)
{
  gboolean is_group = (format >> 3) & 1;

  pen_test_bytes_u64 (bytes, is_group ? 2 : 77);
  if (format & 1)
    pen_test_bytes_u64 (bytes, 5000);
  if (format & 2)
    pen_test_bytes_u64 (bytes, 4000);
  for (guint i = 0; i < (is_group ? 2u : 1u); i++) {
    if (is_group)
      pen_test_bytes_u64 (bytes, 77 + i);
    if (format & 4)
      pen_test_bytes_u64 (bytes, id);
    if (format & 16)
      pen_test_bytes_u64 (bytes, 3);
  }
}

static void
put_branch_stack (PenTestBytes *bytes, guint64 branch_sample_type)
{
  pen_test_bytes_u64 (bytes, 2);
  if (branch_sample_type & (1ull << 17))
    pen_test_bytes_u64 (bytes, 9);
  for (guint i = 0; i < 6; i++)
    pen_test_bytes_u64 (bytes, 0x1000 + i);
  if (branch_sample_type & (1ull << 19)) {
    pen_test_bytes_u64 (bytes, 1);
    pen_test_bytes_u64 (bytes, 2);
  }
}

static void
put_registers (PenTestBytes *bytes, guint64 mask, const guint16 simd[4])
{
  gboolean has_simd = simd[0] || simd[1] || simd[2] || simd[3];

  pen_test_bytes_u64 (bytes, has_simd ? 2 | 4 : 2); /* ABI of 64-bit programs */
  for (guint i = 0; i < 64; i++) {
    if ((mask >> i) & 1)
      pen_test_bytes_u64 (bytes, 0xaa00 + i);
  }
  for (guint i = 0; has_simd && i < 4; i++)
    pen_test_bytes_u16 (bytes, simd[i]);
  for (guint i = 0; has_simd && i < (guint) simd[0] * simd[1] + (guint) simd[2] * simd[3]; i++)
    pen_test_bytes_u64 (bytes, 0xbb00 + i);
}

/* Size and payload together are a multiple of 8 long. */
static void
put_payload (PenTestBytes *bytes, GBytes *payload)
{
  gsize length = 12;
  const void *data = payload ? g_bytes_get_data (payload, &length) : "raw contents";
  gsize padded = ((length + 4 + 7) & ~(gsize) 7) - 4;

  pen_test_bytes_u32 (bytes, (guint32) padded);
  pen_test_bytes_raw (bytes, data, length);
  pen_test_bytes_zeros (bytes, padded - length);
}

static void
put_rest (PenTestBytes *bytes, const PenTestEvent *event, guint64 id, const guint64 *callchain,
          guint length, GBytes *payload)
{
  guint64 type = event->sample_type;
  static const guint bits_of_8[]
      = { BIT_PHYS_ADDR, BIT_CGROUP, BIT_DATA_PAGE_SIZE, BIT_CODE_PAGE_SIZE };

#define HAS(bit) ((type >> (bit)) & 1)
  if (HAS (BIT_READ))
    put_read (bytes, event->read_format, id);
  if (HAS (BIT_CALLCHAIN)) {
    pen_test_bytes_u64 (bytes, length);
    for (guint i = 0; i < length; i++)
      pen_test_bytes_u64 (bytes, callchain[i]);
  }
  if (HAS (BIT_RAW))
    put_payload (bytes, payload);
  if (HAS (BIT_BRANCH_STACK))
    put_branch_stack (bytes, event->branch_sample_type);
  if (HAS (BIT_REGS_USER))
    put_registers (bytes, event->sample_regs_user, event->simd);
  if (HAS (BIT_STACK_USER)) {
    pen_test_bytes_u64 (bytes, 16);
    pen_test_bytes_raw (bytes, "sixteen of stack", 16);
    pen_test_bytes_u64 (bytes, 8);
  }
  if (HAS (BIT_WEIGHT) || HAS (BIT_WEIGHT_STRUCT))
    pen_test_bytes_u64 (bytes, 12);
  if (HAS (BIT_DATA_SRC))
    pen_test_bytes_u64 (bytes, 13);
  if (HAS (BIT_TRANSACTION))
    pen_test_bytes_u64 (bytes, 14);
  if (HAS (BIT_REGS_INTR))
    put_registers (bytes, event->sample_regs_intr, event->simd);
  for (guint i = 0; i < G_N_ELEMENTS (bits_of_8); i++) {
    if (HAS (bits_of_8[i]))
      pen_test_bytes_u64 (bytes, 15 + i);
  }
  if (HAS (BIT_AUX)) {
    pen_test_bytes_u64 (bytes, 8);
    pen_test_bytes_raw (bytes, "aux data", 8);
  }
}

void
pen_test_capture_put_sample (PenTestCapture *self, PenTestBytes *bytes, guint64 address,
                             guint64 period, const guint64 *callchain, guint length)
{
  const TestEvent *holder = g_ptr_array_index (self->events, self->event);
  const PenTestEvent *event = &holder->event;
  guint64 type = event->sample_type;
  guint64 id = pen_test_capture_get_id (self->event, self->cpu);

  if (HAS (BIT_IDENTIFIER))
    pen_test_bytes_u64 (bytes, id);
  if (HAS (BIT_IP))
    pen_test_bytes_u64 (bytes, address);
  if (HAS (BIT_TID)) {
    pen_test_bytes_u32 (bytes, (guint32) self->pid);
    pen_test_bytes_u32 (bytes, (guint32) self->tid);
  }
  if (HAS (BIT_TIME))
    pen_test_bytes_u64 (bytes, self->time);
  if (HAS (BIT_ADDR))
    pen_test_bytes_u64 (bytes, 0xadd4);
  if (HAS (BIT_ID))
    pen_test_bytes_u64 (bytes, id);
  if (HAS (BIT_STREAM_ID))
    pen_test_bytes_u64 (bytes, id + 500);
  if (HAS (BIT_CPU)) {
    pen_test_bytes_u32 (bytes, self->cpu);
    pen_test_bytes_u32 (bytes, 0);
  }
  if (HAS (BIT_PERIOD))
    pen_test_bytes_u64 (bytes, period);
  put_rest (bytes, event, id, callchain, length, self->payload);
}

guint
pen_test_capture_put_trailer (PenTestCapture *self, PenTestBytes *bytes)
{
  const TestEvent *holder = g_ptr_array_index (self->events, self->event);
  guint64 type = holder->event.sample_type;
  guint64 id = pen_test_capture_get_id (self->event, self->cpu);
  guint before = pen_test_bytes_get_length (bytes);

  if (!(holder->event.flags & SAMPLE_ID_ALL))
    return 0;
  if (self->is_recorder) {
    guint slots = (guint) __builtin_popcountll (type & 0x102c6);

    pen_test_bytes_zeros (bytes, 8 * slots);
    return 8 * slots;
  }
  if (HAS (BIT_TID)) {
    pen_test_bytes_u32 (bytes, (guint32) self->pid);
    pen_test_bytes_u32 (bytes, (guint32) self->tid);
  }
  if (HAS (BIT_TIME))
    pen_test_bytes_u64 (bytes, self->time);
  if (HAS (BIT_ID))
    pen_test_bytes_u64 (bytes, id);
  if (HAS (BIT_STREAM_ID))
    pen_test_bytes_u64 (bytes, id + 500);
  if (HAS (BIT_CPU)) {
    pen_test_bytes_u32 (bytes, self->cpu);
    pen_test_bytes_u32 (bytes, 0);
  }
  if (HAS (BIT_IDENTIFIER))
    pen_test_bytes_u64 (bytes, id);
  return pen_test_bytes_get_length (bytes) - before;
}
