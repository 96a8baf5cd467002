/* pen-function-group.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-function-group.h"

#include "pen-annotated.h"
#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-query-holdings.h"
#include "pen-query-private.h"
#include "pen-sample-count.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"

#include <string.h>

/* Functions that lie over each other. */
typedef struct {
  guint64 start;
  guint64 end;
  PenLoadedText *text; /* NULL until asked for */
} Cluster;

#define ANY_START G_MAXUINT64

/* Whose tenure it is. @start: ANY_START for maps, of which each has many functions */
typedef struct {
  PenKind kind;
  const char *occupant;
  guint64 start;
} Owner;

/* Who had a byte, and when. */
typedef struct {
  guint64 address;
  GArray *holdings;
  GHashTable *first; /* tenure → its first holding, plus 1 */
  guint *next;       /* of each holding: the next of its tenure, plus 1 */
} Turns;

struct _PenFunctionGroup {
  PenQuery *query;
  PenMatcher *matcher;
  PenAnnotator *annotator;
  PenAmount total;
  PenBucketSet *set;
  PenBucketCount *counts;
  GHashTable *first_buckets; /* function → its first in set, plus 1 */
  GArray *tenures;           /* of all of their addresses, by id */
  GHashTable *owners;        /* Owner → GArray of guint: indexes of tenures */
  GHashTable *ids;           /* tenure → its index, plus 1 */
  GArray *by_start;          /* guint: indexes of ksymbols, by start */
  GHashTable *starts;        /* Turns of ksymbols that begin at their address, among themselves */
  GHashTable *bytes;         /* Turns of all that had the byte */
  GArray *clusters;          /* Cluster, by start */
};

/* ---- samples ---- */

static gboolean
count (PenFunctionGroup *self, const GArray *functions, GError **error)
{
  self->set = pen_bucket_set_new (self->query, functions, NULL, NULL, error);
  if (!self->set)
    return FALSE;
  self->counts = pen_query_count_set (self->query, self->matcher, self->set, TRUE, error);
  if (!self->counts || !pen_query_count_amount (self->query, self->matcher, &self->total, error))
    return FALSE;
  self->first_buckets = g_hash_table_new (pen_direct_hash, NULL);
  for (guint i = self->set->buckets->len; i-- > 0;)
    g_hash_table_insert (self->first_buckets,
                         GUINT_TO_POINTER (pen_bucket_set_get (self->set, i)->function),
                         GUINT_TO_POINTER (i + 1));
  return TRUE;
}

GArray *
pen_function_group_list_buckets (PenFunctionGroup *self, const PenFunction *function,
                                 PenAmount *amount)
{
  GArray *buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  guint first = GPOINTER_TO_UINT (
      g_hash_table_lookup (self->first_buckets, GUINT_TO_POINTER (function->id)));

  *amount = pen_amount (self->query, 0, 0);
  for (guint i = first; i > 0 && i <= self->set->buckets->len; i++) {
    PenBucket bucket = *pen_bucket_set_get (self->set, i - 1);

    if (bucket.function != function->id)
      break;
    if (!pen_query_take_count (self->query, function, &self->counts[i - 1], &bucket))
      continue;
    amount->n += bucket.samples;
    amount->period += bucket.period;
    g_array_append_val (buckets, bucket);
  }
  return buckets;
}

/* ---- tenures ---- */

static guint
owner_hash (gconstpointer key)
{
  const Owner *owner = key;

  return pen_str_hash (owner->occupant) * 31 + pen_int64_hash (&owner->start) + owner->kind;
}

static gboolean
owner_equal (gconstpointer a, gconstpointer b)
{
  const Owner *x = a;
  const Owner *y = b;

  return x->kind == y->kind && x->start == y->start && strcmp (x->occupant, y->occupant) == 0;
}

static void
free_array (gpointer data)
{
  g_array_unref (data);
}

static void
add_tenure (PenFunctionGroup *self, guint index)
{
  const PenTenure *tenure = &g_array_index (self->tenures, PenTenure, index);
  Owner owner = { tenure->kind, tenure->occupant ? tenure->occupant : "",
                  tenure->layer == PEN_LAYER_MAP ? ANY_START : tenure->start };
  GArray *indexes = g_hash_table_lookup (self->owners, &owner);

  if (!indexes) {
    indexes = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (self->owners, g_memdup2 (&owner, sizeof owner), indexes);
  }
  g_array_append_val (indexes, index);
  g_hash_table_insert (self->ids, GUINT_TO_POINTER (tenure->id), GUINT_TO_POINTER (index + 1));
}

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GArray *tenures = user_data;
  guint x = *(const guint *) a;
  guint y = *(const guint *) b;
  int order = PEN_COMPARE (g_array_index (tenures, PenTenure, x).start,
                           g_array_index (tenures, PenTenure, y).start);

  return order != 0 ? order : PEN_COMPARE (x, y);
}

static void
sort_ksymbols (PenFunctionGroup *self)
{
  self->by_start = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < self->tenures->len; i++)
    if (g_array_index (self->tenures, PenTenure, i).layer == PEN_LAYER_KSYMBOL)
      g_array_append_val (self->by_start, i);
  g_array_sort_with_data (self->by_start, compare_starts, self->tenures);
}

static gboolean
load_tenures (PenFunctionGroup *self, GError **error)
{
  guint64 start = G_MAXUINT64;
  guint64 end = 0;

  for (guint i = 0; i < self->clusters->len; i++) {
    start = MIN (start, g_array_index (self->clusters, Cluster, i).start);
    end = MAX (end, g_array_index (self->clusters, Cluster, i).end);
  }
  self->owners = g_hash_table_new_full (owner_hash, owner_equal, g_free, free_array);
  self->ids = g_hash_table_new (pen_direct_hash, NULL);
  self->tenures = start < end ? pen_store_load_tenures (self->query->store, PEN_SPACE_KERNEL, start,
                                                        end, error)
                              : g_array_new (FALSE, FALSE, sizeof (PenTenure));
  if (!self->tenures)
    return FALSE;
  for (guint i = 0; i < self->tenures->len; i++) {
    if (!pen_store_steps_on (self->query->store, i, error))
      return FALSE;
    add_tenure (self, i);
  }
  sort_ksymbols (self);
  return pen_store_goes_on (self->query->store, error);
}

static gboolean
is_in (const PenTenure *tenure, const PenFunction *function)
{
  return tenure->start < function->start + function->length && tenure->end > function->start;
}

static void
take_owned (PenFunctionGroup *self, const PenFunction *function, guint64 start, GHashTable *taken)
{
  Owner owner = { function->kind, function->occupant ? function->occupant : "", start };
  const GArray *indexes = g_hash_table_lookup (self->owners, &owner);

  for (guint i = 0; indexes && i < indexes->len; i++) {
    guint index = g_array_index (indexes, guint, i);
    const PenTenure *tenure = &g_array_index (self->tenures, PenTenure, index);

    if (is_in (tenure, function))
      g_hash_table_add (taken, GUINT_TO_POINTER (index));
  }
}

static int
compare_indexes (gconstpointer a, gconstpointer b)
{
  return PEN_COMPARE (*(const guint *) a, *(const guint *) b);
}

/* Indexes of the function's own tenures, and of those that its samples fell on. */
static GArray *
list_own (PenFunctionGroup *self, const PenFunction *function, const GArray *buckets)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (pen_direct_hash, NULL);
  GArray *indexes = g_array_new (FALSE, FALSE, sizeof (guint));
  GHashTableIter iter;
  gpointer key;

  take_owned (self, function, ANY_START, taken);
  take_owned (self, function, function->start, taken);
  for (guint i = 0; i < buckets->len; i++) {
    guint32 tenure = g_array_index (buckets, PenBucket, i).tenure;
    guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, GUINT_TO_POINTER (tenure)));

    if (index > 0)
      g_hash_table_add (taken, GUINT_TO_POINTER (index - 1));
  }
  g_hash_table_iter_init (&iter, taken);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    guint index = GPOINTER_TO_UINT (key);

    g_array_append_val (indexes, index);
  }
  g_array_sort (indexes, compare_indexes);
  return indexes;
}

/* ---- turns ---- */

static void
free_turns (gpointer data)
{
  Turns *turns = data;

  g_array_unref (turns->holdings);
  g_hash_table_unref (turns->first);
  g_free (turns->next);
  g_free (turns);
}

static void
link_holdings (Turns *turns)
{
  turns->first = g_hash_table_new (pen_direct_hash, NULL);
  turns->next = g_new (guint, MAX (turns->holdings->len, 1));
  for (guint i = turns->holdings->len; i-- > 0;) {
    gpointer tenure = GUINT_TO_POINTER (g_array_index (turns->holdings, PenHolding, i).tenure.id);

    turns->next[i] = GPOINTER_TO_UINT (g_hash_table_lookup (turns->first, tenure));
    g_hash_table_insert (turns->first, tenure, GUINT_TO_POINTER (i + 1));
  }
}

static const PenTenure *
get_ksymbol (PenFunctionGroup *self, guint place)
{
  return &g_array_index (self->tenures, PenTenure, g_array_index (self->by_start, guint, place));
}

static guint64
get_start (PenFunctionGroup *self, guint place)
{
  return get_ksymbol (self, place)->start;
}

/* Of ksymbols over each other the one that starts nearest has a byte (K3): at its start it has to
 * do only with those that start there, too. */
static GArray *
find_holdings (PenFunctionGroup *self, guint64 address, gboolean is_start, GError **error)
{
  g_autoptr (GArray) starting = NULL;

  if (!is_start)
    return pen_query_find_holdings (self->query, address, error);
  starting = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  for (guint i = PEN_BINARY_SEARCH (k, 0, self->by_start->len, get_start (self, k) < address);
       i < self->by_start->len && get_start (self, i) == address; i++)
    g_array_append_val (starting, *get_ksymbol (self, i));
  return pen_query_find_holdings_among (self->query, starting, address, error);
}

static const Turns *
find_turns_at (PenFunctionGroup *self, guint64 address, gboolean is_start, GError **error)
{
  GHashTable *table = is_start ? self->starts : self->bytes;
  Turns *turns = g_hash_table_lookup (table, &address);
  GArray *holdings;

  if (turns)
    return turns;
  holdings = find_holdings (self, address, is_start, error);
  if (!holdings)
    return NULL;
  turns = g_new0 (Turns, 1);
  turns->address = address;
  turns->holdings = holdings;
  link_holdings (turns);
  g_hash_table_insert (table, &turns->address, turns);
  return turns;
}

static gboolean
add_turns (PenFunctionGroup *self, const PenTenure *tenure, guint64 address, GArray *found,
           GError **error)
{
  gboolean is_start = tenure->layer == PEN_LAYER_KSYMBOL && tenure->start == address;
  const Turns *turns;

  if (tenure->start > address) {
    g_array_append_val (found, *tenure);
    return TRUE;
  }
  turns = find_turns_at (self, address, is_start, error);
  if (!turns)
    return FALSE;
  for (guint i
       = GPOINTER_TO_UINT (g_hash_table_lookup (turns->first, GUINT_TO_POINTER (tenure->id)));
       i > 0; i = turns->next[i - 1]) {
    const PenHolding *holding = &g_array_index (turns->holdings, PenHolding, i - 1);
    PenTenure turn = *tenure;

    turn.from = holding->from;
    turn.to = holding->to;
    g_array_append_val (found, turn);
  }
  return TRUE;
}

static GArray *
list_turns (PenFunctionGroup *self, const GArray *tenures, guint64 address, GError **error)
{
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (PenTenure));

  for (guint i = 0; i < tenures->len; i++)
    if (!add_turns (self, &g_array_index (tenures, PenTenure, i), address, turns, error))
      return NULL;
  return g_steal_pointer (&turns);
}

/* Does the filter have any tenure of the function's addresses, whoever's it is? */
static gboolean
has_matching (PenFunctionGroup *self, const PenFunction *function)
{
  for (guint i = 0; i < self->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (self->tenures, PenTenure, i);

    if (is_in (tenure, function) && pen_matcher_has_tenure (self->matcher, tenure->id))
      return TRUE;
  }
  return FALSE;
}

/* Where a filter asks for one load of a program, the others are none of its rows: of a text that
 * has it, that is; another is shown as it is. */
static void
keep_matching (PenFunctionGroup *self, const PenFunction *function, GArray *tenures)
{
  guint n = 0;

  for (guint i = 0; i < tenures->len; i++) {
    PenTenure tenure = g_array_index (tenures, PenTenure, i);

    if (pen_matcher_has_tenure (self->matcher, tenure.id))
      g_array_index (tenures, PenTenure, n++) = tenure;
  }
  if (n > 0 || has_matching (self, function))
    g_array_set_size (tenures, n);
}

GArray *
pen_function_group_find_tenures (PenFunctionGroup *self, const PenFunction *function,
                                 const GArray *buckets, GArray **turns, GError **error)
{
  g_autoptr (GArray) own = list_own (self, function, buckets);
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));

  for (guint i = 0; i < own->len; i++)
    g_array_append_val (tenures,
                        g_array_index (self->tenures, PenTenure, g_array_index (own, guint, i)));
  if (own->len == 0) {
    g_clear_pointer (&tenures, g_array_unref);
    tenures = pen_store_load_tenures (self->query->store, PEN_SPACE_KERNEL, function->start,
                                      function->start + function->length, error);
    if (!tenures)
      return NULL;
  }
  keep_matching (self, function, tenures);
  *turns = list_turns (self, tenures, function->start, error);
  return *turns ? g_steal_pointer (&tenures) : NULL;
}

/* ---- text ---- */

static void
clear_cluster (gpointer data)
{
  g_clear_pointer (&((Cluster *) data)->text, pen_loaded_text_free);
}

static int
compare_clusters (gconstpointer a, gconstpointer b)
{
  const Cluster *x = a;
  const Cluster *y = b;
  int order = PEN_COMPARE (x->start, y->start);

  return order != 0 ? order : PEN_COMPARE (x->end, y->end);
}

/* Not more at once than what the kernel's text is read of. */
static void
join_clusters (GArray *clusters)
{
  guint n = 0;

  for (guint i = 0; i < clusters->len; i++) {
    Cluster cluster = g_array_index (clusters, Cluster, i);
    Cluster *last = n > 0 ? &g_array_index (clusters, Cluster, n - 1) : NULL;

    if (last && cluster.start < last->end
        && MAX (cluster.end, last->end) - last->start <= PEN_STORE_TEXT_RANGE)
      last->end = MAX (cluster.end, last->end);
    else
      g_array_index (clusters, Cluster, n++) = cluster;
  }
  g_array_set_size (clusters, n);
}

static void
make_clusters (PenFunctionGroup *self, const GArray *functions)
{
  for (guint i = 0; i < functions->len; i++) {
    const PenFunction *function
        = pen_query_get_function (self->query, g_array_index (functions, guint32, i));

    if (function && pen_query_has_text (function) && function->length > 0) {
      Cluster cluster = { function->start, function->start + function->length, NULL };

      g_array_append_val (self->clusters, cluster);
    }
  }
  g_array_sort (self->clusters, compare_clusters);
  join_clusters (self->clusters);
}

gboolean
pen_function_group_load_text (PenFunctionGroup *self, const PenFunction *function, GError **error)
{
  guint n = PEN_BINARY_SEARCH (k, 0, self->clusters->len,
                               g_array_index (self->clusters, Cluster, k).start <= function->start);
  Cluster *cluster;

  g_return_val_if_fail (n > 0, FALSE);
  cluster = &g_array_index (self->clusters, Cluster, n - 1);
  if (!cluster->text)
    cluster->text = pen_loaded_text_new (self->query->store, cluster->start, cluster->end, error);
  self->annotator->shared = cluster->text;
  return cluster->text != NULL;
}

/* ---- all ---- */

PenFunctionGroup *
pen_function_group_new (PenQuery *query, const PenFilter *filter, const GArray *functions,
                        PenSyntax syntax, GError **error)
{
  g_autoptr (PenFunctionGroup) self = g_new0 (PenFunctionGroup, 1);

  self->query = query;
  self->clusters = g_array_new (FALSE, FALSE, sizeof (Cluster));
  g_array_set_clear_func (self->clusters, clear_cluster);
  self->starts = g_hash_table_new_full (pen_int64_hash, g_int64_equal, NULL, free_turns);
  self->bytes = g_hash_table_new_full (pen_int64_hash, g_int64_equal, NULL, free_turns);
  if (!pen_query_load (query, error))
    return NULL;
  self->matcher = pen_matcher_new (query, filter, error);
  if (!self->matcher || !count (self, functions, error))
    return NULL;
  make_clusters (self, functions);
  if (!load_tenures (self, error))
    return NULL;
  /* A machine whose instructions cannot be read still has addresses. */
  self->annotator = pen_annotator_new (query, syntax, NULL);
  return g_steal_pointer (&self);
}

void
pen_function_group_free (PenFunctionGroup *self)
{
  g_clear_pointer (&self->annotator, pen_annotator_free);
  g_clear_pointer (&self->matcher, pen_matcher_free);
  g_clear_pointer (&self->set, pen_bucket_set_free);
  g_free (self->counts);
  g_clear_pointer (&self->first_buckets, g_hash_table_unref);
  g_clear_pointer (&self->owners, g_hash_table_unref);
  g_clear_pointer (&self->ids, g_hash_table_unref);
  g_clear_pointer (&self->starts, g_hash_table_unref);
  g_clear_pointer (&self->bytes, g_hash_table_unref);
  g_clear_pointer (&self->by_start, g_array_unref);
  g_clear_pointer (&self->tenures, g_array_unref);
  g_array_unref (self->clusters);
  g_free (self);
}

PenQuery *
pen_function_group_get_query (PenFunctionGroup *self)
{
  return self->query;
}

PenAnnotator *
pen_function_group_get_annotator (PenFunctionGroup *self)
{
  return self->annotator;
}

PenAmount
pen_function_group_get_total (PenFunctionGroup *self)
{
  return self->total;
}
