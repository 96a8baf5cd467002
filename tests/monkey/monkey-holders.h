/* monkey-holders.h: what points to an object
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Prints a line for each object that points to @object, with the widgets that it is in. With ASan
 * only, which knows all memory. */
void monkey_holders_print (gpointer object);

G_END_DECLS
