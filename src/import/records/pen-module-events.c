/* pen-module-events.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-events.h"

#include <string.h>

#include "pen-tracepoint.h"

/* No machine loads so many; a module's name has 56 bytes at most. */
#define MAX_EVENTS 65536u
/* Payloads of events whose formats come later, and may turn out to be modules'. */
#define MAX_UNDECIDED 16384u
#define MAX_PAYLOAD 256u

typedef enum {
  ROLE_UNDECIDED, /* formats have not come yet, and the name tells nothing */
  ROLE_NONE,
  ROLE_LOAD,
  ROLE_FREE,
} Role;

typedef struct {
  guint64 id; /* of the tracepoint */
  PenOrigin origin;
  Role role;
  GBytes *payload;
  char *module; /* NULL: not known */
} ModuleEvent;

struct _PenModuleEvents {
  const PenFeatures *features;
  GArray *events;
  guint undecided;

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
  return is_named (attr, "module:module_free") ? ROLE_FREE : ROLE_UNDECIDED;
}

/* The first line of a format is its name (include/trace/trace_events.h, and tracefs). */
static Role
role_by_format (const PenTracepointFormat *format)
{
  if (g_strcmp0 (format->system, "module") != 0)
    return ROLE_NONE;
  if (g_str_has_prefix (format->text, "name: module_load\n"))
    return ROLE_LOAD;
  return g_str_has_prefix (format->text, "name: module_free\n") ? ROLE_FREE : ROLE_NONE;
}

/* The id tells what the kernel recorded; a name is what the user called it, and may be missing. */
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

void
pen_module_events_add (PenModuleEvents *self, const PenRecord *sample, const PenAttr *attr)
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
      || sample->sample.raw_length > MAX_PAYLOAD || self->events->len >= MAX_EVENTS)
    return;

  event.role = get_role (self, attr);
  if (event.role == ROLE_NONE
      || (event.role == ROLE_UNDECIDED && self->undecided++ >= MAX_UNDECIDED))
    return;

  event.payload = g_bytes_new (sample->sample.raw, sample->sample.raw_length);
  g_array_append_val (self->events, event);
}

static char *
find_module (const ModuleEvent *event, PenTracingData *tracing)
{
  const PenTracepointFormat *format = pen_tracing_data_find (tracing, event->id);
  g_autoptr (PenTracepoint) tracepoint = NULL;
  gsize n;
  const guint8 *payload = g_bytes_get_data (event->payload, &n);

  if (!format)
    return NULL;
  tracepoint = pen_tracepoint_new (format->system, format->text, tracing->big_endian,
                                   tracing->long_size, NULL);
  return tracepoint ? pen_tracepoint_get_string (tracepoint, "name", payload, n) : NULL;
}

void
pen_module_events_finish (PenModuleEvents *self, PenTracingData *tracing, PenHistory *history)
{
  for (guint i = 0; i < self->events->len; i++) {
    ModuleEvent *event = &g_array_index (self->events, ModuleEvent, i);

    event->role = find_role (event->id, event->role, tracing);
    if (event->role != ROLE_LOAD && event->role != ROLE_FREE)
      continue;
    event->module = tracing ? find_module (event, tracing) : NULL;
    if (event->module && event->origin.has_time && event->origin.time != 0)
      pen_history_add_module (history, event->origin.moment, event->module,
                              event->role == ROLE_FREE);
  }
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
