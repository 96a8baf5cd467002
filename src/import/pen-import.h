/* pen-import.h: from a capture to a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-sketch.h"
#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenSources: what the user gives beside what the capture has (kcore_dir); NULL: nothing
 * @kallsyms, @kcore, @modules: (nullable): lists, ended by NULL, of FILE or FILE@TIME: see
 *   pen-snapshot-file.h
 * @vmlinux: the kernel's ELF file, used only if its build-id is the recorded one
 * @symfs: a directory that the recorded machine's files are below
 * @perf_map: a file perf-PID.map, or a directory with such files: names of code that runtimes made.
 *   Below @symfs they are looked for in /tmp, too. Nothing ties them to a recording but the pid
 * @source_lines: lines of source are read from all debug information that is found, however much
 *   there is; else from that of @vmlinux, and from what is within the bounds of pen-line-pass.h
 * @kept: (nullable): names that an import before it read; owned by the caller
 * @debuginfod: files that are found nowhere may be asked from the servers of DEBUGINFOD_URLS. A
 *   capture says much about a machine: never set it unless the user asked
 */
typedef struct {
  const char *const *kallsyms;
  const char *const *kcore;
  const char *const *modules;
  const char *vmlinux;
  const char *symfs;
  const char *perf_map;
  gboolean source_lines;
  gboolean debuginfod;
  struct _PenKeptNames *kept;
} PenSources;

typedef enum {
  PEN_IMPORT_READ,    /* records */
  PEN_IMPORT_HISTORY, /* sort, cut, join */
  PEN_IMPORT_SAMPLES, /* each sample to its tenure */
  PEN_IMPORT_TEXT,    /* names, bytes, causes */
  PEN_IMPORT_WRITE,   /* indexes, to disk */
  PEN_IMPORT_STAGES,
} PenImportStage;

/* For gettext(), where it is shown. */
const char *pen_import_stage_to_string (PenImportStage stage);

/* Why an import is made although one was made, or begun, before. */
typedef enum {
  PEN_IMPORT_NOTE_INTERRUPTED,   /* the one before was killed */
  PEN_IMPORT_NOTE_DAMAGED,       /* what the cache has cannot be read */
  PEN_IMPORT_NOTE_OTHER_VERSION, /* what the cache has is of an older Pentimento */
  PEN_IMPORT_NOTES,
} PenImportNote;

/* A sentence, for gettext() where it is shown. */
const char *pen_import_note_to_string (PenImportNote note);

/*
 * PenImportProgress:
 * @is_waiting: another process, or window, imports the same capture: its store will do here, too.
 *   The rest is 0 until then.
 * @notes: bit per PenImportNote
 * @done: bytes in the first stage, samples or rows in the others
 * @total: 0: not known
 * @sketcher: for pen_import_progress_draw()
 */
typedef struct {
  PenImportStage stage;
  gboolean is_waiting;
  guint32 notes;
  guint64 done;
  guint64 total;
  guint64 records;
  guint64 samples;
  struct _PenSketcher *sketcher;
} PenImportProgress;

/* Called in the importing thread, at most every 50 ms and at each new stage. */
typedef void (*PenImportFunc) (const PenImportProgress *progress, gpointer user_data);

/* A picture of the import so far. Only while @progress is being told: for those who show it; it
 * costs some 0.1 ms. Returns: (transfer full): NULL: nothing yet */
PenSketch *pen_import_progress_draw (const PenImportProgress *progress);

/*
 * pen_import:
 * @capture: a perf.data file or directory, or a folder with one of the name perf.data in it
 * @store: where to write; written beside it first and renamed when complete
 *
 * Blocks; run it in a thread. On cancel and on error nothing is left behind.
 */
gboolean pen_import (const char *capture, const char *store, const PenSources *sources,
                     PenImportFunc func, gpointer user_data, GCancellable *cancellable,
                     GError **error);

/* The same; the kernel's text that the capture brought along is kept beside the store, once for all
 * stores there of one boot (see pen-kernel-text.h). For directories that are kept within a limit.
 */
gboolean pen_import_with_kernel_text (const char *capture, const char *store,
                                      const PenSources *sources, PenImportFunc func,
                                      gpointer user_data, GCancellable *cancellable,
                                      GError **error);

/* The part of a capture that is whole while its recorder still writes it: see
 * pen_reader_open_growing(). Lines of source are left for the import that is kept. */
gboolean pen_import_growing (const char *capture, const char *store, const PenSources *sources,
                             GCancellable *cancellable, GError **error);

/*
 * pen_import_open:
 * @path: a capture or a store
 *
 * The path of a store for it: @path itself if it is one; else the cached import
 * ($XDG_CACHE_HOME/pentimento), made now if there is none for this very file (path, size, time of
 * change, sources, store version). While another process makes it, this waits.
 *
 * Returns: (transfer full): a file name; G_IO_ERROR_NOT_SUPPORTED for what is a stream
 */
char *pen_import_open (const char *path, const PenSources *sources, PenImportFunc func,
                       gpointer user_data, GCancellable *cancellable, GError **error);

/* Does it come through standard input ("-") or a FIFO? It can be read once, and never again. */
gboolean pen_import_is_stream (const char *path);

/*
 * pen_import_open_store:
 *
 * The same, opened. A stream goes into a temporary store, which has no name any more when this
 * returns.
 */
PenStore *pen_import_open_store (const char *path, const PenSources *sources, PenImportFunc func,
                                 gpointer user_data, GCancellable *cancellable, GError **error);

G_END_DECLS
