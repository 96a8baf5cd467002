/* pen-fuzz.h: what the fuzz targets share
 *
 * A target is one source with LLVMFuzzerTestOneInput() in it. Linked with clang's libFuzzer it
 * looks for inputs that break it; linked with replay.c it runs the inputs that are known, as a
 * test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Known inputs are run, each once: no need to hurry. */
extern gboolean pen_fuzz_is_replay;
/* How many changes of its own a replay makes to each; a target that is slow asks for fewer. */
extern guint pen_fuzz_mutations;

/* Differs from input to input, and is always the same for the same. */
guint pen_fuzz_hash (const guint8 *data, gsize size);

/* A directory of this process's own, in memory where there is /dev/shm; gone at a normal exit. */
const char *pen_fuzz_get_directory (void);

/* Makes the file at @path hold just these bytes. */
void pen_fuzz_write (const char *path, const guint8 *data, gsize size);

/*
 * pen_fuzz_write_memory:
 *
 * The same, for a file that has no name: cheaper than one in a directory.
 *
 * Returns: (transfer none): a path by which it can be opened; the next call overwrites the file
 */
const char *pen_fuzz_write_memory (const guint8 *data, gsize size);

/*
 * PenFuzzBytes: takes an input apart into numbers and stretches of bytes; past its end there are
 * zeros.
 */
typedef struct {
  const guint8 *at;
  const guint8 *end;
} PenFuzzBytes;

guint64 pen_fuzz_take (PenFuzzBytes *self, guint n_bytes);
/* Returns: (transfer none): @length is cut to what there is. */
const guint8 *pen_fuzz_take_bytes (PenFuzzBytes *self, gsize *length);

/* What stands between the files of a capture that has several. */
#define PEN_FUZZ_SEPARATOR "\nPENFILE\n"

/*
 * pen_fuzz_next_file: files in one input, with PEN_FUZZ_SEPARATOR between them
 *
 * Returns: FALSE when there are no more
 */
gboolean pen_fuzz_next_file (PenFuzzBytes *self, const guint8 **file, gsize *length);

/*
 * pen_fuzz_write_capture:
 *
 * An input with one file is that file; with more: a directory with data, kcore_dir/kallsyms,
 * kcore_dir/modules, kcore_dir/kcore, data.0 and data.1, in that order.
 *
 * Returns: (transfer none): the capture's path; overwritten by the next call
 */
const char *pen_fuzz_write_capture (const guint8 *data, gsize size);

/* Uses a value, so that reading it is not optimised away. */
extern volatile guint64 pen_fuzz_sink;

static inline void
pen_fuzz_touch (guint64 value)
{
  pen_fuzz_sink += value;
}

void pen_fuzz_touch_bytes (const guint8 *bytes, gsize length);
/* NULL is no string. */
void pen_fuzz_touch_string (const char *text);

G_END_DECLS
