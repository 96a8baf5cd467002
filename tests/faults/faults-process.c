/* faults-process.c: a process that changes notes, as the window does
 *
 * faults-process put FILE TEXT [ID] | remove FILE ID | place STORE CAPTURE | work STORE WORD
 *
 * work: puts notes, WORD and a number, and prints each once it is written; another thread opens the
 * store and reads its notes meanwhile. Until it is killed, or an error.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pen-notes-place.h"
#include "pen-notes.h"
#include "pen-store.h"

static gboolean
put (const char *file, const char *text, gint64 id, GError **error)
{
  g_autoptr (PenNote) note = pen_note_new ();

  note->id = id;
  note->text = g_strdup (text);
  note->has_time = TRUE;
  note->time = 1;
  note->written = 1000000;
  return pen_notes_put (file, note, error);
}

/* Where notes about the capture are kept. */
static gboolean
print_place (const char *path, const char *capture, GError **error)
{
  g_autoptr (PenStore) store = pen_store_open (path, error);
  g_autofree char *place = store ? pen_notes_find_place (store, capture) : NULL;

  if (place)
    puts (place);
  return place != NULL;
}

static gpointer
look (gpointer path)
{
  for (;;) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenStore) store = pen_store_is_store (path) ? pen_store_open (path, &error) : NULL;
    g_autoptr (GPtrArray) notes = store ? pen_notes_load (path, &error) : NULL;

    if (!notes) {
      fprintf (stderr, "looking: %s\n", error ? error->message : "it is no store");
      exit (1);
    }
  }
  return NULL;
}

static gboolean
work (const char *path, const char *word, GError **error)
{
  g_autoptr (GThread) looker = g_thread_new ("look", look, (gpointer) path);

  for (guint i = 0;; i++) {
    g_autofree char *text = g_strdup_printf ("%s-%u", word, i);

    if (!put (path, text, 0, error))
      return FALSE;
    puts (text);
    fflush (stdout);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  gboolean is_done = FALSE;

  if (argc >= 4 && strcmp (argv[1], "put") == 0)
    is_done = put (argv[2], argv[3], argc > 4 ? atoi (argv[4]) : 0, &error);
  else if (argc == 4 && strcmp (argv[1], "remove") == 0)
    is_done = pen_notes_remove (argv[2], atoi (argv[3]), &error);
  else if (argc == 4 && strcmp (argv[1], "place") == 0)
    is_done = print_place (argv[2], argv[3], &error);
  else if (argc == 4 && strcmp (argv[1], "work") == 0)
    is_done = work (argv[2], argv[3], &error);
  if (!is_done)
    fprintf (stderr, "%s\n", error ? error->message : "usage");
  return is_done ? 0 : 1;
}
