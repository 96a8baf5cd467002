/* pen-test-stream.h: captures that come from elsewhere than a plain file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-reader.h"
#include "pen-test-fixture.h"

G_BEGIN_DECLS

/* Writes to a FIFO or a pipe as another process would: in pieces of odd sizes, and not at once. */
typedef struct {
  const char *fifo; /* NULL: @fd is open */
  int fd;
  const guint8 *bytes;
  gsize length;
  guint delay_us;
  GThread *thread;
} StreamWriter;

void stream_writer_start (StreamWriter *self);

typedef struct {
  const char *name;
  PenTestCaptureFlags flags;
  const char *shape;
  gboolean is_streamed;
} StreamShape;

#define STREAM_SHAPES 8
#define STREAM_SHAPE_PIPE 0
#define STREAM_SHAPE_FILE 4
extern const StreamShape stream_shapes[STREAM_SHAPES];

/* Temporary files of the reader go into the fixture's directory. */
void stream_set_up (Fixture *fixture, gconstpointer data);
void stream_tear_down (Fixture *fixture, gconstpointer data);

char *stream_make_fifo (Fixture *fixture);

/* Writes pen_test_make_everything(); returns what pen_test_read_lines() gives for the plain file.
 */
GPtrArray *stream_write_expected (Fixture *fixture, const StreamShape *shape, char **bytes,
                                  gsize *length);

/* Reads the capture to its end, and a second time where that can be done. */
void stream_check (PenReader *reader, const StreamShape *shape, GPtrArray *expected, gsize length);

G_END_DECLS
