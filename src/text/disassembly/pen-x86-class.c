/* pen-x86-class.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-x86-class.h"

#include <string.h>

/* What follows an opcode. */
typedef enum {
  FORM_UNKNOWN, /* or more than is worth knowing here */
  FORM_ALONE,
  FORM_OPERANDS,  /* a ModRM byte, and what belongs to it */
  FORM_MEMORY,    /* the same, but no register */
  FORM_OPERANDS1, /* then an immediate of one byte */
  FORM_OPERANDS4, /* then one of four, and no other opcode in ModRM */
  FORM_GROUP4,
  FORM_IMMEDIATE, /* four bytes; eight with REX.W */
  FORM_BYTE,
} Form;

static const guint8 forms[256] = {
  [0x01] = FORM_OPERANDS,                           /* add */
  [0x03] = FORM_OPERANDS,  [0x09] = FORM_OPERANDS,  /* or */
  [0x0b] = FORM_OPERANDS,  [0x21] = FORM_OPERANDS,  /* and */
  [0x23] = FORM_OPERANDS,  [0x29] = FORM_OPERANDS,  /* sub */
  [0x2b] = FORM_OPERANDS,  [0x31] = FORM_OPERANDS,  /* xor */
  [0x33] = FORM_OPERANDS,  [0x39] = FORM_OPERANDS,  /* cmp */
  [0x3b] = FORM_OPERANDS,  [0x6a] = FORM_BYTE,      /* push */
  [0x81] = FORM_GROUP4,                             /* any of these */
  [0x83] = FORM_OPERANDS1, [0x85] = FORM_OPERANDS,  /* test */
  [0x89] = FORM_OPERANDS,                           /* mov */
  [0x8b] = FORM_OPERANDS,  [0x8d] = FORM_MEMORY,    /* lea */
  [0x9c] = FORM_ALONE,                              /* pushf, popf */
  [0x9d] = FORM_ALONE,     [0xc7] = FORM_OPERANDS4, /* mov */
  [0xc9] = FORM_ALONE,                              /* leave */
};

static Form
get_form (guint8 opcode)
{
  if ((opcode & 0xf0) == 0x50)
    return FORM_ALONE; /* push, pop */
  if ((opcode & 0xf8) == 0xb8)
    return FORM_IMMEDIATE; /* mov */
  return forms[opcode];
}

/* A ModRM byte, and the SIB byte and displacement that it asks for; 0: not all of it is there. */
static gsize
measure_operands (const guint8 *bytes, gsize length)
{
  guint mode = length > 0 ? bytes[0] >> 6 : 0;
  guint base = length > 0 ? bytes[0] & 7 : 0;
  gsize size = 1;

  if (length < 2)
    return length == 1 && (mode == 3 || (mode == 0 && base != 4 && base != 5)) ? 1 : 0;
  if (mode != 3 && base == 4) {
    size++;
    base = bytes[1] & 7;
  }
  if (mode == 1)
    size++;
  else if (mode == 2 || (mode == 0 && base == 5))
    size += 4;
  return size <= length ? size : 0;
}

/* Of an instruction that leads nowhere; 0: it is not known here. */
static gsize
measure (const guint8 *bytes, gsize length)
{
  gsize prefixes = length > 1 && (bytes[0] & 0xf0) == 0x40 ? 1 : 0;
  guint8 opcode = bytes[prefixes];
  const guint8 *rest = bytes + prefixes + 1;
  gsize left = length - prefixes - 1;
  Form form = get_form (opcode);
  gsize size = 0;

  switch (form) {
  case FORM_ALONE:
    /* Without a prefix, or with one that names the registers from r8 on. */
    return prefixes == 0 || (bytes[0] == 0x41 && (opcode & 0xf0) == 0x50) ? prefixes + 1 : 0;
  case FORM_BYTE:
    if (prefixes > 0)
      return 0;
    size = 1;
    break;
  case FORM_IMMEDIATE:
    size = prefixes > 0 && (bytes[0] & 8) != 0 ? 8 : 4;
    break;
  case FORM_OPERANDS:
  case FORM_MEMORY:
  case FORM_OPERANDS1:
  case FORM_OPERANDS4:
  case FORM_GROUP4:
    size = measure_operands (rest, left);
    if (size == 0 || (form == FORM_MEMORY && rest[0] >> 6 == 3)
        || (form == FORM_OPERANDS4 && (rest[0] >> 3 & 7) != 0))
      return 0;
    size += form == FORM_OPERANDS1 ? 1 : form == FORM_OPERANDS4 || form == FORM_GROUP4 ? 4 : 0;
    break;
  case FORM_UNKNOWN:
  default:
    return 0;
  }
  return size <= left ? prefixes + 1 + size : 0;
}

static gboolean
set (PenInstruction *instruction, PenInstructionClass class, gsize length)
{
  *instruction = (PenInstruction){ .length = (guint8) length, .class = class };
  return TRUE;
}

/* @n: bytes of the opcode, which a distance follows */
static gboolean
set_branch (PenInstruction *instruction, PenInstructionClass class, const guint8 *bytes,
            gsize length, gsize n, gboolean is_short, guint64 address)
{
  gsize all = n + (is_short ? 1 : sizeof (gint32));
  gint32 distance;

  if (all > length)
    return FALSE;
  if (is_short) {
    distance = (gint8) bytes[n];
  } else {
    memcpy (&distance, bytes + n, sizeof distance);
    distance = GINT32_FROM_LE (distance);
  }
  set (instruction, class, all);
  instruction->has_target = TRUE;
  instruction->target = address + all + (guint64) (gint64) distance;
  return TRUE;
}

/* Those that the manual recommends (NOP), and one that the assembler pads with. */
static gsize
measure_nop (const guint8 *bytes, gsize length)
{
  static const struct {
    guint8 length;
    guint8 bytes[9];
  } nops[] = {
    { 1, { 0x90 } },
    { 2, { 0x66, 0x90 } },
    { 3, { 0x0f, 0x1f, 0x00 } },
    { 4, { 0x0f, 0x1f, 0x40, 0x00 } },
    { 5, { 0x0f, 0x1f, 0x44, 0x00, 0x00 } },
    { 6, { 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 } },
    { 7, { 0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00 } },
    { 8, { 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 } },
    { 9, { 0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 } },
    { 9, { 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (nops); i++)
    if (bytes[0] == nops[i].bytes[0] && length >= nops[i].length
        && memcmp (bytes, nops[i].bytes, nops[i].length) == 0)
      return nops[i].length;
  return 0;
}

static gboolean
is_landing (const guint8 *bytes, gsize length)
{
  static const guint8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

  return length >= sizeof endbr64 && memcmp (bytes, endbr64, sizeof endbr64) == 0;
}

gboolean
pen_x86_classify (const guint8 *bytes, gsize length, guint64 address, PenInstruction *instruction)
{
  gsize size;

  switch (bytes[0]) {
  case 0xe8:
    return set_branch (instruction, PEN_INSTRUCTION_CALL, bytes, length, 1, FALSE, address);
  case 0xe9:
    return set_branch (instruction, PEN_INSTRUCTION_JUMP, bytes, length, 1, FALSE, address);
  case 0xeb:
    return set_branch (instruction, PEN_INSTRUCTION_JUMP, bytes, length, 1, TRUE, address);
  case 0xc3:
    return set (instruction, PEN_INSTRUCTION_RETURN, 1);
  case 0xcc:
    return set (instruction, PEN_INSTRUCTION_BREAKPOINT, 1);
  default:
    break;
  }
  if ((bytes[0] & 0xf0) == 0x70)
    return set_branch (instruction, PEN_INSTRUCTION_CONDITIONAL_JUMP, bytes, length, 1, TRUE,
                       address);
  if (length > 1 && bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80)
    return set_branch (instruction, PEN_INSTRUCTION_CONDITIONAL_JUMP, bytes, length, 2, FALSE,
                       address);
  if (is_landing (bytes, length))
    return set (instruction, PEN_INSTRUCTION_LANDING, 4);
  size = measure_nop (bytes, length);
  if (size > 0)
    return set (instruction, PEN_INSTRUCTION_NOP, size);
  /* A REX prefix of nothing. */
  if (length == 1 && (bytes[0] & 0xf0) == 0x40)
    return set (instruction, PEN_INSTRUCTION_BAD, 1);

  size = measure (bytes, length);
  return size > 0 && set (instruction, PEN_INSTRUCTION_OTHER, size);
}
