/* pen-punycode.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-punycode.h"

#include <string.h>

/* RFC 3492, 6.1 */
static guint32
adapt (guint32 delta, guint32 n, gboolean is_first)
{
  guint32 k = 0;

  delta = is_first ? delta / 700 : delta / 2;
  delta += delta / n;
  for (; delta > 455; k += 36)
    delta /= 35;

  return k + 36 * delta / (delta + 38);
}

gboolean
pen_punycode_decode (const char *bytes, gsize length, gunichar *points, guint *n_points)
{
  const char *end = bytes + length;
  const char *split = length > 0 ? memrchr (bytes, '_', length) : NULL;
  const char *at = split != NULL ? split + 1 : bytes;
  guint32 code = 0x80;
  guint64 place = 0;
  guint32 bias = 72;
  guint n = 0;

  for (const char *c = bytes; split != NULL && c < split; c++) {
    if (n >= PEN_PUNYCODE_MAX)
      return FALSE;
    points[n++] = (guchar) *c;
  }

  while (at < end) {
    guint64 old = place;
    guint64 weight = 1;

    for (guint32 k = 36;; k += 36) {
      guint32 threshold = k <= bias ? 1 : MIN (k - bias, 26);
      guint32 digit;

      if (at >= end || (!g_ascii_islower (*at) && !g_ascii_isdigit (*at)))
        return FALSE;
      digit = g_ascii_islower (*at) ? (guint32) (*at - 'a') : (guint32) (*at - '0') + 26;
      at++;
      place += digit * weight;
      if (place > G_MAXUINT32)
        return FALSE;
      if (digit < threshold)
        break;
      weight *= 36 - threshold;
      if (weight > G_MAXUINT32)
        return FALSE;
    }

    if (n >= PEN_PUNYCODE_MAX)
      return FALSE;
    bias = adapt ((guint32) (place - old), n + 1, old == 0);
    if (place / (n + 1) > 0x10ffff)
      return FALSE;
    code += (guint32) (place / (n + 1));
    place %= n + 1;
    if (!g_unichar_validate (code))
      return FALSE;
    memmove (points + place + 1, points + place, (n - place) * sizeof *points);
    points[place++] = code;
    n++;
  }
  *n_points = n;

  return TRUE;
}
