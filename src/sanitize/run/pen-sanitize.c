/* pen-sanitize.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sanitize.h"

#include <string.h>

#include "pen-clean-code.h"
#include "pen-clean-names.h"
#include "pen-clean-slide.h"
#include "pen-store-functions.h"
#include "pen-store-occupants.h"

typedef struct {
  PenCleanNames *names;
  PenCleanSlide slide;
  PenCleanCode *code;
  PenSanitizeProgress progress;
  gpointer user_data;
} Sanitizing;

static void
sanitizing_clear (Sanitizing *self)
{
  g_clear_pointer (&self->names, pen_clean_names_free);
  g_clear_pointer (&self->code, pen_clean_code_free);
  pen_clean_slide_clear (&self->slide);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sanitizing, sanitizing_clear)

void
pen_sanitized_clear (PenSanitized *self)
{
  g_clear_pointer (&self->lost, g_array_unref);
}

/* ---- names that stay ---- */

/* "bpf_prog_TAG_NAME", unlike functions of the kernel whose names begin like that. */
static gboolean
is_program (const char *name)
{
  guint n = 0;

  if (!g_str_has_prefix (name, "bpf_prog_"))
    return FALSE;
  for (name += strlen ("bpf_prog_"); g_ascii_isxdigit (*name); name++)
    n++;
  return n == 16 && (*name == '\0' || *name == '_');
}

/* Those of kallsyms without an occupant are stubs and programs. */
static gboolean
learn_name (const char *occupant, const char *name, gpointer user_data)
{
  Sanitizing *self = user_data;

  if (*occupant == '[' && strcmp (occupant, "[bpf]") != 0 && !is_program (name))
    pen_clean_names_add_kernel (self->names, name);
  return TRUE;
}

/* "[ext4]": in texts it is a word, too. */
static void
learn_occupant (Sanitizing *self, const char *occupant)
{
  gsize n = strlen (occupant);
  g_autofree char *bare = NULL;

  if (n < 3 || occupant[0] != '[' || occupant[n - 1] != ']')
    return;
  bare = g_strndup (occupant + 1, n - 2);
  pen_clean_names_add_kernel (self->names, bare);
}

static gboolean
learn_tenure (const PenTenure *tenure, gpointer user_data)
{
  if (tenure->kind == PEN_KIND_KERNEL || tenure->kind == PEN_KIND_MODULE)
    learn_occupant (user_data, tenure->occupant);
  return TRUE;
}

static gboolean
learn_functions (Sanitizing *self, PenStore *store, GError **error)
{
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, error);

  if (!functions)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if ((functions[i].kind == PEN_KIND_KERNEL || functions[i].kind == PEN_KIND_MODULE)
        && functions[i].symbol && !is_program (functions[i].symbol))
      pen_clean_names_add_kernel (self->names, functions[i].symbol);
  }
  return TRUE;
}

/* ---- what the store asks ---- */

static guint64
clean_address (guint64 address, gpointer user_data)
{
  const Sanitizing *self = user_data;

  return pen_clean_slide_address (&self->slide, address);
}

static const char *
clean_text (PenCleanText what, const char *text, gpointer user_data)
{
  Sanitizing *self = user_data;

  return pen_clean_names_get (self->names, what, text);
}

static void
clean_code (PenCleanPiece *piece, gpointer user_data)
{
  Sanitizing *self = user_data;

  pen_clean_code_move (self->code, piece);
}

/* Counts, clocks, and what machine it was; of docs/store.md. Not here: names of hosts, paths,
 * command lines, names of events, reasons with paths; the kernel's text, which is a file beside the
 * store; and what the writer counts itself. */
static gboolean
is_fact_kept (const char *key, gpointer user_data G_GNUC_UNUSED)
{
  static const char *const kept[] = {
    "writer",
    "shape",
    "size",
    "records",
    "samples",
    "first_time",
    "last_time",
    "records_repaired",
    "osrelease",
    "perf_version",
    "arch",
    "cpu_description",
    "cpu_id",
    "cpus_available",
    "cpus_online",
    "total_memory_kb",
    "pmus",
    "caches",
    "wall_clock_offset_ns",
    "first_sample_time",
    "last_sample_time",
    "time_shift",
    "time_multiplier",
    "time_zero",
    "time_cycles",
    "time_mask",
    "clock_resolution_ns",
    "compression_ratio",
    "clock_id",
    "clock_ns",
    "wall_clock_ns",
    "byte_order",
    "long_size",
    "text_pokes_recorded",
    "ksymbols_recorded",
    "bpf_events_recorded",
    "kallsyms_lines_skipped",
    "module_space_samples",
    "timeless_samples",
    "timeless_unknown",
    "modules_added",
    "source_lines_unread",
    "source_lines_failed",
    "ksymbols_ignored",
    "ksymbols_repeated",
    "callchains_dropped",
    "callchains_unjoined",
    "chain_breaks",
    "chain_breaks_explained",
    "changed_early",
    "wait_source",
    "waits",
    "off_cpu_ns",
    "waits_open",
    "waits_cut",
    "preempted",
    "preempted_ns",
    "switches_left_out",
    "timeless_waits",
    "timeless_waits_unknown",
    "wait_callchains_dropped",
    "outputs",
    "readings",
    "witness_agree",
    "witness_differ",
    "witness_told",
    "witness_unread",
    "witness_lost",
    "witness_counters_missing",
    "unannounced",
    "unannounced_unheld",
  };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
    if (strcmp (key, kept[i]) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
report_progress (guint64 done, guint64 total, gpointer user_data)
{
  const Sanitizing *self = user_data;

  if (self->progress)
    self->progress (done, total, self->user_data);
}

gboolean
pen_sanitize (PenStore *store, const char *path, mode_t mode, guint keep,
              PenSanitizeProgress progress, gpointer user_data, GCancellable *cancellable,
              PenSanitized *result, GError **error)
{
  g_auto (Sanitizing) self = { .progress = progress, .user_data = user_data };
  const PenStoreCleaner cleaner
      = { clean_address, clean_text, clean_code, is_fact_kept, report_progress, &self };

  *result = (PenSanitized){ 0 };
  if (!pen_clean_slide_init (&self.slide, store, error))
    return FALSE;
  self.code = pen_clean_code_new (store, &self.slide, cancellable, error);
  if (!self.code)
    return FALSE;
  self.names = pen_clean_names_new (keep, clean_address, &self);
  if (!pen_store_foreach_kernel_name (store, learn_name, &self, error)
      || !pen_store_foreach_tenure (store, FALSE, learn_tenure, &self, error)
      || !learn_functions (&self, store, error)
      || !pen_store_clean (store, path, mode, &cleaner, cancellable, &result->lost, error))
    return FALSE;
  for (guint i = 0; i < PEN_CLEAN_TEXTS; i++)
    result->names[i] = pen_clean_names_count (self.names, i);
  result->unsound = pen_clean_code_get_unsound (self.code);
  return TRUE;
}
