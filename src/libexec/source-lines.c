/* source-lines.c: pentimento-source-lines: reads untrusted debug information
 *
 * usage: pentimento-source-lines BYTES SECONDS, with a PenDebugImage as standard input and a
 * socket as standard output: see pen-source-talk.h. Started by PenSourceLines only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-dwarf-lines.h"
#include "pen-sandbox.h"
#include "pen-source-talk.h"
#include "pen-table-hash.h"

#define BUFFER (32u << 10)

typedef struct {
  PenDwarfLines *lines;
  GHashTable *texts;   /* text → number */
  GHashTable *calls;   /* number of a call as PenDwarfLines has it → as it was sent */
  const char *last;    /* the file of the line before, as libdw has it, */
  guint32 last_number; /* and its number */
  guint32 n_calls;     /* sent */
  guint64 least;       /* address that may be sent: they rise */
  GByteArray *buffer;
} Answer;

static void
flush (GByteArray *buffer)
{
  for (guint at = 0; at < buffer->len;) {
    ssize_t n = send (STDOUT_FILENO, buffer->data + at, buffer->len - at, MSG_NOSIGNAL);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      exit (1); /* the other end is closed */
    at += (guint) n;
  }
  g_byte_array_set_size (buffer, 0);
}

static void
tell (Answer *self, PenSourceMessage message, const char *text)
{
  g_byte_array_append (self->buffer, (const guint8 *) &message, sizeof message);
  if (text)
    g_byte_array_append (self->buffer, (const guint8 *) text, message.length);
  if (self->buffer->len >= BUFFER)
    flush (self->buffer);
}

/* Returns: 0: it is too long to be sent */
static guint32
tell_text (Answer *self, const char *text)
{
  gsize length = strnlen (text, PEN_SOURCE_TEXT_MAX);
  guint32 number;
  char *kept;

  if (length == PEN_SOURCE_TEXT_MAX)
    return 0;
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->texts, text));
  if (number != 0)
    return number;

  kept = g_strndup (text, length);
  number = g_hash_table_size (self->texts) + 1;
  g_hash_table_insert (self->texts, kept, GUINT_TO_POINTER (number));
  tell (self, (PenSourceMessage){ .kind = PEN_SOURCE_TEXT, .length = (guint32) length }, kept);
  return number;
}

/* Lines of one file stand together. */
static guint32
tell_file (Answer *self, const char *file)
{
  if (!file)
    return 0;
  if (file != self->last) {
    self->last_number = tell_text (self, file);
    self->last = file;
  }
  return self->last_number;
}

/* Outer calls come first. Returns: 0: it cannot be sent, or is none */
static guint32
tell_call (Answer *self, guint number)
{
  PenInlinedCall call;
  PenSourceMessage message = { .kind = PEN_SOURCE_CALL };
  gpointer told;

  if (number == 0)
    return 0;
  if (g_hash_table_lookup_extended (self->calls, GUINT_TO_POINTER (number), NULL, &told))
    return GPOINTER_TO_UINT (told);

  /* PenInlinedCalls nests only so deep. */
  pen_dwarf_lines_get_call (self->lines, number, &call);
  message.call = tell_call (self, call.outer);
  message.name = tell_text (self, call.name);
  message.file = call.file ? tell_text (self, call.file) : 0;
  message.line = message.file != 0 ? call.line : 0;
  told = message.name != 0 ? GUINT_TO_POINTER (++self->n_calls) : GUINT_TO_POINTER (message.call);
  g_hash_table_insert (self->calls, GUINT_TO_POINTER (number), told);
  if (message.name != 0)
    tell (self, message, NULL);
  return GPOINTER_TO_UINT (told);
}

static void
tell_line (guint64 address, const PenCodePlace *place, gpointer user_data)
{
  Answer *self = user_data;
  PenSourceMessage message = { .kind = PEN_SOURCE_LINE, .address = address };

  /* Units of one file may overlap. */
  if (address < self->least)
    return;
  self->least = address + 1;
  message.file = tell_file (self, place->file);
  if (message.file != 0) {
    message.line = place->line;
    message.call = tell_call (self, place->call);
  }
  tell (self, message, NULL);
}

static gboolean
read_question (PenSourceQuestion *question)
{
  return recv (STDOUT_FILENO, question, sizeof *question, MSG_WAITALL) == sizeof *question;
}

/* Nothing is opened or read in the sandbox. Returns: NULL: it cannot be had */
static guint8 *
map_image (int fd, gsize *length)
{
  struct stat status;
  gpointer image;

  if (fstat (fd, &status) != 0 || status.st_size <= 0)
    return NULL;
  *length = (gsize) status.st_size;
  /* libelf may write to what it is given. */
  image = mmap (NULL, *length, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  close (fd);
  return image != MAP_FAILED ? image : NULL;
}

int
main (int argc, char **argv)
{
  Answer answer = { 0 };
  PenSourceQuestion question;
  gsize length = 0;
  guint8 *image = map_image (STDIN_FILENO, &length);

  /* From glibc 2.41 on, random bytes take more than one system call. */
  pen_table_hash_init ();
  if (argc != 3 || !image
      || !pen_sandbox_enter (STDOUT_FILENO, g_ascii_strtoull (argv[1], NULL, 10),
                             g_ascii_strtoull (argv[2], NULL, 10)))
    return 1;

  answer.buffer = g_byte_array_new ();
  answer.texts = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  answer.calls = g_hash_table_new (pen_direct_hash, NULL);
  answer.lines = pen_dwarf_lines_new (image, length);
  while (read_question (&question)) {
    answer.least = question.start;
    if (answer.lines)
      pen_dwarf_lines_foreach (answer.lines, question.start, question.end, tell_line, &answer);
    tell (&answer, (PenSourceMessage){ .kind = PEN_SOURCE_END }, NULL);
    flush (answer.buffer);
  }

  /* The process ends: nothing is freed. */
  _exit (0);
}
