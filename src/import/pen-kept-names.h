/* pen-kept-names.h: names of the kernel, kept from one import to the next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kallsyms.h"

G_BEGIN_DECLS

/* Of imports of the same recording, one after the other: what reading a kallsyms costs is more than
 * what a small part of a recording does. To be used by one thread at a time. */
typedef struct _PenKeptNames PenKeptNames;

PenKeptNames *pen_kept_names_new (void);
void pen_kept_names_free (PenKeptNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKeptNames, pen_kept_names_free)

/* As pen_kallsyms_load(); one that was loaded before, of a file that is still the same, is not read
 * again. This machine's own, which has no time of change, is, after some seconds.
 * @self: (nullable): nothing is kept */
PenKallsyms *pen_kept_names_load (PenKeptNames *self, const char *path, GCancellable *cancellable,
                                  GError **error);

G_END_DECLS
