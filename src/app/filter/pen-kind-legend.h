/* pen-kind-legend.h: the kinds of samples: their colours, and a filter
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenKindLegend: a button per kind that the capture has. A click leaves only that kind (and others
 * that are so chosen); the secondary button, Shift and a click, or Delete leave it out. A kind that
 * is left out has an empty square, and is struck out where it was asked for.
 */
#define PEN_TYPE_KIND_LEGEND (pen_kind_legend_get_type ())
G_DECLARE_FINAL_TYPE (PenKindLegend, pen_kind_legend, PEN, KIND_LEGEND, AdwBin)

void pen_kind_legend_set_session (PenKindLegend *self, PenSession *session);

G_END_DECLS
