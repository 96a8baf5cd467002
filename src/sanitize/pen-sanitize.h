/* pen-sanitize.h: a copy of a store that can be shown to others
 *
 * Names of tasks, files, functions of user space, BPF programs and events are replaced, each by the
 * same wherever it stands; addresses of the kernel's space are moved by random distances of whole
 * pages, one of its text and one of its memory, in numbers, in texts, and where instructions have
 * them. Counts, causes and histories
 * stay. Names of the kernel's own functions and modules stay, as do the kernel's release and the
 * build-ids of both, times and process numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-clean.h"

G_BEGIN_DECLS

/* What keeps its names. */
typedef enum {
  PEN_SANITIZE_KEEP_TASKS = 1 << 0,
  PEN_SANITIZE_KEEP_SYMBOLS = 1 << 1,  /* functions of user space */
  PEN_SANITIZE_KEEP_PATHS = 1 << 2,    /* programs, libraries and source files */
  PEN_SANITIZE_KEEP_PROGRAMS = 1 << 3, /* BPF */
  PEN_SANITIZE_KEEP_EVENTS = 1 << 4,
} PenSanitizeKeep;

/*
 * PenSanitized:
 * @lost: (element-type PenCleanLoss): rows that were left out
 * @names: replaced ones, by PenCleanText
 * @unsound: bytes of code that were left out: where an instruction begins is not known
 */
typedef struct {
  GArray *lost;
  guint names[PEN_CLEAN_TEXTS];
  guint64 unsound;
} PenSanitized;

void pen_sanitized_clear (PenSanitized *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenSanitized, pen_sanitized_clear)

/* Bytes that were read, of how many. */
typedef void (*PenSanitizeProgress) (guint64 done, guint64 total, gpointer user_data);

/*
 * pen_sanitize:
 * @path: of the new store; @mode: of which the umask takes away
 * @keep: PEN_SANITIZE_KEEP_…
 * @progress: (nullable): called often
 *
 * Cost: that of pen_store_clean(), and each instruction of the kept text decoded once.
 */
gboolean pen_sanitize (PenStore *store, const char *path, mode_t mode, guint keep,
                       PenSanitizeProgress progress, gpointer user_data, GCancellable *cancellable,
                       PenSanitized *result, GError **error);

G_END_DECLS
