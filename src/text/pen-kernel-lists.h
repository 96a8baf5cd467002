/* pen-kernel-lists.h: whom the kernel lists as users of patches: probes, traced functions, tracers,
 * live patches, BPF links; and switches
 *
 * As `pentimento-cli record` copies them (docs/recording.md), and as they are in /proc and /sys.
 * Each function takes at most @n of @lines; nothing that these name is ever opened. It returns the
 * number of lines that it could not read; strings that it hands on live during the call.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-regular-file.h"

G_BEGIN_DECLS

#define PEN_KERNEL_LIST_LINES 262144u

/*
 * PenListedProbe: a line of kprobes/list, or of kprobe_events
 * @type: 'k' or 'p': a probe; 'r': of a function's return; 'f': of functions, by ftrace (fprobe)
 * @address: 0: a symbol alone is known
 * @symbol: NULL: the address alone is; with @offset
 * @event: of kprobe_events: "group/name"; else NULL
 */
typedef struct {
  char type;
  guint64 address;
  const char *symbol;
  guint64 offset;
  const char *event;
} PenListedProbe;

typedef void (*PenListedProbeFunc) (const PenListedProbe *probe, gpointer user_data);

/* kernel/kprobes.c: report_probe(): "ffffffff812345a0  k  vfs_read+0x0    [FTRACE]" */
guint pen_kernel_list_probes (PenLineReader *lines, guint n, PenListedProbeFunc func,
                              gpointer user_data);
/* kernel/trace/trace_kprobe.c, trace_fprobe.c: "p:kprobes/open do_sys_openat2+0 name=%si" */
guint pen_kernel_list_probe_events (PenLineReader *lines, guint n, PenListedProbeFunc func,
                                    gpointer user_data);

/* @trampoline: its address; @user: the function that it calls */
typedef void (*PenListedTrampolineFunc) (guint64 trampoline, const char *user, gpointer user_data);

/* kernel/trace/ftrace.c: t_show(): "vfs_read (1) R I \ttramp: 0xffffffffc0214000
 * (kprobe_ftrace_handler+0x0/0x1d0) ->…" */
guint pen_kernel_list_trampolines (PenLineReader *lines, guint n, PenListedTrampolineFunc func,
                                   gpointer user_data);

/* A line with the path of a file, a blank, and what the file holds. */
typedef void (*PenListedValueFunc) (const char *path, const char *value, gpointer user_data);

guint pen_kernel_list_values (PenLineReader *lines, guint n, PenListedValueFunc func,
                              gpointer user_data);

/*
 * PenListedProgram: a BPF program or link, as `programs` and `links` have them: JSON, an object in
 * a line
 * @id: of the program, or of a link's program
 * @name: of a program; else NULL
 * @kind: of a link: its attach type ("trace_fentry"), or else its type ("kprobe_multi")
 * @target: of a link: the number in the name of its BPF trampoline, but for the flag of kernel
 *   functions (0x80000000); 0: none
 * @address: of a link: of the probed function; 0: none
 */
typedef struct {
  guint32 id;
  const char *name;
  const char *kind;
  guint64 target;
  guint64 address;
} PenListedProgram;

typedef void (*PenListedProgramFunc) (const PenListedProgram *program, gpointer user_data);

guint pen_kernel_list_programs (PenLineReader *lines, guint n, PenListedProgramFunc func,
                                gpointer user_data);
/* With several addresses, @func is called for each. */
guint pen_kernel_list_links (PenLineReader *lines, guint n, PenListedProgramFunc func,
                             gpointer user_data);

G_END_DECLS
