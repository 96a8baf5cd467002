/* pen-change-item.c: one row of the list of changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-change-item.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-format.h"

/* ns: as perf prints times */
#define TIME_RESOLUTION 1000

struct _PenChangeItem {
  GObject parent_instance;

  guint32 id;
  PenClock clock;
  PenChangeRow *row;
  guint n_changes;
  gboolean is_open;
};

G_DEFINE_FINAL_TYPE (PenChangeItem, pen_change_item, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
pen_change_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_CHANGE_ITEM (object)->row, pen_change_row_unref);

  G_OBJECT_CLASS (pen_change_item_parent_class)->finalize (object);
}

static void
pen_change_item_class_init (PenChangeItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_change_item_finalize;
  signals[CHANGED] = g_signal_new ("changed", PEN_TYPE_CHANGE_ITEM, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
pen_change_item_init (PenChangeItem *self)
{
}

PenChangeItem *
pen_change_item_new (guint32 id, PenClock clock)
{
  PenChangeItem *self = g_object_new (PEN_TYPE_CHANGE_ITEM, NULL);

  self->id = id;
  self->clock = clock;
  self->n_changes = 1;
  return self;
}

void
pen_change_item_set_group (PenChangeItem *self, guint n_changes)
{
  self->n_changes = n_changes;
}

guint
pen_change_item_get_n_changes (PenChangeItem *self)
{
  return self->n_changes;
}

void
pen_change_item_set_open (PenChangeItem *self, gboolean is_open)
{
  if (self->is_open == is_open)
    return;
  self->is_open = is_open;
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
pen_change_item_is_open (PenChangeItem *self)
{
  return self->is_open;
}

guint32
pen_change_item_get_id (PenChangeItem *self)
{
  return self->id;
}

const PenChangeRow *
pen_change_item_get_row (PenChangeItem *self)
{
  return self->row;
}

void
pen_change_item_set_row (PenChangeItem *self, PenChangeRow *row)
{
  g_clear_pointer (&self->row, pen_change_row_unref);
  self->row = pen_change_row_ref (row);
  g_signal_emit (self, signals[CHANGED], 0);
}

const PenClock *
pen_change_item_get_clock (PenChangeItem *self)
{
  return &self->clock;
}

char *
pen_change_item_dup_time (PenChangeItem *self)
{
  if (!self->row)
    return g_strdup ("");
  if (pen_change_is_initial (&self->row->change))
    return g_strdup (_ ("at start"));
  return pen_clock_format (&self->clock, self->row->change.time, TIME_RESOLUTION);
}

char *
pen_change_item_dup_name (PenChangeItem *self)
{
  const PenChange *change = self->row ? &self->row->change : NULL;

  if (!change || self->n_changes > 1)
    return g_strdup ("");
  if (change->symbol && change->symbol[0])
    return pen_display_text (change->symbol);
  return pen_display_text (change->occupant ? change->occupant : "");
}

char *
pen_change_item_dup_place (PenChangeItem *self)
{
  const PenChange *change = self->row ? &self->row->change : NULL;
  g_autofree char *symbol = NULL;

  if (!change)
    return g_strdup ("…");
  if (self->n_changes > 1) {
    g_autofree char *count = pen_format_count (self->n_changes);

    return g_strdup_printf (ngettext ("%s site", "%s sites", self->n_changes), count);
  }
  if (!change->symbol || !change->symbol[0])
    return change->occupant && change->occupant[0] ? pen_display_text (change->occupant)
                                                   : g_strdup (_ ("(unknown)"));
  symbol = pen_display_text (change->symbol);
  return change->poke != 0
             ? g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", symbol, change->offset)
             : g_steal_pointer (&symbol);
}

char *
pen_change_item_dup_before (PenChangeItem *self)
{
  const PenChange *change = self->row ? &self->row->change : NULL;

  if (!change || change->poke == 0 || self->n_changes > 1)
    return g_strdup ("");
  return pen_format_bytes (change->old_bytes, MIN (change->old_length, 8));
}

char *
pen_change_item_dup_bytes (PenChangeItem *self)
{
  const PenChange *change = self->row ? &self->row->change : NULL;
  g_autofree char *old = NULL;
  g_autofree char *new = NULL;

  if (self->row && self->n_changes > 1)
    return self->row->sentence ? pen_display_text (self->row->sentence) : g_strdup ("");
  if (!change || change->poke == 0)
    return g_strdup ("");
  old = pen_change_item_dup_before (self);
  new = pen_format_bytes (change->new_bytes, MIN (change->new_length, 8));
  return g_strdup_printf ("%s%s → %s%s", old[0] ? old : _ ("nothing"),
                          change->old_length > 8 ? " …" : "", new[0] ? new : _ ("nothing"),
                          change->new_length > 8 ? " …" : "");
}

char *
pen_change_item_dup_task (PenChangeItem *self)
{
  const PenChange *change = self->row ? &self->row->change : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *comm = NULL;

  if (!change)
    return g_strdup ("");
  comm = pen_display_text (change->comm ? change->comm : "");
  if (change->has_task)
    g_string_append_printf (text, "%s [%d]", comm, change->pid);
  if (change->cpu != G_MAXUINT32)
    g_string_append_printf (text, text->len ? _ (", CPU %u") : _ ("CPU %u"), change->cpu);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What a change is called. */
enum { MAP, UNREGISTER, REGISTER, UNANNOUNCED, WRITE, ERASE, NO_CHANGE, PATCH, WORDS };

const char *
pen_change_item_get_word (guint i)
{
  static const char *const words[WORDS] = {
    [MAP] = NC_ ("change", "map"),
    [UNREGISTER] = NC_ ("change", "unregister"),
    [REGISTER] = NC_ ("change", "register"),
    [UNANNOUNCED] = NC_ ("change", "unannounced"),
    [WRITE] = NC_ ("change", "write"),
    [ERASE] = NC_ ("change", "erase"),
    [NO_CHANGE] = NC_ ("change", "no change"),
    [PATCH] = NC_ ("change", "patch"),
  };

  return i < WORDS ? g_dpgettext2 (GETTEXT_PACKAGE, "change", words[i]) : NULL;
}

const char *
pen_change_item_get_what (PenChangeItem *self)
{
  const PenChange *change = self->row ? &self->row->change : NULL;

  if (!change)
    return "";
  if (change->poke == 0)
    return pen_change_item_get_word (g_str_equal (change->change, "map")          ? MAP
                                     : g_str_equal (change->change, "unregister") ? UNREGISTER
                                                                                  : REGISTER);
  if (change->cause == PEN_CAUSE_UNANNOUNCED)
    return pen_change_item_get_word (UNANNOUNCED);
  switch (change->effect) {
  case PEN_POKE_FILL:
    return pen_change_item_get_word (WRITE);
  case PEN_POKE_CLEAR:
    return pen_change_item_get_word (ERASE);
  case PEN_POKE_SAME:
    return pen_change_item_get_word (NO_CHANGE);
  case PEN_POKE_PATCH:
  default:
    return pen_change_item_get_word (PATCH);
  }
}
