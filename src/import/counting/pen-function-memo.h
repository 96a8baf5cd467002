/* pen-function-memo.h: functions of addresses that were asked for before, in whatever process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-function-table.h"

G_BEGIN_DECLS

/*
 * PenFunctionMemo: asked once per instruction and frame. Each process has a program at an address
 * of its own; but the function follows from the place in the file. So the table, which searches
 * symbols, is asked once for each place, and once for each tenure.
 */
typedef struct _PenFunctionMemo PenFunctionMemo;

/* @history: sealed. @functions: outlives it */
PenFunctionMemo *pen_function_memo_new (PenHistory *history, PenFunctionTable *functions);
void pen_function_memo_free (PenFunctionMemo *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFunctionMemo, pen_function_memo_free)

/* The same as pen_function_table_get() gives. */
guint32 pen_function_memo_get (PenFunctionMemo *self, const PenTenure *tenure, PenKind kind,
                               guint64 address);

/* It will be asked for soon: memory is asked for. */
void pen_function_memo_expect (PenFunctionMemo *self, const PenTenure *tenure, guint64 address);

G_END_DECLS
