/* pen-batch-words.h: sites that were patched together, as a person reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-outline.h"

G_BEGIN_DECLS

/* For a mark of @count patches of @batch: the title, their number if they are not the whole batch,
 * and the sentence. */
char *pen_batch_words_describe (const PenBatch *batch, guint count);

/* The label of a tick of @count patches: the key of a whole batch ("sched_schedstats ×141"), else
 * the
 * @symbol of a single patch, else the number ("×141"). Returns: (nullable). @batch, @symbol:
 * (nullable) */
char *pen_batch_words_label (const PenBatch *batch, const char *symbol, guint count);

G_END_DECLS
