/* pen-demangle.h: names as they stood in the source
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_demangle:
 * @name: of a symbol
 *
 * C++ (Itanium ABI, with parameters: overloads stay apart) and Rust's older scheme, which is the
 * same with a hash at the end; the hash is left out.
 *
 * Returns: (transfer full) (nullable): NULL if @name is not mangled, or longer than 4095 bytes
 */
char *pen_demangle (const char *name);

G_END_DECLS
