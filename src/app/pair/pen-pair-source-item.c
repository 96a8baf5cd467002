/* pen-pair-source-item.c: one line of a function's source in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-source-item.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-pair-words.h"

struct _PenPairSourceItem {
  GObject parent_instance;

  PenPairLines *lines;
  const PenPairSourceLine *line;
};

G_DEFINE_FINAL_TYPE (PenPairSourceItem, pen_pair_source_item, G_TYPE_OBJECT)

static void
pen_pair_source_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_PAIR_SOURCE_ITEM (object)->lines, pen_pair_lines_unref);

  G_OBJECT_CLASS (pen_pair_source_item_parent_class)->finalize (object);
}

static void
pen_pair_source_item_class_init (PenPairSourceItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_pair_source_item_finalize;
}

static void
pen_pair_source_item_init (PenPairSourceItem *self)
{
}

PenPairSourceItem *
pen_pair_source_item_new (const PenPairLines *lines, const PenPairSourceLine *line)
{
  PenPairSourceItem *self = g_object_new (PEN_TYPE_PAIR_SOURCE_ITEM, NULL);

  self->lines = pen_pair_lines_ref ((PenPairLines *) lines);
  self->line = line;
  return self;
}

const PenPairSourceLine *
pen_pair_source_item_get_line (PenPairSourceItem *self)
{
  return self->line;
}

char *
pen_pair_source_item_dup_place (PenPairSourceItem *self, guint side, gboolean is_whole)
{
  const char *path = self->line->files[side];
  const char *slash = path && !is_whole ? strrchr (path, '/') : NULL;
  g_autofree char *place
      = path ? g_strdup_printf ("%s:%u", slash ? slash + 1 : path, self->line->lines[side]) : NULL;

  return place ? pen_display_text (place) : g_strdup ("");
}

char *
pen_pair_source_item_dup_spoken (PenPairSourceItem *self)
{
  GString *words = g_string_new (NULL);

  for (guint side = 0; side < 2; side++) {
    g_autofree char *place = pen_pair_source_item_dup_place (self, side, FALSE);
    g_autofree char *rate = pen_pair_words_of_rate (&self->line->rates[side], side);

    g_string_append_printf (words, "%s%s, %s", side > 0 ? ". " : "",
                            place[0] ? place : _ ("unknown line"), rate);
  }
  if (self->line->test.verdict != PEN_PAIR_UNSURE)
    g_string_append_printf (words, ". %s", pen_pair_words_of_verdict (self->line->test.verdict));
  return g_string_free (words, FALSE);
}
