/* pen-page.c: the views that take turns below the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-page.h"

#include <glib/gi18n-lib.h>

static const char *const words[PEN_PAGES] = {
  [PEN_PAGE_CODE] = "code",
  [PEN_PAGE_CALLERS] = "callers",
  [PEN_PAGE_MAP] = "map",
  [PEN_PAGE_CAUSES] = "causes",
  [PEN_PAGE_OCCUPANTS] = "occupants",
  [PEN_PAGE_RECORDING] = "recording",
};

static const char *const titles[PEN_PAGES] = {
  [PEN_PAGE_CODE] = N_ ("Code"),           [PEN_PAGE_CALLERS] = N_ ("Callers"),
  [PEN_PAGE_MAP] = N_ ("Text Map"),        [PEN_PAGE_CAUSES] = N_ ("Causes"),
  [PEN_PAGE_OCCUPANTS] = N_ ("Occupants"), [PEN_PAGE_RECORDING] = N_ ("Recording"),
};

const char *
pen_page_to_string (PenPage page)
{
  g_return_val_if_fail (page < PEN_PAGES, NULL);
  return words[page];
}

gboolean
pen_page_from_string (const char *word, PenPage *page)
{
  for (guint i = 0; i < PEN_PAGES; i++) {
    if (g_strcmp0 (word, words[i]) == 0) {
      *page = i;
      return TRUE;
    }
  }
  return FALSE;
}

const char *
pen_page_get_title (PenPage page)
{
  g_return_val_if_fail (page < PEN_PAGES, NULL);
  return _ (titles[page]);
}
