/* pen-cause-rules.h: which reading fits a patch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke-case.h"

G_BEGIN_DECLS

/* @pokes: all, in time order; @index: of the one in question
 * @name: (nullable): what the kernel's tables call the site */
struct _PenCauseQuestion {
  const PenPokeCase *c;
  const PenPoke *pokes;
  guint index;
  const PenSiteName *name;
};

/* The first rule that fits. Cost: some look back, at up to 4,096 pokes. */
const PenCauseRule *pen_cause_question_answer (const PenCauseQuestion *question);
/* The rule of that name, or the last one, which fits always. */
const PenCauseRule *pen_cause_find_rule (const char *name);

G_END_DECLS
