/* pen-map-layer.c: the maps of one space as they are now (rules M1 and M2)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map-layer.h"

#include "pen-ranges.h"
#include "pen-table-hash.h"

/* The live parts of an occupant are a ring: a table for each would take longer to free than all
 * else of a history. */
typedef struct {
  guint32 next;
  guint32 before;
} LivePart;

struct _PenMapLayer {
  PenTenureBuilder *builder;
  PenRanges *ranges; /* value: part */
  PenMoment moment;  /* of the change under way */
  PenBound bound;    /* of what it ends */
  GHashTable *live;  /* occupant → a live part of it, plus 1; or NULL */
  GArray *rings;     /* LivePart, by part; those that live have a meaning */
  gboolean has_jit;
};

PenMapLayer *
pen_map_layer_new (PenTenureBuilder *builder)
{
  PenMapLayer *self = g_new0 (PenMapLayer, 1);

  self->builder = builder;
  self->ranges = pen_ranges_new ();
  self->bound = PEN_BOUND_RECORDED;
  return self;
}

PenMapLayer *
pen_map_layer_new_with_occupants (PenTenureBuilder *builder)
{
  PenMapLayer *self = pen_map_layer_new (builder);

  self->live = g_hash_table_new (pen_direct_hash, NULL);
  self->rings = g_array_new (FALSE, FALSE, sizeof (LivePart));
  return self;
}

void
pen_map_layer_free (PenMapLayer *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->live, g_hash_table_unref);
  g_clear_pointer (&self->rings, g_array_unref);
  pen_ranges_free (self->ranges);
  g_free (self);
}

/* Names are interned: an occupant is its pointer. */
static gpointer
get_occupant (PenMapLayer *self, guint32 part)
{
  guint32 tenure = pen_tenure_builder_get_part (self->builder, part)->tenure;

  return (gpointer) pen_tenure_builder_get_tenure (self->builder, tenure)->occupant;
}

static LivePart *
get_live (PenMapLayer *self, guint32 part)
{
  return &g_array_index (self->rings, LivePart, part);
}

static void
add_live (PenMapLayer *self, guint32 part)
{
  gpointer occupant = get_occupant (self, part);
  guint32 first = GPOINTER_TO_UINT (g_hash_table_lookup (self->live, occupant));
  guint32 next = first > 0 ? first - 1 : part;

  if (part >= self->rings->len)
    g_array_set_size (self->rings, part + 1);
  *get_live (self, part) = (LivePart){ part, part };
  if (first == 0) {
    g_hash_table_insert (self->live, occupant, GUINT_TO_POINTER (part + 1));
    return;
  }
  *get_live (self, part) = (LivePart){ next, get_live (self, next)->before };
  get_live (self, get_live (self, next)->before)->next = part;
  get_live (self, next)->before = part;
}

static void
remove_live (PenMapLayer *self, guint32 part)
{
  LivePart *live = get_live (self, part);
  gpointer occupant = get_occupant (self, part);

  if (live->next == part) {
    g_hash_table_remove (self->live, occupant);
    return;
  }
  get_live (self, live->next)->before = live->before;
  get_live (self, live->before)->next = live->next;
  g_hash_table_insert (self->live, occupant, GUINT_TO_POINTER (live->next + 1));
}

static guint32
open_part (PenMapLayer *self, guint32 tenure, guint64 start, guint64 end)
{
  guint32 part = pen_tenure_builder_open_part (self->builder, tenure, start, end, self->moment);

  if (self->live)
    add_live (self, part);
  return part;
}

static void
end_range (const PenRange *range, gpointer user_data)
{
  PenMapLayer *self = user_data;

  if (self->live)
    remove_live (self, range->value);
  pen_tenure_builder_close_part (self->builder, range->value, self->moment, self->bound);
}

static guint32
keep_piece (const PenRange *old, guint64 start, guint64 end, gpointer user_data)
{
  PenMapLayer *self = user_data;
  guint32 tenure = pen_tenure_builder_get_part (self->builder, old->value)->tenure;

  return open_part (self, tenure, start, end);
}

/* @tenure: whose parts end, or PEN_MAP_LAYER_NONE: all of them */
static void
end_parts (PenMapLayer *self, const char *occupant, guint32 tenure)
{
  guint32 first = GPOINTER_TO_UINT (g_hash_table_lookup (self->live, occupant));
  g_autoptr (GArray) parts = NULL;

  if (first == 0)
    return;
  parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 part = first - 1; parts->len == 0 || part != first - 1;
       part = get_live (self, part)->next)
    g_array_append_val (parts, part);
  for (guint i = 0; i < parts->len; i++) {
    PenPart part = *pen_tenure_builder_get_part (self->builder, g_array_index (parts, guint32, i));

    if (tenure == PEN_MAP_LAYER_NONE || part.tenure == tenure)
      pen_ranges_clear (self->ranges, part.start, part.end, end_range, keep_piece, self);
  }
}

void
pen_map_layer_end_occupant (PenMapLayer *self, const char *occupant, PenMoment moment)
{
  self->moment = moment;
  end_parts (self, occupant, PEN_MAP_LAYER_NONE);
}

void
pen_map_layer_end_tenure (PenMapLayer *self, guint32 tenure, PenMoment moment)
{
  self->moment = moment;
  self->bound = PEN_BOUND_INFERRED;
  end_parts (self, pen_tenure_builder_get_tenure (self->builder, tenure)->occupant, tenure);
  self->bound = PEN_BOUND_RECORDED;
}

/* Whether some of what is there may stay (U6). */
static gboolean
is_around (const PenMapLayer *self, const PenTenure *tenure)
{
  return (self->has_jit || tenure->layer == PEN_LAYER_JIT) && tenure->kind == PEN_KIND_ANON;
}

/* Rule U6. */
static gboolean
stays (PenMapLayer *self, const PenRange *range, const PenTenure *newcomer)
{
  const PenTenure *held = pen_tenure_builder_get_tenure (
      self->builder, pen_tenure_builder_get_part (self->builder, range->value)->tenure);

  return newcomer->layer == PEN_LAYER_JIT ? held->kind != PEN_KIND_ANON
                                          : held->layer == PEN_LAYER_JIT;
}

/* @index: (inout): of @tenure, once it has a part; G_MAXUINT32 before */
static void
take_gap (PenMapLayer *self, const PenTenure *tenure, guint64 start, guint64 end, guint32 *index)
{
  guint32 part;

  if (start >= end)
    return;
  if (*index == G_MAXUINT32)
    *index = pen_tenure_builder_open (self->builder, tenure);
  part = open_part (self, *index, start, end);
  pen_ranges_take (self->ranges, start, end, part, end_range, keep_piece, self);
}

static void
take_around (PenMapLayer *self, const PenTenure *tenure)
{
  g_autoptr (GArray) staying = g_array_new (FALSE, FALSE, sizeof (PenRange));
  const PenRange *range;
  guint32 index = G_MAXUINT32;
  guint64 at = tenure->start;

  while (at < tenure->end && (range = pen_ranges_find (self->ranges, at, tenure->end))) {
    if (stays (self, range, tenure))
      g_array_append_vals (staying, range, 1);
    at = range->end;
  }

  self->moment = tenure->from;
  at = tenure->start;
  for (guint i = 0; i < staying->len; i++) {
    const PenRange *next = &g_array_index (staying, PenRange, i);

    take_gap (self, tenure, at, next->start, &index);
    at = next->end;
  }
  take_gap (self, tenure, at, tenure->end, &index);
}

guint32
pen_map_layer_take (PenMapLayer *self, const PenTenure *tenure)
{
  guint32 index;
  guint32 part;

  self->has_jit = self->has_jit || tenure->layer == PEN_LAYER_JIT;
  if (is_around (self, tenure)) {
    take_around (self, tenure);
    return PEN_MAP_LAYER_NONE;
  }
  index = pen_tenure_builder_open (self->builder, tenure);
  self->moment = tenure->from;
  part = open_part (self, index, tenure->start, tenure->end);
  pen_ranges_take (self->ranges, tenure->start, tenure->end, part, end_range, keep_piece, self);
  return index;
}

void
pen_map_layer_go_on (PenMapLayer *self, guint32 tenure, const PenPart *part)
{
  guint32 index;

  self->has_jit = self->has_jit
                  || pen_tenure_builder_get_tenure (self->builder, tenure)->layer == PEN_LAYER_JIT;
  self->moment = part->from;
  index = open_part (self, tenure, part->start, part->end);
  pen_ranges_take (self->ranges, part->start, part->end, index, end_range, keep_piece, self);
}

static guint
count_staying (PenMapLayer *self, const PenTenure *tenure, guint max)
{
  const PenRange *range;
  guint64 at = tenure->start;
  guint n = 0;

  while (n <= max && at < tenure->end
         && (range = pen_ranges_find (self->ranges, at, tenure->end))) {
    n += stays (self, range, tenure);
    at = range->end;
  }
  return n;
}

guint
pen_map_layer_count_pieces (PenMapLayer *self, const PenTenure *tenure, guint max)
{
  const PenRange *first = pen_ranges_find (self->ranges, tenure->start, tenure->end);
  const PenRange *last;
  guint n;

  if (!first)
    return 0;
  n = first->start < tenure->start;
  last = pen_ranges_find (self->ranges, tenure->end - 1, tenure->end);
  n += last && last->end > tenure->end;
  if (is_around (self, tenure))
    n += max > 0 ? count_staying (self, tenure, max) : 1;
  return n;
}

void
pen_map_layer_end (PenMapLayer *self, PenMoment moment)
{
  self->moment = moment;
  pen_ranges_foreach (self->ranges, end_range, self);
  pen_ranges_free (self->ranges);
  self->ranges = pen_ranges_new ();
}

guint
pen_map_layer_count (PenMapLayer *self)
{
  return pen_ranges_count (self->ranges);
}

typedef struct {
  PenTenureBuilder *builder;
  PenMapLayer *child;
  guint32 space;
  PenMoment moment;
  GHashTable *cut; /* tenures in several parts: their copies */
} Copy;

/* The child's tenure for the parent's: one, however many parts are left of it. */
static guint32
copy_tenure (Copy *copy, guint32 tenure)
{
  gboolean is_cut = g_array_index (copy->builder->live, guint32, tenure) > 1;
  PenTenure child = *pen_tenure_builder_get_tenure (copy->builder, tenure);
  gpointer known;
  guint32 index;

  if (is_cut && g_hash_table_lookup_extended (copy->cut, GUINT_TO_POINTER (tenure), NULL, &known))
    return GPOINTER_TO_UINT (known);

  child.space = copy->space;
  child.from = copy->moment;
  child.from_bound = pen_tenure_builder_bound (copy->moment, PEN_EVIDENCE_RECORDED);
  index = pen_tenure_builder_open (copy->builder, &child);
  if (is_cut)
    g_hash_table_insert (copy->cut, GUINT_TO_POINTER (tenure), GUINT_TO_POINTER (index));
  return index;
}

static void
copy_range (const PenRange *range, gpointer user_data)
{
  Copy *copy = user_data;
  guint32 parent = pen_tenure_builder_get_part (copy->builder, range->value)->tenure;
  guint32 tenure = copy_tenure (copy, parent);
  guint32 part = pen_tenure_builder_open_part (copy->builder, tenure, range->start, range->end,
                                               copy->moment);

  pen_ranges_take (copy->child->ranges, range->start, range->end, part, NULL, NULL, NULL);
}

void
pen_map_layer_copy (PenMapLayer *self, PenMapLayer *child, guint32 space, PenMoment moment)
{
  g_autoptr (GHashTable) cut = g_hash_table_new (pen_direct_hash, NULL);
  Copy copy
      = { .builder = self->builder, .child = child, .space = space, .moment = moment, .cut = cut };

  child->has_jit = self->has_jit;
  pen_ranges_foreach (self->ranges, copy_range, &copy);
}
