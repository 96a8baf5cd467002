/* pen-missing-banner.h: says that patches were not recorded, or that text changed without a record
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

/* A bar above the views, until it is closed: where the kernel's samples may have landed in patched
 * text, and the patches were not recorded; or where a witness saw changes without a record. */
#define PEN_TYPE_MISSING_BANNER (pen_missing_banner_get_type ())
G_DECLARE_FINAL_TYPE (PenMissingBanner, pen_missing_banner, PEN, MISSING_BANNER, AdwBin)

void pen_missing_banner_set_session (PenMissingBanner *self, PenSession *session);

G_END_DECLS
