/* pen-notes.h: what a person wrote about a capture: in its store, or in a file of notes alone
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Longer ones are cut off when they are written. */
#define PEN_NOTE_TEXT_MAX 4096 /* bytes */
/* More of them are not read. */
#define PEN_NOTES_MAX 10000

/*
 * PenNote:
 * @id: 0: not written yet
 * @address, @time: what it is about, either or both; ns of the capture's own clock
 * @text: as it was written; of a store that came from elsewhere, anything
 * @written: µs since 1970
 */
typedef struct {
  gint64 id;
  gboolean has_address;
  guint64 address;
  gboolean has_time;
  guint64 time;
  char *text;
  gint64 written;
} PenNote;

PenNote *pen_note_new (void);
PenNote *pen_note_copy (const PenNote *note);
void pen_note_free (PenNote *note);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenNote, pen_note_free)

/*
 * @path: a store, or a file with nothing but notes in it
 *
 * A store is opened anew for each call, and written in one short transaction that waits a moment
 * for readers; its readers see the notes from then on, and nothing else changes in it. All may
 * block.
 */

/* Returns: (transfer full) (element-type PenNote): about the earliest time first, then those about
 * an address alone. Empty where there is no file. */
GPtrArray *pen_notes_load (const char *path, GError **error);

/* Writes a new note, whose id is then set, or changes the one of that id. A file that is not there
 * is made, for notes alone. Errors: PEN_STORE_ERROR, or G_IO_ERROR_READ_ONLY with what to do. */
gboolean pen_notes_put (const char *path, PenNote *note, GError **error);
gboolean pen_notes_remove (const char *path, gint64 id, GError **error);

G_END_DECLS
