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
    "adc",      "add",      "and",      "bsf",      "bsr",   "bt",   "btc",    "btr",    "bts",
    "cmp",      "cmpxchg",  "dec",      "div",      "idiv",  "imul", "inc",    "lea",    "mov",
    "mul",      "neg",      "not",      "or",       "in",    "out",  "lar",    "lsl",    "popcnt",
    "lzcnt",    "tzcnt",    "rcl",      "rcr",      "rol",   "ror",  "sar",    "sbb",    "shl",
    "shr",      "sub",      "test",     "xadd",     "xchg",  "xor",  "bswap",  "shld",   "shrd",
    "movnti",   "shlx",     "shrx",     "sarx",     "rorx",  "andn", "bzhi",   "bextr",  "pdep",
    "pext",     "mulx",     "adcx",     "adox",     "blsr",  "blsi", "blsmsk", "rdrand", "rdseed",
    "rdfsbase", "rdgsbase", "wrfsbase", "wrgsbase", "rdpid", "lldt", "ltr",    "str",    "sldt",
    "smsw",     "lmsw",     "crc32",
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
  /* The result of a checksum is of another size than what goes into it. */
  if (strcmp (base, "crc32") == 0)
    return x86->op_count > 0 && x86->operands[0].type == X86_OP_REG;
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
         || strcmp (base, "pushf") == 0 || strcmp (base, "popf") == 0 || strcmp (base, "stos") == 0
         || strcmp (base, "lods") == 0 || strcmp (base, "scas") == 0 || strcmp (base, "ljmp") == 0
         || strcmp (base, "lcall") == 0 || strcmp (base, "lgdt") == 0 || strcmp (base, "lidt") == 0
         || strcmp (base, "sgdt") == 0 || strcmp (base, "sidt") == 0;
}

static gboolean
is_prefix (guint8 byte)
{
  return byte == 0x66 || byte == 0x67 || byte == 0x2e || byte == 0x3e || byte == 0x26
         || byte == 0x36 || byte == 0x64 || byte == 0x65 || byte == 0xf0 || byte == 0xf2
         || byte == 0xf3;
}

/* The first byte behind prefixes. */
static guint8
get_opcode (const cs_insn *insn, gboolean is_64bit)
{
  guint i = 0;

  while (i + 1 < insn->size && is_prefix (insn->bytes[i]))
    i++;
  if (is_64bit && i + 1 < insn->size && (insn->bytes[i] & 0xf0) == 0x40)
    i++;
  return insn->bytes[i];
}

static gboolean
is_string_instruction (guint8 opcode)
{
  return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf)
         || (opcode >= 0x6c && opcode <= 0x6f);
}

/* Prefixes that have no effect here: they pad, or mark a place that alternatives are patched into.
 * The last 66 is the operand's size. */
static void
write_prefixes (const cs_insn *insn, GString *out)
{
  guint n_66 = 0;

  for (guint i = 0; i < insn->size && is_prefix (insn->bytes[i]); i++)
    n_66 += insn->bytes[i] == 0x66;
  for (guint i = 0; i < insn->size && is_prefix (insn->bytes[i]); i++) {
    if (insn->bytes[i] == 0x66 && --n_66 > 0)
      g_string_append (out, "data16 ");
    else if (insn->bytes[i] == 0x2e)
      g_string_append (out, "cs ");
    else if (insn->bytes[i] == 0x3e && strncmp (insn->mnemonic, "notrack", 7) != 0)
      g_string_append (out, "ds ");
    else if (insn->bytes[i] == 0x26)
      g_string_append (out, "es ");
    else if (insn->bytes[i] == 0x36)
      g_string_append (out, "ss ");
  }
}

/* What is called otherwise than Capstone does. */
static const char *
get_word (const cs_insn *insn)
{
  if (strcmp (insn->mnemonic, "wait") == 0)
    return "fwait";
  /* 66 REX.W 0f 6e and 7e move eight bytes. */
  if (strcmp (insn->mnemonic, "movd") == 0 && insn->detail->x86.rex & 8)
    return "movq";
  return insn->mnemonic;
}

static gboolean
is_conditional_jump (const cs_insn *insn)
{
  return insn->mnemonic[0] == 'j' && !g_str_has_prefix (insn->mnemonic, "jmp");
}

/* ins and outs of two bytes, which Capstone takes for four. */
static gboolean
is_short_port_string (const cs_insn *insn, gboolean is_64bit)
{
  guint8 opcode = get_opcode (insn, is_64bit);

  if (opcode != 0x6d && opcode != 0x6f)
    return FALSE;
  for (guint i = 0; i < insn->size && is_prefix (insn->bytes[i]); i++) {
    if (insn->bytes[i] == 0x66)
      return g_str_has_suffix (insn->mnemonic, "l");
  }
  return FALSE;
}

static void
write_mnemonic (const cs_insn *insn, gboolean is_64bit, GString *out)
{
  const char *whole = get_word (insn);
  const char *word = strrchr (whole, ' '); /* after "lock", "rep" … */
  char base[32];

  if (is_64bit && !is_conditional_jump (insn) && strcmp (whole, "nop") != 0)
    write_prefixes (insn, out);
  g_string_append (out, whole);
  if (is_short_port_string (insn, is_64bit))
    out->str[out->len - 1] = 'w';
  g_strlcpy (base, word != NULL ? word + 1 : whole, sizeof base);
  if (strlen (base) < 3 || strchr ("bwlq", base[strlen (base) - 1]) == NULL)
    return;

  base[strlen (base) - 1] = '\0';
  /* The q of a vector register's half is no size of a register. */
  if (strcmp (base, "mov") == 0 && strstr (insn->op_str, "mm") != NULL)
    return;
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

/* Segments that no prefix changes; without effect in 64-bit mode, but of fs and gs. Returns: the
 * last character that it passed over. */
static const char *
write_segment (const char *p, gboolean is_64bit, gboolean is_string, GString *out)
{
  if (is_string && *p == '(' && out->len > 0 && out->str[out->len - 1] != ':') {
    if (p[3] == 'd' && p[4] == 'i')
      g_string_append (out, "%es:");
    else if (p[3] == 's' && p[4] == 'i')
      g_string_append (out, "%ds:");
  }
  if (is_64bit && *p == '%' && p[1] != '\0' && p[2] == 's' && p[3] == ':' && strchr ("cdes", p[1]))
    return p + 3;
  return NULL;
}

static void
write_operands (const cs_insn *insn, gboolean is_64bit, GString *out)
{
  const char *op_str = insn->op_str;
  const char *open = NULL;
  guint8 opcode = get_opcode (insn, is_64bit);
  gboolean is_string = is_string_instruction (opcode);
  gboolean is_port = (opcode >= 0xec && opcode <= 0xef) || (opcode >= 0x6c && opcode <= 0x6f);

  for (const char *p = op_str; *p != '\0'; p++) {
    const char *segment_end = write_segment (p, is_64bit, is_string, out);

    if (segment_end != NULL) {
      p = segment_end;
      continue;
    }
    if (is_port && g_str_has_prefix (p, "%dx")) {
      g_string_append (out, "(%dx)");
      p += 2;
      continue;
    }
    if (g_str_has_prefix (p, "%dr")) {
      g_string_append (out, "%db");
      p += 2;
      continue;
    }
    if (*p == ' ' && ((p > op_str && p[-1] == ',') || p[1] == '{'))
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

static const char *
get_implicit_operands (const cs_insn *insn)
{
  if (strcmp (insn->mnemonic, "monitor") == 0)
    return "%rax,%ecx,%edx";
  if (strcmp (insn->mnemonic, "mwait") == 0)
    return "%eax,%ecx";
  return NULL;
}

void
pen_att_text_format (const cs_insn *insn, gboolean is_64bit, char *text, gsize size)
{
  g_autoptr (GString) out = g_string_sized_new (64);
  const char *implicit = is_64bit ? get_implicit_operands (insn) : NULL;

  write_mnemonic (insn, is_64bit, out);
  if (insn->op_str[0] != '\0' || implicit != NULL) {
    do
      g_string_append_c (out, ' ');
    while (out->len < 7);
    if (insn->op_str[0] != '\0')
      write_operands (insn, is_64bit, out);
    else
      g_string_append (out, implicit);
  }
  g_strlcpy (text, out->str, size);
}
