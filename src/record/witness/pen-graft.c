/* pen-graft.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-graft.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pen-event-ids.h"

/* glibc has them since 2.36, with a header that older kernels' headers conflict with. */
static int
open_process (GPid pid)
{
  return (int) syscall (SYS_pidfd_open, pid, 0);
}

static int
copy_descriptor (int process, int number)
{
  return (int) syscall (SYS_pidfd_getfd, process, number, 0);
}

static gboolean
set_errno (GError **error, const char *action)
{
  int number = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", action,
               g_strerror (number));
  return FALSE;
}

static GArray *
read_ids (const char *data, const GArray *cpus, GError **error)
{
  int file = g_open (data, O_RDONLY | O_CLOEXEC);
  g_autoptr (GArray) ids = NULL;

  if (file < 0) {
    set_errno (error, data);
    return NULL;
  }
  ids = pen_event_ids_read (file, error);
  close (file);
  if (!ids)
    return NULL;
  /* An id's place among those of its event stands for a CPU. */
  if (pen_event_ids_count (ids, PEN_EVENT_LOOK) != cpus->len
      || pen_event_ids_count (ids, PEN_EVENT_OUTPUT) != cpus->len) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         _ ("perf opened other events than one for each CPU"));
    return NULL;
  }
  return g_steal_pointer (&ids);
}

static gboolean
is_event (const char *descriptors, const char *name)
{
  g_autofree char *path = g_build_filename (descriptors, name, NULL);
  char target[64];
  gssize n = readlink (path, target, sizeof target - 1);

  if (n <= 0)
    return FALSE;
  target[n] = '\0';
  return g_str_equal (target, "anon_inode:[perf_event]");
}

static void
close_each (GArray *descriptors)
{
  for (guint i = 0; i < descriptors->len; i++)
    close (g_array_index (descriptors, int, i));
  g_array_unref (descriptors);
}

typedef GArray Descriptors;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Descriptors, close_each)

/* Outputs go to the witness at once; @looks are kept, to be attached when it has all of them. */
static gboolean
take_event (PenWitness *witness, int event, const GArray *ids, const GArray *cpus, GArray *looks,
            guint *n_outputs, GError **error)
{
  const PenEventId *found = NULL;
  guint64 id;
  gboolean is_taken = TRUE;

  if (ioctl (event, PERF_EVENT_IOC_ID, &id) == 0)
    found = pen_event_ids_find (ids, id);
  if (found && found->role == PEN_EVENT_LOOK) {
    g_array_append_val (looks, event);
    return TRUE;
  }
  if (found) {
    is_taken
        = pen_witness_add_output (witness, g_array_index (cpus, guint, found->index), event, error);
    *n_outputs += is_taken;
  }
  close (event);
  return is_taken;
}

static gboolean
take_events (PenWitness *witness, GPid perf, int process, const GArray *ids, const GArray *cpus,
             GArray *looks, GError **error)
{
  g_autofree char *descriptors = g_strdup_printf ("/proc/%d/fd", perf);
  g_autoptr (GDir) directory = g_dir_open (descriptors, 0, error);
  guint n_outputs = 0;
  const char *name;

  while (directory && (name = g_dir_read_name (directory))) {
    int event;

    if (!is_event (descriptors, name))
      continue;
    event = copy_descriptor (process, (int) g_ascii_strtoll (name, NULL, 10));
    if (event < 0)
      return set_errno (error, "pidfd_getfd");
    if (!take_event (witness, event, ids, cpus, looks, &n_outputs, error))
      return FALSE;
  }
  if (directory && (looks->len != cpus->len || n_outputs != cpus->len)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         _ ("perf's header names events that perf does not have"));
    return FALSE;
  }
  return directory != NULL;
}

gboolean
pen_graft (PenWitness *witness, GPid perf, const char *data, const GArray *cpus, GError **error)
{
  g_autoptr (GArray) ids = read_ids (data, cpus, error);
  g_autoptr (Descriptors) looks = g_array_new (FALSE, FALSE, sizeof (int));
  gboolean is_taken;
  int process;

  if (!ids)
    return FALSE;
  process = open_process (perf);
  if (process < 0)
    return set_errno (error, "pidfd_open");
  is_taken = take_events (witness, perf, process, ids, cpus, looks, error);
  close (process);
  for (guint i = 0; is_taken && i < looks->len; i++)
    is_taken = pen_witness_attach (witness, g_array_index (looks, int, i), error);
  return is_taken;
}
