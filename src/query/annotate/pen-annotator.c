/* pen-annotator.c: lines of a range of the kernel's addresses, from what the store keeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bytes-source.h"
#include "pen-query-private.h"

#include "pen-annotator.h"
#include "pen-query-holdings.h"
#include "pen-slot-reader.h"
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

/* As many holdings of targets are kept, one more for each, and as many targets in any case; then
 * all are forgotten. */
#define MAX_HOLDINGS 16384u
#define MIN_TARGETS 64u

/* Thousands may have held each of thousands of targets, in a capture that is made so. */
#define MOST_HOLDINGS (1u << 20)

static const Target *
find_target (PenAnnotator *self, guint64 address)
{
  Target key = { address, NULL };
  Target *target = g_hash_table_lookup (self->targets, &key);

  if (!target) {
    if (self->n_holdings >= MAX_HOLDINGS && g_hash_table_size (self->targets) >= MIN_TARGETS) {
      g_hash_table_remove_all (self->targets);
      self->n_holdings = 0;
    }
    target = g_new0 (Target, 1);
    target->address = address;
    /* A name is not worth failing for: without one the address stands for itself. */
    target->holdings = pen_query_find_holdings (self->query, address, NULL);
    self->n_holdings += 1 + (target->holdings ? target->holdings->len : 0);
    self->n_found += target->holdings ? target->holdings->len : 0;
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
append_name (PenAnnotator *self, guint64 address, PenMoment moment, gboolean has_stub_offset,
             GString *name)
{
  const PenHolding *holding = find_holding (find_target (self, address), moment);
  const char *symbol;
  guint64 start;

  if (!find_name (self, holding, address, &symbol, &start))
    return;
  g_string_append (name, symbol);
  if (address > start && (has_stub_offset || holding->tenure.kind != PEN_KIND_STUB))
    g_string_append_printf (name, "+0x%" G_GINT64_MODIFIER "x", address - start);
}

static void
name_target (guint64 address, PenMoment moment, GString *name, gpointer user_data)
{
  append_name (user_data, address, moment, TRUE, name);
}

char *
pen_annotator_name_target (PenAnnotator *self, guint64 address, PenMoment moment)
{
  g_autoptr (GString) name = g_string_new (NULL);

  append_name (self, address, moment, TRUE, name);
  return name->len > 0 ? g_strdup (name->str) : NULL;
}

void
pen_annotator_name_place (PenAnnotator *self, guint64 address, PenMoment moment, GString *name)
{
  if (self->n_found > MOST_HOLDINGS)
    return;
  append_name (self, address, moment, FALSE, name);
}

/* ---- building ---- */

/* One range of addresses, with all that was ever there. */
typedef struct {
  PenAnnotator *annotator;
  guint64 start;
  guint64 end;
  PenLoadedText *text;
  PenCancelCheck *check;
  const guint64 *byte; /* (nullable): lines that have it */
} Range;

/* Those whose instructions begin at one place. */
typedef struct {
  guint64 first;
  GArray *turns;   /* const PenTenure * */
  GArray *buckets; /* PenBucket */
} Beginning;

static void
beginning_free (gpointer data)
{
  Beginning *self = data;

  g_array_unref (self->turns);
  g_array_unref (self->buckets);
  g_free (self);
}

/* A step of a cancel check is as much work as so many bytes. */
#define BYTES_IN_STEP 16u

/* Where the instructions of @tenure begin, at or before @start: a program or stub that began below
 * the range need not have one at its start. */
static guint64
find_first_instruction (const PenTenure *tenure, guint64 start)
{
  gboolean begins_below = tenure->layer == PEN_LAYER_KSYMBOL && tenure->start < start;

  return begins_below && start - tenure->start < PEN_ANNOTATION_MAX / 2 ? tenure->start : start;
}

/* Of which nothing is known has no instructions: it may as well begin where the range does. */
static gboolean
has_text (const Range *range, const PenTenure *tenure)
{
  const PenTenureText *text = pen_loaded_text_find (range->text, tenure->id);

  return text->pieces->len > 0 || text->pokes->len > 0;
}

static Beginning *
get_beginning (GPtrArray *beginnings, GHashTable *by_place, guint64 first)
{
  Beginning *beginning = g_hash_table_lookup (by_place, &first);

  if (beginning)
    return beginning;
  beginning = g_new0 (Beginning, 1);
  beginning->first = first;
  beginning->turns = g_array_new (FALSE, FALSE, sizeof (const PenTenure *));
  beginning->buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  g_hash_table_insert (by_place, &beginning->first, beginning);
  g_ptr_array_add (beginnings, beginning);
  return beginning;
}

/* By their first instructions, those that begin at the range in front. Samples without an occupant
 * are with these. */
static GPtrArray *
list_beginnings (const Range *range, const GArray *tenures, const GArray *buckets)
{
  GPtrArray *beginnings = g_ptr_array_new_with_free_func (beginning_free);
  g_autoptr (GHashTable) by_place = g_hash_table_new (pen_int64_hash, g_int64_equal);
  g_autoptr (GHashTable) of_tenure = g_hash_table_new (pen_direct_hash, NULL);

  g_hash_table_insert (of_tenure, NULL, get_beginning (beginnings, by_place, range->start));
  for (guint i = 0; i < tenures->len && pen_cancel_check_step (range->check); i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);
    guint64 first
        = has_text (range, tenure) ? find_first_instruction (tenure, range->start) : range->start;
    Beginning *beginning = get_beginning (beginnings, by_place, first);

    g_array_append_val (beginning->turns, tenure);
    g_hash_table_insert (of_tenure, GUINT_TO_POINTER (tenure->id), beginning);
  }
  for (guint i = 0; i < buckets->len && pen_cancel_check_step (range->check); i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);
    Beginning *beginning = g_hash_table_lookup (of_tenure, GUINT_TO_POINTER (bucket->tenure));

    if (beginning)
      g_array_append_val (beginning->buckets, *bucket);
  }
  return beginnings;
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

static void
free_line (gpointer data)
{
  pen_annotation_line_free (data);
}

/* Rests are never executed. */
static void
drop_rests (GPtrArray *lines)
{
  guint n = 0;

  for (guint i = 0; i < lines->len; i++) {
    PenAnnotationLine *line = lines->pdata[i];

    if (line->is_rest)
      pen_annotation_line_free (line);
    else
      lines->pdata[n++] = line;
  }
  g_ptr_array_set_free_func (lines, NULL);
  g_ptr_array_set_size (lines, (int) n);
  g_ptr_array_set_free_func (lines, free_line);
}

static GPtrArray *
build_byte (const Range *range, guint64 first, const GArray *annotated, const GPtrArray *pokes)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (free_line);
  PenSlotsInput input = { first,
                          range->end,
                          (const PenPoke *const *) pokes->pdata,
                          pokes->len,
                          range->annotator->decoder,
                          name_target,
                          range->annotator,
                          range->check,
                          range->byte };

  for (guint i = 0; i < annotated->len; i++)
    pen_slots_add_lines (&input, &g_array_index (annotated, PenAnnotationTenure, i), lines);
  drop_rests (lines);
  return lines;
}

/* Returns: (nullable): NULL once the check was stopped */
static GPtrArray *
build_lines (const Range *range, const Beginning *beginning)
{
  g_autoptr (GArray) annotated = g_array_new (FALSE, FALSE, sizeof (PenAnnotationTenure));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_text_free);
  g_autoptr (GPtrArray) pokes = g_ptr_array_new ();
  g_autoptr (GHashTable) listed = g_hash_table_new (pen_direct_hash, NULL);
  GPtrArray *lines;

  for (guint i = 0; i < beginning->turns->len; i++) {
    const PenTenure *tenure = g_array_index (beginning->turns, const PenTenure *, i);
    PenAnnotationTenure annotation = { tenure, NULL };
    const PenTenureText *text = pen_loaded_text_find (range->text, tenure->id);

    /* As many bytes as the range has are copied. */
    if (!pen_cancel_check_steps (range->check,
                                 1 + (guint) ((range->end - beginning->first) / BYTES_IN_STEP)))
      return NULL;
    annotation.text = pen_text_new_checked (
        tenure, beginning->first, range->end, (const PenTextPiece *const *) text->pieces->pdata,
        text->pieces->len, (const PenPoke *const *) text->pokes->pdata, text->pokes->len,
        range->check);
    if (!annotation.text)
      return NULL;
    if (g_hash_table_add (listed, GUINT_TO_POINTER (tenure->id)))
      for (guint k = 0; k < text->pokes->len; k++)
        g_ptr_array_add (pokes, text->pokes->pdata[k]);
    g_ptr_array_add (texts, annotation.text);
    g_array_append_val (annotated, annotation);
  }
  if (range->byte)
    return build_byte (range, beginning->first, annotated, pokes);
  lines = pen_annotation_build (
      beginning->first, range->end, (const PenAnnotationTenure *) annotated->data, annotated->len,
      (const PenPoke *const *) pokes->pdata, pokes->len,
      (const PenBucket *) beginning->buckets->data, beginning->buckets->len,
      range->annotator->decoder, name_target, range->annotator, range->check);
  if (lines)
    trim_lines (lines, range->start);
  return lines;
}

static int
compare_lines (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenAnnotationLine *x = *(PenAnnotationLine *const *) a;
  const PenAnnotationLine *y = *(PenAnnotationLine *const *) b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return pen_moment_compare (x->from, y->from);
}

/* Lines of several builds become one list, in which versions count on. */
static gboolean
join_lines (GPtrArray *lines, PenCancelCheck *check)
{
  if (!pen_cancel_check_sort (check, lines->pdata, lines->len, sizeof *lines->pdata, compare_lines,
                              NULL))
    return FALSE;
  for (guint i = 0; i < lines->len; i++) {
    PenAnnotationLine *before = i > 0 ? lines->pdata[i - 1] : NULL;
    PenAnnotationLine *line = lines->pdata[i];

    line->version = before && before->address == line->address ? before->version + 1 : 0;
    if (line->version > 0)
      before->is_patched = line->is_patched = TRUE;
  }
  return TRUE;
}

/* Returns: (nullable): NULL once the check was stopped */
static GPtrArray *
build_all (const Range *range, const GPtrArray *beginnings)
{
  g_autoptr (GPtrArray) lines = build_lines (range, beginnings->pdata[0]);

  for (guint i = 1; i < beginnings->len && lines; i++) {
    GPtrArray *more = build_lines (range, beginnings->pdata[i]);

    if (!more)
      return NULL;
    g_ptr_array_extend_and_steal (lines, more);
  }
  if (!lines || (beginnings->len > 1 && !join_lines (lines, range->check)))
    return NULL;
  return g_steal_pointer (&lines);
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
tell_sources (const Range *range, GPtrArray *lines)
{
  PenTenureText *of_tenure = NULL;
  guint32 tenure = 0;

  for (guint i = 0; i < lines->len && pen_cancel_check_step (range->check); i++) {
    PenAnnotationLine *line = lines->pdata[i];

    if (!of_tenure || tenure != line->tenure)
      of_tenure = pen_loaded_text_find (range->text, line->tenure);
    tenure = line->tenure;
    pen_bytes_source_tell (line, of_tenure->pieces, &of_tenure->last_piece);
  }
}

static GPtrArray *
build (PenAnnotator *self, guint64 start, guint64 end, GArray *tenures, GArray *buckets,
       const guint64 *byte, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->query);
  Range range = { self, start, end, NULL, &check, byte };
  g_autoptr (GPtrArray) beginnings = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  guint64 lowest = start;

  for (guint i = 0; i < tenures->len; i++)
    lowest = MIN (lowest, find_first_instruction (&g_array_index (tenures, PenTenure, i), start));
  range.text = load_range (self, lowest, end, error);
  if (!range.text)
    return NULL;

  beginnings = list_beginnings (&range, tenures, buckets);
  lines = check.is_stopped ? NULL : build_all (&range, beginnings);
  if (lines)
    tell_sources (&range, lines);
  return pen_query_end_check (self->query, &check, error) ? g_steal_pointer (&lines) : NULL;
}

GPtrArray *
pen_annotator_build (PenAnnotator *self, guint64 start, guint64 end, GArray *tenures,
                     GArray *buckets, GError **error)
{
  return build (self, start, end, tenures, buckets, NULL, error);
}

/* The range to decode, so that the instruction at the byte is found: its function's. */
static void
find_range (PenQuery *query, const PenTenure *tenure, guint64 byte, guint64 *start, guint64 *end)
{
  const char *symbol;

  if (!pen_query_find_symbol (query, tenure, byte, &symbol, start, end)) {
    *start = byte;
    *end = tenure->end;
  }
  if (byte - *start >= PEN_ANNOTATION_MAX / 2)
    *start = byte;
  *end = MIN (*end, byte + MIN (PEN_SLOT_MAX, G_MAXUINT64 - byte));
}

GPtrArray *
pen_annotator_build_byte (PenAnnotator *self, const PenTenure *tenure, guint64 byte, GError **error)
{
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  guint64 start;
  guint64 end;

  find_range (self->query, tenure, byte, &start, &end);
  g_array_append_vals (tenures, tenure, 1);
  return build (self, start, end, tenures, buckets, &byte, error);
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

  PenCancelCheck check = pen_query_make_check (self->query);
  PenAnnotationTenure annotation = { tenure, text };
  PenSlotsInput input = { start,      end,           (const PenPoke *const *) pokes->pdata,
                          pokes->len, self->decoder, self->leaves_targets ? NULL : name_target,
                          self,       &check,        NULL };

  pen_slots_add_lines_at (&input, &annotation, moment, read->lines);
  for (guint i = 0; i < read->lines->len; i++)
    pen_bytes_source_tell (read->lines->pdata[i], pieces, &last_piece);
  return pen_query_end_check (self->query, &check, error);
}
