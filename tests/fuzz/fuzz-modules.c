/* fuzz-modules.c: where modules were: lists of them, and what contradicts or bounds these
 *
 * The first byte says what the rest is: a copy of kallsyms, the files of a copy of /sys/module, the
 * lines that a recorder made of such files, a list of whom patches are for, or events of a history.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-fuzz-mutate.h"
#include "pen-fuzz.h"
#include "pen-history.h"
#include "pen-kallsyms.h"
#include "pen-kernel-lists.h"
#include "pen-modules.h"

#define KERNEL G_GUINT64_CONSTANT (0xffffffff81000000)
#define SPACE G_GUINT64_CONSTANT (0xffffffffc0200000)
#define GRAIN 0x400u
/* Tasks load modules within a tenth of a second; the whole takes some seconds. */
#define TICK G_GUINT64_CONSTANT (20000000)
#define MAX_LISTED 8u
#define MAX_EDGES 60u
/* Of questions to a history, when there is a hurry. */
#define MAX_ASKED 1000u

static const char *const modules[] = { "a", "b", "snd-hda", "late" };
static const char *const ksymbols[] = { "bpf_prog_1", "ftrace_trampoline", "bpf_trampoline_1" };

/* ---- lists ---- */

static void
check_list (const GArray *list)
{
  for (guint i = 0; list && i < list->len; i++) {
    const PenModule *module = &g_array_index (list, PenModule, i);

    g_assert_cmpuint (module->length, >, 0);
    g_assert_cmpuint (module->length, <=, G_MAXUINT64 - module->start);
    g_assert_cmpuint (module->build_id_length, <=, sizeof module->build_id);
    pen_fuzz_touch_string (module->name);
  }
}

static void
touch_symbol (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  g_assert_cmpuint (symbol->start, <, symbol->end);
  pen_fuzz_touch (pen_kallsyms_is_livepatch (user_data, occupant));
  pen_fuzz_touch_string (symbol->name);
}

static void
fuzz_kallsyms (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKallsyms) kallsyms
      = pen_kallsyms_load (pen_fuzz_write_memory (data, size), NULL, &error);
  g_autoptr (GArray) list = NULL;

  g_assert_true ((!kallsyms) == (error != NULL));
  if (!kallsyms)
    return;
  list = pen_kallsyms_list_modules (kallsyms);
  check_list (list);
  for (guint i = 0; i < list->len; i++) {
    const PenModule *module = &g_array_index (list, PenModule, i);
    guint64 end = pen_kallsyms_get_text_end (kallsyms, module->name);

    g_assert_cmpuint (end, >, module->start);
    g_assert_cmpuint (end - module->start, <=, module->length);
  }
  pen_kallsyms_foreach_registered (kallsyms, touch_symbol, kallsyms);
  pen_kallsyms_move (kallsyms, 0x1000);
  g_clear_pointer (&list, g_array_unref);
  list = pen_kallsyms_list_modules (kallsyms);
  g_assert_cmpuint (list->len, ==, 0);
}

/* A module's notes, and its sections. */
static void
fuzz_folder (const guint8 *data, gsize size)
{
  static const char *const parts[] = { "m/notes/.note.gnu.build-id", "m/sections/.text",
                                       "m/sections/.exit.text", "n-n/sections/.text" };
  g_autofree char *folder = g_build_filename (pen_fuzz_get_directory (), "module", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) list = NULL;
  PenFuzzBytes input = { data, data + size };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *path = g_build_filename (folder, parts[i], NULL);
    g_autofree char *directory = g_path_get_dirname (path);
    const guint8 *file = NULL;
    gsize length = 0;

    g_mkdir_with_parents (directory, 0700);
    pen_fuzz_next_file (&input, &file, &length);
    pen_fuzz_write (path, file, length);
  }
  list = pen_module_folder_load (folder, &error);
  g_assert_no_error (error);
  check_list (list);
}

/* Sections or loads, and notes. */
static void
fuzz_sections (const guint8 *data, gsize size)
{
  g_autofree char *notes = g_build_filename (pen_fuzz_get_directory (), "notes", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) list = NULL;
  PenFuzzBytes input = { data, data + size };
  const guint8 *file = NULL;
  gsize length = 0;

  pen_fuzz_next_file (&input, &file, &length);
  pen_fuzz_write (notes, file, length);
  file = NULL;
  length = 0;
  pen_fuzz_next_file (&input, &file, &length);
  list = pen_module_sections_load (pen_fuzz_write_memory (file, length), notes, &error);
  g_assert_no_error (error);
  check_list (list);
}

static void
touch_probe (const PenListedProbe *probe, gpointer user_data G_GNUC_UNUSED)
{
  g_assert_true (probe->symbol || probe->address != 0);
  pen_fuzz_touch_string (probe->symbol ? probe->symbol : "");
  pen_fuzz_touch_string (probe->event ? probe->event : "");
}

static void
touch_trampoline (guint64 trampoline, const char *user, gpointer user_data G_GNUC_UNUSED)
{
  g_assert_cmpuint (trampoline, !=, 0);
  pen_fuzz_touch_string (user);
}

static void
touch_value (const char *path, const char *value, gpointer user_data G_GNUC_UNUSED)
{
  g_assert_true (*path == '/');
  pen_fuzz_touch_string (value);
}

static void
touch_program (const PenListedProgram *program, gpointer user_data G_GNUC_UNUSED)
{
  g_assert_true (program->id != 0 && (program->name || program->kind));
  pen_fuzz_touch_string (program->name ? program->name : program->kind);
}

/* The next byte says which list it is. */
static void
fuzz_lists (const guint8 *data, gsize size)
{
  g_autoptr (PenLineReader) lines
      = pen_line_reader_new_for_text ((const char *) data + 1, size - 1);
  guint n = PEN_KERNEL_LIST_LINES;

  switch (data[0] % 6) {
  case 0:
    pen_kernel_list_probes (lines, n, touch_probe, NULL);
    break;
  case 1:
    pen_kernel_list_probe_events (lines, n, touch_probe, NULL);
    break;
  case 2:
    pen_kernel_list_trampolines (lines, n, touch_trampoline, NULL);
    break;
  case 3:
    pen_kernel_list_values (lines, n, touch_value, NULL);
    break;
  case 4:
    pen_kernel_list_programs (lines, n, touch_program, NULL);
    break;
  default:
    pen_kernel_list_links (lines, n, touch_program, NULL);
    break;
  }
}

/* ---- a history ---- */

typedef struct {
  PenHistory *history;
  PenFuzzBytes input;
  guint64 position;
} Story;

static PenMoment
take_moment (Story *self)
{
  return (PenMoment){ pen_fuzz_take (&self->input, 1) * TICK, ++self->position };
}

static guint64
take_address (Story *self)
{
  return SPACE + pen_fuzz_take (&self->input, 1) * GRAIN;
}

static guint64
take_length (Story *self)
{
  return (1 + pen_fuzz_take (&self->input, 1)) * GRAIN;
}

static const char *
take_module (Story *self)
{
  return modules[pen_fuzz_take (&self->input, 1) % G_N_ELEMENTS (modules)];
}

static PenOrigin
take_origin (Story *self)
{
  PenOrigin origin = { .moment = take_moment (self), .has_task = TRUE, .cpu = G_MAXUINT32 };

  origin.time = origin.moment.time;
  origin.has_time = TRUE;
  origin.pid = origin.tid = (gint32) pen_fuzz_take (&self->input, 1) % 3;
  return origin;
}

static void
add_map (Story *self)
{
  PenMapEvent map = { .origin = take_origin (self), .is_kernel = TRUE, .pid = -1, .tid = -1 };
  g_autofree char *name = g_strdup_printf ("[%s]", take_module (self));

  map.start = take_address (self);
  map.length = take_length (self);
  map.name = name;
  map.evidence = PEN_EVIDENCE_RECORDED;
  pen_history_add_map (self->history, &map);
}

static void
add_ksymbol (Story *self)
{
  PenKsymbolEvent ksymbol = { .origin = take_origin (self) };
  guint choice = (guint) pen_fuzz_take (&self->input, 1);

  ksymbol.is_unregister = choice & 1;
  ksymbol.type = choice & 2 ? PEN_KSYMBOL_OUT_OF_LINE : 1;
  ksymbol.name = ksymbols[choice / 4 % G_N_ELEMENTS (ksymbols)];
  ksymbol.address = take_address (self);
  ksymbol.length = take_length (self) - GRAIN;
  pen_history_add_ksymbol (self->history, &ksymbol);
}

static void
add_listed (Story *self)
{
  const char *name = ksymbols[pen_fuzz_take (&self->input, 1) % G_N_ELEMENTS (ksymbols)];
  guint64 start = take_address (self);

  pen_history_add_listed (self->history, name, PEN_KIND_STUB, start, start + take_length (self),
                          PEN_EVIDENCE_RECORDED);
}

static void
add_poke (Story *self)
{
  static const guint8 bytes[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00, 0xe9, 0x10, 0x00, 0x00, 0x00 };
  const PenOrigin origin = take_origin (self);
  PenPoke poke = {
    .moment = origin.moment,
    .time = origin.time,
    .has_time = TRUE,
    .has_task = TRUE,
    .pid = origin.pid,
    .tid = origin.tid,
    .old_bytes = bytes,
    .new_bytes = bytes + 5,
  };

  poke.address = take_address (self) + pen_fuzz_take (&self->input, 1);
  poke.old_length = (guint16) (pen_fuzz_take (&self->input, 1) % 6);
  poke.new_length = (guint16) (pen_fuzz_take (&self->input, 1) % 6);
  pen_history_add_poke (self->history, &poke);
}

static void
add_event (Story *self)
{
  PenOrigin origin = take_origin (self);
  guint choice = (guint) pen_fuzz_take (&self->input, 1);

  origin.has_task = (choice & 1) != 0;
  pen_history_add_module (self->history, &origin, take_module (self), (choice & 2) != 0);
}

static void
add_allocation (Story *self)
{
  const PenOrigin origin = take_origin (self);
  guint64 start = take_address (self);

  pen_history_add_allocation (self->history, &origin, start, take_length (self));
}

static void
add_list (Story *self)
{
  PenModuleSighting sightings[MAX_LISTED];
  PenMoment moment = take_moment (self);
  guint choice = (guint) pen_fuzz_take (&self->input, 1);
  guint n = (guint) pen_fuzz_take (&self->input, 1) % (MAX_LISTED + 1);

  moment.position = choice & 4 ? G_MAXUINT64 : 0;
  for (guint i = 0; i < n; i++) {
    sightings[i] = (PenModuleSighting){
      .module = take_module (self),
      .start = take_address (self),
      .length = take_length (self),
      .is_rough = (choice & 8) != 0,
      .has_other_memory = (choice & 16) != 0,
      .evidence = PEN_EVIDENCE_FILE_UNCHECKED,
    };
  }
  pen_history_add_modules (self->history, moment, (choice & 1) != 0, (choice & 2) != 0, sightings,
                           n);
}

static void
check_tenures (PenHistory *history)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];

    g_assert_cmpuint (tenure->id, ==, i + 1);
    g_assert_cmpuint (tenure->start, <, tenure->end);
    g_assert_cmpint (pen_moment_compare (tenure->from, tenure->to), <=, 0);
    g_assert_cmpint (pen_tenure_get_evidence (tenure, tenure->start, tenure->from, tenure->to), <=,
                     PEN_EVIDENCE_RECORDED);
  }
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  return pen_moment_compare (*(const PenMoment *) a, *(const PenMoment *) b);
}

/* Where and when something may begin or end. */
static void
list_edges (PenHistory *history, GArray *addresses, GArray *moments)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; i < n && addresses->len < MAX_EDGES; i++) {
    const guint64 ends[] = { tenures[i].start, tenures[i].end - 1, tenures[i].end };
    const PenMoment times[] = { tenures[i].from, tenures[i].to };

    g_array_append_vals (addresses, ends, G_N_ELEMENTS (ends));
    for (guint k = 0; k < G_N_ELEMENTS (times); k++) {
      PenMoment moment = times[k];

      g_array_append_val (moments, moment);
      moment.position += moment.position < G_MAXUINT64;
      g_array_append_val (moments, moment);
    }
  }
  g_array_sort (moments, compare_moments);
}

/* Asked in order, and asked at once, it is the same; and one that held the address then. */
static void
check_answers (PenHistory *history)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new (history);
  g_autoptr (GArray) addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) moments = g_array_new (FALSE, FALSE, sizeof (PenMoment));
  guint stride = 1;

  list_edges (history, addresses, moments);
  if (!pen_fuzz_is_replay)
    stride += addresses->len * moments->len / MAX_ASKED;
  for (guint i = 0; i < moments->len; i++) {
    const PenMoment moment = g_array_index (moments, PenMoment, i);

    pen_sweep_advance (sweep, moment);
    for (guint k = i % stride; k < addresses->len; k += stride) {
      guint64 address = g_array_index (addresses, guint64, k);
      guint32 revision;
      guint32 other;
      const PenTenure *tenure = pen_sweep_find_kernel (sweep, address, &revision);

      g_assert_true (tenure
                     == pen_history_find (history, PEN_SPACE_KERNEL, address, moment, &other));
      g_assert_cmpuint (revision, ==, other);
      if (!tenure)
        continue;
      g_assert_cmpuint (tenure->start, <=, address);
      g_assert_cmpuint (tenure->end, >, address);
      g_assert_cmpint (pen_moment_compare (tenure->from, moment), <, 0);
      g_assert_cmpint (pen_moment_compare (moment, tenure->to), <=, 0);
    }
  }
}

static void
fuzz_history (const guint8 *data, gsize size)
{
  static void (*const ops[]) (Story * self) = { add_map,  add_ksymbol, add_ksymbol,    add_listed,
                                                add_poke, add_event,   add_allocation, add_list };
  g_autoptr (PenHistory) history = pen_history_new ();
  Story self = { .history = history, .input = { data, data + size } };
  const PenMapEvent kernel = {
    .origin = { .moment = { 0, ++self.position }, .cpu = G_MAXUINT32 },
    .is_kernel = TRUE,
    .pid = -1,
    .tid = -1,
    .start = KERNEL,
    .length = 0x100000,
    .name = "[kernel.kallsyms]_text",
    .evidence = PEN_EVIDENCE_RECORDED,
  };

  pen_history_add_map (history, &kernel);
  while (self.input.at < self.input.end)
    ops[pen_fuzz_take (&self.input, 1) % G_N_ELEMENTS (ops)](&self);
  g_assert_true (pen_history_seal (history, NULL, NULL));
  check_tenures (history);
  check_answers (history);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  if (size == 0)
    return 0;
  if (data[0] == 'k')
    fuzz_kallsyms (data + 1, size - 1);
  else if (data[0] == 'f')
    fuzz_folder (data + 1, size - 1);
  else if (data[0] == 's')
    fuzz_sections (data + 1, size - 1);
  else if (data[0] == 'l' && size > 1)
    fuzz_lists (data + 1, size - 1);
  else
    fuzz_history (data + 1, size - 1);
  return 0;
}

/* ---- what knows the form ---- */

/* How many bytes the event at @at takes, of those that are there. */
static gsize
measure_event (const guint8 *at, gsize left)
{
  static const gsize lengths[] = { 6, 6, 6, 4, 7, 5, 5, 4 };
  guint op = *at % G_N_ELEMENTS (lengths);
  gsize length = lengths[op];

  if (op == G_N_ELEMENTS (lengths) - 1 && left > 3)
    length += at[3] % (MAX_LISTED + 1) * (gsize) 3;
  return MIN (length, left);
}

/* The beginning of one of the events of a history. */
static gsize
pick_event (const guint8 *data, gsize size, guint *seed)
{
  guint n = 0;
  gsize picked = 1;

  for (gsize at = 1; at < size; at += measure_event (data + at, size - at))
    if (pen_fuzz_random (seed, ++n) == 0)
      picked = at;
  return picked;
}

/* An event goes, comes once more elsewhere, or is a new one. */
static gsize
mutate_events (guint8 *data, gsize size, gsize max_size, guint *seed)
{
  guint8 event[4 + 3 * MAX_LISTED];
  gsize at = pick_event (data, size, seed);
  gsize length = measure_event (data + at, size - at);

  if (pen_fuzz_random (seed, 3) == 0) {
    memmove (data + at, data + at + length, size - at - length);
    return size - length;
  }
  if (pen_fuzz_random (seed, 2) == 0) {
    for (guint i = 0; i < sizeof event; i++)
      event[i] = (guint8) pen_fuzz_random (seed, 128);
    length = measure_event (event, sizeof event);
  } else {
    memcpy (event, data + at, length);
  }
  if (length > max_size - MIN (max_size, size))
    return size;
  at = pick_event (data, size, seed);
  memmove (data + at + length, data + at, size - at);
  memcpy (data + at, event, length);
  return size + length;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  static const char *const words[] = { "ffffffffc0201000",
                                       " t ",
                                       " T ",
                                       " d ",
                                       "\t[m]",
                                       "init_module",
                                       "klp_enable_patch",
                                       "[bpf]",
                                       "[__builtin__ftrace]",
                                       "0x",
                                       "/sys/module/m/sections/.text ",
                                       "/sys/module/m/notes/.note.gnu.build-id ",
                                       "load 1 m",
                                       "p:g/e m:f+0x1c ",
                                       "  k  f+0x0    [FTRACE]",
                                       "tramp: 0xffffffffc0201000 (f+0x0/0x1) ",
                                       "{\"id\":34,\"name\":\"p\",",
                                       "\"prog_id\":34,\"attach_type\":\"kprobe\",",
                                       "\"addresses\":[\"0xffffffff81000010\"]}",
                                       PEN_FUZZ_SEPARATOR,
                                       NULL };

  if (size < 2 || pen_fuzz_random (&seed, 3) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  if (data[0] == 'k' || data[0] == 'f' || data[0] == 's' || data[0] == 'l')
    return 1 + pen_fuzz_mutate_lines (data + 1, size - 1, max_size - 1, &seed, words);
  return mutate_events (data, size, max_size, &seed);
}
