/* pen-profile-format.h: the files of other programs that stacks can be written to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  PEN_PROFILE_FOLDED,     /* a line for each stack: flamegraph.pl and others */
  PEN_PROFILE_PPROF,      /* profile.proto, gzipped: go tool pprof, Pyroscope, Parca */
  PEN_PROFILE_FIREFOX,    /* JSON, gzipped: profiler.firefox.com */
  PEN_PROFILE_SPEEDSCOPE, /* JSON: speedscope.app */
  PEN_PROFILE_FORMATS,
} PenProfileFormat;

/* "folded", "pprof", "firefox", "speedscope" */
const char *pen_profile_format_to_string (PenProfileFormat format);
gboolean pen_profile_format_from_string (const char *word, PenProfileFormat *format);

/* What files of it end with, without a dot first: "pb.gz" */
const char *pen_profile_format_get_ending (PenProfileFormat format);

/* PEN_FOLD_… that it has unless others are asked for. Folded stacks have none, as `stacks` prints
 * them; in pprof they are labels, and the occupant is there, too. */
guint pen_profile_format_get_suffixes (PenProfileFormat format);

G_END_DECLS
