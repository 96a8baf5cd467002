/* pen-kallsyms.h: names: a copy of /proc/kallsyms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  guint64 start;
  guint64 end; /* the next symbol's start; the last one of an occupant ends with the next page, the
                  last one of a module's code with its own */
  const char *name;
} PenSymbol;

typedef struct _PenKallsyms PenKallsyms;

/*
 * pen_kallsyms_load:
 * @path: a copy of /proc/kallsyms; opened only if it is a regular file
 *
 * Keeps what perf resolves samples to: types T, W, D and B in either case (text, weak, data, bss),
 * no name that begins with '$', and of several names of one address the one that perf prints. Lines
 * of "[bpf]" and "[__builtin__…]" are no module's and are left out: ksymbol records list those,
 * but for what was there before the recording: pen_kallsyms_foreach_registered().
 *
 * Damaged lines are skipped and counted. All-zero addresses (kptr_restrict) are an error that
 * names the cause. Errors: G_IO_ERROR, with a reason (pen_reason_set_error()). Cost: one pass over
 * the file, O(n log n) in its symbols.
 */
PenKallsyms *pen_kallsyms_load (const char *path, GCancellable *cancellable, GError **error);
/* One that is moved is its owner's alone. */
PenKallsyms *pen_kallsyms_ref (PenKallsyms *self);
/* Lets go of it. */
void pen_kallsyms_free (PenKallsyms *self);
gboolean pen_kallsyms_is_moved (const PenKallsyms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKallsyms, pen_kallsyms_free)

/* The symbol that holds @address among those of @occupant ("[kernel.kallsyms]" or "[module]"). */
gboolean pen_kallsyms_find (PenKallsyms *self, const char *occupant, guint64 address,
                            PenSymbol *symbol);
/* Where the last of @occupant's functions ends; 0: none is known. */
guint64 pen_kallsyms_get_text_end (PenKallsyms *self, const char *occupant);
/* Does it name anything of @occupant? */
gboolean pen_kallsyms_has (PenKallsyms *self, const char *occupant);

/* Is @occupant ("[module]") a live patch: does it refer to klp_enable_patch()? The kernel keeps all
 * symbols of such modules, also what they refer to (add_kallsyms() in kernel/module/kallsyms.c). */
gboolean pen_kallsyms_is_livepatch (PenKallsyms *self, const char *occupant);

/* It is of the same kernel started another time, so that its core lies elsewhere: @difference is
 * added to the core kernel's symbols, modulo 2^64; the modules' are forgotten, which lie where
 * there was room. */
void pen_kallsyms_move (PenKallsyms *self, guint64 difference);

/*
 * pen_kallsyms_list_modules:
 *
 * Where modules were: from the page of the first name of a module's code to the end of the last,
 * but for the code of its beginning.
 *
 * Returns: (transfer full) (element-type PenModule)
 */
GArray *pen_kallsyms_list_modules (PenKallsyms *self);

/* Calls @func for each symbol: occupant by occupant, by address. */
typedef void (*PenSymbolFunc) (const PenSymbol *symbol, const char *occupant, gpointer user_data);
void pen_kallsyms_foreach (PenKallsyms *self, PenSymbolFunc func, gpointer user_data);
/*
 * pen_kallsyms_foreach_registered:
 *
 * What was registered with kallsyms when it was copied (rule K6): memory for ftrace
 * ("[__builtin__ftrace]") and probes ("[__builtin__kprobes]"), BPF programs and stubs ("[bpf]").
 * It has no lengths: a symbol lasts until the next one of any occupant, and not beyond its page.
 */
void pen_kallsyms_foreach_registered (PenKallsyms *self, PenSymbolFunc func, gpointer user_data);
guint64 pen_kallsyms_get_skipped (PenKallsyms *self);
/* Address of a symbol of the core kernel by its name, or 0. Aliases that lost their address to
 * another name are known here too. Looks at every name of the core kernel. */
guint64 pen_kallsyms_lookup (PenKallsyms *self, const char *name);

G_END_DECLS
