/* pen-view.h: which views there are pictures of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  PEN_VIEW_OVERVIEW,
  PEN_VIEW_MAP,
  PEN_VIEW_ANNOTATION,
  PEN_VIEW_FLAME,
  PEN_VIEW_CHART,
  PEN_VIEW_HEAT,
  PEN_VIEWS,
} PenView;

/* "overview", "map", "annotation", "flame", "chart", "heat" */
const char *pen_view_to_string (PenView view);
gboolean pen_view_from_string (const char *word, PenView *view);

G_END_DECLS
