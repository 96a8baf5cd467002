/* pen-background-close.h: closes large files in a thread of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_background_close:
 * @fd: of a file that has no name any more
 *
 * As close(). To give up what a large file holds takes the kernel a while, longer when some of it
 * is on its way to the disk: that is left to a thread, which nobody waits for.
 */
void pen_background_close (int fd);

G_END_DECLS
