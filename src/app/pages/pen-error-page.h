/* pen-error-page.h: a capture that cannot be shown: what was wrong, and what to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-error-advice.h"

G_BEGIN_DECLS

#define PEN_TYPE_ERROR_PAGE (pen_error_page_get_type ())
G_DECLARE_FINAL_TYPE (PenErrorPage, pen_error_page, PEN, ERROR_PAGE, AdwBin)

/* Action: error-page.copy-command */
void pen_error_page_show (PenErrorPage *self, const PenErrorAdvice *advice);

G_END_DECLS
