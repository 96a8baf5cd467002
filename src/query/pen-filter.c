/* pen-filter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter.h"

#include <string.h>

#define NS_PER_SECOND 1000000000u

PenFilter *
pen_filter_new (void)
{
  return g_new0 (PenFilter, 1);
}

static GArray *
copy_numbers (const GArray *numbers)
{
  return numbers != NULL ? g_array_copy ((GArray *) numbers) : NULL;
}

static gpointer
copy_word (gconstpointer word, gpointer user_data G_GNUC_UNUSED)
{
  return g_strdup (word);
}

static GPtrArray *
copy_words (const GPtrArray *words)
{
  if (words == NULL)
    return NULL;

  GPtrArray *copy = g_ptr_array_copy ((GPtrArray *) words, copy_word, NULL);

  g_ptr_array_set_free_func (copy, g_free);
  return copy;
}

PenFilter *
pen_filter_copy (const PenFilter *filter)
{
  PenFilter *copy = g_memdup2 (filter, sizeof *filter);

  copy->cpus = copy_numbers (filter->cpus);
  copy->pids = copy_numbers (filter->pids);
  copy->tids = copy_numbers (filter->tids);
  copy->comms = copy_words (filter->comms);
  copy->events = copy_words (filter->events);
  copy->occupants = copy_words (filter->occupants);
  copy->symbols = copy_words (filter->symbols);
  return copy;
}

void
pen_filter_free (PenFilter *filter)
{
  if (filter == NULL)
    return;
  g_clear_pointer (&filter->cpus, g_array_unref);
  g_clear_pointer (&filter->pids, g_array_unref);
  g_clear_pointer (&filter->tids, g_array_unref);
  g_clear_pointer (&filter->comms, g_ptr_array_unref);
  g_clear_pointer (&filter->events, g_ptr_array_unref);
  g_clear_pointer (&filter->occupants, g_ptr_array_unref);
  g_clear_pointer (&filter->symbols, g_ptr_array_unref);
  g_free (filter);
}

/* ---- comparison: an empty list is no list, the order of values does not matter ---- */

static gboolean
has_number (const GArray *numbers, gint32 number)
{
  for (guint i = 0; i < numbers->len; i++) {
    if (g_array_index (numbers, gint32, i) == number)
      return TRUE;
  }
  return FALSE;
}

static gboolean
numbers_within (const GArray *a, const GArray *b)
{
  for (guint i = 0; a != NULL && i < a->len; i++) {
    if (b == NULL || !has_number (b, g_array_index (a, gint32, i)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
numbers_equal (const GArray *a, const GArray *b)
{
  return numbers_within (a, b) && numbers_within (b, a);
}

static gboolean
words_within (const GPtrArray *a, const GPtrArray *b)
{
  for (guint i = 0; a != NULL && i < a->len; i++) {
    if (b == NULL
        || !g_ptr_array_find_with_equal_func ((GPtrArray *) b, a->pdata[i], g_str_equal, NULL))
      return FALSE;
  }
  return TRUE;
}

static gboolean
words_equal (const GPtrArray *a, const GPtrArray *b)
{
  return words_within (a, b) && words_within (b, a);
}

gboolean
pen_filter_equal (const PenFilter *a, const PenFilter *b)
{
  if (!a->has_time != !b->has_time || !a->has_address != !b->has_address
      || !a->changed != !b->changed)
    return FALSE;
  if (a->has_time && (a->from != b->from || a->to != b->to))
    return FALSE;
  if (a->has_address && (a->address_from != b->address_from || a->address_to != b->address_to))
    return FALSE;

  return a->kinds == b->kinds && a->causes == b->causes && numbers_equal (a->cpus, b->cpus)
         && numbers_equal (a->pids, b->pids) && numbers_equal (a->tids, b->tids)
         && words_equal (a->comms, b->comms) && words_equal (a->events, b->events)
         && words_equal (a->occupants, b->occupants) && words_equal (a->symbols, b->symbols);
}

gboolean
pen_filter_is_empty (const PenFilter *filter)
{
  static const PenFilter empty = { 0 };

  return pen_filter_equal (filter, &empty);
}

/* ---- time ---- */

__extension__ typedef unsigned __int128 Wide;

/* "12", "12.5", ".5": digits before the point into @whole, those after it into @fraction, as
 * billionths. More than nine decimals are cut off. Returns where it ended; NULL: no number. */
static const char *
parse_decimal (const char *text, guint64 *whole, guint64 *fraction)
{
  const char *p = text;
  guint64 scale = NS_PER_SECOND;
  guint n_digits = 0;

  *whole = *fraction = 0;
  for (; g_ascii_isdigit (*p); p++, n_digits++) {
    if (!g_uint64_checked_mul (whole, *whole, 10)
        || !g_uint64_checked_add (whole, *whole, (guint64) (*p - '0')))
      return NULL;
  }
  if (*p == '.') {
    p++;
    for (; g_ascii_isdigit (*p); p++, n_digits++) {
      scale /= 10;
      *fraction += scale * (guint64) (*p - '0');
    }
  }
  return n_digits > 0 ? p : NULL;
}

static gboolean
refuse_time (const char *text, const char *why, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "“%s” is not a time range: %s. Write FROM,TO in seconds (4.81,7.29), with either "
               "end left out (4.81,), or in per cent of the capture (10%%,20%%).",
               text, why);
  return FALSE;
}

static gboolean
parse_end (const char *text, guint64 first, guint64 last, guint64 *time)
{
  guint64 whole, fraction;
  const char *end = parse_decimal (text, &whole, &fraction);

  if (end == NULL)
    return FALSE;
  if (strcmp (end, "%") == 0) {
    if (whole > 100 || (whole == 100 && fraction > 0))
      return FALSE;

    guint64 billionths = whole * NS_PER_SECOND + fraction;
    Wide part = (Wide) (last - first) * billionths;

    *time = first + (guint64) (part / (100ull * NS_PER_SECOND));
    return TRUE;
  }
  return *end == '\0' && g_uint64_checked_mul (time, whole, NS_PER_SECOND)
         && g_uint64_checked_add (time, *time, fraction);
}

gboolean
pen_filter_set_time_from_string (PenFilter *filter, const char *text, guint64 first, guint64 last,
                                 GError **error)
{
  g_auto (GStrv) ends = g_strsplit (text, ",", -1);
  guint64 from = 0;
  guint64 to = G_MAXUINT64;

  if (g_strv_length (ends) != 2)
    return refuse_time (text, "it needs one comma", error);
  g_strstrip (ends[0]);
  g_strstrip (ends[1]);
  if (*ends[0] == '\0' && *ends[1] == '\0')
    return refuse_time (text, "both ends are missing", error);
  if (*ends[0] != '\0' && !parse_end (ends[0], first, MAX (first, last), &from))
    return refuse_time (text, "its beginning is no time", error);
  if (*ends[1] != '\0' && !parse_end (ends[1], first, MAX (first, last), &to))
    return refuse_time (text, "its end is no time", error);
  if (from > to)
    return refuse_time (text, "it ends before it begins", error);

  filter->has_time = TRUE;
  filter->from = from;
  filter->to = to;
  return TRUE;
}

gboolean
pen_filter_has_word (const GPtrArray *words, const char *word)
{
  if (words == NULL || words->len == 0)
    return TRUE;
  for (guint i = 0; i < words->len; i++) {
    if (g_strcmp0 (words->pdata[i], word) == 0)
      return TRUE;
  }
  return FALSE;
}
