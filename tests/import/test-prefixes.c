/* test-prefixes.c: captures that were cut off anywhere: rows are never wrong, only fewer
 *
 * A prefix of a file holds the first records of its stream. Its samples must be those of the whole
 * capture that stand among these records, in the same order and with the same recorded facts. What
 * was found out about them (kind, occupant, revision, symbol, comm) must be the same, too, unless
 * a record behind the cut has a say in it: one that is earlier in time than the sample (buffers of
 * several CPUs are written one after the other), or an unregister whose register was never seen
 * (rule K4). Which records these are is decided here from the records alone, generously, and the
 * test fails if that excuses more than a few rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "import-fixture.h"
#include "pen-reader.h"
#include "pen-store-buckets.h"
#include "pen-store-functions.h"
#include "pen-store-samples.h"
#include "test-share.h"

/* How far a ksymbol or a map has a say: more than any trampoline or program is long. */
#define REACH 0x10000

#define DEFAULT_CUTS TEST_SHARE (100, 24)

typedef struct {
  guint64 time;
  guint64 position;
} Place;

/* A record that has a say in what is found out about samples. */
typedef struct {
  Place place;
  guint64 start;
  guint64 end;
  gboolean is_kernel;
  gboolean is_unregister;
  gint32 pid; /* of a process's change */
  gint32 tid; /* whose comm it may change; -1: nobody's */
} Change;

typedef struct {
  guint8 has;
  int event;
  guint64 time;
  guint32 cpu;
  gint32 pid;
  gint32 tid;
  const char *comm;
  gboolean has_address;
  guint64 address;
  guint64 period;
  PenKind kind;
  const char *occupant;
  guint32 revision;
  const char *symbol;
} Row;

typedef struct {
  PenStore *store; /* owns the rows' strings */
  GArray *rows;
} Rows;

typedef struct {
  GArray *samples;     /* Place, by time */
  GArray *changes;     /* Change, by position */
  GHashTable *parents; /* task → the task that forked it */
  guint64 last_position;
} Stream;

typedef struct {
  guint64 compared;
  guint64 excused;
  guint imports;
  guint refused;
} Tally;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *left = a;
  const Place *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return (left->position > right->position) - (left->position < right->position);
}

static void
stream_clear (Stream *self)
{
  g_clear_pointer (&self->samples, g_array_unref);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->parents, g_hash_table_unref);
}

static void
rows_clear (Rows *self)
{
  g_clear_object (&self->store);
  g_clear_pointer (&self->rows, g_array_unref);
}

/* FALSE: has no say in any row. */
static gboolean
describe_change (const PenRecord *record, Change *change)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    change->is_kernel
        = record->map.pid == -1 || pen_record_get_cpumode (record) == PEN_CPUMODE_KERNEL;
    change->start = record->map.start;
    change->end = record->map.start + record->map.length;
    change->pid = record->map.pid;
    change->tid = -1;
    return TRUE;
  case PEN_RECORD_KSYMBOL:
    change->is_kernel = TRUE;
    change->is_unregister = (record->ksymbol.flags & PEN_KSYMBOL_UNREGISTER) != 0;
    change->start = record->ksymbol.address;
    change->end = record->ksymbol.address + MAX (record->ksymbol.length, REACH);
    return TRUE;
  case PEN_RECORD_TEXT_POKE:
    change->is_kernel = TRUE;
    change->start = record->text_poke.address;
    change->end = record->text_poke.address
                  + MAX (record->text_poke.old_length, record->text_poke.new_length);
    return TRUE;
  case PEN_RECORD_COMM:
    change->pid = record->comm.pid;
    change->tid = record->comm.tid;
    return TRUE;
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    change->pid = record->task.pid;
    change->tid = record->task.tid;
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
read_stream (const char *path, Stream *stream)
{
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, NULL);
  PenRecord record;

  if (!reader)
    return FALSE;

  stream->samples = g_array_new (FALSE, FALSE, sizeof (Place));
  stream->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  stream->parents = g_hash_table_new (NULL, NULL);
  while (pen_reader_next (reader, &record, NULL, NULL)) {
    guint64 time = (record.has & PEN_HAS_TIME) != 0 ? record.time : 0;
    Place place = { pen_moment (time, 0).time, record.position };
    Change change = { .place = place };

    stream->last_position = record.position;
    if (record.type == PEN_RECORD_SAMPLE)
      g_array_append_val (stream->samples, place);
    else if (describe_change (&record, &change))
      g_array_append_val (stream->changes, change);
    if (record.type == PEN_RECORD_FORK)
      g_hash_table_insert (stream->parents, GINT_TO_POINTER (record.task.tid),
                           GINT_TO_POINTER (record.task.ptid));
  }
  g_array_sort (stream->samples, compare_places);
  return TRUE;
}

static void
add_rows (Rows *self, const PenSampleBlock *block)
{
  guint n;
  const PenBucket *buckets = pen_store_get_buckets (self->store, &n, NULL);
  const PenFunction *functions = pen_store_get_functions (self->store, &n, NULL);
  const PenThread *threads = pen_store_get_threads (self->store, &n, NULL);

  for (guint i = 0; i < block->n; i++) {
    const PenBucket *bucket = &buckets[block->bucket[i]];
    const PenFunction *function = &functions[bucket->function];
    const PenThread *thread = &threads[block->thread[i]];
    Row row = {
      .has = block->has[i],
      .event = bucket->event,
      .time = block->time[i],
      .cpu = block->cpu[i],
      .pid = thread->pid,
      .tid = thread->tid,
      .comm = thread->comm,
      .has_address = bucket->has_address,
      .address = bucket->address,
      .period = block->period[i],
      .kind = bucket->kind,
      .occupant = function->occupant,
      .revision = bucket->revision,
      .symbol = function->symbol,
    };

    g_array_append_val (self->rows, row);
  }
}

/* FALSE: the capture was refused, with a message. */
static gboolean
import_rows (const char *capture, const char *path, Rows *self)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GError) error = NULL;
  /* With its end a capture loses what it tells of files; names are not the question here. */
  g_autofree char *directory = g_path_get_dirname (path);
  const PenSources sources = { .symfs = directory };
  guint n;

  if (!pen_import (capture, path, &sources, NULL, NULL, NULL, &error)) {
    g_assert_nonnull (error);
    g_assert_cmpuint (strlen (error->message), >, 10);
    g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    return FALSE;
  }

  self->store = pen_store_open (path, &error);
  g_assert_no_error (error);
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  pen_store_get_blocks (self->store, &n);
  for (guint i = 0; i < n; i++) {
    pen_store_read_block (self->store, i, block, &error);
    g_assert_no_error (error);
    add_rows (self, block);
  }
  return TRUE;
}

/* Changes behind @position that are not later than @last, or reach back. */
static GArray *
list_late_changes (const Stream *whole, guint64 position, guint64 last)
{
  GArray *late = g_array_new (FALSE, FALSE, sizeof (Change));

  for (guint i = whole->changes->len; i > 0; i--) {
    const Change *change = &g_array_index (whole->changes, Change, i - 1);

    if (change->place.position <= position)
      break;
    if (change->place.time <= last || change->is_unregister)
      g_array_append_vals (late, change, 1);
  }
  return late;
}

/* Is @task @descendant, or one that it stems from? It has its name and its maps from there. */
static gboolean
is_ancestor (GHashTable *parents, gint32 task, gint32 descendant)
{
  /* Ids are used again: they may go round in a circle. */
  for (guint i = 0; i < 64 && descendant != 0; i++) {
    if (task == descendant)
      return TRUE;
    descendant = GPOINTER_TO_INT (g_hash_table_lookup (parents, GINT_TO_POINTER (descendant)));
  }
  return task == descendant;
}

/* May what held the address be another one, because of a record behind the cut? */
static gboolean
is_place_excused (const Row *row, GArray *late, GHashTable *parents)
{
  for (guint i = 0; i < late->len; i++) {
    const Change *change = &g_array_index (late, Change, i);
    gboolean has_a_say = change->is_kernel
                             ? change->start <= row->address && row->address < change->end
                             : is_ancestor (parents, change->pid, row->pid);

    if (has_a_say && (change->is_unregister || change->place.time <= row->time))
      return TRUE;
  }
  return FALSE;
}

/* May the name of the task be another one? */
static gboolean
is_comm_excused (const Row *row, GArray *late, GHashTable *parents)
{
  for (guint i = 0; i < late->len; i++) {
    const Change *change = &g_array_index (late, Change, i);

    if (!change->is_kernel && change->place.time <= row->time
        && is_ancestor (parents, change->tid, row->tid))
      return TRUE;
  }
  return FALSE;
}

static void
assert_same_facts (const Row *part, const Row *whole)
{
  g_assert_cmpuint (part->has, ==, whole->has);
  g_assert_cmpuint (part->time, ==, whole->time);
  g_assert_cmpint (part->event, ==, whole->event);
  g_assert_cmpuint (part->cpu, ==, whole->cpu);
  g_assert_cmpint (part->pid, ==, whole->pid);
  g_assert_cmpint (part->tid, ==, whole->tid);
  g_assert_cmpint (part->has_address, ==, whole->has_address);
  g_assert_cmphex (part->address, ==, whole->address);
  g_assert_cmpuint (part->period, ==, whole->period);
}

static void
assert_same_place (const Row *part, const Row *whole)
{
  g_assert_cmpstr (pen_kind_to_string (part->kind), ==, pen_kind_to_string (whole->kind));
  g_assert_cmpstr (part->occupant, ==, whole->occupant);
  g_assert_cmpuint (part->revision, ==, whole->revision);
  g_assert_cmpstr (part->symbol, ==, whole->symbol);
}

static void
compare (const Rows *part, const Rows *whole, const Stream *stream, guint64 position, Tally *tally)
{
  guint64 last
      = part->rows->len > 0 ? g_array_index (part->rows, Row, part->rows->len - 1).time : 0;
  g_autoptr (GArray) late = list_late_changes (stream, position, last);
  guint at = 0;

  for (guint i = 0; i < whole->rows->len; i++) {
    const Row *expected = &g_array_index (whole->rows, Row, i);
    const Row *row;

    if (g_array_index (stream->samples, Place, i).position > position)
      continue;
    g_assert_cmpuint (at, <, part->rows->len);
    row = &g_array_index (part->rows, Row, at++);
    assert_same_facts (row, expected);
    if (!is_comm_excused (row, late, stream->parents))
      g_assert_cmpstr (row->comm, ==, expected->comm);
    if (is_place_excused (row, late, stream->parents)) {
      tally->excused++;
    } else {
      assert_same_place (row, expected);
      tally->compared++;
    }
  }
  g_assert_cmpuint (at, ==, part->rows->len);
}

typedef struct {
  ImportFixture *fixture;
  char *data; /* the file that is cut */
  Rows whole;
  Stream stream;
  Tally tally;
} Cutter;

static void
try_prefix (Cutter *self, guint64 length)
{
  Rows part = { 0 };
  Stream stream = { 0 };
  gboolean ok;

  g_assert_cmpint (truncate (self->data, (off_t) length), ==, 0);
  self->tally.imports++;
  if (!import_rows (self->fixture->capture, self->fixture->store, &part)) {
    ok = read_stream (self->fixture->capture, &stream);
    g_assert_false (ok);
    self->tally.refused++;
    return;
  }

  ok = read_stream (self->fixture->capture, &stream);
  g_assert_true (ok);
  g_assert_cmpuint (part.rows->len, ==, stream.samples->len);
  compare (&part, &self->whole, &self->stream, stream.last_position, &self->tally);
  rows_clear (&part);
  stream_clear (&stream);
  g_unlink (self->fixture->store);
}

/* From the longest to the shortest, so that the file has only to be cut. */
static void
try_prefixes (Cutter *self, guint64 size)
{
  gboolean is_exhaustive = g_getenv ("PENTIMENTO_EXHAUSTIVE") != NULL;
  guint64 step = is_exhaustive ? 64 : size / DEFAULT_CUTS | 1;
  guint64 length = size - 1;

  for (; length > MAX (step, 8192); length -= step)
    try_prefix (self, length);
  length = MIN (length, 8192);
  for (step = is_exhaustive ? 1 : 8192 / DEFAULT_CUTS | 1;; length -= step) {
    try_prefix (self, length);
    if (length < step)
      break;
  }
  try_prefix (self, 0);
}

/* The capture @name, for cutting: its main file is a copy, the rest is linked. */
static guint64
copy_capture (Cutter *self, const char *name)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
  g_autofree char *inside = g_build_filename (source, "data", NULL);
  gboolean is_directory = g_file_test (source, G_FILE_TEST_IS_DIR);
  g_autofree char *bytes = NULL;
  GError *error = NULL;
  gsize size;

  g_file_get_contents (is_directory ? inside : source, &bytes, &size, &error);
  g_assert_no_error (error);
  if (is_directory) {
    g_autofree char *kcore_dir = g_build_filename (source, "kcore_dir", NULL);
    g_autofree char *link = g_build_filename (self->fixture->capture, "kcore_dir", NULL);

    g_assert_cmpint (g_mkdir (self->fixture->capture, 0700), ==, 0);
    g_assert_cmpint (symlink (kcore_dir, link), ==, 0);
    self->data = g_build_filename (self->fixture->capture, "data", NULL);
  } else {
    self->data = g_strdup (self->fixture->capture);
  }
  g_file_set_contents (self->data, bytes, (gssize) size, &error);
  g_assert_no_error (error);
  return size;
}

static void
test_capture (ImportFixture *fixture, gconstpointer name)
{
  Cutter cutter = { .fixture = fixture };
  guint64 size = copy_capture (&cutter, name);
  g_autofree char *whole = g_build_filename (fixture->directory, "whole.pentimento", NULL);
  Tally *tally = &cutter.tally;
  gboolean ok;

  ok = import_rows (fixture->capture, whole, &cutter.whole);
  g_assert_true (ok);
  ok = read_stream (fixture->capture, &cutter.stream);
  g_assert_true (ok);
  g_assert_cmpuint (cutter.whole.rows->len, ==, cutter.stream.samples->len);

  try_prefixes (&cutter, size);
  g_test_message ("%s: %u prefixes, of which %u refused; %" G_GUINT64_FORMAT
                  " rows the same, %" G_GUINT64_FORMAT " excused",
                  (const char *) name, tally->imports, tally->refused, tally->compared,
                  tally->excused);
  g_assert_cmpuint (tally->imports, >, tally->refused);
  g_assert_cmpuint (tally->compared, >, 0);
  g_assert_cmpuint (tally->excused, <=, tally->compared / 5);

  rows_clear (&cutter.whole);
  stream_clear (&cutter.stream);
  g_free (cutter.data);
}

int
main (int argc, char **argv)
{
  static const char *const names[] = {
    "a-jump-labels.data",  "a-pipe.data",       "b-ftrace.data",
    "c-kprobes.data",      "d-bpf.data",        "e-modules.data",
    "f-everything-z.data", "k7-c-kprobes.data", "k7-d-bpf.data",
  };

  /* Hundreds of stores, each of which is synced: in memory where that is possible. */
  if (!g_getenv ("TMPDIR") && g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_strconcat ("/import/prefixes/", names[i], NULL);

    g_test_add (path, ImportFixture, names[i], import_fixture_set_up, test_capture,
                import_fixture_tear_down);
  }
  return g_test_run ();
}
