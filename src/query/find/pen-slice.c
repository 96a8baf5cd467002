/* pen-slice.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slice.h"

#include <string.h>

#define NS_PER_SECOND 1000000000u

gboolean
pen_slice_is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

void
pen_slice_skip_blanks (PenSlice *slice)
{
  while (slice->at < slice->end && pen_slice_is_blank (*slice->at))
    slice->at++;
}

void
pen_slice_trim (PenSlice *slice)
{
  pen_slice_skip_blanks (slice);
  while (slice->end > slice->at && pen_slice_is_blank (slice->end[-1]))
    slice->end--;
}

gsize
pen_slice_get_length (PenSlice slice)
{
  return (gsize) (slice.end - slice.at);
}

gboolean
pen_slice_starts_with (PenSlice slice, const char *word)
{
  gsize n = strlen (word);

  return pen_slice_get_length (slice) >= n && memcmp (slice.at, word, n) == 0;
}

gboolean
pen_slice_take (PenSlice *slice, const char *word)
{
  if (!pen_slice_starts_with (*slice, word))
    return FALSE;
  slice->at += strlen (word);
  return TRUE;
}

/* Up to the first blank. */
PenSlice
pen_slice_get_word (PenSlice slice)
{
  PenSlice word = { slice.at, slice.at };

  while (word.end < slice.end && !pen_slice_is_blank (*word.end))
    word.end++;
  return word;
}

/* Hexadecimal digits from @at on. Returns where they end; NULL: none, or they are too many */
const char *
pen_slice_read_hex (const char *at, const char *end, guint64 *value)
{
  const char *p = at;

  *value = 0;
  for (; p < end && g_ascii_isxdigit (*p); p++) {
    if (*value >> 60 != 0)
      return NULL;
    *value = *value << 4 | (guint64) g_ascii_xdigit_value (*p);
  }
  return p > at ? p : NULL;
}

const char *
pen_slice_read_decimal (const char *at, const char *end, guint64 *value)
{
  const char *p = at;

  *value = 0;
  for (; p < end && g_ascii_isdigit (*p); p++) {
    if (!g_uint64_checked_mul (value, *value, 10)
        || !g_uint64_checked_add (value, *value, (guint64) (*p - '0')))
      return NULL;
  }
  return p > at ? p : NULL;
}

static gboolean
has_0x (const char *at, const char *end)
{
  return end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
}

/* "0x1c" or "28" */
const char *
pen_slice_read_offset (const char *at, const char *end, guint64 *value)
{
  return has_0x (at, end) ? pen_slice_read_hex (at + 2, end, value)
                          : pen_slice_read_decimal (at, end, value);
}

/* The whole of @slice: "0x…" of any length, or as many digits as @digits and more. */
gboolean
pen_slice_read_address (PenSlice slice, guint digits, guint64 *address)
{
  if (has_0x (slice.at, slice.end))
    return pen_slice_read_hex (slice.at + 2, slice.end, address) == slice.end;
  return pen_slice_get_length (slice) >= digits
         && pen_slice_read_hex (slice.at, slice.end, address) == slice.end;
}

/* "5844.816145": seconds, with at least @decimals digits after the point */
gboolean
pen_slice_read_seconds (PenSlice slice, guint decimals, guint64 *time)
{
  const char *p;
  guint64 whole;
  guint64 scale = NS_PER_SECOND;
  guint n = 0;

  pen_slice_trim (&slice);
  p = pen_slice_read_decimal (slice.at, slice.end, &whole);
  if (!p || p == slice.end || *p != '.' || !g_uint64_checked_mul (time, whole, NS_PER_SECOND))
    return FALSE;
  for (p++; p < slice.end && g_ascii_isdigit (*p); p++, n++) {
    scale /= 10;
    if (!g_uint64_checked_add (time, *time, scale * (guint64) (*p - '0')))
      return FALSE;
  }
  return n >= decimals && p == slice.end;
}
