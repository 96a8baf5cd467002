/* pen-bucket-book.h: what becomes of buckets: functions, totals, text that is wanted, rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-table.h"
#include "pen-frame-table.h"
#include "pen-function-table.h"
#include "pen-sources.h"
#include "pen-store-writer.h"
#include "pen-text-pass.h"

G_BEGIN_DECLS

/*
 * PenBucketBook: buckets are written in generations, so that there may be any number of them: a
 * generation ends with the block of samples that brings it to PEN_GENERATION_BUCKETS, and at the
 * end of the samples.
 */
typedef struct _PenBucketBook PenBucketBook;

/*
 * pen_bucket_book_new:
 * @sources: waited for when the first function is asked for
 * @functions: made then: not before
 * @n_events: samples of no known event are counted under this number
 */
PenBucketBook *pen_bucket_book_new (PenBucketTable *table, PenHistory *history,
                                    PenLoadedSources *sources, guint n_events);
/* A book of something else than samples, with the functions and the texts of @other, which must
 * outlive it; what is in it counts neither for functions nor for what is known of samples. */
PenBucketBook *pen_bucket_book_new_beside (PenBucketBook *other, PenBucketTable *table);
/*
 * PenBookSums: what a book has counted, for the next one of a longer history of the same
 * @functions: NULL: made with the first function. It is not the book's
 * @events, @tenures: (element-type guint64): as long as they were
 */
typedef struct {
  PenFunctionTable *functions;
  GArray *events;
  GArray *tenures;
  guint64 module_space;
} PenBookSums;

/* Before anything else: the book goes on with @sums, which outlives it, and takes what is counted.
 */
void pen_bucket_book_go_on (PenBucketBook *self, PenBookSums *sums);
/* Writes the generation without ending it. Samples of it count until pen_bucket_book_leave(). */
gboolean pen_bucket_book_write_rest (PenBucketBook *self, PenStoreWriter *writer, GError **error);
/* In the end: what is to be counted again is taken away from the sums. */
void pen_bucket_book_leave (PenBucketBook *self);

/* A generation ends at @max buckets, in place of PEN_GENERATION_BUCKETS. */
void pen_bucket_book_limit (PenBucketBook *self, guint max);
void pen_bucket_book_free (PenBucketBook *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenBucketBook, pen_bucket_book_free)

/* Gives those buckets a function that have none yet. */
gboolean pen_bucket_book_find_functions (PenBucketBook *self, GError **error);

/* Whether the generation shall end as soon as it may. */
gboolean pen_bucket_book_is_full (PenBucketBook *self);

/* Adds up what the generation has counted so far: with its events and tenures, which need no
 * functions. Call it when the last samples are counted; the end of a generation does it, too. */
void pen_bucket_book_add_up (PenBucketBook *self);

/* The last generation is complete: threads sort and pack it until it is written. The writer is only
 * asked whether it is cancelled. */
gboolean pen_bucket_book_begin_write (PenBucketBook *self, PenStoreWriter *writer, GError **error);

/* Ends the generation, and writes it. */
gboolean pen_bucket_book_write (PenBucketBook *self, PenStoreWriter *writer, GError **error);

/* Waits for the sources. Owned by the book. Returns: NULL with @error */
PenFunctionTable *pen_bucket_book_get_functions (PenBucketBook *self, GError **error);
/* See pen_function_table_get(): the same, in less time where it is asked for often. Only after
 * pen_bucket_book_get_functions(). */
guint32 pen_bucket_book_find_function (PenBucketBook *self, const PenTenure *tenure, PenKind kind,
                                       guint64 address);
guint32 pen_bucket_book_find_frame_function (PenBucketBook *self, const PenTableFrame *frame);
/* @functions: (out): of the @n @frames */
void pen_bucket_book_find_frame_functions (PenBucketBook *self, const PenTableFrame *frames,
                                           guint n, guint32 *functions);
/* Samples in the generations that were written. Owned by the book. */
PenTextPass *pen_bucket_book_get_text (PenBucketBook *self);
/* Samples of unknown occupants in the kernel's space for modules and programs. */
guint64 pen_bucket_book_get_module_space_samples (PenBucketBook *self);
/* One more than there are events. */
const guint64 *pen_bucket_book_get_event_samples (PenBucketBook *self);
/* By tenure's id. */
const guint64 *pen_bucket_book_get_tenure_samples (PenBucketBook *self);

G_END_DECLS
