/* pen-amount-words.h: samples, or time off CPU, as a person reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"

G_BEGIN_DECLS

/* "1 234", or of waits "2.38 s"; "unknown" of waits without a known end, "0" of none */
char *pen_amount_format (PenAmount amount);
/* "1 234 samples", or of waits "2.38 s off CPU". @aloud: for a screen reader, which reads groups of
 * digits as numbers of their own */
char *pen_amount_phrase (PenAmount amount, gboolean aloud);
/* How many there are: "1 234 samples", "12 waits" */
char *pen_amount_phrase_number (PenAmount amount, gboolean aloud);

G_END_DECLS
