/* pen-listed-users.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-listed-users.h"

#include <string.h>

#include "pen-kernel-lists.h"
#include "pen-names.h"
#include "pen-placed-probes.h"
#include "pen-sightings.h"
#include "pen-table-hash.h"

/* Tracers with their instances that are told apart. */
#define MAX_TRACERS 64u
/* endbr64, before the place where ftrace patches. */
#define ENDBR 4u
#define BPF_TRAMPOLINE "bpf_trampoline_"
/* In a BPF trampoline's number: its function is of the kernel. */
#define OF_KERNEL 0x80000000u
#define CURRENT_TRACER "/current_tracer"
#define INSTANCES "/instances/"
#define LIVEPATCH "/sys/kernel/livepatch/"
#define SYSCTL "/proc/sys/"
#define OPTIMIZATION "debug/kprobes-optimization"
#define FTRACE_ENABLED "kernel/ftrace_enabled"

/* Functions that tracers have their trampolines call (kernel/trace/trace_functions.c, fgraph.c,
 * trace_irqsoff.c, trace_sched_wakeup.c). */
static const struct {
  const char *function;
  const char *tracer; /* beginning of its name */
} tracer_users[] = {
  { "function_trace_call", "function" },
  { "function_stack_trace_call", "function" },
  { "function_no_repeats_trace_call", "function" },
  { "function_stack_no_repeats_trace_call", "function" },
  { "ftrace_graph_func", "function_graph" },
  { "ftrace_graph_caller", "function_graph" },
  { "irqsoff_tracer_call", "irqsoff" },
  { "irqsoff_tracer_call", "preempt" },
  { "wakeup_tracer_call", "wakeup" },
};

/* Static keys that a switch of /proc/sys turns (kernel/sched/core.c, kernel/bpf/syscall.c,
 * kernel/delayacct.c). */
static const struct {
  const char *key;
  const char *path; /* below /proc/sys */
} key_switches[] = {
  { "sched_schedstats", "kernel/sched_schedstats" },
  { "bpf_stats_enabled_key", "kernel/bpf_stats_enabled" },
  { "delayacct_key", "kernel/task_delayacct" },
};

/*
 * PenListedUsers:
 * @linked: of BPF, by address; @trampolines: of BPF, by number; @called: of ftrace's trampolines,
 * by address: functions; @tracing: by tracer and instance; @patched: of live patches, by function
 * @tracers: those seen
 * @switches: path → value: of the lists before all pokes, and of the last
 */
struct _PenListedUsers {
  PenNames *names;
  GHashTable *programs; /* id → name */
  PenPlacedProbes *probes;
  PenSightings *linked;
  PenSightings *trampolines;
  PenSightings *called;
  PenSightings *tracing;
  PenSightings *patched;
  GPtrArray *tracers;
  GHashTable *switches[2];
};

PenListedUsers *
pen_listed_users_new (void)
{
  PenListedUsers *self = g_new0 (PenListedUsers, 1);

  self->names = pen_names_new ();
  self->programs = g_hash_table_new (pen_direct_hash, NULL);
  self->probes = pen_placed_probes_new (self->names);
  self->linked = pen_sightings_new (self->names);
  self->trampolines = pen_sightings_new (self->names);
  self->called = pen_sightings_new (self->names);
  self->tracing = pen_sightings_new (self->names);
  self->patched = pen_sightings_new (self->names);
  self->tracers = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (self->switches); i++)
    self->switches[i] = g_hash_table_new (pen_str_hash, g_str_equal);
  return self;
}

void
pen_listed_users_free (PenListedUsers *self)
{
  if (!self)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->switches); i++)
    g_hash_table_unref (self->switches[i]);
  g_ptr_array_unref (self->tracers);
  pen_placed_probes_free (self->probes);
  pen_sightings_free (self->linked);
  pen_sightings_free (self->trampolines);
  pen_sightings_free (self->called);
  pen_sightings_free (self->tracing);
  pen_sightings_free (self->patched);
  g_hash_table_unref (self->programs);
  pen_names_free (self->names);
  g_free (self);
}

void
pen_listed_users_name_program (PenListedUsers *self, guint32 id, const char *name)
{
  g_hash_table_replace (self->programs, GUINT_TO_POINTER (id),
                        (gpointer) pen_names_add (self->names, name));
}

/* ---- ftrace, live patches, switches ---- */

static void
take_called (guint64 trampoline, const char *function, gpointer user_data)
{
  PenListedUsers *self = user_data;

  pen_sightings_add_number (self->called, trampoline, function);
}

static void
take_tracer (const char *path, const char *value, gpointer user_data)
{
  PenListedUsers *self = user_data;
  const char *instance = strstr (path, INSTANCES);
  g_autofree char *name = NULL;
  const char *kept;

  if (!g_str_has_suffix (path, CURRENT_TRACER) || *value == '\0' || g_str_equal (value, "nop"))
    return;
  if (instance) {
    instance += strlen (INSTANCES);
    name = g_strdup_printf ("%s (%.*s)", value, (int) strcspn (instance, "/"), instance);
  } else {
    name = g_strdup (value);
  }
  kept = pen_names_add (self->names, name);
  if (!g_ptr_array_find (self->tracers, kept, NULL)) {
    if (self->tracers->len >= MAX_TRACERS)
      return;
    g_ptr_array_add (self->tracers, (gpointer) kept);
  }
  pen_sightings_add_word (self->tracing, kept, kept);
}

/* "/sys/kernel/livepatch/PATCH/OBJECT/FUNCTION,POSITION" */
static void
take_livepatch (const char *path, const char *value G_GNUC_UNUSED, gpointer user_data)
{
  PenListedUsers *self = user_data;
  g_auto (GStrv) parts
      = g_str_has_prefix (path, LIVEPATCH) ? g_strsplit (path + strlen (LIVEPATCH), "/", 4) : NULL;
  g_autofree char *name = NULL;
  char *comma;

  if (!parts || g_strv_length (parts) != 3 || !(comma = strrchr (parts[2], ',')))
    return;
  *comma = '\0';
  name = g_strdup_printf ("livepatch %s", parts[0]);
  pen_sightings_add_word (self->patched, parts[2], name);
}

typedef struct {
  PenListedUsers *self;
  GHashTable *switches;
} Switches;

static void
take_switch (const char *path, const char *value, gpointer user_data)
{
  const Switches *to = user_data;

  if (g_str_has_prefix (path, SYSCTL))
    g_hash_table_replace (to->switches,
                          (gpointer) pen_names_add (to->self->names, path + strlen (SYSCTL)),
                          (gpointer) pen_names_add (to->self->names, value));
}

/* ---- BPF ---- */

static void
take_program (const PenListedProgram *program, gpointer user_data)
{
  pen_listed_users_name_program (user_data, program->id, program->name);
}

static void
take_link (const PenListedProgram *link, gpointer user_data)
{
  PenListedUsers *self = user_data;
  const char *program = g_hash_table_lookup (self->programs, GUINT_TO_POINTER (link->id));
  g_autofree char *name = program ? g_strdup_printf ("%s %s (id %u)", link->kind, program, link->id)
                                  : g_strdup_printf ("%s (id %u)", link->kind, link->id);

  if (link->target != 0)
    pen_sightings_add_number (self->trampolines, link->target, name);
  if (link->address != 0)
    pen_sightings_add_number (self->linked, link->address, name);
}

/* ---- reading ---- */

typedef enum {
  LIST_PROBES,
  LIST_EVENTS,
  LIST_FUNCTIONS,
  LIST_TRACERS,
  LIST_LIVEPATCH,
  LIST_SWITCHES,
  LIST_PROGRAMS,
  LIST_LINKS,
  LISTS,
} List;

static const char *const lists[LISTS + 1] = {
  [LIST_PROBES] = "kprobes",
  [LIST_EVENTS] = "kprobe_events",
  [LIST_FUNCTIONS] = "enabled_functions",
  [LIST_TRACERS] = "tracers",
  [LIST_LIVEPATCH] = "livepatch",
  [LIST_SWITCHES] = "switches",
  [LIST_PROGRAMS] = "programs",
  [LIST_LINKS] = "links",
};

const char *const *
pen_listed_users_get_lists (void)
{
  return lists;
}

static List
find_list (const char *name)
{
  List list = 0;

  while (list < LISTS && !g_str_equal (lists[list], name))
    list++;
  return list;
}

guint
pen_listed_users_read (PenListedUsers *self, const char *list, guint64 begun, guint64 ended,
                       PenLineReader *lines, guint n)
{
  Switches switches = { self, self->switches[begun == 0 ? 0 : 1] };

  switch (find_list (list)) {
  case LIST_PROBES:
    return pen_placed_probes_read (self->probes, begun, lines, n);
  case LIST_EVENTS:
    return pen_placed_probes_read_events (self->probes, begun, ended, lines, n);
  case LIST_FUNCTIONS:
    pen_sightings_begin (self->called, begun, ended);
    return pen_kernel_list_trampolines (lines, n, take_called, self);
  case LIST_TRACERS:
    pen_sightings_begin (self->tracing, begun, ended);
    return pen_kernel_list_values (lines, n, take_tracer, self);
  case LIST_LIVEPATCH:
    pen_sightings_begin (self->patched, begun, ended);
    return pen_kernel_list_values (lines, n, take_livepatch, self);
  case LIST_SWITCHES:
    return pen_kernel_list_values (lines, n, take_switch, &switches);
  case LIST_PROGRAMS:
    return pen_kernel_list_programs (lines, n, take_program, self);
  case LIST_LINKS:
    pen_sightings_begin (self->trampolines, begun, ended);
    pen_sightings_begin (self->linked, begun, ended);
    return pen_kernel_list_links (lines, n, take_link, self);
  case LISTS:
  default:
    return 0;
  }
}

void
pen_listed_users_repeat (PenListedUsers *self, const char *list, guint64 begun, guint64 ended)
{
  switch (find_list (list)) {
  case LIST_PROBES:
    pen_placed_probes_repeat (self->probes, begun);
    break;
  case LIST_EVENTS:
    pen_placed_probes_repeat_events (self->probes, begun, ended);
    break;
  case LIST_FUNCTIONS:
    pen_sightings_repeat (self->called, begun, ended);
    break;
  case LIST_TRACERS:
    pen_sightings_repeat (self->tracing, begun, ended);
    break;
  case LIST_LIVEPATCH:
    pen_sightings_repeat (self->patched, begun, ended);
    break;
  case LIST_LINKS:
    pen_sightings_repeat (self->trampolines, begun, ended);
    pen_sightings_repeat (self->linked, begun, ended);
    break;
  case LIST_SWITCHES:
  case LIST_PROGRAMS:
  case LISTS:
  default:
    break;
  }
}

/* ---- a poke ---- */

static gboolean
sets_something (const PenPoke *poke)
{
  return poke->after.form == PEN_FORM_CALL || poke->after.form == PEN_FORM_JUMP
         || poke->after.form == PEN_FORM_BREAKPOINT;
}

static const char *
find_at (PenListedUsers *self, guint64 address, const PenSightingSpan *span)
{
  const char *event
      = pen_sightings_find_number (pen_placed_probes_get (self->probes), address, span);
  const char *link = pen_sightings_find_number (self->linked, address, span);

  return event && link ? pen_sightings_join (self->names, event, link) : event ? event : link;
}

/* A function has its address in BPF's lists; the patch is after its endbr64. */
static const char *
find_probe (PenListedUsers *self, const PenPoke *poke, const PenSightingSpan *span)
{
  const char *names = find_at (self, poke->address, span);

  return names || !poke->is_at_entry ? names : find_at (self, poke->address - ENDBR, span);
}

/* "function" is no "function_graph", but "wakeup" may be a "wakeup_rt". */
static gboolean
is_tracer (const char *name, const char *function)
{
  for (guint i = 0; i < G_N_ELEMENTS (tracer_users); i++) {
    const char *tracer = tracer_users[i].tracer;
    gsize n = strlen (tracer);

    if (g_str_equal (tracer_users[i].function, function) && strncmp (name, tracer, n) == 0
        && (!g_str_equal (tracer, "function") || name[n] == '\0' || name[n] == ' '))
      return TRUE;
  }
  return FALSE;
}

/* Those of the nearest list that has any. */
static const char *
find_tracer (PenListedUsers *self, const char *function, const PenSightingSpan *span)
{
  const char *names = NULL;
  guint64 distance = G_MAXUINT64;

  for (guint i = 0; i < self->tracers->len; i++) {
    const char *name = self->tracers->pdata[i];
    g_autofree char *text = NULL;
    guint64 away;
    guint64 begun;

    if (!is_tracer (name, function) || !pen_sightings_find_word (self->tracing, name, span, &begun))
      continue;
    away = begun > span->time ? begun - span->time : span->time - begun;
    if (away > distance)
      continue;
    text = g_strconcat ("tracer ", name, NULL);
    names = pen_sightings_join (self->names, away == distance ? names : NULL, text);
    distance = away;
  }
  return names;
}

static const char *
find_ftrace (PenListedUsers *self, const PenPoke *poke, const char *entry,
             const PenSightingSpan *span)
{
  const char *user = poke->after.user ? poke->after.user : poke->before.user;
  const char *names = user ? find_tracer (self, user, span) : NULL;

  if (names || !user)
    return names;
  if (g_str_equal (user, "kprobe_ftrace_handler"))
    return find_probe (self, poke, span);
  if (!g_str_has_prefix (user, "fprobe_"))
    return NULL;
  names = entry ? pen_sightings_find_word (pen_placed_probes_get (self->probes), entry, span, NULL)
                : NULL;
  return names ? names : find_probe (self, poke, span);
}

/* By the number in a trampoline's name. */
static const char *
find_link (PenListedUsers *self, const char *target, const PenSightingSpan *span)
{
  guint64 number;

  if (!target || !g_str_has_prefix (target, BPF_TRAMPOLINE))
    return NULL;
  number = g_ascii_strtoull (target + strlen (BPF_TRAMPOLINE), NULL, 10) & ~(guint64) OF_KERNEL;
  return pen_sightings_find_number (self->trampolines, number, span);
}

static const char *
find_bpf (PenListedUsers *self, const PenPoke *poke, const PenSightingSpan *span)
{
  const char *names = find_link (self, poke->after.target, span);

  names = names ? names : find_link (self, poke->before.target, span);
  return names ? names : find_link (self, poke->site, span);
}

static const char *
find_listed (PenListedUsers *self, const PenPoke *poke, const char *entry,
             const PenSightingSpan *span)
{
  switch (poke->cause) {
  case PEN_CAUSE_KPROBE:
  case PEN_CAUSE_OPTPROBE:
    return find_probe (self, poke, span);
  case PEN_CAUSE_FTRACE:
    return find_ftrace (self, poke, entry, span);
  case PEN_CAUSE_LIVEPATCH:
    return entry ? pen_sightings_find_word (self->patched, entry, span, NULL) : NULL;
  case PEN_CAUSE_BPF:
    return find_bpf (self, poke, span);
  case PEN_CAUSE_STATIC_KEY:
  case PEN_CAUSE_STATIC_CALL:
  case PEN_CAUSE_UNANNOUNCED:
  case PEN_CAUSE_UNKNOWN:
  case PEN_CAUSES:
  default:
    return NULL;
  }
}

/* "sysctl kernel.sched_schedstats 0 → 1"; the values where they differ */
static const char *
describe_switch (PenListedUsers *self, const char *path)
{
  const char *before = g_hash_table_lookup (self->switches[0], path);
  const char *after = g_hash_table_lookup (self->switches[1], path);
  g_autofree char *name = g_strdelimit (g_strdup (path), "/", '.');
  g_autofree char *text = NULL;

  if (!before && !after)
    return NULL;
  text = before && after && !g_str_equal (before, after)
             ? g_strdup_printf ("sysctl %s %s → %s", name, before, after)
             : g_strdup_printf ("sysctl %s", name);
  return pen_names_add (self->names, text);
}

static const char *
find_key (PenListedUsers *self, const char *key)
{
  for (guint i = 0; key && i < G_N_ELEMENTS (key_switches); i++)
    if (g_str_equal (key_switches[i].key, key))
      return describe_switch (self, key_switches[i].path);
  return NULL;
}

/* All jumps of probes, or all calls of ftrace, came or went with it. */
static const char *
find_turned (PenListedUsers *self, const PenPoke *poke)
{
  const char *path = poke->cause == PEN_CAUSE_OPTPROBE ? OPTIMIZATION
                     : poke->cause == PEN_CAUSE_FTRACE ? FTRACE_ENABLED
                                                       : NULL;
  const char *before = path ? g_hash_table_lookup (self->switches[0], path) : NULL;
  const char *after = path ? g_hash_table_lookup (self->switches[1], path) : NULL;

  if (!before || !after || g_str_equal (before, after)
      || g_str_equal (after, "0") == sets_something (poke))
    return NULL;
  return describe_switch (self, path);
}

const char *
pen_listed_users_find (PenListedUsers *self, const PenPoke *poke, const char *entry, guint64 since,
                       guint64 until)
{
  const PenSightingSpan span = { since, poke->moment.time, until, sets_something (poke) };
  const char *names = find_listed (self, poke, entry, &span);

  if (!names && poke->cause == PEN_CAUSE_STATIC_KEY)
    names = find_key (self, poke->key);
  return names ? names : find_turned (self, poke);
}

const char *
pen_listed_users_find_called (PenListedUsers *self, guint64 address, guint64 since, guint64 until)
{
  const PenSightingSpan span = { since, since, until, TRUE };

  return pen_sightings_find_number (self->called, address, &span);
}
