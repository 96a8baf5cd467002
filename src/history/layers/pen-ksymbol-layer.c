/* pen-ksymbol-layer.c: the ksymbols as they are now, and what is known of their past (rules K1–K4,
 * K6)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ksymbol-layer.h"

#include <string.h>

#include "pen-ranges.h"
#include "pen-table-hash.h"

typedef struct {
  guint64 start;
  guint64 length; /* as recorded */
  const char *name;
  guint32 tenure;
  guint32 part;
  gboolean is_listed; /* no record tells of it so far (K6) */
} Live;

/* The ksymbols that one task registered on one CPU since its last BPF_EVENT. */
typedef struct {
  gint32 tid;
  guint32 cpu;
  GArray *tenures; /* guint32 */
} Pending;

struct _PenKsymbolLayer {
  PenTenureBuilder *builder;
  GTree *live;         /* Live by start; at most one for each (K3). A key is its own value */
  PenRanges *ends;     /* value: the tenure of the latest end there */
  PenRanges *listed;   /* what of live is only listed */
  PenRanges *unproven; /* what was only listed to its end; value: its part */
  GTree *pending;      /* Pending by task and CPU. A key is its own value */
  GHashTable *joined_by_address; /* tenures */
  guint64 ignored;
  guint64 repeated;
};

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Live *first = a;
  const Live *second = b;

  return first->start < second->start ? -1 : first->start > second->start;
}

static int
compare_recorders (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Pending *first = a;
  const Pending *second = b;

  if (first->tid != second->tid)
    return first->tid < second->tid ? -1 : 1;
  return first->cpu < second->cpu ? -1 : first->cpu > second->cpu;
}

static void
pending_free (gpointer data)
{
  Pending *pending = data;

  g_array_unref (pending->tenures);
  g_free (pending);
}

PenKsymbolLayer *
pen_ksymbol_layer_new (PenTenureBuilder *builder)
{
  PenKsymbolLayer *self = g_new0 (PenKsymbolLayer, 1);

  self->builder = builder;
  self->live = g_tree_new_full (compare_starts, NULL, g_free, NULL);
  self->ends = pen_ranges_new ();
  self->listed = pen_ranges_new ();
  self->unproven = pen_ranges_new ();
  self->pending = g_tree_new_full (compare_recorders, NULL, pending_free, NULL);
  self->joined_by_address = g_hash_table_new (pen_direct_hash, NULL);
  return self;
}

void
pen_ksymbol_layer_free (PenKsymbolLayer *self)
{
  if (!self)
    return;
  g_tree_unref (self->live);
  pen_ranges_free (self->ends);
  pen_ranges_free (self->listed);
  pen_ranges_free (self->unproven);
  g_tree_unref (self->pending);
  g_hash_table_unref (self->joined_by_address);
  g_free (self);
}

static Live *
find_live (PenKsymbolLayer *self, guint64 start)
{
  Live probe = { .start = start };

  return g_tree_lookup (self->live, &probe);
}

/* The kernel registers these with more than they have (K3). */
static gboolean
is_too_long (const PenKsymbolEvent *event)
{
  return g_str_has_prefix (event->name, "bpf_trampoline_")
         || g_str_has_prefix (event->name, "bpf_dispatcher_");
}

static PenKind
get_kind (const PenKsymbolEvent *event)
{
  return event->type == PEN_KSYMBOL_OUT_OF_LINE || is_too_long (event) ? PEN_KIND_STUB
                                                                       : PEN_KIND_BPF;
}

static guint64
get_end (const PenKsymbolEvent *event)
{
  return event->address + MIN (event->length, G_MAXUINT64 - event->address);
}

static guint32
open_tenure (PenKsymbolLayer *self, const PenKsymbolEvent *event, PenMoment from, PenBound bound,
             PenEvidence evidence, guint32 *part)
{
  PenTenure tenure = {
    .space = PEN_SPACE_KERNEL,
    .layer = PEN_LAYER_KSYMBOL,
    .kind = get_kind (event),
    .occupant = event->name,
    .name = event->name,
    .start = event->address,
    .end = get_end (event),
    .from = from,
    .from_bound = bound,
    .evidence = evidence,
  };
  guint32 index = pen_tenure_builder_open (self->builder, &tenure);

  *part = pen_tenure_builder_open_part (self->builder, index, tenure.start, tenure.end, from);
  return index;
}

static void
note_end (PenKsymbolLayer *self, guint32 tenure)
{
  const PenTenure *ended = pen_tenure_builder_get_tenure (self->builder, tenure);

  /* Ends come in time order: the newest is the latest for all of its bytes. */
  pen_ranges_take (self->ends, ended->start, ended->end, tenure, NULL, NULL, NULL);
}

/* A record tells of it that was only listed, and how long it is. */
static void
confirm_listed (PenKsymbolLayer *self, Live *live, const PenKsymbolEvent *event)
{
  PenTenure *tenure = pen_tenure_builder_get_tenure (self->builder, live->tenure);

  if (!live->is_listed)
    return;
  live->is_listed = FALSE;
  pen_ranges_clear (self->listed, tenure->start, tenure->end, NULL, NULL, NULL);
  pen_ranges_clear (self->unproven, tenure->start, tenure->end, NULL, NULL, NULL);
  if (event->length == 0)
    return;
  live->length = event->length;
  tenure->end = pen_tenure_builder_get_part (self->builder, live->part)->end = get_end (event);
}

static void
end_live (PenKsymbolLayer *self, Live *live, PenMoment moment, PenBound bound)
{
  if (live->is_listed) {
    const PenTenure *tenure = pen_tenure_builder_get_tenure (self->builder, live->tenure);

    pen_ranges_clear (self->listed, tenure->start, tenure->end, NULL, NULL, NULL);
  }
  pen_tenure_builder_close_part (self->builder, live->part, moment, bound);
  note_end (self, live->tenure);
  g_tree_remove (self->live, live);
}

static void
note_pending (PenKsymbolLayer *self, const PenKsymbolEvent *event, guint32 tenure)
{
  Pending probe = { .tid = event->origin.tid, .cpu = event->origin.cpu };
  Pending *pending;

  /* A stub is no program, and a ksymbol whose task is unknown belongs to no load. */
  if (event->origin.tid == -1 || get_kind (event) != PEN_KIND_BPF)
    return;

  pending = g_tree_lookup (self->pending, &probe);
  if (!pending) {
    pending = g_new0 (Pending, 1);
    pending->tid = event->origin.tid;
    pending->cpu = event->origin.cpu;
    pending->tenures = g_array_new (FALSE, FALSE, sizeof (guint32));
    g_tree_insert (self->pending, pending, pending);
  }
  g_array_append_val (pending->tenures, tenure);
}

/* Nobody saw it go. */
static void
end_listed (PenKsymbolLayer *self, PenMoment moment, guint64 start, guint64 end)
{
  const PenRange *range;

  while ((range = pen_ranges_find (self->listed, start, end)))
    end_live (self, find_live (self, range->start), moment, PEN_BOUND_INFERRED);
}

/* Records of the initial state have told of it, or of what was there, or another snapshot has. */
static gboolean
is_told_of (PenKsymbolLayer *self, const PenListedItem *item)
{
  return find_live (self, item->start) || pen_ranges_find (self->ends, item->start, item->end)
         || pen_ranges_find (self->listed, item->start, item->end);
}

void
pen_ksymbol_layer_list (PenKsymbolLayer *self, const PenListedItem *item)
{
  PenTenure tenure = {
    .space = PEN_SPACE_KERNEL,
    .layer = PEN_LAYER_KSYMBOL,
    .kind = item->kind,
    .occupant = item->name,
    .name = item->name,
    .start = item->start,
    .end = item->end,
    .from = PEN_MOMENT_START,
    .from_bound = PEN_BOUND_INITIAL,
    .evidence = item->evidence,
  };
  Live *live;

  if (is_told_of (self, item))
    return;
  live = g_new0 (Live, 1);
  live->start = item->start;
  live->length = item->end - item->start;
  live->name = item->name;
  live->is_listed = TRUE;
  live->tenure = pen_tenure_builder_open (self->builder, &tenure);
  live->part = pen_tenure_builder_open_part (self->builder, live->tenure, item->start, item->end,
                                             PEN_MOMENT_START);
  g_tree_insert (self->live, live, live);
  pen_ranges_take (self->listed, item->start, item->end, 0, NULL, NULL, NULL);
  pen_ranges_take (self->unproven, item->start, item->end, live->part, NULL, NULL, NULL);
}

void
pen_ksymbol_layer_take_listed (PenKsymbolLayer *self, PenMoment moment, guint64 start, guint64 end)
{
  const PenRange *range;

  while ((range = pen_ranges_find (self->unproven, start, end))) {
    PenRange taken = *range;

    pen_tenure_builder_shorten (self->builder, taken.value, moment, PEN_BOUND_INFERRED);
    pen_ranges_clear (self->unproven, taken.start, taken.end, NULL, NULL, NULL);
  }
}

void
pen_ksymbol_layer_register (PenKsymbolLayer *self, PenMoment moment, const PenKsymbolEvent *event)
{
  Live *live = find_live (self, event->address);
  PenBound bound = pen_tenure_builder_bound (moment, PEN_EVIDENCE_RECORDED);

  /* At the very last address there is no byte to hold: ends are exclusive. */
  if (event->length == 0 || event->address == G_MAXUINT64) {
    self->ignored++;
    return;
  }
  if (live && live->is_listed && live->name == event->name)
    confirm_listed (self, live, event);
  end_listed (self, moment, event->address,
              is_too_long (event) ? event->address + 1 : get_end (event));
  live = find_live (self, event->address);
  if (live && live->length == event->length && live->name == event->name) {
    self->repeated++;
    note_pending (self, event, live->tenure);
    return;
  }
  if (live)
    end_live (self, live, moment, PEN_BOUND_INFERRED);

  live = g_new0 (Live, 1);
  live->start = event->address;
  live->length = event->length;
  live->name = event->name;
  live->tenure = open_tenure (self, event, moment, bound, PEN_EVIDENCE_RECORDED, &live->part);
  g_tree_insert (self->live, live, live);
  note_pending (self, event, live->tenure);
}

/* The latest known end of a ksymbol that held any byte of [@start, @end). */
static PenMoment
find_latest_end (PenKsymbolLayer *self, guint64 start, guint64 end)
{
  PenMoment latest = PEN_MOMENT_START;
  const PenRange *range;

  while (start < end && (range = pen_ranges_find (self->ends, start, end))) {
    PenMoment to = pen_tenure_builder_get_tenure (self->builder, range->value)->to;

    if (pen_moment_compare (to, latest) > 0)
      latest = to;
    start = range->end;
  }
  return latest;
}

/* K4: nobody saw it come, so it had been there since the bytes were last given up. The walk over
 * the older ends is paid for by those ends: note_end() then replaces them all by one. */
static void
open_ghost (PenKsymbolLayer *self, PenMoment moment, const PenKsymbolEvent *event)
{
  PenMoment from = find_latest_end (self, event->address, get_end (event));
  guint32 part;
  guint32 tenure
      = open_tenure (self, event, from, PEN_BOUND_INFERRED, PEN_EVIDENCE_INFERRED, &part);

  pen_tenure_builder_close_part (self->builder, part, moment, PEN_BOUND_RECORDED);
  note_end (self, tenure);
}

void
pen_ksymbol_layer_unregister (PenKsymbolLayer *self, PenMoment moment, const PenKsymbolEvent *event)
{
  Live *live = find_live (self, event->address);

  if (live) {
    confirm_listed (self, live, event);
    end_live (self, live, moment, PEN_BOUND_RECORDED);
  } else if (event->length == 0 || event->address == G_MAXUINT64) {
    self->ignored++;
  } else {
    open_ghost (self, moment, event);
  }
}

static void
join (PenKsymbolLayer *self, guint32 tenure, const PenBpfLoadItem *load)
{
  PenTenure *joined = pen_tenure_builder_get_tenure (self->builder, tenure);

  joined->bpf_id = load->bpf_id;
  memcpy (joined->bpf_tag, load->tag, sizeof joined->bpf_tag);
}

/* Returns: how many live ksymbols start at one of @addresses */
static guint
join_addresses (PenKsymbolLayer *self, const PenBpfLoadItem *load, const guint64 *addresses)
{
  guint found = 0;

  for (guint i = 0; i < load->n_addresses; i++) {
    const Live *live = find_live (self, addresses[i]);

    if (!live)
      continue;
    join (self, live->tenure, load);
    g_hash_table_add (self->joined_by_address, GUINT_TO_POINTER (live->tenure));
    found++;
  }
  return found;
}

static void
join_pending (PenKsymbolLayer *self, const PenBpfLoadItem *load, const Pending *pending)
{
  for (guint i = 0; i < pending->tenures->len; i++) {
    guint32 tenure = g_array_index (pending->tenures, guint32, i);

    if (!g_hash_table_contains (self->joined_by_address, GUINT_TO_POINTER (tenure)))
      join (self, tenure, load);
  }
}

void
pen_ksymbol_layer_load (PenKsymbolLayer *self, const PenBpfLoadItem *load, const guint64 *addresses)
{
  Pending probe = { .tid = load->tid, .cpu = load->cpu };
  Pending *pending = g_tree_lookup (self->pending, &probe);

  /* Addresses are the program's own word; what else is pending was left by a load that got lost. */
  if (join_addresses (self, load, addresses) == 0 && pending)
    join_pending (self, load, pending);
  if (pending)
    g_tree_remove (self->pending, pending);
}

guint64
pen_ksymbol_layer_get_ignored (PenKsymbolLayer *self)
{
  return self->ignored;
}

guint64
pen_ksymbol_layer_get_repeated (PenKsymbolLayer *self)
{
  return self->repeated;
}
