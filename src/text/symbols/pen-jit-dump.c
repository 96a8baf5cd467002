/* pen-jit-dump.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-jit-dump.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pen-compare.h"
#include "pen-names.h"
#include "pen-reason.h"
#include "pen-regular-file.h"
#include "pen-table-hash.h"

#define MAGIC 0x4a695444u
#define VERSION 1u
#define HEADER 40u
#define ARCH_TIMESTAMP 1u
#define RECORD 16u /* id, total size, time */
#define LOAD 40u   /* after it, up to the name */
#define MOVE 48u
#define DEBUG 16u /* after it, up to the entries */
#define ENTRY 16u /* up to its name */
#define MAX_DEBUG (64u << 20)
#define MAX_NAME 4096u
/* No function is longer; a range of more would hide whatever else is there. */
#define MAX_CODE (64u << 20)

enum {
  JIT_CODE_LOAD = 0,
  JIT_CODE_MOVE = 1,
  JIT_CODE_DEBUG_INFO = 2,
  JIT_CODE_CLOSE = 3,
};

struct _PenJitDump {
  char *path;
  int fd;
  guint64 size;
  gboolean is_swapped;
  guint32 pid;
  GArray *codes;      /* PenJitCode */
  GArray *lines;      /* PenJitLine; those after first_line still have addresses */
  guint64 lines_of;   /* where the code begins that comes next and has these lines, */
  guint first_line;   /* and the first of them */
  GHashTable *loaded; /* code_index → index in codes, plus 1, of the latest */
  PenNames *names;
  char *damage; /* a reason */
};

gboolean
pen_jit_dump_is_name (const char *path, gint32 *pid)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash ? slash + 1 : path;
  guint64 number;
  char *end;

  if (!g_str_has_prefix (name, "jit-") || !g_ascii_isdigit (name[4]))
    return FALSE;
  number = g_ascii_strtoull (name + 4, &end, 10);
  if (strcmp (end, ".dump") != 0 || number > G_MAXINT32)
    return FALSE;

  *pid = (gint32) number;
  return TRUE;
}

static gboolean
read_at (PenJitDump *self, guint64 offset, void *buffer, gsize length)
{
  gsize done = 0;

  while (done < length) {
    gssize n = pread (self->fd, (char *) buffer + done, length - done, (off_t) (offset + done));

    if (n <= 0)
      return FALSE;
    done += (gsize) n;
  }
  return TRUE;
}

static guint32
get_u32 (PenJitDump *self, const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return self->is_swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

static guint64
get_u64 (PenJitDump *self, const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return self->is_swapped ? GUINT64_SWAP_LE_BE (value) : value;
}

/* ---- records ---- */

static void
set_damage (PenJitDump *self, guint64 offset, const char *word)
{
  g_autofree char *at = g_strdup_printf ("%" G_GUINT64_FORMAT, offset);

  self->damage = pen_reason_new (word, at, NULL);
}

static gboolean
is_range (guint64 start, guint64 length)
{
  return length > 0 && length <= MAX_CODE && start <= G_MAXUINT64 - length;
}

/* Takes the lines of the code that is loaded now: they come before it. */
static void
take_lines (PenJitDump *self, PenJitCode *code)
{
  guint n = self->first_line;

  for (guint i = n; self->lines_of == code->start && i < self->lines->len; i++) {
    PenJitLine line = g_array_index (self->lines, PenJitLine, i);

    if (line.offset < code->start || line.offset - code->start >= code->length)
      continue;
    line.offset -= code->start;
    g_array_index (self->lines, PenJitLine, n++) = line;
  }
  g_array_set_size (self->lines, n);
  code->first_line = self->first_line;
  code->n_lines = n - self->first_line;
  if (code->n_lines > 0)
    qsort (&g_array_index (self->lines, PenJitLine, code->first_line), code->n_lines,
           sizeof (PenJitLine), pen_compare_u64);
  self->first_line = n;
}

/* Entries of any length, one after the other. "\377" is the name of the one before. */
static gboolean
read_entries (PenJitDump *self, const guint8 *bytes, gsize length, guint64 n)
{
  const char *file = NULL;

  for (guint64 i = 0; i < n && self->lines->len < PEN_JIT_DUMP_MAX_LINES; i++) {
    PenJitLine line;
    const char *name = (const char *) bytes + ENTRY;
    gsize name_length;

    if (length <= ENTRY)
      return FALSE;
    name_length = strnlen (name, length - ENTRY);
    if (name_length == length - ENTRY)
      return FALSE;
    if (strcmp (name, "\377") != 0)
      file = name_length > 0 && name_length < MAX_NAME ? pen_names_add (self->names, name) : NULL;
    line = (PenJitLine){ get_u64 (self, bytes), file, get_u32 (self, bytes + 8) };
    if (line.file && line.line > 0)
      g_array_append_val (self->lines, line);
    bytes += ENTRY + name_length + 1;
    length -= ENTRY + name_length + 1;
  }
  return TRUE;
}

static const char *
read_debug_info (PenJitDump *self, guint64 offset, guint32 size)
{
  g_autofree guint8 *bytes = NULL;

  if (size < RECORD + DEBUG)
    return PEN_REASON_JIT_LINES_TOO_SHORT;
  if (size > MAX_DEBUG)
    return NULL;
  bytes = g_try_malloc (size - RECORD);
  if (!bytes || !read_at (self, offset + RECORD, bytes, size - RECORD))
    return PEN_REASON_JIT_LINES_CUT_OFF;

  g_array_set_size (self->lines, self->first_line);
  self->lines_of = get_u64 (self, bytes);
  return read_entries (self, bytes + DEBUG, size - RECORD - DEBUG, get_u64 (self, bytes + 8))
             ? NULL
             : PEN_REASON_JIT_LINES_TOO_LONG;
}

/* Returns: NULL, or the word of a reason */
static const char *
read_load (PenJitDump *self, guint64 offset, guint32 size, guint64 time)
{
  guint8 fixed[LOAD];
  char name[MAX_NAME + 1];
  gsize room;
  gsize length;
  guint64 index;
  PenJitCode code = { .time = time, .moved_from = G_MAXUINT64 };

  if (size < RECORD + LOAD + 1 || !read_at (self, offset + RECORD, fixed, sizeof fixed))
    return PEN_REASON_JIT_FUNCTION_TOO_SHORT;
  room = MIN (size - RECORD - LOAD, MAX_NAME);
  if (!read_at (self, offset + RECORD + LOAD, name, room))
    return PEN_REASON_JIT_FUNCTION_CUT_OFF;
  name[room] = '\0';
  length = strlen (name);
  code.start = get_u64 (self, fixed + 16);
  code.length = get_u64 (self, fixed + 24);
  index = get_u64 (self, fixed + 32);
  if (length == room || code.length > size - RECORD - LOAD - length - 1)
    return PEN_REASON_JIT_CODE_TOO_LONG;
  if (!is_range (code.start, code.length))
    return NULL;

  take_lines (self, &code);
  code.offset = offset + RECORD + LOAD + length + 1;
  code.name = pen_names_add (self->names, name);
  g_array_append_val (self->codes, code);
  g_hash_table_insert (self->loaded, g_memdup2 (&index, sizeof index),
                       GUINT_TO_POINTER (self->codes->len));
  return NULL;
}

static const char *
read_move (PenJitDump *self, guint64 offset, guint32 size, guint64 time)
{
  guint8 fixed[MOVE];
  guint64 index;
  guint known;
  PenJitCode code;

  if (size < RECORD + MOVE || !read_at (self, offset + RECORD, fixed, sizeof fixed))
    return PEN_REASON_JIT_MOVE_TOO_SHORT;

  index = get_u64 (self, fixed + 40);
  known = GPOINTER_TO_UINT (g_hash_table_lookup (self->loaded, &index));
  if (known == 0)
    return NULL;

  code = g_array_index (self->codes, PenJitCode, known - 1);
  code.time = time;
  code.moved_from = code.start;
  code.start = get_u64 (self, fixed + 24);
  code.length = MIN (code.length, get_u64 (self, fixed + 32));
  if (!is_range (code.start, code.length))
    return NULL;
  g_array_append_val (self->codes, code);
  g_hash_table_insert (self->loaded, g_memdup2 (&index, sizeof index),
                       GUINT_TO_POINTER (self->codes->len));
  return NULL;
}

static void
read_records (PenJitDump *self, guint64 offset, GCancellable *cancellable)
{
  const char *problem = NULL;

  while (offset < self->size && self->codes->len < PEN_JIT_DUMP_MAX_CODES
         && !g_cancellable_is_cancelled (cancellable)) {
    guint8 header[RECORD];
    guint32 id;
    guint32 size;

    if (self->size - offset < RECORD || !read_at (self, offset, header, sizeof header)) {
      set_damage (self, offset, PEN_REASON_JIT_RECORD_CUT_OFF);
      return;
    }
    id = get_u32 (self, header);
    size = get_u32 (self, header + 4);
    if (size < RECORD || size > self->size - offset) {
      set_damage (self, offset, PEN_REASON_JIT_RECORD_TOO_LONG);
      return;
    }

    if (id == JIT_CODE_LOAD)
      problem = read_load (self, offset, size, get_u64 (self, header + 8));
    else if (id == JIT_CODE_MOVE)
      problem = read_move (self, offset, size, get_u64 (self, header + 8));
    else if (id == JIT_CODE_DEBUG_INFO)
      problem = read_debug_info (self, offset, size);
    else if (id == JIT_CODE_CLOSE)
      return;
    if (problem) {
      set_damage (self, offset, problem);
      return;
    }
    offset += size;
  }
}

static gboolean
read_header (PenJitDump *self, guint64 *first, GError **error)
{
  guint8 header[HEADER];
  guint32 magic;

  if (self->size < HEADER || !read_at (self, 0, header, sizeof header))
    return pen_reason_set_error (error, G_IO_ERROR_INVALID_DATA, PEN_REASON_JIT_TOO_SHORT,
                                 self->path, NULL);

  memcpy (&magic, header, sizeof magic);
  self->is_swapped = magic == GUINT32_SWAP_LE_BE (MAGIC);
  if ((magic != MAGIC && !self->is_swapped) || get_u32 (self, header + 4) != VERSION
      || get_u32 (self, header + 8) < HEADER)
    return pen_reason_set_error (error, G_IO_ERROR_INVALID_DATA, PEN_REASON_JIT_VERSION, self->path,
                                 NULL);
  if ((get_u64 (self, header + 32) & ARCH_TIMESTAMP) != 0)
    return pen_reason_set_error (error, G_IO_ERROR_NOT_SUPPORTED, PEN_REASON_JIT_CPU_CLOCK,
                                 self->path, NULL);

  *first = get_u32 (self, header + 8);
  self->pid = get_u32 (self, header + 20);
  return TRUE;
}

PenJitDump *
pen_jit_dump_open (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenJitDump) self = g_new0 (PenJitDump, 1);
  guint64 first = 0;

  self->path = g_strdup (path);
  self->codes = g_array_new (FALSE, FALSE, sizeof (PenJitCode));
  self->lines = g_array_new (FALSE, FALSE, sizeof (PenJitLine));
  self->loaded = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  self->names = pen_names_new ();
  self->fd = pen_regular_file_open (path, &self->size, error);
  if (self->fd < 0)
    return NULL;
  self->size = MIN (self->size, (guint64) G_MAXINT64);
  if (!read_header (self, &first, error))
    return NULL;
  read_records (self, first, cancellable);
  return g_steal_pointer (&self);
}

void
pen_jit_dump_free (PenJitDump *self)
{
  if (!self)
    return;

  if (self->fd >= 0)
    close (self->fd);
  g_array_unref (self->codes);
  g_array_unref (self->lines);
  g_hash_table_unref (self->loaded);
  pen_names_free (self->names);
  g_free (self->damage);
  g_free (self->path);
  g_free (self);
}

const char *
pen_jit_dump_get_path (PenJitDump *self)
{
  return self->path;
}

guint32
pen_jit_dump_get_pid (PenJitDump *self)
{
  return self->pid;
}

GArray *
pen_jit_dump_get_codes (PenJitDump *self)
{
  return self->codes;
}

GArray *
pen_jit_dump_get_lines (PenJitDump *self)
{
  return self->lines;
}

const char *
pen_jit_dump_get_damage (PenJitDump *self)
{
  return self->damage;
}

GBytes *
pen_jit_dump_read_code (PenJitDump *self, guint64 offset, gsize length)
{
  g_autofree guint8 *bytes = NULL;

  if (offset >= self->size || length == 0)
    return NULL;

  length = MIN (length, (gsize) (self->size - offset));
  bytes = g_try_malloc (length);
  return bytes && read_at (self, offset, bytes, length)
             ? g_bytes_new_take (g_steal_pointer (&bytes), length)
             : NULL;
}
