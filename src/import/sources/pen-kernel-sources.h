/* pen-kernel-sources.h: names and bytes of the kernel and its modules, whatever file has them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-debug-finder.h"
#include "pen-history.h"
#include "pen-import.h"
#include "pen-kernel-facts.h"
#include "pen-module-snapshots.h"
#include "pen-range-index.h"
#include "pen-readings.h"
#include "pen-recorder-files.h"
#include "pen-source.h"
#include "pen-text.h"

G_BEGIN_DECLS

/*
 * PenKernelSources: in this order, each for what those before it do not know: what the capture
 * brought along (kcore_dir, snapshots of the recorder); what the user gave; this machine's own
 * kernel, perf's cache and debug files, where the build-id is the recorded one; a debuginfod
 * server, if the user said so. Files of another kernel are refused, and reported.
 *
 * Files are opened when something is wanted that they may know.
 */
typedef struct _PenKernelSources PenKernelSources;

/* Says that @file cannot be used. Takes @problem, whose message is a reason
 * (pen_reason_set_error()). Returns: FALSE with @error: nothing goes on */
typedef gboolean (*PenProblemFunc) (gpointer user_data, const char *file, gboolean is_given,
                                    GError *problem, GError **error);

/*
 * pen_kernel_sources_new:
 * @kcore_dir: (nullable)
 * @recorder: (nullable)
 * @features: as far as they are known
 * @debuginfod: (nullable): outlives the sources
 * @problem: called with @user_data; from any thread that asks for something, one at a time
 *
 * A given file that cannot be used is an error; one of the capture's own is a problem. kallsyms is
 * parsed in a thread of its own, while the records are read; so are this machine's, where the
 * features say that it is the recorded one.
 */
PenKernelSources *pen_kernel_sources_new (const char *kcore_dir, const PenRecorderFiles *recorder,
                                          const PenSources *given, const PenFeatures *features,
                                          PenDebuginfod *debuginfod, PenProblemFunc problem,
                                          gpointer user_data, GCancellable *cancellable,
                                          GError **error);
void pen_kernel_sources_free (PenKernelSources *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKernelSources, pen_kernel_sources_free)

/* @path: of the list. Returns: FALSE: it tells nothing */
typedef gboolean (*PenModulesFunc) (const PenModuleList *list, const char *path,
                                    gpointer user_data);

/*
 * pen_kernel_sources_foreach_modules:
 * @symbol, @address: of the core kernel, as recorded; 0: not known
 * @first, @last: ns: the recorded time
 *
 * Calls @func for each list of modules, in the order of the sources. Waits for kallsyms where the
 * user gave one, which is such a list, too, unless it has @symbol elsewhere: then it is of another
 * boot, and modules lie where there was room.
 */
gboolean pen_kernel_sources_foreach_modules (PenKernelSources *self, const char *symbol,
                                             guint64 address, guint64 first, guint64 last,
                                             PenModulesFunc func, gpointer user_data,
                                             GError **error);

/*
 * pen_kernel_sources_find_witnessed:
 * @symbol, @address: as above; @start, @end: of the core kernel's text
 * @release: (nullable): of the kernel
 *
 * @named: not sealed: ranges that something else than a list of modules names
 *
 * Names modules that only @readings show: see pen_witnessed_modules_find(). After
 * pen_kernel_sources_foreach_modules(), before the facts are set; calls @func for each of them.
 */
gboolean pen_kernel_sources_find_witnessed (PenKernelSources *self, PenReadings *readings,
                                            PenRangeIndex *named, guint64 start, guint64 end,
                                            const char *release, PenModulesFunc func,
                                            gpointer user_data, GError **error);

/* Where the code of @tenure, a module, ends: by kallsyms, or else, @may_open, by the file with its
 * build-id. Returns: 0: not known */
guint64 pen_kernel_sources_find_code_end (PenKernelSources *self, const PenTenure *tenure,
                                          gboolean may_open);

/* @name: of what is listed as registered. @evidence: of the list */
typedef void (*PenRegisteredFunc) (const char *name, PenKind kind, guint64 start, guint64 end,
                                   PenEvidence evidence, gpointer user_data);

/*
 * pen_kernel_sources_foreach_registered:
 * @symbol, @address: as above
 *
 * Waits for kallsyms, and calls @func for what the capture's own copy, and then those that the user
 * gave without a time or of the start, list as registered before the start (rule K6). A copy that
 * has @symbol elsewhere is of another boot and tells nothing; one of perf's cache or this machine
 * may be.
 */
gboolean pen_kernel_sources_foreach_registered (PenKernelSources *self, const char *symbol,
                                                guint64 address, PenRegisteredFunc func,
                                                gpointer user_data, GError **error);

/* Against what everything is checked. Takes @facts. Before this, nothing but the above is asked. */
void pen_kernel_sources_set_facts (PenKernelSources *self, PenKernelFacts *facts);
/* Returns: (nullable): NULL before that */
const PenKernelFacts *pen_kernel_sources_get_facts (PenKernelSources *self);

/* Until names are there and checked. May be called by several threads; what follows by one, after
 * it. */
gboolean pen_kernel_sources_wait (PenKernelSources *self, GError **error);

/* Is there any source of names for @tenure, of the kernel's map layer? */
gboolean pen_kernel_sources_has_names (PenKernelSources *self, const PenTenure *tenure);
gboolean pen_kernel_sources_find_symbol (PenKernelSources *self, const PenTenure *tenure,
                                         guint64 address, PenSymbol *symbol);

/* Symbols of those copies of kallsyms that may be used: each occupant's by the first that has it.
 * May run in a thread beside the others. */
void pen_kernel_sources_foreach_kallsyms (PenKernelSources *self, PenSymbolFunc func,
                                          gpointer user_data);
/* Symbols of the modules that are live patches. */
void pen_kernel_sources_foreach_livepatch (PenKernelSources *self, PenSymbolFunc func,
                                           gpointer user_data);
/* Symbols of the ELF files that names were taken from: when no more are. */
void pen_kernel_sources_foreach_file (PenKernelSources *self, PenSymbolFunc func,
                                      gpointer user_data);

/* Refuses copies of kcore that the pokes contradict: those of another boot. @history: sealed;
 * outlives the sources. @first, @last: ns: the recorded time. Returns: FALSE: a given one */
gboolean pen_kernel_sources_check_kcores (PenKernelSources *self, PenHistory *history,
                                          guint64 first, guint64 last, GError **error);

/*
 * pen_kernel_sources_read:
 * @pieces: (element-type PenTextPiece): those that are known of [@start, @end) of @tenure are added
 *
 * A copy of kcore shows one moment. One of the start has the bytes of tenures of the initial state;
 * one of a later moment those of tenures that held the memory then: see pen-dated-kcore.h.
 * Where neither it nor another is, the ELF file with the recorded build-id tells, but for what the
 * kernel rewrites when it starts: that is unchecked.
 */
void pen_kernel_sources_read (PenKernelSources *self, const PenTenure *tenure, guint64 start,
                              guint64 end, GPtrArray *pieces);

/*
 * PenKernelCopy: the copy of the start that has the core kernel's text
 * @path: of a kcore
 * @start, @end: of the text
 * @key: of this kernel at this place: hexadecimal digits
 */
typedef struct {
  char *path;
  char *key;
  guint64 start;
  guint64 end;
  PenEvidence evidence;
} PenKernelCopy;

/* After pen_kernel_sources_check_kcores(). Returns: FALSE: there is none */
gboolean pen_kernel_sources_describe_copy (PenKernelSources *self, PenKernelCopy *copy);
void pen_kernel_copy_clear (PenKernelCopy *copy);

/* The entry for the instruction at @address in the ELF file's tables. Returns: FALSE: none */
gboolean pen_kernel_sources_find_site (PenKernelSources *self, const PenTenure *tenure,
                                       guint64 address, PenTextSite *site);

/*
 * PenKernelDebug:
 * @file: whose debug information is wanted
 * @is_given: the user gave the file that is known
 * @symbol, @address: where the kernel was, by one of its symbols; of a module, where its text was
 * loaded
 */
typedef struct {
  PenDebugWanted file;
  gboolean is_module;
  gboolean is_given;
  const char *occupant;
  const char *symbol;
  guint64 address;
} PenKernelDebug;

/* Looks for no file. @debug: (out): its strings are owned by the sources and the history. Returns:
 * FALSE: not enough is known of @tenure */
gboolean pen_kernel_sources_describe_debug (PenKernelSources *self, const PenTenure *tenure,
                                            PenKernelDebug *debug);
/* @path, @found: of a file that gave lines */
void pen_kernel_sources_note_lines (PenKernelSources *self, const PenKernelDebug *debug,
                                    const char *path, const char *found);

/* Returns: (nullable): the path of the first source of that kind ("kcore") that is used */
const char *pen_kernel_sources_get_path (PenKernelSources *self, const char *what);
/* Damaged lines of all kallsyms. */
guint64 pen_kernel_sources_get_skipped (PenKernelSources *self);

/* A file that is not used, for @reason. */
void pen_kernel_sources_add_refused (PenKernelSources *self, const char *path, const char *reason);

gboolean pen_kernel_sources_write (PenKernelSources *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
