/* pen-slice.h: a part of a text, and the words and numbers at its beginning
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Not terminated. */
typedef struct {
  const char *at;
  const char *end;
} PenSlice;

gboolean pen_slice_is_blank (char c);
void pen_slice_skip_blanks (PenSlice *slice);
void pen_slice_trim (PenSlice *slice);
gsize pen_slice_get_length (PenSlice slice);
gboolean pen_slice_starts_with (PenSlice slice, const char *word);
/* Takes @word off the beginning, if it is there. */
gboolean pen_slice_take (PenSlice *slice, const char *word);
/* Up to the first blank. */
PenSlice pen_slice_get_word (PenSlice slice);

/* Digits from @at on; an offset is "0x1c" or "28". Return where they end; NULL: there are none, or
 * too many. */
const char *pen_slice_read_hex (const char *at, const char *end, guint64 *value);
const char *pen_slice_read_decimal (const char *at, const char *end, guint64 *value);
const char *pen_slice_read_offset (const char *at, const char *end, guint64 *value);

/* The whole of @slice: "0x…" of any length, or as many digits as @digits and more. */
gboolean pen_slice_read_address (PenSlice slice, guint digits, guint64 *address);
/* "5844.816145", with at least @decimals digits after the point. @time: (out): ns */
gboolean pen_slice_read_seconds (PenSlice slice, guint decimals, guint64 *time);

G_END_DECLS
