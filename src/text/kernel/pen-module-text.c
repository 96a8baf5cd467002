/* pen-module-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-text.h"

#define PAGE 4096u

gboolean
pen_module_text_is_section (const char *name)
{
  return (g_str_has_prefix (name, ".text") || g_str_has_suffix (name, ".text"))
         && !g_str_has_prefix (name, ".init");
}

gboolean
pen_module_text_parse_address (const char *text, guint64 *address)
{
  return g_str_has_prefix (text, "0x")
         && g_ascii_string_to_unsigned (text + 2, 16, 1, G_MAXUINT64 - 2 * PAGE, address, NULL);
}

gboolean
pen_module_text_place (guint64 first, guint64 last, PenModule *module)
{
  if (last == 0)
    return FALSE;
  module->start = first & ~(guint64) (PAGE - 1);
  module->length = (last & ~(guint64) (PAGE - 1)) + PAGE - module->start;
  return module->length <= G_MAXUINT32;
}
