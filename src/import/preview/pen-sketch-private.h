/* pen-sketch-private.h: what only the maker of a sketch needs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sketch.h"

G_BEGIN_DECLS

/* Made with g_atomic_rc_box_new0(). */
void pen_sketch_facts_unref (PenSketchFacts *self);

G_END_DECLS
