/* pen-record-list.h: lists of the kernel, about its own text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the file @name of a snapshot (docs/recording.md) would have now, if that is at most @limit
 * bytes. Returns: (transfer full) (nullable): NULL: it cannot be had, or, with @is_too_large, has
 * more */
GString *pen_record_list_read (const char *name, gsize limit, gboolean *is_too_large);

G_END_DECLS
