/* pen-pair-words.h: two recordings, as a person reads of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-item.h"

G_BEGIN_DECLS

/* All return text that is fit to be shown, owned by the caller. */

/* "A: 331/s (322–340), 4 942 samples, 12.6 %" */
char *pen_pair_words_of_rate (const PenRate *rate, guint side);
/* Of a row, and B in a line of its own */
char *pen_pair_words_of_sides (PenPairItem *item);
/* "2.5×", "only B"; "" where nothing is known */
char *pen_pair_words_of_ratio (const PenPairTest *test);
/* The @i-th of the words that such have, for PenColumnSpec.get_word; NULL after the last. */
const char *pen_pair_words_get_ratio (guint i);
const char *pen_pair_words_get_verdict (guint i);
const char *pen_pair_words_get_text (guint i);
/* "Slower" …; "" where nothing is sure. Not to be freed */
const char *pen_pair_words_of_verdict (PenPairVerdict verdict);
/* "Differs" …. Not to be freed */
const char *pen_pair_words_of_text (PenPairTextState text);
/* What the cell of the text means, with what stands differently there. */
char *pen_pair_words_of_texts (const PenPairRow *row);
/* "On", "57.3 %" (of the time), "Off" … */
char *pen_pair_words_of_stand (const PenPairStand *stand);
const char *pen_pair_words_get_stand (guint i);
/* "New" …: B against A; "" where it is the same. Not to be freed */
const char *pen_pair_words_of_difference (PenPairStandVerdict verdict);
const char *pen_pair_words_get_difference (guint i);
/* How many stand differently. */
char *pen_pair_words_of_causes (const PenPairCauses *causes);
/* "perf.data · 6.1.0 · 14.9 s · 2 CPUs · cpu-clock, 2999 Hz" */
char *pen_pair_words_of_recording (const PenPairList *list, guint side);
/* How rates of B are made comparable, or why they cannot be. */
char *pen_pair_words_of_basis (const PenPairs *pairs);

G_END_DECLS
