/* pen-command.h: what the commands of pentimento-cli have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-decoder.h"
#include "pen-import.h"
#include "pen-query-samples.h"
#include "pen-query.h"
#include "pen-view.h"

G_BEGIN_DECLS

#define PEN_COMMAND_ERROR (pen_command_error_quark ())
GQuark pen_command_error_quark (void);

typedef enum {
  PEN_COMMAND_ERROR_USAGE, /* exit status 2 */
  PEN_COMMAND_ERROR_FAILED,
} PenCommandError;

/* Exit statuses. */
enum {
  PEN_EXIT_DONE = 0,
  PEN_EXIT_FAILED = 1,
  PEN_EXIT_USAGE = 2,
  PEN_EXIT_STRICT = 3,
};

/* How a picture is to be drawn. @width, @height: 0: as it comes */
typedef struct {
  PenView view;
  int width;
  int height;
  int scale;
  gboolean dark;
  gboolean cpus;
  gboolean processes;
} PenRenderArguments;

/*
 * PenArguments: a command line, taken apart.
 * @words: as they were given; not owned
 * @capture, @target: file names and words as given, not UTF-8 checked
 * @filter: complete but for its time, which needs the capture's range
 * @timeout: seconds; 0: none
 * @at: as of when, or NULL
 * @length: bytes; 0: not given
 * @is_raw: the bytes themselves
 * @change: number of one change; 0: all
 * @verifies: the capture is a store, to be looked at
 */
typedef struct {
  char **words;
  char *capture;
  char *target;
  char *output;
  char *time;
  PenFormat format;
  PenSyntax syntax;
  PenSamplesColumns more;
  gboolean is_strict;
  gboolean has_batches;
  gboolean has_programs;
  guint64 band; /* ns */
  guint timeout;
  char *at;
  guint64 length;
  gboolean is_raw;
  guint change;
  gboolean verifies;
  gboolean clears_cache;
  gboolean has_cache_limit;
  guint64 cache_limit;
  PenRenderArguments render;
  PenFilter *filter;
  char *kallsyms;
  char *kcore;
  char *modules;
  char *vmlinux;
  char *symfs;
  char *perf_map;
  gboolean wants_source_lines;
  gboolean asks_debuginfod;
  GCancellable *cancellable;
} PenArguments;

typedef enum {
  PEN_COMMAND_TABLE = 1 << 0,     /* --format, and -o is optional */
  PEN_COMMAND_FILTER = 1 << 1,    /* the filters */
  PEN_COMMAND_SYNTAX = 1 << 2,    /* --syntax */
  PEN_COMMAND_TARGET = 1 << 3,    /* a second argument: SYMBOL or ADDRESS */
  PEN_COMMAND_WIDE = 1 << 4,      /* --callchain, --payload, --band */
  PEN_COMMAND_QUERY = 1 << 5,     /* a second argument: SQL; --timeout */
  PEN_COMMAND_CACHE = 1 << 6,     /* no capture, nor what goes with one; --clear, --limit */
  PEN_COMMAND_IMPORT = 1 << 7,    /* --verify */
  PEN_COMMAND_BATCHES = 1 << 8,   /* --batches */
  PEN_COMMAND_AT = 1 << 9,        /* --at */
  PEN_COMMAND_TEXT = 1 << 10,     /* --at has to be given; --length, --raw */
  PEN_COMMAND_BAND = 1 << 11,     /* --band-width */
  PEN_COMMAND_RENDER = 1 << 12,   /* --view and how to draw it; a second argument is welcome */
  PEN_COMMAND_CHANGE = 1 << 13,   /* --change */
  PEN_COMMAND_PROGRAMS = 1 << 14, /* --programs */
} PenCommandFlags;

/*
 * PenCommand:
 * @arguments: for the first line of its help
 * @summary: half a sentence; @details: columns and examples
 * @run: Returns: an exit status; on PEN_EXIT_FAILED and PEN_EXIT_USAGE with @error
 */
typedef struct {
  const char *name;
  const char *arguments;
  const char *summary;
  const char *details;
  PenCommandFlags flags;
  int (*run) (const PenArguments *arguments, GError **error);
} PenCommand;

extern const PenCommand pen_command_import;
extern const PenCommand pen_command_info;
extern const PenCommand pen_command_samples;
extern const PenCommand pen_command_changes;
extern const PenCommand pen_command_occupants;
extern const PenCommand pen_command_notes;
extern const PenCommand pen_command_functions;
extern const PenCommand pen_command_annotate;
extern const PenCommand pen_command_history;
extern const PenCommand pen_command_text;
extern const PenCommand pen_command_render;
extern const PenCommand pen_command_compare;
extern const PenCommand pen_command_misattribution;
extern const PenCommand pen_command_sql;
extern const PenCommand pen_command_cache;

/* import --verify */
int pen_command_verify (const PenArguments *arguments, GError **error);

/* Writes the rows of one command; finishes the writer. */
typedef gboolean (*PenCommandTableFunc) (PenQuery *query, const PenFilter *filter,
                                         const PenArguments *arguments, PenTableWriter *writer,
                                         GError **error);

/* Writes something else than a table. */
typedef gboolean (*PenCommandStreamFunc) (PenQuery *query, const PenArguments *arguments,
                                          GOutputStream *stream, GError **error);

int pen_command_write_stream (const PenArguments *arguments, PenCommandStreamFunc func,
                              GError **error);
/* Sets the filter's time, which needs to know the capture's. */
gboolean pen_command_set_time (const PenArguments *arguments, PenQuery *query, PenFilter *filter,
                               GError **error);

/* What the filter asks for and the capture does not know is told on stderr before the answer, which
 * it makes shorter or empty. */
gboolean pen_command_tell_doubts (const PenArguments *arguments, PenQuery *query, GError **error);

/* Opens the capture, gives its query to @func, and puts what it writes where it was asked for. */
int pen_command_write_table (const PenArguments *arguments, PenCommandTableFunc func,
                             GError **error);

/* --strict: PEN_EXIT_STRICT, with a message on stderr, if the store tells of records that were
 * repaired, set aside or lost. */
int pen_command_judge (const PenArguments *arguments, PenStore *store, GError **error);

G_END_DECLS
