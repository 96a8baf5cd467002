/* pen-decoder.c: bytes to instructions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-decoder.h"

#include <string.h>

#include "pen-att-text.h"
#include "pen-newer-x86.h"

/* No instruction of the machines here is longer. */
/* Of a jump or call with a distance of 32 bits. */
#define BRANCH_LENGTH 5
#define MAX_LENGTH 16

struct _PenDecoder {
  csh handle;
  cs_insn *insn;
  cs_arch arch;
  gboolean is_32bit;
  gboolean is_att;
};

static gboolean
find_arch (const char *name, cs_arch *arch, cs_mode *mode)
{
  static const struct {
    const char *name;
    cs_arch arch;
    cs_mode mode;
  } known[] = {
    { "x86_64", CS_ARCH_X86, CS_MODE_64 },
    { "amd64", CS_ARCH_X86, CS_MODE_64 },
    { "i386", CS_ARCH_X86, CS_MODE_32 },
    { "i486", CS_ARCH_X86, CS_MODE_32 },
    { "i586", CS_ARCH_X86, CS_MODE_32 },
    { "i686", CS_ARCH_X86, CS_MODE_32 },
    { "aarch64", CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN },
    { "arm64", CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    if (strcmp (known[i].name, name) == 0) {
      *arch = known[i].arch;
      *mode = known[i].mode;
      return TRUE;
    }
  }
  return FALSE;
}

PenDecoder *
pen_decoder_new (const char *arch, PenSyntax syntax, GError **error)
{
  g_autoptr (PenDecoder) self = g_new0 (PenDecoder, 1);
  cs_mode mode;
  cs_err status;

  if (!find_arch (arch != NULL ? arch : "x86_64", &self->arch, &mode)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 "instructions of “%s” cannot be decoded", arch);
    return NULL;
  }

  status = cs_open (self->arch, mode, &self->handle);
  if (status != CS_ERR_OK) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "decoder: %s", cs_strerror (status));
    return NULL;
  }
  cs_option (self->handle, CS_OPT_DETAIL, CS_OPT_ON);
  self->is_att = self->arch == CS_ARCH_X86 && syntax == PEN_SYNTAX_ATT;
  self->is_32bit = mode == CS_MODE_32;
  if (self->is_att)
    cs_option (self->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
  self->insn = cs_malloc (self->handle);
  return g_steal_pointer (&self);
}

void
pen_decoder_free (PenDecoder *self)
{
  if (self == NULL)
    return;
  if (self->insn != NULL)
    cs_free (self->insn, 1);
  if (self->handle != 0)
    cs_close (&self->handle);
  g_free (self);
}

static gboolean
is_in_group (const cs_insn *insn, guint8 group)
{
  for (guint i = 0; i < insn->detail->groups_count; i++) {
    if (insn->detail->groups[i] == group)
      return TRUE;
  }
  return FALSE;
}

static PenInstructionClass
classify_x86 (const cs_insn *insn)
{
  switch (insn->id) {
  case X86_INS_NOP:
    return PEN_INSTRUCTION_NOP;
  case X86_INS_INT3:
    return PEN_INSTRUCTION_BREAKPOINT;
  case X86_INS_JMP:
  case X86_INS_LJMP:
    return PEN_INSTRUCTION_JUMP;
  case X86_INS_CALL:
  case X86_INS_LCALL:
    return PEN_INSTRUCTION_CALL;
  case X86_INS_ENDBR32:
  case X86_INS_ENDBR64:
    return PEN_INSTRUCTION_LANDING;
  case X86_INS_LOOP:
  case X86_INS_LOOPE:
  case X86_INS_LOOPNE:
    return PEN_INSTRUCTION_CONDITIONAL_JUMP;
  default:
    break;
  }
  if (is_in_group (insn, X86_GRP_RET) || is_in_group (insn, X86_GRP_IRET))
    return PEN_INSTRUCTION_RETURN;
  if (is_in_group (insn, X86_GRP_JUMP))
    return PEN_INSTRUCTION_CONDITIONAL_JUMP;
  return PEN_INSTRUCTION_OTHER;
}

static PenInstructionClass
classify_arm64 (const cs_insn *insn)
{
  switch (insn->id) {
  case ARM64_INS_NOP:
    return PEN_INSTRUCTION_NOP;
  case ARM64_INS_BRK:
    return PEN_INSTRUCTION_BREAKPOINT;
  case ARM64_INS_B:
    if (insn->detail->arm64.cc == ARM64_CC_INVALID || insn->detail->arm64.cc == ARM64_CC_AL)
      return PEN_INSTRUCTION_JUMP;
    return PEN_INSTRUCTION_CONDITIONAL_JUMP;
  case ARM64_INS_BR:
    return PEN_INSTRUCTION_JUMP;
  case ARM64_INS_BL:
  case ARM64_INS_BLR:
    return PEN_INSTRUCTION_CALL;
  case ARM64_INS_CBZ:
  case ARM64_INS_CBNZ:
  case ARM64_INS_TBZ:
  case ARM64_INS_TBNZ:
    return PEN_INSTRUCTION_CONDITIONAL_JUMP;
  case ARM64_INS_RET:
  case ARM64_INS_ERET:
    return PEN_INSTRUCTION_RETURN;
  default:
    return PEN_INSTRUCTION_OTHER;
  }
}

/* The last operand of a direct jump or call is where it goes. */
static gboolean
find_target (PenDecoder *self, const cs_insn *insn, guint64 *target)
{
  if (self->arch == CS_ARCH_X86) {
    const cs_x86 *x86 = &insn->detail->x86;

    if (x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
      return FALSE;
    *target = (guint64) x86->operands[0].imm;
    if (self->is_32bit)
      *target &= G_MAXUINT32;
  } else {
    const cs_arm64 *arm64 = &insn->detail->arm64;

    if (arm64->op_count == 0 || arm64->operands[arm64->op_count - 1].type != ARM64_OP_IMM)
      return FALSE;
    *target = (guint64) arm64->operands[arm64->op_count - 1].imm;
  }
  return TRUE;
}

static void
format (PenDecoder *self, const cs_insn *insn, PenInstruction *instruction)
{
  char *text = instruction->text;
  gsize size = sizeof instruction->text;

  if (self->is_att)
    pen_att_text_format (insn, !self->is_32bit, text, size);
  else if (insn->op_str[0] != '\0')
    g_snprintf (text, size, "%-6s %s", insn->mnemonic, insn->op_str);
  else
    g_strlcpy (text, insn->mnemonic, size);
}

/* BTI is a hint to Capstone 4, and an instruction of its own to 5. */
static gboolean
is_bti (const guint8 *bytes, gsize length)
{
  return length >= 4 && (bytes[0] & 0x3f) == 0x1f && bytes[1] == 0x24 && bytes[2] == 0x03
         && bytes[3] == 0xd5;
}

static PenInstructionClass
classify (PenDecoder *self, const cs_insn *insn)
{
  if (self->arch == CS_ARCH_X86)
    return classify_x86 (insn);
  return is_bti (insn->bytes, insn->size) ? PEN_INSTRUCTION_LANDING : classify_arm64 (insn);
}

static gboolean
disassemble (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address)
{
  size_t left = MIN (length, MAX_LENGTH);
  size_t all = left;
  uint64_t at = address;

  return cs_disasm_iter (self->handle, &bytes, &left, &at, self->insn) && self->insn->size > 0
         && self->insn->size <= all;
}

/* ---- what Capstone 4 does not know, or takes for something else ---- */

static void
exchange (char *text, const char *from, const char *to)
{
  for (char *p = strstr (text, from); p != NULL; p = strstr (p + 1, from))
    memcpy (p, to, strlen (from));
}

/* Operands are those of the stand-in, which Capstone knows. */
static gboolean
decode_stand_in (PenDecoder *self, const PenNewerX86 *newer, gsize length, guint64 address,
                 PenInstruction *instruction)
{
  if (!disassemble (self, newer->stand_in, newer->n_stand_in, address)
      || newer->length + self->insn->size > length)
    return FALSE;
  if (newer->mnemonic[0] != '\0')
    g_strlcpy (self->insn->mnemonic, newer->mnemonic, sizeof self->insn->mnemonic);
  if (newer->from != NULL)
    exchange (self->insn->op_str, newer->from, newer->to);
  instruction->length = (guint8) (newer->length + self->insn->size);
  format (self, self->insn, instruction);
  return TRUE;
}

static gboolean
decode_newer (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
              PenInstruction *instruction)
{
  PenNewerX86 newer;

  length = MIN (length, MAX_LENGTH);
  if (self->arch != CS_ARCH_X86 || self->is_32bit || !pen_newer_x86_find (bytes, length, &newer))
    return FALSE;
  instruction->class = PEN_INSTRUCTION_OTHER;
  if (newer.n_stand_in > 0)
    return decode_stand_in (self, &newer, length, address, instruction);
  if (newer.length > length)
    return FALSE;
  instruction->length = (guint8) newer.length;
  if (newer.operands[0] != '\0')
    g_snprintf (instruction->text, sizeof instruction->text, "%-6s %s", newer.mnemonic,
                newer.operands);
  else
    g_strlcpy (instruction->text, newer.mnemonic, sizeof instruction->text);
  return TRUE;
}

/* ud1 has operands, and vmgexit is a vmmcall with a prefix. */
static gboolean
is_mistaken (PenDecoder *self)
{
  const cs_insn *insn = self->insn;

  if (self->arch != CS_ARCH_X86)
    return FALSE;
  return strcmp (insn->mnemonic, "ud2b") == 0
         || (insn->id == X86_INS_VMMCALL && (insn->bytes[0] == 0xf2 || insn->bytes[0] == 0xf3));
}

static void
decode (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address, gboolean wants_text,
        PenInstruction *instruction)
{
  const cs_insn *insn = self->insn;
  gboolean is_known;

  instruction->has_target = FALSE;
  instruction->target = 0;
  is_known = disassemble (self, bytes, length, address);
  if ((!is_known || is_mistaken (self)) && decode_newer (self, bytes, length, address, instruction))
    return;
  if (!is_known) {
    instruction->length = 1;
    instruction->class = PEN_INSTRUCTION_BAD;
    g_strlcpy (instruction->text, "(bad)", sizeof instruction->text);
    return;
  }

  instruction->length = (guint8) insn->size;
  instruction->class = classify (self, insn);
  if (instruction->class == PEN_INSTRUCTION_JUMP || instruction->class == PEN_INSTRUCTION_CALL
      || instruction->class == PEN_INSTRUCTION_CONDITIONAL_JUMP)
    instruction->has_target = find_target (self, insn, &instruction->target);
  if (wants_text)
    format (self, insn, instruction);
}

void
pen_decoder_decode (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                    PenInstruction *instruction)
{
  g_return_if_fail (length > 0);

  decode (self, bytes, length, address, TRUE, instruction);
}

/* What a kernel writes most: a call, a jump, and a nop of the same length. */
static gboolean
classify_branch (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                 PenInstruction *instruction)
{
  static const guint8 nop[BRANCH_LENGTH] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  gint32 distance;

  if (self->arch != CS_ARCH_X86 || self->is_32bit || length < BRANCH_LENGTH)
    return FALSE;

  *instruction = (PenInstruction){ .length = BRANCH_LENGTH, .class = PEN_INSTRUCTION_NOP };
  if (memcmp (bytes, nop, sizeof nop) == 0)
    return TRUE;
  if (bytes[0] != 0xe8 && bytes[0] != 0xe9)
    return FALSE;

  memcpy (&distance, bytes + 1, sizeof distance);
  instruction->class = bytes[0] == 0xe8 ? PEN_INSTRUCTION_CALL : PEN_INSTRUCTION_JUMP;
  instruction->has_target = TRUE;
  instruction->target = address + BRANCH_LENGTH + (guint64) (gint64) GINT32_FROM_LE (distance);

  return TRUE;
}

void
pen_decoder_classify (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                      PenInstruction *instruction)
{
  g_return_if_fail (length > 0);

  if (!classify_branch (self, bytes, length, address, instruction))
    decode (self, bytes, length, address, FALSE, instruction);
  instruction->text[0] = '\0';
}
