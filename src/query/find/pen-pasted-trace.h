/* pen-pasted-trace.h: places as kernels and tools print them: one, or those of a whole oops or
 * trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pasted-place.h"

G_BEGIN_DECLS

#define PEN_PASTED_LINE_MAX 4096u
#define PEN_PASTED_PLACES_MAX 500u

/*
 * PenPastedTrace:
 * @places: (element-type PenPastedPlace): in the order of the text
 * @time: ns, of the first line with a stamp of the kernel's log or of perf, with @has_time
 * @is_cut: there are more places than are kept
 */
typedef struct {
  GPtrArray *places;
  gboolean has_time;
  guint64 time;
  gboolean is_cut;
} PenPastedTrace;

/* @text: any bytes. Lines without a place are passed over. */
PenPastedTrace *pen_pasted_trace_new (const char *text);
void pen_pasted_trace_free (PenPastedTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPastedTrace, pen_pasted_trace_free)

/* One place, as typed: also a bare name, and addresses of any length after 0x. Returns: (transfer
 * full) (nullable): NULL: it is none */
PenPastedPlace *pen_pasted_place_new (const char *text);

G_END_DECLS
