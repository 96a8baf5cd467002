/* pen-firefox-tables.h: what all threads of a Firefox profile share: strings, frames, stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-json-stream.h"
#include "pen-query-weighted-stacks.h"

G_BEGIN_DECLS

/* Category of what has no kind; that of kind k is k + 1. */
#define PEN_FIREFOX_OTHER 0u

/* PenFirefoxStrings: numbered in the order in which they were asked for */
typedef struct {
  GPtrArray *texts;
  GHashTable *numbers;
} PenFirefoxStrings;

void pen_firefox_strings_init (PenFirefoxStrings *self);
void pen_firefox_strings_clear (PenFirefoxStrings *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenFirefoxStrings, pen_firefox_strings_clear)

guint pen_firefox_strings_get (PenFirefoxStrings *self, const char *text);

/* meta.categories */
void pen_firefox_tables_write_categories (PenJsonStream *json);
/* profile.shared, with all strings: comes after everything that asks for some. */
gboolean pen_firefox_tables_write (PenWeightedStacks *stacks, PenFirefoxStrings *strings,
                                   PenJsonStream *json, GError **error);

G_END_DECLS
