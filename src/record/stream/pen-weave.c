/* pen-weave.c
 *
 * tools/perf/util/header.h and event.h have the layouts: struct perf_pipe_file_header, and records
 * that are followed by bytes which are not in their size.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-weave.h"

#include <linux/perf_event.h>
#include <string.h>

#define MAGIC "PERFILE2"

typedef struct {
  char magic[8];
  guint64 size;
} StreamHeader;

enum {
  RECORD_TRACING_DATA = 66,
  RECORD_FINISHED_ROUND = 68,
  RECORD_AUXTRACE = 71,
};

typedef enum {
  AT_START,
  AT_EVENTS, /* no event, or not the last, has been described */
  AT_RECORDS,
  AT_PLAIN, /* nothing is added any more */
} Place;

/*
 * @rest: the beginning of a record that is not whole
 * @n_more: bytes that follow a record and are none
 */
struct _PenWeave {
  PenWeaveFuncs funcs;
  Place place;
  gboolean has_attr;
  gboolean has_events;
  GByteArray *rest;
  guint64 n_more;
};

PenWeave *
pen_weave_new (const PenWeaveFuncs *funcs)
{
  PenWeave *self = g_new0 (PenWeave, 1);

  self->funcs = *funcs;
  self->rest = g_byte_array_new ();
  return self;
}

void
pen_weave_free (PenWeave *self)
{
  if (!self)
    return;
  g_byte_array_unref (self->rest);
  g_free (self);
}

static gboolean
has_identifier (const guint8 *record, gsize size)
{
  guint64 sample_type;
  gsize at
      = sizeof (struct perf_event_header) + G_STRUCT_OFFSET (struct perf_event_attr, sample_type);

  if (size < at + sizeof sample_type)
    return FALSE;
  memcpy (&sample_type, record + at, sizeof sample_type);
  return (sample_type & PERF_SAMPLE_IDENTIFIER) != 0;
}

/* Before this record. */
static void
add (PenWeave *self, const guint8 *record, const struct perf_event_header *header, GByteArray *to)
{
  if (self->place == AT_EVENTS && header->type == PEN_WEAVE_HEADER_ATTR) {
    self->has_attr = TRUE;
    if (!has_identifier (record, header->size))
      self->place = AT_PLAIN;
  } else if (self->place == AT_EVENTS && self->has_attr) {
    self->funcs.add_events (to, self->funcs.user_data);
    self->has_events = TRUE;
    self->place = AT_RECORDS;
  }
  if (self->place == AT_RECORDS && header->type == RECORD_FINISHED_ROUND)
    self->funcs.add_records (to, self->funcs.user_data);
}

/* Bytes after a record that its size leaves out. */
static guint64
count_more (const guint8 *record, const struct perf_event_header *header)
{
  guint32 n_tracing;
  guint64 n_trace;
  gsize size = sizeof *header;

  if (header->type == RECORD_TRACING_DATA && header->size >= size + sizeof n_tracing) {
    memcpy (&n_tracing, record + size, sizeof n_tracing);
    return ((guint64) n_tracing + 7) & ~(guint64) 7;
  }
  if (header->type == RECORD_AUXTRACE && header->size >= size + sizeof n_trace) {
    memcpy (&n_trace, record + size, sizeof n_trace);
    return n_trace;
  }
  return 0;
}

/* Returns: bytes of a whole record, or of what it is followed by; 0: it is not whole */
static gsize
take (PenWeave *self, const guint8 *bytes, gsize n, GByteArray *to)
{
  struct perf_event_header header;
  StreamHeader start;

  if (self->place == AT_PLAIN)
    return n;
  if (self->n_more > 0) {
    n = (gsize) MIN (n, self->n_more);
    self->n_more -= n;
    return n;
  }
  if (self->place == AT_START) {
    if (n < sizeof start)
      return 0;
    memcpy (&start, bytes, sizeof start);
    self->place = memcmp (start.magic, MAGIC, sizeof start.magic) == 0 && start.size == sizeof start
                      ? AT_EVENTS
                      : AT_PLAIN;
    return sizeof start;
  }
  if (n < sizeof header)
    return 0;
  memcpy (&header, bytes, sizeof header);
  if (header.size < sizeof header) {
    self->place = AT_PLAIN;
    return n;
  }
  if (n < header.size)
    return 0;
  add (self, bytes, &header, to);
  self->n_more = count_more (bytes, &header);
  return header.size;
}

void
pen_weave_feed (PenWeave *self, const guint8 *bytes, gsize n, GByteArray *to)
{
  gsize at = 0;

  g_byte_array_append (self->rest, bytes, (guint) n);
  while (at < self->rest->len) {
    gsize taken = take (self, self->rest->data + at, self->rest->len - at, to);

    if (taken == 0)
      break;
    g_byte_array_append (to, self->rest->data + at, (guint) taken);
    at += taken;
  }
  g_byte_array_remove_range (self->rest, 0, (guint) at);
}

void
pen_weave_add_records (PenWeave *self, GByteArray *to)
{
  if (self->place == AT_RECORDS && self->n_more == 0)
    self->funcs.add_records (to, self->funcs.user_data);
}

void
pen_weave_end (PenWeave *self, GByteArray *to)
{
  if (self->rest->len == 0)
    pen_weave_add_records (self, to);
  g_byte_array_append (to, self->rest->data, self->rest->len);
  g_byte_array_set_size (self->rest, 0);
}

gboolean
pen_weave_is_plain (const PenWeave *self)
{
  return self->place == AT_PLAIN;
}

gboolean
pen_weave_has_events (const PenWeave *self)
{
  return self->has_events;
}
