/* pen-crc32.c: the checksum of packs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pack.h"

static guint32 crc_table[8][256];

static void
crc_fill_table (void)
{
  for (guint i = 0; i < 256; i++) {
    guint32 crc = i;

    for (guint bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);

    crc_table[0][i] = crc;
  }

  for (guint i = 0; i < 256; i++)
    for (guint k = 1; k < 8; k++)
      crc_table[k][i] = (crc_table[k - 1][i] >> 8) ^ crc_table[0][crc_table[k - 1][i] & 0xff];
}

/* Eight bytes per step, each through a table of its own. */
static guint32
add_bytes (guint32 crc, const guint8 *bytes, gsize n)
{
  for (; n >= 8; n -= 8, bytes += 8) {
    guint32 low = crc
                  ^ (bytes[0] | (guint32) bytes[1] << 8 | (guint32) bytes[2] << 16
                     | (guint32) bytes[3] << 24);

    crc = crc_table[7][low & 0xff] ^ crc_table[6][(low >> 8) & 0xff]
          ^ crc_table[5][(low >> 16) & 0xff] ^ crc_table[4][low >> 24] ^ crc_table[3][bytes[4]]
          ^ crc_table[2][bytes[5]] ^ crc_table[1][bytes[6]] ^ crc_table[0][bytes[7]];
  }

  for (; n > 0; n--, bytes++)
    crc = (crc >> 8) ^ crc_table[0][(crc ^ *bytes) & 0xff];
  return crc;
}

/* ---- with carry-less multiplication, which most x86-64 processors have ---- */

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>

#define HAS_FOLDING 1
#define FOLDED 64u
#define CAN_FOLD __attribute__ ((target ("pclmul,sse4.1")))

CAN_FOLD static inline __m128i
load (const guint8 *bytes)
{
  return _mm_loadu_si128 ((const __m128i *) (gconstpointer) bytes);
}

/* What stands before @next, moved up to it modulo the polynomial. */
CAN_FOLD static inline __m128i
fold (__m128i value, __m128i powers, __m128i next)
{
  return _mm_xor_si128 (_mm_xor_si128 (_mm_clmulepi64_si128 (value, powers, 0x00),
                                       _mm_clmulepi64_si128 (value, powers, 0x11)),
                        next);
}

/*
 * @n: a multiple of FOLDED, at least that. The powers of x modulo the polynomial, bits reversed,
 * are those of Gopal et al., “Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
 * Instruction” (Intel, 2009): x^(512+32) and x^(512-32), x^(128+32) and x^(128-32). The 16 bytes
 * that are left have the checksum of all.
 */
CAN_FOLD static guint32
fold_bytes (guint32 crc, const guint8 *bytes, gsize n)
{
  const __m128i by_four = _mm_set_epi64x (0x01c6e41596, 0x0154442bd4);
  const __m128i by_one = _mm_set_epi64x (0x00ccaa009e, 0x01751997d0);
  __m128i parts[4];
  guint8 rest[16];

  for (guint i = 0; i < 4; i++)
    parts[i] = load (bytes + 16 * i);
  parts[0] = _mm_xor_si128 (parts[0], _mm_cvtsi32_si128 ((int) crc));
  for (gsize at = FOLDED; at < n; at += FOLDED)
    for (guint i = 0; i < 4; i++)
      parts[i] = fold (parts[i], by_four, load (bytes + at + (gsize) 16 * i));
  for (guint i = 1; i < 4; i++)
    parts[0] = fold (parts[0], by_one, parts[i]);
  _mm_storeu_si128 ((__m128i *) (gpointer) rest, parts[0]);
  return add_bytes (0, rest, sizeof rest);
}

static gboolean
can_fold (void)
{
  return __builtin_cpu_supports ("pclmul") && __builtin_cpu_supports ("sse4.1");
}
#endif

guint32
pen_crc32 (const guint8 *bytes, gsize n)
{
  static gsize once;
  guint32 crc = 0xffffffffu;
  gsize folded = 0;

  if (g_once_init_enter (&once)) {
    crc_fill_table ();
    g_once_init_leave (&once, 1);
  }
#ifdef HAS_FOLDING
  folded = n - n % FOLDED;
  if (folded > 0 && can_fold ())
    crc = fold_bytes (crc, bytes, folded);
  else
    folded = 0;
#endif
  return ~add_bytes (crc, bytes + folded, n - folded);
}
