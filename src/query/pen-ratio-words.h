/* pen-ratio-words.h: ratios as numbers that are not on the wrong side of 1
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poisson.h"

G_BEGIN_DECLS

/* With as many digits as are asked for, but more where they would say 1 of what is not: "1.05" with
 * one digit. A bound that reads as 1 leaves open whether it holds it. */
char *pen_ratio_format_fixed (double value, int digits);
/* The same with two significant digits: "1250", "12", "1.2", "0.12" */
char *pen_ratio_format (double value);
/* Both bounds of a test, "1.6–2.3"; "at least 1.6" where there is no upper one. */
char *pen_ratio_format_interval (const PenRateTest *test);

G_END_DECLS
