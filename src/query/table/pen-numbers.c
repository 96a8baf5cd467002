/* pen-numbers.c: numbers for people, in the form of the locale, and for programs, in one form
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-numbers.h"

#include <langinfo.h>
#include <locale.h>

/* Narrow, and part of the number: with U+2009, right-to-left text has its groups the other way
 * round.
 */
#define GROUP_SPACE "\342\200\257"

/* Strings of a locale are in its encoding; a text is in UTF-8. */
static const char *
get_utf8 (nl_item item, const char *otherwise)
{
  const char *text = nl_langinfo (item);

  return text[0] && g_utf8_validate (text, -1, NULL) ? text : otherwise;
}

const char *
pen_numbers_get_mark (void)
{
  return get_utf8 (RADIXCHAR, ".");
}

const char *
pen_numbers_get_group (void)
{
  return get_utf8 (THOUSEP, GROUP_SPACE);
}

/* Lives as long as the program: some thread may use it. */
static gpointer
make_plain (G_GNUC_UNUSED gpointer data)
{
  locale_t others = duplocale (LC_GLOBAL_LOCALE);
  locale_t plain = newlocale (LC_NUMERIC_MASK, "C", others);

  if (plain == (locale_t) 0)
    freelocale (others);
  return plain;
}

PenNumbers
pen_numbers_begin_plain (void)
{
  static GOnce once = G_ONCE_INIT;

  return uselocale (g_once (&once, make_plain, NULL));
}

void
pen_numbers_end_plain (PenNumbers before)
{
  uselocale (before);
}
