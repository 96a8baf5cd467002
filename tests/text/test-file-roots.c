/* test-file-roots.c: which recorded paths are looked for on this machine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-file-roots.h"

static void
test_followed (void)
{
  static const char *const paths[] = {
    "/usr/lib/libc.so.6",
    "/home/net/x.so",
    "/devices/x",
    "/processor",
    "/run/x",
    "/run/users/x.so",
    "/run/host/usr/x.so",
    "/network/x",
    "/usr/dev/x.so",
    "/.../x",
    "/a/..b",
    "/tmp/perf.data (deleted)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_assert_false (pen_file_roots_is_refused (paths[i]));
    g_assert_true (pen_file_roots_may_follow (paths[i], FALSE));
    g_assert_true (pen_file_roots_may_follow (paths[i], TRUE));
  }
}

static void
test_refused (void)
{
  static const char *const paths[] = {
    "/proc",
    "/proc/self/root/x",
    "/sys/kernel/x",
    "/dev/shm/x.so",
    "/net/machine/x.so",
    "/misc/x",
    "/afs/example.org/x",
    "/run/user/1000/gvfs/x",
    "/var/run/user/1000/x",
    "//net/machine/x",
    "/usr//net/x",
    "/./net/machine/x",
    "/usr/./x",
    "/usr/.",
    "/run/host/proc/x",
    "/run/host/run/host/net/x",
  };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_assert_true (pen_file_roots_is_refused (paths[i]));
    g_assert_false (pen_file_roots_may_follow (paths[i], FALSE));
    /* Below a directory that the user gave, these are names like others. */
    g_assert_true (pen_file_roots_may_follow (paths[i], TRUE));
  }
}

/* Nobody's files, wherever they are looked for. */
static void
test_no_paths (void)
{
  static const char *const paths[]
      = { "", "x", "[vdso]", "/../etc/passwd", "/usr/../x", "/usr/.." };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_assert_false (pen_file_roots_may_follow (paths[i], FALSE));
    g_assert_false (pen_file_roots_may_follow (paths[i], TRUE));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-roots/followed", test_followed);
  g_test_add_func ("/file-roots/refused", test_refused);
  g_test_add_func ("/file-roots/no-paths", test_no_paths);
  return g_test_run ();
}
