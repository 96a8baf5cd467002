/* pen-thumbnail-source.h: what a thumbnail shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-thumbnail.h"

G_BEGIN_DECLS

/*
 * pen_thumbnail_source_read:
 * @path: a store or a recording
 * @n: steps
 * @microseconds: for the records of a recording; what is left of it then is not shown
 *
 * Returns: (transfer full): NULL also where nothing has a time
 */
PenThumbnail *pen_thumbnail_source_read (const char *path, guint n, gint64 microseconds,
                                         GError **error);

G_END_DECLS
