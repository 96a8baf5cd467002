/* pen-phrases.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-phrases.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-tenure.h"

static char *
format (guint64 n, gboolean aloud)
{
  return aloud ? g_strdup_printf ("%" G_GUINT64_FORMAT, n) : pen_format_count (n);
}

char *
pen_phrase_samples (guint64 n, gboolean aloud)
{
  g_autofree char *count = format (n, aloud);

  return g_strdup_printf (ngettext ("%s sample", "%s samples", n), count);
}

char *
pen_phrase_changes (guint64 n, gboolean aloud)
{
  g_autofree char *count = format (n, aloud);

  return g_strdup_printf (ngettext ("%s change", "%s changes", n), count);
}

char *
pen_phrase_program (const char *name, guint32 bpf_id)
{
  return bpf_id != 0 ? g_strdup_printf (_ ("%s (id %u)"), name, bpf_id) : g_strdup (name);
}

const char *
pen_phrase_evidence (PenEvidence evidence)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "evidence", pen_evidence_to_string (evidence));
}

const char *
pen_phrase_get_evidence (guint i)
{
  return i < PEN_EVIDENCES ? pen_phrase_evidence (i) : NULL;
}

const char *
pen_phrase_doubt (const char *source)
{
  return g_strcmp0 (source, PEN_SOURCE_BEYOND_CODE) == 0
             ? _ ("beyond the module's code; its map counts data, too")
             : NULL;
}

const char *
pen_phrase_confidence (PenConfidence confidence)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "confidence", pen_confidence_to_string (confidence));
}

char *
pen_phrase_task (const char *comm, gint32 pid, guint32 cpu)
{
  g_autofree char *task = NULL;

  if (comm[0] == '\0' && pid < 0)
    return NULL;
  if (comm[0] == '\0')
    comm = _ ("a task");
  task = pid >= 0 ? g_strdup_printf ("%s [%d]", comm, pid) : g_strdup (comm);
  return cpu != G_MAXUINT32 ? g_strdup_printf (_ ("%s on CPU %u"), task, cpu)
                            : g_steal_pointer (&task);
}
