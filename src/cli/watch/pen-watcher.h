/* pen-watcher.h: records of the kernel as they come, into changes of text with their causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"
#include "pen-poke.h"
#include "pen-watch-tasks.h"
#include "pen-watch-text.h"
#include "pen-watch-users.h"

G_BEGIN_DECLS

/* Records of different CPUs are put in order for so long, ns; then a poke waits for those that may
 * follow it at the same place, which can settle its cause. */
#define PEN_WATCH_ORDER 200000000u
#define PEN_WATCH_AHEAD 200000000u
/* Pokes before one that are kept for its cause, and their bytes. */
#define PEN_WATCH_BACK 4096u
#define PEN_WATCH_BACK_BYTES (8u << 20)

/*
 * PenWatchChange: valid while it is handed out
 * @time: CLOCK_MONOTONIC, ns; 0: not known
 * @change: "poke", "register", "unregister", "load", "unload", "lost"
 * @poke: (nullable): of a poke, with its cause
 * @is_loss: records were lost: @lost of them; 0: their number is not known
 * @purpose: (nullable): for whom it is patched, by the kernel's lists
 * @bpf_id: of a program that came or went; 0: not known
 */
typedef struct {
  guint64 time;
  const char *change;
  guint64 address;
  guint64 length;
  gboolean has_address;
  PenKind kind;
  const char *occupant;
  const char *symbol; /* or NULL */
  guint64 offset;
  const PenPoke *poke;
  const char *purpose;
  gboolean is_loss;
  guint64 lost;
  guint32 bpf_id;
  guint32 cpu; /* G_MAXUINT32: not known */
  gboolean has_task;
  gint32 pid;
  gint32 tid;
  const char *comm;
  PenEvidence evidence;
} PenWatchChange;

/* Returns: FALSE: no more is wanted */
typedef gboolean (*PenWatchFunc) (const PenWatchChange *change, gpointer user_data);

/* PenWatcher: its memory is bounded, however long it runs and whatever comes. */
typedef struct _PenWatcher PenWatcher;

/* @text: read; @tasks, @users: (transfer none): all outlive it. Causes on other machines than x86
 * are unknown; where Capstone is not installed, too. */
PenWatcher *pen_watcher_new (PenWatchText *text, PenWatchTasks *tasks, PenWatchUsers *users,
                             PenWatchFunc func, gpointer user_data);
void pen_watcher_free (PenWatcher *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWatcher, pen_watcher_free)

/* Before the first record. @attr: (transfer full): with its ids. @format: (nullable): of a
 * tracepoint of modules: samples of this event are loads, or with @is_free frees. */
void pen_watcher_add_event (PenWatcher *self, PenAttr *attr, const char *format, gboolean is_free);
/* After all was handed out: other events follow. */
void pen_watcher_clear_events (PenWatcher *self);

/* A record as it came; what is of no use is left out. */
void pen_watcher_take (PenWatcher *self, const guint8 *record, guint32 size);
/* Records that could not be read. @records: 0: their number is not known */
void pen_watcher_add_loss (PenWatcher *self, guint64 time, guint64 records);

/* Hands out what is settled at @now (CLOCK_MONOTONIC); G_MAXUINT64: all. Returns: FALSE: @func did
 * not want more */
gboolean pen_watcher_run (PenWatcher *self, guint64 now);

/* Bytes of records that are kept. */
gsize pen_watcher_get_bytes (PenWatcher *self);

G_END_DECLS
