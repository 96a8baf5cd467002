/* pen-spool.h: a capture that cannot be read where it is, put into a temporary file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-file.h"
#include "pen-problems.h"

G_BEGIN_DECLS

/*
 * pen_spool:
 * @source: a stream that is not in pipe form, or a file in a wrapper
 * @wrapper: what to unpack it from; PEN_WRAPPER_NONE: it is only copied
 * @problems: a wrapper that is damaged or cut off, if some of its contents were good
 * @cancellable: (nullable)
 *
 * The temporary file has no name (in TMPDIR, else /var/tmp, since /tmp may be memory): it is gone
 * when the program ends, however it ends. It takes at most half of what is free there: the other
 * half is for the import. The unpacked file may be 200 times as large as its source (perf.data
 * packs to a third or a thirtieth) or 256 MiB, whichever is more.
 *
 * Returns: (transfer full): or NULL with @error, also if there is no perf.data in the wrapper
 */
PenFile *pen_spool (PenFile *source, PenWrapper wrapper, PenProblems *problems,
                    GCancellable *cancellable, GError **error);

G_END_DECLS
