/* pen-perf-option.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-perf-option.h"

#include <string.h>

/* perf-record(1), Linux 6.12. */
static const PenPerfOption known[] = {
  { 'a', "all-cpus", PEN_PERF_VALUE_NONE },
  { 'b', "branch-any", PEN_PERF_VALUE_NONE },
  { 'B', "no-buildid", PEN_PERF_VALUE_NONE },
  { 'c', "count", PEN_PERF_VALUE_NUMBER },
  { 'C', "cpu", PEN_PERF_VALUE_LIST },
  { 'd', "data", PEN_PERF_VALUE_NONE },
  { 'D', "delay", PEN_PERF_VALUE_NUMBER },
  { 'e', "event", PEN_PERF_VALUE_EVENT },
  { 'F', "freq", PEN_PERF_VALUE_NUMBER },
  { 'g', NULL, PEN_PERF_VALUE_NONE },
  { 'G', "cgroup", PEN_PERF_VALUE_TEXT },
  { 'i', "no-inherit", PEN_PERF_VALUE_NONE },
  { 'I', "intr-regs", PEN_PERF_VALUE_OPTIONAL },
  { 'j', "branch-filter", PEN_PERF_VALUE_LIST },
  { 'k', "clockid", PEN_PERF_VALUE_LIST },
  { 'm', "mmap-pages", PEN_PERF_VALUE_LIST },
  { 'n', "no-samples", PEN_PERF_VALUE_NONE },
  { 'N', "no-buildid-cache", PEN_PERF_VALUE_NONE },
  { 'o', "output", PEN_PERF_VALUE_TEXT },
  { 'p', "pid", PEN_PERF_VALUE_TEXT },
  { 'P', "period", PEN_PERF_VALUE_NONE },
  { 'q', "quiet", PEN_PERF_VALUE_NONE },
  { 'r', "realtime", PEN_PERF_VALUE_NUMBER },
  { 'R', "raw-samples", PEN_PERF_VALUE_NONE },
  { 's', "stat", PEN_PERF_VALUE_NONE },
  { 'S', "snapshot", PEN_PERF_VALUE_OPTIONAL },
  { 't', "tid", PEN_PERF_VALUE_TEXT },
  { 'T', "timestamp", PEN_PERF_VALUE_NONE },
  { 'u', "uid", PEN_PERF_VALUE_TEXT },
  { 'v', "verbose", PEN_PERF_VALUE_NONE },
  { 'W', "weight", PEN_PERF_VALUE_NONE },
  { 'z', "compression-level", PEN_PERF_VALUE_OPTIONAL },
  { '\0', "affinity", PEN_PERF_VALUE_LIST },
  { '\0', "all-cgroups", PEN_PERF_VALUE_NONE },
  { '\0', "all-kernel", PEN_PERF_VALUE_NONE },
  { '\0', "all-user", PEN_PERF_VALUE_NONE },
  { '\0', "buildid-all", PEN_PERF_VALUE_NONE },
  { '\0', "buildid-mmap", PEN_PERF_VALUE_NONE },
  { '\0', "call-graph", PEN_PERF_VALUE_LIST },
  { '\0', "clang-opt", PEN_PERF_VALUE_TEXT },
  { '\0', "clang-path", PEN_PERF_VALUE_TEXT },
  { '\0', "code-page-size", PEN_PERF_VALUE_NONE },
  { '\0', "control", PEN_PERF_VALUE_TEXT },
  { '\0', "data-page-size", PEN_PERF_VALUE_NONE },
  { '\0', "debuginfod", PEN_PERF_VALUE_OPTIONAL },
  { '\0', "exclude-perf", PEN_PERF_VALUE_NONE },
  { '\0', "filter", PEN_PERF_VALUE_TEXT },
  { '\0', "for-each-cgroup", PEN_PERF_VALUE_TEXT },
  { '\0', "kcore", PEN_PERF_VALUE_NONE },
  { '\0', "kernel-callchains", PEN_PERF_VALUE_NONE },
  { '\0', "max-size", PEN_PERF_VALUE_NUMBER },
  { '\0', "mmap-flush", PEN_PERF_VALUE_NUMBER },
  { '\0', "namespaces", PEN_PERF_VALUE_NONE },
  { '\0', "no-all-cpus", PEN_PERF_VALUE_NONE },
  { '\0', "no-bpf-event", PEN_PERF_VALUE_NONE },
  { '\0', "num-thread-synthesize", PEN_PERF_VALUE_NUMBER },
  { '\0', "off-cpu", PEN_PERF_VALUE_NONE },
  { '\0', "off-cpu-thresh", PEN_PERF_VALUE_NUMBER },
  { '\0', "overwrite", PEN_PERF_VALUE_NONE },
  { '\0', "per-thread", PEN_PERF_VALUE_NONE },
  { '\0', "phys-data", PEN_PERF_VALUE_NONE },
  { '\0', "proc-map-timeout", PEN_PERF_VALUE_NUMBER },
  { '\0', "running-time", PEN_PERF_VALUE_NONE },
  { '\0', "sample-cpu", PEN_PERF_VALUE_NONE },
  { '\0', "sample-identifier", PEN_PERF_VALUE_NONE },
  { '\0', "strict-freq", PEN_PERF_VALUE_NONE },
  { '\0', "switch-events", PEN_PERF_VALUE_NONE },
  { '\0', "switch-max-files", PEN_PERF_VALUE_TEXT },
  { '\0', "switch-output", PEN_PERF_VALUE_OPTIONAL },
  { '\0', "switch-output-event", PEN_PERF_VALUE_TEXT },
  { '\0', "synth", PEN_PERF_VALUE_LIST },
  { '\0', "tail-synthesize", PEN_PERF_VALUE_NONE },
  { '\0', "threads", PEN_PERF_VALUE_OPTIONAL },
  { '\0', "timestamp-boundary", PEN_PERF_VALUE_NONE },
  { '\0', "timestamp-filename", PEN_PERF_VALUE_NONE },
  { '\0', "user-callchains", PEN_PERF_VALUE_NONE },
  { '\0', "user-regs", PEN_PERF_VALUE_OPTIONAL },
  { '\0', "vmlinux", PEN_PERF_VALUE_TEXT },
};

/* Shorter beginnings are ambiguous. */
#define BEGINNING_MIN 3u

const PenPerfOption *
pen_perf_option_find_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (g_strcmp0 (known[i].name, name) == 0)
      return &known[i];
  }
  return NULL;
}

const PenPerfOption *
pen_perf_option_find_beginning (const char *name)
{
  const PenPerfOption *begun = pen_perf_option_find_name (name);

  if (begun || strlen (name) < BEGINNING_MIN)
    return begun;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (known[i].name && g_str_has_prefix (known[i].name, name))
      begun = &known[i];
  }
  return begun;
}

const PenPerfOption *
pen_perf_option_find_letter (char letter)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (known[i].letter == letter && letter != '\0')
      return &known[i];
  }
  return NULL;
}

gboolean
pen_perf_option_takes_word (const PenPerfOption *option)
{
  return option->value != PEN_PERF_VALUE_NONE && option->value != PEN_PERF_VALUE_OPTIONAL;
}
