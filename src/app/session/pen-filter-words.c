/* pen-filter-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-words.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"

/* ns: times of a shorter stretch have all their digits */
#define EXACT 200

char *
pen_filter_words_describe_span (PenSpan span, const PenClock *clock)
{
  guint64 resolution = MAX ((span.to - span.from) / 100, 1);
  g_autofree char *from = pen_clock_format (clock, span.from, resolution);
  g_autofree char *to = pen_clock_format_long (clock, span.to, resolution);

  return g_strdup_printf ("%s–%s", from, to);
}

/* An end that is open is that of the recording. */
static char *
describe_time (const PenFilter *filter, const PenClock *clock)
{
  PenSpan span = { MAX (filter->from, clock->span.from), MIN (filter->to, clock->span.to) };
  g_autofree char *text = NULL;

  /* Beside the recording: as it was asked for. */
  if (span.from > span.to)
    span = (PenSpan){ filter->from, filter->to };
  /* The end is in it: 6.509999999 ends at 6.51. */
  if (span.to - span.from >= EXACT && span.to < G_MAXUINT64)
    span.to++;
  text = pen_filter_words_describe_span (span, clock);
  return g_strdup_printf (_ ("time %s"), text);
}

char *
pen_filter_words_describe (const PenFilterTerm *term, const PenFilter *filter,
                           const PenClock *clock)
{
  g_autofree char *value = NULL;

  switch ((guint) term->part) {
  case PEN_FILTER_TIME:
    return describe_time (filter, clock);
  case PEN_FILTER_ADDRESS:
    return g_strdup_printf (_ ("address: %s"), term->value);
  case PEN_FILTER_CHANGED:
    return g_strdup (_ ("changed text only"));
  default:
    value = pen_display_text (term->value);
    /* translators: the word of a filter and its value: "not comm: sh" */
    return g_strdup_printf (term->excluded ? _ ("not %s: %s") : "%s: %s",
                            pen_filter_part_to_string (term->part), value);
  }
}

/* ---- steps ---- */

static gboolean
has_term (GPtrArray *terms, const PenFilterTerm *term)
{
  return g_ptr_array_find_with_equal_func (terms, term, (GEqualFunc) pen_filter_term_equal, NULL);
}

/* The terms of @terms that @others has not. */
static GPtrArray *
list_others (GPtrArray *terms, GPtrArray *others)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < terms->len; i++) {
    if (!has_term (others, terms->pdata[i]))
      g_ptr_array_add (list, terms->pdata[i]);
  }
  return list;
}

static char *
describe_added (const PenFilterTerm *term, const PenFilter *after, const PenClock *clock)
{
  g_autofree char *words = pen_filter_words_describe (term, after, clock);

  if (term->part < PEN_FILTER_LISTS && !term->excluded)
    return g_strdup_printf (_ ("Only %s"), words);
  words[0] = g_ascii_toupper (words[0]);
  return g_steal_pointer (&words);
}

char *
pen_filter_words_describe_step (const PenFilter *before, const PenFilter *after,
                                const PenClock *clock)
{
  g_autoptr (GPtrArray) old = pen_filter_dup_terms (before);
  g_autoptr (GPtrArray) new = pen_filter_dup_terms (after);
  g_autoptr (GPtrArray) added = list_others (new, old);
  g_autoptr (GPtrArray) removed = list_others (old, new);

  if (added->len == 0 && removed->len == 0)
    return NULL;
  if (new->len == 0)
    return g_strdup (_ ("No filters"));
  /* A time, or a mark, that took the place of another is one thing. */
  if (added->len == 1
      && (removed->len == 0
          || (removed->len == 1
              && ((PenFilterTerm *) removed->pdata[0])->part
                     == ((PenFilterTerm *) added->pdata[0])->part)))
    return describe_added (added->pdata[0], after, clock);
  if (added->len == 0 && removed->len == 1) {
    g_autofree char *words = pen_filter_words_describe (removed->pdata[0], before, clock);

    return g_strdup_printf (_ ("Without %s"), words);
  }
  return g_strdup (_ ("Filters"));
}
