/* pen-unknown-text.c: what stands in place of an instruction whose bytes are unknown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-unknown-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* After the number, as tables have them: read by programs. */
static const char *const gaps[] = {
  [PEN_GAP_NOT_RECORDED] = " bytes not recorded)",
  [PEN_GAP_NOTHING] = " bytes, nothing known here)",
  [PEN_GAP_IN_CACHE] = " bytes in the cache of the import, not in this store)",
};

char *
pen_unknown_text_of_gap (PenGap gap, guint64 n_bytes)
{
  g_return_val_if_fail (gap < G_N_ELEMENTS (gaps), NULL);
  return g_strdup_printf ("(%" G_GUINT64_FORMAT "%s", n_bytes, gaps[gap]);
}

static char *
translate_gap (PenGap gap, const char *number)
{
  gulong n = (gulong) g_ascii_strtoull (number, NULL, 10);

  if (gap == PEN_GAP_NOTHING)
    /* Translators: in place of instructions */
    return g_strdup_printf (
        ngettext ("(%lu byte, nothing known here)", "(%lu bytes, nothing known here)", n), n);
  if (gap == PEN_GAP_IN_CACHE)
    /* Translators: in place of instructions: a store without the text of its kernel */
    return g_strdup_printf (ngettext ("(%lu byte in the cache of the import, not in this store)",
                                      "(%lu bytes in the cache of the import, not in this store)",
                                      n),
                            n);
  /* Translators: in place of instructions */
  return g_strdup_printf (ngettext ("(%lu byte not recorded)", "(%lu bytes not recorded)", n), n);
}

char *
pen_unknown_text_translate (const char *instruction)
{
  static const char *const words[] = {
    /* As the header has them. Translators: in place of an instruction */
    N_ ("(bytes not recorded)"),
    N_ ("(nothing known here)"),
    N_ ("(several texts)"),
  };
  gsize digits;

  if (!instruction || instruction[0] != '(')
    return g_strdup (instruction);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++) {
    if (g_str_equal (instruction, words[i]))
      return g_strdup (_ (words[i]));
  }
  digits = strspn (instruction + 1, "0123456789");
  for (PenGap gap = 0; digits > 0 && gap < G_N_ELEMENTS (gaps); gap++) {
    if (g_str_equal (instruction + 1 + digits, gaps[gap]))
      return translate_gap (gap, instruction + 1);
  }
  return g_strdup (instruction);
}
