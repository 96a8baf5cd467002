/* pen-pasted-owner.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pasted-owner.h"

#include <string.h>

static gboolean
has (PenSlice slice, const char *word)
{
  return g_strstr_len (slice.at, (gssize) pen_slice_get_length (slice), word) != NULL;
}

gboolean
pen_pasted_owner_is_location (PenSlice slice)
{
  if (pen_slice_starts_with (slice, "??:"))
    return TRUE;
  for (const char *p = slice.at; p < slice.end && !pen_slice_is_blank (*p); p++) {
    if (*p == ':' && p + 1 < slice.end && g_ascii_isdigit (p[1]))
      return memchr (slice.at, '.', (gsize) (p - slice.at)) != NULL;
  }
  return FALSE;
}

/* How arm64 got at a frame: "(P)", "(CK)" */
static gboolean
is_frame_kind (PenSlice slice)
{
  for (const char *p = slice.at; p < slice.end; p++) {
    if (!strchr ("CPTUFK", *p))
      return FALSE;
  }
  return pen_slice_get_length (slice) > 0 && pen_slice_get_length (slice) <= 4;
}

void
pen_pasted_owner_set (PenPastedPlace *place, PenSlice owner)
{
  const char *ko = g_strstr_len (owner.at, (gssize) pen_slice_get_length (owner), ".ko");
  gboolean is_path = owner.at < owner.end && *owner.at == '/';

  if (pen_slice_get_length (owner) == 0 || pen_slice_starts_with (owner, "kernel.")
      || pen_slice_starts_with (owner, "guest.") || pen_slice_starts_with (owner, "__builtin__")
      || pen_slice_starts_with (owner, "unknown") || pen_slice_starts_with (owner, "inlined"))
    return;
  for (const char *p = owner.at; is_path && ko && p < ko; p++) {
    if (*p == '/')
      owner.at = p + 1;
  }
  if (is_path && ko)
    owner.end = ko;
  place->is_user |= is_path && !ko && !has (owner, "vmlinux");
  g_free (place->owner);
  place->owner = g_strndup (owner.at, pen_slice_get_length (owner));
  if (g_str_equal (place->owner, "kernel") || g_str_equal (place->owner, "vmlinux")
      || g_str_equal (place->owner, "bpf"))
    g_clear_pointer (&place->owner, g_free);
}

/* In brackets of @close. In round ones there may be other things: arguments of a call, a line of
 * source. */
static void
read_inside (PenPastedPlace *place, PenSlice inside, char close)
{
  PenSlice word;

  pen_slice_trim (&inside);
  word = *inside.at == '/' ? inside : pen_slice_get_word (inside);
  if (close == ')' && pen_slice_starts_with (inside, "unreliable"))
    place->is_unreliable = TRUE;
  else if (close == ']'
           || (!is_frame_kind (word) && !has (inside, "=")
               && !pen_pasted_owner_is_location (inside)))
    pen_pasted_owner_set (place, word);
}

void
pen_pasted_owner_read (PenPastedPlace *place, PenSlice rest)
{
  char close;
  const char *end;

  pen_slice_skip_blanks (&rest);
  if (rest.at == rest.end || (*rest.at != '[' && *rest.at != '('))
    return;
  close = *rest.at == '[' ? ']' : ')';
  rest.at++;
  if (rest.at < rest.end && close == ')' && *rest.at == '[') {
    rest.at++;
    close = ']';
  }
  end = memchr (rest.at, close, pen_slice_get_length (rest));
  if (end)
    read_inside (place, (PenSlice){ rest.at, end }, close);
}
