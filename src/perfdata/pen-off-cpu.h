/* pen-off-cpu.h: samples of perf record --off-cpu
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"
#include "pen-record.h"

G_BEGIN_DECLS

/* Recorders stamp what they write at the end with this and what follows it, so that it is sorted to
 * the end: no times (perf's util/bpf_off_cpu.c: OFF_CPU_TIMESTAMP). ~0 has its own meaning. */
static inline gboolean
pen_off_cpu_is_mark (guint64 time)
{
  return time >= G_MAXUINT64 << 32 && time != G_MAXUINT64;
}

/* Whether samples of @attr, which has its recorded name by now, say how long a task was off CPU:
 * their period, in ns. */
gboolean pen_off_cpu_is_event (const PenAttr *attr);

/* Whether their facts are in the payload. */
gboolean pen_off_cpu_is_packed (const PenAttr *attr);

/*
 * pen_off_cpu_unpack:
 * @scratch: see pen_sample_parse()
 * @record: (inout): a sample with a payload
 *
 * Since perf 6.16 the payload has the task that did not run, for how many ns, its callchain, and
 * its control group (perf's util/evsel.c: __set_offcpu_sample); the sample's own fields are of who
 * ran instead. The payload is used up: it is no longer there afterwards.
 *
 * Returns: NULL, or why the sample must be set aside: (transfer none)
 */
const char *pen_off_cpu_unpack (gboolean big_endian, guint64 *scratch, PenRecord *record);

G_END_DECLS
