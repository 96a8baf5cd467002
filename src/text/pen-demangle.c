/* pen-demangle.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-demangle.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAME 4095
#define HASH_LENGTH 19 /* "::h" and 16 digits */

/* Of the C++ runtime (Itanium C++ ABI 3.4); its header is for C++ only. */
char *__cxa_demangle (const char *mangled, char *buffer, size_t *length, int *status);

static gboolean
ends_with_hash (const char *name, gsize length)
{
  const char *hash = name + length - HASH_LENGTH;

  return length > HASH_LENGTH && strncmp (hash, "::h", 3) == 0
         && strspn (hash + 3, "0123456789abcdef") == HASH_LENGTH - 3;
}

/* "$u7e$" */
static gboolean
append_code_point (GString *text, const char *from, const char *to)
{
  char *end;
  gulong code = strtoul (from + 2, &end, 16);

  if (from[1] != 'u' || end != to || end == from + 2 || code < 0x20 || code == 0x7f
      || !g_unichar_validate ((gunichar) MIN (code, G_MAXUINT32)))
    return FALSE;

  g_string_append_unichar (text, (gunichar) code);

  return TRUE;
}

static gboolean
append_escape (GString *text, const char *from, const char *to)
{
  static const char *const escapes[][2]
      = { { "$SP$", "@" }, { "$BP$", "*" }, { "$RF$", "&" }, { "$LT$", "<" },
          { "$GT$", ">" }, { "$LP$", "(" }, { "$RP$", ")" }, { "$C$", "," } };
  gsize length = (gsize) (to - from) + 1;

  for (guint i = 0; i < G_N_ELEMENTS (escapes); i++)
    if (strlen (escapes[i][0]) == length && strncmp (from, escapes[i][0], length) == 0) {
      g_string_append (text, escapes[i][1]);
      return TRUE;
    }

  return append_code_point (text, from, to);
}

/* An identifier of C++ cannot hold what Rust's can: it is escaped. */
static char *
unescape_rust (const char *name, gsize length)
{
  GString *text = g_string_sized_new (length);
  const char *end = name + length;

  for (const char *at = name; at < end; at++) {
    const char *close = *at == '$' ? memchr (at + 1, '$', (gsize) (end - at) - 1) : NULL;
    gboolean begins_part = at == name || (at >= name + 2 && at[-1] == ':');

    if (close != NULL && append_escape (text, at, close))
      at = close;
    else if (*at == '.' && at + 1 < end && at[1] == '.') {
      g_string_append (text, "::");
      at++;
    } else if (!(*at == '_' && begins_part && at + 1 < end && at[1] == '$'))
      g_string_append_c (text, *at);
  }

  return g_string_free (text, FALSE);
}

char *
pen_demangle (const char *name)
{
  g_autofree char *shown = NULL;
  char *plain;
  gsize length;

  if (strncmp (name, "_Z", 2) != 0 || strlen (name) > MAX_NAME)
    return NULL;

  plain = __cxa_demangle (name, NULL, NULL, NULL);
  if (plain == NULL)
    return NULL;

  length = strlen (plain);
  shown = ends_with_hash (plain, length) ? unescape_rust (plain, length - HASH_LENGTH)
                                         : g_strdup (plain);
  free (plain);

  return g_steal_pointer (&shown);
}
