/* pen-annotator.c: lines of a range of the kernel's addresses, from what the store keeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bytes-source.h"
#include "pen-query-private.h"

#include "pen-annotator.h"
#include "pen-query-holdings.h"
#include "pen-slots.h"
#include "pen-store-pokes.h"
#include "pen-store-symbols.h"
#include "pen-store-text.h"
#include "pen-table-hash.h"

/* Who held a target over time: asked again and again while a function is annotated. */
typedef struct {
  guint64 address;
  GArray *holdings;
} Target;

static guint
target_hash (gconstpointer key)
{
  return pen_int64_hash (&((const Target *) key)->address);
}

static gboolean
target_equal (gconstpointer a, gconstpointer b)
{
  return ((const Target *) a)->address == ((const Target *) b)->address;
}

static void
target_free (gpointer data)
{
  Target *target = data;

  g_clear_pointer (&target->holdings, g_array_unref);
  g_free (target);
}

PenAnnotator *
pen_annotator_new (PenQuery *query, PenSyntax syntax, GError **error)
{
  g_autoptr (PenAnnotator) self = g_new0 (PenAnnotator, 1);

  self->query = query;
  self->targets = g_hash_table_new_full (target_hash, target_equal, target_free, NULL);
  self->decoder = pen_decoder_new (pen_store_get_fact (query->store, "arch"), syntax, error);
  return self->decoder ? g_steal_pointer (&self) : NULL;
}

void
pen_annotator_free (PenAnnotator *self)
{
  g_clear_pointer (&self->decoder, pen_decoder_free);
  g_clear_pointer (&self->targets, g_hash_table_unref);
  g_clear_pointer (&self->text, pen_loaded_text_free);
  g_free (self);
}

static const Target *
find_target (PenAnnotator *self, guint64 address)
{
  Target key = { address, NULL };
  Target *target = g_hash_table_lookup (self->targets, &key);

  if (!target) {
    target = g_new0 (Target, 1);
    target->address = address;
    /* A name is not worth failing for: without one the address stands for itself. */
    target->holdings = pen_query_find_holdings (self->query, address, NULL);
    g_hash_table_add (self->targets, target);
  }
  return target;
}

/* A program's functions are registered one after the other: what the first one calls may be known a
 * moment after it. */
#define REGISTERED_TOGETHER_NS 1000000u

static const PenHolding *
find_holding (const Target *target, PenMoment moment)
{
  for (guint i = 0; target->holdings && i < target->holdings->len; i++) {
    const PenHolding *holding = &g_array_index (target->holdings, PenHolding, i);

    if (pen_moment_compare (moment, holding->to) > 0)
      continue;
    if (pen_moment_compare (holding->from, moment) < 0
        || holding->from.time - moment.time <= REGISTERED_TOGETHER_NS)
      return holding;
    break;
  }
  return NULL;
}

static gboolean
find_name (PenAnnotator *self, const PenHolding *holding, guint64 address, const char **name,
           guint64 *start)
{
  guint64 end;

  if (!holding || holding->tenure.layer == PEN_LAYER_POKE)
    return FALSE;
  if (!pen_query_find_symbol (self->query, &holding->tenure, address, name, start, &end)) {
    *name = holding->tenure.occupant;
    *start = holding->tenure.start;
  }
  return TRUE;
}

static void
name_target (guint64 address, PenMoment moment, GString *name, gpointer user_data)
{
  PenAnnotator *self = user_data;
  const PenHolding *holding = find_holding (find_target (self, address), moment);
  const char *symbol;
  guint64 start;

  if (!find_name (self, holding, address, &symbol, &start))
    return;
  g_string_append (name, symbol);
  if (address > start)
    g_string_append_printf (name, "+0x%" G_GINT64_MODIFIER "x", address - start);
}

/* ---- building ---- */

/* One range of addresses, with all that was ever there. */
typedef struct {
  PenAnnotator *annotator;
  guint64 start;
  guint64 end;
  GArray *tenures;
  GArray *buckets;
  PenLoadedText *text;
} Range;

/* Where the instructions of @tenure begin, at or before @start: a program or stub that began below
 * the range need not have one at its start. */
static guint64
find_first_instruction (const PenTenure *tenure, guint64 start)
{
  gboolean begins_below = tenure->layer == PEN_LAYER_KSYMBOL && tenure->start < start;

  return begins_below && start - tenure->start < PEN_ANNOTATION_MAX / 2 ? tenure->start : start;
}

/* The distinct first instructions, that of the range itself in front. */
static GArray *
list_beginnings (const GArray *tenures, guint64 start)
{
  GArray *beginnings = g_array_new (FALSE, FALSE, sizeof (guint64));

  g_array_append_val (beginnings, start);
  for (guint i = 0; i < tenures->len; i++) {
    guint64 first = find_first_instruction (&g_array_index (tenures, PenTenure, i), start);
    gboolean is_listed = FALSE;

    for (guint j = 0; j < beginnings->len && !is_listed; j++)
      is_listed = g_array_index (beginnings, guint64, j) == first;
    if (!is_listed)
      g_array_append_val (beginnings, first);
  }
  return beginnings;
}

static GArray *
select_buckets (const GArray *buckets, const GArray *annotated, gboolean with_unheld)
{
  GArray *selected = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  g_autoptr (GHashTable) theirs = g_hash_table_new (pen_direct_hash, NULL);

  if (with_unheld)
    g_hash_table_add (theirs, GUINT_TO_POINTER (0));
  for (guint i = 0; i < annotated->len; i++)
    g_hash_table_add (
        theirs, GUINT_TO_POINTER (g_array_index (annotated, PenAnnotationTenure, i).tenure->id));
  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);

    if (g_hash_table_contains (theirs, GUINT_TO_POINTER (bucket->tenure)))
      g_array_append_val (selected, *bucket);
  }
  return selected;
}

/* Drops the lines before the range; they come first. */
static void
trim_lines (GPtrArray *lines, guint64 start)
{
  guint n_before = 0;

  for (guint i = 0; i < lines->len; i++) {
    PenAnnotationLine *line = lines->pdata[i];

    if (line->address < start)
      n_before++;
    else
      line->offset = line->address - start;
  }
  if (n_before > 0)
    g_ptr_array_remove_range (lines, 0, n_before);
}

/* Lines of those tenures whose instructions begin at @first. */
static GPtrArray *
build_lines (const Range *range, guint64 first)
{
  g_autoptr (GArray) annotated = g_array_new (FALSE, FALSE, sizeof (PenAnnotationTenure));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_text_free);
  g_autoptr (GPtrArray) pokes = g_ptr_array_new ();
  g_autoptr (GHashTable) listed = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GArray) buckets = NULL;
  GPtrArray *lines;

  for (guint i = 0; i < range->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (range->tenures, PenTenure, i);
    PenAnnotationTenure annotation = { tenure, NULL };
    const PenTenureText *text;

    if (find_first_instruction (tenure, range->start) != first)
      continue;
    text = pen_loaded_text_find (range->text, tenure->id);
    annotation.text = pen_text_new (
        tenure, first, range->end, (const PenTextPiece *const *) text->pieces->pdata,
        text->pieces->len, (const PenPoke *const *) text->pokes->pdata, text->pokes->len);
    if (g_hash_table_add (listed, GUINT_TO_POINTER (tenure->id)))
      for (guint k = 0; k < text->pokes->len; k++)
        g_ptr_array_add (pokes, text->pokes->pdata[k]);
    g_ptr_array_add (texts, annotation.text);
    g_array_append_val (annotated, annotation);
  }
  buckets = select_buckets (range->buckets, annotated, first == range->start);
  lines = pen_annotation_build (first, range->end, (const PenAnnotationTenure *) annotated->data,
                                annotated->len, (const PenPoke *const *) pokes->pdata, pokes->len,
                                (const PenBucket *) buckets->data, buckets->len,
                                range->annotator->decoder, name_target, range->annotator);
  trim_lines (lines, range->start);
  return lines;
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const PenAnnotationLine *x = *(PenAnnotationLine *const *) a;
  const PenAnnotationLine *y = *(PenAnnotationLine *const *) b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return pen_moment_compare (x->from, y->from);
}

static void
free_line (gpointer data)
{
  pen_annotation_line_free (data);
}

/* Lines of several builds become one list, in which versions count on. */
static GPtrArray *
merge_lines (GPtrArray *lines, GPtrArray *more)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (free_line);

  g_ptr_array_extend_and_steal (all, lines);
  g_ptr_array_extend_and_steal (all, more);
  g_ptr_array_sort (all, compare_lines);
  for (guint i = 1; i < all->len; i++) {
    PenAnnotationLine *before = all->pdata[i - 1];
    PenAnnotationLine *line = all->pdata[i];

    line->version = before->address == line->address ? before->version + 1 : 0;
    if (line->version > 0)
      before->is_patched = line->is_patched = TRUE;
  }
  return all;
}

/* Of a range that was loaded, parts may be annotated, one after the other. */
static PenLoadedText *
load_range (PenAnnotator *self, guint64 start, guint64 end, GError **error)
{
  if (pen_loaded_text_has (self->shared, start, end))
    return self->shared;
  if (!pen_loaded_text_has (self->text, start, end)) {
    g_clear_pointer (&self->text, pen_loaded_text_free);
    self->text = pen_loaded_text_new (self->query->store, start, end, error);
  }
  return self->text;
}

static void
tell_sources (GPtrArray *lines, PenLoadedText *text)
{
  for (guint i = 0; i < lines->len; i++) {
    PenAnnotationLine *line = lines->pdata[i];
    PenTenureText *of_tenure = pen_loaded_text_find (text, line->tenure);

    pen_bytes_source_tell (line, of_tenure->pieces, &of_tenure->last_piece);
  }
}

GPtrArray *
pen_annotator_build (PenAnnotator *self, guint64 start, guint64 end, GArray *tenures,
                     GArray *buckets, GError **error)
{
  g_autoptr (GArray) beginnings = list_beginnings (tenures, start);
  Range range = { self, start, end, tenures, buckets, NULL };
  GPtrArray *lines;
  guint64 lowest = start;

  for (guint i = 0; i < beginnings->len; i++)
    lowest = MIN (lowest, g_array_index (beginnings, guint64, i));
  range.text = load_range (self, lowest, end, error);
  if (!range.text)
    return NULL;

  lines = build_lines (&range, start);
  for (guint i = 1; i < beginnings->len; i++)
    lines = merge_lines (lines, build_lines (&range, g_array_index (beginnings, guint64, i)));
  tell_sources (lines, range.text);
  return lines;
}

/* ---- as of a moment ---- */

void
pen_text_read_clear (PenTextRead *read)
{
  g_clear_pointer (&read->lines, g_ptr_array_unref);
  g_clear_pointer (&read->bytes, g_free);
  g_clear_pointer (&read->known, g_free);
  g_clear_pointer (&read->is_site, g_free);
}

static void
note_sites (const GPtrArray *pokes, guint64 start, guint64 end, PenTextRead *read)
{
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = pokes->pdata[i];

    if (poke->address >= start && poke->address < end)
      read->is_site[poke->address - start] = 1;
  }
}

gboolean
pen_annotator_read_at (PenAnnotator *self, const PenTenure *tenure, guint64 start, guint64 end,
                       PenMoment moment, PenTextRead *read, GError **error)
{
  PenStore *store = self->query->store;
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) stored = NULL;
  g_autoptr (GPtrArray) pokes = g_ptr_array_new ();
  g_autoptr (PenText) text = NULL;
  guint last_piece = 0;

  read->lines = g_ptr_array_new_with_free_func (free_line);
  read->bytes = g_malloc0 ((gsize) (end - start));
  read->known = g_malloc0 ((gsize) (end - start));
  read->is_site = g_malloc0 ((gsize) (end - start));

  texts = pen_store_load_text (store, start, end, error);
  if (!texts)
    return FALSE;
  stored = pen_store_load_pokes_at (store, tenure->id, start, end, moment, error);
  if (!stored)
    return FALSE;
  for (guint i = 0; i < texts->len; i++)
    g_ptr_array_add (pieces, pen_stored_text_dup_piece (texts->pdata[i]));
  for (guint i = 0; i < stored->len; i++)
    g_ptr_array_add (pokes, &g_array_index (stored, PenPoke, i));
  note_sites (pokes, start, end, read);
  text = pen_text_new (tenure, start, end, (const PenTextPiece *const *) pieces->pdata, pieces->len,
                       (const PenPoke *const *) pokes->pdata, pokes->len);
  pen_text_read (text, start, (gsize) (end - start), moment, read->bytes, read->known, NULL);

  PenAnnotationTenure annotation = { tenure, text };
  PenSlotsInput input
      = { start,       end, (const PenPoke *const *) pokes->pdata, pokes->len, self->decoder,
          name_target, self };

  pen_slots_add_lines_at (&input, &annotation, moment, read->lines);
  for (guint i = 0; i < read->lines->len; i++)
    pen_bytes_source_tell (read->lines->pdata[i], pieces, &last_piece);
  return TRUE;
}
