/* pen-pair-token.c: an instruction without what moves with a build or a boot
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-token.h"

#include <string.h>

#include "pen-address-mask.h"

#define MASK "…"
#define RIP "(%rip)"
#define SEGMENT "%gs:"

/* Numbers of the kernel's space that may be addresses: of its text and data, of modules, or of
 * memory, with page tables of five levels, too; those further up are small negative numbers. */
#define KERNEL_FIRST 0xff00000000000000ull
#define KERNEL_LAST 0xfffffffffeffffffull
/* Below it are fields at fixed places: the stack protector's. */
#define PER_CPU_FIRST 0x1000u

static gboolean
is_kernel_address (guint64 number)
{
  return number >= KERNEL_FIRST && number <= KERNEL_LAST && !pen_is_address_mask (number);
}

typedef struct {
  const PenPairPlace *place;
  const PenAnnotationLine *line;
  PenPairToken token;
  GString *words;
  GString *names;
} Writing;

static void
write_address (Writing *self, guint64 address)
{
  const PenPairPlace *place = self->place;
  gsize length = self->names->len;

  if (address >= place->start && address < place->end) {
    g_string_append (self->words, "self+" MASK);
    return;
  }
  place->find_name (address, self->names, place->user_data);
  self->token.is_masked |= self->names->len == length;
  g_string_append (self->words, MASK);
}

/* "-0x7d6cbf20" or "0x1f2" at @text. Returns: how long it is; 0: it is none */
static gsize
read_number (const char *text, guint64 *number)
{
  gboolean is_negative = *text == '-';
  const char *digits = text + is_negative;
  char *end;

  if (digits[0] != '0' || digits[1] != 'x' || !g_ascii_isxdigit (digits[2]))
    return 0;
  *number = g_ascii_strtoull (digits + 2, &end, 16);
  if (is_negative)
    *number = 0 - *number;
  return (gsize) (end - text);
}

/* A number with what is before and after it: is it an address? Fields of per-CPU data are at an
 * address of their own, or, in newer kernels, at a distance from the instruction.
 * Returns: how much of the text it is; 0: it is none */
static gsize
take_number (Writing *self, const char *at, gsize length, guint64 number)
{
  const char *text = self->line->instruction;
  gboolean is_per_cpu = self->place->is_kernel && at - text >= (int) strlen (SEGMENT)
                        && g_str_has_prefix (at - strlen (SEGMENT), SEGMENT);
  gboolean is_relative = g_str_has_prefix (at + length, RIP);

  if (is_per_cpu && (is_relative || number >= PER_CPU_FIRST)) {
    g_string_append (self->words, MASK);
    self->token.is_masked = TRUE;
    return is_relative ? length + strlen (RIP) : length;
  }
  if (is_relative) {
    write_address (self, self->line->address + self->line->n_bytes + number);
    return length;
  }
  if (!self->place->is_kernel || !is_kernel_address (number))
    return 0;
  write_address (self, number);
  return length;
}

static void
write_operands (Writing *self)
{
  const char *text = self->line->instruction;

  for (const char *at = text; *at != '\0';) {
    gboolean begins = at == text || !g_ascii_isalnum (at[-1]);
    guint64 number;
    gsize length = begins ? read_number (at, &number) : 0;
    gsize taken = length > 0 ? take_number (self, at, length, number) : 0;

    if (taken > 0) {
      at += taken;
      continue;
    }
    length = MAX (length, 1);
    g_string_append_len (self->words, at, (gssize) length);
    at += length;
  }
}

/* What the kernel makes of an endbr64 that nothing needs: nopl -0x2a(%rax). */
gboolean
pen_pair_is_landing (const PenAnnotationLine *line)
{
  static const guint8 poisoned[] = { 0x0f, 0x1f, 0x40, 0xd6 };

  return line->class == PEN_INSTRUCTION_LANDING
         || (line->n_bytes == sizeof poisoned && !memcmp (line->bytes, poisoned, sizeof poisoned));
}

PenPairToken
pen_pair_token_write (const PenPairPlace *place, const PenAnnotationLine *line, GString *words,
                      GString *names)
{
  Writing self = { .place = place, .line = line, .words = words, .names = names };

  g_string_truncate (words, 0);
  g_string_truncate (names, 0);
  if (pen_pair_is_landing (line)) {
    g_string_append (words, "endbr64");
    return self.token;
  }
  if (line->class == PEN_INSTRUCTION_NOP && !line->has_target) {
    g_string_append (words, "nop");
    return self.token;
  }
  if (!line->has_target) {
    write_operands (&self);
    return self.token;
  }
  g_string_append_len (words, line->instruction, (gssize) strcspn (line->instruction, " "));
  g_string_append_c (words, ' ');
  if (line->target_address >= place->start && line->target_address < place->end) {
    self.token.has_target = TRUE;
    self.token.target = line->target_address;
    g_string_append (words, "self");
  } else {
    write_address (&self, line->target_address);
  }
  return self.token;
}
