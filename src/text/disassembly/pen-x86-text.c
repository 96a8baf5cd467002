/* pen-x86-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-x86-text.h"

#ifdef PEN_HAS_OPCODES

#define PACKAGE "pentimento" /* bfd.h requires a config.h before it */
#include <dis-asm.h>
#include <string.h>

/* Declared in opcodes/disassemble.h of binutils, which is not installed. disassembler(), which is,
 * needs all of libbfd. */
int print_insn_i386 (bfd_vma address, disassemble_info *info);

/* objdump takes it for a part of what follows; it is an instruction of its own. */
#define FWAIT 0x9b
#define MAX_LENGTH 15

struct _PenX86Text {
  disassemble_info info;
  const guint8 *bytes;
  gsize length;
  guint64 address;
  gboolean is_cut;
  gboolean is_comment;
  gsize n_written;
  char text[256]; /* longer than any instruction */
};

static int
read_memory (bfd_vma address, bfd_byte *to, unsigned int length, disassemble_info *info)
{
  PenX86Text *self = info->application_data;
  guint64 offset = address - self->address;

  self->is_cut = offset > self->length || length > self->length - offset;
  if (self->is_cut)
    return -1;
  memcpy (to, self->bytes + offset, length);
  return 0;
}

/* Reported by is_cut. */
static void
ignore_error (G_GNUC_UNUSED int status, G_GNUC_UNUSED bfd_vma address,
              G_GNUC_UNUSED disassemble_info *info)
{
}

static int G_GNUC_PRINTF (2, 0) append (PenX86Text *self, const char *format, va_list arguments)
{
  gsize left = sizeof self->text - self->n_written;
  int n;

  if (self->is_comment)
    return 0;
  n = vsnprintf (self->text + self->n_written, left, format, arguments);
  self->n_written += MIN ((gsize) MAX (n, 0), left - 1);
  return n;
}

static int G_GNUC_PRINTF (2, 3) print (void *stream, const char *format, ...)
{
  va_list arguments;
  int n;

  va_start (arguments, format);
  n = append (stream, format, arguments);
  va_end (arguments);
  return n;
}

/* The comment has the address of an operand that is relative to the instruction. */
static int G_GNUC_PRINTF (3, 4)
    print_styled (void *stream, enum disassembler_style style, const char *format, ...)
{
  PenX86Text *self = stream;
  va_list arguments;
  int n;

  if (style == dis_style_comment_start)
    self->is_comment = TRUE;
  va_start (arguments, format);
  n = append (self, format, arguments);
  va_end (arguments);
  return n;
}

static void
print_address (bfd_vma address, disassemble_info *info)
{
  print (info->stream, "0x%" G_GINT64_MODIFIER "x", (guint64) address);
}

PenX86Text *
pen_x86_text_new (gboolean is_64bit, PenSyntax syntax)
{
  PenX86Text *self = g_new0 (PenX86Text, 1);

  init_disassemble_info (&self->info, self, print, print_styled);
  self->info.application_data = self;
  self->info.arch = bfd_arch_i386;
  self->info.mach = is_64bit ? bfd_mach_x86_64 : bfd_mach_i386_i386;
  if (syntax == PEN_SYNTAX_INTEL)
    self->info.mach |= bfd_mach_i386_intel_syntax;
  self->info.endian = self->info.endian_code = BFD_ENDIAN_LITTLE;
  self->info.read_memory_func = read_memory;
  self->info.memory_error_func = ignore_error;
  self->info.print_address_func = print_address;
  return self;
}

void
pen_x86_text_free (PenX86Text *self)
{
  g_free (self);
}

gsize
pen_x86_text_write (PenX86Text *self, const guint8 *bytes, gsize length, guint64 address,
                    char *text, gsize size)
{
  gsize at = 0;

  self->bytes = bytes;
  self->length = *bytes == FWAIT ? 1 : length;
  self->address = address;
  self->is_cut = self->is_comment = FALSE;
  self->n_written = 0;
  /* Prefixes that have no effect, such as a second REX, are printed alone: what they stand before
   * has another type. */
  self->info.insn_type = dis_dref2;
  while (self->info.insn_type == dis_dref2 && (at == 0 || bytes[at - 1] != FWAIT)) {
    int n;

    if (at > 0)
      print (self, " ");
    n = at < self->length ? print_insn_i386 (address + at, &self->info) : 0;
    if (n <= 0 || (self->is_cut && *bytes != FWAIT))
      return 0;
    at += (gsize) n;
    while (self->n_written > 0 && self->text[self->n_written - 1] == ' ')
      self->n_written--;
    self->text[self->n_written] = '\0';
  }
  /* The text is "(bad)", or has a "{bad}" among the operands. */
  if (at > MAX_LENGTH || strstr (self->text, "bad)") || strstr (self->text, "bad}"))
    return 0;
  g_strlcpy (text, self->text, size);
  return at;
}

#else

PenX86Text *
pen_x86_text_new (G_GNUC_UNUSED gboolean is_64bit, G_GNUC_UNUSED PenSyntax syntax)
{
  return NULL;
}

void
pen_x86_text_free (G_GNUC_UNUSED PenX86Text *self)
{
}

gsize
pen_x86_text_write (G_GNUC_UNUSED PenX86Text *self, G_GNUC_UNUSED const guint8 *bytes,
                    G_GNUC_UNUSED gsize length, G_GNUC_UNUSED guint64 address,
                    G_GNUC_UNUSED char *text, G_GNUC_UNUSED gsize size)
{
  return 0;
}

#endif
