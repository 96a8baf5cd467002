/* pen-function-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-function-table.h"

#include <string.h>

#include "pen-digests.h"
#include "pen-ksymbol-ends.h"
#include "pen-names.h"
#include "pen-overlap-counter.h"
#include "pen-table-hash.h"

#define PROGRESS_STEP 256

/* Functions found lately, by their slots. */
#define KNOWN_FUNCTIONS 4096u

typedef struct {
  PenFunction function;
  guint64 end; /* of its own bytes */
  gboolean is_ksymbol;
  gboolean has_text; /* something is known to stand there */
  guint64 tenures;
  guint64 made; /* of these: each as code that a runtime made, when it was asked for */
  guint64 patches;
} Row;

/* Equal strings may be in several places; the same place has equal ones. */
typedef struct {
  const char *symbol; /* NULL: none */
  const char *occupant;
  guint64 start;
  guint64 length;
  guint32 kind;
  guint32 name_file;
  guint32 id;
} KnownFunction;

struct _PenFunctionTable {
  PenHistory *history;
  PenKernelSources *kernel;
  PenUserNames *user_names;
  GArray *rows;
  GHashTable *ids; /* Row's index, hashed by what makes a function one */
  KnownFunction *known;
  GArray *of_tenure; /* guint32, by id: where all of a tenure is one function */
  PenKsymbolEnds *ksymbols;
  PenNames *names; /* its own strings; NULL: they stay where they are */
  GArray *written; /* guint64: digests of rows, with @names */
};

static guint
row_hash (gconstpointer data)
{
  const PenFunction *function = data;
  guint64 key[] = {
    function->start,
    function->length,
    (guint64) function->kind << 32 | function->name_file,
    function->symbol ? pen_str_hash (function->symbol) : 0,
    pen_str_hash (function->occupant),
  };

  return pen_data_hash (key, sizeof key);
}

static gboolean
row_equal (gconstpointer a, gconstpointer b)
{
  const PenFunction *x = a;
  const PenFunction *y = b;

  return x->start == y->start && x->length == y->length && x->kind == y->kind
         && x->name_file == y->name_file && g_strcmp0 (x->symbol, y->symbol) == 0
         && strcmp (x->occupant, y->occupant) == 0;
}

/* Room for tenures that are new. */
static void
add_room (PenFunctionTable *self)
{
  guint n = self->of_tenure->len;

  g_array_set_size (self->of_tenure, pen_history_get_last_tenure (self->history) + 1);
  for (guint i = n; i < self->of_tenure->len; i++)
    g_array_index (self->of_tenure, guint32, i) = PEN_NO_FUNCTION;
}

PenFunctionTable *
pen_function_table_new (PenHistory *history, PenKernelSources *kernel, PenUserNames *user_names)
{
  PenFunctionTable *self = g_new0 (PenFunctionTable, 1);
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  self->history = history;
  self->kernel = kernel;
  self->user_names = user_names;
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->ids = g_hash_table_new_full (row_hash, row_equal, g_free, NULL);

  self->known = g_new0 (KnownFunction, KNOWN_FUNCTIONS);
  self->of_tenure = g_array_new (FALSE, FALSE, sizeof (guint32));
  add_room (self);

  self->ksymbols = pen_ksymbol_ends_new (tenures, n, NULL);
  return self;
}

void
pen_function_table_keep_names (PenFunctionTable *self)
{
  self->names = pen_names_new ();
  self->written = g_array_new (FALSE, TRUE, sizeof (guint64));
}

/* What is known of a ksymbol now; the same may have been there several times. */
static void
renew_ksymbols (PenFunctionTable *self, const PenTenure *tenures, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint32 id = g_array_index (self->of_tenure, guint32, tenures[i].id);

    if (tenures[i].layer == PEN_LAYER_KSYMBOL && id != PEN_NO_FUNCTION) {
      Row *row = &g_array_index (self->rows, Row, id);

      row->end = MAX (row->end, pen_ksymbol_ends_get (self->ksymbols, &tenures[i]));
    }
  }
}

void
pen_function_table_go_on (PenFunctionTable *self, PenHistory *history, PenKernelSources *kernel)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  self->history = history;
  self->kernel = kernel;
  memset (self->known, 0, KNOWN_FUNCTIONS * sizeof *self->known);
  add_room (self);
  pen_ksymbol_ends_free (self->ksymbols);
  self->ksymbols = pen_ksymbol_ends_new (tenures, n, NULL);
  for (guint i = 0; i < self->rows->len; i++) {
    Row *row = &g_array_index (self->rows, Row, i);

    row->function.changes = row->function.versions = row->function.pokes = 0;
    row->tenures = row->patches = 0;
    if (row->is_ksymbol)
      row->end = 0;
  }
  renew_ksymbols (self, tenures, n);
}

void
pen_function_table_free (PenFunctionTable *self)
{
  g_array_unref (self->rows);
  g_hash_table_unref (self->ids);
  pen_ksymbol_ends_free (self->ksymbols);
  g_free (self->known);
  g_array_unref (self->of_tenure);
  g_clear_pointer (&self->names, pen_names_free);
  g_clear_pointer (&self->written, g_array_unref);
  g_free (self);
}

static void
keep_strings (PenFunctionTable *self, PenFunction *function)
{
  const char **strings[] = { &function->symbol, &function->occupant, &function->linkage_name };

  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    if (*strings[i])
      *strings[i] = pen_names_add (self->names, *strings[i]);
}

/* Returns: the row's id, made if there is none. */
static guint32
get_row (PenFunctionTable *self, const PenFunction *key)
{
  gpointer id;
  Row row;

  if (g_hash_table_lookup_extended (self->ids, key, NULL, &id))
    return GPOINTER_TO_UINT (id);

  row = (Row){ .function = *key, .end = key->start + key->length };
  if (self->names)
    keep_strings (self, &row.function);
  row.function.id = self->rows->len;
  row.has_text = (key->kind != PEN_KIND_UNKNOWN && key->kind != PEN_KIND_GUEST) || key->length > 0;
  g_array_append_val (self->rows, row);
  g_hash_table_insert (self->ids, g_memdup2 (&row.function, sizeof row.function),
                       GUINT_TO_POINTER (row.function.id));
  return row.function.id;
}

/* The same for a function with a symbol whose strings stay where they are: for one that is asked
 * for often, neither is read. */
static guint32
get_named_row (PenFunctionTable *self, const PenFunction *key)
{
  guint64 hash = pen_hash_mix ((guintptr) key->symbol, key->start);
  KnownFunction *known = &self->known[(hash >> 32) % KNOWN_FUNCTIONS];

  if (known->symbol != key->symbol || known->occupant != key->occupant || known->start != key->start
      || known->length != key->length || known->kind != key->kind
      || known->name_file != key->name_file)
    *known = (KnownFunction){
      .symbol = key->symbol,
      .occupant = key->occupant,
      .start = key->start,
      .length = key->length,
      .kind = key->kind,
      .name_file = key->name_file,
      .id = get_row (self, key),
    };
  return known->id;
}

/* All of @tenure is one function. */
static guint32
get_whole (PenFunctionTable *self, const PenTenure *tenure)
{
  PenFunction key = {
    .symbol = tenure->name,
    .kind = tenure->kind,
    .occupant = tenure->occupant,
    .start = tenure->start,
    .length = tenure->end - tenure->start,
  };

  return get_row (self, &key);
}

static guint32
get_ksymbol (PenFunctionTable *self, const PenTenure *tenure)
{
  guint before = self->rows->len;
  guint32 id = get_whole (self, tenure);
  Row *row = &g_array_index (self->rows, Row, id);
  guint64 end = pen_ksymbol_ends_get (self->ksymbols, tenure);

  /* The same ksymbol may come back with other neighbours. */
  row->end = self->rows->len > before ? end : MAX (row->end, end);
  row->is_ksymbol = TRUE;
  return id;
}

static guint32
get_without_symbol (PenFunctionTable *self, PenKind kind, const char *occupant)
{
  PenFunction key = { .kind = kind, .occupant = occupant };

  return get_row (self, &key);
}

/* Names are the same for all processes: it is one function, wherever they have it. */
static guint32
get_user_function (PenFunctionTable *self, const PenTenure *tenure, guint64 address)
{
  PenUserSymbol symbol;

  if (pen_user_names_find (self->user_names, tenure, address, &symbol)) {
    PenFunction key = {
      .symbol = symbol.name,
      .linkage_name = symbol.linkage_name,
      .kind = tenure->kind,
      .occupant = tenure->occupant,
      .start = symbol.start,
      .length = symbol.length,
      .name_file = symbol.file,
    };
    return get_named_row (self, &key);
  }
  return get_without_symbol (self, tenure->kind, tenure->occupant);
}

/* One version for each time that it was made there, under the same name. */
static guint32
get_jit_function (PenFunctionTable *self, const PenTenure *tenure)
{
  guint32 id = get_whole (self, tenure);

  g_array_index (self->rows, Row, id).made++;
  return id;
}

/* It has no name; but it is a text of its own, and has its own pokes. */
static guint32
get_unknown_text (PenFunctionTable *self, const PenTenure *tenure)
{
  PenFunction key = {
    .kind = tenure->kind,
    .occupant = tenure->occupant,
    .start = tenure->start,
    .length = tenure->end - tenure->start,
  };

  return get_row (self, &key);
}

guint32
pen_function_table_get (PenFunctionTable *self, const PenTenure *tenure, PenKind kind,
                        guint64 address)
{
  PenSymbol symbol;
  guint32 *of_tenure;

  if (!tenure)
    return get_without_symbol (self, kind, "");

  of_tenure = &g_array_index (self->of_tenure, guint32, tenure->id);
  if (*of_tenure != PEN_NO_FUNCTION)
    return *of_tenure;

  if (tenure->layer == PEN_LAYER_KSYMBOL)
    return *of_tenure = get_ksymbol (self, tenure);
  if (tenure->layer == PEN_LAYER_POKE)
    return *of_tenure = get_unknown_text (self, tenure);
  if (tenure->layer == PEN_LAYER_JIT && *tenure->name != '\0')
    return *of_tenure = get_jit_function (self, tenure);

  if (pen_kernel_sources_has_names (self->kernel, tenure)) {
    if (pen_kernel_sources_find_symbol (self->kernel, tenure, address, &symbol)) {
      PenFunction key = {
        .symbol = symbol.name,
        .kind = tenure->kind,
        .occupant = tenure->occupant,
        .start = symbol.start,
        .length = symbol.end - symbol.start,
      };
      return get_named_row (self, &key);
    }
    return get_without_symbol (self, tenure->kind, tenure->occupant);
  }

  if (pen_user_names_has (self->user_names, tenure))
    return get_user_function (self, tenure, address);
  return *of_tenure = get_without_symbol (self, tenure->kind, tenure->occupant);
}

void
pen_function_table_add_samples (PenFunctionTable *self, guint32 id, guint64 samples, guint64 period)
{
  PenFunction *function = &g_array_index (self->rows, Row, id).function;

  function->samples += samples;
  function->period += period;
}

guint
pen_function_table_get_count (PenFunctionTable *self)
{
  return self->rows->len;
}

const PenFunction *
pen_function_table_get_function (PenFunctionTable *self, guint32 id)
{
  return &g_array_index (self->rows, Row, id).function;
}

static void
add_changed_ksymbols (PenFunctionTable *self)
{
  guint n;
  const PenTenure *const *ksymbols = pen_ksymbol_ends_get_tenures (self->ksymbols, &n);

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = ksymbols[i];

    if (tenure->from.time != 0 || tenure->to_bound == PEN_BOUND_RECORDED
        || tenure->to_bound == PEN_BOUND_INFERRED)
      pen_function_table_get (self, tenure, tenure->kind, tenure->start);
  }
}

typedef struct {
  PenOverlapCounter *changes;
  PenOverlapCounter *tenures;  /* of the kernel */
  PenOverlapCounter *ksymbols; /* those of them that are ksymbols */
  PenOverlapCounter *pokes;
  PenOverlapCounter *patches; /* those of them that are patches */
} Touching;

static void
touching_init (Touching *self)
{
  self->changes = pen_overlap_counter_new ();
  self->tenures = pen_overlap_counter_new ();
  self->ksymbols = pen_overlap_counter_new ();
  self->pokes = pen_overlap_counter_new ();
  self->patches = pen_overlap_counter_new ();
}

static void
touching_seal (Touching *self)
{
  pen_overlap_counter_seal (self->changes);
  pen_overlap_counter_seal (self->tenures);
  pen_overlap_counter_seal (self->ksymbols);
  pen_overlap_counter_seal (self->pokes);
  pen_overlap_counter_seal (self->patches);
}

static void
touching_clear (Touching *self)
{
  pen_overlap_counter_free (self->changes);
  pen_overlap_counter_free (self->tenures);
  pen_overlap_counter_free (self->ksymbols);
  pen_overlap_counter_free (self->pokes);
  pen_overlap_counter_free (self->patches);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Touching, touching_clear)

static gboolean
look_up (PenProgress *progress, guint step, GError **error)
{
  return step % PROGRESS_STEP != 0 || pen_progress_step (progress, progress->state.done, error);
}

static gboolean
add_changes (PenFunctionTable *self, GArray *changes, Touching *touching, PenProgress *progress,
             GError **error)
{
  for (guint i = 0; i < changes->len; i++) {
    const PenSidebandChange *change = &g_array_index (changes, PenSidebandChange, i);
    const PenTenure *tenure = pen_history_get_tenure (self->history, change->tenure);
    guint64 end = change->end;

    if (!look_up (progress, i, error))
      return FALSE;
    if (tenure && tenure->layer == PEN_LAYER_KSYMBOL)
      end = MIN (end, pen_ksymbol_ends_get (self->ksymbols, tenure));
    pen_overlap_counter_add (touching->changes, change->start, end);
  }
  return TRUE;
}

static gboolean
add_tenures (PenFunctionTable *self, Touching *touching, PenProgress *progress, GError **error)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (self->history, &n);

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    guint64 end = tenure->end;

    if (!look_up (progress, i, error))
      return FALSE;
    if (tenure->space != PEN_SPACE_KERNEL)
      continue;
    if (tenure->layer == PEN_LAYER_KSYMBOL) {
      end = pen_ksymbol_ends_get (self->ksymbols, tenure);
      pen_overlap_counter_add (touching->ksymbols, tenure->start, end);
    }
    pen_overlap_counter_add (touching->tenures, tenure->start, end);
  }
  return TRUE;
}

static gboolean
add_pokes (PenFunctionTable *self, Touching *touching, PenProgress *progress, GError **error)
{
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n);

  for (guint i = 0; i < n; i++) {
    const PenPoke *poke = &pokes[i];
    gboolean is_patch = poke->effect == PEN_POKE_PATCH;
    guint64 end
        = poke->address + MIN ((guint64) pen_poke_get_length (poke), G_MAXUINT64 - poke->address);

    if (!look_up (progress, i, error))
      return FALSE;
    pen_overlap_counter_add (touching->pokes, poke->address, end);
    if (is_patch)
      pen_overlap_counter_add (touching->patches, poke->address, end);

    /* A function without a symbol has no range to be found by. */
    if (poke->function != PEN_NO_FUNCTION) {
      Row *row = &g_array_index (self->rows, Row, poke->function);

      if (!row->function.symbol) {
        row->function.changes++;
        row->function.pokes++;
        row->patches += is_patch;
      }
    }
  }
  return TRUE;
}

/* A ksymbol's function is a text of the ksymbol layer: the map underneath is not one of its
 * versions. */
static void
count_row (Row *row, const Touching *touching)
{
  PenFunction *function = &row->function;

  if (!function->symbol || function->name_file != 0 || function->kind == PEN_KIND_ANON)
    return;
  function->pokes += pen_overlap_counter_get (touching->pokes, function->start, row->end);
  function->changes += pen_overlap_counter_get (touching->changes, function->start, row->end)
                       + pen_overlap_counter_get (touching->pokes, function->start, row->end);
  row->patches += pen_overlap_counter_get (touching->patches, function->start, row->end);
  row->tenures += pen_overlap_counter_get (row->is_ksymbol ? touching->ksymbols : touching->tenures,
                                           function->start, row->end);
}

gboolean
pen_function_table_count_changes (PenFunctionTable *self, GArray *changes, PenProgress *progress,
                                  GError **error)
{
  g_auto (Touching) touching;

  touching_init (&touching);
  add_changed_ksymbols (self);
  if (!add_changes (self, changes, &touching, progress, error)
      || !add_tenures (self, &touching, progress, error)
      || !add_pokes (self, &touching, progress, error))
    return FALSE;
  touching_seal (&touching);

  for (guint i = 0; i < self->rows->len; i++) {
    Row *row = &g_array_index (self->rows, Row, i);

    if (!look_up (progress, i, error))
      return FALSE;
    row->tenures += row->made;
    count_row (row, &touching);
    if (!row->function.symbol || row->function.name_file != 0)
      row->tenures = row->has_text;
    row->function.versions = row->tenures + row->patches;
  }
  return TRUE;
}

static gboolean
is_new (PenFunctionTable *self, const PenFunction *function)
{
  const guint64 words[] = { function->samples, function->period, function->changes,
                            function->versions, function->pokes };

  return !self->written
         || pen_digests_set (self->written, function->id, pen_digest (words, G_N_ELEMENTS (words)));
}

gboolean
pen_function_table_write (PenFunctionTable *self, PenStoreWriter *writer, GError **error)
{
  for (guint i = 0; i < self->rows->len; i++) {
    const PenFunction *function = &g_array_index (self->rows, Row, i).function;

    if (is_new (self, function) && !pen_store_writer_add_function (writer, function, error))
      return FALSE;
  }
  return TRUE;
}
