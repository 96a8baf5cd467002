/* pen-filter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NS_PER_SECOND 1000000000u

/* ---- parts ---- */

static const char *const part_words[PEN_FILTER_PARTS] = {
  [PEN_FILTER_CPU] = "cpu",           [PEN_FILTER_PID] = "pid",         [PEN_FILTER_TID] = "tid",
  [PEN_FILTER_COMM] = "comm",         [PEN_FILTER_EVENT] = "event",     [PEN_FILTER_KIND] = "kind",
  [PEN_FILTER_OCCUPANT] = "occupant", [PEN_FILTER_SYMBOL] = "symbol",   [PEN_FILTER_BPF] = "bpf",
  [PEN_FILTER_TENURE] = "tenure",     [PEN_FILTER_CAUSE] = "cause",     [PEN_FILTER_TIME] = "time",
  [PEN_FILTER_ADDRESS] = "address",   [PEN_FILTER_CHANGED] = "changed",
};

const char *
pen_filter_part_to_string (PenFilterPart part)
{
  g_return_val_if_fail (part < PEN_FILTER_PARTS, NULL);
  return part_words[part];
}

gboolean
pen_filter_part_from_string (const char *word, PenFilterPart *part)
{
  for (guint i = 0; i < PEN_FILTER_PARTS; i++) {
    if (g_strcmp0 (word, part_words[i]) == 0) {
      *part = (PenFilterPart) i;
      return TRUE;
    }
  }
  return FALSE;
}

GArray **
pen_filter_values_get_numbers (PenFilterValues *values, PenFilterPart part)
{
  switch ((guint) part) {
  case PEN_FILTER_CPU:
    return &values->cpus;
  case PEN_FILTER_PID:
    return &values->pids;
  case PEN_FILTER_TID:
    return &values->tids;
  case PEN_FILTER_BPF:
    return &values->bpf_ids;
  case PEN_FILTER_TENURE:
    return &values->tenures;
  default:
    return NULL;
  }
}

GPtrArray **
pen_filter_values_get_words (PenFilterValues *values, PenFilterPart part)
{
  switch ((guint) part) {
  case PEN_FILTER_COMM:
    return &values->comms;
  case PEN_FILTER_EVENT:
    return &values->events;
  case PEN_FILTER_OCCUPANT:
    return &values->occupants;
  case PEN_FILTER_SYMBOL:
    return &values->symbols;
  default:
    return NULL;
  }
}

static const GArray *
get_numbers (const PenFilterValues *values, PenFilterPart part)
{
  GArray *const *numbers = pen_filter_values_get_numbers ((PenFilterValues *) values, part);
  return numbers ? *numbers : NULL;
}

static const GPtrArray *
get_words (const PenFilterValues *values, PenFilterPart part)
{
  GPtrArray *const *words = pen_filter_values_get_words ((PenFilterValues *) values, part);
  return words ? *words : NULL;
}

/* ---- life ---- */

PenFilter *
pen_filter_new (void)
{
  return g_new0 (PenFilter, 1);
}

static gpointer
copy_word (gconstpointer word, gpointer user_data G_GNUC_UNUSED)
{
  return g_strdup (word);
}

static void
copy_values (PenFilterValues *values)
{
  for (guint part = 0; part < PEN_FILTER_LISTS; part++) {
    GArray **numbers = pen_filter_values_get_numbers (values, part);
    GPtrArray **words = pen_filter_values_get_words (values, part);

    if (numbers && *numbers)
      *numbers = g_array_copy (*numbers);
    if (words && *words) {
      *words = g_ptr_array_copy (*words, copy_word, NULL);
      g_ptr_array_set_free_func (*words, g_free);
    }
  }
}

static void
clear_values (PenFilterValues *values)
{
  for (guint part = 0; part < PEN_FILTER_LISTS; part++) {
    GArray **numbers = pen_filter_values_get_numbers (values, part);
    GPtrArray **words = pen_filter_values_get_words (values, part);

    if (numbers)
      g_clear_pointer (numbers, g_array_unref);
    if (words)
      g_clear_pointer (words, g_ptr_array_unref);
  }
}

PenFilter *
pen_filter_copy (const PenFilter *filter)
{
  PenFilter *copy = g_memdup2 (filter, sizeof *filter);

  copy_values (&copy->only);
  copy_values (&copy->none);
  return copy;
}

void
pen_filter_free (PenFilter *filter)
{
  if (!filter)
    return;
  clear_values (&filter->only);
  clear_values (&filter->none);
  g_free (filter);
}

/* ---- comparison: an empty list is no list, the order of values does not matter ---- */

static gboolean
has_number (const GArray *numbers, gint32 number)
{
  for (guint i = 0; numbers && i < numbers->len; i++) {
    if (g_array_index (numbers, gint32, i) == number)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_word (const GPtrArray *words, const char *word)
{
  for (guint i = 0; words && i < words->len; i++) {
    if (g_strcmp0 (words->pdata[i], word) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
numbers_within (const GArray *a, const GArray *b)
{
  for (guint i = 0; a && i < a->len; i++) {
    if (!has_number (b, g_array_index (a, gint32, i)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
words_within (const GPtrArray *a, const GPtrArray *b)
{
  for (guint i = 0; a && i < a->len; i++) {
    if (!has_word (b, a->pdata[i]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
values_equal (const PenFilterValues *a, const PenFilterValues *b)
{
  for (guint part = 0; part < PEN_FILTER_LISTS; part++) {
    const GArray *numbers_a = get_numbers (a, part), *numbers_b = get_numbers (b, part);
    const GPtrArray *words_a = get_words (a, part), *words_b = get_words (b, part);

    if (!numbers_within (numbers_a, numbers_b) || !numbers_within (numbers_b, numbers_a)
        || !words_within (words_a, words_b) || !words_within (words_b, words_a))
      return FALSE;
  }
  return a->kinds == b->kinds && a->causes == b->causes;
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
  return values_equal (&a->only, &b->only) && values_equal (&a->none, &b->none);
}

gboolean
pen_filter_is_empty (const PenFilter *filter)
{
  static const PenFilter empty = { 0 };

  return pen_filter_equal (filter, &empty);
}

/* ---- what it admits ---- */

static gboolean
values_ask (const PenFilterValues *values, PenFilterPart part)
{
  const GArray *numbers = get_numbers (values, part);
  const GPtrArray *words = get_words (values, part);

  return (numbers && numbers->len > 0) || (words && words->len > 0)
         || (part == PEN_FILTER_KIND && values->kinds != 0)
         || (part == PEN_FILTER_CAUSE && values->causes != 0);
}

gboolean
pen_filter_asks (const PenFilter *filter, PenFilterPart part)
{
  switch ((guint) part) {
  case PEN_FILTER_TIME:
    return filter->has_time;
  case PEN_FILTER_ADDRESS:
    return filter->has_address;
  case PEN_FILTER_CHANGED:
    return filter->changed;
  default:
    return values_ask (&filter->only, part) || values_ask (&filter->none, part);
  }
}

gboolean
pen_filter_requires (const PenFilter *filter, PenFilterPart part)
{
  return part >= PEN_FILTER_LISTS ? pen_filter_asks (filter, part)
                                  : values_ask (&filter->only, part);
}

gboolean
pen_filter_admits_word (const PenFilter *filter, PenFilterPart part, const char *word)
{
  const GPtrArray *only = get_words (&filter->only, part);

  return (!only || only->len == 0 || has_word (only, word))
         && !has_word (get_words (&filter->none, part), word);
}

gboolean
pen_filter_admits_number (const PenFilter *filter, PenFilterPart part, gboolean is_known,
                          gint32 number)
{
  const GArray *only = get_numbers (&filter->only, part);

  if (!is_known)
    return !only || only->len == 0;
  return (!only || only->len == 0 || has_number (only, number))
         && !has_number (get_numbers (&filter->none, part), number);
}

gboolean
pen_filter_asks_tenures (const PenFilter *filter)
{
  return pen_filter_asks (filter, PEN_FILTER_BPF) || pen_filter_asks (filter, PEN_FILTER_TENURE);
}

gboolean
pen_filter_admits_tenure (const PenFilter *filter, guint32 tenure, guint32 bpf_id)
{
  return pen_filter_admits_number (filter, PEN_FILTER_TENURE, tenure != 0, (gint32) tenure)
         && pen_filter_admits_number (filter, PEN_FILTER_BPF, bpf_id != 0, (gint32) bpf_id);
}

guint32
pen_filter_get_kinds (const PenFilter *filter)
{
  guint32 all = (1u << PEN_KINDS) - 1;

  return (filter->only.kinds != 0 ? filter->only.kinds & all : all) & ~filter->none.kinds;
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
               _ ("“%s” is not a time range: %s. Use FROM,TO in seconds (4.81,7.29), without one "
                  "of the ends (4.81,), or in percentages (10%%,20%%)."),
               text, why);
  return FALSE;
}

gboolean
pen_time_from_string (const char *text, guint64 first, guint64 last, guint64 *time)
{
  guint64 whole, fraction;
  const char *end = parse_decimal (text, &whole, &fraction);

  if (!end)
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
    return refuse_time (text, _ ("expected one comma"), error);
  g_strstrip (ends[0]);
  g_strstrip (ends[1]);
  if (*ends[0] == '\0' && *ends[1] == '\0')
    return refuse_time (text, _ ("both ends are missing"), error);
  if (*ends[0] != '\0' && !pen_time_from_string (ends[0], first, MAX (first, last), &from))
    return refuse_time (text, _ ("its beginning is not a time"), error);
  if (*ends[1] != '\0' && !pen_time_from_string (ends[1], first, MAX (first, last), &to))
    return refuse_time (text, _ ("its end is not a time"), error);
  if (from > to)
    return refuse_time (text, _ ("it ends before it begins"), error);

  filter->has_time = TRUE;
  filter->from = from;
  filter->to = to;
  return TRUE;
}
