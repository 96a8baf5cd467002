/* pen-xz.h: unpacks what is in the xz format
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (nullable): NULL if @data is not all of an xz stream, or holds more than @max bytes, or
 * needs more than 128 MiB to be unpacked */
GBytes *pen_xz_unpack (gconstpointer data, gsize length, gsize max);

G_END_DECLS
