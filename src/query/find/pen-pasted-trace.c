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

#define NS_PER_SECOND 1000000000u
/* An address without 0x has all of its digits; a shorter one is a number. */
#define BARE_DIGITS 16
/* Before a symbol it has fewer where it is of user space. */
#define BARE_DIGITS_MIN 8
#define SHOWN_MAX 240u
/* A log's header is before it. */
#define LOG_NAME "kernel: "
#define LOG_NAME_REACH 160

/* A part of the text; not terminated. */
typedef struct {
  const char *at;
  const char *end;
} Slice;

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

/* ---- characters and numbers ---- */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void
skip_blanks (Slice *slice)
{
  while (slice->at < slice->end && is_blank (*slice->at))
    slice->at++;
}

static void
trim (Slice *slice)
{
  skip_blanks (slice);
  while (slice->end > slice->at && is_blank (slice->end[-1]))
    slice->end--;
}

static gsize
get_length (Slice slice)
{
  return (gsize) (slice.end - slice.at);
}

static gboolean
starts_with (Slice slice, const char *word)
{
  gsize n = strlen (word);

  return get_length (slice) >= n && memcmp (slice.at, word, n) == 0;
}

static gboolean
take (Slice *slice, const char *word)
{
  if (!starts_with (*slice, word))
    return FALSE;
  slice->at += strlen (word);
  return TRUE;
}

/* Up to the first blank. */
static Slice
get_word (Slice slice)
{
  Slice word = { slice.at, slice.at };

  while (word.end < slice.end && !is_blank (*word.end))
    word.end++;
  return word;
}

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

/* Hexadecimal digits from @at on. Returns where they end; NULL: none, or they are too many */
static const char *
read_hex (const char *at, const char *end, guint64 *value)
{
  const char *p = at;

  *value = 0;
  for (; p < end && g_ascii_isxdigit (*p); p++) {
    if (*value >> 60 != 0)
      return NULL;
    *value = *value << 4 | (guint64) g_ascii_xdigit_value (*p);
  }
  return p > at ? p : NULL;
}

static const char *
read_decimal (const char *at, const char *end, guint64 *value)
{
  const char *p = at;

  *value = 0;
  for (; p < end && g_ascii_isdigit (*p); p++) {
    if (!g_uint64_checked_mul (value, *value, 10)
        || !g_uint64_checked_add (value, *value, (guint64) (*p - '0')))
      return NULL;
  }
  return p > at ? p : NULL;
}

static gboolean
has_0x (const char *at, const char *end)
{
  return end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
}

/* "0x1c" or "28" */
static const char *
read_offset (const char *at, const char *end, guint64 *value)
{
  return has_0x (at, end) ? read_hex (at + 2, end, value) : read_decimal (at, end, value);
}

/* The whole of @slice: "0x…" of any length, or as many digits as @digits and more. */
static gboolean
read_address (Slice slice, guint digits, guint64 *address)
{
  if (has_0x (slice.at, slice.end))
    return read_hex (slice.at + 2, slice.end, address) == slice.end;
  return get_length (slice) >= digits && read_hex (slice.at, slice.end, address) == slice.end;
}

/* "5844.816145": seconds, with at least @decimals digits after the point */
static gboolean
read_seconds (Slice slice, guint decimals, guint64 *time)
{
  const char *p;
  guint64 whole;
  guint64 scale = NS_PER_SECOND;
  guint n = 0;

  trim (&slice);
  p = read_decimal (slice.at, slice.end, &whole);
  if (!p || p == slice.end || *p != '.' || !g_uint64_checked_mul (time, whole, NS_PER_SECOND))
    return FALSE;
  for (p++; p < slice.end && g_ascii_isdigit (*p); p++, n++) {
    scale /= 10;
    if (!g_uint64_checked_add (time, *time, scale * (guint64) (*p - '0')))
      return FALSE;
  }
  return n >= decimals && p == slice.end;
}

/* ---- what logs put before a line ---- */

static gboolean
is_caller (Slice slice)
{
  guint64 number;

  trim (&slice);
  return get_length (slice) > 1 && (slice.at[0] == 'T' || slice.at[0] == 'C')
         && read_decimal (slice.at + 1, slice.end, &number) == slice.end;
}

/* "[  123.456789]", "[ T132]", "[Sun Nov 22 16:47:36 2026]"; not "[<0>]", not "[module]". */
static gboolean
take_stamp (Slice *line, PenPastedTrace *trace)
{
  const char *close = *line->at == '[' ? memchr (line->at, ']', get_length (*line)) : NULL;
  Slice inside;
  guint64 time;

  if (!close)
    return FALSE;
  inside = (Slice){ line->at + 1, close };
  if (read_seconds (inside, 1, &time)) {
    if (trace && !trace->has_time) {
      trace->has_time = TRUE;
      trace->time = time;
    }
  } else if (!is_caller (inside)
             && (starts_with (inside, "<") || !memchr (inside.at, ':', get_length (inside))
                 || !memchr (inside.at, ' ', get_length (inside)))) {
    return FALSE;
  }
  line->at = close + 1;
  return TRUE;
}

/* "<4>": the level of printk */
static gboolean
take_level (Slice *line)
{
  guint64 level;
  const char *p;

  if (*line->at != '<')
    return FALSE;
  p = read_decimal (line->at + 1, line->end, &level);
  if (!p || p == line->end || *p != '>')
    return FALSE;
  line->at = p + 1;
  return TRUE;
}

/* "2026-11-22T16:47:36,123456+00:00" */
static gboolean
take_date (Slice *line)
{
  Slice word = get_word (*line);
  guint64 year;
  const char *p = read_decimal (word.at, word.end, &year);

  if (!p || p - word.at != 4 || p == word.end || *p != '-'
      || !memchr (p, ':', (gsize) (word.end - p)))
    return FALSE;
  line->at = word.end;
  return TRUE;
}

static void
take_prefix (Slice *line, PenPastedTrace *trace)
{
  const char *log
      = g_strstr_len (line->at, (gssize) MIN (get_length (*line), LOG_NAME_REACH), LOG_NAME);
  gboolean taken = TRUE;

  if (log)
    line->at = log + strlen (LOG_NAME);
  while (taken) {
    trim (line);
    taken = line->at < line->end
            && (take_stamp (line, trace) || take_level (line) || take_date (line)
                || ((*line->at == '>' || *line->at == '|') && line->at++));
  }
}

/* ---- names ---- */

static void
set_string (char **string, Slice slice)
{
  g_free (*string);
  *string = g_strndup (slice.at, get_length (slice));
}

/* A module's file: its name without directories and what comes after ".ko". */
static void
set_owner (PenPastedPlace *place, Slice slice)
{
  const char *ko = g_strstr_len (slice.at, (gssize) get_length (slice), ".ko");
  gboolean is_path = slice.at < slice.end && *slice.at == '/';

  if (get_length (slice) == 0 || starts_with (slice, "kernel.") || starts_with (slice, "guest.")
      || starts_with (slice, "__builtin__") || starts_with (slice, "unknown")
      || starts_with (slice, "inlined"))
    return;
  for (const char *p = slice.at; is_path && ko && p < ko; p++) {
    if (*p == '/')
      slice.at = p + 1;
  }
  if (is_path && ko)
    slice.end = ko;
  place->is_user
      |= is_path && !ko && !g_strstr_len (slice.at, (gssize) get_length (slice), "vmlinux");
  set_string (&place->owner, slice);
  if (g_str_equal (place->owner, "kernel") || g_str_equal (place->owner, "vmlinux")
      || g_str_equal (place->owner, "bpf"))
    g_clear_pointer (&place->owner, g_free);
}

/* " [xfs 12ab…]", " (/usr/bin/cat)", " ([kernel.kallsyms])" */
static void
read_owner (PenPastedPlace *place, Slice rest)
{
  char close;
  const char *end;
  Slice inside;

  skip_blanks (&rest);
  if (rest.at == rest.end || (*rest.at != '[' && *rest.at != '('))
    return;
  close = *rest.at == '[' ? ']' : ')';
  rest.at++;
  if (rest.at < rest.end && close == ')' && *rest.at == '[') {
    rest.at++;
    close = ']';
  }
  end = memchr (rest.at, close, get_length (rest));
  if (!end)
    return;
  inside = (Slice){ rest.at, end };
  trim (&inside);
  set_owner (place, *inside.at == '/' ? inside : get_word (inside));
}

/* Skips marks and the address before a symbol. */
static void
read_before (PenPastedPlace *place, Slice before)
{
  Slice word;
  guint64 address;

  trim (&before);
  if (before.end > before.at && before.end[-1] == '?') {
    place->is_unreliable = TRUE;
    before.end--;
  }
  while (before.end > before.at && (is_blank (before.end[-1]) || strchr (":>](", before.end[-1])))
    before.end--;
  word = (Slice){ before.end, before.end };
  while (word.at > before.at && (g_ascii_isalnum (word.at[-1])))
    word.at--;
  if (get_length (word) >= BARE_DIGITS_MIN && read_address (word, BARE_DIGITS_MIN, &address)) {
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
read_symbol_offset (PenPastedPlace *place, Slice line)
{
  for (const char *plus = line.at; plus < line.end; plus++) {
    const char *start = *plus == '+' ? find_name_start (line.at, plus) : NULL;
    const char *end = start ? read_offset (plus + 1, line.end, &place->offset) : NULL;

    if (!end || (end < line.end && (g_ascii_isalnum (*end) || *end == '.')))
      continue;
    place->has_offset = TRUE;
    set_string (&place->symbol, (Slice){ start, plus });
    if (line.end - end > 1 && *end == '/') {
      const char *past = read_offset (end + 1, line.end, &place->size);

      place->has_size = past != NULL;
      end = past ? past : end;
    }
    read_before (place, (Slice){ line.at, start });
    read_owner (place, (Slice){ end, line.end });
    return TRUE;
  }
  return FALSE;
}

/* ---- addresses and bare names ---- */

/* Returns whether one was taken; @is_frame: what follows is a frame even if it is a name alone */
static gboolean
take_mark (PenPastedPlace *place, Slice *line, gboolean *is_frame)
{
  static const char *const registers[]
      = { "RIP:", "EIP:", "pc :", "lr :", "epc :", "ra :", "NIP", "LR", "PC is at", "LR is at" };
  guint64 number;
  const char *p;

  skip_blanks (line);
  if (take (line, "? ")) {
    place->is_unreliable = TRUE;
    return TRUE;
  }
  if (take (line, "=>") || take (line, "[<0>]")) {
    *is_frame = TRUE;
    return TRUE;
  }
  if (starts_with (*line, "#") && (p = read_decimal (line->at + 1, line->end, &number))) {
    line->at = p;
    *is_frame = TRUE;
    return TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (registers); i++) {
    if (take (line, registers[i]))
      return TRUE;
  }
  /* A code segment: 0010 is the kernel's, 0033 a process's. */
  p = read_hex (line->at, line->end, &number);
  if (p && p - line->at == 4 && p < line->end && *p == ':') {
    place->is_user = (number & 3) == 3;
    line->at = p + 1;
    return TRUE;
  }
  return FALSE;
}

/* crash: "[ffffc90000123e00] symbol at ffffffff81234567" */
static gboolean
read_crash_frame (PenPastedPlace *place, Slice line)
{
  const char *close = *line.at == '[' ? memchr (line.at, ']', get_length (line)) : NULL;
  Slice name;
  Slice word;

  if (!close)
    return FALSE;
  line.at = close + 1;
  skip_blanks (&line);
  name = get_word (line);
  line.at = name.end;
  skip_blanks (&line);
  if (get_length (name) == 0 || !is_name_start (*name.at) || !take (&line, "at "))
    return FALSE;
  skip_blanks (&line);
  word = get_word (line);
  if (!read_address (word, BARE_DIGITS_MIN, &place->address))
    return FALSE;
  place->has_address = TRUE;
  set_string (&place->symbol, name);
  read_owner (place, (Slice){ word.end, line.end });
  return TRUE;
}

static Slice
strip_brackets (Slice word)
{
  if (starts_with (word, "[<") && get_length (word) > 4 && word.end[-1] == ']'
      && word.end[-2] == '>')
    return (Slice){ word.at + 2, word.end - 2 };
  if (word.end > word.at && (word.end[-1] == ':' || word.end[-1] == ','))
    word.end--;
  return word;
}

/* "std::vector<int>::at(int)+0x4" */
static void
set_perf_name (PenPastedPlace *place, Slice name)
{
  const char *plus = name.end;

  while (plus > name.at && *--plus != '+')
    ;
  place->has_offset = *plus == '+' && plus > name.at
                      && read_offset (plus + 1, name.end, &place->offset) == name.end;
  if (place->has_offset)
    name.end = plus;
  set_string (&place->symbol, name);
}

/* After an address: nothing, or a name and where it is from, as perf prints it. Names of C++ have
 * blanks. */
static gboolean
read_after_address (PenPastedPlace *place, Slice rest)
{
  const char *open = NULL;
  guint64 again;
  Slice name;

  trim (&rest);
  /* The same once more, where no symbol is known: "[<ffffffff81234567>] 0xffffffff81234567". */
  if (rest.at == rest.end || read_address (strip_brackets (rest), BARE_DIGITS, &again))
    return TRUE;
  for (const char *p = rest.at; p < rest.end; p++) {
    if (*p == '(' && p > rest.at && p[-1] == ' ')
      open = p;
  }
  if (!open || rest.end[-1] != ')')
    return FALSE;
  name = (Slice){ rest.at, open };
  trim (&name);
  if (get_length (name) > 0 && *name.at != '[')
    set_perf_name (place, name);
  read_owner (place, (Slice){ open, rest.end });
  return TRUE;
}

static gboolean
is_whole_name (Slice word)
{
  for (const char *p = word.at; p < word.end; p++) {
    if (!is_name (*p) && *p != ':')
      return FALSE;
  }
  return get_length (word) > 0 && is_name_start (*word.at);
}

static gboolean
read_address_or_name (PenPastedPlace *place, Slice line)
{
  gboolean is_frame = FALSE;
  Slice word;

  while (line.at < line.end && take_mark (place, &line, &is_frame))
    ;
  trim (&line);
  if (line.at == line.end)
    return FALSE;
  if (is_frame && read_crash_frame (place, line))
    return TRUE;
  word = get_word (line);
  if (read_address (strip_brackets (word), BARE_DIGITS, &place->address)) {
    place->has_address = TRUE;
    return read_after_address (place, (Slice){ word.end, line.end });
  }
  if (word.end < line.end && read_address (word, BARE_DIGITS_MIN, &place->address)) {
    place->has_address = read_after_address (place, (Slice){ word.end, line.end });
    return place->has_address && place->owner;
  }
  if (!is_frame || !is_whole_name (word))
    return FALSE;
  set_string (&place->symbol, word);
  read_owner (place, (Slice){ word.end, line.end });
  return TRUE;
}

/* ---- lines ---- */

static PenPastedPlace *
new_place (Slice line)
{
  PenPastedPlace *place = g_new0 (PenPastedPlace, 1);

  trim (&line);
  line.end = MIN (line.end, line.at + SHOWN_MAX);
  place->text = g_utf8_make_valid (line.at, (gssize) get_length (line));
  return place;
}

static PenPastedPlace *
read_line (Slice line)
{
  g_autoptr (PenPastedPlace) place = new_place (line);

  if (line.at == line.end)
    return NULL;
  if (!read_symbol_offset (place, line)) {
    place->is_user = FALSE;
    if (!read_address_or_name (place, line))
      return NULL;
  } else if (starts_with (line, "RIP: 0033:")) {
    place->is_user = TRUE;
  }
  return g_steal_pointer (&place);
}

/* "perf script" has the time of a sample before a colon: "sh 132 [000] 5.844816: 250000 cycles:" */
static void
find_time (Slice line, PenPastedTrace *trace)
{
  while (!trace->has_time && line.at < line.end) {
    Slice word = get_word (line);

    if (get_length (word) > 1 && word.end[-1] == ':'
        && read_seconds ((Slice){ word.at, word.end - 1 }, 6, &trace->time))
      trace->has_time = TRUE;
    line.at = word.end;
    skip_blanks (&line);
  }
}

static Slice
next_line (const char **at, const char *end)
{
  const char *newline = memchr (*at, '\n', (gsize) (end - *at));
  Slice line = { *at, newline ? newline : end };

  *at = newline ? newline + 1 : end;
  line.end = MIN (line.end, line.at + PEN_PASTED_LINE_MAX);
  trim (&line);
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
    Slice line = next_line (&text, end);

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
    Slice line = next_line (&text, end);
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
  Slice line = { text, find_end (text) };
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
