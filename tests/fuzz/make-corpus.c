/* make-corpus.c: the inputs that fuzzing starts from
 *
 * make-corpus OUTPUT [BUNDLED]: fills OUTPUT/reader, OUTPUT/import … with small captures in every
 * shape, and with pieces of the captures in the directory BUNDLED.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-fuzz.h"
#include "pen-fuzz-history.h"
#include "pen-test-samples.h"

/* A seed larger than this is mutated too seldom where it matters. */
#define SEED_MAX 8192
#define HEADER_SIZE 104
#define ZSTD_RAW_BLOCK 0

typedef struct {
  const char *name;
  PenTestCaptureFlags flags;
} Shape;

static const Shape shapes[] = {
  { "file", PEN_TEST_CAPTURE_FILE },
  { "pipe", PEN_TEST_CAPTURE_PIPE },
  { "zstd", PEN_TEST_CAPTURE_ZSTD },
  { "zstd2", PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_COMPRESSED2 },
  { "zstd-pipe", PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_PIPE },
  { "big", PEN_TEST_CAPTURE_BIG_ENDIAN },
  { "big-pipe", PEN_TEST_CAPTURE_BIG_ENDIAN | PEN_TEST_CAPTURE_PIPE },
  { "inflated", PEN_TEST_CAPTURE_INFLATED },
  { "unterminated", PEN_TEST_CAPTURE_UNTERMINATED },
  { "old", PEN_TEST_CAPTURE_OLD_HEADER },
  { "attrs-last", PEN_TEST_CAPTURE_ATTRS_LAST },
};

static void
write_seed (const char *output, const char *target, const char *name, const void *bytes,
            gsize length)
{
  g_autofree char *directory = g_build_filename (output, target, NULL);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (directory, 0700);
  if (!g_file_set_contents (path, bytes, (gssize) length, &error))
    g_error ("%s", error->message);
}

static char *
read_file (const char *path, gsize *length)
{
  g_autoptr (GError) error = NULL;
  char *bytes = NULL;

  if (!g_file_get_contents (path, &bytes, length, &error))
    g_error ("%s", error->message);
  return bytes;
}

static char *
write_and_read (PenTestCapture *capture, PenTestCaptureFlags flags, gsize *length)
{
  g_autofree char *path = g_build_filename (pen_fuzz_get_directory (), "seed", NULL);
  g_autoptr (GError) error = NULL;

  g_unlink (path);
  if (!pen_test_capture_write (capture, path, flags, &error))
    g_error ("%s", error->message);
  return read_file (path, length);
}

static guint64
get_u64 (const char *bytes, gsize at)
{
  guint64 value;

  memcpy (&value, bytes + at, 8);
  return GUINT64_FROM_LE (value);
}

static void
put_u64 (char *bytes, gsize at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes + at, &value, 8);
}

/* All records of @plain (a capture in file form) in COMPRESSED records whose zstd blocks are stored
 * as they are: an input in which a changed byte changes a record, and does not just break zstd. */
static void
add_stored_blocks (const char *output, const char *plain)
{
  static const guint8 frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x40 };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  guint64 at = get_u64 (plain, 40);
  guint64 left = get_u64 (plain, 48);
  gboolean is_first = TRUE;
  g_autofree char *bytes = NULL;
  gsize length;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  while (left > 0) {
    guint32 size = (guint32) MIN (left, 1000);
    guint32 block = GUINT32_TO_LE (size << 3 | ZSTD_RAW_BLOCK << 1);
    g_autoptr (GByteArray) body = g_byte_array_new ();

    if (is_first)
      g_byte_array_append (body, frame, sizeof frame);
    g_byte_array_append (body, (const guint8 *) &block, 3);
    g_byte_array_append (body, (const guint8 *) plain + at, size);
    pen_test_capture_add_raw (capture, 81, 0, body->data, body->len, FALSE);
    is_first = FALSE;
    at += size;
    left -= size;
  }
  bytes = write_and_read (capture, PEN_TEST_CAPTURE_FILE, &length);
  write_seed (output, "reader", "stored-blocks", bytes, length);
}

static void
append_file (GByteArray *input, const void *bytes, gsize length)
{
  g_byte_array_append (input, bytes, (guint) length);
  g_byte_array_append (input, (const guint8 *) PEN_FUZZ_SEPARATOR, strlen (PEN_FUZZ_SEPARATOR));
}

/* A directory as one input. */
static void
add_directory (const char *output, const char *target, const char *name, PenTestCapture *capture,
               PenTestCaptureFlags flags)
{
  static const char *const names[] = {
    "data", "kcore_dir/kallsyms", "kcore_dir/modules", "kcore_dir/kcore", "data.0", "data.1"
  };
  g_autofree char *path = g_build_filename (pen_fuzz_get_directory (), "capture", NULL);
  g_autoptr (GByteArray) input = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  if (!pen_test_capture_write (capture, path, flags, &error))
    g_error ("%s", error->message);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *file = g_build_filename (path, names[i], NULL);
    g_autofree char *bytes = NULL;
    gsize length = 0;

    if (g_file_test (file, G_FILE_TEST_EXISTS))
      bytes = read_file (file, &length);
    append_file (input, bytes, length);
    g_unlink (file);
  }
  write_seed (output, target, name, input->data, input->len);
}

static void
add_everything (const char *output)
{
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    gsize length;
    g_autofree char *bytes = write_and_read (capture, shapes[i].flags, &length);

    write_seed (output, "reader", shapes[i].name, bytes, length);
    write_seed (output, "import", shapes[i].name, bytes, length);
    if (shapes[i].flags == PEN_TEST_CAPTURE_FILE)
      add_stored_blocks (output, bytes);
  }
  add_directory (output, "reader", "threads", capture, PEN_TEST_CAPTURE_THREADS);
  add_directory (output, "reader", "threads-zstd", capture,
                 PEN_TEST_CAPTURE_THREADS | PEN_TEST_CAPTURE_ZSTD);
  add_directory (output, "import", "threads", capture, PEN_TEST_CAPTURE_THREADS);
}

static void
add_history (const char *output)
{
  g_autoptr (PenTestCapture) capture = pen_fuzz_make_history ();

  add_directory (output, "import", "history", capture, PEN_TEST_CAPTURE_DIRECTORY);
  add_directory (output, "import", "history-inflated", capture,
                 PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_INFLATED);
}

/* The header, the first records and the features of a capture in file form, fitted together. */
static void
add_piece (const char *output, const char *name, const char *bytes, gsize length)
{
  guint64 begin;
  guint64 size;
  guint64 kept;
  guint64 features;
  guint n_features = 0;
  g_autoptr (GByteArray) piece = g_byte_array_new ();

  if (length < HEADER_SIZE || memcmp (bytes, "PERFILE2", 8) != 0)
    return;
  begin = get_u64 (bytes, 40);
  size = get_u64 (bytes, 48);
  features = begin + size;
  for (guint i = 72; i < HEADER_SIZE; i++)
    n_features += (guint) __builtin_popcount ((guint8) bytes[i]);
  kept = MIN (size, begin < SEED_MAX / 2 ? SEED_MAX / 2 - begin : 0) & ~7ull;

  g_byte_array_append (piece, (const guint8 *) bytes, (guint) (begin + kept));
  put_u64 ((char *) piece->data, 48, kept);
  if (features + 16 * n_features <= length)
    g_byte_array_append (piece, (const guint8 *) bytes + features, 16 * n_features);
  for (guint i = 0; features + 16 * n_features <= length && i < n_features; i++) {
    guint64 at = get_u64 (bytes, features + 16 * i);
    guint64 section = get_u64 (bytes, features + 16 * i + 8);

    put_u64 ((char *) piece->data, begin + kept + 16 * i, piece->len);
    if (at <= length && section <= length - at && section + piece->len <= SEED_MAX)
      g_byte_array_append (piece, (const guint8 *) bytes + at, (guint) section);
    else
      put_u64 ((char *) piece->data, begin + kept + 16 * i + 8, 0);
  }
  write_seed (output, "reader", name, piece->data, piece->len);
}

static void
add_bundled (const char *output, const char *bundled)
{
  g_autoptr (GDir) dir = g_dir_open (bundled, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *inside = g_build_filename (bundled, name, "data", NULL);
    g_autofree char *path = g_file_test (inside, G_FILE_TEST_IS_REGULAR)
                                ? g_strdup (inside)
                                : g_build_filename (bundled, name, NULL);
    g_autofree char *bytes = NULL;
    gsize length;

    if (!g_str_has_suffix (name, ".data"))
      continue;
    bytes = read_file (path, &length);
    if (memcmp (bytes, "PERFILE2", 8) == 0 && bytes[8] == 16)
      write_seed (output, "reader", name, bytes, MIN (length, SEED_MAX));
    else
      add_piece (output, name, bytes, length);
  }
}

/* Every feature of a capture that has little but a BPF program, one of which is BPF_PROG_INFO. */
static void
add_bpf_program (const char *output)
{
  static const guint8 image[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
  static const guint64 address = 0xffffffff81000000;
  static const guint32 length = sizeof image;
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree char *file = NULL;
  guint64 table;
  gsize size;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_bpf_program (capture, 1, "x", image, 0, &address, &length, 1, image,
                                    sizeof image);
  file = write_and_read (capture, PEN_TEST_CAPTURE_FILE, &size);
  table = get_u64 (file, 40) + get_u64 (file, 48);
  for (guint64 at = table; at + 16 <= get_u64 (file, table); at += 16) {
    g_autofree char *name = g_strdup_printf ("feature-%u", (guint) (at - table) / 16);
    g_autoptr (GString) input = g_string_new ("\3");

    g_string_append_len (input, file + get_u64 (file, at), (gssize) get_u64 (file, at + 8));
    write_seed (output, "text", name, input->str, input->len);
  }
}

/* One input of the text target for each of its other choices. */
static void
add_texts (const char *output)
{
  static const char cxx[] = "\012_Z1f1A1TIS_S_ES0_IS1_S1_E";
  static const char rust[] = "\012_RINvC1a1fDG_INtC1b2FnRL0_hEp6OutputuEL_TmmEKj10_E";
  static const char perf_map[] = "\01410 10 first\n18 8 inner one\nzz\n";
  /* A header, a function of one byte, and its move. */
  static const guint8 jit_dump[1 + 40 + 59 + 64] = {
    [0] = 11,
    [1] = 'D',
    'T',
    'i',
    'J',
    1,
    0,
    0,
    0,
    40,
    [1 + 40 + 4] = 59,
    [1 + 40 + 33] = 0x10, /* address */
    [1 + 40 + 40] = 1,    /* bytes */
    [1 + 40 + 56] = 'f',
    0,
    0xc3,
    [1 + 40 + 59] = 1,
    [1 + 40 + 59 + 4] = 64,
    [1 + 40 + 59 + 41] = 0x20,
    [1 + 40 + 59 + 48] = 1,
  };
  static const guint8 code[]
      = { 4, 0, 0x55, 0x48, 0x89, 0xe5, 0x0f, 0x1f, 0x44, 0, 0, 0xe9, 0x10, 0, 0, 0, 0xcc, 0xc3 };
  static const guint8 annotation[]
      = { 5,    2,    1,    0x10, 0x20, 2,    0x10, 1,    4,    5,    5,    0x0f, 0x1f,
          0x44, 0,    0,    0xe9, 0x10, 0,    0,    0,    0x20, 1,    4,    5,    5,
          0xe9, 0x10, 0,    0,    0,    0x0f, 0x1f, 0x44, 0,    0,    1,    4,    3,
          0x55, 0x48, 0x89, 0xe5, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 };
  static const char kallsyms[]
      = "\0"
        "ffffffff81000000 T _text\nffffffff81000010 t f\t[m]\nffffffffa0000000 W x\n";
  static const char modules[]
      = "\1"
        "snd_hda 16384 0 - Live 0xffffffffa0000000\nb 1 0 a,c Loading 0x10 (OE)\n";
  static const guint8 image[11] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
  static const guint64 address = 0xffffffff81000000;
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree char *path = g_build_filename (pen_fuzz_get_directory (), "capture", NULL);
  g_autofree char *kcore = g_build_filename (path, "kcore_dir", "kcore", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GString) input = g_string_new ("\2");
  gsize size;

  write_seed (output, "text", "kallsyms", kallsyms, sizeof kallsyms - 1);
  write_seed (output, "text", "modules", modules, sizeof modules - 1);
  write_seed (output, "text", "name-cxx", cxx, sizeof cxx - 1);
  write_seed (output, "text", "name-rust", rust, sizeof rust - 1);
  write_seed (output, "text", "perf-map", perf_map, sizeof perf_map - 1);
  write_seed (output, "text", "jit-dump", jit_dump, sizeof jit_dump);

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_kcore_segment (capture, address, image, sizeof image);
  pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_DIRECTORY, NULL);
  bytes = read_file (kcore, &size);
  g_string_append_len (input, bytes, (gssize) size);
  write_seed (output, "text", "kcore", input->str, input->len);

  write_seed (output, "text", "decoder", code, sizeof code);
  write_seed (output, "text", "annotation", annotation, sizeof annotation);
}

/* A sample with every field there is, in both byte orders. */
static void
add_all_fields (const char *output)
{
  static const guint64 callchain[] = { G_MAXUINT64 - 127, 0xffffffff81000010, 0xffffffff81000020 };
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();

  event.sample_type = (1u << 25) - 1;
  event.read_format = 0x1f;
  event.sample_regs_user = 0xff;
  event.sample_regs_intr = 0x3;
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_at (capture, 1000, 42, 42, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000010, 1);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, 0xffffffff81000010, 1,
                                              callchain, G_N_ELEMENTS (callchain));
  for (guint i = 0; i < 2; i++) {
    gsize length;
    g_autofree char *bytes = write_and_read (
        capture, i == 0 ? PEN_TEST_CAPTURE_FILE : PEN_TEST_CAPTURE_BIG_ENDIAN, &length);
    const char *name = i == 0 ? "all-fields" : "all-fields-big";

    write_seed (output, "reader", name, bytes, length);
    write_seed (output, "import", name, bytes, length);
  }
}

/* A format of tracefs with a payload, and formats as TRACING_DATA holds them. */
static void
add_tracepoints (const char *output)
{
  static const char format[] = "name: module_load\nID: 9\nformat:\n"
                               "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
                               "\tfield:u32 taints;\toffset:8;\tsize:4;\tsigned:0;\n"
                               "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n"
                               "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n\n"
                               "print fmt: \"\"\n";
  static const guint8 payload[]
      = { 6, 0, 20, 9, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 16, 0, 4, 0, 'h', 'd', 'a', 0 };
  static const char head[] = "\7\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page\0"
                             "\0\0\0\0\0\0\0\0header_event\0\0\0\0\0\0\0\0\0"
                             "\0\0\0\0\1\0\0\0module\0\1\0\0";
  guint64 length = GUINT64_TO_LE (sizeof format - 1);
  g_autoptr (GString) input = g_string_new_len ((const char *) payload, sizeof payload);

  g_string_append (input, format);
  write_seed (output, "text", "tracepoint", input->str, input->len);
  g_string_truncate (input, 0);
  g_string_append_len (input, head, sizeof head);
  g_string_append_len (input, (const char *) &length, 8);
  g_string_append (input, format);
  write_seed (output, "text", "tracing-data", input->str, input->len);
}

/* Inputs of the store target: a page's bytes, a row that is gone, and a value of each type. */
static void
add_damage (const char *output)
{
  static const guint8 page[] = { 0, 0x40, 0x10, 0, 0, 2, 0xff, 0xff };
  static const guint8 row[] = { 1, 14, 0 };
  static const guint8 integer[] = { 2, 14, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80 };
  static const guint8 text[] = { 2, 14, 3, 0, 1, 3, 'b', 'p', 'f' };
  static const guint8 pack[] = { 2, 21, 4, 0, 3, 8, 0, 1, 0, 1, 0, 1, 0, 1 };

  write_seed (output, "store", "none", "", 0);
  write_seed (output, "store", "page", page, sizeof page);
  write_seed (output, "store", "row", row, sizeof row);
  write_seed (output, "store", "integer", integer, sizeof integer);
  write_seed (output, "store", "text", text, sizeof text);
  write_seed (output, "store", "pack", pack, sizeof pack);
}

/* Inputs of the modules target: a live patch's names, a folder, and events: see fuzz-modules.c. */
static void
add_modules (const char *output)
{
  static const char kallsyms[] = "kffffffff81000000 T _text\n"
                                 "ffffffffc0201000 t f\t[m]\nffffffffc0202000 t g\t[m]\n"
                                 "ffffffffc0204000 t init_module\t[m]\n"
                                 "ffffffffc0203000 d x\t[m]\n"
                                 "ffffffff81000010 u klp_enable_patch\t[m]\n"
                                 "ffffffffc0206000 t ftrace_trampoline\t[__builtin__ftrace]\n"
                                 "ffffffffc0207000 t bpf_prog_1\t[bpf]\n";
  static const char folder[] = "f\x04\0\0\0\x04\0\0\0\x03\0\0\0GNU\0\1\2\3\4" PEN_FUZZ_SEPARATOR
                               "0xffffffffc0201000\n" PEN_FUZZ_SEPARATOR
                               "0xffffffffc0202f00\n" PEN_FUZZ_SEPARATOR "0xffffffffc0208000\n";
  /* In the order of fuzz_lists(): 'f' is a multiple of six. */
  static const char *const kernel_lists[] = {
    "ffffffff81000010  k  f+0x0    [FTRACE]\nffffffff81000020  r  g+0x4  m [DISABLED]\n",
    "p:g/e f+0 a=%di\nr16:g/r m:f%return\nf:g/f f\np:g/a 0xffffffff81000010\n",
    "f (1) R I \ttramp: 0xffffffffc0206000 (kprobe_ftrace_handler+0x0/0x1d0) ->x+0x0/0x1\n",
    "/sys/kernel/tracing/instances/i/current_tracer function\n/proc/sys/kernel/ftrace_enabled 1\n",
    "[\n{\"id\":34,\"type\":\"tracing\",\"name\":\"p\",\"tag\":\"00\"}\n]\n",
    "[\n{\"id\":5,\"type\":\"perf_event\",\"prog_id\":34,\"attach_type\":\"kprobe\","
    "\"addresses\":[\"0xffffffff81000010\",\"0xffffffff81000020\"]}\n]\n",
  };
  static const char sections[]
      = "s/sys/module/m/notes/.note.gnu.build-id 040000000400000003000000474e550001020304"
        "\n" PEN_FUZZ_SEPARATOR "/sys/module/m/sections/.text 0xffffffffc0201000\n"
        "load 2500 more\n/sys/module/more/sections/.text 0xffffffffc0301000\n";
  /* A module of the start, which one list lacks; a program at its place; another one in two lists.
   */
  static const guint8 lists[]
      = { 'h', 0,  0, 1, 0, 0x10, 15, 1, 10, 1, 4, 0x12, 1,    1,  20, 1,  5, 0x12, 1,
          7,   40, 3, 1, 1, 0x10, 15, 7, 60, 3, 1, 1,    0x10, 15, 7,  80, 3, 0 };
  /* Two loads of one task, what it was given and poked before; a free; a list without a date. */
  static const guint8 loads[]
      = { 'h', 6, 9,  1,  0x20, 15,   4, 10, 1, 0x24, 8,  5, 5, 5, 11,   1, 1,
          3,   4, 12, 1,  0x60, 8,    5, 5,  5, 13,   1,  1, 2, 5, 50,   2, 3,
          3,   3, 4,  51, 1,    0x28, 8, 5,  5, 7,    90, 6, 1, 3, 0x20, 15 };

  write_seed (output, "modules", "kallsyms", kallsyms, sizeof kallsyms - 1);
  write_seed (output, "modules", "folder", folder, sizeof folder - 1);
  for (guint i = 0; i < G_N_ELEMENTS (kernel_lists); i++) {
    g_autofree char *name = g_strdup_printf ("list-%u", i);
    g_autofree char *input = g_strdup_printf ("l%c%s", (int) i + 'f', kernel_lists[i]);

    write_seed (output, "modules", name, input, strlen (input));
  }
  write_seed (output, "modules", "sections", sections, sizeof sections - 1);
  write_seed (output, "modules", "lists", lists, sizeof lists);
  write_seed (output, "modules", "loads", loads, sizeof loads);
}

/* Of each kind of block one that has one number in each column; see fuzz-pack.c. */
static void
add_packs (const char *output)
{
  static const struct {
    guint columns;
    const char *before;
  } kinds[] = { { 7, "" }, { 11, "" }, { 6, "" },   { 2, "" },   { 1, "" },
                { 4, "" }, { 2, "" },  { 6, "\1" }, { 1, "\1" }, { 3, "\1" } };

  for (guint8 kind = 0; kind < G_N_ELEMENTS (kinds); kind++) {
    const guint8 header[] = { kind, 1, 0, 0 };
    static const guint8 column[] = { 1, 0, 1 };
    g_autoptr (GByteArray) input = g_byte_array_new ();
    g_autofree char *name = g_strdup_printf ("block-%u", kind);

    g_byte_array_append (input, header, sizeof header);
    g_byte_array_append (input, (const guint8 *) kinds[kind].before,
                         (guint) strlen (kinds[kind].before));
    for (guint i = 0; i < kinds[kind].columns; i++)
      g_byte_array_append (input, column, sizeof column);
    write_seed (output, "pack", name, input->data, input->len);
  }
}

static void
add_quotes (const char *output)
{
  static const char text[] = "=a,\"b\"\r\n\t\\\033[0m\342\200\256\360\237\246\200\360\220\200\200";

  for (guint8 choice = 0; choice < 4; choice++) {
    g_autofree char *name = g_strdup_printf ("quote-%u", choice);
    g_autoptr (GByteArray) input = g_byte_array_new ();

    g_byte_array_append (input, &choice, 1);
    g_byte_array_append (input, (const guint8 *) text, sizeof text - 1);
    write_seed (output, "quote", name, input->data, input->len);
  }
}

/* In both byte orders. */
static void
add_btf (const char *output)
{
  static const guint8 little[] = { 1, 0, 0, 0, 0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0,   0,   0,   0, 0,
                                   0, 0, 0, 0, 0,    0,    0, 5, 0,  0, 0, 0, 'a', 'b', 'c', 0 };
  static const guint8 big[] = { 1, 0, 0, 0, 0xeb, 0x9f, 1, 0, 0, 0, 0, 24, 0,   0,   0,   0, 0,
                                0, 0, 0, 0, 0,    0,    0, 0, 0, 0, 5, 0,  'a', 'b', 'c', 0 };

  write_seed (output, "btf", "little", little, sizeof little);
  write_seed (output, "btf", "big", big, sizeof big);
}

static void
add_queries (const char *output)
{
  static const char *const queries[] = {
    "SELECT count(*), max(time), max(symbol), max(offset) FROM sample",
    "SELECT count(payload) FROM sample WHERE time > 5 AND pid IN (1, 42) ORDER BY time",
    "SELECT * FROM bucket b JOIN function f ON f.id = b.function WHERE f.id < 4",
    "SELECT count(c.symbol), max(c.depth) FROM sample s, callchain(s.callchain) c",
    "SELECT * FROM version_total",
    "SELECT hex(old_bytes), printf('%x', address) FROM text_poke GROUP BY 1",
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT i FROM n",
    "INSERT INTO note(text) VALUES ('x') RETURNING id",
    "ATTACH 'other.db' AS other",
    "PRAGMA journal_mode = wal",
    "SELECT * FROM pragma_table_info('sample')",
  };

  for (guint i = 0; i < G_N_ELEMENTS (queries); i++) {
    g_autofree char *name = g_strdup_printf ("query-%u", i);

    write_seed (output, "sql", name, queries[i], strlen (queries[i]));
  }
}

int
main (int argc, char **argv)
{
  if (argc < 2) {
    g_printerr ("usage: make-corpus OUTPUT [BUNDLED]\n");
    return 2;
  }

  add_everything (argv[1]);
  add_history (argv[1]);
  add_texts (argv[1]);
  add_bpf_program (argv[1]);
  add_all_fields (argv[1]);
  add_tracepoints (argv[1]);
  add_damage (argv[1]);
  add_modules (argv[1]);
  add_packs (argv[1]);
  add_quotes (argv[1]);
  add_btf (argv[1]);
  add_queries (argv[1]);
  if (argc > 2)
    add_bundled (argv[1], argv[2]);
  return 0;
}
