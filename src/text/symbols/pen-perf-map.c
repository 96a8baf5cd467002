/* pen-perf-map.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-perf-map.h"

#include <stdlib.h>
#include <string.h>

#include "pen-compare.h"
#include "pen-names.h"
#include "pen-regular-file.h"
#include "pen-symbol-search.h"

struct _PenPerfMap {
  char *path;
  GArray *symbols; /* PenSymbol, by start; of one start the last */
  PenNames *names;
};

gboolean
pen_perf_map_is_name (const char *path, gint32 *pid)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash ? slash + 1 : path;
  guint64 number;
  char *end;

  if (!g_str_has_prefix (name, "perf-") || !g_ascii_isdigit (name[5]))
    return FALSE;
  number = g_ascii_strtoull (name + 5, &end, 10);
  if (strcmp (end, ".map") != 0 || number > G_MAXINT32)
    return FALSE;

  *pid = (gint32) number;
  return TRUE;
}

/* Returns: FALSE where no number stands at @text, with a blank after it */
static gboolean
take_number (char **text, guint64 *number)
{
  char *end;

  if (!g_ascii_isxdigit (**text))
    return FALSE;
  *number = g_ascii_strtoull (*text, &end, 16);
  if (*end != ' ')
    return FALSE;
  *text = end + 1;
  return TRUE;
}

static void
add_line (PenPerfMap *self, char *line)
{
  guint64 start;
  guint64 length;
  PenSymbol symbol;

  if (!take_number (&line, &start) || !take_number (&line, &length) || *line == '\0' || length == 0
      || start > G_MAXUINT64 - length)
    return;

  symbol = (PenSymbol){ start, start + length, pen_names_add (self->names, line) };
  g_array_append_val (self->symbols, symbol);
}

/* The sort is stable: the last of those of one start came last. */
static void
keep_last (PenPerfMap *self)
{
  PenSymbol *symbols = (PenSymbol *) (gpointer) self->symbols->data;
  guint n = 0;

  g_array_sort (self->symbols, pen_compare_u64);
  for (guint i = 0; i < self->symbols->len; i++) {
    if (n > 0 && symbols[n - 1].start == symbols[i].start)
      n--;
    symbols[n++] = symbols[i];
  }
  g_array_set_size (self->symbols, n);
}

PenPerfMap *
pen_perf_map_load (const char *path, GCancellable *cancellable)
{
  g_autoptr (PenLineReader) reader = pen_line_reader_new (path, NULL);
  PenPerfMap *self;
  char *line;

  if (!reader)
    return NULL;

  self = g_new0 (PenPerfMap, 1);
  self->path = g_strdup (path);
  self->symbols = g_array_new (FALSE, FALSE, sizeof (PenSymbol));
  self->names = pen_names_new ();
  for (guint i = 0; i < PEN_PERF_MAP_MAX_LINES && pen_line_reader_next (reader, &line, NULL); i++)
    if (i % 1024 == 0 && g_cancellable_is_cancelled (cancellable))
      break;
    else if (line)
      add_line (self, line);
  keep_last (self);
  return self;
}

void
pen_perf_map_free (PenPerfMap *self)
{
  if (!self)
    return;

  g_array_unref (self->symbols);
  pen_names_free (self->names);
  g_free (self->path);
  g_free (self);
}

const char *
pen_perf_map_get_path (PenPerfMap *self)
{
  return self->path;
}

gboolean
pen_perf_map_find (PenPerfMap *self, guint64 address, PenSymbol *symbol)
{
  return pen_symbol_search (self->symbols, address, symbol);
}
