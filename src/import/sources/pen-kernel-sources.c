/* pen-kernel-sources.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-sources.h"

#include "pen-kernel-sources-private.h"
#include "pen-reason.h"
#include "pen-table-hash.h"

/* ---- opening ---- */

PenSource *
pen_kernel_sources_add (PenKernelSources *self, const char *what, const char *found,
                        const char *path, PenEvidence evidence)
{
  PenSource *source = pen_source_new (what, found, path, evidence);

  g_rec_mutex_lock (&self->lock);
  g_ptr_array_add (self->list, source);
  g_rec_mutex_unlock (&self->lock);
  return source;
}

/* Takes @problem. */
static gboolean
note (PenKernelSources *self, PenSource *source, GError *problem, GError **error)
{
  pen_source_refuse (source, pen_reason_new_from_error (problem));
  /* Neither the capture's nor given: its refusal is shown, but is no problem of the capture. */
  if (!source->is_given && !source->is_captured) {
    g_error_free (problem);
    return TRUE;
  }
  return self->problem (self->user_data, source->path, source->is_given, problem, error);
}

gboolean
pen_kernel_sources_refuse (PenKernelSources *self, PenSource *source, GError **error,
                           const char *word, const char *first, const char *second,
                           const char *third)
{
  GError *problem = NULL;

  pen_reason_set_error (&problem, G_IO_ERROR_INVALID_DATA, word, source->path, first, second, third,
                        NULL);
  return note (self, source, problem, error);
}

static gboolean
add_given (PenKernelSources *self, const char *word, const char *what, GError **error)
{
  g_autoptr (PenSnapshotFile) file = pen_snapshot_file_parse (word, error);
  PenSource *source;

  if (!file)
    return FALSE;
  source = pen_kernel_sources_add (self, what, "given", file->path, PEN_EVIDENCE_FILE_UNCHECKED);
  source->is_given = TRUE;
  source->date = file->date;
  source->time = file->time;
  return TRUE;
}

static PenSource *
add_captured (PenKernelSources *self, const char *what, const char *found, const char *path)
{
  PenSource *source = pen_kernel_sources_add (self, what, found, path, PEN_EVIDENCE_FILE);

  source->is_captured = TRUE;
  source->date = PEN_SNAPSHOT_START;
  return source;
}

/* @name: in kcore_dir; a snapshot of the recorder has the same, made later */
static gboolean
add_copies (PenKernelSources *self, const PenRecorderFiles *recorder, const char *kcore_dir,
            const char *const *given, const char *name, GError **error)
{
  g_autofree char *own = kcore_dir ? g_build_filename (kcore_dir, name, NULL) : NULL;
  g_autofree char *start = pen_recorder_files_find (recorder, "start", name);
  g_autofree char *end = pen_recorder_files_find (recorder, "end", name);

  if (own && g_file_test (own, G_FILE_TEST_EXISTS))
    add_captured (self, name, "kcore_dir", own);
  else if (start)
    add_captured (self, name, "recorder", start);
  if (end) {
    PenSource *source = add_captured (self, name, "recorder", end);

    source->date = pen_recorder_files_date (recorder, TRUE, &source->time);
  }
  for (; given && *given; given++)
    if (!add_given (self, *given, name, error))
      return FALSE;
  return TRUE;
}

/* A list that someone gave and that shows none would say of all that they had gone. */
static void
load_modules (PenSource *source, GError **error)
{
  source->is_folder = g_file_test (source->path, G_FILE_TEST_IS_DIR);
  source->modules = source->is_folder ? pen_module_folder_load (source->path, error)
                                      : pen_modules_load (source->path, error);
  if (!source->modules || source->modules->len > 0 || !source->is_given)
    return;
  pen_reason_set_error (error, G_IO_ERROR_INVALID_DATA,
                        source->is_folder ? PEN_REASON_NO_SECTIONS : PEN_REASON_NO_MODULES,
                        source->path, NULL);
}

/* Places and build IDs, beside the lists of modules. */
static void
add_sections (PenKernelSources *self, const PenRecorderFiles *recorder)
{
  static const char *const moments[] = { "start", NULL, "end" };

  for (guint i = 0; i < G_N_ELEMENTS (moments); i++) {
    const char *name = moments[i] ? "sections" : "loads";
    g_autofree char *path = pen_recorder_files_find (recorder, moments[i], name);
    PenSource *source;

    if (!path)
      continue;
    source = add_captured (self, name, "recorder", path);
    source->is_folder = TRUE;
    if (moments[i])
      source->date = pen_recorder_files_date (recorder, i > 0, &source->time);
    else if (recorder->is_dated)
      source->date = PEN_SNAPSHOT_TIME;
  }
}

/* Names of the end are read where modules were others than at the start. */
static gboolean
has_new_modules (PenKernelSources *self)
{
  const PenSource *lists[2] = { NULL, NULL };
  guint n = 0;

  for (guint i = 0; i < self->list->len && n < 2; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    if (source->is_captured && source->modules && !source->is_folder)
      lists[n++] = source;
  }
  if (n < 2 || lists[0]->modules->len != lists[1]->modules->len)
    return TRUE;
  for (guint i = 0; i < lists[0]->modules->len; i++) {
    const PenModule *first = &g_array_index (lists[0]->modules, PenModule, i);
    const PenModule *last = &g_array_index (lists[1]->modules, PenModule, i);

    if (first->start != last->start || !g_str_equal (first->name, last->name))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_needless (const PenSource *source)
{
  return source->is_captured && source->date != PEN_SNAPSHOT_START
         && g_str_equal (source->what, "kallsyms");
}

static void
drop_needless_names (PenKernelSources *self)
{
  if (has_new_modules (self))
    return;
  for (guint i = self->list->len; i-- > 0;)
    if (is_needless (g_ptr_array_index (self->list, i)))
      g_ptr_array_remove_index (self->list, i);
}

static gboolean
open_copies (PenKernelSources *self, GError **error)
{
  for (guint i = 0; i < self->list->len; i++) {
    PenSource *source = g_ptr_array_index (self->list, i);
    GError *problem = NULL;

    if (g_str_equal (source->what, "kcore")) {
      source->kcore = pen_kcore_open (source->path, &problem);
    } else if (g_str_equal (source->what, "modules")) {
      load_modules (source, &problem);
    } else if (source->is_folder) {
      g_autofree char *folder = g_path_get_dirname (source->path);
      g_autofree char *notes = g_build_filename (folder, "notes", NULL);

      source->modules = pen_module_sections_load (
          source->path, g_str_equal (source->what, "sections") ? notes : NULL, &problem);
    } else if (g_str_equal (source->what, "vmlinux")) {
      source->file = pen_kernel_file_open (source->path, &problem);
    }
    if (problem && !note (self, source, problem, error))
      return FALSE;
  }
  return TRUE;
}

/* In a thread of its own: errors are kept until someone waits. */
static gpointer
load_kallsyms (gpointer data)
{
  PenKernelSources *self = data;
  GPtrArray *errors = g_ptr_array_new ();

  for (guint i = 0; i < self->n_opened; i++) {
    PenSource *source = g_ptr_array_index (self->list, i);
    GError *error = NULL;

    if (g_str_equal (source->what, "kallsyms"))
      source->kallsyms = pen_kept_names_load (self->kept, source->path, self->cancellable, &error);
    g_ptr_array_add (errors, error);
  }
  return errors;
}

PenKernelSources *
pen_kernel_sources_new (const char *kcore_dir, const PenRecorderFiles *recorder,
                        const PenSources *given, const PenFeatures *features,
                        PenDebuginfod *debuginfod, PenProblemFunc problem, gpointer user_data,
                        GCancellable *cancellable, GError **error)
{
  g_autoptr (PenKernelSources) self = g_new0 (PenKernelSources, 1);

  g_rec_mutex_init (&self->lock);
  self->list = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_source_free);
  self->module_files = g_hash_table_new (pen_direct_hash, NULL);
  self->symfs = g_strdup (given->symfs);
  self->kept = given->kept;
  self->debuginfod = debuginfod;
  self->problem = problem;
  self->user_data = user_data;
  g_set_object (&self->cancellable, cancellable);

  if (!add_copies (self, recorder, kcore_dir, given->kallsyms, "kallsyms", error)
      || !add_copies (self, recorder, kcore_dir, given->kcore, "kcore", error)
      || !add_copies (self, recorder, kcore_dir, given->modules, "modules", error))
    return NULL;
  add_sections (self, recorder);
  if (given->vmlinux)
    pen_kernel_sources_add (self, "vmlinux", "given", given->vmlinux, PEN_EVIDENCE_FILE_UNCHECKED)
        ->is_given
        = TRUE;
  self->has_given_kallsyms = given->kallsyms && *given->kallsyms;
  if (!open_copies (self, error))
    return NULL;
  drop_needless_names (self);

  self->n_opened = self->list->len;
  self->loader = g_thread_new ("kallsyms", load_kallsyms, self);
  pen_kernel_sources_expect_own (self, features);
  return g_steal_pointer (&self);
}

static void
join_loader (PenKernelSources *self)
{
  g_autoptr (GPtrArray) errors = NULL;

  if (!self->loader)
    return;

  errors = g_thread_join (g_steal_pointer (&self->loader));
  for (guint i = 0; i < errors->len; i++) {
    GError *problem = g_ptr_array_index (errors, i);

    if (problem)
      note (self, g_ptr_array_index (self->list, i), problem, !self->error ? &self->error : NULL);
  }
}

void
pen_kernel_sources_free (PenKernelSources *self)
{
  join_loader (self);
  pen_kallsyms_free (pen_kernel_sources_take_own (self, NULL));
  g_clear_pointer (&self->addresses, g_hash_table_unref);
  g_free (self->boot);
  g_clear_pointer (&self->finder, pen_kernel_finder_free);
  g_clear_pointer (&self->facts, pen_kernel_facts_free);
  g_hash_table_unref (self->module_files);
  g_ptr_array_unref (self->list);
  g_clear_error (&self->error);
  g_clear_object (&self->cancellable);
  g_rec_mutex_clear (&self->lock);
  g_free (self->symfs);
  g_free (self);
}

static gboolean
is_of_boot (PenKallsyms *kallsyms, const char *symbol, guint64 address)
{
  guint64 own = address != 0 ? pen_kallsyms_lookup (kallsyms, symbol) : 0;

  return own == 0 || own == address;
}

/* When each was made, now that the recorded time is known. */
static void
date_sources (PenKernelSources *self, guint64 first, guint64 last)
{
  for (guint i = 0; i < self->n_opened; i++) {
    PenSource *source = g_ptr_array_index (self->list, i);
    const PenSnapshotFile file = { .date = source->date, .time = source->time };

    source->time = pen_snapshot_file_get_time (&file, first, last);
    if (source->date == PEN_SNAPSHOT_PORTION)
      source->date = PEN_SNAPSHOT_TIME;
  }
}

static gboolean
wait_for_kallsyms (PenKernelSources *self, GError **error)
{
  g_rec_mutex_lock (&self->lock);
  join_loader (self);
  g_rec_mutex_unlock (&self->lock);
  if (self->error)
    g_propagate_error (error, g_error_copy (self->error));
  return !self->error;
}

/* Each was seen at a time of its own. */
static gboolean
tell_loads (const PenSource *source, PenModuleList list, guint64 first, guint64 last,
            PenModulesFunc func, gpointer user_data)
{
  gboolean is_told = FALSE;

  for (guint i = 0; i < source->modules->len; i++) {
    const PenModule *module = &g_array_index (source->modules, PenModule, i);
    g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (PenModule));

    if (source->date != PEN_SNAPSHOT_TIME || module->time < first || module->time > last)
      continue;
    g_array_append_val (one, *module);
    list.modules = one;
    list.time = module->time;
    is_told |= func (&list, source->path, user_data);
  }
  return is_told;
}

gboolean
pen_kernel_sources_foreach_modules (PenKernelSources *self, const char *symbol, guint64 address,
                                    guint64 first, guint64 last, PenModulesFunc func,
                                    gpointer user_data, GError **error)
{
  if (self->has_given_kallsyms && !wait_for_kallsyms (self, error))
    return FALSE;

  date_sources (self, first, last);
  for (guint i = 0; i < self->n_opened; i++) {
    PenSource *source = g_ptr_array_index (self->list, i);
    PenModuleList list = {
      .date = source->date,
      .time = source->time,
      .is_rough = source->is_folder || g_str_equal (source->what, "kallsyms"),
      .evidence = source->evidence,
    };

    if (source->is_given && self->has_given_kallsyms && source->kallsyms
        && is_of_boot (source->kallsyms, symbol, address))
      source->modules = pen_kallsyms_list_modules (source->kallsyms);
    list.modules = source->modules;
    if (source->modules
        && (g_str_equal (source->what, "loads")
                ? tell_loads (source, list, first, last, func, user_data)
                : func (&list, source->path, user_data)))
      source->gives |= PEN_SOURCE_MODULES;
  }
  return TRUE;
}

typedef struct {
  PenSource *source;
  PenRegisteredFunc func;
  gpointer user_data;
} Registered;

static void
tell_registered (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  const Registered *registered = user_data;
  gboolean is_program = g_str_equal (occupant, "[bpf]")
                        && !g_str_has_prefix (symbol->name, "bpf_trampoline_")
                        && !g_str_has_prefix (symbol->name, "bpf_dispatcher_");

  registered->source->gives |= PEN_SOURCE_NAMES;
  registered->func (
      symbol->name, is_program ? PEN_KIND_BPF : PEN_KIND_STUB, symbol->start, symbol->end,
      registered->source->is_given ? PEN_EVIDENCE_FILE_UNCHECKED : PEN_EVIDENCE_RECORDED,
      registered->user_data);
}

gboolean
pen_kernel_sources_foreach_registered (PenKernelSources *self, const char *symbol, guint64 address,
                                       PenRegisteredFunc func, gpointer user_data, GError **error)
{
  if (!wait_for_kallsyms (self, error))
    return FALSE;

  for (guint i = 0; i < self->n_opened; i++) {
    Registered registered = { g_ptr_array_index (self->list, i), func, user_data };
    PenKallsyms *kallsyms = registered.source->kallsyms;

    if (kallsyms && registered.source->date == PEN_SNAPSHOT_START
        && is_of_boot (kallsyms, symbol, address))
      pen_kallsyms_foreach_registered (kallsyms, tell_registered, &registered);
  }
  return TRUE;
}

void
pen_kernel_sources_set_facts (PenKernelSources *self, PenKernelFacts *facts)
{
  g_rec_mutex_lock (&self->lock);
  self->facts = facts;
  self->finder = pen_kernel_finder_new (self->symfs, facts->release, self->debuginfod);
  g_rec_mutex_unlock (&self->lock);
}

const PenKernelFacts *
pen_kernel_sources_get_facts (PenKernelSources *self)
{
  return self->facts;
}

/* ---- until all is checked ---- */

static gboolean
settle (PenKernelSources *self, GError **error)
{
  for (guint i = 0; i < self->n_opened; i++) {
    PenSource *source = g_ptr_array_index (self->list, i);

    if (source->kallsyms && !pen_kernel_sources_check_kallsyms (self, source, error))
      return FALSE;
    if (source->file && !pen_kernel_sources_check_given_kernel (self, source, error))
      return FALSE;
  }
  pen_kernel_sources_look_for_copies (self);
  self->has_kernel_names = pen_kernel_sources_has_copy (self, "kallsyms");
  return TRUE;
}

gboolean
pen_kernel_sources_wait (PenKernelSources *self, GError **error)
{
  gboolean is_ok;

  g_rec_mutex_lock (&self->lock);
  join_loader (self);
  if (!self->error && self->facts && !self->is_settled) {
    self->is_settled = TRUE;
    settle (self, &self->error);
  }
  is_ok = !self->error;
  if (!is_ok)
    g_propagate_error (error, g_error_copy (self->error));
  g_rec_mutex_unlock (&self->lock);
  return is_ok;
}

/* ---- bytes ---- */

gboolean
pen_kernel_sources_holds_kernel (PenKernelSources *self, PenKcore *kcore)
{
  const PenKernelFacts *facts = self->facts;

  return facts->text_start >= facts->text_end
         || pen_kcore_overlaps (kcore, facts->text_start, facts->text_end);
}

/* Returns: FALSE with @error: nothing goes on */
static gboolean
check_kcore (PenKernelSources *self, PenSource *source, GError **error)
{
  g_autofree char *places = NULL;
  g_autofree char *others = NULL;
  guint agreed;
  guint asked;

  if (!source->dated && !pen_kernel_sources_holds_kernel (self, source->kcore)) {
    g_autofree char *start = g_strdup_printf ("%" G_GINT64_MODIFIER "x", self->facts->text_start);

    return pen_kernel_sources_refuse (self, source, error, PEN_REASON_NO_KERNEL_TEXT, start, NULL,
                                      NULL);
  }

  if (source->dated)
    pen_dated_kcore_compare (source->dated, &agreed, &asked);
  else
    pen_kernel_sources_compare_kcore (source->kcore, self->history, &agreed, &asked);
  if (asked > 0 && agreed == asked)
    source->evidence = PEN_EVIDENCE_FILE;
  if (agreed * 2 >= asked)
    return TRUE;
  places = g_strdup_printf ("%u", asked);
  others = g_strdup_printf ("%u", asked - agreed);
  return pen_kernel_sources_refuse (self, source, error, PEN_REASON_OTHER_BYTES, places, others,
                                    NULL);
}

gboolean
pen_kernel_sources_check_kcores (PenKernelSources *self, PenHistory *history, guint64 first,
                                 guint64 last, GError **error)
{
  self->history = history;
  for (guint i = 0; i < self->list->len; i++) {
    PenSource *source = g_ptr_array_index (self->list, i);
    PenSnapshotFile file = { source->path, source->date, source->time };

    if (!source->kcore || source->evidence == PEN_EVIDENCE_FILE)
      continue;
    if (source->date != PEN_SNAPSHOT_UNDATED && source->date != PEN_SNAPSHOT_START)
      source->dated = pen_dated_kcore_new (
          source->kcore, pen_snapshot_file_get_time (&file, first, last), history);
    if (!check_kcore (self, source, error))
      return FALSE;
  }
  return TRUE;
}

void
pen_kernel_sources_read (PenKernelSources *self, const PenTenure *tenure, guint64 start,
                         guint64 end, GPtrArray *pieces)
{
  guint64 missing;
  PenSource *source;

  for (guint is_dated = 0; is_dated < 2; is_dated++)
    for (guint i = 0; i < self->list->len; i++) {
      source = g_ptr_array_index (self->list, i);
      if (source->kcore && (source->dated != NULL) == (gboolean) is_dated
          && (is_dated || tenure->from_bound == PEN_BOUND_INITIAL)
          && pen_kernel_sources_read_kcore (self, source, tenure, start, end, pieces))
        source->gives |= PEN_SOURCE_BYTES;
    }

  missing = pen_kernel_sources_count_missing (pieces, start, end);
  source = missing > 0 ? pen_kernel_sources_get_file (self, tenure) : NULL;
  if (source && pen_kernel_sources_read_file (self, source, tenure, start, end, pieces))
    source->gives |= PEN_SOURCE_BYTES;
}

/* ---- sites ---- */

gboolean
pen_kernel_sources_find_site (PenKernelSources *self, const PenTenure *tenure, guint64 address,
                              PenTextSite *site)
{
  PenSource *source = pen_kernel_sources_get_file (self, tenure);

  if (!source)
    return FALSE;
  if (!source->sites)
    source->sites = pen_text_sites_new (source->file);
  if (!pen_text_sites_find (source->sites, address, site))
    return FALSE;
  source->gives |= PEN_SOURCE_SITES;
  return TRUE;
}

/* ---- what the store keeps of it ---- */

const char *
pen_kernel_sources_get_path (PenKernelSources *self, const char *what)
{
  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    if (!source->refused && g_str_equal (source->what, what))
      return source->path;
  }
  return NULL;
}

guint64
pen_kernel_sources_get_skipped (PenKernelSources *self)
{
  guint64 skipped = 0;

  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    if (source->kallsyms)
      skipped += pen_kallsyms_get_skipped (source->kallsyms);
  }
  return skipped;
}

void
pen_kernel_sources_add_refused (PenKernelSources *self, const char *path, const char *reason)
{
  pen_source_refuse (pen_kernel_sources_add (self, "file", "path", path, PEN_EVIDENCE_UNKNOWN),
                     g_strdup (reason));
}

static void
add_refused (PenKernelSources *self)
{
  GPtrArray *refused = self->finder ? pen_kernel_finder_get_refused (self->finder) : NULL;

  for (guint i = 0; refused && i < refused->len; i++) {
    const PenRefusedFile *file = g_ptr_array_index (refused, i);

    pen_kernel_sources_add_refused (self, file->path, file->reason);
  }
}

gboolean
pen_kernel_sources_write (PenKernelSources *self, PenStoreWriter *writer, GError **error)
{
  add_refused (self);
  for (guint i = 0; i < self->list->len; i++)
    if (!pen_source_write (g_ptr_array_index (self->list, i), i + 1, writer, error))
      return FALSE;
  return TRUE;
}
