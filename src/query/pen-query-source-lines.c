/* pen-query-source-lines.c: from which lines of its source the lines of an annotation were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <string.h>

/* The last of @lines at or before @offset. */
static const PenSourceLine *
find_line (const GArray *lines, guint64 offset)
{
  guint low = 0;
  guint high = lines->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (lines, PenSourceLine, middle).offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }

  return low > 0 ? &g_array_index (lines, PenSourceLine, low - 1) : NULL;
}

static gboolean
tell_function (PenQuery *self, const PenAnnotated *annotated, GError **error)
{
  const PenFunction *function = pen_query_get_function (self, annotated->function);
  g_autoptr (GArray) lines = NULL;
  g_autoptr (GHashTable) files = g_hash_table_new (NULL, NULL);

  if (function == NULL)
    return TRUE;
  lines = pen_store_load_source_lines (self->store, function->id, error);
  if (lines == NULL)
    return FALSE;

  for (guint i = 0; lines->len > 0 && i < annotated->lines->len; i++) {
    PenAnnotationLine *line = annotated->lines->pdata[i];
    const PenSourceLine *source
        = line->address >= function->start && line->address - function->start < function->length
              ? find_line (lines, line->address - function->start)
              : NULL;
    const char *path;

    if (source == NULL || source->file == 0)
      continue;
    path = g_hash_table_lookup (files, GUINT_TO_POINTER (source->file));
    if (path == NULL) {
      path = pen_store_find_source_file (self->store, source->file, NULL);
      g_hash_table_insert (files, GUINT_TO_POINTER (source->file), (gpointer) path);
    }
    line->source_file = path;
    line->source_line = path != NULL ? source->line : 0;
  }

  return TRUE;
}

/* ---- programs ---- */

static const PenStoredBpfLine *
find_program_line (const GArray *lines, const PenTenure *tenure, guint64 address)
{
  const PenStoredBpfLine *found = NULL;

  for (guint i = 0; i < lines->len; i++) {
    const PenStoredBpfLine *line = &g_array_index (lines, PenStoredBpfLine, i);

    if (line->address > address)
      break;
    if (line->address >= tenure->start)
      found = line;
  }

  return found;
}

/* Its lines were recorded with the program. */
static gboolean
tell_program (PenQuery *self, const PenAnnotated *annotated, const PenTenure *tenure,
              GError **error)
{
  g_autoptr (GArray) lines = pen_store_load_bpf_lines (self->store, tenure->bpf_id, error);

  if (lines == NULL)
    return FALSE;

  for (guint i = 0; lines->len > 0 && i < annotated->lines->len; i++) {
    PenAnnotationLine *line = annotated->lines->pdata[i];
    const PenStoredBpfLine *source
        = line->tenure == tenure->id ? find_program_line (lines, tenure, line->address) : NULL;

    if (source != NULL && source->line > 0 && *source->file != '\0') {
      line->source_file = source->file;
      line->source_line = source->line;
    }
  }

  return TRUE;
}

gboolean
pen_query_tell_source_lines (PenQuery *self, const PenAnnotated *annotated, GError **error)
{
  if (!tell_function (self, annotated, error))
    return FALSE;

  for (guint i = 0; i < annotated->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (tenure->bpf_id != 0 && !tell_program (self, annotated, tenure, error))
      return FALSE;
  }

  return TRUE;
}

/* ---- cells ---- */

static void
write_place (PenTableWriter *writer, const char *file, guint32 line)
{
  g_autofree char *text = NULL;

  if (file != NULL)
    text = g_strdup_printf ("%s:%u", file, line);
  pen_query_write_text_or_empty (writer, text);
}

void
pen_query_write_source (PenTableWriter *writer, const PenAnnotationLine *line)
{
  write_place (writer, line->source_file, line->source_line);
}

void
pen_query_write_listed_source (PenTableWriter *writer, const PenAnnotationLine *line,
                               const PenAnnotationLine *above)
{
  const char *slash = line->source_file != NULL ? strrchr (line->source_file, '/') : NULL;
  gboolean is_same = above != NULL && g_strcmp0 (above->source_file, line->source_file) == 0
                     && above->source_line == line->source_line;

  if (is_same)
    pen_table_writer_empty (writer);
  else
    write_place (writer, slash != NULL ? slash + 1 : line->source_file, line->source_line);
}
