/* pen-import-page.h: how far the import is, and a way out of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_IMPORT_PAGE (pen_import_page_get_type ())
G_DECLARE_FINAL_TYPE (PenImportPage, pen_import_page, PEN, IMPORT_PAGE, AdwBin)

void pen_import_page_set_session (PenImportPage *self, PenSession *session);

/* All that it says, for tests. */
char *pen_import_page_dup_text (PenImportPage *self);

G_END_DECLS
