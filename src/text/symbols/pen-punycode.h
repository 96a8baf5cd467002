/* pen-punycode.h: letters that are not ASCII, in names of Rust
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PEN_PUNYCODE_MAX 256

/*
 * pen_punycode_decode:
 * @bytes: RFC 3492, with '_' for '-'
 * @points: (out): PEN_PUNYCODE_MAX of them
 *
 * Returns: FALSE if it is none, or longer
 */
gboolean pen_punycode_decode (const char *bytes, gsize length, gunichar *points, guint *n_points);

G_END_DECLS
