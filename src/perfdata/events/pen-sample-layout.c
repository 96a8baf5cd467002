/* pen-sample-layout.c: where an event's fields are in its samples, and in the trailer of others
 *
 * The order of the fields is that of linux/perf_event.h (PERF_RECORD_SAMPLE, struct sample_id).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-layout.h"

#include <string.h>

#include "pen-record.h"

#define RECORD_HEADER_SIZE 8

/* Fields after PERIOD, whose size depends on their contents or on other fields. */
#define REST                                                                                       \
  (PEN_SAMPLE_READ | PEN_SAMPLE_CALLCHAIN | PEN_SAMPLE_RAW | PEN_SAMPLE_BRANCH_STACK               \
   | PEN_SAMPLE_REGS_USER | PEN_SAMPLE_STACK_USER | PEN_SAMPLE_WEIGHT | PEN_SAMPLE_WEIGHT_STRUCT   \
   | PEN_SAMPLE_DATA_SRC | PEN_SAMPLE_TRANSACTION | PEN_SAMPLE_REGS_INTR | PEN_SAMPLE_PHYS_ADDR    \
   | PEN_SAMPLE_AUX | PEN_SAMPLE_CGROUP | PEN_SAMPLE_DATA_PAGE_SIZE | PEN_SAMPLE_CODE_PAGE_SIZE)

static int
take_trailer_slot (PenTrailer *self, guint64 sample_type, guint64 bit)
{
  int at = (int) self->size;

  if (!(sample_type & bit))
    return -1;
  self->size += 8;
  return at;
}

void
pen_trailer_init (PenTrailer *self, const PenAttr *attr)
{
  guint64 type = (attr->flags & PEN_ATTR_SAMPLE_ID_ALL) ? attr->sample_type : 0;
  int identifier_at;

  self->size = 0;
  self->tid_at = take_trailer_slot (self, type, PEN_SAMPLE_TID);
  self->time_at = take_trailer_slot (self, type, PEN_SAMPLE_TIME);
  self->id_at = take_trailer_slot (self, type, PEN_SAMPLE_ID);
  take_trailer_slot (self, type, PEN_SAMPLE_STREAM_ID);
  self->cpu_at = take_trailer_slot (self, type, PEN_SAMPLE_CPU);
  identifier_at = take_trailer_slot (self, type, PEN_SAMPLE_IDENTIFIER);
  if (identifier_at >= 0)
    self->id_at = identifier_at;
}

gboolean
pen_trailer_equal (const PenTrailer *self, const PenTrailer *other)
{
  return self->tid_at == other->tid_at && self->time_at == other->time_at
         && self->id_at == other->id_at && self->cpu_at == other->cpu_at
         && self->size == other->size;
}

static guint16
take_fixed_slot (PenSampleLayout *self, guint64 bit)
{
  guint16 at = self->fixed_size;

  if (!(self->sample_type & bit))
    return 0;
  self->fixed_size += 8;
  return at;
}

static guint
count_bits (guint64 mask)
{
  return (guint) __builtin_popcountll (mask);
}

void
pen_sample_layout_init (PenSampleLayout *self, const PenAttr *attr)
{
  guint16 identifier_at;

  memset (self, 0, sizeof *self);
  self->sample_type = attr->sample_type;
  self->read_format = attr->read_format;
  self->branch_sample_type = attr->branch_sample_type;
  self->user_registers = count_bits (attr->sample_regs_user);
  self->interrupt_registers = count_bits (attr->sample_regs_intr);
  self->fixed_size = RECORD_HEADER_SIZE;

  identifier_at = take_fixed_slot (self, PEN_SAMPLE_IDENTIFIER);
  self->ip_at = take_fixed_slot (self, PEN_SAMPLE_IP);
  self->tid_at = take_fixed_slot (self, PEN_SAMPLE_TID);
  self->time_at = take_fixed_slot (self, PEN_SAMPLE_TIME);
  self->data_address_at = take_fixed_slot (self, PEN_SAMPLE_ADDR);
  self->id_at = take_fixed_slot (self, PEN_SAMPLE_ID);
  take_fixed_slot (self, PEN_SAMPLE_STREAM_ID);
  self->cpu_at = take_fixed_slot (self, PEN_SAMPLE_CPU);
  self->period_at = take_fixed_slot (self, PEN_SAMPLE_PERIOD);
  if (identifier_at)
    self->id_at = identifier_at;

  self->has_rest = (attr->sample_type & REST) != 0;
  if (attr->sample_type & PEN_SAMPLE_CGROUP)
    self->has_of_rest |= PEN_HAS_CGROUP;
  if (attr->sample_type & PEN_SAMPLE_RAW)
    self->has_of_rest |= PEN_HAS_RAW;
  self->has_fixed_period = !(attr->flags & PEN_ATTR_FREQ);
  self->fixed_period = attr->period_or_frequency;
}
