/* pen-query-annotation-table.c: annotation as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-annotation.h"

#include "pen-annotated.h"
#include "pen-query-cells.h"
#include "pen-query-holdings.h"
#include "pen-query-loads.h"
#include "pen-query-occupants.h"
#include "pen-query-private.h"
#include "pen-query-resolve.h"
#include "pen-query-source-lines.h"
#include "pen-query-target.h"
#include "pen-table-hash.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

static const PenColumn columns[] = {
  { "address", PEN_COLUMN_HEX },    { "offset", PEN_COLUMN_HEX },
  { "version", PEN_COLUMN_NUMBER }, { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },        { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },  { "revision", PEN_COLUMN_NUMBER },
  { "bytes", PEN_COLUMN_TEXT },     { "instruction", PEN_COLUMN_TEXT },
  { "target", PEN_COLUMN_TEXT },    { "source", PEN_COLUMN_TEXT },
  { "samples", PEN_COLUMN_NUMBER }, { "period", PEN_COLUMN_NUMBER },
  { "first", PEN_COLUMN_TIME },     { "last", PEN_COLUMN_TIME },
  { "evidence", PEN_COLUMN_TEXT },  { "inlined", PEN_COLUMN_TEXT },
  { "tenure", PEN_COLUMN_NUMBER },
};

static const PenColumn listing_columns[] = {
  { "samples", PEN_COLUMN_NUMBER }, { "period", PEN_COLUMN_NUMBER }, /* of waits only */
  { "share", PEN_COLUMN_NUMBER },   { "~", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },     { "v", PEN_COLUMN_NUMBER },
  { "from", PEN_COLUMN_TIME },      { "to", PEN_COLUMN_TIME },
  { "bytes", PEN_COLUMN_TEXT },     { "instruction", PEN_COLUMN_TEXT },
  { "target", PEN_COLUMN_TEXT },    { "source", PEN_COLUMN_TEXT },
};

static gboolean
is_own (const PenAnnotated *annotated, const PenTenure *tenure)
{
  return tenure->kind == annotated->kind && g_strcmp0 (tenure->occupant, annotated->occupant) == 0
         && (tenure->layer == PEN_LAYER_MAP || tenure->start == annotated->start);
}

static void
write_first_and_last (PenTableWriter *writer, const PenAnnotationLine *line)
{
  if (line->samples == 0) {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
    return;
  }
  pen_table_writer_time (writer, line->first);
  pen_table_writer_time (writer, line->last);
}

/* ---- csv, json ---- */

static void
write_row (PenQuery *query, PenTableWriter *writer, const PenAnnotated *annotated,
           const PenAnnotationLine *line, const PenTenure *tenure)
{
  PenEvidence evidence;

  pen_table_writer_hex (writer, line->address);
  pen_query_write_hex_or_empty (writer, annotated->symbol != NULL, line->offset);
  pen_table_writer_unsigned (writer, line->version);
  pen_query_write_span (writer, line->from, TRUE, line->to, TRUE);
  pen_query_write_occupant (writer, tenure ? tenure->kind : PEN_KIND_UNKNOWN,
                            tenure ? tenure->occupant : NULL);
  pen_table_writer_unsigned (writer, line->revision);
  pen_table_writer_bytes (writer, line->bytes, line->n_bytes);
  pen_query_write_text_or_empty (writer, line->instruction);
  pen_query_write_text_or_empty (writer, line->target);
  pen_query_write_source (writer, line);
  pen_table_writer_unsigned (writer, line->samples);
  pen_table_writer_unsigned (writer, line->period);
  write_first_and_last (writer, line);
  evidence = tenure ? MIN (line->evidence, pen_query_get_evidence (query, tenure, line->address,
                                                                   line->from, line->to))
                    : line->evidence;
  pen_query_write_evidence_of (
      writer, evidence, pen_query_get_source (tenure, line->address, evidence, line->bytes_source),
      pen_query_is_unverified (tenure, line->to));
  pen_query_write_inlined (writer, line);
  pen_query_write_unsigned_or_empty (writer, line->tenure != 0 && line->tenure != PEN_SHARED_TENURE,
                                     line->tenure);
}

/* The tenures of the function, and those that its samples fell on; others that held its addresses
 * are the rows of other functions. */
static GHashTable *
list_own (const PenAnnotated *annotated)
{
  GHashTable *own = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = 0; i < annotated->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (is_own (annotated, tenure))
      g_hash_table_add (own, GUINT_TO_POINTER (tenure->id));
  }
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    if (line->samples > 0)
      g_hash_table_add (own, GUINT_TO_POINTER (line->tenure));
  }
  return own;
}

/* Id → tenure. */
static GHashTable *
index_tenures (const PenAnnotated *annotated)
{
  GHashTable *tenures = g_hash_table_new (pen_direct_hash, NULL);

  for (guint i = annotated->tenures->len; i-- > 0;) {
    PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (tenure->id != 0)
      g_hash_table_insert (tenures, GUINT_TO_POINTER (tenure->id), tenure);
  }
  return tenures;
}

static gboolean
write_rows (PenQuery *query, PenTableWriter *writer, const PenAnnotated *annotated, GError **error)
{
  g_autoptr (GHashTable) own = list_own (annotated);
  g_autoptr (GHashTable) tenures = index_tenures (annotated);
  gboolean has_own = g_hash_table_size (own) > 0;

  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    if (has_own && !g_hash_table_contains (own, GUINT_TO_POINTER (line->tenure)))
      continue;
    write_row (query, writer, annotated, line,
               g_hash_table_lookup (tenures, GUINT_TO_POINTER (line->tenure)));
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- listing ---- */

/* The lines that one tenure had in the range, and their samples. */
typedef struct {
  const PenTenure *tenure; /* NULL: samples with an unknown occupant */
  guint n_lines;
  PenAmount amount;
} TenureSum;

/* Tenure, 0 for none → TenureSum. */
static GHashTable *
sum_tenures (const PenAnnotated *annotated)
{
  GHashTable *sums = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);

  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    TenureSum *sum = g_hash_table_lookup (sums, GUINT_TO_POINTER (line->tenure));

    if (!sum) {
      sum = g_new0 (TenureSum, 1);
      sum->amount.population = annotated->population;
      g_hash_table_insert (sums, GUINT_TO_POINTER (line->tenure), sum);
    }
    sum->n_lines++;
    sum->amount.n += line->samples;
    sum->amount.period += line->period;
  }
  return sums;
}

/* The function's own tenures in time order; then the others that samples fell on. */
static GArray *
list_sums (const PenAnnotated *annotated)
{
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (TenureSum));
  g_autoptr (GHashTable) of_tenure = sum_tenures (annotated);
  const TenureSum *unheld = g_hash_table_lookup (of_tenure, GUINT_TO_POINTER (0));

  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < annotated->tenures->len; i++) {
      const PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);
      const TenureSum *sum = g_hash_table_lookup (of_tenure, GUINT_TO_POINTER (tenure->id));
      gboolean own = is_own (annotated, tenure);

      if (sum && (pass == 0 ? own : !own && sum->amount.n > 0)) {
        g_array_append_val (sums, *sum);
        g_array_index (sums, TenureSum, sums->len - 1).tenure = tenure;
      }
    }
  }
  if (unheld)
    g_array_append_val (sums, *unheld);
  return sums;
}

static void
write_function_heading (PenTableWriter *writer, const PenAnnotated *annotated)
{
  gboolean is_of_waits = annotated->population == PEN_POPULATION_WAITS;
  g_autofree char *text = g_strdup_printf (
      is_of_waits
          ? _ ("%s  %s %s  0x%" PRIx64 "-0x%" PRIx64 "  %" PRIu64 " of %" PRIu64 " ns off CPU")
          : _ ("%s  %s %s  0x%" PRIx64 "-0x%" PRIx64 "  %" PRIu64 " of %" PRIu64 " samples"),
      annotated->symbol ? annotated->symbol : _ ("(no symbol)"),
      pen_kind_to_string (annotated->kind), annotated->occupant, annotated->start, annotated->end,
      pen_amount_get (pen_annotated_get_amount (annotated)),
      pen_amount_get (pen_annotated_get_total (annotated)));

  pen_table_writer_heading (writer, text);
}

static void
write_tenure_heading (PenTableWriter *writer, const TenureSum *sum, guint64 start,
                      const char *program)
{
  g_autoptr (GString) text = g_string_new ("  ");
  const PenTenure *tenure = sum->tenure;
  gboolean is_of_waits = sum->amount.population == PEN_POPULATION_WAITS;
  const char *what = is_of_waits ? "ns off CPU" : "samples";

  if (!tenure) {
    g_string_append_printf (text,
                            is_of_waits ? _ ("unknown occupant  %" PRIu64 " ns off CPU")
                                        : _ ("unknown occupant  %" PRIu64 " samples"),
                            pen_amount_get (sum->amount));
    pen_table_writer_heading (writer, text->str);
    return;
  }
  pen_query_append_moment (text, tenure->from, 6);
  g_string_append (text, " – ");
  pen_query_append_moment (text, tenure->to, 6);
  g_string_append_printf (text, "  %s %s  %" G_GUINT64_FORMAT " %s  ",
                          pen_kind_to_string (tenure->kind), tenure->occupant,
                          pen_amount_get (sum->amount), what);
  pen_query_append_evidence (text, tenure, start, tenure->from, tenure->to);
  if (pen_query_is_unverified (tenure, tenure->to)) {
    g_string_append (text, _ (", unverified from "));
    pen_query_append_moment (text, tenure->unverified_from, 6);
  }
  if (program)
    g_string_append_printf (text, "  %s", program);
  pen_table_writer_heading (writer, text->str);
}

/*
 * Lines: those of each tenure, in order
 * @first: tenure → index of its first line, plus 1
 * @next: of each line: that of the next of its tenure, plus 1; 0: there is none
 * @cues: of each line
 */
typedef struct {
  GHashTable *first;
  guint *next;
  gboolean *cues;
} Lines;

/* A line has a cue where its own tenure had more than one text there. */
static void
lines_init (Lines *self, const PenAnnotated *annotated)
{
  g_autoptr (GHashTable) after = g_hash_table_new (pen_direct_hash, NULL);
  guint64 address = 0; /* whose lines after this one have the tenures @after */

  self->first = g_hash_table_new (pen_direct_hash, NULL);
  self->next = g_new (guint, MAX (annotated->lines->len, 1));
  self->cues = g_new (gboolean, MAX (annotated->lines->len, 1));
  for (guint i = annotated->lines->len; i-- > 0;) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    gpointer tenure = GUINT_TO_POINTER (line->tenure);

    self->next[i] = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, tenure));
    g_hash_table_insert (self->first, tenure, GUINT_TO_POINTER (i + 1));
    if (line->address != address)
      g_hash_table_remove_all (after);
    address = line->address;
    self->cues[i] = line->poke != 0 || (!line->is_inside && g_hash_table_contains (after, tenure));
    if (!line->is_inside)
      g_hash_table_add (after, tenure);
  }
}

static void
lines_clear (Lines *self)
{
  g_hash_table_unref (self->first);
  g_free (self->next);
  g_free (self->cues);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lines, lines_clear)

/* Of text that has no name, the address says more than how far it is from what else was there. */
static gboolean
has_offset (const PenAnnotated *annotated, const TenureSum *sum)
{
  if (!sum->tenure)
    return annotated->symbol && !pen_query_is_kernel_kind (annotated->kind);
  return annotated->symbol && sum->tenure->layer != PEN_LAYER_POKE;
}

/* @above: (nullable): the line that was listed before it. @all: what its share is of */
static void
write_listed_line (PenTableWriter *writer, const PenAnnotated *annotated, const TenureSum *sum,
                   guint64 all, const PenAnnotationLine *line, const PenAnnotationLine *above,
                   gboolean is_cued)
{
  PenAmount amount = pen_annotated_get_line_amount (annotated, line);
  gboolean has_period = amount.population == PEN_POPULATION_WAITS;

  pen_table_writer_style (writer, is_cued             ? PEN_STYLE_MARKED
                                  : line->samples > 0 ? PEN_STYLE_PLAIN
                                                      : PEN_STYLE_DIM);
  if (line->samples > 0) {
    pen_table_writer_unsigned (writer, line->samples);
    if (has_period)
      pen_table_writer_unsigned (writer, line->period);
    pen_table_writer_real (
        writer, all > 0 ? 100.0 * (double) pen_amount_get (amount) / (double) all : 0, 2);
  } else {
    pen_table_writer_empty (writer);
    if (has_period)
      pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_text (writer, is_cued ? "~" : NULL);
  pen_table_writer_hex (writer, has_offset (annotated, sum) ? line->offset : line->address);
  if (is_cued) {
    pen_table_writer_unsigned (writer, line->version);
    pen_query_write_span (writer, line->from, TRUE, line->to, TRUE);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_bytes (writer, line->bytes, line->n_bytes);
  pen_table_writer_text (writer,
                         line->is_inside ? "(inside the instruction before)" : line->instruction);
  pen_query_write_text_or_empty (writer, line->target);
  pen_query_write_listed_source (writer, line, above);
}

/* @note: (nullable): what is left out */
static gboolean
write_listing (PenQuery *query, PenTableWriter *writer, const PenAnnotated *annotated,
               const char *note, GError **error)
{
  g_autoptr (GArray) sums = list_sums (annotated);
  g_auto (Lines) lines = { 0 };

  lines_init (&lines, annotated);
  write_function_heading (writer, annotated);
  if (note)
    pen_table_writer_heading (writer, note);
  for (guint t = 0; t < sums->len; t++) {
    const TenureSum *sum = &g_array_index (sums, TenureSum, t);
    const PenAnnotationLine *above = NULL;
    gboolean own = sum->tenure && is_own (annotated, sum->tenure);
    guint64 all = pen_amount_get (own ? pen_annotated_get_amount (annotated) : sum->amount);
    g_autofree char *program = NULL;
    GError *failure = NULL;

    if (!pen_store_steps_on (query->store, t, error))
      return FALSE;
    if (sum->tenure)
      program = pen_query_describe_program (query, sum->tenure, &failure);
    if (failure) {
      g_propagate_error (error, failure);
      return FALSE;
    }
    write_tenure_heading (writer, sum, annotated->start, program);
    for (guint i = GPOINTER_TO_UINT (g_hash_table_lookup (
             lines.first, GUINT_TO_POINTER (sum->tenure ? sum->tenure->id : 0)));
         i > 0; i = lines.next[i - 1]) {
      const PenAnnotationLine *line = annotated->lines->pdata[i - 1];

      write_listed_line (writer, annotated, sum, all, line, above, lines.cues[i - 1]);
      above = line;
      if (!pen_table_writer_end_row (writer, error))
        return FALSE;
    }
  }
  return TRUE;
}

/* ---- loads ---- */

typedef struct {
  PenQuery *query;
  const PenFilter *filter;
  const PenMoment *at; /* NULL: all times */
  PenSyntax syntax;
  PenTableWriter *writer;
  gboolean is_address; /* what all functions have in common; else it is their name */
  gboolean all_loads;
} Listing;

/* A program or stub that was loaded again may have another address: it is a function of its own
 * then. What else has the name of another is another. */
static gboolean
is_load_of (const Listing *self, const PenFunction *first, const PenFunction *function)
{
  gboolean is_program = first->kind == PEN_KIND_BPF || first->kind == PEN_KIND_STUB;

  if (!pen_query_is_kernel_text (first) || !pen_query_is_kernel_text (function))
    return FALSE;
  return self->is_address
         || (is_program && function->kind == first->kind
             && g_strcmp0 (function->occupant, first->occupant) == 0);
}

/* Moves what is a load of the first of @functions out of them. */
static GArray *
take_loads (const Listing *self, GArray *functions)
{
  const PenFunction *first
      = pen_query_get_function (self->query, g_array_index (functions, guint32, 0));
  GArray *taken = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_left = 0;

  for (guint i = 0; i < functions->len; i++) {
    guint32 id = g_array_index (functions, guint32, i);

    if (i == 0 || is_load_of (self, first, pen_query_get_function (self->query, id)))
      g_array_append_val (taken, id);
    else
      g_array_index (functions, guint32, n_left++) = id;
  }
  g_array_set_size (functions, n_left);
  return taken;
}

static char *
dup_note (const Listing *self, const PenLoads *loads, const PenLoad *load)
{
  gboolean is_of_waits = pen_query_is_of_waits (self->query);
  guint64 shown = pen_amount_get (load->amount), sum = 0;
  guint number = 0;

  for (guint i = 0; i < loads->loads->len; i++) {
    sum += pen_amount_get (g_array_index (loads->loads, PenLoad, i).amount);
    if (load == &g_array_index (loads->loads, PenLoad, i))
      number = i + 1;
  }
  if (loads->loads->len == 1)
    return g_strdup_printf (ngettext ("  %u other occupant had bytes of it (--all-loads)",
                                      "  %u others had bytes of it (--all-loads)", loads->n_others),
                            loads->n_others);
  if (self->at)
    return g_strdup_printf (_ ("  load %u of %u, at that time"), number, loads->loads->len);
  return g_strdup_printf (
      is_of_waits ? _ ("  load %u of %u, with most time off CPU: %" PRIu64 " of their %" PRIu64
                       " ns (--all-loads for all, --tenure=ID for one)")
                  : _ ("  load %u of %u, with most samples: %" PRIu64 " of their %" PRIu64
                       " (--all-loads for all, --tenure=ID for one)"),
      number, loads->loads->len, shown, sum);
}

static gboolean
list_all (const Listing *self, const GArray *functions, GError **error)
{
  for (guint i = 0; i < functions->len; i++) {
    g_autoptr (PenAnnotated) annotated = pen_query_annotate (
        self->query, self->filter, g_array_index (functions, guint32, i), self->syntax, error);

    if (!annotated)
      return FALSE;
    if (self->at)
      pen_annotated_keep (annotated, *self->at);
    if (!write_listing (self->query, self->writer, annotated, NULL, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
list_load (const Listing *self, const PenLoads *loads, const PenLoad *load, GError **error)
{
  g_autofree char *note = dup_note (self, loads, load);
  g_autoptr (PenAnnotated) annotated = pen_query_annotate_load (
      self->query, self->filter, load->function, load->tenure.id, self->syntax, error);

  if (!annotated)
    return FALSE;
  if (self->at)
    pen_annotated_keep (annotated, *self->at);
  return write_listing (self->query, self->writer, annotated, note, error);
}

/* Of several loads, one. @functions: those of one name, or one address */
static gboolean
list_group (const Listing *self, const GArray *functions, GError **error)
{
  g_autoptr (PenLoads) loads = pen_query_list_loads_of (
      self->query, self->filter, (const guint32 *) (gpointer) functions->data, functions->len,
      error);
  const PenLoad *load;

  if (!loads)
    return FALSE;
  if (loads->loads->len == 0 || loads->loads->len + loads->n_others < 2)
    return list_all (self, functions, error);
  load = pen_loads_find_busiest (loads, self->at);
  if (!load) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("none of the %u loads was there at that time"), loads->loads->len);
    return FALSE;
  }
  return list_load (self, loads, load, error);
}

static gboolean
list_functions (const Listing *self, GArray *functions, GError **error)
{
  if (self->all_loads || (self->filter && pen_filter_asks_tenures (self->filter)))
    return list_all (self, functions, error);
  while (functions->len > 0) {
    g_autoptr (GArray) group = take_loads (self, functions);

    if (!pen_store_goes_on (self->query->store, error) || !list_group (self, group, error))
      return FALSE;
  }
  return TRUE;
}

/* Time off CPU is a column of its own. */
static void
set_listing_columns (PenQuery *query, PenTableWriter *writer)
{
  PenColumn shown[G_N_ELEMENTS (listing_columns)];
  guint n_shown = 0;

  for (guint i = 0; i < G_N_ELEMENTS (listing_columns); i++) {
    if (pen_query_is_of_waits (query) || !g_str_equal (listing_columns[i].name, "period"))
      shown[n_shown++] = listing_columns[i];
  }
  pen_table_writer_set_columns (writer, shown, n_shown);
}

/* ---- both ---- */

static gboolean
write_all_rows (PenQuery *self, const PenFilter *filter, const GArray *functions,
                const PenMoment *at, PenSyntax syntax, PenTableWriter *writer, GError **error)
{
  g_autoptr (PenFunctionGroup) group
      = pen_function_group_new (self, filter, functions, syntax, error);

  for (guint i = 0; group && i < functions->len; i++) {
    g_autoptr (PenAnnotated) annotated
        = pen_store_goes_on (self->store, error)
              ? pen_query_annotate_own (group, g_array_index (functions, guint32, i), error)
              : NULL;

    if (!annotated)
      return FALSE;
    if (at)
      pen_annotated_keep (annotated, *at);
    if (!write_rows (self, writer, annotated, error))
      return FALSE;
  }
  return group != NULL;
}

gboolean
pen_query_write_annotation_at (PenQuery *self, const PenFilter *filter, const char *target,
                               const char *at, gboolean all_loads, PenSyntax syntax,
                               PenTableWriter *writer, GError **error)
{
  PenMoment moment = PEN_MOMENT_END;
  guint64 address;
  gboolean is_address = pen_query_parse_address (target, &address, NULL);
  g_autoptr (GArray) functions = pen_query_find_functions (self, target, error);
  Listing listing = { self, filter, at ? &moment : NULL, syntax, writer, is_address, all_loads };

  if (!functions || (at && !pen_query_parse_moment (self, at, &moment, error)))
    return FALSE;
  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE) {
    set_listing_columns (self, writer);
    if (!list_functions (&listing, functions, error))
      return FALSE;
  } else {
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
    if (!write_all_rows (self, filter, functions, listing.at, syntax, writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_annotation (PenQuery *self, const PenFilter *filter, const char *target,
                            PenSyntax syntax, PenTableWriter *writer, GError **error)
{
  return pen_query_write_annotation_at (self, filter, target, NULL, FALSE, syntax, writer, error);
}
