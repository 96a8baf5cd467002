/* pen-virtual-sample.h: a query's way through the samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-functions.h"
#include "pen-store-samples.h"
#include "pen-tenure.h"
#include "pen-virtual-private.h"

G_BEGIN_DECLS

/* The columns of the sample table, and then those that lead on to other tables. */
enum {
  SAMPLE_TIME,
  SAMPLE_EVENT,
  SAMPLE_CPU,
  SAMPLE_PID,
  SAMPLE_TID,
  SAMPLE_COMM,
  SAMPLE_ADDRESS,
  SAMPLE_KIND,
  SAMPLE_OCCUPANT,
  SAMPLE_REVISION,
  SAMPLE_SYMBOL,
  SAMPLE_OFFSET,
  SAMPLE_PERIOD,
  SAMPLE_ID,
  SAMPLE_TENURE,
  SAMPLE_FUNCTION,
  SAMPLE_THREAD,
  SAMPLE_BUCKET,
  SAMPLE_CALLCHAIN,
  SAMPLE_PAYLOAD,
  SAMPLE_N_COLUMNS,
};

/* Samples are numbered through full blocks. */
#define BLOCK_BITS 16
G_STATIC_ASSERT (PEN_BLOCK_SAMPLES == 1 << BLOCK_BITS);

/*
 * PenSampleCursor: where a query is in the samples, and which of them it wants.
 */
typedef struct {
  sqlite3_vtab_cursor base;
  PenStore *store;

  PenVirtualRange time;
  PenVirtualRange id;
  gboolean has_time_range;
  guint8 *wanted_threads; /* NULL: all */
  guint8 *wanted_buckets; /* NULL: all */
  GArray *wanted_cpus;    /* of gint64; NULL: all */

  PenSampleBlock *block;
  guint number; /* of the block */
  guint row;
  gboolean is_at_end;

  /* NULL until a column needs them. */
  const PenThread *threads;
  const PenFunction *functions;
  const guint32 *bucket_functions;
  const PenBucket *buckets;
  guint n_threads;
  guint n_buckets;
} PenSampleCursor;

/* For xFilter. */
int pen_sample_filter (sqlite3_vtab_cursor *cursor, int number, const char *taken, int argc,
                       sqlite3_value **argv);
/* To the next row that is wanted, from the current one on. Returns: an SQLite result code */
int pen_sample_cursor_go (PenSampleCursor *self);
void pen_sample_cursor_forget (PenSampleCursor *self);

gint64 pen_sample_cursor_get_id (const PenSampleCursor *self);
/* Returns: (nullable) */
const char *pen_sample_cursor_get_event (PenSampleCursor *self, int event);

/* A bucket's function is had for much less than all about it. */
gboolean pen_sample_column_is_of_function (int column);
/* Read what a column takes from, once. */
gboolean pen_sample_cursor_need_threads (PenSampleCursor *self, GError **error);
gboolean pen_sample_cursor_need_bucket (PenSampleCursor *self, int column, GError **error);

G_END_DECLS
