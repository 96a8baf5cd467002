/* pen-filter-term.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-term.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-filter-private.h"

/* "0-4294967295" is a mistake, not a machine. */
#define MAX_CPUS 65536
#define NS_PER_SECOND 1000000000u

PenFilterTerm *
pen_filter_term_new (PenFilterPart part, gboolean excluded, const char *value)
{
  PenFilterTerm *term = g_new0 (PenFilterTerm, 1);

  *term = (PenFilterTerm){ part, excluded, g_strdup (value) };
  return term;
}

PenFilterTerm *
pen_filter_term_copy (const PenFilterTerm *term)
{
  return pen_filter_term_new (term->part, term->excluded, term->value);
}

void
pen_filter_term_free (PenFilterTerm *term)
{
  g_free (term->value);
  g_free (term);
}

gboolean
pen_filter_term_equal (const PenFilterTerm *a, const PenFilterTerm *b)
{
  return a->part == b->part && !a->excluded == !b->excluded && g_str_equal (a->value, b->value);
}

/* ---- values out of words ---- */

static gboolean
refuse (const char *word, const char *what, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” %s", word, what);
  return FALSE;
}

static void
add_number (GArray **numbers, gint32 number)
{
  if (!*numbers)
    *numbers = g_array_new (FALSE, FALSE, sizeof (gint32));
  for (guint i = 0; i < (*numbers)->len; i++) {
    if (g_array_index (*numbers, gint32, i) == number)
      return;
  }
  g_array_append_val (*numbers, number);
}

static gboolean
add_cpus (PenFilterValues *values, const char *word, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (word, "-", 2);
  guint64 first;
  guint64 last;

  if (!ends[0] || !g_ascii_string_to_unsigned (ends[0], 10, 0, G_MAXINT32, &first, NULL))
    return refuse (word, _ ("is not a list of CPUs such as 0,2-5"), error);
  last = first;
  if (ends[1] && !g_ascii_string_to_unsigned (ends[1], 10, 0, G_MAXINT32, &last, NULL))
    return refuse (word, _ ("is not a list of CPUs such as 0,2-5"), error);
  if (last < first || last - first >= MAX_CPUS)
    return refuse (word, _ ("is not a range of CPUs"), error);
  for (guint64 cpu = first; cpu <= last; cpu++)
    add_number (&values->cpus, (gint32) cpu);
  return TRUE;
}

static gboolean
add_task (GArray **numbers, const char *word, GError **error)
{
  gint64 number;

  if (!g_ascii_string_to_signed (word, 10, G_MININT32, G_MAXINT32, &number, NULL))
    return refuse (word, _ ("is not a list of numbers such as 126,127"), error);
  add_number (numbers, (gint32) number);
  return TRUE;
}

/* The kernel counts programs, and the store tenures, from 1. */
static gboolean
add_id (GArray **numbers, const char *word, GError **error)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (word, 10, 1, G_MAXINT32, &number, NULL))
    return refuse (word, _ ("is not a list of IDs such as 23,25"), error);
  add_number (numbers, (gint32) number);
  return TRUE;
}

static gboolean
add_kind (PenFilterValues *values, const char *word, GError **error)
{
  PenKind kind;

  if (!pen_kind_from_string (word, &kind))
    return refuse (word,
                   _ ("is not one of kernel, module, bpf, stub, dso, vdso, anon, guest, unknown"),
                   error);
  values->kinds |= 1u << kind;
  return TRUE;
}

static gboolean
add_cause (PenFilterValues *values, const char *word, GError **error)
{
  PenCause cause;

  if (!pen_cause_from_string (word, &cause))
    return refuse (word,
                   _ ("is not one of static-key, static-call, ftrace, livepatch, kprobe, optprobe, "
                      "bpf, unannounced, unknown"),
                   error);
  values->causes |= 1u << cause;
  return TRUE;
}

static gboolean
add_item (PenFilterValues *values, PenFilterPart part, const char *word, GError **error)
{
  if (part == PEN_FILTER_CPU)
    return add_cpus (values, word, error);
  if (part == PEN_FILTER_KIND)
    return add_kind (values, word, error);
  if (part == PEN_FILTER_CAUSE)
    return add_cause (values, word, error);
  if (part == PEN_FILTER_BPF || part == PEN_FILTER_TENURE)
    return add_id (pen_filter_values_get_numbers (values, part), word, error);
  return add_task (pen_filter_values_get_numbers (values, part), word, error);
}

static void
add_word (GPtrArray **words, const char *word)
{
  if (!*words)
    *words = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < (*words)->len; i++) {
    if (g_str_equal ((*words)->pdata[i], word))
      return;
  }
  g_ptr_array_add (*words, g_strdup (word));
}

static gboolean
add_to_values (PenFilterValues *values, PenFilterPart part, const char *text, GError **error)
{
  GPtrArray **names = pen_filter_values_get_words (values, part);
  g_auto (GStrv) items = NULL;

  if (names) {
    add_word (names, text);
    return TRUE;
  }
  items = g_strsplit (text, ",", -1);
  if (!items[0])
    return refuse (text, _ ("is empty"), error);
  for (guint i = 0; items[i]; i++) {
    if (!add_item (values, part, g_strstrip (items[i]), error))
      return FALSE;
  }
  return TRUE;
}

/* Would the beginning of a name be taken for something else, or off? */
static gboolean
is_odd (const char *name)
{
  return name[0] == '!' || name[0] == '\\' || g_ascii_isspace (name[0]);
}

/* Takes a mark of exclusion off, and the one that keeps a name from being taken for it. */
static const char *
split_mark (const char *text, gboolean *excluded)
{
  *excluded = text[0] == '!';
  if (*excluded)
    text++;
  return text[0] == '\\' && is_odd (text + 1) ? text + 1 : text;
}

static void
replace (PenFilter *filter, PenFilter *with)
{
  PenFilter old = *filter;

  *filter = *with;
  *with = old;
}

gboolean
pen_filter_add_value (PenFilter *filter, PenFilterPart part, const char *text, GError **error)
{
  g_autoptr (PenFilter) changed = pen_filter_copy (filter);
  gboolean excluded;
  const char *value = split_mark (text, &excluded);

  g_return_val_if_fail (part < PEN_FILTER_LISTS, FALSE);

  if (!add_to_values (excluded ? &changed->none : &changed->only, part, value, error))
    return FALSE;
  replace (filter, changed);
  return TRUE;
}

/* ---- addresses ---- */

static gboolean
parse_address (const char *text, guint64 *address)
{
  if (g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X"))
    text += 2;
  return g_ascii_string_to_unsigned (text, 16, 0, G_MAXUINT64, address, NULL);
}

gboolean
pen_filter_set_addresses_from_string (PenFilter *filter, const char *range, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (range, "-", -1);
  guint n = g_strv_length (ends);
  guint64 from;
  guint64 to;

  if (n < 1 || n > 2 || !parse_address (g_strstrip (ends[0]), &from))
    return refuse (range, _ ("is not FROM-TO in hexadecimal"), error);
  to = from;
  if (n == 2 && !parse_address (g_strstrip (ends[1]), &to))
    return refuse (range, _ ("is not FROM-TO in hexadecimal"), error);
  if (to < from)
    return refuse (range, _ ("ends before it begins"), error);
  filter->has_address = TRUE;
  filter->address_from = from;
  filter->address_to = to;
  return TRUE;
}

/* ---- terms out of text ---- */

gboolean
pen_filter_add_text (PenFilter *filter, const char *text, guint64 first, guint64 last,
                     GError **error)
{
  g_autofree char *copy = g_strstrip (g_strdup (text));
  gboolean excluded = copy[0] == '!';
  g_auto (GStrv) words = g_strsplit (copy + (excluded ? 1 : 0), ":", 2);
  g_autofree char *marked = NULL;
  PenFilterPart part;
  const char *value;

  if (!words[0] || !pen_filter_part_from_string (g_strstrip (words[0]), &part)
      || (!words[1] && part != PEN_FILTER_CHANGED))
    return refuse (
        copy,
        _ ("is not a filter. Use PART:VALUE, or !PART:VALUE to exclude; parts are cpu, pid, tid, "
           "comm, event, kind, occupant, symbol, bpf, tenure, cause, time, address and changed."),
        error);
  value = words[1] ? g_strstrip (words[1]) : "";
  if (part >= PEN_FILTER_LISTS && excluded)
    return refuse (copy, _ ("cannot be excluded: only lists can"), error);
  if (part < PEN_FILTER_LISTS && (value[0] == '\0' || g_str_equal (value, "!")))
    return refuse (copy, _ ("has no value"), error);

  switch ((guint) part) {
  case PEN_FILTER_TIME:
    return pen_filter_set_time_from_string (filter, value, first, last, error);
  case PEN_FILTER_ADDRESS:
    return pen_filter_set_addresses_from_string (filter, value, error);
  case PEN_FILTER_CHANGED:
    filter->changed = TRUE;
    return TRUE;
  default:
    marked = g_strconcat (excluded && value[0] != '!' ? "!" : "", value, NULL);
    return pen_filter_add_value (filter, part, marked, error);
  }
}

/* ---- terms out of a filter ---- */

static void
add_decimal (GString *text, guint64 time)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT, time / NS_PER_SECOND);
  if (time % NS_PER_SECOND == 0)
    return;
  g_string_append_printf (text, ".%09" G_GUINT64_FORMAT, time % NS_PER_SECOND);
  while (text->str[text->len - 1] == '0')
    g_string_truncate (text, text->len - 1);
}

/* An open end is left out there; all of time is written as from 0 on. */
static char *
write_time (const PenFilter *filter)
{
  GString *text = g_string_new (NULL);

  if (filter->from > 0 || filter->to == G_MAXUINT64)
    add_decimal (text, filter->from);
  g_string_append_c (text, ',');
  if (filter->to < G_MAXUINT64)
    add_decimal (text, filter->to);
  return g_string_free (text, FALSE);
}

static void
add_values (GPtrArray *terms, const PenFilterValues *values, PenFilterPart part, gboolean excluded)
{
  GArray **numbers = pen_filter_values_get_numbers ((PenFilterValues *) values, part);
  GPtrArray **words = pen_filter_values_get_words ((PenFilterValues *) values, part);

  for (guint i = 0; numbers && *numbers && i < (*numbers)->len; i++) {
    g_autofree char *value = g_strdup_printf ("%d", g_array_index (*numbers, gint32, i));

    g_ptr_array_add (terms, pen_filter_term_new (part, excluded, value));
  }
  for (guint i = 0; words && *words && i < (*words)->len; i++)
    g_ptr_array_add (terms, pen_filter_term_new (part, excluded, (*words)->pdata[i]));
  for (guint i = 0; part == PEN_FILTER_KIND && i < PEN_KINDS; i++) {
    if (values->kinds >> i & 1)
      g_ptr_array_add (terms, pen_filter_term_new (part, excluded, pen_kind_to_string (i)));
  }
  for (guint i = 0; part == PEN_FILTER_CAUSE && i < PEN_CAUSES; i++) {
    if (values->causes >> i & 1)
      g_ptr_array_add (terms, pen_filter_term_new (part, excluded, pen_cause_to_string (i)));
  }
}

GPtrArray *
pen_filter_dup_terms (const PenFilter *filter)
{
  GPtrArray *terms = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_filter_term_free);

  if (filter->has_time) {
    g_autofree char *value = write_time (filter);

    g_ptr_array_add (terms, pen_filter_term_new (PEN_FILTER_TIME, FALSE, value));
  }
  for (guint part = 0; part < PEN_FILTER_LISTS; part++) {
    add_values (terms, &filter->only, part, FALSE);
    add_values (terms, &filter->none, part, TRUE);
  }
  if (filter->has_address) {
    g_autofree char *from = g_strdup_printf ("%" G_GINT64_MODIFIER "x", filter->address_from);
    g_autofree char *to = g_strdup_printf ("%" G_GINT64_MODIFIER "x", filter->address_to);
    g_autofree char *value = filter->address_from == filter->address_to
                                 ? g_steal_pointer (&from)
                                 : g_strdup_printf ("%s-%s", from, to);

    g_ptr_array_add (terms, pen_filter_term_new (PEN_FILTER_ADDRESS, FALSE, value));
  }
  if (filter->changed)
    g_ptr_array_add (terms, pen_filter_term_new (PEN_FILTER_CHANGED, FALSE, ""));
  return terms;
}

/* ---- adding and removing ---- */

static void
remove_values (PenFilterValues *values, PenFilterPart part, const PenFilterValues *which)
{
  GArray **numbers = pen_filter_values_get_numbers (values, part);
  GPtrArray **words = pen_filter_values_get_words (values, part);
  GArray **no_numbers = pen_filter_values_get_numbers ((PenFilterValues *) which, part);
  GPtrArray **no_words = pen_filter_values_get_words ((PenFilterValues *) which, part);

  for (guint i = 0; numbers && *no_numbers && i < (*no_numbers)->len; i++) {
    for (guint j = *numbers ? (*numbers)->len : 0; j > 0; j--) {
      if (g_array_index (*numbers, gint32, j - 1) == g_array_index (*no_numbers, gint32, i))
        g_array_remove_index (*numbers, j - 1);
    }
  }
  for (guint i = 0; words && *no_words && i < (*no_words)->len; i++) {
    for (guint j = *words ? (*words)->len : 0; j > 0; j--) {
      if (g_str_equal ((*words)->pdata[j - 1], (*no_words)->pdata[i]))
        g_ptr_array_remove_index (*words, j - 1);
    }
  }
  if (part == PEN_FILTER_KIND)
    values->kinds &= ~which->kinds;
  if (part == PEN_FILTER_CAUSE)
    values->causes &= ~which->causes;
}

gboolean
pen_filter_add_term (PenFilter *filter, const PenFilterTerm *term)
{
  g_autoptr (PenFilter) values = pen_filter_new ();

  if (term->part >= PEN_FILTER_LISTS) {
    g_autofree char *text = pen_filter_term_to_text (term);

    return pen_filter_add_text (filter, text, 0, 0, NULL);
  }
  if (!add_to_values (&values->only, term->part, term->value, NULL))
    return FALSE;
  remove_values (term->excluded ? &filter->only : &filter->none, term->part, &values->only);
  return add_to_values (term->excluded ? &filter->none : &filter->only, term->part, term->value,
                        NULL);
}

void
pen_filter_remove_term (PenFilter *filter, const PenFilterTerm *term)
{
  g_autoptr (PenFilter) values = pen_filter_new ();

  switch ((guint) term->part) {
  case PEN_FILTER_TIME:
    filter->has_time = FALSE;
    filter->from = filter->to = 0;
    break;
  case PEN_FILTER_ADDRESS:
    filter->has_address = FALSE;
    filter->address_from = filter->address_to = 0;
    break;
  case PEN_FILTER_CHANGED:
    filter->changed = FALSE;
    break;
  default:
    if (add_to_values (&values->only, term->part, term->value, NULL))
      remove_values (term->excluded ? &filter->none : &filter->only, term->part, &values->only);
    break;
  }
}

/* ---- text out of terms ---- */

static char *
mark_name (const PenFilterTerm *term)
{
  return g_strconcat (is_odd (term->value) ? "\\" : "", term->value, NULL);
}

char *
pen_filter_term_to_text (const PenFilterTerm *term)
{
  g_autofree char *value = mark_name (term);

  if (term->part == PEN_FILTER_CHANGED)
    return g_strdup (pen_filter_part_to_string (term->part));
  return g_strconcat (term->excluded ? "!" : "", pen_filter_part_to_string (term->part), ":", value,
                      NULL);
}

char *
pen_filter_term_to_argument (const PenFilterTerm *term)
{
  g_autofree char *value = mark_name (term);

  if (term->part == PEN_FILTER_CHANGED)
    return g_strdup ("--changed");
  return g_strconcat ("--", pen_filter_part_to_string (term->part), "=", term->excluded ? "!" : "",
                      value, NULL);
}
