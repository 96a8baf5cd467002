/* pen-purposes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-purposes.h"

#include <stdlib.h>
#include <string.h>

#include "pen-kernel-lists.h"
#include "pen-names.h"
#include "pen-reason.h"
#include "pen-table-hash.h"

/* Of one patch; more tell nothing. */
#define MAX_NAMES 8u
/* endbr64, before the place where ftrace and probes patch. */
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

/* A probe, and what is told of it. */
typedef struct {
  guint64 address;
  guint64 offset;
  char type;
} Probe;

/*
 * Lists: those of one moment
 * @probes: symbol → (element-type Probe): of kprobes/list
 * @by_address: guint64 → names; @by_function: of fprobes and live patches; @by_trampoline: of BPF,
 * by number; @users: of ftrace's trampolines: guint64 → function
 * @tracers: names, joined; @switches: path → value
 */
typedef struct {
  GHashTable *probes;
  GHashTable *by_address;
  GHashTable *by_function;
  GHashTable *by_patched;
  GHashTable *by_trampoline;
  GHashTable *users;
  GHashTable *switches;
  GPtrArray *tracers;
} Lists;

struct _PenPurposes {
  PenLoadedSources *sources;
  PenNames *names;
  GHashTable *programs; /* id → name */
  Lists lists[2];       /* of the start, of the end */
};

/* What is read from one file. */
typedef struct {
  PenPurposes *self;
  Lists *lists;
} Reading;

/* ---- names by a key ---- */

static GHashTable *
new_by_number (void)
{
  return g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
}

/* Returns: @names, and @name if it is new */
static const char *
join_names (PenPurposes *self, const char *names, const char *name)
{
  g_auto (GStrv) words = names ? g_strsplit (names, ", ", -1) : NULL;
  g_autofree char *joined = NULL;

  if (!names)
    return pen_names_add (self->names, name);
  if (g_strv_contains ((const char *const *) words, name) || g_strv_length (words) >= MAX_NAMES)
    return names;
  joined = g_strconcat (names, ", ", name, NULL);
  return pen_names_add (self->names, joined);
}

static void
add_by_number (PenPurposes *self, GHashTable *table, guint64 number, const char *name)
{
  const char *names = g_hash_table_lookup (table, &number);

  g_hash_table_replace (table, g_memdup2 (&number, sizeof number),
                        (gpointer) join_names (self, names, name));
}

static void
add_by_name (PenPurposes *self, GHashTable *table, const char *key, const char *name)
{
  const char *kept = pen_names_add (self->names, key);

  g_hash_table_replace (table, (gpointer) kept,
                        (gpointer) join_names (self, g_hash_table_lookup (table, kept), name));
}

/* ---- probes ---- */

static void
take_probe (const PenListedProbe *listed, gpointer user_data)
{
  const Reading *reading = user_data;
  Probe probe = { listed->address, listed->offset, listed->type };
  GArray *probes;

  if (!listed->symbol || listed->address == 0)
    return;
  probes = g_hash_table_lookup (reading->lists->probes, listed->symbol);
  if (!probes) {
    probes = g_array_new (FALSE, FALSE, sizeof (Probe));
    g_hash_table_insert (reading->lists->probes,
                         (gpointer) pen_names_add (reading->self->names, listed->symbol), probes);
  }
  g_array_append_val (probes, probe);
}

/* A probe at the beginning of a function is after its endbr64. */
static gboolean
is_of_event (const Probe *probe, const PenListedProbe *event)
{
  gboolean is_return = event->type == 'r';

  return (probe->type == 'r') == is_return
         && (probe->offset == event->offset || (event->offset == 0 && probe->offset == ENDBR));
}

static void
take_event (const PenListedProbe *event, gpointer user_data)
{
  const Reading *reading = user_data;
  PenPurposes *self = reading->self;
  g_autofree char *name = g_strdup_printf ("%s %s",
                                           event->type == 'f'   ? "fprobe"
                                           : event->type == 'r' ? "kretprobe"
                                                                : "kprobe",
                                           event->event);
  const GArray *probes
      = event->symbol ? g_hash_table_lookup (reading->lists->probes, event->symbol) : NULL;

  if (event->type == 'f' && event->symbol)
    add_by_name (self, reading->lists->by_function, event->symbol, name);
  else if (!event->symbol)
    add_by_number (self, reading->lists->by_address, event->address, name);
  for (guint i = 0; probes && i < probes->len; i++) {
    const Probe *probe = &g_array_index (probes, Probe, i);

    if (is_of_event (probe, event))
      add_by_number (self, reading->lists->by_address, probe->address, name);
  }
}

/* ---- ftrace, live patches, switches ---- */

static void
take_user (guint64 trampoline, const char *user, gpointer user_data)
{
  const Reading *reading = user_data;

  g_hash_table_replace (reading->lists->users, g_memdup2 (&trampoline, sizeof trampoline),
                        (gpointer) pen_names_add (reading->self->names, user));
}

static void
take_tracer (const char *path, const char *value, gpointer user_data)
{
  const Reading *reading = user_data;
  const char *instance = strstr (path, INSTANCES);
  g_autofree char *name = NULL;

  if (!g_str_has_suffix (path, CURRENT_TRACER) || *value == '\0' || g_str_equal (value, "nop"))
    return;
  if (instance) {
    instance += strlen (INSTANCES);
    name = g_strdup_printf ("%s (%.*s)", value, (int) strcspn (instance, "/"), instance);
  } else {
    name = g_strdup (value);
  }
  g_ptr_array_add (reading->lists->tracers, (gpointer) pen_names_add (reading->self->names, name));
}

/* "/sys/kernel/livepatch/PATCH/OBJECT/FUNCTION,POSITION" */
static void
take_livepatch (const char *path, const char *value G_GNUC_UNUSED, gpointer user_data)
{
  const Reading *reading = user_data;
  g_auto (GStrv) parts
      = g_str_has_prefix (path, LIVEPATCH) ? g_strsplit (path + strlen (LIVEPATCH), "/", 4) : NULL;
  g_autofree char *name = NULL;
  char *comma;

  if (!parts || g_strv_length (parts) != 3 || !(comma = strrchr (parts[2], ',')))
    return;
  *comma = '\0';
  name = g_strdup_printf ("livepatch %s", parts[0]);
  add_by_name (reading->self, reading->lists->by_patched, parts[2], name);
}

static void
take_switch (const char *path, const char *value, gpointer user_data)
{
  const Reading *reading = user_data;

  if (g_str_has_prefix (path, SYSCTL))
    g_hash_table_replace (reading->lists->switches,
                          (gpointer) pen_names_add (reading->self->names, path + strlen (SYSCTL)),
                          (gpointer) pen_names_add (reading->self->names, value));
}

/* ---- BPF ---- */

static void
take_program (const PenListedProgram *program, gpointer user_data)
{
  const Reading *reading = user_data;

  g_hash_table_replace (reading->self->programs, GUINT_TO_POINTER (program->id),
                        (gpointer) pen_names_add (reading->self->names, program->name));
}

static void
take_link (const PenListedProgram *link, gpointer user_data)
{
  const Reading *reading = user_data;
  const char *program = g_hash_table_lookup (reading->self->programs, GUINT_TO_POINTER (link->id));
  g_autofree char *name = program ? g_strdup_printf ("%s %s (id %u)", link->kind, program, link->id)
                                  : g_strdup_printf ("%s (id %u)", link->kind, link->id);

  if (link->target != 0)
    add_by_number (reading->self, reading->lists->by_trampoline, link->target, name);
  if (link->address != 0)
    add_by_number (reading->self, reading->lists->by_address, link->address, name);
}

/* ---- reading ---- */

static void
note_skipped (PenPurposes *self, const char *path, guint skipped)
{
  g_autofree char *count = g_strdup_printf ("%u", skipped);
  g_autofree char *reason = NULL;

  if (skipped == 0)
    return;
  reason = pen_reason_new (PEN_REASON_LINES_SKIPPED, path, count, NULL);
  pen_loaded_sources_add_problem (self->sources, path, reason);
}

static guint
read_list (const char *name, const char *path, Reading *reading)
{
  if (g_str_equal (name, "kprobes"))
    return pen_kernel_list_probes (path, take_probe, reading);
  if (g_str_equal (name, "kprobe_events"))
    return pen_kernel_list_probe_events (path, take_event, reading);
  if (g_str_equal (name, "enabled_functions"))
    return pen_kernel_list_trampolines (path, take_user, reading);
  if (g_str_equal (name, "tracers"))
    return pen_kernel_list_values (path, take_tracer, reading);
  if (g_str_equal (name, "livepatch"))
    return pen_kernel_list_values (path, take_livepatch, reading);
  if (g_str_equal (name, "switches"))
    return pen_kernel_list_values (path, take_switch, reading);
  if (g_str_equal (name, "programs"))
    return pen_kernel_list_programs (path, take_program, reading);
  return pen_kernel_list_links (path, take_link, reading);
}

/* Places of probes before their events, names of programs before their links. */
static void
read_moment (PenPurposes *self, guint moment)
{
  static const char *const names[] = { "kprobes",   "kprobe_events", "enabled_functions", "tracers",
                                       "livepatch", "switches",      "programs",          "links" };
  Reading reading = { self, &self->lists[moment] };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = pen_recorder_files_find (self->sources->recorder,
                                                     moment == 0 ? "start" : "end", names[i]);

    if (path)
      note_skipped (self, path, read_list (names[i], path, &reading));
  }
}

static void
lists_init (Lists *lists)
{
  lists->probes
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  lists->by_address = new_by_number ();
  lists->by_trampoline = new_by_number ();
  lists->users = new_by_number ();
  lists->by_function = g_hash_table_new (pen_str_hash, g_str_equal);
  lists->by_patched = g_hash_table_new (pen_str_hash, g_str_equal);
  lists->switches = g_hash_table_new (pen_str_hash, g_str_equal);
  lists->tracers = g_ptr_array_new ();
}

static void
lists_clear (Lists *lists)
{
  g_hash_table_unref (lists->probes);
  g_hash_table_unref (lists->by_address);
  g_hash_table_unref (lists->by_trampoline);
  g_hash_table_unref (lists->users);
  g_hash_table_unref (lists->by_function);
  g_hash_table_unref (lists->by_patched);
  g_hash_table_unref (lists->switches);
  g_ptr_array_unref (lists->tracers);
}

PenPurposes *
pen_purposes_new (PenLoadedSources *sources, const PenFeatures *features)
{
  PenPurposes *self = g_new0 (PenPurposes, 1);

  self->sources = sources;
  self->names = pen_names_new ();
  self->programs = g_hash_table_new (pen_direct_hash, NULL);
  for (guint i = 0; features->bpf_programs && i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    if (program->name[0] != '\0')
      g_hash_table_insert (self->programs, GUINT_TO_POINTER (program->id),
                           (gpointer) pen_names_add (self->names, program->name));
  }
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++) {
    lists_init (&self->lists[i]);
    read_moment (self, i);
  }
  return self;
}

void
pen_purposes_free (PenPurposes *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    lists_clear (&self->lists[i]);
  g_hash_table_unref (self->programs);
  pen_names_free (self->names);
  g_free (self);
}

/* ---- a poke ---- */

static gboolean
sets_something (const PenPoke *poke)
{
  return poke->after.form == PEN_FORM_CALL || poke->after.form == PEN_FORM_JUMP
         || poke->after.form == PEN_FORM_BREAKPOINT;
}

/* A function has its address in BPF's lists; the patch is after its endbr64. */
static const char *
find_probe (const Lists *lists, const PenPoke *poke)
{
  guint64 before = poke->address - ENDBR;
  const char *names = g_hash_table_lookup (lists->by_address, &poke->address);

  return names || !poke->is_at_entry ? names : g_hash_table_lookup (lists->by_address, &before);
}

static const char *
find_tracer (PenPurposes *self, const Lists *lists, const char *user)
{
  const char *names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tracer_users); i++) {
    const char *tracer = tracer_users[i].tracer;
    gsize n = strlen (tracer);

    if (!g_str_equal (tracer_users[i].function, user))
      continue;
    for (guint k = 0; k < lists->tracers->len; k++) {
      const char *name = lists->tracers->pdata[k];
      g_autofree char *text = g_strconcat ("tracer ", name, NULL);

      /* "function" is no "function_graph", but "wakeup" may be a "wakeup_rt". */
      if (strncmp (name, tracer, n) == 0
          && (!g_str_equal (tracer, "function") || name[n] == '\0' || name[n] == ' '))
        names = join_names (self, names, text);
    }
  }
  return names;
}

static const char *
find_ftrace (PenPurposes *self, const Lists *lists, const PenPoke *poke, const char *entry)
{
  const char *user = poke->after.user ? poke->after.user : poke->before.user;
  const char *names = user ? find_tracer (self, lists, user) : NULL;

  if (names || !user)
    return names;
  if (g_str_equal (user, "kprobe_ftrace_handler"))
    return find_probe (lists, poke);
  if (!g_str_has_prefix (user, "fprobe_"))
    return NULL;
  names = entry ? g_hash_table_lookup (lists->by_function, entry) : NULL;
  return names ? names : find_probe (lists, poke);
}

/* By the number in a trampoline's name. */
static const char *
find_link (const Lists *lists, const char *target)
{
  guint64 number;

  if (!target || !g_str_has_prefix (target, BPF_TRAMPOLINE))
    return NULL;
  number = g_ascii_strtoull (target + strlen (BPF_TRAMPOLINE), NULL, 10) & ~(guint64) OF_KERNEL;
  return g_hash_table_lookup (lists->by_trampoline, &number);
}

static const char *
find_bpf (const Lists *lists, const PenPoke *poke)
{
  const char *names = find_link (lists, poke->after.target);

  names = names ? names : find_link (lists, poke->before.target);
  return names ? names : find_link (lists, poke->site);
}

static const char *
find_in (PenPurposes *self, const Lists *lists, const PenPoke *poke, const char *entry)
{
  switch (poke->cause) {
  case PEN_CAUSE_KPROBE:
  case PEN_CAUSE_OPTPROBE:
    return find_probe (lists, poke);
  case PEN_CAUSE_FTRACE:
    return find_ftrace (self, lists, poke, entry);
  case PEN_CAUSE_LIVEPATCH:
    return entry ? g_hash_table_lookup (lists->by_patched, entry) : NULL;
  case PEN_CAUSE_BPF:
    return find_bpf (lists, poke);
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
describe_switch (PenPurposes *self, const char *path)
{
  const char *before = g_hash_table_lookup (self->lists[0].switches, path);
  const char *after = g_hash_table_lookup (self->lists[1].switches, path);
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
find_key (PenPurposes *self, const char *key)
{
  for (guint i = 0; key && i < G_N_ELEMENTS (key_switches); i++)
    if (g_str_equal (key_switches[i].key, key))
      return describe_switch (self, key_switches[i].path);
  return NULL;
}

/* All jumps of probes, or all calls of ftrace, came or went with it. */
static const char *
find_turned (PenPurposes *self, const PenPoke *poke)
{
  const char *path = poke->cause == PEN_CAUSE_OPTPROBE ? OPTIMIZATION
                     : poke->cause == PEN_CAUSE_FTRACE ? FTRACE_ENABLED
                                                       : NULL;
  const char *before = path ? g_hash_table_lookup (self->lists[0].switches, path) : NULL;
  const char *after = path ? g_hash_table_lookup (self->lists[1].switches, path) : NULL;

  if (!before || !after || g_str_equal (before, after)
      || g_str_equal (after, "0") == sets_something (poke))
    return NULL;
  return describe_switch (self, path);
}

const char *
pen_purposes_find (PenPurposes *self, const PenPoke *poke, const char *entry, PenListed listed)
{
  guint first = sets_something (poke) ? 1 : 0;
  const char *names = NULL;

  for (guint i = 0; i < 2 && !names; i++) {
    guint moment = first ^ i;

    if (listed & (moment == 0 ? PEN_LISTED_START : PEN_LISTED_END))
      names = find_in (self, &self->lists[moment], poke, entry);
  }
  if (!names && poke->cause == PEN_CAUSE_STATIC_KEY)
    names = find_key (self, poke->key);
  return names ? names : find_turned (self, poke);
}

const char *
pen_purposes_find_user (PenPurposes *self, guint64 address, gboolean is_end)
{
  return g_hash_table_lookup (self->lists[is_end ? 1 : 0].users, &address);
}
