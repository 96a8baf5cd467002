/* pen-store-programs.h: BPF programs of a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenStoredBpfLine: from which line of its source a stretch of a BPF program was made
 * @address: where its code starts; it goes on to the next line's, or the function's end
 * @instruction: number of the instruction of the untranslated program
 * @file, @text: "" where not recorded
 */
typedef struct {
  guint32 bpf_id;
  guint64 address;
  guint32 instruction;
  const char *file;
  guint32 line;
  guint32 column;
  const char *text;
} PenStoredBpfLine;

/* Returns: (transfer full) (element-type PenStoredBpfLine): by address; strings owned by the store
 */
GArray *pen_store_load_bpf_lines (PenStore *self, guint32 bpf_id, GError **error);

/*
 * PenStoredBpfProgram: what the recorder asked the kernel of a program
 * @type: BPF_PROG_TYPE_… of linux/bpf.h
 * @load_time: ns since boot
 */
typedef struct {
  guint32 id;
  guint32 type;
  const char *name;
  guint8 tag[8];
  guint64 load_time;
  guint32 btf_id;
} PenStoredBpfProgram;

/* Returns: (transfer full) (element-type PenStoredBpfProgram): by id; strings owned by the store */
GArray *pen_store_load_bpf_programs (PenStore *self, GError **error);
/* One by its id. Returns: FALSE if the capture does not describe it: it was gone before the
 * recorder asked (@error set only on failure) */
gboolean pen_store_find_bpf_program (PenStore *self, guint32 bpf_id, PenStoredBpfProgram *program,
                                     GError **error);

/*
 * PenStoredBpfMetadata: a variable of a program that is meant to be read
 * @program: as its tenures are named
 */
typedef struct {
  const char *program;
  const char *key;
  const char *value;
} PenStoredBpfMetadata;

/* @program: (nullable): NULL: of all. Returns: (transfer full) (element-type PenStoredBpfMetadata):
 * as recorded; strings owned by the store */
GArray *pen_store_load_bpf_metadata (PenStore *self, const char *program, GError **error);

/*
 * PenStoredBpfFunction: where a function of a program was put
 * @number: from 0
 * @tenure: 0: it was not seen to be registered
 * @tag: 8 bytes, or NULL; @type_id: in the BTF, or 0
 * @bytes: @length of them, or NULL: its code was not recorded
 */
typedef struct {
  guint32 bpf_id;
  guint32 number;
  guint64 address;
  guint64 length;
  guint32 tenure;
  const guint8 *tag;
  guint32 type_id;
  const guint8 *bytes;
} PenStoredBpfFunction;

/* Returns: (transfer full) (element-type PenStoredBpfFunction): by program and number */
GArray *pen_store_load_bpf_functions (PenStore *self, GError **error);

G_END_DECLS
