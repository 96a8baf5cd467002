/* pen-rust-name.h: names of Rust in the scheme v0
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_rust_name_demangle:
 * @name: of a symbol: "_R…" (RFC 2603). What follows a '.' is the compiler's, and left out
 * @max_shown: bytes of the result at most
 *
 * As rustfilt and perf print it: without the hashes of crates and the types of constants. Whatever
 * @name is, the work is bounded.
 *
 * Returns: (transfer full) (nullable): NULL if @name is none, or too long when printed
 */
char *pen_rust_name_demangle (const char *name, gsize max_shown);

G_END_DECLS
