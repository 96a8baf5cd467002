/* pen-query-buckets.c: samples by place, version and cause
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-buckets.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-query-cells.h"
#include "pen-sample-count.h"
#include "pen-stood-time.h"
#include "pen-store-records.h"
#include "pen-tenure-builds.h"
#include "pen-text-places.h"

/* A bucket of the store on its way to a row. @row: its samples and words; @from, @to: when its text
 * stood, ns; @place: index, plus one; 0: text that nothing patches */
typedef struct {
  PenNamedBucket row;
  guint64 from;
  guint64 to;
  guint place;
} Part;

typedef struct {
  PenQuery *query;
  PenNames *names;
  PenPokeSites *sites;
  GArray *builds; /* PenTenureBuild */
  GArray *places; /* PenTextPlace */
  GArray *parts;  /* Part */
  PenStoodTime time;
} Naming;

static void
naming_clear (Naming *self)
{
  g_clear_pointer (&self->sites, pen_poke_sites_free);
  g_clear_pointer (&self->builds, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->parts, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Naming, naming_clear)

/* ---- words ---- */

/* Text that pokes may have changed: also such as nobody is known to hold (P6). */
static gboolean
may_be_patched (PenKind kind, guint32 tenure)
{
  return tenure != 0 && (pen_query_is_kernel_kind (kind) || kind == PEN_KIND_UNKNOWN);
}

/* In the file; of the kernel and modules, which are moved as a whole, from the start of their text.
 */
static gboolean
find_offset (const PenBucket *bucket, const PenTenureBuild *build, guint64 *offset)
{
  if (bucket->kind != PEN_KIND_DSO && bucket->kind != PEN_KIND_MODULE
      && bucket->kind != PEN_KIND_KERNEL)
    return FALSE;
  *offset
      = bucket->address - build->start + (bucket->kind == PEN_KIND_DSO ? build->file_offset : 0);
  return TRUE;
}

static void
set_offset (const Naming *self, const PenBucket *bucket, const PenFunction *function,
            const PenTenureBuild *build, PenNamedBucket *row)
{
  if (!bucket->has_address || bucket->tenure == 0)
    return;
  if (*row->symbol != '\0') {
    row->has_offset = TRUE;
    row->offset
        = pen_store_get_offset (self->query->store, function, bucket->tenure, bucket->address);
  } else {
    row->has_offset = find_offset (bucket, build, &row->offset);
  }
}

static const PenTenureBuild *
get_build (const Naming *self, guint32 tenure)
{
  return &g_array_index (self->builds, PenTenureBuild, tenure < self->builds->len ? tenure : 0);
}

static const char *
get_event (const Naming *self, int event)
{
  GPtrArray *events = self->query->events;

  if (event < 0 || (guint) event >= events->len)
    return NULL;
  return ((const PenStoreEvent *) events->pdata[event])->name;
}

static void
add_place (Naming *self, const PenBucket *bucket, const PenFunction *function, Part *part)
{
  gboolean has_range = function && function->symbol && function->length > 0;
  PenTextPlace place = { .tenure = bucket->tenure,
                         .revision = bucket->revision,
                         .address = bucket->address,
                         .start = has_range ? function->start : bucket->address,
                         .end = has_range ? function->start + function->length : bucket->address,
                         .seen = { bucket->first, G_MAXUINT64 } };

  g_array_append_val (self->places, place);
  part->place = self->places->len;
}

static void
add_part (Naming *self, const PenBucket *bucket, const PenBucketCount *count)
{
  const PenFunction *function = pen_query_get_function (self->query, bucket->function);
  gboolean is_named = function && function->symbol && bucket->has_address;
  const PenTenureBuild *build = get_build (self, bucket->tenure);
  Part part = {
    .row = { .kind = bucket->kind,
             .build = build->build,
             .occupant = pen_names_add (self->names, function ? function->occupant : NULL),
             .symbol = pen_names_add (self->names, is_named ? function->symbol : NULL),
             .event = pen_names_add (self->names, get_event (self, bucket->event)),
             .samples = count->samples,
             .period = count->period,
             .has_seconds = bucket->tenure != 0 },
    .from = build->from,
    .to = build->to,
  };

  set_offset (self, bucket, function, build, &part.row);
  if (bucket->has_address && may_be_patched (bucket->kind, bucket->tenure))
    add_place (self, bucket, function, &part);
  g_array_append_val (self->parts, part);
}

/* ---- versions ---- */

/* One for each byte at a revision; parts get the number of theirs. */
static gboolean
join_places (Naming *self, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->query);
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (PenTextPlace));
  const PenTextPlace *places = (const PenTextPlace *) (gpointer) self->places->data;

  g_array_append_vals (sorted, places, self->places->len);
  if (pen_cancel_check_sort (&check, sorted->data, sorted->len, sizeof (PenTextPlace),
                             (GCompareDataFunc) (GCallback) pen_text_place_compare, NULL)) {
    guint n = 0;

    for (guint i = 0; i < sorted->len; i++) {
      PenTextPlace *place = &g_array_index (sorted, PenTextPlace, i);
      PenTextPlace *last = n > 0 ? &g_array_index (sorted, PenTextPlace, n - 1) : NULL;

      if (!last || pen_text_place_compare (last, place) != 0)
        g_array_index (sorted, PenTextPlace, n++) = *place;
      else if (pen_moment_compare (place->seen, last->seen) < 0)
        last->seen = place->seen;
    }
    g_array_set_size (sorted, n);
  }
  for (guint i = 0; i < self->parts->len && pen_cancel_check_step (&check); i++) {
    Part *part = &g_array_index (self->parts, Part, i);

    if (part->place != 0)
      part->place
          = PEN_BINARY_SEARCH (p, 0, sorted->len,
                               pen_text_place_compare (&g_array_index (sorted, PenTextPlace, p),
                                                       &places[part->place - 1])
                                   < 0)
            + 1;
  }
  g_array_unref (self->places);
  self->places = g_steal_pointer (&sorted);
  return pen_query_end_check (self->query, &check, error);
}

static void
take_place (const Naming *self, Part *part)
{
  const PenTextPlace *place = &g_array_index (self->places, PenTextPlace, part->place - 1);

  part->row.has_version = place->has_digest;
  part->row.version = place->digest;
  part->from = MAX (part->from, place->from.time);
  part->to = MIN (part->to, place->to.time);
  if (place->revision == 0)
    return;
  part->row.is_patched = TRUE;
  part->row.cause = place->poke != 0 ? pen_poke_sites_get (self->sites, place->poke - 1)->cause
                                     : PEN_CAUSE_UNKNOWN;
}

static gboolean
find_versions (Naming *self, GError **error)
{
  if (!join_places (self, error)
      || !pen_text_places_find (self->query, self->sites, self->places, error))
    return FALSE;
  for (guint i = 0; i < self->parts->len; i++) {
    Part *part = &g_array_index (self->parts, Part, i);

    if (part->place != 0)
      take_place (self, part);
  }
  return TRUE;
}

/* ---- rows ---- */

static int
compare_flags (const PenNamedBucket *x, const PenNamedBucket *y)
{
  if (x->has_version != y->has_version)
    return x->has_version ? 1 : -1;
  if (x->version != y->version)
    return PEN_COMPARE (x->version, y->version);
  if (x->is_patched != y->is_patched)
    return x->is_patched ? 1 : -1;
  return PEN_COMPARE (x->cause, y->cause);
}

/* Strings are interned: most pairs that are alike have the same. */
static int
compare_words (const char *x, const char *y)
{
  return x == y ? 0 : strcmp (x, y);
}

/* Build, symbol, offset, version, cause, event, and what else tells rows apart. */
static int
compare_places (const PenNamedBucket *x, const PenNamedBucket *y)
{
  int order = compare_words (x->build, y->build);

  if (order == 0)
    order = PEN_COMPARE (x->kind, y->kind);
  if (order == 0)
    order = compare_words (x->symbol, y->symbol);
  if (order == 0)
    order = compare_words (x->occupant, y->occupant);
  if (order == 0)
    order = PEN_COMPARE (!!x->has_offset, !!y->has_offset);
  if (order == 0)
    order = PEN_COMPARE (x->offset, y->offset);
  if (order == 0)
    order = compare_flags (x, y);
  return order != 0 ? order : compare_words (x->event, y->event);
}

static int
compare_parts (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Part *x = a;
  const Part *y = b;
  int order = compare_places (&x->row, &y->row);

  return order != 0 ? order : PEN_COMPARE (x->from, y->from);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer query)
{
  const PenNamedBucket *x = a;
  const PenNamedBucket *y = b;

  if (pen_query_is_of_waits (query) && x->period != y->period)
    return x->period > y->period ? -1 : 1;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  return compare_places (x, y);
}

/* Parts of one row stand together, by the beginnings of their times. */
static void
add_rows (Naming *self, GArray *rows, PenCancelCheck *check)
{
  PenStoodSpan span = { 0 };

  for (guint i = 0; i < self->parts->len && pen_cancel_check_step (check); i++) {
    const Part *part = &g_array_index (self->parts, Part, i);
    PenNamedBucket *row
        = rows->len > 0 ? &g_array_index (rows, PenNamedBucket, rows->len - 1) : NULL;

    if (!row || compare_places (row, &part->row) != 0) {
      g_array_append_val (rows, part->row);
      row = &g_array_index (rows, PenNamedBucket, rows->len - 1);
      span = (PenStoodSpan){ 0 };
    } else {
      row->samples += part->row.samples;
      row->period += part->row.period;
      row->has_seconds |= part->row.has_seconds;
    }
    if (part->row.has_seconds)
      row->seconds = pen_stood_span_add (&span, &self->time, part->from, part->to);
  }
}

static gboolean
make_rows (Naming *self, PenBucketOrder order, GArray *rows, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->query);

  if (pen_cancel_check_sort (&check, self->parts->data, self->parts->len, sizeof (Part),
                             compare_parts, NULL))
    add_rows (self, rows, &check);
  if (order == PEN_BUCKETS_BY_SAMPLES)
    pen_cancel_check_sort (&check, rows->data, rows->len, sizeof (PenNamedBucket), compare_rows,
                           self->query);
  return pen_query_end_check (self->query, &check, error);
}

static gboolean
list_parts (Naming *self, const PenMatcher *matcher, GError **error)
{
  g_autofree PenBucketCount *counts = pen_query_count_buckets (self->query, matcher, error);

  for (guint i = 0; counts && i < self->query->n_buckets; i++) {
    if (!pen_store_steps_on (self->query->store, i, error))
      return FALSE;
    if (counts[i].samples > 0)
      add_part (self, &self->query->buckets[i], &counts[i]);
  }
  return counts != NULL;
}

PenNamedBuckets *
pen_query_name_buckets (PenQuery *query, const PenFilter *filter, PenBucketOrder order,
                        GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (query, filter, error);
  g_autoptr (PenNamedBuckets) named = g_new0 (PenNamedBuckets, 1);
  g_auto (Naming) self = { .query = query };

  named->rows = g_array_new (FALSE, FALSE, sizeof (PenNamedBucket));
  named->names = self.names = pen_names_new ();
  if (!matcher)
    return NULL;
  self.time = pen_stood_time_make (query, filter);
  self.places = g_array_new (FALSE, FALSE, sizeof (PenTextPlace));
  self.parts = g_array_new (FALSE, FALSE, sizeof (Part));
  self.builds = pen_tenure_builds_load (query, named->names, error);
  if (!self.builds)
    return NULL;
  self.sites = pen_poke_sites_new (query, error);
  if (!self.sites || !list_parts (&self, matcher, error) || !find_versions (&self, error)
      || !make_rows (&self, order, named->rows, error))
    return NULL;
  return g_steal_pointer (&named);
}

void
pen_named_buckets_free (PenNamedBuckets *self)
{
  g_array_unref (self->rows);
  pen_names_free (self->names);
  g_free (self);
}
