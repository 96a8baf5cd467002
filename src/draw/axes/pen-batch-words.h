/* pen-batch-words.h: what was patched together, for a person
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-outline.h"

G_BEGIN_DECLS

/* "Static key sched_schedstats: 141 sites in 0.8 ms by sh [126]" */
char *pen_batch_words_title (const PenBatch *batch);

/* Of @count patches that a mark stands for, all of the batch @batch: the title; where they are not
 * all of it, how many of it they are; and the sentence. */
char *pen_batch_words_describe (const PenBatch *batch, guint count);

/* What stands beside a tick of @count patches, where there is room for names: the key of all of a
 * batch ("sched_schedstats ×141"), else of one patch its @symbol, else their number ("×141"). NULL:
 * nothing. @batch, @symbol: (nullable) */
char *pen_batch_words_label (const PenBatch *batch, const char *symbol, guint count);

G_END_DECLS
