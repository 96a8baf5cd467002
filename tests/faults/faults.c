/* faults.c: to be preloaded: writes down what a program does to files, and lets one call fail
 *
 * FAULTS_ROOT: directories, with colons between them; calls about other files do not count
 * FAULTS_LOG: file to which each call that counts is added, as scenes.py reads it
 * FAULTS_AT, FAULTS_KIND: the call of this number, from 1, fails: EIO, ENOSPC, SHORT (half of it is
 *   written), or the process is KILLED before it; with FAULTS_ON also every later one fails
 * FAULTS_NAMES: there are no files without a name, as on some file systems
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* Both names of each function are defined here, neither is to stand for the other. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FD 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long inodes[MAX_FD]; /* 0: does not count */
static unsigned long calls;
static int log_fd = -1;

/* ---- what counts ---- */

static int
is_below (const char *path, const char *root, size_t length)
{
  return strncmp (path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int
counts (const char *path)
{
  const char *root = getenv ("FAULTS_ROOT");

  while (root && *root) {
    size_t length = strcspn (root, ":");

    if (length > 0 && is_below (path, root, length))
      return 1;
    root += length + (root[length] == ':');
  }
  return 0;
}

/* The name itself is not followed where it is a link. */
static int
resolve (int directory, const char *path, char *resolved)
{
  char parent[PATH_MAX];
  char link[64];
  const char *base = strrchr (path, '/');
  size_t length = base ? (size_t) (base - path) : 0;

  if (path[0] == '/' || directory == AT_FDCWD) {
    snprintf (parent, sizeof parent, "%.*s", (int) length, path);
    if (!realpath (length > 0 ? parent : path[0] == '/' ? "/" : ".", resolved))
      return 0;
  } else {
    ssize_t n;

    snprintf (link, sizeof link, "/proc/self/fd/%d", directory);
    n = readlink (link, resolved, PATH_MAX - 1);
    if (n < 0 || base)
      return 0;
    resolved[n] = '\0';
  }

  length = strlen (resolved);
  base = base ? base + 1 : path;
  if (length + strlen (base) + 2 > PATH_MAX)
    return 0;
  resolved[length] = '/';
  strcpy (resolved + length + 1, base);
  return counts (resolved);
}

static unsigned long
inode_of (int fd)
{
  return fd >= 0 && fd < MAX_FD ? inodes[fd] : 0;
}

/* ---- writing down, and failing ---- */

static void
note (char what, unsigned long inode, const char *a, const char *b, long long offset,
      const void *bytes, size_t n)
{
  char head[96];
  struct iovec parts[] = {
    { head, 0 }, { (void *) a, strlen (a) }, { (void *) b, strlen (b) }, { (void *) bytes, n }
  };
  const char *path = getenv ("FAULTS_LOG");
  int code = errno;

  if (!path)
    return;
  if (log_fd < 0)
    log_fd = (int) syscall (SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                            0600);
  parts[0].iov_len = (size_t) snprintf (head, sizeof head, "%c %lu %lld %zu %zu %zu\n", what, inode,
                                        offset, parts[1].iov_len, parts[2].iov_len, n);
  if (syscall (SYS_writev, log_fd, parts, 4) < 0)
    abort ();
  errno = code;
}

typedef enum { GOES_ON, FAILS, IS_SHORT } Verdict;

static Verdict
count_any (int is_write)
{
  const char *at = getenv ("FAULTS_AT");
  const char *kind = getenv ("FAULTS_KIND");
  unsigned long chosen = at ? strtoul (at, NULL, 10) : 0;

  calls++;
  if (chosen == 0 || !kind || (getenv ("FAULTS_ON") ? calls < chosen : calls != chosen))
    return GOES_ON;
  if (strcmp (kind, "SHORT") == 0 && !is_write)
    return GOES_ON;
  note ('!', calls, "", "", 0, NULL, 0);
  if (strcmp (kind, "KILLED") == 0)
    syscall (SYS_kill, getpid (), SIGKILL);
  if (strcmp (kind, "SHORT") == 0)
    return IS_SHORT;
  errno = strcmp (kind, "ENOSPC") == 0 ? ENOSPC : EIO;
  return FAILS;
}

static Verdict
count (void)
{
  return count_any (0);
}

/* ---- names ---- */

static int
open_any (int directory, const char *path, int flags, mode_t mode)
{
  char resolved[PATH_MAX];
  char link[64];
  struct stat status;
  int is_temporary = (flags & O_TMPFILE) == O_TMPFILE;
  int is_made;
  int fd;
  ssize_t n;

  pthread_mutex_lock (&lock);
  is_made = (flags & O_CREAT) != 0 && resolve (directory, path, resolved)
            && lstat (resolved, &status) != 0;
  if (is_temporary && realpath (path, resolved))
    is_temporary = counts (resolved);
  if (is_temporary && getenv ("FAULTS_NAMES")) {
    pthread_mutex_unlock (&lock);
    errno = EOPNOTSUPP;
    return -1;
  }
  if ((is_made || is_temporary) && count () != GOES_ON) {
    pthread_mutex_unlock (&lock);
    return -1;
  }

  fd = (int) syscall (SYS_openat, directory, path, flags, mode);
  if (fd >= 0 && fd < MAX_FD) {
    snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink (link, resolved, sizeof resolved - 1);
    resolved[n > 0 ? n : 0] = '\0';
    inodes[fd] = counts (resolved) && fstat (fd, &status) == 0 ? status.st_ino : 0;
    if (inodes[fd] != 0 && is_made)
      note ('C', inodes[fd], resolved, "", 0, NULL, 0);
    else if (inodes[fd] != 0 && is_temporary)
      note ('N', inodes[fd], "", "", 0, NULL, 0);
    else if (inodes[fd] != 0 && (flags & O_TRUNC) != 0)
      note ('T', inodes[fd], "", "", 0, NULL, 0);
  }
  pthread_mutex_unlock (&lock);
  return fd;
}

#define MODE(flags)                                                                                \
  va_list more;                                                                                    \
  mode_t mode = 0;                                                                                 \
                                                                                                   \
  va_start (more, flags);                                                                          \
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE)                                  \
    mode = va_arg (more, mode_t);                                                                  \
  va_end (more)

int
open (const char *path, int flags, ...)
{
  MODE (flags);
  return open_any (AT_FDCWD, path, flags, mode);
}

int
open64 (const char *path, int flags, ...)
{
  MODE (flags);
  return open_any (AT_FDCWD, path, flags, mode);
}

int
openat (int directory, const char *path, int flags, ...)
{
  MODE (flags);
  return open_any (directory, path, flags, mode);
}

int
openat64 (int directory, const char *path, int flags, ...)
{
  MODE (flags);
  return open_any (directory, path, flags, mode);
}

int
creat (const char *path, mode_t mode)
{
  return open_any (AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int
close (int fd)
{
  pthread_mutex_lock (&lock);
  if (fd >= 0 && fd < MAX_FD)
    inodes[fd] = 0;
  pthread_mutex_unlock (&lock);
  return (int) syscall (SYS_close, fd);
}

static int
rename_any (int from, const char *old, int to, const char *new, unsigned flags)
{
  char a[PATH_MAX];
  char b[PATH_MAX];
  int is_counted;
  int status = -1;

  pthread_mutex_lock (&lock);
  is_counted = resolve (from, old, a) && resolve (to, new, b);
  if (!is_counted || count () == GOES_ON) {
    status = (int) syscall (SYS_renameat2, from, old, to, new, flags);
    if (status == 0 && is_counted)
      note ('R', 0, a, b, 0, NULL, 0);
  }
  pthread_mutex_unlock (&lock);
  return status;
}

int
rename (const char *old, const char *new)
{
  return rename_any (AT_FDCWD, old, AT_FDCWD, new, 0);
}

int
renameat (int from, const char *old, int to, const char *new)
{
  return rename_any (from, old, to, new, 0);
}

int
renameat2 (int from, const char *old, int to, const char *new, unsigned flags)
{
  return rename_any (from, old, to, new, flags);
}

/* A name that is not there does not count. */
static int
unlink_any (int directory, const char *path, int flags)
{
  char resolved[PATH_MAX];
  struct stat file;
  int is_counted;
  int status = -1;

  pthread_mutex_lock (&lock);
  is_counted = resolve (directory, path, resolved) && lstat (resolved, &file) == 0;
  if (!is_counted || count () == GOES_ON) {
    status = (int) syscall (SYS_unlinkat, directory, path, flags);
    if (status == 0 && is_counted)
      note ('U', 0, resolved, "", 0, NULL, 0);
  }
  pthread_mutex_unlock (&lock);
  return status;
}

int
unlink (const char *path)
{
  return unlink_any (AT_FDCWD, path, 0);
}

int
unlinkat (int directory, const char *path, int flags)
{
  return unlink_any (directory, path, flags);
}

int
rmdir (const char *path)
{
  return unlink_any (AT_FDCWD, path, AT_REMOVEDIR);
}

int
remove (const char *path)
{
  struct stat file;

  return unlink_any (AT_FDCWD, path,
                     lstat (path, &file) == 0 && S_ISDIR (file.st_mode) ? AT_REMOVEDIR : 0);
}

int
mkdir (const char *path, mode_t mode)
{
  char resolved[PATH_MAX];
  struct stat file;
  int is_counted;
  int status = -1;

  pthread_mutex_lock (&lock);
  is_counted = resolve (AT_FDCWD, path, resolved) && lstat (resolved, &file) != 0;
  if (!is_counted || count () == GOES_ON) {
    status = (int) syscall (SYS_mkdirat, AT_FDCWD, path, mode);
    if (status == 0 && is_counted)
      note ('M', 0, resolved, "", 0, NULL, 0);
  }
  pthread_mutex_unlock (&lock);
  return status;
}

int
linkat (int from, const char *old, int to, const char *new, int flags)
{
  char resolved[PATH_MAX];
  struct stat file;
  int is_counted;
  int status = -1;

  pthread_mutex_lock (&lock);
  is_counted = resolve (to, new, resolved);
  if (!is_counted || count () == GOES_ON) {
    status = (int) syscall (SYS_linkat, from, old, to, new, flags);
    if (status == 0 && is_counted && lstat (resolved, &file) == 0)
      note ('L', file.st_ino, resolved, "", 0, NULL, 0);
  }
  pthread_mutex_unlock (&lock);
  return status;
}

int
link (const char *old, const char *new)
{
  return linkat (AT_FDCWD, old, AT_FDCWD, new, 0);
}

/* ---- content ---- */

/* @offset: -1: where the file is */
static ssize_t
write_any (int fd, const void *bytes, size_t n, long long offset)
{
  unsigned long inode;
  ssize_t done = -1;
  Verdict verdict = GOES_ON;

  pthread_mutex_lock (&lock);
  inode = inode_of (fd);
  if (inode != 0)
    verdict = count_any (1);
  if (verdict == IS_SHORT && n > 1)
    n /= 2;
  if (verdict != FAILS) {
    done = offset < 0 ? syscall (SYS_write, fd, bytes, n)
                      : syscall (SYS_pwrite64, fd, bytes, n, offset);
    if (done > 0 && inode != 0) {
      long long at = offset < 0 ? syscall (SYS_lseek, fd, 0, SEEK_CUR) - done : offset;

      note ('W', inode, "", "", at, bytes, (size_t) done);
    }
  }
  pthread_mutex_unlock (&lock);
  return done;
}

ssize_t
write (int fd, const void *bytes, size_t n)
{
  return write_any (fd, bytes, n, -1);
}

ssize_t
pwrite (int fd, const void *bytes, size_t n, off_t offset)
{
  return write_any (fd, bytes, n, offset);
}

ssize_t
pwrite64 (int fd, const void *bytes, size_t n, off64_t offset)
{
  return write_any (fd, bytes, n, offset);
}

ssize_t
writev (int fd, const struct iovec *parts, int n)
{
  ssize_t done = 0;

  if (inode_of (fd) == 0)
    return syscall (SYS_writev, fd, parts, n);
  for (int i = 0; i < n; i++) {
    ssize_t written = write_any (fd, parts[i].iov_base, parts[i].iov_len, -1);

    if (written < 0)
      return done > 0 ? done : -1;
    done += written;
    if ((size_t) written < parts[i].iov_len)
      break;
  }
  return done;
}

static int
sync_any (int fd, int number)
{
  char link[64];
  char path[PATH_MAX];
  struct stat file;
  unsigned long inode;
  int status = -1;
  ssize_t n;

  pthread_mutex_lock (&lock);
  inode = inode_of (fd);
  if (inode == 0 || count () == GOES_ON) {
    /* That the disk has it is not what is tried here, and takes its time. */
    status = inode == 0 ? (int) syscall (number, fd) : 0;
    if (inode != 0 && fstat (fd, &file) == 0 && S_ISDIR (file.st_mode)) {
      snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
      n = readlink (link, path, sizeof path - 1);
      path[n > 0 ? n : 0] = '\0';
      note ('D', inode, path, "", 0, NULL, 0);
    } else if (inode != 0) {
      note ('S', inode, "", "", 0, NULL, 0);
    }
  }
  pthread_mutex_unlock (&lock);
  return status;
}

int
fsync (int fd)
{
  return sync_any (fd, SYS_fsync);
}

int
fdatasync (int fd)
{
  return sync_any (fd, SYS_fdatasync);
}

static int
truncate_any (int fd, long long length)
{
  unsigned long inode;
  int status = -1;

  pthread_mutex_lock (&lock);
  inode = inode_of (fd);
  if (inode == 0 || count () == GOES_ON) {
    status = (int) syscall (SYS_ftruncate, fd, length);
    if (status == 0 && inode != 0)
      note ('T', inode, "", "", length, NULL, 0);
  }
  pthread_mutex_unlock (&lock);
  return status;
}

int
ftruncate (int fd, off_t length)
{
  return truncate_any (fd, length);
}

int
ftruncate64 (int fd, off64_t length)
{
  return truncate_any (fd, length);
}
