/* pen-text-meter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-meter.h"

#include "pen-short-name.h"

void
pen_text_meter_init (PenTextMeter *self, PenPainter *painter, PenLook look)
{
  *self = (PenTextMeter){ .painter = painter, .look = look };
}

static double
measure_letter (PenTextMeter *self, gunichar letter)
{
  char text[8] = { 0 };

  if (letter < PEN_TEXT_METER_LETTERS && self->widths[letter] > 0)
    return self->widths[letter];
  g_unichar_to_utf8 (letter, text);
  if (letter >= PEN_TEXT_METER_LETTERS)
    return self->painter->measure (self->painter, text, self->look);
  self->widths[letter] = MAX (self->painter->measure (self->painter, text, self->look), 0.5);
  return self->widths[letter];
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
