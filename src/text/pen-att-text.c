/* pen-att-text.c: AT&T syntax as objdump prints it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-att-text.h"

#include <string.h>

/* Mnemonics whose size suffix objdump leaves out where a register operand tells the size. */
static gboolean
has_redundant_suffix (const char *base)
{
  static const char *const bases[] = {
    "adc",     "add", "and",   "bsf",  "bsr",  "bt",     "btc",    "btr",   "bts",   "cmp",
    "cmpxchg", "dec", "div",   "idiv", "imul", "inc",    "lea",    "mov",   "mul",   "neg",
    "not",     "or",  "in",    "out",  "lar",  "lsl",    "popcnt", "lzcnt", "tzcnt", "rcl",
    "rcr",     "rol", "ror",   "sar",  "sbb",  "shl",    "shr",    "sub",   "test",  "xadd",
    "xchg",    "xor", "bswap", "shld", "shrd", "movnti", "crc32",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bases); i++) {
    if (strcmp (bases[i], base) == 0)
      return TRUE;
  }
  return g_str_has_prefix (base, "cmov");
}

/* With a count in %cl only the other operand tells the size. */
static gboolean
is_shift (const char *base)
{
  return strlen (base) == 3
         && (g_str_has_prefix (base, "rc") || g_str_has_prefix (base, "ro")
             || g_str_has_prefix (base, "sh") || strcmp (base, "sar") == 0);
}

static gboolean
register_tells_size (const cs_x86 *x86, const char *base)
{
  if (is_shift (base))
    return x86->op_count > 0 && x86->operands[x86->op_count - 1].type == X86_OP_REG;
  for (guint i = 0; i < x86->op_count; i++) {
    if (x86->operands[i].type == X86_OP_REG)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_no_size (const char *base)
{
  return strcmp (base, "call") == 0 || strcmp (base, "ret") == 0 || strcmp (base, "jmp") == 0
         || strcmp (base, "push") == 0 || strcmp (base, "pop") == 0 || strcmp (base, "movabs") == 0
         || strcmp (base, "pushf") == 0 || strcmp (base, "popf") == 0;
}

static void
write_mnemonic (const cs_insn *insn, GString *out)
{
  const char *word = strrchr (insn->mnemonic, ' '); /* after "lock", "rep" … */
  char base[32];

  g_string_assign (out, insn->mnemonic);
  g_strlcpy (base, word != NULL ? word + 1 : insn->mnemonic, sizeof base);
  if (strlen (base) < 3 || strchr ("bwlq", base[strlen (base) - 1]) == NULL)
    return;

  base[strlen (base) - 1] = '\0';
  if (has_no_size (base)
      || (has_redundant_suffix (base) && register_tells_size (&insn->detail->x86, base)))
    g_string_truncate (out, out->len - 1);
}

static gboolean
is_number_start (const char *op_str, const char *p)
{
  return g_ascii_isdigit (*p) && (p == op_str || strchr ("$,-*: ", p[-1]) != NULL);
}

/* "(%rax,%rcx" of a memory operand: base and index without a scale. */
static gboolean
needs_scale (const char *open, const char *close)
{
  const char *comma = memchr (open, ',', (gsize) (close - open));

  if (comma == NULL)
    return FALSE;
  return memchr (comma + 1, ',', (gsize) (close - comma - 1)) == NULL
         && memchr (comma, '%', (gsize) (close - comma)) != NULL;
}

/*
 * Writes the immediate as the operand's bits: Capstone prints negative ones with a sign or in
 * decimal, which hides kernel addresses.
 *
 * Returns: the last character of the number at @p; @p - 1 where it is to be taken as it stands.
 */
static const char *
write_immediate (const cs_insn *insn, const char *p, GString *out)
{
  const cs_x86 *x86 = &insn->detail->x86;
  guint n_immediates = 0;
  guint64 value = 0;
  guint size;

  for (guint i = 0; i < x86->op_count; i++) {
    if (x86->operands[i].type == X86_OP_IMM) {
      value = (guint64) x86->operands[i].imm;
      n_immediates++;
    }
  }
  if (n_immediates != 1)
    return p - 1;

  /* Of a vector register's operands only the immediate's own size is left to go by. */
  size = x86->operands[x86->op_count - 1].size;
  if (size > 8)
    size = x86->encoding.imm_size;
  if (size > 0 && size < 8)
    value &= (G_GUINT64_CONSTANT (1) << (8 * size)) - 1;
  g_string_append_printf (out, "0x%" G_GINT64_MODIFIER "x", value);

  while (g_ascii_isxdigit (*p) || *p == 'x' || *p == '-')
    p++;
  return p - 1;
}

static void
write_operands (const cs_insn *insn, GString *out)
{
  const char *op_str = insn->op_str;
  const char *open = NULL;

  for (const char *p = op_str; *p != '\0'; p++) {
    if (*p == ' ' && p > op_str && p[-1] == ',')
      continue;
    if (*p == '(') {
      gboolean is_memory = p[1] == '%' || p[1] == ','; /* and not %st(1) */

      if (is_memory && (p == op_str || !g_ascii_isxdigit (p[-1]))
          && insn->detail->x86.encoding.disp_offset != 0)
        g_string_append (out, "0x0");
      open = is_memory ? p : NULL;
    } else if (*p == ')') {
      if (open != NULL && needs_scale (open, p))
        g_string_append (out, ",1");
      open = NULL;
    } else if (open == NULL && is_number_start (op_str, p) && p[1] != 'x') {
      g_string_append (out, "0x");
    }
    g_string_append_c (out, *p);
    if (*p == '$')
      p = write_immediate (insn, p + 1, out);
  }
}

void
pen_att_text_format (const cs_insn *insn, char *text, gsize size)
{
  g_autoptr (GString) out = g_string_sized_new (64);

  write_mnemonic (insn, out);
  if (insn->op_str[0] != '\0') {
    do
      g_string_append_c (out, ' ');
    while (out->len < 7);
    write_operands (insn, out);
  }
  g_strlcpy (text, out->str, size);
}
