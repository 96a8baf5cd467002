/* pen-text.h: where names and bytes come from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-tenure.h"

G_BEGIN_DECLS

/* ---- names: kallsyms ---- */

typedef struct {
  guint64 start;
  guint64 end; /* the next symbol's start, or the end of its page for the last one */
  const char *name;
} PenSymbol;

typedef struct _PenKallsyms PenKallsyms;

/*
 * pen_kallsyms_load:
 * @path: a copy of /proc/kallsyms; opened only if it is a regular file
 *
 * Damaged lines are skipped and counted. All-zero addresses (kptr_restrict) are an error that says so.
 */
PenKallsyms *pen_kallsyms_load (const char *path, GCancellable *cancellable, GError **error);
void pen_kallsyms_free (PenKallsyms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKallsyms, pen_kallsyms_free)

/* The symbol that holds @address among those of @occupant ("[kernel.kallsyms]" or "[module]"). */
gboolean pen_kallsyms_find (PenKallsyms *self, const char *occupant, guint64 address,
                            PenSymbol *symbol);
/* By name: calls @func for each. */
typedef void (*PenSymbolFunc) (const PenSymbol *symbol, const char *occupant, gpointer user_data);
void pen_kallsyms_foreach (PenKallsyms *self, PenSymbolFunc func, gpointer user_data);
guint64 pen_kallsyms_get_skipped (PenKallsyms *self);
/* Address of a symbol of the core kernel by its name, or 0. */
guint64 pen_kallsyms_lookup (PenKallsyms *self, const char *name);

/* ---- modules: a copy of /proc/modules ---- */

typedef struct {
  char *name; /* "[module]", rule M4 */
  guint64 start;
  guint64 length;
} PenModule;

void pen_module_clear (PenModule *module);
/* Returns: (element-type PenModule) */
GArray *pen_modules_load (const char *path, GError **error);

/* ---- bytes: kcore ---- */

typedef struct _PenKcore PenKcore;

/* @path: an ELF core as perf copies /proc/kcore: program headers are checked against the file. */
PenKcore *pen_kcore_open (const char *path, GError **error);
void pen_kcore_free (PenKcore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKcore, pen_kcore_free)

/* Returns: how many bytes from @address on were read into @buffer; stops where the file has none. */
gsize pen_kcore_read (PenKcore *self, guint64 address, guint8 *buffer, gsize length);

/* ---- text as of a time ---- */

/* Bytes that some source gives for a stretch of a tenure, before any poke. */
typedef struct {
  guint32 tenure;
  guint64 start;
  GBytes *bytes;
  PenEvidence evidence;
  const char *source; /* "kcore", "BPF image": for a person */
} PenTextPiece;

/*
 * PenText: the bytes of one tenure's range over time: pieces, with the pokes applied in time order.
 * Pieces and pokes of other tenures are left out (P3: a new tenure has bytes of its own). Old bytes
 * of a poke give the text before it where no piece does.
 */
typedef struct _PenText PenText;

PenText *pen_text_new (const PenTenure *tenure, guint64 start, guint64 end,
                       const PenTextPiece *const *pieces, gsize n_pieces,
                       const PenPoke *const *pokes, gsize n_pokes);
void pen_text_free (PenText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenText, pen_text_free)

/*
 * pen_text_read:
 * @buffer: (out): @length bytes
 * @known: (out): @length flags, 1 where the byte is known
 * @evidence: (out) (optional): the weakest of the known bytes'
 *
 * The text just before @moment (a poke at @moment itself is not yet in it).
 */
void pen_text_read (PenText *self, guint64 address, gsize length, PenMoment moment,
                    guint8 *buffer, guint8 *known, PenEvidence *evidence);

/* A poke whose old bytes are not what was there (P5). */
typedef struct {
  guint32 poke;
  guint16 length;
  guint8 expected[16]; /* what was there; the first bytes of it */
  guint8 expected_known;
} PenChainBreak;

/* Returns: (element-type PenChainBreak) */
GArray *pen_text_check_chain (PenText *self);

G_END_DECLS
