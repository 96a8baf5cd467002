/* pen-file-header.c: the header of a perf.data file, with its events and its features
 *
 * Layout: tools/perf/Documentation/perf.data-file-format.txt in the kernel's sources.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-file-header.h"

#include <glib/gi18n-lib.h>

#include "pen-byte-order.h"
#include "pen-feature-parser.h"
#include "pen-magic.h"
#include "pen-reader.h"
#include "pen-reason.h"

#define PIPE_HEADER_SIZE 16
#define ANCIENT_HEADER_SIZE 72
#define HEADER_SIZE 104

enum {
  AT_HEADER_SIZE = 8,
  AT_ATTR_ENTRY_SIZE = 16,
  AT_ATTRS = 24,
  AT_DATA = 40,
  AT_FEATURE_BITS = 72,
};

/* An entry is a perf_event_attr, and the place of its ids. */
#define ID_SECTION_SIZE 16
#define ATTR_ENTRY_MAX 4096

/* BPF_PROG_INFO of a busy server; more than this is damage. */
#define FEATURE_SIZE_MAX (256u * 1024 * 1024)

static gboolean
set_damaged (GError **error, PenFile *file, guint at, const char *what)
{
  g_set_error (
      error, PEN_READER_ERROR, PEN_READER_ERROR_DAMAGED,
      _ ("The header of “%s” is damaged at byte %u: %s. Record again, or get another copy"),
      file->path, at, what);
  return FALSE;
}

static gboolean
is_magic (const guint8 *bytes, const char *magic)
{
  return memcmp (bytes, magic, 8) == 0;
}

static gboolean
is_entry_size (guint64 size)
{
  return size >= PEN_ATTR_SIZE_MIN + ID_SECTION_SIZE && size <= ATTR_ENTRY_MAX && size % 8 == 0;
}

/* The first magic, in use until 2012, reads the same in both byte orders. In pipe form the header's
 * size tells the order, else that of an event does: as a number of the other order it is huge. */
static gboolean
guess_byte_order (const guint8 *bytes, gsize length)
{
  if (length >= PIPE_HEADER_SIZE && pen_get_u64 (bytes + AT_HEADER_SIZE, TRUE) == PIPE_HEADER_SIZE)
    return TRUE;
  return length >= AT_ATTRS && !is_entry_size (pen_get_u64 (bytes + AT_ATTR_ENTRY_SIZE, FALSE))
         && is_entry_size (pen_get_u64 (bytes + AT_ATTR_ENTRY_SIZE, TRUE));
}

static gboolean
check_magic (PenFileHeader *self, PenFile *file, const guint8 *bytes, gsize length, GError **error)
{
  if (!pen_magic_is_perf_data (bytes, length)) {
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA,
                 _ ("“%s” is not a perf.data file: %s"), file->path,
                 pen_magic_describe (bytes, length));
    return FALSE;
  }
  if (is_magic (bytes, "PERFFILE"))
    self->big_endian = guess_byte_order (bytes, length);
  else
    self->big_endian = is_magic (bytes, "2ELIFREP");
  return TRUE;
}

static gboolean
has_bit (const PenFileHeader *self, guint bit)
{
  return (self->feature_bits[bit / 64] >> (bit % 64)) & 1;
}

/* The bitmap is an array of the writer's longs: on big-endian machines, 32-bit ones put the halves
 * of a u64 the other way round. HOSTNAME, which every recorder writes, tells which it was. */
static void
read_feature_bits (PenFileHeader *self, const guint8 *bytes)
{
  for (guint i = 0; i < 4; i++)
    self->feature_bits[i] = pen_get_u64 (bytes + 8 * i, self->big_endian);

  if (self->big_endian && !has_bit (self, PEN_FEATURE_HOSTNAME)) {
    for (guint i = 0; i < 4; i++)
      self->feature_bits[i] = self->feature_bits[i] << 32 | self->feature_bits[i] >> 32;
    if (!has_bit (self, PEN_FEATURE_HOSTNAME)) {
      for (guint i = 0; i < 4; i++)
        self->feature_bits[i] = self->feature_bits[i] << 32 | self->feature_bits[i] >> 32;
    }
  }
}

static void
place_unterminated_data (PenFileHeader *self, PenFile *file, gboolean is_growing,
                         PenProblems *problems)
{
  self->data_end = file->size;
  if (self->attrs_offset > self->data_begin)
    self->data_end = MIN (self->data_end, self->attrs_offset);
  if (self->data_end > self->data_begin && !is_growing)
    pen_problems_add (problems, PEN_PROBLEM_REPAIRED, 0, AT_DATA + 8, 0,
                      PEN_REASON_RECORDER_NOT_ENDED);
}

static gboolean
place_data (PenFileHeader *self, PenFile *file, guint64 size, gboolean is_growing,
            PenProblems *problems, GError **error)
{
  if (size > G_MAXINT64 || self->data_begin > G_MAXINT64)
    return set_damaged (error, file, AT_DATA,
                        _ ("the offset of the records is beyond the end of any file"));
  if (self->attrs_offset < self->data_begin + size
      && self->data_begin < self->attrs_offset + self->attrs_size && size > 0)
    return set_damaged (error, file, AT_ATTRS, _ ("events and records overlap"));

  if (size == 0) {
    place_unterminated_data (self, file, is_growing, problems);
    return TRUE;
  }
  self->is_terminated = TRUE;
  self->data_end = self->data_begin + size;
  self->features_at = self->data_end;
  if (self->data_end > file->size) {
    pen_problems_add (problems, PEN_PROBLEM_ENDED, 0, file->size, 0, PEN_REASON_FILE_CUT_OFF);
    self->data_end = MAX (self->data_begin, file->size);
    self->features_at = 0;
  }
  return TRUE;
}

static gboolean
read_file_header (PenFileHeader *self, PenFile *file, const guint8 *bytes, guint64 size,
                  gboolean is_growing, PenProblems *problems, GError **error)
{
  self->attr_entry_size = pen_get_u64 (bytes + AT_ATTR_ENTRY_SIZE, self->big_endian);
  self->attrs_offset = pen_get_u64 (bytes + AT_ATTRS, self->big_endian);
  self->attrs_size = pen_get_u64 (bytes + AT_ATTRS + 8, self->big_endian);
  self->data_begin = pen_get_u64 (bytes + AT_DATA, self->big_endian);

  if (self->attr_entry_size < PEN_ATTR_SIZE_MIN + ID_SECTION_SIZE
      || self->attr_entry_size > ATTR_ENTRY_MAX)
    return set_damaged (error, file, AT_ATTR_ENTRY_SIZE, _ ("invalid size of an event"));
  if (self->attrs_offset < size || self->attrs_offset > file->size
      || self->attrs_size > file->size - self->attrs_offset)
    return set_damaged (error, file, AT_ATTRS, _ ("the events are outside of the file"));
  if (self->data_begin < size)
    return set_damaged (error, file, AT_DATA, _ ("the records start within the header"));
  if (!place_data (self, file, pen_get_u64 (bytes + AT_DATA + 8, self->big_endian), is_growing,
                   problems, error))
    return FALSE;

  if (size >= HEADER_SIZE)
    read_feature_bits (self, bytes + AT_FEATURE_BITS);
  return TRUE;
}

gboolean
pen_file_header_read (PenFileHeader *self, PenFile *file, gboolean is_growing,
                      PenProblems *problems, GError **error)
{
  guint8 bytes[PEN_MAGIC_LENGTH] = { 0 };
  gssize length;
  guint64 size;

  *self = (PenFileHeader){ 0 };
  length = pen_file_read (file, 0, bytes, sizeof bytes, error);
  if (length < 0 || !check_magic (self, file, bytes, (gsize) length, error))
    return FALSE;

  size = pen_get_u64 (bytes + AT_HEADER_SIZE, self->big_endian);
  if (length < PIPE_HEADER_SIZE)
    return set_damaged (error, file, (guint) length, _ ("the file ends here"));
  if (size == PIPE_HEADER_SIZE) {
    self->is_pipe = TRUE;
    self->data_begin = PIPE_HEADER_SIZE;
    self->data_end = file->is_stream ? G_MAXINT64 : file->size;
    return TRUE;
  }
  if (size != ANCIENT_HEADER_SIZE && (size < HEADER_SIZE || size > ATTR_ENTRY_MAX))
    return set_damaged (error, file, AT_HEADER_SIZE, _ ("invalid size of the header"));
  if ((guint64) length < MIN (size, HEADER_SIZE))
    return set_damaged (error, file, (guint) length, _ ("the file ends here"));
  return read_file_header (self, file, bytes, size, is_growing, problems, error);
}

static void
read_ids (const PenFileHeader *self, PenFile *file, const guint8 *section, PenAttr *attr,
          guint *ids_left, guint64 at, PenProblems *problems)
{
  guint64 offset = pen_get_u64 (section, self->big_endian);
  guint64 size = pen_get_u64 (section + 8, self->big_endian);
  g_autofree guint8 *bytes = NULL;

  if (size == 0)
    return;
  if (size % 8 != 0 || size / 8 > *ids_left || offset > file->size || size > file->size - offset) {
    pen_problems_add (problems, PEN_PROBLEM_SET_ASIDE, 0, at, 0, PEN_REASON_IDS_OUTSIDE);
    return;
  }
  bytes = g_malloc (size);
  if (pen_file_read (file, offset, bytes, size, NULL) != (gssize) size)
    return;

  *ids_left -= (guint) (size / 8);
  for (guint64 i = 0; i < size; i += 8) {
    guint64 id = pen_get_u64 (bytes + i, self->big_endian);

    g_array_append_val (attr->ids, id);
  }
}

gboolean
pen_file_header_read_events (const PenFileHeader *self, PenFile *file, PenEventTable *events,
                             PenProblems *problems, GError **error)
{
  guint64 count;
  guint ids_left = PEN_EVENT_IDS_MAX;

  if (self->is_pipe)
    return TRUE;

  count = self->attrs_size / self->attr_entry_size;
  if (count == 0 || count > PEN_EVENTS_MAX)
    return set_damaged (error, file, AT_ATTRS + 8, _ ("too many events"));

  for (guint64 i = 0; i < count; i++) {
    guint64 at = self->attrs_offset + i * self->attr_entry_size;
    gsize attr_size = self->attr_entry_size - ID_SECTION_SIZE;
    guint8 entry[ATTR_ENTRY_MAX];
    PenAttr *attr;
    gssize got = pen_file_read (file, at, entry, self->attr_entry_size, error);

    if (got < 0)
      return FALSE;
    if ((guint64) got < self->attr_entry_size)
      return set_damaged (error, file, AT_ATTRS, _ ("the events are outside of the file"));
    attr = pen_attr_new_from_bytes (entry, attr_size, self->big_endian);
    read_ids (self, file, entry + attr_size, attr, &ids_left, at + attr_size, problems);
    pen_event_table_add (events, attr);
  }
  return TRUE;
}

static const char *
read_feature (const PenFileHeader *self, PenFile *file, guint bit, const guint8 *section,
              PenEventTable *events, PenFeatures *features)
{
  guint64 offset = pen_get_u64 (section, self->big_endian);
  guint64 size = pen_get_u64 (section + 8, self->big_endian);
  g_autoptr (GBytes) bytes = NULL;
  guint8 *payload;

  if (offset > file->size || size > file->size - offset)
    return PEN_REASON_FEATURE_OUTSIDE;
  if (size == 0 || !pen_feature_is_known (bit))
    return NULL;
  if (size > FEATURE_SIZE_MAX)
    return PEN_REASON_FEATURE_TOO_LARGE;
  if (bit == PEN_FEATURE_TRACING_DATA && size > PEN_TRACING_DATA_MAX)
    return PEN_REASON_FORMATS_TOO_LONG;

  payload = g_malloc (size);
  bytes = g_bytes_new_take (payload, size);
  if (pen_file_read (file, offset, payload, size, NULL) != (gssize) size)
    return PEN_REASON_FEATURE_UNREADABLE;
  return pen_feature_parse (features, events, bit, bytes, self->big_endian);
}

/* One entry per set bit, in ascending order, whether or not the bit means anything here. */
void
pen_file_header_read_features (const PenFileHeader *self, PenFile *file, PenEventTable *events,
                               PenFeatures *features, PenProblems *problems)
{
  guint64 at = self->features_at;

  for (guint bit = 0; at != 0 && bit < PEN_FEATURE_BITS; bit++) {
    guint8 section[16];
    const char *reason;

    if (!has_bit (self, bit))
      continue;
    if (pen_file_read (file, at, section, sizeof section, NULL) != sizeof section) {
      pen_problems_add (problems, PEN_PROBLEM_ENDED, 0, at, 0, PEN_REASON_FEATURES_CUT_OFF);
      return;
    }
    reason = read_feature (self, file, bit, section, events, features);
    if (reason)
      pen_problems_add (problems, PEN_PROBLEM_SET_ASIDE, 0, at, 0, reason);
    at += sizeof section;
  }
}
