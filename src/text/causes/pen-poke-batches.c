/* pen-poke-batches.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-batches.h"

#include <string.h>

#include "pen-names.h"
#include "pen-table-hash.h"

/* Functions of a batch that are kept to recognise tracepoints. */
#define MAX_FUNCTIONS 64

/* Properties that the pokes of one batch share; compared byte by byte. */
typedef struct {
  gint64 task; /* tid, or the CPU where no task was recorded */
  guint64 leads_to;
  const char *key; /* interned */
  guint16 cause;
  guint16 effect;
  guint16 form;
  guint16 is_entry;
} Group;

typedef struct {
  PenBatch batch; /* its strings are of @strings */
  guint64 last_address;
  guint32 last_tenure;
  PenSideForm form;
  gboolean is_entry;
  PenSpotRole role;
  PenSwitch switched;
  gboolean is_mixed; /* its sites do not agree about that */
  guint32 previous;  /* batch that the task worked on before, or 0 */
  GArray *functions; /* of static keys and calls: guint64, where they begin, each once in a row */
} Draft;

/* Its key is its first field. */
typedef struct {
  gint64 key;
  guint32 id;
} Latest;

struct _PenPokeBatches {
  PenNames *strings;
  GArray *drafts;      /* Draft; element i has id i + 1 */
  GHashTable *open;    /* Group → id of the latest batch */
  GHashTable *last_of; /* Latest: by task, the batch of its latest poke */
  GHashTable *last_at; /* Latest: by address, the latest poke there */
  Latest *of_task;     /* of @last_of: the one that was used last */
  GArray *finished;    /* PenBatch */
};

static guint
hash_group (gconstpointer data)
{
  return pen_data_hash (data, sizeof (Group));
}

static gboolean
is_equal_group (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Group)) == 0;
}

static void
clear_draft (gpointer data)
{
  Draft *draft = data;

  g_clear_pointer (&draft->functions, g_array_unref);
}

PenPokeBatches *
pen_poke_batches_new (void)
{
  PenPokeBatches *self = g_new0 (PenPokeBatches, 1);

  self->strings = pen_names_new ();
  self->drafts = g_array_new (FALSE, FALSE, sizeof (Draft));
  g_array_set_clear_func (self->drafts, clear_draft);
  self->open = g_hash_table_new_full (hash_group, is_equal_group, g_free, NULL);
  self->last_of = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  self->last_at = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  self->finished = g_array_new (FALSE, FALSE, sizeof (PenBatch));
  return self;
}

void
pen_poke_batches_free (PenPokeBatches *self)
{
  if (!self)
    return;
  g_array_unref (self->drafts);
  g_hash_table_unref (self->open);
  g_hash_table_unref (self->last_of);
  g_hash_table_unref (self->last_at);
  g_array_unref (self->finished);
  pen_names_free (self->strings);
  g_free (self);
}

static const char *
keep (PenPokeBatches *self, const char *text)
{
  return text ? pen_names_add (self->strings, text) : NULL;
}

/* ---- what belongs together ---- */

static gint64
get_task (const PenPoke *poke)
{
  return poke->tid >= 0 ? poke->tid : -1 - (gint64) poke->cpu;
}

/* Static keys have no target in common, and ftrace's sites had different ones. Probes are switched
 * together, each with a detour of its own. */
static Group
get_group (PenPokeBatches *self, const PenPoke *poke, const PenCauseVerdict *verdict)
{
  PenCause cause = verdict->rule->cause;
  Group group;

  memset (&group, 0, sizeof group); /* the padding, too */
  group.task = get_task (poke);
  group.cause = (guint16) cause;
  group.effect = (guint16) poke->effect;
  if (cause == PEN_CAUSE_STATIC_KEY)
    group.key = keep (self, verdict->key);
  if (poke->effect != PEN_POKE_PATCH)
    return group;
  switch (cause) {
  case PEN_CAUSE_STATIC_CALL:
    group.leads_to = verdict->after * 31 + verdict->before;
    break;
  case PEN_CAUSE_FTRACE:
  case PEN_CAUSE_LIVEPATCH:
    group.is_entry = (guint16) verdict->is_entry;
    group.leads_to = verdict->after;
    break;
  case PEN_CAUSE_BPF:
    group.leads_to = verdict->after;
    break;
  case PEN_CAUSE_KPROBE:
    group.form = verdict->after_form == PEN_FORM_BREAKPOINT;
    break;
  case PEN_CAUSE_OPTPROBE:
    group.form = verdict->after_form == PEN_FORM_JUMP;
    break;
  default:
    break;
  }
  return group;
}

static Latest *
get_latest (GHashTable *table, gint64 key)
{
  Latest *latest = g_hash_table_lookup (table, &key);

  if (!latest) {
    latest = g_new0 (Latest, 1);
    latest->key = key;
    g_hash_table_add (table, latest);
  }
  return latest;
}

/* Pokes of one task come in long rows. */
static Latest *
get_latest_of_task (PenPokeBatches *self, const PenPoke *poke)
{
  gint64 task = get_task (poke);

  if (!self->of_task || self->of_task->key != task)
    self->of_task = get_latest (self->last_of, task);
  return self->of_task;
}

/* Without a table of keys: sites of one key are patched one after the other by rising addresses,
 * those of each module for themselves. */
static gboolean
is_next_of_key (PenPokeBatches *self, const Draft *draft, const PenPoke *poke)
{
  return get_latest_of_task (self, poke)->id == draft->batch.id
         && (poke->address > draft->last_address || poke->tenure != draft->last_tenure);
}

static gboolean
belongs (PenPokeBatches *self, const Draft *draft, const PenPoke *poke,
         const PenCauseVerdict *verdict, const Latest *there)
{
  const PenBatch *batch = &draft->batch;

  if (poke->moment.time - batch->to > PEN_BATCH_GAP)
    return FALSE;
  /* Its own, or one that undid it meanwhile. */
  if (there->id >= batch->first_poke)
    return FALSE;
  if (verdict->key && batch->key)
    return strcmp (verdict->key, batch->key) == 0;
  return batch->cause != PEN_CAUSE_STATIC_KEY || is_next_of_key (self, draft, poke);
}

static Draft *
open_batch (PenPokeBatches *self, const PenPoke *poke, const PenCauseVerdict *verdict)
{
  Draft draft = {
    .batch = {
      .id = self->drafts->len + 1,
      .first_poke = poke->id,
      .from = poke->moment.time,
      .cause = verdict->rule->cause,
      .confidence = verdict->confidence,
      .effect = poke->effect,
      .has_task = poke->has_task,
      .pid = poke->pid,
      .tid = poke->tid,
      .cpu = poke->cpu,
      .comm = keep (self, poke->comm),
      .site = keep (self, verdict->entry ? verdict->entry : verdict->site),
      .target = keep (self, verdict->target),
      .user = keep (self, verdict->after_user ? verdict->after_user : verdict->before_user),
      .programs = keep (self, verdict->programs),
      .replacement = keep (self, poke->replacement),
    },
    .form = verdict->after_form,
    .is_entry = verdict->is_entry,
    .role = verdict->role,
    .switched = verdict->switched,
    .previous = get_latest_of_task (self, poke)->id,
  };

  g_array_append_val (self->drafts, draft);
  return &g_array_index (self->drafts, Draft, self->drafts->len - 1);
}

static Draft *
find_batch (PenPokeBatches *self, const PenPoke *poke, const PenCauseVerdict *verdict,
            const Latest *there)
{
  Group group = get_group (self, poke, verdict);
  guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (self->open, &group));
  Draft *draft = id != 0 ? &g_array_index (self->drafts, Draft, id - 1) : NULL;

  if (draft && belongs (self, draft, poke, verdict, there))
    return draft;
  draft = open_batch (self, poke, verdict);
  /* Pokes without a cause form no batches. */
  if (draft->batch.cause != PEN_CAUSE_UNKNOWN)
    g_hash_table_replace (self->open, g_memdup2 (&group, sizeof group),
                          GUINT_TO_POINTER (draft->batch.id));
  return draft;
}

static void
note_function (Draft *draft, guint64 function)
{
  PenCause cause = draft->batch.cause;

  if (function == 0 || (cause != PEN_CAUSE_STATIC_KEY && cause != PEN_CAUSE_STATIC_CALL))
    return;
  if (!draft->functions)
    draft->functions = g_array_new (FALSE, FALSE, sizeof (guint64));
  if (draft->functions->len < MAX_FUNCTIONS
      && (draft->functions->len == 0
          || g_array_index (draft->functions, guint64, draft->functions->len - 1) != function))
    g_array_append_val (draft->functions, function);
}

guint32
pen_poke_batches_add (PenPokeBatches *self, const PenPoke *poke, const PenCauseVerdict *verdict)
{
  Latest *there = get_latest (self->last_at, (gint64) poke->address);
  Draft *draft = find_batch (self, poke, verdict, there);
  PenBatch *batch = &draft->batch;

  batch->last_poke = poke->id;
  batch->to = poke->moment.time;
  batch->n_sites++;
  batch->confidence = MIN (batch->confidence, verdict->confidence);
  if (!batch->key)
    batch->key = keep (self, verdict->key);
  draft->last_address = poke->address;
  draft->last_tenure = poke->tenure;
  draft->is_mixed |= draft->switched != verdict->switched;
  batch->n_jumps += verdict->after_form == PEN_FORM_JUMP;
  get_latest_of_task (self, poke)->id = batch->id;
  there->id = poke->id;
  note_function (draft, verdict->function);
  return batch->id;
}

void
pen_poke_batches_set_purpose (PenPokeBatches *self, const PenPoke *poke)
{
  PenBatch *batch
      = poke->batch != 0 ? &g_array_index (self->drafts, Draft, poke->batch - 1).batch : NULL;

  if (batch && !batch->purpose)
    batch->purpose = keep (self, poke->purpose);
}

/* ---- tracepoints ---- */

#define CALL_PREFIX "tp_func_"
#define ITERATOR_PREFIX "__traceiter_"
#define TRACEPOINT_PREFIX "__tracepoint_"

static gboolean
share_function (const Draft *a, const Draft *b)
{
  for (guint i = 0; a->functions && b->functions && i < a->functions->len; i++)
    for (guint j = 0; j < b->functions->len; j++)
      if (g_array_index (a->functions, guint64, i) == g_array_index (b->functions, guint64, j))
        return TRUE;
  return FALSE;
}

/*
 * The first probe of a tracepoint changes its static call, then switches its key; removing the last
 * probe switches the key, then restores the call (tracepoint_add_func() and
 * tracepoint_remove_func() in kernel/tracepoint.c). Both sites are in the traced functions.
 *
 * Returns: the tracepoint's name, or NULL
 */
static const char *
find_tracepoint (const Draft *key, const Draft *call, gboolean is_before)
{
  const char *name;
  gboolean is_led_back;

  if (call->batch.cause != PEN_CAUSE_STATIC_CALL || !call->batch.key
      || !g_str_has_prefix (call->batch.key, CALL_PREFIX) || !call->batch.target)
    return NULL;
  name = call->batch.key + strlen (CALL_PREFIX);
  is_led_back = g_str_has_prefix (call->batch.target, ITERATOR_PREFIX)
                && strcmp (call->batch.target + strlen (ITERATOR_PREFIX), name) == 0;
  if (is_led_back == is_before || !share_function (key, call))
    return NULL;
  if (is_before ? key->batch.from - call->batch.to > PEN_BATCH_GAP
                : call->batch.from - key->batch.to > PEN_BATCH_GAP)
    return NULL;
  return name;
}

/* @next: of the task of the batch @index, or NULL */
static void
name_tracepoint (PenPokeBatches *self, guint index, const Draft *next)
{
  Draft *draft = &g_array_index (self->drafts, Draft, index);
  const char *name = NULL;

  if (draft->batch.cause != PEN_CAUSE_STATIC_KEY || draft->batch.key)
    return;
  if (draft->previous != 0)
    name = find_tracepoint (draft, &g_array_index (self->drafts, Draft, draft->previous - 1), TRUE);
  if (!name && next)
    name = find_tracepoint (draft, next, FALSE);
  if (name) {
    g_autofree char *key = g_strconcat (TRACEPOINT_PREFIX, name, NULL);

    draft->batch.key = keep (self, key);
  }
}

static void
name_tracepoints (PenPokeBatches *self)
{
  guint n = self->drafts->len;
  g_autofree guint32 *next = g_new0 (guint32, n + 1);

  for (guint i = 0; i < n; i++)
    next[g_array_index (self->drafts, Draft, i).previous] = i + 1;
  for (guint i = 0; i < n; i++)
    name_tracepoint (
        self, i, next[i + 1] != 0 ? &g_array_index (self->drafts, Draft, next[i + 1] - 1) : NULL);
}

/* ---- actions ---- */

/* Keys of tracepoints are usually off, and their sites are then nops. */
static PenBatchAction
find_switch (const Draft *draft)
{
  gboolean is_tracepoint
      = draft->batch.key && g_str_has_prefix (draft->batch.key, TRACEPOINT_PREFIX);

  if (draft->is_mixed)
    return PEN_ACTION_CHANGED;
  if (draft->switched == PEN_SWITCH_UNKNOWN && is_tracepoint)
    return draft->batch.n_jumps > 0 ? PEN_ACTION_ON : PEN_ACTION_OFF;
  return draft->switched == PEN_SWITCH_UNKNOWN ? PEN_ACTION_CHANGED
         : draft->switched == PEN_SWITCH_ON    ? PEN_ACTION_ON
                                               : PEN_ACTION_OFF;
}

static PenBatchAction
find_action (const Draft *draft)
{
  gboolean has_target = draft->batch.target != NULL;

  if (draft->batch.effect != PEN_POKE_PATCH)
    return PEN_ACTION_CHANGED;
  switch (draft->batch.cause) {
  case PEN_CAUSE_STATIC_KEY:
    return find_switch (draft);
  case PEN_CAUSE_FTRACE:
  case PEN_CAUSE_LIVEPATCH:
    if (draft->is_entry)
      return has_target ? PEN_ACTION_ATTACHED : PEN_ACTION_DETACHED;
    if (draft->role == PEN_ROLE_FTRACE)
      return has_target ? PEN_ACTION_OWN_SET : PEN_ACTION_OWN_REMOVED;
    return has_target ? PEN_ACTION_SET : PEN_ACTION_REMOVED;
  case PEN_CAUSE_KPROBE:
    return draft->form == PEN_FORM_BREAKPOINT ? PEN_ACTION_SET : PEN_ACTION_REMOVED;
  case PEN_CAUSE_OPTPROBE:
    return draft->form == PEN_FORM_JUMP ? PEN_ACTION_SET : PEN_ACTION_REMOVED;
  case PEN_CAUSE_STATIC_CALL:
  case PEN_CAUSE_BPF:
    return has_target ? PEN_ACTION_SET : PEN_ACTION_REMOVED;
  case PEN_CAUSE_UNANNOUNCED:
  case PEN_CAUSE_UNKNOWN:
  case PEN_CAUSES:
  default:
    return PEN_ACTION_CHANGED;
  }
}

const PenBatch *
pen_poke_batches_finish (PenPokeBatches *self, guint *n)
{
  name_tracepoints (self);
  g_array_set_size (self->finished, 0);
  for (guint i = 0; i < self->drafts->len; i++) {
    Draft *draft = &g_array_index (self->drafts, Draft, i);

    draft->batch.action = find_action (draft);
    g_array_append_val (self->finished, draft->batch);
  }
  *n = self->finished->len;
  return (const PenBatch *) (gpointer) self->finished->data;
}
