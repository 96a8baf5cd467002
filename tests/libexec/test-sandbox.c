/* test-sandbox.c: calls that the sandbox must not let through, made from inside
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pen-helper.h"
#include "pen-source-talk.h"

#define MEMORY (G_GUINT64_CONSTANT (1) << 30)
#define SECONDS 10

static char *victim; /* a file that must stay */
static int open_file;
static char *memory; /* a page */
static pid_t parent;

/* ---- what is tried; each returns what the call does ---- */

static long
try_unlink (void)
{
  return unlink (victim);
}

static long
try_unlinkat (void)
{
  return unlinkat (AT_FDCWD, victim, 0);
}

static long
try_rename (void)
{
  return rename (victim, "/tmp/elsewhere");
}

static long
try_truncate (void)
{
  return truncate (victim, 0);
}

static long
try_ftruncate (void)
{
  return ftruncate (open_file, 0);
}

static long
try_chmod (void)
{
  return chmod (victim, 0777);
}

static long
try_mkdir (void)
{
  return mkdir ("/tmp/made-in-the-sandbox", 0700);
}

static long
try_symlink (void)
{
  return symlink (victim, "/tmp/made-in-the-sandbox");
}

static long
try_execve (void)
{
  char *words[] = { (char *) "/bin/true", NULL };

  return execve (words[0], words, words + 1);
}

static long
try_execveat (void)
{
  char *words[] = { (char *) "/bin/true", NULL };

  return syscall (SYS_execveat, AT_FDCWD, words[0], words, words + 1, 0);
}

static long
try_ptrace (void)
{
  return ptrace (PTRACE_SEIZE, parent, NULL, NULL);
}

static long
try_attach (void)
{
  return ptrace (PTRACE_ATTACH, parent, NULL, NULL);
}

static long
try_read_parent (void)
{
  struct iovec own = { memory, 8 };
  struct iovec of_parent = { memory, 8 };

  return syscall (SYS_process_vm_readv, parent, &own, 1, &of_parent, 1, 0);
}

static long
try_write_parent (void)
{
  struct iovec own = { memory, 8 };
  struct iovec of_parent = { memory, 8 };

  return syscall (SYS_process_vm_writev, parent, &own, 1, &of_parent, 1, 0);
}

static long
try_kill (void)
{
  return syscall (SYS_kill, parent, SIGTERM);
}

static long
try_fork (void)
{
  return fork ();
}

static long
try_clone3 (void)
{
  return syscall (SYS_clone3, memory, 64);
}

static long
try_socket (void)
{
  return socket (AF_INET, SOCK_STREAM, 0);
}

static long
try_socketpair (void)
{
  int ends[2];

  return socketpair (AF_UNIX, SOCK_STREAM, 0, ends);
}

static long
try_send_elsewhere (void)
{
  struct sockaddr to = { .sa_family = AF_UNIX };

  return syscall (SYS_sendto, STDOUT_FILENO, "x", 1, 0, &to, sizeof to);
}

static long
try_pass_files (void)
{
  struct msghdr message = { 0 };

  return sendmsg (STDOUT_FILENO, &message, 0);
}

static long
try_write (void)
{
  return write (open_file, "x", 1);
}

static long
try_read (void)
{
  return read (open_file, memory, 1);
}

static long
try_map_file (void)
{
  return mmap (NULL, 4096, PROT_READ, MAP_PRIVATE, open_file, 0) == MAP_FAILED ? -1 : 0;
}

static long
try_map_code (void)
{
  return mmap (NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
             ? -1
             : 0;
}

static long
try_make_code (void)
{
  return mprotect (memory, 4096, PROT_READ | PROT_EXEC);
}

static long
try_raise_limit (void)
{
  struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

  return setrlimit (RLIMIT_NOFILE, &limit);
}

static long
try_prctl (void)
{
  return prctl (PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static long
try_ioctl (void)
{
  return syscall (SYS_ioctl, STDOUT_FILENO, 0x5412, "x"); /* TIOCSTI types into a terminal */
}

static long
try_dup (void)
{
  return dup (STDOUT_FILENO);
}

static long
try_bpf (void)
{
  return syscall (SYS_bpf, 0, memory, 16);
}

static long
try_perf (void)
{
  return syscall (SYS_perf_event_open, memory, 0, -1, -1, 0);
}

static long
try_io_uring (void)
{
  return syscall (425, 8, memory);
}

static long
try_userfaultfd (void)
{
  return syscall (SYS_userfaultfd, 0);
}

static long
try_keys (void)
{
  return syscall (SYS_keyctl, 0, 0, 0, 0, 0);
}

static long
try_mount (void)
{
  return syscall (SYS_mount, "none", "/tmp", "tmpfs", 0, NULL);
}

static long
try_unshare (void)
{
  return syscall (SYS_unshare, 0x10000000);
}

static long
try_setuid (void)
{
  return syscall (SYS_setuid, 0);
}

static long
try_abort (void)
{
  abort ();
}

static long
try_open (void)
{
  return open (victim, O_RDONLY);
}

static long
try_create (void)
{
  return open ("/tmp/made-in-the-sandbox", O_CREAT | O_RDWR, 0600);
}

static long
try_openat2 (void)
{
  return syscall (437, AT_FDCWD, victim, memory, 24);
}

static long
try_stat (void)
{
  struct stat status;

  return stat (victim, &status);
}

static long
try_access (void)
{
  return access (victim, R_OK);
}

static long
try_readlink (void)
{
  return readlink ("/proc/self/exe", memory, 10);
}

static long
try_statx (void)
{
  return syscall (SYS_statx, AT_FDCWD, victim, 0, 0, memory);
}

typedef struct {
  const char *name;
  long (*call) (void);
} Attempt;

#define TRY(name)                                                                                  \
  {                                                                                                \
#name, try_##name                                                                              \
  }

/* A bug in a parser must not get further than this. */
static const Attempt killed[] = {
  TRY (unlink),     TRY (unlinkat),    TRY (rename),      TRY (truncate),     TRY (ftruncate),
  TRY (chmod),      TRY (mkdir),       TRY (symlink),     TRY (execve),       TRY (execveat),
  TRY (ptrace),     TRY (attach),      TRY (read_parent), TRY (write_parent), TRY (kill),
  TRY (fork),       TRY (clone3),      TRY (socket),      TRY (socketpair),   TRY (send_elsewhere),
  TRY (pass_files), TRY (write),       TRY (read),        TRY (map_file),     TRY (map_code),
  TRY (make_code),  TRY (raise_limit), TRY (prctl),       TRY (ioctl),        TRY (dup),
  TRY (bpf),        TRY (perf),        TRY (io_uring),    TRY (userfaultfd),  TRY (keys),
  TRY (mount),      TRY (unshare),     TRY (setuid),      TRY (abort),
};

/* Libraries look for files, and can do without. */
static const Attempt absent[] = {
  TRY (open), TRY (create), TRY (openat2), TRY (stat), TRY (access), TRY (readlink), TRY (statx),
};

/* ---- inside ---- */

typedef struct {
  long result;
  int error;
} Report;

static void
report (long result)
{
  Report said = { result, errno };

  send (STDOUT_FILENO, &said, sizeof said, MSG_NOSIGNAL);
  _exit (0);
}

/* Returns: as waitpid() tells */
static int
run_inside (long (*call) (void), Report *said)
{
  int ends[2];
  int status = 0;
  pid_t pid;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0) {
    dup2 (ends[1], STDOUT_FILENO);
    if (!pen_sandbox_enter (STDOUT_FILENO, MEMORY, SECONDS))
      _exit (77);
    errno = 0;
    report (call ());
  }
  close (ends[1]);
  *said = (Report){ 0 };
  (void) !recv (ends[0], said, sizeof *said, MSG_WAITALL);
  close (ends[0]);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return status;
}

static gboolean
has_filter (void)
{
#ifdef PEN_SANDBOX_HAS_SHADOW
  g_test_skip ("sanitizers have system calls of their own");
  return FALSE;
#else
  return TRUE;
#endif
}

static void
test_killed (gconstpointer data)
{
  const Attempt *attempt = data;
  Report said;
  int status;

  if (!has_filter ())
    return;
  status = run_inside (attempt->call, &said);
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGSYS);
  g_assert_true (g_file_test (victim, G_FILE_TEST_IS_REGULAR));
  g_assert_false (g_file_test ("/tmp/made-in-the-sandbox", G_FILE_TEST_EXISTS));
}

static void
test_absent (gconstpointer data)
{
  const Attempt *attempt = data;
  Report said;

  if (!has_filter ())
    return;
  g_assert_cmpint (run_inside (attempt->call, &said), ==, 0);
  g_assert_cmpint (said.result, ==, -1);
  g_assert_cmpint (said.error, ==, ENOENT);
  g_assert_false (g_file_test ("/tmp/made-in-the-sandbox", G_FILE_TEST_EXISTS));
}

/* Memory comes and goes. */
static long
do_work (void)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  char *pieces[200];

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    pieces[i] = malloc (64 << 10);
    memset (pieces[i], 1, 64 << 10);
    pieces[i] = realloc (pieces[i], 512 << 10);
    g_hash_table_insert (table, g_strdup_printf ("%u", i), g_strdup (pieces[i]));
  }
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    free (pieces[i]);
  return g_hash_table_size (table);
}

static void
test_work (void)
{
  Report said;

  g_assert_cmpint (run_inside (do_work, &said), ==, 0);
  g_assert_cmpint (said.result, ==, 200);
}

static long
use_memory (void)
{
  char *all = malloc (2 * MEMORY);

  return !all;
}

/* The C library looks for ways out, each of them with system calls of its own. */
static long
use_memory_up (void)
{
  guint n_failed = 0;

  for (guint i = 0; i < 40000; i++)
    n_failed += !malloc (60 << 10);
  return n_failed;
}

static void
test_memory (void)
{
  Report said;

  if (!has_filter ())
    return;
  g_assert_cmpint (run_inside (use_memory, &said), ==, 0);
  g_assert_cmpint (said.result, ==, 1);
  g_assert_cmpint (run_inside (use_memory_up, &said), ==, 0);
  g_assert_cmpint (said.result, >, 1000);
}

/* ---- for who reads a file ---- */

/* Returns: 0: its file can be read, others cannot be opened, and none for writing */
static int
read_inside (int socket, gboolean has_landlock)
{
  static const int changes[] = { O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC, O_RDWR | O_CREAT };
  struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
  struct stat status;
  char byte;
  int fd;

  if (!pen_sandbox_enter_reading (socket, victim, MEMORY, SECONDS))
    return 77;
  fd = open (victim, O_RDONLY);
  if (fd < 0 || read (fd, &byte, 1) != 1 || pread (fd, &byte, 1, 2) != 1
      || fcntl (fd, F_SETLK, &lock) != 0)
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    if (open (victim, changes[i], 0600) >= 0 || errno != EACCES)
      return 2;
  if (has_landlock && (open ("/etc/passwd", O_RDONLY) >= 0 || errno != EACCES))
    return 3;
  if (stat ("/etc/passwd", &status) != 0)
    return 4;
  return send (socket, "x", 1, MSG_NOSIGNAL) == 1 ? 0 : 5;
}

static void
test_reading (void)
{
  gboolean has_landlock = syscall (444, NULL, 0, 1) >= 1;
  int ends[2];
  int status;
  pid_t pid;

  if (!has_filter ())
    return;
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    _exit (read_inside (ends[1], has_landlock));
  close (ends[0]);
  close (ends[1]);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

/* What changes or reaches others is killed there, too. */
static void
test_reading_killed (gconstpointer data)
{
  const Attempt *attempt = data;
  int status;
  pid_t pid;

  if (!has_filter ())
    return;
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0) {
    if (pen_sandbox_enter_reading (STDOUT_FILENO, victim, MEMORY, SECONDS))
      attempt->call ();
    _exit (77);
  }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGSYS);
  g_assert_true (g_file_test (victim, G_FILE_TEST_IS_REGULAR));
}

/* ---- Landlock, without the rest ---- */

static void
test_landlock (void)
{
  static const int modes[] = { O_RDONLY, O_WRONLY, O_RDWR | O_CREAT };
  int status;
  pid_t pid;

  if (syscall (444, NULL, 0, 1) < 1) {
    g_test_skip ("this kernel has no Landlock");
    return;
  }
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0) {
    if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !pen_sandbox_restrict_files ())
      _exit (1);
    for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
      if (open (victim, modes[i], 0600) >= 0 || errno != EACCES)
        _exit (2);
    }
    if (unlink (victim) == 0 || errno != EACCES || rename (victim, "/tmp/elsewhere") == 0)
      _exit (3);
    if (mkdir ("/tmp/made-in-the-sandbox", 0700) == 0)
      _exit (4);
    execl ("/bin/true", "true", NULL);
    _exit (errno == EACCES ? 0 : 5);
  }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_file_test (victim, G_FILE_TEST_IS_REGULAR));
}

/* ---- who started it ---- */

static int
is_dumpable (void)
{
  return prctl (PR_GET_DUMPABLE, 0, 0, 0, 0);
}

static PenHelper *
start_helper (void)
{
  GError *error = NULL;
  PenHelper *helper
      = pen_helper_start (PEN_SOURCE_PROGRAM, open_file, MEMORY, SECONDS, NULL, &error);

  g_assert_no_error (error);
  return helper;
}

static void
test_parent (void)
{
  g_autoptr (PenHelper) first = NULL;
  g_autoptr (PenHelper) second = NULL;
  PenHelper *none;
  g_autofree char *libexec = g_strdup (g_getenv ("PENTIMENTO_LIBEXEC"));

  if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS)) {
    g_test_skip ("portals look into /proc here");
    return;
  }
  g_assert_cmpint (is_dumpable (), ==, 1);
  first = start_helper ();
  g_assert_cmpint (is_dumpable (), ==, 0);
  second = start_helper ();
  g_clear_pointer (&first, pen_helper_free);
  g_assert_cmpint (is_dumpable (), ==, 0);
  g_clear_pointer (&second, pen_helper_free);
  g_assert_cmpint (is_dumpable (), ==, 1);

  /* Also where none could be started. */
  g_setenv ("PENTIMENTO_LIBEXEC", "/nowhere", TRUE);
  none = pen_helper_start (PEN_SOURCE_PROGRAM, open_file, MEMORY, SECONDS, NULL, NULL);
  g_assert_null (none);
  g_assert_cmpint (is_dumpable (), ==, 1);
  if (libexec)
    g_setenv ("PENTIMENTO_LIBEXEC", libexec, TRUE);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  parent = getpid ();
  open_file = g_file_open_tmp ("sandbox-XXXXXX", &victim, NULL);
  g_assert_cmpint (open_file, >=, 0);
  g_assert_cmpint (write (open_file, "some text", 9), ==, 9);
  memory = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_test_add_func ("/sandbox/parent", test_parent);
  g_test_add_func ("/sandbox/work", test_work);
  g_test_add_func ("/sandbox/memory", test_memory);
  g_test_add_func ("/sandbox/landlock", test_landlock);
  g_test_add_func ("/sandbox/reading/files", test_reading);
  for (guint i = 0; i < G_N_ELEMENTS (killed); i++) {
    g_autofree char *path = g_strconcat ("/sandbox/killed/", killed[i].name, NULL);

    g_test_add_data_func (path, &killed[i], test_killed);
    if (killed[i].call != try_read && killed[i].call != try_map_file) {
      g_autofree char *reading = g_strconcat ("/sandbox/reading/killed/", killed[i].name, NULL);

      g_test_add_data_func (reading, &killed[i], test_reading_killed);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (absent); i++) {
    g_autofree char *path = g_strconcat ("/sandbox/absent/", absent[i].name, NULL);

    g_test_add_data_func (path, &absent[i], test_absent);
  }
  status = g_test_run ();
  g_unlink (victim);
  g_free (victim);
  return status;
}
