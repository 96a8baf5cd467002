/* pen-opmask-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-opmask-text.h"

/* The parts of a VEX prefix. */
typedef struct {
  guint map;
  guint prefix; /* 0: none, 1: 66, 2: f3, 3: f2 */
  guint second; /* vvvv */
  gboolean is_wide;
  gboolean is_long;
  gboolean has_high_register;
  gsize length;
} Vex;

static gboolean
read_vex (const guint8 *bytes, gsize length, Vex *vex)
{
  gboolean is_short = bytes[0] == 0xc5;
  guint8 last;

  if (length < (is_short ? 4u : 5u))
    return FALSE;

  last = is_short ? bytes[1] : bytes[2];
  *vex = (Vex){
    .map = is_short ? 1 : bytes[1] & 0x1f,
    .prefix = last & 3,
    .second = (guint) (~last >> 3) & 15,
    .is_wide = !is_short && (last & 0x80) != 0,
    .is_long = (last & 4) != 0,
    .has_high_register = (bytes[1] & 0x80) == 0,
    .length = is_short ? 2 : 3,
  };

  return TRUE;
}

static char
get_width (const Vex *vex)
{
  static const char widths[2][4] = { { 'w', 'b', 0, 0 }, { 'q', 'd', 0, 0 } };

  return widths[vex->is_wide][vex->prefix];
}

/* Of moves from and to general registers. */
static char
get_move_width (const Vex *vex)
{
  static const char widths[2][4] = { { 'w', 'b', 0, 'd' }, { 0, 0, 0, 'q' } };

  return widths[vex->is_wide][vex->prefix];
}

static const char *
get_register (guint number, gboolean is_64)
{
  static const char *const names[2][16]
      = { { "%eax", "%ecx", "%edx", "%ebx", "%esp", "%ebp", "%esi", "%edi", "%r8d", "%r9d", "%r10d",
            "%r11d", "%r12d", "%r13d", "%r14d", "%r15d" },
          { "%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi", "%r8", "%r9", "%r10",
            "%r11", "%r12", "%r13", "%r14", "%r15" } };

  return names[is_64][number & 15];
}

static const char *
get_name (guint8 opcode, gboolean is_long)
{
  static const struct {
    guint8 opcode;
    gboolean is_long;
    const char *name;
  } known[] = {
    { 0x41, TRUE, "kand" },  { 0x42, TRUE, "kandn" },    { 0x44, FALSE, "knot" },
    { 0x45, TRUE, "kor" },   { 0x46, TRUE, "kxnor" },    { 0x47, TRUE, "kxor" },
    { 0x4a, TRUE, "kadd" },  { 0x90, FALSE, "kmov" },    { 0x92, FALSE, "kmov" },
    { 0x93, FALSE, "kmov" }, { 0x98, FALSE, "kortest" }, { 0x99, FALSE, "ktest" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (known[i].opcode == opcode && known[i].is_long == is_long)
      return known[i].name;

  return NULL;
}

gboolean
pen_opmask_text_format (const guint8 *bytes, gsize length, gsize *instruction_length,
                        char *mnemonic, gsize mnemonic_size, char *operands, gsize operands_size)
{
  Vex vex;
  guint8 opcode;
  guint8 modrm;
  const char *name;
  guint to;
  guint from;
  char width;

  if (!read_vex (bytes, length, &vex) || vex.map != 1)
    return FALSE;
  opcode = bytes[vex.length];
  modrm = bytes[vex.length + 1];
  name = get_name (opcode, vex.is_long);
  width = opcode == 0x92 || opcode == 0x93 ? get_move_width (&vex) : get_width (&vex);
  if (name == NULL || width == 0 || modrm < 0xc0 || (!vex.is_long && vex.second != 0))
    return FALSE;

  to = modrm >> 3 & 7;
  from = modrm & 7;
  *instruction_length = vex.length + 2;
  g_snprintf (mnemonic, (gulong) mnemonic_size, "%s%c", name, width);
  if (opcode == 0x92) {
    if (vex.length == 3 && (bytes[1] & 0x20) == 0)
      from += 8;
    g_snprintf (operands, (gulong) operands_size, "%s,%%k%u", get_register (from, width == 'q'),
                to);
  } else if (opcode == 0x93) {
    g_snprintf (operands, (gulong) operands_size, "%%k%u,%s", from,
                get_register (to + (vex.has_high_register ? 8 : 0), width == 'q'));
  } else if (vex.is_long) {
    g_snprintf (operands, (gulong) operands_size, "%%k%u,%%k%u,%%k%u", from, vex.second & 7, to);
  } else {
    g_snprintf (operands, (gulong) operands_size, "%%k%u,%%k%u", from, to);
  }

  return TRUE;
}
