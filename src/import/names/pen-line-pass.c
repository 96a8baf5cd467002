/* pen-line-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-line-pass.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-found-file.h"
#include "pen-source-lines.h"
#include "pen-table-hash.h"

/* A name may stand for all up to the next one. No more of it is shown, either. */
#define MAX_FUNCTION (1u << 20)
/* No real capture has as many modules, or as many in one place after each other. */
#define MAX_FILES 4096u
#define MAX_NEIGHBOURS 4096u

/* A file with functions. */
typedef struct {
  PenKernelDebug wanted; /* of the kernel's space; else only its PenDebugWanted */
  gboolean is_kernel;
  char *path; /* of what was found, or NULL */
  const char *found;
  gboolean has_lines;
} File;

/* A function's code. */
typedef struct {
  guint file; /* index */
  guint32 function;
  guint64 start;
  guint64 length;
} Piece;

struct _PenLinePass {
  PenLoadedSources *sources;
  PenDebugFinder *finder;
  GCancellable *cancellable;
  GThread *thread;
  GArray *files;  /* File; while it runs the thread's own, as is what follows */
  GArray *pieces; /* Piece */
  PenLineBook *book;
  guint64 debug_left; /* bytes of debug information that may be read */
  PenLineTrouble trouble;
};

static void
clear_file (gpointer data)
{
  g_free (((File *) data)->path);
}

static guint64
get_debug_limit (PenFunctionTable *functions)
{
  guint64 n = 0;

  for (guint i = 0; i < pen_function_table_get_count (functions); i++)
    n += pen_function_table_get_function (functions, i)->samples;
  n = MIN (n, PEN_LINE_PASS_DEBUG_MAX) * PEN_LINE_PASS_DEBUG_PER_SAMPLE;
  return CLAMP (n, PEN_LINE_PASS_DEBUG_MIN, PEN_LINE_PASS_DEBUG_MAX);
}

static PenLinePass *
line_pass_new (PenFunctionTable *functions, PenLoadedSources *sources, const char *symfs,
               gboolean all_lines, GCancellable *cancellable)
{
  PenLinePass *self = g_new0 (PenLinePass, 1);

  self->sources = sources;
  self->cancellable = cancellable;
  self->finder = pen_debug_finder_new (symfs, sources->debuginfod, cancellable);
  self->debug_left = all_lines ? G_MAXUINT64 : get_debug_limit (functions);
  self->files = g_array_new (FALSE, FALSE, sizeof (File));
  g_array_set_clear_func (self->files, clear_file);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  self->book = pen_line_book_new ();
  return self;
}

static void
add_piece (PenLinePass *self, guint file, guint32 id, const PenFunction *function)
{
  Piece piece = {
    .file = file,
    .function = id,
    .start = function->start,
    .length = MIN (function->length, MAX_FUNCTION),
  };

  g_array_append_val (self->pieces, piece);
}

/* ---- the thread ---- */

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *x = a;
  const Piece *y = b;

  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x->function > y->function) - (x->function < y->function);
}

/* Functions may begin within others, each within many: their samples are those of the innermost.
 * What is the others', too, is kept for them as well, up to a multiple of what is not. */
#define SHARED_MIN 16384u
#define SHARED_PER_OWN 4u

/*
 * Filling: user data of pen_source_lines_foreach()
 * @calls: number in the lines → number on the page
 * @own_end: of the function: where the next one begins
 * @n_own, @n_shared: lines of all functions so far, before that and from there on
 */
typedef struct {
  PenLineBook *book;
  PenSourceLines *lines;
  GHashTable *calls;
  guint64 own_end;
  guint64 n_own;
  guint64 n_shared;
} Filling;

/* The calls around it come first. */
static guint
take_call (Filling *filling, guint number)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (filling->calls, GUINT_TO_POINTER (number)));
  PenInlinedCall call;

  if (number == 0 || known != 0)
    return known;

  pen_source_lines_get_call (filling->lines, number, &call);
  known = pen_line_book_add_call (filling->book, call.name, call.file, call.line,
                                  take_call (filling, call.outer));
  g_hash_table_insert (filling->calls, GUINT_TO_POINTER (number), GUINT_TO_POINTER (known));
  return known;
}

static void
take_line (guint64 address, const PenCodePlace *place, gpointer user_data)
{
  Filling *filling = user_data;

  if (address < filling->own_end)
    filling->n_own++;
  else
    filling->n_shared++;
  pen_line_book_add (filling->book, address, place->file, place->line,
                     take_call (filling, place->call));
}

static void
read_piece (Filling *filling, const Piece *piece, const Piece *next)
{
  guint64 end = piece->start + piece->length;
  gboolean with_shared = filling->n_shared <= SHARED_MIN + SHARED_PER_OWN * filling->n_own;

  filling->own_end = next ? MIN (end, next->start) : end;
  g_hash_table_remove_all (filling->calls);
  pen_line_book_begin (filling->book, piece->function, 0, piece->start);
  pen_source_lines_foreach (filling->lines, piece->start, with_shared ? end : filling->own_end,
                            take_line, filling);
}

static void
read_pieces (PenLinePass *self, PenSourceLines *lines, guint first, guint end)
{
  Filling filling
      = { .book = self->book, .lines = lines, .calls = g_hash_table_new (pen_direct_hash, NULL) };

  for (guint i = first; i < end && !g_cancellable_is_cancelled (self->cancellable); i++)
    read_piece (&filling, &g_array_index (self->pieces, Piece, i),
                i + 1 < end ? &g_array_index (self->pieces, Piece, i + 1) : NULL);
  g_hash_table_unref (filling.calls);
}

/* Returns: (nullable): of a kernel or a module, where it was */
static PenSourceLines *
open_placed (const File *file, guint64 *budget, gboolean *is_too_large, GCancellable *cancellable)
{
  g_autoptr (PenKernelFile) placed = pen_kernel_file_open (file->path, NULL);
  guint64 there = file->wanted.address;
  guint64 own = 0;

  if (!placed || pen_kernel_file_is_module (placed) != file->wanted.is_module)
    return NULL;
  /* Before its symbols are read. */
  *is_too_large = pen_source_lines_measure_kernel (placed) > *budget;
  if (*is_too_large)
    return NULL;
  if (!file->wanted.is_module) {
    own = pen_kernel_file_lookup (placed, file->wanted.symbol);
    if (own == 0)
      return NULL;
  }
  pen_kernel_file_place (placed, there - own);
  return pen_source_lines_open_kernel (placed, budget, is_too_large, cancellable);
}

static PenSourceLines *
open_lines (PenLinePass *self, File *file)
{
  guint64 no_limit = G_MAXUINT64;
  gboolean is_fetched;
  gboolean is_too_large = FALSE;
  PenSourceLines *lines;
  guint64 *budget;

  file->path = pen_debug_finder_find (self->finder, &file->wanted.file, &file->found, &is_fetched);
  if (!file->path)
    return NULL;

  budget = file->wanted.is_given || is_fetched ? &no_limit : &self->debug_left;
  lines = file->is_kernel ? open_placed (file, budget, &is_too_large, self->cancellable)
                          : pen_source_lines_open (file->path, NULL, 0, budget, &is_too_large,
                                                   self->cancellable);
  self->trouble.n_unread += is_too_large;
  return lines;
}

static void
note_failure (PenLinePass *self, PenSourceLines *lines)
{
  const char *failure = pen_source_lines_get_failure (lines);

  if (!failure)
    return;
  self->trouble.n_failed++;
  if (!self->trouble.failure)
    self->trouble.failure = g_strdup (failure);
}

static gpointer
read_files (gpointer data)
{
  PenLinePass *self = data;

  g_array_sort (self->pieces, compare_pieces);
  for (guint first = 0, end; first < self->pieces->len; first = end) {
    guint index = g_array_index (self->pieces, Piece, first).file;
    File *file = &g_array_index (self->files, File, index);
    g_autoptr (PenSourceLines) lines = open_lines (self, file);

    end = first + 1;
    while (end < self->pieces->len && g_array_index (self->pieces, Piece, end).file == index)
      end++;
    if (lines) {
      read_pieces (self, lines, first, end);
      file->has_lines = !pen_source_lines_get_failure (lines);
      note_failure (self, lines);
    }
  }
  return NULL;
}

static PenLinePass *
start (PenLinePass *self)
{
  if (self->pieces->len > 0)
    self->thread = g_thread_new ("lines", read_files, self);
  return self;
}

/* ---- user space ---- */

/* Returns: the index of the file whose functions have @name_file */
static guint
get_user_file (PenLinePass *self, GHashTable *indexes, guint32 name_file,
               const PenFoundSymbols *found)
{
  PenUserNames *names = self->sources->user_names;
  gpointer key = GUINT_TO_POINTER (name_file);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (indexes, key));
  File file = { .wanted.file = { .known = found->path } };

  if (known != 0)
    return known - 1;

  file.wanted.file.name = pen_user_names_get_occupant (names, name_file);
  file.wanted.file.build_id = found->build_id;
  file.wanted.file.length = found->build_id_length;
  g_array_append_val (self->files, file);
  g_hash_table_insert (indexes, key, GUINT_TO_POINTER (self->files->len));
  return self->files->len - 1;
}

PenLinePass *
pen_line_pass_start_user (PenFunctionTable *functions, PenLoadedSources *sources, const char *symfs,
                          gboolean all_lines, GCancellable *cancellable)
{
  PenLinePass *self = line_pass_new (functions, sources, symfs, all_lines, cancellable);
  g_autoptr (GHashTable) indexes = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = 0; i < pen_function_table_get_count (functions); i++) {
    const PenFunction *function = pen_function_table_get_function (functions, i);
    const PenFoundSymbols *found
        = function->name_file != 0 && function->length > 0
              ? pen_user_names_get_file (sources->user_names, function->name_file)
              : NULL;

    if (found)
      add_piece (self, get_user_file (self, indexes, function->name_file, found), i, function);
  }
  return start (self);
}

/* ---- the kernel ---- */

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = *(const PenTenure *const *) a;
  const PenTenure *y = *(const PenTenure *const *) b;

  return (x->start > y->start) - (x->start < y->start);
}

/* Returns: (element-type PenTenure): of the kernel and its modules, by address */
static GPtrArray *
list_tenures (PenHistory *history)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (tenures[i].space == PEN_SPACE_KERNEL && tenures[i].layer == PEN_LAYER_MAP
        && (tenures[i].kind == PEN_KIND_KERNEL || tenures[i].kind == PEN_KIND_MODULE))
      g_ptr_array_add (list, (gpointer) &tenures[i]);
  g_ptr_array_sort (list, compare_starts);
  return list;
}

/* One that held @function; those of one place came one after the other. */
static const PenTenure *
find_tenure (GPtrArray *tenures, const PenFunction *function)
{
  const PenTenure *const *sorted = (const PenTenure *const *) tenures->pdata;
  guint at = PEN_BINARY_SEARCH (i, 0, tenures->len, sorted[i]->start <= function->start);

  for (guint i = 0; i < MAX_NEIGHBOURS && at > 0; i++) {
    const PenTenure *tenure = sorted[--at];

    if (tenure->kind == function->kind && function->start < tenure->end
        && strcmp (tenure->occupant, function->occupant) == 0)
      return tenure;
  }
  return NULL;
}

/* Returns: FALSE where nothing can be known of it */
static gboolean
get_kernel_file (PenLinePass *self, GHashTable *indexes, const PenTenure *tenure, guint *index)
{
  gpointer key = tenure->kind == PEN_KIND_KERNEL ? NULL : (gpointer) tenure;
  gpointer known;
  File file = { .is_kernel = TRUE };

  if (g_hash_table_lookup_extended (indexes, key, NULL, &known)) {
    *index = GPOINTER_TO_UINT (known);
    return *index != G_MAXUINT;
  }

  if (self->files->len < MAX_FILES
      && pen_kernel_sources_describe_debug (self->sources->kernel, tenure, &file.wanted)) {
    *index = self->files->len;
    g_array_append_val (self->files, file);
  } else {
    *index = G_MAXUINT;
  }
  g_hash_table_insert (indexes, key, GUINT_TO_POINTER (*index));
  return *index != G_MAXUINT;
}

PenLinePass *
pen_line_pass_start_kernel (PenFunctionTable *functions, PenHistory *history,
                            PenLoadedSources *sources, const char *symfs, gboolean all_lines,
                            GCancellable *cancellable)
{
  PenLinePass *self = line_pass_new (functions, sources, symfs, all_lines, cancellable);
  g_autoptr (GHashTable) indexes = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GPtrArray) tenures = list_tenures (history);

  for (guint i = 0; i < pen_function_table_get_count (functions); i++) {
    const PenFunction *function = pen_function_table_get_function (functions, i);
    const PenTenure *tenure;
    guint index;

    if ((function->kind != PEN_KIND_KERNEL && function->kind != PEN_KIND_MODULE)
        || !function->symbol || function->length == 0)
      continue;
    tenure = find_tenure (tenures, function);
    if (tenure && get_kernel_file (self, indexes, tenure, &index))
      add_piece (self, index, i, function);
  }
  return start (self);
}

/* ---- the end ---- */

static void
join_thread (PenLinePass *self)
{
  if (self->thread)
    g_thread_join (g_steal_pointer (&self->thread));
}

void
pen_line_pass_wait (PenLinePass *self, PenLineBook *book, PenLineTrouble *trouble)
{
  join_thread (self);
  pen_line_book_append (book, g_steal_pointer (&self->book));
  trouble->n_unread += self->trouble.n_unread;
  trouble->n_failed += self->trouble.n_failed;
  if (!trouble->failure)
    trouble->failure = g_steal_pointer (&self->trouble.failure);
  for (guint i = 0; i < self->files->len; i++) {
    const File *file = &g_array_index (self->files, File, i);

    if (file->is_kernel && file->has_lines)
      pen_kernel_sources_note_lines (self->sources->kernel, &file->wanted, file->path, file->found);
  }
}

gboolean
pen_line_pass_write_files (PenLinePass *self, PenStoreWriter *writer, GError **error)
{
  GPtrArray *absent = pen_debug_finder_get_absent (self->finder);

  for (guint i = 0; i < self->files->len; i++) {
    const File *file = &g_array_index (self->files, File, i);

    if (!file->is_kernel && file->path && g_strcmp0 (file->path, file->wanted.file.known) != 0
        && !pen_found_file_write (file->path, writer, error))
      return FALSE;
  }
  for (guint i = 0; i < absent->len; i++)
    if (!pen_store_writer_add_absent_file (writer, g_ptr_array_index (absent, i), error))
      return FALSE;
  return TRUE;
}

void
pen_line_pass_free (PenLinePass *self)
{
  join_thread (self);
  pen_line_book_free (self->book);
  pen_debug_finder_free (self->finder);
  g_array_unref (self->pieces);
  g_array_unref (self->files);
  g_free (self->trouble.failure);
  g_free (self);
}

gboolean
pen_line_trouble_write (const PenLineTrouble *trouble, PenStoreWriter *writer, GError **error)
{
  return (trouble->n_unread == 0
          || pen_store_writer_set_fact_int (writer, "source_lines_unread", trouble->n_unread,
                                            error))
         && (!trouble->failure
             || (pen_store_writer_set_fact_int (writer, "source_lines_failed", trouble->n_failed,
                                                error)
                 && pen_store_writer_set_fact (writer, "source_lines_failure", trouble->failure,
                                               error)));
}
