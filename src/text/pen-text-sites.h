/* pen-text-sites.h: the places that a kernel's own tables name for being patched
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-file.h"

G_BEGIN_DECLS

typedef enum {
  PEN_SITE_JUMP_LABEL,  /* __jump_table: a nop or a jump, by a static key */
  PEN_SITE_STATIC_CALL, /* .static_call_sites, and the trampolines __SCT__… */
  PEN_SITE_FTRACE,      /* __mcount_loc: a nop or a call at a function's entry */
} PenSiteKind;

/*
 * PenTextSite:
 * @address: of the instruction, where the file is placed
 * @target: of a jump label: where it jumps to; else 0
 * @name: (nullable): of the static key ("sched_schedstats", "__tracepoint_sched_switch+0x8": the
 *   key is a field of that variable) or of the static call ("might_resched"); NULL where the file
 *   has no name for it, and of ftrace's sites
 * @jumps_when_off: of a jump label: a jump is there while its key is off, else while it is on
 * @is_own: the key, or the trampoline, is in the same file
 */
typedef struct {
  guint64 address;
  guint64 target;
  const char *name;
  PenSiteKind kind;
  gboolean jumps_when_off;
  gboolean is_own;
} PenTextSite;

typedef struct _PenTextSites PenTextSites;

/*
 * pen_text_sites_new:
 * @file: placed; outlives the sites
 *
 * Formats: include/linux/jump_label.h (relative entries), include/linux/static_call_types.h, and
 * scripts/recordmcount.h of the kernel. Entries that point outside of code are
 * left out. Cost: O(n log n) in the sites, some 50,000 in a kernel.
 */
PenTextSites *pen_text_sites_new (PenKernelFile *file);
void pen_text_sites_free (PenTextSites *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTextSites, pen_text_sites_free)

/* Returns: FALSE where no table names the instruction at @address. @site: its name is owned by
 * @self's file. Cost: the first name asked for sorts the file's variables. */
gboolean pen_text_sites_find (PenTextSites *self, guint64 address, PenTextSite *site);

/* In order of address, without names. */
typedef void (*PenTextSiteFunc) (const PenTextSite *site, gpointer user_data);
void pen_text_sites_foreach (PenTextSites *self, PenTextSiteFunc func, gpointer user_data);

G_END_DECLS
