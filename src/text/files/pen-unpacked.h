/* pen-unpacked.h: what a compressed file holds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Is it the beginning of a file in one of the formats that modules are kept in? */
gboolean pen_unpacked_is_packed (const guint8 *data, gsize length);

/*
 * pen_unpacked_new:
 * @data: in the format gzip, xz or zstd, recognised by its first bytes
 * @max: how many bytes the content may have
 *
 * Returns: (nullable): NULL where @data is damaged, cut off, or holds more than @max bytes
 */
GBytes *pen_unpacked_new (gconstpointer data, gsize length, gsize max);

G_END_DECLS
