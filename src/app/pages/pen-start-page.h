/* pen-start-page.h: nothing is open: how to record, and how to open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define PEN_TYPE_START_PAGE (pen_start_page_get_type ())
G_DECLARE_FINAL_TYPE (PenStartPage, pen_start_page, PEN, START_PAGE, AdwBin)

G_END_DECLS
