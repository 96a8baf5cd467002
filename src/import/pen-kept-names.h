/* pen-kept-names.h: names of the kernel and of programs, kept from one import to the next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kallsyms.h"
#include "pen-symbol-finder.h"

G_BEGIN_DECLS

/* Of imports of the same recording, one after the other: what reading names costs is more than what
 * a small part of a recording does. To be used by one import at a time. */
typedef struct _PenKeptNames PenKeptNames;

PenKeptNames *pen_kept_names_new (void);
void pen_kept_names_free (PenKeptNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKeptNames, pen_kept_names_free)

/* As pen_kallsyms_load(); one that was loaded before, of a file that is still the same, is not read
 * again. This machine's own, which has no time of change, is, after some seconds.
 * @self: (nullable): nothing is kept */
PenKallsyms *pen_kept_names_load (PenKeptNames *self, const char *path, GCancellable *cancellable,
                                  GError **error);

/* The files that were opened for names of programs stay open, and those that were not found are not
 * looked for again. Returns: (transfer none) */
PenSymbolFinder *pen_kept_names_get_finder (PenKeptNames *self, const char *symfs,
                                            GCancellable *cancellable);

G_END_DECLS
