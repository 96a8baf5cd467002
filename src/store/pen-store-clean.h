/* pen-store-clean.h: a copy of a store, without what names people, machines and their programs
 *
 * What each table and column may hold is decided in clean/pen-clean-rules.c, one by one: what is
 * not listed there is not copied.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

/* What a text is, which is to be replaced or kept. */
typedef enum {
  PEN_CLEAN_TASK,
  PEN_CLEAN_FILE,    /* path of a file that processes map; or a name like [heap] and //anon */
  PEN_CLEAN_SYMBOL,  /* function of such a file, or made by a runtime */
  PEN_CLEAN_SOURCE,  /* path of a source file */
  PEN_CLEAN_KERNEL,  /* map of the kernel's space, as recorded: a name in brackets, or a path */
  PEN_CLEAN_PROGRAM, /* ksymbol: of a BPF program or an out-of-line stub; or a program's own name */
  PEN_CLEAN_WORDS,   /* names of places in the kernel, with offsets; addresses; lists of these */
  PEN_CLEAN_KEY,     /* of a static key or static call, which are the kernel's; or its address */
  PEN_CLEAN_EVENT,
  PEN_CLEAN_TEXTS,
} PenCleanText;

/* What code is: decides what may become of it. */
typedef enum {
  PEN_CLEAN_PATCH,       /* of a patch, or of a function of a BPF program: its length stays */
  PEN_CLEAN_STORED_TEXT, /* there may be several pieces of it */
  PEN_CLEAN_READING,     /* of a witness: it may become shorter */
} PenCleanCodeKind;

/*
 * PenCleanPiece: code of the kernel's space
 * @id: the tenure's; of a reading its output's; 0: not known
 * @bytes: @n of them, to be changed in place
 * @is_sound: (out): of each byte: may it be copied? What is not sound of a patch has to be made so
 */
typedef struct {
  PenCleanCodeKind code;
  guint32 id;
  guint64 address;
  guint8 *bytes;
  gsize n;
  guint8 *is_sound;
} PenCleanPiece;

/*
 * PenStoreCleaner:
 * @address: of any space. What is sorted by addresses has to stay so
 * @text: Returns: what takes its place, valid as long as the cleaner; the same for the same
 * @code: changes code
 * @fact: Returns: is the fact copied as it is? Else it is left out
 * @progress: (nullable): bytes that were read, of how many; called often
 */
typedef struct {
  guint64 (*address) (guint64 address, gpointer user_data);
  const char *(*text) (PenCleanText what, const char *text, gpointer user_data);
  void (*code) (PenCleanPiece *piece, gpointer user_data);
  gboolean (*fact) (const char *key, gpointer user_data);
  void (*progress) (guint64 done, guint64 total, gpointer user_data);
  gpointer user_data;
} PenStoreCleaner;

/* A table of which rows were left out; @name is static */
typedef struct {
  const char *name;
  guint64 rows;
} PenCleanLoss;

/*
 * pen_store_clean:
 * @path: of the new store; @mode: of which the umask takes away
 * @lost: (out) (transfer full) (element-type PenCleanLoss): in the order of the schema
 *
 * Cost: every row and pack once; memory for one of them at a time.
 */
gboolean pen_store_clean (PenStore *self, const char *path, mode_t mode,
                          const PenStoreCleaner *cleaner, GCancellable *cancellable, GArray **lost,
                          GError **error);

/* Return FALSE to stop. */
typedef gboolean (*PenNameFunc) (const char *occupant, const char *name, gpointer user_data);

/* All names of kernel text that the store keeps, whoever's. */
gboolean pen_store_foreach_kernel_name (PenStore *self, PenNameFunc func, gpointer user_data,
                                        GError **error);

G_END_DECLS
