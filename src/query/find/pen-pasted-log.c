/* pen-pasted-log.c
 *
 * Formats, in Linux: kernel/printk/printk.c: print_prefix, info_print_ext_header; those of perf:
 * tools/perf/builtin-script.c: perf_sample__fprintf_start; of ftrace:
 * kernel/trace/trace_output.c: trace_print_context
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pasted-log.h"

#include <string.h>

/* A log's header is before it. */
#define LOG_NAME "kernel: "
#define LOG_NAME_REACH 160
/* Of perf and ftrace, which have microseconds; fewer are another number. */
#define TIME_DECIMALS 6

static gboolean
is_caller (PenSlice slice)
{
  guint64 number;

  pen_slice_trim (&slice);
  return pen_slice_get_length (slice) > 1 && (slice.at[0] == 'T' || slice.at[0] == 'C')
         && pen_slice_read_decimal (slice.at + 1, slice.end, &number) == slice.end;
}

/* "Sun Nov 22 16:47:36 2026": a time of day after other words */
static gboolean
is_date (PenSlice slice)
{
  const char *colon = memchr (slice.at, ':', pen_slice_get_length (slice));

  return colon && colon > slice.at && g_ascii_isdigit (colon[-1]) && g_ascii_isdigit (colon[1])
         && memchr (slice.at, ' ', (gsize) (colon - slice.at)) && *slice.at != '<';
}

/* "[  123.456789]", "[ T132]", "[Sun Nov 22 16:47:36 2026]"; not "[<0>]", not "[module]". */
static gboolean
take_stamp (PenSlice *line, guint64 *time, gboolean *has_time)
{
  const char *close
      = *line->at == '[' ? memchr (line->at, ']', pen_slice_get_length (*line)) : NULL;
  PenSlice inside;
  guint64 stamp;

  if (!close)
    return FALSE;
  inside = (PenSlice){ line->at + 1, close };
  if (pen_slice_read_seconds (inside, 1, &stamp)) {
    if (time && !*has_time)
      *time = stamp;
    *has_time = TRUE;
  } else if (!is_caller (inside) && !is_date (inside)) {
    return FALSE;
  }
  line->at = close + 1;
  return TRUE;
}

/* "<4>": the level of printk */
static gboolean
take_level (PenSlice *line)
{
  guint64 level;
  const char *p;

  if (*line->at != '<')
    return FALSE;
  p = pen_slice_read_decimal (line->at + 1, line->end, &level);
  if (!p || p == line->end || *p != '>')
    return FALSE;
  line->at = p + 1;
  return TRUE;
}

/* "2026-11-22T16:47:36,123456+00:00" */
static gboolean
take_date (PenSlice *line)
{
  PenSlice word = pen_slice_get_word (*line);
  guint64 year;
  const char *p = pen_slice_read_decimal (word.at, word.end, &year);

  if (!p || p - word.at != 4 || p == word.end || *p != '-'
      || !memchr (p, ':', (gsize) (word.end - p)))
    return FALSE;
  line->at = word.end;
  return TRUE;
}

gboolean
pen_pasted_log_take (PenSlice *line, guint64 *time)
{
  const char *log = g_strstr_len (
      line->at, (gssize) MIN (pen_slice_get_length (*line), LOG_NAME_REACH), LOG_NAME);
  gboolean has_time = FALSE;
  gboolean taken = TRUE;

  if (log)
    line->at = log + strlen (LOG_NAME);
  while (taken) {
    pen_slice_trim (line);
    taken = line->at < line->end
            && (take_stamp (line, time, &has_time) || take_level (line) || take_date (line)
                || ((*line->at == '>' || *line->at == '|') && line->at++));
  }
  return has_time;
}

gboolean
pen_pasted_log_find_time (PenSlice line, guint64 *time, PenSlice *rest)
{
  while (line.at < line.end) {
    PenSlice word = pen_slice_get_word (line);

    line.at = word.end;
    pen_slice_skip_blanks (&line);
    if (pen_slice_get_length (word) > 1 && word.end[-1] == ':'
        && pen_slice_read_seconds ((PenSlice){ word.at, word.end - 1 }, TIME_DECIMALS, time)) {
      if (rest)
        *rest = line;
      return TRUE;
    }
  }
  return FALSE;
}
