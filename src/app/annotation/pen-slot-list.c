/* pen-slot-list.c: the rows of an annotation, kept in place while samples and time change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-list.h"

#include "pen-table-hash.h"

struct _PenSlotList {
  GObject parent_instance;

  GListStore *slots;
  GPtrArray *all; /* of PenSlot: what is in @slots, which is a tree */
  guint32 function;
  guint64 playhead;
  PenClock clock;
  char *needle;
  PenSides *sides;
  GPtrArray *notes;
  GHashTable *noted; /* of PenSlot: those that have notes */
  guint64 lit_from;
  guint64 lit_to;
  guint64 line;
  gboolean has_no_arrows;
  PenJumpLayout *jumps; /* of the rows as they are; NULL: there are none yet */
};

G_DEFINE_FINAL_TYPE (PenSlotList, pen_slot_list, G_TYPE_OBJECT)

static void
pen_slot_list_finalize (GObject *object)
{
  PenSlotList *self = PEN_SLOT_LIST (object);

  g_clear_object (&self->slots);
  g_clear_pointer (&self->all, g_ptr_array_unref);
  g_clear_pointer (&self->jumps, pen_jump_layout_free);
  g_clear_pointer (&self->sides, pen_sides_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->noted, g_hash_table_unref);
  g_free (self->needle);

  G_OBJECT_CLASS (pen_slot_list_parent_class)->finalize (object);
}

static void
pen_slot_list_class_init (PenSlotListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_slot_list_finalize;
}

static void
pen_slot_list_init (PenSlotList *self)
{
  self->slots = g_list_store_new (PEN_TYPE_SLOT);
  self->noted = g_hash_table_new_full (pen_direct_hash, NULL, g_object_unref, NULL);
  self->all = g_ptr_array_new_with_free_func (g_object_unref);
}

PenSlotList *
pen_slot_list_new (void)
{
  return g_object_new (PEN_TYPE_SLOT_LIST, NULL);
}

/* ---- by address ---- */

/* The slot that begins at @address or is the last to begin before it, or G_MAXUINT. Slots are by
 * address. */
static guint
find_row_before (PenSlotList *self, guint64 address)
{
  guint low = 0, high = self->all->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (pen_slot_get_address (self->all->pdata[middle]) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? low - 1 : G_MAXUINT;
}

/* The slot that begins at @address, or G_MAXUINT. */
static guint
find_row (PenSlotList *self, guint64 address)
{
  guint row = find_row_before (self, address);

  return row != G_MAXUINT && pen_slot_get_address (self->all->pdata[row]) == address ? row
                                                                                     : G_MAXUINT;
}

gboolean
pen_slot_list_find (PenSlotList *self, guint64 address, guint *position)
{
  guint row = find_row_before (self, address);

  *position = row;
  return row != G_MAXUINT
         && address < pen_slot_get_strips (self->all->pdata[row])->text->annotated->end;
}

/* ---- notes, and what is pointed at ---- */

static void
forget_notes (PenSlotList *self)
{
  GHashTableIter iter;
  gpointer slot;

  g_hash_table_iter_init (&iter, self->noted);
  while (g_hash_table_iter_next (&iter, &slot, NULL))
    pen_slot_set_notes (slot, NULL, NULL);
  g_hash_table_remove_all (self->noted);
}

static void
show_notes (PenSlotList *self)
{
  forget_notes (self);
  for (guint i = 0; self->notes && i < self->notes->len; i++) {
    const PenNote *note = ((const PenNoteRow *) self->notes->pdata[i])->note;
    g_autoptr (GPtrArray) notes = NULL;
    PenSlot *slot;
    guint row;

    if (!note->has_address || !pen_slot_list_find (self, note->address, &row))
      continue;
    slot = self->all->pdata[row];
    notes = g_ptr_array_new ();
    for (guint k = 0; pen_slot_get_notes (slot) && k < pen_slot_get_notes (slot)->len; k++)
      g_ptr_array_add (notes, pen_slot_get_notes (slot)->pdata[k]);
    g_ptr_array_add (notes, self->notes->pdata[i]);
    pen_slot_set_notes (slot, notes, self->notes);
    g_hash_table_add (self->noted, g_object_ref (slot));
  }
}

void
pen_slot_list_set_notes (PenSlotList *self, GPtrArray *notes)
{
  g_autoptr (GPtrArray) old = self->notes;

  self->notes = notes ? g_ptr_array_ref (notes) : NULL;
  show_notes (self);
}

static void
set_lit (PenSlotList *self, guint64 from, guint64 to, gboolean lit)
{
  guint row;

  if (from >= to || self->all->len == 0)
    return;
  row = find_row_before (self, from);
  if (row == G_MAXUINT)
    row = 0;
  for (; row < self->all->len; row++) {
    if (pen_slot_get_address (self->all->pdata[row]) >= to)
      return;
    pen_slot_set_lit (self->all->pdata[row], lit);
  }
}

/* All of it is no line of it. */
static gboolean
is_whole_text (PenSlotList *self, guint64 from, guint64 to)
{
  const PenAnnotated *annotated
      = self->all->len > 0 ? pen_slot_get_strips (self->all->pdata[0])->text->annotated : NULL;

  return !annotated || (from <= annotated->start && to >= annotated->end) || from >= annotated->end
         || to <= annotated->start;
}

void
pen_slot_list_set_lit (PenSlotList *self, guint64 from, guint64 to)
{
  if (is_whole_text (self, from, to))
    from = to = 0;
  if (from == self->lit_from && to == self->lit_to)
    return;
  set_lit (self, self->lit_from, self->lit_to, FALSE);
  self->lit_from = from;
  self->lit_to = to;
  set_lit (self, from, to, TRUE);
}

/* ---- rows ---- */

/* The lines of the slot that begins at @first. */
static guint
count_versions (GPtrArray *lines, guint first)
{
  const PenAnnotationLine *line = g_ptr_array_index (lines, first);
  guint n = 1;

  while (first + n < lines->len
         && ((const PenAnnotationLine *) g_ptr_array_index (lines, first + n))->address
                == line->address)
    n++;
  return n;
}

static guint64
find_hottest (GPtrArray *lines)
{
  guint64 hottest = 0;

  for (guint i = 0, n; i < lines->len; i += n) {
    guint64 samples = 0;

    n = count_versions (lines, i);
    for (guint k = 0; k < n; k++)
      samples += ((const PenAnnotationLine *) g_ptr_array_index (lines, i + k))->samples;
    hottest = MAX (hottest, samples);
  }
  return hottest;
}

static gboolean
has_same_rows (PenSlotList *self, const PenStrips *strips)
{
  GPtrArray *lines = strips->text->annotated->lines;
  guint row = 0;

  if (self->function != strips->text->function)
    return FALSE;
  for (guint i = 0, n; i < lines->len; i += n, row++) {
    n = count_versions (lines, i);
    if (row >= self->all->len || pen_slot_get_n_lines (self->all->pdata[row]) != n
        || pen_slot_get_address (self->all->pdata[row])
               != ((const PenAnnotationLine *) g_ptr_array_index (lines, i))->address)
      return FALSE;
  }
  return row == self->all->len;
}

static void
update_rows (PenSlotList *self, const PenStrips *strips)
{
  GPtrArray *lines = strips->text->annotated->lines;
  guint64 hottest = find_hottest (lines);

  for (guint i = 0, n, row = 0; i < lines->len; i += n, row++) {
    n = count_versions (lines, i);
    pen_slot_update (self->all->pdata[row], strips, i, hottest);
  }
}

static void
replace_rows (PenSlotList *self, const PenStrips *strips)
{
  g_autoptr (GPtrArray) old = self->all;
  GPtrArray *lines = strips ? strips->text->annotated->lines : NULL;
  guint64 hottest = lines ? find_hottest (lines) : 0;

  self->all = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0, n; lines && i < lines->len; i += n) {
    PenSlot *slot;

    n = count_versions (lines, i);
    slot = pen_slot_new (strips, i, n, hottest);
    pen_slot_set_playhead (slot, self->playhead);
    pen_slot_set_clock (slot, &self->clock);
    pen_slot_set_needle (slot, self->needle);
    pen_slot_set_sides (slot, self->sides);
    g_ptr_array_add (self->all, slot);
  }
  self->function = strips ? strips->text->function : 0;
  g_list_store_splice (self->slots, 0, old->len, self->all->pdata, self->all->len);
  self->lit_from = self->lit_to = 0;
  show_notes (self);
}

/* ---- jumps ---- */

/* As of the playhead: a jump that was patched away, or is not there yet, has no arrow. */
static GArray *
collect_jumps (PenSlotList *self)
{
  GArray *jumps = g_array_new (FALSE, FALSE, sizeof (PenJump));

  for (guint i = 0; !self->has_no_arrows && i < self->all->len; i++) {
    PenSlot *slot = self->all->pdata[i];
    const PenAnnotationLine *line = pen_slot_get_line (slot);
    PenJump jump = { i, G_MAXUINT };

    if (!line->has_target || !pen_slot_is_present (slot)
        || (line->class != PEN_INSTRUCTION_JUMP && line->class != PEN_INSTRUCTION_CONDITIONAL_JUMP))
      continue;
    jump.to = find_row (self, line->target_address);
    if (jump.to != G_MAXUINT)
      g_array_append_val (jumps, jump);
  }
  return jumps;
}

static void
show_jumps (PenSlotList *self)
{
  pen_jump_layout_mark (self->jumps, find_row (self, self->line));
  for (guint i = 0; i < self->all->len; i++)
    pen_slot_set_jumps (self->all->pdata[i], pen_jump_layout_get_cell (self->jumps, i),
                        pen_jump_layout_get_n_lanes (self->jumps));
}

static void
lay_out_jumps (PenSlotList *self)
{
  g_autoptr (GArray) jumps = collect_jumps (self);

  g_clear_pointer (&self->jumps, pen_jump_layout_free);
  self->jumps = pen_jump_layout_new ((const PenJump *) jumps->data, jumps->len, self->all->len);
  show_jumps (self);
}

void
pen_slot_list_set_line (PenSlotList *self, guint64 address)
{
  if (self->line == address)
    return;
  self->line = address;
  if (self->jumps)
    show_jumps (self);
}

void
pen_slot_list_set_has_arrows (PenSlotList *self, gboolean has_arrows)
{
  if (self->has_no_arrows == !has_arrows)
    return;
  self->has_no_arrows = !has_arrows;
  lay_out_jumps (self);
}

gboolean
pen_slot_list_set_strips (PenSlotList *self, const PenStrips *strips)
{
  if (strips && has_same_rows (self, strips)) {
    update_rows (self, strips);
    lay_out_jumps (self);
    return TRUE;
  }
  replace_rows (self, strips);
  lay_out_jumps (self);
  return FALSE;
}

void
pen_slot_list_set_playhead (PenSlotList *self, guint64 playhead)
{
  gboolean changed = FALSE;

  self->playhead = playhead;
  for (guint i = 0; i < self->all->len; i++)
    changed |= pen_slot_set_playhead (self->all->pdata[i], playhead);
  if (changed)
    lay_out_jumps (self);
}

void
pen_slot_list_set_sides (PenSlotList *self, const PenSides *sides)
{
  PenSides *old = self->sides;

  if (sides == old)
    return;
  self->sides = sides ? g_atomic_rc_box_acquire ((PenSides *) sides) : NULL;
  for (guint i = 0; i < self->all->len; i++)
    pen_slot_set_sides (self->all->pdata[i], sides);
  g_clear_pointer (&old, pen_sides_unref);
}

void
pen_slot_list_set_clock (PenSlotList *self, const PenClock *clock)
{
  self->clock = *clock;
  for (guint i = 0; i < self->all->len; i++)
    pen_slot_set_clock (self->all->pdata[i], clock);
}

void
pen_slot_list_set_needle (PenSlotList *self, const char *needle)
{
  g_free (self->needle);
  self->needle = g_strdup (needle);
  for (guint i = 0; i < self->all->len; i++)
    pen_slot_set_needle (self->all->pdata[i], needle);
}

GListModel *
pen_slot_list_get_model (PenSlotList *self)
{
  return G_LIST_MODEL (self->slots);
}
