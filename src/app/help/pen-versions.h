/* pen-versions.h: what the program is made of, for whoever reports a problem
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A line for each: Pentimento, its store, and the libraries as they run. */
char *pen_versions_dup_text (void);

G_END_DECLS
