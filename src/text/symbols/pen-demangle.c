/* pen-demangle.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* Expansions of packs: each may double the work, and need not show anything. */
#define MAX_PACKS 24

typedef struct {
  GString *text;
  jmp_buf too_long;
} Output;

/* The demanglers own nothing while they print: all that they use is on the stack. */
static void
append (const char *part, size_t length, void *user_data)
{
  Output *output = user_data;

  if (length > PEN_DEMANGLE_MAX_SHOWN - output->text->len)
    longjmp (output->too_long, 1);
  g_string_append_len (output->text, part, (gssize) length);
}

static gboolean
has_many_packs (const char *name)
{
  guint n = 0;

  for (const char *at = name; *at != '\0'; at++)
    n += (at[0] == 'D' && at[1] == 'p') || (at[0] == 's' && at[1] == 'p');
  return n > MAX_PACKS;
}

/* In Rust's v0 scheme, does a function (F) or trait object (D) bind (G) more than eleven lifetimes
 * there? libiberty counts them one by one, up to 62^10, even where it prints none. */
static gboolean
is_large_binder (const char *at)
{
  return (at[0] == 'F' || at[0] == 'D') && at[1] == 'G' && g_ascii_isalnum (at[2])
         && (!g_ascii_isdigit (at[2]) || at[3] != '_');
}

/* Returns: a letter that is no tag of the scheme, and never stands in the place of such a G; or 0
 */
static char
find_spare_letter (const char *name)
{
  for (const char *letter = "HJVWZ"; *letter != '\0'; letter++) {
    const char with_f[] = { 'F', *letter, '\0' };
    const char with_d[] = { 'D', *letter, '\0' };

    if (!strstr (name, with_f) && !strstr (name, with_d))
      return *letter;
  }
  return '\0';
}

static void
exchange (char *text, char from, char to, gboolean only_large)
{
  for (char *at = text; *at != '\0'; at++)
    if ((at[0] == 'F' || at[0] == 'D') && at[1] == from && (!only_large || is_large_binder (at)))
      at[1] = to;
}

/* Rust's older scheme looks like C++, and has to be asked first. */
static gboolean
print (const char *name, Output *output)
{
  if (rust_demangle_callback (name, 0, append, output) != 0)
    return TRUE;

  g_string_truncate (output->text, 0);
  return !has_many_packs (name)
         && cplus_demangle_v3_callback (name, DMGL_NO_OPTS, append, output) != 0;
}

/* Returns: (transfer full) (nullable) */
static char *
demangle (const char *name)
{
  Output output = { .text = g_string_new (NULL) };

  if (setjmp (output.too_long) == 0 && print (name, &output) && output.text->len > 0)
    return g_string_free (output.text, FALSE);
  g_string_free (output.text, TRUE);
  return NULL;
}

/* An apparent large binder may be part of an identifier, in which any letter does as well; a real
 * binder becomes an error with another letter. */
static char *
demangle_rust (const char *name)
{
  g_autofree char *harmless = g_strdup (name);
  char spare = find_spare_letter (name);
  char *shown;

  if (spare == '\0')
    return NULL;

  exchange (harmless, 'G', spare, TRUE);
  shown = demangle (harmless);
  if (shown)
    exchange (shown, spare, 'G', FALSE);
  return shown;
}

char *
pen_demangle (const char *name)
{
  const char *version;
  g_autofree char *base = NULL;
  g_autofree char *shown = NULL;

  if ((!g_str_has_prefix (name, "_Z") && !g_str_has_prefix (name, "_R"))
      || strnlen (name, PEN_DEMANGLE_MAX_NAME + 1) > PEN_DEMANGLE_MAX_NAME)
    return NULL;

  version = strchr (name, '@');
  base = version ? g_strndup (name, (gsize) (version - name)) : g_strdup (name);
  shown = name[1] == 'R' ? demangle_rust (base) : demangle (base);
  return shown ? g_strconcat (shown, version, NULL) : NULL;
}
