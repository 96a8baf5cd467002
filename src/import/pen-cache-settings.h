/* pen-cache-settings.h: how large the user wants the cache to be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The key `limit` of the group `cache` in $XDG_CONFIG_HOME/pentimento/settings.ini, or else
 * PEN_CACHE_DEFAULT_LIMIT. Bytes. */
gboolean pen_cache_get_limit (guint64 *limit, GError **error);
/* Leaves whatever else is in the file. */
gboolean pen_cache_set_limit (guint64 limit, GError **error);

/*
 * "500M", "1.5GB", "2GiB": powers of 1000, and with an i of 1024; "none" or "0":
 * PEN_CACHE_NO_LIMIT. A number needs a unit: five bytes are never meant.
 */
gboolean pen_size_from_string (const char *text, guint64 *size);

G_END_DECLS
