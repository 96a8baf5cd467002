/* pen-loss-words.h: losses as a person reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* Whether all of it is in other losses too: then it has an amount, but no time of its own. */
gboolean pen_loss_is_repeated (const PenLoss *loss);

/* "Lost records on CPU 2: 1 204" */
char *pen_loss_describe_amount (PenLossKind kind, guint32 cpu, guint64 count);
/* Two lines: the amount, and the span on every clock. */
char *pen_loss_describe (const PenLoss *loss, const PenClock *clock);
/* "4.810000 s · 2026-11-20 14:03:22.810000, for 12 ms"; "at …" where both ends are the same */
char *pen_loss_describe_span (guint64 from, guint64 to, const PenClock *clock);

G_END_DECLS
