/* pen-pasted-trace.c
 *
 * Lines with several places, or with names alone:
 *   sh-132 [000] ..... 5.844816: symbol <-caller    kernel/trace/trace_output.c: trace_fn_trace
 *   sh 132 [000] 5.844816: 250000 cycles: ffffffff81234567 symbol (dso)    perf script
 *   comm;symbol;symbol 12                           bcc: profile -f, offcputime -f; stackcollapse
 *       symbol                                      bcc: profile, offcputime, stackcount; perf
 * report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pasted-trace.h"

#include <string.h>

#include "pen-pasted-log.h"
#include "pen-query-find.h"

void
pen_pasted_trace_free (PenPastedTrace *self)
{
  g_ptr_array_unref (self->places);
  g_free (self);
}

static PenSlice
next_line (const char **at, const char *end)
{
  const char *newline = memchr (*at, '\n', (gsize) (end - *at));
  PenSlice line = { *at, newline ? newline : end };

  *at = newline ? newline + 1 : end;
  line.end = MIN (line.end, line.at + PEN_PASTED_LINE_MAX);
  return line;
}

static const char *
find_end (const char *text)
{
  return text + strnlen (text, PEN_FIND_TEXT_MAX);
}

gboolean
pen_find_is_trace (const char *text)
{
  const char *end = find_end (text);
  guint n = 0;

  while (text < end && n < 2) {
    PenSlice line = next_line (&text, end);

    pen_slice_trim (&line);
    n += line.at < line.end;
  }
  return n > 1;
}

/* Returns whether there is one in @line. */
static gboolean
add_place (PenPastedTrace *self, PenSlice line, gboolean is_frame, guint number)
{
  PenPastedPlace *place = pen_pasted_place_read (line, is_frame);

  if (!place)
    return FALSE;
  place->line = number;
  self->is_cut |= self->places->len == PEN_PASTED_PLACES_MAX;
  if (self->is_cut)
    pen_pasted_place_free (place);
  else
    g_ptr_array_add (self->places, place);
  return TRUE;
}

/* "symbol_[k]": as bcc and others mark frames of the kernel */
static PenSlice
strip_kind (PenSlice name)
{
  if (pen_slice_get_length (name) > 4 && memcmp (name.end - 4, "_[", 2) == 0 && name.end[-1] == ']')
    name.end -= 4;
  return name;
}

/* The first is the task. */
static gboolean
add_folded (PenPastedTrace *self, PenSlice line, guint number)
{
  const char *at = memchr (line.at, ';', pen_slice_get_length (line));
  const char *end = line.end;
  guint n = self->places->len;

  while (end > line.at && g_ascii_isdigit (end[-1]))
    end--;
  if (!at || end == line.end || end <= at + 1 || !pen_slice_is_blank (end[-1]))
    return FALSE;
  while (at < end && !self->is_cut) {
    const char *next = memchr (at + 1, ';', (gsize) (end - at - 1));
    PenSlice frame = { at + 1, next ? next : end };

    pen_slice_trim (&frame);
    add_place (self, strip_kind (frame), TRUE, number);
    at = next ? next : end;
  }
  return self->places->len > n;
}

/* A function, and who called it. */
static gboolean
add_call (PenPastedTrace *self, PenSlice line, guint number)
{
  const char *arrow = g_strstr_len (line.at, (gssize) pen_slice_get_length (line), " <-");
  PenSlice callee = line;
  guint64 time;

  if (!arrow || arrow + 3 == line.end || pen_slice_is_blank (arrow[3]))
    return FALSE;
  pen_pasted_log_find_time (line, &time, &callee);
  callee.end = MAX (arrow, callee.at);
  return add_place (self, callee, TRUE, number)
         && (self->is_cut || add_place (self, (PenSlice){ arrow + 3, line.end }, TRUE, number));
}

/* In one line with its event: "250000 cycles:  ffffffff81234567 symbol (dso)". */
static gboolean
add_sample (PenPastedTrace *self, PenSlice after_time, guint number)
{
  guint64 address;

  while (after_time.at < after_time.end) {
    PenSlice word = pen_slice_get_word (after_time);

    after_time.at = word.end;
    pen_slice_skip_blanks (&after_time);
    if (word.end[-1] == ':'
        && pen_slice_read_address (pen_slice_get_word (after_time), 8, &address))
      return add_place (self, after_time, FALSE, number);
  }
  return FALSE;
}

static void
add_line (PenPastedTrace *self, PenSlice line, guint number)
{
  gboolean is_indented = line.at < line.end && pen_slice_is_blank (*line.at);
  const char *start;
  PenSlice sample = { line.end, line.end };
  guint64 time;

  pen_slice_trim (&line);
  start = line.at;
  if (pen_pasted_log_take (&line, &time) && !self->has_time) {
    self->has_time = TRUE;
    self->time = time;
  }
  if (pen_pasted_log_find_time (line, &time, &sample) && !self->has_time) {
    self->has_time = TRUE;
    self->time = time;
  }
  if (add_call (self, line, number) || add_folded (self, line, number)
      || add_place (self, line, FALSE, number) || add_sample (self, sample, number))
    return;
  line = strip_kind (line);
  if (is_indented && (start == line.at || *start == '|') && pen_pasted_place_is_name (line)
      && !memchr (line.at, ':', pen_slice_get_length (line)))
    add_place (self, line, TRUE, number);
}

PenPastedTrace *
pen_pasted_trace_new (const char *text)
{
  PenPastedTrace *self = g_new0 (PenPastedTrace, 1);
  const char *end = find_end (text);

  self->places = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_pasted_place_free);
  for (guint number = 1; text < end && !self->is_cut; number++)
    add_line (self, next_line (&text, end), number);
  return self;
}

PenPastedPlace *
pen_pasted_place_new (const char *text)
{
  PenSlice line = { text, find_end (text) };
  g_autoptr (PenPastedPlace) place = NULL;

  line.end = MIN (line.end, line.at + PEN_PASTED_LINE_MAX);
  pen_pasted_log_take (&line, NULL);
  place = pen_pasted_place_read (line, pen_pasted_place_is_name (line));
  if (place)
    place->line = 1;
  return g_steal_pointer (&place);
}
