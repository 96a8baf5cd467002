/* pen-query-private.h: what the questions share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"
#include "pen-query.h"

G_BEGIN_DECLS

/* One function's range of kernel addresses; sorted by start. */
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

struct _PenQuery {
  GObject parent_instance;

  PenStore *store;
  gboolean is_loaded;
  const PenFunction *functions;
  guint n_functions;
  const PenBucket *buckets;
  guint n_buckets;
  const PenThread *threads;
  guint n_threads;
  GPtrArray *events;
  GArray *ranges;          /* PenFunctionRange */
  gboolean is_range_known; /* looked for, when first asked */
  PenTimeRange range;
};

/* Loads what queries keep of the store; the first call does it. */
gboolean pen_query_load (PenQuery *self, GError **error);

/* NULL where a bucket names none. */
static inline const PenFunction *
pen_query_get_function (PenQuery *self, guint32 id)
{
  return id < self->n_functions ? &self->functions[id] : NULL;
}

/* Functions of the kernel space that hold a byte of [@start, @end). */
typedef void (*PenFunctionFunc) (const PenFunction *function, gpointer user_data);
void pen_query_foreach_function_in (PenQuery *self, guint64 start, guint64 end,
                                    PenFunctionFunc func, gpointer user_data);

/* ---- samples under a filter ---- */

/* The rows of a block that are meant: @rows[0 … @n_rows). */
typedef struct {
  guint number; /* of the block in the store */
  const PenSampleBlock *block;
  const guint32 *rows;
  guint n_rows;
} PenSampleBatch;

/* Return FALSE to stop, with the error that pen_query_scan() shall give. */
typedef gboolean (*PenScanFunc) (const PenSampleBatch *batch, gpointer user_data, GError **error);

/*
 * pen_query_scan: reads the blocks of samples in their order.
 * @from, @to: ns, both inclusive; 0 and G_MAXUINT64 take samples without a time too. The matcher's
 *   time is applied on top of it, unless @ignore_time.
 */
gboolean pen_query_scan (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                         gboolean ignore_time, PenScanFunc func, gpointer user_data,
                         GError **error);

/* Samples and period per bucket under the matcher; added up from the buckets themselves where that
 * is enough. */
typedef struct {
  guint64 samples;
  guint64 period;
  guint64 first;
  guint64 last;
} PenBucketCount;

/* Returns: (transfer full): one for each bucket */
PenBucketCount *pen_query_count_buckets (PenQuery *self, const PenMatcher *matcher, GError **error);

/* ---- who held one byte ---- */

/* A tenure's turn at one byte, by the two layers' lookup: a tenure may have several. */
typedef struct {
  PenTenure tenure;
  PenMoment from;
  PenMoment to;
} PenHolding;

/* Returns: (transfer full) (element-type PenHolding): in time order, without overlap */
GArray *pen_query_find_holdings (PenQuery *self, guint32 space, guint64 address, GError **error);

/* The symbol that @address belongs to in @tenure: the tenure itself for a ksymbol. */
gboolean pen_query_find_symbol (PenQuery *self, const PenTenure *tenure, guint64 address,
                                const char **name, guint64 *start, guint64 *end);

/* ---- text and lines ---- */

/* What annotating one range after the other needs, kept between them. */
typedef struct {
  PenQuery *query;
  PenDecoder *decoder;
  GHashTable *targets; /* PenTarget */
} PenAnnotator;

PenAnnotator *pen_annotator_new (PenQuery *query, PenSyntax syntax, GError **error);
void pen_annotator_free (PenAnnotator *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAnnotator, pen_annotator_free)

/*
 * pen_annotator_build:
 * @tenures: (element-type PenTenure): each with the times of its turn
 * @buckets: (element-type PenBucket)
 *
 * Lines of [@start, @end), by address, then time; each tenure is decoded from where its own
 * instructions begin.
 */
GPtrArray *pen_annotator_build (PenAnnotator *self, guint64 start, guint64 end, GArray *tenures,
                                GArray *buckets, GError **error);

/* ---- cells that several tables have ---- */

void pen_query_write_task (PenTableWriter *writer, gboolean has_task, gint32 pid, gint32 tid,
                           const char *comm);
void pen_query_write_cpu (PenTableWriter *writer, guint32 cpu);
/* "kind", "occupant": the occupant is empty for unknown. */
void pen_query_write_occupant (PenTableWriter *writer, PenKind kind, const char *occupant);
/* "from", "to": empty, in a table "start" and "end", where the capture does not bound them. */
void pen_query_write_span (PenTableWriter *writer, PenMoment from, gboolean is_bounded_below,
                           PenMoment to, gboolean is_bounded_above);
/* A loss of side-band records lies before @to in the tenure: a change may be missing. */
gboolean pen_query_is_unverified (const PenTenure *tenure, PenMoment to);
void pen_query_write_evidence (PenTableWriter *writer, PenEvidence evidence,
                               gboolean is_unverified);
void pen_query_write_text_or_empty (PenTableWriter *writer, const char *text);
/* All of them, but in a table the first few: more in one cell serves nobody who reads it. */
void pen_query_write_bytes (PenTableWriter *writer, const guint8 *bytes, gsize length);

G_END_DECLS
