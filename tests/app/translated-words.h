/* translated-words.h: what may be said in the window without a translation
 *
 * Data of the recording, numbers with their units, what is in ⟦brackets⟧, and a list of words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-session.h"

G_BEGIN_DECLS

void translated_words_begin (void);
void translated_words_end (void);
/* Words of @text are data. */
void translated_words_add (const char *text);
/* What the open recording holds, its chosen function and line too. */
void translated_words_learn (PenSession *session);
/* Of that only what is said about the recording as a whole. */
void translated_words_learn_facts (PenSession *session);
/* FALSE: @stray: (out) (transfer full): the first word of @text that nobody can translate */
gboolean translated_words_is_free (const char *text, char **stray);

G_END_DECLS
