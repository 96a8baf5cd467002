/* pen-pasted-trace.c
 *
 * Formats, with their sources in Linux unless another is named:
 *   symbol+0x1c/0x310 [module]        lib/vsprintf.c: %pS, %pB; kernel/kallsyms.c: __sprint_symbol
 *   RIP: 0010:symbol+0x1c/0x310       arch/x86/kernel/dumpstack.c: show_ip
 *   ? symbol+0x1c/0x310               arch/x86/kernel/dumpstack.c: printk_address
 *   pc : symbol+0x10/0x40, lr :       arch/arm64/kernel/process.c: show_regs_print_info
 *   [<ffffffff81234567>] symbol+…     kernels before 4.10
 *   [<0>] symbol+0x1/0x2              fs/proc/base.c: proc_pid_stack
 *    => symbol                        kernel/trace/trace_output.c: trace_stack_print
 *   ffffffff81234567 symbol+0x1 (dso) perf script: tools/perf/util/evsel_fprintf.c
 *   symbol+28                         bpftrace: kstack
 *   #3 [ffffc90000123e00] symbol at ffffffff81234567     crash: bt
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pasted-trace.h"

#include <string.h>

#include "pen-query-find.h"
#include "pen-slice.h"

/* An address without 0x has all of its digits; a shorter one is a number. */
#define BARE_DIGITS 16
/* Before a symbol it has fewer where it is of user space. */
#define BARE_DIGITS_MIN 8
#define SHOWN_MAX 240u
/* A log's header is before it. */
#define LOG_NAME "kernel: "
#define LOG_NAME_REACH 160

void
pen_pasted_place_free (PenPastedPlace *self)
{
  g_free (self->text);
  g_free (self->symbol);
  g_free (self->owner);
  g_free (self);
}

void
pen_pasted_trace_free (PenPastedTrace *self)
{
  g_ptr_array_unref (self->places);
  g_free (self);
}

/* ---- what logs put before a line ---- */

static gboolean
is_caller (PenSlice slice)
{
  guint64 number;

  pen_slice_trim (&slice);
  return pen_slice_get_length (slice) > 1 && (slice.at[0] == 'T' || slice.at[0] == 'C')
         && pen_slice_read_decimal (slice.at + 1, slice.end, &number) == slice.end;
}

/* "[  123.456789]", "[ T132]", "[Sun Nov 22 16:47:36 2026]"; not "[<0>]", not "[module]". */
static gboolean
take_stamp (PenSlice *line, PenPastedTrace *trace)
{
  const char *close
      = *line->at == '[' ? memchr (line->at, ']', pen_slice_get_length (*line)) : NULL;
  PenSlice inside;
  guint64 time;

  if (!close)
    return FALSE;
  inside = (PenSlice){ line->at + 1, close };
  if (pen_slice_read_seconds (inside, 1, &time)) {
    if (trace && !trace->has_time) {
      trace->has_time = TRUE;
      trace->time = time;
    }
  } else if (!is_caller (inside)
             && (pen_slice_starts_with (inside, "<")
                 || !memchr (inside.at, ':', pen_slice_get_length (inside))
                 || !memchr (inside.at, ' ', pen_slice_get_length (inside)))) {
    return FALSE;
  }
  line->at = close + 1;
  return TRUE;
}

/* "<4>": the level of printk */
static gboolean
take_level (PenSlice *line)
{
  guint64 level;
  const char *p;

  if (*line->at != '<')
    return FALSE;
  p = pen_slice_read_decimal (line->at + 1, line->end, &level);
  if (!p || p == line->end || *p != '>')
    return FALSE;
  line->at = p + 1;
  return TRUE;
}

/* "2026-11-22T16:47:36,123456+00:00" */
static gboolean
take_date (PenSlice *line)
{
  PenSlice word = pen_slice_get_word (*line);
  guint64 year;
  const char *p = pen_slice_read_decimal (word.at, word.end, &year);

  if (!p || p - word.at != 4 || p == word.end || *p != '-'
      || !memchr (p, ':', (gsize) (word.end - p)))
    return FALSE;
  line->at = word.end;
  return TRUE;
}

static void
take_prefix (PenSlice *line, PenPastedTrace *trace)
{
  const char *log = g_strstr_len (
      line->at, (gssize) MIN (pen_slice_get_length (*line), LOG_NAME_REACH), LOG_NAME);
  gboolean taken = TRUE;

  if (log)
    line->at = log + strlen (LOG_NAME);
  while (taken) {
    pen_slice_trim (line);
    taken = line->at < line->end
            && (take_stamp (line, trace) || take_level (line) || take_date (line)
                || ((*line->at == '>' || *line->at == '|') && line->at++));
  }
}

/* ---- names ---- */

static gboolean
is_name_start (char c)
{
  return g_ascii_isalpha (c) || c == '_' || c == '.' || c == '$' || (c & 0x80) != 0;
}

static gboolean
is_name (char c)
{
  return is_name_start (c) || g_ascii_isdigit (c) || c == '@' || c == '~';
}

static void
set_string (char **string, PenSlice slice)
{
  g_free (*string);
  *string = g_strndup (slice.at, pen_slice_get_length (slice));
}

/* A module's file: its name without directories and what comes after ".ko". */
static void
set_owner (PenPastedPlace *place, PenSlice slice)
{
  const char *ko = g_strstr_len (slice.at, (gssize) pen_slice_get_length (slice), ".ko");
  gboolean is_path = slice.at < slice.end && *slice.at == '/';

  if (pen_slice_get_length (slice) == 0 || pen_slice_starts_with (slice, "kernel.")
      || pen_slice_starts_with (slice, "guest.") || pen_slice_starts_with (slice, "__builtin__")
      || pen_slice_starts_with (slice, "unknown") || pen_slice_starts_with (slice, "inlined"))
    return;
  for (const char *p = slice.at; is_path && ko && p < ko; p++) {
    if (*p == '/')
      slice.at = p + 1;
  }
  if (is_path && ko)
    slice.end = ko;
  place->is_user |= is_path && !ko
                    && !g_strstr_len (slice.at, (gssize) pen_slice_get_length (slice), "vmlinux");
  set_string (&place->owner, slice);
  if (g_str_equal (place->owner, "kernel") || g_str_equal (place->owner, "vmlinux")
      || g_str_equal (place->owner, "bpf"))
    g_clear_pointer (&place->owner, g_free);
}

/* " [xfs 12ab…]", " (/usr/bin/cat)", " ([kernel.kallsyms])" */
static void
read_owner (PenPastedPlace *place, PenSlice rest)
{
  char close;
  const char *end;
  PenSlice inside;

  pen_slice_skip_blanks (&rest);
  if (rest.at == rest.end || (*rest.at != '[' && *rest.at != '('))
    return;
  close = *rest.at == '[' ? ']' : ')';
  rest.at++;
  if (rest.at < rest.end && close == ')' && *rest.at == '[') {
    rest.at++;
    close = ']';
  }
  end = memchr (rest.at, close, pen_slice_get_length (rest));
  if (!end)
    return;
  inside = (PenSlice){ rest.at, end };
  pen_slice_trim (&inside);
  set_owner (place, *inside.at == '/' ? inside : pen_slice_get_word (inside));
}

/* Skips marks and the address before a symbol. */
static void
read_before (PenPastedPlace *place, PenSlice before)
{
  PenSlice word;
  guint64 address;

  pen_slice_trim (&before);
  if (before.end > before.at && before.end[-1] == '?') {
    place->is_unreliable = TRUE;
    before.end--;
  }
  while (before.end > before.at
         && (pen_slice_is_blank (before.end[-1]) || strchr (":>](", before.end[-1])))
    before.end--;
  word = (PenSlice){ before.end, before.end };
  while (word.at > before.at && (g_ascii_isalnum (word.at[-1])))
    word.at--;
  if (pen_slice_get_length (word) >= BARE_DIGITS_MIN
      && pen_slice_read_address (word, BARE_DIGITS_MIN, &address)) {
    place->has_address = TRUE;
    place->address = address;
  }
}

/* The name that ends at @plus, if there is one: "a::b" has colons, "0010:a" has not. */
static const char *
find_name_start (const char *start, const char *plus)
{
  const char *p = plus;

  while (p > start
         && (is_name (p[-1]) || (p - start >= 2 && p[-1] == ':' && p[-2] == ':' && (p -= 1))))
    p--;
  while (p < plus && *p == ':')
    p++;
  return p < plus && is_name_start (*p) ? p : NULL;
}

/* "symbol+0x1c/0x310 [module]" anywhere in the line. */
static gboolean
read_symbol_offset (PenPastedPlace *place, PenSlice line)
{
  for (const char *plus = line.at; plus < line.end; plus++) {
    const char *start = *plus == '+' ? find_name_start (line.at, plus) : NULL;
    const char *end = start ? pen_slice_read_offset (plus + 1, line.end, &place->offset) : NULL;

    if (!end || (end < line.end && (g_ascii_isalnum (*end) || *end == '.')))
      continue;
    place->has_offset = TRUE;
    set_string (&place->symbol, (PenSlice){ start, plus });
    if (line.end - end > 1 && *end == '/') {
      const char *past = pen_slice_read_offset (end + 1, line.end, &place->size);

      place->has_size = past != NULL;
      end = past ? past : end;
    }
    read_before (place, (PenSlice){ line.at, start });
    read_owner (place, (PenSlice){ end, line.end });
    return TRUE;
  }
  return FALSE;
}

/* ---- addresses and bare names ---- */

/* Returns whether one was taken; @is_frame: what follows is a frame even if it is a name alone */
static gboolean
take_mark (PenPastedPlace *place, PenSlice *line, gboolean *is_frame)
{
  static const char *const registers[]
      = { "RIP:", "EIP:", "pc :", "lr :", "epc :", "ra :", "NIP", "LR", "PC is at", "LR is at" };
  guint64 number;
  const char *p;

  pen_slice_skip_blanks (line);
  if (pen_slice_take (line, "? ")) {
    place->is_unreliable = TRUE;
    return TRUE;
  }
  if (pen_slice_take (line, "=>") || pen_slice_take (line, "[<0>]")) {
    *is_frame = TRUE;
    return TRUE;
  }
  if (pen_slice_starts_with (*line, "#")
      && (p = pen_slice_read_decimal (line->at + 1, line->end, &number))) {
    line->at = p;
    *is_frame = TRUE;
    return TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (registers); i++) {
    if (pen_slice_take (line, registers[i]))
      return TRUE;
  }
  /* A code segment: 0010 is the kernel's, 0033 a process's. */
  p = pen_slice_read_hex (line->at, line->end, &number);
  if (p && p - line->at == 4 && p < line->end && *p == ':') {
    place->is_user = (number & 3) == 3;
    line->at = p + 1;
    return TRUE;
  }
  return FALSE;
}

/* crash: "[ffffc90000123e00] symbol at ffffffff81234567" */
static gboolean
read_crash_frame (PenPastedPlace *place, PenSlice line)
{
  const char *close = *line.at == '[' ? memchr (line.at, ']', pen_slice_get_length (line)) : NULL;
  PenSlice name;
  PenSlice word;

  if (!close)
    return FALSE;
  line.at = close + 1;
  pen_slice_skip_blanks (&line);
  name = pen_slice_get_word (line);
  line.at = name.end;
  pen_slice_skip_blanks (&line);
  if (pen_slice_get_length (name) == 0 || !is_name_start (*name.at)
      || !pen_slice_take (&line, "at "))
    return FALSE;
  pen_slice_skip_blanks (&line);
  word = pen_slice_get_word (line);
  if (!pen_slice_read_address (word, BARE_DIGITS_MIN, &place->address))
    return FALSE;
  place->has_address = TRUE;
  set_string (&place->symbol, name);
  read_owner (place, (PenSlice){ word.end, line.end });
  return TRUE;
}

static PenSlice
strip_brackets (PenSlice word)
{
  if (pen_slice_starts_with (word, "[<") && pen_slice_get_length (word) > 4 && word.end[-1] == ']'
      && word.end[-2] == '>')
    return (PenSlice){ word.at + 2, word.end - 2 };
  if (word.end > word.at && (word.end[-1] == ':' || word.end[-1] == ','))
    word.end--;
  return word;
}

/* "std::vector<int>::at(int)+0x4" */
static void
set_perf_name (PenPastedPlace *place, PenSlice name)
{
  const char *plus = name.end;

  while (plus > name.at && *--plus != '+')
    ;
  place->has_offset = *plus == '+' && plus > name.at
                      && pen_slice_read_offset (plus + 1, name.end, &place->offset) == name.end;
  if (place->has_offset)
    name.end = plus;
  set_string (&place->symbol, name);
}

/* After an address: nothing, or a name and where it is from, as perf prints it. Names of C++ have
 * blanks. */
static gboolean
read_after_address (PenPastedPlace *place, PenSlice rest)
{
  const char *open = NULL;
  guint64 again;
  PenSlice name;

  pen_slice_trim (&rest);
  /* The same once more, where no symbol is known: "[<ffffffff81234567>] 0xffffffff81234567". */
  if (rest.at == rest.end || pen_slice_read_address (strip_brackets (rest), BARE_DIGITS, &again))
    return TRUE;
  for (const char *p = rest.at; p < rest.end; p++) {
    if (*p == '(' && p > rest.at && p[-1] == ' ')
      open = p;
  }
  if (!open || rest.end[-1] != ')')
    return FALSE;
  name = (PenSlice){ rest.at, open };
  pen_slice_trim (&name);
  if (pen_slice_get_length (name) > 0 && *name.at != '[')
    set_perf_name (place, name);
  read_owner (place, (PenSlice){ open, rest.end });
  return TRUE;
}

static gboolean
is_whole_name (PenSlice word)
{
  for (const char *p = word.at; p < word.end; p++) {
    if (!is_name (*p) && *p != ':')
      return FALSE;
  }
  return pen_slice_get_length (word) > 0 && is_name_start (*word.at);
}

static gboolean
read_address_or_name (PenPastedPlace *place, PenSlice line)
{
  gboolean is_frame = FALSE;
  PenSlice word;

  while (line.at < line.end && take_mark (place, &line, &is_frame))
    ;
  pen_slice_trim (&line);
  if (line.at == line.end)
    return FALSE;
  if (is_frame && read_crash_frame (place, line))
    return TRUE;
  word = pen_slice_get_word (line);
  if (pen_slice_read_address (strip_brackets (word), BARE_DIGITS, &place->address)) {
    place->has_address = TRUE;
    return read_after_address (place, (PenSlice){ word.end, line.end });
  }
  if (word.end < line.end && pen_slice_read_address (word, BARE_DIGITS_MIN, &place->address)) {
    place->has_address = read_after_address (place, (PenSlice){ word.end, line.end });
    return place->has_address && place->owner;
  }
  if (!is_frame || !is_whole_name (word))
    return FALSE;
  set_string (&place->symbol, word);
  read_owner (place, (PenSlice){ word.end, line.end });
  return TRUE;
}

/* ---- lines ---- */

static PenPastedPlace *
new_place (PenSlice line)
{
  PenPastedPlace *place = g_new0 (PenPastedPlace, 1);

  pen_slice_trim (&line);
  line.end = MIN (line.end, line.at + SHOWN_MAX);
  place->text = g_utf8_make_valid (line.at, (gssize) pen_slice_get_length (line));
  return place;
}

static PenPastedPlace *
read_line (PenSlice line)
{
  g_autoptr (PenPastedPlace) place = new_place (line);

  if (line.at == line.end)
    return NULL;
  if (!read_symbol_offset (place, line)) {
    place->is_user = FALSE;
    if (!read_address_or_name (place, line))
      return NULL;
  } else if (pen_slice_starts_with (line, "RIP: 0033:")) {
    place->is_user = TRUE;
  }
  return g_steal_pointer (&place);
}

/* "perf script" has the time of a sample before a colon: "sh 132 [000] 5.844816: 250000 cycles:" */
static void
find_time (PenSlice line, PenPastedTrace *trace)
{
  while (!trace->has_time && line.at < line.end) {
    PenSlice word = pen_slice_get_word (line);

    if (pen_slice_get_length (word) > 1 && word.end[-1] == ':'
        && pen_slice_read_seconds ((PenSlice){ word.at, word.end - 1 }, 6, &trace->time))
      trace->has_time = TRUE;
    line.at = word.end;
    pen_slice_skip_blanks (&line);
  }
}

static PenSlice
next_line (const char **at, const char *end)
{
  const char *newline = memchr (*at, '\n', (gsize) (end - *at));
  PenSlice line = { *at, newline ? newline : end };

  *at = newline ? newline + 1 : end;
  line.end = MIN (line.end, line.at + PEN_PASTED_LINE_MAX);
  pen_slice_trim (&line);
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

    n += line.at < line.end;
  }
  return n > 1;
}

PenPastedTrace *
pen_pasted_trace_new (const char *text)
{
  PenPastedTrace *self = g_new0 (PenPastedTrace, 1);
  const char *end = find_end (text);

  self->places = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_pasted_place_free);
  for (guint number = 1; text < end && !self->is_cut; number++) {
    PenSlice line = next_line (&text, end);
    PenPastedPlace *place;

    take_prefix (&line, self);
    find_time (line, self);
    place = read_line (line);
    if (!place)
      continue;
    place->line = number;
    self->is_cut = self->places->len == PEN_PASTED_PLACES_MAX;
    if (self->is_cut)
      pen_pasted_place_free (place);
    else
      g_ptr_array_add (self->places, place);
  }
  return self;
}

PenPastedPlace *
pen_pasted_place_new (const char *text)
{
  PenSlice line = { text, find_end (text) };
  g_autoptr (PenPastedPlace) place = NULL;

  line.end = MIN (line.end, line.at + PEN_PASTED_LINE_MAX);
  take_prefix (&line, NULL);
  place = read_line (line);
  if (!place && is_whole_name (line)) {
    place = new_place (line);
    set_string (&place->symbol, line);
  }
  if (place)
    place->line = 1;
  return g_steal_pointer (&place);
}
