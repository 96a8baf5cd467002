/* bench-query.h: what measures questions to a store begins with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

/* Says what is wrong, and ends the program. @error: (transfer full) */
void bench_stop (GError *error) G_GNUC_NORETURN;
/* Ends the program where there is no store. Returns: (transfer full) */
PenQuery *bench_open_query (const char *path);
