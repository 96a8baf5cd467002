/* pen-view-state.h: what is looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-address-axis.h"
#include "pen-clock.h"
#include "pen-compared.h"
#include "pen-filter.h"
#include "pen-flame-state.h"
#include "pen-page.h"
#include "pen-span.h"

G_BEGIN_DECLS

/* No function: a text without samples and changes. */
#define PEN_NO_FUNCTION G_MAXUINT32

/*
 * PenViewState:
 * @visible: the stretch of time that is shown; what is selected of it is a part of @filter
 * @times: how times are told
 * @function: PEN_NO_FUNCTION: what held @text_address of the kernel at @text_time; else these are 0
 * @has_mark, @mark: the second instant, whose text is compared with that of the playhead;
 * @mark_all: all lines of them are shown, not only those that differ
 * @load: of the loads that had the function's name at its place, the tenure whose text is shown; 0:
 *   that of the playhead. @all_loads: those of all, and of others that had its bytes
 * @axis_view: the part of its axis that the text map shows
 * @flame: (nullable): of the stacks; NULL: as at first
 * @compared: (nullable): the recording that it is compared with
 * @folded: lanes of the overview that are drawn in one row: bit per PenLaneKind
 * @shows_tasks: lanes with a row per CPU or process, by PenTaskKey
 */
typedef struct {
  PenSpan visible;
  PenFilter *filter;
  guint64 playhead;
  PenTimes times;
  PenPage page;
  gboolean has_function;
  guint32 function;
  guint64 text_address;
  guint64 text_time;
  guint32 load;
  gboolean all_loads;
  gboolean has_line;
  guint64 line;
  gboolean has_mark;
  guint64 mark;
  gboolean mark_all;
  PenAxisView axis_view;
  PenFlameState *flame;
  PenCompared *compared;
  guint32 folded;
  gboolean shows_tasks[2];
} PenViewState;

G_END_DECLS
