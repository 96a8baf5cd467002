/* pen-query-buckets.h: samples by place, version and cause, in words that other machines share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"
#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * PenNamedBucket: the samples of one event on one instruction, in one of its texts
 *
 * No address is in it: hosts that run one build have equal ones, wherever their kernels lie.
 *
 * @build: hexadecimal build-id of the kernel, the module or the file; of a BPF program its tag; of
 * a kernel without a recorded build-id, and of its modules, the kernel's release; "": not known
 * @symbol: "": none is known
 * @offset: with @has_offset: in the symbol; without a symbol, in the file, and in the kernel or a
 *   module from the start of its text
 * @version: with @has_version: digest of the instruction as it stood. Distances and addresses that
 *   differ from boot to boot are not in it; the name of where a call or jump leads is. Not of code
 *   of processes, which nothing patches: there @build says which text it is
 * @is_patched: a patch brought this text, because of @cause
 * @event: "": not known
 * @seconds: with @has_seconds: for how long this text stood while samples were taken, under the
 *   filter's time: text of several tenures counts once for each moment
 */
typedef struct {
  const char *build;
  const char *occupant;
  const char *symbol;
  const char *event;
  guint64 offset;
  guint64 version;
  PenKind kind;
  PenCause cause;
  gboolean has_offset;
  gboolean has_version;
  gboolean is_patched;
  gboolean has_seconds;
  guint64 samples;
  guint64 period;
  double seconds;
} PenNamedBucket;

typedef enum {
  PEN_BUCKETS_BY_SAMPLES, /* most first */
  PEN_BUCKETS_BY_PLACE,   /* build, symbol, offset, and so on */
} PenBucketOrder;

/* @rows: (element-type PenNamedBucket); @names: has their strings */
typedef struct {
  GArray *rows;
  PenNames *names;
} PenNamedBuckets;

/*
 * pen_query_name_buckets:
 * @filter: (nullable)
 *
 * The samples of all rows together are those of the functions under the same filter.
 *
 * Cost: all buckets and all pokes are loaded; one decode for each instruction of the kernel's space
 * that has samples.
 */
PenNamedBuckets *pen_query_name_buckets (PenQuery *self, const PenFilter *filter,
                                         PenBucketOrder order, GError **error);
void pen_named_buckets_free (PenNamedBuckets *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenNamedBuckets, pen_named_buckets_free)

/* Writes a whole table; @filter may be NULL. */
gboolean pen_query_write_buckets (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                  GError **error);

G_END_DECLS
