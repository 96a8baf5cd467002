/* pen-test-capture-private.h: what the builder has put together for the writer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-bytes.h"
#include "pen-test-capture.h"

G_BEGIN_DECLS

/* Feature bits, as documented in the kernel's tools/perf (perf.data-file-format.txt). */
enum {
  TEST_FEATURE_BUILD_ID = 2,
  TEST_FEATURE_HOSTNAME = 3,
  TEST_FEATURE_OSRELEASE = 4,
  TEST_FEATURE_ARCH = 6,
  TEST_FEATURE_NRCPUS = 7,
  TEST_FEATURE_TOTAL_MEM = 10,
  TEST_FEATURE_CMDLINE = 11,
  TEST_FEATURE_EVENT_DESC = 12,
  TEST_FEATURE_CLOCKID = 23,
  TEST_FEATURE_DIR_FORMAT = 24,
  TEST_FEATURE_BPF_PROG_INFO = 25,
  TEST_FEATURE_BPF_BTF = 26,
  TEST_FEATURE_COMPRESSED = 27,
  TEST_FEATURE_CLOCK_DATA = 29,
  TEST_FEATURES = 64,
};

/*
 * TestRecord:
 * @body: all after the header
 * @payload: follows the record without being part of it; usually NULL
 * @is_timed: of the kernel, as opposed to the recorder's own
 * @may_inflate: of the types that the kernel inflates
 */
typedef struct {
  guint32 type;
  guint16 misc;
  guint32 cpu;
  gboolean is_timed;
  gboolean may_inflate;
  guint trailer_size;
  PenTestBytes *body;
  PenTestBytes *payload;
} TestRecord;

typedef struct {
  PenTestEvent event;
  char *name;
} TestEvent;

typedef struct {
  char *name;
  GBytes *bytes;
} TestFile;

typedef struct {
  guint64 address;
  GBytes *bytes;
} TestSegment;

struct _PenTestCapture {
  GPtrArray *events;   /* TestEvent */
  GPtrArray *records;  /* TestRecord */
  GPtrArray *files;    /* TestFile */
  GPtrArray *segments; /* TestSegment */
  PenTestBytes *features[TEST_FEATURES];
  PenTestBytes *bpf_programs;
  guint32 n_bpf_programs;
  PenTestBytes *btf;
  guint32 n_btf;

  guint64 time;
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  guint event;
  gboolean is_recorder;
  GBytes *payload; /* or NULL */
};

/* A perf_event_attr. */
void pen_test_capture_put_attr (PenTestBytes *bytes, const PenTestEvent *event);

/* The body of a SAMPLE. */
void pen_test_capture_put_sample (PenTestCapture *self, PenTestBytes *bytes, guint64 address,
                                  guint64 period, const guint64 *callchain, guint length);

/* Puts the trailer of the current event; returns its size. */
guint pen_test_capture_put_trailer (PenTestCapture *self, PenTestBytes *bytes);

/* An ELF core with all segments. */
GBytes *pen_test_capture_make_kcore (PenTestCapture *self);

G_END_DECLS
