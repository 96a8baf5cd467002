/* pen-test-tree.h: directories that tests make
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @path: a directory with all that is in it, or a file. What a link leads to stays. That it is not
 * there is no error. */
void pen_test_remove_tree (const char *path);

G_END_DECLS
