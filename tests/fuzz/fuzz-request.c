/* fuzz-request.c: what a caller sends to pentimento-recorder, which may run as root
 *
 * Whatever is taken becomes options of perf of a few forms, and a plan.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-fuzz-mutate.h"
#include "pen-fuzz.h"
#include "pen-record-error.h"
#include "pen-recorder-talk.h"

/* Values of -e and --call-graph. */
static const char *const names[]
    = { "cycles",      "cpu-clock",        "instructions", "cache-misses", "branch-misses",
        "page-faults", "context-switches", "fp",           "dwarf",        "lbr",
        NULL };

static void
check_value (const char *option, const char *value)
{
  guint64 most = g_str_equal (option, "-p") ? G_MAXINT32 : PEN_RECORDER_RATE_MAX;

  if (g_str_equal (option, "-e") || g_str_equal (option, "--call-graph")) {
    g_assert_true (g_strv_contains (names, value));
    return;
  }
  g_assert_true (g_str_equal (option, "-p") || g_str_equal (option, "-F"));
  g_assert_true (g_ascii_string_to_unsigned (value, 10, 1, most, NULL, NULL));
}

static void
check_plan (char **words)
{
  guint cpu = 0;
  PenRecordProbe probe = { .perf = (char *) "perf",
                           .perf_version = PEN_VERSION_NUMBER (6, 1),
                           .kernel_version = PEN_VERSION_NUMBER (6, 1),
                           .may_record_cpus = TRUE,
                           .has_cycles = TRUE,
                           .max_rate = 100000 };
  const PenRecordWishes wishes = { .perf_words = words, .output = "perf.data" };
  g_autoptr (GArray) cpus = g_array_new (FALSE, FALSE, sizeof cpu);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenRecordPlan) plan = NULL;

  g_array_append_val (cpus, cpu);
  probe.cpus = cpus;
  plan = pen_record_plan_new (&wishes, &probe, &error);
  g_assert_no_error (error);
  g_assert_false (plan->has_command);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  PenRecorderRequest request;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;

  if (!pen_recorder_request_read (data, size, &request, &error)) {
    g_assert_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE);
    return 0;
  }
  words = pen_recorder_request_make_words (&request);
  g_assert_cmpuint (g_strv_length (words) % 2, ==, 0);
  for (guint i = 0; words[i]; i += 2)
    check_value (words[i], words[i + 1]);
  check_plan (words);
  return 0;
}

/* A random magic would end nearly all of them. */

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  const guint32 magic = PEN_RECORDER_MAGIC;

  size = LLVMFuzzerMutate (data, size, max_size);
  if (size >= sizeof magic && seed % 8 != 0)
    memcpy (data, &magic, sizeof magic);
  return size;
}
