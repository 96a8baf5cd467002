/* pen-growth.c: is a recording still being made?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-container.h"
#include "pen-file-header.h"
#include "pen-reader.h"

/* Where writers cannot be known: recorders of ours write four times a second, perf on a busy
 * machine each second. */
#define QUIET_SECONDS 5

/* Until so much is there, a header may not be whole. */
#define HEADER_ROOM 4096

typedef enum {
  WRITER_UNKNOWN,
  WRITER_NONE,
  WRITER_THERE,
} Writer;

/* A lease for reading is refused while the file is open for writing (fcntl(2), F_SETLEASE): for its
 * owner, and for root. It is given back at once; whoever opens the file just then has this process
 * sent a signal, which must be one that is ignored. */
static Writer
find_writer (int fd)
{
  if (fcntl (fd, F_SETSIG, SIGURG) == 0 && fcntl (fd, F_SETLEASE, F_RDLCK) == 0) {
    fcntl (fd, F_SETLEASE, F_UNLCK);
    return WRITER_NONE;
  }
  return errno == EAGAIN ? WRITER_THERE : WRITER_UNKNOWN;
}

static gboolean
is_written (int fd)
{
  Writer writer = find_writer (fd);
  struct stat status;

  if (writer != WRITER_UNKNOWN || fstat (fd, &status) != 0)
    return writer == WRITER_THERE;
  return g_get_real_time () / G_USEC_PER_SEC - (gint64) status.st_mtim.tv_sec < QUIET_SECONDS;
}

/* perf writes the header again when all else is written, with the size of the data. */
static gboolean
has_end (PenFile *file)
{
  g_autoptr (PenProblems) problems = pen_problems_new ();
  PenFileHeader header;

  if (!pen_file_header_read (&header, file, TRUE, problems, NULL))
    return file->size >= HEADER_ROOM;
  return header.is_terminated;
}

PenGrowth
pen_growth_look (const char *path)
{
  g_autoptr (GPtrArray) files = pen_container_open_files (path);
  PenGrowth growth = { 0 };
  PenFile *file;

  if (!files)
    return growth;
  for (guint i = 0; i < files->len; i++)
    growth.size += ((const PenFile *) files->pdata[i])->size;

  /* In this order: the end is written before the file is closed. */
  file = files->pdata[0];
  growth.is_growing = !file->is_stream && is_written (file->fd) && !has_end (file);
  return growth;
}
