/* pen-fleet-changes.c: changes of text, those that are alike in one row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fleet-rows.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-bucket-cells.h"
#include "pen-compare.h"
#include "pen-query-cells.h"
#include "pen-store-changes.h"
#include "pen-text-places.h"

/* @has_version, @has_before: of @version, @before: digests of the texts after and before
 * @from, @to: when the text stood that a patch brought; ns */
typedef struct {
  PenKind kind;
  gboolean is_at_start;
  gboolean has_offset;
  gboolean has_version;
  gboolean has_before;
  gboolean has_seconds;
  const char *build;
  const char *occupant;
  const char *symbol;
  const char *change;
  const char *effect;
  const char *cause;
  const char *key;
  const char *became;
  const char *comm;
  guint64 offset;
  guint64 version;
  guint64 before;
  guint64 from;
  guint64 to;
} Change;

typedef struct {
  PenFleetSheet *sheet;
  PenPokeSites *sites;
  GArray *places;  /* PenTextPlace */
  GArray *changes; /* Change */
} Listing;

static void
listing_clear (Listing *self)
{
  g_clear_pointer (&self->sites, pen_poke_sites_free);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->changes, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listing, listing_clear)

/* ---- texts ---- */

static gboolean
brings_text (const PenPoke *poke)
{
  return poke->effect == PEN_POKE_PATCH && poke->tenure != 0 && poke->revision > 0;
}

static void
add_place (GArray *places, PenQuery *query, const PenPoke *poke, guint32 revision)
{
  const PenFunction *function = pen_query_get_function (query, poke->function);
  gboolean has_range = function && function->symbol && function->length > 0;
  PenTextPlace place = { .tenure = poke->tenure,
                         .revision = revision,
                         .address = poke->address,
                         .start = has_range ? function->start : poke->address,
                         .end = has_range ? function->start + function->length : poke->address,
                         .seen = PEN_MOMENT_START };

  g_array_append_val (places, place);
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return pen_text_place_compare (a, b);
}

/* The texts before and after each patch, each once. */
static gboolean
find_places (Listing *self, GError **error)
{
  PenQuery *query = self->sheet->query;
  PenCancelCheck check = pen_query_make_check (query);
  GArray *places = self->places;
  guint n = 0;

  for (guint i = 0; i < self->sites->pokes->len && pen_cancel_check_step (&check); i++) {
    const PenPoke *poke = pen_poke_sites_get (self->sites, i);

    if (brings_text (poke)) {
      add_place (places, query, poke, poke->revision - 1);
      add_place (places, query, poke, poke->revision);
    }
  }
  pen_cancel_check_sort (&check, places->data, places->len, sizeof (PenTextPlace), compare_places,
                         NULL);
  if (!pen_query_end_check (query, &check, error))
    return FALSE;
  for (guint i = 0; i < places->len; i++) {
    const PenTextPlace place = g_array_index (places, PenTextPlace, i);

    if (n == 0
        || pen_text_place_compare (&g_array_index (places, PenTextPlace, n - 1), &place) != 0)
      g_array_index (places, PenTextPlace, n++) = place;
  }
  g_array_set_size (places, n);
  return pen_text_places_find (query, self->sites, places, error);
}

/* (nullable) */
static const PenTextPlace *
find_place (const Listing *self, const PenPoke *poke, guint32 revision)
{
  const PenTextPlace key
      = { .tenure = poke->tenure, .revision = revision, .address = poke->address };
  GArray *places = self->places;
  guint i = PEN_BINARY_SEARCH (
      p, 0, places->len,
      pen_text_place_compare (&g_array_index (places, PenTextPlace, p), &key) < 0);

  if (i == places->len)
    return NULL;
  return pen_text_place_compare (&g_array_index (places, PenTextPlace, i), &key) == 0
             ? &g_array_index (places, PenTextPlace, i)
             : NULL;
}

/* ---- changes ---- */

/* "call ftrace_caller". Addresses differ from boot to boot. */
static const char *
describe_side (PenNames *names, const PenPokeSide *side)
{
  gboolean is_named
      = side->target && *side->target != '\0' && !g_str_has_prefix (side->target, "0x");
  g_autofree char *words
      = is_named ? g_strdup_printf ("%s %s", pen_side_form_to_string (side->form), side->target)
                 : g_strdup (pen_side_form_to_string (side->form));

  return pen_names_add (names, words);
}

static void
set_text (const Listing *self, const PenPoke *poke, Change *change)
{
  const PenTenureBuild *build = pen_fleet_sheet_get_build (self->sheet, poke->tenure);
  const PenTextPlace *before = find_place (self, poke, poke->revision - 1);
  const PenTextPlace *after = find_place (self, poke, poke->revision);

  if (before) {
    change->has_before = before->has_digest;
    change->before = before->digest;
  }
  if (after) {
    change->has_version = after->has_digest;
    change->version = after->digest;
    change->has_seconds = TRUE;
    change->from = MAX (build->from, after->from.time);
    change->to = MIN (build->to, after->to.time);
  }
}

static void
set_poke (const Listing *self, const PenPoke *poke, Change *change)
{
  PenNames *names = self->sheet->names;

  change->effect = pen_poke_effect_to_string (poke->effect);
  change->cause = pen_cause_to_string (poke->cause);
  change->key = pen_names_add (names, poke->key);
  if (poke->new_length > 0)
    change->became = describe_side (names, &poke->after);
  if (brings_text (poke))
    set_text (self, poke, change);
}

static gboolean
add_change (const PenChange *stored, gpointer user_data)
{
  Listing *self = user_data;
  PenNames *names = self->sheet->names;
  const char *none = pen_names_add (names, "");
  gboolean has_symbol = stored->symbol && *stored->symbol != '\0';
  Change change = {
    .kind = stored->kind,
    .is_at_start = stored->moment.time == 0,
    .has_offset = has_symbol,
    .offset = has_symbol ? stored->offset : 0,
    .build = pen_fleet_sheet_get_build (self->sheet, stored->tenure)->build,
    .occupant = pen_names_add (names, stored->occupant),
    .symbol = pen_names_add (names, stored->symbol),
    .change = pen_names_add (names, stored->change),
    .effect = none,
    .cause = none,
    .key = none,
    .became = none,
    .comm = stored->has_task ? pen_names_add (names, stored->comm) : none,
  };

  if (stored->poke > 0 && stored->poke <= self->sites->pokes->len)
    set_poke (self, pen_poke_sites_get (self->sites, stored->poke - 1), &change);
  g_array_append_val (self->changes, change);
  return TRUE;
}

/* ---- rows ---- */

static int
compare_words (const char *x, const char *y)
{
  return x == y ? 0 : strcmp (x, y);
}

static int
compare_flags (gboolean x, gboolean y)
{
  return (x != FALSE) - (y != FALSE);
}

static int
compare_texts (const Change *x, const Change *y)
{
  int order = compare_flags (x->has_version, y->has_version);

  if (order == 0)
    order = PEN_COMPARE (x->version, y->version);
  if (order == 0)
    order = compare_flags (x->has_before, y->has_before);
  if (order == 0)
    order = PEN_COMPARE (x->before, y->before);
  return order != 0 ? order : compare_words (x->became, y->became);
}

static int
compare_alike (const Change *x, const Change *y)
{
  const char *const words[][2] = {
    { x->build, y->build },   { x->symbol, y->symbol }, { x->occupant, y->occupant },
    { x->change, y->change }, { x->effect, y->effect }, { x->cause, y->cause },
    { x->key, y->key },       { x->comm, y->comm },
  };
  int order = PEN_COMPARE (x->kind, y->kind);

  for (guint i = 0; i < G_N_ELEMENTS (words) && order == 0; i++)
    order = compare_words (words[i][0], words[i][1]);
  if (order == 0)
    order = compare_flags (x->has_offset, y->has_offset);
  if (order == 0)
    order = PEN_COMPARE (x->offset, y->offset);
  if (order == 0)
    order = compare_flags (x->is_at_start, y->is_at_start);
  if (order == 0)
    order = compare_flags (x->has_seconds, y->has_seconds);
  return order != 0 ? order : compare_texts (x, y);
}

static int
compare_changes (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Change *x = a;
  const Change *y = b;
  int order = compare_alike (x, y);

  return order != 0 ? order : PEN_COMPARE (x->from, y->from);
}

/* @changes: @n alike, by the beginnings of their texts */
static gboolean
write_row (PenFleetSheet *sheet, const Change *changes, guint n, GError **error)
{
  PenTableWriter *writer = sheet->writer;
  PenStoodSpan span = { 0 };
  double seconds = 0;

  for (guint i = 0; i < n && changes->has_seconds; i++)
    seconds = pen_stood_span_add (&span, &sheet->time, changes[i].from, changes[i].to);
  pen_fleet_write_word (writer, changes->build);
  pen_fleet_write_word (writer, pen_kind_to_string (changes->kind));
  pen_fleet_write_word (writer, changes->symbol);
  pen_table_writer_unsigned (writer, changes->offset);
  pen_query_write_version (writer, changes->has_version, changes->version);
  pen_fleet_write_word (writer, changes->cause);
  pen_fleet_write_word (writer, changes->occupant);
  pen_fleet_write_word (writer, sheet->id);
  pen_fleet_write_word (writer, changes->change);
  pen_table_writer_unsigned (writer, changes->is_at_start ? 1 : 0);
  pen_fleet_write_word (writer, changes->effect);
  pen_fleet_write_word (writer, changes->key);
  pen_query_write_version (writer, changes->has_before, changes->before);
  pen_fleet_write_word (writer, changes->became);
  pen_fleet_write_word (writer, changes->comm);
  pen_table_writer_unsigned (writer, n);
  pen_query_write_stood (writer, changes->has_seconds, seconds);
  return pen_table_writer_end_row (writer, error);
}

static gboolean
write_rows (Listing *self, GError **error)
{
  GArray *changes = self->changes;
  guint end;

  for (guint i = 0; i < changes->len; i = end) {
    const Change *first = &g_array_index (changes, Change, i);

    for (end = i + 1;
         end < changes->len && compare_alike (first, &g_array_index (changes, Change, end)) == 0;)
      end++;
    if (!write_row (self->sheet, first, end - i, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_fleet_write_changes (PenFleetSheet *sheet, GError **error)
{
  PenQuery *query = sheet->query;
  PenCancelCheck check = pen_query_make_check (query);
  g_auto (Listing) self = { .sheet = sheet };

  self.sites = pen_poke_sites_new (query, error);
  if (!self.sites)
    return FALSE;
  self.places = g_array_new (FALSE, FALSE, sizeof (PenTextPlace));
  self.changes = g_array_new (FALSE, FALSE, sizeof (Change));
  if (!find_places (&self, error)
      || !pen_store_foreach_change (query->store, add_change, &self, error))
    return FALSE;
  pen_cancel_check_sort (&check, self.changes->data, self.changes->len, sizeof (Change),
                         compare_changes, NULL);
  return pen_query_end_check (query, &check, error) && write_rows (&self, error);
}
