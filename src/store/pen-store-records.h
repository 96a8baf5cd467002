/* pen-store-records.h: events of a store, and its records, problems and losses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/* Of the flags: perf_event_attr.freq (perf_event.h) */
#define PEN_STORE_EVENT_FREQUENCY (1ull << 10)

/*
 * PenStoreEvent: fields of perf_event_attr, and
 * @ids: how many of the kernel's ids it has: one per CPU or task
 * @system, @format: of a tracepoint: for pen_tracepoint_new(); NULL where not recorded
 */
typedef struct {
  guint32 id;
  const char *name;
  guint32 type;
  guint32 size;
  guint64 config;
  guint64 flags;
  guint64 sample_type;
  guint64 read_format;
  guint64 period_or_frequency; /* a frequency with PEN_STORE_EVENT_FREQUENCY */
  guint64 ids;
  guint64 samples;
  const char *system;
  const char *format;
} PenStoreEvent;

/* (element-type PenStoreEvent): index = PenBucket.event. Owned by the store. */
GPtrArray *pen_store_get_events (PenStore *self);

typedef struct {
  guint32 type;
  const char *name;
  guint64 records;
} PenRecordCount;

/* Returns: (transfer full) (element-type PenRecordCount): strings owned by the store */
GPtrArray *pen_store_load_record_counts (PenStore *self, GError **error);

typedef struct {
  const char *action; /* "repaired", "set aside", "ended" */
  guint32 file_id;
  const char *file;
  guint64 offset;
  const char *record; /* name of the record type, or NULL */
  guint64 count;
  const char *reason;
} PenStoreProblem;

/* Returns: (transfer full) (element-type PenStoreProblem): strings owned by the store */
GPtrArray *pen_store_load_problems (PenStore *self, GError **error);

/* Returns: (transfer full) (element-type PenLoss), sorted by from */
GArray *pen_store_load_losses (PenStore *self, GError **error);

G_END_DECLS
