/* thumbnailer.c: pentimento-thumbnailer: a picture of a recording or store for file managers
 *
 * usage: pentimento-thumbnailer -s SIZE FILE PNG, as the entry in share/thumbnailers has it
 *
 * One process reads the file in a sandbox that can open nothing else, draws, and sends the picture
 * to the other one, which writes it. Exit status 0: it did; 1: there is none; 2: wrong usage.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pen-new-file.h"
#include "pen-sandbox.h"
#include "pen-thumbnail-source.h"
#include "pen-translations.h"

/* A folder has many files, and a person waits for them. */
#define READ_US (350 * 1000)
/* What has not ended by then is not waited for. */
#define DEADLINE_US (5 * G_USEC_PER_SEC)
#define CPU_SECONDS 5
#define MEMORY (G_GUINT64_CONSTANT (1) << 30)
#define PICTURE_MAX (16u << 20)
#define REASON_MAX 1000

/* ---- who reads ---- */

static gboolean
send_all (int socket, const guint8 *bytes, gsize length)
{
  while (length > 0) {
    ssize_t n = send (socket, bytes, length, MSG_NOSIGNAL);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    bytes += n;
    length -= (gsize) n;
  }
  return TRUE;
}

/* A message for people goes to the other process, which has a standard error. */
static int
draw (const char *path, guint size, int socket)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenThumbnail) thumbnail = NULL;
  g_autoptr (GByteArray) png = NULL;

  if (!pen_sandbox_enter_reading (socket, path, MEMORY, CPU_SECONDS))
    return 1;
  thumbnail = pen_thumbnail_source_read (path, pen_thumbnail_count_steps (size), READ_US, &error);
  png = thumbnail ? pen_thumbnail_draw (thumbnail, size) : NULL;
  if (error)
    send_all (socket, (const guint8 *) error->message, strlen (error->message));
  return png && send_all (socket, png->data, png->len) ? 0 : 1;
}

/* ---- who writes ---- */

/* Returns: FALSE: it takes too long, or too much */
static gboolean
receive (int socket, GByteArray *received)
{
  gint64 end = g_get_monotonic_time () + DEADLINE_US;
  guint8 buffer[16384];

  for (;;) {
    gint64 left = (end - g_get_monotonic_time ()) / 1000;
    struct pollfd poller = { .fd = socket, .events = POLLIN };
    ssize_t n;

    if (left <= 0 || received->len > PICTURE_MAX || poll (&poller, 1, (int) left) == 0)
      return FALSE;
    n = recv (socket, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n == 0)
      return TRUE;
    if (n > 0)
      g_byte_array_append (received, buffer, (guint) n);
    else if (errno != EINTR && errno != EAGAIN)
      return FALSE;
  }
}

static gboolean
is_done (pid_t pid)
{
  int status = 0;

  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

static int
refuse (const char *path, const char *reason)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_printerr ("pentimento-thumbnailer: %s: %s\n", shown, reason);
  return 1;
}

static int
write_picture (const char *input, const char *output, pid_t pid, int socket, const char *unread)
{
  g_autoptr (GByteArray) received = g_byte_array_new ();
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_whole = receive (socket, received);

  if (!is_whole)
    kill (pid, SIGKILL);
  if (!is_done (pid) || !is_whole) {
    gsize length = is_whole ? MIN (received->len, REASON_MAX) : 0;
    g_autofree char *said
        = length > 0 ? g_utf8_make_valid ((const char *) received->data, (gssize) length) : NULL;

    return refuse (input, said ? said : unread);
  }
  /* What is shown of a recording is nobody else's business, as in ~/.cache/thumbnails. */
  path = g_canonicalize_filename (output, NULL);
  if (!pen_new_file_save (path, 0600, received->data, received->len, &error))
    return refuse (output, error->message);
  return 0;
}

/* ---- */

static gboolean
read_words (int argc, char **argv, guint *size)
{
  guint64 asked = 0;

  if (argc != 5 || !g_str_equal (argv[1], "-s")
      || !g_ascii_string_to_unsigned (argv[2], 10, 1, G_MAXUINT16, &asked, NULL)) {
    g_printerr (_ ("usage: pentimento-thumbnailer -s SIZE FILE PNG\n"));
    return FALSE;
  }
  *size = CLAMP ((guint) asked, PEN_THUMBNAIL_SMALLEST, PEN_THUMBNAIL_LARGEST);
  return TRUE;
}

int
main (int argc, char **argv)
{
  int ends[2];
  const char *unread;
  guint size;
  pid_t pid;

  pen_translations_init ();
  /* The sandbox has no files: translations are read before. */
  unread = _ ("it could not be read");
  if (!read_words (argc, argv, &size))
    return 2;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return refuse (argv[3], g_strerror (errno));
  pid = fork ();
  if (pid < 0)
    return refuse (argv[3], g_strerror (errno));
  if (pid == 0) {
    close (ends[0]);
    /* Nothing is freed, and no library has a last word. */
    _exit (draw (argv[3], size, ends[1]));
  }
  close (ends[1]);
  return write_picture (argv[3], argv[4], pid, ends[0], unread);
}
