/* pen-program-words.h: which BPF program a tenure was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* As bpftool prints them (enum bpf_prog_type in include/uapi/linux/bpf.h, Linux 7.2). Returns: NULL
 * for a number that is none of them */
const char *pen_bpf_type_to_string (guint32 type);

G_END_DECLS
