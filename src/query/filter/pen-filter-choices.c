/* pen-filter-choices.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-choices.h"

#include <string.h>

#include "pen-display.h"
#include "pen-query-private.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"
#include "pen-table-hash.h"

/* A machine's; what a capture says about it is not believed beyond that. */
#define CPUS_MAX 4096

/* @shown: what is typed is looked for in it: fit to be shown, and case-folded */
typedef struct {
  char *value;
  char *shown;
} Choice;

struct _PenFilterChoices {
  GArray *parts[PEN_FILTER_LISTS]; /* (element-type Choice) */
};

/* The order in which parts are offered: those with few values first. */
static const PenFilterPart offered[] = {
  PEN_FILTER_KIND,     PEN_FILTER_CAUSE, PEN_FILTER_EVENT, PEN_FILTER_COMM,   PEN_FILTER_CPU,
  PEN_FILTER_OCCUPANT, PEN_FILTER_PID,   PEN_FILTER_BPF,   PEN_FILTER_SYMBOL,
};

static void
clear_choice (gpointer data)
{
  Choice *choice = data;

  g_free (choice->value);
  g_free (choice->shown);
}

static int
compare_choices (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Choice *) a)->shown, ((const Choice *) b)->shown);
}

static char *
fold (const char *value)
{
  g_autofree char *shown = pen_display_text (value);

  return g_utf8_casefold (shown, -1);
}

static void
add_choice (PenFilterChoices *self, PenFilterPart part, const char *value)
{
  Choice choice = { g_strdup (value), fold (value) };

  g_array_append_val (self->parts[part], choice);
}

static void
add_name (PenFilterChoices *self, GHashTable *seen, PenFilterPart part, const char *name)
{
  if (name && name[0] != '\0' && g_hash_table_add (seen, (gpointer) name))
    add_choice (self, part, name);
}

static void
add_number (PenFilterChoices *self, PenFilterPart part, gint64 number)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  add_choice (self, part, value);
}

static void
add_functions (PenFilterChoices *self, PenQuery *query)
{
  g_autoptr (GHashTable) symbols = g_hash_table_new (pen_str_hash, g_str_equal);
  g_autoptr (GHashTable) occupants = g_hash_table_new (pen_str_hash, g_str_equal);
  guint32 kinds = 0;

  for (guint i = 0; i < query->n_functions; i++) {
    const PenFunction *function = &query->functions[i];

    if (function->samples == 0 && function->changes == 0)
      continue;
    kinds |= 1u << function->kind;
    add_name (self, symbols, PEN_FILTER_SYMBOL, function->symbol);
    add_name (self, occupants, PEN_FILTER_OCCUPANT, function->occupant);
  }
  for (guint kind = 0; kind < PEN_KINDS; kind++) {
    if (kinds >> kind & 1)
      add_choice (self, PEN_FILTER_KIND, pen_kind_to_string (kind));
  }
}

static gboolean
add_tasks (PenFilterChoices *self, PenQuery *query, GError **error)
{
  g_autoptr (GHashTable) comms = g_hash_table_new (pen_str_hash, g_str_equal);
  g_autoptr (GHashTable) pids = g_hash_table_new (pen_direct_hash, NULL);

  if (!pen_query_load_threads (query, error))
    return FALSE;
  for (guint i = 0; i < query->n_threads; i++) {
    const PenThread *thread = &query->threads[i];

    add_name (self, comms, PEN_FILTER_COMM, thread->comm);
    if (thread->has_task && g_hash_table_add (pids, GINT_TO_POINTER (thread->pid)))
      add_number (self, PEN_FILTER_PID, thread->pid);
  }
  return TRUE;
}

static gboolean
add_causes (PenFilterChoices *self, PenQuery *query, GError **error)
{
  guint32 causes = 0;

  if (!pen_query_load_ticks (query, error))
    return FALSE;
  for (guint i = 0; i < query->ticks->len; i++)
    causes |= 1u << g_array_index (query->ticks, PenPokeTick, i).cause;
  for (guint cause = 0; cause < PEN_CAUSES; cause++) {
    if (causes >> cause & 1)
      add_choice (self, PEN_FILTER_CAUSE, pen_cause_to_string (cause));
  }
  return TRUE;
}

/* A program is found by its number, and by its name after it. */
typedef struct {
  PenFilterChoices *choices;
  GHashTable *seen;
} ProgramChoices;

static gboolean
add_program (const PenTenure *tenure, gpointer user_data)
{
  ProgramChoices *programs = user_data;
  Choice choice;
  g_autofree char *shown = NULL;

  if (tenure->bpf_id == 0 || !g_hash_table_add (programs->seen, GUINT_TO_POINTER (tenure->bpf_id)))
    return TRUE;
  shown = g_strdup_printf ("%u %s", tenure->bpf_id, tenure->occupant);
  choice = (Choice){ g_strdup_printf ("%u", tenure->bpf_id), fold (shown) };
  g_array_append_val (programs->choices->parts[PEN_FILTER_BPF], choice);
  return TRUE;
}

static gboolean
add_programs (PenFilterChoices *self, PenQuery *query, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_direct_hash, NULL);
  ProgramChoices programs = { self, seen };

  return pen_store_foreach_tenure (query->store, FALSE, add_program, &programs, error);
}

static void
add_cpus (PenFilterChoices *self, PenQuery *query)
{
  const char *online = pen_store_get_fact (query->store, "cpus_online");
  guint64 n = online ? g_ascii_strtoull (online, NULL, 10) : 0;

  for (guint64 cpu = 0; cpu < MIN (n, CPUS_MAX); cpu++)
    add_number (self, PEN_FILTER_CPU, (gint64) cpu);
}

void
pen_filter_choices_free (PenFilterChoices *self)
{
  for (guint part = 0; part < PEN_FILTER_LISTS; part++)
    g_array_unref (self->parts[part]);
  g_free (self);
}

PenFilterChoices *
pen_filter_choices_new (PenQuery *query, GError **error)
{
  g_autoptr (PenFilterChoices) self = g_new0 (PenFilterChoices, 1);
  g_autoptr (GHashTable) events = g_hash_table_new (pen_str_hash, g_str_equal);

  for (guint part = 0; part < PEN_FILTER_LISTS; part++) {
    self->parts[part] = g_array_new (FALSE, FALSE, sizeof (Choice));
    g_array_set_clear_func (self->parts[part], clear_choice);
  }
  if (!pen_query_load (query, error) || !add_tasks (self, query, error)
      || !add_causes (self, query, error) || !add_programs (self, query, error))
    return NULL;
  add_functions (self, query);
  for (guint i = 0; i < query->events->len; i++)
    add_name (self, events, PEN_FILTER_EVENT, ((PenStoreEvent *) query->events->pdata[i])->name);
  add_cpus (self, query);
  g_array_sort (self->parts[PEN_FILTER_COMM], compare_choices);
  g_array_sort (self->parts[PEN_FILTER_OCCUPANT], compare_choices);
  g_array_sort (self->parts[PEN_FILTER_SYMBOL], compare_choices);
  return g_steal_pointer (&self);
}

/* ---- matching ---- */

typedef struct {
  PenFilterChoices *choices;
  gboolean excluded;
  char *sought; /* case-folded */
  guint max;
  GPtrArray *found;
} Match;

static void
match_part (Match *match, PenFilterPart part, gboolean at_start)
{
  const GArray *choices = match->choices->parts[part];

  for (guint i = 0; i < choices->len && match->found->len < match->max; i++) {
    const Choice *choice = &g_array_index (choices, Choice, i);
    const char *place = strstr (choice->shown, match->sought);

    if (place && (place == choice->shown) == (at_start != FALSE))
      g_ptr_array_add (match->found, pen_filter_term_new (part, match->excluded, choice->value));
  }
}

GPtrArray *
pen_filter_choices_match (PenFilterChoices *self, const char *text, guint max)
{
  g_autofree char *typed = g_strstrip (g_strdup (text));
  gboolean excluded = typed[0] == '!';
  char *sought = g_strchug (typed + (excluded ? 1 : 0));
  char *colon = strchr (sought, ':');
  PenFilterPart part = PEN_FILTER_PARTS;
  g_autofree char *folded = NULL;
  Match match = { self, excluded, NULL, max, NULL };

  if (colon) {
    g_autofree char *word = g_strndup (sought, (gsize) (colon - sought));

    if (pen_filter_part_from_string (g_strstrip (word), &part))
      sought = g_strchug (colon + 1);
    if (part < PEN_FILTER_PARTS && sought[0] == '!') {
      match.excluded = TRUE;
      sought++;
    }
  } else if (pen_filter_part_from_string (sought, &part)) {
    sought += strlen (sought);
  }
  match.sought = folded = fold (sought);
  match.found = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_filter_term_free);
  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < G_N_ELEMENTS (offered); i++) {
      if (part == PEN_FILTER_PARTS || part == offered[i]
          || (part == PEN_FILTER_TID && offered[i] == PEN_FILTER_PID))
        match_part (&match, offered[i], pass == 0);
    }
  }
  return match.found;
}
