/* pen-digits.h: numbers as text, fast: tables are written cell by cell, millions of times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Room for any of them; none ends in a NUL. */
#define PEN_DIGITS_MAX 32

/* Each writes at @out, which has PEN_DIGITS_MAX bytes, and returns how many it wrote. */
gsize pen_digits_unsigned (char *out, guint64 value);
gsize pen_digits_signed (char *out, gint64 value);
gsize pen_digits_hex (char *out, guint64 value); /* "0x1f" */
/* @ns as seconds with nine decimals: "4.810912345" */
gsize pen_digits_seconds (char *out, guint64 ns);

G_END_DECLS
