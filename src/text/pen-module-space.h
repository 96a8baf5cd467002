/* pen-module-space.h: where kernels load modules
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_module_space_holds:
 * @text_start, @text_end: of the core kernel's text; equal: not known
 *
 * Could a module, or a BPF program, lie at @address? That is: in the space that x86-64 and arm64
 * kernels keep for them.
 */
gboolean pen_module_space_holds (guint64 text_start, guint64 text_end, guint64 address);

G_END_DECLS
