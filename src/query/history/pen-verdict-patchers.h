/* pen-verdict-patchers.h: who patched a place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-patched-place.h"

G_BEGIN_DECLS

/* Adds "sh [132]", or "bpfcycle" of several processes of a name, to @names, most patches first.
 * Kernel threads only where there is no other task. */
void pen_verdict_list_patchers (const PenPatchedPlace *place, GPtrArray *names);

G_END_DECLS
