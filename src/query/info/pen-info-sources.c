/* pen-info-sources.c: where names and bytes of the kernel come from, and what is missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include "pen-store-records.h"
#include "pen-store-sources.h"
#include "pen-witness-count.h"

#include <glib/gi18n-lib.h>

#include "pen-reason.h"

static void
tell_source (PenInfoSheet *sheet, const PenStoreSource *source)
{
  const char *domain = sheet->domain;
  g_autofree char *what = pen_info_sheet_dup_words (sheet, source->what);
  g_autofree char *fact = source->occupant ? g_strdup_printf (g_dgettext (domain, N_ ("%s of %s")),
                                                              what, source->occupant)
                                           : g_strdup (what);
  g_autofree char *found = pen_info_sheet_dup_words (sheet, source->found);
  g_autofree char *gives
      = pen_info_sheet_dup_words (sheet, *source->gives != '\0' ? source->gives : "nothing");
  const char *evidence
      = g_dpgettext2 (domain, "evidence", pen_evidence_to_string (source->evidence));
  g_autofree char *moved = g_strdup_printf ("%" G_GINT64_MODIFIER "x", source->moved);
  g_autofree char *refused
      = source->refused ? pen_reason_describe_in (domain, source->refused) : NULL;
  g_autofree char *text
      = refused ? g_strdup_printf (g_dgettext (domain, N_ ("%s (%s): not used: %s")), source->path,
                                   found, refused)
        : source->moved != 0
            ? g_strdup_printf (g_dgettext (domain, N_ ("%s (%s): %s, moved by 0x%s; gave %s")),
                               source->path, found, evidence, moved, gives)
            : g_strdup_printf (g_dgettext (domain, N_ ("%s (%s): %s; gave %s")), source->path,
                               found, evidence, gives);

  pen_info_sheet_tell_data (sheet, fact, text);
}

static gboolean
has_given (GArray *sources, const char *what)
{
  for (guint i = 0; i < sources->len; i++) {
    const PenStoreSource *source = &g_array_index (sources, PenStoreSource, i);

    if (g_str_equal (source->what, what) && g_str_equal (source->found, "given"))
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_module_events (PenStore *store)
{
  GPtrArray *events = pen_store_get_events (store);

  for (guint i = 0; i < events->len; i++) {
    const PenStoreEvent *event = g_ptr_array_index (events, i);

    if (event->name && g_str_has_prefix (event->name, "module:module_load"))
      return TRUE;
  }
  return FALSE;
}

/* With a rate, a sample of an event stands for several. */
static gboolean
has_rated_module_events (PenStore *store)
{
  GPtrArray *events = pen_store_get_events (store);

  for (guint i = 0; i < events->len; i++) {
    const PenStoreEvent *event = g_ptr_array_index (events, i);

    if ((event->flags & PEN_STORE_EVENT_FREQUENCY) != 0 && event->name
        && (g_str_has_prefix (event->name, "module:module_")
            || g_str_has_prefix (event->name, "probe:do_init_module")))
      return TRUE;
  }
  return FALSE;
}

static void
tell_rated_modules (PenInfoSheet *sheet)
{
  if (has_rated_module_events (sheet->query->store))
    pen_info_sheet_tell_text (
        sheet, NC_ ("fact", "module loads"),
        g_dgettext (
            sheet->domain,
            N_ ("recorded at a rate (-F), which leaves some out: modules may be shown where "
                "others are. Give the rate to the sampled event only: -e cycles/freq=997/")));
}

/* Is there text that only a witness knows, and no module's file was found to have it? */
static gboolean
can_name_by_text (PenInfoSheet *sheet, GArray *sources)
{
  const PenWitnessCount count = pen_witness_count_load (sheet->query->store);

  for (guint i = 0; i < sources->len; i++)
    if (g_str_equal (g_array_index (sources, PenStoreSource, i).found, "witness"))
      return FALSE;
  return count.told > 0;
}

/* A kernel tells nobody when it loads a module or unloads one (M3), and where it put one not even
 * in its tracepoints. */
static void
tell_unknown_modules (PenInfoSheet *sheet, GArray *sources)
{
  guint64 samples = pen_info_sheet_get_count (sheet, "module_space_samples");
  gboolean needs_lists = !has_given (sources, "modules") || !has_given (sources, "kallsyms");
  gboolean has_events = has_module_events (sheet->query->store);
  const char *domain = sheet->domain;
  g_autofree char *count = NULL;
  g_autofree char *begin = NULL;
  g_autofree char *text = NULL;

  if (samples == 0)
    return;

  count = g_strdup_printf ("%" G_GUINT64_FORMAT, samples);
  begin = g_strdup_printf (
      g_dgettext (domain,
                  N_ ("%s samples lie where modules and BPF programs are loaded, but have no "
                      "known occupant.")),
      count);
  text = g_strconcat (
      begin, " ",
      needs_lists ? g_dgettext (domain, N_ ("Add --modules and --kallsyms: copies of /proc/modules "
                                            "and /proc/kallsyms of the recorded machine, taken "
                                            "after the recording."))
                  : "",
      needs_lists ? " " : "",
      g_dgettext (domain, has_events
                              ? N_ ("Module loads and removals were recorded, but not their "
                                    "addresses: such copies show only modules that were loaded "
                                    "when they were taken")
                              : N_ ("Record with -e module:module_load -e module:module_free to "
                                    "see module loads and removals")),
      can_name_by_text (sheet, sources)
          ? g_dgettext (domain, N_ (". A witness read text there: --symfs with the machine's "
                                    "/lib/modules names modules by it"))
          : "",
      NULL);
  pen_info_sheet_tell_text (sheet, NC_ ("fact", "unknown in module space"), text);
}

/* Debug information is read only so far as it costs little, unless it is asked for. */
static void
tell_unread_lines (PenInfoSheet *sheet)
{
  guint64 files = pen_info_sheet_get_count (sheet, "source_lines_unread");

  if (files > 0) {
    g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, files);
    g_autofree char *text = g_strdup_printf (
        g_dngettext (sheet->domain,
                     "not read from the debug information of %s file: it is large. "
                     "--source-lines reads it",
                     "not read from the debug information of %s files: they are large. "
                     "--source-lines reads it",
                     files),
        count);

    pen_info_sheet_tell_text (sheet, NC_ ("fact", "lines of source"), text);
  }
}

static void
tell_failed_lines (PenInfoSheet *sheet)
{
  guint64 files = pen_info_sheet_get_count (sheet, "source_lines_failed");
  const char *reason = pen_store_get_fact (sheet->query->store, "source_lines_failure");
  g_autofree char *failure = NULL;

  if (files == 0 || !reason)
    return;
  failure = pen_reason_describe_in (sheet->domain, reason);
  if (files > 1) {
    g_autofree char *others = g_strdup_printf ("%" G_GUINT64_FORMAT, files - 1);

    pen_info_sheet_tell (sheet, NC_ ("fact", "lines of source"), N_ ("%s (and %s more)"), failure,
                         others);
  } else {
    pen_info_sheet_tell_text (sheet, NC_ ("fact", "lines of source"), failure);
  }
}

void
pen_info_tell_sources (PenInfoSheet *sheet)
{
  g_autoptr (GArray) sources = NULL;

  if (sheet->error)
    return;

  sources = pen_store_load_sources (sheet->query->store, &sheet->error);
  pen_info_sheet_begin_group (sheet, N_ ("Sources of the kernel's names and bytes"), "source");
  for (guint i = 0; sources && i < sources->len; i++)
    tell_source (sheet, &g_array_index (sources, PenStoreSource, i));
  if (sources)
    tell_unknown_modules (sheet, sources);
  tell_rated_modules (sheet);
  tell_unread_lines (sheet);
  tell_failed_lines (sheet);
}
