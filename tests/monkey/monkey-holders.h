/* monkey-holders.h: where the memory that points to an object was allocated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Prints a line of functions for each piece of memory that points to @object. With ASan only: it
 * knows who allocated what. */
void monkey_holders_print (gpointer object);

G_END_DECLS
