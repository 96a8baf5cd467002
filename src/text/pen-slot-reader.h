/* pen-slot-reader.h: what begins at one byte of a tenure's text, as of a moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-text.h"

G_BEGIN_DECLS

#define PEN_SLOT_MAX 16u

typedef enum {
  PEN_SLOT_GAP, /* one byte that is not known */
  PEN_SLOT_INSTRUCTION,
  PEN_SLOT_CUT,  /* an instruction of which not all bytes are known */
  PEN_SLOT_REST, /* what a patch left of an instruction */
} PenSlotKind;

/*
 * PenReadSlot:
 * @length: at least 1
 * @instruction: of PEN_SLOT_INSTRUCTION; of the others its text and class
 */
typedef struct {
  PenSlotKind kind;
  gsize length;
  guint8 bytes[PEN_SLOT_MAX];
  PenInstruction instruction;
} PenReadSlot;

/*
 * PenSlotReader: reads a stretch of a tenure's text, one instruction after the other.
 *
 * A probe's breakpoint or jump covers whole instructions, but overwrites only its own bytes: what
 * is left of the last one is no instruction, and is not executed. Decoding it would show things
 * that never were, and put everything after it out of step. So what follows an instruction that
 * stops the flow, up to where an instruction began in the first text, is a rest. The text at a
 * moment depends on the text then and on the first text only, not on what came between.
 */
typedef struct _PenSlotReader PenSlotReader;

/* @decoder, @text: have to outlive it */
PenSlotReader *pen_slot_reader_new (PenDecoder *decoder, PenText *text, guint64 start,
                                    gsize length);
void pen_slot_reader_free (PenSlotReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSlotReader, pen_slot_reader_free)

/*
 * pen_slot_reader_read:
 * @offset: from @start; less than @length
 * @moment: the text just before it. Reading at PEN_MOMENT_START notes where instructions begin: do
 *   that first, from end to end
 * @after_stop: an instruction that stops the flow ends here
 */
void pen_slot_reader_read (PenSlotReader *self, gsize offset, PenMoment moment, gboolean after_stop,
                           PenReadSlot *slot);

/* Where other text was put: what began where in the first is of no meaning for it. Offsets; cut to
 * the stretch. */
void pen_slot_reader_forget (PenSlotReader *self, gsize begin, gsize end);

/* Did an instruction begin there in the first text? */
gboolean pen_slot_reader_is_boundary (PenSlotReader *self, gsize offset);

/* Does execution never continue after @class? */
gboolean pen_slot_stops_flow (PenInstructionClass class);

G_END_DECLS
