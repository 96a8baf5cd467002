/* test-names.c: kallsyms and modules
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pen-test-tree.h"
#include "text-fixture.h"

static PenKallsyms *
load (const char *text, GError **error)
{
  char *path = text_fixture_write ("kallsyms", text, strlen (text));
  PenKallsyms *kallsyms = pen_kallsyms_load (path, NULL, error);

  text_fixture_remove (path);
  return kallsyms;
}

static void
assert_symbol (PenKallsyms *kallsyms, const char *occupant, guint64 address, const char *name,
               guint64 start, guint64 end)
{
  PenSymbol symbol;

  g_assert_true (pen_kallsyms_find (kallsyms, occupant, address, &symbol));
  g_assert_cmpstr (symbol.name, ==, name);
  g_assert_cmphex (symbol.start, ==, start);
  g_assert_cmphex (symbol.end, ==, end);
}

static void
assert_nothing (PenKallsyms *kallsyms, const char *occupant, guint64 address)
{
  PenSymbol symbol;

  g_assert_false (pen_kallsyms_find (kallsyms, occupant, address, &symbol));
}

static void
test_occupants (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKallsyms) kallsyms
      = load ("0000000000000000 A fixed_percpu_data\n"
              "ffffffff81000000 T _stext\n"
              "ffffffff81001000 t helper\n"
              "ffffffff81001800 d table\n"
              "ffffffff81001900 r constants\n"
              "ffffffffc0201000 t first\t[snd-hda]\n"
              "ffffffffc0201080 t second\t[snd-hda]\n"
              "ffffffff81001400 u klp_enable_patch\t[snd-hda]\n"
              "ffffffff81001400 T klp_enable_patch\n"
              "ffffffffc0300010 T alone\t[virtio]\n"
              "ffffffffc0304000 d table\t[virtio]\n"
              "ffffffffc0400000 t bpf_prog_1\t[bpf]\n"
              "ffffffffc0500000 t kprobe_insn_page\t[__builtin__kprobes]\n",
              &error);

  g_assert_no_error (error);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81000fff, "_stext", 0xffffffff81000000,
                 0xffffffff81001000);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81001000, "helper", 0xffffffff81001000,
                 0xffffffff81001400);
  /* The last one of an occupant: to the end of its page, and one page on. */
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81001900, "table", 0xffffffff81001800,
                 0xffffffff81003000);
  assert_nothing (kallsyms, "[kernel.kallsyms]", 0xffffffff81003000);
  assert_nothing (kallsyms, "[kernel.kallsyms]", 0xffffffff80ffffff);
  assert_nothing (kallsyms, "[kernel.kallsyms]", 0xffffffffc0201000);
  /* M8: the code of a module: to the end of its page, whatever data the module has after it. */
  assert_symbol (kallsyms, "[snd_hda]", 0xffffffffc0201080, "second", 0xffffffffc0201080,
                 0xffffffffc0202000);
  assert_nothing (kallsyms, "[snd_hda]", 0xffffffffc0202000);
  assert_symbol (kallsyms, "[virtio]", 0xffffffffc0300010, "alone", 0xffffffffc0300010,
                 0xffffffffc0301000);
  assert_symbol (kallsyms, "[virtio]", 0xffffffffc0304000, "table", 0xffffffffc0304000,
                 0xffffffffc0305000);
  /* A live patch refers to what enables it. */
  g_assert_true (pen_kallsyms_is_livepatch (kallsyms, "[snd_hda]"));
  g_assert_false (pen_kallsyms_is_livepatch (kallsyms, "[virtio]"));
  g_assert_false (pen_kallsyms_is_livepatch (kallsyms, "[kernel.kallsyms]"));
  assert_nothing (kallsyms, "[bpf]", 0xffffffffc0400000);
  assert_nothing (kallsyms, "[__builtin__kprobes]", 0xffffffffc0500000);
  assert_nothing (kallsyms, "[nothing]", 0xffffffff81000000);
  assert_nothing (kallsyms, NULL, 0xffffffff81000000);
  g_assert_cmpuint (pen_kallsyms_get_skipped (kallsyms), ==, 0);
}

static void
test_choice (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKallsyms) kallsyms = load ("ffffffff81000000 T _stext\n"
                                           "ffffffff81000000 T _text\n"
                                           "ffffffff81001000 t local_but_long\n"
                                           "ffffffff81001000 T global\n"
                                           "ffffffff81002000 W weak_but_very_long\n"
                                           "ffffffff81002000 t local\n"
                                           "ffffffff81003000 T $x\n"
                                           "ffffffff81003000 T __x64_sys_read\n"
                                           "ffffffff81003000 T sys_read\n"
                                           "ffffffff81004000 T short\n"
                                           "ffffffff81004000 T longer_name\n"
                                           "ffffffff81004100 T end\n",
                                           &error);

  g_assert_no_error (error);
  /* A name is chosen after the lengths are known: all but the last of an address have none. */
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81000000, "_text", 0xffffffff81000000,
                 0xffffffff81001000);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81001000, "global", 0xffffffff81001000,
                 0xffffffff81002000);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81002000, "local", 0xffffffff81002000,
                 0xffffffff81003000);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81003000, "sys_read", 0xffffffff81003000,
                 0xffffffff81004000);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81004000, "longer_name",
                 0xffffffff81004000, 0xffffffff81004100);
  g_assert_cmphex (pen_kallsyms_lookup (kallsyms, "_stext"), ==, 0xffffffff81000000);
  g_assert_cmphex (pen_kallsyms_lookup (kallsyms, "_text"), ==, 0xffffffff81000000);
  g_assert_cmphex (pen_kallsyms_lookup (kallsyms, "end"), ==, 0xffffffff81004100);
  g_assert_cmphex (pen_kallsyms_lookup (kallsyms, "nothing"), ==, 0);
}

static void
count_symbol (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  GString *out = user_data;

  g_string_append_printf (out, "%s %s\n", occupant, symbol->name);
}

static void
test_foreach (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (PenKallsyms) kallsyms = load ("ffffffffc0201000 t b\t[m]\n"
                                           "ffffffff81000010 T a2\n"
                                           "ffffffffc0300000 t x\t[bpf]\n"
                                           "ffffffff81000000 T a1\n",
                                           &error);

  g_assert_no_error (error);
  pen_kallsyms_foreach (kallsyms, count_symbol, out);
  g_assert_cmpstr (out->str, ==, "[kernel.kallsyms] a1\n[kernel.kallsyms] a2\n[m] b\n");
}

static void
write_range (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  g_string_append_printf (user_data, "%s %s %" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x\n",
                          occupant, symbol->name, symbol->start, symbol->end);
}

/* K6: memory that is no module's. Each lasts to the next name in its page, whosever that is. */
static void
test_registered (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (PenKallsyms) kallsyms
      = load ("ffffffffc0400000 t ftrace_trampoline\t[__builtin__ftrace]\n"
              "ffffffffc0400200 t ftrace_trampoline\t[__builtin__ftrace]\n"
              "fffffffffffffff0 t ftrace_trampoline\t[__builtin__ftrace]\n"
              "ffffffffc0402000 t kprobe_insn_page\t[__builtin__kprobes]\n"
              "ffffffffc0402800 t in_module\t[m]\n"
              "ffffffffc0404000 t bpf_prog_1\t[bpf]\n"
              "ffffffffc0404000 t bpf_prog_one\t[bpf]\n"
              "ffffffffc0404123 t bpf_trampoline_2\t[bpf]\n"
              "0000000000000000 t bpf_prog_hidden\t[bpf]\n",
              &error);

  g_assert_no_error (error);
  pen_kallsyms_foreach_registered (kallsyms, write_range, out);
  g_assert_cmpstr (out->str, ==,
                   "[__builtin__ftrace] ftrace_trampoline ffffffffc0400000-ffffffffc0400200\n"
                   "[__builtin__ftrace] ftrace_trampoline ffffffffc0400200-ffffffffc0401000\n"
                   "[__builtin__ftrace] ftrace_trampoline fffffffffffffff0-ffffffffffffffff\n"
                   "[__builtin__kprobes] kprobe_insn_page ffffffffc0402000-ffffffffc0402800\n"
                   "[bpf] bpf_prog_one ffffffffc0404000-ffffffffc0404123\n"
                   "[bpf] bpf_trampoline_2 ffffffffc0404123-ffffffffc0405000\n");
  assert_nothing (kallsyms, "[__builtin__ftrace]", 0xffffffffc0400000);
}

static void
test_damaged_lines (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new ("ffffffff81000000 T _text\n"
                                           "\n"
                                           "nonsense\n"
                                           "ffffffff81000010 T\n"
                                           "ffffffff81000010 T \n"
                                           "ffffffff8100001000 T too_many_digits\n"
                                           "ffffffff81000010 T name\t[open\n"
                                           "ffffffff81000010 T name\tbare\n"
                                           "ffffffff81000010 T ");
  g_autoptr (PenKallsyms) kallsyms = NULL;

  for (int i = 0; i < 200000; i++)
    g_string_append_c (text, 'x');
  g_string_append (text, "\nffffffff81000020 T last");
  kallsyms = load (text->str, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pen_kallsyms_get_skipped (kallsyms), ==, 7);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81000010, "_text", 0xffffffff81000000,
                 0xffffffff81000020);
  assert_symbol (kallsyms, "[kernel.kallsyms]", 0xffffffff81000020, "last", 0xffffffff81000020,
                 0xffffffff81002000);
}

static void
assert_not_empty (const PenSymbol *symbol, G_GNUC_UNUSED const char *occupant, gpointer user_data)
{
  guint *n = user_data;

  g_assert_cmpuint (symbol->start, <, symbol->end);
  ++*n;
}

/* No symbol begins at the last address: it would be empty. */
static void
test_end_of_addresses (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKallsyms) kallsyms
      = load ("fffffffffffffffe T first\nffffffffffffffff T last\n", &error);
  guint n = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (pen_kallsyms_get_skipped (kallsyms), ==, 1);
  assert_nothing (kallsyms, "[kernel.kallsyms]", 0xfffffffffffffffd);
  assert_nothing (kallsyms, "[kernel.kallsyms]", 0xffffffffffffffff);
  pen_kallsyms_foreach (kallsyms, assert_not_empty, &n);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fifo = NULL;
  char *path;

  g_assert_null (load ("0000000000000000 T _text\n0000000000000000 t x\t[m]\n", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_clear_error (&error);

  g_assert_null (load ("", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_clear_error (&error);

  g_assert_null (pen_kallsyms_load ("/dev/zero", NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);

  path = text_fixture_write ("x", "", 0);
  fifo = g_strconcat (path, ".fifo", NULL);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_null (pen_kallsyms_load (fifo, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);
  g_unlink (fifo);

  g_assert_null (pen_kallsyms_load (fifo, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  text_fixture_remove (path);
}

static void
test_cancel (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const char *text = "ffffffff81000000 T _text\n";
  char *path = text_fixture_write ("kallsyms", text, strlen (text));

  g_cancellable_cancel (cancellable);
  g_assert_null (pen_kallsyms_load (path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  text_fixture_remove (path);
}

/* A live patch has the names of its beginning, which is gone, in pages of its own: far away, behind
 * its text, and before it. */
static void
test_listed_modules (void)
{
  static const struct {
    const char *init;
    guint64 start;
    guint64 length;
  } cases[] = {
    { "ffffffffc0238000", 0xffffffffc022e000, 0x1000 },
    { "ffffffffc022f000", 0xffffffffc022e000, 0x1000 },
    { "ffffffffc0201010", 0xffffffffc022e000, 0x1000 },
    { "ffffffffc022d010", 0xffffffffc022e000, 0x1000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup_printf ("ffffffff81000000 T _text\n"
                                             "ffffffffc022e000 t lp_getppid\t[penlp]\n"
                                             "ffffffffc022e048 t cleanup_module\t[penlp]\n"
                                             "ffffffffc0230000 d patch\t[penlp]\n"
                                             "%s t init_module\t[penlp]\n"
                                             "ffffffff8112ff90 u klp_enable_patch\t[penlp]\n",
                                             cases[i].init);
    g_autoptr (GError) error = NULL;
    g_autoptr (PenKallsyms) kallsyms = load (text, &error);
    g_autoptr (GArray) modules = NULL;

    g_assert_no_error (error);
    modules = pen_kallsyms_list_modules (kallsyms);
    g_assert_cmpuint (modules->len, ==, 1);
    g_assert_cmphex (g_array_index (modules, PenModule, 0).start, ==, cases[i].start);
    g_assert_cmphex (g_array_index (modules, PenModule, 0).length, ==, cases[i].length);
    g_assert_cmphex (pen_kallsyms_get_text_end (kallsyms, "[penlp]"), ==,
                     cases[i].start + cases[i].length);
  }
}

static void
test_modules (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) modules = NULL;
  const char *text = "virtio_blk 28672 1 - Live 0xffffffffc0237000\n"
                     "snd-hda 16384 2 virtio_blk,virtio, Live 0xffffffffc0223000 (OE)\n"
                     "hidden 16384 0 - Live 0x0000000000000000\n"
                     "empty 0 0 - Live 0xffffffffc0300000\n"
                     "wraps 8192 0 - Live 0xfffffffffffff000\n"
                     "short 16384 0 -\n"
                     " 16384 0 - Live 0xffffffffc0223000\n"
                     "last 4096 0 - Loading 0xffffffffc0400000";
  char *path = text_fixture_write ("modules", text, strlen (text));

  modules = pen_modules_load (path, &error);
  text_fixture_remove (path);
  g_assert_no_error (error);
  g_assert_cmpuint (modules->len, ==, 3);
  g_assert_cmpstr (g_array_index (modules, PenModule, 0).name, ==, "[virtio_blk]");
  g_assert_cmphex (g_array_index (modules, PenModule, 0).start, ==, 0xffffffffc0237000);
  g_assert_cmpuint (g_array_index (modules, PenModule, 0).length, ==, 28672);
  g_assert_cmpstr (g_array_index (modules, PenModule, 1).name, ==, "[snd_hda]");
  g_assert_cmpstr (g_array_index (modules, PenModule, 2).name, ==, "[last]");

  g_assert_null (pen_modules_load ("/nonexistent", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* ---- copies of /sys/module ---- */

static void
write_part (const char *root, const char *module, const char *part, gconstpointer data,
            gssize length)
{
  g_autofree char *path = g_build_filename (root, module, part, NULL);
  g_autofree char *directory = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, data, length, NULL));
}

static void
test_module_folder (void)
{
  static const char note[] = "\x04\0\0\0\x08\0\0\0\x03\0\0\0GNU\0\x01\x02\x03\x04\x05\x06\x07\x08";
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) modules = NULL;
  g_autofree char *root = g_dir_make_tmp ("pen-modules-XXXXXX", NULL);
  g_autofree char *fifo = g_build_filename (root, "fifo", "sections", ".text", NULL);
  g_autofree char *fifo_directory = g_path_get_dirname (fifo);
  g_autofree char *long_name = g_strnfill (200, 'n');
  const PenModule *module;

  write_part (root, "snd-hda", "sections/.text", "0xffffffffc0201020\n", -1);
  write_part (root, "snd-hda", "sections/.exit.text", "0xffffffffc0203fff", -1);
  write_part (root, "snd-hda", "sections/.init.text", "0xffffffffc0400000", -1);
  write_part (root, "snd-hda", "sections/.data", "0xffffffffc0300000", -1);
  write_part (root, "snd-hda", "notes/.note.gnu.build-id", note, sizeof note - 1);
  write_part (root, "noted", "sections/.text", "0xffffffffc0210000\n", -1);
  write_part (root, "noted", "notes/.note.gnu.build-id", note, 20);
  write_part (root, "hidden", "sections/.text", "0x0000000000000000\n", -1);
  write_part (root, "odd", "sections/.text", "0xffffffffc0210000 and more than an address\n", -1);
  write_part (root, "last", "sections/.text", "0xffffffffffffffff\n", -1);
  write_part (root, "far", "sections/.text", "0xffffffffc0201000\n", -1);
  write_part (root, "far", "sections/.exit.text", "0x1000\n", -1);
  write_part (root, long_name, "sections/.text", "0xffffffffc0210000\n", -1);
  write_part (root, "built_in", "parameters/debug", "Y\n", -1);
  g_assert_cmpint (g_mkdir_with_parents (fifo_directory, 0700), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);

  modules = pen_module_folder_load (root, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (modules->len, ==, 2);
  module = &g_array_index (modules, PenModule, 0);
  g_assert_cmpstr (module->name, ==, "[noted]");
  g_assert_cmphex (module->start, ==, 0xffffffffc0210000);
  g_assert_cmpuint (module->length, ==, 4096);
  g_assert_cmpuint (module->build_id_length, ==, 0);
  module = &g_array_index (modules, PenModule, 1);
  g_assert_cmpstr (module->name, ==, "[snd_hda]");
  g_assert_cmphex (module->start, ==, 0xffffffffc0201000);
  g_assert_cmpuint (module->length, ==, 0x3000);
  g_assert_cmpmem (module->build_id, module->build_id_length, "\1\2\3\4\5\6\7\10", 8);
  pen_test_remove_tree (root);

  g_assert_null (pen_module_folder_load ("/nonexistent", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

/* What `perf script -F ip,sym,symoff` 6.1 prints for these addresses of that capture. */
static void
test_against_perf (void)
{
  static const struct {
    const char *occupant;
    guint64 address;
    const char *name;
    guint64 start;
  } printed[] = {
    { "[kernel.kallsyms]", 0xffffffff8106b7c3, "ftrace_call", 0xffffffff8106b7be },
    { "[kernel.kallsyms]", 0xffffffff8134d7ea, "ksys_read", 0xffffffff8134d7c0 },
    /* Of several names of one address: */
    { "[kernel.kallsyms]", 0xffffffff81030348, "__x64_sys_rt_sigreturn", 0xffffffff810302f0 },
    { "[kernel.kallsyms]", 0xffffffff8119f540, "ftrace_ops_list_func", 0xffffffff8119f540 },
    { "[kernel.kallsyms]", 0xffffffff819c5eb0, "memset", 0xffffffff819c5eb0 },
    { "[kernel.kallsyms]", 0xffffffff81e01740, "__x86_indirect_thunk_rax", 0xffffffff81e01740 },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKallsyms) kallsyms = NULL;
  g_autofree char *path = text_fixture_find_capture ("b-ftrace/perf.data/kcore_dir/kallsyms");

  if (!path)
    return;
  kallsyms = pen_kallsyms_load (path, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (printed); i++) {
    PenSymbol symbol;

    g_assert_true (pen_kallsyms_find (kallsyms, printed[i].occupant, printed[i].address, &symbol));
    g_assert_cmpstr (symbol.name, ==, printed[i].name);
    g_assert_cmphex (symbol.start, ==, printed[i].start);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/kallsyms/occupants", test_occupants);
  g_test_add_func ("/text/kallsyms/choice", test_choice);
  g_test_add_func ("/text/kallsyms/registered", test_registered);
  g_test_add_func ("/text/kallsyms/foreach", test_foreach);
  g_test_add_func ("/text/kallsyms/damaged-lines", test_damaged_lines);
  g_test_add_func ("/text/kallsyms/end-of-addresses", test_end_of_addresses);
  g_test_add_func ("/text/kallsyms/refused", test_refused);
  g_test_add_func ("/text/kallsyms/cancel", test_cancel);
  g_test_add_func ("/text/kallsyms/against-perf", test_against_perf);
  g_test_add_func ("/text/modules", test_modules);
  g_test_add_func ("/text/modules/listed", test_listed_modules);
  g_test_add_func ("/text/modules/folder", test_module_folder);
  return g_test_run ();
}
