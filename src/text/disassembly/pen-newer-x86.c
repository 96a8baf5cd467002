/* pen-newer-x86.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-newer-x86.h"

#include <string.h>

#include "pen-evex-text.h"
#include "pen-opmask-text.h"

/* An instruction's beginning, taken apart. */
typedef struct {
  const guint8 *bytes;
  gsize length;
  gsize opcode;  /* where it is: of the first byte behind prefixes and REX */
  guint8 prefix; /* the last of 66, f2, f3; 0: none */
  guint8 rex;
} Front;

static gboolean
is_legacy_prefix (guint8 byte)
{
  return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e
         || byte == 0x3e || byte == 0x26 || byte == 0x36 || byte == 0x64 || byte == 0x65
         || byte == 0xf0;
}

static void
read_front (Front *front, const guint8 *bytes, gsize length)
{
  *front = (Front){ .bytes = bytes, .length = length };
  for (; front->opcode < length && is_legacy_prefix (bytes[front->opcode]); front->opcode++) {
    guint8 byte = bytes[front->opcode];

    if (byte == 0x66 || byte == 0xf2 || byte == 0xf3)
      front->prefix = byte;
  }
  if (front->opcode < length && (bytes[front->opcode] & 0xf0) == 0x40)
    front->rex = bytes[front->opcode++];
}

/* FALSE: the instruction ends before. */
static gboolean
peek (const Front *front, gsize at, guint8 *byte)
{
  if (front->opcode + at >= front->length)
    return FALSE;
  *byte = front->bytes[front->opcode + at];
  return TRUE;
}

/* ---- without operands ---- */

static gboolean
find_plain (const Front *front, PenNewerX86 *newer)
{
  static const struct {
    guint8 prefix;
    guint8 last; /* after 0f 01 */
    const char *text;
    const char *operands;
  } known[] = {
    { 0, 0xc5, "pconfig", "" },
    { 0, 0xc6, "wrmsrns", "" },
    { 0xf3, 0xc6, "wrmsrlist", "" },
    { 0xf2, 0xc6, "rdmsrlist", "" },
    { 0xf3, 0xca, "eretu", "" },
    { 0xf2, 0xca, "erets", "" },
    { 0x66, 0xcc, "tdcall", "" },
    { 0x66, 0xcd, "seamret", "" },
    { 0x66, 0xce, "seamops", "" },
    { 0x66, 0xcf, "seamcall", "" },
    { 0xf2, 0xd9, "vmgexit", "" },
    { 0xf3, 0xd9, "vmgexit", "" },
    { 0, 0xe8, "serialize", "" },
    { 0xf3, 0xe8, "setssbsy", "" },
    { 0xf2, 0xe8, "xsusldtrk", "" },
    { 0xf2, 0xe9, "xresldtrk", "" },
    { 0xf3, 0xea, "saveprevssp", "" },
    { 0xf3, 0xec, "uiret", "" },
    { 0xf3, 0xed, "testui", "" },
    { 0xf3, 0xee, "clui", "" },
    { 0xf3, 0xef, "stui", "" },
    { 0, 0xee, "rdpkru", "" },
    { 0, 0xef, "wrpkru", "" },
    { 0, 0xfa, "monitorx", "%rax,%ecx,%edx" },
    { 0, 0xfb, "mwaitx", "%eax,%ecx,%ebx" },
    { 0, 0xfd, "rdpru", "" },
    { 0xf3, 0xfd, "rmpquery", "" },
    { 0, 0xfe, "invlpgb", "" },
    { 0xf3, 0xfe, "rmpadjust", "" },
    { 0xf2, 0xfe, "rmpupdate", "" },
    { 0, 0xff, "tlbsync", "" },
    { 0xf3, 0xff, "psmash", "" },
    { 0xf2, 0xff, "pvalidate", "" },
  };
  guint8 first, second, last;

  if (!peek (front, 0, &first) || !peek (front, 1, &second) || !peek (front, 2, &last)
      || first != 0x0f || second != 0x01)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    if (known[i].prefix == front->prefix && known[i].last == last) {
      newer->length = front->opcode + 3;
      g_strlcpy (newer->mnemonic, known[i].text, sizeof newer->mnemonic);
      g_strlcpy (newer->operands, known[i].operands, sizeof newer->operands);
      return TRUE;
    }
  }
  return FALSE;
}

/* tpause, umwait: of a 32-bit register. */
static gboolean
find_wait (const Front *front, PenNewerX86 *newer)
{
  static const char *const registers[]
      = { "%eax", "%ecx", "%edx",  "%ebx",  "%esp",  "%ebp",  "%esi",  "%edi",
          "%r8d", "%r9d", "%r10d", "%r11d", "%r12d", "%r13d", "%r14d", "%r15d" };
  guint8 first, second, modrm;

  if (!peek (front, 0, &first) || !peek (front, 1, &second) || !peek (front, 2, &modrm)
      || first != 0x0f || second != 0xae || (modrm & 0xf8) != 0xf0
      || (front->prefix != 0x66 && front->prefix != 0xf2))
    return FALSE;
  newer->length = front->opcode + 3;
  g_strlcpy (newer->mnemonic, front->prefix == 0x66 ? "tpause" : "umwait", sizeof newer->mnemonic);
  g_strlcpy (newer->operands, registers[(modrm & 7) | (front->rex & 1) << 3],
             sizeof newer->operands);
  return TRUE;
}

/* ---- with the operands of others ---- */

/* What is behind the opcode is that of @opcode, whose first byte is 0f. The prefixes that tell
 * instructions apart are left out. */
static void
stand_in (const Front *front, gsize opcode_length, guint8 opcode, guint8 rex, PenNewerX86 *newer)
{
  gsize n = 0;

  for (gsize i = 0; i < front->opcode; i++) {
    guint8 byte = front->bytes[i];
    gboolean is_rex = front->rex != 0 && i + 1 == front->opcode;

    if (is_rex || (byte != 0x66 && byte != 0xf2 && byte != 0xf3))
      newer->stand_in[n++] = byte;
  }
  if (front->rex == 0 && rex != 0)
    newer->stand_in[n++] = rex;
  else if (front->rex != 0)
    newer->stand_in[n - 1] |= rex;
  newer->stand_in[n++] = 0x0f;
  newer->stand_in[n++] = opcode;
  newer->length = front->opcode + opcode_length - n;
  for (gsize i = front->opcode + opcode_length; i < front->length && n < sizeof newer->stand_in;
       i++)
    newer->stand_in[n++] = front->bytes[i];
  newer->n_stand_in = n;
}

#define WITH_LOAD 0xaf  /* imul: memory or register, then register */
#define WITH_STORE 0xa3 /* bt: register, then memory or register */
#define REX_W 0x48

static gboolean
find_with_operands (const Front *front, PenNewerX86 *newer)
{
  static const struct {
    guint8 prefix;
    guint8 opcode; /* after 0f 38 */
    guint8 stand_in;
    guint8 rex;
    const char *text;
    const char *text_64; /* with REX.W */
  } known[] = {
    { 0x66, 0xf5, WITH_STORE, 0, "wrussd", "wrussq" },
    { 0, 0xf6, WITH_STORE, 0, "wrssd", "wrssq" },
    { 0x66, 0xf8, WITH_LOAD, REX_W, "movdir64b", "movdir64b" },
    { 0xf2, 0xf8, WITH_LOAD, REX_W, "enqcmd", "enqcmd" },
    { 0xf3, 0xf8, WITH_LOAD, REX_W, "enqcmds", "enqcmds" },
    { 0, 0xf9, WITH_STORE, 0, "movdiri", "movdiri" },
  };
  guint8 first, second, opcode;

  if (!peek (front, 0, &first) || !peek (front, 1, &second) || first != 0x0f)
    return FALSE;
  if (second == 0xb9) {
    g_strlcpy (newer->mnemonic, "ud1", sizeof newer->mnemonic);
    stand_in (front, 2, WITH_LOAD, 0, newer);
    return TRUE;
  }
  if (second != 0x38 || !peek (front, 2, &opcode))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    if (known[i].prefix == front->prefix && known[i].opcode == opcode) {
      g_strlcpy (newer->mnemonic, front->rex & 8 ? known[i].text_64 : known[i].text,
                 sizeof newer->mnemonic);
      stand_in (front, 3, known[i].stand_in, known[i].rex, newer);
      return TRUE;
    }
  }
  return FALSE;
}

/* ---- VEX ---- */

/* Those of 256 bits that came after those of 128: the same, with the bit L. */
static gboolean
find_vex (const guint8 *bytes, gsize length, PenNewerX86 *newer)
{
  gsize n = MIN (length, sizeof newer->stand_in);
  guint8 map = length > 4 && bytes[0] == 0xc4 ? bytes[1] & 0x1f : 0;
  gboolean is_aes = map == 2 && bytes[3] >= 0xdc && bytes[3] <= 0xdf;
  gboolean is_multiply = map == 3 && bytes[3] == 0x44;
  gboolean is_broadcast = map == 2 && bytes[3] == 0x5a;

  if (map == 2 && bytes[2] == 0x78 && bytes[3] == 0x49 && bytes[4] == 0xc0) {
    newer->length = 5;
    g_strlcpy (newer->mnemonic, "tilerelease", sizeof newer->mnemonic);
    return TRUE;
  }
  if ((!is_aes && !is_multiply && !is_broadcast) || (bytes[2] & 7) != 5)
    return FALSE;
  memcpy (newer->stand_in, bytes, n);
  newer->n_stand_in = n;
  if (is_broadcast) {
    newer->stand_in[3] = 0x1a; /* vbroadcastf128 */
    g_strlcpy (newer->mnemonic, "vbroadcasti128", sizeof newer->mnemonic);
  } else {
    newer->stand_in[2] &= 0xfb;
    newer->from = "xmm";
    newer->to = "ymm";
  }
  return TRUE;
}

gboolean
pen_newer_x86_find (const guint8 *bytes, gsize length, PenNewerX86 *newer)
{
  Front front;

  memset (newer, 0, sizeof *newer);
  if (bytes[0] == 0x62)
    return pen_evex_text_format (bytes, length, &newer->length, newer->mnemonic,
                                 sizeof newer->mnemonic, newer->operands, sizeof newer->operands);
  if ((bytes[0] == 0xc4 || bytes[0] == 0xc5)
      && pen_opmask_text_format (bytes, length, &newer->length, newer->mnemonic,
                                 sizeof newer->mnemonic, newer->operands, sizeof newer->operands))
    return TRUE;
  if (bytes[0] == 0xc4)
    return find_vex (bytes, length, newer);
  read_front (&front, bytes, length);
  return find_plain (&front, newer) || find_wait (&front, newer)
         || find_with_operands (&front, newer);
}
