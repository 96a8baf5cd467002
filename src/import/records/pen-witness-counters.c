/* pen-witness-counters.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witness-counters.h"

#include <string.h>

#include "pen-regular-file.h"

/* It has a dozen. */
#define MAX_LINES 64u
#define LOST "lost "

PenWitnessCounters
pen_witness_counters_read (const char *record_dir)
{
  PenWitnessCounters counters = { .is_missing = record_dir != NULL };
  g_autofree char *path = record_dir ? g_build_filename (record_dir, "witness", NULL) : NULL;
  g_autoptr (PenLineReader) reader = path ? pen_line_reader_new (path, NULL) : NULL;
  char *line;

  for (guint i = 0; reader && i < MAX_LINES && pen_line_reader_next (reader, &line, NULL); i++)
    if (line && g_str_has_prefix (line, LOST)
        && g_ascii_string_to_unsigned (line + strlen (LOST), 10, 0, G_MAXUINT64, &counters.lost,
                                       NULL))
      counters.is_missing = FALSE;
  return counters;
}
