/* pen-find-names.h: functions, tasks, keys, times and programs by what is typed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-find-private.h"

G_BEGIN_DECLS

gboolean pen_find_names (Find *find, const char *text, GError **error);

G_END_DECLS
