/* pen-pair-stretch.h: which time of one of two recordings is compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-pair-session.h"

G_BEGIN_DECLS

/*
 * PenPairStretch: a button with that time; in its popover, another one can be typed. Signals:
 *   chosen (const PenSpan *)   what is wanted, as pen_pair_session_set_time() takes it
 */
#define PEN_TYPE_PAIR_STRETCH (pen_pair_stretch_get_type ())
G_DECLARE_FINAL_TYPE (PenPairStretch, pen_pair_stretch, PEN, PAIR_STRETCH, AdwBin)

/* @list: (nullable): there is nothing to choose from. @times: how they are shown; not by the wall
 * clock */
void pen_pair_stretch_show (PenPairStretch *self, const PenPairList *list, guint side,
                            PenTimes times);

G_END_DECLS
