/* pen-function-table.h: which function an address belongs to, and what happened to it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-kernel-sources.h"
#include "pen-sideband.h"
#include "pen-store-writer.h"
#include "pen-user-names.h"

G_BEGIN_DECLS

#define PEN_NO_FUNCTION G_MAXUINT32

typedef struct _PenFunctionTable PenFunctionTable;

/* @history: sealed. @kernel, @user_names: outlive the table */
PenFunctionTable *pen_function_table_new (PenHistory *history, PenKernelSources *kernel,
                                          PenUserNames *user_names);
void pen_function_table_free (PenFunctionTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFunctionTable, pen_function_table_free)

/* It outlives the history, and keeps its strings. Before the first function. */
void pen_function_table_keep_names (PenFunctionTable *self);
/* Later, with a longer history of the same: those tenures that it knew have their ids. What touched
 * functions is counted anew, samples go on. */
void pen_function_table_go_on (PenFunctionTable *self, PenHistory *history,
                               PenKernelSources *kernel);

/*
 * pen_function_table_get:
 * @tenure: (nullable): holds @address; NULL: unknown, then @kind is guest or
 * unknown
 *
 * A ksymbol's tenure is its own function; in kernel and modules their sources of names say; else
 * the function without a symbol that stands for all of (kind, occupant).
 *
 * Returns: its id; the function is made if there is none
 */
guint32 pen_function_table_get (PenFunctionTable *self, const PenTenure *tenure, PenKind kind,
                                guint64 address);
/* Modulo 2^64: so they can be taken away, too. */
void pen_function_table_add_samples (PenFunctionTable *self, guint32 id, guint64 samples,
                                     guint64 period);

/* Functions have ids from 0 on. */
guint pen_function_table_get_count (PenFunctionTable *self);
/* Valid until the next one is made. */
const PenFunction *pen_function_table_get_function (PenFunctionTable *self, guint32 id);

/*
 * Makes functions of ksymbols that came or went while the recording ran, and counts what touched
 * each function. Call it when all functions with samples and pokes are there.
 * @changes: (element-type PenSidebandChange)
 */
gboolean pen_function_table_count_changes (PenFunctionTable *self, GArray *changes,
                                           PenProgress *progress, GError **error);

/* With pen_function_table_keep_names(), those that have changed since the last time. */
gboolean pen_function_table_write (PenFunctionTable *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
