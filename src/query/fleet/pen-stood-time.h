/* pen-stood-time.h: for how long a text stood
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* The time that counts: of the samples, under the filter; ns, both included. */
typedef struct {
  guint64 from;
  guint64 to;
} PenStoodTime;

PenStoodTime pen_stood_time_make (PenQuery *query, const PenFilter *filter);

/* Stretches that may overlap, added up: begins with zeros. @end: of those so far; @ns: their sum */
typedef struct {
  gboolean has_any;
  guint64 end;
  guint64 ns;
} PenStoodSpan;

/* @from: not less than that of the call before. Returns: seconds so far */
double pen_stood_span_add (PenStoodSpan *self, const PenStoodTime *time, guint64 from, guint64 to);

G_END_DECLS
