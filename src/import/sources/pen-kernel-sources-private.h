/* pen-kernel-sources-private.h: what the parts of PenKernelSources share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-finder.h"
#include "pen-kernel-sources.h"
#include "pen-kept-names.h"

G_BEGIN_DECLS

struct _PenKernelSources {
  GRecMutex lock;  /* of what several threads may ask for at once */
  GPtrArray *list; /* PenSource; what was captured or given comes first */
  guint n_opened;  /* how many of those were there at the beginning */
  GThread *loader;
  GThread *own_loader; /* PenKallsyms; NULL: this machine's names were not expected to be needed */
  GError *own_problem; /* that thread's, until it has ended */
  gboolean has_given_kallsyms;
  PenKernelFacts *facts;
  PenKernelFinder *finder;
  gboolean is_settled;
  GError *error; /* why nothing can go on */
  gboolean has_kernel_names;
  gboolean has_looked_for_kernel;
  PenSource *kernel;        /* in list */
  GHashTable *module_files; /* tenure's id → PenSource in list, or NULL */
  GHashTable *addresses;    /* name → address of the core kernel's functions, when asked for */
  PenHistory *history;      /* from pen_kernel_sources_check_kcores() on */
  PenBootText *boot;        /* how the core kernel rewrote its text, when asked for */
  char *symfs;
  PenKeptNames *kept; /* or NULL */
  PenDebuginfod *debuginfod;
  PenProblemFunc problem;
  gpointer user_data;
  GCancellable *cancellable;
};

/* One more, at the end of the list. */
PenSource *pen_kernel_sources_add (PenKernelSources *self, const char *what, const char *found,
                                   const char *path, PenEvidence evidence);
/* @source cannot be used: a problem, if it was captured or given. The arguments of its reason (see
 * pen-reason.h) are the path and up to three more. Returns: FALSE with @error: nothing goes on */
gboolean pen_kernel_sources_refuse (PenKernelSources *self, PenSource *source, GError **error,
                                    const char *word, const char *first, const char *second,
                                    const char *third);

/* The ELF file that has the text of @tenure. Returns: (nullable): looked for once */
PenSource *pen_kernel_sources_get_file (PenKernelSources *self, const PenTenure *tenure);

/* Against the facts; refuse what is of another kernel, and move what is of another boot. Return:
 * FALSE with @error: nothing goes on */
gboolean pen_kernel_sources_check_kallsyms (PenKernelSources *self, PenSource *source,
                                            GError **error);
gboolean pen_kernel_sources_check_given_kernel (PenKernelSources *self, PenSource *source,
                                                GError **error);

/* This machine's names take long to read, so where the capture's list of build IDs has this kernel,
 * and nothing else has its names, a thread begins before the records are read. */
void pen_kernel_sources_expect_own (PenKernelSources *self, const PenFeatures *features);
/* Returns: (transfer full) (nullable): what the thread has read, if there was one */
PenKallsyms *pen_kernel_sources_take_own (PenKernelSources *self, GError **problem);

/* Is there a copy of the core kernel's "kallsyms" or "kcore" that is not refused? */
gboolean pen_kernel_sources_has_copy (PenKernelSources *self, const char *what);
/* Adds those that the capture does not have, nobody gave, and that this machine or perf's cache has
 * of the recorded kernel. */
void pen_kernel_sources_look_for_copies (PenKernelSources *self);

/* How many of the places that were patched first have the bytes in @kcore that were found there. */
void pen_kernel_sources_compare_kcore (PenKcore *kcore, PenHistory *history, guint *agreed,
                                       guint *asked);

/* Has it any of the core kernel's text? Small copies have the pages only that are wanted. */
gboolean pen_kernel_sources_holds_kernel (PenKernelSources *self, PenKcore *kcore);

/* How many bytes of [@start, @end) no piece has. */
guint64 pen_kernel_sources_count_missing (GPtrArray *pieces, guint64 start, guint64 end);

/* Where the named text of the module @tenure ends; 0: it has no names */
guint64 pen_kernel_sources_find_text_end (PenKernelSources *self, const PenTenure *tenure);

/* Both add what no piece has yet. Return: whether that was anything */
gboolean pen_kernel_sources_read_kcore (PenKernelSources *self, const PenSource *source,
                                        const PenTenure *tenure, guint64 start, guint64 end,
                                        GPtrArray *pieces);
gboolean pen_kernel_sources_read_file (PenKernelSources *self, const PenSource *source,
                                       const PenTenure *tenure, guint64 start, guint64 end,
                                       GPtrArray *pieces);

G_END_DECLS
