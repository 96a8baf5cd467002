/* test-property.c: random histories against the model
 *
 * PENTIMENTO_PROPERTY_RUNS: how many histories; PENTIMENTO_PROPERTY_SEED: the first one's seed (one
 * history depends on its seed alone).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-run.h"

#include "maker.h"
#include "test-share.h"

#include <stdlib.h>
#include <string.h>

/* Sanitizers see memory that is misused, and the same histories from the same seeds. */
#define DEFAULT_RUNS TEST_SHARE (3000, 800)
#define QUESTIONS 30

/* What the questions met: a test that only ever asks about nothing proves nothing. */
typedef struct {
  guint64 maps;
  guint64 cut_maps;
  guint64 ksymbols;
  guint64 ghosts;
  guint64 listed;
  guint64 unknown;
  guint64 bounded; /* unknown text between two holders */
  guint64 freed;
  guint64 inferred_ends;
  guint64 revisions;
  guint64 many_revisions;
  guint64 straddles;
  guint64 process_maps;
  guint64 copies;
  guint64 recycled;
  guint64 comms;
  guint64 ambiguous;
  guint64 sure;
} Met;

static Met met;

/* ---- into a history ---- */

static void
add_map (PenHistory *history, const RawEvent *raw)
{
  PenMapEvent event = {
    .is_kernel = raw->kind == RAW_KERNEL_MAP,
    .is_data = raw->flag && raw->kind == RAW_MAP,
    .pid = raw->pid,
    .tid = raw->tid,
    .start = raw->start,
    .length = raw->length,
    .file_offset = raw->file_offset,
    .name = raw->name,
    .evidence = raw->flag && raw->kind == RAW_KERNEL_MAP ? PEN_EVIDENCE_FILE_UNCHECKED
                                                         : PEN_EVIDENCE_RECORDED,
    .origin.moment = raw->moment,
  };

  pen_history_add_map (history, &event);
}

static void
add_free (PenHistory *history, const RawEvent *raw)
{
  PenOrigin origin = { .moment = raw->moment };

  pen_history_add_module (history, &origin, raw->name, TRUE);
}

static void
add_ksymbol (PenHistory *history, const RawEvent *raw)
{
  PenKsymbolEvent event = {
    .is_unregister = raw->kind == RAW_UNREGISTER,
    .address = raw->start,
    .length = raw->length,
    .name = raw->name,
    .origin = { .moment = raw->moment, .tid = -1 },
  };

  pen_history_add_ksymbol (history, &event);
}

static PenKind
get_kind (const char *name)
{
  return g_str_has_prefix (name, "bpf_trampoline_") ? PEN_KIND_STUB : PEN_KIND_BPF;
}

static void
add_poke (PenHistory *history, const RawEvent *raw)
{
  PenPoke poke = {
    .moment = raw->moment,
    .address = raw->start,
    .old_length = raw->old_length,
    .new_length = raw->new_length,
    .old_bytes = raw->old_bytes,
    .new_bytes = raw->new_bytes,
    .pid = raw->pid,
    .tid = raw->tid,
  };

  pen_history_add_poke (history, &poke);
}

static void
add_event (PenHistory *history, const RawEvent *raw)
{
  switch (raw->kind) {
  case RAW_KERNEL_MAP:
  case RAW_MAP:
    add_map (history, raw);
    break;
  case RAW_REGISTER:
  case RAW_UNREGISTER:
    add_ksymbol (history, raw);
    break;
  case RAW_POKE:
    add_poke (history, raw);
    break;
  case RAW_FORK:
    pen_history_add_fork (history, raw->moment, raw->pid, raw->ppid, raw->tid, raw->ptid,
                          raw->flag);
    break;
  case RAW_EXIT:
    pen_history_add_exit (history, raw->moment, raw->pid, raw->tid);
    break;
  case RAW_COMM:
    pen_history_add_comm (history, raw->moment, raw->pid, raw->tid, raw->name, raw->flag);
    break;
  case RAW_LISTED:
    pen_history_add_listed (history, raw->name, get_kind (raw->name), raw->start,
                            raw->start + raw->length, PEN_EVIDENCE_RECORDED);
    break;
  case RAW_MODULE_FREE:
    add_free (history, raw);
    break;
  default:
    g_assert_not_reached ();
  }
}

static PenHistory *
make_history (Run *run, gboolean is_shuffled)
{
  PenHistory *history = pen_history_new ();
  guint n = run->stream->len;
  g_autofree guint *order = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  for (guint i = n; is_shuffled && i > 1; i--) {
    guint other = run_pick (run, i);
    guint swap = order[i - 1];

    order[i - 1] = order[other];
    order[other] = swap;
  }
  /* Lines of a snapshot share a moment: they count in their order. */
  for (guint i = 0; i < n; i++)
    if (g_array_index (run->stream, RawEvent, i).kind == RAW_LISTED)
      add_event (history, &g_array_index (run->stream, RawEvent, i));
  for (guint i = 0; i < n; i++)
    if (g_array_index (run->stream, RawEvent, order[i]).kind != RAW_LISTED)
      add_event (history, &g_array_index (run->stream, RawEvent, order[i]));
  pen_history_seal (history, NULL, NULL);
  return history;
}

/* ---- questions ---- */

static gboolean
equals (PenMoment a, PenMoment b)
{
  return pen_moment_compare (a, b) == 0;
}

static void
complain (Run *run, const char *what, guint64 address, PenMoment moment)
{
  for (guint i = 0; i < run->sorted->len; i++) {
    static const char *const kinds[] = { "kernel-map", "map",  "register", "unregister", "poke",
                                         "fork",       "exit", "comm",     "free",       "listed" };
    const RawEvent *event = &g_array_index (run->sorted, RawEvent, i);

    g_test_message ("%" G_GUINT64_FORMAT ".%02" G_GUINT64_FORMAT " %-10s [%" G_GUINT64_FORMAT
                    ",+%" G_GUINT64_FORMAT ") %s pid %d tid %d ppid %d ptid %d flag %d",
                    event->moment.time, event->moment.position, kinds[event->kind], event->start,
                    event->length, event->name, event->pid, event->tid, event->ppid, event->ptid,
                    event->flag);
  }
  g_error ("seed %u: %s differs at %" G_GUINT64_FORMAT ", moment %" G_GUINT64_FORMAT
           ".%" G_GUINT64_FORMAT,
           run->seed, what, address, moment.time, moment.position);
}

static PenBound
expect_from_bound (const Holder *holder)
{
  if (holder->from_inferred)
    return PEN_BOUND_INFERRED;
  return holder->from.time == 0 ? PEN_BOUND_INITIAL : PEN_BOUND_RECORDED;
}

static PenBound
expect_to_bound (const Holder *holder)
{
  if (holder->to_inferred)
    return PEN_BOUND_INFERRED;
  return equals (holder->to, PEN_MOMENT_END) ? PEN_BOUND_OPEN : PEN_BOUND_RECORDED;
}

static PenEvidence
expect_evidence (const Holder *holder)
{
  if (holder->is_snapshot)
    return PEN_EVIDENCE_FILE_UNCHECKED;
  if (holder->is_unknown)
    return PEN_EVIDENCE_UNKNOWN;
  return holder->from_inferred ? PEN_EVIDENCE_INFERRED : PEN_EVIDENCE_RECORDED;
}

static gboolean
is_freed (const Run *run, const Holder *holder)
{
  for (guint i = 0; i < run->model.n; i++)
    if (run->model.events[i].kind == RAW_MODULE_FREE
        && equals (run->model.events[i].moment, holder->to))
      return TRUE;
  return FALSE;
}

static gboolean
is_tenure (const PenTenure *tenure, const Holder *holder, guint64 address)
{
  if (!tenure || !holder->found)
    return !tenure && !holder->found;
  if (!g_str_equal (tenure->occupant, holder->name) || !g_str_equal (tenure->name, holder->name))
    return FALSE;
  if (!holder->is_ksymbol && !holder->is_unknown
      && tenure->file_offset + (address - tenure->start) != holder->file_offset)
    return FALSE;
  return (tenure->layer == PEN_LAYER_KSYMBOL) == holder->is_ksymbol
         && (tenure->layer == PEN_LAYER_POKE) == holder->is_unknown
         && (tenure->kind == PEN_KIND_UNKNOWN) == holder->is_unknown
         && tenure->start == holder->start && tenure->end == holder->end
         && equals (tenure->from, holder->from) && equals (tenure->to, holder->to)
         && tenure->from_bound == expect_from_bound (holder)
         && tenure->to_bound == expect_to_bound (holder)
         && tenure->evidence == expect_evidence (holder);
}

static void
ask_kernel (Run *run, PenHistory *history, PenSweep *sweep, guint64 address, PenMoment moment)
{
  Holder holder = model_find_kernel (&run->model, address, moment);
  guint32 expected = model_count_revision (&run->model, address, moment);
  guint32 revision = 77;
  const PenTenure *tenure
      = pen_history_find (history, PEN_SPACE_KERNEL, address, moment, &revision);

  met.ksymbols += holder.found && holder.is_ksymbol;
  met.maps += holder.found && !holder.is_ksymbol && !holder.is_unknown;
  met.ghosts += holder.from_inferred && holder.is_ksymbol;
  met.listed += holder.found && holder.is_ksymbol && !holder.from_inferred && holder.from.time == 0
                && holder.from.position == 0;
  met.unknown += holder.is_unknown;
  met.bounded += holder.is_unknown && holder.from.time != 0 && holder.to_inferred;
  met.inferred_ends += holder.to_inferred;
  met.freed += holder.found && !holder.is_ksymbol && is_freed (run, &holder);
  met.revisions += expected > 0;
  met.many_revisions += expected > 2;

  if (!is_tenure (tenure, &holder, address))
    complain (run, "kernel tenure", address, moment);
  if (revision != expected)
    complain (run, "revision", address, moment);
  revision = 77;
  if (pen_sweep_find_kernel (sweep, address, &revision) != tenure)
    complain (run, "kernel tenure of the sweep", address, moment);
  if (revision != expected)
    complain (run, "revision of the sweep", address, moment);
}

static void
ask_process (Run *run, PenHistory *history, PenSweep *sweep, gint32 pid, guint64 address,
             PenMoment moment)
{
  PenMoment from;
  PenMoment to;
  gboolean expected = model_find_space (&run->model, pid, moment, &from, &to);
  const PenSpace *space = maker_find_space (history, pid, moment);
  Holder holder = model_find_process (&run->model, pid, address, moment);
  const PenTenure *tenure = NULL;

  met.process_maps += holder.found;
  met.copies += holder.found && expected && equals (holder.from, from) && from.time > 0;
  met.recycled += space && space->id > RUN_PIDS;

  /* A space that was there from the start may begin before the record that first names it. */
  if (!space && expected)
    complain (run, "missing space", address, moment);
  if (space && !expected && moment.time > 0)
    complain (run, "space too many", address, moment);
  if (space && expected
      && (space->pid != pid || !equals (space->from, from) || !equals (space->to, to)))
    complain (run, "span of the space", address, moment);

  if (space)
    tenure = pen_history_find (history, space->id, address, moment, NULL);
  if (!is_tenure (tenure, &holder, address))
    complain (run, "process tenure", address, moment);
  if (pen_sweep_find_process (sweep, pid, address) != tenure)
    complain (run, "process tenure of the sweep", address, moment);
}

static void
ask_comm (Run *run, PenHistory *history, PenSweep *sweep, gint32 tid, PenMoment moment)
{
  const char *expected = model_find_comm (&run->model, tid, moment);

  met.comms += tid != 0 && expected[0] != '\0';
  if (!g_str_equal (pen_history_find_comm (history, tid, moment), expected))
    complain (run, "comm", (guint64) tid, moment);
  if (!g_str_equal (pen_sweep_find_comm (sweep, tid), expected))
    complain (run, "comm of the sweep", (guint64) tid, moment);
}

/* ---- samples without a time ---- */

typedef struct {
  Holder holder;
  guint32 revision;
  guint64 place;
  gboolean is_ambiguous;
} Possible;

static void
add_possible (Run *run, guint64 address, PenMoment moment, Possible *possible)
{
  Holder holder = model_find_kernel (&run->model, address, moment);
  guint32 revision = model_count_revision (&run->model, address, moment);
  guint64 place = holder.is_ksymbol ? address - holder.start : holder.file_offset;

  if (!holder.found)
    return;
  if (!possible->holder.found) {
    *possible = (Possible){ holder, revision, place, possible->is_ambiguous };
    return;
  }
  possible->is_ambiguous
      |= revision != possible->revision
         || (!model_is_same_tenure (&holder, &possible->holder)
             && (holder.is_unknown || possible->holder.is_unknown || place != possible->place
                 || holder.is_ksymbol != possible->holder.is_ksymbol
                 || !g_str_equal (holder.name, possible->holder.name)));
}

/* Order 0: what there is just before the sample, and after each event that follows. */
static void
ask_timeless (Run *run, PenHistory *history)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new_for_samples (history);
  PenMoment moment = { 0, 1 + run_pick (run, run->stream->len) };
  guint64 address = run_chance (run, 50) ? run->hot : run_pick (run, MODEL_ADDRESSES);
  Possible possible = { 0 };
  const PenTenure *tenure;
  guint32 revision = 77;

  add_possible (run, address, moment, &possible);
  for (guint i = 0; i < run->model.n; i++)
    if (pen_moment_compare (run->model.events[i].moment, moment) > 0)
      add_possible (run, address, run->model.events[i].moment, &possible);
  add_possible (run, address, PEN_MOMENT_END, &possible);

  pen_sweep_advance (sweep, moment);
  tenure = pen_sweep_find_kernel (sweep, address, &revision);
  met.ambiguous += possible.is_ambiguous;
  met.sure += possible.holder.found && !possible.is_ambiguous;
  if (pen_sweep_is_ambiguous (sweep) != possible.is_ambiguous
      || !tenure != (!possible.holder.found || possible.is_ambiguous))
    complain (run, "whether one thing is possible", address, moment);
  if (tenure
      && (!g_str_equal (tenure->occupant, possible.holder.name) || revision != possible.revision))
    complain (run, "the one thing that is possible", address, moment);
}

static PenMoment
pick_moment (Run *run)
{
  if (run_chance (run, 30))
    return g_array_index (run->stream, RawEvent, run_pick (run, run->stream->len)).moment;
  if (run_chance (run, 5))
    return PEN_MOMENT_END;
  return (PenMoment){ run_pick (run, RUN_MAX_TIME + 2), run_pick (run, run->stream->len + 2) };
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  return pen_moment_compare (*(const PenMoment *) a, *(const PenMoment *) b);
}

static void
check_answers (Run *run, PenHistory *history)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new (history);
  PenMoment moments[QUESTIONS];

  for (guint i = 0; i < QUESTIONS; i++)
    moments[i] = pick_moment (run);
  qsort (moments, QUESTIONS, sizeof *moments, compare_moments);

  for (guint i = 0; i < QUESTIONS; i++) {
    gint32 pid = (gint32) run_pick (run, RUN_PIDS + 2);

    pen_sweep_advance (sweep, moments[i]);
    ask_kernel (run, history, sweep, run_pick (run, MODEL_ADDRESSES), moments[i]);
    ask_kernel (run, history, sweep, run_pick (run, MODEL_ADDRESSES), moments[i]);
    ask_process (run, history, sweep, pid, run_pick (run, MODEL_ADDRESSES), moments[i]);
    ask_process (run, history, sweep, pid, run_pick (run, MODEL_ADDRESSES), moments[i]);
    ask_comm (run, history, sweep, pid + (run_chance (run, 30) ? 10 : 0), moments[i]);
  }
}

/* ---- what the arrays say ---- */

static void
check_pokes (Run *run, PenHistory *history)
{
  guint n;
  guint next = 0;
  const PenPoke *pokes = pen_history_get_pokes (history, &n);
  const PenTenure *tenures;
  guint n_tenures;

  tenures = pen_history_get_tenures (history, &n_tenures);
  for (guint i = 0; i < run->sorted->len; i++) {
    const RawEvent *raw = &g_array_index (run->sorted, RawEvent, i);
    const PenPoke *poke = &pokes[next];
    Holder holder;
    guint32 revision;

    if (raw->kind != RAW_POKE)
      continue;
    next++;
    g_assert_cmpuint (next, <=, n);
    holder = model_find_kernel (&run->model, raw->start, raw->moment);
    revision = model_count_revision (&run->model, raw->start, raw->moment);
    if (holder.found && model_is_patch (raw))
      revision++;
    if (raw->length > 1) {
      Holder last = model_find_kernel (&run->model, raw->start + raw->length - 1, raw->moment);

      met.straddles += model_is_patch (raw) && !model_is_same_tenure (&holder, &last);
    }

    if (poke->id != next || !equals (poke->moment, raw->moment) || poke->address != raw->start
        || poke->old_length != raw->old_length || poke->new_length != raw->new_length
        || memcmp (poke->old_bytes, raw->old_bytes, raw->old_length) != 0
        || memcmp (poke->new_bytes, raw->new_bytes, raw->new_length) != 0)
      complain (run, "poke", raw->start, raw->moment);
    if ((poke->effect == PEN_POKE_PATCH) != model_is_patch (raw))
      complain (run, "effect of the poke", raw->start, raw->moment);
    if (!is_tenure (poke->tenure ? &tenures[poke->tenure - 1] : NULL, &holder, raw->start))
      complain (run, "tenure of the poke", raw->start, raw->moment);
    if (poke->revision != revision)
      complain (run, "revision of the poke", raw->start, raw->moment);
    if (!g_str_equal (poke->comm, model_find_comm (&run->model, raw->tid, raw->moment)))
      complain (run, "comm of the poke", raw->start, raw->moment);
  }
  g_assert_cmpuint (next, ==, n);
}

/* Parts of one space and layer never share an address at a time, but for ksymbols. */
static void
check_parts_apart (Run *run, const PenTenure *tenures, const PenPart *parts, guint n)
{
  for (guint i = 0; i < n; i++) {
    for (guint j = i + 1; j < n; j++) {
      const PenTenure *a = &tenures[parts[i].tenure - 1];
      const PenTenure *b = &tenures[parts[j].tenure - 1];

      if (a->space != b->space || a->layer != b->layer)
        continue;
      if (a->layer == PEN_LAYER_KSYMBOL && a->start != b->start)
        continue;
      if (parts[i].start < parts[j].end && parts[j].start < parts[i].end
          && pen_moment_compare (parts[i].from, parts[j].to) < 0
          && pen_moment_compare (parts[j].from, parts[i].to) < 0)
        complain (run, "parts overlap: one", parts[j].start, parts[j].from);
    }
  }
}

static void
check_parts (Run *run, PenHistory *history)
{
  guint n;
  guint n_tenures;
  guint n_spaces;
  const PenPart *parts = pen_history_get_parts (history, &n);
  const PenTenure *tenures = pen_history_get_tenures (history, &n_tenures);
  const PenSpace *spaces = pen_history_get_spaces (history, &n_spaces);
  guint next = 0;

  for (guint i = 0; i < n_tenures; i++) {
    const PenTenure *tenure = &tenures[i];
    PenMoment from = PEN_MOMENT_END;
    PenMoment to = PEN_MOMENT_START;

    g_assert_cmpuint (tenure->id, ==, i + 1);
    g_assert_cmpuint (tenure->space, <, n_spaces);
    if (i > 0 && pen_moment_compare (tenures[i - 1].from, tenure->from) > 0)
      complain (run, "order of tenures", tenure->start, tenure->from);
    if (pen_moment_compare (tenure->from, spaces[tenure->space].from) < 0
        || pen_moment_compare (tenure->to, spaces[tenure->space].to) > 0)
      complain (run, "tenure outside its space", tenure->start, tenure->from);

    met.cut_maps += next + 1 < n && parts[next + 1].tenure == tenure->id;
    for (; next < n && parts[next].tenure == tenure->id; next++) {
      const PenPart *part = &parts[next];

      if (part->start < tenure->start || part->end > tenure->end || part->start >= part->end
          || part->file_offset != tenure->file_offset + (part->start - tenure->start))
        complain (run, "part outside its tenure", part->start, part->from);
      if (pen_moment_compare (part->from, from) < 0)
        from = part->from;
      if (pen_moment_compare (part->to, to) > 0)
        to = part->to;
    }
    if (!equals (from, tenure->from) || !equals (to, tenure->to))
      complain (run, "span of the parts", tenure->start, tenure->from);
  }
  g_assert_cmpuint (next, ==, n);
  check_parts_apart (run, tenures, parts, n);
}

static void
check_same_parts (Run *run, PenHistory *history, PenHistory *other)
{
  guint n;
  guint m;
  const PenPart *a = pen_history_get_parts (history, &n);
  const PenPart *b = pen_history_get_parts (other, &m);

  g_assert_cmpuint (n, ==, m);
  for (guint i = 0; i < n; i++) {
    if (a[i].tenure != b[i].tenure || a[i].start != b[i].start || a[i].end != b[i].end
        || a[i].file_offset != b[i].file_offset || !equals (a[i].from, b[i].from)
        || !equals (a[i].to, b[i].to))
      complain (run, "part of the shuffled history", a[i].start, a[i].from);
  }
}

static void
check_same_spaces (Run *run, PenHistory *history, PenHistory *other)
{
  guint n;
  guint m;
  const PenSpace *a = pen_history_get_spaces (history, &n);
  const PenSpace *b = pen_history_get_spaces (other, &m);

  g_assert_cmpuint (n, ==, m);
  for (guint i = 0; i < n; i++) {
    if (a[i].id != i || b[i].id != i || a[i].pid != b[i].pid || !equals (a[i].from, b[i].from)
        || !equals (a[i].to, b[i].to))
      complain (run, "space of the shuffled history", i, a[i].from);
  }
}

/* The order in which events were added does not show. */
static void
check_same (Run *run, PenHistory *history, PenHistory *other)
{
  guint n;
  guint m;
  const PenTenure *a = pen_history_get_tenures (history, &n);
  const PenTenure *b = pen_history_get_tenures (other, &m);

  g_assert_cmpuint (n, ==, m);
  for (guint i = 0; i < n; i++) {
    if (!g_str_equal (a[i].occupant, b[i].occupant) || a[i].start != b[i].start
        || a[i].end != b[i].end || a[i].space != b[i].space || a[i].layer != b[i].layer
        || a[i].file_offset != b[i].file_offset || !equals (a[i].from, b[i].from)
        || !equals (a[i].to, b[i].to))
      complain (run, "tenure of the shuffled history", a[i].start, a[i].from);
  }
  check_same_parts (run, history, other);
  check_same_spaces (run, history, other);
  g_assert_cmpuint (pen_history_get_ignored_ksymbols (history), ==,
                    pen_history_get_ignored_ksymbols (other));
  g_assert_cmpuint (pen_history_get_repeated_ksymbols (history), ==,
                    pen_history_get_repeated_ksymbols (other));
}

static void
check_seed (guint32 seed)
{
  Run run;
  g_autoptr (PenHistory) history = NULL;
  g_autoptr (PenHistory) shuffled = NULL;

  run_init (&run, seed);
  history = make_history (&run, FALSE);
  shuffled = make_history (&run, TRUE);
  check_parts (&run, history);
  check_same (&run, history, shuffled);
  check_answers (&run, history);
  check_answers (&run, shuffled);
  check_pokes (&run, history);
  check_pokes (&run, shuffled);
  /* It asks the model as often as there are events. */
  if (seed % 8 == 0)
    ask_timeless (&run, history);
  run_clear (&run);
}

static void
check_met (guint runs)
{
  const struct {
    const char *what;
    guint64 count;
  } counts[] = {
    { "maps", met.maps },
    { "cut maps", met.cut_maps },
    { "ksymbols", met.ksymbols },
    { "ghosts", met.ghosts },
    { "listed", met.listed },
    { "unknown text", met.unknown },
    { "unknown text between two holders", met.bounded },
    { "modules freed", met.freed },
    { "inferred ends", met.inferred_ends },
    { "revisions", met.revisions },
    { "revisions above 2", met.many_revisions },
    { "patches that straddle", met.straddles },
    { "process maps", met.process_maps },
    { "copied maps", met.copies },
    { "second images", met.recycled },
    { "comms", met.comms },
    { "without a time, ambiguous", 20 * met.ambiguous },
    { "without a time, sure", 20 * met.sure },
  };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    g_test_message ("%s: %" G_GUINT64_FORMAT, counts[i].what, counts[i].count);
    if (runs >= DEFAULT_RUNS)
      g_assert_cmpuint (counts[i].count, >, runs / 20);
  }
}

static guint
get_number (const char *name, guint fallback)
{
  const char *value = g_getenv (name);

  return value ? (guint) g_ascii_strtoull (value, NULL, 10) : fallback;
}

static void
test_property (void)
{
  guint runs = get_number ("PENTIMENTO_PROPERTY_RUNS", DEFAULT_RUNS);
  guint seed = get_number ("PENTIMENTO_PROPERTY_SEED", 1);

  for (guint i = 0; i < runs; i++)
    check_seed (seed + i);
  check_met (runs);
  g_test_message ("%u histories, seeds from %u", runs, seed);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/property", test_property);
  return g_test_run ();
}
