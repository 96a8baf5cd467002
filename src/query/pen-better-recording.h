/* pen-better-recording.h: what a capture lacks, and the command that would record it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-witness-count.h"

G_BEGIN_DECLS

/*
 * PenBetterRecording:
 * @can_have_pokes: FALSE: kernels of that machine write none, whoever asks
 * @is_system_wide: as far as the recorded command line tells
 * @lost: records and samples that the recorder could not keep up with
 * @witness: what a witness says of the text
 * @command: NULL: nothing to do better
 */
typedef struct {
  gboolean has_pokes;
  gboolean can_have_pokes;
  gboolean has_ksymbols;
  gboolean has_bpf;
  gboolean has_kcore;
  gboolean has_kallsyms;
  gboolean has_build_ids;
  gboolean has_vmlinux; /* an ELF file of the kernel was found, or given */
  gboolean is_system_wide;
  guint64 lost;
  PenWitnessCount witness;
  char *command;
} PenBetterRecording;

PenBetterRecording *pen_better_recording_new (PenStore *store, GError **error);
void pen_better_recording_free (PenBetterRecording *better);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenBetterRecording, pen_better_recording_free)

typedef enum {
  PEN_WISH_KCORE = 1 << 0,
  PEN_WISH_ALL_CPUS = 1 << 1,
  PEN_WISH_BIGGER_BUFFERS = 1 << 2,
  PEN_WISH_TIMES = 1 << 3, /* of samples */
  PEN_WISH_CALLCHAINS = 1 << 4,
} PenRecordingWish;

/*
 * pen_better_recording_command:
 * @command_line: as recorded, quoted for a shell; NULL or "": not known
 * @wishes: PenRecordingWish: what has to be asked for in addition
 *
 * The options of the recorded command that pen_record_command_parse() knows, with those wished for;
 * FILE and COMMAND stand for a file and a program that it named. One that records single tasks, or
 * writes to a pipe, which --kcore and -a exclude, is replaced by a plain one. A recording by
 * pentimento-cli record has that command.
 *
 * Returns: (transfer full): printable ASCII, to copy as it is shown
 */
char *pen_better_recording_command (const char *command_line, guint wishes);

/* Did samples come without a time because it was not asked for? Off-CPU samples never have one. */
gboolean pen_better_recording_can_have_times (PenStore *store);

/* Does the command line ask for all CPUs? */
gboolean pen_better_recording_is_system_wide (const char *command_line);

G_END_DECLS
