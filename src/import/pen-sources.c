/* pen-sources.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sources.h"

#include <string.h>

#define PAGE 4096u
/* No function and no chain is longer. */
#define MAX_READ (1u << 20)

static void
problem_free (gpointer data)
{
  PenSourceProblem *problem = data;

  g_free (problem->file);
  g_free (problem->reason);
  g_free (problem);
}

static void
piece_free (gpointer data)
{
  PenTextPiece *piece = data;

  g_bytes_unref (piece->bytes);
  g_free (piece);
}

/* Returns: TRUE if the import can go on. Takes @problem. */
static gboolean
note_problem (PenLoadedSources *self, const char *file, gboolean is_given, GError *problem,
              GError **error)
{
  PenSourceProblem *kept;

  if (is_given || g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (error, problem);
    return FALSE;
  }

  kept = g_new0 (PenSourceProblem, 1);
  kept->file = g_strdup (file);
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    kept->reason
        = g_strdup_printf ("%s. If the recorder ran as root: sudo chown -R \"$USER\" on the "
                           "capture's directory",
                           problem->message);
  else
    kept->reason = g_strdup (problem->message);
  g_ptr_array_add (self->problems, kept);
  g_error_free (problem);

  return TRUE;
}

static char *
choose_path (const char *kcore_dir, const char *given, const char *name)
{
  g_autofree char *path = NULL;

  if (given != NULL)
    return g_strdup (given);
  if (kcore_dir == NULL)
    return NULL;

  path = g_build_filename (kcore_dir, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

typedef struct {
  PenKallsyms *kallsyms;
  GError *error;
} Loaded;

static gpointer
load_kallsyms (gpointer data)
{
  PenLoadedSources *self = data;
  Loaded *loaded = g_new0 (Loaded, 1);

  loaded->kallsyms = pen_kallsyms_load (self->kallsyms_path, self->cancellable, &loaded->error);

  return loaded;
}

static gboolean
open_kcore (PenLoadedSources *self, gboolean is_given, GError **error)
{
  GError *problem = NULL;

  if (self->kcore_path == NULL)
    return TRUE;

  self->kcore = pen_kcore_open (self->kcore_path, &problem);
  self->kcore_is_captured = !is_given;

  return self->kcore != NULL || note_problem (self, self->kcore_path, is_given, problem, error);
}

static gboolean
load_modules (PenLoadedSources *self, gboolean is_given, GError **error)
{
  GError *problem = NULL;

  if (self->modules_path == NULL)
    return TRUE;

  self->modules = pen_modules_load (self->modules_path, &problem);

  return self->modules != NULL || note_problem (self, self->modules_path, is_given, problem, error);
}

PenLoadedSources *
pen_loaded_sources_open (const char *kcore_dir, const PenSources *given, GCancellable *cancellable,
                         GError **error)
{
  static const PenSources none;
  g_autoptr (PenLoadedSources) self = g_new0 (PenLoadedSources, 1);

  if (given == NULL)
    given = &none;

  g_mutex_init (&self->kallsyms_lock);
  self->problems = g_ptr_array_new_with_free_func (problem_free);
  self->images = g_hash_table_new_full (NULL, NULL, NULL, piece_free);
  self->bpf_tenures = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_set_object (&self->cancellable, cancellable);
  self->kallsyms_path = choose_path (kcore_dir, given->kallsyms, "kallsyms");
  self->kcore_path = choose_path (kcore_dir, given->kcore, "kcore");
  self->modules_path = choose_path (kcore_dir, given->modules, "modules");
  self->kallsyms_is_given = given->kallsyms != NULL;
  self->user_names = pen_user_names_new (given->symfs);

  if (!open_kcore (self, given->kcore != NULL, error)
      || !load_modules (self, given->modules != NULL, error))
    return NULL;

  if (self->kallsyms_path != NULL)
    self->kallsyms_loader = g_thread_new ("kallsyms", load_kallsyms, self);

  return g_steal_pointer (&self);
}

static void
take_kallsyms (PenLoadedSources *self)
{
  g_autofree Loaded *loaded = g_thread_join (g_steal_pointer (&self->kallsyms_loader));

  self->kallsyms = loaded->kallsyms;
  if (self->kallsyms == NULL)
    note_problem (self, self->kallsyms_path, self->kallsyms_is_given, loaded->error,
                  &self->kallsyms_error);
}

gboolean
pen_loaded_sources_wait (PenLoadedSources *self, GError **error)
{
  gboolean is_ok;

  g_mutex_lock (&self->kallsyms_lock);
  if (self->kallsyms_loader != NULL)
    take_kallsyms (self);
  is_ok = self->kallsyms_error == NULL;
  if (!is_ok)
    g_propagate_error (error, g_error_copy (self->kallsyms_error));
  g_mutex_unlock (&self->kallsyms_lock);

  return is_ok;
}

void
pen_loaded_sources_free (PenLoadedSources *self)
{
  if (self == NULL)
    return;

  pen_loaded_sources_wait (self, NULL);
  g_clear_pointer (&self->kallsyms, pen_kallsyms_free);
  g_clear_error (&self->kallsyms_error);
  g_mutex_clear (&self->kallsyms_lock);
  g_clear_pointer (&self->kcore, pen_kcore_free);
  g_clear_pointer (&self->user_names, pen_user_names_free);
  g_clear_pointer (&self->modules, g_array_unref);
  g_ptr_array_unref (self->problems);
  g_hash_table_unref (self->images);
  g_array_unref (self->bpf_tenures);
  g_clear_object (&self->cancellable);
  g_free (self->kallsyms_path);
  g_free (self->kcore_path);
  g_free (self->modules_path);
  g_free (self);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = *(const PenTenure *const *) a;
  const PenTenure *y = *(const PenTenure *const *) b;

  return (x->start > y->start) - (x->start < y->start);
}

/* Returns: (element-type PenTenure): those of ksymbols, by start */
static GPtrArray *
sort_ksymbols (PenHistory *history)
{
  GPtrArray *sorted = g_ptr_array_new ();
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; i < n; i++)
    if (tenures[i].layer == PEN_LAYER_KSYMBOL)
      g_ptr_array_add (sorted, (gpointer) &tenures[i]);

  g_ptr_array_sort (sorted, compare_starts);

  return sorted;
}

static guint
find_first_at (GPtrArray *sorted, guint64 start)
{
  guint low = 0;
  guint high = sorted->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (((const PenTenure *) g_ptr_array_index (sorted, middle))->start < start)
      low = middle + 1;
    else
      high = middle;
  }

  return low;
}

/* A program's id tells for certain. Where its BPF_EVENT was not seen, the place tells if nothing
 * else ever stood there. Names and tags do not tell: they differ between the two records. */
static guint32
find_bpf_tenure (GPtrArray *sorted, const PenBpfProgram *program, const PenBpfFunction *function,
                 PenEvidence *evidence)
{
  const PenTenure *candidate = NULL;
  guint at_address = 0;

  for (guint i = find_first_at (sorted, function->address); i < sorted->len; i++, at_address++) {
    const PenTenure *tenure = g_ptr_array_index (sorted, i);

    if (tenure->start != function->address)
      break;
    if (tenure->kind != PEN_KIND_BPF || tenure->end - tenure->start != function->length)
      continue;
    if (program->id != 0 && tenure->bpf_id == program->id) {
      *evidence = PEN_EVIDENCE_RECORDED;
      return tenure->id;
    }
    if (tenure->bpf_id == 0)
      candidate = tenure;
  }

  *evidence = PEN_EVIDENCE_INFERRED;

  return candidate != NULL && at_address == 1 ? candidate->id : 0;
}

static void
add_image (PenLoadedSources *self, guint32 tenure, const PenBpfFunction *function,
           PenEvidence evidence)
{
  PenTextPiece *piece;

  if (function->bytes == NULL || function->length == 0
      || g_hash_table_contains (self->images, GUINT_TO_POINTER (tenure)))
    return;

  piece = g_new0 (PenTextPiece, 1);
  piece->tenure = tenure;
  piece->start = function->address;
  piece->bytes = g_bytes_new (function->bytes, function->length);
  piece->evidence = evidence;
  piece->source = "BPF image";
  g_hash_table_insert (self->images, GUINT_TO_POINTER (tenure), piece);
}

void
pen_loaded_sources_join_images (PenLoadedSources *self, const PenFeatures *features,
                                PenHistory *history)
{
  g_autoptr (GPtrArray) sorted = sort_ksymbols (history);

  for (guint i = 0; features->bpf_programs != NULL && i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    for (guint k = 0; program->functions != NULL && k < program->functions->len; k++) {
      const PenBpfFunction *function = &g_array_index (program->functions, PenBpfFunction, k);
      PenEvidence evidence;
      guint32 tenure = find_bpf_tenure (sorted, program, function, &evidence);

      g_array_append_val (self->bpf_tenures, tenure);
      if (tenure != 0)
        add_image (self, tenure, function, evidence);
    }
  }
}

static PenTextPiece *
new_piece (const PenTextPiece *like, guint64 start, GBytes *bytes)
{
  PenTextPiece *piece = g_memdup2 (like, sizeof *like);

  piece->start = start;
  piece->bytes = bytes;

  return piece;
}

static void
read_image (PenLoadedSources *self, const PenTenure *tenure, guint64 start, guint64 end,
            GPtrArray *pieces)
{
  const PenTextPiece *image = g_hash_table_lookup (self->images, GUINT_TO_POINTER (tenure->id));
  guint64 from;
  guint64 to;

  if (image == NULL)
    return;

  from = MAX (start, image->start);
  to = MIN (end, image->start + g_bytes_get_size (image->bytes));
  if (from < to)
    g_ptr_array_add (
        pieces, new_piece (image, from,
                           g_bytes_new_from_bytes (image->bytes, from - image->start, to - from)));
}

/* A kcore may have holes: what it has between them is taken page by page. */
static void
read_kcore (PenLoadedSources *self, const PenTenure *tenure, guint64 start, guint64 end,
            GPtrArray *pieces)
{
  const PenTextPiece like = {
    .tenure = tenure->id,
    .evidence = self->kcore_is_captured ? PEN_EVIDENCE_FILE : PEN_EVIDENCE_FILE_UNCHECKED,
    .source = "kcore",
  };
  g_autofree guint8 *buffer = NULL;

  if (self->kcore == NULL || tenure->from_bound != PEN_BOUND_INITIAL || start >= end)
    return;

  end = MIN (end, start + MAX_READ);
  buffer = g_malloc (end - start);
  while (start < end) {
    gsize n = pen_kcore_read (self->kcore, start, buffer, end - start);

    if (n > 0)
      g_ptr_array_add (pieces, new_piece (&like, start, g_bytes_new (buffer, n)));
    start += n;
    if (start < end)
      start = MIN (end, (start | (PAGE - 1)) + 1);
  }
}

GPtrArray *
pen_loaded_sources_read (PenLoadedSources *self, const PenTenure *tenure, guint64 start,
                         guint64 end)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func (piece_free);

  start = MAX (start, tenure->start);
  end = MIN (end, tenure->end);
  read_kcore (self, tenure, start, end, pieces);
  read_image (self, tenure, start, end, pieces);

  return pieces;
}
