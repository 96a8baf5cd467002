/* pen-pair-cause-item.c: a static key, traced function, probe or program in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-cause-item.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-pair-words.h"
#include "pen-palette.h"

struct _PenPairCauseItem {
  GObject parent_instance;

  PenPairCauseList *list;
  const PenPairCause *cause;
};

G_DEFINE_FINAL_TYPE (PenPairCauseItem, pen_pair_cause_item, G_TYPE_OBJECT)

static void
pen_pair_cause_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_PAIR_CAUSE_ITEM (object)->list, pen_pair_cause_list_unref);

  G_OBJECT_CLASS (pen_pair_cause_item_parent_class)->finalize (object);
}

static void
pen_pair_cause_item_class_init (PenPairCauseItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_pair_cause_item_finalize;
}

static void
pen_pair_cause_item_init (G_GNUC_UNUSED PenPairCauseItem *self)
{
}

PenPairCauseItem *
pen_pair_cause_item_new (const PenPairCauseList *list, const PenPairCause *cause)
{
  PenPairCauseItem *self = g_object_new (PEN_TYPE_PAIR_CAUSE_ITEM, NULL);

  self->list = pen_pair_cause_list_ref ((PenPairCauseList *) list);
  self->cause = cause;
  return self;
}

const PenPairCause *
pen_pair_cause_item_get_cause (PenPairCauseItem *self)
{
  return self->cause;
}

/* (nullable) */
static char *
dup_place (const PenPairCause *cause)
{
  return cause->symbol ? g_strdup_printf ("%s+0x%" PRIx64, cause->symbol, cause->offset) : NULL;
}

char *
pen_pair_cause_item_dup_name (PenPairCauseItem *self)
{
  g_autofree char *place = dup_place (self->cause);

  if (self->cause->name[0] != '\0')
    return pen_display_text (self->cause->name);
  return place ? pen_display_text (place) : g_strdup (_ ("(unknown)"));
}

char *
pen_pair_cause_item_dup_place (PenPairCauseItem *self)
{
  g_autofree char *name = pen_pair_cause_item_dup_name (self);
  g_autofree char *place = dup_place (self->cause);
  g_autofree char *shown = place ? pen_display_text (place) : g_strdup ("");

  return g_str_equal (shown, name) ? g_strdup ("") : g_steal_pointer (&shown);
}

static void
append_line (GString *words, const char *text)
{
  g_autofree char *shown = text ? pen_display_text (text) : NULL;

  if (shown && shown[0] != '\0')
    g_string_append_printf (words, "\n%s", shown);
}

char *
pen_pair_cause_item_dup_facts (PenPairCauseItem *self)
{
  const PenPairCause *cause = self->cause;
  g_autofree char *name = pen_pair_cause_item_dup_name (self);
  g_autofree char *place = pen_pair_cause_item_dup_place (self);
  GString *words = g_string_new (cause->is_program ? _ ("BPF program")
                                                   : pen_palette_cause_title (cause->cause));

  g_string_append_printf (words, "\n%s", name);
  append_line (words, cause->detail);
  append_line (words, cause->purpose);
  append_line (words, place);
  append_line (words, cause->occupant);
  return g_string_free (words, FALSE);
}

static void
append_count (GString *words, const char *one, const char *many, guint64 n)
{
  g_autofree char *count = pen_format_count (n);

  g_string_append (words, ", ");
  g_string_append_printf (words, ngettext (one, many, (gulong) n), count);
}

char *
pen_pair_cause_item_dup_stand (PenPairCauseItem *self, guint side)
{
  const PenPairStand *stand = &self->cause->stands[side];
  g_autofree char *state = pen_pair_words_of_stand (stand);
  GString *words = g_string_new (side == 0 ? C_ ("recording", "A") : C_ ("recording", "B"));

  g_string_append_printf (words, ": %s", state);
  if (stand->state == PEN_PAIR_STAND_IS_UNKNOWN || stand->state == PEN_PAIR_STAND_IS_ABSENT)
    return g_string_free (words, FALSE);
  if (stand->flips > 0)
    append_count (words, "%s flip", "%s flips", stand->flips);
  if (stand->sites > 0 && !self->cause->is_program)
    append_count (words, "%s site", "%s sites", stand->sites);
  if (stand->unknown > 0) {
    g_autofree char *share = pen_format_share (stand->unknown);

    /* Translators: a share of the time, of which it is not known whether something was on */
    g_string_append_printf (words, _ (", unknown for %s"), share);
  }
  if (stand->is_read)
    g_string_append (words, _ (", read from the text"));
  return g_string_free (words, FALSE);
}

char *
pen_pair_cause_item_dup_spoken (PenPairCauseItem *self)
{
  const PenPairCause *cause = self->cause;
  g_autofree char *facts = pen_pair_cause_item_dup_facts (self);
  const char *difference = pen_pair_words_of_difference (cause->verdict);
  GString *words = g_string_new (g_strdelimit (facts, "\n", ' '));

  if (difference[0] != '\0')
    g_string_append_printf (words, ", %s", difference);
  for (guint side = 0; side < 2; side++) {
    g_autofree char *stand = pen_pair_cause_item_dup_stand (self, side);
    g_autofree char *rate = pen_pair_words_of_rate (&cause->rates[side], side);

    g_string_append_printf (words, ". %s", stand);
    if (cause->rates[side].samples > 0)
      g_string_append_printf (words, ". %s", rate);
  }
  if (cause->test.verdict != PEN_PAIR_UNSURE)
    g_string_append_printf (words, ". %s", pen_pair_words_of_verdict (cause->test.verdict));
  return g_string_free (words, FALSE);
}
