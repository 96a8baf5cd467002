/* pen-sample-codec.c
 *
 * A head says of each field what its value is in the first sample, and in how many of its low bytes
 * other samples have other values; then come those bytes of each sample. All samples take the same
 * number of bytes, so that no number waits for the one before it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-codec.h"

#include <string.h>

/* In what order they are written. */
enum {
  TIME,
  POSITION,
  ADDRESS,
  PERIOD,
  FLAGS,
  PID,
  TID,
  CPU,
  CHAIN,
  PAYLOAD,
  FIELDS,
};

/*
 * Fields: the values of a sample's
 */
typedef struct {
  guint64 values[FIELDS];
} Fields;

/* So that Fields is never in memory. */
#ifdef __clang__
#define UNROLLED _Pragma ("unroll")
#else
#define UNROLLED _Pragma ("GCC unroll 16")
#endif

#define HEAD_LENGTH (FIELDS * (1 + sizeof (guint64)))

G_STATIC_ASSERT (HEAD_LENGTH + 8 <= PEN_SAMPLE_CODE_MAX (0));

/* The field that changes least from sample to sample is the highest. */
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
  sample->cpumode = flags >> 7 & 7;
  sample->chain_is_whole = flags >> 10 & 1;
  sample->time_is_max = flags >> 11 & 1;
  sample->event = flags >> 12;
}

/* Addresses of the kernel have all their high bits set, those of processes none: what goes round
 * is as short for both. */
static inline guint64
rotate (guint64 address)
{
  return address << 1 ^ -(address >> 63);
}

static inline guint64
rotate_back (guint64 value)
{
  return value >> 1 ^ -(value & 1);
}

static inline Fields
get_fields (const PenSortedSample *sample)
{
  return (Fields){ {
      [TIME] = sample->time,
      [POSITION] = sample->position,
      [ADDRESS] = rotate (sample->address),
      [PERIOD] = sample->period,
      [FLAGS] = get_flags (sample),
      [PID] = (guint32) sample->pid,
      [TID] = (guint32) sample->tid ^ (guint32) sample->pid,
      [CPU] = sample->cpu,
      [CHAIN] = sample->chain,
      [PAYLOAD] = sample->payload,
  } };
}

static inline void
set_fields (PenSortedSample *sample, const Fields *fields)
{
  sample->time = fields->values[TIME];
  sample->position = fields->values[POSITION];
  sample->address = rotate_back (fields->values[ADDRESS]);
  sample->period = fields->values[PERIOD];
  set_flags (sample, (guint32) fields->values[FLAGS]);
  sample->pid = (gint32) (guint32) fields->values[PID];
  sample->tid = (gint32) ((guint32) fields->values[TID] ^ (guint32) fields->values[PID]);
  sample->cpu = (guint32) fields->values[CPU];
  sample->chain = (guint32) fields->values[CHAIN];
  sample->payload = (guint32) fields->values[PAYLOAD];
}

static guint
count_bytes (guint64 value)
{
  guint n = 0;

  for (; value != 0; value >>= 8)
    n++;
  return n;
}

gsize
pen_sample_codec_encode (const PenSortedSample *samples, guint n, guint8 *bytes)
{
  Fields first;
  Fields differing = { 0 };
  guint offsets[FIELDS];
  guint8 *at = bytes + HEAD_LENGTH;
  guint length = 0;

  if (n == 0)
    return 0;

  first = get_fields (&samples[0]);
  for (guint i = 1; i < n; i++) {
    Fields fields = get_fields (&samples[i]);

    UNROLLED for (guint k = 0; k < FIELDS; k++) differing.values[k]
        |= fields.values[k] ^ first.values[k];
  }

  for (guint k = 0; k < FIELDS; k++) {
    guint width = count_bytes (differing.values[k]);

    offsets[k] = length;
    length += width;
    bytes[k] = (guint8) width;
  }
  memcpy (bytes + FIELDS, first.values, sizeof first.values);

  /* Eight bytes of each field: what is beyond its width is nothing, and the next one's place. */
  for (guint i = 0; i < n; i++, at += length) {
    Fields fields = get_fields (&samples[i]);

    UNROLLED for (guint k = 0; k < FIELDS; k++)
    {
      guint64 value = GUINT64_TO_LE (fields.values[k] ^ first.values[k]);

      memcpy (at + offsets[k], &value, sizeof value);
    }
  }
  return (gsize) (at - bytes);
}

gboolean
pen_sample_codec_decode (const guint8 *bytes, gsize length, PenSortedSample *samples, guint n)
{
  Fields first;
  Fields masks;
  guint offsets[FIELDS];
  const guint8 *at = bytes + HEAD_LENGTH;
  guint length_of_one = 0;

  if (n == 0)
    return length == 0;
  if (length < HEAD_LENGTH)
    return FALSE;

  for (guint k = 0; k < FIELDS; k++) {
    guint width = bytes[k];

    if (width > sizeof (guint64))
      return FALSE;
    offsets[k] = length_of_one;
    length_of_one += width;
    masks.values[k] = width == 0 ? 0 : G_MAXUINT64 >> (64 - 8 * width);
  }
  memcpy (first.values, bytes + FIELDS, sizeof first.values);
  if (length - HEAD_LENGTH != (gsize) n * length_of_one)
    return FALSE;

  for (guint i = 0; i < n; i++, at += length_of_one) {
    Fields fields;

    UNROLLED for (guint k = 0; k < FIELDS; k++)
    {
      guint64 value;

      memcpy (&value, at + offsets[k], sizeof value);
      fields.values[k] = (GUINT64_FROM_LE (value) & masks.values[k]) ^ first.values[k];
    }
    set_fields (&samples[i], &fields);
  }
  return TRUE;
}
