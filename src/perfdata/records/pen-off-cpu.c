/* pen-off-cpu.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-off-cpu.h"

#include <string.h>

#include "pen-reason.h"
#include "pen-sample-parser.h"

gboolean
pen_off_cpu_is_event (const PenAttr *attr)
{
  return attr->type == PEN_ATTR_TYPE_SOFTWARE && attr->config == PEN_ATTR_SOFTWARE_BPF_OUTPUT
         && strcmp (attr->name, "offcpu-time") == 0;
}

gboolean
pen_off_cpu_is_packed (const PenAttr *attr)
{
  return pen_off_cpu_is_event (attr) && (attr->sample_type & PEN_SAMPLE_RAW) != 0;
}

/* A callchain begins with where its first address is. */
static void
take_place (PenRecord *record)
{
  const PenSampleRecord *sample = &record->sample;
  PenCpumode mode;

  record->has &= (guint8) ~PEN_HAS_ADDRESS;
  if (sample->callchain_length < 2)
    return;
  mode = sample->callchain[0] == PEN_CONTEXT_USER     ? PEN_CPUMODE_USER
         : sample->callchain[0] == PEN_CONTEXT_KERNEL ? PEN_CPUMODE_KERNEL
                                                      : PEN_CPUMODE_UNKNOWN;
  record->misc = (guint16) ((record->misc & ~PEN_MISC_CPUMODE_MASK) | mode);
  record->sample.address = sample->callchain[1];
  record->has |= PEN_HAS_ADDRESS;
}

const char *
pen_off_cpu_unpack (gboolean big_endian, guint64 *scratch, PenRecord *record)
{
  PenSampleRecord *sample = &record->sample;
  PenCursor cursor = pen_cursor_init (sample->raw, sample->raw_length, big_endian);
  guint64 task = pen_cursor_u64 (&cursor);

  record->pid = (gint32) (guint32) task;
  record->tid = (gint32) (guint32) (task >> 32);
  sample->period = pen_cursor_u64 (&cursor);
  sample->callchain = pen_callchain_take (&cursor, scratch, &sample->callchain_length);
  sample->cgroup = pen_cursor_u64 (&cursor);
  if (cursor.failed)
    return PEN_REASON_FIELD_TOO_LONG;

  record->has |= PEN_HAS_TASK | PEN_HAS_PERIOD | PEN_HAS_CGROUP;
  record->has &= (guint8) ~PEN_HAS_RAW;
  sample->raw = NULL;
  sample->raw_length = 0;
  take_place (record);
  return NULL;
}
