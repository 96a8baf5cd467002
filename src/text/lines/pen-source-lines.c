/* pen-source-lines.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-source-lines.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "pen-build-id.h"
#include "pen-debug-image.h"
#include "pen-debug-link.h"
#include "pen-helper.h"
#include "pen-kernel-file-private.h"
#include "pen-module-relocation.h"
#include "pen-reason.h"
#include "pen-regular-file.h"
#include "pen-source-talk.h"

#define MAX_FILE (G_GUINT64_CONSTANT (4) << 30)

/* The most that the program may send; a kernel's functions with samples need far less. */
#define MAX_TEXTS (1u << 20)
#define MAX_CALLS (2u << 20)
#define MAX_LINES (16u << 20)

/* Limits of the program. libdw needs some 4 bytes of memory for one of debug information, and reads
 * more than 100 MB a second. */
#define MEMORY (G_GUINT64_CONSTANT (256) << 20)
#define MEMORY_PER_BYTE 8u
#define MEMORY_MAX (G_GUINT64_CONSTANT (6) << 30)
#define SECONDS 5u
#define BYTES_PER_SECOND (4u << 20)

struct _PenSourceLines {
  PenHelper *helper; /* NULL: it could not be started, or failed */
  guint64 bias;      /* from addresses in the file to those that are asked for */
  GCancellable *cancellable;
  char *path;
  char *failure;
  GPtrArray *texts;
  GArray *calls; /* PenInlinedCall */
  guint n_lines;
};

void
pen_source_lines_free (PenSourceLines *self)
{
  if (!self)
    return;

  g_clear_pointer (&self->helper, pen_helper_free);
  g_ptr_array_unref (self->texts);
  g_array_unref (self->calls);
  g_free (self->failure);
  g_free (self->path);
  g_free (self);
}

const char *
pen_source_lines_get_failure (PenSourceLines *self)
{
  return self->failure;
}

/* Takes @reason. */
static void
fail (PenSourceLines *self, char *reason)
{
  g_clear_pointer (&self->helper, pen_helper_free);
  if (!g_cancellable_is_cancelled (self->cancellable) && !self->failure)
    self->failure = g_steal_pointer (&reason);
  g_free (reason);
}

static void
fail_at_program (PenSourceLines *self)
{
  fail (self, pen_reason_new (PEN_REASON_LINES_DAMAGED, self->path, NULL));
}

/* ---- opening ---- */

static gboolean
has_build_id (Elf *elf, const guint8 *build_id, guint length)
{
  guint own_length = 0;
  const guint8 *own = length > 0 ? pen_build_id_find_in_elf (elf, &own_length) : NULL;

  return length == 0 || (own && own_length == length && memcmp (own, build_id, length) == 0);
}

static void
start_program (PenSourceLines *self, PenDebugImage *image, guint64 size)
{
  g_autoptr (GError) error = NULL;

  self->helper = pen_helper_start (PEN_SOURCE_PROGRAM, pen_debug_image_get_fd (image),
                                   MIN (MEMORY + size * MEMORY_PER_BYTE, MEMORY_MAX),
                                   SECONDS + size / BYTES_PER_SECOND, self->cancellable, &error);
  if (!self->helper)
    fail (self, pen_reason_new_with_error (PEN_REASON_LINES_FAILED, self->path, error));
}

/* Opens a file if it has that build-id. */
static gboolean
open_input (PenDebugInput *input, const char *path, const guint8 *build_id, guint length)
{
  input->fd = pen_regular_file_open (path, &input->size, NULL);
  if (input->fd < 0)
    return FALSE;

  elf_version (EV_CURRENT);
  input->elf = elf_begin (input->fd, ELF_C_READ, NULL);
  return input->elf && input->size <= MAX_FILE && elf_kind (input->elf) == ELF_K_ELF
         && has_build_id (input->elf, build_id, length);
}

static void
close_input (PenDebugInput *input)
{
  g_clear_pointer (&input->elf, elf_end);
  if (input->fd >= 0)
    close (input->fd);
  input->fd = -1;
}

/* The file that dwz(1) moved shared parts to: without it, inlined functions have no names and are
 * left out. Returns: FALSE: it is not there, or too large */
static gboolean
open_alternate (PenDebugInput *input, const char *path, Elf *elf, guint64 *budget, guint64 *size)
{
  const guint8 *build_id = NULL;
  guint length = 0;
  g_autofree char *link = pen_debug_link_read_alternate (elf, &build_id, &length);
  g_auto (GStrv) paths
      = link ? pen_debug_link_list_alternates (path, link, build_id, length) : NULL;

  for (guint i = 0; paths && paths[i]; i++) {
    guint64 more
        = open_input (input, paths[i], build_id, length) ? pen_debug_image_measure (input) : 0;

    if (more > 0 && more <= *budget) {
      *budget -= more;
      *size += more;
      return TRUE;
    }
    close_input (input);
  }
  return FALSE;
}

static PenSourceLines *
open_image (const char *path, const PenDebugInput *input, PenRelocateFunc relocate,
            gpointer user_data, guint64 *budget, gboolean *is_too_large, GCancellable *cancellable)
{
  g_autoptr (PenDebugImage) image = NULL;
  PenDebugInput alternate = { .fd = -1, .is_alternate = TRUE };
  guint64 size = pen_debug_image_measure (input);
  gboolean has_alternate;
  PenSourceLines *self;

  *is_too_large = size > *budget;
  if (size == 0 || size > *budget)
    return NULL;
  *budget -= size;
  has_alternate = open_alternate (&alternate, path, input->elf, budget, &size);
  image = pen_debug_image_new (input, has_alternate ? &alternate : NULL, relocate, user_data,
                               cancellable);
  close_input (&alternate);
  if (!image)
    return NULL;

  self = g_new0 (PenSourceLines, 1);
  self->path = g_strdup (path);
  self->cancellable = cancellable;
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->calls = g_array_new (FALSE, FALSE, sizeof (PenInlinedCall));
  start_program (self, image, size);
  return self;
}

PenSourceLines *
pen_source_lines_open (const char *path, const guint8 *build_id, guint length, guint64 *budget,
                       gboolean *is_too_large, GCancellable *cancellable)
{
  PenSourceLines *self = NULL;
  PenDebugInput input = { 0 };

  *is_too_large = FALSE;
  if (open_input (&input, path, build_id, length))
    self = open_image (path, &input, NULL, NULL, budget, is_too_large, cancellable);
  close_input (&input);
  return self;
}

static gboolean
relocate_module (Elf_Scn *section, guint8 *bytes, gsize length, gpointer user_data)
{
  return pen_module_relocation_apply_debug (user_data, section, bytes, length);
}

/* The contents of a compressed file are in memory. */
static PenDebugInput
get_input (PenKernelFile *file)
{
  PenDebugInput input = { .elf = file->elf, .fd = file->fd, .size = file->size };
  gsize length;

  if (file->unpacked) {
    input.fd = -1;
    input.bytes = g_bytes_get_data (file->unpacked, &length);
    input.size = length;
  }
  return input;
}

guint64
pen_source_lines_measure_kernel (PenKernelFile *file)
{
  const PenDebugInput input = get_input (file);

  return pen_debug_image_measure (&input);
}

PenSourceLines *
pen_source_lines_open_kernel (PenKernelFile *file, guint64 *budget, gboolean *is_too_large,
                              GCancellable *cancellable)
{
  const PenDebugInput input = get_input (file);
  PenSourceLines *self
      = open_image (file->path, &input, pen_kernel_file_is_module (file) ? relocate_module : NULL,
                    file, budget, is_too_large, cancellable);

  if (self)
    self->bias = pen_kernel_file_get_bias (file);
  return self;
}

/* ---- answers ---- */

static const char *
get_text (PenSourceLines *self, guint32 number)
{
  return number > 0 ? g_ptr_array_index (self->texts, number - 1) : NULL;
}

static gboolean
take_text (PenSourceLines *self, guint32 length)
{
  char text[PEN_SOURCE_TEXT_MAX];

  if (length >= sizeof text || self->texts->len >= MAX_TEXTS
      || !pen_helper_receive (self->helper, text, length))
    return FALSE;
  g_ptr_array_add (self->texts, g_strndup (text, length));
  return TRUE;
}

static gboolean
take_call (PenSourceLines *self, const PenSourceMessage *message)
{
  PenInlinedCall call = {
    .name = get_text (self, message->name),
    .file = get_text (self, message->file),
    .line = message->line,
    .outer = message->call,
  };

  if (!call.name || self->calls->len >= MAX_CALLS)
    return FALSE;
  g_array_append_val (self->calls, call);
  return TRUE;
}

/* A question, and its answer's callback. */
typedef struct {
  guint64 least; /* no lower address is reported any more */
  guint64 end;
  PenLineFunc func;
  gpointer user_data;
} Asked;

static gboolean
take_line (PenSourceLines *self, const PenSourceMessage *message, Asked *asked)
{
  PenCodePlace place = {
    .file = get_text (self, message->file),
    .line = message->line,
    .call = message->call,
  };

  if (message->address < asked->least || message->address >= asked->end
      || self->n_lines >= MAX_LINES)
    return FALSE;

  self->n_lines++;
  asked->least = message->address + 1;
  asked->func (message->address + self->bias, &place, asked->user_data);
  return TRUE;
}

static gboolean
take_message (PenSourceLines *self, const PenSourceMessage *message, Asked *asked)
{
  if (message->name > self->texts->len || message->file > self->texts->len
      || message->call > self->calls->len)
    return FALSE;

  switch (message->kind) {
  case PEN_SOURCE_TEXT:
    return take_text (self, message->length);
  case PEN_SOURCE_CALL:
    return take_call (self, message);
  case PEN_SOURCE_LINE:
    return take_line (self, message, asked);
  default:
    return FALSE;
  }
}

void
pen_source_lines_foreach (PenSourceLines *self, guint64 start, guint64 end, PenLineFunc func,
                          gpointer user_data)
{
  PenSourceQuestion question = { start - self->bias, end - self->bias };
  Asked asked = { question.start, question.end, func, user_data };
  PenSourceMessage message;

  if (!self->helper)
    return;
  if (!pen_helper_send (self->helper, &question, sizeof question)) {
    fail_at_program (self);
    return;
  }

  while (pen_helper_receive (self->helper, &message, sizeof message)) {
    if (message.kind == PEN_SOURCE_END)
      return;
    if (!take_message (self, &message, &asked))
      break;
  }
  fail_at_program (self);
}

void
pen_source_lines_get_call (PenSourceLines *self, guint number, PenInlinedCall *call)
{
  *call = g_array_index (self->calls, PenInlinedCall, number - 1);
}
