/* test-watch.c: made-up records of a kernel, as changes of its text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "pen-watch-queue.h"
#include "pen-watch-rows.h"
#include "pen-watcher.h"

#define ID 77u
#define SECOND 1000000000u

static const char kallsyms[] = "ffffffff81000000 T _text\n"
                               "ffffffff81000100 T vfs_read\n"
                               "ffffffff81000200 T vfs_write\n"
                               "ffffffff81000300 T function_trace_call\n"
                               "ffffffff81000400 T ftrace_ops_assist_func\n"
                               "ffffffff81001000 T _etext\n"
                               "ffffffff81002000 d kprobe_ftrace_ops\n"
                               "ffffffffa0000000 t old_function\t[old]\n"
                               "ffffffffa0000100 t old_end\t[old]\n";
static const char more_kallsyms[] = "ffffffffa0010000 t new_function\t[new]\n"
                                    "ffffffffa0010100 t new_end\t[new]\n";
static const char modules[] = "old 4096 0 - Live 0xffffffffa0000000\n";
static const char more_modules[] = "new 4096 0 - Live 0xffffffffa0010000\n";

static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 jump[] = { 0xe9, 0x20, 0x00, 0x00, 0x00 };

/* ---- a kernel ---- */

typedef struct {
  GString *record;
  char *folder;
  char *kallsyms;
  char *modules;
  PenWatchText *text;
  PenWatchTasks *tasks;
  PenWatchUsers *users;
  PenWatcher *watcher;
  const char *events; /* the kernel's list of probes, once it is read */
  guint64 clock;
  GPtrArray *lines; /* "change who cause symbol+offset in occupant" */
  guint n;
  guint stop_after; /* 0: never */
} Kernel;

static gboolean
note (const PenWatchChange *change, gpointer user_data)
{
  Kernel *self = user_data;
  GString *line = g_string_new (change->change);

  self->n++;
  if (change->lost > 0)
    g_string_append_printf (line, " %u", (guint) change->lost);
  if (change->has_task)
    g_string_append_printf (line, " %s/%d", change->comm, change->tid);
  if (change->poke)
    g_string_append_printf (line, " %s", pen_cause_to_string (change->poke->cause));
  if (change->symbol)
    g_string_append_printf (line, " %s+0x%x", change->symbol, (guint) change->offset);
  if (change->occupant && *change->occupant != '\0')
    g_string_append_printf (line, " in %s", change->occupant);
  if (change->bpf_id != 0)
    g_string_append_printf (line, " id %u", change->bpf_id);
  if (change->poke && change->poke->after.user)
    g_string_append_printf (line, " (%s)", change->poke->after.user);
  if (change->purpose)
    g_string_append_printf (line, " for %s", change->purpose);
  if (self->lines)
    g_ptr_array_add (self->lines, g_string_free (line, FALSE));
  else
    g_string_free (line, TRUE);
  return self->n != self->stop_after;
}

static guint64
read_clock (gpointer user_data)
{
  Kernel *self = user_data;

  return self->clock;
}

/* Reading takes a millisecond. */
static GString *
read_list (const char *list, gpointer user_data)
{
  Kernel *self = user_data;

  if (g_str_equal (list, "kprobes")) {
    self->clock += 1000000;
    return g_string_new (self->events ? "ffffffff81000110  k  vfs_read+0x10\n" : "");
  }
  return g_str_equal (list, "kprobe_events") ? g_string_new (self->events) : NULL;
}

static PenAttr *
make_attr (guint64 id, gboolean has_raw)
{
  PenAttr *attr = g_new0 (PenAttr, 1);

  attr->type = has_raw ? PEN_ATTR_TYPE_TRACEPOINT : PEN_ATTR_TYPE_SOFTWARE;
  attr->sample_type = PEN_SAMPLE_IDENTIFIER | PEN_SAMPLE_TID | PEN_SAMPLE_TIME | PEN_SAMPLE_CPU
                      | (has_raw ? PEN_SAMPLE_RAW : 0);
  attr->flags = PEN_ATTR_SAMPLE_ID_ALL | PEN_ATTR_KSYMBOL | PEN_ATTR_TEXT_POKE;
  attr->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (attr->ids, id);
  return attr;
}

#define FORMAT                                                                                     \
  "name: module_load\nID: 1\nformat:\n"                                                            \
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                           \
  "\n\tfield:unsigned int taints;\toffset:8;\tsize:4;\tsigned:0;\n"                                \
  "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"

static void
kernel_init (Kernel *self)
{
  self->folder = g_dir_make_tmp ("pentimento-watch-XXXXXX", NULL);
  self->kallsyms = g_build_filename (self->folder, "kallsyms", NULL);
  self->modules = g_build_filename (self->folder, "modules", NULL);
  g_assert_true (g_file_set_contents (self->kallsyms, kallsyms, -1, NULL));
  g_assert_true (g_file_set_contents (self->modules, modules, -1, NULL));
  self->text = pen_watch_text_new (self->kallsyms, self->modules, "5.10.0");
  g_assert_true (pen_watch_text_read (self->text, NULL));
  self->tasks = pen_watch_tasks_new (NULL);
  self->users = pen_watch_users_new (read_list, read_clock, self);
  self->watcher = pen_watcher_new (self->text, self->tasks, self->users, note, self);
  pen_watcher_add_event (self->watcher, make_attr (ID, FALSE), NULL, FALSE);
  pen_watcher_add_event (self->watcher, make_attr (ID + 1, TRUE), FORMAT, FALSE);
  self->record = g_string_new (NULL);
  self->lines = g_ptr_array_new_with_free_func (g_free);
}

static void
kernel_clear (Kernel *self)
{
  pen_watcher_free (self->watcher);
  pen_watch_users_free (self->users);
  pen_watch_tasks_free (self->tasks);
  pen_watch_text_free (self->text);
  g_remove (self->kallsyms);
  g_remove (self->modules);
  g_rmdir (self->folder);
  g_free (self->kallsyms);
  g_free (self->modules);
  g_free (self->folder);
  g_string_free (self->record, TRUE);
  g_clear_pointer (&self->lines, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Kernel, kernel_clear)

static void
put (Kernel *self, const void *bytes, gsize n)
{
  g_string_append_len (self->record, bytes, (gssize) n);
}

static void
put_u16 (Kernel *self, guint16 value)
{
  put (self, &value, sizeof value);
}

static void
put_u32 (Kernel *self, guint32 value)
{
  put (self, &value, sizeof value);
}

static void
put_u64 (Kernel *self, guint64 value)
{
  put (self, &value, sizeof value);
}

static void
pad (Kernel *self)
{
  while (self->record->len % 8 != 0)
    g_string_append_c (self->record, '\0');
}

static void
begin (Kernel *self, guint32 type)
{
  g_string_truncate (self->record, 0);
  put_u32 (self, type);
  put_u16 (self, 0);
  put_u16 (self, 0);
}

static void
hand_over (Kernel *self)
{
  guint16 size = (guint16) self->record->len;

  memcpy (self->record->str + 6, &size, sizeof size);
  pen_watcher_take (self->watcher, (const guint8 *) self->record->str, size);
}

/* The trailer: task, time, CPU, identifier. */
static void
end (Kernel *self, guint32 tid, guint64 time)
{
  pad (self);
  put_u32 (self, tid);
  put_u32 (self, tid);
  put_u64 (self, time);
  put_u32 (self, 0);
  put_u32 (self, 0);
  put_u64 (self, ID);
  hand_over (self);
}

static void
poke (Kernel *self, guint64 time, guint32 tid, guint64 address, const guint8 *before,
      guint16 n_before, const guint8 *after, guint16 n_after)
{
  begin (self, PEN_RECORD_TEXT_POKE);
  put_u64 (self, address);
  put_u16 (self, n_before);
  put_u16 (self, n_after);
  put (self, before, n_before);
  put (self, after, n_after);
  end (self, tid, time);
}

static void
ksymbol (Kernel *self, guint64 time, guint32 tid, guint64 address, guint16 type, guint16 flags,
         const char *name)
{
  begin (self, PEN_RECORD_KSYMBOL);
  put_u64 (self, address);
  put_u32 (self, 256);
  put_u16 (self, type);
  put_u16 (self, flags);
  put (self, name, strlen (name) + 1);
  end (self, tid, time);
}

static void
program (Kernel *self, guint64 time, guint32 tid, guint16 type, guint32 id)
{
  begin (self, PEN_RECORD_BPF_EVENT);
  put_u16 (self, type);
  put_u16 (self, 0);
  put_u32 (self, id);
  put_u64 (self, 0);
  end (self, tid, time);
}

static void
comm (Kernel *self, guint64 time, guint32 tid, const char *name)
{
  begin (self, PEN_RECORD_COMM);
  put_u32 (self, tid);
  put_u32 (self, tid);
  put (self, name, strlen (name) + 1);
  end (self, tid, time);
}

static void
task (Kernel *self, guint32 type, guint64 time, guint32 tid, guint32 parent)
{
  begin (self, type);
  put_u32 (self, tid);
  put_u32 (self, parent);
  put_u32 (self, tid);
  put_u32 (self, parent);
  put_u64 (self, time);
  end (self, parent, time);
}

static void
module_load (Kernel *self, guint64 time, guint32 tid, const char *name)
{
  guint32 length = (guint32) strlen (name) + 1;

  begin (self, PEN_RECORD_SAMPLE);
  put_u64 (self, ID + 1);
  put_u32 (self, tid);
  put_u32 (self, tid);
  put_u64 (self, time);
  put_u32 (self, 0);
  put_u32 (self, 0);
  put_u32 (self, 20 + (length + 7) / 8 * 8);
  put_u64 (self, 0);
  put_u32 (self, 0);
  put_u32 (self, length << 16 | 16);
  put (self, name, length);
  pad (self);
  put_u32 (self, 0);
  pad (self);
  hand_over (self);
}

static void
expect (Kernel *self, guint n, const char *const *lines)
{
  for (guint i = 0; i < MIN (n, self->lines->len); i++)
    g_assert_cmpstr (self->lines->pdata[i], ==, lines[i]);
  g_assert_cmpuint (self->lines->len, ==, n);
}

/* ---- users ---- */

static void
read_at (Kernel *self, guint64 time, const char *events)
{
  self->clock = time;
  self->events = events;
  pen_watch_users_update (self->users);
}

#define MS 1000000u

/* Two probes one after the other at one place, each in a list of its time; the third one is in
 * none.
 */
static void
test_users (void)
{
  g_auto (Kernel) kernel = { 0 };
  static const guint8 text[] = { 0x90 };
  static const guint8 breakpoint[] = { 0xcc };
  static const char *const lines[] = {
    "poke /5 kprobe vfs_read+0x10 in [kernel.kallsyms] for kprobe a/first",
    "poke /5 kprobe vfs_read+0x10 in [kernel.kallsyms] for kprobe a/first",
    "poke /6 kprobe vfs_read+0x10 in [kernel.kallsyms] for kprobe a/second",
    "poke /6 kprobe vfs_read+0x10 in [kernel.kallsyms] for kprobe a/second",
    "poke /7 kprobe vfs_read+0x10 in [kernel.kallsyms]",
    "poke /7 kprobe vfs_read+0x10 in [kernel.kallsyms]",
    "poke /8 kprobe vfs_write+0x10 in [kernel.kallsyms]",
  };

  kernel_init (&kernel);
  read_at (&kernel, SECOND, NULL);
  poke (&kernel, SECOND + 100 * MS, 5, 0xffffffff81000110, text, 1, breakpoint, 1);
  read_at (&kernel, SECOND + 150 * MS, "p:a/first vfs_read+16\n");
  poke (&kernel, SECOND + 200 * MS, 5, 0xffffffff81000110, breakpoint, 1, text, 1);
  poke (&kernel, SECOND + 210 * MS, 6, 0xffffffff81000110, text, 1, breakpoint, 1);
  read_at (&kernel, SECOND + 250 * MS, "p:a/second vfs_read+16\n");
  poke (&kernel, SECOND + 300 * MS, 6, 0xffffffff81000110, breakpoint, 1, text, 1);
  poke (&kernel, SECOND + 310 * MS, 7, 0xffffffff81000110, text, 1, breakpoint, 1);
  poke (&kernel, SECOND + 320 * MS, 7, 0xffffffff81000110, breakpoint, 1, text, 1);
  poke (&kernel, SECOND + 330 * MS, 8, 0xffffffff81000210, text, 1, breakpoint, 1);
  read_at (&kernel, SECOND + 350 * MS, NULL);
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  expect (&kernel, G_N_ELEMENTS (lines), lines);
}

/* ---- changes ---- */

/* CPUs come one after the other, what they wrote in order of time. */
static void
test_order (void)
{
  g_auto (Kernel) kernel = { 0 };
  static const char *const lines[] = {
    "poke shell/5 static-key vfs_read+0x10 in [kernel.kallsyms]",
    "poke sysctl/5 static-key vfs_write+0x10 in [kernel.kallsyms]",
    "poke sysctl/6 static-key vfs_read+0x10 in [kernel.kallsyms]",
    "poke /9 unknown",
  };

  kernel_init (&kernel);
  comm (&kernel, SECOND, 5, "shell");
  poke (&kernel, SECOND + 20, 5, 0xffffffff81000210, nop, 5, jump, 5);
  task (&kernel, PEN_RECORD_FORK, SECOND + 30, 6, 5);
  poke (&kernel, SECOND + 40, 6, 0xffffffff81000110, jump, 5, nop, 5);
  poke (&kernel, SECOND + 10, 5, 0xffffffff81000110, nop, 5, jump, 5);
  comm (&kernel, SECOND + 15, 5, "sysctl");
  poke (&kernel, SECOND + 50, 9, 0x1000, nop, 5, nop, 4);

  /* Not before others may have come. */
  g_assert_true (pen_watcher_run (kernel.watcher, SECOND + 100));
  g_assert_cmpuint (kernel.lines->len, ==, 0);
  g_assert_true (pen_watcher_run (kernel.watcher, 2u * SECOND));
  expect (&kernel, G_N_ELEMENTS (lines), lines);
}

static void
test_registered (void)
{
  g_auto (Kernel) kernel = { 0 };
  /* From vfs_read to the trampoline at 0xffffffffa1000000, and from there to function_trace_call.
   */
  static const guint8 call[] = { 0xe8, 0xfb, 0xfe, 0xff, 0x1f };
  static const guint8 body[] = { 0xe8, 0xfb, 0x02, 0x00, 0xe0, 0xc3 };
  static const char *const lines[] = {
    "register /3 bpf_prog_1+0x0 in bpf_prog_1 id 23",
    "unregister /3 bpf_prog_1+0x0 in bpf_prog_1 id 23",
    "register /4 ftrace_trampoline+0x0 in ftrace_trampoline",
    "poke /4 ftrace ftrace_trampoline+0x0 in ftrace_trampoline (function_trace_call)",
    "poke /4 ftrace vfs_read+0x0 in [kernel.kallsyms] (function_trace_call)",
  };

  kernel_init (&kernel);
  ksymbol (&kernel, SECOND, 3, 0xffffffffc0000000, PEN_KSYMBOL_TYPE_BPF, 0, "bpf_prog_1");
  program (&kernel, SECOND + 1, 3, PEN_BPF_EVENT_LOAD, 23);
  ksymbol (&kernel, SECOND + 2, 3, 0xffffffffc0000000, PEN_KSYMBOL_TYPE_BPF, PEN_KSYMBOL_UNREGISTER,
           "bpf_prog_1");
  program (&kernel, SECOND + 3, 3, PEN_BPF_EVENT_UNLOAD, 23);
  ksymbol (&kernel, SECOND + 4, 4, 0xffffffffa0000000 + 0x1000000, PEN_KSYMBOL_TYPE_OUT_OF_LINE, 0,
           "ftrace_trampoline");
  poke (&kernel, SECOND + 5, 4, 0xffffffffa1000000, NULL, 0, body, sizeof body);
  poke (&kernel, SECOND + 6, 4, 0xffffffff81000100, nop, 5, call, 5);
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  expect (&kernel, G_N_ELEMENTS (lines), lines);
}

/* Until Linux 5.10, one function stands for live patches and probes: the struct in the trampoline
 * tells. */
static void
test_any_user (void)
{
  g_auto (Kernel) kernel = { 0 };
  const guint64 trampoline = 0xffffffffa1000000u;
  /* pushfq; the load of the struct; a call of ftrace_ops_assist_func; ret */
  guint8 body[22]
      = { 0x9c, 0x48, 0x8b, 0x15, 0x06, 0x00, 0x00, 0x00, 0xe8, 0xf3, 0x03, 0x00, 0xe0, 0xc3 };
  static const guint64 structs[] = { 0xffff888004ec2840u, 0xffffffff81002000u };
  static const char *const lines[] = {
    "register /4 ftrace_trampoline+0x0 in ftrace_trampoline",
    "poke /4 livepatch ftrace_trampoline+0x0 in ftrace_trampoline (klp_ftrace_handler)",
    "register /4 ftrace_trampoline+0x0 in ftrace_trampoline",
    "poke /4 ftrace ftrace_trampoline+0x0 in ftrace_trampoline (kprobe_ftrace_handler)",
  };

  kernel_init (&kernel);
  for (guint i = 0; i < G_N_ELEMENTS (structs); i++) {
    guint64 address = GUINT64_TO_LE (structs[i]);

    memcpy (body + 14, &address, sizeof address);
    ksymbol (&kernel, SECOND + 2 * i, 4, trampoline, PEN_KSYMBOL_TYPE_OUT_OF_LINE, 0,
             "ftrace_trampoline");
    poke (&kernel, SECOND + 2 * i + 1, 4, trampoline, NULL, 0, body, sizeof body);
  }
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  expect (&kernel, G_N_ELEMENTS (lines), lines);
}

/* Names are read again when a module came, but not for every patch. */
static void
test_module (void)
{
  g_auto (Kernel) kernel = { 0 };
  g_autofree char *names = g_strconcat (kallsyms, more_kallsyms, NULL);
  g_autofree char *list = g_strconcat (more_modules, modules, NULL);
  static const char *const lines[] = {
    "poke /5 static-key old_function+0x10 in [old]",
    "load /7 in [new]",
    "poke /5 static-key new_function+0x10 in [new]",
  };

  kernel_init (&kernel);
  poke (&kernel, 10u * (guint64) SECOND, 5, 0xffffffffa0000010, nop, 5, jump, 5);
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  g_assert_true (g_file_set_contents (kernel.kallsyms, names, -1, NULL));
  g_assert_true (g_file_set_contents (kernel.modules, list, -1, NULL));
  module_load (&kernel, 20u * (guint64) SECOND, 7, "new");
  poke (&kernel, 20u * (guint64) SECOND + 1, 5, 0xffffffffa0010010, nop, 5, jump, 5);
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  expect (&kernel, G_N_ELEMENTS (lines), lines);
}

/* What cannot be read is a loss, and the rest goes on. */
static void
test_hostile (void)
{
  g_auto (Kernel) kernel = { 0 };
  static const char *const lines[] = {
    "lost 1",
    "lost 1",
    "lost 12",
    "poke /5 static-key vfs_read+0x10 in [kernel.kallsyms]",
  };

  kernel_init (&kernel);
  begin (&kernel, PEN_RECORD_TEXT_POKE);
  hand_over (&kernel);
  begin (&kernel, PEN_RECORD_TEXT_POKE);
  put_u64 (&kernel, 0x1000);
  put_u16 (&kernel, G_MAXUINT16);
  put_u16 (&kernel, G_MAXUINT16);
  end (&kernel, 5, SECOND);
  begin (&kernel, 12345);
  end (&kernel, 5, SECOND);
  begin (&kernel, PEN_RECORD_LOST);
  put_u64 (&kernel, ID);
  put_u64 (&kernel, 12);
  end (&kernel, 5, SECOND + 1);
  poke (&kernel, SECOND + 2, 5, 0xffffffff81000110, nop, 5, jump, 5);
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  expect (&kernel, G_N_ELEMENTS (lines), lines);
}

/* Weeks: memory does not follow the number of records. */
static void
test_bounded (void)
{
  g_auto (Kernel) kernel = { 0 };
  gsize most = 0;

  kernel_init (&kernel);
  g_clear_pointer (&kernel.lines, g_ptr_array_unref);
  for (guint i = 0; i < 300000; i++) {
    guint64 time = SECOND + (guint64) i * 100000;

    poke (&kernel, time, i, 0xffffffff81000110, i % 2 ? jump : nop, 5, i % 2 ? nop : jump, 5);
    task (&kernel, PEN_RECORD_FORK, time, i + 1, i);
    comm (&kernel, time, i + 1, "task");
    ksymbol (&kernel, time, i, 0xffffffffc0000000 + (guint64) i * 512, PEN_KSYMBOL_TYPE_BPF, 0,
             "bpf_prog_x");
    if (i % 1000 == 0)
      g_assert_true (pen_watcher_run (kernel.watcher, time));
    most = MAX (most, pen_watcher_get_bytes (kernel.watcher));
  }
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  g_assert_cmpuint (kernel.n, ==, 600000);
  g_assert_cmpuint (most, <=, 8u << 20);
  g_assert_cmpuint (pen_watch_tasks_get_length (kernel.tasks), <=, PEN_WATCH_TASKS_MAX);
}

/* All at once, with large patches: what there is no room for does not wait. */
static void
test_flood (void)
{
  g_auto (Kernel) kernel = { 0 };
  g_autofree guint8 *bytes = g_malloc0 (32000);

  kernel_init (&kernel);
  g_clear_pointer (&kernel.lines, g_ptr_array_unref);
  for (guint i = 0; i < 4000; i++) {
    poke (&kernel, SECOND, 1, 0x1000, NULL, 0, bytes, 32000);
    g_assert_true (pen_watcher_run (kernel.watcher, SECOND));
    g_assert_cmpuint (pen_watcher_get_bytes (kernel.watcher), <, 64u << 20);
  }
  g_assert_true (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  g_assert_cmpuint (kernel.n, ==, 4000);
}

static void
test_stopped (void)
{
  g_auto (Kernel) kernel = { 0 };

  kernel_init (&kernel);
  kernel.stop_after = 2;
  for (guint i = 0; i < 5; i++)
    poke (&kernel, SECOND + i, 1, 0xffffffff81000110, nop, 5, jump, 5);
  g_assert_false (pen_watcher_run (kernel.watcher, G_MAXUINT64));
  g_assert_cmpuint (kernel.n, ==, 2);
}

/* ---- queue ---- */

static void
test_queue (void)
{
  g_autoptr (PenWatchQueue) queue = pen_watch_queue_new ();
  guint64 last = 0;
  guint n = 0;

  for (guint i = 0; i < 1000; i++) {
    PenWatchItem *item = pen_watch_item_new ((const guint8 *) "", 0);

    item->time = i * 7919 % 1000 / 10;
    pen_watch_queue_add (queue, item);
  }
  for (guint64 until = 0; until <= 100; until += 50)
    for (PenWatchItem *item; (item = pen_watch_queue_take (queue, until)); n++) {
      guint64 place = item->time << 32 | item->number;

      g_assert_cmpuint (item->time, <, until);
      g_assert_true (n == 0 || place > last);
      last = place;
      g_free (item);
    }
  g_assert_cmpuint (n, ==, 1000);
}

/* ---- rows ---- */

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/users", test_users);
  g_test_add_func ("/watch/order", test_order);
  g_test_add_func ("/watch/registered", test_registered);
  g_test_add_func ("/watch/any-user", test_any_user);
  g_test_add_func ("/watch/module", test_module);
  g_test_add_func ("/watch/hostile", test_hostile);
  g_test_add_func ("/watch/bounded", test_bounded);
  g_test_add_func ("/watch/flood", test_flood);
  g_test_add_func ("/watch/stopped", test_stopped);
  g_test_add_func ("/watch/queue", test_queue);
  return g_test_run ();
}
