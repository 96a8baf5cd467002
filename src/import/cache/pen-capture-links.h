/* pen-capture-links.h: where links in a directory that someone else made lead
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_capture_links_check:
 * @capture: a path, which is the user's word, and followed wherever it leads
 *
 * A perf.data directory may have links in it. They are followed, but not to the places of
 * pen_file_roots_is_refused(): not even a link's target there is looked at.
 *
 * Returns: FALSE: something that an import reads is such a link
 */
gboolean pen_capture_links_check (const char *capture, GError **error);

G_END_DECLS
