/* pair-support.h: windows that compare two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "window-support.h"

G_BEGIN_DECLS

/* Until nothing is being asked any more. */
void pair_support_wait (PenWindow *window);
/* Two of the bundled captures. */
PenWindow *pair_support_open (const char *a, const char *b);

/* The list, and the samples of its rows on one side. */
GListModel *pair_support_get_rows (PenWindow *window);
guint64 pair_support_sum_rows (PenWindow *window, guint side);
/* The row of that function. */
void pair_support_select_row (PenWindow *window, const char *symbol);
const char *pair_support_get_selected (PenWindow *window);
/* @detail: instructions, sources, callers, call paths, causes */
void pair_support_choose_detail (PenWindow *window, guint detail);

/* Returns: (transfer full): what was written to a file of that name */
char *pair_support_export (PenWindow *window, PenWindowExport sort, const char *name);
/* What is exported of vfs_read, which is selected, is what the copied command prints. */
void pair_support_check_exports (PenWindow *window);

G_END_DECLS
