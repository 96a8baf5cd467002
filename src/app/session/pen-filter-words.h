/* pen-filter-words.h: a term of a filter, as a person reads it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-filter-term.h"

G_BEGIN_DECLS

/* "kind: kernel", "not comm: sh", "time 4.81–7.29 s", "changed text only"; fit to be shown */
char *pen_filter_words_describe (const PenFilterTerm *term, const PenFilter *filter,
                                 const PenClock *clock);
/* "4.81–7.29 s" */
char *pen_filter_words_describe_span (PenSpan span, const PenClock *clock);

/* The effect of a step from one filter to another: "Only kind: kernel", "Not comm: sh", "No longer
 * comm: sh", "No filters"; "Filters" where it is more than one thing. NULL: nothing */
char *pen_filter_words_describe_step (const PenFilter *before, const PenFilter *after,
                                      const PenClock *clock);

G_END_DECLS
