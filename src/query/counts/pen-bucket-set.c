/* pen-bucket-set.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-set.h"

#include "pen-compare.h"
#include "pen-store-buckets.h"
#include "pen-table-hash.h"

static PenBucketSet *
set_new (void)
{
  PenBucketSet *self = g_new0 (PenBucketSet, 1);

  self->buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  self->functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pen_bucket_set_free (PenBucketSet *self)
{
  g_array_unref (self->buckets);
  g_array_unref (self->functions);
  g_free (self->by_id);
  g_free (self->slots);
  g_free (self);
}

static void
add_bucket (PenBucketSet *self, const PenBucket *bucket)
{
  guint n = self->functions->len;

  g_array_append_val (self->buckets, *bucket);
  if (n == 0 || g_array_index (self->functions, guint32, n - 1) != bucket->function)
    g_array_append_val (self->functions, bucket->function);
}

/* So many ids to a bucket: four bytes each. */
#define IDS_PER_BUCKET_MAX 16u

/* Samples of spans are asked for by id: their places are next to each other. Returns: FALSE: there
 * are too many ids for that */
static gboolean
index_by_id (PenBucketSet *self)
{
  guint32 first = G_MAXUINT32, last = 0;

  for (guint i = 0; i < self->buckets->len; i++) {
    first = MIN (first, pen_bucket_set_get (self, i)->id);
    last = MAX (last, pen_bucket_set_get (self, i)->id);
  }
  if (first > last || last - first >= IDS_PER_BUCKET_MAX * (guint64) self->buckets->len)
    return FALSE;
  self->first_id = first;
  self->n_ids = last - first + 1;
  self->by_id = g_new0 (guint32, self->n_ids);
  for (guint i = 0; i < self->buckets->len; i++)
    self->by_id[pen_bucket_set_get (self, i)->id - first] = i + 1;
  return TRUE;
}

/* At least half of the slots stay free. */
static void
index_buckets (PenBucketSet *self)
{
  guint n_slots = 16;
  guint32 mask;

  if (index_by_id (self))
    return;
  self->shift = 28;
  while (n_slots < 2 * (guint64) self->buckets->len && self->shift > 1) {
    n_slots *= 2;
    self->shift--;
  }
  mask = n_slots - 1;
  self->slots = g_new0 (guint32, n_slots);
  for (guint i = 0; i < self->buckets->len; i++) {
    guint32 slot = (pen_bucket_set_get (self, i)->id * PEN_BUCKET_SET_HASH) >> self->shift;

    while (self->slots[slot] != 0)
      slot = (slot + 1) & mask;
    self->slots[slot] = i + 1;
  }
}

/* ---- the buckets of some functions ---- */

/* Of one function, with those near it, 10 MB. */
#define KEPT_MAX (1u << 17)

typedef struct {
  PenBucket bucket;
  guint rank;  /* of its function, in those asked for */
  guint order; /* as the store has them */
} Found;

typedef struct {
  GHashTable *ranks; /* function → rank */
  PenBucketTest test;
  gpointer user_data;
  GArray *found;         /* Found */
  GArray *kept;          /* PenBucket: all that were read; NULL: they are not kept, or too many */
  guint32 last_function; /* of the bucket before; its rank: */
  guint last;
  gboolean is_in_order;
} Search;

static void
keep_bucket (Search *search, const PenBucket *bucket)
{
  if (search->kept && search->kept->len == KEPT_MAX)
    g_clear_pointer (&search->kept, g_array_unref);
  if (search->kept)
    g_array_append_vals (search->kept, bucket, 1);
}

static void
take_bucket (const PenBucket *bucket, gpointer user_data)
{
  Search *search = user_data;
  Found found = { *bucket, search->last, search->found->len };

  keep_bucket (search, bucket);
  if (search->test && !search->test (bucket, search->user_data))
    return;
  if (search->found->len == 0 || bucket->function != search->last_function)
    found.rank = GPOINTER_TO_UINT (
        g_hash_table_lookup (search->ranks, GUINT_TO_POINTER (bucket->function)));
  search->is_in_order &= found.rank >= search->last;
  search->last = found.rank;
  search->last_function = bucket->function;
  g_array_append_val (search->found, found);
}

static int
compare_found (gconstpointer a, gconstpointer b)
{
  const Found *x = a;
  const Found *y = b;
  int order = PEN_COMPARE (x->rank, y->rank);

  return order != 0 ? order : PEN_COMPARE (x->order, y->order);
}

static PenBucketSet *
make_set (Search *search)
{
  PenBucketSet *self = set_new ();

  if (!search->is_in_order)
    g_array_sort (search->found, compare_found);
  for (guint i = 0; i < search->found->len; i++)
    add_bucket (self, &g_array_index (search->found, Found, i).bucket);
  index_buckets (self);
  return self;
}

/* Buckets of @functions: from @kept if they are there; else they are read, and kept there. @kept:
 * (inout) (nullable) */
static PenBucketSet *
find_buckets (PenQuery *query, const GArray *functions, GArray **kept, PenBucketTest test,
              gpointer user_data, GError **error)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  Search search = {
    .ranks = ranks, .test = test, .user_data = user_data, .found = found, .is_in_order = TRUE
  };
  PenCancelCheck check = pen_query_make_check (query);

  for (guint i = 0; i < functions->len; i++)
    g_hash_table_insert (ranks, GUINT_TO_POINTER (g_array_index (functions, guint32, i)),
                         GUINT_TO_POINTER (i));
  if (kept && *kept) {
    for (guint i = 0; i < (*kept)->len && pen_cancel_check_step (&check); i++)
      take_bucket (&g_array_index (*kept, PenBucket, i), &search);
    return pen_query_end_check (query, &check, error) ? make_set (&search) : NULL;
  }
  search.kept = kept ? g_array_new (FALSE, FALSE, sizeof (PenBucket)) : NULL;
  if (!pen_store_foreach_bucket_of (query->store, functions, take_bucket, &search, error)) {
    g_clear_pointer (&search.kept, g_array_unref);
    return NULL;
  }
  if (kept)
    *kept = search.kept;
  return make_set (&search);
}

PenBucketSet *
pen_bucket_set_new (PenQuery *query, const GArray *functions, PenBucketTest test,
                    gpointer user_data, GError **error)
{
  return find_buckets (query, functions, NULL, test, user_data, error);
}

PenBucketSet *
pen_bucket_set_new_near (PenQuery *query, guint32 function, PenBucketTest test, gpointer user_data,
                         GError **error)
{
  g_autoptr (GArray) functions = pen_query_list_functions_near (query, function);

  if (query->near_of != function)
    g_clear_pointer (&query->near, g_array_unref);
  query->near_of = function;
  return find_buckets (query, functions, &query->near, test, user_data, error);
}

PenBucketSet *
pen_bucket_set_new_part (const PenBucketSet *set, const GArray *indexes)
{
  PenBucketSet *self = set_new ();

  for (guint i = 0; i < indexes->len; i++)
    add_bucket (self, pen_bucket_set_get (set, g_array_index (indexes, guint, i)));
  index_buckets (self);
  return self;
}
