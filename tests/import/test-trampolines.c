/* test-trampolines.c: who uses the trampolines of ftrace and BPF, and which live patch it is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "import-fixture.h"
#include "pen-poke-phrases.h"
#include "pen-store-pokes.h"

#define ENTRY (KERNEL + 0x1000)
#define OTHER_ENTRY (KERNEL + 0x2000)
#define TRACER (KERNEL + 0x3000)
#define HANDLER (KERNEL + 0x3100)
#define FTRACE_CALLER (KERNEL + 0x3200)
#define STUB 0xffffffffc0200000u
#define STUB_LENGTH 24u
#define CALL_AT 8u /* in a stub */
#define BPF_STUB 0xffffffffc0300000u
#define BPF_NAME "bpf_trampoline_6442492247" /* BTF 1, type 41303 */
#define TASK 7

static const guint8 nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 tag[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void
make_branch (guint8 bytes[5], guint64 address, guint64 target)
{
  guint32 distance = GUINT32_TO_LE ((guint32) (target - (address + 5)));

  bytes[0] = 0xe8;
  memcpy (bytes + 1, &distance, sizeof distance);
}

/* Two instructions, a call, a return; and the data after it, which looks like a call. */
static void
make_stub (guint8 bytes[STUB_LENGTH], guint64 address, guint64 target)
{
  static const guint8 code[] = { 0x48, 0x81, 0xec, 0xa8, 0x00, 0x00, 0x00, 0x90 };

  memcpy (bytes, code, sizeof code);
  make_branch (bytes + CALL_AT, address + CALL_AT, target);
  bytes[13] = 0xc3;
  make_branch (bytes + 14, address + 14, FTRACE_CALLER);
  memset (bytes + 19, 0xcc, STUB_LENGTH - 19);
}

static void add_format (PenTestCapture *capture);

/* @has_loads: loads of modules are recorded */
static PenTestCapture *
start_capture_of (gboolean has_loads, const char *modules)
{
  PenTestCapture *capture = pen_test_capture_new ();
  g_autofree char *kallsyms = g_strdup_printf ("ffffffff81000000 T _text\n"
                                               "ffffffff81001000 T vfs_read\n"
                                               "ffffffff81002000 t cmdline_proc_show\n"
                                               "ffffffff81003000 t function_trace_call\n"
                                               "ffffffff81003100 t klp_ftrace_handler\n"
                                               "ffffffff81003200 T ftrace_caller\n"
                                               "ffffffff81003300 T last\n"
                                               "%s",
                                               modules);

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  if (has_loads) {
    PenTestEvent loads = PEN_TEST_EVENT_CLOCK;

    loads.type = 2;
    loads.sample_type |= 1 << 10;
    loads.name = "module:module_load";
    loads.config = 329;
    pen_test_capture_add_event (capture, &loads);
    add_format (capture);
  }
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms, strlen (kallsyms));
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 0, 0, 0, 0);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x100000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0,
                             "/lib/modules/6.1/patch-one.ko");
  pen_test_capture_set_arch (capture, "x86_64");
  return capture;
}

static PenTestCapture *
start_capture (const char *modules)
{
  return start_capture_of (FALSE, modules);
}

static void
poke (PenTestCapture *capture, guint64 time, guint64 address, const guint8 *old_bytes,
      guint16 old_length, const guint8 *new_bytes, guint16 new_length)
{
  pen_test_capture_at (capture, time, TASK, TASK, 0);
  pen_test_capture_add_text_poke (capture, address, old_bytes, old_length, new_bytes, new_length);
}

/* A trampoline of @target is made, an entry led to it and back, the trampoline given up. */
static void
use_trampoline (PenTestCapture *capture, guint64 time, guint64 entry, guint64 target)
{
  guint8 stub[STUB_LENGTH];
  guint8 call[5];

  make_stub (stub, STUB, target);
  make_branch (call, entry, STUB);
  pen_test_capture_at (capture, time, TASK, TASK, 0);
  pen_test_capture_add_ksymbol (capture, STUB, STUB_LENGTH, 2, 0, "ftrace_trampoline");
  poke (capture, time + 1, STUB, NULL, 0, stub, STUB_LENGTH);
  poke (capture, time + 2, entry, nop5, 5, call, 5);
  poke (capture, time + 3, entry, call, 5, nop5, 5);
  poke (capture, time + 4, STUB, stub, STUB_LENGTH, NULL, 0);
  pen_test_capture_at (capture, time + 5, TASK, TASK, 0);
  pen_test_capture_add_ksymbol (capture, STUB, STUB_LENGTH, 2, 1, "ftrace_trampoline");
}

/* Cause, rule, users, programs and replacement of each poke, by time. */
static char *
dump_pokes (PenStore *store)
{
  g_autoptr (GArray) pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  GString *text = g_string_new (NULL);

  for (guint id = 1; id <= pokes->len; id++)
    for (guint i = 0; i < pokes->len; i++) {
      const PenPoke *stored = &g_array_index (pokes, PenPoke, i);

      if (stored->id == id)
        g_string_append_printf (text, "%s|%s|%s|%s|%s|%s\n", pen_cause_to_string (stored->cause),
                                stored->rule, stored->before.user ? stored->before.user : "",
                                stored->after.user ? stored->after.user : "",
                                stored->programs ? stored->programs : "",
                                stored->replacement ? stored->replacement : "");
    }
  return g_string_free (text, FALSE);
}

static void
assert_pokes (ImportFixture *fixture, PenTestCapture *capture, const char *expected)
{
  g_autoptr (PenStore) store = NULL;
  g_autofree char *text = NULL;

  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);
  text = dump_pokes (store);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_users (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = start_capture ("");

  /* One place, two users in turn; a live patch that nothing names. */
  use_trampoline (capture, 1000, ENTRY, TRACER);
  use_trampoline (capture, 2000, OTHER_ENTRY, HANDLER);
  assert_pokes (fixture, capture,
                "ftrace|ftrace memory||function_trace_call||\n"
                "ftrace|branch to ftrace||function_trace_call||\n"
                "ftrace|branch to ftrace|function_trace_call|||\n"
                "ftrace|ftrace memory|function_trace_call|||\n"
                "livepatch|livepatch memory||klp_ftrace_handler||\n"
                "livepatch|branch to a live patch||klp_ftrace_handler||\n"
                "livepatch|branch to a live patch|klp_ftrace_handler|||\n"
                "livepatch|livepatch memory|klp_ftrace_handler|||\n");
}

/* The call in a trampoline gets another target; what is written over it is no call any more. A
 * tracer that joins a live patch is not the patch. */
static void
test_changed_user (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = start_capture ("");
  guint8 stub[STUB_LENGTH];
  guint8 tracer[5];
  guint8 handler[5];
  guint8 entry[5];
  guint8 shared[5];

  make_stub (stub, STUB, TRACER);
  make_branch (tracer, STUB + CALL_AT, TRACER);
  make_branch (handler, STUB + CALL_AT, HANDLER);
  make_branch (entry, ENTRY, STUB);
  make_branch (shared, ENTRY, FTRACE_CALLER);
  pen_test_capture_at (capture, 1000, TASK, TASK, 0);
  pen_test_capture_add_ksymbol (capture, STUB, STUB_LENGTH, 2, 0, "ftrace_trampoline");
  poke (capture, 1001, STUB, NULL, 0, stub, STUB_LENGTH);
  poke (capture, 1002, STUB + CALL_AT, tracer, 5, handler, 5);
  poke (capture, 1003, ENTRY, nop5, 5, entry, 5);
  poke (capture, 1004, ENTRY, entry, 5, shared, 5);
  poke (capture, 1005, ENTRY, shared, 5, entry, 5);
  poke (capture, 1006, STUB + CALL_AT, handler, 5, nop5, 5);
  poke (capture, 1007, ENTRY, entry, 5, nop5, 5);
  assert_pokes (fixture, capture,
                "ftrace|ftrace memory||function_trace_call||\n"
                "livepatch|livepatch memory||klp_ftrace_handler||\n"
                "livepatch|branch to a live patch||klp_ftrace_handler||\n"
                "ftrace|branch to ftrace|klp_ftrace_handler|||\n"
                "ftrace|branch to ftrace||klp_ftrace_handler||\n"
                "ftrace|unnamed ftrace memory||||\n"
                "ftrace|branch to unnamed ftrace||||\n");
}

/* By what refers to klp_enable_patch(): the function of the same name, or the module alone. */
static void
test_replacement (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture
      = start_capture ("ffffffffa0000000 t vfs_read\t[patch_one]\n"
                       "ffffffffa0000100 t helper\t[patch_one]\n"
                       "ffffffff81004000 u klp_enable_patch\t[patch_one]\n"
                       "ffffffffa0100000 t cmdline_proc_show\t[other]\n");

  use_trampoline (capture, 1000, ENTRY, HANDLER);
  use_trampoline (capture, 2000, OTHER_ENTRY, HANDLER);
  assert_pokes (fixture, capture,
                "livepatch|livepatch memory||klp_ftrace_handler||\n"
                "livepatch|branch to a live patch||klp_ftrace_handler||vfs_read [patch_one]\n"
                "livepatch|branch to a live patch|klp_ftrace_handler|||vfs_read [patch_one]\n"
                "livepatch|livepatch memory|klp_ftrace_handler|||\n"
                "livepatch|livepatch memory||klp_ftrace_handler||\n"
                "livepatch|branch to a live patch||klp_ftrace_handler||[patch_one]\n"
                "livepatch|branch to a live patch|klp_ftrace_handler|||[patch_one]\n"
                "livepatch|livepatch memory|klp_ftrace_handler|||\n");
}

static const char module_load[]
    = "name: module_load\nID: 329\nformat:\n"
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
      "\tfield:unsigned int taints;\toffset:8;\tsize:4;\tsigned:0;\n"
      "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\n"
      "print fmt: \"%s\", __get_str(name)\n";

static void
put_number (GByteArray *bytes, guint64 value, guint size)
{
  guint64 little = GUINT64_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &little, size);
}

/* One system, one event. */
static void
add_format (PenTestCapture *capture)
{
  static const char head[] = "\x17\x08\x44tracing0.6";
  g_autoptr (GByteArray) blob = g_byte_array_new ();

  g_byte_array_append (blob, (const guint8 *) head, sizeof head);
  put_number (blob, 0, 1);
  put_number (blob, 8, 1);
  put_number (blob, 4096, 4);
  g_byte_array_append (blob, (const guint8 *) "header_page", 12);
  put_number (blob, 0, 8);
  g_byte_array_append (blob, (const guint8 *) "header_event", 13);
  put_number (blob, 0, 8);
  put_number (blob, 0, 4);
  put_number (blob, 1, 4);
  g_byte_array_append (blob, (const guint8 *) "module", 7);
  put_number (blob, 1, 4);
  put_number (blob, strlen (module_load), 8);
  g_byte_array_append (blob, (const guint8 *) module_load, (guint) strlen (module_load));
  pen_test_capture_set_raw_feature (capture, 1, blob->data, blob->len);
}

static void
load_tainted (PenTestCapture *capture, guint64 time, gint32 tid, const char *name, guint32 taints)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  put_number (payload, 329, 2);
  put_number (payload, 0, 2);
  put_number (payload, (guint64) tid, 4);
  put_number (payload, taints, 4);
  put_number (payload, (strlen (name) + 1) << 16 | 16, 4);
  g_byte_array_append (payload, (const guint8 *) name, (guint) strlen (name) + 1);
  pen_test_capture_from (capture, 2);
  pen_test_capture_at (capture, time, tid, tid, 0);
  pen_test_capture_set_payload (capture, payload->data, payload->len);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x100, 1);
  pen_test_capture_from (capture, 1);
}

static void
load_module (PenTestCapture *capture, guint64 time, gint32 tid, const char *name)
{
  load_tainted (capture, time, tid, name, 0);
}

/* A live patch enables itself when it is loaded: the last one that the same task loaded. */
static void
test_loaded_patch (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = start_capture_of (TRUE, "");

  load_module (capture, 500, TASK, "earlier");
  load_module (capture, 600, TASK, "patch-two");
  load_module (capture, 700, TASK + 1, "another");
  load_module (capture, 5000, TASK, "later");
  use_trampoline (capture, 1000, ENTRY, HANDLER);
  assert_pokes (fixture, capture,
                "livepatch|livepatch memory||klp_ftrace_handler||\n"
                "livepatch|branch to a live patch||klp_ftrace_handler||[patch_two]\n"
                "livepatch|branch to a live patch|klp_ftrace_handler|||[patch_two]\n"
                "livepatch|livepatch memory|klp_ftrace_handler|||\n");
}

/* ---- what stands for any user ---- */

#define ASSISTANT (KERNEL + 0x3400)
#define ALLOCATED 0xffff888004ec2840u
#define KPROBE_OPS (KERNEL + 0x900000)
#define LIVEPATCH (1u << 15)

static const char assistant_names[] = "ffffffff81003400 t ftrace_ops_assist_func\n"
                                      "ffffffff81900000 d kprobe_ftrace_ops\n"
                                      "ffffffff81900100 d other_ops\n";

/* A trampoline that calls it with the struct at @ops, and an entry that is led there. */
static void
use_assistant (PenTestCapture *capture, gboolean wants_registers, guint64 ops)
{
  guint8 stub[STUB_LENGTH]
      = { wants_registers ? 0x9c : 0x90, 0x48, 0x8b, 0x15, 0x06, 0x00, 0x00, 0x00 };
  guint64 address = GUINT64_TO_LE (ops);
  guint8 call[5];

  make_branch (stub + CALL_AT, STUB + CALL_AT, ASSISTANT);
  stub[13] = 0xc3;
  memcpy (stub + 14, &address, sizeof address);
  make_branch (call, ENTRY, STUB);
  pen_test_capture_at (capture, 1000, TASK, TASK, 0);
  pen_test_capture_add_ksymbol (capture, STUB, STUB_LENGTH, 2, 0, "ftrace_trampoline");
  poke (capture, 1001, STUB, NULL, 0, stub, STUB_LENGTH);
  poke (capture, 1002, ENTRY, nop5, 5, call, 5);
  /* Its call is written again. */
  poke (capture, 1003, STUB + CALL_AT, stub + CALL_AT, 5, stub + CALL_AT, 5);
}

static void
test_assistant (void)
{
  static const struct {
    const char *release;
    gboolean wants_registers;
    guint64 ops;
    guint32 taints;
    const char *cause; /* with rules of memory and branch, user, replacement */
    const char *memory;
    const char *branch;
    const char *user;
    const char *replacement;
  } cases[] = {
    { "5.10.0-32", TRUE, ALLOCATED, LIVEPATCH, "livepatch", "livepatch memory",
      "branch to a live patch", "klp_ftrace_handler", "[patch]" },
    { "5.10.0-32", TRUE, ALLOCATED, 0, "livepatch", "likely livepatch memory",
      "branch to a likely live patch", "klp_ftrace_handler", "[patch]" },
    { "5.10.0-32", FALSE, ALLOCATED, LIVEPATCH, "ftrace", "ftrace memory", "branch to ftrace",
      "ftrace_ops_assist_func", "" },
    { "5.10.0-32", TRUE, KPROBE_OPS, LIVEPATCH, "ftrace", "ftrace memory", "branch to ftrace",
      "kprobe_ftrace_handler", "" },
    { "5.10.0-32", TRUE, KPROBE_OPS + 0x100, LIVEPATCH, "ftrace", "ftrace memory",
      "branch to ftrace", "ftrace_ops_assist_func", "" },
    { "6.1.0-56", TRUE, ALLOCATED, LIVEPATCH, "ftrace", "ftrace memory", "branch to ftrace",
      "ftrace_ops_assist_func", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PenTestCapture) capture = start_capture_of (TRUE, assistant_names);
    g_autofree char *expected = g_strdup_printf (
        "%s|%s||%s||\n%s|%s||%s||%s\n%s|%s||%s||\n", cases[i].cause, cases[i].memory, cases[i].user,
        cases[i].cause, cases[i].branch, cases[i].user, cases[i].replacement, cases[i].cause,
        cases[i].memory, cases[i].user);
    ImportFixture fixture = { 0 };

    import_fixture_set_up (&fixture, NULL);
    pen_test_capture_set_os_release (capture, cases[i].release);
    load_tainted (capture, 900, TASK, "patch", cases[i].taints);
    load_tainted (capture, 950, TASK + 1, "other", cases[i].taints ^ LIVEPATCH);
    use_assistant (capture, cases[i].wants_registers, cases[i].ops);
    assert_pokes (&fixture, capture, expected);
    import_fixture_tear_down (&fixture, NULL);
  }
}

/* What is there at the end, the recorder's list of the end shows, whatever the form. */
static void
test_listed (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char list[]
      = "vfs_read (1) R I  \ttramp: 0xffffffffc0200000 (klp_ftrace_handler+0x0/0xa0) "
        "->ftrace_ops_assist_func+0x0/0x110\n";
  g_autoptr (PenTestCapture) capture = start_capture_of (TRUE, assistant_names);

  pen_test_capture_add_file (capture, "pentimento/end/enabled_functions", list, strlen (list));
  use_assistant (capture, FALSE, KPROBE_OPS);
  assert_pokes (fixture, capture,
                "livepatch|livepatch memory||klp_ftrace_handler||\n"
                "livepatch|branch to a live patch||klp_ftrace_handler||\n"
                "livepatch|livepatch memory||klp_ftrace_handler||\n");
}

/* What is in a copy of the kernel's memory of a trampoline from before. */
static void
test_bpf_programs (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint64 addresses[] = { PROGRAM, PROGRAM + 0x100, PROGRAM + 0x200 };
  static const char *const names[] = { "first", "second", "third" };
  static const guint32 targets[] = { 41303, 41303, 41304 };
  static const guint32 length = 0x40;
  g_autoptr (PenTestCapture) capture = start_capture ("");
  guint8 stub[STUB_LENGTH];
  guint8 call[5];
  guint8 early[5];

  make_stub (stub, BPF_STUB + 0x1000, PROGRAM + 0x100);
  pen_test_capture_add_kcore_segment (capture, BPF_STUB + 0x1000, stub, STUB_LENGTH);
  pen_test_capture_at (capture, 0, 0, 0, 0);
  pen_test_capture_add_ksymbol (capture, BPF_STUB + 0x1000, 4096, 1, 0, BPF_NAME);
  for (guint i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf ("bpf_prog_0102030405060708_%s", names[i]);
    PenTestBpfProgram program = { .id = 30 + i,
                                  .name = names[i],
                                  .tag = tag,
                                  .n = 1,
                                  .addresses = &addresses[i],
                                  .lengths = &length,
                                  .target_btf_id = 1,
                                  .target_type = targets[i] };

    pen_test_capture_add_bpf_details (capture, &program);
    /* The first comes later than the second; the third is for another function. */
    pen_test_capture_at (capture, i == 0 ? 2000 : 0, TASK, TASK, 0);
    pen_test_capture_add_ksymbol (capture, addresses[i], length, 1, 0, name);
    pen_test_capture_add_bpf_event (capture, 1, 30 + i, tag);
  }

  make_branch (early, ENTRY, BPF_STUB + 0x1000);
  make_branch (call, ENTRY, BPF_STUB);
  poke (capture, 1000, ENTRY, early, 5, nop5, 5);
  pen_test_capture_at (capture, 1001, TASK, TASK, 0);
  pen_test_capture_add_ksymbol (capture, BPF_STUB, 4096, 1, 0, BPF_NAME);
  poke (capture, 1002, ENTRY, nop5, 5, call, 5);
  poke (capture, 3000, ENTRY, call, 5, nop5, 5);
  assert_pokes (fixture, capture,
                "bpf|branch to bpf|second (31)||second (31)|\n"
                "bpf|branch to bpf|||second (31)|\n"
                "bpf|branch to bpf|||first (30), second (31)|\n");
}

static void
test_sentences (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture
      = start_capture ("ffffffffa0000000 t vfs_read\t[patch_one]\n"
                       "ffffffff81004000 u klp_enable_patch\t[patch_one]\n");
  g_autoptr (PenStore) store = NULL;
  const PenBatch *batches;
  g_autofree char *attached = NULL;
  g_autofree char *detached = NULL;
  guint n;

  use_trampoline (capture, 1000, ENTRY, HANDLER);
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);
  batches = pen_store_get_batches (store, &n, NULL);
  g_assert_cmpuint (n, ==, 4);
  attached = pen_batch_describe (&batches[1]);
  g_assert_cmpstr (attached, ==,
                   "A live patch was put on vfs_read. The trampoline calls klp_ftrace_handler "
                   "(live patch). Live patch: vfs_read [patch_one].");
  detached = pen_batch_describe (&batches[2]);
  g_assert_true (g_str_has_prefix (detached, "A live patch was taken off vfs_read."));
}

/* A first old byte that is not the copy's: changed before the start, and the text until then. After
 * a loss, and in a module, it may be something else. */
static void
test_changed_early (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };

  for (int lost = 0; lost < 2; lost++) {
    g_autoptr (PenTestCapture) capture = start_capture ("");
    g_autoptr (PenStore) store = NULL;
    g_autoptr (GArray) pokes = NULL;

    pen_test_capture_add_kcore_segment (capture, ENTRY, nop5, 5);
    pen_test_capture_add_kcore_segment (capture, OTHER_ENTRY, nop5, 5);
    pen_test_capture_add_kcore_segment (capture, MODULE, nop5, 5);
    if (lost) {
      pen_test_capture_at (capture, 1000, TASK, TASK, 0);
      pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 3);
    }
    poke (capture, 2000, ENTRY, jump, 5, nop5, 5);
    poke (capture, 2001, ENTRY, jump, 5, nop5, 5);
    poke (capture, 2002, OTHER_ENTRY, nop5, 5, jump, 5);
    poke (capture, 2003, MODULE, jump, 5, nop5, 5);
    import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
    store = import_fixture_open (fixture);
    pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
    g_assert_cmpuint (pokes->len, ==, 4);
    for (guint i = 0; i < 4; i++) {
      const PenPoke *stored = &g_array_index (pokes, PenPoke, i);
      gboolean is_early = stored->id == 1 && !lost;

      g_assert_cmpint (stored->is_changed_early, ==, is_early);
      g_assert_cmpint (stored->breaks_chain, ==, stored->id != 3 && !is_early);
    }
    g_assert_cmpint (pen_store_get_fact_int (store, "changed_early", -1), ==, lost ? 0 : 1);
    g_assert_cmpint (pen_store_get_fact_int (store, "chain_breaks", -1), ==, lost ? 3 : 2);
  }
}

/* Another module may have come where a poke does not find the text of the one from the start. */
static void
test_doubted_module (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
  static const PenConfidence expected[]
      = { PEN_CONFIDENCE_CERTAIN, PEN_CONFIDENCE_LIKELY, PEN_CONFIDENCE_LIKELY };
  g_autoptr (PenTestCapture) capture = start_capture ("ffffffffa0000000 t hot\t[patch_one]\n");
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) pokes = NULL;

  pen_test_capture_add_kcore_segment (capture, MODULE + 0x10, nop5, 5);
  pen_test_capture_add_kcore_segment (capture, MODULE + 0x20, nop5, 5);
  poke (capture, 2000, MODULE + 0x10, nop5, 5, jump, 5);
  poke (capture, 2001, MODULE + 0x20, jump, 5, nop5, 5);
  poke (capture, 2002, MODULE + 0x10, jump, 5, nop5, 5);
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);
  pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  g_assert_cmpuint (pokes->len, ==, 3);
  for (guint i = 0; i < 3; i++) {
    const PenPoke *stored = &g_array_index (pokes, PenPoke, i);

    g_assert_cmpint (stored->cause, ==, PEN_CAUSE_STATIC_KEY);
    g_assert_cmpint (stored->breaks_chain, ==, stored->id == 2);
    g_assert_cmpint (stored->confidence, ==, expected[stored->id - 1]);
  }
}

#define ADD(path, func)                                                                            \
  g_test_add (path, ImportFixture, NULL, import_fixture_set_up, func, import_fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/import/trampolines/users", test_users);
  ADD ("/import/trampolines/changed-user", test_changed_user);
  ADD ("/import/trampolines/replacement", test_replacement);
  ADD ("/import/trampolines/loaded-patch", test_loaded_patch);
  g_test_add_func ("/import/trampolines/assistant", test_assistant);
  ADD ("/import/trampolines/listed", test_listed);
  ADD ("/import/trampolines/bpf-programs", test_bpf_programs);
  ADD ("/import/trampolines/sentences", test_sentences);
  ADD ("/import/trampolines/changed-early", test_changed_early);
  ADD ("/import/trampolines/doubted-module", test_doubted_module);
  return g_test_run ();
}
