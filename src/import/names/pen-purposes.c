/* pen-purposes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-purposes.h"

#include <stdio.h>
#include <string.h>

#include "pen-kernel-lists.h"
#include "pen-listed-users.h"
#include "pen-reason.h"

/* Of `lists`: so many lines of lists, and so many that say which list follows: more than fit into
 * what a recorder writes. */
#define MAX_LINES (1u << 19)
#define MAX_LISTS (1u << 19)

struct _PenPurposes {
  PenLoadedSources *sources;
  PenListedUsers *users;
};

static void
note_skipped (PenPurposes *self, const char *path, guint skipped)
{
  g_autofree char *count = g_strdup_printf ("%u", skipped);
  g_autofree char *reason = NULL;

  if (skipped == 0)
    return;
  reason = pen_reason_new (PEN_REASON_LINES_SKIPPED, path, count, NULL);
  pen_loaded_sources_add_problem (self->sources, path, reason);
}

/* ---- start and end ---- */

/* The start's lists are of before all patches, the end's of after all. */
static void
read_moment (PenPurposes *self, const char *moment, guint64 time)
{
  for (const char *const *list = pen_listed_users_get_lists (); *list; list++) {
    g_autofree char *path = pen_recorder_files_find (self->sources->recorder, moment, *list);
    g_autoptr (PenLineReader) lines = path ? pen_line_reader_new (path, NULL) : NULL;

    if (lines)
      note_skipped (
          self, path,
          pen_listed_users_read (self->users, *list, time, time, lines, PEN_KERNEL_LIST_LINES));
  }
}

/* ---- meanwhile ---- */

static void
pass_over (PenLineReader *lines, guint n)
{
  char *line;

  for (guint i = 0; i < n && pen_line_reader_next (lines, &line, NULL); i++)
    ;
}

/* "list BEGUN ENDED NAME LINES", and so many lines; "same BEGUN ENDED NAME". @left: lines that may
 * be read. Returns: FALSE: it cannot be read */
static gboolean
read_list (PenPurposes *self, const char *line, PenLineReader *lines, guint *left, guint *skipped)
{
  char word[8];
  char name[32];
  guint64 begun;
  guint64 ended;
  guint n = 0;
  int found = sscanf (line, "%7s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %31s %u", word, &begun,
                      &ended, name, &n);

  /* 0 and ~0 are the start's and the end's. */
  if (found < 4 || begun == 0 || ended < begun || ended == G_MAXUINT64)
    return FALSE;
  if (found == 4 && g_str_equal (word, "same")) {
    pen_listed_users_repeat (self->users, name, begun, ended);
    return TRUE;
  }
  if (found != 5 || !g_str_equal (word, "list") || n > *left)
    return FALSE;
  *left -= n;
  if (g_strv_contains (pen_listed_users_get_lists (), name))
    *skipped += pen_listed_users_read (self->users, name, begun, ended, lines, n);
  else
    pass_over (lines, n);
  return TRUE;
}

/* After a line that cannot be read, nothing says what the next one is. */
static void
read_lists (PenPurposes *self)
{
  g_autofree char *path = self->sources->recorder && self->sources->recorder->is_dated
                              ? pen_recorder_files_find (self->sources->recorder, NULL, "lists")
                              : NULL;
  g_autoptr (PenLineReader) lines = path ? pen_line_reader_new (path, NULL) : NULL;
  guint left = MAX_LINES;
  guint skipped = 0;
  char *line;

  for (guint i = 0; lines && i < MAX_LISTS && pen_line_reader_next (lines, &line, NULL); i++)
    if (!line || !read_list (self, line, lines, &left, &skipped)) {
      skipped++;
      break;
    }
  if (path)
    note_skipped (self, path, skipped);
}

/* ---- all ---- */

PenPurposes *
pen_purposes_new (PenLoadedSources *sources, const PenFeatures *features)
{
  PenPurposes *self = g_new0 (PenPurposes, 1);

  self->sources = sources;
  self->users = pen_listed_users_new ();
  for (guint i = 0; features->bpf_programs && i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    if (program->name[0] != '\0')
      pen_listed_users_name_program (self->users, program->id, program->name);
  }
  read_moment (self, "start", 0);
  read_lists (self);
  read_moment (self, "end", G_MAXUINT64);
  return self;
}

void
pen_purposes_free (PenPurposes *self)
{
  pen_listed_users_free (self->users);
  g_free (self);
}

const char *
pen_purposes_find (PenPurposes *self, const PenPoke *poke, const char *entry, guint64 since,
                   guint64 until)
{
  return pen_listed_users_find (self->users, poke, entry, since, until);
}

void
pen_purposes_get_span (const PenTenure *tenure, guint64 *since, guint64 *until)
{
  *since = tenure->from_bound == PEN_BOUND_INITIAL ? 0 : MAX (tenure->from.time, 1);
  *until
      = tenure->to_bound == PEN_BOUND_OPEN ? G_MAXUINT64 : MIN (tenure->to.time, G_MAXUINT64 - 1);
}

const char *
pen_purposes_find_called (PenPurposes *self, const PenTenure *trampoline)
{
  guint64 since;
  guint64 until;

  pen_purposes_get_span (trampoline, &since, &until);
  return pen_listed_users_find_called (self->users, trampoline->start, since, until);
}
