/* pen-slot-list.c: the rows of an annotation, kept in place while samples and time change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-list.h"

#include "pen-table-hash.h"

struct _PenSlotList {
  GObject parent_instance;

  PenStrips *strips; /* NULL: there are no rows */
  GArray *firsts;    /* guint: the first line of each slot, by address; then the number of lines */
  GPtrArray *made;   /* of PenSlot, NULL: nothing asked for it yet. Texts are long, screens short */
  guint64 hottest;
  guint64 playhead;
  PenClock clock;
  char *needle;
  PenSides *sides;
  GPtrArray *notes;
  GHashTable *noted; /* position → of PenNoteRow: of slots that have notes */
  guint64 lit_from;
  guint64 lit_to;
  guint64 line;
  gboolean has_no_arrows;
  PenJumpLayout *jumps; /* of the rows as they are; NULL: there are none yet */
};

static void pen_slot_list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PenSlotList, pen_slot_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, pen_slot_list_model_init))

static GPtrArray *
get_lines (PenSlotList *self)
{
  return self->strips->text->annotated->lines;
}

static guint
get_first (PenSlotList *self, guint row)
{
  return g_array_index (self->firsts, guint, row);
}

guint
pen_slot_list_count_versions (PenSlotList *self, guint row)
{
  return get_first (self, row + 1) - get_first (self, row);
}

static guint64
get_address (PenSlotList *self, guint row)
{
  return ((const PenAnnotationLine *) get_lines (self)->pdata[get_first (self, row)])->address;
}

/* ---- model ---- */

/* A slot that is pointed at begins in what is lit, or before it and ends in it. */
static gboolean
is_lit (PenSlotList *self, guint row)
{
  return get_address (self, row) < self->lit_to
         && (row + 1 == self->made->len || get_address (self, row + 1) > self->lit_from);
}

static PenSlot *
make_slot (PenSlotList *self, guint row)
{
  PenSlot *slot = pen_slot_new (self->strips, get_first (self, row),
                                pen_slot_list_count_versions (self, row), self->hottest);

  pen_slot_set_playhead (slot, self->playhead);
  pen_slot_set_clock (slot, &self->clock);
  pen_slot_set_needle (slot, self->needle);
  pen_slot_set_sides (slot, self->sides);
  pen_slot_set_notes (slot, g_hash_table_lookup (self->noted, GUINT_TO_POINTER (row)), self->notes);
  pen_slot_set_lit (slot, is_lit (self, row));
  if (self->jumps)
    pen_slot_set_jumps (slot, pen_jump_layout_get_cell (self->jumps, row),
                        pen_jump_layout_get_n_lanes (self->jumps));
  return slot;
}

static gpointer
pen_slot_list_get_item (GListModel *model, guint row)
{
  PenSlotList *self = PEN_SLOT_LIST (model);

  if (row >= self->made->len)
    return NULL;
  if (!self->made->pdata[row])
    self->made->pdata[row] = make_slot (self, row);
  return g_object_ref (self->made->pdata[row]);
}

static guint
pen_slot_list_get_n_items (GListModel *model)
{
  return PEN_SLOT_LIST (model)->made->len;
}

static GType
pen_slot_list_get_item_type (GListModel *model G_GNUC_UNUSED)
{
  return PEN_TYPE_SLOT;
}

static void
pen_slot_list_model_init (GListModelInterface *iface)
{
  iface->get_item = pen_slot_list_get_item;
  iface->get_n_items = pen_slot_list_get_n_items;
  iface->get_item_type = pen_slot_list_get_item_type;
}

static void
unref_slot (gpointer slot)
{
  if (slot)
    g_object_unref (slot);
}

static void
pen_slot_list_finalize (GObject *object)
{
  PenSlotList *self = PEN_SLOT_LIST (object);

  g_clear_pointer (&self->made, g_ptr_array_unref);
  g_clear_pointer (&self->firsts, g_array_unref);
  g_clear_pointer (&self->strips, pen_strips_unref);
  g_clear_pointer (&self->jumps, pen_jump_layout_free);
  g_clear_pointer (&self->sides, pen_sides_unref);
  g_clear_pointer (&self->noted, g_hash_table_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
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
  self->firsts = g_array_new (FALSE, FALSE, sizeof (guint));
  self->made = g_ptr_array_new_with_free_func (unref_slot);
  self->noted
      = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
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
  guint low = 0, high = self->made->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (get_address (self, middle) <= address)
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

  return row != G_MAXUINT && get_address (self, row) == address ? row : G_MAXUINT;
}

gboolean
pen_slot_list_find (PenSlotList *self, guint64 address, guint *position)
{
  guint row = find_row_before (self, address);

  *position = row;
  return row != G_MAXUINT && address < self->strips->text->annotated->end;
}

/* ---- notes, and what is pointed at ---- */

static void
find_notes (PenSlotList *self)
{
  g_hash_table_remove_all (self->noted);
  for (guint i = 0; self->notes && i < self->notes->len; i++) {
    const PenNote *note = ((const PenNoteRow *) self->notes->pdata[i])->note;
    GPtrArray *notes;
    guint row;

    if (!note->has_address || !pen_slot_list_find (self, note->address, &row))
      continue;
    notes = g_hash_table_lookup (self->noted, GUINT_TO_POINTER (row));
    if (!notes) {
      notes = g_ptr_array_new ();
      g_hash_table_insert (self->noted, GUINT_TO_POINTER (row), notes);
    }
    g_ptr_array_add (notes, self->notes->pdata[i]);
  }
}

void
pen_slot_list_set_notes (PenSlotList *self, GPtrArray *notes)
{
  g_autoptr (GPtrArray) old = self->notes;

  self->notes = notes ? g_ptr_array_ref (notes) : NULL;
  find_notes (self);
  for (guint i = 0; i < self->made->len; i++)
    if (self->made->pdata[i])
      pen_slot_set_notes (self->made->pdata[i],
                          g_hash_table_lookup (self->noted, GUINT_TO_POINTER (i)), self->notes);
}

/* For the slots in [@from, @to). */
static void
show_lit (PenSlotList *self, guint64 from, guint64 to)
{
  guint row = find_row_before (self, from);

  for (row = row == G_MAXUINT ? 0 : row; row < self->made->len && get_address (self, row) < to;
       row++)
    if (self->made->pdata[row])
      pen_slot_set_lit (self->made->pdata[row], is_lit (self, row));
}

/* All of it is no line of it. */
static gboolean
is_whole_text (PenSlotList *self, guint64 from, guint64 to)
{
  const PenAnnotated *annotated = self->strips ? self->strips->text->annotated : NULL;

  return !annotated || (from <= annotated->start && to >= annotated->end) || from >= annotated->end
         || to <= annotated->start;
}

void
pen_slot_list_set_lit (PenSlotList *self, guint64 from, guint64 to)
{
  guint64 old_from = self->lit_from, old_to = self->lit_to;

  if (is_whole_text (self, from, to))
    from = to = 0;
  if (from == old_from && to == old_to)
    return;
  self->lit_from = from;
  self->lit_to = from < to ? to : 0;
  show_lit (self, old_from, old_to);
  show_lit (self, from, to);
}

/* ---- jumps ---- */

/* As of the playhead: a jump that was patched away, or is not there yet, has no arrow. */
static GArray *
collect_jumps (PenSlotList *self)
{
  GArray *jumps = g_array_new (FALSE, FALSE, sizeof (PenJump));

  for (guint i = 0; !self->has_no_arrows && i < self->made->len; i++) {
    guint first = get_first (self, i);
    PenSlotState state = pen_slot_find_state (
        get_lines (self), first, pen_slot_list_count_versions (self, i), self->playhead);
    const PenAnnotationLine *line = get_lines (self)->pdata[first + state.version];
    PenJump jump = { i, G_MAXUINT };

    if (!line->has_target || !state.is_present
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
  for (guint i = 0; i < self->made->len; i++)
    if (self->made->pdata[i])
      pen_slot_set_jumps (self->made->pdata[i], pen_jump_layout_get_cell (self->jumps, i),
                          pen_jump_layout_get_n_lanes (self->jumps));
}

static void
lay_out_jumps (PenSlotList *self)
{
  g_autoptr (GArray) jumps = collect_jumps (self);

  g_clear_pointer (&self->jumps, pen_jump_layout_free);
  self->jumps = pen_jump_layout_new ((const PenJump *) jumps->data, jumps->len, self->made->len);
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

/* ---- rows ---- */

/* The lines of the slot that begins at @first. */
static guint
count_lines (GPtrArray *lines, guint first)
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
find_hottest (PenSlotList *self)
{
  GPtrArray *lines = get_lines (self);
  guint64 hottest = 0;

  for (guint i = 0; i < self->made->len; i++) {
    guint64 sum = 0;

    for (guint k = get_first (self, i); k < get_first (self, i + 1); k++)
      sum += pen_amount_get (
          pen_annotated_get_line_amount (self->strips->text->annotated, lines->pdata[k]));
    hottest = MAX (hottest, sum);
  }
  return hottest;
}

gboolean
pen_slot_list_is_of (PenSlotList *self, const PenStrips *strips)
{
  return strips && self->strips && self->strips->text->function == strips->text->function;
}

static gboolean
has_rows_of (PenSlotList *self, const PenStrips *strips)
{
  GPtrArray *lines = strips->text->annotated->lines;
  guint row = 0;

  if (!pen_slot_list_is_of (self, strips))
    return FALSE;
  for (guint i = 0, n; i < lines->len; i += n, row++) {
    n = count_lines (lines, i);
    if (row >= self->made->len || pen_slot_list_count_versions (self, row) != n
        || get_address (self, row)
               != ((const PenAnnotationLine *) g_ptr_array_index (lines, i))->address)
      return FALSE;
  }
  return row == self->made->len;
}

static void
take_strips (PenSlotList *self, const PenStrips *strips)
{
  g_autoptr (PenStrips) old = self->strips;

  self->strips = strips ? g_atomic_rc_box_acquire ((PenStrips *) strips) : NULL;
}

gboolean
pen_slot_list_update (PenSlotList *self, const PenStrips *strips)
{
  if (!has_rows_of (self, strips))
    return FALSE;
  take_strips (self, strips);
  self->hottest = find_hottest (self);
  for (guint i = 0; i < self->made->len; i++)
    if (self->made->pdata[i])
      pen_slot_update (self->made->pdata[i], strips, get_first (self, i), self->hottest);
  lay_out_jumps (self);
  return TRUE;
}

void
pen_slot_list_replace (PenSlotList *self, const PenStrips *strips)
{
  g_autoptr (GPtrArray) old = self->made;
  GPtrArray *lines = strips ? strips->text->annotated->lines : NULL;
  guint n_lines = lines ? lines->len : 0;

  take_strips (self, strips);
  g_array_set_size (self->firsts, 0);
  for (guint i = 0; i < n_lines; i += count_lines (lines, i))
    g_array_append_val (self->firsts, i);
  self->made = g_ptr_array_new_with_free_func (unref_slot);
  g_ptr_array_set_size (self->made, (int) self->firsts->len);
  g_array_append_val (self->firsts, n_lines);
  self->hottest = strips ? find_hottest (self) : 0;
  self->lit_from = self->lit_to = 0;
  find_notes (self);
  lay_out_jumps (self);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, old->len, self->made->len);
}

void
pen_slot_list_set_playhead (PenSlotList *self, guint64 playhead)
{
  guint64 before = self->playhead;
  gboolean changed = FALSE;

  self->playhead = playhead;
  for (guint i = 0; i < self->made->len; i++) {
    guint first = get_first (self, i);
    guint n = pen_slot_list_count_versions (self, i);
    PenSlotState old = pen_slot_find_state (get_lines (self), first, n, before);
    PenSlotState new = pen_slot_find_state (get_lines (self), first, n, playhead);

    if (old.version == new.version && old.is_present == new.is_present)
      continue;
    changed = TRUE;
    if (self->made->pdata[i])
      pen_slot_set_playhead (self->made->pdata[i], playhead);
  }
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
  for (guint i = 0; i < self->made->len; i++)
    if (self->made->pdata[i])
      pen_slot_set_sides (self->made->pdata[i], sides);
  g_clear_pointer (&old, pen_sides_unref);
}

void
pen_slot_list_set_clock (PenSlotList *self, const PenClock *clock)
{
  self->clock = *clock;
  for (guint i = 0; i < self->made->len; i++)
    if (self->made->pdata[i])
      pen_slot_set_clock (self->made->pdata[i], clock);
}

void
pen_slot_list_set_needle (PenSlotList *self, const char *needle)
{
  g_free (self->needle);
  self->needle = g_strdup (needle);
  for (guint i = 0; i < self->made->len; i++)
    if (self->made->pdata[i])
      pen_slot_set_needle (self->made->pdata[i], needle);
}
