/* pen-query-text.c: a range of the kernel's text as of a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "pen-annotator.h"
#include "pen-query-holdings.h"
#include "pen-query-resolve.h"
#include "pen-query-source-lines.h"
#include "pen-query-target.h"
#include "pen-query-text.h"
#include "pen-slot-reader.h"
#include "pen-store-occupants.h"
#include "pen-store-outputs.h"
#include "pen-store-symbols.h"
#include "pen-table-hash.h"
#include "pen-unknown-text.h"

/* No instruction is longer: so much behind a range is read with it. */
#define REACH 16u
/* Bytes in a line where it is not known where instructions begin. */
#define LINE 8u
/* A symbol that began further away is not decoded from its beginning. */
#define FAR (PEN_ANNOTATION_MAX / 2)

void
pen_text_at_free (PenTextAt *text)
{
  if (!text)
    return;
  g_clear_pointer (&text->stretches, g_array_unref);
  g_clear_pointer (&text->lines, g_ptr_array_unref);
  g_free (text->bytes);
  g_free (text->known);
  g_free (text);
}

/* ---- when ---- */

gboolean
pen_query_parse_moment (PenQuery *self, const char *text, PenMoment *moment, GError **error)
{
  gboolean is_before = g_str_has_suffix (text, "-");
  g_autofree char *word = g_strndup (text, strlen (text) - is_before);
  guint64 first = 0;
  guint64 last = 0;
  guint64 time;

  if (g_str_equal (text, "start")) {
    *moment = pen_moment (0, G_MAXUINT64);
    return TRUE;
  }
  if (g_str_equal (text, "end")) {
    *moment = PEN_MOMENT_END;
    return TRUE;
  }
  pen_query_get_time_range (self, &first, &last);
  if (!pen_time_from_string (word, first, MAX (first, last), &time)) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE,
                 _ ("--at “%s”: not a time. Use seconds (4.81), a percentage (30%%), start or end; "
                    "with - after it (4.81-), just before the changes at that time"),
                 text);
    return FALSE;
  }
  *moment = pen_moment (time, is_before ? 0 : G_MAXUINT64);
  return TRUE;
}

/* ---- who held it ---- */

/* Adds what @holder held as stretches of one symbol each. */
static void
add_stretches (PenQuery *self, const PenHolder *holder, GArray *stretches)
{
  const PenTenure *tenure = &holder->tenure;
  guint64 at = holder->start;

  while (at < holder->end) {
    PenTextStretch stretch = { .start = at, .end = holder->end, .tenure = *tenure };
    guint64 symbol_end;

    if (tenure->id != 0
        && pen_query_find_symbol (self, tenure, at, &stretch.symbol, &stretch.symbol_start,
                                  &symbol_end))
      stretch.end = MIN (holder->end, symbol_end);
    else if (tenure->id != 0 && tenure->layer == PEN_LAYER_MAP)
      stretch.end
          = MIN (holder->end, pen_store_find_symbol_above (self->store, tenure->occupant, at));
    g_array_append_val (stretches, stretch);
    at = stretch.end;
  }
}

static GArray *
find_stretches (PenQuery *self, guint64 start, guint64 end, guint32 tenure, PenMoment moment,
                GError **error)
{
  g_autoptr (GArray) holders = pen_query_find_holders (self, start, end, moment, error);
  GArray *stretches;

  if (!holders)
    return NULL;
  stretches = g_array_new (FALSE, FALSE, sizeof (PenTextStretch));
  for (guint i = 0; i < holders->len; i++) {
    const PenHolder *holder = &g_array_index (holders, PenHolder, i);

    if (tenure == 0 || holder->tenure.id == tenure)
      add_stretches (self, holder, stretches);
  }
  return stretches;
}

/* ---- lines ---- */

static void
free_line (gpointer data)
{
  pen_annotation_line_free (data);
}

/* Where decoding begins, so that it is in step. */
static guint64
find_base (const PenTextStretch *stretch)
{
  guint64 base = stretch->start;

  if (stretch->symbol)
    base = MAX (stretch->symbol_start, stretch->tenure.start);
  return stretch->start - base < FAR ? base : stretch->start;
}

static PenAnnotationLine *
add_line (PenTextAt *text, const PenTextStretch *stretch, guint64 address)
{
  PenAnnotationLine *line = g_new0 (PenAnnotationLine, 1);

  line->address = address;
  line->tenure = stretch->tenure.id;
  line->class = PEN_INSTRUCTION_BAD;
  line->from = stretch->tenure.id != 0 ? stretch->tenure.from : PEN_MOMENT_START;
  line->to = stretch->tenure.id != 0 ? stretch->tenure.to : PEN_MOMENT_END;
  g_ptr_array_add (text->lines, line);
  return line;
}

/* What a store leaves to the cache is there while the store is. */
static PenGap
explain_gap (const PenTextAt *text, const PenTextStretch *stretch)
{
  if (stretch->tenure.id == 0)
    return PEN_GAP_NOTHING;
  if (stretch->tenure.kind == PEN_KIND_KERNEL && text->kernel_text == PEN_STORE_KERNEL_TEXT_GONE)
    return PEN_GAP_IN_CACHE;
  return PEN_GAP_NOT_RECORDED;
}

static void
add_gap (PenTextAt *text, const PenTextStretch *stretch, guint64 start, guint64 end)
{
  if (start < end)
    add_line (text, stretch, start)->instruction
        = pen_unknown_text_of_gap (explain_gap (text, stretch), end - start);
}

/* Known bytes behind unknown ones, where nothing tells at which of them an instruction begins. */
static void
add_bytes (PenTextAt *text, const PenTextStretch *stretch, const PenAnnotationLine *decoded)
{
  gsize first = (gsize) (MAX (decoded->address, stretch->start) - decoded->address);
  gsize end = (gsize) (MIN (decoded->address + decoded->n_bytes, stretch->end) - decoded->address);
  PenAnnotationLine *line = add_line (text, stretch, decoded->address + first);
  g_autoptr (GString) words = g_string_new (".byte  ");

  for (gsize i = first; i < end; i++) {
    g_string_append_printf (words, "%s0x%02x", i > first ? "," : "", decoded->bytes[i]);
    line->bytes[line->n_bytes++] = decoded->bytes[i];
  }
  line->is_rest = TRUE;
  line->evidence = decoded->evidence;
  line->bytes_source = decoded->bytes_source;
  line->instruction = g_string_free (g_steal_pointer (&words), FALSE);
}

/* Takes those of the lines that are of the stretch, and puts others where there are none. */
static void
take_lines (PenTextAt *text, const PenTextStretch *stretch, guint64 base, PenTextRead *read)
{
  guint64 at = stretch->start;
  guint64 end = base;
  gboolean is_in_step = TRUE;

  for (guint i = 0; i < read->lines->len; i++) {
    PenAnnotationLine *line = read->lines->pdata[i];

    if (line->address != end)
      is_in_step = FALSE;
    is_in_step |= line->address == base || read->is_site[line->address - base];
    end = line->address + line->n_bytes;
    if (line->address >= stretch->end || end <= stretch->start)
      continue;
    add_gap (text, stretch, at, line->address);
    at = end;
    if (is_in_step)
      g_ptr_array_add (text->lines, g_steal_pointer (&read->lines->pdata[i]));
    else
      add_bytes (text, stretch, line);
  }
  add_gap (text, stretch, at, stretch->end);
}

static void
set_offsets (PenTextAt *text, const PenTextStretch *stretch)
{
  guint64 from = stretch->symbol ? stretch->symbol_start : stretch->start;

  for (guint i = stretch->first_line; i < stretch->end_line; i++) {
    PenAnnotationLine *line = text->lines->pdata[i];

    line->offset = line->address - from;
  }
}

typedef struct {
  const PenTextStretch *stretch;
  const PenFunction *found;
} FunctionSearch;

static void
match_function (const PenFunction *function, gpointer user_data)
{
  FunctionSearch *search = user_data;

  if (function->start == search->stretch->symbol_start
      && g_strcmp0 (function->symbol, search->stretch->symbol) == 0
      && g_strcmp0 (function->occupant, search->stretch->tenure.occupant) == 0)
    search->found = function;
}

/* Source lines are kept of programs, and of functions that have samples or changes. */
static gboolean
tell_source (PenQuery *query, const PenTextAt *text, const PenTextStretch *stretch, GError **error)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  PenAnnotated annotated = { .lines = lines, .tenures = tenures };
  FunctionSearch search = { stretch, NULL };

  if (!stretch->symbol)
    return TRUE;
  pen_query_foreach_function_in (query, stretch->start, stretch->end, match_function, &search);
  annotated.function = search.found ? search.found->id : G_MAXUINT32;
  g_array_append_val (tenures, stretch->tenure);
  for (guint i = stretch->first_line; i < stretch->end_line; i++) {
    PenAnnotationLine *line = text->lines->pdata[i];

    if (line->n_bytes > 0 && !line->is_rest)
      g_ptr_array_add (lines, line);
  }
  return pen_query_tell_source_lines (query, &annotated, error);
}

/* ---- what a witness told, where nobody is known to be ---- */

/* Since when nobody is known to hold an address at the moment of the text. @known: address →
 * PenMoment of those that were asked for. Returns: NULL with @error */
static const PenMoment *
find_end_of_holder (const PenTextAt *text, PenQuery *query, guint64 address, GHashTable *known,
                    GError **error)
{
  PenMoment *since = g_hash_table_lookup (known, &address);
  g_autoptr (GArray) holdings = NULL;

  if (since)
    return since;
  holdings = pen_query_find_holdings (query, address, error);
  if (!holdings)
    return NULL;
  since = g_new (PenMoment, 1);
  *since = PEN_MOMENT_START;
  for (guint i = 0; i < holdings->len; i++) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i);

    if (pen_moment_compare (holding->to, text->moment) <= 0)
      *since = holding->to;
  }
  g_hash_table_insert (known, g_memdup2 (&address, sizeof address), since);
  return since;
}

static void
take_reading (PenTextAt *text, const PenTextStretch *stretch, const PenReading *reading)
{
  for (guint k = 0; k < reading->length; k++) {
    guint64 at = reading->start + k;

    if (at < stretch->start || at >= stretch->end)
      continue;
    text->bytes[at - text->start] = reading->bytes[k];
    text->known[at - text->start] = 1;
  }
}

/* The bytes that readings tell of the stretch, the last before the moment first (W2). What was read
 * while somebody held it went with that one. */
static gboolean
take_readings (PenTextAt *text, PenQuery *query, const PenTextStretch *stretch, GError **error)
{
  g_autoptr (GArray) readings
      = pen_store_load_readings (query->store, stretch->start, stretch->end, error);
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, g_free);

  for (guint i = 0; readings && i < readings->len; i++) {
    const PenReading *reading = &g_array_index (readings, PenReading, i);
    const PenMoment *since;

    if ((reading->flags & PEN_READING_USER) != 0 || text->moment.time > reading->to_time
        || pen_moment_compare (reading->moment, text->moment) >= 0)
      continue;
    since = find_end_of_holder (text, query, MAX (reading->start, stretch->start), known, error);
    if (!since)
      return FALSE;
    if (pen_moment_compare (reading->moment, *since) >= 0)
      take_reading (text, stretch, reading);
  }
  return readings != NULL;
}

static void
add_witnessed (PenTextAt *text, const PenTextStretch *stretch, guint64 start, guint64 end)
{
  PenAnnotationLine *line = add_line (text, stretch, start);
  g_autoptr (GString) words = g_string_new (".byte  ");

  for (guint64 at = start; at < end; at++) {
    line->bytes[line->n_bytes] = text->bytes[at - text->start];
    g_string_append_printf (words, "%s0x%02x", at > start ? "," : "", line->bytes[line->n_bytes]);
    line->n_bytes++;
  }
  line->is_rest = TRUE;
  line->evidence = PEN_EVIDENCE_WITNESSED;
  line->bytes_source = "witness";
  line->instruction = g_string_free (g_steal_pointer (&words), FALSE);
}

static gboolean
read_unheld (PenTextAt *text, PenQuery *query, const PenTextStretch *stretch, GError **error)
{
  guint64 gap = stretch->start;

  if (pen_store_get_fact_int (query->store, "readings", 0) > 0
      && !take_readings (text, query, stretch, error))
    return FALSE;
  for (guint64 at = stretch->start, end; at < stretch->end; at = end) {
    for (end = at; end < stretch->end && end - at < LINE && text->known[end - text->start]; end++)
      ;
    if (end == at) {
      end++;
      continue;
    }
    add_gap (text, stretch, gap, at);
    add_witnessed (text, stretch, at, end);
    gap = end;
  }
  add_gap (text, stretch, gap, stretch->end);
  return TRUE;
}

/* @limit: the stretch's end, before it was cut to the range's */
static gboolean
read_stretch (PenTextAt *text, PenAnnotator *annotator, PenTextStretch *stretch, guint64 limit,
              GError **error)
{
  g_auto (PenTextRead) read = { 0 };
  guint64 base = find_base (stretch);
  gsize to = (gsize) (stretch->start - text->start);
  gsize from = (gsize) (stretch->start - base);
  gsize length = (gsize) (stretch->end - stretch->start);

  stretch->first_line = text->lines->len;
  if (stretch->tenure.id == 0) {
    if (!read_unheld (text, annotator->query, stretch, error))
      return FALSE;
  } else {
    if (!pen_annotator_read_at (annotator, &stretch->tenure, base, limit, text->moment, &read,
                                error))
      return FALSE;
    memcpy (text->bytes + to, read.bytes + from, length);
    memcpy (text->known + to, read.known + from, length);
    take_lines (text, stretch, base, &read);
  }
  stretch->end_line = text->lines->len;
  set_offsets (text, stretch);
  return tell_source (annotator->query, text, stretch, error);
}

static gboolean
read_stretches (PenTextAt *text, PenAnnotator *annotator, GError **error)
{
  for (guint i = 0; i < text->stretches->len; i++) {
    PenTextStretch *stretch = &g_array_index (text->stretches, PenTextStretch, i);
    guint64 limit = stretch->end;

    /* The last one was read further than asked, for the instruction that goes over the end. */
    if (stretch->start >= text->end) {
      g_array_set_size (text->stretches, i);
      break;
    }
    stretch->end = MIN (stretch->end, text->end);
    if (!read_stretch (text, annotator, stretch, limit, error))
      return FALSE;
  }
  return TRUE;
}

PenTextAt *
pen_query_text_at (PenQuery *self, guint64 start, guint64 end, guint32 tenure, PenMoment moment,
                   PenSyntax syntax, GError **error)
{
  g_autoptr (PenAnnotator) annotator = NULL;
  g_autoptr (PenTextAt) text = NULL;

  if (start > end || end - start > PEN_ANNOTATION_MAX) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_USAGE,
                 _ ("%" PRIu64 " bytes are too many; the maximum is %u"), end - start,
                 PEN_ANNOTATION_MAX);
    return NULL;
  }
  if (!pen_query_load (self, error))
    return NULL;
  annotator = pen_annotator_new (self, syntax, error);
  if (!annotator)
    return NULL;
  text = g_new0 (PenTextAt, 1);
  text->start = start;
  text->end = end;
  text->moment = moment;
  text->kernel_text = pen_store_has_kernel_text (self->store);
  text->lines = g_ptr_array_new_with_free_func (free_line);
  text->bytes = g_malloc0 ((gsize) (end - start));
  text->known = g_malloc0 ((gsize) (end - start));
  text->stretches
      = find_stretches (self, start, end + MIN (REACH, G_MAXUINT64 - end), tenure, moment, error);
  if (!text->stretches || !read_stretches (text, annotator, error))
    return NULL;
  return g_steal_pointer (&text);
}

/* ---- what a name or an address meant then ---- */

typedef struct {
  PenQuery *query;
  const char *name;
  PenMoment moment;
  GArray *found;      /* PenTextRange */
  GString *otherwise; /* when it stood there else */
} NameSearch;

static char *
format_seconds (PenMoment moment)
{
  if (moment.time == 0)
    return g_strdup (_ ("the start"));
  if (moment.time == G_MAXUINT64)
    return g_strdup (_ ("the end"));
  return g_strdup_printf ("%" G_GUINT64_FORMAT ".%09u", moment.time / 1000000000u,
                          (guint) (moment.time % 1000000000u));
}

#define MAX_OTHERWISE 5

static void
note_otherwise (NameSearch *search, const PenTenure *tenure, guint64 start)
{
  g_autofree char *place = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", start);
  g_autofree char *from = format_seconds (tenure->from);
  g_autofree char *to = format_seconds (tenure->to);

  if (search->otherwise->len > 80 * MAX_OTHERWISE)
    return;
  if (search->otherwise->len > 0)
    g_string_append (search->otherwise, ", ");
  /* Translators: an address and two times: where a function was, and when */
  g_string_append_printf (search->otherwise, _ ("at %s from %s to %s"), place, from, to);
}

static void
note_range (NameSearch *search, const PenTenure *tenure, guint64 start, guint64 end)
{
  PenTextRange range = { start, end, tenure->id };

  if (pen_moment_compare (tenure->from, search->moment) < 0
      && pen_moment_compare (search->moment, tenure->to) <= 0)
    g_array_append_val (search->found, range);
  else
    note_otherwise (search, tenure, start);
}

/* Programs and stubs are their own symbols. */
static gboolean
look_at_tenure (const PenTenure *tenure, gpointer user_data)
{
  NameSearch *search = user_data;

  if (tenure->layer == PEN_LAYER_KSYMBOL && g_strcmp0 (tenure->occupant, search->name) == 0)
    note_range (search, tenure, tenure->start, tenure->end);
  return TRUE;
}

static gboolean
look_at_symbol (NameSearch *search, const PenStoredSymbol *symbol, GError **error)
{
  guint64 end = symbol->start < G_MAXUINT64 ? symbol->start + 1 : symbol->start;
  g_autoptr (GArray) tenures
      = pen_store_load_tenures (search->query->store, PEN_SPACE_KERNEL, symbol->start, end, error);

  for (guint i = 0; tenures && i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    if (tenure->layer == PEN_LAYER_MAP && g_strcmp0 (tenure->occupant, symbol->occupant) == 0)
      note_range (search, tenure, symbol->start, MIN (symbol->end, tenure->end));
  }
  return tenures != NULL;
}

static gboolean
search_name (NameSearch *search, GError **error)
{
  g_autoptr (GArray) symbols
      = pen_store_find_symbols_named (search->query->store, search->name, error);

  if (!symbols
      || !pen_store_foreach_tenure (search->query->store, FALSE, look_at_tenure, search, error))
    return FALSE;
  for (guint i = 0; i < symbols->len; i++)
    if (!look_at_symbol (search, &g_array_index (symbols, PenStoredSymbol, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
is_user_function (PenQuery *self, const char *name)
{
  for (guint i = 0; i < self->n_functions; i++) {
    const PenFunction *function = &self->functions[i];

    if (function->name_file != 0
        && (g_strcmp0 (function->symbol, name) == 0
            || g_strcmp0 (function->linkage_name, name) == 0))
      return TRUE;
  }
  return FALSE;
}

static void
refuse_name (NameSearch *search, GError **error)
{
  g_autofree char *when = format_seconds (search->moment);

  if (search->otherwise->len > 0)
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("“%s” was not there at %s: it was %s"), search->name, when,
                 search->otherwise->str);
  else if (is_user_function (search->query, search->name))
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("“%s” is in user space, which is not patched; “annotate” shows it"),
                 search->name);
  else
    pen_query_set_unknown_symbol (search->query, search->name, error);
}

/* From @offset on, @length bytes. FALSE: it is past the end. */
static gboolean
cut_range (PenTextRange *range, guint64 offset, guint64 length)
{
  if (offset >= range->end - range->start)
    return FALSE;
  range->start += offset;
  if (length > 0) {
    range->end = range->start + MIN (length, G_MAXUINT64 - range->start);
    range->tenure = 0;
  } else {
    range->end = MIN (range->end, range->start + PEN_ANNOTATION_MAX);
  }
  return TRUE;
}

static GArray *
find_by_name (PenQuery *self, const char *target, guint64 length, PenMoment moment, GError **error)
{
  g_autofree char *symbol = NULL;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (PenTextRange));
  g_autoptr (GString) otherwise = g_string_new (NULL);
  guint64 offset;
  guint n = 0;

  if (!pen_query_split_offset (target, &symbol, &offset, error))
    return NULL;

  NameSearch search = { self, symbol, moment, found, otherwise };

  if (!search_name (&search, error))
    return NULL;
  if (found->len == 0) {
    refuse_name (&search, error);
    return NULL;
  }
  for (guint i = 0; i < found->len; i++) {
    PenTextRange range = g_array_index (found, PenTextRange, i);

    if (cut_range (&range, offset, length))
      g_array_index (found, PenTextRange, n++) = range;
  }
  if (n == 0) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("“%s” is past the end of %s"), target, symbol);
    return NULL;
  }
  g_array_set_size (found, n);
  return g_steal_pointer (&found);
}

/* The whole of what held @address. */
static gboolean
widen_range (PenQuery *self, guint64 address, PenMoment moment, PenTextRange *range, GError **error)
{
  g_autoptr (GArray) stretches = find_stretches (self, address, range->end, 0, moment, error);
  const PenTextStretch *stretch;
  guint64 symbol_end;

  if (!stretches)
    return FALSE;
  stretch = &g_array_index (stretches, PenTextStretch, 0);
  if (stretch->tenure.id == 0) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("no occupant of 0x%" PRIx64
                    " in the kernel's space is known at that time; “history” shows its occupants"),
                 address);
    return FALSE;
  }
  if (!stretch->symbol && stretch->tenure.layer == PEN_LAYER_POKE) {
    /* Pokes show no more (P6). */
    range->tenure = stretch->tenure.id;
    range->start = stretch->tenure.start;
    range->end = MIN (stretch->tenure.end, range->start + PEN_ANNOTATION_MAX);
    return TRUE;
  }
  if (!stretch->symbol) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("0x%" PRIx64 " in %s has no symbol; give a number of bytes with --length"),
                 address, stretch->tenure.occupant);
    return FALSE;
  }
  range->tenure = stretch->tenure.id;
  range->start = MAX (stretch->symbol_start, stretch->tenure.start);
  pen_query_find_symbol (self, &stretch->tenure, address, &(const char *){ NULL }, &(guint64){ 0 },
                         &symbol_end);
  range->end = MIN (symbol_end, stretch->tenure.end);
  if (range->end - range->start > PEN_ANNOTATION_MAX) {
    range->start = MAX (range->start, address - MIN (address, FAR));
    range->end = MIN (range->end, range->start + PEN_ANNOTATION_MAX);
  }
  return TRUE;
}

GArray *
pen_query_find_text (PenQuery *self, const char *target, guint64 length, PenMoment moment,
                     GError **error)
{
  GError *failure = NULL;
  PenTextRange range = { 0 };
  GArray *found;

  if (!pen_query_load (self, error))
    return NULL;
  if (!pen_query_parse_address (target, &range.start, &failure)) {
    if (!failure)
      return find_by_name (self, target, length, moment, error);
    g_propagate_error (error, failure);
    return NULL;
  }
  range.end = range.start + MIN (MAX (length, 1), G_MAXUINT64 - range.start);
  if (length == 0 && !widen_range (self, range.start, moment, &range, error))
    return NULL;
  found = g_array_new (FALSE, FALSE, sizeof (PenTextRange));
  g_array_append_val (found, range);
  return found;
}
