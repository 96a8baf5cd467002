/* pen-place-name.h: what led to a place, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-places.h"

G_BEGIN_DECLS

/* @step: from @from to @to. Returns: (transfer full) */
char *pen_place_name_step (PenStep step, const PenViewState *from, const PenViewState *to,
                           const PenAnswers *answers, const PenClock *clock);

G_END_DECLS
