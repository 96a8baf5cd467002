/* monkey-holders.h: what points to an object
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Prints a line for each piece of memory that points to @object: its size, types of objects in it,
 * and the functions that allocated it. With ASan only, which knows all memory. */
void monkey_holders_print (gpointer object);

G_END_DECLS
