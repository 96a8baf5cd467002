/* pen-pair-reader.c: texts of functions of one recording, fit to be compared with another's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-reader.h"

#include <string.h>

#include "pen-annotator.h"
#include "pen-binary-search.h"
#include "pen-pair-programs.h"
#include "pen-pair-token.h"
#include "pen-query-annotation.h"
#include "pen-query-file-text.h"
#include "pen-query-holdings.h"
#include "pen-query-private.h"
#include "pen-query-source-lines.h"
#include "pen-slot-reader.h"
#include "pen-slots.h"
#include "pen-store-occupants.h"
#include "pen-store-text.h"
#include "pen-table-hash.h"

/*
 * @text_moment: of the text that is read now: @moment, or before it
 * @last: last tenures before @moment by start and occupant: of programs and modules that are gone
 * @files: number of a file → (element-type PenFunction): its functions, by start
 */
struct _PenPairReader {
  PenQuery *query;
  PenNames *names;
  PenMoment moment;
  PenMoment text_moment;
  PenAnnotator *annotator;
  PenHistory *history;
  PenSweep *sweep;
  GHashTable *last;
  GHashTable *files;
};

/* ---- who was there ---- */

typedef struct {
  guint64 start;
  const char *occupant;
  PenTenure tenure;
} LastTenure;

static guint
last_hash (gconstpointer key)
{
  const LastTenure *self = key;

  return pen_int64_hash (&self->start) * 31 + pen_str_hash (self->occupant);
}

static gboolean
last_equal (gconstpointer a, gconstpointer b)
{
  const LastTenure *x = a;
  const LastTenure *y = b;

  return x->start == y->start && g_str_equal (x->occupant, y->occupant);
}

/* They come in the order of their beginnings. */
static gboolean
add_tenure (const PenTenure *tenure, gpointer user_data)
{
  PenPairReader *self = user_data;
  LastTenure *last;

  if (tenure->layer != PEN_LAYER_KSYMBOL || pen_moment_compare (tenure->from, self->moment) >= 0)
    return TRUE;
  last = g_new (LastTenure, 1);
  *last = (LastTenure){ tenure->start, tenure->occupant, *tenure };
  g_hash_table_replace (self->last, last, last);
  return TRUE;
}

/* Of a program or stub that was gone by then, the last one of that name at that place. */
static gboolean
find_tenure (PenPairReader *self, const PenFunction *function, PenTenure *tenure)
{
  const PenTenure *now = pen_sweep_find_kernel (self->sweep, function->start, NULL);
  const LastTenure key = { .start = function->start, .occupant = function->occupant };
  const LastTenure *last;

  if (now && now->kind == function->kind && g_str_equal (now->occupant, function->occupant)) {
    *tenure = *now;
    return TRUE;
  }
  last = g_hash_table_lookup (self->last, &key);
  if (last)
    *tenure = last->tenure;
  return last != NULL;
}

/* ---- names ---- */

void
pen_pair_append_plain_symbol (GString *name, const char *symbol)
{
  static const char *const suffixes[] = { ".isra.", ".constprop.", ".part." };
  const char *end = symbol + strlen (symbol);

  if (g_str_has_prefix (symbol, "__pi_"))
    symbol += strlen ("__pi_");
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    const char *suffix = strstr (symbol, suffixes[i]);

    if (suffix && suffix < end)
      end = suffix;
  }
  g_string_append_len (name, symbol, end - symbol);
  if (g_str_has_suffix (symbol, ".cold"))
    g_string_append (name, ".cold");
}

static void
append_place (GString *name, const char *symbol, guint64 offset)
{
  pen_pair_append_plain_symbol (name, symbol);
  if (offset > 0)
    g_string_append_printf (name, "+0x%" G_GINT64_MODIFIER "x", offset);
}

/* Stubs share their memory as it comes, and numbers of trampolines are those of one kernel. */
static void
append_ksymbol (GString *name, const PenTenure *tenure, guint64 address)
{
  if (tenure->kind == PEN_KIND_BPF)
    append_place (name, pen_pair_program_get_name (tenure->occupant), address - tenure->start);
  else
    g_string_append_len (name, tenure->occupant, (gssize) strcspn (tenure->occupant, "0123456789"));
}

static void
name_kernel_place (guint64 address, GString *name, gpointer user_data)
{
  PenPairReader *self = user_data;
  const PenTenure *tenure = pen_sweep_find_kernel (self->sweep, address, NULL);
  const char *symbol;
  guint64 start, end;

  if (!tenure || tenure->layer == PEN_LAYER_POKE)
    return;
  /* Who has come there since then is not who was called. */
  if (pen_moment_compare (tenure->from, self->text_moment) >= 0)
    return;
  if (tenure->layer == PEN_LAYER_KSYMBOL)
    append_ksymbol (name, tenure, address);
  else if (pen_query_find_symbol (self->query, tenure, address, &symbol, &start, &end))
    append_place (name, symbol, address - start);
}

static const PenFunction *
get_function (const GPtrArray *functions, guint i)
{
  return functions->pdata[i];
}

static void
name_file_place (guint64 address, GString *name, gpointer user_data)
{
  const GPtrArray *functions = user_data;
  guint after
      = PEN_BINARY_SEARCH (i, 0, functions->len, get_function (functions, i)->start <= address);
  const PenFunction *function = after > 0 ? get_function (functions, after - 1) : NULL;

  if (function && function->symbol && address - function->start < function->length)
    append_place (name, function->symbol, address - function->start);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const PenFunction *x = *(const PenFunction *const *) a;
  const PenFunction *y = *(const PenFunction *const *) b;

  return (x->start > y->start) - (x->start < y->start);
}

/* Once for all files. */
static gboolean
list_files (PenPairReader *self, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->query);
  GHashTableIter iter;
  gpointer functions;

  for (guint i = 0; i < self->query->n_functions && pen_cancel_check_step (&check); i++) {
    const PenFunction *function = &self->query->functions[i];
    GPtrArray *of_file;

    if (function->name_file == 0)
      continue;
    of_file = g_hash_table_lookup (self->files, GUINT_TO_POINTER (function->name_file));
    if (!of_file) {
      of_file = g_ptr_array_new ();
      g_hash_table_insert (self->files, GUINT_TO_POINTER (function->name_file), of_file);
    }
    g_ptr_array_add (of_file, (gpointer) function);
  }
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, NULL, &functions) && pen_cancel_check_step (&check))
    g_ptr_array_sort (functions, compare_starts);
  return pen_query_end_check (self->query, &check, error);
}

/* ---- the reader ---- */

PenPairReader *
pen_pair_reader_new (const PenPairSource *source, PenNames *names, GError **error)
{
  g_autoptr (PenPairReader) self = g_new0 (PenPairReader, 1);

  self->query = source->query;
  self->names = names;
  self->moment = source->filter && source->filter->has_time && source->filter->to < G_MAXUINT64
                     ? pen_moment (source->filter->to, G_MAXUINT64)
                     : PEN_MOMENT_END;
  self->last = g_hash_table_new_full (last_hash, last_equal, NULL, g_free);
  self->files
      = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  if (!pen_query_load (self->query, error))
    return NULL;
  /* A machine whose instructions cannot be read: all texts are unknown. */
  self->annotator = pen_annotator_new (self->query, PEN_SYNTAX_ATT, NULL);
  if (self->annotator)
    self->annotator->leaves_targets = TRUE;
  self->history = pen_query_load_history (self->query, 0, G_MAXUINT64, error);
  if (!self->history
      || !pen_store_foreach_tenure (self->query->store, FALSE, add_tenure, self, error)
      || !list_files (self, error))
    return NULL;
  self->sweep = pen_sweep_new (self->history);
  pen_sweep_advance (self->sweep, self->moment);
  return g_steal_pointer (&self);
}

void
pen_pair_reader_free (PenPairReader *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->annotator, pen_annotator_free);
  g_clear_pointer (&self->sweep, pen_sweep_free);
  g_clear_pointer (&self->history, pen_history_free);
  g_hash_table_unref (self->last);
  g_hash_table_unref (self->files);
  g_free (self);
}

/* ---- one function ---- */

void
pen_pair_text_free (PenPairText *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  g_free (self->instructions);
  g_free (self);
}

static void
free_line (gpointer data)
{
  pen_annotation_line_free (data);
}

static gboolean
read_kernel (PenPairReader *self, const PenFunction *function, PenPairText *text, GError **error)
{
  g_auto (PenTextRead) read = { 0 };
  PenTenure tenure;
  guint64 end = function->start + MIN (function->length, PEN_ANNOTATION_MAX);

  if (!find_tenure (self, function, &tenure))
    return TRUE;
  if (pen_moment_compare (tenure.to, text->moment) < 0)
    text->moment = tenure.to;
  text->tenure = tenure;
  if (!pen_annotator_read_at (self->annotator, &tenure, function->start, end, text->moment, &read,
                              error))
    return FALSE;
  text->is_known = end - function->start == function->length
                   && !memchr (read.known, 0, (gsize) (end - function->start));
  g_clear_pointer (&text->lines, g_ptr_array_unref);
  text->lines = g_steal_pointer (&read.lines);
  return TRUE;
}

/* One that a patch cut in two, or of which not all bytes are known, is none. */
static gboolean
is_instruction (const PenAnnotationLine *line, guint64 address)
{
  return line->address == address && line->n_bytes > 0 && !line->is_rest && !line->is_inside
         && line->class != PEN_INSTRUCTION_BAD;
}

PenAnnotationLine *
pen_pair_reader_read_instruction (PenPairReader *self, const PenFunction *function, guint64 offset,
                                  GString *target, GError **error)
{
  g_auto (PenTextRead) read = { 0 };
  guint64 start = function->start + offset;
  guint64 end = function->start + function->length;
  PenAnnotationLine *line;
  PenTenure tenure;

  if (!self->annotator || start >= end || !find_tenure (self, function, &tenure)
      || !pen_store_goes_on (self->query->store, error))
    return NULL;
  self->text_moment = pen_moment_compare (tenure.to, self->moment) < 0 ? tenure.to : self->moment;
  if (!pen_annotator_read_at (self->annotator, &tenure, start, MIN (end, start + PEN_SLOT_MAX),
                              self->text_moment, &read, error)
      || read.lines->len == 0 || !is_instruction (read.lines->pdata[0], start))
    return NULL;
  line = g_ptr_array_steal_index (read.lines, 0);
  if (line->has_target)
    name_kernel_place (line->target_address, target, self);
  return line;
}

static PenTenure
make_file_tenure (const PenFunction *function)
{
  return (PenTenure){ .id = PEN_SHARED_TENURE,
                      .layer = PEN_LAYER_MAP,
                      .kind = function->kind,
                      .occupant = function->occupant,
                      .name = function->occupant,
                      .start = function->start,
                      .end = function->start + MIN (function->length, PEN_ANNOTATION_MAX),
                      .from = PEN_MOMENT_START,
                      .to = PEN_MOMENT_END };
}

/* Returns: (transfer full): what the file has there. @is_known: (out): all of it */
static PenText *
load_file_bytes (PenPairReader *self, const PenFunction *function, const PenTenure *tenure,
                 gboolean *is_known, GError **error)
{
  gsize length = (gsize) (tenure->end - tenure->start);
  g_autoptr (GPtrArray) stored = pen_store_load_file_text (self->query->store, function->name_file,
                                                           tenure->start, tenure->end, error);
  g_autofree guint8 *buffer = g_malloc (length + 1);
  g_autofree guint8 *known = g_malloc (length + 1);
  PenText *bytes;

  if (!stored)
    return NULL;
  bytes = pen_query_join_file_texts (tenure, stored);
  pen_text_read (bytes, tenure->start, length, PEN_MOMENT_END, buffer, known, NULL);
  *is_known = length == function->length && !memchr (known, 0, length);
  return bytes;
}

static gboolean
read_file (PenPairReader *self, const PenFunction *function, PenPairText *text, GError **error)
{
  const PenTenure tenure = make_file_tenure (function);
  PenCancelCheck check = pen_query_make_check (self->query);
  g_autoptr (PenText) bytes = load_file_bytes (self, function, &tenure, &text->is_known, error);
  const PenSlotsInput input = {
    .start = tenure.start, .end = tenure.end, .decoder = self->annotator->decoder, .check = &check
  };
  PenAnnotationTenure held = { .tenure = &tenure, .text = bytes };

  if (!bytes)
    return FALSE;
  text->tenure = tenure;
  pen_slots_add_lines_at (&input, &held, PEN_MOMENT_END, text->lines);
  return pen_query_end_check (self->query, &check, error);
}

/* Between functions there is padding; one's range goes on to the next one's start. */
static gboolean
is_padding (const PenAnnotationLine *line)
{
  return line->class == PEN_INSTRUCTION_NOP || line->class == PEN_INSTRUCTION_BREAKPOINT;
}

static const PenAnnotationLine *
get_line (const PenPairText *text, guint i)
{
  return text->lines->pdata[i];
}

static guint
find_target (const PenPairText *text, guint64 address)
{
  guint i = PEN_BINARY_SEARCH (k, 0, text->n, get_line (text, k)->address < address);

  return i < text->n && get_line (text, i)->address == address ? i : PEN_PAIR_NO_LINE;
}

static PenPairPlace
make_place (PenPairReader *self, const PenPairText *text)
{
  gpointer functions = g_hash_table_lookup (self->files, GUINT_TO_POINTER (text->name_file));

  return (PenPairPlace){ .start = text->start,
                         .end = text->end,
                         .is_kernel = text->name_file == 0,
                         .find_name = functions ? name_file_place : name_kernel_place,
                         .user_data = functions ? functions : self };
}

void
pen_pair_reader_append_target (PenPairReader *self, const PenPairText *text, guint64 address,
                               GString *name)
{
  PenPairPlace place = make_place (self, text);

  if (address >= text->start && address < text->end) {
    append_place (name, text->name, address - text->start);
    return;
  }
  self->text_moment = text->moment;
  place.find_name (address, name, place.user_data);
}

static void
normalise (PenPairReader *self, PenPairText *text)
{
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  const PenPairPlace place = make_place (self, text);
  guint rank = 0;

  self->text_moment = text->moment;
  text->n = text->lines->len;
  while (text->n > 0 && is_padding (get_line (text, text->n - 1)))
    text->n--;
  text->instructions = g_new (PenPairInstruction, text->n + 1);
  for (guint i = 0; i < text->n; i++) {
    const PenAnnotationLine *line = get_line (text, i);
    PenPairToken token = pen_pair_token_write (&place, line, words, names);

    text->instructions[i] = (PenPairInstruction){
      .words = pen_names_add (self->names, words->str),
      .names = names->len > 0 ? pen_names_add (self->names, names->str) : NULL,
      .target = token.has_target ? find_target (text, token.target) : G_MAXUINT,
      .rank = rank,
      .is_masked = token.is_masked,
      .is_landing = pen_pair_is_landing (line),
    };
    rank += !text->instructions[i].is_landing;
    g_string_append_printf (words, "\n%s", names->str);
    text->instructions[i].key = pen_names_add (self->names, words->str);
  }
}

gboolean
pen_pair_reader_knows (PenPairReader *self, guint32 id, gboolean *is_known, GError **error)
{
  const PenFunction *function = pen_query_get_function (self->query, id);

  *is_known = FALSE;
  if (function->name_file != 0 && self->annotator && function->length > 0) {
    const PenTenure tenure = make_file_tenure (function);
    g_autoptr (PenText) bytes = NULL;

    if (!pen_store_goes_on (self->query->store, error))
      return FALSE;
    bytes = load_file_bytes (self, function, &tenure, is_known, error);
    return bytes != NULL;
  } else {
    g_autoptr (PenPairText) text = pen_pair_reader_read (self, id, error);

    if (text)
      *is_known = text->is_known;
    return text != NULL;
  }
}

gboolean
pen_pair_reader_is_same_text (const PenPairReader *a, guint32 function, const PenPairReader *b,
                              guint32 other)
{
  return function == other
         && (pen_query_get_function (a->query, function)->name_file != 0
             || pen_moment_compare (a->moment, b->moment) == 0);
}

PenPairText *
pen_pair_reader_read (PenPairReader *self, guint32 id, GError **error)
{
  return pen_pair_reader_read_found (self, pen_query_get_function (self->query, id), error);
}

PenPairText *
pen_pair_reader_read_found (PenPairReader *self, const PenFunction *function, GError **error)
{
  g_autoptr (PenPairText) text = g_new0 (PenPairText, 1);
  gboolean is_read = TRUE;

  text->function = function->id;
  text->name_file = function->name_file;
  text->name = function->symbol ? function->symbol : function->occupant;
  text->start = function->start;
  text->end = function->start + MIN (function->length, G_MAXUINT64 - function->start);
  text->versions = function->versions;
  text->moment = self->moment;
  text->lines = g_ptr_array_new_with_free_func (free_line);
  if (!pen_store_goes_on (self->query->store, error))
    return NULL;
  if (self->annotator && function->length > 0) {
    if (function->name_file != 0)
      is_read = read_file (self, function, text, error);
    else if (pen_query_is_kernel_kind (function->kind))
      is_read = read_kernel (self, function, text, error);
  }
  if (!is_read)
    return NULL;
  normalise (self, text);
  return g_steal_pointer (&text);
}

gboolean
pen_pair_reader_tell_source_lines (PenPairReader *self, PenPairText *text, GError **error)
{
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  const PenAnnotated annotated
      = { .function = text->function, .lines = text->lines, .tenures = tenures };

  if (text->tenure.id == 0)
    return TRUE;
  g_array_append_val (tenures, text->tenure);
  return pen_query_tell_source_lines (self->query, &annotated, error);
}

/* ---- two texts ---- */

/* Where the instruction leads: how many before that count. */
static guint
get_target_rank (const PenPairText *self, const PenPairInstruction *instruction)
{
  return instruction->target < PEN_PAIR_NO_LINE ? self->instructions[instruction->target].rank
                                                : instruction->target;
}

gboolean
pen_pair_text_equal (const PenPairText *a, const PenPairText *b)
{
  guint i = pen_pair_text_skip_landings (a, 0), k = pen_pair_text_skip_landings (b, 0);

  if (!a->is_known || !b->is_known)
    return FALSE;
  while (i < a->n && k < b->n) {
    const PenPairInstruction *x = &a->instructions[i], *y = &b->instructions[k];

    if (!pen_pair_instruction_equal (x, y) || get_target_rank (a, x) != get_target_rank (b, y))
      return FALSE;
    i = pen_pair_text_skip_landings (a, i + 1);
    k = pen_pair_text_skip_landings (b, k + 1);
  }
  return i == a->n && k == b->n;
}

guint
pen_pair_text_hash (const PenPairText *self)
{
  g_autoptr (GArray) parts = g_array_sized_new (FALSE, FALSE, sizeof (gsize), 2 * self->n);

  for (guint i = pen_pair_text_skip_landings (self, 0); i < self->n;
       i = pen_pair_text_skip_landings (self, i + 1)) {
    const PenPairInstruction *instruction = &self->instructions[i];
    gsize part[] = { (gsize) instruction->words, get_target_rank (self, instruction) };

    g_array_append_vals (parts, part, 2);
  }
  return pen_data_hash (parts->data, parts->len * sizeof (gsize));
}
