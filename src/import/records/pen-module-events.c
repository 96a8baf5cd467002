/* pen-module-events.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-events.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-kernel-release.h"
#include "pen-module-space.h"
#include "pen-table-hash.h"
#include "pen-tracepoint.h"

/* No machine loads so many; a module's name has 56 bytes at most. */
#define MAX_EVENTS 65536u
#define PAGE 4096u
/* Payloads of events whose formats come later, and may turn out to be modules'. */
#define MAX_UNDECIDED 16384u
#define MAX_PAYLOAD 256u
/* Everything that the kernel maps page by page is allocated so. */
#define MAX_ALLOCATIONS 1000000u
#define TAINT_LIVEPATCH 15

typedef enum {
  ROLE_UNDECIDED, /* formats have not come yet, and the name tells nothing */
  ROLE_NONE,
  ROLE_LOAD,
  ROLE_FREE,
  ROLE_ALLOCATION,
  ROLE_PLACE, /* a probe of the user's that has a module's name and place */
} Role;

typedef struct {
  guint64 id; /* of the tracepoint */
  PenOrigin origin;
  Role role;
  GBytes *payload;
  char *module; /* NULL: not known */
  gboolean is_livepatch;
} ModuleEvent;

struct _PenModuleEvents {
  const PenFeatures *features;
  GArray *events;
  GPtrArray *loads; /* ModuleEvent, by task and time; NULL: not sorted yet */
  guint undecided;
  guint allocations;
  guint others;
  guint64 dropped;

  GBytes *blob; /* borrowed: what @tracing was parsed of */
  PenTracingData *tracing;
  const PenAttr *last; /* and what it was found to be */
  Role last_role;
};

static void
clear_event (gpointer data)
{
  ModuleEvent *event = data;

  g_clear_pointer (&event->payload, g_bytes_unref);
  g_clear_pointer (&event->module, g_free);
}

PenModuleEvents *
pen_module_events_new (const PenFeatures *features)
{
  PenModuleEvents *self = g_new0 (PenModuleEvents, 1);

  self->features = features;
  self->events = g_array_new (FALSE, FALSE, sizeof (ModuleEvent));
  g_array_set_clear_func (self->events, clear_event);
  return self;
}

void
pen_module_events_free (PenModuleEvents *self)
{
  g_clear_pointer (&self->tracing, pen_tracing_data_free);
  g_clear_pointer (&self->loads, g_ptr_array_unref);
  g_array_unref (self->events);
  g_free (self);
}

/* An event's name may have modifiers after it. */
static gboolean
is_named (const PenAttr *attr, const char *name)
{
  gsize n = strlen (name);

  return attr->name && strncmp (attr->name, name, n) == 0
         && (attr->name[n] == '\0' || attr->name[n] == ':' || attr->name[n] == '/');
}

static Role
role_by_name (const PenAttr *attr)
{
  if (is_named (attr, "module:module_load"))
    return ROLE_LOAD;
  if (is_named (attr, "vmalloc:alloc_vmap_area"))
    return ROLE_ALLOCATION;
  return is_named (attr, "module:module_free") ? ROLE_FREE : ROLE_UNDECIDED;
}

/* The first line of a format is its name (include/trace/trace_events.h, and tracefs). */
static Role
role_by_format (const PenTracepointFormat *format)
{
  static const struct {
    const char *system; /* NULL: the user named it */
    const char *name;
    Role role;
  } roles[] = {
    { "module", "name: module_load\n", ROLE_LOAD },
    { "module", "name: module_free\n", ROLE_FREE },
    { "vmalloc", "name: alloc_vmap_area\n", ROLE_ALLOCATION },
    { NULL, "name: do_init_module", ROLE_PLACE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    if ((!roles[i].system || g_strcmp0 (format->system, roles[i].system) == 0)
        && g_str_has_prefix (format->text, roles[i].name))
      return roles[i].role;
  return ROLE_NONE;
}

/* The id is what the kernel recorded; a name is what the user called it, and may be missing. */
static Role
find_role (guint64 id, Role by_name, PenTracingData *tracing)
{
  const PenTracepointFormat *format = tracing ? pen_tracing_data_find (tracing, id) : NULL;

  if (format)
    return role_by_format (format);
  return tracing && by_name == ROLE_UNDECIDED ? ROLE_NONE : by_name;
}

static Role
get_role (PenModuleEvents *self, const PenAttr *attr)
{
  if (self->features->tracing_data != self->blob) {
    self->blob = self->features->tracing_data;
    g_clear_pointer (&self->tracing, pen_tracing_data_free);
    self->tracing = pen_tracing_data_parse (self->blob);
    self->last = NULL;
  }

  if (self->last != attr) {
    self->last = attr;
    self->last_role = find_role (attr->config, role_by_name (attr), self->tracing);
  }
  return self->last_role;
}

/* @event: has its role; else nothing but its origin */
static gboolean
has_room (PenModuleEvents *self, const ModuleEvent *event)
{
  if (event->role == ROLE_UNDECIDED && self->undecided >= MAX_UNDECIDED)
    return FALSE;
  return event->role == ROLE_ALLOCATION ? self->allocations < MAX_ALLOCATIONS
                                        : self->others < MAX_EVENTS;
}

static void
keep_event (PenModuleEvents *self, ModuleEvent *event, const PenRecord *sample)
{
  event->payload = g_bytes_new (sample->sample.raw, sample->sample.raw_length);
  g_array_append_vals (self->events, event, 1);
  self->undecided += event->role == ROLE_UNDECIDED;
  if (event->role == ROLE_ALLOCATION)
    self->allocations++;
  else
    self->others++;
}

guint64
pen_module_events_get_dropped (PenModuleEvents *self)
{
  return self->dropped;
}

void
pen_module_events_add (PenModuleEvents *self, const PenRecord *sample, const PenAttr *attr,
                       PenRecordBudget *budget)
{
  ModuleEvent event = {
    .id = attr->config,
    .origin = {
      .moment = pen_moment (sample->time, sample->position),
      .time = sample->time,
      .has_time = (sample->has & PEN_HAS_TIME) != 0,
      .has_task = (sample->has & PEN_HAS_TASK) != 0,
      .pid = sample->pid,
      .tid = sample->tid,
      .cpu = (sample->has & PEN_HAS_CPU) != 0 ? sample->cpu : G_MAXUINT32,
    },
  };

  if (attr->type != PEN_ATTR_TYPE_TRACEPOINT || (sample->has & PEN_HAS_RAW) == 0
      || sample->sample.raw_length > MAX_PAYLOAD)
    return;

  event.role = get_role (self, attr);
  if (event.role == ROLE_NONE)
    return;
  if (has_room (self, &event)
      && pen_record_budget_take_module_event (budget, sample->sample.raw_length))
    keep_event (self, &event, sample);
  else
    self->dropped += event.role != ROLE_UNDECIDED;
}

/* Formats are few, and events many. */
static PenTracepoint *
get_tracepoint (GHashTable *tracepoints, guint64 id, PenTracingData *tracing)
{
  gpointer known;
  const PenTracepointFormat *format;
  PenTracepoint *tracepoint = NULL;

  if (g_hash_table_lookup_extended (tracepoints, &id, NULL, &known))
    return known;
  format = tracing ? pen_tracing_data_find (tracing, id) : NULL;
  if (format)
    tracepoint = pen_tracepoint_new (format->system, format->text, tracing->big_endian,
                                     tracing->long_size, NULL);
  g_hash_table_insert (tracepoints, g_memdup2 (&id, sizeof id), tracepoint);
  return tracepoint;
}

/* @start, @length: in fields of these names */
static gboolean
find_range (const ModuleEvent *event, PenTracepoint *tracepoint, const char *start_field,
            const char *length_field, guint64 *start, guint64 *length)
{
  gsize n;
  const guint8 *payload = g_bytes_get_data (event->payload, &n);

  return tracepoint && pen_tracepoint_get_number (tracepoint, start_field, payload, n, start)
         && pen_tracepoint_get_number (tracepoint, length_field, payload, n, length) && *length > 0;
}

/* The probed function ends a load, and its task has passed module_load then: where that was not
 * recorded, the load is what the probe shows. */
static void
add_place (PenModuleEvents *self, const ModuleEvent *event, PenTracepoint *tracepoint,
           PenHistory *history)
{
  PenModuleSighting sighting = { .module = event->module, .evidence = PEN_EVIDENCE_RECORDED };
  PenOrigin origin = event->origin;
  const char *loaded
      = origin.has_task ? pen_module_events_find_load (self, origin.tid, origin.moment) : NULL;

  if (!event->module
      || !find_range (event, tracepoint, "base", "size", &sighting.start, &sighting.length))
    return;
  if (g_strcmp0 (loaded, event->module) != 0 && origin.moment.position > 0) {
    origin.moment.position--;
    pen_history_add_module (history, &origin, event->module, FALSE);
  }
  pen_history_add_modules (history, event->origin.moment, TRUE, FALSE, &sighting, 1);
}

/* Modules' text comes from a cache of larger pages (mm/execmem.c, on x86-64 since Linux 6.13): what
 * is allocated for a load is not it. */
static gboolean
allocates_text (const PenFeatures *features)
{
  return !pen_kernel_release_is_from (features->os_release, 6, 13);
}

/* A guard page is counted in (mm/vmalloc.c). */
static void
add_allocation (const ModuleEvent *event, PenTracepoint *tracepoint, guint64 text_start,
                guint64 text_end, PenHistory *history)
{
  guint64 start;
  guint64 length;

  if (find_range (event, tracepoint, "addr", "size", &start, &length)
      && pen_module_space_holds (text_start, text_end, start))
    pen_history_add_allocation (history, &event->origin, start,
                                length > PAGE ? length - PAGE : length);
}

static void
read_event (ModuleEvent *event, GHashTable *tracepoints, PenTracingData *tracing)
{
  PenTracepoint *tracepoint;
  gsize n;
  const guint8 *payload = g_bytes_get_data (event->payload, &n);
  guint64 taints;

  event->role = find_role (event->id, event->role, tracing);
  if (event->role == ROLE_NONE || event->role == ROLE_UNDECIDED || event->role == ROLE_ALLOCATION)
    return;
  tracepoint = get_tracepoint (tracepoints, event->id, tracing);
  event->module = tracepoint ? pen_tracepoint_get_string (tracepoint, "name", payload, n) : NULL;
  event->is_livepatch = tracepoint && event->role == ROLE_LOAD
                        && pen_tracepoint_get_number (tracepoint, "taints", payload, n, &taints)
                        && (taints >> TAINT_LIVEPATCH & 1) != 0;
}

void
pen_module_events_finish (PenModuleEvents *self, PenTracingData *tracing, guint64 text_start,
                          guint64 text_end, PenHistory *history)
{
  g_autoptr (GHashTable) tracepoints = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free,
                                                              (GDestroyNotify) pen_tracepoint_free);

  for (guint i = 0; i < self->events->len; i++)
    read_event (&g_array_index (self->events, ModuleEvent, i), tracepoints, tracing);
  for (guint i = 0; i < self->events->len; i++) {
    const ModuleEvent *event = &g_array_index (self->events, ModuleEvent, i);
    PenTracepoint *tracepoint;

    if (event->role == ROLE_NONE || event->role == ROLE_UNDECIDED || !event->origin.has_time
        || event->origin.time == 0
        || (event->role == ROLE_ALLOCATION && !allocates_text (self->features)))
      continue;
    tracepoint = get_tracepoint (tracepoints, event->id, tracing);
    if (event->role == ROLE_ALLOCATION)
      add_allocation (event, tracepoint, text_start, text_end, history);
    else if (event->role == ROLE_PLACE)
      add_place (self, event, tracepoint, history);
    else if (event->module)
      pen_history_add_module (history, &event->origin, event->module, event->role == ROLE_FREE);
  }
  /* All that is asked for was taken from them. */
  for (guint i = 0; i < self->events->len; i++)
    g_clear_pointer (&g_array_index (self->events, ModuleEvent, i).payload, g_bytes_unref);
}

static int
compare_loads (gint32 tid, PenMoment moment, const ModuleEvent *event)
{
  if (tid != event->origin.tid)
    return tid < event->origin.tid ? -1 : 1;
  return pen_moment_compare (moment, event->origin.moment);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const ModuleEvent *event = *(const ModuleEvent *const *) a;

  return compare_loads (event->origin.tid, event->origin.moment, *(ModuleEvent *const *) b);
}

static void
sort_loads (PenModuleEvents *self)
{
  self->loads = g_ptr_array_new ();
  for (guint i = 0; i < self->events->len; i++) {
    ModuleEvent *event = &g_array_index (self->events, ModuleEvent, i);

    if (event->role == ROLE_LOAD && event->module && event->origin.has_task)
      g_ptr_array_add (self->loads, event);
  }
  g_ptr_array_sort (self->loads, compare_events);
}

/* Returns: (nullable) */
static const ModuleEvent *
find_load (PenModuleEvents *self, gint32 tid, PenMoment moment)
{
  const ModuleEvent *last;
  guint n;

  if (!self->loads)
    sort_loads (self);
  n = PEN_BINARY_SEARCH (i, 0, self->loads->len,
                         compare_loads (tid, moment, g_ptr_array_index (self->loads, i)) > 0);
  last = n > 0 ? g_ptr_array_index (self->loads, n - 1) : NULL;
  return last && last->origin.tid == tid ? last : NULL;
}

const char *
pen_module_events_find_load (PenModuleEvents *self, gint32 tid, PenMoment moment)
{
  const ModuleEvent *load = find_load (self, tid, moment);

  return load ? load->module : NULL;
}

gboolean
pen_module_events_is_livepatch_load (PenModuleEvents *self, gint32 tid, PenMoment moment)
{
  const ModuleEvent *load = find_load (self, tid, moment);

  return load && load->is_livepatch;
}

gboolean
pen_module_events_write (PenModuleEvents *self, PenStoreWriter *writer, GError **error)
{
  for (guint i = 0; i < self->events->len; i++) {
    const ModuleEvent *event = &g_array_index (self->events, ModuleEvent, i);
    PenModuleEvent row = { event->origin, event->role == ROLE_FREE, event->module };

    if (event->role != ROLE_LOAD && event->role != ROLE_FREE)
      continue;
    if (!pen_store_writer_add_module_event (writer, &row, error))
      return FALSE;
  }
  return TRUE;
}
