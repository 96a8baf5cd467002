/* test-event-ids.c: ids of events in a header that may be anything
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-event-ids.h"

#include <glib/gstdio.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#define HEADER_SIZE 104u
#define ENTRY_SIZE (sizeof (struct perf_event_attr) + 16)
#define N_EVENTS 4u
#define N_CPUS 3u
#define IDS_AT (HEADER_SIZE + N_EVENTS * ENTRY_SIZE)
#define SIZE (IDS_AT + N_EVENTS * N_CPUS * 8)

static void
put (guint8 *bytes, gsize at, guint64 value)
{
  memcpy (bytes + at, &value, sizeof value);
}

/* Four events of three CPUs: one of the profile, both of the witness, and one that is only marked.
 */
static guint8 *
make_file (void)
{
  static const struct {
    guint32 type;
    guint64 config;
    guint64 mark;
  } events[N_EVENTS] = {
    { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0 },
    { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PEN_EVENT_MARK },
    { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, PEN_EVENT_MARK },
    { PERF_TYPE_HARDWARE, PERF_COUNT_SW_CPU_CLOCK, PEN_EVENT_MARK },
  };
  guint8 *bytes = g_malloc0 (SIZE);

  memcpy (bytes, "PERFILE2", 8);
  put (bytes, 8, HEADER_SIZE);
  put (bytes, 16, ENTRY_SIZE);
  put (bytes, 24, HEADER_SIZE);
  put (bytes, 32, N_EVENTS * ENTRY_SIZE);
  for (guint i = 0; i < N_EVENTS; i++) {
    gsize at = HEADER_SIZE + i * ENTRY_SIZE;
    struct perf_event_attr attr = { .type = events[i].type, .size = sizeof attr };

    attr.config = events[i].config;
    attr.config1 = events[i].mark;
    memcpy (bytes + at, &attr, sizeof attr);
    put (bytes, at + sizeof attr, IDS_AT + i * N_CPUS * 8);
    put (bytes, at + sizeof attr + 8, N_CPUS * 8);
    /* The ids of later CPUs are smaller. */
    for (guint cpu = 0; cpu < N_CPUS; cpu++)
      put (bytes, IDS_AT + (i * N_CPUS + cpu) * 8, (N_EVENTS - i) * 100 - cpu);
  }
  return bytes;
}

static GArray *
read_bytes (const guint8 *bytes, gsize size, GError **error)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("pen-ids-XXXXXX", &path, NULL);
  GArray *ids;

  g_assert_cmpint (file, >=, 0);
  g_unlink (path);
  g_assert_cmpint (write (file, bytes, size), ==, (gssize) size);
  ids = pen_event_ids_read (file, error);
  close (file);
  g_assert_true (!ids == !!*error);
  return ids;
}

static void
test_found (void)
{
  g_autofree guint8 *bytes = make_file ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = read_bytes (bytes, SIZE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pen_event_ids_count (ids, PEN_EVENT_LOOK), ==, N_CPUS);
  g_assert_cmpuint (pen_event_ids_count (ids, PEN_EVENT_OUTPUT), ==, N_CPUS);
  for (guint cpu = 0; cpu < N_CPUS; cpu++) {
    const PenEventId *look = pen_event_ids_find (ids, 300 - cpu);
    const PenEventId *output = pen_event_ids_find (ids, 200 - cpu);

    g_assert_cmpint (look->role, ==, PEN_EVENT_LOOK);
    g_assert_cmpint (output->role, ==, PEN_EVENT_OUTPUT);
    g_assert_cmpuint (look->index, ==, cpu);
    g_assert_cmpuint (output->index, ==, cpu);
    g_assert_null (pen_event_ids_find (ids, 400 - cpu));
    g_assert_null (pen_event_ids_find (ids, 100 - cpu));
  }
}

static void
test_cut_off (void)
{
  g_autofree guint8 *bytes = make_file ();

  /* The last ids are of an event that is not read. */
  for (gsize size = 0; size < SIZE - N_CPUS * 8; size += 7) {
    g_autoptr (GError) error = NULL;

    g_assert_null (read_bytes (bytes, size, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  }
}

/* Each number of header and entries as anything: an error, or ids that are in the file. */
static void
test_hostile_numbers (void)
{
  static const guint64 values[]
      = { 0,          1,    7,           15,         16,          63,       80,
          4096,       4104, G_MAXUINT32, G_MAXINT64, G_MAXUINT64, 1u << 20, G_MAXUINT64 - 7,
          HEADER_SIZE };

  for (gsize at = 0; at < IDS_AT; at += 8) {
    for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
      g_autofree guint8 *bytes = make_file ();
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) ids = NULL;

      put (bytes, at, values[i]);
      ids = read_bytes (bytes, SIZE, &error);
      g_assert_true (!ids || ids->len <= SIZE / 8);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/event-ids/found", test_found);
  g_test_add_func ("/record/event-ids/cut-off", test_cut_off);
  g_test_add_func ("/record/event-ids/hostile-numbers", test_hostile_numbers);
  return g_test_run ();
}
