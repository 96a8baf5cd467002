/* pen-slots.c: the instructions of one tenure's range over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slots.h"

#include <string.h>

#define MAX_INSTRUCTION 16u

/* After a patch, instructions fall back into step within a few. Damaged data need not. */
#define MAX_OUT_OF_STEP 256u

#define REST ".byte  "

typedef struct {
  const PenSlotsInput *input;
  const PenTenure *tenure;
  PenText *text;
  guint64 start;
  gsize length;
  GPtrArray *lines;
  PenAnnotationLine **open; /* by offset: the line that begins there as of now */
  guint8 *is_boundary;      /* an instruction begins there in this text, or did before a patch */
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

static void
close_line (Walk *walk, gsize offset, PenMoment to)
{
  if (walk->open[offset] == NULL)
    return;
  walk->open[offset]->to = to;
  walk->open[offset] = NULL;
}

static void
close_lines (Walk *walk, gsize begin, gsize end, PenMoment to)
{
  for (gsize i = begin; i < MIN (end, walk->length); i++)
    close_line (walk, i, to);
}

static PenAnnotationLine *
open_line (Walk *walk, const Step *step, gsize offset, const guint8 *bytes, gsize n_bytes)
{
  PenAnnotationLine *line = g_new0 (PenAnnotationLine, 1);
  guint8 buffer[MAX_INSTRUCTION];
  guint8 known[MAX_INSTRUCTION];

  line->address = walk->start + offset;
  line->offset = line->address - walk->input->start;
  line->from = step->moment;
  line->tenure = walk->tenure->id;
  line->revision = walk->revisions[offset];
  line->poke = step->poke != NULL ? step->poke->id : 0;
  line->n_bytes = (guint8) n_bytes;
  memcpy (line->bytes, bytes, n_bytes);
  pen_text_read (walk->text, line->address, n_bytes, step->as_of, buffer, known, &line->evidence);

  g_ptr_array_add (walk->lines, line);
  walk->open[offset] = line;
  return line;
}

static void
set_target (Walk *walk, PenAnnotationLine *line, guint64 target)
{
  PenMoment moment = line->from;
  g_autoptr (GString) name = NULL;

  if (walk->input->target_func == NULL)
    return;
  if (moment.time == 0)
    moment.position = G_MAXUINT64;
  name = g_string_new (NULL);
  walk->input->target_func (target, moment, name, walk->input->user_data);
  if (name->len > 0)
    line->target = g_string_free (g_steal_pointer (&name), FALSE);
}

/* Does the line that is open at @offset go on after the step? A patch of its first byte begins a
 * new revision, even where the bytes are the same. */
static gboolean
goes_on (Walk *walk, const Step *step, gsize offset, const guint8 *bytes, gsize n_bytes)
{
  const PenAnnotationLine *line = walk->open[offset];

  if (line == NULL || line->n_bytes != n_bytes || memcmp (line->bytes, bytes, n_bytes) != 0)
    return FALSE;
  return step->poke == NULL || step->poke->effect != PEN_POKE_PATCH || offset < step->begin
         || offset >= step->end;
}

/* ---- decoding ---- */

static gsize
read_known (Walk *walk, const Step *step, gsize offset, guint8 *bytes)
{
  guint8 known[MAX_INSTRUCTION];
  gsize n = 0;

  pen_text_read (walk->text, walk->start + offset, MAX_INSTRUCTION, step->as_of, bytes, known,
                 NULL);
  while (n < MAX_INSTRUCTION && known[n])
    n++;
  return n;
}

/* Places one instruction. Returns: its length. */
static gsize
place_instruction (Walk *walk, const Step *step, gsize offset, const guint8 *bytes, gsize n_known,
                   PenInstructionClass *class)
{
  PenInstruction instruction;
  PenAnnotationLine *line;
  gsize length;
  gboolean is_cut;

  pen_decoder_decode (walk->input->decoder, bytes, n_known, walk->start + offset, &instruction);
  *class = instruction.class;
  is_cut = instruction.class == PEN_INSTRUCTION_BAD && n_known < MAX_INSTRUCTION;
  length = is_cut ? MIN (n_known, walk->length - offset) : instruction.length;
  walk->is_boundary[offset] = TRUE;
  if (goes_on (walk, step, offset, bytes, length)) {
    close_lines (walk, offset + 1, offset + length, step->moment);
    return length;
  }

  close_lines (walk, offset, offset + length, step->moment);
  line = open_line (walk, step, offset, bytes, length);
  line->class = instruction.class;
  line->instruction = g_strdup (is_cut ? "(not all bytes recorded)" : instruction.text);
  if (instruction.has_target)
    set_target (walk, line, instruction.target);
  return length;
}

static gsize
find_boundary (Walk *walk, gsize offset)
{
  gsize limit = MIN (walk->length, offset + MAX_INSTRUCTION);

  while (offset < limit && !walk->is_boundary[offset])
    offset++;
  return offset < limit ? offset : 0;
}

/*
 * A probe's breakpoint or jump covers whole instructions, but overwrites only its own bytes: what
 * is left of the last one is no instruction, and is not executed. Decoding it would show things
 * that never were, and put everything after it out of step.
 *
 * Returns: how many bytes it placed.
 */
static gsize
place_rest (Walk *walk, const Step *step, gsize offset)
{
  guint8 bytes[MAX_INSTRUCTION];
  gsize boundary = find_boundary (walk, offset);
  gsize length = boundary > offset ? boundary - offset : 0;
  PenAnnotationLine *line;
  g_autoptr (GString) text = NULL;

  if (length == 0 || read_known (walk, step, offset, bytes) < length)
    return 0;
  if (goes_on (walk, step, offset, bytes, length))
    return length;

  close_lines (walk, offset, offset + length, step->moment);
  line = open_line (walk, step, offset, bytes, length);
  text = g_string_new (REST);
  for (gsize i = 0; i < length; i++)
    g_string_append_printf (text, "%s0x%02x", i == 0 ? "" : ",", bytes[i]);
  line->class = PEN_INSTRUCTION_BAD;
  line->instruction = g_string_free (g_steal_pointer (&text), FALSE);
  return length;
}

static gboolean
stops_flow (PenInstructionClass class)
{
  return class == PEN_INSTRUCTION_JUMP || class == PEN_INSTRUCTION_RETURN
         || class == PEN_INSTRUCTION_BREAKPOINT;
}

/* Decodes from @offset until past what the step changed and in step with the instructions there. */
static void
decode_from (Walk *walk, const Step *step, gsize offset)
{
  while (offset < walk->length) {
    guint8 bytes[MAX_INSTRUCTION];
    PenInstructionClass class;
    gboolean is_poked = step->poke != NULL && offset < step->end;
    gsize n_known;

    if (offset >= step->end
        && (walk->open[offset] != NULL || offset - step->end >= MAX_OUT_OF_STEP))
      return;
    n_known = read_known (walk, step, offset, bytes);
    if (n_known == 0) {
      if (offset >= step->end)
        return;
      close_line (walk, offset++, step->moment);
      continue;
    }

    offset += place_instruction (walk, step, offset, bytes, n_known, &class);
    if (is_poked && stops_flow (class) && offset < walk->length)
      offset += place_rest (walk, step, offset);
  }
}

/* ---- steps ---- */

/* The start of the instruction that holds @offset. */
static gsize
find_slot (Walk *walk, gsize offset)
{
  gsize limit = offset > MAX_INSTRUCTION ? offset - MAX_INSTRUCTION : 0;

  for (gsize i = offset + 1; i-- > limit;) {
    if (walk->open[i] != NULL)
      return i + walk->open[i]->n_bytes > offset ? i : offset;
  }
  return offset;
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
    } else {
      /* Other text: what began where in the old is of no meaning for the new. */
      walk->is_boundary[i] = FALSE;
    }
  }
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

  if (poke->tenure != walk->tenure->id || poke->effect == PEN_POKE_SAME || poke->address >= end
      || poke_end <= walk->start || poke_end == poke->address)
    return;

  step.begin = (gsize) (MAX (poke->address, walk->start) - walk->start);
  step.end = (gsize) (MIN (poke_end, end) - walk->start);
  note_coverage (walk, &step);
  decode_from (walk, &step, find_slot (walk, step.begin));
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

void
pen_slots_add_lines (const PenSlotsInput *input, const PenAnnotationTenure *tenure,
                     GPtrArray *lines)
{
  guint64 start = MAX (input->start, tenure->tenure->start);
  guint64 end = MIN (input->end, tenure->tenure->end);
  guint first_line = lines->len;
  Walk walk = {
    .input = input,
    .tenure = tenure->tenure,
    .text = tenure->text,
    .start = start,
    .length = (gsize) (end - start),
    .lines = lines,
  };
  Step first = { .as_of = PEN_MOMENT_START, .moment = tenure->tenure->from };

  if (start >= end || tenure->text == NULL)
    return;

  walk.open = g_new0 (PenAnnotationLine *, walk.length);
  walk.is_boundary = g_new0 (guint8, walk.length);
  walk.is_patched = g_new0 (guint8, walk.length);
  walk.revisions = g_new0 (guint32, walk.length);

  first.end = walk.length;
  decode_from (&walk, &first, 0);
  for (gsize i = 0; i < input->n_pokes; i++)
    apply_poke (&walk, input->pokes[i]);
  close_lines (&walk, 0, walk.length, tenure->tenure->to);
  mark_patched (&walk, first_line);

  g_free (walk.open);
  g_free (walk.is_boundary);
  g_free (walk.is_patched);
  g_free (walk.revisions);
}

gboolean
pen_slots_is_rest (const PenAnnotationLine *line)
{
  return line->class == PEN_INSTRUCTION_BAD && line->n_bytes > 0
         && g_str_has_prefix (line->instruction, REST);
}
