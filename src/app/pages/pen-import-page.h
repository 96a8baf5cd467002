/* pen-import-page.h: what an import has seen so far, how far it is, and a way out of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-import-timeline.h"
#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_IMPORT_PAGE (pen_import_page_get_type ())
G_DECLARE_FINAL_TYPE (PenImportPage, pen_import_page, PEN, IMPORT_PAGE, AdwBin)

void pen_import_page_set_session (PenImportPage *self, PenSession *session);

/* The strip above the timeline: as high as the one that will be there then. */
GtkWidget *pen_import_page_get_strip (PenImportPage *self);
/* It has been on the screen for a moment, or is: what is over at once does not flash up. */
gboolean pen_import_page_is_revealed (PenImportPage *self);

G_END_DECLS
