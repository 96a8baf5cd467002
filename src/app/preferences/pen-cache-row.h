/* pen-cache-row.h: one import, in a list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-cache.h"

G_BEGIN_DECLS

#define PEN_TYPE_CACHE_ROW (pen_cache_row_get_type ())
G_DECLARE_FINAL_TYPE (PenCacheRow, pen_cache_row, PEN, CACHE_ROW, AdwActionRow)

/* @entry: not kept */
GtkWidget *pen_cache_row_new (const PenCacheEntry *entry);

G_END_DECLS
