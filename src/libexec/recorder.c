/* recorder.c: pentimento-recorder: records for a user who may not record
 *
 * usage: pentimento-recorder, with a socket as standard input: see pen-recorder-talk.h. Started by
 * the window, through pkexec; it runs as its caller, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pen-clean-start.h"
#include "pen-record-error.h"
#include "pen-recorder-place.h"
#include "pen-recorder-talk.h"
#include "pen-recorder-watch.h"
#include "pen-recording.h"

/* Root's: nobody else can hold the lock. */
#define LOCK "/run/pentimento-recorder.lock"

/* On a disk, and left alone by a restart. */
#define PARENT "/var/tmp"
#define OUTPUT "perf.data"

#define REQUEST_MS 10000
#define SEND_MS 5000

typedef struct {
  PenCaller caller;
  PenRecorderRequest request;
  PenRecorderPlace *place;
  PenRecorderWatch *watch;
} Recorder;

/* ---- messages ---- */

/* A caller that reads nothing is not waited for, but for a while for what matters.
 * @directory: a descriptor that goes along, or -1 */
static void
tell (const Recorder *self, PenRecorderMessageKind kind, guint32 value, const char *text,
      int directory)
{
  PenRecorderMessage message = { .kind = kind, .value = value };
  gsize length = text ? MIN (strlen (text), sizeof message.text) : 0;
  struct iovec piece = { &message, PEN_RECORDER_MESSAGE_MIN + length };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct msghdr sent = { .msg_iov = &piece, .msg_iovlen = 1 };
  struct pollfd polled = { .fd = self->caller.socket, .events = POLLOUT };

  if (length > 0)
    memcpy (message.text, text, length);
  if (directory >= 0) {
    sent.msg_control = control.bytes;
    sent.msg_controllen = sizeof control.bytes;
    control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN (sizeof (int)),
                                       .cmsg_level = SOL_SOCKET,
                                       .cmsg_type = SCM_RIGHTS };
    memcpy (CMSG_DATA (&control.header), &directory, sizeof directory);
  }
  while (sendmsg (self->caller.socket, &sent, MSG_DONTWAIT | MSG_NOSIGNAL) < 0
         && (errno == EINTR || (errno == EAGAIN && kind != PEN_RECORDER_LINE))) {
    if (errno == EAGAIN && poll (&polled, 1, SEND_MS) == 0)
      return;
  }
}

static int
fail (const Recorder *self, PenRecorderFailure failure, const char *why)
{
  tell (self, PEN_RECORDER_FAILED, failure, why, -1);
  return 1;
}

static void
tell_begun (const PenRecordPlan *plan G_GNUC_UNUSED, gpointer user_data)
{
  Recorder *self = user_data;

  pen_recorder_place_show (self->place);
  pen_recorder_watch_begin (self->watch);
  tell (self, PEN_RECORDER_BEGUN, 0, NULL, -1);
}

static void
tell_line (const char *line, gpointer user_data)
{
  tell (user_data, PEN_RECORDER_LINE, 0, line, -1);
}

static void
tell_lacks (const Recorder *self, const GPtrArray *lacks)
{
  for (guint i = 0; i < lacks->len; i++) {
    const PenRecordLack *lack = lacks->pdata[i];

    tell (self, PEN_RECORDER_LACK, lack->kind, lack->detail, -1);
  }
}

/* ---- before ---- */

static gboolean
receive_request (Recorder *self, GError **error)
{
  /* One byte more shows what is too long. */
  guint8 bytes[sizeof (PenRecorderRequest) + 1];
  struct pollfd polled = { .fd = self->caller.socket, .events = POLLIN };
  gssize n = -1;

  if (poll (&polled, 1, REQUEST_MS) == 1)
    n = recv (self->caller.socket, bytes, sizeof bytes, MSG_DONTWAIT);
  return pen_recorder_request_read (bytes, n > 0 ? (gsize) n : 0, &self->request, error);
}

/* Kept until the process ends, and perf, too, which has it for its standard input and may outlive
 * us: until then its directory is not handed over. */
static gboolean
lock (void)
{
  int file;

  if (geteuid () != 0)
    return TRUE;
  file = open (LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  return file >= 0 && flock (file, LOCK_EX | LOCK_NB) == 0
         && dup2 (file, STDIN_FILENO) == STDIN_FILENO;
}

static int
open_process (const PenRecorderRequest *request)
{
  return request->target == PEN_RECORDER_SYSTEM ? -1
                                                : (int) syscall (SYS_pidfd_open, request->pid, 0);
}

/* Returns: (transfer full) (nullable): NULL with PenRecordProbe.witness_problem, or if unwanted */
static PenWitness *
load_witness (const Recorder *self, PenRecordProbe *probe)
{
  g_autoptr (GError) wrong = NULL;
  PenWitness *witness = self->request.has_witness ? pen_witness_load (FALSE, &wrong) : NULL;

  if (wrong)
    probe->witness_problem = g_strdup (wrong->message);
  return witness;
}

/* ---- all ---- */

static PenRecorded *
run (Recorder *self, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) words = pen_recorder_request_make_words (&self->request);
  /* Copies of what was seen would be kept for root. */
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) perf_words = NULL;
  const PenRecordingFuncs funcs = { .begun = tell_begun, .message = tell_line, .user_data = self };
  g_autoptr (PenRecordProbe) probe = pen_record_probe_new ();
  g_autoptr (PenWitness) witness = load_witness (self, probe);
  g_autoptr (PenRecordPlan) plan = NULL;
  PenRecordWishes wishes = { .output = OUTPUT, .has_no_witness = !self->request.has_witness };

  g_strv_builder_addv (all, (const char **) words);
  g_strv_builder_add (all, "-N");
  perf_words = g_strv_builder_end (all);
  wishes.perf_words = perf_words;
  plan = pen_record_plan_new (&wishes, probe, error);
  return plan ? pen_recording_run (plan, witness, &funcs, cancellable, error) : NULL;
}

static int
record (Recorder *self, int process)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenRecorded) recorded = NULL;
  PenRecorderEnd end;

  self->watch = pen_recorder_watch_new (self->caller.socket, process, self->place,
                                        self->request.seconds, cancellable);
  recorded = run (self, cancellable, &error);
  end = pen_recorder_watch_free (self->watch);
  if (!recorded) {
    pen_recorder_place_remove (self->place);
    return fail (self, end == PEN_RECORDER_FULL ? PEN_RECORDER_NO_SPACE : PEN_RECORDER_BROKEN,
                 error->message);
  }
  pen_recorder_place_hand_over (self->place);
  tell_lacks (self, recorded->lacks);
  tell (self, PEN_RECORDER_DONE, end, NULL, -1);
  return 0;
}

int
main (void)
{
  Recorder self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenRecorderPlace) place = NULL;
  int process;

  if (!pen_clean_start (&self.caller))
    return 2;
  if (!receive_request (&self, &error))
    return fail (&self, PEN_RECORDER_REFUSED, error->message);
  process = open_process (&self.request);
  if (self.request.target != PEN_RECORDER_SYSTEM && process < 0)
    return fail (&self, PEN_RECORDER_BROKEN, g_strerror (errno));
  if (!lock ())
    return fail (&self, PEN_RECORDER_BUSY, NULL);
  pen_recorder_place_hand_over_left (PARENT);
  place = pen_recorder_place_new (PARENT, self.caller.uid, self.caller.gid, &error);
  if (!place)
    return fail (&self, PEN_RECORDER_BROKEN, error->message);
  self.place = place;
  if (!pen_recorder_place_has_space (place)) {
    pen_recorder_place_remove (place);
    return fail (&self, PEN_RECORDER_NO_SPACE, NULL);
  }
  tell (&self, PEN_RECORDER_PLACE, 0, NULL, pen_recorder_place_get_directory (place));
  return record (&self, process);
}
