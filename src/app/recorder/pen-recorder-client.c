/* pen-recorder-client.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recorder-client.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pen-display.h"
#include "pen-helper.h"
#include "pen-recorder-move.h"

#define LINES_MAX 20u

/* pkexec(1) */
#define PKEXEC_DISMISSED 126
#define PKEXEC_REFUSED 127

struct _PenRecorderClient {
  GObject parent_instance;

  PenRecordingStage stage;
  GSubprocess *recorder;
  GSubprocess *command; /* (nullable) */
  gboolean by_pkexec;
  int socket;
  guint source;
  int place;
  char *folder;
  char *made;         /* where it is made */
  char *path;         /* in its folder: a link, until it is moved */
  gboolean is_linked; /* or cannot be */
  gboolean has_ended; /* waits for the link */
  gint64 begun;
  GPtrArray *lacks;
  PenRecorderEnd end;
  GError *error;
};

G_DEFINE_FINAL_TYPE (PenRecorderClient, pen_recorder_client, G_TYPE_OBJECT)

enum { CHANGED, SIGNALS };
static guint signals[SIGNALS];

static void
set_stage (PenRecorderClient *self, PenRecordingStage stage)
{
  self->stage = stage;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
hang_up (PenRecorderClient *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->socket >= 0)
    close (self->socket);
  self->socket = -1;
}

/* One that waits ends when nobody lets it begin any more. */
static void
end_command (PenRecorderClient *self)
{
  if (self->command)
    g_subprocess_send_signal (self->command, SIGTERM);
  g_clear_object (&self->command);
}

/* @error: (transfer full) */
static void
fail (PenRecorderClient *self, GError *error)
{
  if (!pen_recorder_client_is_busy (self)) {
    g_error_free (error);
    return;
  }
  hang_up (self);
  end_command (self);
  self->error = error;
  set_stage (self, PEN_RECORDING_FAILED);
}

static void
fail_with (PenRecorderClient *self, GIOErrorEnum code, const char *words)
{
  fail (self, g_error_new_literal (G_IO_ERROR, code, words));
}

/* ---- to its folder ---- */

static void
on_moved (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (PenRecorderClient) self = PEN_RECORDER_CLIENT (object);
  GError *error = NULL;
  g_autofree char *path = pen_recorder_move_finish (result, &error);

  if (!path) {
    g_prefix_error (&error, _ ("The recording is in %s: "), self->made);
    fail (self, error);
    return;
  }
  set_stage (self, PEN_RECORDING_DONE);
}

static void
move (PenRecorderClient *self)
{
  self->has_ended = TRUE;
  if (self->is_linked)
    pen_recorder_move_async (g_object_ref (self), self->made, self->path, on_moved);
}

static void
on_linked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (PenRecorderClient) self = PEN_RECORDER_CLIENT (object);
  GError *error = NULL;

  self->path = pen_recorder_move_finish (result, &error);
  self->is_linked = self->path != NULL;
  if (!self->path) {
    g_prefix_error (&error, _ ("The recording is in %s: "), self->made);
    fail (self, error);
    return;
  }
  g_signal_emit (self, signals[CHANGED], 0);
  if (self->has_ended)
    move (self);
}

static void
finish (PenRecorderClient *self)
{
  if (self->begun == 0) {
    fail_with (self, G_IO_ERROR_FAILED, _ ("The recorder ended unexpectedly"));
    return;
  }
  hang_up (self);
  end_command (self);
  set_stage (self, PEN_RECORDING_MOVING);
  move (self);
}

/* ---- what the recorder says ---- */

static void
take_place (PenRecorderClient *self, int descriptor)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", descriptor);
  g_autofree char *directory = g_file_read_link (link, NULL);

  if (self->place >= 0)
    close (self->place);
  self->place = descriptor;
  g_free (self->made);
  self->made = directory ? g_build_filename (directory, "perf.data", NULL) : NULL;
}

static void
begin (PenRecorderClient *self)
{
  GOutputStream *go = self->command ? g_subprocess_get_stdin_pipe (self->command) : NULL;

  if (!self->made || self->begun > 0) {
    fail_with (self, G_IO_ERROR_FAILED, _ ("The recorder did not say where it records"));
    return;
  }
  self->begun = g_get_monotonic_time ();
  pen_recorder_link_async (g_object_ref (self), self->made, self->folder, on_linked);
  if (go)
    g_output_stream_write (go, "go\n", 3, NULL, NULL);
  set_stage (self, PEN_RECORDING_RUNNING);
}

static void
take_failure (PenRecorderClient *self, PenRecorderFailure failure, const char *text)
{
  g_autofree char *said = NULL;

  switch (failure) {
  case PEN_RECORDER_BUSY:
    fail_with (self, G_IO_ERROR_BUSY,
               _ ("Another recording is in progress on this machine. Wait until it ends"));
    break;
  case PEN_RECORDER_NO_SPACE:
    fail_with (self, G_IO_ERROR_NO_SPACE,
               _ ("Less than 512 MiB are free in /var/tmp. Remove files there"));
    break;
  case PEN_RECORDER_REFUSED:
  case PEN_RECORDER_BROKEN:
  default:
    said = pen_display_text (text);
    fail_with (self, G_IO_ERROR_FAILED, said);
    break;
  }
}

static void
take_message (PenRecorderClient *self, const PenRecorderMessage *message, gsize length)
{
  g_autofree char *text
      = g_utf8_make_valid (message->text, (gssize) (length - PEN_RECORDER_MESSAGE_MIN));

  switch (message->kind) {
  case PEN_RECORDER_PLACE:
    set_stage (self, PEN_RECORDING_PREPARING);
    break;
  case PEN_RECORDER_BEGUN:
    begin (self);
    break;
  case PEN_RECORDER_LACK:
    if (message->value <= PEN_LACK_PATCHES && self->lacks->len < LINES_MAX)
      pen_record_lacks_add (self->lacks, message->value, text);
    break;
  case PEN_RECORDER_DONE:
    self->end = message->value;
    finish (self);
    break;
  case PEN_RECORDER_FAILED:
    take_failure (self, message->value, text);
    break;
  case PEN_RECORDER_LINE:
  default:
    break;
  }
}

/* Returns: FALSE: nothing more will come, or nothing now */
static gboolean
receive (PenRecorderClient *self)
{
  PenRecorderMessage message;
  struct iovec piece = { &message, sizeof message };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct msghdr received = { .msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes };
  gssize n = recvmsg (self->socket, &received, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  const struct cmsghdr *with_it = n > 0 ? CMSG_FIRSTHDR (&received) : NULL;
  int descriptor;

  /* ECONNRESET comes once, when the recorder ended before it read all that was sent, and before
   * what it said. */
  if (n < (gssize) PEN_RECORDER_MESSAGE_MIN)
    return n < 0 && (errno == EINTR || errno == ECONNRESET);
  if (with_it && with_it->cmsg_type == SCM_RIGHTS
      && with_it->cmsg_len == CMSG_LEN (sizeof descriptor)) {
    memcpy (&descriptor, CMSG_DATA (with_it), sizeof descriptor);
    take_place (self, descriptor);
  }
  take_message (self, &message, (gsize) n);
  return self->socket >= 0;
}

static gboolean
on_readable (int descriptor, GIOCondition condition, gpointer data)
{
  PenRecorderClient *self = data;
  g_autoptr (PenRecorderClient) held = g_object_ref (self);

  while (receive (self))
    ;
  if (self->socket < 0)
    return G_SOURCE_REMOVE;
  if ((condition & G_IO_HUP) == 0)
    return G_SOURCE_CONTINUE;
  self->source = 0;
  return G_SOURCE_REMOVE;
}

static const char *
describe_exit (PenRecorderClient *self)
{
  int status = g_subprocess_get_if_exited (self->recorder)
                   ? g_subprocess_get_exit_status (self->recorder)
                   : -1;

  if (self->by_pkexec && status == PKEXEC_DISMISSED)
    return NULL;
  if (self->by_pkexec && status == PKEXEC_REFUSED)
    return _ ("Not authorized to record. Ask an administrator, or record without administrator "
              "rights");
  return _ ("The recorder ended unexpectedly");
}

static void
on_ended (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (PenRecorderClient) self = data;
  const char *words;

  g_subprocess_wait_finish (self->recorder, result, NULL);
  while (self->socket >= 0 && receive (self))
    ;
  if (self->stage >= PEN_RECORDING_MOVING)
    return;
  if (self->begun > 0) {
    g_autofree char *kept = pen_display_text (self->made);
    g_autofree char *text
        = g_strdup_printf (_ ("The recorder ended unexpectedly. What was recorded is in %s"), kept);

    fail_with (self, G_IO_ERROR_FAILED, text);
    return;
  }
  words = describe_exit (self);
  fail_with (self, words ? G_IO_ERROR_FAILED : G_IO_ERROR_CANCELLED,
             words ? words : _ ("Recording cancelled"));
}

/* ---- start ---- */

/* A shell becomes the command once it may begin. */
static gboolean
start_command (PenRecorderClient *self, char **command, GError **error)
{
  static const char become[] = "read -r go || exit 125; exec \"$@\" </dev/null";
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  g_autofree char *found = g_find_program_in_path (command[0]);

  if (!found) {
    g_autofree char *shown = pen_display_text (command[0]);

    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no command “%s”"), shown);
    return FALSE;
  }
  g_strv_builder_add_many (words, "/bin/sh", "-c", become, "pentimento", NULL);
  g_strv_builder_addv (words, (const char **) command);
  argv = g_strv_builder_end (words);
  g_subprocess_launcher_set_cwd (launcher, g_get_home_dir ());
  self->command = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, error);
  return self->command != NULL;
}

static gboolean
start_recorder (PenRecorderClient *self, const PenRecorderRequest *request, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *program = pen_helper_find (PEN_RECORDER_PROGRAM);
  const char *argv[] = { "pkexec", "--disable-internal-agent", program, NULL };
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
    return FALSE;
  }
  self->socket = ends[0];
  g_subprocess_launcher_take_stdin_fd (launcher, ends[1]);
  /* Before it starts: one that ends at once says why by its status. */
  if (send (self->socket, request, sizeof *request, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
    return FALSE;
  }
  self->recorder
      = g_subprocess_launcher_spawnv (launcher, self->by_pkexec ? argv : argv + 2, error);
  return self->recorder != NULL;
}

static gboolean
start (PenRecorderClient *self, PenRecorderRequest *request, char **command, GError **error)
{
  if (request->target == PEN_RECORDER_COMMAND) {
    if (!start_command (self, command, error))
      return FALSE;
    request->pid = (gint32) g_ascii_strtoll (g_subprocess_get_identifier (self->command), NULL, 10);
  }
  if (!start_recorder (self, request, error))
    return FALSE;
  self->source = g_unix_fd_add (self->socket, G_IO_IN | G_IO_HUP, on_readable, self);
  g_subprocess_wait_async (self->recorder, NULL, on_ended, g_object_ref (self));
  return TRUE;
}

/* Who made it hears of it. */
static gboolean
fail_later (gpointer data)
{
  g_autoptr (PenRecorderClient) self = data;

  fail (self, g_steal_pointer (&self->error));
  return G_SOURCE_REMOVE;
}

PenRecorderClient *
pen_recorder_client_new (const PenRecorderRequest *request, char **command,
                         gboolean as_administrator, const char *folder)
{
  PenRecorderClient *self = g_object_new (PEN_TYPE_RECORDER_CLIENT, NULL);
  PenRecorderRequest asked = *request;

  self->by_pkexec = as_administrator;
  self->folder = g_strdup (folder);
  if (!start (self, &asked, command, &self->error))
    g_idle_add (fail_later, g_object_ref (self));
  return self;
}

void
pen_recorder_client_stop (PenRecorderClient *self)
{
  if (self->stage < PEN_RECORDING_RUNNING) {
    fail_with (self, G_IO_ERROR_CANCELLED, _ ("Recording cancelled"));
  } else if (self->stage == PEN_RECORDING_RUNNING) {
    send (self->socket, "stop", 4, MSG_DONTWAIT | MSG_NOSIGNAL);
    set_stage (self, PEN_RECORDING_FINISHING);
  }
}

/* ---- */

PenRecordingStage
pen_recorder_client_get_stage (PenRecorderClient *self)
{
  return self->stage;
}

gboolean
pen_recorder_client_is_busy (PenRecorderClient *self)
{
  return self->stage < PEN_RECORDING_DONE;
}

const char *
pen_recorder_client_get_path (PenRecorderClient *self)
{
  return self->path;
}

const GError *
pen_recorder_client_get_error (PenRecorderClient *self)
{
  return self->error;
}

const GPtrArray *
pen_recorder_client_get_lacks (PenRecorderClient *self)
{
  return self->lacks;
}

PenRecorderEnd
pen_recorder_client_get_end (PenRecorderClient *self)
{
  return self->end;
}

gint64
pen_recorder_client_get_elapsed (PenRecorderClient *self)
{
  return self->begun > 0 ? g_get_monotonic_time () - self->begun : 0;
}

gboolean
pen_recorder_client_can_ask (void)
{
  g_autofree char *found = geteuid () != 0 ? g_find_program_in_path ("pkexec") : NULL;

  return found != NULL;
}

static void
pen_recorder_client_finalize (GObject *object)
{
  PenRecorderClient *self = PEN_RECORDER_CLIENT (object);

  hang_up (self);
  end_command (self);
  g_clear_object (&self->recorder);
  if (self->place >= 0)
    close (self->place);
  g_free (self->folder);
  g_free (self->made);
  g_free (self->path);
  g_ptr_array_unref (self->lacks);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (pen_recorder_client_parent_class)->finalize (object);
}

static void
pen_recorder_client_class_init (PenRecorderClientClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_recorder_client_finalize;
  signals[CHANGED] = g_signal_new ("changed", PEN_TYPE_RECORDER_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
pen_recorder_client_init (PenRecorderClient *self)
{
  self->socket = self->place = -1;
  self->lacks = pen_record_lacks_new ();
}
