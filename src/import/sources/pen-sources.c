/* pen-sources.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sources.h"

#include "pen-binary-search.h"
#include "pen-reason.h"
#include "pen-table-hash.h"

#include <string.h>

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

/* Takes @reason. */
static void
keep_problem (PenLoadedSources *self, const char *file, char *reason)
{
  PenSourceProblem *kept = g_new0 (PenSourceProblem, 1);

  kept->file = g_strdup (file);
  kept->reason = reason;
  g_mutex_lock (&self->problems_lock);
  g_ptr_array_add (self->problems, kept);
  g_mutex_unlock (&self->problems_lock);
}

/* Returns: TRUE if the import can go on. Takes @problem. */
static gboolean
note_problem (gpointer user_data, const char *file, gboolean is_given, GError *problem,
              GError **error)
{
  if (is_given || g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    pen_reason_phrase_error (problem);
    g_propagate_error (error, problem);
    return FALSE;
  }

  keep_problem (user_data, file,
                g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED)
                    ? pen_reason_new_with_error (PEN_REASON_ERROR_OF_ROOT, NULL, problem)
                    : pen_reason_new_from_error (problem));
  g_error_free (problem);
  return TRUE;
}

PenLoadedSources *
pen_loaded_sources_open (PenReader *reader, const PenSources *given, GCancellable *cancellable,
                         GError **error)
{
  static const PenSources none;
  g_autoptr (PenLoadedSources) self = g_new0 (PenLoadedSources, 1);

  if (!given)
    given = &none;

  g_mutex_init (&self->problems_lock);
  self->problems = g_ptr_array_new_with_free_func (problem_free);
  self->images = g_hash_table_new_full (pen_direct_hash, NULL, NULL, piece_free);
  self->bpf_tenures = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (given->debuginfod)
    self->debuginfod = pen_debuginfod_new (cancellable);
  self->user_names = pen_user_names_new (given->symfs, given->perf_map, self->debuginfod,
                                         given->kept, cancellable);
  self->recorder = pen_recorder_files_new (reader);
  self->kernel = pen_kernel_sources_new (pen_reader_get_kcore_dir (reader), self->recorder, given,
                                         pen_reader_get_features (reader), self->debuginfod,
                                         note_problem, self, cancellable, error);
  return self->kernel ? g_steal_pointer (&self) : NULL;
}

void
pen_loaded_sources_add_problem (PenLoadedSources *self, const char *file, const char *reason)
{
  keep_problem (self, file, g_strdup (reason));
}

void
pen_loaded_sources_note_debuginfod (PenLoadedSources *self)
{
  const char *problem = self->debuginfod ? pen_debuginfod_get_problem (self->debuginfod) : NULL;

  if (problem)
    keep_problem (self, "debuginfod", g_strdup (problem));
}

void
pen_loaded_sources_note_refused (PenLoadedSources *self)
{
  GPtrArray *paths = pen_user_names_get_refused (self->user_names);

  for (guint i = 0; i < paths->len; i++)
    pen_kernel_sources_add_refused (self->kernel, paths->pdata[i], PEN_REASON_PLACE_REFUSED);
}

void
pen_loaded_sources_free (PenLoadedSources *self)
{
  g_clear_pointer (&self->kernel, pen_kernel_sources_free);
  g_clear_pointer (&self->user_names, pen_user_names_free);
  g_clear_pointer (&self->recorder, pen_recorder_files_free);
  g_clear_pointer (&self->debuginfod, pen_debuginfod_free);
  g_ptr_array_unref (self->problems);
  g_hash_table_unref (self->images);
  g_array_unref (self->bpf_tenures);
  g_mutex_clear (&self->problems_lock);
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

/* A program's id tells for certain. Where its BPF_EVENT was not seen, the place tells if nothing
 * else ever stood there. Names and tags do not tell: they differ between the two records. */
static guint32
find_bpf_tenure (GPtrArray *sorted, const PenBpfProgram *program, const PenBpfFunction *function,
                 PenEvidence *evidence)
{
  const PenTenure *const *tenures = (const PenTenure *const *) sorted->pdata;
  guint first = PEN_BINARY_SEARCH (i, 0, sorted->len, tenures[i]->start < function->address);
  const PenTenure *candidate = NULL;
  guint at_address = 0;

  for (guint i = first; i < sorted->len; i++, at_address++) {
    const PenTenure *tenure = tenures[i];

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
  return candidate && at_address == 1 ? candidate->id : 0;
}

static void
add_image (PenLoadedSources *self, guint32 tenure, const PenBpfFunction *function,
           PenEvidence evidence)
{
  PenTextPiece *piece;

  if (!function->bytes || function->length == 0
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

  for (guint i = 0; features->bpf_programs && i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    for (guint k = 0; program->functions && k < program->functions->len; k++) {
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

  if (!image)
    return;

  from = MAX (start, image->start);
  to = MIN (end, image->start + g_bytes_get_size (image->bytes));
  if (from < to)
    g_ptr_array_add (
        pieces, new_piece (image, from,
                           g_bytes_new_from_bytes (image->bytes, from - image->start, to - from)));
}

GPtrArray *
pen_loaded_sources_read (PenLoadedSources *self, const PenTenure *tenure, guint64 start,
                         guint64 end)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func (piece_free);

  start = MAX (start, tenure->start);
  end = MIN (end, tenure->end);
  read_image (self, tenure, start, end, pieces);
  pen_kernel_sources_read (self->kernel, tenure, start, end, pieces);
  return pieces;
}
