/* pen-program-words.h: which BPF program a tenure was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* As bpftool prints it; and translated. Returns: NULL for a number that is none of the known */
const char *pen_bpf_type_to_string (guint32 type);
const char *pen_bpf_type_title (guint32 type);

G_END_DECLS
