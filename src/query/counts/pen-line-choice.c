/* pen-line-choice.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-line-choice.h"

#include "pen-binary-search.h"
#include "pen-store-functions.h"

/* Lines of one address: those of the bucket's tenure, and those that all tenures share. */
enum { OWN, SHARED, N_OWNERS };

/* @only: the line of all its samples, whenever they were; G_MAXUINT: time decides, or it has none
 */
typedef struct {
  guint64 address;
  guint only;
  PenLineRange of_tenure[N_OWNERS];
  PenLineRange of_revision[N_OWNERS];
} BucketLines;

struct _PenLineChoice {
  PenQuery *query;
  const PenAnnotated *annotated;
  PenLineOrder *by_tenure;
  PenLineOrder *by_revision;
  BucketLines *buckets;
  guint n_buckets;
};

guint
pen_annotated_find_line (const PenAnnotated *annotated, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, annotated->lines->len,
                            pen_annotated_get_line (annotated, i)->address < address);
}

static guint64
get_address (const PenAnnotated *annotated, PenQuery *query, const PenBucket *bucket,
             gboolean in_file)
{
  const PenFunction *function = pen_query_get_function (query, annotated->function);

  return bucket->address
         + (in_file ? pen_store_get_bias (query->store, function, bucket->tenure) : 0);
}

static gboolean
has_address (const PenAnnotated *annotated, guint line, guint64 address)
{
  return line < annotated->lines->len
         && pen_annotated_get_line (annotated, line)->address == address;
}

/* Further lines are searched for. */
#define STEPS_MAX 8u

gboolean
pen_annotated_has_bucket (const PenAnnotated *annotated, PenQuery *query, const PenBucket *bucket,
                          gboolean in_file, guint *before)
{
  guint64 address = get_address (annotated, query, bucket, in_file);

  /* Buckets come by address, as lines do. */
  for (guint i = *before; i < annotated->lines->len && i - *before < STEPS_MAX; i++) {
    if (pen_annotated_get_line (annotated, i)->address < address)
      continue;
    if (!has_address (annotated, i, address))
      break;
    *before = i;
    return TRUE;
  }
  *before = pen_annotated_find_line (annotated, address);
  return has_address (annotated, *before, address);
}

static guint
count (const PenLineRange *ranges)
{
  guint n = 0;

  for (guint i = 0; i < N_OWNERS; i++)
    n += ranges[i].end - ranges[i].first;
  return n;
}

/* The first line, of both owners. Returns: its index, or G_MAXUINT */
static guint
choose_any (const PenLineOrder *order, const PenLineRange *ranges)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < N_OWNERS; i++)
    if (ranges[i].first < ranges[i].end)
      best = MIN (best, pen_line_order_get (order, ranges[i].first));
  return best;
}

/* Most buckets have one line. */
static guint
choose_only (const PenLineChoice *self, const BucketLines *lines)
{
  guint n = count (lines->of_revision);

  if (n == 1)
    return choose_any (self->by_revision, lines->of_revision);
  return n == 0 && count (lines->of_tenure) == 1 ? choose_any (self->by_tenure, lines->of_tenure)
                                                 : G_MAXUINT;
}

/* @of_address: (inout): of the bucket before, and of this one */
static void
find_lines (const PenLineChoice *self, const PenBucket *bucket, gboolean in_file,
            PenLineRange *of_address, BucketLines *lines)
{
  guint32 owners[N_OWNERS] = { bucket->tenure, PEN_SHARED_TENURE };

  lines->address = get_address (self->annotated, self->query, bucket, in_file);
  *of_address = pen_line_order_find_next_address (self->by_tenure, *of_address, lines->address);
  for (guint i = 0; i < N_OWNERS; i++) {
    lines->of_tenure[i] = pen_line_order_find (self->by_tenure, *of_address, owners[i], 0);
    lines->of_revision[i]
        = pen_line_order_find (self->by_revision, *of_address, owners[i], bucket->revision);
  }
  lines->only = choose_only (self, lines);
}

PenLineChoice *
pen_line_choice_new (PenQuery *query, const PenAnnotated *annotated, const PenBucketSet *set,
                     gboolean in_file, GError **error)
{
  g_autoptr (PenLineChoice) self = g_new0 (PenLineChoice, 1);
  PenCancelCheck check = pen_query_make_check (query);
  PenLineRange of_address = { 0, 0 };

  self->query = query;
  self->annotated = annotated;
  self->n_buckets = set->buckets->len;
  self->buckets = g_new (BucketLines, MAX (self->n_buckets, 1));
  self->by_tenure = pen_line_order_new (annotated->lines, FALSE, &check);
  if (self->by_tenure)
    self->by_revision = pen_line_order_new (annotated->lines, TRUE, &check);
  for (guint i = 0; i < self->n_buckets && pen_cancel_check_step (&check); i++)
    find_lines (self, pen_bucket_set_get (set, i), in_file, &of_address, &self->buckets[i]);
  return pen_query_end_check (query, &check, error) ? g_steal_pointer (&self) : NULL;
}

void
pen_line_choice_free (PenLineChoice *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->by_tenure, pen_line_order_free);
  g_clear_pointer (&self->by_revision, pen_line_order_free);
  g_free (self->buckets);
  g_free (self);
}

/* The first line, of both owners, that stood at @time. Returns: its index, or G_MAXUINT */
static guint
choose_at (const PenLineOrder *order, const PenLineRange *ranges, guint64 time)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < N_OWNERS; i++) {
    guint place = pen_line_order_find_first_at (order, ranges[i], time);

    if (place != G_MAXUINT)
      best = MIN (best, pen_line_order_get (order, place));
  }
  return best;
}

guint
pen_line_choice_choose (const PenLineChoice *self, guint bucket, guint64 time)
{
  const BucketLines *lines = &self->buckets[bucket];
  guint line = lines->only;

  if (line != G_MAXUINT)
    return line;
  line = choose_at (self->by_revision, lines->of_revision, time);
  if (line == G_MAXUINT)
    line = choose_any (self->by_revision, lines->of_revision);
  if (line == G_MAXUINT)
    line = choose_at (self->by_tenure, lines->of_tenure, time);
  return line != G_MAXUINT ? line : choose_any (self->by_tenure, lines->of_tenure);
}

/* ---- ends ---- */

/* A line's beginning, and the first moment after its end, for each line of @address. */
static void
add_ends (const PenLineChoice *self, guint64 address, GArray *times, PenCancelCheck *check)
{
  for (guint i = pen_annotated_find_line (self->annotated, address);
       i < self->annotated->lines->len && pen_cancel_check_step (check); i++) {
    const PenAnnotationLine *line = pen_annotated_get_line (self->annotated, i);
    guint64 after = line->to.time < G_MAXUINT64 ? line->to.time + 1 : G_MAXUINT64;

    if (line->address != address)
      return;
    g_array_append_val (times, line->from.time);
    g_array_append_val (times, after);
  }
}

static int
compare_times (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  return pen_query_compare_times (a, b);
}

GArray *
pen_line_choice_list_ends (const PenLineChoice *self, GError **error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autofree guint8 *is_done = g_malloc0 (self->annotated->lines->len + 1);
  PenCancelCheck check = pen_query_make_check (self->query);

  for (guint i = 0; i < self->n_buckets && pen_cancel_check_step (&check); i++) {
    const BucketLines *lines = &self->buckets[i];
    guint first;

    if (lines->only != G_MAXUINT || count (lines->of_tenure) <= 1)
      continue;
    first = pen_annotated_find_line (self->annotated, lines->address);
    if (is_done[first])
      continue;
    is_done[first] = TRUE;
    add_ends (self, lines->address, times, &check);
  }
  pen_cancel_check_sort (&check, times->data, times->len, sizeof (guint64), compare_times, NULL);
  return pen_query_end_check (self->query, &check, error) ? g_steal_pointer (&times) : NULL;
}
