/* test-short-name.c: names that have too little room
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-short-name.h"

static gboolean
fits (const char *text, gpointer room)
{
  return g_utf8_strlen (text, -1) <= GPOINTER_TO_INT (room);
}

static void
assert_short (const char *name, int room, const char *expected)
{
  g_autofree char *text = pen_short_name_new (name, fits, GINT_TO_POINTER (room));

  g_assert_cmpstr (text, ==, expected);
}

static void
test_programs (void)
{
  static const char name[] = "bpf_prog_0123456789abcdef_sched_switch";

  assert_short (name, 38, name);
  assert_short (name, 37, "bpf_prog_0123456789abcd…_sched_switch");
  assert_short (name, 23, "bpf_prog_…_sched_switch");
  assert_short (name, 22, "bpf_prog…_sched_switch");
  assert_short (name, 14, "…_sched_switch");
  assert_short (name, 13, "…sched_switch");
  assert_short (name, 11, "sched…witch");
  assert_short (name, 1, "…");
  /* The tag is all that it has. */
  assert_short ("bpf_prog_0123456789abcdef", 11, "bpf_p…bcdef");
}

/* What others begin with goes first. */
static void
test_among (void)
{
  g_autofree char *some = NULL;
  g_autofree char *none = NULL;

  g_assert_cmpuint (pen_short_name_count_common ("bpf_trampoline_12", "bpf_trampoline_13"), ==, 15);
  g_assert_cmpuint (pen_short_name_count_common ("vfs_read", "vfs_readv"), ==, 4);
  g_assert_cmpuint (pen_short_name_count_common ("vfs_", "vfs_read"), ==, 0);
  g_assert_cmpuint (pen_short_name_count_common ("same_name", "same_name"), ==, 5);
  some = pen_short_name_new_among ("bpf_trampoline_12", 15, fits, GINT_TO_POINTER (6));
  none = pen_short_name_new_among ("bpf_trampoline_12", 15, fits, GINT_TO_POINTER (3));
  g_assert_cmpstr (some, ==, "bpf…12");
  g_assert_cmpstr (none, ==, "…12");
}

static void
test_paths (void)
{
  assert_short ("/usr/lib/x86_64-linux-gnu/libc.so.6", 20, "/usr/lib/…/libc.so.6");
  assert_short ("/usr/lib/x86_64-linux-gnu/libc.so.6", 12, "/…/libc.so.6");
  assert_short ("/usr/lib/x86_64-linux-gnu/libc.so.6", 10, "…libc.so.6");
  assert_short ("/usr/lib/x86_64-linux-gnu/libc.so.6", 7, "lib…o.6");
}

/* They differ at their ends. */
static void
test_source_files (void)
{
  assert_short ("/build/linux-6.1/mm/page_alloc.c", 32, "/build/linux-6.1/mm/page_alloc.c");
  assert_short ("/build/linux-6.1/mm/page_alloc.c", 31, "…/linux-6.1/mm/page_alloc.c");
  assert_short ("/build/linux-6.1/mm/page_alloc.c", 26, "…/mm/page_alloc.c");
  assert_short ("/build/linux-6.1/mm/page_alloc.c", 14, "…/page_alloc.c");
  assert_short ("/build/linux-6.1/mm/page_alloc.c", 13, "…page_alloc.c");
  assert_short ("/build/linux-6.1/mm/page_alloc.c", 7, "pag…c.c");
  assert_short ("mm/page_alloc.c", 14, "…/page_alloc.c");
  assert_short ("../sysdeps/x86_64/memmove.S", 20, "…/x86_64/memmove.S");
}

static void
test_qualified (void)
{
  assert_short ("core::iter::traits::iterator::Iterator::next", 20, "core::iter::t…::next");
  assert_short ("core::iter::traits::iterator::Iterator::next", 5, "…next");
  assert_short ("alloc::vec::Vec<T,A>::push::h0123456789abcdef", 31,
                "alloc::vec::Vec<T,A>::push::h0…");
  assert_short ("std::vector<int, std::allocator<int> >::push_back(int const&)", 52,
                "std::vector<int, std::allocator<int> >::push_back(…)");
  assert_short ("std::vector<int, std::allocator<int> >::push_back(int const&)", 21,
                "std::v…::push_back(…)");
  assert_short ("sort<int*, compare>(int*, int*)", 20, "sort<int*, comp…>(…)");
  assert_short ("sort<int*, compare>(int*, int*)", 5, "sort…");
  /* No bracket closes. */
  assert_short ("operator<", 5, "op…r<");
  assert_short ("Foo::operator->()", 16, "F…::operator->()");
}

static void
test_symbols (void)
{
  assert_short ("apparmor_file_permission", 24, "apparmor_file_permission");
  assert_short ("apparmor_file_permission", 15, "apparmo…mission");
  assert_short ("größe_der_straße_ümläut", 9, "größ…läut");
  assert_short ("", 0, "");
}

/* Whatever the name, the result fits if "…" does, and more room never takes letters away. */
static void
test_any (void)
{
  static const char letters[] = "aab_:/<>()h0123456789abcdef …";
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint round = 0; round < 3000; round++) {
    g_autoptr (GString) name = g_string_new (round % 3 == 0   ? "bpf_prog_0123456789abcdef_"
                                             : round % 3 == 1 ? "/"
                                                              : "a::");
    glong before = 0;

    for (gint i = g_rand_int_range (random, 0, 40); i > 0; i--)
      g_string_append_c (name, letters[g_rand_int_range (random, 0, (gint32) sizeof letters - 4)]);
    for (int room = 1; room < 60; room++) {
      g_autofree char *text = pen_short_name_new (name->str, fits, GINT_TO_POINTER (room));
      glong length = g_utf8_strlen (text, -1);

      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_cmpint (length, <=, room);
      g_assert_cmpint (length, >=, before - 4);
      before = length;
    }
    g_assert_cmpint (before, ==, MIN (name->len, 59));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/short-name/programs", test_programs);
  g_test_add_func ("/short-name/among", test_among);
  g_test_add_func ("/short-name/paths", test_paths);
  g_test_add_func ("/short-name/source-files", test_source_files);
  g_test_add_func ("/short-name/qualified", test_qualified);
  g_test_add_func ("/short-name/symbols", test_symbols);
  g_test_add_func ("/short-name/any", test_any);
  return g_test_run ();
}
