/* pen-options.h: the options of the commands: one table for parsing, help and completion
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"
#include "pen-filter-options.h"

G_BEGIN_DECLS

/* The headings of the help, in this order. */
typedef enum {
  PEN_OPTION_OWN, /* of some commands only */
  PEN_OPTION_FILTER,
  PEN_OPTION_SOURCE,
  PEN_OPTION_GENERAL,
  PEN_OPTION_SETS,
} PenOptionSet;

/*
 * PenOption:
 * @flags: commands with one of these have it
 * @entry: its description is translated where it is shown
 * @values: the words that it accepts, comma-separated; NULL: others
 * @is_list: it accepts several of them, comma-separated
 */
typedef struct {
  guint flags;
  PenOptionSet set;
  GOptionEntry entry;
  const char *values;
  gboolean is_list;
} PenOption;

/* PenOptions: the values that GOption sets, before they are checked. */
typedef struct {
  gboolean help;
  gboolean version;
  char *output;
  char *format;
  char *syntax;
  gboolean strict;
  gboolean follow;
  gboolean callchain;
  gboolean batches;
  gboolean programs;
  gboolean payload;
  gboolean band;
  gint64 band_width;
  gint64 revision;
  int timeout;
  char **at;
  char *length;
  gboolean is_raw;
  gboolean all;
  gboolean all_loads;
  int change;
  gboolean phases;
  char *by;
  char *cost_by;
  char *pair_by;
  int batch;
  gboolean across;
  char *before;
  char *after;
  char *least;
  char *grouping;
  char *measure;
  char *suffix;
  char *to;
  char *keep;
  char *fleet;
  gboolean clickhouse;
  gboolean duckdb;
  gboolean versions;
  gboolean inverted;
  gboolean icicle;
  gboolean verify;
  gboolean clear;
  char *limit;
  gboolean no_witness;
  gboolean witness_user;
  char *view;
  int width;
  int height;
  int scale;
  gboolean dark;
  gboolean light;
  gboolean cpus;
  gboolean processes;
  char **kallsyms;
  char **kcore;
  char **modules;
  char *vmlinux;
  char *symfs;
  char *perf_map;
  gboolean source_lines;
  gboolean debuginfod;
  PenFilterOptions filter;
} PenOptions;

/* Sets the defaults. */
void pen_options_init (PenOptions *self);
void pen_options_clear (PenOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenOptions, pen_options_clear)

/* The options of @command; their values go to @self.
 * Returns: (transfer full) (element-type PenOption): in the order of the help */
GArray *pen_options_list (PenOptions *self, const PenCommand *command);

/* Returns: NULL for an unknown name. @options: from pen_options_list() */
const PenOption *pen_options_find (const GArray *options, const char *name);

static inline gboolean
pen_option_takes_value (const PenOption *option)
{
  return option->entry.arg != G_OPTION_ARG_NONE;
}

G_END_DECLS
