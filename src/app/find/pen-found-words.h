/* pen-found-words.h: what was found, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-query-find.h"

G_BEGIN_DECLS

/* "vfs_read+0x1c", "bpf_prog_a (id 23)", "sh [132]" */
char *pen_found_words_title (const PenFoundRow *row, const PenClock *clock);
/* "4.81–7.29 s", "Earlier · 4.81–7.29 s"; or NULL */
char *pen_found_words_when (const PenFoundRow *row, const PenClock *clock);
/* Kind, place, evidence and remarks, or NULL */
char *pen_found_words_detail (const PenFoundRow *row);
/* The heading of a group */
const char *pen_found_words_group (PenFoundKind found);

G_END_DECLS
