/* pen-phrases.h: short phrases that several views show, in the user's language
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-words.h"

G_BEGIN_DECLS

/* "1 sample", "48 836 samples". @aloud: for a screen reader, which reads groups of digits as
 * numbers of their own. */
char *pen_phrase_samples (guint64 n, gboolean aloud);
char *pen_phrase_changes (guint64 n, gboolean aloud);

/* "name (id 23)": loads of one program have one name. @name: fit to be shown; @bpf_id: 0: it is no
 * program, or not one of several. */
char *pen_phrase_program (const char *name, guint32 bpf_id);

/* "recorded", "certain": the words of the CSV files are not translated, these are. */
const char *pen_phrase_evidence (PenEvidence evidence);
/* The @i-th of them, for PenColumnSpec.get_word; NULL after the last */
const char *pen_phrase_get_evidence (guint i);
/* Why a place of @source (nullable) is inferred only. Returns: (nullable): it is of another source
 */
const char *pen_phrase_doubt (const char *source);
const char *pen_phrase_confidence (PenConfidence confidence);

/* "sh [132] on CPU 1"; @comm: fit to be shown, or ""; @pid: below 0, @cpu: G_MAXUINT32: unknown.
 * NULL: the task is unknown */
char *pen_phrase_task (const char *comm, gint32 pid, guint32 cpu);

G_END_DECLS
