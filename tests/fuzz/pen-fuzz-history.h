/* pen-fuzz-history.h: a small capture in which all that a store keeps occurs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-capture.h"

G_BEGIN_DECLS

/* A function with patches, a program that comes and goes, a process, a loss; names and bytes.
 * Returns: (transfer full) */
PenTestCapture *pen_fuzz_make_history (void);

G_END_DECLS
