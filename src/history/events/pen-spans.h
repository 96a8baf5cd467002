/* pen-spans.h: ranges of addresses that do not overlap, each with a value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint64 start;
  guint64 end;
  guint32 value;
} PenSpan;

/*
 * PenSpans: what takes a range cuts what was there (rule M1). O(log n) per range taken, plus those
 * that are replaced.
 */
typedef struct _PenSpans PenSpans;

PenSpans *pen_spans_new (void);
void pen_spans_free (PenSpans *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSpans, pen_spans_free)

/* The first span that holds a byte of [@start, @end), or NULL. */
const PenSpan *pen_spans_find (PenSpans *self, guint64 start, guint64 end);

/* Called for each span that loses bytes; @old is valid during the call. */
typedef void (*PenSpanLostFunc) (const PenSpan *old, gpointer user_data);
/* Called for each piece [@start, @end) that is left of @old. Returns: its value */
typedef guint32 (*PenSpanLeftFunc) (const PenSpan *old, guint64 start, guint64 end,
                                    gpointer user_data);

/* Takes [@start, @end), which must not be empty. @lost and @left may be NULL: pieces keep the
 * value. */
void pen_spans_take (PenSpans *self, guint64 start, guint64 end, guint32 value,
                     PenSpanLostFunc lost, PenSpanLeftFunc left, gpointer user_data);

/* As pen_spans_take(), but the range stays free. */
void pen_spans_clear (PenSpans *self, guint64 start, guint64 end, PenSpanLostFunc lost,
                      PenSpanLeftFunc left, gpointer user_data);

guint pen_spans_count (PenSpans *self);

typedef void (*PenSpanFunc) (const PenSpan *span, gpointer user_data);
/* In order of address. */
void pen_spans_foreach (PenSpans *self, PenSpanFunc func, gpointer user_data);

G_END_DECLS
