/* test-weave.c: records that are put into a stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-weave.h"

#include <linux/perf_event.h>
#include <string.h>

enum { HEADER_ATTR = 64, TRACING_DATA = 66, FINISHED_ROUND = 68, AUXTRACE = 71, ADDED = 200 };

/* @n: records that wait to be added */
typedef struct {
  guint n;
  guint n_added;
} Source;

static void
append (GByteArray *to, guint32 type, const void *body, gsize n)
{
  struct perf_event_header header = { .type = type, .size = (guint16) (sizeof header + n) };

  g_byte_array_append (to, (const guint8 *) &header, sizeof header);
  g_byte_array_append (to, body, (guint) n);
}

static void
append_start (GByteArray *to)
{
  const guint64 size = 16;

  g_byte_array_append (to, (const guint8 *) "PERFILE2", 8);
  g_byte_array_append (to, (const guint8 *) &size, sizeof size);
}

static void
append_attr (GByteArray *to, gboolean has_identifier)
{
  const struct perf_event_attr attr = {
    .size = sizeof attr,
    .sample_type = PERF_SAMPLE_TIME | (has_identifier ? PERF_SAMPLE_IDENTIFIER : 0),
  };

  append (to, HEADER_ATTR, &attr, sizeof attr);
}

static void
append_sample (GByteArray *to, guint64 number)
{
  append (to, PERF_RECORD_SAMPLE, &number, sizeof number);
}

static void
append_round (GByteArray *to)
{
  append (to, FINISHED_ROUND, "", 0);
}

static void
add_events (GByteArray *to, gpointer user_data G_GNUC_UNUSED)
{
  append (to, HEADER_ATTR, "another", 8);
}

static void
add_records (GByteArray *to, gpointer user_data)
{
  Source *source = user_data;

  for (; source->n > 0; source->n--, source->n_added++)
    append (to, ADDED, &source->n, sizeof source->n);
}

static GByteArray *
weave (const GByteArray *stream, gsize piece, Source *source, gboolean *has_events)
{
  const PenWeaveFuncs funcs
      = { .add_events = add_events, .add_records = add_records, .user_data = source };
  g_autoptr (PenWeave) self = pen_weave_new (&funcs);
  GByteArray *to = g_byte_array_new ();

  for (gsize at = 0; at < stream->len; at += piece)
    pen_weave_feed (self, stream->data + at, MIN (piece, stream->len - at), to);
  pen_weave_end (self, to);
  *has_events = pen_weave_has_events (self);
  return to;
}

static void
assert_bytes (const GByteArray *bytes, const GByteArray *wanted)
{
  g_assert_cmpmem (bytes->data, bytes->len, wanted->data, wanted->len);
}

/* ---- */

/* However it is cut: events after perf's own, records before the next round and at the end; what
 * follows a record without being in its size is no record, though it may look like one. */
static void
test_places (void)
{
  g_autoptr (GByteArray) stream = g_byte_array_new ();
  g_autoptr (GByteArray) wanted = g_byte_array_new ();
  g_autoptr (GByteArray) hidden = g_byte_array_new ();
  GByteArray *both[] = { stream, wanted };
  const guint32 n_tracing = 13;
  const guint64 n_trace = 24;
  const guint one = 1, two = 2, three = 3;

  append_round (hidden);
  append_round (hidden);
  append_round (hidden);
  for (guint i = 0; i < G_N_ELEMENTS (both); i++) {
    append_start (both[i]);
    append (both[i], 80, "feature", 8);
    append_attr (both[i], TRUE);
    append_attr (both[i], TRUE);
    if (i == 1)
      append (wanted, HEADER_ATTR, "another", 8);
    append (both[i], TRACING_DATA, &n_tracing, sizeof n_tracing);
    g_byte_array_append (both[i], hidden->data, 16);
    append_sample (both[i], 1);
    append (both[i], AUXTRACE, &n_trace, sizeof n_trace);
    g_byte_array_append (both[i], hidden->data, (guint) n_trace);
    append_sample (both[i], 2);
    if (i == 1) {
      append (wanted, ADDED, &three, sizeof three);
      append (wanted, ADDED, &two, sizeof two);
      append (wanted, ADDED, &one, sizeof one);
    }
    append_round (both[i]);
    append_sample (both[i], 3);
    append_round (both[i]);
  }
  for (gsize piece = 1; piece <= stream->len; piece++) {
    Source source = { .n = 3 };
    gboolean has_events;
    g_autoptr (GByteArray) woven = weave (stream, piece, &source, &has_events);

    g_assert_true (has_events);
    assert_bytes (woven, wanted);
  }
}

static void
test_end (void)
{
  g_autoptr (GByteArray) stream = g_byte_array_new ();
  g_autoptr (GByteArray) woven = NULL;
  Source source = { .n = 2 };
  gboolean has_events;

  append_start (stream);
  append_attr (stream, TRUE);
  append_sample (stream, 1);
  woven = weave (stream, 7, &source, &has_events);
  g_assert_true (has_events);
  g_assert_cmpuint (source.n_added, ==, 2);
  g_assert_cmpmem (woven->data, 16, stream->data, 16);
  g_assert_cmpuint (woven->len, ==, stream->len + 16 + 2 * 12);

  /* A stream that was cut ends as it did: a record would be taken for the rest of its last one. */
  source = (Source){ .n = 2 };
  g_byte_array_unref (g_steal_pointer (&woven));
  g_byte_array_set_size (stream, stream->len - 3);
  woven = weave (stream, 7, &source, &has_events);
  g_assert_cmpuint (source.n_added, ==, 0);
  g_assert_cmpuint (woven->len, ==, stream->len + (has_events ? 16 : 0));
}

/* Records that wait go on at once where there are too many: between records. */
static void
test_now (void)
{
  Source source = { 0 };
  const PenWeaveFuncs funcs
      = { .add_events = add_events, .add_records = add_records, .user_data = &source };
  g_autoptr (PenWeave) self = pen_weave_new (&funcs);
  g_autoptr (GByteArray) stream = g_byte_array_new ();
  g_autoptr (GByteArray) to = g_byte_array_new ();
  const guint64 n_trace = 24;

  source.n = 2;
  pen_weave_add_records (self, to);
  g_assert_cmpuint (source.n, ==, 2);
  append_start (stream);
  append_attr (stream, TRUE);
  append_sample (stream, 1);
  pen_weave_feed (self, stream->data, stream->len, to);
  pen_weave_add_records (self, to);
  g_assert_cmpuint (source.n, ==, 0);
  g_assert_false (pen_weave_is_plain (self));
  g_byte_array_set_size (stream, 0);
  append (stream, AUXTRACE, &n_trace, sizeof n_trace);
  pen_weave_feed (self, stream->data, stream->len, to);
  source.n = 2;
  pen_weave_add_records (self, to);
  g_assert_cmpuint (source.n, ==, 2);
}

/* ---- what is left alone ---- */

static void
check_plain (const GByteArray *stream)
{
  for (gsize piece = 1; piece <= stream->len; piece += 5) {
    Source source = { .n = 2 };
    gboolean has_events;
    g_autoptr (GByteArray) woven = weave (stream, piece, &source, &has_events);

    g_assert_false (has_events);
    g_assert_cmpuint (source.n_added, ==, 0);
    assert_bytes (woven, stream);
  }
}

static void
test_told (void)
{
  const PenWeaveFuncs funcs = { .add_events = add_events, .add_records = add_records };
  g_autoptr (PenWeave) self = pen_weave_new (&funcs);
  g_autoptr (GByteArray) stream = g_byte_array_new ();
  g_autoptr (GByteArray) to = g_byte_array_new ();

  append_start (stream);
  append_attr (stream, FALSE);
  pen_weave_feed (self, stream->data, stream->len, to);
  g_assert_true (pen_weave_is_plain (self));
}

static void
test_plain (void)
{
  g_autoptr (GByteArray) stream = g_byte_array_new ();
  const struct perf_event_header bad = { .type = PERF_RECORD_SAMPLE, .size = 3 };

  /* Nobody could tell whose records they are. */
  append_start (stream);
  append_attr (stream, TRUE);
  append_attr (stream, FALSE);
  append_sample (stream, 1);
  append_round (stream);
  check_plain (stream);

  g_byte_array_set_size (stream, 0);
  append_start (stream);
  append (stream, HEADER_ATTR, "a short", 8);
  append_round (stream);
  check_plain (stream);

  /* It describes no events. */
  g_byte_array_set_size (stream, 0);
  append_start (stream);
  append_sample (stream, 1);
  append_round (stream);
  check_plain (stream);

  g_byte_array_set_size (stream, 0);
  append_start (stream);
  stream->data[0] = 'p';
  append_attr (stream, TRUE);
  append_round (stream);
  check_plain (stream);

  g_byte_array_set_size (stream, 0);
  append_start (stream);
  g_byte_array_append (stream, (const guint8 *) &bad, sizeof bad);
  append_attr (stream, TRUE);
  append_round (stream);
  check_plain (stream);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/weave/places", test_places);
  g_test_add_func ("/record/weave/end", test_end);
  g_test_add_func ("/record/weave/now", test_now);
  g_test_add_func ("/record/weave/plain", test_plain);
  g_test_add_func ("/record/weave/told", test_told);
  return g_test_run ();
}
