/* pen-page.h: the views that take turns below the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In the order of their keys, Ctrl+1 and on. */
typedef enum {
  PEN_PAGE_CODE,
  PEN_PAGE_CALLERS,
  PEN_PAGE_MAP,
  PEN_PAGE_CAUSES,
  PEN_PAGE_OCCUPANTS,
  PEN_PAGE_RECORDING,
  PEN_PAGES,
} PenPage;

/* "code", "map" …: as in action targets, options and what is kept of a session */
const char *pen_page_to_string (PenPage page);
gboolean pen_page_from_string (const char *word, PenPage *page);
/* "Code", "Text Map" …: for people */
const char *pen_page_get_title (PenPage page);

G_END_DECLS
