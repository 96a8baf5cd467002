/* pen-patch-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-patch-file.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "pen-snapshots.h"

/* Newer than the headers of some systems. */
#define RECORD_TEXT_POKE 20u
/* Of tools/perf (lib/perf/include/perf/event.h) */
#define RECORD_FINISHED_ROUND 68u
#define RECORD_FINISHED_INIT 82u
#define WAITING_MAX (1u << 20)

/* "PERFILE2", and the size of this header: struct perf_pipe_file_header */
static const guint64 pipe_header[2] = { 0x32454c4946524550u, sizeof pipe_header };

/*
 * @waiting: not yet written
 * @has_round: something was kept since the last round
 * @is_broken: records are missing
 * @error: an errno of writing: then nothing more is written
 */
struct _PenPatchFile {
  int file;
  GString *waiting;
  gboolean has_round;
  gboolean is_broken;
  int error;
};

static void
write_waiting (PenPatchFile *self)
{
  if (self->error == 0)
    self->error = pen_snapshots_write (self->file, self->waiting);
  g_string_truncate (self->waiting, 0);
}

static void
add_mark (PenPatchFile *self, guint32 type)
{
  const struct perf_event_header mark = { .type = type, .size = sizeof mark };

  g_string_append_len (self->waiting, (const char *) &mark, sizeof mark);
}

PenPatchFile *
pen_patch_file_new (const char *directory, PenTextRings *rings)
{
  PenPatchFile *self = g_new0 (PenPatchFile, 1);
  g_autoptr (GByteArray) event = g_byte_array_new ();

  self->file = pen_snapshots_create (directory, "patches");
  self->error = self->file < 0 ? errno : 0;
  self->waiting = g_string_new (NULL);
  pen_text_rings_describe (rings, PEN_TEXT_EVENT_CHANGES, event);
  g_string_append_len (self->waiting, (const char *) pipe_header, sizeof pipe_header);
  g_string_append_len (self->waiting, (const char *) event->data, event->len);
  write_waiting (self);
  return self;
}

void
pen_patch_file_close (PenPatchFile *self, GPtrArray *lacks)
{
  if (!self)
    return;
  if (!self->is_broken)
    add_mark (self, RECORD_FINISHED_INIT);
  write_waiting (self);
  if (self->file >= 0 && close (self->file) != 0 && self->error == 0)
    self->error = errno;
  if (self->error != 0)
    pen_record_lacks_add (lacks, PEN_LACK_PATCHES, g_strerror (self->error));
  g_string_free (self->waiting, TRUE);
  g_free (self);
}

void
pen_patch_file_add (PenPatchFile *self, const guint8 *record, guint32 size)
{
  const struct perf_event_header *header = (gconstpointer) record;

  if (header->type != RECORD_TEXT_POKE && header->type != PERF_RECORD_LOST)
    return;
  g_string_append_len (self->waiting, (const char *) record, size);
  self->has_round = TRUE;
  if (self->waiting->len > WAITING_MAX)
    write_waiting (self);
}

void
pen_patch_file_end_round (PenPatchFile *self, gboolean is_whole)
{
  self->is_broken |= !is_whole;
  if (!self->has_round)
    return;
  self->has_round = FALSE;
  /* What is missing came after the last round. */
  if (!self->is_broken)
    add_mark (self, RECORD_FINISHED_ROUND);
  write_waiting (self);
}
