/* pen-info-sources.c: where names and bytes of the kernel come from, and what is missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-info-sheet.h"

#include "pen-reason.h"

static void
tell_source (PenInfoSheet *sheet, const PenStoreSource *source)
{
  g_autofree char *fact = source->occupant
                              ? g_strdup_printf ("%s of %s", source->what, source->occupant)
                              : g_strdup (source->what);
  g_autofree char *refused = source->refused ? pen_reason_describe (source->refused) : NULL;

  if (refused)
    pen_info_sheet_tell (sheet, fact, "%s (%s): not used: %s", source->path, source->found,
                         refused);
  else if (source->moved != 0)
    pen_info_sheet_tell (sheet, fact, "%s (%s): %s, moved by 0x%" G_GINT64_MODIFIER "x; gave %s",
                         source->path, source->found, pen_evidence_to_string (source->evidence),
                         source->moved, *source->gives != '\0' ? source->gives : "nothing");
  else
    pen_info_sheet_tell (sheet, fact, "%s (%s): %s; gave %s", source->path, source->found,
                         pen_evidence_to_string (source->evidence),
                         *source->gives != '\0' ? source->gives : "nothing");
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

/* A kernel tells nobody when it loads a module or unloads one (M3), and where it put one not even
 * in its tracepoints. */
static void
tell_unknown_modules (PenInfoSheet *sheet, GArray *sources)
{
  guint64 samples = pen_info_sheet_get_count (sheet, "module_space_samples");
  gboolean needs_lists = !has_given (sources, "modules") || !has_given (sources, "kallsyms");
  gboolean has_events = has_module_events (sheet->query->store);

  if (samples == 0)
    return;

  pen_info_sheet_tell (
      sheet, "unknown in module space",
      "%" G_GUINT64_FORMAT " samples lie where modules and BPF programs are loaded, and nobody is "
      "known to have been there. %s%s",
      samples,
      needs_lists ? "Add --modules and --kallsyms: copies of /proc/modules and /proc/kallsyms of "
                    "the recorded machine, taken after the recording. "
                  : "",
      has_events ? "Which modules came and went was recorded, but not where they were: such copies "
                   "tell of those only that were there when they were taken"
                 : "Record with -e module:module_load -e module:module_free to know who came and "
                   "went");
}

/* Debug information is read only so far as it costs little, unless it is asked for. */
static void
tell_unread_lines (PenInfoSheet *sheet)
{
  guint64 files = pen_info_sheet_get_count (sheet, "source_lines_unread");

  if (files > 0)
    pen_info_sheet_tell (sheet, "lines of source",
                         "not read from the debug information of %" G_GUINT64_FORMAT
                         " %s: there is much of it. --source-lines reads it",
                         files, files == 1 ? "file" : "files");
}

static void
tell_failed_lines (PenInfoSheet *sheet)
{
  guint64 files = pen_info_sheet_get_count (sheet, "source_lines_failed");
  const char *reason = pen_store_get_fact (sheet->query->store, "source_lines_failure");
  g_autofree char *failure = NULL;

  if (files == 0 || !reason)
    return;
  failure = pen_reason_describe (reason);
  if (files == 1)
    pen_info_sheet_tell (sheet, "lines of source", "%s", failure);
  else
    pen_info_sheet_tell (sheet, "lines of source", "%s (and %" G_GUINT64_FORMAT " more)", failure,
                         files - 1);
}

void
pen_info_tell_sources (PenInfoSheet *sheet)
{
  g_autoptr (GArray) sources = NULL;

  if (sheet->error)
    return;

  sources = pen_store_load_sources (sheet->query->store, &sheet->error);
  pen_info_sheet_begin_group (sheet, "Sources of the kernel's names and bytes", "source");
  for (guint i = 0; sources && i < sources->len; i++)
    tell_source (sheet, &g_array_index (sources, PenStoreSource, i));
  if (sources)
    tell_unknown_modules (sheet, sources);
  tell_unread_lines (sheet);
  tell_failed_lines (sheet);
}
