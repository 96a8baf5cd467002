/* pen-occupant-item.c: one row of the list of occupants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-occupant-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-amount-words.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-table-hash.h"

/* ns */
#define RESOLUTION 1000000

struct _PenOccupantItem {
  GObject parent_instance;

  PenOccupantTable *table;
  guint index;
  PenClock clock;
  char *printed; /* (nullable): all that is printed of it, its case folded */
};

G_DEFINE_FINAL_TYPE (PenOccupantItem, pen_occupant_item, G_TYPE_OBJECT)

static void
pen_occupant_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_OCCUPANT_ITEM (object)->table, pen_occupant_table_unref);
  g_free (PEN_OCCUPANT_ITEM (object)->printed);

  G_OBJECT_CLASS (pen_occupant_item_parent_class)->finalize (object);
}

static void
pen_occupant_item_class_init (PenOccupantItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_occupant_item_finalize;
  g_signal_new ("changed", PEN_TYPE_OCCUPANT_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
pen_occupant_item_init (PenOccupantItem *self)
{
}

PenOccupantItem *
pen_occupant_item_new (const PenOccupantTable *table, guint index, PenClock clock)
{
  PenOccupantItem *self = g_object_new (PEN_TYPE_OCCUPANT_ITEM, NULL);

  self->table = g_atomic_rc_box_acquire ((PenOccupantTable *) table);
  self->index = index;
  self->clock = clock;
  return self;
}

const PenOccupantRow *
pen_occupant_item_get_row (PenOccupantItem *self)
{
  return g_ptr_array_index (self->table->rows, self->index);
}

PenAmount
pen_occupant_item_get_amount (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);

  return pen_amount (self->table->query, row->samples, row->period);
}

static guint64
get_begin (const PenOccupantRow *row)
{
  return row->tenure != 0 && row->lives->len > 0 ? g_array_index (row->lives, PenLife, 0).from : 0;
}

guint
pen_occupant_item_hash (gconstpointer item)
{
  const PenOccupantRow *row = pen_occupant_item_get_row ((PenOccupantItem *) item);

  return pen_int64_hash (&row->start) ^ pen_str_hash (row->occupant ? row->occupant : "");
}

gboolean
pen_occupant_item_equal (gconstpointer a, gconstpointer b)
{
  const PenOccupantRow *x = pen_occupant_item_get_row ((PenOccupantItem *) a);
  const PenOccupantRow *y = pen_occupant_item_get_row ((PenOccupantItem *) b);

  return x->start == y->start && x->kind == y->kind && get_begin (x) == get_begin (y)
         && g_strcmp0 (x->occupant, y->occupant) == 0;
}

void
pen_occupant_item_take (gpointer item, gpointer like)
{
  PenOccupantItem *self = item;
  PenOccupantItem *other = like;
  g_autoptr (PenOccupantTable) old = g_steal_pointer (&self->table);

  self->table = g_atomic_rc_box_acquire (other->table);
  self->index = other->index;
  self->clock = other->clock;
  g_clear_pointer (&self->printed, g_free);
}

const PenClock *
pen_occupant_item_get_clock (PenOccupantItem *self)
{
  return &self->clock;
}

static char *
name_occupant (const char *occupant)
{
  return occupant && occupant[0] ? pen_display_text (occupant) : g_strdup (_ ("(unknown)"));
}

char *
pen_occupant_item_dup_name (PenOccupantItem *self)
{
  return name_occupant (pen_occupant_item_get_row (self)->occupant);
}

const char *
pen_occupant_item_get_life (guint i)
{
  return i == 0 ? _ ("Entire recording") : NULL;
}

char *
pen_occupant_item_dup_life (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);
  const PenLife *first = &g_array_index (row->lives, PenLife, 0);
  const PenLife *last = &g_array_index (row->lives, PenLife, row->lives->len - 1);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (first->from <= self->clock.span.from && last->to >= self->clock.span.to
      && row->lives->len == 1)
    return g_strdup (pen_occupant_item_get_life (0));
  from = first->from <= self->clock.span.from
             ? g_strdup (C_ ("time", "start"))
             : pen_clock_format (&self->clock, first->from, RESOLUTION);
  to = last->to >= self->clock.span.to ? g_strdup (C_ ("time", "end"))
                                       : pen_clock_format (&self->clock, last->to, RESOLUTION);
  return g_strdup_printf ("%s – %s", from, to);
}

char *
pen_occupant_item_dup_next_name (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);

  return row->next ? name_occupant (row->next) : g_strdup ("");
}

char *
pen_occupant_item_dup_next (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);
  g_autofree char *name = NULL;
  g_autofree char *time = NULL;

  if (!row->next)
    return g_strdup ("");
  name = pen_occupant_item_dup_next_name (self);
  time = pen_clock_format_long (&self->clock, row->next_time, RESOLUTION);
  return g_strdup_printf ("%s, %s", name, time);
}

char *
pen_occupant_item_dup_detail (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);

  if (row->detail)
    return g_strdup (row->detail);
  if (row->n_spaces > 0)
    return g_strdup_printf (ngettext ("in %u process", "in %u processes", row->n_spaces),
                            row->n_spaces);
  return g_strdup ("");
}

char *
pen_occupant_item_dup_evidence (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);
  const char *grade = pen_phrase_evidence (row->evidence);
  g_autofree char *evidence = NULL;

  if (row->inferred_from != 0)
    grade = _ ("partly inferred");
  /* Translators: a grade of evidence, and the name of the file that it is from */
  evidence = row->source ? g_strdup_printf (_ ("%s (%s)"), grade, row->source) : g_strdup (grade);
  return g_strdup_printf (row->is_unverified ? _ ("%s, unverified") : "%s", evidence);
}

/* ---- what is looked for ---- */

static void
add_line (GString *text, char *line)
{
  g_string_append_printf (text, "%s\n", line);
  g_free (line);
}

/* Numbers as they are printed, and without the blanks between their digits. */
static void
add_count (GString *text, guint64 count)
{
  add_line (text, pen_format_count (count));
  g_string_append_printf (text, "%" G_GUINT64_FORMAT "\n", count);
}

static char *
dup_printed (PenOccupantItem *self)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self);
  g_autoptr (GString) text = g_string_new (NULL);

  add_line (text, pen_occupant_item_dup_name (self));
  add_line (text, pen_occupant_item_dup_detail (self));
  add_line (text, g_strdup (pen_palette_kind_title (row->kind)));
  add_line (text, pen_occupant_item_dup_life (self));
  add_line (text, pen_occupant_item_dup_next (self));
  add_line (text, pen_occupant_item_dup_evidence (self));
  add_line (text, pen_format_share (row->share));
  add_line (text, pen_amount_format (pen_occupant_item_get_amount (self)));
  add_count (text, row->samples);
  if (row->changes > 0)
    add_count (text, row->changes);
  if (row->end > 0)
    add_line (text, g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->start));
  if (row->end > row->start)
    add_count (text, row->end - row->start);
  return g_utf8_casefold (text->str, -1);
}

static gboolean
holds_address (const PenOccupantRow *row, const char *wanted)
{
  const char *digits = g_str_has_prefix (wanted, "0x") ? wanted + 2 : wanted;
  guint64 address;

  return (digits > wanted || strlen (digits) == 16) && row->end > row->start
         && g_ascii_string_to_unsigned (digits, 16, 0, G_MAXUINT64, &address, NULL)
         && address >= row->start && address < row->end;
}

gboolean
pen_occupant_item_matches (PenOccupantItem *self, const char *wanted)
{
  if (wanted[0] == '\0')
    return TRUE;
  if (!self->printed)
    self->printed = dup_printed (self);
  return strstr (self->printed, wanted) || holds_address (pen_occupant_item_get_row (self), wanted);
}
