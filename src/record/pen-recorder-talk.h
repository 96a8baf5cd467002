/* pen-recorder-talk.h: what a caller and pentimento-recorder, which may run as root, say to each
 * other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-record-plan.h"

G_BEGIN_DECLS

/*
 * The recorder's standard input is one end of a pair of sockets (AF_UNIX, SOCK_SEQPACKET) that its
 * caller made. The caller sends one PenRecorderRequest; anything more, or the end of its socket,
 * ends the recording; ECONNRESET can come before the last messages then. The recorder sends
 * PenRecorderMessages, each with its text. Numbers are in the machine's byte order. Nothing that is
 * sent is a path, an option or a command.
 */

#define PEN_RECORDER_PROGRAM "pentimento-recorder"
#define PEN_RECORDER_MAGIC 0x52545750u /* "PWTR" */

#define PEN_RECORDER_RATE_MAX 100000u
#define PEN_RECORDER_SECONDS_MAX (7u * 24 * 60 * 60)

typedef enum {
  PEN_RECORDER_SYSTEM,  /* all CPUs */
  PEN_RECORDER_PROCESS, /* one process and what it starts; it is the end when that ends */
  PEN_RECORDER_COMMAND, /* all CPUs, until that process ends: a command, which its caller started */
  PEN_RECORDER_TARGETS,
} PenRecorderTarget;

typedef enum {
  PEN_RECORDER_DEFAULT_EVENT, /* cycles, or a clock where there are none */
  PEN_RECORDER_CYCLES,
  PEN_RECORDER_CPU_CLOCK,
  PEN_RECORDER_INSTRUCTIONS,
  PEN_RECORDER_CACHE_MISSES,
  PEN_RECORDER_BRANCH_MISSES,
  PEN_RECORDER_PAGE_FAULTS,
  PEN_RECORDER_SWITCHES,
  PEN_RECORDER_EVENTS,
} PenRecorderEvent;

typedef enum {
  PEN_RECORDER_NO_CHAINS,
  PEN_RECORDER_FRAME_POINTERS,
  PEN_RECORDER_DWARF,
  PEN_RECORDER_LBR,
  PEN_RECORDER_CHAINS,
} PenRecorderChains;

/*
 * PenRecorderRequest:
 * @magic: PEN_RECORDER_MAGIC
 * @target, @event, @chains: PenRecorderTarget, PenRecorderEvent, PenRecorderChains
 * @has_witness: 0 or 1
 * @pid: of a process or a command; else 0
 * @rate: samples per second
 * @seconds: 0: until it is stopped
 */
typedef struct {
  guint32 magic;
  guint32 target;
  guint32 event;
  guint32 chains;
  guint32 has_witness;
  gint32 pid;
  guint32 rate;
  guint32 seconds;
} PenRecorderRequest;

G_STATIC_ASSERT (sizeof (PenRecorderRequest) == 32);

/* Returns: FALSE with PEN_RECORD_ERROR_USAGE: not a request as it must be */
gboolean pen_recorder_request_read (const guint8 *bytes, gsize length, PenRecorderRequest *request,
                                    GError **error);

/*
 * pen_recorder_request_make_words:
 * @request: as pen_recorder_request_read() lets it pass
 *
 * Returns: (transfer full) (array zero-terminated=1): options of perf record
 */
char **pen_recorder_request_make_words (const PenRecorderRequest *request);

/*
 * pen_recorder_request_make_perf_words:
 * @request: as above
 * @has_modules: the kernel can have any; else perf would refuse their events
 *
 * All that perf record can do of what a plan would ask it for, where this program cannot look what
 * there is. The rate is a term of the event: as -F it would leave out most loads of modules.
 *
 * Returns: (transfer full) (array zero-terminated=1): options of perf record
 */
char **pen_recorder_request_make_perf_words (const PenRecorderRequest *request,
                                             gboolean has_modules);

/*
 * PenRecorderMessageKind: in their order, and FAILED instead of any of them
 * PEN_RECORDER_PLACE: with a descriptor of the directory that the recording, perf.data, is made in;
 *   the caller can read it once it begins, and owns it when it is done
 * PEN_RECORDER_BEGUN: the events are enabled
 * PEN_RECORDER_LINE: text: of perf's standard error; some may be left out
 * PEN_RECORDER_LACK: value: PenLackKind, text: its detail
 * PEN_RECORDER_DONE: value: PenRecorderEnd
 * PEN_RECORDER_FAILED: value: PenRecorderFailure, text: why. Nothing is recorded
 */
typedef enum {
  PEN_RECORDER_PLACE = 1,
  PEN_RECORDER_BEGUN,
  PEN_RECORDER_LINE,
  PEN_RECORDER_LACK,
  PEN_RECORDER_DONE,
  PEN_RECORDER_FAILED,
} PenRecorderMessageKind;

typedef enum {
  PEN_RECORDER_STOPPED, /* by the caller, or because it is gone */
  PEN_RECORDER_TIME,    /* the seconds are over */
  PEN_RECORDER_GONE,    /* the process or command has ended */
  PEN_RECORDER_FULL,    /* little space is left on the disk */
  PEN_RECORDER_PERF,    /* perf ended by itself */
} PenRecorderEnd;

typedef enum {
  PEN_RECORDER_REFUSED,  /* the request, or who sent it */
  PEN_RECORDER_BUSY,     /* another recording is made */
  PEN_RECORDER_NO_SPACE, /* on the disk */
  PEN_RECORDER_BROKEN,   /* perf cannot be started, or ended before it began */
} PenRecorderFailure;

#define PEN_RECORDER_TEXT_MAX 4096u

typedef struct {
  guint32 kind;
  guint32 value;
  char text[PEN_RECORDER_TEXT_MAX]; /* sent as far as it goes, without its end */
} PenRecorderMessage;

#define PEN_RECORDER_MESSAGE_MIN (2 * sizeof (guint32))

G_END_DECLS
