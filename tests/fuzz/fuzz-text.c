/* fuzz-text.c: names, bytes and instructions that came with a capture
 *
 * The first byte says what the rest is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation.h"
#include "pen-bpf-program.h"
#include "pen-cause-finder.h"
#include "pen-debug-image.h"
#include "pen-debug-link.h"
#include "pen-demangle.h"
#include "pen-dwarf-lines.h"
#include "pen-elf-file.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz-steps.h"
#include "pen-fuzz.h"
#include "pen-jit-dump.h"
#include "pen-module-relocation.h"
#include "pen-text-sites.h"
#include "pen-patches.h"
#include "pen-perf-map.h"
#include "pen-poke-batches.h"
#include "pen-regular-file.h"
#include "pen-tracepoint.h"
#include "pen-tracing-data.h"
#include "pen-unpacked.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff81000000)
#define MAX_TENURES 4
#define MAX_POKES 16
#define MAX_BUCKETS 16

static void
touch_symbol (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  (void) user_data;
  g_assert_cmpuint (symbol->start, <, symbol->end);
  pen_fuzz_touch_string (symbol->name);
  pen_fuzz_touch_string (occupant);
}

static void
fuzz_kallsyms (const guint8 *data, gsize size)
{
  const char *path = pen_fuzz_write_memory (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKallsyms) kallsyms = pen_kallsyms_load (path, NULL, &error);
  PenSymbol symbol;

  g_assert_true ((!kallsyms) == (error != NULL));
  if (!kallsyms)
    return;
  pen_kallsyms_foreach (kallsyms, touch_symbol, NULL);
  if (pen_kallsyms_find (kallsyms, "[kernel.kallsyms]", BASE + 0x10, &symbol)) {
    g_assert_cmpuint (symbol.start, <=, BASE + 0x10);
    g_assert_cmpuint (symbol.end, >, BASE + 0x10);
    pen_fuzz_touch (pen_kallsyms_lookup (kallsyms, symbol.name));
  }
  pen_fuzz_touch (pen_kallsyms_lookup (kallsyms, "_text"));
}

static void
fuzz_modules (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) modules = pen_modules_load (pen_fuzz_write_memory (data, size), &error);

  g_assert_true ((!modules) == (error != NULL));
  for (guint i = 0; modules && i < modules->len; i++) {
    const PenModule *module = &g_array_index (modules, PenModule, i);

    g_assert_cmpuint (module->length, >, 0);
    pen_fuzz_touch_string (module->name);
  }
}

static void
fuzz_kcore (const guint8 *data, gsize size)
{
  static const guint64 addresses[] = { 0, BASE, BASE + 5, G_MAXUINT64 - 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKcore) kcore = pen_kcore_open (pen_fuzz_write_memory (data, size), &error);
  guint8 buffer[256];

  g_assert_true ((!kcore) == (error != NULL));
  for (guint i = 0; kcore && i < G_N_ELEMENTS (addresses); i++) {
    gsize n = pen_kcore_read (kcore, addresses[i], buffer, sizeof buffer);

    g_assert_cmpuint (n, <=, sizeof buffer);
    pen_fuzz_touch_bytes (buffer, n);
  }
}

static gboolean
read_zeros (guint64 address, gsize length, guint8 *buffer, gpointer user_data)
{
  (void) address;
  (void) user_data;
  memset (buffer, 0, length);
  return TRUE;
}

static guint64
resolve (const char *name, gpointer user_data)
{
  (void) user_data;
  pen_fuzz_touch_string (name);
  return BASE;
}

static void
touch_site (const PenTextSite *site, gpointer user_data)
{
  PenTextSite found;

  if (pen_text_sites_find (user_data, site->address, &found) && found.name)
    pen_fuzz_touch_string (found.name);
}

static gboolean
relocate (Elf_Scn *section, guint8 *bytes, gsize length, gpointer user_data)
{
  return !user_data || pen_module_relocation_apply_debug (user_data, section, bytes, length);
}

static void
touch_alternate (const char *path, Elf *elf)
{
  const guint8 *build_id = NULL;
  guint length = 0;
  g_autofree char *link = pen_debug_link_read_alternate (elf, &build_id, &length);
  g_auto (GStrv) paths = NULL;

  if (!link)
    return;
  pen_fuzz_touch_bytes (build_id, length);
  paths = pen_debug_link_list_alternates (path, link, build_id, length);
  for (guint i = 0; paths[i]; i++)
    pen_fuzz_touch_string (paths[i]);
}

/* What is read of debug information here; a program of its own reads the image. @module:
 * (nullable): the same file, placed */
static void
fuzz_debug_image (const char *path, PenKernelFile *module)
{
  PenDebugInput input = { .size = 0 };

  input.fd = pen_regular_file_open (path, &input.size, NULL);
  elf_version (EV_CURRENT);
  input.elf = elf_begin (input.fd, ELF_C_READ, NULL);
  if (input.elf && elf_kind (input.elf) == ELF_K_ELF) {
    g_autoptr (PenDebugImage) image = pen_debug_image_new (&input, NULL, relocate, module, NULL);

    if (image)
      g_assert_cmpuint (pen_debug_image_measure (&input), >, 0);
    touch_alternate (path, input.elf);
  }
  elf_end (input.elf);
  close (input.fd);
}

/* A vmlinux or a module. */
static void
fuzz_kernel_file (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  const char *path = pen_fuzz_write_memory (data, size);
  g_autoptr (PenKernelFile) file = pen_kernel_file_open (path, &error);
  g_autoptr (PenTextSites) sites = NULL;
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (PenSymbol));
  PenModuleLoad load = { .resolve = resolve, .read = read_zeros };
  guint8 bytes[1024];
  guint8 states[1024];
  PenBootText boot;
  PenSymbol symbol;

  g_assert_true ((!file) == (error != NULL));
  if (!file)
    return;
  pen_kernel_file_place (file, pen_kernel_file_is_module (file) ? BASE : 0x1000000);
  pen_kernel_file_load_symbols (file);
  pen_kernel_file_foreach_symbol (file, touch_symbol, "[kernel.kallsyms]", NULL);
  if (pen_kernel_file_find_symbol (file, BASE, &symbol))
    g_assert_cmpuint (symbol.end, >, BASE);
  sites = pen_text_sites_new (file);
  pen_text_sites_foreach (sites, touch_site, sites);
  pen_boot_text_read (&boot, BASE, data, size, symbols);
  load.boot = &boot;
  pen_kernel_file_read (file, BASE, sizeof bytes, bytes, states, &load);
  pen_fuzz_touch_bytes (bytes, sizeof bytes);
  pen_fuzz_touch_bytes (states, sizeof states);
  fuzz_debug_image (path, pen_kernel_file_is_module (file) ? file : NULL);
}

static void
fuzz_packed (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = pen_unpacked_new (data, size, 1u << 20);

  if (bytes)
    g_assert_cmpuint (g_bytes_get_size (bytes), <=, 1u << 20);
}

/* BPF_PROG_INFO: a count, then programs. */
static void
fuzz_bpf (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) section = g_bytes_new (data, size);
  PenCursor cursor;

  for (guint big_endian = 0; big_endian < 2; big_endian++) {
    gsize length;
    const guint8 *bytes = g_bytes_get_data (section, &length);

    cursor = pen_cursor_init (bytes, length, big_endian);
    pen_cursor_u32 (&cursor);
    while (pen_cursor_left (&cursor) > 0) {
      g_autoptr (PenBpfProgram) program = pen_bpf_program_take (&cursor, section);

      g_assert_true (program || cursor.failed);
      for (guint i = 0; program && i < program->functions->len; i++) {
        const PenBpfFunction *function = &g_array_index (program->functions, PenBpfFunction, i);

        if (function->bytes)
          pen_fuzz_touch_bytes (function->bytes, function->length);
      }
    }
  }
}

static void
fuzz_decoder (const guint8 *data, gsize size)
{
  static const char *const machines[] = { "x86_64", "i686", "aarch64" };
  guint choice = size > 0 ? data[0] : 0;
  g_autoptr (PenDecoder) decoder = pen_decoder_new (
      machines[choice % 3], choice & 4 ? PEN_SYNTAX_INTEL : PEN_SYNTAX_ATT, NULL);

  for (gsize at = 1; at < size;) {
    PenInstruction instruction;

    pen_decoder_decode (decoder, data + at, size - at, BASE + at, &instruction);
    g_assert_cmpuint (instruction.length, >, 0);
    g_assert_cmpuint (instruction.length, <=, size - at);
    pen_fuzz_touch_string (instruction.text);
    at += instruction.length;
  }
}

/* What an annotation is made of, as an input describes it. */
typedef struct {
  guint64 end;
  PenTenure tenures[MAX_TENURES];
  guint n_tenures;
  PenTextPiece pieces[MAX_TENURES];
  PenPoke pokes[MAX_POKES];
  const PenPoke *poke_pointers[MAX_POKES];
  guint n_pokes;
  PenBucket buckets[MAX_BUCKETS];
  guint n_buckets;
} Story;

static void
take_tenures (Story *self, PenFuzzBytes *input)
{
  guint64 time = 0;

  self->n_tenures = (guint) pen_fuzz_take (input, 1) % (MAX_TENURES + 1);
  for (guint i = 0; i < self->n_tenures; i++) {
    PenTenure *tenure = &self->tenures[i];
    gsize length;
    const guint8 *bytes;

    tenure->id = i + 1;
    tenure->layer = PEN_LAYER_KSYMBOL;
    tenure->kind = PEN_KIND_BPF;
    tenure->occupant = tenure->name = "bpf_prog_x";
    tenure->start = BASE + pen_fuzz_take (input, 1);
    tenure->end = tenure->start + 1 + pen_fuzz_take (input, 1);
    tenure->from = pen_moment (time, i);
    time += pen_fuzz_take (input, 1);
    tenure->to = i + 1 < self->n_tenures ? pen_moment (time, i + 1) : PEN_MOMENT_END;
    tenure->unverified_from = PEN_MOMENT_END;
    length = (gsize) pen_fuzz_take (input, 1);
    self->pieces[i].tenure = tenure->id;
    self->pieces[i].start = BASE + pen_fuzz_take (input, 1);
    bytes = pen_fuzz_take_bytes (input, &length);
    self->pieces[i].bytes = g_bytes_new (bytes, length);
    self->pieces[i].evidence = PEN_EVIDENCE_RECORDED;
    self->pieces[i].source = "BPF image";
  }
}

static void
take_pokes (Story *self, PenFuzzBytes *input)
{
  guint64 time = 1;

  self->n_pokes = (guint) pen_fuzz_take (input, 1) % (MAX_POKES + 1);
  for (guint i = 0; i < self->n_pokes; i++) {
    PenPoke *poke = &self->pokes[i];
    gsize old_length;
    gsize new_length;

    time += pen_fuzz_take (input, 1);
    poke->id = i + 1;
    poke->moment = pen_moment (time, 100 + i);
    poke->address = BASE + pen_fuzz_take (input, 1);
    poke->tenure = (guint32) pen_fuzz_take (input, 1) % (self->n_tenures + 1);
    old_length = (gsize) pen_fuzz_take (input, 1);
    new_length = (gsize) pen_fuzz_take (input, 1);
    poke->old_bytes = pen_fuzz_take_bytes (input, &old_length);
    poke->new_bytes = pen_fuzz_take_bytes (input, &new_length);
    poke->old_length = (guint16) old_length;
    poke->new_length = (guint16) new_length;
    poke->effect = pen_patches_get_effect (poke);
    poke->revision = i + 1;
    poke->comm = "";
    self->poke_pointers[i] = poke;
  }
}

static void
take_buckets (Story *self, PenFuzzBytes *input)
{
  self->n_buckets = (guint) pen_fuzz_take (input, 1) % (MAX_BUCKETS + 1);
  for (guint i = 0; i < self->n_buckets; i++) {
    PenBucket *bucket = &self->buckets[i];

    bucket->id = i;
    bucket->tenure = (guint32) pen_fuzz_take (input, 1) % (self->n_tenures + 1);
    bucket->revision = (guint32) pen_fuzz_take (input, 1);
    bucket->has_address = TRUE;
    bucket->address = BASE + pen_fuzz_take (input, 1) % (self->end - BASE);
    bucket->samples = 1 + pen_fuzz_take (input, 1);
    bucket->period = bucket->samples;
    bucket->first = pen_fuzz_take (input, 1);
    bucket->last = bucket->first + 1;
  }
}

static void
name_target (guint64 target, PenMoment moment, GString *name, gpointer user_data)
{
  (void) user_data;
  pen_fuzz_touch (moment.time);
  if (target % 2 == 0)
    g_string_append (name, "even");
}

static void
find_place (guint64 address, PenMoment moment, PenPlace *place, gpointer user_data)
{
  static const char *const names[] = { NULL, "arch_static_branch", "bpf_dispatcher_xdp", "f" };

  (void) user_data;
  pen_fuzz_touch (moment.time);
  place->kind = (PenKind) (address % PEN_KINDS);
  place->occupant = address % 3 == 0 ? "bpf_trampoline_1" : "[kernel.kallsyms]";
  place->function_start = address & ~15ull;
  place->function_name = names[address % G_N_ELEMENTS (names)];
}

static void
check_lines (const Story *story, GPtrArray *lines)
{
  guint64 samples = 0;
  guint64 expected = 0;

  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (lines, i);
    const PenAnnotationLine *before = i > 0 ? g_ptr_array_index (lines, i - 1) : NULL;

    g_assert_cmpuint (line->n_bytes, <=, sizeof line->bytes);
    g_assert_true (!before || before->address <= line->address);
    pen_fuzz_touch_string (line->instruction);
    pen_fuzz_touch_string (line->target);
    samples += line->samples;
  }
  for (guint i = 0; i < story->n_buckets; i++)
    expected += story->buckets[i].samples;
  g_assert_cmpuint (samples, ==, expected);
}

static void
annotate (Story *story, PenDecoder *decoder)
{
  PenAnnotationTenure turns[MAX_TENURES];
  g_autoptr (GPtrArray) lines = NULL;

  for (guint i = 0; i < story->n_tenures; i++) {
    const PenTextPiece *piece = &story->pieces[i];
    g_autoptr (GArray) breaks = NULL;

    turns[i].tenure = &story->tenures[i];
    turns[i].text = pen_text_new (turns[i].tenure, BASE, story->end, &piece, 1,
                                  story->poke_pointers, story->n_pokes);
    breaks = pen_text_check_chain (turns[i].text, &(PenCancelCheck){ 0 });
    pen_fuzz_touch (breaks->len);
  }
  lines = pen_annotation_build (BASE, story->end, turns, story->n_tenures, story->poke_pointers,
                                story->n_pokes, story->buckets, story->n_buckets, decoder,
                                name_target, NULL, NULL);
  check_lines (story, lines);
  for (guint i = 0; i < story->n_tenures; i++)
    pen_text_free (turns[i].text);
}

static void
fuzz_annotation (const guint8 *data, gsize size)
{
  PenFuzzBytes input = { data, data + size };
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  g_autofree Story *story = g_new0 (Story, 1);
  const PenCauseSources sources = { .find_place = find_place };
  g_autoptr (PenPokeBatches) batches = pen_poke_batches_new ();
  guint n_batches;

  story->end = BASE + 1 + pen_fuzz_take (&input, 2) % 1024;
  take_tenures (story, &input);
  take_pokes (story, &input);
  take_buckets (story, &input);
  annotate (story, decoder);
  for (guint i = 0; i < story->n_pokes; i++) {
    PenCauseVerdict verdict = pen_cause_find (story->pokes, story->n_pokes, i, decoder, &sources);

    g_assert_cmpuint (verdict.rule->cause, <, PEN_CAUSES);
    g_assert_nonnull (verdict.site);
    pen_poke_batches_add (batches, &story->pokes[i], &verdict);
    pen_cause_verdict_clear (&verdict);
  }
  pen_poke_batches_finish (batches, &n_batches);
  g_assert_cmpuint (n_batches, <=, story->n_pokes);
  for (guint i = 0; i < story->n_tenures; i++)
    g_bytes_unref (story->pieces[i].bytes);
}

/* Two bits of the machine, the length of the payload, the payload; the rest is the format. */
static void
fuzz_tracepoint (const guint8 *data, gsize size)
{
  PenFuzzBytes input = { data, data + size };
  guint machine = (guint) pen_fuzz_take (&input, 1);
  gsize length = (gsize) pen_fuzz_take (&input, 1);
  const guint8 *bytes = pen_fuzz_take_bytes (&input, &length);
  g_autofree guint8 *payload = g_memdup2 (bytes, length);
  g_autofree char *format = g_strndup ((const char *) input.at, (gsize) (input.end - input.at));
  g_autoptr (GError) error = NULL;
  g_autoptr (PenTracepoint) tracepoint
      = pen_tracepoint_new ("module", format, machine & 1, machine & 2 ? 4 : 8, &error);

  g_assert_true ((!tracepoint) == (error != NULL));
  if (tracepoint) {
    g_autofree char *text = pen_tracepoint_decode (tracepoint, payload, length);
    g_autofree char *name = pen_tracepoint_get_string (tracepoint, "name", payload, length);

    g_assert_true (g_utf8_validate (text, -1, NULL));
    pen_fuzz_touch_string (name);
  }
}

static void
fuzz_tracing_data (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) blob = g_bytes_new (data, size);
  g_autoptr (PenTracingData) tracing = pen_tracing_data_parse (blob);

  for (guint i = 0; tracing && i < tracing->formats->len; i++) {
    const PenTracepointFormat *format = g_ptr_array_index (tracing->formats, i);

    g_assert_nonnull (pen_tracing_data_find (tracing, format->id));
    pen_fuzz_touch_string (format->system);
    pen_fuzz_touch_string (format->text);
  }
}

/* ---- code of user space ---- */

static void
fuzz_demangle (const guint8 *data, gsize size)
{
  g_autofree char *name = g_strndup ((const char *) data, size);
  g_autofree char *shown = pen_demangle (name);

  if (!shown)
    return;
  g_assert_cmpuint (strlen (shown), >, 0);
  g_assert_cmpuint (strlen (shown), <=, PEN_DEMANGLE_MAX_SHOWN + PEN_DEMANGLE_MAX_NAME);
}

static void
fuzz_jit_dump (const guint8 *data, gsize size)
{
  g_autoptr (PenJitDump) dump = pen_jit_dump_open (pen_fuzz_write_memory (data, size), NULL, NULL);

  for (guint i = 0; dump && i < pen_jit_dump_get_codes (dump)->len; i++) {
    const PenJitCode *code = &g_array_index (pen_jit_dump_get_codes (dump), PenJitCode, i);
    g_autoptr (GBytes) bytes = pen_jit_dump_read_code (dump, code->offset, (gsize) code->length);

    g_assert_cmpuint (code->length, >, 0);
    g_assert_cmpuint (code->start, <=, G_MAXUINT64 - code->length);
    g_assert_nonnull (bytes);
    pen_fuzz_touch_string (code->name);
    g_assert_cmpuint (code->first_line + code->n_lines, <=, pen_jit_dump_get_lines (dump)->len);
    for (guint k = 0; k < code->n_lines; k++) {
      const PenJitLine *line
          = &g_array_index (pen_jit_dump_get_lines (dump), PenJitLine, code->first_line + k);

      g_assert_cmpuint (line->line, >, 0);
      pen_fuzz_touch_string (line->file);
    }
  }
}

static void
fuzz_perf_map (const guint8 *data, gsize size)
{
  g_autoptr (PenPerfMap) map = pen_perf_map_load (pen_fuzz_write_memory (data, size), NULL);

  for (guint64 address = 0; map && address < 256; address++) {
    PenSymbol symbol;

    if (!pen_perf_map_find (map, address, &symbol))
      continue;
    g_assert_cmpuint (symbol.start, <=, address);
    g_assert_cmpuint (symbol.end, >, address);
    pen_fuzz_touch_string (symbol.name);
  }
}

/* Symbols, stubs, code and debug information of one file. */
static void
fuzz_elf_file (const guint8 *data, gsize size)
{
  const char *path = pen_fuzz_write_memory (data, size);
  g_autoptr (PenElfFile) file = pen_elf_file_open (path);
  PenSymbol symbol;

  if (file) {
    g_autoptr (GBytes) code = pen_elf_file_read_code (file, 0x1000, 64);

    pen_elf_file_load_symbols (file, NULL);
    if (pen_elf_file_find_symbol (file, 0x1000, &symbol)
        || pen_elf_file_find_stub (file, 0x1000, &symbol))
      pen_fuzz_touch_string (symbol.name);
    if (code)
      g_assert_cmpuint (g_bytes_get_size (code), <=, 64);
  }
  fuzz_debug_image (path, NULL);
}

/* ---- lines of source code ---- */

/* Places in a range follow one another; what they name has been told before. */
typedef struct {
  PenDwarfLines *lines;
  guint64 last;
  guint n;
} LineCheck;

static void
check_place (guint64 address, const PenCodePlace *place, gpointer user_data)
{
  LineCheck *check = user_data;
  PenInlinedCall call = { .outer = place->call };

  g_assert_true (check->n++ == 0 || address >= check->last);
  check->last = address;
  pen_fuzz_touch_string (place->file);
  for (guint number = place->call; number != 0; number = call.outer) {
    pen_dwarf_lines_get_call (check->lines, number, &call);
    g_assert_cmpuint (call.outer, <, number);
    pen_fuzz_touch_string (call.name);
    pen_fuzz_touch_string (call.file);
  }
}

static void
read_image (PenDebugImage *image)
{
  static const guint64 ranges[][2] = { { 0, 0x40 }, { 0x40, 0x1000 }, { 0x1000, G_MAXUINT64 } };
  int fd = pen_debug_image_get_fd (image);
  gsize size = (gsize) lseek (fd, 0, SEEK_END);
  g_autofree guint8 *bytes = g_malloc (size);
  g_autoptr (PenDwarfLines) lines = NULL;

  g_assert_cmpint (pread (fd, bytes, size, 0), ==, (gssize) size);
  lines = pen_dwarf_lines_new (bytes, size);
  for (guint i = 0; lines && i < G_N_ELEMENTS (ranges); i++) {
    LineCheck check = { .lines = lines };

    pen_dwarf_lines_foreach (lines, ranges[i][0], ranges[i][1], check_place, &check);
  }
}

/* By libdw, which has a process of its own elsewhere: what it cannot bear is found here. */
static void
fuzz_dwarf (const guint8 *data, gsize size)
{
  PenDebugInput input = { .fd = -1, .bytes = data, .size = size };

  elf_version (EV_CURRENT);
  input.elf = elf_memory ((char *) data, size);
  if (input.elf && elf_kind (input.elf) == ELF_K_ELF) {
    g_autoptr (PenDebugImage) image = pen_debug_image_new (&input, NULL, NULL, NULL, NULL);

    if (image)
      read_image (image);
  }
  elf_end (input.elf);
}

/* Which parser the first byte stands for, and what its inputs are made of. */
typedef enum { FORM_BYTES, FORM_LINES, FORM_ELF, FORM_FIELDS } Form;

static const struct {
  void (*read) (const guint8 *data, gsize size);
  Form form;
} parsers[] = {
  { fuzz_kallsyms, FORM_LINES },   { fuzz_modules, FORM_LINES },
  { fuzz_kcore, FORM_ELF },        { fuzz_bpf, FORM_FIELDS },
  { fuzz_decoder, FORM_BYTES },    { fuzz_annotation, FORM_BYTES },
  { fuzz_tracepoint, FORM_LINES }, { fuzz_tracing_data, FORM_FIELDS },
  { fuzz_kernel_file, FORM_ELF },  { fuzz_packed, FORM_BYTES },
  { fuzz_demangle, FORM_BYTES },   { fuzz_jit_dump, FORM_FIELDS },
  { fuzz_perf_map, FORM_LINES },   { fuzz_elf_file, FORM_ELF },
  { fuzz_dwarf, FORM_ELF },
};

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  if (size == 0)
    return 0;
  pen_fuzz_steps_start ();
  parsers[data[0] % G_N_ELEMENTS (parsers)].read (data + 1, size - 1);
  pen_fuzz_steps_check (size, 20000, 4 << 20);
  return 0;
}

/* The parser stays: an input for one is nothing to another. */
size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  static const char *const words[] = { "ffffffff81000000",
                                       "ffffffffc0200000",
                                       " T ",
                                       " t ",
                                       "\t[m]",
                                       "_text",
                                       "_etext",
                                       "0x",
                                       " Live ",
                                       "-",
                                       "(OE)",
                                       "\n",
                                       "field:",
                                       ";\toffset:",
                                       ";\tsize:",
                                       "signed:",
                                       "__data_loc ",
                                       "[8]",
                                       "char ",
                                       "unsigned ",
                                       "print fmt:",
                                       "name: ",
                                       "ID: ",
                                       NULL };
  gboolean is_fit = size > 1;

  if (is_fit && pen_fuzz_random (&seed, 3) > 0) {
    switch (parsers[data[0] % G_N_ELEMENTS (parsers)].form) {
    case FORM_LINES:
      return 1 + pen_fuzz_mutate_lines (data + 1, size - 1, max_size - 1, &seed, words);
    case FORM_ELF:
      if (pen_fuzz_mutate_elf (data + 1, size - 1, &seed))
        return size;
      break;
    case FORM_FIELDS:
      pen_fuzz_mutate_field (data + 1, size - 1, &seed);
      return size;
    case FORM_BYTES:
      break;
    }
  }
  return is_fit ? 1 + LLVMFuzzerMutate (data + 1, size - 1, max_size - 1)
                : LLVMFuzzerMutate (data, size, max_size);
}
