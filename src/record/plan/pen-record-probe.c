/* pen-record-probe.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CPUS_MAX 65536u
#define DEFAULT_MAX_RATE 100000

#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* since Linux 5.8 */
#endif

void
pen_record_probe_free (PenRecordProbe *self)
{
  if (!self)
    return;
  g_free (self->perf);
  g_array_unref (self->cpus);
  g_free (self->witness_problem);
  g_free (self);
}

guint
pen_record_probe_parse_version (const char *text)
{
  const char *digits = text + strcspn (text, "0123456789");
  char *end;
  guint64 major = g_ascii_strtoull (digits, &end, 10);
  guint64 minor;

  if (end == digits || *end != '.' || !g_ascii_isdigit (end[1]))
    return 0;
  minor = g_ascii_strtoull (end + 1, NULL, 10);
  return major > G_MAXUINT16 || minor > G_MAXUINT16 ? 0 : PEN_VERSION_NUMBER (major, minor);
}

/* ---- CPUs ---- */

static gint
compare_cpus (gconstpointer a, gconstpointer b)
{
  guint left = *(const guint *) a;
  guint right = *(const guint *) b;

  return (left > right) - (left < right);
}

static gboolean
parse_cpu_range (const char *text, GArray *cpus)
{
  g_auto (GStrv) ends = g_strsplit (text, "-", 2);
  guint64 first;
  guint64 last;

  if (!ends[0] || !g_ascii_string_to_unsigned (ends[0], 10, 0, CPUS_MAX - 1, &first, NULL))
    return FALSE;
  last = first;
  if (ends[1] && !g_ascii_string_to_unsigned (ends[1], 10, first, CPUS_MAX - 1, &last, NULL))
    return FALSE;
  for (guint cpu = (guint) first; cpu <= last && cpus->len < CPUS_MAX; cpu++)
    g_array_append_val (cpus, cpu);
  return TRUE;
}

GArray *
pen_record_probe_parse_cpus (const char *text)
{
  g_auto (GStrv) ranges = g_strsplit (text, ",", -1);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *cpus;

  for (char **range = ranges; *range; range++) {
    if (!parse_cpu_range (g_strstrip (*range), all))
      return NULL;
  }
  if (all->len == 0)
    return NULL;
  g_array_sort (all, compare_cpus);
  cpus = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < all->len; i++) {
    guint cpu = g_array_index (all, guint, i);

    if (cpus->len == 0 || g_array_index (cpus, guint, cpus->len - 1) != cpu)
      g_array_append_val (cpus, cpu);
  }
  return cpus;
}

static GArray *
list_online_cpus (void)
{
  g_autofree char *text = NULL;
  GArray *cpus = NULL;

  if (g_file_get_contents ("/sys/devices/system/cpu/online", &text, NULL, NULL))
    cpus = pen_record_probe_parse_cpus (g_strstrip (text));
  if (cpus)
    return cpus;

  cpus = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint cpu = 0; cpu < g_get_num_processors (); cpu++)
    g_array_append_val (cpus, cpu);
  return cpus;
}

/* ---- files ---- */

/* A number of /proc/sys. */
static gint64
read_number (const char *path, gint64 otherwise)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_ascii_strtoll (text, NULL, 10)
                                                       : otherwise;
}

/* An errno, or 0. */
static int
try_to_open (const char *path)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);

  if (file < 0)
    return errno;
  close (file);
  return 0;
}

static int
try_module_events (void)
{
  static const char *const paths[] = {
    "/sys/kernel/tracing/events/module/module_load/id",
    "/sys/kernel/debug/tracing/events/module/module_load/id",
  };
  int error = ENOENT;

  for (guint i = 0; i < G_N_ELEMENTS (paths) && error != 0; i++) {
    int other = try_to_open (paths[i]);

    if (other == 0 || i == 0 || error == ENOENT)
      error = other;
  }
  return error;
}

/* The beginning is enough: the kernel lists its variables of each CPU first, from address 0 on. */
#define NAMES_LOOKED_AT 16384

static gboolean
has_names (void)
{
  int file = open ("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
  g_autofree char *text = g_malloc0 (NAMES_LOOKED_AT + 1);
  gssize n;

  if (file < 0)
    return FALSE;
  n = read (file, text, NAMES_LOOKED_AT);
  close (file);
  return n > 0 && pen_record_probe_has_addresses (text);
}

gboolean
pen_record_probe_has_addresses (const char *kallsyms)
{
  const char *line = kallsyms;

  while (line) {
    line += *line == '\n';
    if (strspn (line, "0") < strspn (line, "0123456789abcdef"))
      return TRUE;
    line = strchr (line, '\n');
  }
  return FALSE;
}

/* ---- rights ---- */

static guint64
read_capabilities (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  line = strstr (status, "\nCapEff:");
  return line ? g_ascii_strtoull (line + strlen ("\nCapEff:"), NULL, 16) : 0;
}

static gboolean
may_record_cpus (void)
{
  const guint64 wanted = 1ull << CAP_PERFMON | 1ull << CAP_SYS_ADMIN;

  return (read_capabilities () & wanted) != 0
         || read_number ("/proc/sys/kernel/perf_event_paranoid", 2) <= 0;
}

/* In a virtual machine there may be none. */
static gboolean
has_cycles (void)
{
  struct perf_event_attr attr = {
    .type = PERF_TYPE_HARDWARE,
    .size = sizeof attr,
    .config = PERF_COUNT_HW_CPU_CYCLES,
    .sample_period = 1000000,
    .disabled = 1,
    .exclude_kernel = 1,
  };
  int event = (int) syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

  if (event < 0)
    return FALSE;
  close (event);
  return TRUE;
}

/* ---- perf ---- */

static guint
read_perf_version (const char *perf)
{
  const char *words[] = { perf, "--version", NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      words, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL);
  g_autofree char *text = NULL;

  if (!process || !g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, NULL) || !text)
    return 0;
  return pen_record_probe_parse_version (text);
}

PenRecordProbe *
pen_record_probe_new (void)
{
  PenRecordProbe *self = g_new0 (PenRecordProbe, 1);
  struct utsname name;
  gint64 rate = read_number ("/proc/sys/kernel/perf_event_max_sample_rate", DEFAULT_MAX_RATE);

  self->perf = g_find_program_in_path ("perf");
  self->perf_version = self->perf ? read_perf_version (self->perf) : 0;
  self->kernel_version = uname (&name) == 0 ? pen_record_probe_parse_version (name.release) : 0;
  self->may_record_cpus = may_record_cpus ();
  self->kcore_error = try_to_open ("/proc/kcore");
  self->modules_error = try_module_events ();
  self->has_modules = g_file_test ("/proc/modules", G_FILE_TEST_EXISTS);
  self->has_names = has_names ();
  self->has_cycles = has_cycles ();
  self->max_rate = (guint) CLAMP (rate, 1, DEFAULT_MAX_RATE);
  self->cpus = list_online_cpus ();
  return self;
}
