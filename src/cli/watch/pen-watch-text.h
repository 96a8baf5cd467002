/* pen-watch-text.h: who holds the kernel's text now
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-finder.h"
#include "pen-record.h"

G_BEGIN_DECLS

/* Programs, trampolines and other memory that are known; more are not kept. */
#define PEN_WATCH_HELD_MAX (1u << 18)

/*
 * PenWatchText: names of a copy of kallsyms, and what was registered and unregistered since
 *
 * There is no past in it: each question is about now.
 */
typedef struct _PenWatchText PenWatchText;

/* @kallsyms, @modules: paths, such as those in /proc. @release: (nullable): of the kernel. Nothing
 * is read yet. */
PenWatchText *pen_watch_text_new (const char *kallsyms, const char *modules, const char *release);
void pen_watch_text_free (PenWatchText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWatchText, pen_watch_text_free)

/*
 * pen_watch_text_read:
 *
 * Reads the names anew; without names, only what is registered is known. Cost: one pass over
 * kallsyms.
 *
 * Returns: FALSE with @error: there are no names
 */
gboolean pen_watch_text_read (PenWatchText *self, GError **error);

/* Records were lost: what was registered may be gone. */
void pen_watch_text_forget (PenWatchText *self);

/* Whether other modules are loaded than when the names were read. Cost: one pass over the list of
 * modules. */
gboolean pen_watch_text_is_stale (PenWatchText *self);

/* A record KSYMBOL. */
void pen_watch_text_register (PenWatchText *self, const PenKsymbolRecord *ksymbol);
PenKind pen_watch_text_get_kind (const PenKsymbolRecord *ksymbol);

/* For whom a trampoline of ftrace is, if the poke wrote its call. @decoder: of this machine */
void pen_watch_text_take_poke (PenWatchText *self, const PenTextPokeRecord *poke,
                               PenDecoder *decoder);

/* @place: (out): strings live until the next change. Cost: O(log n) */
void pen_watch_text_find (PenWatchText *self, guint64 address, PenPlace *place);

/* Where a module is. @name: without brackets. Returns: FALSE: it is not known */
gboolean pen_watch_text_find_module (PenWatchText *self, const char *name, guint64 *start,
                                     guint64 *length);

G_END_DECLS
