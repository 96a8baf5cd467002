/* pen-comparison-words.h: before and after a patch, as a person reads it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-compare.h"

G_BEGIN_DECLS

/* "11.6/s (6.7–18.5) → 21.1/s (13.4–31.7): no significant difference" */
char *pen_format_comparison (const PenComparison *comparison);

/* "312/s (290–335) before, 198/s (180–217) after: fewer (95 %)"; without the @intervals where there
 * is no room for them */
char *pen_format_comparison_sentence (const PenComparison *comparison, gboolean intervals);

G_END_DECLS
