/* pen-pair-things.c: what is patched in one recording, and which BPF programs are there, fit to be
 * compared with another's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-things.h"

#include <inttypes.h>
#include <math.h>

#include "pen-pair-key.h"
#include "pen-pair-reader.h"
#include "pen-poke-state.h"
#include "pen-store-occupants.h"
#include "pen-store-programs.h"
#include "pen-table-hash.h"

/* An endbr64. */
#define LANDING_LENGTH 4u

typedef struct {
  PenPairThings *self;
  const PenPairPrograms *programs;
  PenPairKey key;
  GString *words;
  const char **attached; /* of each group: of a BPF trampoline, its function */
} Build;

static void
build_clear (Build *build)
{
  pen_pair_key_clear (&build->key);
  g_string_free (build->words, TRUE);
  g_free (build->attached);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

static const char *
keep (const Build *build, const char *text)
{
  return pen_names_add (build->self->names, text);
}

static void
thing_free (gpointer data)
{
  PenPairThing *thing = data;

  g_array_unref (thing->spots);
  g_array_unref (thing->functions);
  g_array_unref (thing->parts);
  g_free (thing);
}

/* @words: its key */
static PenPairThing *
get_thing (Build *build, PenCause cause, gboolean is_program)
{
  PenPairThings *self = build->self;
  PenPairThing *thing = g_hash_table_lookup (self->by_key, build->words->str);

  if (thing)
    return thing;
  thing = g_new0 (PenPairThing, 1);
  thing->key = keep (build, build->words->str);
  thing->cause = cause;
  thing->is_program = is_program;
  thing->spots = g_array_new (FALSE, FALSE, sizeof (PenPairSpot));
  thing->functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  thing->parts = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  g_ptr_array_add (self->things, thing);
  g_hash_table_insert (self->by_key, (gpointer) thing->key, thing);
  return thing;
}

/* ---- places ---- */

const char *
pen_pair_spot_get_place (const PenPairSpot *spot, PenCause cause, PenNames *names)
{
  g_autoptr (GString) words = NULL;

  if (!spot->symbol)
    return NULL;
  words = g_string_new (NULL);
  g_string_append_printf (words, "%d\n%s\n", (int) cause, spot->occupant);
  pen_pair_append_plain_symbol (words, spot->symbol);
  if (!spot->is_at_entry)
    g_string_append_printf (words, "+0x%" PRIx64, spot->offset);
  return pen_names_add (names, words->str);
}

static gboolean
is_kernel_text (PenKind kind)
{
  return kind == PEN_KIND_KERNEL || kind == PEN_KIND_MODULE;
}

/* Tracers and live patches are at many functions at once; each function is a thing. */
static gboolean
is_of_function (PenCause cause)
{
  return cause == PEN_CAUSE_FTRACE || cause == PEN_CAUSE_LIVEPATCH;
}

gboolean
pen_pair_is_entry (PenCause cause, guint64 offset)
{
  return offset == 0
         || (offset == LANDING_LENGTH && (is_of_function (cause) || cause == PEN_CAUSE_BPF));
}

static PenPairSpot
make_spot (Build *build, const PenCauseLeaf *leaf)
{
  const PenCauseLeaves *leaves = build->self->leaves;
  const PenPokeSites *sites = leaves->sites;
  const PenPoke *poke = pen_poke_sites_get (sites, sites->order[sites->starts[leaf->site]]);
  const PenTenure *tenure = pen_cause_names_get_tenure (leaves->names, poke->tenure);
  const PenFunction *function = pen_query_get_function (leaves->query, leaf->function);
  PenPairSpot spot = { .kind = tenure ? tenure->kind : PEN_KIND_UNKNOWN,
                       .occupant = keep (build, tenure ? tenure->occupant : ""),
                       .function = leaf->function };

  if (!function || !function->symbol || function->symbol[0] == '\0')
    return spot;
  pen_pair_key_set (&build->key, function, build->programs);
  spot.kind = function->kind;
  spot.occupant = keep (build, build->key.occupant->str);
  spot.symbol = keep (build, build->key.symbol->str);
  spot.offset = pen_store_get_offset (leaves->query->store, function, poke->tenure, poke->address);
  if (is_kernel_text (function->kind)) {
    spot.is_at_entry = pen_pair_is_entry (poke->cause, spot.offset);
    spot.own_occupant = function->occupant;
    spot.own_symbol = function->symbol;
  }
  return spot;
}

/* From the patches of the leaf, whenever they were. */
static void
find_sides (const Build *build, guint index, PenPairSpot *spot)
{
  const PenCauseLeaves *leaves = build->self->leaves;
  const PenPokeSites *sites = leaves->sites;
  const PenCauseLeaf *leaf = &g_array_index (leaves->leaves, PenCauseLeaf, index);
  const PenPoke *original = NULL;

  for (guint i = sites->starts[leaf->site];
       i < sites->starts[leaf->site + 1] && (!spot->has_on || !spot->has_off); i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, sites->order[i]);
    const PenBatch *batch = pen_poke_sites_get_batch (sites, poke);

    if (!original && poke->effect == PEN_POKE_PATCH)
      original = poke;
    if (leaves->leaf_of[sites->order[i]] != index || poke->effect != PEN_POKE_PATCH)
      continue;
    for (guint k = 0; k < 2; k++) {
      gboolean is_on = k == 0 ? pen_poke_is_on_before (poke, batch, original)
                              : pen_poke_is_on_after (poke, batch, original);
      const PenPokeSide *side = k == 0 ? &poke->before : &poke->after;

      if (is_on && !spot->has_on) {
        spot->on = *side;
        spot->has_on = TRUE;
      } else if (!is_on && !spot->has_off) {
        spot->off = *side;
        spot->has_off = TRUE;
      }
    }
  }
}

/* ---- patches ---- */

static gboolean
is_trampoline (const PenCauseGroup *group)
{
  return group->cause == PEN_CAUSE_BPF && g_str_has_prefix (group->name, PEN_PAIR_TRAMPOLINE);
}

/* The numbers of trampolines are those of one kernel: the call in the kernel's text that leads to
 * one says whose it is. */
static void
find_attached (Build *build)
{
  const PenCauseLeaves *leaves = build->self->leaves;

  build->attached = g_new0 (const char *, leaves->groups->len + 1);
  for (guint i = 0; i < leaves->leaves->len; i++) {
    const PenCauseLeaf *leaf = &g_array_index (leaves->leaves, PenCauseLeaf, i);
    const PenFunction *function = pen_query_get_function (leaves->query, leaf->function);

    if (function && function->symbol && is_kernel_text (function->kind)
        && !build->attached[leaf->group]
        && is_trampoline (&g_array_index (leaves->groups, PenCauseGroup, leaf->group)))
      build->attached[leaf->group] = function->symbol;
  }
}

/* An address without a name says nothing in another recording. */
static const char *
get_comparable_name (const PenCauseGroup *group)
{
  return group->name && !g_str_has_prefix (group->name, "0x") ? group->name : "";
}

static gboolean
is_probe (PenCause cause)
{
  return cause == PEN_CAUSE_KPROBE || cause == PEN_CAUSE_OPTPROBE;
}

static char *
make_name (const Build *build, guint32 number, const PenCauseGroup *group)
{
  const char *attached = build->attached[number];

  if (!is_trampoline (group))
    return g_strdup (group->name ? group->name : "");
  return attached ? g_strdup_printf (PEN_PAIR_TRAMPOLINE "* (%s)", attached)
                  : g_strdup (PEN_PAIR_TRAMPOLINE "*");
}

/* Of what a leaf is part of. A key without a name is that of all its sites, of which the first is
 * in place of one; a probe without a symbol has its address. */
static void
write_key (Build *build, guint32 number, const PenCauseGroup *group, const PenPairSpot *spot)
{
  const char *place = pen_pair_spot_get_place (spot, group->cause, build->self->names);
  g_autofree char *name = make_name (build, number, group);

  g_string_printf (build->words, "%d\n", (int) group->cause);
  if (is_of_function (group->cause))
    g_string_append_printf (build->words, "of %s\n%s", get_comparable_name (group),
                            place ? place : "");
  else if (is_probe (group->cause) && place)
    g_string_append_printf (build->words, "place\n%s", place);
  else
    g_string_append_printf (build->words, "%s\n%s", group->is_place ? "site" : "name", name);
}

static const char *
join_words (const Build *build, const GPtrArray *words)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; words && i < words->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *) words->pdata[i]);
  return words ? keep (build, text->str) : NULL;
}

/* ftrace's own memory is no function. */
static gboolean
is_meant (PenCause cause, const PenPairSpot *spot)
{
  return !is_of_function (cause) || spot->kind != PEN_KIND_STUB;
}

static void
add_leaf (Build *build, guint index)
{
  PenPairThings *self = build->self;
  const PenCauseLeaves *leaves = self->leaves;
  const PenCauseLeaf *leaf = &g_array_index (leaves->leaves, PenCauseLeaf, index);
  const PenCauseGroup *group = &g_array_index (leaves->groups, PenCauseGroup, leaf->group);
  PenPairSpot spot = make_spot (build, leaf);
  const char *place = pen_pair_spot_get_place (&spot, group->cause, self->names);
  PenPairThing *thing;

  if (!is_meant (group->cause, &spot))
    return;
  find_sides (build, index, &spot);
  write_key (build, leaf->group, group, &spot);
  thing = get_thing (build, group->cause, FALSE);
  if (!thing->name) {
    g_autofree char *name = make_name (build, leaf->group, group);

    thing->name = keep (build, name);
    thing->is_place = group->is_place;
    thing->detail = join_words (build, group->programs);
    thing->purpose = join_words (build, group->purposes);
  }
  thing->stand.flips += leaf->n_flips;
  thing->stand.sites++;
  g_array_append_val (thing->spots, spot);
  if (leaf->function != PEN_POKE_NO_FUNCTION)
    g_array_append_val (thing->functions, leaf->function);
  if (leaf->n_stretches > 0)
    g_array_append_vals (thing->parts,
                         &g_array_index (leaves->stretches, PenCauseStretch, leaf->first_stretch),
                         leaf->n_stretches);
  if (place && !g_hash_table_contains (self->by_place, place))
    g_hash_table_insert (self->by_place, (gpointer) place, thing);
}

static gboolean
add_leaves (Build *build, GError **error)
{
  PenPairThings *self = build->self;

  find_attached (build);
  for (guint i = 0; i < self->leaves->leaves->len; i++) {
    const PenCauseLeaf *leaf = &g_array_index (self->leaves->leaves, PenCauseLeaf, i);
    PenCause cause = g_array_index (self->leaves->groups, PenCauseGroup, leaf->group).cause;

    if (!pen_store_steps_on (self->query->store, i, error))
      return FALSE;
    if (pen_filter_admits_cause (self->filter, TRUE, cause))
      add_leaf (build, i);
  }
  return TRUE;
}

/* ---- programs ---- */

/*
 * @ids: tenure of a function → number of its program, where only what the recorder asked the kernel
 *   says so
 * @mains: number of a program → the name of the function by which BPF_EVENT names it
 * @functions: name → (element-type guint32): ids
 */
typedef struct {
  Build *build;
  GHashTable *ids;
  GHashTable *mains;
  GHashTable *functions;
  gboolean is_listing;
} ProgramSearch;

static guint32
get_program (const ProgramSearch *search, const PenTenure *tenure)
{
  return tenure->bpf_id != 0
             ? tenure->bpf_id
             : GPOINTER_TO_UINT (g_hash_table_lookup (search->ids, GUINT_TO_POINTER (tenure->id)));
}

static gboolean
is_admitted (const PenFilter *filter, const PenTenure *tenure, guint32 bpf_id)
{
  return pen_filter_admits_kind (filter, PEN_KIND_BPF)
         && pen_filter_admits_word (filter, PEN_FILTER_OCCUPANT, tenure->occupant)
         && pen_filter_admits_word (filter, PEN_FILTER_SYMBOL, tenure->occupant)
         && pen_filter_admits_tenure (filter, tenure->id, bpf_id)
         && !pen_filter_requires (filter, PEN_FILTER_CAUSE) && !filter->has_address;
}

static void
note_main (ProgramSearch *search, const PenTenure *tenure)
{
  if (tenure->bpf_id != 0
      && !g_hash_table_contains (search->mains, GUINT_TO_POINTER (tenure->bpf_id)))
    g_hash_table_insert (search->mains, GUINT_TO_POINTER (tenure->bpf_id),
                         (gpointer) tenure->occupant);
}

static gboolean
is_recorded_in (const PenCauseStretch *window, PenBound bound, PenMoment moment)
{
  return bound == PEN_BOUND_RECORDED && moment.time >= window->from && moment.time < window->to;
}

static void
add_program (ProgramSearch *search, const PenTenure *tenure)
{
  Build *build = search->build;
  PenPairThings *self = build->self;
  const PenCauseStretch *window = &self->window;
  PenCauseStretch stretch
      = { MAX (tenure->from.time, window->from), MIN (tenure->to.time, window->to), PEN_CAUSE_ON };
  guint32 bpf_id = get_program (search, tenure);
  const char *main = g_hash_table_lookup (search->mains, GUINT_TO_POINTER (bpf_id));
  const char *name = bpf_id != 0 && main ? main : tenure->occupant;
  const PenFunction function = { .kind = PEN_KIND_BPF, .occupant = name, .symbol = name };
  const GArray *ids = g_hash_table_lookup (search->functions, tenure->occupant);
  PenPairThing *thing;

  if (stretch.from >= stretch.to || !is_admitted (self->filter, tenure, bpf_id))
    return;
  pen_pair_key_set (&build->key, &function, build->programs);
  g_string_printf (build->words, "program\n%s", build->key.occupant->str);
  thing = get_thing (build, PEN_CAUSE_BPF, TRUE);
  if (!thing->name)
    thing->name = keep (build, build->key.occupant->str);
  if (ids)
    g_array_append_vals (thing->functions, ids->data, ids->len);
  /* Of its functions, one stands for the program. */
  if (!g_str_equal (name, tenure->occupant))
    return;
  g_array_append_val (thing->parts, stretch);
  thing->stand.sites++;
  thing->stand.flips += is_recorded_in (window, tenure->from_bound, tenure->from);
  thing->stand.flips += is_recorded_in (window, tenure->to_bound, tenure->to);
}

static gboolean
take_tenure (const PenTenure *tenure, gpointer user_data)
{
  ProgramSearch *search = user_data;

  if (tenure->kind != PEN_KIND_BPF)
    return TRUE;
  if (search->is_listing)
    note_main (search, tenure);
  else
    add_program (search, tenure);
  return TRUE;
}

static GHashTable *
list_functions (PenQuery *query)
{
  GHashTable *functions
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);

  for (guint32 i = 0; i < query->n_functions; i++) {
    const PenFunction *function = &query->functions[i];
    GArray *ids;

    if (function->kind != PEN_KIND_BPF)
      continue;
    ids = g_hash_table_lookup (functions, function->occupant);
    if (!ids) {
      ids = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (functions, (gpointer) function->occupant, ids);
    }
    g_array_append_val (ids, i);
  }
  return functions;
}

static gboolean
add_programs (Build *build, GError **error)
{
  PenStore *store = build->self->query->store;
  g_autoptr (GArray) described = pen_store_load_bpf_functions (store, error);
  g_autoptr (GHashTable) ids = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GHashTable) mains = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GHashTable) functions = list_functions (build->self->query);
  ProgramSearch search = { build, ids, mains, functions, TRUE };

  if (!described)
    return FALSE;
  for (guint i = 0; i < described->len; i++) {
    const PenStoredBpfFunction *function = &g_array_index (described, PenStoredBpfFunction, i);

    if (function->tenure != 0)
      g_hash_table_insert (ids, GUINT_TO_POINTER (function->tenure),
                           GUINT_TO_POINTER (function->bpf_id));
  }
  if (!pen_store_foreach_tenure (store, FALSE, take_tenure, &search, error))
    return FALSE;
  search.is_listing = FALSE;
  return pen_store_foreach_tenure (store, FALSE, take_tenure, &search, error);
}

/* ---- how they stood ---- */

static double
get_seconds (const GArray *stretches, PenCauseState state)
{
  double seconds = 0;

  for (guint i = 0; i < stretches->len; i++) {
    const PenCauseStretch *stretch = &g_array_index (stretches, PenCauseStretch, i);

    if (stretch->state == state)
      seconds += (double) (stretch->to - stretch->from) / 1e9;
  }
  return seconds;
}

static void
finish_stand (const PenPairThings *self, PenPairThing *thing)
{
  double all = (double) (self->window.to - self->window.from) / 1e9;
  g_autoptr (GArray) lane = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  PenPairStand *stand = &thing->stand;
  double on, off, unknown;

  pen_lane_append_union (lane, thing->parts);
  on = get_seconds (lane, PEN_CAUSE_ON);
  unknown = get_seconds (lane, PEN_CAUSE_UNSURE);
  off = thing->is_program ? MAX (all - on, 0) : get_seconds (lane, PEN_CAUSE_OFF);
  stand->on = all > 0 ? on / all : NAN;
  stand->unknown = all > 0 ? unknown / all : NAN;
  if (on > 0)
    stand->state = off > 0 ? PEN_PAIR_STAND_IS_BOTH : PEN_PAIR_STAND_IS_ON;
  else
    stand->state = off > 0 ? PEN_PAIR_STAND_IS_OFF : PEN_PAIR_STAND_IS_UNKNOWN;
}

/* ---- all ---- */

static gboolean
find_losses (PenPairThings *self, GError **error)
{
  g_auto (PenPokeLosses) losses = { 0 };

  if (!pen_poke_losses_init (&losses, self->query, error))
    return FALSE;
  self->hidden_from
      = losses.losses->len > 0 ? g_array_index (losses.losses, PenLoss, 0).from : G_MAXUINT64;
  return TRUE;
}

PenPairThings *
pen_pair_things_new (const PenPairSource *source, const PenPairPrograms *programs, PenNames *names,
                     GError **error)
{
  static const PenFilter everything = { 0 };
  g_autoptr (PenPairThings) self = g_new0 (PenPairThings, 1);
  g_auto (Build) build = { .self = self, .programs = programs };

  self->query = source->query;
  self->filter = source->filter ? source->filter : &everything;
  self->names = names;
  self->things = g_ptr_array_new_with_free_func (thing_free);
  self->by_key = g_hash_table_new (pen_str_hash, g_str_equal);
  self->by_place = g_hash_table_new (pen_str_hash, g_str_equal);
  pen_pair_key_init (&build.key);
  build.words = g_string_new (NULL);
  self->leaves = pen_cause_leaves_new (self->query, self->filter, PEN_CAUSES_BY_KEY, error);
  if (!self->leaves || !find_losses (self, error))
    return NULL;
  self->window = self->leaves->window;
  if (!add_leaves (&build, error) || !add_programs (&build, error))
    return NULL;
  for (guint i = 0; i < self->things->len; i++)
    finish_stand (self, self->things->pdata[i]);
  return g_steal_pointer (&self);
}

void
pen_pair_things_free (PenPairThings *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->leaves, pen_cause_leaves_free);
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->by_place);
  g_ptr_array_unref (self->things);
  g_free (self);
}
