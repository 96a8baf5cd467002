/* pen-file-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-file-pass.h"

#include <elf.h>
#include <string.h>

/* A function's code, and what was read of it. */
typedef struct {
  guint32 function;
  guint32 file; /* (PenStoreNameFile) */
  const PenFoundSymbols *found;
  guint64 start;
  guint64 length;
  guint64 samples;
  GBytes *bytes; /* or NULL */
} Piece;

struct _PenFilePass {
  GCancellable *cancellable;
  GThread *thread;
  GArray *pieces; /* Piece; while it runs the thread's own */
  guint machine;  /* EM_…, or EM_NONE: any */
};

static void
clear_piece (gpointer data)
{
  Piece *piece = data;

  g_clear_pointer (&piece->bytes, g_bytes_unref);
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

/* To element @i. */
static void
extend (GByteArray *known, guint i)
{
  guint n = known->len;

  g_byte_array_set_size (known, i + 1);
  memset (known->data + n, FALSE, i + 1 - n);
}

static void
list_pieces (PenFilePass *self, PenFunctionTable *functions, PenUserNames *names, GByteArray *known)
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
    if (known && i < known->len && known->data[i])
      continue;
    if (known) {
      if (i >= known->len)
        extend (known, i);
      known->data[i] = TRUE;
    }
    piece.found = pen_user_names_get_file (names, function->name_file);
    if (!piece.found)
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
  g_autoptr (PenElfFile) file = pen_elf_file_open (pen_elf_file_get_path (found->image));

  return file && is_still (file, found)
                 && (self->machine == EM_NONE || pen_elf_file_get_machine (file) == self->machine)
             ? g_steal_pointer (&file)
             : NULL;
}

/* The rest, beyond the limit, is left out. */
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

/* Where the pieces of the file of the one at @first end. */
static guint
find_end (PenFilePass *self, guint first)
{
  guint32 file = g_array_index (self->pieces, Piece, first).file;
  guint end = first + 1;

  while (end < self->pieces->len && g_array_index (self->pieces, Piece, end).file == file)
    end++;
  return end;
}

/* The pieces [@first, @end) are of one file. */
static void
read_file (PenFilePass *self, guint first, guint end)
{
  const PenFoundSymbols *found = g_array_index (self->pieces, Piece, first).found;
  g_autoptr (PenElfFile) file = open_image (self, found);

  for (guint i = first; file && i < end && !g_cancellable_is_cancelled (self->cancellable); i++) {
    Piece *piece = &g_array_index (self->pieces, Piece, i);

    piece->bytes = pen_elf_file_read_code (file, piece->start,
                                           (gsize) MIN (piece->length, PEN_FILE_PASS_FUNCTION));
  }
}

static gpointer
read_files (gpointer data)
{
  PenFilePass *self = data;

  limit_bytes (self);
  g_array_sort (self->pieces, compare_places);
  for (guint first = 0, end; first < self->pieces->len; first = end) {
    end = find_end (self, first);
    read_file (self, first, end);
  }
  return NULL;
}

PenFilePass *
pen_file_pass_start (PenFunctionTable *functions, PenUserNames *names, const char *arch,
                     GByteArray *known, GCancellable *cancellable)
{
  PenFilePass *self = g_new0 (PenFilePass, 1);

  self->cancellable = cancellable;
  self->machine = get_machine (arch);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, clear_piece);
  list_pieces (self, functions, names, known);
  if (self->pieces->len > 0)
    self->thread = g_thread_new ("files", read_files, self);
  return self;
}

static void
wait_for_thread (PenFilePass *self)
{
  if (self->thread)
    g_thread_join (g_steal_pointer (&self->thread));
}

/* The pieces [@first, @end) are of one file. */
static gboolean
write_file (PenFilePass *self, guint first, guint end, PenStoreWriter *writer, GError **error)
{
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (PenStoredText));
  guint32 file = g_array_index (self->pieces, Piece, first).file;

  for (guint i = first; i < end; i++) {
    const Piece *piece = &g_array_index (self->pieces, Piece, i);
    PenStoredText text = {
      .start = piece->start,
      .bytes = piece->bytes,
      .evidence = piece->found->evidence,
      .source = pen_elf_file_get_path (piece->found->image),
    };

    if (piece->bytes)
      g_array_append_val (texts, text);
  }
  return pen_store_writer_add_file_texts (
      writer, file, (const PenStoredText *) (gpointer) texts->data, texts->len, error);
}

gboolean
pen_file_pass_finish (PenFilePass *self, PenStoreWriter *writer, GError **error)
{
  wait_for_thread (self);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  for (guint first = 0, end; first < self->pieces->len; first = end) {
    end = find_end (self, first);
    if (!write_file (self, first, end, writer, error))
      return FALSE;
  }
  return TRUE;
}

void
pen_file_pass_free (PenFilePass *self)
{
  wait_for_thread (self);
  g_array_unref (self->pieces);
  g_free (self);
}
