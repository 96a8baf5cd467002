/* pen-sideband.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-map-name.h"
#include "pen-ranges.h"
#include "pen-sideband-private.h"
#include "pen-table-hash.h"

/* The kernel gives an id once, and a recorder may write down the same load once more: all else is
 * made up, and would cost each time as much as the program has functions. */
#define MAX_LOADS 4u

PenSideband *
pen_sideband_new (PenHistory *history)
{
  PenSideband *self = g_new0 (PenSideband, 1);

  self->history = history;
  self->strings = pen_names_new ();
  self->maps = g_array_new (FALSE, FALSE, sizeof (Map));
  self->ksymbols = g_array_new (FALSE, FALSE, sizeof (PenKsymbolEvent));
  self->bpf_events = g_array_new (FALSE, FALSE, sizeof (PenBpfEvent));
  self->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  return self;
}

void
pen_sideband_free (PenSideband *self)
{
  if (!self)
    return;

  g_clear_pointer (&self->maps, g_array_unref);
  g_clear_pointer (&self->ksymbols, g_array_unref);
  g_clear_pointer (&self->bpf_events, g_array_unref);
  g_clear_pointer (&self->tasks, g_array_unref);
  pen_names_free (self->strings);
  g_free (self);
}

/* Records that the recorder made up itself have a trailer of zeros: nobody's task. */
static PenOrigin
get_origin (const PenRecord *record)
{
  guint64 time = (record->has & PEN_HAS_TIME) != 0 ? record->time : 0;
  PenMoment moment = pen_moment (time, record->position);

  return (PenOrigin){
    .moment = moment,
    .time = time,
    .has_time = (record->has & PEN_HAS_TIME) != 0,
    .has_task = (record->has & PEN_HAS_TASK) != 0
                && (moment.time != 0 || record->pid != 0 || record->tid != 0),
    .pid = record->pid,
    .tid = record->tid,
    .cpu = (record->has & PEN_HAS_CPU) != 0 ? record->cpu : G_MAXUINT32,
  };
}

static KeptOrigin
keep_origin (const PenOrigin *origin)
{
  return (KeptOrigin){
    .moment = origin->moment,
    .pid = origin->pid,
    .tid = origin->tid,
    .cpu = origin->cpu,
    .has_time = origin->has_time,
    .time_is_max = origin->time == G_MAXUINT64,
    .has_task = origin->has_task,
  };
}

PenOrigin
pen_sideband_get_origin (const KeptOrigin *kept)
{
  return (PenOrigin){
    .moment = kept->moment,
    .time = kept->time_is_max ? G_MAXUINT64 : kept->moment.time,
    .has_time = kept->has_time,
    .has_task = kept->has_task,
    .pid = kept->pid,
    .tid = kept->tid,
    .cpu = kept->cpu,
  };
}

PenMapEvent
pen_sideband_get_map (const Map *map)
{
  return (PenMapEvent){
    .origin = pen_sideband_get_origin (&map->origin),
    .change = map->change,
    .tenure = map->tenure,
    .is_kernel = map->is_kernel,
    .is_data = map->is_data,
    .pid = map->pid,
    .tid = map->tid,
    .start = map->start,
    .length = map->length,
    .file_offset = map->file_offset,
    .name = map->name,
    .build_id = map->build_id,
    .build_id_length = map->build_id_length,
    .evidence = map->evidence,
  };
}

static void
add_to_history (PenSideband *self, const Map *map)
{
  const PenMapEvent event = pen_sideband_get_map (map);

  pen_history_add_map (self->history, &event);
}

static void
add_map (PenSideband *self, const PenRecord *record)
{
  const PenMapRecord *recorded = &record->map;
  const PenOrigin origin = get_origin (record);
  Map map = {
    .origin = keep_origin (&origin),
    .is_kernel = recorded->pid == -1 || pen_record_get_cpumode (record) == PEN_CPUMODE_KERNEL,
    .is_data = (record->misc & PEN_MISC_MMAP_DATA) != 0,
    .pid = recorded->pid,
    .tid = recorded->tid,
    .start = recorded->start,
    .length = recorded->length,
    .file_offset = recorded->file_offset,
    .name = pen_names_add (self->strings, recorded->name),
    .build_id_length = (guint8) MIN (recorded->build_id_length, PEN_BUILD_ID_MAX),
    .evidence = PEN_EVIDENCE_RECORDED,
  };

  if (map.build_id_length > 0)
    map.build_id = (const guint8 *) g_string_chunk_insert_len (pen_names_get_chunk (self->strings),
                                                               (const char *) recorded->build_id,
                                                               map.build_id_length);
  map.is_module = map.is_kernel && map.build_id_length > 0
                  && pen_map_name_get_kernel_kind (map.name) == PEN_KIND_MODULE;
  g_array_append_val (self->maps, map);
  if (!map.is_module)
    add_to_history (self, &map);
}

static void
add_ksymbol (PenSideband *self, const PenRecord *record)
{
  const PenKsymbolRecord *recorded = &record->ksymbol;
  PenKsymbolEvent event = {
    .origin = get_origin (record),
    .address = recorded->address,
    .length = recorded->length,
    .name = pen_names_add (self->strings, recorded->name),
    .type = recorded->type,
    .is_unregister = (recorded->flags & PEN_KSYMBOL_UNREGISTER) != 0,
  };

  if ((record->has & PEN_HAS_TASK) == 0)
    event.origin.tid = -1;
  g_array_append_val (self->ksymbols, event);
  pen_history_add_ksymbol (self->history, &event);
}

static void
add_bpf_event (PenSideband *self, const PenRecord *record)
{
  PenBpfEvent event = {
    .origin = get_origin (record),
    .bpf_id = record->bpf_event.id,
    .is_unload = record->bpf_event.type == PEN_BPF_EVENT_UNLOAD,
  };

  memcpy (event.tag, record->bpf_event.tag, sizeof event.tag);
  g_array_append_val (self->bpf_events, event);
}

static void
add_poke (PenSideband *self, const PenRecord *record)
{
  const PenTextPokeRecord *recorded = &record->text_poke;
  PenOrigin origin = get_origin (record);
  PenPoke poke = {
    .moment = origin.moment,
    .time = origin.time,
    .has_time = origin.has_time,
    .address = recorded->address,
    .old_length = recorded->old_length,
    .new_length = recorded->new_length,
    .old_bytes = recorded->old_bytes,
    .new_bytes = recorded->new_bytes,
    .has_task = origin.has_task,
    .pid = origin.has_task ? origin.pid : -1,
    .tid = origin.has_task ? origin.tid : -1,
    .cpu = origin.cpu,
  };

  pen_history_add_poke (self->history, &poke);
}

static void
add_task (PenSideband *self, const PenRecord *record)
{
  const PenOrigin origin = get_origin (record);
  Task task = {
    .origin = keep_origin (&origin),
    .what = record->type == PEN_RECORD_FORK ? PEN_TASK_FORK : PEN_TASK_EXIT,
    .pid = record->task.pid,
    .tid = record->task.tid,
    .ppid = record->task.ppid,
    .ptid = record->task.ptid,
  };

  g_array_append_val (self->tasks, task);
  if (record->type == PEN_RECORD_FORK)
    pen_history_add_fork (self->history, origin.moment, task.pid, task.ppid, task.tid, task.ptid,
                          (record->misc & PEN_MISC_FORK_EXEC) != 0);
  else
    pen_history_add_exit (self->history, origin.moment, task.pid, task.tid);
}

static void
add_comm (PenSideband *self, const PenRecord *record)
{
  const PenOrigin origin = get_origin (record);
  gboolean is_exec = (record->misc & PEN_MISC_COMM_EXEC) != 0;
  Task task = {
    .origin = keep_origin (&origin),
    .what = is_exec ? PEN_TASK_EXEC : PEN_TASK_COMM,
    .comm = pen_names_add (self->strings, record->comm.comm),
    .pid = record->comm.pid,
    .tid = record->comm.tid,
  };

  g_array_append_val (self->tasks, task);
  pen_history_add_comm (self->history, origin.moment, task.pid, task.tid, task.comm, is_exec);
}

void
pen_sideband_add (PenSideband *self, const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    add_map (self, record);
    break;
  case PEN_RECORD_KSYMBOL:
    add_ksymbol (self, record);
    break;
  case PEN_RECORD_BPF_EVENT:
    add_bpf_event (self, record);
    break;
  case PEN_RECORD_TEXT_POKE:
    add_poke (self, record);
    break;
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    add_task (self, record);
    break;
  case PEN_RECORD_COMM:
    add_comm (self, record);
    break;
  default:
    break;
  }
}

gboolean
pen_sideband_knows_name (PenSideband *self, const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    return pen_names_contains (self->strings, record->map.name);
  case PEN_RECORD_COMM:
    return pen_names_contains (self->strings, record->comm.comm);
  default:
    return FALSE;
  }
}

static gboolean
map_names_module (const char *name, const char *module)
{
  g_autofree char *occupant = pen_map_name_get_kernel_occupant (name);

  return strcmp (occupant, module) == 0;
}

/* The kernel's maps of the initial state: their occupants and where they are. */
typedef struct {
  GHashTable *occupants;
  PenRanges *ranges;
} Initial;

static void
initial_init (Initial *self)
{
  self->occupants = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  self->ranges = pen_ranges_new ();
}

static void
initial_clear (Initial *self)
{
  g_hash_table_unref (self->occupants);
  pen_ranges_free (self->ranges);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Initial, initial_clear)

/* The start of a map counts, also where it has no length. */
static void
add_initial (Initial *self, const Map *map)
{
  guint64 length = MIN (MAX (map->length, 1), G_MAXUINT64 - map->start);

  if (!map->is_kernel || map->is_data || map->origin.moment.time != 0)
    return;
  g_hash_table_add (self->occupants, pen_map_name_get_kernel_occupant (map->name));
  if (length > 0)
    pen_ranges_take (self->ranges, map->start, map->start + length, 0, NULL, NULL, NULL);
}

/* A snapshot must not cut what the recorder saw. */
static gboolean
is_initial (const Initial *self, const PenModule *module)
{
  return g_hash_table_contains (self->occupants, module->name)
         || pen_ranges_find (self->ranges, module->start, module->start + module->length);
}

guint
pen_sideband_add_modules (PenSideband *self, const GArray *modules)
{
  g_auto (Initial) initial;
  guint added = 0;

  initial_init (&initial);
  for (guint i = 0; i < self->maps->len; i++)
    add_initial (&initial, &g_array_index (self->maps, Map, i));

  for (guint i = 0; i < modules->len; i++) {
    const PenModule *module = &g_array_index (modules, PenModule, i);
    Map map = {
      .origin.cpu = G_MAXUINT32,
      .is_kernel = TRUE,
      .pid = -1,
      .tid = -1,
      .start = module->start,
      .length = module->length,
      .evidence = PEN_EVIDENCE_FILE_UNCHECKED,
    };

    if (module->length == 0 || module->start + module->length < module->start
        || is_initial (&initial, module))
      continue;

    map.name = pen_names_add (self->strings, module->name);
    g_array_append_val (self->maps, map);
    add_to_history (self, &map);
    add_initial (&initial, &map);
    added++;
  }
  return added;
}

PenKernelPlace
pen_sideband_get_kernel (PenSideband *self)
{
  PenKernelPlace place = { 0 };

  for (guint i = 0; i < self->maps->len; i++) {
    const Map *map = &g_array_index (self->maps, Map, i);

    if (!map->is_kernel || !g_str_has_prefix (map->name, PEN_CORE_KERNEL "_"))
      continue;
    place.symbol = map->name + strlen (PEN_CORE_KERNEL);
    place.address = map->file_offset;
    place.start = map->start;
    place.end = map->start + MIN (map->length, G_MAXUINT64 - map->start);
    break;
  }
  return place;
}

void
pen_sideband_foreach_process_map (PenSideband *self, PenProcessMapFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->maps->len; i++) {
    const Map *map = &g_array_index (self->maps, Map, i);

    if (!map->is_kernel && !map->is_data)
      func (map->name, map->pid, user_data);
  }
}

/* A program of the features, and how many of its loads were seen. */
typedef struct {
  const PenBpfProgram *program;
  guint loads;
} Listed;

/* By id; of two with one id the first. */
static GHashTable *
list_programs (const GPtrArray *programs)
{
  GHashTable *listed = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);

  for (guint i = 0; programs && i < programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (programs, i);
    Listed item = { program, 0 };

    if (!g_hash_table_contains (listed, GUINT_TO_POINTER (program->id)))
      g_hash_table_insert (listed, GUINT_TO_POINTER (program->id), g_memdup2 (&item, sizeof item));
  }
  return listed;
}

static void
add_bpf_load (PenSideband *self, const PenBpfEvent *event, GHashTable *programs)
{
  Listed *listed = g_hash_table_lookup (programs, GUINT_TO_POINTER (event->bpf_id));
  guint n = listed && listed->program->functions ? listed->program->functions->len : 0;
  g_autofree guint64 *addresses = NULL;

  if (listed && listed->loads++ >= MAX_LOADS)
    return;
  addresses = g_new (guint64, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    addresses[i] = g_array_index (listed->program->functions, PenBpfFunction, i).address;

  pen_history_add_bpf_load (self->history, event->origin.moment, event->bpf_id, event->tag,
                            event->origin.has_task ? event->origin.tid : -1, event->origin.cpu,
                            n > 0 ? addresses : NULL, n);
}

/* Whether two modules of different names have the same build-id. */
void
pen_sideband_foreach_ksymbol (PenSideband *self, PenKsymbolFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->ksymbols->len; i++) {
    const PenKsymbolEvent *event = &g_array_index (self->ksymbols, PenKsymbolEvent, i);

    if (event->length > 0 && event->length <= G_MAXUINT64 - event->address)
      func (event->address, event->address + event->length, user_data);
  }
}

static gboolean
modules_share_build_id (PenSideband *self)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (pen_bytes_hash, g_bytes_equal,
                                                        (GDestroyNotify) g_bytes_unref, g_free);

  for (guint i = 0; i < self->maps->len; i++) {
    const Map *map = &g_array_index (self->maps, Map, i);
    g_autoptr (GBytes) id = NULL;
    const char *known;

    if (!map->is_module)
      continue;
    id = g_bytes_new (map->build_id, map->build_id_length);
    known = g_hash_table_lookup (names, id);
    if (known && !map_names_module (map->name, known))
      return TRUE;
    if (!known)
      g_hash_table_insert (names, g_steal_pointer (&id),
                           pen_map_name_get_kernel_occupant (map->name));
  }
  return FALSE;
}

static void
add_modules (PenSideband *self)
{
  gboolean is_defect = modules_share_build_id (self);

  for (guint i = 0; i < self->maps->len; i++) {
    Map *map = &g_array_index (self->maps, Map, i);

    if (!map->is_module)
      continue;
    if (is_defect) {
      map->build_id_length = 0;
      self->dropped_build_ids++;
    }
    add_to_history (self, map);
  }
}

guint64
pen_sideband_get_unmapped_modules (PenSideband *self)
{
  return self->unmapped_modules;
}

guint
pen_sideband_get_dropped_build_ids (PenSideband *self)
{
  return self->dropped_build_ids;
}

void
pen_sideband_finish (PenSideband *self, const PenFeatures *features)
{
  g_autoptr (GHashTable) programs = list_programs (features->bpf_programs);

  add_modules (self);
  for (guint i = 0; i < self->bpf_events->len; i++) {
    const PenBpfEvent *event = &g_array_index (self->bpf_events, PenBpfEvent, i);

    if (!event->is_unload)
      add_bpf_load (self, event, programs);
  }
}
