/* pen-snapshots.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-snapshots.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pen-bpf-list.h"
#include "pen-kcore-difference.h"
#include "pen-record-list.h"

#define MIB (1024u * 1024u)
#define VALUE_MAX 4096u /* of one file among many */
#define MODULES_MAX (4 * MIB)

typedef enum {
  FORM_COPY,   /* of the first of the paths that can be read */
  FORM_VALUES, /* a line for each file of the patterns: path, blank, its first line */
  FORM_BYTES,  /* a line for each: path, blank, its bytes in hexadecimal */
  FORM_PROGRAMS,
  FORM_LINKS,
} Form;

/* @limit: bytes; of programs and links, their number has one */
typedef struct {
  const char *name;
  Form form;
  gsize limit;
  const char *paths[5];
  gboolean may_be_absent; /* a kernel without modules has no list of them */
} Snapshot;

/* clang-format off */
/* Of a busy server, kallsyms takes 20 MiB. */
static const Snapshot snapshots[] = {
  { .name = "kallsyms", .form = FORM_COPY, .limit = 128 * MIB, .paths = { "/proc/kallsyms" } },
  { .name = "modules", .form = FORM_COPY, .limit = MODULES_MAX, .paths = { "/proc/modules" },
    .may_be_absent = TRUE },
  { .name = "sections", .form = FORM_VALUES, .limit = 16 * MIB,
    .paths = { "/sys/module/*/sections/.*" } },
  { .name = "notes", .form = FORM_BYTES, .limit = 4 * MIB,
    .paths = { "/sys/kernel/notes", "/sys/module/*/notes/.note.gnu.build-id" } },
  { .name = "enabled_functions", .form = FORM_COPY, .limit = 32 * MIB,
    .paths = { "/sys/kernel/tracing/enabled_functions",
               "/sys/kernel/debug/tracing/enabled_functions" } },
  { .name = "kprobes", .form = FORM_COPY, .limit = 16 * MIB,
    .paths = { "/sys/kernel/debug/kprobes/list" } },
  { .name = "kprobe_events", .form = FORM_COPY, .limit = 4 * MIB,
    .paths = { "/sys/kernel/tracing/kprobe_events", "/sys/kernel/debug/tracing/kprobe_events" } },
  { .name = "tracers", .form = FORM_VALUES, .limit = 4 * MIB,
    .paths = { "/sys/kernel/tracing/current_tracer",
               "/sys/kernel/tracing/instances/*/current_tracer" } },
  { .name = "switches", .form = FORM_VALUES, .limit = MIB,
    .paths = { "/proc/sys/kernel/sched_schedstats", "/proc/sys/kernel/bpf_stats_enabled",
               "/proc/sys/kernel/ftrace_enabled", "/proc/sys/kernel/task_delayacct",
               "/proc/sys/debug/kprobes-optimization" } },
  { .name = "livepatch", .form = FORM_VALUES, .limit = 4 * MIB,
    .paths = { "/sys/kernel/livepatch/*/enabled", "/sys/kernel/livepatch/*/transition",
               "/sys/kernel/livepatch/*/*/*" } },
  { .name = "programs", .form = FORM_PROGRAMS, .limit = 0 },
  { .name = "links", .form = FORM_LINKS, .limit = 0 },
};
/* clang-format on */

/* ---- reading ---- */

/* Files of /proc and /sys have no size beforehand. Returns: an errno, or 0 */
static int
read_file (const char *path, gsize limit, GString *text)
{
  int file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char bytes[65536];
  gssize n = -1;
  int error = 0;

  if (file < 0)
    return errno;
  while (error == 0 && n != 0) {
    n = read (file, bytes, sizeof bytes);
    if (n < 0)
      error = errno == EINTR ? 0 : errno;
    else if ((gsize) n > limit - text->len)
      error = EFBIG;
    else
      g_string_append_len (text, bytes, n);
  }
  close (file);
  return error;
}

static int
read_copy (const Snapshot *snapshot, GString *text)
{
  int error = ENOENT;

  for (guint i = 0; i < G_N_ELEMENTS (snapshot->paths) && snapshot->paths[i]; i++) {
    int other = read_file (snapshot->paths[i], snapshot->limit, text);

    if (other == 0)
      return 0;
    g_string_truncate (text, 0);
    if (error == ENOENT)
      error = other;
  }
  return error;
}

static void
append_value (GString *text, const GString *value, Form form)
{
  gsize first_line = strcspn (value->str, "\n");

  if (form == FORM_VALUES) {
    g_string_append_len (text, value->str, (gssize) first_line);
    return;
  }
  for (gsize i = 0; i < value->len; i++)
    g_string_append_printf (text, "%02x", (guint) (guint8) value->str[i]);
}

/* A file that goes away meanwhile is left out, one that is forbidden is not. */
static int
read_each (const glob_t *found, const Snapshot *snapshot, GString *text)
{
  for (gsize i = 0; i < found->gl_pathc; i++) {
    g_autoptr (GString) value = g_string_new (NULL);
    struct stat status;
    int error;

    if (g_str_has_suffix (found->gl_pathv[i], "/.") || g_str_has_suffix (found->gl_pathv[i], "/.."))
      continue;
    if (stat (found->gl_pathv[i], &status) != 0)
      continue;
    error = S_ISREG (status.st_mode) ? read_file (found->gl_pathv[i], VALUE_MAX, value) : 0;
    if (error == ENOENT || error == ENODEV)
      continue;
    if (error != 0)
      return error;
    g_string_append_printf (text, "%s ", found->gl_pathv[i]);
    append_value (text, value, snapshot->form);
    g_string_append_c (text, '\n');
    if (text->len > snapshot->limit)
      return EFBIG;
  }
  return 0;
}

static int
read_values (const Snapshot *snapshot, GString *text)
{
  glob_t found;
  int error = 0;

  for (guint i = 0; error == 0 && i < G_N_ELEMENTS (snapshot->paths) && snapshot->paths[i]; i++) {
    if (glob (snapshot->paths[i], 0, NULL, &found) == 0)
      error = read_each (&found, snapshot, text);
    globfree (&found);
  }
  return error;
}

/* @number: (out): an errno, or 0. Returns: (transfer full): NULL with @why */
static GString *
read_snapshot (const Snapshot *snapshot, int *number, char **why)
{
  g_autoptr (GString) text = NULL;
  g_autoptr (GError) wrong = NULL;
  int error;

  *number = 0;
  if (snapshot->form == FORM_PROGRAMS || snapshot->form == FORM_LINKS) {
    text = snapshot->form == FORM_PROGRAMS ? pen_bpf_list_programs (&wrong)
                                           : pen_bpf_list_links (&wrong);
    if (!text)
      *why = g_strdup (wrong->message);
    return g_steal_pointer (&text);
  }
  text = g_string_new (NULL);
  error = snapshot->form == FORM_COPY ? read_copy (snapshot, text) : read_values (snapshot, text);
  if (error == 0 || (error == ENOENT && snapshot->may_be_absent))
    return g_steal_pointer (&text);
  *number = error;
  *why = g_strdup (g_strerror (error));
  return NULL;
}

GString *
pen_record_list_read (const char *name, gsize limit, gboolean *is_too_large)
{
  *is_too_large = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (snapshots); i++) {
    Snapshot snapshot = snapshots[i];
    g_autofree char *why = NULL;
    GString *text;
    int number;

    if (!g_str_equal (snapshot.name, name))
      continue;
    snapshot.limit = MIN (snapshot.limit, limit);
    text = read_snapshot (&snapshot, &number, &why);
    *is_too_large = number == EFBIG || (text && text->len > limit);
    if (!text || !*is_too_large)
      return text;
    g_string_free (text, TRUE);
    return NULL;
  }
  return NULL;
}

/* ---- writing ---- */

int
pen_snapshots_write (int file, const GString *text)
{
  gsize done = 0;

  while (done < text->len) {
    gssize n = write (file, text->str + done, text->len - done);

    if (n < 0 && errno != EINTR)
      return errno;
    done += n > 0 ? (gsize) n : 0;
  }
  return 0;
}

/* Returns: an errno, or 0 */
static int
write_file (int directory, const char *name, const GString *text)
{
  int file = openat (directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  int error;

  if (file < 0)
    return errno;
  error = pen_snapshots_write (file, text);
  if (close (file) != 0 && error == 0)
    error = errno;
  if (error != 0)
    unlinkat (directory, name, 0);
  return error;
}

/* Returns: a descriptor of @parent/@name, which may be there; -1 with errno */
static int
enter (int parent, const char *name)
{
  if (mkdirat (parent, name, 0700) != 0 && errno != EEXIST)
    return -1;
  return openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* DIRECTORY/pentimento; -1 with errno */
static int
enter_ours (const char *directory)
{
  int parent = open (directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int ours;
  int error;

  if (parent < 0)
    return -1;
  ours = enter (parent, "pentimento");
  error = errno;
  close (parent);
  errno = error;
  return ours;
}

int
pen_snapshots_create (const char *directory, const char *name)
{
  int ours = enter_ours (directory);
  int file;
  int error;

  if (ours < 0)
    return -1;
  file = openat (ours, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  error = errno;
  close (ours);
  errno = error;
  return file;
}

/* ---- all of them ---- */

guint64
pen_snapshots_read_clock (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (guint64) now.tv_sec * 1000000000u + (guint64) now.tv_nsec;
}

static void
add_missing (GString *missing, const char *name, const char *why)
{
  if (missing->len > 0)
    g_string_append (missing, ", ");
  g_string_append_printf (missing, "%s (%s)", name, why);
}

static void
take_each (int directory, GString *missing)
{
  for (guint i = 0; i < G_N_ELEMENTS (snapshots); i++) {
    g_autofree char *why = NULL;
    int number;
    g_autoptr (GString) text = read_snapshot (&snapshots[i], &number, &why);
    int error = text ? write_file (directory, snapshots[i].name, text) : 0;

    if (!text || error != 0)
      add_missing (missing, snapshots[i].name, text ? g_strerror (error) : why);
  }
}

/* @text: (nullable): NULL with @wrong, or with errno */
static void
write_or_miss (int directory, const char *name, const GString *text, const GError *wrong,
               GString *missing)
{
  int error = text ? write_file (directory, name, text) : errno;

  if (!text || error != 0)
    add_missing (missing, name, wrong ? wrong->message : g_strerror (error));
}

/* Where perf copied kcore at the start: what differs now, and what modules have elsewhere. */
static void
take_kcore (const char *recording, int directory, GString *missing)
{
  g_autofree char *copy = g_build_filename (recording, "kcore_dir", "kcore", NULL);
  g_autoptr (GError) wrong = NULL;
  g_autoptr (GByteArray) difference = NULL;
  g_autoptr (GString) modules = g_string_new (NULL);
  int before = open (copy, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  int now = before >= 0 ? open ("/proc/kcore", O_RDONLY | O_CLOEXEC) : -1;
  int number = errno;

  if (before < 0)
    return;
  if (now >= 0) {
    gboolean has_modules = read_file ("/proc/modules", MODULES_MAX, modules) == 0;

    difference = pen_kcore_difference_new (before, now, has_modules ? modules->str : NULL, &wrong);
    close (now);
  }
  close (before);
  errno = number;
  if (difference) {
    const GString text = { .str = (char *) difference->data, .len = difference->len };

    write_or_miss (directory, "kcore", &text, NULL, missing);
  } else {
    write_or_miss (directory, "kcore", NULL, wrong, missing);
  }
}

void
pen_snapshots_take (const char *directory, const char *moment, GPtrArray *missing)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GString) times = g_string_new (NULL);
  int ours = enter_ours (directory);
  int place = ours >= 0 ? enter (ours, moment) : -1;

  if (place >= 0) {
    g_string_append_printf (times, "begun %" PRIu64 "\n", pen_snapshots_read_clock ());
    take_each (place, names);
    if (g_str_equal (moment, "end"))
      take_kcore (directory, place, names);
    g_string_append_printf (times, "ended %" PRIu64 "\n", pen_snapshots_read_clock ());
    if (write_file (place, "times", times) != 0)
      add_missing (names, "times", g_strerror (errno));
    close (place);
  } else {
    add_missing (names, moment, g_strerror (errno));
  }
  if (ours >= 0)
    close (ours);
  if (names->len > 0)
    pen_record_lacks_add (missing, PEN_LACK_SNAPSHOTS, names->str);
}

/* ---- meanwhile ---- */

#define LOADS_MAX (64 * MIB)

void
pen_snapshots_add_module (const char *directory, const char *name)
{
  g_autofree char *sections = g_strdup_printf ("/sys/module/%s/sections/.*", name);
  g_autofree char *note = g_strdup_printf ("/sys/module/%s/notes/.note.gnu.build-id", name);
  const Snapshot of_sections
      = { .name = "loads", .form = FORM_VALUES, .limit = MIB, .paths = { sections } };
  const Snapshot of_notes
      = { .name = "loads", .form = FORM_BYTES, .limit = MIB, .paths = { note } };
  g_autoptr (GString) text = g_string_new (NULL);
  int ours = enter_ours (directory);
  struct stat status;
  int file;

  if (ours < 0)
    return;
  file = openat (ours, "loads", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  close (ours);
  if (file < 0)
    return;
  if (fstat (file, &status) == 0 && status.st_size < (off_t) LOADS_MAX) {
    g_string_append_printf (text, "load %" PRIu64 " %s\n", pen_snapshots_read_clock (), name);
    read_values (&of_sections, text);
    read_values (&of_notes, text);
    pen_snapshots_write (file, text);
  }
  close (file);
}

gboolean
pen_snapshots_write_counts (const char *directory, const PenWitnessCounts *counts, guint32 program,
                            GError **error)
{
  static const char *const names[PEN_WITNESS_COUNTERS] = {
    [PEN_WITNESS_RUNS] = "runs",
    [PEN_WITNESS_SAME] = "same",
    [PEN_WITNESS_FIRSTS] = "firsts",
    [PEN_WITNESS_CHANGES] = "changes",
    [PEN_WITNESS_LOST] = "lost",
    [PEN_WITNESS_SKIPPED] = "skipped",
    [PEN_WITNESS_NO_KERNEL] = "unreadable_kernel",
    [PEN_WITNESS_NO_USER] = "unreadable_user",
    [PEN_WITNESS_BREAKPOINTS] = "breakpoints",
    [PEN_WITNESS_TIMED] = "timed",
    [PEN_WITNESS_TIME] = "time",
  };
  g_autoptr (GString) text = g_string_new (NULL);
  int ours = enter_ours (directory);
  int number = ours < 0 ? errno : 0;

  g_string_append_printf (text, "version %d\nprogram %u\n", PEN_WITNESS_VERSION, program);
  for (guint i = 0; i < PEN_WITNESS_COUNTERS; i++)
    g_string_append_printf (text, "%s %" PRIu64 "\n", names[i], counts->values[i]);
  if (ours >= 0) {
    number = write_file (ours, "witness", text);
    close (ours);
  }
  if (number == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", directory,
               g_strerror (number));
  return FALSE;
}
