/* pen-query-resolve.c: which function or address a person means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "pen-bucket-set.h"
#include "pen-near-words.h"
#include "pen-query-resolve.h"
#include "pen-query-target.h"

static gboolean
parse_hex (const char *text, guint64 *value)
{
  return (g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X"))
         && g_ascii_string_to_unsigned (text + 2, 16, 0, G_MAXUINT64, value, NULL);
}

static gboolean
looks_like_address (const char *target)
{
  return g_str_has_prefix (target, "0x") || g_str_has_prefix (target, "0X");
}

gboolean
pen_query_parse_address (const char *target, guint64 *address, GError **error)
{
  if (!looks_like_address (target))
    return FALSE;
  if (parse_hex (target, address))
    return TRUE;
  g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE,
               _ ("“%s” is not an address: expected hexadecimal digits after 0x"), target);
  return FALSE;
}

void
pen_query_set_unknown_symbol (PenQuery *self, const char *name, GError **error)
{
  g_autoptr (PenNearWords) words = pen_near_words_new (name);
  g_autofree char *near = NULL;

  for (guint i = 0; i < self->n_functions; i++) {
    if (self->functions[i].symbol)
      pen_near_words_offer (words, self->functions[i].symbol, self->functions[i].samples);
  }
  near = pen_near_words_list (words);
  if (near)
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("“%s” has neither samples nor changes in this recording; similar: %s; "
                    "“functions” lists those that have"),
                 name, near);
  else
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("“%s” has neither samples nor changes in this recording; “functions” lists "
                    "those that have"),
                 name);
}

/* ---- functions ---- */

static int
compare_by_samples (gconstpointer a, gconstpointer b, gpointer user_data)
{
  PenQuery *self = user_data;
  const PenFunction *x = &self->functions[*(const guint32 *) a];
  const PenFunction *y = &self->functions[*(const guint32 *) b];

  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (x->changes != y->changes)
    return x->changes > y->changes ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

static void
add_function (const PenFunction *function, gpointer user_data)
{
  g_array_append_val (user_data, function->id);
}

static void
add_sampled_function (const PenFunction *function, gpointer user_data)
{
  if (function->samples > 0)
    add_function (function, user_data);
}

static gboolean
is_at (const PenBucket *bucket, gpointer user_data)
{
  return bucket->has_address && bucket->address == *(const guint64 *) user_data;
}

/* Functions that hold @address; or else the one without a range that has samples at it, or had them
 * first. */
static gboolean
add_functions_at (PenQuery *self, guint64 address, GArray *found, GError **error)
{
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (PenBucketSet) set = NULL;
  const PenBucket *first = NULL;

  if (address < G_MAXUINT64)
    pen_query_foreach_function_in (self, address, address + 1, add_function, found);
  if (found->len > 0)
    return TRUE;
  pen_query_foreach_unranged (self, FALSE, add_sampled_function, functions);
  set = pen_bucket_set_new (self, functions, is_at, &address, error);
  if (!set)
    return FALSE;
  for (guint i = 0; i < set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (set, i);

    if (!first || bucket->id < first->id)
      first = bucket;
  }
  if (first)
    g_array_append_val (found, first->function);
  return TRUE;
}

GArray *
pen_query_find_functions (PenQuery *self, const char *target, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint64 address;

  if (!pen_query_load (self, error))
    return NULL;
  if (looks_like_address (target)) {
    if (!pen_query_parse_address (target, &address, error))
      return NULL;
    if (!add_functions_at (self, address, found, error))
      return NULL;
    if (found->len == 0) {
      g_set_error (
          error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
          _ ("no function with samples or changes contains %s; “functions” lists all of them"),
          target);
      return NULL;
    }
  } else {
    for (guint32 i = 0; i < self->n_functions; i++) {
      if (g_strcmp0 (self->functions[i].symbol, target) == 0
          || g_strcmp0 (self->functions[i].linkage_name, target) == 0)
        g_array_append_val (found, i);
    }
    if (found->len == 0) {
      pen_query_set_unknown_symbol (self, target, error);
      return NULL;
    }
  }
  g_array_sort_with_data (found, compare_by_samples, self);
  return g_steal_pointer (&found);
}

/* ---- addresses ---- */

static gboolean
parse_offset (const char *text, guint64 *offset)
{
  return parse_hex (text, offset)
         || g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, offset, NULL);
}

gboolean
pen_query_split_offset (const char *target, char **symbol, guint64 *offset, GError **error)
{
  const char *plus = strrchr (target, '+');

  *offset = 0;
  if (!plus) {
    *symbol = g_strdup (target);
    return TRUE;
  }
  if (!parse_offset (plus + 1, offset)) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE,
                 _ ("“%s”: invalid offset; use symbol+0x1c or symbol+28"), target);
    return FALSE;
  }
  *symbol = g_strndup (target, (gsize) (plus - target));
  return TRUE;
}

gboolean
pen_query_resolve (PenQuery *self, const char *target, guint64 *address, GError **error)
{
  g_autoptr (GArray) found = NULL;
  g_autofree char *symbol = NULL;
  guint64 offset;

  if (looks_like_address (target))
    return pen_query_parse_address (target, address, error);
  if (!pen_query_split_offset (target, &symbol, &offset, error))
    return FALSE;
  found = pen_query_find_functions (self, symbol, error);
  if (!found)
    return FALSE;

  const PenFunction *function = &self->functions[g_array_index (found, guint32, 0)];

  if (function->name_file != 0) {
    g_set_error (
        error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
        _ ("“%s” is in user space, at another address in each process; expected a kernel address"),
        symbol);
    return FALSE;
  }
  if (offset >= MAX (function->length, 1)) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("“%s” is past the end of %s, which is %" PRIu64 " bytes long"), target, symbol,
                 function->length);
    return FALSE;
  }
  *address = function->start + offset;
  return TRUE;
}
