/* pen-annotation.c: the text of a range of addresses over time, with the samples of each version
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation.h"

#include <string.h>

#include "pen-line-order.h"
#include "pen-slots.h"
#include "pen-table-hash.h"
#include "pen-unknown-text.h"

#define MAX_INSTRUCTION 16u

void
pen_annotation_line_free (PenAnnotationLine *line)
{
  if (!line)
    return;
  g_free (line->instruction);
  g_free (line->target);
  g_free (line->inlined);
  g_free (line);
}

static void
free_line (gpointer data)
{
  pen_annotation_line_free (data);
}

/* ---- order ---- */

/* To show: by address, then time. */
static int
compare_for_show (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenAnnotationLine *x = *(const PenAnnotationLine *const *) a;
  const PenAnnotationLine *y = *(const PenAnnotationLine *const *) b;
  int order;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  order = pen_moment_compare (x->from, y->from);
  if (order != 0)
    return order;
  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->is_inside != y->is_inside)
    return x->is_inside ? 1 : -1;
  return x->revision < y->revision ? -1 : x->revision > y->revision;
}

static int
compare_buckets (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenBucket *x = *(const PenBucket *const *) a;
  const PenBucket *y = *(const PenBucket *const *) b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->revision != y->revision)
    return x->revision < y->revision ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* ---- samples ---- */

typedef struct {
  GHashTable *tenures; /* id → PenTenure */
  guint64 start;
  GPtrArray *lines;
  PenLineOrder *by_tenure; /* of @lines, while samples are added */
  PenLineOrder *by_revision;
  GPtrArray *extra;          /* lines that only samples brought */
  PenAnnotationLine *newest; /* of extra; buckets come in its order */
  PenCancelCheck *check;
} Join;

static void
join_clear (Join *join)
{
  g_clear_pointer (&join->by_tenure, pen_line_order_free);
  g_clear_pointer (&join->by_revision, pen_line_order_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Join, join_clear)

static PenAnnotationLine *
get_line (const Join *join, const PenLineOrder *order, guint place)
{
  return g_ptr_array_index (join->lines, pen_line_order_get (order, place));
}

/* Samples have a time only: one at the very time of a patch may belong to either side. */
static gboolean
stands_at (const PenAnnotationLine *line, guint64 time)
{
  return line->from.time <= time && time <= line->to.time;
}

/* The line of @bucket's address and tenure: best one of its revision at the time of its first
 * sample, then any at that time. @fallback: one of its revision at another time. */
static PenAnnotationLine *
find_line (const Join *join, const PenBucket *bucket, PenAnnotationLine **fallback)
{
  PenLineRange of_address = pen_line_order_find_address (join->by_revision, bucket->address);
  PenLineRange of_revision
      = pen_line_order_find (join->by_revision, of_address, bucket->tenure, bucket->revision);
  PenLineRange of_tenure = pen_line_order_find (join->by_tenure, of_address, bucket->tenure, 0);
  guint place = pen_line_order_find_first_at (join->by_revision, of_revision, bucket->first);

  *fallback = NULL;
  if (place != G_MAXUINT)
    return get_line (join, join->by_revision, place);
  if (of_revision.end > of_revision.first)
    *fallback = get_line (join, join->by_revision, of_revision.end - 1);
  place = pen_line_order_find_last_at (join->by_tenure, of_tenure, bucket->first);
  return place != G_MAXUINT ? get_line (join, join->by_tenure, place) : NULL;
}

/* The instruction that began before @bucket's address and went past it when the sample fell. */
static PenAnnotationLine *
find_container (const Join *join, const PenBucket *bucket)
{
  for (guint64 back = 1; back < MAX_INSTRUCTION && back <= bucket->address; back++) {
    PenLineRange of_address = pen_line_order_find_address (join->by_tenure, bucket->address - back);
    PenLineRange range = pen_line_order_find (join->by_tenure, of_address, bucket->tenure, 0);

    for (guint i = pen_line_order_find_first_at (join->by_tenure, range, bucket->first);
         i < range.end && pen_cancel_check_step (join->check); i++) {
      PenAnnotationLine *line = get_line (join, join->by_tenure, i);

      if (line->from.time > bucket->first)
        break;
      if (line->n_bytes > back && stands_at (line, bucket->first))
        return line;
    }
  }
  return NULL;
}

static PenAnnotationLine *
get_extra_line (Join *join, const PenBucket *bucket, const PenAnnotationLine *container)
{
  PenAnnotationLine *line = join->newest;
  const PenTenure *tenure;

  if (line && line->address == bucket->address && line->tenure == bucket->tenure
      && line->revision == bucket->revision)
    return line;

  tenure = g_hash_table_lookup (join->tenures, GUINT_TO_POINTER (bucket->tenure));
  line = g_new0 (PenAnnotationLine, 1);
  line->address = bucket->address;
  line->offset = bucket->address - join->start;
  line->tenure = bucket->tenure;
  line->revision = bucket->revision;
  line->is_inside = container != NULL;
  if (container) {
    line->from = container->from;
    line->to = container->to;
    line->is_patched = container->is_patched;
    line->poke = container->poke;
    line->evidence = container->evidence;
    line->instruction = g_strdup ("");
  } else {
    line->from = tenure ? tenure->from : PEN_MOMENT_START;
    line->to = tenure ? tenure->to : PEN_MOMENT_END;
    line->evidence = PEN_EVIDENCE_UNKNOWN;
    line->instruction = g_strdup (PEN_UNKNOWN_TEXT_NOT_RECORDED);
  }

  g_ptr_array_add (join->extra, line);
  join->newest = line;
  return line;
}

static void
add_samples (PenAnnotationLine *line, const PenBucket *bucket)
{
  if (bucket->samples == 0)
    return;
  line->first = line->samples == 0 ? bucket->first : MIN (line->first, bucket->first);
  line->last = MAX (line->last, bucket->last);
  line->samples += bucket->samples;
  line->period += bucket->period;
}

static void
add_bucket (Join *join, const PenBucket *bucket)
{
  PenAnnotationLine *fallback;
  PenAnnotationLine *line = find_line (join, bucket, &fallback);

  if (!line) {
    PenAnnotationLine *container = find_container (join, bucket);

    if (!container && fallback)
      line = fallback;
    else
      line = get_extra_line (join, bucket, container);
  }
  add_samples (line, bucket);
}

static gboolean
sort_pointers (GPtrArray *pointers, GCompareDataFunc compare, PenCancelCheck *check)
{
  return pen_cancel_check_sort (check, pointers->pdata, pointers->len, sizeof *pointers->pdata,
                                compare, NULL);
}

static void
join_buckets (Join *join, guint64 end, const PenBucket *buckets, gsize n_buckets)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_sized_new ((guint) n_buckets);

  for (gsize i = 0; i < n_buckets; i++) {
    if (buckets[i].has_address && buckets[i].address >= join->start && buckets[i].address < end)
      g_ptr_array_add (sorted, (gpointer) &buckets[i]);
  }
  if (sorted->len == 0 || !sort_pointers (sorted, compare_buckets, join->check))
    return;
  join->by_tenure = pen_line_order_new (join->lines, FALSE, join->check);
  join->by_revision = join->by_tenure ? pen_line_order_new (join->lines, TRUE, join->check) : NULL;
  for (guint i = 0; join->by_revision && i < sorted->len && pen_cancel_check_step (join->check);
       i++)
    add_bucket (join, g_ptr_array_index (sorted, i));
}

/* The rest that a patch left of an instruction is worth a line only where samples fell on it. */
static void
drop_unsampled_rests (GPtrArray *lines)
{
  guint n = 0;

  for (guint i = 0; i < lines->len; i++) {
    PenAnnotationLine *line = g_ptr_array_index (lines, i);

    if (line->is_rest && line->samples == 0)
      free_line (line);
    else
      lines->pdata[n++] = line;
  }
  while (lines->len > n)
    g_ptr_array_steal_index (lines, lines->len - 1);
}

/* ---- versions ---- */

/* Numbers the lines @first to @end of one address. */
static void
number_versions (GPtrArray *lines, guint first, guint end)
{
  guint n_versions = 0;

  for (guint i = first; i < end; i++) {
    PenAnnotationLine *line = g_ptr_array_index (lines, i);

    line->version = i - first;
    n_versions += !line->is_inside;
  }
  for (guint i = first; i < end && n_versions > 1; i++) {
    PenAnnotationLine *line = g_ptr_array_index (lines, i);

    line->is_patched = line->is_patched || !line->is_inside;
  }
}

static void
number_lines (GPtrArray *lines)
{
  guint first = 0;

  for (guint i = 1; i <= lines->len; i++) {
    const PenAnnotationLine *line = i < lines->len ? g_ptr_array_index (lines, i) : NULL;
    const PenAnnotationLine *start = g_ptr_array_index (lines, first);

    if (line && line->address == start->address)
      continue;
    number_versions (lines, first, i);
    first = i;
  }
}

/* ---- pokes ---- */

static void
free_pokes (gpointer data)
{
  g_ptr_array_unref (data);
}

/* Tenure → its pokes. */
static GHashTable *
group_pokes (const PenPoke *const *pokes, gsize n_pokes)
{
  GHashTable *groups = g_hash_table_new_full (pen_direct_hash, NULL, NULL, free_pokes);

  for (gsize i = 0; i < n_pokes; i++) {
    gpointer tenure = GUINT_TO_POINTER (pokes[i]->tenure);
    GPtrArray *group = g_hash_table_lookup (groups, tenure);

    if (!group) {
      group = g_ptr_array_new ();
      g_hash_table_insert (groups, tenure, group);
    }
    g_ptr_array_add (group, (gpointer) pokes[i]);
  }
  return groups;
}

GPtrArray *
pen_annotation_build (guint64 start, guint64 end, const PenAnnotationTenure *tenures,
                      gsize n_tenures, const PenPoke *const *pokes, gsize n_pokes,
                      const PenBucket *buckets, gsize n_buckets, PenDecoder *decoder,
                      PenTargetFunc target_func, gpointer user_data, PenCancelCheck *check)
{
  PenCancelCheck never = { 0 };
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (free_line);
  g_autoptr (GPtrArray) extra = g_ptr_array_new ();
  g_autoptr (GHashTable) of_tenure = group_pokes (pokes, n_pokes);
  g_autoptr (GHashTable) by_id = g_hash_table_new (pen_direct_hash, NULL);
  PenSlotsInput input = { start, end, NULL, 0, decoder, target_func, user_data, check, NULL };
  g_auto (Join) join = { .tenures = by_id, .start = start, .lines = lines, .extra = extra };

  g_return_val_if_fail (start <= end && end - start <= PEN_ANNOTATION_MAX, NULL);

  if (!check)
    check = &never;
  join.check = check;
  for (gsize i = n_tenures; i-- > 0;)
    g_hash_table_insert (by_id, GUINT_TO_POINTER (tenures[i].tenure->id),
                         (gpointer) tenures[i].tenure);
  for (gsize i = 0; i < n_tenures && pen_cancel_check_step (check); i++) {
    const GPtrArray *group
        = g_hash_table_lookup (of_tenure, GUINT_TO_POINTER (tenures[i].tenure->id));

    input.pokes = group ? (const PenPoke *const *) group->pdata : NULL;
    input.n_pokes = group ? group->len : 0;
    pen_slots_add_lines (&input, &tenures[i], lines);
  }
  if (!check->is_stopped)
    join_buckets (&join, end, buckets, n_buckets);

  drop_unsampled_rests (lines);
  g_ptr_array_extend_and_steal (lines, g_steal_pointer (&extra));
  if (check->is_stopped || !sort_pointers (lines, compare_for_show, check))
    return NULL;
  number_lines (lines);
  return g_steal_pointer (&lines);
}
