/* pen-sideband.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sideband.h"

#include <string.h>

#include "pen-map-name.h"

#define PROGRESS_STEP 256

/* What is kept of every record. */
typedef struct {
  guint64 position;
  guint64 time; /* as recorded */
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  guint32 tenure;
  guint64 change;
  guint8 has;
} Common;

typedef struct {
  Common common;
  guint64 start;
  guint64 length;
  guint64 file_offset;
  const char *name;
  gint32 pid; /* whose map it is */
  gint32 tid;
  guint8 build_id[PEN_BUILD_ID_MAX];
  guint8 build_id_length;
  guint8 is_kernel : 1;
  guint8 is_data : 1;
  guint8 is_snapshot : 1;
} Map;

typedef struct {
  Common common;
  guint64 address;
  guint64 length;
  const char *name;
  guint16 type;
  gboolean is_unregister;
} Ksymbol;

typedef struct {
  Common common;
  guint32 bpf_id;
  guint8 tag[8];
  gboolean is_unload;
} BpfEvent;

typedef struct {
  Common common;
  const char *what;
  const char *comm;
  gint32 pid;
  gint32 tid;
  gint32 ppid;
  gint32 ptid;
} Task;

struct _PenSideband {
  PenHistory *history;
  GStringChunk *strings;
  GArray *maps;
  GArray *ksymbols;
  GArray *bpf_events;
  GArray *tasks;
  GHashTable *untimed_pokes; /* position → Common: their time as recorded is not in the history */
  GArray *poke_changes;      /* guint64: place of poke i among all changes */
};

PenSideband *
pen_sideband_new (PenHistory *history)
{
  PenSideband *self = g_new0 (PenSideband, 1);

  self->history = history;
  self->strings = g_string_chunk_new (16384);
  self->maps = g_array_new (FALSE, FALSE, sizeof (Map));
  self->ksymbols = g_array_new (FALSE, FALSE, sizeof (Ksymbol));
  self->bpf_events = g_array_new (FALSE, FALSE, sizeof (BpfEvent));
  self->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  self->untimed_pokes = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->poke_changes = g_array_new (FALSE, FALSE, sizeof (guint64));

  return self;
}

void
pen_sideband_free (PenSideband *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->maps);
  g_array_unref (self->ksymbols);
  g_array_unref (self->bpf_events);
  g_array_unref (self->tasks);
  g_array_unref (self->poke_changes);
  g_hash_table_unref (self->untimed_pokes);
  g_string_chunk_free (self->strings);
  g_free (self);
}

static Common
common_of_record (const PenRecord *record)
{
  return (Common){
    .position = record->position,
    .time = (record->has & PEN_HAS_TIME) != 0 ? record->time : 0,
    .pid = record->pid,
    .tid = record->tid,
    .cpu = (record->has & PEN_HAS_CPU) != 0 ? record->cpu : G_MAXUINT32,
    .has = record->has,
  };
}

static inline PenMoment
common_moment (const Common *common)
{
  return pen_moment (common->time, common->position);
}

/* Records that the recorder made up itself have a trailer of zeros: nobody's task. */
static gboolean
has_task (const Common *common)
{
  if ((common->has & PEN_HAS_TASK) == 0)
    return FALSE;

  return common_moment (common).time != 0 || common->pid != 0 || common->tid != 0;
}

static void
add_map_to_history (PenSideband *self, const Map *map)
{
  PenMapEvent event = {
    .is_kernel = map->is_kernel,
    .is_data = map->is_data,
    .pid = map->pid,
    .tid = map->tid,
    .start = map->start,
    .length = map->length,
    .file_offset = map->file_offset,
    .name = map->name,
    .build_id = map->build_id_length > 0 ? map->build_id : NULL,
    .build_id_length = map->build_id_length,
    .evidence = map->is_snapshot ? PEN_EVIDENCE_FILE_UNCHECKED : PEN_EVIDENCE_RECORDED,
  };

  pen_history_add_map (self->history, common_moment (&map->common), &event);
}

static void
add_map (PenSideband *self, const PenRecord *record)
{
  const PenMapRecord *recorded = &record->map;
  Map map = {
    .common = common_of_record (record),
    .start = recorded->start,
    .length = recorded->length,
    .file_offset = recorded->file_offset,
    .name = g_string_chunk_insert_const (self->strings, recorded->name),
    .pid = recorded->pid,
    .tid = recorded->tid,
    .build_id_length = MIN (recorded->build_id_length, PEN_BUILD_ID_MAX),
    .is_kernel
    = recorded->pid == -1 || pen_record_get_cpumode (record) == PEN_CPUMODE_KERNEL,
    .is_data = (record->misc & PEN_MISC_MMAP_DATA) != 0,
  };

  memcpy (map.build_id, recorded->build_id, map.build_id_length);
  g_array_append_val (self->maps, map);
  add_map_to_history (self, &map);
}

static void
add_ksymbol (PenSideband *self, const PenRecord *record)
{
  const PenKsymbolRecord *recorded = &record->ksymbol;
  Ksymbol ksymbol = {
    .common = common_of_record (record),
    .address = recorded->address,
    .length = recorded->length,
    .name = g_string_chunk_insert_const (self->strings, recorded->name),
    .type = recorded->type,
    .is_unregister = (recorded->flags & PEN_KSYMBOL_UNREGISTER) != 0,
  };
  PenKsymbolEvent event = {
    .is_unregister = ksymbol.is_unregister,
    .is_out_of_line = recorded->type == PEN_KSYMBOL_TYPE_OUT_OF_LINE,
    .address = recorded->address,
    .length = recorded->length,
    .name = ksymbol.name,
    .tid = (record->has & PEN_HAS_TASK) != 0 ? record->tid : -1,
    .cpu = ksymbol.common.cpu,
  };

  g_array_append_val (self->ksymbols, ksymbol);
  pen_history_add_ksymbol (self->history, common_moment (&ksymbol.common), &event);
}

static void
add_bpf_event (PenSideband *self, const PenRecord *record)
{
  BpfEvent event = {
    .common = common_of_record (record),
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
  Common common = common_of_record (record);
  gboolean is_known = has_task (&common);
  PenPoke poke = {
    .moment = common_moment (&common),
    .address = recorded->address,
    .old_length = recorded->old_length,
    .new_length = recorded->new_length,
    .old_bytes = recorded->old_bytes,
    .new_bytes = recorded->new_bytes,
    .pid = is_known ? record->pid : -1,
    .tid = is_known ? record->tid : -1,
    .cpu = common.cpu,
  };

  pen_history_add_poke (self->history, &poke);
  if (poke.moment.time == 0) {
    Common *kept = g_memdup2 (&common, sizeof common);

    g_hash_table_replace (self->untimed_pokes, &kept->position, kept);
  }
}

static void
add_task (PenSideband *self, const PenRecord *record)
{
  Task task = {
    .common = common_of_record (record),
    .what = record->type == PEN_RECORD_FORK ? "fork" : "exit",
    .pid = record->task.pid,
    .tid = record->task.tid,
    .ppid = record->task.ppid,
    .ptid = record->task.ptid,
  };
  PenMoment moment = common_moment (&task.common);

  g_array_append_val (self->tasks, task);
  if (record->type == PEN_RECORD_FORK)
    pen_history_add_fork (self->history, moment, task.pid, task.ppid, task.tid, task.ptid,
                          (record->misc & PEN_MISC_FORK_EXEC) != 0);
  else
    pen_history_add_exit (self->history, moment, task.pid, task.tid);
}

static void
add_comm (PenSideband *self, const PenRecord *record)
{
  gboolean is_exec = (record->misc & PEN_MISC_COMM_EXEC) != 0;
  Task task = {
    .common = common_of_record (record),
    .what = is_exec ? "exec" : "comm",
    .comm = g_string_chunk_insert_const (self->strings, record->comm.comm),
    .pid = record->comm.pid,
    .tid = record->comm.tid,
  };

  g_array_append_val (self->tasks, task);
  pen_history_add_comm (self->history, common_moment (&task.common), task.pid, task.tid, task.comm,
                        is_exec);
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

static gboolean
map_names_module (const char *name, const char *module)
{
  g_autofree char *occupant = pen_map_name_get_kernel_occupant (name);

  return strcmp (occupant, module) == 0;
}

static gboolean
is_in_initial_maps (PenSideband *self, const PenModule *module)
{
  for (guint i = 0; i < self->maps->len; i++) {
    const Map *map = &g_array_index (self->maps, Map, i);

    if (!map->is_kernel || map->is_data || common_moment (&map->common).time != 0)
      continue;
    if (map_names_module (map->name, module->name))
      return TRUE;
    /* A snapshot must not cut what the recorder saw. */
    if (map->start < module->start + module->length && module->start - map->start < map->length)
      return TRUE;
    if (map->start >= module->start && map->start - module->start < module->length)
      return TRUE;
  }

  return FALSE;
}

guint
pen_sideband_add_modules (PenSideband *self, GArray *modules)
{
  guint added = 0;

  for (guint i = 0; i < modules->len; i++) {
    const PenModule *module = &g_array_index (modules, PenModule, i);
    Map map = {
      .common = { .cpu = G_MAXUINT32 },
      .start = module->start,
      .length = module->length,
      .pid = -1,
      .tid = -1,
      .is_kernel = TRUE,
      .is_snapshot = TRUE,
    };

    if (module->length == 0 || module->start + module->length < module->start
        || is_in_initial_maps (self, module))
      continue;

    map.name = g_string_chunk_insert_const (self->strings, module->name);
    g_array_append_val (self->maps, map);
    add_map_to_history (self, &map);
    added++;
  }

  return added;
}

static const PenBpfProgram *
find_program (const PenFeatures *features, guint32 id)
{
  for (guint i = 0; features->bpf_programs != NULL && i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    if (program->id == id)
      return program;
  }

  return NULL;
}

static void
add_bpf_load (PenSideband *self, const BpfEvent *event, const PenFeatures *features)
{
  const PenBpfProgram *program = find_program (features, event->bpf_id);
  guint n = program != NULL && program->functions != NULL ? program->functions->len : 0;
  g_autofree guint64 *addresses = g_new (guint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    addresses[i] = g_array_index (program->functions, PenBpfFunction, i).address;

  pen_history_add_bpf_load (self->history, common_moment (&event->common), event->bpf_id,
                            event->tag, has_task (&event->common) ? event->common.tid : -1,
                            event->common.cpu, n > 0 ? addresses : NULL, n);
}

void
pen_sideband_finish (PenSideband *self, const PenFeatures *features)
{
  for (guint i = 0; i < self->bpf_events->len; i++) {
    const BpfEvent *event = &g_array_index (self->bpf_events, BpfEvent, i);

    if (!event->is_unload)
      add_bpf_load (self, event, features);
  }
}

static int
compare_common (gconstpointer a, gconstpointer b)
{
  return pen_moment_compare (common_moment (a), common_moment (b));
}

/* Snapshot maps share a position: they stay in the order in which they were added. */
static int
compare_maps (gconstpointer a, gconstpointer b)
{
  const Map *x = a;
  const Map *y = b;
  int order = compare_common (a, b);

  return order != 0 ? order : (x->start > y->start) - (x->start < y->start);
}

/* Numbers all changes in the order of their moments. */
static void
number_changes (PenSideband *self)
{
  guint n_pokes;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n_pokes);
  guint64 n = (guint64) n_pokes + self->maps->len + self->ksymbols->len;
  guint map = 0;
  guint ksymbol = 0;

  g_array_sort (self->maps, compare_maps);
  g_array_sort (self->ksymbols, compare_common);
  g_array_set_size (self->poke_changes, n_pokes);

  for (guint64 change = 1; change <= n; change++) {
    guint poke = (guint) (change - 1) - map - ksymbol;
    Common *next_map
        = map < self->maps->len ? &g_array_index (self->maps, Map, map).common : NULL;
    Common *next_ksymbol = ksymbol < self->ksymbols->len
                               ? &g_array_index (self->ksymbols, Ksymbol, ksymbol).common
                               : NULL;
    PenMoment map_moment = next_map != NULL ? common_moment (next_map) : PEN_MOMENT_END;
    PenMoment ksymbol_moment
        = next_ksymbol != NULL ? common_moment (next_ksymbol) : PEN_MOMENT_END;
    PenMoment poke_moment = poke < n_pokes ? pokes[poke].moment : PEN_MOMENT_END;

    if (next_map != NULL && pen_moment_compare (map_moment, ksymbol_moment) <= 0
        && pen_moment_compare (map_moment, poke_moment) <= 0) {
      next_map->change = change;
      map++;
    } else if (next_ksymbol != NULL && pen_moment_compare (ksymbol_moment, poke_moment) <= 0) {
      next_ksymbol->change = change;
      ksymbol++;
    } else {
      g_array_index (self->poke_changes, guint64, poke) = change;
    }
  }
}

/* A tenure begins or ends with the record at a position of the stream; no other record has it. */
typedef struct {
  guint64 position;
  guint64 start;
} Bound;

static guint
bound_hash (gconstpointer data)
{
  const Bound *bound = data;
  guint64 hash = (bound->position * 0x9e3779b97f4a7c15u) ^ bound->start;

  return (guint) (hash ^ hash >> 32);
}

static gboolean
bound_equal (gconstpointer a, gconstpointer b)
{
  const Bound *x = a;
  const Bound *y = b;

  return x->position == y->position && x->start == y->start;
}

static void
bound_insert (GHashTable *bounds, guint64 position, const PenTenure *tenure)
{
  Bound bound = { position, tenure->start };

  if (!g_hash_table_contains (bounds, &bound))
    g_hash_table_insert (bounds, g_memdup2 (&bound, sizeof bound), GUINT_TO_POINTER (tenure->id));
}

static guint32
bound_find (GHashTable *bounds, guint64 position, guint64 start)
{
  Bound bound = { position, start };

  return GPOINTER_TO_UINT (g_hash_table_lookup (bounds, &bound));
}

static guint32
find_live (PenSideband *self, guint64 address, PenMoment moment)
{
  const PenTenure *tenure
      = pen_history_find (self->history, PEN_SPACE_KERNEL, address, moment, NULL);

  return tenure != NULL ? tenure->id : 0;
}

/* A register of what is there already (K2) began nothing, and an unregister may have had nothing
 * to end: then what stands there just after, or just before, it is meant. */
static void
resolve_ksymbol (PenSideband *self, Ksymbol *ksymbol, GHashTable *begins, GHashTable *ends)
{
  PenMoment moment = common_moment (&ksymbol->common);
  GHashTable *bounds = ksymbol->is_unregister ? ends : begins;

  ksymbol->common.tenure = bound_find (bounds, moment.position, ksymbol->address);
  if (ksymbol->common.tenure != 0 || ksymbol->length == 0)
    return;

  if (!ksymbol->is_unregister)
    moment.position++;
  ksymbol->common.tenure = find_live (self, ksymbol->address, moment);
}

void
pen_sideband_resolve (PenSideband *self)
{
  g_autoptr (GHashTable) begins = g_hash_table_new_full (bound_hash, bound_equal, g_free, NULL);
  g_autoptr (GHashTable) ends = g_hash_table_new_full (bound_hash, bound_equal, g_free, NULL);
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (self->history, &n);

  number_changes (self);

  for (guint i = 0; i < n; i++) {
    bound_insert (begins, tenures[i].from.position, &tenures[i]);
    if (tenures[i].layer == PEN_LAYER_KSYMBOL)
      bound_insert (ends, tenures[i].to.position, &tenures[i]);
  }

  for (guint i = 0; i < self->maps->len; i++) {
    Map *map = &g_array_index (self->maps, Map, i);

    if (!map->is_data)
      map->common.tenure = bound_find (begins, map->common.position, map->start);
  }

  for (guint i = 0; i < self->ksymbols->len; i++)
    resolve_ksymbol (self, &g_array_index (self->ksymbols, Ksymbol, i), begins, ends);
}

static void
append_change (GArray *changes, guint32 tenure, guint64 start, guint64 length)
{
  PenSidebandChange change = {
    .tenure = tenure,
    .start = start,
    .end = start + MIN (length, G_MAXUINT64 - start),
  };

  g_array_append_val (changes, change);
}

GArray *
pen_sideband_get_kernel_changes (PenSideband *self)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (PenSidebandChange));

  for (guint i = 0; i < self->maps->len; i++) {
    const Map *map = &g_array_index (self->maps, Map, i);

    if (map->is_kernel && !map->is_data && common_moment (&map->common).time != 0)
      append_change (changes, map->common.tenure, map->start, map->length);
  }

  for (guint i = 0; i < self->ksymbols->len; i++) {
    const Ksymbol *ksymbol = &g_array_index (self->ksymbols, Ksymbol, i);

    if (common_moment (&ksymbol->common).time != 0)
      append_change (changes, ksymbol->common.tenure, ksymbol->address, ksymbol->length);
  }

  return changes;
}

static PenChangeRow
change_row (PenSideband *self, const Common *common)
{
  gboolean is_known = has_task (common);

  return (PenChangeRow){
    .change = common->change,
    .position = common->position,
    .time = common->time,
    .has_time = (common->has & PEN_HAS_TIME) != 0,
    .has_task = is_known,
    .pid = common->pid,
    .tid = common->tid,
    .cpu = common->cpu,
    .comm = is_known
                ? pen_history_find_comm (self->history, common->tid, common_moment (common))
                : NULL,
    .tenure = common->tenure,
  };
}

static gboolean
write_map (PenSideband *self, const Map *map, PenStoreWriter *writer, GError **error)
{
  PenMapRow row = {
    .row = change_row (self, &map->common),
    .is_kernel = map->is_kernel,
    .is_data = map->is_data,
    .start = map->start,
    .length = map->length,
    .file_offset = map->file_offset,
    .name = map->name,
    .build_id = map->build_id,
    .build_id_length = map->build_id_length,
    .evidence = map->is_snapshot ? PEN_EVIDENCE_FILE_UNCHECKED : PEN_EVIDENCE_RECORDED,
  };

  row.row.pid = map->pid;
  row.row.tid = map->tid;
  row.row.comm = map->pid != -1 ? pen_history_find_comm (self->history, map->tid,
                                                         common_moment (&map->common))
                                : NULL;

  return pen_store_writer_add_map (writer, &row, error);
}

static gboolean
write_ksymbol (PenSideband *self, const Ksymbol *ksymbol, PenStoreWriter *writer, GError **error)
{
  PenKsymbolRow row = {
    .row = change_row (self, &ksymbol->common),
    .is_unregister = ksymbol->is_unregister,
    .type = ksymbol->type,
    .address = ksymbol->address,
    .length = ksymbol->length,
    .name = ksymbol->name,
  };

  return pen_store_writer_add_ksymbol (writer, &row, error);
}

static gboolean
write_poke (PenSideband *self, const PenPoke *poke, const PenPokeFinding *finding,
            PenStoreWriter *writer, GError **error)
{
  const Common *untimed = g_hash_table_lookup (self->untimed_pokes, &poke->moment.position);
  PenPokeRow row = {
    .row = {
      .change = g_array_index (self->poke_changes, guint64, poke->id - 1),
      .position = poke->moment.position,
      .time = untimed != NULL ? untimed->time : poke->moment.time,
      .has_time = untimed == NULL || (untimed->has & PEN_HAS_TIME) != 0,
      .has_task = poke->pid != -1 || poke->tid != -1,
    },
    .poke = poke,
    .function = finding->function,
    .cause = finding->cause,
    .reason = finding->reason,
    .breaks_chain = finding->breaks_chain,
  };

  return pen_store_writer_add_poke (writer, &row, error);
}

static gboolean
write_bpf_event (const BpfEvent *event, PenStoreWriter *writer, GError **error)
{
  PenBpfEventRow row = {
    .position = event->common.position,
    .time = event->common.time,
    .has_time = (event->common.has & PEN_HAS_TIME) != 0,
    .is_unload = event->is_unload,
    .bpf_id = event->bpf_id,
    .tag = event->tag,
    .has_task = has_task (&event->common),
    .pid = event->common.pid,
    .tid = event->common.tid,
    .cpu = event->common.cpu,
  };

  return pen_store_writer_add_bpf_event (writer, &row, error);
}

static gboolean
write_task (const Task *task, PenStoreWriter *writer, GError **error)
{
  PenTaskRow row = {
    .position = task->common.position,
    .time = task->common.time,
    .has_time = (task->common.has & PEN_HAS_TIME) != 0,
    .what = task->what,
    .pid = task->pid,
    .tid = task->tid,
    .ppid = task->ppid,
    .ptid = task->ptid,
    .comm = task->comm,
  };

  return pen_store_writer_add_task (writer, &row, error);
}

gboolean
pen_sideband_write (PenSideband *self, const PenPokeFinding *findings, PenStoreWriter *writer,
                    PenProgress *progress, GError **error)
{
  guint n_pokes;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n_pokes);
  guint64 done = progress->state.done;

#define STEP()                                                                                     \
  (++done % PROGRESS_STEP != 0 || pen_progress_step (progress, done, error))

  for (guint i = 0; i < self->maps->len; i++)
    if (!STEP () || !write_map (self, &g_array_index (self->maps, Map, i), writer, error))
      return FALSE;

  for (guint i = 0; i < self->ksymbols->len; i++)
    if (!STEP ()
        || !write_ksymbol (self, &g_array_index (self->ksymbols, Ksymbol, i), writer, error))
      return FALSE;

  for (guint i = 0; i < n_pokes; i++)
    if (!STEP () || !write_poke (self, &pokes[i], &findings[i], writer, error))
      return FALSE;

  for (guint i = 0; i < self->bpf_events->len; i++)
    if (!STEP () || !write_bpf_event (&g_array_index (self->bpf_events, BpfEvent, i), writer, error))
      return FALSE;

  for (guint i = 0; i < self->tasks->len; i++)
    if (!STEP () || !write_task (&g_array_index (self->tasks, Task, i), writer, error))
      return FALSE;

#undef STEP

  return TRUE;
}
