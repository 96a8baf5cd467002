/* pen-demangle.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "pen-rust-name.h"

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
  Output output;

  /* That of the library may loop for years. */
  if (g_str_has_prefix (name, "_R"))
    return pen_rust_name_demangle (name, PEN_DEMANGLE_MAX_SHOWN);

  output.text = g_string_new (NULL);
  if (setjmp (output.too_long) == 0 && print (name, &output) && output.text->len > 0)
    return g_string_free (output.text, FALSE);
  g_string_free (output.text, TRUE);

  return NULL;
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
  if (version == NULL)
    return demangle (name);

  base = g_strndup (name, (gsize) (version - name));
  shown = demangle (base);

  return shown != NULL ? g_strconcat (shown, version, NULL) : NULL;
}
