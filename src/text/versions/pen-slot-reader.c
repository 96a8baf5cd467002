/* pen-slot-reader.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-reader.h"

#include <string.h>

struct _PenSlotReader {
  PenDecoder *decoder;
  PenText *text;
  guint64 start;
  gsize length;
  guint8 *is_boundary; /* by offset */
};

PenSlotReader *
pen_slot_reader_new (PenDecoder *decoder, PenText *text, guint64 start, gsize length)
{
  PenSlotReader *self = g_new0 (PenSlotReader, 1);

  self->decoder = decoder;
  self->text = text;
  self->start = start;
  self->length = length;
  self->is_boundary = g_malloc0 (length);
  return self;
}

void
pen_slot_reader_free (PenSlotReader *self)
{
  if (!self)
    return;
  g_free (self->is_boundary);
  g_free (self);
}

gboolean
pen_slot_stops_flow (PenInstructionClass class)
{
  return class == PEN_INSTRUCTION_JUMP || class == PEN_INSTRUCTION_RETURN
         || class == PEN_INSTRUCTION_BREAKPOINT;
}

gboolean
pen_slot_reader_is_boundary (PenSlotReader *self, gsize offset)
{
  return self->is_boundary[offset] != 0;
}

void
pen_slot_reader_forget (PenSlotReader *self, gsize begin, gsize end)
{
  begin = MIN (begin, self->length);
  end = CLAMP (end, begin, self->length);
  memset (self->is_boundary + begin, 0, end - begin);
}

static void
set_text (PenReadSlot *slot, const char *text)
{
  slot->instruction.class = PEN_INSTRUCTION_BAD;
  slot->instruction.has_target = FALSE;
  slot->instruction.target = 0;
  g_strlcpy (slot->instruction.text, text, sizeof slot->instruction.text);
}

/* How far it is to the next boundary; 0: it is here, or not near. */
static gsize
measure_rest (PenSlotReader *self, gsize offset)
{
  gsize limit = MIN (self->length, offset + PEN_SLOT_MAX);

  for (gsize i = offset; i < limit; i++) {
    if (self->is_boundary[i])
      return i - offset;
  }
  return 0;
}

static void
describe_rest (PenReadSlot *slot, gsize length)
{
  g_autoptr (GString) text = g_string_new (".byte  ");

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (text, "%s0x%02x", i == 0 ? "" : ",", slot->bytes[i]);
  slot->kind = PEN_SLOT_REST;
  slot->length = length;
  set_text (slot, text->str);
}

void
pen_slot_reader_read (PenSlotReader *self, gsize offset, PenMoment moment, gboolean after_stop,
                      PenReadSlot *slot)
{
  guint8 known[PEN_SLOT_MAX];
  gsize n_known = 0;
  gsize rest;

  pen_text_read (self->text, self->start + offset, PEN_SLOT_MAX, moment, slot->bytes, known, NULL);
  while (n_known < PEN_SLOT_MAX && known[n_known])
    n_known++;
  if (n_known == 0) {
    slot->kind = PEN_SLOT_GAP;
    slot->length = 1;
    set_text (slot, "");
    return;
  }

  rest = after_stop ? measure_rest (self, offset) : 0;
  if (rest > 0 && rest <= n_known) {
    describe_rest (slot, rest);
    return;
  }

  if (pen_moment_compare (moment, PEN_MOMENT_START) == 0)
    self->is_boundary[offset] = 1;
  pen_decoder_decode (self->decoder, slot->bytes, n_known, self->start + offset,
                      &slot->instruction);
  slot->kind = PEN_SLOT_INSTRUCTION;
  slot->length = slot->instruction.length;
  if (slot->instruction.class == PEN_INSTRUCTION_BAD && n_known < PEN_SLOT_MAX
      && offset + n_known < self->length) {
    slot->kind = PEN_SLOT_CUT;
    slot->length = n_known;
    set_text (slot, "(not all bytes recorded)");
  }
}
