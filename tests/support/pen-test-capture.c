/* pen-test-capture.c: makes captures whose contents a test knows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-capture.h"

#include <string.h>

#include "pen-test-capture-private.h"

enum {
  TYPE_MMAP = 1,
  TYPE_LOST = 2,
  TYPE_COMM = 3,
  TYPE_EXIT = 4,
  TYPE_THROTTLE = 5,
  TYPE_UNTHROTTLE = 6,
  TYPE_FORK = 7,
  TYPE_SAMPLE = 9,
  TYPE_MMAP2 = 10,
  TYPE_LOST_SAMPLES = 13,
  TYPE_KSYMBOL = 17,
  TYPE_BPF_EVENT = 18,
  TYPE_TEXT_POKE = 20,
  TYPE_FIRST_OF_RECORDER = 64,
  TYPE_FINISHED_ROUND = 68,
  TYPE_AUXTRACE = 71,
};

static void
event_free (gpointer data)
{
  TestEvent *event = data;

  g_free (event->name);
  g_free (event);
}

static void
record_free (gpointer data)
{
  TestRecord *record = data;

  pen_test_bytes_free (record->body);
  g_clear_pointer (&record->payload, pen_test_bytes_free);
  g_free (record);
}

static void
file_free (gpointer data)
{
  TestFile *file = data;

  g_free (file->name);
  g_bytes_unref (file->bytes);
  g_free (file);
}

static void
segment_free (gpointer data)
{
  TestSegment *segment = data;

  g_bytes_unref (segment->bytes);
  g_free (segment);
}

PenTestCapture *
pen_test_capture_new (void)
{
  PenTestCapture *self = g_new0 (PenTestCapture, 1);

  self->events = g_ptr_array_new_with_free_func (event_free);
  self->records = g_ptr_array_new_with_free_func (record_free);
  self->files = g_ptr_array_new_with_free_func (file_free);
  self->segments = g_ptr_array_new_with_free_func (segment_free);
  self->bpf_programs = pen_test_bytes_new ();
  self->btf = pen_test_bytes_new ();
  self->is_recorder = TRUE;
  pen_test_capture_set_text (self, TEST_FEATURE_HOSTNAME, "testhost");
  return self;
}

void
pen_test_capture_free (PenTestCapture *self)
{
  g_ptr_array_unref (self->events);
  g_ptr_array_unref (self->records);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->segments);
  for (guint i = 0; i < TEST_FEATURES; i++)
    g_clear_pointer (&self->features[i], pen_test_bytes_free);
  pen_test_bytes_free (self->bpf_programs);
  pen_test_bytes_free (self->btf);
  g_clear_pointer (&self->payload, g_bytes_unref);
  g_free (self);
}

guint
pen_test_capture_add_event (PenTestCapture *self, const PenTestEvent *event)
{
  TestEvent *holder = g_new0 (TestEvent, 1);

  g_assert_cmpuint (self->records->len, ==, 0);
  holder->event = *event;
  holder->name = g_strdup (event->name);
  g_ptr_array_add (self->events, holder);
  return self->events->len - 1;
}

void
pen_test_capture_at (PenTestCapture *self, guint64 time, gint32 pid, gint32 tid, guint32 cpu)
{
  self->time = time;
  self->pid = pid;
  self->tid = tid;
  self->cpu = cpu;
  self->is_recorder = FALSE;
}

void
pen_test_capture_as_recorder (PenTestCapture *self)
{
  self->time = 0;
  self->pid = self->tid = 0;
  self->cpu = 0;
  self->is_recorder = TRUE;
}

void
pen_test_capture_from (PenTestCapture *self, guint event)
{
  g_assert_cmpuint (event, <, self->events->len);
  self->event = event;
}

static TestRecord *
add_record (PenTestCapture *self, guint32 type, guint16 misc)
{
  TestRecord *record = g_new0 (TestRecord, 1);

  record->type = type;
  record->misc = misc;
  record->cpu = self->cpu;
  record->is_timed = !self->is_recorder && type < TYPE_FIRST_OF_RECORDER;
  record->may_inflate = type == TYPE_KSYMBOL || type == TYPE_BPF_EVENT || type == TYPE_TEXT_POKE;
  record->body = pen_test_bytes_new ();
  g_ptr_array_add (self->records, record);
  return record;
}

static void
end_record (PenTestCapture *self, TestRecord *record)
{
  g_assert_cmpuint (self->events->len, >, 0);
  record->trailer_size = pen_test_capture_put_trailer (self, record->body);
}

static void
put_ids (PenTestBytes *bytes, gint32 first, gint32 second)
{
  pen_test_bytes_u32 (bytes, (guint32) first);
  pen_test_bytes_u32 (bytes, (guint32) second);
}

void
pen_test_capture_add_mmap (PenTestCapture *self, guint16 misc, gint32 pid, gint32 tid,
                           guint64 start, guint64 length, guint64 file_offset, const char *name)
{
  TestRecord *record = add_record (self, TYPE_MMAP, misc);

  put_ids (record->body, pid, tid);
  pen_test_bytes_u64 (record->body, start);
  pen_test_bytes_u64 (record->body, length);
  pen_test_bytes_u64 (record->body, file_offset);
  pen_test_bytes_name (record->body, name, 8);
  end_record (self, record);
}

void
pen_test_capture_add_mmap2 (PenTestCapture *self, guint16 misc, gint32 pid, gint32 tid,
                            guint64 start, guint64 length, guint64 file_offset, guint32 prot,
                            guint32 flags, const guint8 *build_id, const char *name)
{
  TestRecord *record = add_record (self, TYPE_MMAP2, misc | (build_id ? 1u << 14 : 0));

  put_ids (record->body, pid, tid);
  pen_test_bytes_u64 (record->body, start);
  pen_test_bytes_u64 (record->body, length);
  pen_test_bytes_u64 (record->body, file_offset);
  if (build_id) {
    pen_test_bytes_raw (record->body, "\x14\0\0\0", 4);
    pen_test_bytes_raw (record->body, build_id, 20);
  } else {
    pen_test_bytes_u32 (record->body, 0xfe);
    pen_test_bytes_u32 (record->body, 1);
    pen_test_bytes_u64 (record->body, 4095);
    pen_test_bytes_u64 (record->body, 0);
  }
  pen_test_bytes_u32 (record->body, prot);
  pen_test_bytes_u32 (record->body, flags);
  pen_test_bytes_name (record->body, name, 8);
  end_record (self, record);
}

void
pen_test_capture_add_comm (PenTestCapture *self, gint32 pid, gint32 tid, gboolean is_exec,
                           const char *comm)
{
  TestRecord *record = add_record (self, TYPE_COMM, is_exec ? 1u << 13 : 0);

  put_ids (record->body, pid, tid);
  pen_test_bytes_name (record->body, comm, 8);
  end_record (self, record);
}

static void
add_task (PenTestCapture *self, guint32 type, guint16 misc, gint32 pid, gint32 ppid, gint32 tid,
          gint32 ptid)
{
  TestRecord *record = add_record (self, type, misc);

  put_ids (record->body, pid, ppid);
  put_ids (record->body, tid, ptid);
  pen_test_bytes_u64 (record->body, self->time);
  end_record (self, record);
}

void
pen_test_capture_add_fork (PenTestCapture *self, guint16 misc, gint32 pid, gint32 ppid, gint32 tid,
                           gint32 ptid)
{
  add_task (self, TYPE_FORK, misc, pid, ppid, tid, ptid);
}

void
pen_test_capture_add_exit (PenTestCapture *self, gint32 pid, gint32 ppid, gint32 tid, gint32 ptid)
{
  add_task (self, TYPE_EXIT, 0, pid, ppid, tid, ptid);
}

void
pen_test_capture_add_ksymbol (PenTestCapture *self, guint64 address, guint32 length, guint16 type,
                              guint16 flags, const char *name)
{
  TestRecord *record = add_record (self, TYPE_KSYMBOL, 0);

  pen_test_bytes_u64 (record->body, address);
  pen_test_bytes_u32 (record->body, length);
  pen_test_bytes_u16 (record->body, type);
  pen_test_bytes_u16 (record->body, flags);
  pen_test_bytes_name (record->body, name, 8);
  end_record (self, record);
}

void
pen_test_capture_add_bpf_event (PenTestCapture *self, guint16 type, guint32 id, const guint8 tag[8])
{
  TestRecord *record = add_record (self, TYPE_BPF_EVENT, 0);

  pen_test_bytes_u16 (record->body, type);
  pen_test_bytes_u16 (record->body, 0);
  pen_test_bytes_u32 (record->body, id);
  pen_test_bytes_raw (record->body, tag, 8);
  end_record (self, record);
}

void
pen_test_capture_add_text_poke (PenTestCapture *self, guint64 address, const guint8 *old_bytes,
                                guint16 old_length, const guint8 *new_bytes, guint16 new_length)
{
  TestRecord *record = add_record (self, TYPE_TEXT_POKE, PEN_TEST_KERNEL);
  guint used = 4u + old_length + new_length;

  pen_test_bytes_u64 (record->body, address);
  pen_test_bytes_u16 (record->body, old_length);
  pen_test_bytes_u16 (record->body, new_length);
  pen_test_bytes_raw (record->body, old_bytes, old_length);
  pen_test_bytes_raw (record->body, new_bytes, new_length);
  pen_test_bytes_zeros (record->body, (8 - used % 8) % 8);
  end_record (self, record);
}

void
pen_test_capture_add_lost (PenTestCapture *self, guint64 id, guint64 lost)
{
  TestRecord *record = add_record (self, TYPE_LOST, 0);

  pen_test_bytes_u64 (record->body, id);
  pen_test_bytes_u64 (record->body, lost);
  end_record (self, record);
}

void
pen_test_capture_add_lost_samples (PenTestCapture *self, guint16 misc, guint64 lost)
{
  TestRecord *record = add_record (self, TYPE_LOST_SAMPLES, misc);

  pen_test_bytes_u64 (record->body, lost);
  end_record (self, record);
}

void
pen_test_capture_add_throttle (PenTestCapture *self, gboolean unthrottle)
{
  TestRecord *record = add_record (self, unthrottle ? TYPE_UNTHROTTLE : TYPE_THROTTLE, 0);
  guint64 id = pen_test_capture_get_id (self->event, self->cpu);

  pen_test_bytes_u64 (record->body, self->time);
  pen_test_bytes_u64 (record->body, id);
  pen_test_bytes_u64 (record->body, id + 500);
  end_record (self, record);
}

void
pen_test_capture_add_mark (PenTestCapture *self, guint32 type)
{
  add_record (self, type, 0);
}

void
pen_test_capture_add_finished_round (PenTestCapture *self)
{
  pen_test_capture_add_mark (self, TYPE_FINISHED_ROUND);
}

void
pen_test_capture_set_payload (PenTestCapture *self, gconstpointer data, gsize length)
{
  g_clear_pointer (&self->payload, g_bytes_unref);
  if (data)
    self->payload = g_bytes_new (data, length);
}

void
pen_test_capture_add_sample (PenTestCapture *self, guint16 misc, guint64 address, guint64 period)
{
  pen_test_capture_add_sample_with_callchain (self, misc, address, period, NULL, 0);
}

void
pen_test_capture_add_sample_with_callchain (PenTestCapture *self, guint16 misc, guint64 address,
                                            guint64 period, const guint64 *callchain, guint length)
{
  TestRecord *record = add_record (self, TYPE_SAMPLE, misc);

  pen_test_capture_put_sample (self, record->body, address, period, callchain, length);
}

void
pen_test_capture_add_raw (PenTestCapture *self, guint32 type, guint16 misc, gconstpointer body,
                          gsize length, gboolean with_trailer)
{
  TestRecord *record = add_record (self, type, misc);

  pen_test_bytes_raw (record->body, body, length);
  if (with_trailer)
    end_record (self, record);
}

void
pen_test_capture_add_bytes (PenTestCapture *self, guint32 type, guint16 misc, PenTestBytes *body,
                            PenTestBytes *payload, gboolean with_trailer)
{
  TestRecord *record = add_record (self, type, misc);

  pen_test_bytes_append (record->body, body);
  pen_test_bytes_free (body);
  record->payload = payload;
  if (with_trailer)
    end_record (self, record);
}

void
pen_test_capture_add_auxtrace (PenTestCapture *self, guint64 size)
{
  TestRecord *record = add_record (self, TYPE_AUXTRACE, 0);

  pen_test_bytes_u64 (record->body, size);
  pen_test_bytes_zeros (record->body, 32);
  record->payload = pen_test_bytes_new ();
  for (guint64 i = 0; i < size; i++)
    pen_test_bytes_raw (record->payload, "\x99", 1);
}

void
pen_test_capture_add_kcore_file (PenTestCapture *self, const char *name, gconstpointer data,
                                 gsize length)
{
  g_autofree char *path = g_build_filename ("kcore_dir", name, NULL);

  pen_test_capture_add_file (self, path, data, length);
}

void
pen_test_capture_add_file (PenTestCapture *self, const char *name, gconstpointer data, gsize length)
{
  TestFile *file = g_new0 (TestFile, 1);

  file->name = g_strdup (name);
  file->bytes = g_bytes_new (data, length);
  g_ptr_array_add (self->files, file);
}

void
pen_test_capture_add_kcore_segment (PenTestCapture *self, guint64 address, const guint8 *bytes,
                                    gsize length)
{
  TestSegment *segment = g_new0 (TestSegment, 1);

  segment->address = address;
  segment->bytes = g_bytes_new (bytes, length);
  g_ptr_array_add (self->segments, segment);
}
