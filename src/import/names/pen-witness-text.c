/* pen-witness-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witness-text.h"

#include <string.h>

#include "pen-range-index.h"
#include "pen-table-hash.h"
#include "pen-text.h"

/* The pokes of a place. @last_added: position of the last change that was added; 0: none */
typedef struct {
  GArray *pokes; /* guint32: indexes, in time order */
  guint64 touched;
  guint64 last_added;
} Place;

typedef struct {
  guint64 start;
  guint64 tenure;
} HoldKey;

/*
 * Hold: the part of a place that one tenure holds, or held
 * @text: as records tell; NULL: to be made
 * @changed: bytes that changes told that were added, and no poke wrote since; @new_bytes: these.
 *   @n_pokes: how many pokes of the place were asked for that
 * @told: bytes that readings told; @differ: those that they told differently
 */
typedef struct {
  HoldKey key;
  GPtrArray *pieces;
  PenText *text;
  guint64 changed;
  guint8 new_bytes[PEN_WITNESSED_BYTES];
  guint n_pokes;
  guint64 told;
  guint64 differ;
  guint8 bytes[PEN_WITNESSED_BYTES];
} Hold;

struct _PenWitnessText {
  PenHistory *history;
  PenLoadedSources *sources;
  PenRangeIndex *index; /* of pokes; NULL: to be made */
  GHashTable *places;   /* guint64 * → Place */
  GHashTable *holds;    /* HoldKey → Hold */
  GPtrArray *added;     /* PenPoke */
};

static guint
hash_hold (gconstpointer key)
{
  return pen_data_hash (key, sizeof (HoldKey));
}

static gboolean
equal_holds (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (HoldKey)) == 0;
}

static void
free_place (gpointer data)
{
  Place *place = data;

  g_array_unref (place->pokes);
  g_free (place);
}

static void
free_hold (gpointer data)
{
  Hold *hold = data;

  g_ptr_array_unref (hold->pieces);
  pen_text_free (hold->text);
  g_free (hold);
}

static void
free_poke (gpointer data)
{
  PenPoke *poke = data;

  g_free ((gpointer) poke->old_bytes);
  g_free ((gpointer) poke->new_bytes);
  g_free (poke);
}

PenWitnessText *
pen_witness_text_new (PenHistory *history, PenLoadedSources *sources)
{
  PenWitnessText *self = g_new0 (PenWitnessText, 1);

  self->history = history;
  self->sources = sources;
  self->places = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, free_place);
  self->holds = g_hash_table_new_full (hash_hold, equal_holds, NULL, free_hold);
  self->added = g_ptr_array_new_with_free_func (free_poke);
  return self;
}

void
pen_witness_text_free (PenWitnessText *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->index, pen_range_index_free);
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->holds);
  g_ptr_array_unref (self->added);
  g_free (self);
}

void
pen_witness_text_forget_pokes (PenWitnessText *self)
{
  GHashTableIter iter;
  gpointer value;

  g_clear_pointer (&self->index, pen_range_index_free);
  g_hash_table_remove_all (self->places);
  g_ptr_array_set_size (self->added, 0);
  g_hash_table_iter_init (&iter, self->holds);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    Hold *hold = value;

    g_clear_pointer (&hold->text, pen_text_free);
    hold->changed = 0;
    hold->n_pokes = 0;
  }
}

/* ---- pokes ---- */

static guint64
get_end (const PenPoke *poke)
{
  return poke->address + MIN (pen_poke_get_length (poke), G_MAXUINT64 - poke->address);
}

static PenRangeIndex *
index_pokes (PenHistory *history)
{
  PenRangeIndex *index = pen_range_index_new ();
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (history, &n);

  for (guint i = 0; i < n; i++)
    if (pokes[i].cause != PEN_CAUSE_UNANNOUNCED && pokes[i].address < get_end (&pokes[i]))
      pen_range_index_add (index, pokes[i].address, get_end (&pokes[i]), i);
  pen_range_index_seal (index);
  return index;
}

static void
add_index (guint32 index, gpointer user_data)
{
  g_array_append_val (user_data, index);
}

static int
compare_indexes (gconstpointer a, gconstpointer b)
{
  const guint32 x = *(const guint32 *) a;
  const guint32 y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

/* The bytes of the place at @start that [@from, @to) has. */
static guint64
get_mask (guint64 start, guint64 from, guint64 to)
{
  guint first = from > start ? (guint) MIN (from - start, PEN_WITNESSED_BYTES) : 0;
  guint end = to > start ? (guint) MIN (to - start, PEN_WITNESSED_BYTES) : 0;
  guint64 below = end < 64 ? ((guint64) 1 << end) - 1 : G_MAXUINT64;

  return first < end ? below & (G_MAXUINT64 << first) : 0;
}

static Place *
get_place (PenWitnessText *self, guint64 start)
{
  Place *place = g_hash_table_lookup (self->places, &start);
  const PenPoke *pokes = pen_history_get_pokes (self->history, &(guint){ 0 });

  if (place)
    return place;
  if (!self->index)
    self->index = index_pokes (self->history);
  place = g_new0 (Place, 1);
  place->pokes = g_array_new (FALSE, FALSE, sizeof (guint32));
  pen_range_index_find (self->index, start, start + PEN_WITNESSED_BYTES, add_index, place->pokes);
  g_array_sort (place->pokes, compare_indexes);
  for (guint i = 0; i < place->pokes->len; i++) {
    const PenPoke *poke = &pokes[g_array_index (place->pokes, guint32, i)];

    place->touched |= get_mask (start, poke->address, get_end (poke));
  }
  g_hash_table_insert (self->places, g_memdup2 (&start, sizeof start), place);
  return place;
}

guint64
pen_witness_text_get_touched (PenWitnessText *self, guint64 start)
{
  return get_place (self, start)->touched;
}

const GArray *
pen_witness_text_get_pokes (PenWitnessText *self, guint64 start)
{
  return get_place (self, start)->pokes;
}

const GPtrArray *
pen_witness_text_get_added (PenWitnessText *self)
{
  return self->added;
}

/* ---- text ---- */

static Hold *
get_hold (PenWitnessText *self, guint64 start, const PenTenure *tenure, gboolean may_ask)
{
  HoldKey key = { start, tenure->id };
  Hold *hold = g_hash_table_lookup (self->holds, &key);

  if (hold || !may_ask)
    return hold;
  hold = g_new0 (Hold, 1);
  hold->key = key;
  hold->pieces
      = pen_loaded_sources_read (self->sources, tenure, start, start + PEN_WITNESSED_BYTES);
  g_hash_table_insert (self->holds, &hold->key, hold);
  return hold;
}

static PenText *
make_text (PenWitnessText *self, const Hold *hold)
{
  const PenTenure *tenure = pen_history_get_tenure (self->history, hold->key.tenure);
  const PenPoke *all = pen_history_get_pokes (self->history, &(guint){ 0 });
  const GArray *indexes = pen_witness_text_get_pokes (self, hold->key.start);
  g_autoptr (GPtrArray) pokes = g_ptr_array_new ();

  for (guint i = 0; i < indexes->len; i++)
    g_ptr_array_add (pokes, (gpointer) &all[g_array_index (indexes, guint32, i)]);
  return pen_text_new (tenure, hold->key.start, hold->key.start + PEN_WITNESSED_BYTES,
                       (const PenTextPiece *const *) hold->pieces->pdata, hold->pieces->len,
                       (const PenPoke *const *) pokes->pdata, pokes->len);
}

/* ---- changes that were added ---- */

/* Moments do not descend: a poke that was not asked for yet came after the changes so far. */
static void
forget_overwritten (PenWitnessText *self, Hold *hold, PenMoment moment)
{
  const PenPoke *all = pen_history_get_pokes (self->history, &(guint){ 0 });
  const GArray *indexes = pen_witness_text_get_pokes (self, hold->key.start);

  for (; hold->n_pokes < indexes->len; hold->n_pokes++) {
    const PenPoke *poke = &all[g_array_index (indexes, guint32, hold->n_pokes)];

    if (pen_moment_compare (poke->moment, moment) >= 0)
      return;
    if (poke->tenure == hold->key.tenure)
      hold->changed &= ~get_mask (hold->key.start, poke->address, get_end (poke));
  }
}

static void
change_place (PenWitnessText *self, guint64 start, const PenPoke *poke)
{
  guint64 mask = get_mask (start, poke->address, get_end (poke));
  Hold *hold;

  if (mask == 0)
    return;
  get_place (self, start)->last_added = poke->moment.position;
  hold = get_hold (self, start, pen_history_get_tenure (self->history, poke->tenure), TRUE);
  forget_overwritten (self, hold, poke->moment);
  for (guint i = 0; i < PEN_WITNESSED_BYTES; i++)
    if ((mask >> i & 1) != 0)
      hold->new_bytes[i] = poke->new_bytes[start + i - poke->address];
  hold->changed |= mask;
}

void
pen_witness_text_add_poke (PenWitnessText *self, const PenPoke *poke)
{
  guint64 last = poke->address & ~(guint64) (PEN_WITNESSED_GRAIN - 1);
  PenPoke *copy = g_memdup2 (poke, sizeof *poke);

  copy->old_bytes = g_memdup2 (poke->old_bytes, poke->old_length);
  copy->new_bytes = g_memdup2 (poke->new_bytes, poke->new_length);
  g_ptr_array_add (self->added, copy);
  /* Places overlap, and a change is no longer than one. */
  for (gint k = -1; k <= 2; k++)
    change_place (self, last + (guint64) (k * (gint) PEN_WITNESSED_GRAIN), copy);
}

guint64
pen_witness_text_get_last_added (PenWitnessText *self, guint64 start)
{
  return get_place (self, start)->last_added;
}

static void
take_changes (PenWitnessText *self, Hold *hold, guint first, guint end, PenMoment moment,
              PenPlaceText *text)
{
  forget_overwritten (self, hold, moment);
  for (guint i = first; i < end; i++) {
    guint64 bit = (guint64) 1 << i;

    if ((hold->changed & bit) == 0)
      continue;
    text->bytes[i] = hold->new_bytes[i];
    text->known |= bit;
    text->weak &= ~bit;
  }
}

static void
read_run (PenWitnessText *self, const PenTenure *tenure, guint64 start, guint first, guint end,
          PenMoment moment, PenPlaceFlags flags, PenPlaceText *text)
{
  Hold *hold = get_hold (self, start, tenure, (flags & PEN_PLACE_ASKED) != 0);
  guint8 known[PEN_WITNESSED_BYTES];
  PenEvidence evidence = PEN_EVIDENCE_UNKNOWN;
  PenText *versions;

  if (!hold)
    return;
  if (!hold->text)
    hold->text = make_text (self, hold);
  versions = hold->text;
  pen_text_read (versions, start + first, end - first, moment, text->bytes + first, known,
                 &evidence);
  for (guint i = first; i < end; i++) {
    text->tenures[i] = tenure->id;
    if (!known[i - first])
      continue;
    text->known |= (guint64) 1 << i;
    if (evidence > PEN_EVIDENCE_FILE_UNCHECKED)
      continue;
    /* The weakest byte is; is this one? */
    pen_text_read (versions, start + i, 1, moment, text->bytes + i, known + (i - first), &evidence);
    if (evidence <= PEN_EVIDENCE_FILE_UNCHECKED)
      text->weak |= (guint64) 1 << i;
    evidence = PEN_EVIDENCE_INFERRED;
  }
  if ((flags & PEN_PLACE_CHANGED) != 0)
    take_changes (self, hold, first, end, moment, text);
}

void
pen_witness_text_read (PenWitnessText *self, PenSweep *sweep, guint64 start, guint length,
                       PenMoment moment, PenPlaceFlags flags, PenPlaceText *text)
{
  guint64 at = start;
  guint64 limit = start + length;

  *text = (PenPlaceText){ 0 };
  while (at < limit) {
    guint64 end = limit;
    const PenTenure *tenure = pen_sweep_find_kernel_run (sweep, at, &end);

    if (tenure)
      read_run (self, tenure, start, (guint) (at - start), (guint) (end - start), moment, flags,
                text);
    at = end;
  }
}

/* ---- what readings tell ---- */

void
pen_witness_text_tell (PenWitnessText *self, guint64 start, const guint8 *bytes, guint64 mask,
                       const PenPlaceText *text)
{
  for (guint i = 0; i < PEN_WITNESSED_BYTES; i++) {
    guint64 bit = (guint64) 1 << i;
    HoldKey key = { start, text->tenures[i] };
    Hold *hold = (mask & bit) != 0 && text->tenures[i] != 0
                     ? g_hash_table_lookup (self->holds, &key)
                     : NULL;

    if (!hold)
      continue;
    if ((hold->told & bit) != 0 && hold->bytes[i] != bytes[i])
      hold->differ |= bit;
    hold->told |= bit;
    hold->bytes[i] = bytes[i];
  }
}

static int
compare_holds (gconstpointer a, gconstpointer b)
{
  const Hold *x = *(const Hold *const *) a;
  const Hold *y = *(const Hold *const *) b;

  if (x->key.tenure != y->key.tenure)
    return x->key.tenure < y->key.tenure ? -1 : 1;
  return (x->key.start > y->key.start) - (x->key.start < y->key.start);
}

static gboolean
write_hold (PenWitnessText *self, const Hold *hold, PenStoreWriter *writer, GError **error)
{
  guint64 mask = hold->told & ~hold->differ & ~pen_witness_text_get_touched (self, hold->key.start);

  for (guint i = 0, end; i < PEN_WITNESSED_BYTES; i = end + 1) {
    g_autoptr (GBytes) bytes = NULL;
    PenStoredText text = { .tenure = (guint32) hold->key.tenure,
                           .start = hold->key.start + i,
                           .evidence = PEN_EVIDENCE_WITNESSED,
                           .source = "witness" };

    for (end = i; end < PEN_WITNESSED_BYTES && (mask >> end & 1) != 0; end++)
      ;
    if (end == i)
      continue;
    text.bytes = bytes = g_bytes_new (hold->bytes + i, end - i);
    if (!pen_store_writer_add_text (writer, &text, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_witness_text_write (PenWitnessText *self, PenStoreWriter *writer, GError **error)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer hold;

  g_hash_table_iter_init (&iter, self->holds);
  while (g_hash_table_iter_next (&iter, NULL, &hold))
    if (((Hold *) hold)->told != 0)
      g_ptr_array_add (sorted, hold);
  g_ptr_array_sort (sorted, compare_holds);
  for (guint i = 0; i < sorted->len; i++)
    if (!write_hold (self, sorted->pdata[i], writer, error))
      return FALSE;
  return TRUE;
}
