/* pen-module-events.h: loads and frees of modules, and memory for them, where that was recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-reader.h"
#include "pen-record-budget.h"
#include "pen-store-writer.h"
#include "pen-tracing-data.h"

G_BEGIN_DECLS

/*
 * PenModuleEvents: samples of module:module_load and module:module_free (rule M3),
 * vmalloc:alloc_vmap_area, and of a probe on do_init_module that has the fields name, base and size
 * (M7). What an event is is told by the tracepoint's id, where the capture has its format; else by
 * the event's name.
 */
typedef struct _PenModuleEvents PenModuleEvents;

/* @features: of the reader: looked at as they come; must live as long */
PenModuleEvents *pen_module_events_new (const PenFeatures *features);
void pen_module_events_free (PenModuleEvents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenModuleEvents, pen_module_events_free)

/* Keeps @sample, if it is one, and there is memory for it. @attr: its event */
void pen_module_events_add (PenModuleEvents *self, const PenRecord *sample, const PenAttr *attr,
                            PenRecordBudget *budget);

/* How many were not kept. */
guint64 pen_module_events_get_dropped (PenModuleEvents *self);

/* When all has been read: into @history. @tracing: (nullable): without formats nothing is known.
 * @text_start, @text_end: of the core kernel: see pen_module_space_holds() */
void pen_module_events_finish (PenModuleEvents *self, PenTracingData *tracing, guint64 text_start,
                               guint64 text_end, PenHistory *history);

/* Returns: (nullable): the module that the task @tid loaded last before @moment. Owned by @self;
 * call it after pen_module_events_finish(). Cost: O(log n) */
const char *pen_module_events_find_load (PenModuleEvents *self, gint32 tid, PenMoment moment);
/* Is that one a live patch? The kernel marks these before it records the load (TAINT_LIVEPATCH in
 * include/linux/panic.h, set by check_modinfo() in kernel/module.c). Cost: the same */
gboolean pen_module_events_is_livepatch_load (PenModuleEvents *self, gint32 tid, PenMoment moment);

gboolean pen_module_events_write (PenModuleEvents *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
