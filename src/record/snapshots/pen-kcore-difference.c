/* pen-kcore-difference.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kcore-difference.h"

#include <elf.h>
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096u
#define CHUNK (16 * PAGE)
#define SEGMENTS_MAX 4096u

/* Of a kernel, perf copies some 20 MiB. */
#define COMPARED_MAX (512ull * 1024 * 1024)
#define KEPT_MAX (64u * 1024 * 1024)

typedef struct {
  guint64 start;
  guint64 end;
} Range;

/* @runs: (element-type Elf64_Phdr): p_offset counts in @bytes */
typedef struct {
  GArray *runs;
  GByteArray *bytes;
} Difference;

static gboolean
set_damaged (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("not a copy of kcore"));
  return FALSE;
}

static gboolean
read_whole (int file, guint64 offset, void *buffer, gsize size)
{
  guint8 *to = buffer;

  if (offset > G_MAXINT64 - size)
    return FALSE;
  while (size > 0) {
    gssize n = pread (file, to, size, (off_t) offset);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    to += n;
    offset += (guint64) n;
    size -= (gsize) n;
  }
  return TRUE;
}

/* Returns: (transfer full) (element-type Elf64_Phdr): its PT_LOAD segments */
static GArray *
read_segments (int file, Elf64_Ehdr *header, GError **error)
{
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (Elf64_Phdr));

  if (!read_whole (file, 0, header, sizeof *header)
      || memcmp (header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64
      || header->e_phentsize != sizeof (Elf64_Phdr) || header->e_phnum > SEGMENTS_MAX) {
    set_damaged (error);
    return NULL;
  }
  for (guint i = 0; i < header->e_phnum; i++) {
    Elf64_Phdr segment;

    if (!read_whole (file, header->e_phoff + i * sizeof segment, &segment, sizeof segment)
        || (segment.p_type == PT_LOAD && segment.p_filesz > G_MAXUINT64 - segment.p_vaddr)) {
      set_damaged (error);
      return NULL;
    }
    if (segment.p_type == PT_LOAD)
      g_array_append_val (segments, segment);
  }
  return g_steal_pointer (&segments);
}

/* FALSE: @segments have nothing for all of it, or it cannot be read. */
static gboolean
read_at (int file, const GArray *segments, guint64 address, guint8 *bytes, gsize size)
{
  for (guint i = 0; i < segments->len; i++) {
    const Elf64_Phdr *segment = &g_array_index (segments, Elf64_Phdr, i);

    if (address >= segment->p_vaddr && address - segment->p_vaddr <= segment->p_filesz
        && size <= segment->p_filesz - (address - segment->p_vaddr))
      return read_whole (file, segment->p_offset + (address - segment->p_vaddr), bytes, size);
  }
  return FALSE;
}

static gboolean
is_zero (const guint8 *bytes, gsize size)
{
  return bytes[0] == 0 && memcmp (bytes, bytes + 1, size - 1) == 0;
}

static gboolean
keep (Difference *self, guint64 address, const guint8 *bytes, gsize size, GError **error)
{
  Elf64_Phdr *last
      = self->runs->len > 0 ? &g_array_index (self->runs, Elf64_Phdr, self->runs->len - 1) : NULL;

  if (!last || last->p_vaddr + last->p_filesz != address) {
    const Elf64_Phdr run = {
      .p_type = PT_LOAD,
      .p_flags = PF_R | PF_W | PF_X,
      .p_vaddr = address,
      .p_offset = self->bytes->len,
      .p_align = PAGE,
    };

    g_array_append_val (self->runs, run);
    last = &g_array_index (self->runs, Elf64_Phdr, self->runs->len - 1);
  }
  last->p_filesz += size;
  last->p_memsz = last->p_filesz;
  g_byte_array_append (self->bytes, bytes, (guint) size);
  if (self->runs->len <= SEGMENTS_MAX && self->bytes->len <= KEPT_MAX)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE, g_strerror (EFBIG));
  return FALSE;
}

static gboolean
compare_chunk (Difference *self, guint64 address, const guint8 *old, const guint8 *new, gsize size,
               GError **error)
{
  for (gsize at = 0; at < size; at += PAGE) {
    gsize length = MIN (PAGE, size - at);

    if (memcmp (old + at, new + at, length) != 0 && !is_zero (new + at, length)
        && !keep (self, address + at, new + at, length, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
compare_segment (Difference *self, int before, const Elf64_Phdr *segment, int now,
                 const GArray *mapped, GError **error)
{
  guint8 old[CHUNK];
  guint8 new[CHUNK];

  for (guint64 at = 0; at < segment->p_filesz; at += CHUNK) {
    gsize size = (gsize) MIN (CHUNK, segment->p_filesz - at);

    if (!read_whole (before, segment->p_offset + at, old, size))
      return set_damaged (error);
    /* A module's memory may be gone. */
    if (read_at (now, mapped, segment->p_vaddr + at, new, size)
        && !compare_chunk (self, segment->p_vaddr + at, old, new, size, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- modules ---- */

/* "name size uses users state 0xaddress". FALSE: no address, as for who may not know it */
static gboolean
parse_module (const char *line, Range *range)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 7);
  guint64 size;
  guint64 address;

  if (g_strv_length (words) < 6 || !g_str_has_prefix (words[5], "0x")
      || !g_ascii_string_to_unsigned (words[1], 10, 1, COMPARED_MAX, &size, NULL)
      || !g_ascii_string_to_unsigned (words[5] + 2, 16, PAGE, G_MAXUINT64 - size - PAGE, &address,
                                      NULL))
    return FALSE;
  range->start = address & ~(guint64) (PAGE - 1);
  range->end = (address + size + PAGE - 1) & ~(guint64) (PAGE - 1);
  return TRUE;
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const Range *) a)->start;
  guint64 y = ((const Range *) b)->start;

  return (x > y) - (x < y);
}

/* Returns: (transfer full) (element-type Range): by their start */
static GArray *
parse_modules (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  Range range;

  for (char **line = lines; *line; line++) {
    if (parse_module (*line, &range))
      g_array_append_val (ranges, range);
  }
  g_array_sort (ranges, compare_ranges);
  return ranges;
}

static gboolean
has_page (const GArray *segments, guint64 page)
{
  for (guint i = 0; i < segments->len; i++) {
    const Elf64_Phdr *segment = &g_array_index (segments, Elf64_Phdr, i);

    if (page >= segment->p_vaddr && page - segment->p_vaddr < segment->p_filesz)
      return TRUE;
  }
  return FALSE;
}

/* Pages of modules that @segments, which were compared, do not have. */
static gboolean
add_modules (Difference *self, const char *text, const GArray *segments, int now,
             const GArray *mapped, GError **error)
{
  g_autoptr (GArray) ranges = parse_modules (text);
  guint64 done = 0;
  guint8 bytes[PAGE];

  for (guint i = 0; i < ranges->len; i++) {
    const Range *range = &g_array_index (ranges, Range, i);

    for (guint64 page = MAX (range->start, done); page < range->end; page += PAGE) {
      if (!has_page (segments, page) && read_at (now, mapped, page, bytes, PAGE)
          && !is_zero (bytes, PAGE) && !keep (self, page, bytes, PAGE, error))
        return FALSE;
    }
    done = MAX (done, range->end);
  }
  return TRUE;
}

/* ---- all ---- */

static GByteArray *
make_file (const Difference *self, const Elf64_Ehdr *before)
{
  GByteArray *file = g_byte_array_new ();
  Elf64_Ehdr header = {
    .e_type = ET_CORE,
    .e_machine = before->e_machine,
    .e_version = EV_CURRENT,
    .e_phoff = sizeof header,
    .e_ehsize = sizeof header,
    .e_phentsize = sizeof (Elf64_Phdr),
    .e_phnum = (guint16) self->runs->len,
  };
  gsize begin = sizeof header + self->runs->len * sizeof (Elf64_Phdr);

  memcpy (header.e_ident, before->e_ident, EI_NIDENT);
  g_byte_array_append (file, (const guint8 *) &header, sizeof header);
  for (guint i = 0; i < self->runs->len; i++) {
    Elf64_Phdr run = g_array_index (self->runs, Elf64_Phdr, i);

    run.p_offset += begin;
    g_byte_array_append (file, (const guint8 *) &run, sizeof run);
  }
  g_byte_array_append (file, self->bytes->data, self->bytes->len);
  return file;
}

GByteArray *
pen_kcore_difference_new (int before, int now, const char *modules, GError **error)
{
  Elf64_Ehdr header;
  Elf64_Ehdr header_now;
  g_autoptr (GArray) segments = read_segments (before, &header, error);
  g_autoptr (GArray) mapped = segments ? read_segments (now, &header_now, error) : NULL;
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Elf64_Phdr));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Difference self = { .runs = runs, .bytes = bytes };
  guint64 compared = 0;

  if (!mapped)
    return NULL;
  for (guint i = 0; i < segments->len; i++) {
    const Elf64_Phdr *segment = &g_array_index (segments, Elf64_Phdr, i);

    if (segment->p_filesz > COMPARED_MAX - compared) {
      set_damaged (error);
      return NULL;
    }
    compared += segment->p_filesz;
    if (!compare_segment (&self, before, segment, now, mapped, error))
      return NULL;
  }
  if (modules && !add_modules (&self, modules, segments, now, mapped, error))
    return NULL;
  return make_file (&self, &header);
}
