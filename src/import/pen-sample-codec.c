/* pen-sample-codec.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-codec.h"

#define CPUMODES 8

/* What the next sample is told by: its differences. Kernel and user addresses lie far apart, so
 * each mode has its own. */
typedef struct {
  guint64 time;
  guint64 position;
  guint64 period;
  guint64 addresses[CPUMODES];
  gint32 pid;
} Last;

static inline guint8 *
put (guint8 *at, guint64 value)
{
  while (value >= 0x80) {
    *at++ = (guint8) value | 0x80;
    value >>= 7;
  }
  *at++ = (guint8) value;

  return at;
}

static inline guint64
zigzag (guint64 difference)
{
  return difference << 1 ^ (guint64) ((gint64) difference >> 63);
}

static inline guint64
unzigzag (guint64 value)
{
  return value >> 1 ^ -(value & 1);
}

/* What changes least from sample to sample stands highest, and is seldom there. */
static inline guint32
get_flags (const PenSortedSample *sample)
{
  return (guint32) sample->event << 12 | (guint32) sample->time_is_max << 11
         | (guint32) sample->chain_is_whole << 10 | (guint32) sample->cpumode << 7 | sample->has;
}

static inline void
set_flags (PenSortedSample *sample, guint32 flags)
{
  sample->has = flags & 0x7f;
  sample->cpumode = flags >> 7 & (CPUMODES - 1);
  sample->chain_is_whole = flags >> 10 & 1;
  sample->time_is_max = flags >> 11 & 1;
  sample->event = flags >> 12;
}

gsize
pen_sample_codec_encode (const PenSortedSample *samples, guint n, guint8 *bytes)
{
  Last last = { 0 };
  guint8 *at = bytes;

  for (guint i = 0; i < n; i++) {
    const PenSortedSample *sample = &samples[i];
    guint64 *address = &last.addresses[sample->cpumode];

    at = put (at, get_flags (sample));
    at = put (at, sample->time - last.time);
    at = put (at, zigzag (sample->position - last.position));
    at = put (at, zigzag (sample->address - *address));
    at = put (at, zigzag (sample->period - last.period));
    at = put (at, zigzag ((guint64) ((gint64) sample->pid - last.pid)));
    at = put (at, (guint32) sample->tid ^ (guint32) sample->pid);
    at = put (at, sample->cpu);
    at = put (at, sample->chain);
    at = put (at, sample->payload);

    last.time = sample->time;
    last.position = sample->position;
    last.period = sample->period;
    last.pid = sample->pid;
    *address = sample->address;
  }

  return (gsize) (at - bytes);
}

typedef struct {
  const guint8 *at;
  const guint8 *end;
} Bytes;

static inline guint64
take (Bytes *bytes)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 64 && bytes->at < bytes->end; shift += 7) {
    guint8 byte = *bytes->at++;

    value |= (guint64) (byte & 0x7f) << shift;
    if (byte < 0x80)
      break;
  }

  return value;
}

gboolean
pen_sample_codec_decode (const guint8 *bytes, gsize length, PenSortedSample *samples, guint n)
{
  Bytes left = { bytes, bytes + length };
  Last last = { 0 };

  for (guint i = 0; i < n; i++) {
    PenSortedSample *sample = &samples[i];
    guint64 *address;

    if (left.at == left.end)
      return FALSE;

    set_flags (sample, (guint32) take (&left));
    address = &last.addresses[sample->cpumode];
    sample->time = last.time += take (&left);
    sample->position = last.position += unzigzag (take (&left));
    sample->address = *address += unzigzag (take (&left));
    sample->period = last.period += unzigzag (take (&left));
    sample->pid = last.pid = (gint32) ((guint32) last.pid + (guint32) unzigzag (take (&left)));
    sample->tid = (gint32) ((guint32) take (&left) ^ (guint32) sample->pid);
    sample->cpu = (guint32) take (&left);
    sample->chain = (guint32) take (&left);
    sample->payload = (guint32) take (&left);
  }

  return TRUE;
}
