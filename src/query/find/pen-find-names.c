/* pen-find-names.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-find-names.h"

#include <string.h>

#include "pen-display.h"
#include "pen-query-private.h"
#include "pen-query-resolve.h"
#include "pen-query-cells.h"
#include "pen-store-pokes.h"
#include "pen-table-hash.h"

/* A tag has 16 digits; fewer than these are no tag. */
#define TAG_DIGITS_MIN 4

/* The typed text. @folded: its case folded; @number: it is nothing but a number, with @has_number;
 * or the number after a word: "bpf:23", "tenure:12", "pid 126" */
typedef struct {
  char *text;
  char *folded;
  gboolean has_number;
  guint64 number;
  char *part; /* (nullable): "bpf", "tenure", "pid", "tid", "comm" … */
} Typed;

static void
clear_typed (Typed *typed)
{
  g_free (typed->text);
  g_free (typed->folded);
  g_free (typed->part);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Typed, clear_typed)

static Typed
read_typed (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) strnlen (text, 4096));
  Typed typed = { .text = g_strstrip (g_strdup (valid)) };
  gsize n = strspn (typed.text, "abcdefghijklmnopqrstuvwxyz");
  const char *rest = typed.text + n;

  if (n > 0 && n < 9 && (*rest == ':' || *rest == ' ')) {
    rest += 1 + strspn (rest + 1, " ");
    if (typed.text[n] == ':' || g_ascii_isdigit (*rest))
      typed.part = g_strndup (typed.text, n);
    if (typed.part)
      memmove (typed.text, rest, strlen (rest) + 1);
  }
  typed.folded = g_utf8_casefold (typed.text, -1);
  typed.has_number
      = g_ascii_string_to_unsigned (typed.text, 10, 0, G_MAXUINT64, &typed.number, NULL);
  return typed;
}

/* Whether it may be looked for among what is called @part. */
static gboolean
asks (const Typed *typed, const char *part)
{
  return !typed->part || g_str_equal (typed->part, part);
}

/* To fold a name takes longer than a step. */
static gboolean
goes_on (Find *find)
{
  return pen_cancel_check_steps (&find->check, 8);
}

/* 0: the same; 1: begins with it; 2: has it inside; 3: has not */
static guint
rank (const Typed *typed, const char *name)
{
  g_autofree char *shown = NULL;
  g_autofree char *folded = NULL;
  const char *place;

  if (!name || *name == '\0')
    return 3;
  shown = pen_display_text (name);
  folded = g_utf8_casefold (shown, -1);
  place = strstr (folded, typed->folded);
  if (!place)
    return 3;
  return strcmp (folded, typed->folded) == 0 ? 0 : place == folded ? 1 : 2;
}

static PenFoundRow
make_row (PenFoundKind found)
{
  return (PenFoundRow){ .found = found,
                        .place = G_MAXUINT,
                        .from = PEN_MOMENT_START,
                        .to = PEN_MOMENT_END,
                        .function = G_MAXUINT32 };
}

/* Rows of one group, the best first. */
typedef struct {
  guint rank;
  PenFoundRow row;
} Candidate;

static int
compare_candidates (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const Candidate *x = a;
  const Candidate *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->row.samples != y->row.samples)
    return x->row.samples > y->row.samples ? -1 : 1;
  if (x->row.changes != y->row.changes)
    return x->row.changes > y->row.changes ? -1 : 1;
  if (g_strcmp0 (x->row.name, y->row.name) != 0)
    return g_strcmp0 (x->row.name, y->row.name);
  if (x->row.address != y->row.address)
    return x->row.address < y->row.address ? -1 : 1;
  return x->row.pid < y->row.pid ? -1 : x->row.pid > y->row.pid;
}

static gboolean
sort_candidates (Find *find, GArray *candidates)
{
  return pen_cancel_check_sort (&find->check, candidates->data, candidates->len, sizeof (Candidate),
                                compare_candidates, NULL);
}

static void
add_candidates (Find *find, GArray *candidates)
{
  if (!sort_candidates (find, candidates))
    return;
  for (guint i = 0; i < candidates->len; i++) {
    if (!pen_find_add_row (find, &g_array_index (candidates, Candidate, i).row))
      return;
  }
}

/* ---- functions ---- */

void
pen_find_fill_function (PenFoundRow *row, const PenFunction *function)
{
  row->name = function->symbol ? function->symbol : function->occupant;
  row->kind = function->kind;
  row->occupant = function->occupant;
  row->has_address = pen_query_is_kernel_text (function);
  row->address = row->has_address ? function->start : 0;
  row->length = function->length;
  row->function = function->id;
  row->samples = function->samples;
  row->changes = function->changes;
}

/* Loads of one program have one name; at one address there may have been several. */
static void
tell_load (Find *find, PenFoundRow *row)
{
  const GArray *indexes
      = row->kind == PEN_KIND_BPF ? g_hash_table_lookup (find->by_name, row->name) : NULL;

  for (guint i = 0; indexes && i < indexes->len && pen_cancel_check_step (&find->check); i++) {
    const PenTenure *tenure
        = &g_array_index (find->tenures, PenTenure, g_array_index (indexes, guint, i));

    if (tenure->start != row->address)
      continue;
    if (row->bpf_id != 0 && row->bpf_id != tenure->bpf_id) {
      row->bpf_id = 0;
      return;
    }
    row->bpf_id = tenure->bpf_id;
  }
}

static void
find_functions (Find *find, const Typed *typed)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  PenQuery *query = find->query;

  if (!asks (typed, "symbol"))
    return;
  for (guint i = 0; i < query->n_functions && goes_on (find); i++) {
    const PenFunction *function = &query->functions[i];
    guint by_name = rank (typed, function->symbol);
    Candidate candidate
        = { MIN (by_name, rank (typed, function->linkage_name)), make_row (PEN_FOUND_FUNCTION) };

    if (candidate.rank == 3 || (function->samples == 0 && function->changes == 0))
      continue;
    pen_find_fill_function (&candidate.row, function);
    g_array_append_val (candidates, candidate);
  }
  if (!sort_candidates (find, candidates))
    return;
  for (guint i = 0; i < candidates->len; i++) {
    PenFoundRow *row = &g_array_index (candidates, Candidate, i).row;

    tell_load (find, row);
    if (!pen_find_add_row (find, row))
      return;
  }
}

/* ---- tasks ---- */

static guint
rank_task (const Typed *typed, const PenThread *thread)
{
  if (typed->has_number && thread->has_task
      && ((asks (typed, "pid") && (gint64) typed->number == thread->pid)
          || (asks (typed, "tid") && (gint64) typed->number == thread->tid)))
    return 0;
  return asks (typed, "comm") ? rank (typed, thread->comm) : 3;
}

static gboolean
find_tasks (Find *find, const Typed *typed, GError **error)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  PenQuery *query = find->query;

  if (!pen_query_load_threads (query, error))
    return FALSE;
  for (guint i = 0; i < query->n_threads && goes_on (find); i++) {
    const PenThread *thread = &query->threads[i];
    Candidate candidate = { rank_task (typed, thread), make_row (PEN_FOUND_TASK) };

    /* One row for a process, however many threads it has. */
    if (candidate.rank == 3
        || !g_hash_table_add (seen, g_strdup_printf ("%d %s", thread->pid, thread->comm)))
      continue;
    candidate.row.name = thread->comm;
    candidate.row.has_task = thread->has_task;
    candidate.row.pid = thread->pid;
    candidate.row.tid = thread->tid;
    g_array_append_val (candidates, candidate);
  }
  add_candidates (find, candidates);
  return TRUE;
}

/* ---- keys ---- */

/* When exactly: what else happened in the same nanosecond is another change. */
static gboolean
tell_first_switches (Find *find, const PenBatch *batches, guint n, GError **error)
{
  for (guint i = 0; i < find->found->rows->len; i++) {
    PenFoundRow *row = &g_array_index (find->found->rows, PenFoundRow, i);
    guint b = 0;
    GError *failure = NULL;
    PenPoke poke;

    if (row->found != PEN_FOUND_KEY || !row->name)
      continue;
    while (b < n && g_strcmp0 (batches[b].key, row->name) != 0)
      b++;
    if (b < n && pen_store_load_poke (find->query->store, batches[b].first_poke, &poke, &failure))
      row->from = poke.moment;
    if (failure) {
      g_propagate_error (error, failure);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
find_keys (Find *find, const Typed *typed, GError **error)
{
  g_autoptr (GHashTable) rows = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  GHashTableIter iter;
  gpointer value;
  GError *failure = NULL;
  guint n;
  const PenBatch *batches = pen_store_get_batches (find->query->store, &n, &failure);

  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  for (guint i = 0; batches && i < n && asks (typed, "key") && goes_on (find); i++) {
    const PenBatch *batch = &batches[i];
    Candidate *known = batch->key ? g_hash_table_lookup (rows, batch->key) : NULL;

    if (!batch->key || (!known && rank (typed, batch->key) == 3))
      continue;
    if (!known) {
      known = g_new (Candidate, 1);
      *known = (Candidate){ rank (typed, batch->key), make_row (PEN_FOUND_KEY) };
      known->row.name = batch->key;
      known->row.from = pen_moment (batch->from, 0);
      g_hash_table_insert (rows, (gpointer) batch->key, known);
    }
    known->row.changes++;
    known->row.to = pen_moment (
        MAX (known->row.to.time == G_MAXUINT64 ? 0 : known->row.to.time, batch->to), 0);
  }
  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_array_append_val (candidates, *(Candidate *) value);
  add_candidates (find, candidates);
  return tell_first_switches (find, batches, n, error);
}

/* ---- times ---- */

/* "5.844816", "5.844816:", "5.8 s", "30%", "start", "end" */
static void
find_time (Find *find, const Typed *typed)
{
  g_autofree char *text = g_strdup (typed->text);
  PenFoundRow row = make_row (PEN_FOUND_TIME);
  guint64 first;
  guint64 last;
  guint64 time;
  gsize n = strlen (text);

  if (!asks (typed, "time") || !pen_query_get_time_range (find->query, &first, &last))
    return;
  if (n > 1 && (text[n - 1] == ':' || text[n - 1] == 's') && g_ascii_isdigit (text[0]))
    text[n - 1] = '\0';
  g_strstrip (text);
  if (g_str_equal (text, "start"))
    time = first;
  else if (g_str_equal (text, "end"))
    time = last;
  else if (!pen_time_from_string (text, first, last, &time))
    return;
  if (time < first || time > last)
    return;
  row.from = row.to = pen_moment (time, 0);
  pen_find_add_row (find, &row);
}

/* ---- programs, stubs and modules ---- */

static gboolean
has_tag (const PenTenure *tenure, const char *text)
{
  char tag[17];

  if (strlen (text) < TAG_DIGITS_MIN || tenure->bpf_id == 0)
    return FALSE;
  for (guint i = 0; i < 8; i++)
    g_snprintf (tag + (gsize) 2 * i, 3, "%02x", tenure->bpf_tag[i]);
  return g_str_has_prefix (tag, text);
}

static gboolean
is_meant (const Typed *typed, const PenTenure *tenure)
{
  if (tenure->kind == PEN_KIND_KERNEL || tenure->kind == PEN_KIND_UNKNOWN)
    return FALSE;
  if (typed->has_number && typed->part && g_str_equal (typed->part, "tenure"))
    return tenure->id == typed->number;
  if (typed->has_number && (asks (typed, "bpf") || asks (typed, "id")) && tenure->bpf_id != 0
      && tenure->bpf_id == typed->number)
    return TRUE;
  if (asks (typed, "tag") && has_tag (tenure, typed->folded))
    return TRUE;
  return asks (typed, "occupant") && rank (typed, tenure->occupant) < 3;
}

/* In time order: which load it was is what one looks for. */
static void
find_occupants (Find *find, const Typed *typed)
{
  for (guint i = 0; i < find->tenures->len && goes_on (find); i++) {
    const PenTenure *tenure = &g_array_index (find->tenures, PenTenure, i);
    PenFoundRow row = make_row (PEN_FOUND_OCCUPANT);

    if (!is_meant (typed, tenure))
      continue;
    row.when = pen_find_get_when (find, tenure->from, tenure->to);
    row.name = row.occupant = tenure->occupant;
    row.has_address = TRUE;
    row.address = tenure->start;
    row.length = tenure->end - tenure->start;
    row.tenure = tenure->id;
    row.kind = tenure->kind;
    row.bpf_id = tenure->bpf_id;
    row.from = tenure->from;
    row.to = tenure->to;
    row.samples = tenure->samples;
    row.evidence = pen_tenure_get_evidence (tenure, tenure->start, tenure->from, tenure->to);
    row.source = pen_tenure_get_source (tenure, tenure->start);
    row.inferred_from = pen_tenure_get_inferred_from (tenure);
    row.is_unverified = pen_query_is_unverified (tenure, tenure->to);
    if (!pen_find_add_row (find, &row))
      return;
  }
}

gboolean
pen_find_names (Find *find, const char *text, GError **error)
{
  g_auto (Typed) typed = read_typed (text);

  if (typed.text[0] == '\0')
    return TRUE;
  find_functions (find, &typed);
  if (!find_tasks (find, &typed, error) || !find_keys (find, &typed, error))
    return FALSE;
  find_time (find, &typed);
  find_occupants (find, &typed);
  return TRUE;
}
