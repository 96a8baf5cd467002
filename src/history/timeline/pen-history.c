/* pen-history.c: who occupied what, and when: semantics.md in code
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-private.h"

#include "pen-binary-search.h"

#include <string.h>

#include "pen-losses.h"
#include "pen-map-name.h"
#include "pen-spaces.h"

PenHistory *
pen_history_new (void)
{
  PenHistory *self = g_new0 (PenHistory, 1);

  self->names = pen_names_new ();
  self->bytes = g_string_chunk_new (4096);
  self->max_copies = PEN_SPACES_MAX_COPIES;
  self->losses = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  self->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  pen_events_init (&self->events);
  pen_tenure_builder_init (&self->builder);
  pen_pid_set_init (&self->pids);
  pen_tasks_init (&self->tasks);
  pen_patches_init (&self->patches);
  return self;
}

void
pen_history_limit_copies (PenHistory *self, guint n)
{
  self->max_copies = MIN (n, PEN_SPACES_MAX_COPIES);
}

guint
pen_history_get_copies (PenHistory *self)
{
  return self->copies;
}

void
pen_history_go_on (PenHistory *self, const PenPresent *present)
{
  g_return_if_fail (!self->is_sealed);

  self->present = present;
  self->tasks.before = present->comms;
  for (guint i = 0; i < present->spaces->len; i++)
    pen_pid_set_add (&self->pids, g_array_index (present->spaces, PenSpace, i).pid);
}

void
pen_history_leave (PenHistory *self, PenPresent *present)
{
  g_return_if_fail (self->is_sealed);

  pen_tasks_leave (&self->tasks, present->comms, present->names);
  pen_present_take (present, self->spaces, self->threads, &self->builder);
}

gboolean
pen_history_is_other (PenHistory *self)
{
  return self->is_other;
}

void
pen_history_free (PenHistory *self)
{
  if (!self)
    return;
  pen_events_clear (&self->events);
  pen_tenure_builder_clear (&self->builder);
  pen_pid_set_clear (&self->pids);
  pen_tasks_clear (&self->tasks);
  pen_patches_clear (&self->patches);
  pen_planes_clear (&self->planes);
  g_clear_pointer (&self->spaces, g_array_unref);
  g_clear_pointer (&self->threads, g_array_unref);
  g_array_unref (self->pokes);
  g_array_unref (self->losses);
  g_free (self->begins);
  g_free (self->space_begins);
  g_free (self->space_ends);
  pen_names_free (self->names);
  g_string_chunk_free (self->bytes);
  g_free (self);
}

/* ---- events ---- */

const guint8 *
pen_history_copy_bytes (PenHistory *self, const guint8 *bytes, gsize length)
{
  return (const guint8 *) g_string_chunk_insert_len (
      self->bytes, length ? (const char *) bytes : "", (gssize) length);
}

/* A range that overflows is cut. */
static guint64
get_map_end (const PenMapEvent *event)
{
  return event->start + MIN (event->length, G_MAXUINT64 - event->start);
}

static void
add_kernel_map (PenHistory *self, const PenMapEvent *event)
{
  g_autofree char *occupant = pen_map_name_get_kernel_occupant (event->name);
  PenMapItem item = {
    .tenure = {
      .space = PEN_SPACE_KERNEL,
      .layer = PEN_LAYER_MAP,
      .kind = pen_map_name_get_kernel_kind (event->name),
      .occupant = pen_names_add (self->names, occupant),
      .name = pen_names_add (self->names, event->name),
      .start = event->start,
      .end = get_map_end (event),
      .file_offset = event->file_offset,
      .from = event->origin.moment,
      .from_bound = pen_tenure_builder_bound (event->origin.moment, event->evidence),
      .evidence = event->evidence,
      .build_id_length = (guint8) MIN (event->build_id_length, PEN_TENURE_BUILD_ID),
    },
  };

  if (item.tenure.start == item.tenure.end)
    return;
  if (item.tenure.build_id_length > 0)
    memcpy (item.tenure.build_id, event->build_id, item.tenure.build_id_length);
  pen_events_add (&self->events, event->origin.moment, PEN_EVENT_MAP, self->events.maps, &item);
}

static void
add_process_map (PenHistory *self, const PenMapEvent *event)
{
  PenProcessMapItem item = {
    .name = pen_names_add (self->names, event->name),
    .symbol = event->symbol ? pen_names_add (self->names, event->symbol) : NULL,
    .start = event->start,
    .end = get_map_end (event),
    .file_offset = event->file_offset,
    .pid = event->pid,
    .tid = event->tid,
    .build_id_length = (guint8) MIN (event->build_id_length, PEN_TENURE_BUILD_ID),
    .evidence = (guint8) event->evidence,
    .is_data = event->is_data != FALSE,
  };

  if (item.build_id_length > 0)
    item.build_id = pen_history_copy_bytes (self, event->build_id, item.build_id_length);
  pen_pid_set_add (&self->pids, item.pid);
  pen_events_add (&self->events, event->origin.moment, PEN_EVENT_PROCESS_MAP,
                  self->events.process_maps, &item);
}

void
pen_history_add_map (PenHistory *self, const PenMapEvent *event)
{
  g_return_if_fail (!self->is_sealed);

  if (pen_map_name_is_guest_kernel (event->name))
    return;
  if (event->is_kernel || event->pid == -1)
    add_kernel_map (self, event);
  else
    add_process_map (self, event);
}

void
pen_history_add_ksymbol (PenHistory *self, const PenKsymbolEvent *event)
{
  PenKsymbolEvent item = *event;

  g_return_if_fail (!self->is_sealed);

  item.name = pen_names_add (self->names, event->name);
  pen_events_add (&self->events, event->origin.moment,
                  event->is_unregister ? PEN_EVENT_UNREGISTER : PEN_EVENT_REGISTER,
                  self->events.ksymbols, &item);
}

void
pen_history_add_listed (PenHistory *self, const char *name, PenKind kind, guint64 start,
                        guint64 end, PenEvidence evidence)
{
  PenListedItem item = { .kind = kind, .start = start, .end = end, .evidence = evidence };

  g_return_if_fail (!self->is_sealed);

  if (start >= end)
    return;
  item.name = pen_names_add (self->names, name);
  pen_events_add (&self->events, PEN_MOMENT_INITIAL_END, PEN_EVENT_LISTED, self->events.listed,
                  &item);
}

void
pen_history_add_bpf_load (PenHistory *self, PenMoment moment, guint32 bpf_id, const guint8 tag[8],
                          gint32 tid, guint32 cpu, const guint64 *addresses, gsize n_addresses)
{
  PenBpfLoadItem item
      = { .bpf_id = bpf_id, .tid = tid, .cpu = cpu, .first_address = self->events.addresses->len };

  g_return_if_fail (!self->is_sealed);

  memcpy (item.tag, tag, sizeof item.tag);
  if (addresses && n_addresses <= G_MAXUINT - item.first_address) {
    item.n_addresses = (guint) n_addresses;
    g_array_append_vals (self->events.addresses, addresses, item.n_addresses);
  }
  pen_events_add (&self->events, moment, PEN_EVENT_BPF_LOAD, self->events.bpf_loads, &item);
}

void
pen_history_add_poke (PenHistory *self, const PenPoke *poke)
{
  PenPoke item = {
    .moment = poke->moment,
    .time = poke->time,
    .has_time = poke->has_time,
    .address = poke->address,
    .old_length = poke->old_length,
    .new_length = poke->new_length,
    .effect = pen_patches_get_effect (poke),
    .has_task = poke->has_task,
    .pid = poke->pid,
    .tid = poke->tid,
    .cpu = poke->cpu,
    .function = PEN_POKE_NO_FUNCTION,
  };

  g_return_if_fail (!self->is_sealed);

  item.old_bytes = pen_history_copy_bytes (self, poke->old_bytes, poke->old_length);
  item.new_bytes = pen_history_copy_bytes (self, poke->new_bytes, poke->new_length);
  pen_events_add (&self->events, poke->moment, PEN_EVENT_POKE, self->events.pokes, &item);
}

void
pen_history_add_fork (PenHistory *self, PenMoment moment, gint32 pid, gint32 ppid, gint32 tid,
                      gint32 ptid, gboolean is_synthesized)
{
  PenTaskItem item
      = { .pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid, .is_synthesized = is_synthesized };

  g_return_if_fail (!self->is_sealed);

  pen_pid_set_add (&self->pids, pid);
  pen_pid_set_add (&self->pids, ppid);
  pen_pid_set_add (&self->tasks.tids, tid);
  pen_pid_set_add (&self->tasks.tids, ptid);
  pen_events_add (&self->events, moment, PEN_EVENT_FORK, self->events.tasks, &item);
}

void
pen_history_add_exit (PenHistory *self, PenMoment moment, gint32 pid, gint32 tid)
{
  PenTaskItem item = { .pid = pid, .tid = tid };

  g_return_if_fail (!self->is_sealed);

  pen_pid_set_add (&self->pids, pid);
  pen_events_add (&self->events, moment, PEN_EVENT_EXIT, self->events.tasks, &item);
}

void
pen_history_add_comm (PenHistory *self, PenMoment moment, gint32 pid, gint32 tid, const char *comm,
                      gboolean is_exec)
{
  PenTaskItem item
      = { .pid = pid, .tid = tid, .is_exec = is_exec, .comm = pen_names_add (self->names, comm) };

  g_return_if_fail (!self->is_sealed);

  pen_pid_set_add (&self->pids, pid);
  pen_pid_set_add (&self->tasks.tids, tid);
  pen_events_add (&self->events, moment, PEN_EVENT_COMM, self->events.tasks, &item);
}

static const char *
intern_module (PenHistory *self, const char *module)
{
  g_autofree char *occupant = pen_map_name_get_kernel_occupant (module);

  return pen_names_add (self->names, occupant);
}

void
pen_history_add_module (PenHistory *self, const PenOrigin *origin, const char *module,
                        gboolean is_free)
{
  PenModuleItem item = {
    .occupant = intern_module (self, module),
    .moment = origin->moment,
    .is_free = is_free,
    .map = G_MAXUINT32,
    .has_task = origin->has_task,
    .tid = origin->tid,
  };

  g_return_if_fail (!self->is_sealed);

  if (is_free)
    pen_events_add (&self->events, item.moment, PEN_EVENT_MODULE_FREE, self->events.modules, &item);
  else
    g_array_append_val (self->events.modules, item);
}

void
pen_history_add_allocation (PenHistory *self, const PenOrigin *origin, guint64 start,
                            guint64 length)
{
  PenAllocationItem item = {
    .moment = origin->moment,
    .tid = origin->tid,
    .start = start,
    .end = start + MIN (length, G_MAXUINT64 - start),
  };

  g_return_if_fail (!self->is_sealed);

  if (origin->has_task && item.start < item.end)
    g_array_append_val (self->events.allocations, item);
}

void
pen_history_add_modules (PenHistory *self, PenMoment moment, gboolean is_dated, gboolean is_whole,
                         const PenModuleSighting *modules, guint n)
{
  PenSightingList list = {
    .moment = moment,
    .is_dated = is_dated,
    .is_whole = is_whole,
    .first = self->events.sightings->len,
  };

  g_return_if_fail (!self->is_sealed);

  for (guint i = 0; i < n; i++) {
    PenSighting sighting = {
      .occupant = intern_module (self, modules[i].module),
      .start = modules[i].start,
      .end = modules[i].start + MIN (modules[i].length, G_MAXUINT64 - modules[i].start),
      .is_rough = modules[i].is_rough,
      .has_other_memory = modules[i].has_other_memory,
      .evidence = modules[i].evidence,
    };

    if (sighting.start < sighting.end)
      g_array_append_val (self->events.sightings, sighting);
  }
  list.n = self->events.sightings->len - list.first;
  g_array_append_val (self->events.sighting_lists, list);
}

void
pen_history_add_loss (PenHistory *self, const PenLoss *loss)
{
  PenLoss item = *loss;

  g_return_if_fail (!self->is_sealed);

  item.to = MAX (item.from, item.to);
  g_array_append_val (self->losses, item);
}

/* ---- answers ---- */

const PenSpace *
pen_history_get_spaces (PenHistory *self, guint *n)
{
  g_return_val_if_fail (self->is_sealed, NULL);

  *n = self->spaces->len;
  return (const PenSpace *) (gpointer) self->spaces->data;
}

const PenTenure *
pen_history_get_tenures (PenHistory *self, guint *n)
{
  g_return_val_if_fail (self->is_sealed, NULL);

  *n = self->builder.tenures->len;
  return (const PenTenure *) (gpointer) self->builder.tenures->data;
}

guint32
pen_history_get_last_tenure (PenHistory *self)
{
  guint n_before = self->present ? self->present->n_tenures : 0;

  return n_before + self->builder.tenures->len - self->n_earlier;
}

static guint32
find_earlier (PenHistory *self, guint32 id)
{
  const PenTenure *tenures = (const PenTenure *) (gpointer) self->builder.tenures->data;
  guint low = PEN_BINARY_SEARCH (i, 0, self->n_earlier, tenures[i].id < id);

  return low < self->n_earlier && tenures[low].id == id ? low + 1 : 0;
}

/* Returns: 0: it is not there any more */
static guint32
find_place (PenHistory *self, guint32 id)
{
  guint32 n_before = self->present ? self->present->n_tenures : 0;
  guint32 place = id > n_before ? id - n_before + self->n_earlier : find_earlier (self, id);

  g_return_val_if_fail (place <= self->builder.tenures->len, 0);
  return place;
}

const PenTenure *
pen_history_get_tenure (PenHistory *self, guint32 id)
{
  guint32 place = id != 0 ? find_place (self, id) : 0;

  return place != 0 ? pen_history_get_tenure_at (self, place) : NULL;
}

void
pen_history_set_code_end (PenHistory *self, guint32 tenure, guint64 end)
{
  guint32 place = find_place (self, tenure);

  g_return_if_fail (self->is_sealed && place != 0);

  g_array_index (self->builder.tenures, PenTenure, place - 1).code_end = end;
}

const PenPart *
pen_history_get_parts (PenHistory *self, guint *n)
{
  g_return_val_if_fail (self->is_sealed, NULL);

  *n = self->builder.parts->len;
  return (const PenPart *) (gpointer) self->builder.parts->data;
}

PenPoke *
pen_history_get_pokes (PenHistory *self, guint *n)
{
  g_return_val_if_fail (self->is_sealed, NULL);

  *n = self->pokes->len;
  return (PenPoke *) (gpointer) self->pokes->data;
}

const char *
pen_history_intern (PenHistory *self, const char *string)
{
  return string ? pen_names_add (self->names, string) : NULL;
}

const PenLoss *
pen_history_get_losses (PenHistory *self, guint *n)
{
  g_return_val_if_fail (self->is_sealed, NULL);

  *n = self->losses->len;
  return (const PenLoss *) (gpointer) self->losses->data;
}

guint64
pen_history_get_doubt (PenHistory *self, guint64 time)
{
  return pen_losses_find_first (self->losses, time);
}

guint64
pen_history_get_ignored_ksymbols (PenHistory *self)
{
  return self->ignored_ksymbols;
}

guint64
pen_history_get_repeated_ksymbols (PenHistory *self)
{
  return self->repeated_ksymbols;
}

const PenTenure *
pen_history_find (PenHistory *self, guint32 space, guint64 address, PenMoment moment,
                  guint32 *revision)
{
  const PenPart *part = NULL;

  g_return_val_if_fail (self->is_sealed, NULL);

  if (revision)
    *revision = 0;
  if (space >= self->spaces->len)
    return NULL;

  if (space == PEN_SPACE_KERNEL)
    part = pen_planes_find (&self->planes, PEN_PLANE_KSYMBOLS, address, moment);
  if (!part)
    part = pen_planes_find (&self->planes, pen_plane_of (space, PEN_LAYER_MAP), address, moment);
  if (!part)
    return NULL;
  if (revision && space == PEN_SPACE_KERNEL)
    *revision = pen_patches_count (&self->patches, part->tenure, address, moment);
  return pen_history_get_tenure_at (self, part->tenure);
}

const char *
pen_history_find_comm (PenHistory *self, gint32 tid, PenMoment moment)
{
  g_return_val_if_fail (self->is_sealed, "");
  return pen_tasks_find (&self->tasks, tid, moment);
}
