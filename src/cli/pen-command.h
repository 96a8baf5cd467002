/* pen-command.h: the commands of pentimento-cli and their arguments
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-decoder.h"
#include "pen-import.h"
#include "pen-profile-format.h"
#include "pen-query-causes.h"
#include "pen-query-cost.h"
#include "pen-query-samples.h"
#include "pen-query-stacks.h"
#include "pen-query.h"
#include "pen-sanitize.h"
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

/* @width, @height: 0: the default */
typedef struct {
  PenView view;
  int width;
  int height;
  int scale;
  gboolean dark;
  gboolean cpus;
  gboolean processes;
  gboolean inverted;
  gboolean icicle;
} PenRenderArguments;

/* Rows about two recordings. */
typedef enum {
  PEN_PAIR_ROWS_DEFAULT, /* functions, or instructions of one */
  PEN_PAIR_ROWS_FUNCTION,
  PEN_PAIR_ROWS_LINE,
  PEN_PAIR_ROWS_PATH,
  PEN_PAIR_ROWS_STACK,
  PEN_PAIR_ROWS_CAUSE,
} PenPairRows;

/*
 * PenArguments: a parsed command line.
 * @words: as given; not owned
 * @capture, @target: file names and words as given, not UTF-8 checked
 * @other: (nullable): the recording that @capture is compared with; @other_time: (nullable): as
 *   @time, of that one
 * @filter: complete except for its time, which needs the recording's range
 * @timeout: seconds; 0: none
 * @at: (nullable): one moment or two, not yet parsed
 * @length: bytes; 0: not given
 * @is_raw: raw bytes instead of a table
 * @revision: of the place; -1: any
 * @all_lines: of two moments, not only those that differ
 * @all_loads: of an annotation, not only the one with most samples
 * @change: number of one change; 0: all
 * @has_phases: all changes of a cause together
 * @measure: PEN_STACK_OFF_CPU: the command is about waits
 * @has_suffixes: @suffixes were asked for; else they are the command's own
 * @fleet: (nullable): directory for the tables of @captures
 * @captures: (nullable): all recordings named, where there may be several
 * @is_folded: stacks as folded lines instead of a table
 * @has_versions: a row for each text that a call was in
 * @verifies: the capture is a store, to be checked
 * @perf_words: options that are perf's
 * @program: (nullable): after --
 */
typedef struct {
  char **words;
  char *capture;
  char *target;
  char *other;
  char *output;
  char *time;
  char *other_time;
  PenFormat format;
  PenSyntax syntax;
  PenSamplesColumns more;
  gboolean is_strict;
  gboolean follows; /* the recording while it is made */
  gboolean has_batches;
  gboolean has_programs;
  guint64 band; /* ns */
  gint64 revision;
  guint timeout;
  char **at;
  guint64 length;
  gboolean is_raw;
  gboolean all_lines;
  gboolean all_loads;
  guint change;
  gboolean has_phases;
  PenCauseGrouping by;
  PenCostGrouping cost_by;
  PenPairRows pair_by;
  guint batch; /* 0: none */
  gboolean crosses;
  char *before; /* "FROM,TO": NULL: no two time ranges are compared */
  char *after;
  double least; /* 0–1 */
  PenStackGrouping grouping;
  PenStackMeasure measure;
  PenFoldSuffixes suffixes;
  gboolean has_suffixes;
  PenProfileFormat profile;
  char *fleet;
  char **captures;
  gboolean prints_clickhouse;
  gboolean prints_duckdb;
  gboolean is_folded;
  gboolean has_versions;
  gboolean verifies;
  guint kept; /* PEN_SANITIZE_KEEP_… */
  gboolean clears_cache;
  gboolean has_cache_limit;
  guint64 cache_limit;
  char **perf_words;
  char **program;
  gboolean has_no_witness;
  gboolean has_user_witness;
  PenRenderArguments render;
  PenFilter *filter;
  char **kallsyms; /* FILE or FILE@TIME */
  char **kcore;
  char **modules;
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
  PEN_COMMAND_CACHE = 1 << 6,     /* no capture nor its options; --clear, --limit */
  PEN_COMMAND_IMPORT = 1 << 7,    /* --verify */
  PEN_COMMAND_BATCHES = 1 << 8,   /* --batches */
  PEN_COMMAND_AT = 1 << 9,        /* --at */
  PEN_COMMAND_TEXT = 1 << 10,     /* --at is required; --length, --raw, --all */
  PEN_COMMAND_BAND = 1 << 11,     /* --band-width */
  PEN_COMMAND_RENDER = 1 << 12,   /* --view, --width and others; an optional second argument */
  PEN_COMMAND_CHANGE = 1 << 13,   /* --change, --phases */
  PEN_COMMAND_PROGRAMS = 1 << 14, /* --programs */
  PEN_COMMAND_CAUSES = 1 << 15,   /* --by */
  PEN_COMMAND_FIND = 1 << 16,     /* an optional second argument: TEXT, or - for standard input */
  PEN_COMMAND_LOADS = 1 << 17,    /* --all-loads */
  PEN_COMMAND_STACKS = 1 << 18, /* --by, --measure; --format=folded, --suffix, --batch and others */
  PEN_COMMAND_CALLERS = 1 << 19,  /* --by, --measure; --versions */
  PEN_COMMAND_COST = 1 << 20,     /* --by */
  PEN_COMMAND_RECORD = 1 << 21,   /* no capture; options of perf, and a command after -- */
  PEN_COMMAND_COUNTS = 1 << 22,   /* --measure, of samples or time off CPU */
  PEN_COMMAND_WATCH = 1 << 23,    /* no capture nor its options; --format */
  PEN_COMMAND_FOLLOW = 1 << 24,   /* --follow: all that print a list about a capture */
  PEN_COMMAND_PAIR = 1 << 25,     /* with PEN_COMMAND_TARGET: a second recording in place of it */
  PEN_COMMAND_EXPORT = 1 << 26,   /* --to, --by, --measure, --suffix; --fleet */
  PEN_COMMAND_SANITIZE = 1 << 27, /* --keep */
} PenCommandFlags;

/* Writes the rows of one command; finishes the writer. */
typedef gboolean (*PenCommandTableFunc) (PenQuery *query, const PenFilter *filter,
                                         const PenArguments *arguments, PenTableWriter *writer,
                                         GError **error);

/*
 * PenCommand: its texts are translated where they are shown, but for @name, @arguments, @examples
 * @arguments: for the first line of its help
 * @details: paragraphs, with a line break between
 * @examples: what follows the command's name
 * @samples_only: why there is no --measure; NULL: no reason is needed
 * @write: for a command that writes one table about a recording; NULL: it has a @run
 * @run: Returns: an exit status; on PEN_EXIT_FAILED and PEN_EXIT_USAGE with @error
 */
typedef struct {
  const char *name;
  const char *arguments;
  const char *summary;
  const char *details;
  const char *examples[5];
  PenCommandFlags flags;
  const char *samples_only;
  PenCommandTableFunc write;
  int (*run) (const PenArguments *arguments, GError **error);
} PenCommand;

#define PEN_N_COMMANDS 27

/* In the order of the help. */
extern const PenCommand pen_commands[PEN_N_COMMANDS];

/* Returns: an exit status; on PEN_EXIT_FAILED and PEN_EXIT_USAGE with @error */
int pen_command_run (const PenCommand *command, const PenArguments *arguments, GError **error);

/* On stderr, as the program says why it fails. */
void pen_command_print_error (const GError *error);

/*
 * pen_render_run: the command render
 *
 * There are two of it. Libraries that draw take longer to load than most questions take to answer:
 * pentimento-cli is not linked with them, and becomes pentimento-render (pen-render-start.c), where
 * the picture is made (render/pen-render.c).
 */
int pen_render_run (const PenArguments *arguments, GError **error);

G_END_DECLS
