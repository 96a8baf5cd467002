/* pen-module-text.h: where a module's text is, by the addresses of its sections
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-modules.h"

G_BEGIN_DECLS

/* Longest name of a module in the kernel: 64 - sizeof (long). */
#define PEN_MODULE_TEXT_NAME_MAX 56u

/* Does a section of that name have functions, which stay when the module is loaded? */
gboolean pen_module_text_is_section (const char *name);
/* "0xffffffffc0201000". Returns: FALSE also for address 0: hidden (kptr_restrict) */
gboolean pen_module_text_parse_address (const char *text, guint64 *address);

/*
 * pen_module_text_place:
 * @first, @last: the lowest and highest addresses of sections with text; 0: there is none
 * @module: its start and length are set
 *
 * Sections have no lengths: the module's text is known from the page where the first begins to the
 * end of the one where the last does. Returns: FALSE: it is nowhere
 */
gboolean pen_module_text_place (guint64 first, guint64 last, PenModule *module);

G_END_DECLS
