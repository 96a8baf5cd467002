/* pen-free-in-turns.h: long arrays, freed while a window has nothing else to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_free_in_turns:
 * @array: (transfer full) (nullable): with a free function; nobody else may have a reference
 *
 * Frees the elements of a long array in turns of less than a millisecond each, in the main loop,
 * after all that is drawn or answered; those of a short one at once. In the main thread.
 */
void pen_free_in_turns (GPtrArray *array);

G_END_DECLS
