/* pen-filter-options.h: --time, --cpu, --kind …: a filter from the command line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"

G_BEGIN_DECLS

/* The values as given; each option but time and address may be repeated. */
typedef struct {
  char **times;
  char **cpus;
  char **pids;
  char **tids;
  char **comms;
  char **events;
  char **kinds;
  char **occupants;
  char **symbols;
  char **bpf_ids;
  char **tenures;
  char *address;
  char **causes;
  gboolean changed;
} PenFilterOptions;

void pen_filter_options_clear (PenFilterOptions *self);

/* Sets all but the time. Returns: FALSE with PEN_COMMAND_ERROR_USAGE */
gboolean pen_filter_options_apply (const PenFilterOptions *self, PenFilter *filter, GError **error);

G_END_DECLS
