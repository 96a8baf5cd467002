/* pen-demangle.h: names as they stood in the source
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A name that is longer, before or after, is left as it is: a kilobyte can expand to any number of
 * them, since repeated parts are encoded as numbers. */
#define PEN_DEMANGLE_MAX_NAME 2048
#define PEN_DEMANGLE_MAX_SHOWN 16384

/*
 * pen_demangle:
 * @name: of a symbol
 *
 * C++ (Itanium ABI) and Rust, in its older scheme and in v0, as perf prints them: without the
 * parameters of a function and the ending of a clone (.cold), which its linkage name still shows,
 * and without a Rust name's hash.
 * The part after an '@', a version or "plt", stays as it is. Memory is bounded, and so is time,
 * whatever @name is.
 *
 * Returns: (transfer full) (nullable): NULL if @name is not mangled, or too long
 */
char *pen_demangle (const char *name);

G_END_DECLS
