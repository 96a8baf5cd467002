/* pen-query-private.h: what is kept of a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-functions.h"
#include "pen-cancel-check.h"
#include "pen-query.h"
#include "pen-span-tree.h"
#include "pen-store-functions.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* One function's own range of kernel addresses (K3: its length may be more); sorted by start. */
typedef struct {
  guint64 start;
  guint64 end;
  guint64 max_end; /* of this one and those before it */
  guint32 function;
} PenFunctionRange;

/* ns; both included */
typedef struct {
  gboolean has_any;
  guint64 first;
  guint64 last;
} PenTimeRange;

/*
 * The part of a store that is kept. Opening loads the functions and how blocks and spans lie:
 * neither grows with the samples. The rest is loaded when a question needs it.
 *
 * @n_samples: of all functions
 * @ranges: (element-type PenFunctionRange)
 * @unranged: (element-type guint32): ids of the other functions
 * @buckets, @threads: NULL until pen_query_load_buckets(), pen_query_load_threads()
 * @ticks: NULL until pen_query_load_ticks()
 * @near_of, @near: a function, and (element-type PenBucket) those of it and of those near it, as
 *   the store has them: most questions about a function come one after the other. NULL: none
 * @spare_block, @spare_rows: of the walk before, for the next one
 */
struct _PenQuery {
  GObject parent_instance;

  PenStore *store;
  PenQuery *waits;   /* NULL until it is asked for */
  PenQuery *samples; /* the same; of waits */
  gboolean is_loaded;
  const PenFunction *functions;
  guint n_functions;
  guint64 n_samples;
  GPtrArray *events;
  GArray *ranges;
  GArray *unranged;
  PenSpanTree tree;
  guint n_buckets;
  PenBucketFunctions *bucket_functions;

  const PenBucket *buckets;
  const PenThread *threads;
  guint n_threads;
  GArray *ticks;
  GHashTable *ksymbol_ends; /* tenure → guint64 *: where its own bytes end */
  GHashTable *places; /* of buckets of functions that a text map asked for: pen-map-placer.c */
  guint n_places;
  guint32 near_of;
  GArray *near;
  PenSampleBlock *spare_block;
  guint32 *spare_rows;

  gboolean is_range_known;
  PenTimeRange range;
  gboolean is_sample_range_known;
  PenTimeRange sample_range;
};

/* Loads what is small; the first call does it. */
gboolean pen_query_load (PenQuery *self, GError **error);

/* For long loops over what was read: stops where the store's cancellable is cancelled, which the
 * first step looks at, too. */
PenCancelCheck pen_query_make_check (PenQuery *self);
/* After such a loop. Returns: FALSE: @check was stopped, and @error says so */
gboolean pen_query_end_check (PenQuery *self, const PenCancelCheck *check, GError **error);

/* All buckets. Cost: 80 bytes and some 100 ns for each; for questions that every bucket's address
 * or event has to be looked at for. */
gboolean pen_query_load_buckets (PenQuery *self, GError **error);
gboolean pen_query_load_threads (PenQuery *self, GError **error);
/* (element-type PenPokeTick), by time. Cost: one row per poke, the first time. */
gboolean pen_query_load_ticks (PenQuery *self, GError **error);
/* Index of the first tick at @time or later; they have to be loaded. */
guint pen_query_find_tick (PenQuery *self, guint64 time);

/* The same about samples, where @self is about waits; else itself. Returns: (transfer none) */
PenQuery *pen_query_get_samples (PenQuery *self);

/* NULL where a bucket names none. */
static inline const PenFunction *
pen_query_get_function (PenQuery *self, guint32 id)
{
  return id < self->n_functions ? &self->functions[id] : NULL;
}

/* For sorting guint64. */
static inline int
pen_query_compare_times (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Functions of the kernel space that hold a byte of [@start, @end). */
typedef void (*PenFunctionFunc) (const PenFunction *function, gpointer user_data);
void pen_query_foreach_function_in (PenQuery *self, guint64 start, guint64 end,
                                    PenFunctionFunc func, gpointer user_data);

/* Functions without such a range: of processes, and those that stand for all that an occupant
 * held. @kernel: those only whose samples may be in the kernel's space. */
void pen_query_foreach_unranged (PenQuery *self, gboolean kernel, PenFunctionFunc func,
                                 gpointer user_data);

/* Did a runtime make it (U6)? Then its addresses are those of one process. */
gboolean pen_query_is_jit (const PenFunction *function);
/* Does a function have text that can be shown? */
gboolean pen_query_has_text (const PenFunction *function);
/* The function, and those that samples in its range may be of: other occupants of its bytes.
 * Returns: (transfer full) (element-type guint32) */
GArray *pen_query_list_functions_near (PenQuery *self, guint32 function);

G_END_DECLS
