/* pen-loss-spans.h: when records of switches may be missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-tenure.h"

G_BEGIN_DECLS

typedef struct _PenLossSpans PenLossSpans;

/*
 * pen_loss_spans_new:
 * @losses: (element-type PenLoss)
 * @event: whose samples count, too; -1: of none
 */
PenLossSpans *pen_loss_spans_new (const GArray *losses, int event);
void pen_loss_spans_free (PenLossSpans *self);

/* Whether something is missing between @from and @to. Cost: O(log n) */
gboolean pen_loss_spans_meet (const PenLossSpans *self, guint64 from, guint64 to);

G_END_DECLS
