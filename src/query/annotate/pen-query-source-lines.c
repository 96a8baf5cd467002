/* pen-query-source-lines.c: from which lines of its source the lines of an annotation were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-binary-search.h"
#include "pen-query-cells.h"
#include "pen-query-source-lines.h"
#include "pen-source-line.h"
#include "pen-store-programs.h"
#include "pen-store-source-lines.h"
#include "pen-table-hash.h"

#include <string.h>

/* The last of @lines at or before @offset. */
static const PenSourceLine *
find_line (const GArray *lines, guint64 offset)
{
  guint low = PEN_BINARY_SEARCH (i, 0, lines->len,
                                 g_array_index (lines, PenSourceLine, i).offset <= offset);

  return low > 0 ? &g_array_index (lines, PenSourceLine, low - 1) : NULL;
}

/* The lines of one function, or of one tenure of it. */
typedef struct {
  PenStore *store;
  const PenFunctionLines *lines;
  GHashTable *files;  /* id → path, or NULL */
  GHashTable *chains; /* number of a call → its words */
} Telling;

static const char *
get_file (Telling *telling, guint32 id)
{
  gpointer key = GUINT_TO_POINTER (id);
  gpointer path = NULL;

  if (id != 0 && !g_hash_table_lookup_extended (telling->files, key, NULL, &path)) {
    path = (gpointer) pen_store_find_source_file (telling->store, id, NULL);
    g_hash_table_insert (telling->files, key, path);
  }
  return path;
}

static void
append_call (Telling *telling, const PenSourceCall *call, GString *text)
{
  const char *name = pen_store_find_inlined_function (telling->store, call->inlined, NULL);
  const char *file = get_file (telling, call->file);
  gsize start = text->len;

  g_string_append (text, name ? name : "?");
  if (file)
    g_string_append_printf (text, " at %s:%u", file, call->line);
  /* One a line, whatever names are made of. */
  for (gsize i = start; i < text->len; i++)
    if (text->str[i] == '\n')
      text->str[i] = ' ';
}

static const char *
get_chain (Telling *telling, guint32 number)
{
  gpointer key = GUINT_TO_POINTER (number);
  char *known = g_hash_table_lookup (telling->chains, key);
  GString *text;

  if (known || number == 0)
    return known;

  text = g_string_new (NULL);
  for (guint32 at = number; at != 0;) {
    const PenSourceCall *call = &g_array_index (telling->lines->calls, PenSourceCall, at - 1);

    if (text->len > 0)
      g_string_append_c (text, '\n');
    append_call (telling, call, text);
    at = call->outer;
  }
  known = g_string_free (text, FALSE);
  g_hash_table_insert (telling->chains, key, known);
  return known;
}

/* Others' text there, before or after, was made of other lines. Returns: (element-type guint32):
 * the tenures that are others' */
static GHashTable *
list_others (const PenAnnotated *annotated, const PenFunction *function)
{
  GHashTable *others = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = 0; pen_query_is_kernel_kind (function->kind) && i < annotated->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (tenure->kind != function->kind || strcmp (tenure->occupant, function->occupant) != 0)
      g_hash_table_add (others, GUINT_TO_POINTER (tenure->id));
  }
  return others;
}

static void
tell_lines (Telling *telling, const PenFunction *function, const PenAnnotated *annotated)
{
  const PenFunctionLines *lines = telling->lines;
  g_autoptr (GHashTable) others = list_others (annotated, function);

  for (guint i = 0; i < annotated->lines->len; i++) {
    PenAnnotationLine *line = annotated->lines->pdata[i];
    const PenSourceLine *source
        = line->address >= function->start && line->address - function->start < function->length
                  && (lines->tenure == 0 || lines->tenure == line->tenure)
                  && !g_hash_table_contains (others, GUINT_TO_POINTER (line->tenure))
              ? find_line (lines->lines, line->address - function->start)
              : NULL;
    const char *path = source ? get_file (telling, source->file) : NULL;

    if (!path)
      continue;
    line->source_file = path;
    line->source_line = source->line;
    g_free (line->inlined);
    line->inlined = g_strdup (get_chain (telling, source->call));
  }
}

static gboolean
tell_function (PenQuery *self, const PenAnnotated *annotated, GError **error)
{
  const PenFunction *function = pen_query_get_function (self, annotated->function);
  g_autoptr (GHashTable) files = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GPtrArray) all = NULL;

  if (!function)
    return TRUE;
  all = pen_store_load_source_lines (self->store, function->id, error);
  if (!all)
    return FALSE;

  for (guint i = 0; i < all->len; i++) {
    Telling telling = { .store = self->store, .lines = all->pdata[i], .files = files };

    telling.chains = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
    tell_lines (&telling, function, annotated);
    g_hash_table_unref (telling.chains);
  }
  return TRUE;
}

/* ---- programs ---- */

static const PenStoredBpfLine *
find_program_line (const GArray *lines, const PenTenure *tenure, guint64 address)
{
  guint n = PEN_BINARY_SEARCH (i, 0, lines->len,
                               g_array_index (lines, PenStoredBpfLine, i).address <= address);
  const PenStoredBpfLine *line = n > 0 ? &g_array_index (lines, PenStoredBpfLine, n - 1) : NULL;

  return line && line->address >= tenure->start ? line : NULL;
}

static void
free_lines (gpointer data)
{
  g_array_unref (data);
}

/* A program's lines were recorded with it. @programs: its id → the lines */
static const GArray *
load_program (PenQuery *self, GHashTable *programs, guint32 bpf_id, GError **error)
{
  GArray *lines = g_hash_table_lookup (programs, GUINT_TO_POINTER (bpf_id));

  if (lines)
    return lines;
  lines = pen_store_load_bpf_lines (self->store, bpf_id, error);
  if (lines)
    g_hash_table_insert (programs, GUINT_TO_POINTER (bpf_id), lines);
  return lines;
}

static gboolean
tell_programs (PenQuery *self, const PenAnnotated *annotated, GError **error)
{
  g_autoptr (GHashTable) loads = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GHashTable) programs = g_hash_table_new_full (pen_direct_hash, NULL, NULL, free_lines);

  for (guint i = 0; i < annotated->tenures->len; i++) {
    PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (tenure->bpf_id != 0)
      g_hash_table_insert (loads, GUINT_TO_POINTER (tenure->id), tenure);
  }
  for (guint i = 0; g_hash_table_size (loads) > 0 && i < annotated->lines->len; i++) {
    PenAnnotationLine *line = annotated->lines->pdata[i];
    const PenTenure *tenure = g_hash_table_lookup (loads, GUINT_TO_POINTER (line->tenure));
    const GArray *lines = tenure ? load_program (self, programs, tenure->bpf_id, error) : NULL;
    const PenStoredBpfLine *source;

    if (!tenure)
      continue;
    if (!lines)
      return FALSE;
    source = find_program_line (lines, tenure, line->address);
    if (source && source->line > 0 && *source->file != '\0') {
      line->source_file = source->file;
      line->source_line = source->line;
    }
  }
  return TRUE;
}

gboolean
pen_query_tell_source_lines (PenQuery *self, const PenAnnotated *annotated, GError **error)
{
  return tell_function (self, annotated, error) && tell_programs (self, annotated, error);
}

/* ---- cells ---- */

static void
write_place (PenTableWriter *writer, const char *file, guint32 line)
{
  g_autofree char *text = NULL;

  if (file)
    text = g_strdup_printf ("%s:%u", file, line);
  pen_query_write_text_or_empty (writer, text);
}

void
pen_query_write_source (PenTableWriter *writer, const PenAnnotationLine *line)
{
  write_place (writer, line->source_file, line->source_line);
}

void
pen_query_write_inlined (PenTableWriter *writer, const PenAnnotationLine *line)
{
  g_auto (GStrv) calls = line->inlined ? g_strsplit (line->inlined, "\n", -1) : NULL;
  g_autofree char *text = calls ? g_strjoinv ("; ", calls) : NULL;

  pen_query_write_text_or_empty (writer, text);
}

static const char *
get_base (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash ? slash + 1 : path;
}

/* " (list_add at fair.c:88, …)" */
static void
append_listed_calls (GString *text, const char *inlined)
{
  g_auto (GStrv) calls = g_strsplit (inlined, "\n", -1);

  for (guint i = 0; calls[i]; i++) {
    char *at = g_strrstr (calls[i], " at ");

    g_string_append (text, i == 0 ? " (" : ", ");
    if (!at) {
      g_string_append (text, calls[i]);
      continue;
    }
    *at = '\0';
    g_string_append_printf (text, "%s at %s", calls[i], get_base (at + strlen (" at ")));
  }
  g_string_append_c (text, ')');
}

void
pen_query_write_listed_source (PenTableWriter *writer, const PenAnnotationLine *line,
                               const PenAnnotationLine *above)
{
  gboolean is_same = above && g_strcmp0 (above->source_file, line->source_file) == 0
                     && above->source_line == line->source_line
                     && g_strcmp0 (above->inlined, line->inlined) == 0;
  g_autoptr (GString) text = NULL;

  if (is_same || !line->source_file) {
    pen_table_writer_empty (writer);
    return;
  }

  text = g_string_new (NULL);
  g_string_printf (text, "%s:%u", get_base (line->source_file), line->source_line);
  if (line->inlined)
    append_listed_calls (text, line->inlined);
  pen_query_write_text_or_empty (writer, text->str);
}
