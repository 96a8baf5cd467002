/* pen-debuginfod.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pen-reason.h"

#define LIBRARY "libdebuginfod.so.1"
#define MAX_FILE_BYTES (G_GUINT64_CONSTANT (2) << 30)
#define MAX_FILE_SECONDS 300
#define MAX_SECONDS 900
#define MAX_MINUTES "15" /* the same */

typedef struct debuginfod_client Client;
typedef int (*ProgressFunc) (Client *client, long done, long total);
typedef int (*FindFunc) (Client *client, const unsigned char *build_id, int length, char **path);

/* As <elfutils/debuginfod.h> declares them. */
typedef struct {
  Client *(*begin) (void);
  void (*end) (Client *client);
  FindFunc find_executable;
  FindFunc find_debuginfo;
  void (*set_progressfn) (Client *client, ProgressFunc func);
} Library;

struct _PenDebuginfod {
  GMutex lock; /* one file at a time */
  GCancellable *cancellable;
  void *handle;
  Library library;
  Client *client;
  gboolean is_over;  /* no more requests */
  char *problem;     /* a reason */
  gint64 spent;      /* µs */
  gint64 file_begun; /* µs */
  gboolean is_too_large;
  gboolean is_too_slow;
};

PenDebuginfod *
pen_debuginfod_new (GCancellable *cancellable)
{
  PenDebuginfod *self = g_new0 (PenDebuginfod, 1);

  g_mutex_init (&self->lock);
  g_set_object (&self->cancellable, cancellable);
  return self;
}

void
pen_debuginfod_free (PenDebuginfod *self)
{
  if (!self)
    return;

  if (self->client)
    self->library.end (self->client);
  /* The library stays loaded: what it uses keeps its own state for the process. */
  g_clear_object (&self->cancellable);
  g_mutex_clear (&self->lock);
  g_free (self->problem);
  g_free (self);
}

static void
give_up (PenDebuginfod *self, const char *word, const char *argument)
{
  self->is_over = TRUE;
  g_free (self->problem);
  self->problem = pen_reason_new (word, argument, NULL);
}

static gboolean
load_functions (PenDebuginfod *self)
{
  Library *library = &self->library;
  const struct {
    const char *name;
    void *place;
  } functions[] = {
    { "debuginfod_begin", &library->begin },
    { "debuginfod_end", &library->end },
    { "debuginfod_find_executable", &library->find_executable },
    { "debuginfod_find_debuginfo", &library->find_debuginfo },
    { "debuginfod_set_progressfn", &library->set_progressfn },
  };

  self->handle = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!self->handle)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    void *function = dlsym (self->handle, functions[i].name);

    if (!function)
      return FALSE;
    memcpy (functions[i].place, &function, sizeof function);
  }
  return TRUE;
}

/* The caller in this thread: the library passes nothing to its callback. */
static GPrivate asking;

/* Returns: not 0: the transfer ends */
static int
look_up (Client *client, long done, long total)
{
  PenDebuginfod *self = g_private_get (&asking);

  (void) client;
  if (!self || g_cancellable_is_cancelled (self->cancellable))
    return 1;

  self->is_too_large = (done > 0 && (guint64) done > MAX_FILE_BYTES)
                       || (total > 0 && (guint64) total > MAX_FILE_BYTES);
  self->is_too_slow
      = g_get_monotonic_time () - self->file_begun > MAX_FILE_SECONDS * G_USEC_PER_SEC;
  return self->is_too_large || self->is_too_slow;
}

static gboolean
connect_library (PenDebuginfod *self)
{
  const char *servers = g_getenv ("DEBUGINFOD_URLS");

  if (self->is_over || self->client)
    return !self->is_over;

  if (!servers || *servers == '\0')
    give_up (self, PEN_REASON_SERVERS_UNKNOWN, NULL);
  else if (!load_functions (self))
    give_up (self, PEN_REASON_SERVERS_NO_LIBRARY, LIBRARY);
  else if (!(self->client = self->library.begin ()))
    give_up (self, PEN_REASON_SERVERS_LIBRARY_FAILED, LIBRARY);
  else
    self->library.set_progressfn (self->client, look_up);
  return !self->is_over;
}

/* The effect of a failed request on later ones. */
static void
take_failure (PenDebuginfod *self, int code)
{
  if (g_cancellable_is_cancelled (self->cancellable))
    self->is_over = TRUE;
  else if (self->is_too_slow || code == ETIME || code == ETIMEDOUT)
    give_up (self, PEN_REASON_SERVERS_SLOW, NULL);
  else if (!self->is_too_large && code != ENOENT)
    give_up (self, PEN_REASON_SERVERS_UNREACHABLE, pen_reason_name_errno (code));
}

static char *
find_locked (PenDebuginfod *self, const guint8 *build_id, guint length, PenDebuginfodKind kind)
{
  FindFunc find;
  char *path = NULL;
  char *found = NULL;
  int fd;

  if (length == 0 || !connect_library (self))
    return NULL;

  find = kind == PEN_DEBUGINFOD_EXECUTABLE ? self->library.find_executable
                                           : self->library.find_debuginfo;
  self->file_begun = g_get_monotonic_time ();
  self->is_too_large = self->is_too_slow = FALSE;
  g_private_set (&asking, self);
  fd = find (self->client, build_id, (int) length, &path);
  g_private_set (&asking, NULL);
  self->spent += g_get_monotonic_time () - self->file_begun;

  if (fd < 0) {
    take_failure (self, -fd);
  } else {
    close (fd);
    found = g_strdup (path);
  }
  free (path);
  if (!self->is_over && self->spent > MAX_SECONDS * G_USEC_PER_SEC)
    give_up (self, PEN_REASON_SERVERS_TIME_USED, MAX_MINUTES);
  return found;
}

char *
pen_debuginfod_find (PenDebuginfod *self, const guint8 *build_id, guint length,
                     PenDebuginfodKind kind)
{
  char *found;

  g_mutex_lock (&self->lock);
  found = find_locked (self, build_id, length, kind);
  g_mutex_unlock (&self->lock);
  return found;
}

const char *
pen_debuginfod_get_problem (PenDebuginfod *self)
{
  return self->problem;
}
