/* pair-fixture.c: recordings whose differences a test knows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-fixture.h"

#include <string.h>

#define EDGE "edge"

/* G_MAXUINT: of the edge */
typedef struct {
  guint64 time;
  guint function;
} Event;

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *x = a;
  const Event *y = b;

  return x->time < y->time ? -1 : x->time > y->time;
}

static guint64
get_base (const PairRecording *self)
{
  return self->base ? self->base : ALPHA;
}

guint64
pair_recording_get_address (const PairRecording *self, guint index)
{
  guint64 base = get_base (self) + (self->functions[index].module ? PAIR_MODULES : 0);

  return base + (guint64) (1 + self->gap + index) * PAIR_STEP;
}

static void
add_event (GArray *events, double seconds, guint function)
{
  Event event = { PAIR_START + (guint64) (seconds * 1e9), function };

  g_array_append_val (events, event);
}

static void
add_samples (const PairRecording *self, PenTestCapture *capture)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));

  add_event (events, 0, G_MAXUINT);
  add_event (events, self->seconds, G_MAXUINT);
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; k < self->functions[i].samples; k++)
      add_event (events, self->seconds * (k + 0.5) / self->functions[i].samples, i);
  g_array_sort (events, compare_events);
  pen_test_capture_from (capture, 0);
  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);

    pen_test_capture_at (capture, event->time, 7, 7, i % MAX (self->cpus, 1));
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL,
                                 event->function == G_MAXUINT
                                     ? get_base (self)
                                     : pair_recording_get_address (self, event->function),
                                 1000000);
  }
}

static void
add_names (const PairRecording *self, PenTestCapture *capture)
{
  g_autoptr (GString) kallsyms = g_string_new (NULL);
  g_autoptr (GHashTable) modules = g_hash_table_new (g_str_hash, g_str_equal);

  g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T " EDGE "\n", get_base (self));
  for (guint i = 0; i < self->n; i++) {
    const PairFunction *function = &self->functions[i];

    g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x t %s%s%s%s\n",
                            pair_recording_get_address (self, i), function->name,
                            function->module ? "\t[" : "", function->module ? function->module : "",
                            function->module ? "]" : "");
  }
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms->str, kallsyms->len);
}

/* One map for each run of functions of a module. */
static void
add_maps (const PairRecording *self, PenTestCapture *capture)
{
  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, get_base (self), 0x1000000,
                             get_base (self), "[kernel.kallsyms]_text");
  for (guint i = 0, end; i < self->n; i = end) {
    const char *module = self->functions[i].module;
    g_autofree char *name = module ? g_strdup_printf ("/lib/%s.ko", module) : NULL;

    for (end = i + 1; end < self->n && g_strcmp0 (self->functions[end].module, module) == 0; end++)
      ;
    if (module)
      pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0,
                                 pair_recording_get_address (self, i), (end - i) * PAIR_STEP, 0,
                                 name);
  }
  pen_test_capture_add_comm (capture, 7, 7, FALSE, "one");
}

/* Of the kernel, in whole pages. */
static void
add_text (const PairRecording *self, PenTestCapture *capture)
{
  gsize length = ((self->gap + self->n + 1) * PAIR_STEP | 0xfff) + 1;
  g_autofree guint8 *text = g_malloc (length);
  gboolean has_text = FALSE;

  memset (text, 0xcc, length);
  for (guint i = 0; i < self->n; i++) {
    const PairFunction *function = &self->functions[i];

    if (!function->text || function->module)
      continue;
    has_text = TRUE;
    memcpy (text + (pair_recording_get_address (self, i) - get_base (self)), function->text,
            function->length);
  }
  if (!has_text)
    return;
  pen_test_capture_add_kcore_segment (capture, get_base (self), text, length);
  pen_test_capture_set_arch (capture, "x86_64");
}

PenTestCapture *
pair_recording_new_capture (const PairRecording *self)
{
  static const char *const all[] = { "perf", "record", "-a", NULL };
  static const char *const some[] = { "perf", "record", "-p", "7", NULL };
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, self->event ? self->event : &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_set_command_line (capture, self->all_cpus ? all : some);
  if (self->cpus > 0)
    pen_test_capture_set_cpus (capture, self->cpus, self->cpus);
  add_names (self, capture);
  add_text (self, capture);
  add_maps (self, capture);
  add_samples (self, capture);
  pen_test_capture_from (capture, 1);
  return capture;
}

void
pair_recording_import (const PairRecording *self, QueryFixture *fixture)
{
  g_autoptr (PenTestCapture) capture = pair_recording_new_capture (self);

  query_fixture_import (fixture, capture);
}
