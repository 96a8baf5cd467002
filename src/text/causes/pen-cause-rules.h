/* pen-cause-rules.h: which reading fits a patch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke-case.h"

G_BEGIN_DECLS

/* @pokes: all @n_pokes, in time order; @index: of the one in question
 * @name: (nullable): what the kernel's tables call the site
 * @decoder, @sources: for another poke than this one */
struct _PenCauseQuestion {
  const PenPokeCase *c;
  const PenPoke *pokes;
  guint n_pokes;
  guint index;
  const PenSiteName *name;
  PenDecoder *decoder;
  const PenCauseSources *sources;
};

/* The first rule that fits. Cost: some look back or ahead, at up to 4,096 pokes. */
const PenCauseRule *pen_cause_question_answer (const PenCauseQuestion *question);
/* The rule of that name, or the last one, which fits always. */
const PenCauseRule *pen_cause_find_rule (const char *name);

G_END_DECLS
