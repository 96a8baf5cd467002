/* pen-row-facts.h: what functions, lines and changes say of themselves in a row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-annotation.h"
#include "pen-query-history.h"
#include "pen-row.h"
#include "pen-store-changes.h"
#include "pen-store-functions.h"

G_BEGIN_DECLS

void pen_row_tell_function (PenRow *row, const PenFunction *function);
void pen_row_tell_line (PenRow *row, const PenAnnotated *annotated, const PenAnnotationLine *line);
void pen_row_tell_history (PenRow *row, const PenHistoryRow *history, guint64 address);
void pen_row_tell_change (PenRow *row, const PenChange *change);

G_END_DECLS
