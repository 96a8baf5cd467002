/* pen-view.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-view.h"

static const char *const view_words[PEN_VIEWS]
    = { "overview", "map", "annotation", "flame", "chart", "heat" };

const char *
pen_view_to_string (PenView view)
{
  g_return_val_if_fail (view < PEN_VIEWS, NULL);
  return view_words[view];
}

gboolean
pen_view_from_string (const char *word, PenView *view)
{
  for (guint i = 0; i < PEN_VIEWS; i++) {
    if (g_strcmp0 (word, view_words[i]) == 0) {
      *view = i;
      return TRUE;
    }
  }
  return FALSE;
}
