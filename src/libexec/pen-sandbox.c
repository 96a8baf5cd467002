/* pen-sandbox.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Open at once. */
#define READING_FILES 64

/* ---- limits ---- */

static gboolean
set_limit (__rlimit_resource_t resource, guint64 most)
{
  struct rlimit limit;

  if (getrlimit (resource, &limit) != 0)
    return FALSE;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
    limit.rlim_max = most;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit (resource, &limit) == 0;
}

/* If memory runs out all the same, the kernel is to kill this process. */
static void
volunteer (void)
{
  int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

  if (fd < 0)
    return;
  (void) !write (fd, "1000", 4);
  close (fd);
}

static gboolean
limit_resources (guint64 memory, guint64 seconds, guint64 files)
{
#ifndef PEN_SANDBOX_HAS_SHADOW
  if (!set_limit (RLIMIT_AS, memory))
    return FALSE;
#else
  (void) memory;
#endif
  return set_limit (RLIMIT_CPU, seconds) && set_limit (RLIMIT_CORE, 0)
         && set_limit (RLIMIT_FSIZE, 0) && set_limit (RLIMIT_NOFILE, files);
}

/* ---- Landlock ---- */

/* The header of the machine that this is built on may know less than the kernel that it runs on, so
 * the numbers are here (linux/landlock.h, landlock(7)). They are the same on all architectures. */
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define ASK_VERSION 1u
#define PATH_BENEATH 1
#define READ_FILE (G_GUINT64_CONSTANT (1) << 2)

typedef struct {
  guint64 files;
  guint64 network; /* from version 4 on */
  guint64 scopes;  /* from version 6 on: abstract sockets, and signals to others */
} Ruleset;

typedef struct {
  guint64 allowed;
  gint32 fd;
} __attribute__ ((packed)) PathRule;

static gboolean
allow_reading (int ruleset, const char *path)
{
  PathRule rule = { .allowed = READ_FILE, .fd = open (path, O_PATH | O_CLOEXEC) };
  gboolean is_allowed = rule.fd >= 0 && syscall (ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) == 0;

  if (rule.fd >= 0)
    close (rule.fd);
  return is_allowed;
}

/* @path: (nullable): a file that may be read */
static gboolean
restrict_files (const char *path)
{
  /* How many rights to files each version knows, bit by bit. */
  static const guint8 n_rights[] = { 0, 13, 14, 15, 15, 16 };
  Ruleset ruleset = { 0 };
  long version = syscall (CREATE_RULESET, NULL, 0, ASK_VERSION);
  gsize size;
  int fd;
  gboolean is_restricted;

  /* The kernel is older, or does without. */
  if (version < 1)
    return TRUE;
  ruleset.files
      = (G_GUINT64_CONSTANT (1) << n_rights[MIN ((gsize) version, G_N_ELEMENTS (n_rights) - 1)])
        - 1;
  ruleset.network = version >= 4 ? 3 : 0;
  ruleset.scopes = version >= 6 ? 3 : 0;
  size = version >= 6   ? sizeof ruleset
         : version >= 4 ? G_STRUCT_OFFSET (Ruleset, scopes)
                        : G_STRUCT_OFFSET (Ruleset, network);

  /* Without a rule nothing is allowed. */
  fd = (int) syscall (CREATE_RULESET, &ruleset, size, 0);
  if (fd < 0)
    return FALSE;
  is_restricted = (!path || allow_reading (fd, path)) && syscall (RESTRICT_SELF, fd, 0) == 0;
  close (fd);
  return is_restricted;
}

gboolean
pen_sandbox_restrict_files (void)
{
  return restrict_files (NULL);
}

/* ---- seccomp ---- */

#ifndef PEN_SANDBOX_HAS_SHADOW

/* Names that an architecture does not have are passed over by libseccomp. */
static gboolean
add_rules (scmp_filter_ctx filter, uint32_t action, const char *const *names)
{
  for (guint i = 0; names[i]; i++) {
    int number = seccomp_syscall_resolve_name (names[i]);

    if (number != __NR_SCMP_ERROR && seccomp_rule_add (filter, action, number, 0) != 0)
      return FALSE;
  }
  return TRUE;
}

/* Memory with code in it, old or new, is what an attacker is after. @maps: files, too: the C
 * library has its tables in some, where no Landlock keeps it from opening them */
static gboolean
add_memory (scmp_filter_ctx filter, gboolean maps)
{
  const struct scmp_arg_cmp no_code = SCMP_A2 (SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  const struct scmp_arg_cmp no_file = SCMP_A3 (SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS);

  return seccomp_rule_add (filter, SCMP_ACT_ALLOW, SCMP_SYS (mmap), maps ? 1 : 2, no_code, no_file)
             == 0
         && seccomp_rule_add (filter, SCMP_ACT_ALLOW, SCMP_SYS (mprotect), 1, no_code) == 0;
}

static gboolean
add_socket (scmp_filter_ctx filter, int socket)
{
  const struct scmp_arg_cmp of_socket = SCMP_A0 (SCMP_CMP_EQ, (scmp_datum_t) socket);

  /* To nobody but who is at the other end: an address has a length. */
  return seccomp_rule_add (filter, SCMP_ACT_ALLOW, SCMP_SYS (recvfrom), 1, of_socket) == 0
         && seccomp_rule_add (filter, SCMP_ACT_ALLOW, SCMP_SYS (sendto), 3, of_socket,
                              SCMP_A4 (SCMP_CMP_EQ, 0), SCMP_A5 (SCMP_CMP_EQ, 0))
                == 0;
}

/* What a library opens, it opens for reading, or is told that it may not. */
static gboolean
add_open (scmp_filter_ctx filter, int number, guint flags_at)
{
  static const scmp_datum_t changes[] = { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC };
  struct scmp_arg_cmp flags
      = { flags_at, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY };

  if (seccomp_rule_add_array (filter, SCMP_ACT_ALLOW, number, 1, &flags) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    flags.datum_a = flags.datum_b = changes[i];
    if (seccomp_rule_add_array (filter, SCMP_ACT_ERRNO (EACCES), number, 1, &flags) != 0)
      return FALSE;
  }
  return TRUE;
}

/* SQLite locks what it reads. Other commands send signals. */
static gboolean
add_locks (scmp_filter_ctx filter, int number)
{
  static const scmp_datum_t commands[]
      = { F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_DUPFD_CLOEXEC };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (seccomp_rule_add (filter, SCMP_ACT_ALLOW, number, 1, SCMP_A1 (SCMP_CMP_EQ, commands[i]))
        != 0)
      return FALSE;
  return TRUE;
}

static gboolean
add_reading (scmp_filter_ctx filter)
{
  static const char *const allowed[] = {
    "read",    "pread64",   "lseek",      "fstat",      "fstat64",   "stat",
    "stat64",  "lstat",     "lstat64",    "statx",      "fstatat64", "access",
    "fstatfs", "faccessat", "faccessat2", "newfstatat", "fstatfs64", "readlink",
    "getpid",  "geteuid",   "readlinkat", "getdents64", "getcwd",    "gettid",
    "getuid",  "fadvise64", "uname",      "flock",      NULL,
  };

  return add_rules (filter, SCMP_ACT_ALLOW, allowed)
         && seccomp_rule_add (filter, SCMP_ACT_ERRNO (ENOENT), SCMP_SYS (openat2), 0) == 0
         && add_open (filter, SCMP_SYS (open), 1) && add_open (filter, SCMP_SYS (openat), 2)
         && add_locks (filter, SCMP_SYS (fcntl)) && add_locks (filter, SCMP_SYS (fcntl64));
}

/* libdw looks for files that debug information was split off to, the C library for the size of
 * memory. */
static gboolean
add_no_reading (scmp_filter_ctx filter)
{
  static const char *const absent[] = {
    "open", "openat", "openat2", "access",  "faccessat", "faccessat2", "readlink",  "readlinkat",
    "stat", "stat64", "lstat",   "lstat64", "statx",     "newfstatat", "fstatat64", NULL,
  };

  return add_rules (filter, SCMP_ACT_ERRNO (ENOENT), absent);
}

static gboolean
filter_calls (int socket, gboolean reads)
{
  static const char *const allowed[] = {
    "brk",
    "munmap",
    "mremap",
    "madvise",
    "futex",
    "exit",
    "exit_group",
    "rt_sigreturn",
    "restart_syscall",
    "clock_gettime",
    "clock_gettime64",
    "gettimeofday",
    "getrandom",
    "sysinfo",
    "close",
    NULL,
  };
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_KILL_PROCESS);
  gboolean is_loaded = filter && add_rules (filter, SCMP_ACT_ALLOW, allowed)
                       && (reads ? add_reading (filter) : add_no_reading (filter))
                       && add_memory (filter, reads) && add_socket (filter, socket)
                       && seccomp_load (filter) == 0;

  if (filter)
    seccomp_release (filter);
  return is_loaded;
}

#endif

/* @path: (nullable): to be read */
static gboolean
enter (int socket, const char *path, guint64 memory, guint64 seconds)
{
  volunteer ();
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !restrict_files (path)
      || !limit_resources (memory, seconds, path ? READING_FILES : 0))
    return FALSE;
#ifndef PEN_SANDBOX_HAS_SHADOW
  return filter_calls (socket, path != NULL);
#else
  (void) socket;
  return TRUE;
#endif
}

gboolean
pen_sandbox_enter (int socket, guint64 memory, guint64 seconds)
{
  return enter (socket, NULL, memory, seconds);
}

gboolean
pen_sandbox_enter_reading (int socket, const char *path, guint64 memory, guint64 seconds)
{
  return enter (socket, path, memory, seconds);
}
