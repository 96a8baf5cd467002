/* test-witness.c: readings of a witness against the text that is known (rules W1 to W3)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "import-fixture.h"
#include "pen-filter-term.h"
#include "pen-query-annotation.h"
#include "pen-query-causes.h"
#include "pen-query-changes.h"
#include "pen-query-samples.h"
#include "pen-query-text.h"
#include "pen-query-witness.h"
#include "pen-witness-count.h"

#define SIZE 0x1000u
#define CLOCK 0u
#define WITNESS 1u
#define DUMMY 2u
/* A site that is patched, and what stands around it. */
#define SITE (KERNEL + 0x110u)
#define PLAIN (KERNEL + 0x200u)
#define MS G_GUINT64_CONSTANT (1000000)

static const guint8 nop[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 jump[5] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };

typedef struct {
  ImportFixture base;
  PenTestCapture *capture;
  guint8 text[SIZE]; /* as it is now */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  static const char kallsyms[] = "ffffffff81000000 T _text\n"
                                 "ffffffff81000100 T f\n"
                                 "ffffffff81000180 T g\n"
                                 "ffffffff81000400 T _etext\n";
  PenTestEvent output = PEN_TEST_EVENT_CLOCK;
  PenTestEvent look = PEN_TEST_EVENT_CLOCK;

  import_fixture_set_up (&self->base, NULL);
  for (guint i = 0; i < SIZE; i++)
    self->text[i] = (guint8) (i * 7 | 1); /* no breakpoint */
  memcpy (self->text + (SITE - KERNEL), nop, sizeof nop);

  self->capture = pen_test_capture_new ();
  output.name = "anything";
  output.config = 10;
  output.sample_type |= 1 << 10;
  look.name = "look";
  pen_test_capture_add_event (self->capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (self->capture, &output);
  pen_test_capture_add_event (self->capture, &PEN_TEST_EVENT_DUMMY);
  if (data)
    pen_test_capture_add_event (self->capture, &look);
  pen_test_capture_add_kcore_file (self->capture, "kallsyms", kallsyms, strlen (kallsyms));
  pen_test_capture_add_kcore_segment (self->capture, KERNEL, self->text, sizeof self->text);
  pen_test_capture_set_arch (self->capture, "x86_64");
  pen_test_capture_as_recorder (self->capture);
  pen_test_capture_from (self->capture, DUMMY);
  pen_test_capture_add_mmap (self->capture, PEN_TEST_KERNEL, -1, 0, KERNEL, SIZE, KERNEL,
                             "[kernel.kallsyms]_text");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  pen_test_capture_free (self->capture);
  import_fixture_tear_down (&self->base, data);
}

/* ---- records ---- */

static void
sample (Fixture *self, guint64 time, guint32 cpu, guint64 address)
{
  pen_test_capture_from (self->capture, CLOCK);
  pen_test_capture_at (self->capture, time, 7, 7, cpu);
  pen_test_capture_add_sample (self->capture, PEN_TEST_KERNEL, address, 1);
}

static void
put (guint8 *to, guint64 value, guint n)
{
  for (guint i = 0; i < n; i++)
    to[i] = (guint8) (value >> (8 * i));
}

/* @size: of the payload; @length: bytes that are said to have been read */
static void
raw_reading (Fixture *self, guint64 time, guint32 cpu, guint64 address, const guint8 *bytes,
             guint size, guint length, guint flags)
{
  guint8 payload[128] = { 0 };
  guint64 start = address & ~(guint64) 31;

  put (payload, 0x54495750, 4);
  payload[4] = 1;
  payload[5] = (guint8) length;
  put (payload + 6, flags, 2);
  put (payload + 8, start, 8);
  put (payload + 16, address, 8);
  memcpy (payload + 24, bytes, 64);
  pen_test_capture_from (self->capture, WITNESS);
  pen_test_capture_at (self->capture, time, 7, 7, cpu);
  pen_test_capture_set_payload (self->capture, payload, size);
  pen_test_capture_add_sample (self->capture, PEN_TEST_KERNEL, address, 1);
  pen_test_capture_set_payload (self->capture, NULL, 0);
}

/* Of the text as it is now. */
static void
reading (Fixture *self, guint64 time, guint32 cpu, guint64 address)
{
  guint64 start = address & ~(guint64) 31;

  raw_reading (self, time, cpu, address, self->text + (start - KERNEL), 88, 64, 2);
}

static void
told (Fixture *self, guint64 time, guint64 address, guint8 byte)
{
  guint8 bytes[64];

  memset (bytes, byte, sizeof bytes);
  raw_reading (self, time, 0, address, bytes, 88, 64, 2);
}

static void
set_text (Fixture *self, guint64 address, const guint8 *bytes, guint n)
{
  memcpy (self->text + (address - KERNEL), bytes, n);
}

static void
poke (Fixture *self, guint64 time, const guint8 *old, const guint8 *new)
{
  pen_test_capture_from (self->capture, DUMMY);
  pen_test_capture_at (self->capture, time, 9, 9, 0);
  pen_test_capture_add_text_poke (self->capture, SITE, old, 5, new, 5);
}

/* ---- answers ---- */

static PenStore *
import (Fixture *self)
{
  import_fixture_import (&self->base, self->capture, PEN_TEST_CAPTURE_DIRECTORY);
  return import_fixture_open (&self->base);
}

static void
assert_answer (PenStore *store, const char *sql, const char *expected)
{
  g_autofree char *answer = import_fixture_ask (store, sql);

  g_assert_cmpstr (answer, ==, expected);
}

static void
assert_verdicts (PenStore *store, const char *expected)
{
  assert_answer (store,
                 "SELECT group_concat(verdict, ' ') FROM (SELECT verdict FROM reading"
                 " ORDER BY output)",
                 expected);
}

/* agree, differ, told, without a reading */
static void
assert_counts (PenStore *store, const char *expected)
{
  assert_answer (store,
                 "SELECT group_concat(value, ' ') FROM (SELECT value FROM capture WHERE key IN"
                 " ('witness_agree', 'witness_differ', 'witness_told', 'witness_unread')"
                 " ORDER BY key)",
                 expected);
}

typedef gboolean (*WriteFunc) (PenQuery *query, const PenFilter *filter, PenTableWriter *writer,
                               GError **error);

static char *
dump (PenStore *store, WriteFunc func, const char *event)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (PenFilter) filter = pen_filter_new ();
  GError *error = NULL;

  if (event)
    pen_filter_add_value (filter, PEN_FILTER_EVENT, event, &error);
  g_assert_no_error (error);
  func (query, filter, writer, &error);
  g_assert_no_error (error);
  g_output_stream_write (stream, "", 1, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (const char *at = text; *at; at++)
    n += *at == '\n';
  return n;
}

/* ---- tests ---- */

static void
test_verdicts (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 int3 = 0xcc;
  static const guint8 other[2] = { 0x48, 0x31 };
  g_autoptr (PenStore) store = NULL;
  g_autofree char *changes = NULL;

  reading (self, 1 * MS, 0, SITE);
  sample (self, 1 * MS, 0, SITE);
  poke (self, 100 * MS, nop, jump);
  /* The breakpoint before its record, and the new text before its record; then after it. */
  set_text (self, SITE, &int3, 1);
  reading (self, 90 * MS, 0, SITE);
  sample (self, 90 * MS, 0, SITE);
  set_text (self, SITE, jump, 5);
  reading (self, 95 * MS, 0, SITE);
  sample (self, 95 * MS, 0, SITE);
  reading (self, 101 * MS, 1, SITE + 2);
  sample (self, 101 * MS, 1, SITE + 2);
  /* Too far from the poke for its old text. */
  set_text (self, SITE, nop, 5);
  reading (self, 160 * MS, 0, SITE);
  sample (self, 160 * MS, 0, SITE);
  /* Still so, and then back: that is a change, too. */
  reading (self, 170 * MS, 0, SITE + 1);
  sample (self, 170 * MS, 0, SITE + 1);
  set_text (self, SITE, jump, 5);
  reading (self, 180 * MS, 0, SITE);
  sample (self, 180 * MS, 0, SITE);
  /* Where no poke ever came, also a breakpoint is one. */
  set_text (self, PLAIN + 3, &int3, 1);
  reading (self, 200 * MS, 0, PLAIN);
  sample (self, 200 * MS, 0, PLAIN);
  set_text (self, PLAIN + 3, other, 2);
  reading (self, 210 * MS, 0, PLAIN);
  sample (self, 210 * MS, 0, PLAIN);
  told (self, 220 * MS, 0xffffffffa0000040, 0x90);
  sample (self, 220 * MS, 0, 0xffffffffa0000040);

  store = import (self);
  assert_verdicts (store, "agrees int3 band agrees unannounced unannounced agrees unannounced "
                          "unannounced told");
  assert_counts (store, "3 6 1 0");
  assert_answer (store, "SELECT '' || count(*) FROM sample", "10");
  assert_answer (store, "SELECT '' || sum(samples) FROM bucket", "10");
  assert_answer (store, "SELECT '' || sum(samples) FROM function", "10");
  assert_answer (store, "SELECT value FROM capture WHERE key = 'samples'", "10");
  assert_answer (store, "SELECT '' || count(*) FROM output WHERE is_witness", "10");
  /* Each points to its poke. */
  assert_answer (store,
                 "SELECT group_concat(cause, ' ') FROM (SELECT p.cause FROM reading r JOIN"
                 " text_poke p ON p.id = r.poke ORDER BY r.output)",
                 "static-key static-key unannounced unannounced unannounced unannounced");
  assert_answer (store,
                 "SELECT group_concat((time / 1000000) || ':' || hex(old) || '>' || hex(new), ' ')"
                 " FROM change WHERE cause = 'unannounced' AND evidence = 'witnessed'",
                 "160:E91000>0F1F44 180:0F1F44>E91000 200:15>CC 210:CC1D>4831");
  g_assert_cmpuint (pen_witness_count_load (store).unannounced, ==, 4);
  g_assert_cmpuint (pen_witness_count_load (store).unheld, ==, 0);
  changes = dump (store, pen_query_write_changes, NULL);
  g_assert_nonnull (strstr (changes, ",unannounced,"));
}

/* A witness is listed where its event is asked for, what other programs wrote always; in order. */
static void
test_samples (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;
  g_autofree char *all = NULL;
  g_autofree char *named = NULL;
  g_autofree char *clock = NULL;
  g_autofree char *readings = NULL;

  sample (self, 1000, 0, SITE);
  reading (self, 2000, 0, SITE);
  sample (self, 3000, 0, SITE);
  /* As large, without the magic number. */
  pen_test_capture_from (self->capture, WITNESS);
  pen_test_capture_at (self->capture, 2500, 7, 7, 0);
  pen_test_capture_set_payload (self->capture, self->text, 92);
  pen_test_capture_add_sample (self->capture, PEN_TEST_KERNEL, PLAIN, 1);

  store = import (self);
  all = dump (store, pen_query_write_samples, NULL);
  named = dump (store, pen_query_write_samples, "anything");
  clock = dump (store, pen_query_write_samples, "cpu-clock");
  readings = dump (store, pen_query_write_witness, NULL);
  g_assert_cmpuint (count_lines (all), ==, 4);
  g_assert_nonnull (strstr (all, "\n2500,anything,0,7,7,"));
  g_assert_true (strstr (all, "\n1000,") < strstr (all, "\n2500,")
                 && strstr (all, "\n2500,") < strstr (all, "\n3000,"));
  g_assert_null (strstr (all, "\n2000,"));
  g_assert_cmpuint (count_lines (named), ==, 3);
  g_assert_nonnull (strstr (named, "\n2000,anything,0,7,7,"));
  g_assert_cmpuint (count_lines (clock), ==, 3);
  g_assert_cmpuint (count_lines (readings), ==, 2);
  g_assert_nonnull (strstr (readings, "\n2000,0,7,7,,0xffffffff81000100,0xffffffff81000110,kernel,"
                                      "[kernel.kallsyms],0,f,0x10,agrees,first,"));
}

/* Whatever the clock says, a reading is the neighbour's in the ring of its CPU. */
static void
test_neighbours (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;

  /* Early by 12 µs, with the other CPU between; late by 9 ms. */
  reading (self, 10 * MS - 12000, 0, SITE);
  sample (self, 10 * MS - 6000, 1, PLAIN);
  sample (self, 10 * MS, 0, SITE);
  reading (self, 29 * MS, 1, PLAIN);
  sample (self, 20 * MS, 1, PLAIN);
  /* After its sample. */
  sample (self, 40 * MS, 0, KERNEL + 0x300);
  reading (self, 41 * MS, 0, KERNEL + 0x300);
  sample (self, 42 * MS, 0, SITE);
  /* Of another address: of no sample before it. */
  sample (self, 50 * MS, 0, KERNEL + 0x340);
  reading (self, 51 * MS, 0, KERNEL + 0x344);
  sample (self, 52 * MS, 0, KERNEL + 0x344);

  store = import (self);
  assert_verdicts (store, "agrees agrees agrees agrees");
  assert_counts (store, "5 0 0 2");
}

/* From an event of its own a reading stands for its address and time: a sample saw one of the two
 * around it. */
static void
test_apart (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;

  /* The text changed between a sample and the first reading. */
  sample (self, 1 * MS, 0, SITE);
  poke (self, 2 * MS, nop, jump);
  set_text (self, SITE, jump, 5);
  reading (self, 3 * MS, 0, SITE);
  /* And between a reading and a sample. */
  poke (self, 5 * MS, jump, nop);
  sample (self, 6 * MS, 1, SITE);
  set_text (self, SITE, nop, 5);
  reading (self, 7 * MS, 0, SITE);
  /* Next to its sample, and not. */
  sample (self, 30 * MS, 0, PLAIN);
  reading (self, 31 * MS, 0, PLAIN);
  sample (self, 40 * MS, 0, KERNEL + 0x300);
  sample (self, 41 * MS, 0, SITE);
  reading (self, 42 * MS, 0, KERNEL + 0x300);

  store = import (self);
  assert_verdicts (store, "agrees agrees agrees agrees");
  assert_counts (store, "3 0 0 2");
}

static void
test_loss (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;

  reading (self, 10 * MS, 0, SITE);
  sample (self, 10 * MS, 0, SITE);
  sample (self, 20 * MS, 1, SITE);
  pen_test_capture_from (self->capture, CLOCK);
  pen_test_capture_at (self->capture, 30 * MS, 7, 7, 1);
  pen_test_capture_add_lost (self->capture, pen_test_capture_get_id (CLOCK, 1), 3);
  sample (self, 40 * MS, 0, SITE);
  reading (self, 50 * MS, 0, SITE);
  sample (self, 50 * MS, 0, SITE);
  sample (self, 60 * MS, 0, SITE);

  store = import (self);
  assert_counts (store, "4 0 0 1");
  assert_answer (store, "SELECT group_concat(ifnull(to_time / 1000000, 'end'), ' ') FROM reading",
                 "20 end");
}

/* What the kernel counted for the witness's event at the end says nothing of when. */
/* A recorder that counts what its program lost knows more than the records do. */
static void
test_counters (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *name;
    const char *text;
    const char *counts;
  } cases[] = {
    { "pentimento/witness", "version 1\nruns 9\nlost 0\n", "3 0 0 0" },
    { "pentimento/witness", "version 1\nruns 9\nlost 2\n", "1 0 0 2" },
    { "pentimento/witness", "version 1\nlost many\n", "1 0 0 2" },
    { "pentimento/loads", "", "1 0 0 2" }, /* it was killed */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PenStore) store = NULL;

    if (i > 0) {
      tear_down (self, NULL);
      set_up (self, NULL);
    }
    pen_test_capture_add_file (self->capture, cases[i].name, cases[i].text, strlen (cases[i].text));
    reading (self, 10 * MS, 0, SITE);
    sample (self, 10 * MS + 1000, 0, SITE);
    sample (self, 20 * MS, 0, SITE);
    sample (self, 30 * MS, 1, SITE);

    store = import (self);
    assert_counts (store, cases[i].counts);
  }
}

static void
test_lost_samples (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;

  reading (self, 10 * MS, 0, SITE);
  sample (self, 10 * MS, 0, SITE);
  sample (self, 20 * MS, 1, SITE);
  pen_test_capture_as_recorder (self->capture);
  pen_test_capture_from (self->capture, WITNESS);
  pen_test_capture_add_lost_samples (self->capture, 0, 2);

  store = import (self);
  assert_counts (store, "1 0 0 1");
}

/* A payload that is too short, too long or says nonsense is another program's. */
static void
test_hostile (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  guint8 bytes[64] = { 0 };
  g_autoptr (PenStore) store = NULL;

  raw_reading (self, 1000, 0, SITE, bytes, 4, 64, 0);
  raw_reading (self, 1100, 0, SITE, bytes, 84, 64, 0);
  raw_reading (self, 1200, 0, SITE, bytes, 100, 64, 0);
  raw_reading (self, 1300, 0, SITE, bytes, 88, 65, 0);
  raw_reading (self, 1400, 0, G_MAXUINT64 - 3, bytes, 88, 64, 0);
  assert_answer (store = import (self), "SELECT '' || count(*) FROM reading", "0");
  assert_answer (store, "SELECT '' || count(*) FROM output", "5");
}

/* Nothing was read; of a process; half of it; filled up by the kernel. */
static void
test_kinds (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;

  raw_reading (self, 1000, 0, PLAIN, self->text, 88, 0, 4);
  raw_reading (self, 1100, 0, 0x400010, self->text, 88, 64, 1);
  raw_reading (self, 1200, 0, PLAIN, self->text + (PLAIN - KERNEL), 88, 32, 2);
  raw_reading (self, 1300, 0, SITE, self->text + (SITE - KERNEL - 0x10), 92, 64, 2);

  store = import (self);
  assert_verdicts (store, " told agrees agrees");
  assert_answer (store, "SELECT group_concat(length(bytes), ' ') FROM reading", "0 64 32 64");
}

/* Bytes that nothing else knows are the text of who was there, where all readings agree. */
static void
test_told (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;

  pen_test_capture_from (self->capture, DUMMY);
  pen_test_capture_at (self->capture, 1000, 9, 9, 0);
  pen_test_capture_add_ksymbol (self->capture, PROGRAM, 60, 1, 0, "bpf_prog_0123456789abcdef_p");
  told (self, 2000, PROGRAM + 8, 0x90);
  sample (self, 2000, 0, PROGRAM + 8);
  sample (self, 3000, 0, PROGRAM + 9);

  store = import (self);
  assert_verdicts (store, "told");
  assert_counts (store, "0 0 2 0");
  assert_answer (store,
                 "SELECT printf('%x', start) || ' ' || length(bytes) || ' ' || evidence || ' ' ||"
                 " source FROM text WHERE start BETWEEN -1073741824 AND -1",
                 "ffffffffc0000004 60 witnessed witness");
}

/* Text that pokes alone tell of may be another holder's by then: no patch of it, and a row among
 * the causes. */
static void
test_unknown_holder (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const guint64 place = 0xffffffffa0000040;
  const PenCauseRow *cause = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenQuery) query = NULL;
  g_autoptr (PenCauseTree) causes = NULL;
  const PenCauseOrder order = { .grouping = PEN_CAUSES_BY_KEY };
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (GError) error = NULL;

  pen_test_capture_from (self->capture, DUMMY);
  pen_test_capture_at (self->capture, 10 * MS, 9, 9, 0);
  pen_test_capture_add_text_poke (self->capture, place, nop, 5, jump, 5);
  told (self, 500 * MS, place, 0x22);
  sample (self, 600 * MS, 0, place);

  store = import (self);
  assert_answer (store, "SELECT effect FROM text_poke WHERE cause = 'unannounced'", "same");
  g_assert_cmpuint (pen_witness_count_load (store).unannounced, ==, 0);
  g_assert_cmpuint (pen_witness_count_load (store).unheld, ==, 1);
  query = pen_query_new (store);
  causes = pen_query_causes (query, filter, &order, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < causes->rows->len && !cause; i++) {
    const PenCauseRow *row = &g_array_index (causes->rows, PenCauseRow, i);

    if (row->level == 1 && row->cause == PEN_CAUSE_UNANNOUNCED)
      cause = row;
  }
  g_assert_nonnull (cause);
  g_assert_cmpstr (cause->name, ==, "0xffffffffa0000040");
  g_assert_true (cause->is_place);
  g_assert_cmpuint (cause->flips, ==, 1);
  g_assert_cmpuint (cause->sites, ==, 1);
}

/* Where nobody is known to be, the last reading tells, as long as it holds. */
static void
test_text (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const guint64 place = 0xffffffffa0000040;
  static const struct {
    guint64 time;
    int byte; /* -1: unknown */
  } cases[] = { { 9 * MS, -1 },    { 10 * MS, 0x11 }, { 19 * MS, 0x11 },
                { 20 * MS, 0x22 }, { 29 * MS, 0x22 }, { 31 * MS, -1 } };
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenQuery) query = NULL;

  told (self, 10 * MS, place, 0x11);
  told (self, 20 * MS, place, 0x22);
  sample (self, 29 * MS, 0, place);
  pen_test_capture_from (self->capture, CLOCK);
  pen_test_capture_at (self->capture, 30 * MS, 7, 7, 0);
  pen_test_capture_add_lost (self->capture, pen_test_capture_get_id (CLOCK, 0), 3);
  sample (self, 40 * MS, 0, place);

  store = import (self);
  query = pen_query_new (store);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GError *error = NULL;
    g_autoptr (PenTextAt) text
        = pen_query_text_at (query, place + 4, place + 14, 0,
                             pen_moment (cases[i].time, G_MAXUINT64), PEN_SYNTAX_ATT, &error);
    const PenAnnotationLine *line;

    g_assert_no_error (error);
    line = text->lines->pdata[0];
    g_assert_cmpint (text->known[0], ==, cases[i].byte >= 0);
    g_assert_cmpint (text->known[9], ==, cases[i].byte >= 0);
    g_assert_cmpuint (text->lines->len, ==, cases[i].byte >= 0 ? 2 : 1);
    g_assert_cmpint (line->evidence, ==,
                     cases[i].byte >= 0 ? PEN_EVIDENCE_WITNESSED : PEN_EVIDENCE_UNKNOWN);
    if (cases[i].byte >= 0)
      g_assert_cmpint (text->bytes[9], ==, cases[i].byte);
  }
}

/* What was read while a program was there is not what stands there after it. */
static void
test_text_after_holder (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const guint64 place = 0xffffffffa0000040;
  static const struct {
    guint64 time;
    int byte; /* -1: unknown */
  } cases[] = { { 9 * MS, 0x11 }, { 25 * MS, -1 }, { 31 * MS, 0x33 } };
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenQuery) query = NULL;

  told (self, 5 * MS, place, 0x11);
  pen_test_capture_from (self->capture, DUMMY);
  pen_test_capture_at (self->capture, 10 * MS, 7, 7, 0);
  pen_test_capture_add_ksymbol (self->capture, place, 64, 1, 0, "bpf_prog_gone");
  told (self, 15 * MS, place, 0x22);
  pen_test_capture_from (self->capture, DUMMY);
  pen_test_capture_at (self->capture, 20 * MS, 7, 7, 0);
  pen_test_capture_add_ksymbol (self->capture, place, 64, 1, 1, "bpf_prog_gone");
  told (self, 30 * MS, place, 0x33);
  sample (self, 40 * MS, 0, place);

  store = import (self);
  query = pen_query_new (store);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GError *error = NULL;
    g_autoptr (PenTextAt) text
        = pen_query_text_at (query, place + 4, place + 14, 0,
                             pen_moment (cases[i].time, G_MAXUINT64), PEN_SYNTAX_ATT, &error);

    g_assert_no_error (error);
    g_assert_cmpint (text->known[0], ==, cases[i].byte >= 0);
    if (cases[i].byte >= 0)
      g_assert_cmpint (text->bytes[0], ==, cases[i].byte);
  }
}

/* A sample shows where an instruction begins: so the text of unknown code can be annotated. */
static void
test_annotation (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const guint64 place = 0xffffffffa0000040;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenQuery) query = NULL;
  g_autoptr (PenAnnotated) annotated = NULL;
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *function = NULL;
  GError *error = NULL;

  told (self, 10 * MS, place, 0x90);
  sample (self, 10 * MS, 0, place);
  sample (self, 11 * MS, 0, place + 5);
  told (self, 20 * MS, place, 0xf8); /* clc */
  sample (self, 20 * MS, 0, place);
  sample (self, 21 * MS, 0, place + 6);
  sample (self, 30 * MS, 0, place + 64); /* not read */

  store = import (self);
  query = pen_query_new (store);
  function = import_fixture_ask (store, "SELECT '' || id FROM function WHERE kind = 'unknown'");
  annotated = pen_query_annotate (query, NULL, (guint32) g_ascii_strtoull (function, NULL, 10),
                                  PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    g_string_append_printf (lines, "%" G_GINT64_MODIFIER "x %s, %s\n", line->address - place,
                            line->instruction, pen_evidence_to_string (line->evidence));
  }
  g_assert_cmpstr (lines->str, ==,
                   "0 (several texts), unknown\n"
                   "5 nop, witnessed\n"
                   "6 clc, witnessed\n"
                   "40 (bytes not recorded), unknown\n");
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/import/witness/" path, Fixture, data, set_up, func, tear_down)

static void
add_tests (void)
{
  ADD ("verdicts", NULL, test_verdicts);
  ADD ("samples", NULL, test_samples);
  ADD ("neighbours", NULL, test_neighbours);
  ADD ("apart", "look", test_apart);
  ADD ("loss", NULL, test_loss);
  ADD ("lost-samples", NULL, test_lost_samples);
  ADD ("counters", NULL, test_counters);
  ADD ("hostile", NULL, test_hostile);
  ADD ("kinds", NULL, test_kinds);
  ADD ("told", NULL, test_told);
  ADD ("unknown-holder", NULL, test_unknown_holder);
  ADD ("text", NULL, test_text);
  ADD ("text-after-holder", NULL, test_text_after_holder);
  ADD ("annotation", NULL, test_annotation);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
