/* pen-query-file-text.c: code of a file, at addresses as in the file: the same for all that mapped
 * it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-binary-search.h"
#include "pen-query-annotation.h"
#include "pen-query-file-text.h"
#include "pen-store-text.h"

/* ---- what stands at a target ---- */

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenFunction *x = *(const PenFunction *const *) a;
  const PenFunction *y = *(const PenFunction *const *) b;

  return (x->start > y->start) - (x->start < y->start);
}

/* Returns: (element-type PenFunction): of the file, by start */
static GPtrArray *
list_functions (PenQuery *self, guint32 name_file)
{
  GPtrArray *functions = g_ptr_array_new ();

  for (guint i = 0; i < self->n_functions; i++)
    if (self->functions[i].name_file == name_file)
      g_ptr_array_add (functions, (gpointer) &self->functions[i]);
  g_ptr_array_sort (functions, compare_starts);
  return functions;
}

/* The store has the names of functions that samples or callchains are in: others stay numbers. */
static void
name_target (guint64 address, G_GNUC_UNUSED PenMoment moment, GString *name, gpointer user_data)
{
  const GPtrArray *functions = user_data;
  guint low;
  const PenFunction *function;

  low = PEN_BINARY_SEARCH (i, 0, functions->len,
                           ((const PenFunction *) functions->pdata[i])->start <= address);
  if (low == 0)
    return;

  function = functions->pdata[low - 1];
  if (address - function->start >= function->length)
    return;
  g_string_append (name, function->symbol);
  if (address > function->start)
    g_string_append_printf (name, "+0x%" G_GINT64_MODIFIER "x", address - function->start);
}

/* ---- one tenure for all ---- */

/* When somebody had it, as far as @tenures tell. */
static PenTenure
share_tenure (const PenFunction *function, const GArray *tenures, GPtrArray *texts)
{
  PenTenure shared = {
    .id = PEN_SHARED_TENURE,
    .kind = function->kind,
    .layer = PEN_LAYER_MAP,
    .occupant = (char *) function->occupant,
    .name = (char *) function->occupant,
    .start = function->start,
    .end = function->start + function->length,
    .from = PEN_MOMENT_START,
    .to = PEN_MOMENT_END,
    .from_bound = PEN_BOUND_INITIAL,
    .to_bound = PEN_BOUND_OPEN,
    .evidence = ((const PenStoredText *) texts->pdata[0])->evidence,
    .unverified_from = PEN_MOMENT_END,
  };

  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    if (i == 0 || pen_moment_compare (tenure->from, shared.from) < 0) {
      shared.from = tenure->from;
      shared.from_bound = tenure->from_bound;
    }
    if (i == 0 || pen_moment_compare (tenure->to, shared.to) > 0) {
      shared.to = tenure->to;
      shared.to_bound = tenure->to_bound;
    }
    if (i == 0 || tenure->evidence < shared.evidence)
      shared.evidence = tenure->evidence;
  }
  return shared;
}

PenText *
pen_query_join_file_texts (const PenTenure *tenure, const GPtrArray *texts)
{
  g_autofree PenTextPiece *pieces = g_new (PenTextPiece, texts->len);
  g_autofree const PenTextPiece **pointers = g_new (const PenTextPiece *, texts->len);

  for (guint i = 0; i < texts->len; i++) {
    const PenStoredText *text = texts->pdata[i];

    pieces[i]
        = (PenTextPiece){ tenure->id, text->start, text->bytes, text->evidence, text->source };
    pointers[i] = &pieces[i];
  }
  return pen_text_new (tenure, tenure->start, tenure->end, pointers, texts->len, NULL, 0);
}

GPtrArray *
pen_query_build_file_lines (PenQuery *self, const PenFunction *function, PenDecoder *decoder,
                            GArray *buckets, GArray *tenures, GError **error)
{
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (GPtrArray) functions = NULL;
  g_autoptr (PenText) text = NULL;
  PenCancelCheck check = pen_query_make_check (self);
  PenTenure shared;
  PenAnnotationTenure turn;
  GPtrArray *lines;

  texts = pen_store_load_file_text (self->store, function->name_file, function->start,
                                    function->start + function->length, error);
  if (!texts || texts->len == 0)
    return NULL;

  shared = share_tenure (function, tenures, texts);
  for (guint i = 0; i < buckets->len; i++) {
    PenBucket *bucket = &g_array_index (buckets, PenBucket, i);

    bucket->tenure = shared.id;
    bucket->revision = 0;
  }
  text = pen_query_join_file_texts (&shared, texts);
  functions = list_functions (self, function->name_file);
  turn = (PenAnnotationTenure){ &shared, text };
  g_array_set_size (tenures, 0);
  g_array_append_val (tenures, shared);
  lines = pen_annotation_build (shared.start, shared.end, &turn, 1, NULL, 0,
                                (const PenBucket *) (gpointer) buckets->data, buckets->len, decoder,
                                name_target, functions, &check);
  if (!lines)
    pen_query_end_check (self, &check, error);
  return lines;
}
