/* pen-kernel-copies.c: is a file of the recorded kernel, and which copies of it others keep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-sources-private.h"

#include <sys/utsname.h>

#include "pen-build-id.h"
#include "pen-map-name.h"
#include "pen-reason.h"

#define PAGE 4096u

/* Files of the kernel that runs on this machine. */
#define OWN_NOTES "/sys/kernel/notes"
#define OWN_KALLSYMS "/proc/kallsyms"
#define OWN_KCORE "/proc/kcore"

/* ---- checking ---- */

/* Recorders let the map of the kernel end with its text, newer ones with its data, and some where
 * the first module begins, or with the address space. */
static gboolean
has_length_of_capture (PenKernelSources *self, PenKallsyms *kallsyms)
{
  guint64 length = self->facts->text_end - self->facts->text_start;
  guint64 start = pen_kallsyms_lookup (kallsyms, self->facts->symbol);
  guint64 text_end = pen_kallsyms_lookup (kallsyms, "_etext");
  guint64 data_end = pen_kallsyms_lookup (kallsyms, "_edata");
  guint64 end = pen_kallsyms_lookup (kallsyms, "_end");

  if (length == 0 || text_end <= start || text_end - start == length
      || (data_end > start && data_end - start == length))
    return TRUE;
  return end > start ? length >= end - start : length / 5 * 4 > text_end - start;
}

gboolean
pen_kernel_sources_check_kallsyms (PenKernelSources *self, PenSource *source, GError **error)
{
  const PenKernelFacts *facts = self->facts;
  guint64 own
      = facts->symbol_address != 0 ? pen_kallsyms_lookup (source->kallsyms, facts->symbol) : 0;

  if (own == 0 || (own == facts->symbol_address && !source->is_given))
    return TRUE;

  if ((facts->symbol_address - own) % PAGE != 0) {
    g_autofree char *there = g_strdup_printf ("%" G_GINT64_MODIFIER "x", own);
    g_autofree char *then = g_strdup_printf ("%" G_GINT64_MODIFIER "x", facts->symbol_address);

    return pen_kernel_sources_refuse (self, source, error, PEN_REASON_OTHER_ADDRESS, facts->symbol,
                                      there, then);
  }
  if (!has_length_of_capture (self, source->kallsyms))
    return pen_kernel_sources_refuse (self, source, error, PEN_REASON_OTHER_LENGTH, NULL, NULL,
                                      NULL);
  if (own == facts->symbol_address)
    return TRUE;

  source->moved = facts->symbol_address - own;
  pen_kallsyms_move (source->kallsyms, source->moved);
  return TRUE;
}

/* The same for a vmlinux: by its build-id, which says all. */
gboolean
pen_kernel_sources_check_given_kernel (PenKernelSources *self, PenSource *source, GError **error)
{
  const PenKernelFacts *facts = self->facts;
  guint length;
  const guint8 *own = pen_kernel_file_get_build_id (source->file, &length);
  g_autofree char *own_digits = pen_build_id_to_string (own, length);
  g_autofree char *digits = pen_build_id_to_string (facts->build_id, facts->build_id_length);

  if (pen_kernel_file_is_module (source->file))
    return pen_kernel_sources_refuse (self, source, error, PEN_REASON_IS_MODULE, NULL, NULL, NULL);
  if (facts->build_id_length == 0)
    return TRUE;
  if (pen_build_id_is_same (own, length, facts->build_id, facts->build_id_length)) {
    source->evidence = PEN_EVIDENCE_FILE;
    return TRUE;
  }
  if (length == 0)
    return pen_kernel_sources_refuse (self, source, error, PEN_REASON_KERNEL_WITHOUT_BUILD_ID,
                                      digits, NULL, NULL);
  return pen_kernel_sources_refuse (self, source, error, PEN_REASON_OTHER_KERNEL, own_digits,
                                    digits, NULL);
}

/* ---- copies that others keep ---- */

/* Is @directory's snapshot of this very boot? */
static gboolean
take_snapshot (PenKernelSources *self, const char *directory)
{
  g_autofree char *names = g_build_filename (directory, "kallsyms", NULL);
  g_autofree char *bytes = g_build_filename (directory, "kcore", NULL);
  g_autoptr (PenKallsyms) kallsyms
      = pen_kept_names_load (self->kept, names, self->cancellable, NULL);
  PenSource *source;

  if (!kallsyms || self->facts->symbol_address == 0
      || pen_kallsyms_lookup (kallsyms, self->facts->symbol) != self->facts->symbol_address)
    return FALSE;

  source = pen_kernel_sources_add (self, "kallsyms", "perf's cache", names, PEN_EVIDENCE_FILE);
  source->kallsyms = g_steal_pointer (&kallsyms);
  source
      = pen_kernel_sources_add (self, "kcore", "perf's cache", bytes, PEN_EVIDENCE_FILE_UNCHECKED);
  source->kcore = pen_kcore_open (bytes, NULL);
  if (!source->kcore)
    pen_source_refuse (source, pen_reason_new (PEN_REASON_UNREADABLE, NULL));
  return TRUE;
}

/* @kallsyms: (transfer full) (nullable): read from @path; NULL: it could not be, for @problem */
static void
add_kallsyms (PenKernelSources *self, const char *found, const char *path, PenEvidence evidence,
              PenKallsyms *kallsyms, const GError *problem)
{
  PenSource *source = pen_kernel_sources_add (self, "kallsyms", found, path, evidence);

  source->kallsyms = kallsyms;
  if (!kallsyms)
    pen_source_refuse (source, pen_reason_new_from_error (problem));
  else
    pen_kernel_sources_check_kallsyms (self, source, NULL);
}

/* Is it the kernel that was recorded, by its notes? */
static gboolean
is_own_kernel (const guint8 *build_id, guint length)
{
  g_autofree char *notes = NULL;
  gsize n;
  guint own_length = 0;
  const guint8 *own;

  if (length == 0 || !g_file_get_contents (OWN_NOTES, &notes, &n, NULL))
    return FALSE;

  own = pen_build_id_find_in_notes ((const guint8 *) notes, n, &own_length);
  return own && pen_build_id_is_same (own, own_length, build_id, length);
}

static gpointer
load_own (gpointer data)
{
  PenKernelSources *self = data;

  return pen_kept_names_load (self->kept, OWN_KALLSYMS, self->cancellable, &self->own_problem);
}

void
pen_kernel_sources_expect_own (PenKernelSources *self, const PenFeatures *features)
{
  guint length;
  const guint8 *build_id = pen_kernel_facts_find_listed_id (features, &length);

  for (guint i = 0; i < self->list->len; i++)
    if (g_str_equal (((const PenSource *) self->list->pdata[i])->what, "kallsyms"))
      return;
  if (build_id && !self->symfs && is_own_kernel (build_id, length))
    self->own_loader = g_thread_new ("kallsyms", load_own, self);
}

PenKallsyms *
pen_kernel_sources_take_own (PenKernelSources *self, GError **problem)
{
  PenKallsyms *kallsyms
      = self->own_loader ? g_thread_join (g_steal_pointer (&self->own_loader)) : NULL;

  if (self->own_problem)
    g_propagate_error (problem, g_steal_pointer (&self->own_problem));
  return kallsyms;
}

/* @is_same_boot: the recorded kernel was where this one is: another boot puts it elsewhere
 * @refused: (out): why not */
static PenKcore *
open_own_kcore (gboolean is_same_boot, char **refused)
{
  g_autoptr (GError) error = NULL;
  PenKcore *kcore;

  if (!is_same_boot) {
    *refused = pen_reason_new (PEN_REASON_OTHER_BOOT, NULL);
    return NULL;
  }

  kcore = pen_kcore_open (OWN_KCORE, &error);
  if (!kcore)
    *refused = pen_reason_new_from_error (error);
  return kcore;
}

/* Pipes, and files that are still being written, have no build-id of the kernel. Host and release
 * say that it was this machine, and where its kernel lies that it still runs: with KASLR, another
 * boot puts it elsewhere. */
static gboolean
may_be_own_boot (PenKernelSources *self)
{
  const PenKernelFacts *facts = self->facts;
  struct utsname own;

  return facts->build_id_length == 0 && facts->symbol_address != 0 && uname (&own) == 0
         && g_strcmp0 (facts->hostname, own.nodename) == 0
         && g_strcmp0 (facts->release, own.release) == 0;
}

/* This machine's names are read once: the kernel writes each of them anew.
 * @read: (transfer full) (nullable): they were, before; or for @trouble (transfer full), not */
static void
add_own_kernel (PenKernelSources *self, gboolean needs_names, gboolean needs_bytes,
                PenKallsyms *read, GError *trouble)
{
  const PenKernelFacts *facts = self->facts;
  gboolean is_own = !self->symfs && is_own_kernel (facts->build_id, facts->build_id_length);
  g_autoptr (PenKallsyms) kallsyms = read;
  g_autoptr (GError) problem = trouble;
  gboolean is_same_boot;
  PenSource *source;

  if (!is_own && (self->symfs || !may_be_own_boot (self)))
    return;

  if (!kallsyms && !problem)
    kallsyms = pen_kept_names_load (self->kept, OWN_KALLSYMS, self->cancellable, &problem);
  is_same_boot = kallsyms && facts->symbol
                 && pen_kallsyms_lookup (kallsyms, facts->symbol) == facts->symbol_address;
  if (!is_own && !is_same_boot)
    return;

  if (needs_names)
    add_kallsyms (self, "this machine", OWN_KALLSYMS,
                  is_own ? PEN_EVIDENCE_FILE : PEN_EVIDENCE_FILE_UNCHECKED,
                  g_steal_pointer (&kallsyms), problem);
  if (needs_bytes) {
    source = pen_kernel_sources_add (self, "kcore", "this machine", OWN_KCORE,
                                     PEN_EVIDENCE_FILE_UNCHECKED);
    source->kcore = open_own_kcore (is_same_boot, &source->refused);
  }
}

gboolean
pen_kernel_sources_has_copy (PenKernelSources *self, const char *what)
{
  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    if (g_str_equal (source->what, what)
        && (source->kcore
            || (source->kallsyms && pen_kallsyms_has (source->kallsyms, PEN_CORE_KERNEL))))
      return TRUE;
  }
  return FALSE;
}

/* Copies of the recorded kernel's names and bytes that the capture does not have and nobody gave.
 */
void
pen_kernel_sources_look_for_copies (PenKernelSources *self)
{
  const PenKernelFacts *facts = self->facts;
  gboolean needs_names = !pen_kernel_sources_has_copy (self, "kallsyms");
  gboolean needs_bytes = !pen_kernel_sources_has_copy (self, "kcore");
  g_auto (GStrv) snapshots = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GError) own_problem = NULL;
  g_autoptr (PenKallsyms) own = pen_kernel_sources_take_own (self, &own_problem);

  if (!needs_names && !needs_bytes)
    return;
  if (facts->build_id_length == 0) {
    add_own_kernel (self, needs_names, needs_bytes, g_steal_pointer (&own),
                    g_steal_pointer (&own_problem));
    return;
  }

  snapshots = pen_kernel_finder_find_kcores (self->finder, facts->build_id, facts->build_id_length);
  for (char **snapshot = snapshots; *snapshot; snapshot++)
    if (take_snapshot (self, *snapshot)) {
      needs_names = !pen_kernel_sources_has_copy (self, "kallsyms");
      needs_bytes = !pen_kernel_sources_has_copy (self, "kcore");
      break;
    }
  add_own_kernel (self, needs_names, needs_bytes, g_steal_pointer (&own),
                  g_steal_pointer (&own_problem));
  if (!pen_kernel_sources_has_copy (self, "kallsyms"))
    path = pen_kernel_finder_find_kallsyms (self->finder, facts->build_id, facts->build_id_length);
  if (path) {
    PenKallsyms *kallsyms = pen_kept_names_load (self->kept, path, self->cancellable, &problem);

    add_kallsyms (self, "perf's cache", path, PEN_EVIDENCE_FILE, kallsyms, problem);
  }
}
