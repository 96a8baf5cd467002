/* pen-example.h: the recording that is installed with the program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* $PENTIMENTO_DATA/example.data, or else where the program was installed: beside its own
 * directory, or in the prefix that it was built for. Asks the disk once, which is the program's
 * own. Returns: (transfer full): whether or not there is such a file */
char *pen_example_dup_path (void);

G_END_DECLS
