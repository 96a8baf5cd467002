/* pen-decoder.c: bytes to instructions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-decoder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-address-mask.h"
#include "pen-capstone.h"
#include "pen-x86-class.h"
#include "pen-x86-text.h"

/* The length of a jump or call with a distance of 32 bits. */
#define BRANCH_LENGTH 5

/* @capstone: NULL: it was not needed yet, or @failure says why it cannot be used */
struct _PenDecoder {
  const PenCapstone *capstone;
  GError *failure;
  PenSyntax syntax;
  cs_mode mode;
  csh handle;
  cs_insn *insn;
  cs_arch arch;
  gboolean is_32bit;
  PenX86Text *text; /* NULL: Capstone's text is used */
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
pen_decoder_new_classifier (const char *arch, GError **error)
{
  g_autoptr (PenDecoder) self = g_new0 (PenDecoder, 1);

  if (!find_arch (arch ? arch : "x86_64", &self->arch, &self->mode)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("Instructions of “%s” cannot be decoded"), arch);
    return NULL;
  }
  self->syntax = PEN_SYNTAX_ATT;
  self->is_32bit = self->mode == CS_MODE_32;
  return g_steal_pointer (&self);
}

static gboolean
load_capstone (PenDecoder *self, GError **error)
{
  const PenCapstone *capstone = pen_capstone_get (error);
  cs_err status;

  if (!capstone)
    return FALSE;
  status = capstone->open (self->arch, self->mode, &self->handle);
  if (status != CS_ERR_OK) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("The decoder cannot be started: %s"), capstone->strerror (status));
    return FALSE;
  }
  self->capstone = capstone;
  capstone->option (self->handle, CS_OPT_DETAIL, CS_OPT_ON);
  if (self->arch == CS_ARCH_X86)
    self->text = pen_x86_text_new (!self->is_32bit, self->syntax);
  if (!self->text && self->syntax == PEN_SYNTAX_ATT)
    capstone->option (self->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
  self->insn = capstone->malloc (self->handle);
  return TRUE;
}

PenDecoder *
pen_decoder_new (const char *arch, PenSyntax syntax, GError **error)
{
  g_autoptr (PenDecoder) self = pen_decoder_new_classifier (arch, error);

  if (!self)
    return NULL;
  self->syntax = syntax;
  return load_capstone (self, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
pen_decoder_check (PenDecoder *self, GError **error)
{
  if (self->failure && error)
    *error = g_error_copy (self->failure);
  return !self->failure;
}

void
pen_decoder_free (PenDecoder *self)
{
  if (!self)
    return;
  if (self->insn)
    self->capstone->free (self->insn, 1);
  if (self->handle != 0)
    self->capstone->close (&self->handle);
  pen_x86_text_free (self->text);
  g_clear_error (&self->failure);
  g_free (self);
}

gboolean
pen_decoder_get_version (int *major, int *minor)
{
  const PenCapstone *capstone = pen_capstone_get (NULL);

  if (capstone)
    capstone->version (major, minor);
  return capstone != NULL;
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
format (const cs_insn *insn, PenInstruction *instruction)
{
  if (insn->op_str[0] != '\0')
    g_snprintf (instruction->text, sizeof instruction->text, "%-6s %s", insn->mnemonic,
                insn->op_str);
  else
    g_strlcpy (instruction->text, insn->mnemonic, sizeof instruction->text);
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
  size_t left = MIN (length, PEN_INSTRUCTION_MAX);
  size_t all = left;
  uint64_t at = address;

  return self->capstone->disasm_iter (self->handle, &bytes, &left, &at, self->insn)
         && self->insn->size > 0 && self->insn->size <= all;
}

/* Capstone 4 does not know newer instructions of x86, and mistakes some for others: the text comes
 * from libopcodes, and the class from Capstone where both agree on the length. */
void
pen_decoder_decode (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                    PenInstruction *instruction)
{
  const cs_insn *insn = self->insn;
  gsize known;

  g_return_if_fail (length > 0);

  known = disassemble (self, bytes, length, address) ? insn->size : 0;
  *instruction = (PenInstruction){ .length = (guint8) known };
  if (self->text)
    instruction->length
        = (guint8) pen_x86_text_write (self->text, bytes, MIN (length, PEN_INSTRUCTION_MAX),
                                       address, instruction->text, sizeof instruction->text);
  else if (known > 0)
    format (insn, instruction);
  if (instruction->length == 0) {
    *instruction = (PenInstruction){ .length = 1, .class = PEN_INSTRUCTION_BAD, .text = "(bad)" };
    return;
  }
  if (instruction->length != known)
    return;

  instruction->class = classify (self, insn);
  if (instruction->class == PEN_INSTRUCTION_JUMP || instruction->class == PEN_INSTRUCTION_CALL
      || instruction->class == PEN_INSTRUCTION_CONDITIONAL_JUMP)
    instruction->has_target = find_target (self, insn, &instruction->target);
}

void
pen_decoder_classify (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                      PenInstruction *instruction)
{
  g_return_if_fail (length > 0);

  if (self->arch == CS_ARCH_X86 && !self->is_32bit
      && pen_x86_classify (bytes, length, address, instruction))
    return;
  if (self->capstone || (!self->failure && load_capstone (self, &self->failure)))
    pen_decoder_decode (self, bytes, length, address, instruction);
  else
    *instruction = (PenInstruction){ .length = 1, .class = PEN_INSTRUCTION_BAD };
  instruction->text[0] = '\0';
}

/* ---- wherever it lies ---- */

/* Immediates and displacements of 32 bits that are sign-extended to addresses of the kernel's image
 * and modules, which begin 2 GiB below the end; not small negative numbers. */
#define IMAGE_FIRST 0x80000000u
#define IMAGE_LAST 0xfeffffffu
/* The lowest address of the kernel's half with five levels of page tables. */
#define KERNEL_HALF G_GUINT64_CONSTANT (0xff00000000000000)

/* @offset: 0: there is no such field */
static void
clear_field (guint8 *bytes, gsize length, guint8 offset, guint8 size)
{
  if (offset > 0 && (gsize) offset + size <= length)
    memset (bytes + offset, 0, size);
}

static gboolean
is_address (const guint8 *bytes, gsize length, guint8 offset, guint8 size)
{
  guint32 low;
  guint64 all;

  if (offset == 0 || (gsize) offset + size > length)
    return FALSE;
  if (size == sizeof low) {
    memcpy (&low, bytes + offset, sizeof low);
    low = GUINT32_FROM_LE (low);
    return low >= IMAGE_FIRST && low <= IMAGE_LAST;
  }
  if (size != sizeof all)
    return FALSE;
  memcpy (&all, bytes + offset, sizeof all);
  return GUINT64_FROM_LE (all) >= KERNEL_HALF;
}

static gboolean
is_relative (const cs_x86 *x86)
{
  for (guint i = 0; i < x86->op_count; i++) {
    if (x86->operands[i].type == X86_OP_MEM && x86->operands[i].mem.base == X86_REG_RIP)
      return TRUE;
  }
  return FALSE;
}

static void
settle_x86 (const cs_insn *insn, gboolean leads_out, guint8 *settled)
{
  const cs_x86 *x86 = &insn->detail->x86;
  const cs_x86_encoding *fields = &x86->encoding;
  gsize length = insn->size;

  if (is_relative (x86) || is_address (settled, length, fields->disp_offset, fields->disp_size))
    clear_field (settled, length, fields->disp_offset, fields->disp_size);
  if (leads_out) {
    /* The distance stands last. */
    gsize size = length > BRANCH_LENGTH - 1 ? sizeof (gint32) : 1;

    memset (settled + length - size, 0, size);
  } else if (is_address (settled, length, fields->imm_offset, fields->imm_size)) {
    clear_field (settled, length, fields->imm_offset, fields->imm_size);
  }
}

static void
settle_arm64 (const cs_insn *insn, gboolean leads_out, guint8 *settled)
{
  guint32 word;
  guint32 field = 0;

  /* Arm Architecture Reference Manual, C4.1: ADR and ADRP have immlo and immhi, B and BL imm26,
   * B.cond, CBZ and literal loads imm19. */
  if (insn->id == ARM64_INS_ADR || insn->id == ARM64_INS_ADRP)
    field = 0x60ffffe0u;
  else if (leads_out && (insn->id == ARM64_INS_B || insn->id == ARM64_INS_BL))
    field = insn->detail->arm64.cc == ARM64_CC_INVALID || insn->detail->arm64.cc == ARM64_CC_AL
                ? 0x03ffffffu
                : 0x00ffffe0u;
  memcpy (&word, settled, sizeof word);
  word &= GUINT32_TO_LE (~field);
  memcpy (settled, &word, sizeof word);
}

gboolean
pen_decoder_settle (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                    guint64 start, guint64 end, PenInstruction *instruction,
                    guint8 settled[PEN_INSTRUCTION_MAX])
{
  gboolean leads_out;

  g_return_val_if_fail (length > 0, FALSE);

  if (!disassemble (self, bytes, length, address)) {
    pen_decoder_classify (self, bytes, length, address, instruction);
    memcpy (settled, bytes, instruction->length);
    return FALSE;
  }
  *instruction = (PenInstruction){ .length = (guint8) self->insn->size,
                                   .class = classify (self, self->insn) };
  if (instruction->class == PEN_INSTRUCTION_JUMP || instruction->class == PEN_INSTRUCTION_CALL
      || instruction->class == PEN_INSTRUCTION_CONDITIONAL_JUMP)
    instruction->has_target = find_target (self, self->insn, &instruction->target);
  leads_out
      = instruction->has_target && (instruction->target < start || instruction->target >= end);
  memcpy (settled, bytes, instruction->length);
  if (self->arch == CS_ARCH_X86)
    settle_x86 (self->insn, leads_out, settled);
  else
    settle_arm64 (self->insn, leads_out, settled);
  return leads_out;
}

/* ---- to somewhere else ---- */

typedef struct {
  const PenMoveRange *images;
  guint n_images;
  gboolean is_made;
  PenMoveFunc func;
  gpointer user_data;
} Move;

static gboolean
is_in_image (const Move *move, guint64 address)
{
  for (guint i = 0; i < move->n_images; i++) {
    if (address >= move->images[i].first && address <= move->images[i].last)
      return TRUE;
  }
  return FALSE;
}

/* A number of 32 bits is no address where the instruction does not extend it to 64. */
static gboolean
has_wide_immediate (const cs_x86 *x86)
{
  for (guint i = 0; i < x86->op_count; i++) {
    if (x86->operands[i].type == X86_OP_IMM)
      return x86->operands[i].size == sizeof (guint64);
  }
  return FALSE;
}

/* A field of 32 bits is extended with its sign. */
static guint64
read_field (const guint8 *bytes, guint8 size)
{
  guint64 all;
  guint32 low;

  if (size == sizeof all) {
    memcpy (&all, bytes, sizeof all);
    return GUINT64_FROM_LE (all);
  }
  memcpy (&low, bytes, sizeof low);
  return (guint64) (gint64) (gint32) GUINT32_FROM_LE (low);
}

static void
write_field (guint8 *bytes, guint8 size, guint64 value)
{
  guint64 all = GUINT64_TO_LE (value);

  memcpy (bytes, &all, size);
}

/* Where the kernel's image, its modules and its programs are; below, its memory. */
#define LAST_2_GIB G_GUINT64_CONSTANT (0xffffffff80000000)

/* @bytes: of the instruction */
static void
move_address_field (const Move *move, guint8 *bytes, gsize length, guint8 offset, guint8 size)
{
  guint64 value;

  if (offset == 0 || (gsize) offset + size > length || (size != 4 && size != 8))
    return;
  value = read_field (bytes + offset, size);
  if (value < KERNEL_HALF)
    return;
  if (is_in_image (move, value))
    write_field (bytes + offset, size, move->func (value, move->user_data));
  else if (pen_is_plain_mask (value))
    return;
  else if (size == 8 && move->is_made)
    write_field (bytes + offset, size, move->func (value, move->user_data));
  else if (size == 8 && value < LAST_2_GIB)
    write_field (bytes + offset, size, 0);
}

/* @next: address of the instruction after it */
static void
move_distance_field (const Move *move, guint8 *bytes, guint8 offset, guint64 next)
{
  guint64 target = next + read_field (bytes + offset, 4);
  /* It ends where the kernel's half may: of the instruction itself there is a byte before. */
  guint64 moved_next = move->func (next - 1, move->user_data) + 1;

  write_field (bytes + offset, 4, move->func (target, move->user_data) - moved_next);
}

static void
move_x86 (const Move *move, const cs_insn *insn, gboolean has_target, guint8 *bytes)
{
  const cs_x86 *x86 = &insn->detail->x86;
  const cs_x86_encoding *fields = &x86->encoding;
  gsize length = insn->size;
  guint64 next = insn->address + length;

  if (is_relative (x86) && fields->disp_size == 4 && fields->disp_offset + 4u <= length)
    move_distance_field (move, bytes, fields->disp_offset, next);
  else
    move_address_field (move, bytes, length, fields->disp_offset, fields->disp_size);
  if (has_target && length >= BRANCH_LENGTH)
    move_distance_field (move, bytes, (guint8) (length - 4), next);
  else if (!has_target && has_wide_immediate (x86))
    move_address_field (move, bytes, length, fields->imm_offset, fields->imm_size);
}

/* Does any field that it may have name a place of an image? */
static gboolean
may_have_address (const Move *move, const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i + sizeof (guint32) <= length; i++) {
    if (is_in_image (move, read_field (bytes + i, sizeof (guint32))))
      return TRUE;
  }
  return FALSE;
}

gsize
pen_decoder_move (PenDecoder *self, guint8 *bytes, gsize length, guint64 address,
                  const PenMoveRange *images, guint n_images, gboolean is_made, PenMoveFunc func,
                  gpointer user_data)
{
  const Move move = { images, n_images, is_made, func, user_data };
  char text[sizeof ((PenInstruction *) NULL)->text];
  PenInstructionClass class;
  guint64 target;
  gboolean is_branch;
  gsize known;
  gsize size;

  g_return_val_if_fail (self->arch == CS_ARCH_X86 && !self->is_32bit && length > 0, 0);

  known = disassemble (self, bytes, length, address) ? self->insn->size : 0;
  size = self->text ? pen_x86_text_write (self->text, bytes, MIN (length, PEN_INSTRUCTION_MAX),
                                          address, text, sizeof text)
                    : known;
  if (size == 0)
    return 0;
  /* Capstone does not know newer ones, nor their fields. */
  if (size != known)
    return may_have_address (&move, bytes, size) ? 0 : size;

  class = classify (self, self->insn);
  is_branch = class == PEN_INSTRUCTION_JUMP || class == PEN_INSTRUCTION_CALL
              || class == PEN_INSTRUCTION_CONDITIONAL_JUMP;
  move_x86 (&move, self->insn, is_branch && find_target (self, self->insn, &target), bytes);
  return size;
}
