/* pen-jit-pass.h: code that runtimes made while they ran, from their jitdumps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-function-table.h"
#include "pen-history.h"
#include "pen-line-book.h"
#include "pen-sideband.h"
#include "pen-sources.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* Dumps that are read of one capture. */
#define PEN_JIT_PASS_MAX_DUMPS 256

typedef struct _PenJitPass PenJitPass;

/* PenJitKept: dumps, and code of processes that have ended, of the parts before. */
typedef struct _PenJitKept PenJitKept;

PenJitKept *pen_jit_kept_new (void);
void pen_jit_kept_free (PenJitKept *self);

/*
 * pen_jit_pass_start:
 * @symfs: (nullable): a directory that the recorded machine's files are below
 * @capture: a dump is also looked for beside it
 * @attrs: (element-type PenAttr): of the capture's events
 * @sources: keeps problems of files that cannot be used
 * @kept: (nullable): the import is of a part; of it, and of the history, is what was made before
 * @until: ns: of a part: what was made later is for the next one
 *
 * A runtime maps its dump, so that the recording names it (perf's specification of jitdump): each
 * such map of a file jit-PID.dump is looked for, and its code becomes part of @history (rule U6),
 * which is not sealed yet. Nothing ties a file to the recording but its name and its times: all of
 * it is unchecked.
 */
PenJitPass *pen_jit_pass_start (PenSideband *sideband, const char *symfs, const char *capture,
                                GPtrArray *attrs, PenLoadedSources *sources, PenHistory *history,
                                PenJitKept *kept, guint64 until, GCancellable *cancellable);
/* Whether there is code now of a time that the parts before have. */
gboolean pen_jit_pass_is_other (PenJitPass *self);
void pen_jit_pass_free (PenJitPass *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenJitPass, pen_jit_pass_free)

/* Writes the bytes of code that samples fell on. @samples: by tenure's id */
gboolean pen_jit_pass_write (PenJitPass *self, PenHistory *history, const guint64 *samples,
                             PenStoreWriter *writer, GError **error);

/* Puts the lines of such code into @book. @functions: has functions of all tenures with samples */
void pen_jit_pass_tell_lines (PenJitPass *self, PenHistory *history, PenFunctionTable *functions,
                              const guint64 *samples, PenLineBook *book);

G_END_DECLS
