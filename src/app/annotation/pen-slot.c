/* pen-slot.c: one row of the annotation: an instruction slot, or one of its versions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot.h"

#include "pen-format.h"

struct _PenSlot {
  GObject parent_instance;

  PenStrips *strips;
  PenSides *sides;  /* or NULL */
  GPtrArray *notes; /* or NULL */
  GPtrArray *note_owner;
  gboolean lit;
  PenClock clock;
  guint first;
  guint n;
  gboolean is_version;
  PenSlotState state; /* of a slot: as of the playhead */
  guint64 hottest;
  char *needle;
  PenJumpCell jumps;
  guint n_lanes;
  GListStore *versions; /* made when asked for */
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PenSlot, pen_slot, G_TYPE_OBJECT)

static void
pen_slot_dispose (GObject *object)
{
  PenSlot *self = PEN_SLOT (object);

  g_clear_object (&self->versions);
  g_clear_pointer (&self->strips, pen_strips_unref);
  g_clear_pointer (&self->sides, pen_sides_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->note_owner, g_ptr_array_unref);
  g_clear_pointer (&self->needle, g_free);

  G_OBJECT_CLASS (pen_slot_parent_class)->dispose (object);
}

static void
pen_slot_class_init (PenSlotClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_slot_dispose;
  signals[CHANGED] = g_signal_new ("changed", PEN_TYPE_SLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
pen_slot_init (PenSlot *self)
{
  self->state.is_present = TRUE;
}

/* (transfer full) (nullable): the @i-th that was made, NULL after the last */
static PenSlot *
dup_version (PenSlot *self, guint i)
{
  return self->versions ? g_list_model_get_item (G_LIST_MODEL (self->versions), i) : NULL;
}

PenSlot *
pen_slot_new (const PenStrips *strips, guint first, guint n, guint64 hottest)
{
  PenSlot *self = g_object_new (PEN_TYPE_SLOT, NULL);

  self->strips = g_atomic_rc_box_acquire ((PenStrips *) strips);
  self->first = first;
  self->n = n;
  self->hottest = hottest;
  return self;
}

void
pen_slot_update (PenSlot *self, const PenStrips *strips, guint first, guint64 hottest)
{
  PenStrips *old = self->strips;

  self->strips = g_atomic_rc_box_acquire ((PenStrips *) strips);
  pen_strips_unref (old);
  self->first = first;
  self->hottest = hottest;
  for (guint i = 0; self->versions && i < self->n; i++) {
    g_autoptr (PenSlot) version = dup_version (self, i);

    pen_slot_update (version, strips, first + i, hottest);
  }
  g_signal_emit (self, signals[CHANGED], 0);
}

PenSlotState
pen_slot_find_state (GPtrArray *lines, guint first, guint n, guint64 playhead)
{
  PenSlotState state = { 0, FALSE };

  for (guint i = 0; i < n; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (lines, first + i);

    if (line->from.time > playhead && i > 0)
      break;
    state.version = i;
    state.is_present = line->from.time <= playhead && playhead < line->to.time;
  }
  return state;
}

void
pen_slot_set_playhead (PenSlot *self, guint64 playhead)
{
  PenSlotState state
      = pen_slot_find_state (self->strips->text->annotated->lines, self->first, self->n, playhead);

  if (state.version == self->state.version && state.is_present == self->state.is_present)
    return;
  self->state = state;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
pen_slot_set_clock (PenSlot *self, const PenClock *clock)
{
  self->clock = *clock;
  for (guint i = 0; self->versions && i < self->n; i++) {
    g_autoptr (PenSlot) version = dup_version (self, i);

    pen_slot_set_clock (version, clock);
  }
  g_signal_emit (self, signals[CHANGED], 0);
}

const PenClock *
pen_slot_get_clock (PenSlot *self)
{
  return &self->clock;
}

/* ---- what is told beside the text ---- */

void
pen_slot_set_sides (PenSlot *self, const PenSides *sides)
{
  PenSides *old = self->sides;
  guint64 near = pen_slot_get_near (self);

  self->sides = sides ? g_atomic_rc_box_acquire ((PenSides *) sides) : NULL;
  g_clear_pointer (&old, pen_sides_unref);
  for (guint i = 0; self->versions && i < self->n; i++) {
    g_autoptr (PenSlot) version = dup_version (self, i);

    pen_slot_set_sides (version, sides);
  }
  if (near > 0 || pen_slot_get_near (self) > 0)
    g_signal_emit (self, signals[CHANGED], 0);
}

static const PenBandCount *
get_bands (PenSlot *self)
{
  return self->sides && self->sides->text == self->strips->text ? self->sides->bands : NULL;
}

guint64
pen_slot_get_near (PenSlot *self)
{
  const PenBandCount *bands = get_bands (self);
  guint64 near = 0;

  /* A version that did not last may have a sample near to both of its ends. */
  for (guint i = 0; bands && i < self->n; i++)
    near += MIN (bands[self->first + i].near_from + bands[self->first + i].near_to,
                 pen_slot_get_nth_line (self, i)->samples);
  return near;
}

static gboolean
is_noted_here (PenSlot *self, const PenNote *note)
{
  const PenAnnotationLine *line = pen_slot_get_nth_line (self, 0);

  return !self->is_version
         || (note->has_time && line->from.time <= note->time && note->time < line->to.time);
}

/* (transfer full) (nullable) */
static GPtrArray *
choose_notes (PenSlot *self, GPtrArray *notes)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  for (guint i = 0; notes && i < notes->len; i++) {
    if (is_noted_here (self, ((const PenNoteRow *) notes->pdata[i])->note))
      g_ptr_array_add (chosen, notes->pdata[i]);
  }
  return chosen->len > 0 ? g_steal_pointer (&chosen) : NULL;
}

void
pen_slot_set_notes (PenSlot *self, GPtrArray *notes, GPtrArray *owner)
{
  g_autoptr (GPtrArray) old = g_steal_pointer (&self->notes);
  g_autoptr (GPtrArray) old_owner = g_steal_pointer (&self->note_owner);

  self->notes = choose_notes (self, notes);
  self->note_owner = self->notes ? g_ptr_array_ref (owner) : NULL;
  for (guint i = 0; self->versions && i < self->n; i++) {
    g_autoptr (PenSlot) version = dup_version (self, i);

    pen_slot_set_notes (version, notes, owner);
  }
  if (old || self->notes)
    g_signal_emit (self, signals[CHANGED], 0);
}

GPtrArray *
pen_slot_get_notes (PenSlot *self)
{
  return self->notes;
}

void
pen_slot_set_lit (PenSlot *self, gboolean lit)
{
  if (self->lit == lit)
    return;
  self->lit = lit;
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
pen_slot_is_lit (PenSlot *self)
{
  return self->lit;
}

void
pen_slot_set_needle (PenSlot *self, const char *needle)
{
  if (g_strcmp0 (self->needle, needle) == 0)
    return;
  g_free (self->needle);
  self->needle = g_strdup (needle);
  for (guint i = 0; self->versions && i < self->n; i++) {
    g_autoptr (PenSlot) version = dup_version (self, i);

    pen_slot_set_needle (version, needle);
  }
  g_signal_emit (self, signals[CHANGED], 0);
}

const char *
pen_slot_get_needle (PenSlot *self)
{
  return self->needle ? self->needle : "";
}

static gboolean
line_holds (const PenAnnotationLine *line, const char *folded)
{
  g_autofree char *bytes = pen_format_bytes (line->bytes, MIN (line->n_bytes, sizeof line->bytes));
  g_autofree char *instruction = pen_format_instruction (line->instruction, line->target);
  g_autofree char *text = g_strdup_printf (
      "+%" G_GINT64_MODIFIER "x\n0x%" G_GINT64_MODIFIER "x\n%s\n%s\n%s", line->offset,
      line->address, bytes, instruction ? instruction : "", line->target ? line->target : "");
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *haystack = g_utf8_casefold (valid, -1);

  return strstr (haystack, folded) != NULL;
}

gboolean
pen_slot_matches (PenSlot *self, const char *needle)
{
  g_autofree char *folded = g_utf8_casefold (needle, -1);

  if (!folded[0])
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (line_holds (pen_slot_get_nth_line (self, i), folded))
      return TRUE;
  return FALSE;
}

void
pen_slot_set_jumps (PenSlot *self, const PenJumpCell *cell, guint n_lanes)
{
  if (memcmp (&self->jumps, cell, sizeof *cell) == 0 && self->n_lanes == n_lanes)
    return;
  self->jumps = *cell;
  self->n_lanes = n_lanes;
  for (guint i = 0; self->versions && i < self->n; i++) {
    g_autoptr (PenSlot) version = dup_version (self, i);

    pen_slot_set_jumps (version, cell, n_lanes);
  }
  g_signal_emit (self, signals[CHANGED], 0);
}

guint
pen_slot_get_jumps (PenSlot *self, PenJumpCell *cell)
{
  *cell = self->jumps;
  if (self->is_version)
    *cell = (PenJumpCell){ .up = cell->down,
                           .down = cell->down,
                           .marked = cell->marked & cell->down };
  return self->n_lanes;
}

GListModel *
pen_slot_dup_versions (PenSlot *self)
{
  if (self->is_version || self->n < 2)
    return NULL;
  if (!self->versions) {
    self->versions = g_list_store_new (PEN_TYPE_SLOT);
    for (guint i = 0; i < self->n; i++) {
      g_autoptr (PenSlot) version = pen_slot_new (self->strips, self->first + i, 1, self->hottest);

      version->is_version = TRUE;
      version->clock = self->clock;
      version->sides = self->sides ? g_atomic_rc_box_acquire (self->sides) : NULL;
      pen_slot_set_notes (version, self->notes, self->note_owner);
      version->needle = g_strdup (self->needle);
      version->jumps = self->jumps;
      version->n_lanes = self->n_lanes;
      g_list_store_append (self->versions, version);
    }
  }
  return G_LIST_MODEL (g_object_ref (self->versions));
}

gboolean
pen_slot_is_version (PenSlot *self)
{
  return self->is_version;
}

const PenAnnotationLine *
pen_slot_get_line (PenSlot *self)
{
  return pen_slot_get_nth_line (self, self->state.version);
}

guint64
pen_slot_get_address (PenSlot *self)
{
  return pen_slot_get_nth_line (self, 0)->address;
}

guint
pen_slot_get_line_index (PenSlot *self)
{
  return self->first + self->state.version;
}

gboolean
pen_slot_is_present (PenSlot *self)
{
  return self->is_version || self->state.is_present;
}

guint
pen_slot_get_n_lines (PenSlot *self)
{
  return self->n;
}

const PenAnnotationLine *
pen_slot_get_nth_line (PenSlot *self, guint i)
{
  return g_ptr_array_index (self->strips->text->annotated->lines, self->first + i);
}

PenAmount
pen_slot_get_line_amount (PenSlot *self, const PenAnnotationLine *line)
{
  return pen_annotated_get_line_amount (self->strips->text->annotated, line);
}

PenAmount
pen_slot_get_amount (PenSlot *self)
{
  PenAmount amount = { self->strips->text->annotated->population, 0, 0 };

  for (guint i = 0; i < self->n; i++) {
    const PenAnnotationLine *line = pen_slot_get_nth_line (self, i);

    amount.n += line->samples;
    amount.period += line->period;
  }
  return amount;
}

guint64
pen_slot_get_hottest (PenSlot *self)
{
  return self->hottest;
}

const PenStrips *
pen_slot_get_strips (PenSlot *self)
{
  return self->strips;
}

guint
pen_slot_get_first (PenSlot *self)
{
  return self->first;
}

PenStripSheet
pen_slot_make_sheet (PenSlot *self, PenSpan span)
{
  return (PenStripSheet){ .annotated = self->strips->text->annotated,
                          .span = pen_span_length (span) > 0 ? span : self->strips->span,
                          .counted = self->strips->span,
                          .counts = self->strips->counts,
                          .bands = get_bands (self) };
}

const PenPoke *
pen_slot_find_poke (PenSlot *self, const PenAnnotationLine *line)
{
  return pen_annotated_find_poke (self->strips->text->annotated, line);
}

const PenAnnotationLine *
pen_slot_get_line_before (PenSlot *self)
{
  GPtrArray *lines = self->strips->text->annotated->lines;
  const PenAnnotationLine *line = pen_slot_get_nth_line (self, 0);
  const PenAnnotationLine *before = self->first > 0 ? lines->pdata[self->first - 1] : NULL;

  return self->is_version && before && before->address == line->address ? before : NULL;
}
