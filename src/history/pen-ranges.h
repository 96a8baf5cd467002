/* pen-ranges.h: ranges of addresses that do not overlap, each with a value
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
} PenRange;

/*
 * PenRanges: what takes a range cuts what was there (rule M1). O(log n) per range taken, plus those
 * that are replaced.
 */
typedef struct _PenRanges PenRanges;

PenRanges *pen_ranges_new (void);
void pen_ranges_free (PenRanges *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRanges, pen_ranges_free)

/* The first range that holds a byte of [@start, @end), or NULL. */
const PenRange *pen_ranges_find (PenRanges *self, guint64 start, guint64 end);

/* Called for each range that loses bytes; @old is valid during the call. */
typedef void (*PenRangeLostFunc) (const PenRange *old, gpointer user_data);
/* Called for each piece [@start, @end) that is left of @old. Returns: its value */
typedef guint32 (*PenRangeLeftFunc) (const PenRange *old, guint64 start, guint64 end,
                                     gpointer user_data);

/* Takes [@start, @end), which must not be empty. @lost and @left may be NULL: pieces keep the
 * value. */
void pen_ranges_take (PenRanges *self, guint64 start, guint64 end, guint32 value,
                      PenRangeLostFunc lost, PenRangeLeftFunc left, gpointer user_data);

/* As pen_ranges_take(), but the range stays free. */
void pen_ranges_clear (PenRanges *self, guint64 start, guint64 end, PenRangeLostFunc lost,
                       PenRangeLeftFunc left, gpointer user_data);

guint pen_ranges_count (PenRanges *self);

typedef void (*PenRangeFunc) (const PenRange *range, gpointer user_data);
/* In order of address. */
void pen_ranges_foreach (PenRanges *self, PenRangeFunc func, gpointer user_data);

G_END_DECLS
