/* pen-file-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-file-pass.h"

#include <elf.h>
#include <string.h>

#include "pen-source-lines.h"

/* A function's code, and what was read of it. */
typedef struct {
  guint32 function;
  guint32 file; /* (PenStoreNameFile) */
  const PenFoundSymbols *found;
  guint64 start;
  guint64 length;
  guint64 samples;
  GBytes *bytes; /* or NULL */
  GArray *lines; /* PenSourceLine, or NULL */
} Piece;

struct _PenFilePass {
  GCancellable *cancellable;
  GThread *thread;
  GArray *pieces;          /* Piece; while it runs the thread's own, as is what follows */
  GHashTable *source_ids;  /* path → index in source_files, plus 1 */
  GPtrArray *source_files; /* paths */
  guint n_lines;
  guint64 debug_left; /* bytes of debug information that may be read */
  guint n_unread;     /* files that had more */
  guint n_failed;     /* files whose debug information was not read to the end */
  char *failure;      /* of the first of them, or NULL */
  guint machine;      /* EM_…, or EM_NONE: any */
};

static void
clear_piece (gpointer data)
{
  Piece *piece = data;

  g_clear_pointer (&piece->bytes, g_bytes_unref);
  g_clear_pointer (&piece->lines, g_array_unref);
}

static guint
get_machine (const char *arch)
{
  if (g_strcmp0 (arch, "x86_64") == 0)
    return EM_X86_64;
  if (g_strcmp0 (arch, "aarch64") == 0)
    return EM_AARCH64;

  return EM_NONE;
}

static void
list_pieces (PenFilePass *self, PenFunctionTable *functions, PenUserNames *names)
{
  for (guint i = 0; i < pen_function_table_get_count (functions); i++) {
    const PenFunction *function = pen_function_table_get_function (functions, i);
    Piece piece = {
      .function = i,
      .file = function->name_file,
      .start = function->start,
      .length = function->length,
      .samples = function->samples,
    };

    if (function->name_file == 0 || function->samples == 0 || piece.length == 0)
      continue;
    piece.found = pen_user_names_get_file (names, function->name_file);
    if (piece.found == NULL)
      continue;
    g_array_append_val (self->pieces, piece);
  }
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const Piece *x = a;
  const Piece *y = b;

  return (x->samples < y->samples) - (x->samples > y->samples);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Piece *x = a;
  const Piece *y = b;

  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;

  return (x->start > y->start) - (x->start < y->start);
}

/* A file may have been replaced since its names were read. */
static gboolean
is_still (PenElfFile *file, const PenFoundSymbols *found)
{
  guint length;
  const guint8 *build_id = pen_elf_file_get_build_id (file, &length);

  return length == found->build_id_length
         && (length == 0 || memcmp (build_id, found->build_id, length) == 0);
}

static PenElfFile *
open_image (PenFilePass *self, const PenFoundSymbols *found)
{
  g_autoptr (PenElfFile) file = pen_elf_file_open (pen_elf_file_get_path (found->image), NULL);

  return file != NULL && is_still (file, found)
                 && (self->machine == EM_NONE || pen_elf_file_get_machine (file) == self->machine)
             ? g_steal_pointer (&file)
             : NULL;
}

/* ---- lines ---- */

/* What pen_source_lines_foreach() is told to fill. */
typedef struct {
  PenFilePass *pass;
  Piece *piece;
} Filling;

static guint32
get_source_file (PenFilePass *self, const char *path)
{
  guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (self->source_ids, path));
  char *kept;

  if (id != 0)
    return id;

  kept = g_strdup (path);
  g_ptr_array_add (self->source_files, kept);
  g_hash_table_insert (self->source_ids, kept, GUINT_TO_POINTER (self->source_files->len));

  return self->source_files->len;
}

static void
take_line (guint64 address, const PenCodePlace *place, gpointer user_data)
{
  Filling *filling = user_data;
  PenFilePass *self = filling->pass;
  Piece *piece = filling->piece;
  PenSourceLine kept = { .offset = address - piece->start, .line = place->line };

  if (self->n_lines >= PEN_FILE_PASS_LINES
      || (piece->lines != NULL && piece->lines->len >= PEN_FUNCTION_LINES_MAX))
    return;

  kept.file = place->file != NULL ? get_source_file (self, place->file) : 0;
  if (piece->lines == NULL)
    piece->lines = g_array_new (FALSE, FALSE, sizeof (PenSourceLine));
  g_array_append_val (piece->lines, kept);
  self->n_lines++;
}

/* Names may be a debug file's: then it is the one that has lines. */
static PenSourceLines *
open_lines (PenFilePass *self, const PenFoundSymbols *found)
{
  guint length;
  const guint8 *build_id = pen_elf_file_get_build_id (found->names, &length);
  PenSourceLines *lines;
  gboolean is_too_large;

  lines = pen_source_lines_open (found->path, build_id, length, &self->debug_left, &is_too_large,
                                 self->cancellable);
  self->n_unread += is_too_large;
  return lines;
}

static void
note_failure (PenFilePass *self, PenSourceLines *lines)
{
  const char *failure = lines != NULL ? pen_source_lines_get_failure (lines) : NULL;

  if (failure == NULL)
    return;
  self->n_failed++;
  if (self->failure == NULL)
    self->failure = g_strdup (failure);
}

/* ---- files ---- */

/* What comes after the limit is left out. */
static void
limit_bytes (PenFilePass *self)
{
  guint64 left = PEN_FILE_PASS_ALL;

  g_array_sort (self->pieces, compare_samples);
  for (guint i = 0; i < self->pieces->len; i++) {
    guint64 length = MIN (g_array_index (self->pieces, Piece, i).length, PEN_FILE_PASS_FUNCTION);

    if (length > left) {
      g_array_set_size (self->pieces, i);
      break;
    }
    left -= length;
  }
}

/* The pieces [@first, @end) are of one file. */
static void
read_file (PenFilePass *self, guint first, guint end)
{
  const PenFoundSymbols *found = g_array_index (self->pieces, Piece, first).found;
  g_autoptr (PenElfFile) file = open_image (self, found);
  g_autoptr (PenSourceLines) lines = open_lines (self, found);

  for (guint i = first; i < end && !g_cancellable_is_cancelled (self->cancellable); i++) {
    Piece *piece = &g_array_index (self->pieces, Piece, i);
    Filling filling = { self, piece };

    if (file != NULL)
      piece->bytes = pen_elf_file_read_code (file, piece->start,
                                             (gsize) MIN (piece->length, PEN_FILE_PASS_FUNCTION));
    if (lines != NULL)
      pen_source_lines_foreach (lines, piece->start, piece->start + piece->length, take_line,
                                &filling);
  }
  note_failure (self, lines);
}

static gpointer
read_files (gpointer data)
{
  PenFilePass *self = data;

  limit_bytes (self);
  g_array_sort (self->pieces, compare_places);
  for (guint first = 0, end; first < self->pieces->len; first = end) {
    guint32 file = g_array_index (self->pieces, Piece, first).file;

    end = first + 1;
    while (end < self->pieces->len && g_array_index (self->pieces, Piece, end).file == file)
      end++;
    read_file (self, first, end);
  }

  return NULL;
}

PenFilePass *
pen_file_pass_start (PenFunctionTable *functions, PenUserNames *names, gboolean all_lines,
                     const char *arch, GCancellable *cancellable)
{
  PenFilePass *self = g_new0 (PenFilePass, 1);

  self->cancellable = cancellable;
  self->debug_left = all_lines ? G_MAXUINT64 : PEN_FILE_PASS_DEBUG;
  self->machine = get_machine (arch);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, clear_piece);
  self->source_ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->source_files = g_ptr_array_new_with_free_func (g_free);
  list_pieces (self, functions, names);
  if (self->pieces->len > 0)
    self->thread = g_thread_new ("files", read_files, self);

  return self;
}

static void
wait_for_thread (PenFilePass *self)
{
  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
}

static gboolean
write_piece (const Piece *piece, PenStoreWriter *writer, GError **error)
{
  PenStoredText text = {
    .start = piece->start,
    .bytes = piece->bytes,
    .evidence = piece->found->evidence,
    .source = pen_elf_file_get_path (piece->found->image),
  };

  if (piece->bytes != NULL && !pen_store_writer_add_file_text (writer, piece->file, &text, error))
    return FALSE;

  return piece->lines == NULL
         || pen_store_writer_add_source_lines (
             writer, piece->function, (const PenSourceLine *) (gpointer) piece->lines->data,
             piece->lines->len, error);
}

gboolean
pen_file_pass_finish (PenFilePass *self, PenStoreWriter *writer, GError **error)
{
  wait_for_thread (self);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  if (self->n_unread > 0
      && !pen_store_writer_set_fact_int (writer, "source_lines_unread", self->n_unread, error))
    return FALSE;
  if (self->failure != NULL
      && (!pen_store_writer_set_fact_int (writer, "source_lines_failed", self->n_failed, error)
          || !pen_store_writer_set_fact (writer, "source_lines_failure", self->failure, error)))
    return FALSE;
  for (guint i = 0; i < self->source_files->len; i++)
    if (!pen_store_writer_add_source_file (writer, i + 1, g_ptr_array_index (self->source_files, i),
                                           error))
      return FALSE;
  for (guint i = 0; i < self->pieces->len; i++)
    if (!write_piece (&g_array_index (self->pieces, Piece, i), writer, error))
      return FALSE;

  return TRUE;
}

void
pen_file_pass_free (PenFilePass *self)
{
  if (self == NULL)
    return;

  wait_for_thread (self);
  g_array_unref (self->pieces);
  g_hash_table_unref (self->source_ids);
  g_ptr_array_unref (self->source_files);
  g_free (self->failure);
  g_free (self);
}
