/* pen-quoting.h: text as a cell of CSV (RFC 4180) or as a string of JSON (RFC 8259)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @text: valid UTF-8. CSV: with the apostrophe that keeps a spreadsheet from running the cell. */
void pen_quoting_append_csv (GString *out, const char *text);
/* For a database: text as it is, quoted also where quotes, a backslash, or blanks at an end might
 * mean something. */
void pen_quoting_append_bare (GString *out, const char *text);
void pen_quoting_append_json (GString *out, const char *text);
/* For a terminal: what pen_display_text() escapes is escaped, too, as JSON does it (\u001b), so
 * that the string's value stays. */
void pen_quoting_append_json_shown (GString *out, const char *text);

G_END_DECLS
