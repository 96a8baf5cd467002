/* pen-line-pass.h: from which lines of its source code was made, where debug information is found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-debug-finder.h"
#include "pen-function-table.h"
#include "pen-line-book.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * PenLinePass: of all functions that a store has: with samples, in callchains, and in the kernel's
 * space also those that were patched. Files are looked for and read in a thread of its own.
 */
typedef struct _PenLinePass PenLinePass;

/* The debug information, unpacked, that a pass reads unasked: so many bytes for each sample of the
 * capture, within these bounds. It takes some 6 ms a megabyte, and an import should not wait for
 * lines that nobody may look at. A vmlinux that the user gave, or one that debuginfod fetched, is
 * read all the same. */
#define PEN_LINE_PASS_DEBUG_PER_SAMPLE 8u
#define PEN_LINE_PASS_DEBUG_MIN (128u << 10)
#define PEN_LINE_PASS_DEBUG_MAX (2u << 20)

/*
 * pen_line_pass_start_user:
 * @functions: complete; what of them is wanted is copied
 * @sources: gave them their names; outlive the pass
 * @symfs: (nullable)
 * @all_lines: from all debug information, however much there is
 */
PenLinePass *pen_line_pass_start_user (PenFunctionTable *functions, PenLoadedSources *sources,
                                       const char *symfs, gboolean all_lines,
                                       GCancellable *cancellable);

/* The same of the kernel and its modules. @functions: with what was patched */
PenLinePass *pen_line_pass_start_kernel (PenFunctionTable *functions, PenHistory *history,
                                         PenLoadedSources *sources, const char *symfs,
                                         gboolean all_lines, GCancellable *cancellable);

/* Waits for the thread if it still runs; it answers the cancellable. */
void pen_line_pass_free (PenLinePass *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLinePass, pen_line_pass_free)

/*
 * PenLineTrouble:
 * @n_unread: files that have more debug information than is read
 * @n_failed: files whose debug information was not read to the end
 * @failure: (nullable): why, of the first of them
 */
typedef struct {
  guint n_unread;
  guint n_failed;
  char *failure;
} PenLineTrouble;

/*
 * pen_line_pass_wait:
 * @book: gets the lines
 * @trouble: (inout): what there was is added
 *
 * Waits for the thread, and tells the sources which files gave lines.
 */
void pen_line_pass_wait (PenLinePass *self, PenLineBook *book, PenLineTrouble *trouble);
/* As facts of the store. */
gboolean pen_line_trouble_write (const PenLineTrouble *trouble, PenStoreWriter *writer,
                                 GError **error);

/* Afterwards. The files that were found, and those that were not, for the cache. */
gboolean pen_line_pass_write_files (PenLinePass *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
