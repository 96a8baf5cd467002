/* pen-witness-judge.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witness-judge.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-chain-check.h"
#include "pen-table-hash.h"

#define INT3 0xcc
/* How far from a poke's record its other version may be seen (P4), ns. */
#define BAND 50000000u
/* Pokes that are asked for it, the nearest on each side. */
#define MAX_ASKED 32u
/* More is no change any more, but another text. */
#define MAX_UNANNOUNCED 4096u
/* Bytes that differ and lie nearer to one another are one change. */
#define JOINED 8u
/* Of a sample: no instruction is longer. */
#define COMPARED 16u
#define PROGRESS_STEP 256u

/*
 * Asked: what a reading was compared with
 * @reading: its index; or PEN_READINGS_NONE
 * @known, @differ: of its bytes, from @change on, until @until
 */
typedef struct {
  guint reading;
  guint64 change;
  PenMoment until;
  guint64 known;
  guint64 differ;
} Asked;

/*
 * Spot: a place as samples ask for it
 * @readings: guint: indexes, in time order; @next: how many lie before the last sample
 * @asked: of the reading before a sample and of the one after it
 */
typedef struct {
  GArray *readings;
  guint next;
  Asked asked[2];
} Spot;

struct _PenWitnessJudge {
  PenReadings *readings;
  PenHistory *history;
  PenLoadedSources *sources;
  PenWitnessText *text;
  GHashTable *spots; /* guint64 * → Spot */
  PenAgreement counts;
};

static void
free_spot (gpointer data)
{
  Spot *spot = data;

  g_array_unref (spot->readings);
  g_free (spot);
}

PenWitnessJudge *
pen_witness_judge_new (PenReadings *readings, PenHistory *history, PenLoadedSources *sources)
{
  PenWitnessJudge *self = g_new0 (PenWitnessJudge, 1);

  self->readings = readings;
  self->history = history;
  self->sources = sources;
  self->text = pen_witness_text_new (history, sources);
  self->spots = g_hash_table_new_full (pen_int64_hash, g_int64_equal, NULL, free_spot);
  return self;
}

void
pen_witness_judge_free (PenWitnessJudge *self)
{
  if (!self)
    return;
  g_hash_table_unref (self->spots);
  pen_witness_text_free (self->text);
  g_free (self);
}

/* ---- verdicts ---- */

/* The bytes of @text that are known and other than those that were read. */
static guint64
compare (const PenPlaceText *text, const PenWitnessedPlace *record)
{
  guint64 differ = 0;

  for (guint i = 0; i < record->length; i++)
    if ((text->known >> i & 1) != 0 && text->bytes[i] != record->bytes[i])
      differ |= (guint64) 1 << i;
  return differ;
}

/* A file that nothing checked, or an inference, does not contradict a reading: it is wrong. */
static void
drop_weak (PenPlaceText *text, const PenWitnessedPlace *record)
{
  text->known &= ~(compare (text, record) & text->weak);
}

static gboolean
touches (const PenPoke *poke, guint64 start, guint64 mask)
{
  guint64 end = poke->address + MIN (pen_poke_get_length (poke), G_MAXUINT64 - poke->address);

  for (guint i = 0; i < PEN_WITNESSED_BYTES; i++)
    if ((mask >> i & 1) != 0 && start + i >= poke->address && start + i < end)
      return TRUE;
  return FALSE;
}

static guint64
get_distance (guint64 a, guint64 b)
{
  return a > b ? a - b : b - a;
}

/* Looks outwards from the moment of a reading. */
typedef struct {
  PenWitnessJudge *self;
  const PenPoke *pokes;
  const GArray *indexes;
  guint before; /* how many are before the moment, and not asked yet */
  guint after;  /* the next one after it */
  guint64 time;
} Nearest;

static Nearest
nearest_begin (PenWitnessJudge *self, const PenSeen *seen)
{
  Nearest nearest = {
    .self = self,
    .pokes = pen_history_get_pokes (self->history, &(guint){ 0 }),
    .indexes = pen_witness_text_get_pokes (self->text, seen->record.start),
    .time = seen->moment.time,
  };
  guint n = PEN_BINARY_SEARCH (
      i, 0, nearest.indexes->len,
      pen_moment_compare (nearest.pokes[g_array_index (nearest.indexes, guint32, i)].moment,
                          seen->moment)
          < 0);

  nearest.before = nearest.after = n;
  return nearest;
}

static const PenPoke *
nearest_next (Nearest *self)
{
  const PenPoke *before
      = self->before > 0 ? &self->pokes[g_array_index (self->indexes, guint32, self->before - 1)]
                         : NULL;
  const PenPoke *after = self->after < self->indexes->len
                             ? &self->pokes[g_array_index (self->indexes, guint32, self->after)]
                             : NULL;

  if (before
      && (!after
          || get_distance (before->moment.time, self->time)
                 <= get_distance (after->moment.time, self->time))) {
    self->before--;
    return before;
  }
  self->after += after != NULL;
  return after;
}

/* The nearest poke that touches one of the bytes, among the nearest of the place. */
static const PenPoke *
find_nearest (PenWitnessJudge *self, const PenSeen *seen, guint64 mask)
{
  Nearest nearest = nearest_begin (self, seen);
  const PenPoke *poke;

  for (guint i = 0; i < 2 * MAX_ASKED && (poke = nearest_next (&nearest)); i++)
    if (touches (poke, seen->record.start, mask))
      return poke;
  return NULL;
}

static gboolean
is_as_at (PenWitnessJudge *self, PenSweep *sweep, const PenSeen *seen, PenMoment moment)
{
  PenPlaceText text;

  pen_witness_text_read (self->text, sweep, seen->record.start, seen->record.length, moment,
                         PEN_PLACE_ASKED, &text);
  drop_weak (&text, &seen->record);
  return compare (&text, &seen->record) == 0;
}

/* The poke just before or after which the place was as it was read (P4), or NULL. */
static const PenPoke *
find_band (PenWitnessJudge *self, PenSweep *sweep, const PenSeen *seen)
{
  Nearest nearest = nearest_begin (self, seen);
  const PenPoke *poke;

  for (guint i = 0; i < 2 * MAX_ASKED && (poke = nearest_next (&nearest)); i++) {
    if (get_distance (poke->moment.time, seen->moment.time) >= BAND)
      return NULL;
    if (is_as_at (self, sweep, seen, poke->moment)
        || is_as_at (self, sweep, seen, pen_moment (poke->moment.time, G_MAXUINT64)))
      return poke;
  }
  return NULL;
}

static gboolean
shows_breakpoint (const PenSeen *seen, guint64 differ)
{
  for (guint i = 0; i < seen->record.length; i++)
    if ((differ >> i & 1) != 0 && seen->record.bytes[i] == INT3)
      return TRUE;
  return FALSE;
}

/* ---- changes without a record ---- */

static void
add_change (PenWitnessJudge *self, const PenSeen *seen, const PenPlaceText *text, guint first,
            guint end)
{
  const PenPoke poke = {
    .moment = seen->moment,
    .time = seen->moment.time,
    .has_time = TRUE,
    .address = seen->record.start + first,
    .old_length = (guint16) (end - first),
    .new_length = (guint16) (end - first),
    .old_bytes = text->bytes + first,
    .new_bytes = seen->record.bytes + first,
    .tenure = text->tenures[first],
    .pid = -1,
    .tid = -1,
    .cpu = G_MAXUINT32,
  };

  if (pen_witness_text_get_added (self->text)->len < MAX_UNANNOUNCED)
    pen_witness_text_add_poke (self->text, &poke);
}

/* One for each stretch of bytes that differ, within one tenure. */
static void
add_changes (PenWitnessJudge *self, const PenSeen *seen, const PenPlaceText *text, guint64 differ)
{
  guint first = 0;
  guint end = 0;

  for (guint i = 0; i < seen->record.length; i++) {
    if (end > first
        && ((text->known >> i & 1) == 0 || text->tenures[i] != text->tenures[first]
            || i - end >= JOINED)) {
      add_change (self, seen, text, first, end);
      end = first = 0;
    }
    if ((differ >> i & 1) == 0)
      continue;
    if (end == first)
      first = i;
    end = i + 1;
  }
  if (end > first)
    add_change (self, seen, text, first, end);
}

/* The text is as it was read from now on. Returns: position of the change that made it so */
static guint64
change_text (PenWitnessJudge *self, PenSweep *sweep, const PenSeen *seen)
{
  PenPlaceText text;
  guint64 differ;

  pen_witness_text_read (self->text, sweep, seen->record.start, seen->record.length, seen->moment,
                         PEN_PLACE_ASKED | PEN_PLACE_CHANGED, &text);
  drop_weak (&text, &seen->record);
  differ = compare (&text, &seen->record);
  if (differ != 0) {
    add_changes (self, seen, &text, differ);
    return seen->moment.position;
  }
  return pen_witness_text_get_last_added (self->text, seen->record.start);
}

/* ---- readings ---- */

/* Of a reading that records do not explain. Returns: FALSE: neither a breakpoint nor a band */
static gboolean
find_patch (PenWitnessJudge *self, PenSweep *sweep, PenSeen *seen, guint64 differ)
{
  gboolean is_breakpoint = shows_breakpoint (seen, differ);
  const PenPoke *poke;

  if ((differ & pen_witness_text_get_touched (self->text, seen->record.start)) == 0)
    return FALSE;
  poke = is_breakpoint ? find_nearest (self, seen, differ) : find_band (self, sweep, seen);
  if (!poke && !is_breakpoint)
    return FALSE;
  seen->poke_position = poke ? poke->moment.position : 0;
  seen->verdict = is_breakpoint ? PEN_WITNESS_INT3 : PEN_WITNESS_BAND;
  return TRUE;
}

/* Against what records tell: a change that they do not stays one however often it is read. */
static void
find_verdict (PenWitnessJudge *self, PenSweep *sweep, PenSeen *seen)
{
  const PenWitnessedPlace *record = &seen->record;
  guint64 read = record->length < 64 ? ((guint64) 1 << record->length) - 1 : G_MAXUINT64;
  PenPlaceText text;
  guint64 differ;

  seen->verdict = PEN_WITNESS_NOTHING;
  if (record->length == 0)
    return;
  if ((record->flags & PEN_WITNESSED_USER) != 0) {
    seen->verdict = PEN_WITNESS_TOLD;
    return;
  }

  pen_witness_text_read (self->text, sweep, record->start, record->length, seen->moment,
                         PEN_PLACE_ASKED, &text);
  drop_weak (&text, record);
  differ = compare (&text, record);
  if (differ == 0) {
    pen_witness_text_tell (self->text, record->start, record->bytes, read & ~text.known, &text);
    seen->verdict = (text.known & read) == 0 ? PEN_WITNESS_TOLD : PEN_WITNESS_AGREES;
    if (pen_witness_text_get_last_added (self->text, record->start) != 0)
      change_text (self, sweep, seen); /* back to what records tell */
  } else if (!find_patch (self, sweep, seen, differ)) {
    seen->poke_position = change_text (self, sweep, seen);
    seen->verdict = PEN_WITNESS_UNANNOUNCED;
  }
}

static gboolean
judge_all (PenWitnessJudge *self, PenProgress *progress, GError **error)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new (self->history);
  guint n;
  PenSeen *seen = pen_readings_get (self->readings, &n);

  pen_sweep_set_func (sweep, pen_progress_may_go_on, progress);
  for (guint i = 0; i < n; i++) {
    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, progress->state.done, error))
      return FALSE;
    pen_sweep_advance (sweep, seen[i].moment);
    find_verdict (self, sweep, &seen[i]);
  }
  return pen_progress_step (progress, progress->state.done, error);
}

/* Numbers of pokes are final now. */
static void
find_pokes (PenWitnessJudge *self)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (pen_int64_hash, g_int64_equal);
  guint n;
  PenSeen *seen = pen_readings_get (self->readings, &n);
  guint n_pokes;
  PenPoke *pokes = pen_history_get_pokes (self->history, &n_pokes);

  for (guint i = n_pokes; i-- > 0;)
    g_hash_table_insert (ids, &pokes[i].moment.position, GUINT_TO_POINTER (pokes[i].id));
  for (guint i = 0; i < n; i++)
    if (seen[i].poke_position != 0)
      seen[i].poke = GPOINTER_TO_UINT (g_hash_table_lookup (ids, &seen[i].poke_position));
}

static void
list_spots (PenWitnessJudge *self)
{
  guint n;
  PenSeen *seen = pen_readings_get (self->readings, &n);

  for (guint i = 0; i < n; i++) {
    Spot *spot = g_hash_table_lookup (self->spots, &seen[i].record.start);

    if ((seen[i].record.flags & PEN_WITNESSED_USER) != 0)
      continue;
    if (!spot) {
      spot = g_new0 (Spot, 1);
      spot->readings = g_array_new (FALSE, FALSE, sizeof (guint));
      spot->asked[0].reading = spot->asked[1].reading = PEN_READINGS_NONE;
      g_hash_table_insert (self->spots, &seen[i].record.start, spot);
    }
    g_array_append_val (spot->readings, i);
  }
}

/* What the check of the chains found out is found out once more, with the changes that were added.
 */
static void
forget_chains (PenHistory *history)
{
  guint n;
  PenPoke *pokes = pen_history_get_pokes (history, &n);

  for (guint i = 0; i < n; i++) {
    pokes[i].breaks_chain = FALSE;
    pokes[i].is_changed_early = FALSE;
    pokes[i].break_loss = 0;
  }
}

gboolean
pen_witness_judge_run (PenWitnessJudge *self, PenProgress *progress, GError **error)
{
  g_autoptr (GPtrArray) added = NULL;
  gboolean is_ok;

  /* Bytes that were changed early are not those of the copy (P7). */
  if (!pen_chain_check_run (self->history, self->sources, progress, error)
      || !judge_all (self, progress, error))
    return FALSE;

  forget_chains (self->history);
  is_ok = pen_witness_text_get_added (self->text)->len == 0
          || pen_history_add_unannounced (self->history, pen_witness_text_get_added (self->text),
                                          pen_progress_may_go_on, progress);
  pen_witness_text_forget_pokes (self->text);
  if (!is_ok)
    return !g_cancellable_set_error_if_cancelled (progress->cancellable, error);
  find_pokes (self);
  list_spots (self);
  return TRUE;
}

/* ---- samples ---- */

/* Up to two readings, one of which a sample saw, and how many. */
typedef struct {
  guint readings[2];
  guint n;
} Choice;

static void
count_earlier (Spot *spot, const PenSeen *seen, PenMoment moment)
{
  while (
      spot->next < spot->readings->len
      && pen_moment_compare (seen[g_array_index (spot->readings, guint, spot->next)].moment, moment)
             < 0)
    spot->next++;
}

/* A witness with an event of its own did not read when the sample was taken: where two readings
 * differ, the text changed at some time between them. */
static Choice
find_readings (PenWitnessJudge *self, Spot *spot, const PenSeen *seen, PenMoment moment,
               guint64 position)
{
  guint mate = pen_readings_find_mate (self->readings, position);
  gboolean is_apart = pen_readings_are_apart (self->readings);
  Choice choice = { { mate, PEN_READINGS_NONE }, mate != PEN_READINGS_NONE };
  guint last;

  count_earlier (spot, seen, moment);
  if ((mate != PEN_READINGS_NONE && !is_apart) || spot->next == 0)
    return choice;
  last = g_array_index (spot->readings, guint, spot->next - 1);
  if (moment.time > seen[last].to_time)
    return choice;
  choice = (Choice){ { last, PEN_READINGS_NONE }, 1 };
  if (is_apart && spot->next < spot->readings->len) {
    guint next = g_array_index (spot->readings, guint, spot->next);

    if (seen[next].moment.time == seen[last].to_time)
      choice.readings[choice.n++] = next;
  }
  return choice;
}

/* The next poke of the place from @moment on. */
static PenMoment
find_until (PenWitnessJudge *self, guint64 start, PenMoment moment)
{
  const GArray *indexes = pen_witness_text_get_pokes (self->text, start);
  const PenPoke *pokes = pen_history_get_pokes (self->history, &(guint){ 0 });
  guint n = PEN_BINARY_SEARCH (
      i, 0, indexes->len,
      pen_moment_compare (pokes[g_array_index (indexes, guint32, i)].moment, moment) < 0);

  return n < indexes->len ? pokes[g_array_index (indexes, guint32, n)].moment : PEN_MOMENT_END;
}

static gboolean
is_fresh (const Asked *asked, PenSweep *sweep, guint64 start, guint reading, PenMoment moment)
{
  const guint32 pages[]
      = { pen_sweep_get_page (sweep, PEN_SPACE_KERNEL, start),
          pen_sweep_get_page (sweep, PEN_SPACE_KERNEL, start + PEN_WITNESSED_BYTES - 1) };

  return asked->reading == reading && pen_moment_compare (moment, asked->until) <= 0
         && pen_sweep_is_held_since (sweep, PEN_SPACE_KERNEL, pages, G_N_ELEMENTS (pages),
                                     asked->change);
}

/* A sample's moment does not descend: what was found lasts until something changes. */
static void
ask (PenWitnessJudge *self, Asked *asked, PenSweep *sweep, const PenSeen *seen, guint reading,
     PenMoment moment)
{
  const PenWitnessedPlace *record = &seen[reading].record;
  PenPlaceText text;

  if (is_fresh (asked, sweep, record->start, reading, moment))
    return;
  pen_witness_text_read (self->text, sweep, record->start, record->length, moment,
                         PEN_PLACE_RECORDED, &text);
  drop_weak (&text, record);
  asked->reading = reading;
  asked->change = pen_sweep_get_changes (sweep)->count;
  asked->until = find_until (self, record->start, moment);
  asked->known = text.known;
  asked->differ = compare (&text, record);
}

/* Returns: the number to count up for a sample at @address */
static guint64 *
compare_sample (PenWitnessJudge *self, Asked *asked, const PenSeen *seen, guint64 address)
{
  const PenWitnessedPlace *record = &seen[asked->reading].record;
  guint n = MIN (COMPARED, record->length - (guint) (address - record->start));
  guint64 mask = (((guint64) 1 << n) - 1) << (address - record->start);

  if ((asked->known & mask) == 0)
    return &self->counts.told;
  return (asked->differ & mask) != 0 ? &self->counts.differ : &self->counts.agree;
}

/* A change between a sample and the reading after it is no contradiction. */
static gboolean
is_of_later_text (PenWitnessJudge *self, const PenSeen *seen, PenMoment moment)
{
  return pen_readings_are_apart (self->readings) && pen_moment_compare (moment, seen->moment) < 0
         && seen->verdict == PEN_WITNESS_AGREES;
}

void
pen_witness_judge_count (PenWitnessJudge *self, PenSweep *sweep, guint64 address, PenMoment moment,
                         guint64 position)
{
  guint64 start = address & ~(guint64) (PEN_WITNESSED_GRAIN - 1);
  Spot *spot = g_hash_table_lookup (self->spots, &start);
  const PenSeen *seen = pen_readings_get (self->readings, &(guint){ 0 });
  Choice choice = { { 0 }, 0 };
  guint64 *count = &self->counts.unread;

  if (spot)
    choice = find_readings (self, spot, seen, moment, position);
  for (guint i = 0; i < choice.n && count != &self->counts.agree; i++) {
    const PenSeen *chosen = &seen[choice.readings[i]];
    guint64 *answer;

    if (chosen->record.start != start || chosen->record.length <= address - start)
      continue;
    ask (self, &spot->asked[i], sweep, seen, choice.readings[i], moment);
    answer = compare_sample (self, &spot->asked[i], seen, address);
    if (answer == &self->counts.agree
        || (count == &self->counts.unread
            && !(answer == &self->counts.differ && is_of_later_text (self, chosen, moment))))
      count = answer;
  }
  ++*count;
}

PenAgreement
pen_witness_judge_get_counts (PenWitnessJudge *self)
{
  return self->counts;
}

gboolean
pen_witness_judge_write_text (PenWitnessJudge *self, PenStoreWriter *writer, GError **error)
{
  return pen_witness_text_write (self->text, writer, error);
}
