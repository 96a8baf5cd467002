/* pen-evex-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-evex-text.h"

#include <string.h>

/* In the order of the encoding's fields: register, second source (V), memory (M), immediate. */
typedef enum {
  FORM_RVM,
  FORM_RM,
  FORM_MR,
  FORM_VM, /* an opcode's extension in place of the register */
} Form;

/* What a memory operand is: the unit of its 8-bit displacement. */
typedef enum {
  UNIT_FULL, /* a vector, or one element for all */
  UNIT_MEM,  /* a vector */
  UNIT_ELEMENT,
  UNIT_128,
  UNIT_256,
} Unit;

typedef struct {
  guint8 map;
  guint8 prefix; /* 0 none, 1 66, 2 f3, 3 f2 */
  guint8 opcode;
  gint8 extension; /* -1: none */
  const char *name;
  const char *name_64; /* with W; NULL: the same */
  Form form;
  Unit unit;
  guint source; /* bits of the register or vector M; 0: as the others */
} Known;

static const Known known[] = {
  { 1, 1, 0x6f, -1, "vmovdqa32", "vmovdqa64", FORM_RM, UNIT_MEM, 0 },
  { 1, 1, 0x7f, -1, "vmovdqa32", "vmovdqa64", FORM_MR, UNIT_MEM, 0 },
  { 1, 2, 0x6f, -1, "vmovdqu32", "vmovdqu64", FORM_RM, UNIT_MEM, 0 },
  { 1, 2, 0x7f, -1, "vmovdqu32", "vmovdqu64", FORM_MR, UNIT_MEM, 0 },
  { 1, 3, 0x6f, -1, "vmovdqu8", "vmovdqu16", FORM_RM, UNIT_MEM, 0 },
  { 1, 3, 0x7f, -1, "vmovdqu8", "vmovdqu16", FORM_MR, UNIT_MEM, 0 },
  { 1, 1, 0xfe, -1, "vpaddd", NULL, FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xd4, -1, NULL, "vpaddq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xfa, -1, "vpsubd", NULL, FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xfb, -1, NULL, "vpsubq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xef, -1, "vpxord", "vpxorq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xdb, -1, "vpandd", "vpandq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xdf, -1, "vpandnd", "vpandnq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xeb, -1, "vpord", "vporq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0x62, -1, "vpunpckldq", NULL, FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0x6a, -1, "vpunpckhdq", NULL, FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0x6c, -1, NULL, "vpunpcklqdq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0x6d, -1, NULL, "vpunpckhqdq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0xf4, -1, NULL, "vpmuludq", FORM_RVM, UNIT_FULL, 0 },
  { 1, 1, 0x70, -1, "vpshufd", NULL, FORM_RM, UNIT_FULL, 0 },
  { 1, 1, 0x72, 0, "vprord", "vprorq", FORM_VM, UNIT_FULL, 0 },
  { 1, 1, 0x72, 1, "vprold", "vprolq", FORM_VM, UNIT_FULL, 0 },
  { 1, 1, 0x72, 2, "vpsrld", NULL, FORM_VM, UNIT_FULL, 0 },
  { 1, 1, 0x72, 4, "vpsrad", "vpsraq", FORM_VM, UNIT_FULL, 0 },
  { 1, 1, 0x72, 6, "vpslld", NULL, FORM_VM, UNIT_FULL, 0 },
  { 1, 1, 0x73, 2, NULL, "vpsrlq", FORM_VM, UNIT_FULL, 0 },
  { 1, 1, 0x73, 6, NULL, "vpsllq", FORM_VM, UNIT_FULL, 0 },
  { 1, 1, 0x73, 3, "vpsrldq", "vpsrldq", FORM_VM, UNIT_MEM, 0 },
  { 1, 1, 0x73, 7, "vpslldq", "vpslldq", FORM_VM, UNIT_MEM, 0 },
  { 2, 1, 0x00, -1, "vpshufb", "vpshufb", FORM_RVM, UNIT_MEM, 0 },
  { 2, 1, 0x14, -1, "vprorvd", "vprorvq", FORM_RVM, UNIT_FULL, 0 },
  { 2, 1, 0x15, -1, "vprolvd", "vprolvq", FORM_RVM, UNIT_FULL, 0 },
  { 2, 1, 0x36, -1, "vpermd", "vpermq", FORM_RVM, UNIT_FULL, 0 },
  { 2, 1, 0x58, -1, "vpbroadcastd", NULL, FORM_RM, UNIT_ELEMENT, 128 },
  { 2, 1, 0x59, -1, NULL, "vpbroadcastq", FORM_RM, UNIT_ELEMENT, 128 },
  { 2, 1, 0x5a, -1, "vbroadcasti32x4", "vbroadcasti64x2", FORM_RM, UNIT_128, 128 },
  { 2, 1, 0x5b, -1, "vbroadcasti32x8", "vbroadcasti64x4", FORM_RM, UNIT_256, 256 },
  { 2, 1, 0x76, -1, "vpermi2d", "vpermi2q", FORM_RVM, UNIT_FULL, 0 },
  { 2, 1, 0x7e, -1, "vpermt2d", "vpermt2q", FORM_RVM, UNIT_FULL, 0 },
  { 2, 1, 0xb4, -1, NULL, "vpmadd52luq", FORM_RVM, UNIT_FULL, 0 },
  { 2, 1, 0xb5, -1, NULL, "vpmadd52huq", FORM_RVM, UNIT_FULL, 0 },
  { 2, 1, 0xdc, -1, "vaesenc", "vaesenc", FORM_RVM, UNIT_MEM, 0 },
  { 2, 1, 0xdd, -1, "vaesenclast", "vaesenclast", FORM_RVM, UNIT_MEM, 0 },
  { 2, 1, 0xde, -1, "vaesdec", "vaesdec", FORM_RVM, UNIT_MEM, 0 },
  { 2, 1, 0xdf, -1, "vaesdeclast", "vaesdeclast", FORM_RVM, UNIT_MEM, 0 },
  { 3, 1, 0x03, -1, "valignd", "valignq", FORM_RVM, UNIT_FULL, 0 },
  { 3, 1, 0x0f, -1, "vpalignr", "vpalignr", FORM_RVM, UNIT_MEM, 0 },
  { 3, 1, 0x25, -1, "vpternlogd", "vpternlogq", FORM_RVM, UNIT_FULL, 0 },
  { 3, 1, 0x38, -1, "vinserti32x4", "vinserti64x2", FORM_RVM, UNIT_128, 128 },
  { 3, 1, 0x3a, -1, "vinserti32x8", "vinserti64x4", FORM_RVM, UNIT_256, 256 },
  { 3, 1, 0x39, -1, "vextracti32x4", "vextracti64x2", FORM_MR, UNIT_128, 128 },
  { 3, 1, 0x3b, -1, "vextracti32x8", "vextracti64x4", FORM_MR, UNIT_256, 256 },
  { 3, 1, 0x43, -1, "vshufi32x4", "vshufi64x2", FORM_RVM, UNIT_FULL, 0 },
  { 3, 1, 0x44, -1, "vpclmulqdq", "vpclmulqdq", FORM_RVM, UNIT_MEM, 0 },
};

/* The fields, with the bits that are kept inverted set right. */
typedef struct {
  const guint8 *bytes;
  guint map;
  guint prefix;
  gboolean is_64;
  guint bits; /* of the vectors */
  guint mask;
  gboolean clears;
  gboolean broadcasts;
  guint8 opcode;
  guint8 modrm;
  guint reg;
  guint v;
  guint rm;
  guint base;
  guint index;
  gsize tail; /* behind modrm and SIB: the displacement, then the immediate */
  gsize n_displacement;
  gboolean has_immediate;
  gsize length;
} Fields;

static gboolean
has_immediate (guint map, guint8 opcode)
{
  if (map == 1)
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2
           || (opcode >= 0xc4 && opcode <= 0xc6);
  return map == 3;
}

static gboolean
read_fields (const guint8 *bytes, gsize n, Fields *f)
{
  guint mod;

  if (n < 6 || (bytes[1] & 0x08) != 0 || (bytes[2] & 0x04) == 0)
    return FALSE;
  *f = (Fields){
    .bytes = bytes,
    .map = bytes[1] & 7,
    .prefix = bytes[2] & 3,
    .is_64 = bytes[2] >> 7,
    .bits = 128u << (bytes[3] >> 5 & 3),
    .mask = bytes[3] & 7,
    .clears = bytes[3] >> 7,
    .broadcasts = bytes[3] >> 4 & 1,
    .opcode = bytes[4],
    .modrm = bytes[5],
  };
  if (f->map == 0 || f->map == 4 || f->map == 7)
    return FALSE;
  mod = f->modrm >> 6;
  f->reg = (f->modrm >> 3 & 7) | (~bytes[1] >> 4 & 8) | (~bytes[1] & 0x10);
  f->v = (~bytes[2] >> 3 & 15) | (~(guint) bytes[3] << 1 & 0x10);
  f->rm = (f->modrm & 7) | (~bytes[1] >> 2 & 8) | (~bytes[1] >> 2 & 0x10);
  f->base = (f->modrm & 7) | (~bytes[1] >> 2 & 8);
  f->tail = 6;
  f->n_displacement = mod == 1 ? 1 : mod == 2 ? 4 : 0;
  if (mod != 3 && (f->modrm & 7) == 4) {
    if (n < 7)
      return FALSE;
    f->base = (bytes[6] & 7) | (~bytes[1] >> 2 & 8);
    f->index = (bytes[6] >> 3 & 7) | (~bytes[1] >> 3 & 8);
    f->tail = 7;
    if (mod == 0 && (bytes[6] & 7) == 5)
      f->n_displacement = 4;
  } else if (mod == 0 && (f->modrm & 7) == 5) {
    f->n_displacement = 4;
  }
  f->has_immediate = has_immediate (f->map, f->opcode);
  f->length = f->tail + f->n_displacement + f->has_immediate;
  return f->length <= n;
}

static const Known *
find_known (const Fields *f)
{
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    const Known *k = &known[i];

    if (k->map == f->map && k->prefix == f->prefix && k->opcode == f->opcode
        && (k->extension < 0 || (guint) k->extension == (f->modrm >> 3 & 7u))
        && (f->is_64 ? k->name_64 : k->name) != NULL)
      return k;
  }
  return NULL;
}

/* ---- operands ---- */

static void
append_vector (GString *out, guint bits, guint number)
{
  g_string_append_printf (out, "%%%cmm%u", bits == 128 ? 'x' : bits == 256 ? 'y' : 'z', number);
}

static void
append_mask (GString *out, const Fields *f)
{
  if (f->mask != 0)
    g_string_append_printf (out, "{%%k%u}", f->mask);
  if (f->clears)
    g_string_append (out, "{z}");
}

static gint64
read_displacement (const Fields *f, const Known *k)
{
  const guint8 *p = f->bytes + f->tail;
  guint element = f->is_64 ? 8 : 4;
  gint64 unit = f->bits / 8;

  if (f->n_displacement == 0)
    return 0;
  if (f->n_displacement == 4)
    return (gint32) (p[0] | p[1] << 8 | p[2] << 16 | (guint32) p[3] << 24);
  if (k->unit == UNIT_ELEMENT || (k->unit == UNIT_FULL && f->broadcasts))
    unit = element;
  else if (k->unit == UNIT_128)
    unit = 16;
  else if (k->unit == UNIT_256)
    unit = 32;
  return (gint8) p[0] * unit;
}

static const char *const registers[]
    = { "%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi",
        "%r8",  "%r9",  "%r10", "%r11", "%r12", "%r13", "%r14", "%r15" };

static void
append_memory (GString *out, const Fields *f, const Known *k)
{
  gint64 displacement = read_displacement (f, k);
  guint mod = f->modrm >> 6;
  gboolean has_sib = (f->modrm & 7) == 4;
  gboolean has_base = mod != 0 || (f->bytes[has_sib ? 6 : 5] & 7) != 5;
  gboolean has_index = has_sib && f->index != 4;

  if (f->n_displacement > 0)
    g_string_append_printf (out, "%s0x%" G_GINT64_MODIFIER "x", displacement < 0 ? "-" : "",
                            (guint64) ABS (displacement));
  if (!has_sib && !has_base) {
    g_string_append (out, "(%rip)");
  } else if (has_base || has_index) {
    g_string_append_printf (out, "(%s", has_base ? registers[f->base] : "");
    if (has_index)
      g_string_append_printf (out, ",%s,%u", registers[f->index], 1u << (f->bytes[6] >> 6));
    g_string_append_c (out, ')');
  }
  if (k->unit == UNIT_FULL && f->broadcasts)
    g_string_append_printf (out, "{1to%u}", f->bits / (f->is_64 ? 64 : 32));
}

static void
append_source (GString *out, const Fields *f, const Known *k)
{
  if (f->modrm >> 6 == 3)
    append_vector (out, k->source != 0 ? k->source : f->bits, f->rm);
  else
    append_memory (out, f, k);
}

static void
append_operands (GString *out, const Fields *f, const Known *k)
{
  if (f->has_immediate)
    g_string_append_printf (out, "$0x%x,", f->bytes[f->length - 1]);
  if (k->form == FORM_MR) {
    append_vector (out, f->bits, f->reg);
    g_string_append_c (out, ',');
    append_source (out, f, k);
  } else {
    append_source (out, f, k);
    g_string_append_c (out, ',');
    if (k->form == FORM_RVM) {
      append_vector (out, f->bits, f->v);
      g_string_append_c (out, ',');
    }
    append_vector (out, f->bits, k->form == FORM_VM ? f->v : f->reg);
  }
  append_mask (out, f);
}

gboolean
pen_evex_text_format (const guint8 *bytes, gsize n, gsize *length, char *mnemonic,
                      gsize mnemonic_size, char *operands, gsize operands_size)
{
  g_autoptr (GString) out = NULL;
  const Known *k;
  Fields f;

  if (!read_fields (bytes, n, &f))
    return FALSE;
  *length = f.length;
  *operands = '\0';
  k = find_known (&f);
  if (k == NULL || f.bits > 512) {
    g_strlcpy (mnemonic, "(AVX-512)", mnemonic_size);
    return TRUE;
  }
  out = g_string_new (NULL);
  append_operands (out, &f, k);
  g_strlcpy (mnemonic, f.is_64 ? k->name_64 : k->name, mnemonic_size);
  g_strlcpy (operands, out->str, operands_size);
  return TRUE;
}
