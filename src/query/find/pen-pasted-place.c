/* pen-pasted-place.c
 *
 * Formats, with their sources in Linux unless another is named:
 *   symbol+0x1c/0x310 [module]        lib/vsprintf.c: %pS, %pB; kernel/kallsyms.c: __sprint_symbol
 *   symbol+0x1c/0x310 (P)             arch/arm64/kernel/stacktrace.c: dump_backtrace_entry
 *   RIP: 0010:symbol+0x1c/0x310       arch/x86/kernel/dumpstack.c: show_ip
 *   ? symbol+0x1c/0x310               arch/x86/kernel/dumpstack.c: printk_address
 *   pc : symbol+0x10/0x40, lr :       arch/arm64/kernel/process.c: show_regs_print_info
 *   [<ffffffff81234567>] symbol+…     kernels before 4.10
 *   <NMI> [<ffffffff81234567>]        kernels before 4.10: arch/x86/kernel/dumpstack_64.c
 *   [<0>] symbol+0x1/0x2              fs/proc/base.c: proc_pid_stack
 *   idling at pc 0xffffffff81234567   lib/nmi_backtrace.c
 *    => symbol <ffffffff81234567>     kernel/trace/trace_output.c: trace_stack_print,
 *                                     seq_print_ip_sym
 *    => symbol (ffffffff81234567)     trace-cmd report
 *   1)  2.1 us  |  symbol() {         kernel/trace/trace_functions_graph.c
 *   ffffffff81234567 t symbol [mod]   kernel/kallsyms.c: s_show; nm
 *   ffffffff81234567 symbol+0x1 (dso) perf script: tools/perf/util/evsel_fprintf.c
 *   symbol (fs/file.c:468:6) mod      scripts/decode_stacktrace.sh; drgn, without mod
 *   symbol fs/file.c:468 [inline]     syzkaller
 *   symbol+28                         bpftrace: kstack
 *   #3 [ffffc90000123e00] symbol at ffffffff81234567     crash: bt; bt -s: symbol+28
 *   [exception RIP: symbol+28]        crash: bt
 *   #0  0xffffffff81234567 in symbol ()                  gdb: bt
 *   0xffffffff81234567 <symbol+28>:                      gdb: disassemble
 *   symbol + 28 in section .text                         gdb: info symbol
 *   --60.00%--symbol                  perf report: tools/perf/ui/stdio/hist.c
 *   12.50%  sh  [kernel.kallsyms]  [k] symbol            perf report, perf top
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pasted-place.h"

#include <string.h>

#include "pen-pasted-owner.h"

/* An address without 0x has all of its digits; a shorter one is a number. */
#define BARE_DIGITS 16
/* Before a symbol it has fewer where it is of user space. */
#define BARE_DIGITS_MIN 8
#define SHOWN_MAX 240u

void
pen_pasted_place_free (PenPastedPlace *self)
{
  g_free (self->text);
  g_free (self->symbol);
  g_free (self->owner);
  g_free (self);
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

gboolean
pen_pasted_place_is_name (PenSlice word)
{
  for (const char *p = word.at; p < word.end; p++) {
    if (!is_name (*p) && *p != ':')
      return FALSE;
  }
  return pen_slice_get_length (word) > 0 && is_name_start (*word.at);
}

/* Digits that are a number are no name: "ffffffff81234567". */
static gboolean
is_name_not_number (PenSlice word)
{
  guint64 number;

  return pen_pasted_place_is_name (word)
         && !pen_slice_read_address (word, BARE_DIGITS_MIN, &number);
}

static void
set_string (char **string, PenSlice slice)
{
  g_free (*string);
  *string = g_strndup (slice.at, pen_slice_get_length (slice));
}

/* ---- brackets after a name ---- */

/* Past what closes the bracket at @open; NULL: nothing does */
static const char *
find_close (const char *open, const char *end)
{
  guint depth = 0;

  for (const char *p = open; p < end; p++) {
    depth += *p == '(';
    if (*p == ')' && --depth == 0)
      return p + 1;
  }
  return NULL;
}

/* "<ffffffff81234567>", "(ffffffff81234567)": where an address is, after a name. */
static gboolean
read_address_after (PenPastedPlace *place, PenSlice rest)
{
  char close;
  const char *end;
  guint64 address;

  pen_slice_skip_blanks (&rest);
  if (rest.at == rest.end || (*rest.at != '<' && *rest.at != '('))
    return FALSE;
  close = *rest.at++ == '<' ? '>' : ')';
  end = memchr (rest.at, close, pen_slice_get_length (rest));
  if (!end || end - rest.at < BARE_DIGITS
      || !pen_slice_read_address ((PenSlice){ rest.at, end }, BARE_DIGITS, &address))
    return FALSE;
  place->has_address = TRUE;
  place->address = address;
  return TRUE;
}

/* ---- symbol and offset ---- */

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
  /* A symbol's type, as crash prints it: "(T)" */
  if (pen_slice_get_length (before) > 3 && before.end[-1] == ')' && before.end[-3] == '(')
    before.end -= 3;
  while (before.end > before.at
         && (pen_slice_is_blank (before.end[-1]) || strchr (":<>](", before.end[-1])))
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
    if (!read_address_after (place, (PenSlice){ end, line.end }))
      pen_pasted_owner_read (place, (PenSlice){ end, line.end });
    return TRUE;
  }
  return FALSE;
}

/* "std::vector<int>::at(int)+0x4" */
static void
set_name (PenPastedPlace *place, PenSlice name)
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

/* ---- marks before an address or a name ---- */

typedef struct {
  gboolean is_frame;    /* a name alone is a place */
  gboolean is_register; /* an address is one, whatever follows it */
} Marks;

static gboolean
take_register (PenSlice *line)
{
  static const char *const registers[]
      = { "RIP:", "EIP:", "pc :", "lr :", "epc :", "ra :", "NIP", "LR", "PC is at", "LR is at" };

  for (guint i = 0; i < G_N_ELEMENTS (registers); i++) {
    if (pen_slice_take (line, registers[i]))
      return TRUE;
  }
  return FALSE;
}

/* "<NMI>", "<#DB>", "<IRQ>", "<<EOE>>" */
static gboolean
take_stack (PenSlice *line)
{
  const char *p = line->at;

  while (p < line->end && (g_ascii_isupper (*p) || strchr ("<#/", *p)))
    p++;
  if (*line->at != '<' || p == line->end || *p != '>' || p - line->at > 8)
    return FALSE;
  while (p < line->end && *p == '>')
    p++;
  line->at = p;
  return TRUE;
}

/* "--12.34%--", "---": before the first of a branch in perf report */
static gboolean
take_branch (PenSlice *line)
{
  const char *p = line->at + 2;

  if (pen_slice_take (line, "---"))
    return TRUE;
  if (!pen_slice_starts_with (*line, "--"))
    return FALSE;
  while (p < line->end && (g_ascii_isdigit (*p) || *p == '.'))
    p++;
  if (!pen_slice_starts_with ((PenSlice){ p, line->end }, "%--"))
    return FALSE;
  line->at = p + 3;
  return TRUE;
}

static gboolean
take_frame (PenSlice *line)
{
  guint64 number;
  const char *p;

  if (pen_slice_take (line, "=>") || pen_slice_take (line, "[<0>]") || take_branch (line))
    return TRUE;
  if (!pen_slice_starts_with (*line, "#")
      || !(p = pen_slice_read_decimal (line->at + 1, line->end, &number)))
    return FALSE;
  line->at = p;
  return TRUE;
}

/* Returns whether one was taken. */
static gboolean
take_mark (PenPastedPlace *place, PenSlice *line, Marks *marks)
{
  guint64 number;
  const char *p;

  pen_slice_skip_blanks (line);
  if (pen_slice_take (line, "? ")) {
    place->is_unreliable = TRUE;
    return TRUE;
  }
  if (take_frame (line)) {
    marks->is_frame = TRUE;
    return TRUE;
  }
  if (take_register (line)) {
    marks->is_register = TRUE;
    return TRUE;
  }
  if (line->at < line->end && take_stack (line))
    return TRUE;
  /* A code segment: 0010 is the kernel's, 0033 a process's. */
  p = pen_slice_read_hex (line->at, line->end, &number);
  if (p && p - line->at == 4 && p < line->end && *p == ':') {
    place->is_user = (number & 3) == 3;
    line->at = p + 1;
    return TRUE;
  }
  return FALSE;
}

/* ---- addresses and bare names ---- */

/* crash: "[ffffc90000123e00] symbol+28 at ffffffff81234567" */
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
  set_name (place, name);
  pen_pasted_owner_read (place, (PenSlice){ word.end, line.end });
  return TRUE;
}

static PenSlice
strip_brackets (PenSlice word)
{
  if (pen_slice_starts_with (word, "[<") && pen_slice_get_length (word) > 4 && word.end[-1] == ']'
      && word.end[-2] == '>')
    return (PenSlice){ word.at + 2, word.end - 2 };
  if (pen_slice_starts_with (word, "<") && pen_slice_get_length (word) > 2 && word.end[-1] == '>')
    return (PenSlice){ word.at + 1, word.end - 1 };
  if (word.end > word.at && (word.end[-1] == ':' || word.end[-1] == ','))
    word.end--;
  return word;
}

/* gdb: "in symbol (file=0xffff…) at fs/read_write.c:468", "is in symbol (fs/read_write.c:468)." */
static gboolean
read_gdb_name (PenPastedPlace *place, PenSlice rest)
{
  const char *open = g_strstr_len (rest.at, (gssize) pen_slice_get_length (rest), " (");
  PenSlice name;

  pen_slice_take (&rest, "is ");
  if (!open || !pen_slice_take (&rest, "in "))
    return FALSE;
  name = (PenSlice){ rest.at, MAX (open, rest.at) };
  pen_slice_trim (&name);
  if (pen_slice_get_length (name) > 0 && *name.at != '?')
    set_string (&place->symbol, name);
  return TRUE;
}

/* A name alone (perf script -F ip,sym), or after its type: "t symbol [module]". */
static gboolean
read_listed_name (PenPastedPlace *place, PenSlice rest)
{
  PenSlice name = pen_slice_get_word (rest);
  PenSlice after = { name.end, rest.end };

  if (pen_slice_get_length (name) == 1 && g_ascii_isalpha (*name.at) && name.end < rest.end) {
    pen_slice_trim (&after);
    name = pen_slice_get_word (after);
    after.at = name.end;
  }
  pen_slice_trim (&after);
  if (!is_name_not_number (name) || (after.at < after.end && *after.at != '['))
    return FALSE;
  set_string (&place->symbol, name);
  pen_pasted_owner_read (place, after);
  return TRUE;
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
  if (rest.at == rest.end || read_gdb_name (place, rest))
    return TRUE;
  if (pen_slice_read_address (strip_brackets (rest), BARE_DIGITS, &again))
    return again == place->address;
  for (const char *p = rest.at; p < rest.end; p++) {
    if (*p == '(' && p > rest.at && p[-1] == ' ')
      open = p;
  }
  if (!open || rest.end[-1] != ')')
    return read_listed_name (place, rest);
  name = (PenSlice){ rest.at, open };
  pen_slice_trim (&name);
  if (pen_slice_get_length (name) > 0 && *name.at != '[')
    set_name (place, name);
  pen_pasted_owner_read (place, (PenSlice){ open, rest.end });
  return TRUE;
}

/* A name with its line of source, and its module. */
static gboolean
read_located_name (PenPastedPlace *place, PenSlice name, PenSlice rest)
{
  const char *end;
  PenSlice module;

  pen_slice_skip_blanks (&rest);
  if (rest.at == rest.end || !pen_pasted_place_is_name (name))
    return FALSE;
  if (pen_pasted_owner_is_location (rest)
      && g_strstr_len (rest.at, (gssize) pen_slice_get_length (rest), "[inline]")) {
    set_string (&place->symbol, name);
    return TRUE;
  }
  end = *rest.at == '(' && pen_pasted_owner_is_location ((PenSlice){ rest.at + 1, rest.end })
            ? find_close (rest.at, rest.end)
            : NULL;
  if (!end)
    return FALSE;
  set_string (&place->symbol, name);
  module = (PenSlice){ end, rest.end };
  pen_slice_trim (&module);
  if (module.at < module.end && *module.at == '[')
    pen_pasted_owner_read (place, module);
  else if (pen_pasted_place_is_name (module))
    pen_pasted_owner_set (place, module);
  return TRUE;
}

/* ftrace's function_graph: "  1)   0.456 us    |    symbol();" */
static gboolean
read_graph (PenPastedPlace *place, PenSlice line)
{
  const char *bar = memchr (line.at, '|', pen_slice_get_length (line));
  PenSlice name = { bar ? bar + 1 : line.end, line.end };
  const char *open;

  pen_slice_trim (&name);
  open = memchr (name.at, '(', pen_slice_get_length (name));
  if (!open
      || (!pen_slice_starts_with ((PenSlice){ open, name.end }, "() {")
          && !pen_slice_starts_with ((PenSlice){ open, name.end }, "();")))
    return FALSE;
  name.end = open;
  if (!pen_pasted_place_is_name (name))
    return FALSE;
  set_string (&place->symbol, name);
  return TRUE;
}

/* gdb: "symbol + 28 in section .text" */
static gboolean
read_gdb_symbol (PenPastedPlace *place, PenSlice line, PenSlice name)
{
  PenSlice rest = { name.end, line.end };
  const char *p;

  pen_slice_skip_blanks (&rest);
  if (!pen_pasted_place_is_name (name) || !pen_slice_take (&rest, "+ ")
      || !(p = pen_slice_read_decimal (rest.at, rest.end, &place->offset))
      || !pen_slice_starts_with ((PenSlice){ p, rest.end }, " in section"))
    return FALSE;
  place->has_offset = TRUE;
  set_string (&place->symbol, name);
  return TRUE;
}

static gboolean
read_name (PenPastedPlace *place, PenSlice line, PenSlice word, gboolean is_frame)
{
  PenSlice rest = { word.end, line.end };

  if (is_name_not_number (word) && read_address_after (place, rest)) {
    set_string (&place->symbol, word);
    return TRUE;
  }
  if (read_located_name (place, word, rest) || read_graph (place, line)
      || read_gdb_symbol (place, line, word))
    return TRUE;
  if (!is_frame || !pen_pasted_place_is_name (word))
    return FALSE;
  set_string (&place->symbol, word);
  pen_pasted_owner_read (place, rest);
  return TRUE;
}

static gboolean
read_address_or_name (PenPastedPlace *place, PenSlice line, gboolean is_frame)
{
  Marks marks = { .is_frame = is_frame };
  PenSlice word;

  while (line.at < line.end && take_mark (place, &line, &marks))
    ;
  pen_slice_trim (&line);
  if (line.at == line.end)
    return FALSE;
  word = pen_slice_get_word (line);
  if (pen_slice_read_address (strip_brackets (word), BARE_DIGITS, &place->address)) {
    place->has_address = TRUE;
    return read_after_address (place, (PenSlice){ word.end, line.end }) || marks.is_register;
  }
  if (word.end < line.end && pen_slice_read_address (word, BARE_DIGITS_MIN, &place->address)) {
    place->has_address = read_after_address (place, (PenSlice){ word.end, line.end });
    return place->has_address && place->owner;
  }
  return read_name (place, line, word, marks.is_frame);
}

static gboolean
skip_past (PenSlice *line, const char *words)
{
  const char *at = g_strstr_len (line->at, (gssize) pen_slice_get_length (*line), words);

  if (at)
    line->at = at + strlen (words);
  return at != NULL;
}

static gboolean
read_place (PenPastedPlace *place, PenSlice line, gboolean is_frame)
{
  PenSlice crash = line;

  take_frame (&crash);
  pen_slice_trim (&crash);
  /* Its address is of the stack. */
  if (crash.at < crash.end && read_crash_frame (place, crash))
    return TRUE;
  if (read_symbol_offset (place, line)) {
    place->is_user |= pen_slice_starts_with (line, "RIP: 0033:");
    return TRUE;
  }
  place->is_user = FALSE;
  if (skip_past (&line, "idling at pc "))
    return read_address_or_name (place, line, is_frame);
  return read_address_or_name (place, line, skip_past (&line, " [k] ") || is_frame);
}

PenPastedPlace *
pen_pasted_place_read (PenSlice line, gboolean is_frame)
{
  g_autoptr (PenPastedPlace) place = g_new0 (PenPastedPlace, 1);
  PenSlice shown;

  pen_slice_trim (&line);
  if (line.at == line.end || !read_place (place, line, is_frame))
    return NULL;
  shown = (PenSlice){ line.at, MIN (line.end, line.at + SHOWN_MAX) };
  place->text = g_utf8_make_valid (shown.at, (gssize) pen_slice_get_length (shown));
  return g_steal_pointer (&place);
}
