/* pen-profile-format.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-profile-format.h"

#include "pen-query-stacks.h"

static const struct {
  const char *word;
  const char *ending;
  guint suffixes;
} formats[PEN_PROFILE_FORMATS] = {
  [PEN_PROFILE_FOLDED] = { "folded", "folded", 0 },
  [PEN_PROFILE_PPROF] = { "pprof", "pb.gz", PEN_FOLD_OCCUPANT | PEN_FOLD_VERSION | PEN_FOLD_CAUSE },
  [PEN_PROFILE_FIREFOX] = { "firefox", "json.gz", PEN_FOLD_VERSION | PEN_FOLD_CAUSE },
  [PEN_PROFILE_SPEEDSCOPE] = { "speedscope", "speedscope.json", PEN_FOLD_VERSION | PEN_FOLD_CAUSE },
};

const char *
pen_profile_format_to_string (PenProfileFormat format)
{
  g_return_val_if_fail (format < PEN_PROFILE_FORMATS, NULL);
  return formats[format].word;
}

gboolean
pen_profile_format_from_string (const char *word, PenProfileFormat *format)
{
  for (guint i = 0; i < PEN_PROFILE_FORMATS; i++) {
    if (g_strcmp0 (word, formats[i].word) == 0) {
      *format = i;
      return TRUE;
    }
  }
  return FALSE;
}

const char *
pen_profile_format_get_ending (PenProfileFormat format)
{
  g_return_val_if_fail (format < PEN_PROFILE_FORMATS, NULL);
  return formats[format].ending;
}

guint
pen_profile_format_get_suffixes (PenProfileFormat format)
{
  g_return_val_if_fail (format < PEN_PROFILE_FORMATS, 0);
  return formats[format].suffixes;
}
