/* pen-reader.c: a capture as a stream of checked records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-reader.h"

#include "pen-byte-order.h"
#include "pen-container.h"
#include "pen-event-table.h"
#include "pen-inflater.h"
#include "pen-metadata.h"
#include "pen-problems.h"
#include "pen-reason.h"
#include "pen-record-parser.h"
#include "pen-sample-parser.h"
#include "pen-stream.h"

#define RECORD_HEADER_SIZE 8
#define COMPRESSED2_DATA_AT 16
#define COMPRESSION_ZSTD 1

/* zstd may keep back a block of one record's output and give it with the next. */
#define COMPRESSED_SLACK (256u * 1024)
#define COMPRESSED_OUTPUT_MAX (64u * 1024 * 1024)

/* How often to look whether to stop: a few microseconds apart. */
#define CANCEL_EVERY 256

/* A record that is being read: from the file itself, or from inside a compressed record. */
typedef struct {
  const guint8 *bytes;
  guint32 size;
  guint64 offset;
  gboolean was_compressed;
  gboolean was_kept;
} Raw;

/*
 * PenReader:
 * @first_file: borrowed: the only one that may be a FIFO or standard input
 * @range: index of the container's data range that is being read; those before are done
 * @compressed_offset: of the compressed record whose contents are being read
 * @is_inflating: contents of that record may be left
 * @is_inflater_dead: what was compressed in this range is lost from here on
 * @position: of the record that was read last
 */
struct _PenReader {
  GObject parent_instance;

  PenContainer *container;
  PenEventTable *events;
  PenFeatures *features;
  PenProblems *problems;
  PenFile *first_file;
  char **file_names;
  char *shape;
  guint64 size;

  PenStream stream;
  guint range;
  guint64 bytes_before; /* in the ranges that are done */
  PenInflater *inflater;
  gboolean has_compressed;
  gboolean is_inflating;
  gboolean is_inflater_dead;
  gboolean is_growing;
  guint64 compressed_offset;
  guint64 position;
  guint64 *callchain;
  const PenRecordRange *chosen; /* NULL: all records; else the range that is being read */
  guint n_chosen;               /* from there on */
  gboolean is_in_range;         /* something of it was read */
  guint64 offset;               /* after the last record */
  Raw last;
  gboolean has_all_patches; /* the last record of that range says that no more come */
};

G_DEFINE_FINAL_TYPE (PenReader, pen_reader, G_TYPE_OBJECT)

G_DEFINE_QUARK (pen_reader_error_quark, pen_reader_error)

static void
pen_reader_finalize (GObject *object)
{
  PenReader *self = PEN_READER (object);

  g_clear_pointer (&self->container, pen_container_free);
  g_clear_pointer (&self->events, pen_event_table_free);
  g_clear_pointer (&self->features, pen_features_free);
  g_clear_pointer (&self->problems, pen_problems_free);
  g_clear_pointer (&self->file_names, g_strfreev);
  g_clear_pointer (&self->shape, g_free);
  g_clear_pointer (&self->inflater, pen_inflater_free);
  g_clear_pointer (&self->callchain, g_free);
  pen_stream_clear (&self->stream);
  G_OBJECT_CLASS (pen_reader_parent_class)->finalize (object);
}

static void
pen_reader_class_init (PenReaderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_reader_finalize;
}

static void
pen_reader_init (PenReader *self)
{
  self->events = pen_event_table_new ();
  self->features = pen_features_new ();
  self->problems = pen_problems_new ();
  self->inflater = pen_inflater_new ();
  self->callchain = g_new (guint64, PEN_CALLCHAIN_MAX);
}

static const PenDataRange *
get_range (PenReader *self)
{
  return &g_array_index (self->container->ranges, PenDataRange, self->range);
}

static void
start_range (PenReader *self, guint index)
{
  const PenDataRange *range;

  self->range = index;
  self->is_inflating = FALSE;
  self->is_inflater_dead = FALSE;
  pen_inflater_reset (self->inflater);
  if (index >= self->container->ranges->len)
    return;

  range = get_range (self);
  pen_stream_start (&self->stream, g_ptr_array_index (self->container->files, range->file),
                    range->begin, range->end);
}

static void
list_files (PenReader *self)
{
  GPtrArray *files = self->container->files;

  self->file_names = g_new0 (char *, files->len + 1);
  for (guint i = 0; i < files->len; i++) {
    PenFile *file = g_ptr_array_index (files, i);

    self->file_names[i] = g_strdup (file->name);
    self->size += file->size;
  }
}

static PenReader *
open_reader (const char *path, gboolean is_growing, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenReader) self = g_object_new (PEN_TYPE_READER, NULL);

  self->is_growing = is_growing;
  self->container = pen_container_open (path, is_growing, self->events, self->features,
                                        self->problems, cancellable, error);
  if (!self->container)
    return NULL;

  self->first_file = g_ptr_array_index (self->container->files, 0);
  self->first_file->cancellable = NULL;
  self->features->big_endian = self->container->big_endian;
  list_files (self);
  self->has_compressed = self->features->compression_type != 0;
  start_range (self, 0);
  return g_steal_pointer (&self);
}

PenReader *
pen_reader_open (const char *path, GCancellable *cancellable, GError **error)
{
  return open_reader (path, FALSE, cancellable, error);
}

PenReader *
pen_reader_open_growing (const char *path, GCancellable *cancellable, GError **error)
{
  return open_reader (path, TRUE, cancellable, error);
}

static void
add_problem (PenReader *self, PenProblemAction action, guint64 offset, guint32 type,
             const char *reason)
{
  pen_problems_add (self->problems, action, get_range (self)->file, offset, type, reason);
}

/* The rest has not been written yet. */
static void
add_cut (PenReader *self, guint64 offset, guint32 type, const char *reason)
{
  if (!self->is_growing)
    add_problem (self, PEN_PROBLEM_ENDED, offset, type, reason);
}

/* Nothing more is read from this file; the next one, if there is one, goes on. */
static void
end_range (PenReader *self)
{
  if (pen_inflater_get_left_over (self->inflater) > 0 && !self->is_inflater_dead)
    add_cut (self, self->compressed_offset, PEN_RECORD_COMPRESSED, PEN_REASON_COMPRESSED_CUT_OFF);
  if (get_range (self)->is_of_patches && !self->has_all_patches)
    add_problem (self, PEN_PROBLEM_ENDED, get_range (self)->end, 0, PEN_REASON_PATCHES_CUT_OFF);
  if (self->stream.shrank)
    add_problem (self, PEN_PROBLEM_ENDED, self->stream.end, 0, PEN_REASON_FILE_SHRANK);
  if (self->stream.is_cut_in_skip)
    add_problem (self, PEN_PROBLEM_ENDED, self->stream.file->position, 0,
                 PEN_REASON_SKIPPED_DATA_CUT_OFF);
  if (self->stream.file->is_stream)
    self->size = self->stream.file->position;
  self->bytes_before += get_range (self)->end - get_range (self)->begin;
  start_range (self, self->range + 1);
}

static void
give_up_inflating (PenReader *self, const char *reason)
{
  self->is_inflating = FALSE;
  self->is_inflater_dead = TRUE;
  add_problem (self, PEN_PROBLEM_ENDED, self->compressed_offset, PEN_RECORD_COMPRESSED, reason);
}

/* FALSE: all that the compressed record holds has been given; a piece of a record may be left. */
static gboolean
take_inflated (PenReader *self, Raw *raw)
{
  gsize available;
  const guint8 *bytes = pen_inflater_peek (self->inflater, RECORD_HEADER_SIZE, &available);
  gboolean big_endian = self->container->big_endian;

  if (bytes && available >= RECORD_HEADER_SIZE) {
    raw->size = pen_get_u16 (bytes + 6, big_endian);
    if (raw->size < RECORD_HEADER_SIZE) {
      give_up_inflating (self, PEN_REASON_COMPRESSED_SHORTER_THAN_HEADER);
      return FALSE;
    }
    bytes = pen_inflater_peek (self->inflater, raw->size, &available);
  }
  if (!bytes) {
    give_up_inflating (self, pen_inflater_get_reason (self->inflater));
    return FALSE;
  }
  if (available < RECORD_HEADER_SIZE || available < raw->size) {
    self->is_inflating = FALSE;
    return FALSE;
  }

  pen_inflater_consume (self->inflater, raw->size);
  raw->bytes = bytes;
  raw->offset = self->compressed_offset;
  raw->was_compressed = TRUE;
  raw->was_kept = FALSE;
  return TRUE;
}

/* The next record of the file itself, when it is not wholly at hand, or not whole. */
static gboolean
take_plain_slowly (PenReader *self, Raw *raw, gboolean *failed, GError **error)
{
  PenStream *stream = &self->stream;
  gboolean big_endian = self->container->big_endian;
  const char *reason = NULL;
  gboolean is_cut = TRUE;

  *failed = !pen_stream_fill (stream, RECORD_HEADER_SIZE, error);
  if (*failed || pen_stream_available (stream) == 0)
    return FALSE;

  raw->offset = pen_stream_get_offset (stream);
  if (pen_stream_available (stream) < RECORD_HEADER_SIZE) {
    reason = PEN_REASON_HEADER_CUT_OFF;
  } else {
    raw->size = pen_get_u16 (stream->position + 6, big_endian);
    *failed = !pen_stream_fill (stream, raw->size, error);
    if (*failed)
      return FALSE;
    is_cut = raw->size >= RECORD_HEADER_SIZE;
    if (!is_cut)
      reason = PEN_REASON_SHORTER_THAN_HEADER;
    else if (pen_stream_available (stream) < raw->size)
      reason = PEN_REASON_RECORD_CUT_OFF;
  }
  if (reason) {
    if (is_cut)
      add_cut (self, raw->offset, 0, reason);
    else
      add_problem (self, PEN_PROBLEM_ENDED, raw->offset, 0, reason);
    return FALSE;
  }

  raw->bytes = stream->position;
  stream->position += raw->size;
  return TRUE;
}

static inline gboolean
take_plain (PenReader *self, Raw *raw, gboolean *failed, GError **error)
{
  PenStream *stream = &self->stream;
  gsize available = pen_stream_available (stream);

  raw->was_compressed = raw->was_kept = FALSE;
  if (G_LIKELY (available >= RECORD_HEADER_SIZE)) {
    raw->size = pen_get_u16 (stream->position + 6, self->container->big_endian);
    if (G_LIKELY (raw->size >= RECORD_HEADER_SIZE && available >= raw->size)) {
      raw->offset = pen_stream_get_offset (stream);
      raw->bytes = stream->position;
      stream->position += raw->size;
      return TRUE;
    }
  }
  return take_plain_slowly (self, raw, failed, error);
}

/* The formats of tracepoints, told by a record: they follow it. */
static const char *
take_tracing_data (PenReader *self, const Raw *raw, guint64 size, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 offset = raw->offset;

  if (!pen_stream_take (&self->stream, (gsize) size, bytes, error))
    return NULL;
  if (bytes->len < size) {
    add_cut (self, offset, PEN_RECORD_TRACING_DATA, PEN_REASON_DATA_CUT_OFF);
    return NULL;
  }
  return pen_features_take_tracing_data (self->features,
                                         g_byte_array_free_to_bytes (g_steal_pointer (&bytes)));
}

/* Bytes that follow some records without being part of them. */
static const char *
skip_payload (PenReader *self, const Raw *raw, guint32 type, GError **error)
{
  gboolean big_endian = self->container->big_endian;
  guint64 size;

  if (raw->was_compressed)
    return PEN_REASON_COMPRESSED_DATA_FOLLOWS;
  if (raw->size < (type == PEN_RECORD_AUXTRACE ? 16 : 12))
    return PEN_REASON_RECORD_TOO_SHORT;

  if (type == PEN_RECORD_AUXTRACE)
    size = pen_get_u64 (raw->bytes + 8, big_endian);
  else
    size = ((guint64) pen_get_u32 (raw->bytes + 8, big_endian) + 7) & ~7ull;
  if (type == PEN_RECORD_TRACING_DATA && size <= PEN_TRACING_DATA_MAX
      && !self->features->tracing_data)
    return take_tracing_data (self, raw, size, error);
  if (!pen_stream_skip (&self->stream, size)) {
    pen_stream_skip (&self->stream, pen_stream_get_left (&self->stream));
    add_cut (self, raw->offset, type, PEN_REASON_DATA_CUT_OFF);
  }
  return NULL;
}

static guint64
get_output_max (PenReader *self)
{
  guint64 length = self->features->compression_mmap_length;

  if (length == 0)
    length = COMPRESSED_OUTPUT_MAX;
  return MIN (length, G_MAXINT32) + COMPRESSED_SLACK;
}

static const char *
begin_compressed (PenReader *self, const Raw *raw, guint32 type)
{
  gboolean big_endian = self->container->big_endian;
  guint64 at = RECORD_HEADER_SIZE;
  guint64 length = raw->size - at;

  if (raw->was_compressed)
    return PEN_REASON_COMPRESSED_TWICE;
  if (self->features->compression_type > COMPRESSION_ZSTD)
    return PEN_REASON_COMPRESSED_UNKNOWN;
  if (self->is_inflater_dead)
    return PEN_REASON_COMPRESSED_AFTER_DAMAGE;

  if (type == PEN_RECORD_COMPRESSED2) {
    if (raw->size < COMPRESSED2_DATA_AT)
      return PEN_REASON_RECORD_TOO_SHORT;
    at = COMPRESSED2_DATA_AT;
    length = pen_get_u64 (raw->bytes + 8, big_endian);
    if (length > raw->size - at)
      return PEN_REASON_COUNT_TOO_LARGE;
  }
  self->has_compressed = TRUE;
  self->is_inflating = TRUE;
  self->compressed_offset = raw->offset;
  pen_inflater_begin (self->inflater, raw->bytes + at, (gsize) length, get_output_max (self));
  return NULL;
}

/* Records that say how to read what comes after them. */
static const char *
act_on (PenReader *self, const Raw *raw, guint32 type, GError **error)
{
  const char *reason = NULL;

  switch (type) {
  case PEN_RECORD_AUXTRACE:
  case PEN_RECORD_TRACING_DATA:
    return skip_payload (self, raw, type, error);
  case PEN_RECORD_COMPRESSED:
  case PEN_RECORD_COMPRESSED2:
    reason = begin_compressed (self, raw, type);
    /* A gap in the stream leaves nothing that could be inflated after it. */
    if (reason && !raw->was_compressed)
      self->is_inflater_dead = TRUE;
    return reason;
  default:
    return pen_metadata_apply (self->events, self->features, type, raw->bytes, raw->size,
                               self->container->big_endian, self->container->is_pipe);
  }
}

/* Sizes that are no multiple of 8 are known of these types only. */
static gboolean
may_be_unaligned (guint32 type)
{
  return type == PEN_RECORD_TRACING_DATA || type == PEN_RECORD_HEADER_FEATURE
         || type == PEN_RECORD_COMPRESSED;
}

/* They have an event of their own, which is none of the recording's. Of records that say how to
 * read others, its description counts alone. */
static const char *
parse_patch (PenReader *self, const Raw *raw, PenRecord *record)
{
  PenContainer *container = self->container;
  const char *reason = pen_record_parse (container->patch_events, raw->bytes, raw->size,
                                         container->big_endian, self->callchain, record);

  record->event = -1;
  self->has_all_patches = !reason && record->type == PEN_RECORD_FINISHED_INIT;
  if (!reason && record->type == PEN_RECORD_HEADER_ATTR)
    reason = pen_metadata_apply (container->patch_events, self->features, record->type, raw->bytes,
                                 raw->size, container->big_endian, TRUE);
  return reason;
}

static const char *
parse_own (PenReader *self, const Raw *raw, PenRecord *record, GError **error)
{
  const char *reason = pen_record_parse (self->events, raw->bytes, raw->size,
                                         self->container->big_endian, self->callchain, record);

  if (G_UNLIKELY (!reason && record->type >= PEN_RECORD_HEADER_ATTR))
    reason = act_on (self, raw, record->type, error);
  return reason;
}

/* FALSE: the record has been set aside, or @error is set. */
static gboolean
parse (PenReader *self, const Raw *raw, PenRecord *record, GError **error)
{
  GError *inner = NULL;
  const char *reason = G_UNLIKELY (get_range (self)->is_of_patches)
                           ? parse_patch (self, raw, record)
                           : parse_own (self, raw, record, &inner);

  if (G_UNLIKELY (inner)) {
    g_propagate_error (error, inner);
    return FALSE;
  }
  if (G_UNLIKELY (!reason && raw->size % 8 != 0 && !may_be_unaligned (record->type)))
    reason = PEN_REASON_SIZE_UNALIGNED;
  if (G_UNLIKELY (reason)) {
    add_problem (self, PEN_PROBLEM_SET_ASIDE, raw->offset, record->type, reason);
    return FALSE;
  }
  if (G_UNLIKELY (record->was_inflated))
    add_problem (self, PEN_PROBLEM_REPAIRED, raw->offset, record->type, PEN_REASON_SIZE_TOO_LARGE);

  record->position = self->position;
  record->file = get_range (self)->file;
  record->offset = raw->offset;
  record->was_kept = raw->was_kept;
  return TRUE;
}

gboolean
pen_reader_can_choose (PenReader *self)
{
  return self->container->ranges->len == 1 && !self->has_compressed && !self->first_file->is_stream;
}

void
pen_reader_choose (PenReader *self, const PenRecordRange *ranges, guint n)
{
  g_return_if_fail (pen_reader_can_choose (self) && self->position == 0);

  self->chosen = ranges;
  self->n_chosen = n;
}

guint64
pen_reader_get_end (PenReader *self)
{
  return self->range < self->container->ranges->len ? pen_stream_get_offset (&self->stream)
                                                    : self->offset;
}

const guint8 *
pen_reader_get_bytes (PenReader *self, gsize *length)
{
  *length = self->last.size;
  return self->last.bytes;
}

static void
take_kept (PenReader *self, const PenRecordRange *range, Raw *raw)
{
  *raw = (Raw){
    .bytes = range->bytes,
    .size = pen_get_u16 (range->bytes + 6, self->container->big_endian),
    .offset = range->begin,
    .was_kept = TRUE,
  };
}

static void
go_to_range (PenReader *self, const PenRecordRange *range)
{
  self->is_in_range = TRUE;
  self->position = range->position - 1;
}

static gboolean
take_chosen (PenReader *self, Raw *raw, gboolean *failed, GError **error)
{
  for (; self->n_chosen > 0; self->chosen++, self->n_chosen--, self->is_in_range = FALSE) {
    const PenRecordRange *range = self->chosen;
    guint64 offset = pen_stream_get_offset (&self->stream);

    if (range->bytes) {
      if (self->is_in_range)
        continue;
      go_to_range (self, range);
      take_kept (self, range, raw);
      return TRUE;
    }
    if (offset >= range->end)
      continue;
    if (offset < range->begin && !pen_stream_skip (&self->stream, range->begin - offset))
      return FALSE;
    if (!self->is_in_range)
      go_to_range (self, range);
    return take_plain (self, raw, failed, error);
  }
  return FALSE;
}

gboolean
pen_reader_next (PenReader *self, PenRecord *record, GCancellable *cancellable, GError **error)
{
  /* Reading may have to wait, and does so within this function only. */
  self->first_file->cancellable = cancellable;
  while (self->range < self->container->ranges->len) {
    GError *inner = NULL;
    gboolean failed = FALSE;
    Raw raw;

    if (self->position % CANCEL_EVERY == 0
        && g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;

    if (self->is_inflating) {
      if (!take_inflated (self, &raw))
        continue;
    } else if (!(self->chosen ? take_chosen (self, &raw, &failed, error)
                              : take_plain (self, &raw, &failed, error))) {
      if (failed)
        return FALSE;
      self->offset = pen_stream_get_offset (&self->stream);
      end_range (self);
      continue;
    }

    self->position++;
    self->last = raw;
    if (G_LIKELY (parse (self, &raw, record, &inner)))
      return TRUE;
    if (inner) {
      g_propagate_error (error, inner);
      return FALSE;
    }
  }
  return FALSE;
}

gboolean
pen_reader_has_own_patches (PenReader *self)
{
  return self->container->has_patches;
}

GPtrArray *
pen_reader_get_attrs (PenReader *self)
{
  return self->events->attrs;
}

const PenFeatures *
pen_reader_get_features (PenReader *self)
{
  return self->features;
}

void
pen_reader_limit_features (PenReader *self, guint64 more)
{
  pen_features_limit (self->features, more);
}

GPtrArray *
pen_reader_get_problems (PenReader *self)
{
  return pen_problems_get_rows (self->problems);
}

void
pen_reader_set_aside (PenReader *self, const PenRecord *record, const char *reason)
{
  pen_problems_add (self->problems, PEN_PROBLEM_SET_ASIDE, record->file, record->offset,
                    record->type, reason);
}

const char *const *
pen_reader_get_files (PenReader *self)
{
  return (const char *const *) self->file_names;
}

const char *
pen_reader_get_kcore_dir (PenReader *self)
{
  return self->container->kcore_dir;
}

const char *
pen_reader_get_record_dir (PenReader *self)
{
  return self->container->record_dir;
}

guint64
pen_reader_get_size (PenReader *self)
{
  return self->size;
}

guint64
pen_reader_get_bytes_read (PenReader *self)
{
  const PenDataRange *range;

  /* At the end, headers and features count as read. */
  if (self->range >= self->container->ranges->len)
    return self->size;
  range = get_range (self);
  return self->bytes_before + pen_stream_get_offset (&self->stream) - range->begin;
}

const char *
pen_reader_get_shape (PenReader *self)
{
  const char *wrapper = pen_wrapper_get_name (self->container->wrapper);
  const char *form = "file";

  if (self->container->is_pipe)
    form = "pipe";
  else if (self->container->is_directory)
    form = "directory";

  g_free (self->shape);
  self->shape = g_strconcat (form, self->has_compressed ? ", compressed" : "", wrapper ? ", " : "",
                             wrapper, NULL);
  return self->shape;
}

gboolean
pen_reader_is_big_endian (PenReader *self)
{
  return self->container->big_endian;
}
