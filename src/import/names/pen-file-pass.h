/* pen-file-pass.h: what the store keeps of files that code of user space came from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-function-table.h"
#include "pen-store-writer.h"
#include "pen-user-names.h"

G_BEGIN_DECLS

/*
 * PenFilePass: the bytes of functions that have samples, so that a store shows them where the files
 * are not: PEN_FILE_PASS_FUNCTION of each, most samples first, until there are PEN_FILE_PASS_ALL.
 * Files are read in a thread of its own, while history and samples are written.
 */
typedef struct _PenFilePass PenFilePass;

#define PEN_FILE_PASS_FUNCTION (256u << 10)
#define PEN_FILE_PASS_ALL (32u << 20)

/*
 * pen_file_pass_start:
 * @functions: complete; what of them is wanted is copied
 * @names: gave them their names; outlives the pass
 * @arch: (nullable): as recorded: code of another machine than this is left out
 */
PenFilePass *pen_file_pass_start (PenFunctionTable *functions, PenUserNames *names,
                                  const char *arch, GByteArray *known, GCancellable *cancellable);

/* Waits for the thread, and writes what it read. */
gboolean pen_file_pass_finish (PenFilePass *self, PenStoreWriter *writer, GError **error);

/* Waits for the thread if it still runs; it answers @cancellable. */
void pen_file_pass_free (PenFilePass *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFilePass, pen_file_pass_free)

G_END_DECLS
