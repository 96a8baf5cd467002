/* pen-reader.h: a capture as a stream of checked records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-attr.h"
#include "pen-features.h"
#include "pen-record.h"

G_BEGIN_DECLS

#define PEN_READER_ERROR (pen_reader_error_quark ())
GQuark pen_reader_error_quark (void);

typedef enum {
  PEN_READER_ERROR_NOT_PERF_DATA, /* no magic: some other kind of file */
  PEN_READER_ERROR_EMPTY,
  PEN_READER_ERROR_NOT_REGULAR, /* a device, a socket … */
  PEN_READER_ERROR_DAMAGED,     /* the header makes no sense: nothing can be read */
  PEN_READER_ERROR_UNSUPPORTED, /* a shape that is not read here; the message says which */
} PenReaderError;

/* The action taken on a damaged record or range of the file. */
typedef enum {
  PEN_PROBLEM_REPAIRED,  /* read all the same, the mend is known to be right */
  PEN_PROBLEM_SET_ASIDE, /* one record, or one feature, was left out */
  PEN_PROBLEM_ENDED,     /* nothing after this offset could be read */
} PenProblemAction;

typedef struct {
  PenProblemAction action;
  guint32 file;
  guint64 offset;
  guint32 record_type; /* 0: not about a record */
  guint64 count;       /* how many alike this row stands for */
  char *reason;        /* for pen_reason_describe() */
} PenProblem;

#define PEN_TYPE_READER (pen_reader_get_type ())
G_DECLARE_FINAL_TYPE (PenReader, pen_reader, PEN, READER, GObject)

/*
 * pen_reader_open:
 * @path: a perf.data file, a perf.data directory, a directory's `data` file, a FIFO, or "-" for
 *   standard input
 * @cancellable: (nullable): for waiting for a writer, and unpacking
 *
 * Opens and checks the header; records are read as pen_reader_next() asks for them. Nothing but
 * regular files is opened, except a FIFO that is given itself.
 *
 * A capture in pipe form, through a FIFO or standard input, is read as it comes. In another form,
 * or in a wrapper (gzip, xz, zstd, told by its contents), all of it goes into a temporary file
 * first, which has no name and takes no more than half of what is free: see pen_spool().
 *
 * Returns: (transfer full): or NULL with @error, whose message names the file, the offset and what
 *   to do
 */
PenReader *pen_reader_open (const char *path, GCancellable *cancellable, GError **error);

/*
 * pen_reader_open_growing:
 * @path: as for pen_reader_open(), but for streams
 *
 * The part of a recording that is whole when this is called, while its recorder still writes it:
 * that it has no end, and a last record that is not whole yet, are no problems.
 */
PenReader *pen_reader_open_growing (const char *path, GCancellable *cancellable, GError **error);

/* A recording that may still be made: see pen_growth_look(). */
typedef struct {
  gboolean is_growing; /* its recorder has not ended */
  guint64 size;        /* bytes of records, of all files, with headers */
} PenGrowth;

/*
 * pen_growth_look:
 * @path: a regular file or a directory
 *
 * Whether a recorder still writes it: its header tells of no end (perf writes the size of the data
 * last), and some process has the file open for writing. Where that cannot be known (a file of
 * another user's, some file systems), it is growing if it was written to in the last seconds. An
 * empty file is one whose header is on its way. Nothing that cannot be read is growing.
 */
PenGrowth pen_growth_look (const char *path);

/*
 * PenRecordRange: records that follow each other, or one that was kept
 * @begin, @end: offsets in the file: the first begins at @begin, and none at @end or after it
 * @position: of the first
 * @bytes: (nullable): of one record, as pen_reader_get_bytes() gave them: it is not read again;
 *   aligned to 8
 */
typedef struct {
  guint64 begin;
  guint64 end;
  guint64 position;
  const guint8 *bytes;
} PenRecordRange;

/* Whether pen_reader_choose() can be used: all records are in one file, and none is compressed. */
gboolean pen_reader_can_choose (PenReader *self);

/*
 * pen_reader_choose:
 * @ranges: (array length=n): in the order of the file, of what was read of it before; outlive the
 *   reading
 *
 * Before the first record: only these are read, as if each of them had been read after those before
 * it in the file. What tells how to read them has to be among them.
 */
void pen_reader_choose (PenReader *self, const PenRecordRange *ranges, guint n);

/* After the last record: where the next one will begin. */
guint64 pen_reader_get_end (PenReader *self);

/* Of the last record: as it was recorded, valid until the next call. */
const guint8 *pen_reader_get_bytes (PenReader *self, gsize *length);

/*
 * pen_reader_next:
 * @record: (out): filled; valid until the next call
 *
 * The next record, of any type, in stream order. Records with a type that this reader does not take
 * apart come with their header only. Damage never ends in an error here: it becomes a problem row
 * (pen_reader_get_problems()) and, if it cannot be passed, the end of the stream.
 * Cost: one copy of the record's fields; no allocation per record.
 *
 * Returns: TRUE with a record; FALSE at the end, or with @error when cancelled or on a read error
 *   of the device
 */
gboolean pen_reader_next (PenReader *self, PenRecord *record, GCancellable *cancellable,
                          GError **error);

/* Whether the recorder wrote patches of the kernel's text beside the events (docs/recording.md). */
gboolean pen_reader_has_own_patches (PenReader *self);

/* Events, (element-type PenAttr). In pipe form complete only at the end of the stream. */
GPtrArray *pen_reader_get_attrs (PenReader *self);

/* (transfer none): complete only at the end of the stream. */
const PenFeatures *pen_reader_get_features (PenReader *self);

/* From now on, what is kept of features takes @more bytes at most beside what it takes. */
void pen_reader_limit_features (PenReader *self, guint64 more);

/*
 * (element-type PenProblem): what was repaired, set aside or cut off so far. Problems alike are
 * counted in one row, so there are few, however large the damage.
 */
GPtrArray *pen_reader_get_problems (PenReader *self);

/* Adds a problem: @record is left out by who reads it. @reason: for pen_reason_describe() */
void pen_reader_set_aside (PenReader *self, const PenRecord *record, const char *reason);

/* Names (without directories) of the files that PenRecord.file and PenProblem.file count:
 * (array zero-terminated=1). */
const char *const *pen_reader_get_files (PenReader *self);

/* The directory that holds kcore, kallsyms and modules (`kcore_dir`), or NULL. */
const char *pen_reader_get_kcore_dir (PenReader *self);

/* The directory of pentimento-cli record (`pentimento`), or NULL. */
const char *pen_reader_get_record_dir (PenReader *self);

/* Bytes of all files together, and how many have been read. The size of what comes through a FIFO
 * or standard input is 0 until it has ended; of what was unpacked, it is that of the contents. */
guint64 pen_reader_get_size (PenReader *self);
guint64 pen_reader_get_bytes_read (PenReader *self);

/* Whether the recording machine was big-endian: raw payloads are in its byte order. */
gboolean pen_reader_is_big_endian (PenReader *self);

/* Some words for `info`: "file", "directory", "pipe", each with ", compressed" where its records
 * are, and ", gzip", ", xz" or ", zstd" where it was in such a wrapper. */
const char *pen_reader_get_shape (PenReader *self);

G_END_DECLS
