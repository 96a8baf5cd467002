/* pen-poisson-private.h: quantiles, for other tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where the regularised incomplete beta function of @a and @b takes @value, 0–1. */
double pen_beta_quantile (double a, double b, double value);

G_END_DECLS
