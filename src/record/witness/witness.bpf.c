/* witness.bpf.c: reads the bytes at the address of each sample, in the kernel, at that very sample
 *
 * It sits on a sampling event of its own. Its result is 0 always: that event writes no samples. On
 * the event of the profile, kernels before 7 would drop samples that fall into another BPF program
 * of a kprobe or a tracepoint, without a LOST record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "pen-witness-record.h"

#define SLOTS 65536 /* a power of two */
#define INT3 0xcc   /* of x86; elsewhere it is part of an instruction */
#define TIMED 64    /* one of so many runs, a power of two: looking at the clock has a cost, too */

char LICENSE[] SEC ("license") = "GPL";

/* Set before it is loaded. */
const volatile _Bool reads_user = 0;

/* perf's bpf-output events, by CPU; as many entries as there can be CPUs. */
struct {
  __uint (type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
  __type (key, __u32);
  __type (value, __u32);
} outputs SEC (".maps");

struct {
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __type (key, __u32);
  __type (value, __u64);
  __uint (max_entries, PEN_WITNESS_COUNTERS);
} counters SEC (".maps");

/* Directly mapped, a word each: 24 bits of the window, 40 bits of its bytes. Without a lock, so
 * that it is safe wherever a sample can be taken. Two windows of one slot take turns in it: each is
 * then emitted again, never left out. */
struct {
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __type (key, __u32);
  __type (value, __u64);
  __uint (max_entries, SLOTS);
} seen SEC (".maps");

/* Returns: what it comes to */
static __always_inline __u64
add (__u32 counter, __u64 n)
{
  __u64 *value = bpf_map_lookup_elem (&counters, &counter);

  if (!value)
    return 0;
  *value += n;
  return *value;
}

static __always_inline void
count (__u32 counter)
{
  add (counter, 1);
}

static __always_inline __u64
mix (__u64 hash, __u64 word)
{
  hash ^= word;
  hash *= 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

static __always_inline long
read_bytes (PenWitnessRecord *record, __u32 length)
{
  return record->flags & PEN_WITNESS_USER
             ? bpf_probe_read_user (record->bytes, length, (void *) record->start)
             : bpf_probe_read_kernel (record->bytes, length, (void *) record->start);
}

static __always_inline void
read_window (PenWitnessRecord *record)
{
  record->length = PEN_WITNESS_BYTES;
  if (read_bytes (record, PEN_WITNESS_BYTES) == 0)
    return;
  /* The last window before an unmapped page. */
  record->length = PEN_WITNESS_GRAIN;
  if (read_bytes (record, PEN_WITNESS_GRAIN) == 0)
    return;
  record->length = 0;
  record->flags |= PEN_WITNESS_UNREADABLE;
}

static __always_inline __u64
hash_bytes (const PenWitnessRecord *record)
{
  const __u64 *words = (const __u64 *) record->bytes;
  __u64 hash = mix (0x243f6a8885a308d3ull, record->length);

#pragma unroll
  for (int i = 0; i < PEN_WITNESS_BYTES / 8; i++)
    hash = mix (hash, words[i]);
  return hash;
}

static __always_inline void
look (struct bpf_perf_event_data *context)
{
  __u64 address = PT_REGS_IP (&context->regs);
  PenWitnessRecord record = {
    .magic = PEN_WITNESS_MAGIC,
    .version = PEN_WITNESS_VERSION,
    .address = address,
    .start = address & ~(__u64) (PEN_WITNESS_GRAIN - 1),
    .flags = (long long) address >= 0 ? PEN_WITNESS_USER : 0,
  };
  _Bool is_user = (record.flags & PEN_WITNESS_USER) != 0;
  __u64 place = record.start;
  __u64 was;
  __u64 is;
  __u64 *kept;
  __u32 slot;
  _Bool is_known;

  if (is_user && !reads_user) {
    count (PEN_WITNESS_SKIPPED);
    return;
  }
  read_window (&record);
  if (record.length == 0)
    count (is_user ? PEN_WITNESS_NO_USER : PEN_WITNESS_NO_KERNEL);
#ifdef __TARGET_ARCH_x86
  else if (record.bytes[(address - record.start) & (PEN_WITNESS_GRAIN - 1)] == INT3)
    count (PEN_WITNESS_BREAKPOINTS);
#endif

  /* Each process has its own text at an address. */
  if (is_user)
    place ^= bpf_get_current_pid_tgid () >> 32 << 48;
  place = mix (0x13198a2e03707344ull, place);
  slot = (place >> 8) & (SLOTS - 1);
  is = (place & 0xffffffull << 40) | (hash_bytes (&record) >> 24);
  kept = bpf_map_lookup_elem (&seen, &slot);
  if (!kept)
    return;
  was = *(volatile __u64 *) kept;
  if (was == is) {
    count (PEN_WITNESS_SAME);
    return;
  }
  is_known = was != 0 && (was ^ is) >> 40 == 0;
  if (!is_known)
    record.flags |= PEN_WITNESS_FIRST;
  if (bpf_perf_event_output (context, &outputs, BPF_F_CURRENT_CPU, &record, sizeof record) != 0) {
    /* Not remembered: the next sample here tries again. */
    count (PEN_WITNESS_LOST);
    return;
  }
  count (is_known ? PEN_WITNESS_CHANGES : PEN_WITNESS_FIRSTS);
  *(volatile __u64 *) kept = is;
}

SEC ("perf_event")
int
witness (struct bpf_perf_event_data *context)
{
  _Bool is_timed = (add (PEN_WITNESS_RUNS, 1) & (TIMED - 1)) == 0;
  __u64 begun = is_timed ? bpf_ktime_get_ns () : 0;

  look (context);
  if (is_timed) {
    count (PEN_WITNESS_TIMED);
    add (PEN_WITNESS_TIME, bpf_ktime_get_ns () - begun);
  }
  return 0;
}
