/* pen-test-samples.h: a capture with a record of every kind
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-capture.h"

G_BEGIN_DECLS

/* Every record type that is taken apart, features, and a kcore_dir; times are all different. */
PenTestCapture *pen_test_make_everything (void);

/* What pen_test_read_lines() must give for it, in time order: NULL-terminated. */
extern const char *const pen_test_everything_lines[];

G_END_DECLS
