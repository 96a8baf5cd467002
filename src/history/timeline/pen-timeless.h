/* pen-timeless.h: who may have held an address at a time that is not known (rule Order 0)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history-private.h"

G_BEGIN_DECLS

/*
 * PenTimeless: answers for samples without a time. Such a sample comes after what stands before it
 * in the stream and has no time either; of everything else, anything may have come before it.
 *
 * An answer is the one occupant, at the one place in it and of the one revision, that is possible;
 * that at some time none is known is not taken for a possibility where one is. O(log n) for each of
 * the parts that hold an address, of which so many are looked at that others are not worth it:
 * beyond that, more than one is possible.
 */
typedef struct _PenTimeless PenTimeless;

PenTimeless *pen_timeless_new (PenHistory *history);
void pen_timeless_free (PenTimeless *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTimeless, pen_timeless_free)

/* @moment: of the sample: time 0. @revision: (out) (optional). @is_ambiguous: (out) (optional):
 * more than one is possible. Returns: (nullable) */
const PenTenure *pen_timeless_find_kernel (PenTimeless *self, guint64 address, PenMoment moment,
                                           guint32 *revision, gboolean *is_ambiguous);
/* In whatever images @pid had. */
const PenTenure *pen_timeless_find_process (PenTimeless *self, gint32 pid, guint64 address,
                                            PenMoment moment, gboolean *is_ambiguous);

G_END_DECLS
