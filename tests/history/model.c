/* model.c: the contract, sentence by sentence, asked of the raw events each time
 *
 * Nothing is kept from one question to the next (but whether a byte is held, which P6 asks for at
 * each event), and nothing is cut, copied or counted ahead: each question walks the events. Slow on
 * purpose; it shares no idea with the history that it checks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "model.h"

#include <string.h>

static gboolean
is_before (PenMoment a, PenMoment b)
{
  return pen_moment_compare (a, b) < 0;
}

static gboolean
covers (const RawEvent *event, guint64 address)
{
  return address >= event->start && address - event->start < event->length;
}

static gboolean
overlap (const RawEvent *event, guint64 start, guint64 length)
{
  return event->start < start + length && start < event->start + event->length;
}

gboolean
model_is_same_tenure (const Holder *a, const Holder *b)
{
  return a->found == b->found
         && (!a->found
             || (a->is_ksymbol == b->is_ksymbol && a->is_unknown == b->is_unknown
                 && a->start == b->start && a->end == b->end && g_str_equal (a->name, b->name)
                 && pen_moment_compare (a->from, b->from) == 0));
}

/* ---- ksymbols ---- */

static gboolean
is_same (const RawEvent *event, guint64 length, const char *name)
{
  return event->length == length && g_str_equal (event->name, name);
}

/* K6: whether @event takes bytes of @listed, of which no record has told so far. */
static gboolean
takes (const RawEvent *event, const RawEvent *listed)
{
  RawEvent taken = *event;

  if (event->length == 0 || event->kind != RAW_REGISTER)
    return FALSE;
  if (g_str_has_prefix (event->name, "bpf_trampoline_"))
    taken.length = 1;
  return overlap (&taken, listed->start, listed->length)
         && !(event->start == listed->start && g_str_equal (event->name, listed->name));
}

/* The register, or the line of a snapshot, that makes a symbol live.
 * @length: of the symbol; @is_listed: no record has told of it so far */
typedef struct {
  const RawEvent *event;
  guint64 length;
  gboolean is_listed;
} LiveSymbol;

static gboolean is_told_of (const Model *self, guint listed);

/* What makes the symbol starting at @start live just before event @index. */
static LiveSymbol
find_live (const Model *self, guint64 start, guint index)
{
  LiveSymbol live = { 0 };

  for (guint i = 0; i < index; i++) {
    const RawEvent *event = &self->events[i];

    if (live.is_listed && takes (event, live.event))
      live = (LiveSymbol){ 0 };
    if (event->start != start)
      continue;
    if (event->kind == RAW_UNREGISTER)
      live = (LiveSymbol){ 0 };
    else if (event->kind == RAW_LISTED && !is_told_of (self, i))
      live = (LiveSymbol){ event, event->length, TRUE };
    else if (event->kind != RAW_REGISTER || event->length == 0)
      continue;
    else if (live.is_listed)
      live = (LiveSymbol){ live.event, event->length, FALSE };
    else if (!live.event || !is_same (event, live.length, live.event->name))
      live = (LiveSymbol){ event, event->length, FALSE };
  }
  return live;
}

/* What event @index brings to an end at its own start: a length from there on; 0: nothing. */
static guint64
get_ended_length (const Model *self, guint index)
{
  const RawEvent *event = &self->events[index];
  LiveSymbol live;

  if (event->kind != RAW_REGISTER && event->kind != RAW_UNREGISTER)
    return 0;
  live = find_live (self, event->start, index);
  if (event->kind == RAW_UNREGISTER)
    return !live.event || (live.is_listed && event->length > 0) ? event->length : live.length;
  if (!live.event || event->length == 0 || is_same (event, live.length, live.event->name)
      || (live.is_listed && g_str_equal (event->name, live.event->name)))
    return 0;
  return live.length;
}

/* Whether event @index ends a ksymbol that held any of [@start, +@length). */
static gboolean
ends_any (const Model *self, guint index, guint64 start, guint64 length)
{
  RawEvent ended = self->events[index];

  ended.length = get_ended_length (self, index);
  if (ended.length > 0 && overlap (&ended, start, length))
    return TRUE;
  for (guint i = 0; i < index; i++) {
    const RawEvent *listed = &self->events[i];

    if (listed->kind == RAW_LISTED && overlap (listed, start, length)
        && find_live (self, listed->start, index).is_listed && takes (&self->events[index], listed))
      return TRUE;
  }
  return FALSE;
}

/* Whether records of the initial state tell of what line @listed says, or of what was there. */
static gboolean
is_told_of (const Model *self, guint listed)
{
  const RawEvent *line = &self->events[listed];

  if (find_live (self, line->start, listed).event)
    return TRUE;
  for (guint i = 0; i < listed; i++)
    if (self->events[i].kind != RAW_LISTED && ends_any (self, i, line->start, line->length))
      return TRUE;
  return FALSE;
}

/* K4: since when the symbol had been there that event @index ends without a register. */
static PenMoment
get_ghost_from (const Model *self, guint index)
{
  const RawEvent *ghost = &self->events[index];
  PenMoment from = PEN_MOMENT_START;

  for (guint i = 0; i < index; i++)
    if (ends_any (self, i, ghost->start, ghost->length))
      from = self->events[i].moment;
  return from;
}

/* K6: what is listed at @start was there from the start, whenever one asks. */
static guint
skip_listed (const Model *self, guint64 start, guint now)
{
  for (guint i = now; i < self->n; i++)
    if (self->events[i].kind == RAW_LISTED && self->events[i].start == start
        && !is_told_of (self, i))
      return i + 1;
  return now;
}

/* A map ends what no record tells of. */
static void
cut_by_map (const Model *self, const RawEvent *line, PenMoment moment, Holder *holder)
{
  for (guint i = 0; i < self->n; i++) {
    const RawEvent *event = &self->events[i];

    if (event->kind != RAW_KERNEL_MAP || event->moment.time == 0 || event->length == 0
        || !overlap (event, line->start, line->length) || !is_before (event->moment, holder->to))
      continue;
    holder->to = event->moment;
    holder->to_inferred = TRUE;
    holder->found = holder->found && !is_before (holder->to, moment);
    return;
  }
}

/* The symbol that starts at @start, as it is just before @moment. */
static Holder
find_ksymbol_at (const Model *self, guint64 start, PenMoment moment)
{
  Holder holder = { .is_ksymbol = TRUE, .start = start, .to = PEN_MOMENT_END };
  LiveSymbol live;
  guint now = 0;

  while (now < self->n && is_before (self->events[now].moment, moment))
    now++;
  now = skip_listed (self, start, now);
  live = find_live (self, start, now);
  if (live.event) {
    gboolean is_line = live.event->kind == RAW_LISTED;

    holder.from = is_line ? PEN_MOMENT_START : live.event->moment;
    holder.found = is_before (holder.from, moment);
    holder.name = live.event->name;
    holder.end = start + live.length;
  }

  /* What the future says about it. */
  for (guint i = now; i < self->n; i++) {
    const RawEvent *event = &self->events[i];

    if (live.is_listed && takes (event, live.event)) {
      holder.to = event->moment;
      holder.to_inferred = TRUE;
      break;
    }
    if (event->start != start || (event->kind != RAW_REGISTER && event->kind != RAW_UNREGISTER))
      continue;
    if (live.is_listed && (event->length > 0 || event->kind == RAW_UNREGISTER)) {
      live.length = event->length > 0 ? event->length : live.length;
      holder.end = start + live.length;
      live.is_listed = FALSE;
    }
    if (live.event && get_ended_length (self, i) > 0) {
      holder.to = event->moment;
      holder.to_inferred = event->kind == RAW_REGISTER;
      break;
    }
    if (!live.event && event->length > 0) {
      PenMoment from;

      if (event->kind == RAW_REGISTER)
        break;
      from = get_ghost_from (self, i);
      holder.found = is_before (from, moment);
      holder.name = event->name;
      holder.end = start + event->length;
      holder.from = from;
      holder.from_inferred = TRUE;
      holder.to = event->moment;
      break;
    }
  }
  if (live.is_listed)
    cut_by_map (self, live.event, moment, &holder);
  return holder;
}

/* ---- maps ---- */

/* When the last byte of what @map took is taken from it by one of @pid's later maps. @is_kernel: of
 * the kernel's. @module: its name, whose free ends it (M3), or NULL. @limit: where its space ends.
 */
static PenMoment
get_map_end (const Model *self, const char *module, guint index, const gboolean *held,
             gboolean is_kernel, gint32 pid, PenMoment limit)
{
  gboolean left[MODEL_ADDRESSES];

  memcpy (left, held, sizeof left);
  for (guint i = index; i < self->n; i++) {
    const RawEvent *event = &self->events[i];
    gboolean any = FALSE;

    if (!is_before (event->moment, limit))
      break;
    if (event->kind == RAW_MODULE_FREE && g_strcmp0 (event->name, module) == 0)
      return event->moment;
    if (event->kind != (is_kernel ? RAW_KERNEL_MAP : RAW_MAP)
        || (!is_kernel && (event->pid != pid || event->flag)))
      continue;
    for (guint64 address = 0; address < MODEL_ADDRESSES; address++) {
      if (covers (event, address))
        left[address] = FALSE;
      any |= left[address];
    }
    if (!any)
      return event->moment;
  }
  return limit;
}

static Holder
find_kernel_map (const Model *self, guint64 address, PenMoment moment)
{
  Holder holder = { 0 };

  for (guint i = 0; i < self->n && is_before (self->events[i].moment, moment); i++) {
    const RawEvent *event = &self->events[i];
    gboolean held[MODEL_ADDRESSES];

    /* What it had cut does not come back. */
    if (event->kind == RAW_MODULE_FREE && holder.found && g_str_equal (event->name, holder.name))
      holder = (Holder){ 0 };
    if (event->kind != RAW_KERNEL_MAP || !covers (event, address))
      continue;
    for (guint64 byte = 0; byte < MODEL_ADDRESSES; byte++)
      held[byte] = covers (event, byte);
    holder.found = TRUE;
    holder.is_snapshot = event->flag;
    holder.name = event->name;
    holder.start = event->start;
    holder.end = event->start + event->length;
    holder.from = event->moment;
    holder.to = get_map_end (self, event->name, i + 1, held, TRUE, -1, PEN_MOMENT_END);
    holder.file_offset = event->file_offset + (address - event->start);
  }
  return holder;
}

static Holder
find_held (const Model *self, guint64 address, PenMoment moment)
{
  /* K3: the nearest start at or below, of those that hold the address. */
  for (guint64 start = address + 1; start-- > 0;) {
    Holder holder = find_ksymbol_at (self, start, moment);

    if (holder.found && address < holder.end)
      return holder;
  }
  return find_kernel_map (self, address, moment);
}

/* ---- text that pokes alone tell of ---- */

static gboolean
is_poked (const Model *self, guint64 address, PenMoment from, PenMoment to)
{
  for (guint i = 0; i < self->n; i++) {
    const RawEvent *event = &self->events[i];

    if (event->kind == RAW_POKE && covers (event, address) && is_before (from, event->moment)
        && !is_before (to, event->moment))
      return TRUE;
  }
  return FALSE;
}

/* Whether anything holds @address just before event @index; after all events where there is none.
 */
static gboolean
is_held (const Model *self, guint64 address, guint index)
{
  PenMoment moment = index < self->n ? self->events[index].moment : PEN_MOMENT_END;
  guint8 *known = &self->held[index * MODEL_BYTES + address];

  if (*known == 0)
    *known = find_held (self, address, moment).found ? 2 : 1;
  return *known == 2;
}

/* P6: for how long nothing has held @address that nothing holds just before @moment. Returns:
 * whether it is poked meanwhile */
static gboolean
find_gap (const Model *self, guint64 address, PenMoment moment, PenMoment *from, PenMoment *to)
{
  guint now = 0;

  *from = PEN_MOMENT_START;
  *to = PEN_MOMENT_END;
  if (!is_poked (self, address, *from, *to))
    return FALSE;
  while (now < self->n && is_before (self->events[now].moment, moment))
    now++;
  if (is_held (self, address, now))
    return FALSE;
  for (guint i = now; i-- > 0;)
    if (is_held (self, address, i)) {
      *from = self->events[i].moment;
      break;
    }
  for (guint i = now; i < self->n; i++)
    if (is_held (self, address, i + 1)) {
      *to = self->events[i].moment;
      break;
    }
  return is_poked (self, address, *from, *to);
}

static gboolean
is_same_gap (const Model *self, guint64 address, PenMoment moment, const Holder *holder)
{
  PenMoment from;
  PenMoment to;

  return find_gap (self, address, moment, &from, &to)
         && pen_moment_compare (from, holder->from) == 0
         && pen_moment_compare (to, holder->to) == 0;
}

static Holder
find_unknown (const Model *self, guint64 address, PenMoment moment)
{
  Holder holder = {
    .is_unknown = TRUE, .name = "", .start = address, .end = address + 1, .from_inferred = TRUE
  };

  holder.found = find_gap (self, address, moment, &holder.from, &holder.to)
                 && is_before (holder.from, moment);
  if (!holder.found)
    return (Holder){ 0 };
  holder.to_inferred = pen_moment_compare (holder.to, PEN_MOMENT_END) < 0;
  while (is_same_gap (self, holder.start - 1, moment, &holder))
    holder.start--;
  while (is_same_gap (self, holder.end, moment, &holder))
    holder.end++;
  return holder;
}

Holder
model_find_kernel (const Model *self, guint64 address, PenMoment moment)
{
  Holder holder = find_held (self, address, moment);

  return holder.found ? holder : find_unknown (self, address, moment);
}

/* ---- revisions ---- */

gboolean
model_is_patch (const RawEvent *poke)
{
  if (poke->old_length == 0 || poke->new_length == 0)
    return FALSE;
  return poke->old_length != poke->new_length
         || memcmp (poke->old_bytes, poke->new_bytes, poke->old_length) != 0;
}

guint32
model_count_revision (const Model *self, guint64 address, PenMoment moment)
{
  Holder now = model_find_kernel (self, address, moment);
  guint32 count = 0;

  for (guint i = 0; i < self->n && is_before (self->events[i].moment, moment); i++) {
    const RawEvent *event = &self->events[i];
    Holder then;

    if (event->kind != RAW_POKE || !model_is_patch (event) || !covers (event, address))
      continue;
    then = model_find_kernel (self, address, event->moment);
    if (now.found && model_is_same_tenure (&now, &then))
      count++;
  }
  return count;
}

/* ---- spaces ---- */

static gboolean
begins_image (const RawEvent *event, gint32 pid)
{
  if (event->pid != pid)
    return FALSE;
  return (event->kind == RAW_FORK && event->ppid != pid)
         || (event->kind == RAW_COMM && event->flag);
}

/* A record that shows @tid of @pid alive. */
static gboolean
shows_thread (const RawEvent *event, gint32 pid, gint32 tid)
{
  switch (event->kind) {
  case RAW_MAP:
  case RAW_COMM:
    return event->pid == pid && event->tid == tid;
  case RAW_FORK:
    return (event->pid == pid && event->tid == tid) || (event->ppid == pid && event->ptid == tid);
  default:
    return FALSE;
  }
}

/* A record that says there is such a process. Being named as a parent only does not. */
static gboolean
names_process (const RawEvent *event, gint32 pid)
{
  return event->pid == pid
         && (event->kind == RAW_MAP || event->kind == RAW_COMM || event->kind == RAW_FORK);
}

/* Whether @tid is alive in the image of @pid that began with event @first, after event @last. */
static gboolean
is_thread_alive (const Model *self, gint32 pid, gint32 tid, guint first, guint last)
{
  for (guint i = last + 1; i-- > first;) {
    const RawEvent *event = &self->events[i];

    if (event->kind == RAW_EXIT && event->pid == pid && event->tid == tid)
      return FALSE;
    if (shows_thread (event, pid, tid))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_any_alive (const Model *self, gint32 pid, guint first, guint last)
{
  for (guint i = first; i <= last; i++) {
    const RawEvent *event = &self->events[i];

    if (is_thread_alive (self, pid, event->tid, first, last)
        || is_thread_alive (self, pid, event->ptid, first, last))
      return TRUE;
  }
  return FALSE;
}

/* The event with which the image of @pid that is there after event @last began; FALSE: there is
 * none */
static gboolean
find_image (const Model *self, gint32 pid, guint last, guint *first)
{
  gboolean is_there = FALSE;

  for (guint i = 0; i <= last; i++) {
    const RawEvent *event = &self->events[i];

    if (begins_image (event, pid) || (!is_there && names_process (event, pid))) {
      is_there = TRUE;
      *first = i;
    } else if (is_there && event->kind == RAW_EXIT && event->pid == pid) {
      is_there = is_any_alive (self, pid, *first, i);
    }
  }
  return is_there;
}

/* How many events come before @moment. */
static guint
count_before (const Model *self, PenMoment moment)
{
  guint n = 0;

  while (n < self->n && is_before (self->events[n].moment, moment))
    n++;
  return n;
}

static PenMoment
get_image_end (const Model *self, gint32 pid, guint first, guint last)
{
  for (guint i = last + 1; i < self->n; i++) {
    guint other;

    if (!find_image (self, pid, i, &other) || other != first)
      return self->events[i].moment;
  }
  return PEN_MOMENT_END;
}

gboolean
model_find_space (const Model *self, gint32 pid, PenMoment moment, PenMoment *from, PenMoment *to)
{
  guint before = count_before (self, moment);
  guint first;
  gboolean was_named = FALSE;

  if (before == 0 || !find_image (self, pid, before - 1, &first))
    return FALSE;
  for (guint i = 0; i < first; i++)
    was_named |= names_process (&self->events[i], pid);
  *from = self->events[first].moment;
  if (from->time == 0 && !was_named)
    *from = PEN_MOMENT_START;
  *to = get_image_end (self, pid, first, before - 1);
  return TRUE;
}

/* The last map of @pid that took @address since event @first, and is older than event @before. */
static gboolean
find_map (const Model *self, gint32 pid, guint64 address, guint first, guint before, guint *index)
{
  for (guint i = before; i-- > first;) {
    const RawEvent *event = &self->events[i];

    if (event->kind == RAW_MAP && event->pid == pid && !event->flag && covers (event, address)) {
      *index = i;
      return TRUE;
    }
  }
  return FALSE;
}

/* Without Holder.to: it costs too much to be asked for each byte. */
static Holder
find_origin (const Model *self, gint32 pid, guint64 address, guint first, guint before)
{
  const RawEvent *origin = &self->events[first];
  Holder holder = { 0 };
  guint index;

  if (find_map (self, pid, address, first, before, &index)) {
    const RawEvent *map = &self->events[index];

    holder.found = TRUE;
    holder.name = map->name;
    holder.start = map->start;
    holder.end = map->start + map->length;
    holder.from = map->moment;
    holder.file_offset = map->file_offset + (address - map->start);
  } else if (origin->kind == RAW_FORK && origin->ppid != pid && !origin->flag) {
    /* U1: what the parent had when it forked. */
    guint parents_first;

    if (first > 0 && find_image (self, origin->ppid, first - 1, &parents_first))
      holder = find_origin (self, origin->ppid, address, parents_first, first);
    holder.from = origin->moment;
  }
  return holder;
}

Holder
model_find_process (const Model *self, gint32 pid, guint64 address, PenMoment moment)
{
  guint before = count_before (self, moment);
  gboolean held[MODEL_ADDRESSES];
  Holder holder;
  guint first;
  guint since;

  if (before == 0 || !find_image (self, pid, before - 1, &first))
    return (Holder){ 0 };
  holder = find_origin (self, pid, address, first, before);
  if (!holder.found)
    return holder;

  /* All that it held when it began, less what later maps took. */
  since = count_before (self, holder.from) + 1;
  for (guint64 byte = 0; byte < MODEL_ADDRESSES; byte++) {
    Holder other = find_origin (self, pid, byte, first, since);

    held[byte] = model_is_same_tenure (&holder, &other);
  }
  holder.to = get_map_end (self, NULL, since, held, FALSE, pid,
                           get_image_end (self, pid, first, before - 1));
  return holder;
}

const char *
model_find_comm (const Model *self, gint32 tid, PenMoment moment)
{
  for (guint i = count_before (self, moment); i-- > 0;) {
    const RawEvent *event = &self->events[i];

    if (event->tid != tid)
      continue;
    if (event->kind == RAW_COMM)
      return event->name;
    if (event->kind == RAW_FORK && tid != 0)
      return model_find_comm (self, event->ptid, event->moment);
  }
  return tid == 0 ? "swapper" : "";
}
