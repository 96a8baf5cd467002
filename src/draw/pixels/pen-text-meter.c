/* pen-text-meter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-meter.h"

#include "pen-short-name.h"

#define ELLIPSIS 0x2026

void
pen_text_meter_init (PenTextMeter *self, PenPainter *painter, PenLook look)
{
  *self = (PenTextMeter){ .painter = painter, .look = look };
}

static double
measure_letter (PenTextMeter *self, gunichar letter)
{
  /* No text has the letter 0: its place is that of what names are cut with. */
  guint place = letter == ELLIPSIS ? 0 : MIN (letter, PEN_TEXT_METER_LETTERS);
  char text[8] = { 0 };
  double width;

  if (place < PEN_TEXT_METER_LETTERS && self->widths[place] > 0)
    return self->widths[place];
  g_unichar_to_utf8 (letter, text);
  width = self->painter->measure (self->painter, text, self->look);
  if (place < PEN_TEXT_METER_LETTERS)
    self->widths[place] = MAX (width, 0.5);
  return width;
}

double
pen_text_meter_measure (PenTextMeter *self, const char *text)
{
  double width = 0;

  for (const char *at = text; *at; at = g_utf8_next_char (at))
    width += measure_letter (self, g_utf8_get_char (at));
  return width;
}

typedef struct {
  PenTextMeter *meter;
  double width;
} Room;

static gboolean
has_room (const char *text, gpointer data)
{
  const Room *room = data;

  return pen_text_meter_measure (room->meter, text) <= room->width;
}

char *
pen_text_meter_shorten (PenTextMeter *self, const char *name, double width)
{
  Room room = { self, width };

  return pen_short_name_new (name, has_room, &room);
}
