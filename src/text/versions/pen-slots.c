/* pen-slots.c: the instructions of one tenure's range over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slots.h"

#include <string.h>

#include "pen-slot-reader.h"

/* After a patch, instructions fall back into step within a few. Damaged data need not. */
#define MAX_OUT_OF_STEP 256u

typedef struct {
  const PenSlotsInput *input;
  const PenTenure *tenure;
  PenText *text;
  PenSlotReader *reader;
  guint64 start;
  gsize length;
  GPtrArray *lines;
  PenAnnotationLine **open; /* by offset: the line that begins there as of now */
  guint8 *is_after_stop;    /* of what begins there: see pen_slot_reader_read() */
  guint8 *is_patched;
  guint32 *revisions;
} Walk;

/* One step in time: the text as it was first, or after a poke. */
typedef struct {
  PenMoment as_of;  /* to read the text at */
  PenMoment moment; /* when the step was taken */
  const PenPoke *poke;
  gsize begin; /* what the poke covers, as offsets */
  gsize end;
} Step;

/* ---- lines ---- */

/* The others are only needed as long as they are open. */
static gboolean
is_wanted (const Walk *walk, const PenAnnotationLine *line)
{
  const guint64 *byte = walk->input->byte;

  return !byte || (line->address <= *byte && *byte - line->address < line->n_bytes);
}

static void
close_line (Walk *walk, gsize offset, PenMoment to)
{
  PenAnnotationLine *line = g_steal_pointer (&walk->open[offset]);

  if (line && is_wanted (walk, line))
    line->to = to;
  else
    pen_annotation_line_free (line);
}

static void
close_lines (Walk *walk, gsize begin, gsize end, PenMoment to)
{
  for (gsize i = begin; i < MIN (end, walk->length); i++)
    close_line (walk, i, to);
}

static PenAnnotationLine *
open_line (Walk *walk, const Step *step, gsize offset, const PenReadSlot *slot)
{
  PenAnnotationLine *line = g_new0 (PenAnnotationLine, 1);
  guint8 buffer[PEN_SLOT_MAX];
  guint8 known[PEN_SLOT_MAX];

  line->address = walk->start + offset;
  line->offset = line->address - walk->input->start;
  line->from = step->moment;
  line->tenure = walk->tenure->id;
  line->revision = walk->revisions ? walk->revisions[offset] : 0;
  line->poke = step->poke ? step->poke->id : 0;
  line->n_bytes = (guint8) slot->length;
  memcpy (line->bytes, slot->bytes, slot->length);
  pen_text_read (walk->text, line->address, slot->length, step->as_of, buffer, known,
                 &line->evidence);
  line->is_rest = slot->kind == PEN_SLOT_REST;
  line->class = slot->instruction.class;
  line->instruction = g_strdup (slot->instruction.text);
  if (slot->kind == PEN_SLOT_INSTRUCTION && slot->instruction.has_target) {
    line->has_target = TRUE;
    line->target_address = slot->instruction.target;
  }

  if (is_wanted (walk, line))
    g_ptr_array_add (walk->lines, line);
  return line;
}

/* As so many steps. */
static gboolean
may_go_on (const Walk *walk, guint n)
{
  return !walk->input->check || pen_cancel_check_steps (walk->input->check, n);
}

/* @moment: as of which it is named */
static void
set_target (Walk *walk, PenAnnotationLine *line, PenMoment moment)
{
  g_autoptr (GString) name = NULL;

  /* To find out who held a target takes as long as thousands of steps. */
  if (!walk->input->target_func || !line->has_target || !may_go_on (walk, PEN_CANCEL_CHECK_STEPS))
    return;
  if (moment.time == 0)
    moment.position = G_MAXUINT64;
  name = g_string_new (NULL);
  walk->input->target_func (line->target_address, moment, name, walk->input->user_data);
  if (name->len > 0)
    line->target = g_string_free (g_steal_pointer (&name), FALSE);
}

/* Does the line that is open at @offset go on after the step? A patch of its first byte begins a
 * new revision, even where the bytes are the same. */
static gboolean
goes_on (Walk *walk, const Step *step, gsize offset, const PenReadSlot *slot)
{
  const PenAnnotationLine *line = walk->open[offset];

  if (!line || line->n_bytes != slot->length || memcmp (line->bytes, slot->bytes, slot->length) != 0
      || line->is_rest != (slot->kind == PEN_SLOT_REST)
      || strcmp (line->instruction, slot->instruction.text) != 0)
    return FALSE;
  return !step->poke || step->poke->effect != PEN_POKE_PATCH || offset < step->begin
         || offset >= step->end;
}

/* ---- decoding ---- */

static void
place_slot (Walk *walk, const Step *step, gsize offset, const PenReadSlot *slot)
{
  PenAnnotationLine *line;

  if (goes_on (walk, step, offset, slot)) {
    close_lines (walk, offset + 1, offset + slot->length, step->moment);
    return;
  }
  close_lines (walk, offset, offset + slot->length, step->moment);
  line = open_line (walk, step, offset, slot);
  walk->open[offset] = line;
  if (is_wanted (walk, line))
    set_target (walk, line, line->from);
}

/* Is what begins at @offset as it would be if all of the text were decoded from its start? */
static gboolean
is_in_step (Walk *walk, gsize offset, gboolean after_stop)
{
  return walk->open[offset]
         && (walk->is_after_stop[offset] == (guint8) after_stop
             || pen_slot_reader_is_boundary (walk->reader, offset));
}

/* Decodes from @offset until past what the step changed and in step with the instructions there. */
static void
decode_from (Walk *walk, const Step *step, gsize offset, gboolean after_stop)
{
  while (offset < walk->length && may_go_on (walk, 1)) {
    PenReadSlot slot;

    if (offset >= step->end
        && (is_in_step (walk, offset, after_stop) || offset - step->end >= MAX_OUT_OF_STEP))
      return;
    pen_slot_reader_read (walk->reader, offset, step->as_of, after_stop, &slot);
    if (slot.kind == PEN_SLOT_GAP) {
      if (offset >= step->end)
        return;
      close_line (walk, offset++, step->moment);
      after_stop = FALSE;
      continue;
    }

    walk->is_after_stop[offset] = (guint8) after_stop;
    place_slot (walk, step, offset, &slot);
    after_stop = pen_slot_stops_flow (slot.instruction.class);
    offset += slot.length;
  }
}

/* ---- steps ---- */

/* An instruction at an offset may depend on bytes that follow. */
static gboolean
looks_ahead (Walk *walk, gsize offset)
{
  return walk->open[offset]->class == PEN_INSTRUCTION_BAD
         || (walk->is_after_stop[offset] && !pen_slot_reader_is_boundary (walk->reader, offset));
}

/* Where to decode from when the byte at @offset changed: the first line that depends on it. */
static gsize
find_slot (Walk *walk, gsize offset)
{
  gsize first = offset > PEN_SLOT_MAX ? offset - PEN_SLOT_MAX : 0;

  for (gsize i = first; i < offset; i++) {
    if (walk->open[i] && (i + walk->open[i]->n_bytes > offset || looks_ahead (walk, i)))
      return i;
  }
  return offset;
}

static gboolean
follows_stop (Walk *walk, gsize offset)
{
  for (gsize back = 1; back <= PEN_SLOT_MAX && back <= offset; back++) {
    const PenAnnotationLine *line = walk->open[offset - back];

    if (line)
      return line->n_bytes == back && pen_slot_stops_flow (line->class);
  }
  return FALSE;
}

static PenMoment
get_moment_after (PenMoment moment)
{
  if (moment.position == G_MAXUINT64)
    return (PenMoment){ moment.time + 1, 0 };
  return (PenMoment){ moment.time, moment.position + 1 };
}

static void
note_coverage (Walk *walk, const Step *step)
{
  for (gsize i = step->begin; i < step->end; i++) {
    if (step->poke->effect == PEN_POKE_PATCH) {
      walk->revisions[i]++;
      walk->is_patched[i] = TRUE;
    }
  }
  if (step->poke->effect != PEN_POKE_PATCH)
    pen_slot_reader_forget (walk->reader, step->begin, step->end);
}

static void
apply_poke (Walk *walk, const PenPoke *poke)
{
  guint64 end = walk->start + walk->length;
  guint64 poke_end = poke->address + MIN (pen_poke_get_length (poke), G_MAXUINT64 - poke->address);
  Step step = {
    .as_of = get_moment_after (poke->moment),
    .moment = poke->moment,
    .poke = poke,
  };
  gsize from;

  if (poke->tenure != walk->tenure->id || poke->effect == PEN_POKE_SAME || poke->address >= end
      || poke_end <= walk->start || poke_end == poke->address)
    return;

  step.begin = (gsize) (MAX (poke->address, walk->start) - walk->start);
  step.end = (gsize) (MIN (poke_end, end) - walk->start);
  from = find_slot (walk, step.begin);
  note_coverage (walk, &step);
  decode_from (walk, &step, from, follows_stop (walk, from));
}

static void
mark_patched (Walk *walk, guint first_line)
{
  for (guint i = first_line; i < walk->lines->len; i++) {
    PenAnnotationLine *line = g_ptr_array_index (walk->lines, i);
    gsize offset = (gsize) (line->address - walk->start);

    for (gsize j = offset; j < MIN (offset + line->n_bytes, walk->length); j++)
      line->is_patched = line->is_patched || walk->is_patched[j];
  }
}

/* FALSE: the tenure has nothing of the range. */
static gboolean
walk_init (Walk *walk, const PenSlotsInput *input, const PenAnnotationTenure *tenure,
           GPtrArray *lines)
{
  guint64 start = MAX (input->start, tenure->tenure->start);
  guint64 end = MIN (input->end, tenure->tenure->end);

  if (start >= end || !tenure->text)
    return FALSE;
  *walk = (Walk){
    .input = input,
    .tenure = tenure->tenure,
    .text = tenure->text,
    .reader = pen_slot_reader_new (input->decoder, tenure->text, start, (gsize) (end - start)),
    .start = start,
    .length = (gsize) (end - start),
    .lines = lines,
  };
  return TRUE;
}

static void
walk_clear (Walk *walk)
{
  pen_slot_reader_free (walk->reader);
  g_free (walk->open);
  g_free (walk->is_after_stop);
  g_free (walk->is_patched);
  g_free (walk->revisions);
}

void
pen_slots_add_lines (const PenSlotsInput *input, const PenAnnotationTenure *tenure,
                     GPtrArray *lines)
{
  guint first_line = lines->len;
  Step first = { .as_of = PEN_MOMENT_START, .moment = tenure->tenure->from };
  Walk walk;

  if (!walk_init (&walk, input, tenure, lines))
    return;
  walk.open = g_new0 (PenAnnotationLine *, walk.length);
  walk.is_after_stop = g_new0 (guint8, walk.length);
  walk.is_patched = g_new0 (guint8, walk.length);
  walk.revisions = g_new0 (guint32, walk.length);

  first.end = walk.length;
  decode_from (&walk, &first, 0, FALSE);
  for (gsize i = 0; i < input->n_pokes && may_go_on (&walk, 1); i++)
    apply_poke (&walk, input->pokes[i]);
  close_lines (&walk, 0, walk.length, tenure->tenure->to);
  mark_patched (&walk, first_line);
  walk_clear (&walk);
}

/* ---- as of one moment ---- */

static gboolean
find_overlap (const Walk *walk, const PenPoke *poke, gsize *begin, gsize *end)
{
  guint64 walk_end = walk->start + walk->length;
  guint64 poke_end = poke->address + MIN (pen_poke_get_length (poke), G_MAXUINT64 - poke->address);

  if (poke->tenure != walk->tenure->id || poke->effect == PEN_POKE_SAME || poke->address >= walk_end
      || poke_end <= walk->start)
    return FALSE;
  *begin = (gsize) (MAX (poke->address, walk->start) - walk->start);
  *end = (gsize) (MIN (poke_end, walk_end) - walk->start);
  return *begin < *end;
}

/* The first text is decoded only for where its instructions begin. */
static void
learn_boundaries (Walk *walk, PenMoment moment)
{
  for (gsize offset = 0; offset < walk->length && may_go_on (walk, 1);) {
    PenReadSlot slot;

    pen_slot_reader_read (walk->reader, offset, PEN_MOMENT_START, FALSE, &slot);
    offset += slot.length;
  }
  for (gsize i = 0; i < walk->input->n_pokes; i++) {
    const PenPoke *poke = walk->input->pokes[i];
    gsize begin, end;

    if (poke->effect != PEN_POKE_PATCH && pen_moment_compare (poke->moment, moment) < 0
        && find_overlap (walk, poke, &begin, &end))
      pen_slot_reader_forget (walk->reader, begin, end);
  }
}

/* For each byte, since when and until when it was as it is then. */
typedef struct {
  PenMoment *from;
  PenMoment *to;
  const PenPoke **poke;
} Spans;

static void
find_spans (const Walk *walk, PenMoment moment, Spans *spans)
{
  for (gsize i = 0; i < walk->length; i++) {
    spans->from[i] = walk->tenure->from;
    spans->to[i] = walk->tenure->to;
  }
  for (gsize i = 0; i < walk->input->n_pokes; i++) {
    const PenPoke *poke = walk->input->pokes[i];
    gboolean is_before = pen_moment_compare (poke->moment, moment) < 0;
    gsize begin, end;

    if (!find_overlap (walk, poke, &begin, &end))
      continue;
    for (gsize j = begin; j < end; j++) {
      if (is_before) {
        spans->from[j] = poke->moment;
        spans->poke[j] = poke;
      } else if (pen_moment_compare (poke->moment, spans->to[j]) < 0) {
        spans->to[j] = poke->moment;
      }
      walk->is_patched[j] |= poke->effect == PEN_POKE_PATCH;
    }
  }
}

static void
set_span (const Walk *walk, const Spans *spans, PenAnnotationLine *line)
{
  gsize offset = (gsize) (line->address - walk->start);

  line->from = walk->tenure->from;
  line->to = walk->tenure->to;
  for (gsize i = offset; i < MIN (offset + line->n_bytes, walk->length); i++) {
    if (pen_moment_compare (spans->from[i], line->from) > 0) {
      line->from = spans->from[i];
      line->poke = spans->poke[i]->id;
    }
    if (pen_moment_compare (spans->to[i], line->to) < 0)
      line->to = spans->to[i];
    line->is_patched |= walk->is_patched[i];
  }
}

static void
add_lines_at (Walk *walk, PenMoment moment, const Spans *spans)
{
  Step step = { .as_of = moment, .moment = walk->tenure->from };
  gboolean after_stop = FALSE;

  for (gsize offset = 0; offset < walk->length && may_go_on (walk, 1);) {
    PenReadSlot slot;

    pen_slot_reader_read (walk->reader, offset, moment, after_stop, &slot);
    if (slot.kind != PEN_SLOT_GAP) {
      PenAnnotationLine *line = open_line (walk, &step, offset, &slot);

      set_span (walk, spans, line);
      set_target (walk, line, moment);
    }
    after_stop = slot.kind != PEN_SLOT_GAP && pen_slot_stops_flow (slot.instruction.class);
    offset += slot.length;
  }
}

void
pen_slots_add_lines_at (const PenSlotsInput *input, const PenAnnotationTenure *tenure,
                        PenMoment moment, GPtrArray *lines)
{
  Spans spans;
  Walk walk;

  if (!walk_init (&walk, input, tenure, lines))
    return;
  walk.is_patched = g_new0 (guint8, walk.length);
  spans.from = g_new (PenMoment, walk.length);
  spans.to = g_new (PenMoment, walk.length);
  spans.poke = g_new0 (const PenPoke *, walk.length);

  learn_boundaries (&walk, moment);
  find_spans (&walk, moment, &spans);
  add_lines_at (&walk, moment, &spans);

  g_free (spans.from);
  g_free (spans.to);
  g_free (spans.poke);
  walk_clear (&walk);
}
