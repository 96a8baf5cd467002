/* pen-static-call.h: sites and trampolines of static calls that nothing names, by each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-rules.h"

G_BEGIN_DECLS

/* By form and place alone. The place may be of a module that nothing names. */
gboolean pen_static_call_fits (const PenPokeCase *c);

/* What the rules ask of the pokes before and after. */
gboolean pen_static_call_is_after_trampoline (const PenCauseQuestion *q);
gboolean pen_static_call_is_of_later_trampoline (const PenCauseQuestion *q);
/* Of a module that nothing names. */
gboolean pen_static_call_is_trampoline (const PenCauseQuestion *q);

G_END_DECLS
