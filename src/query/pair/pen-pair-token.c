/* pen-pair-token.c: an instruction without what moves with a build or a boot
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-token.h"

#include <string.h>

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
  return number >= KERNEL_FIRST && number <= KERNEL_LAST;
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
  GString *name = place->is_kernel ? self->words : self->names;
  gsize length = name->len;

  if (address >= place->start && address < place->end) {
    g_string_append (self->words, "self+" MASK);
    return;
  }
  place->find_name (address, name, place->user_data);
  self->token.is_masked |= name->len == length;
  if (name->len == length || name != self->words)
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

/* A number with what is before and after it: is it an address? */
static gboolean
take_number (Writing *self, const char *at, gsize length, guint64 number)
{
  const char *text = self->line->instruction;
  gboolean is_per_cpu
      = at - text >= (int) strlen (SEGMENT) && g_str_has_prefix (at - strlen (SEGMENT), SEGMENT);

  if (g_str_has_prefix (at + length, RIP)) {
    write_address (self, self->line->address + self->line->n_bytes + number);
    return TRUE;
  }
  if (!self->place->is_kernel)
    return FALSE;
  if (is_per_cpu && number >= PER_CPU_FIRST) {
    g_string_append (self->words, MASK);
    self->token.is_masked = TRUE;
    return TRUE;
  }
  if (!is_kernel_address (number))
    return FALSE;
  write_address (self, number);
  return TRUE;
}

static void
write_operands (Writing *self)
{
  const char *text = self->line->instruction;

  for (const char *at = text; *at != '\0';) {
    gboolean begins = at == text || !g_ascii_isalnum (at[-1]);
    guint64 number;
    gsize length = begins ? read_number (at, &number) : 0;

    if (length > 0 && take_number (self, at, length, number)) {
      at += length;
      continue;
    }
    length = MAX (length, 1);
    g_string_append_len (self->words, at, (gssize) length);
    at += length;
  }
}

PenPairToken
pen_pair_token_write (const PenPairPlace *place, const PenAnnotationLine *line, GString *words,
                      GString *names)
{
  Writing self = { .place = place, .line = line, .words = words, .names = names };

  g_string_truncate (words, 0);
  g_string_truncate (names, 0);
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
