/* pen-witnessed-place.h: samples of BPF programs, and those that a witness wrote
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"
#include "pen-record.h"

G_BEGIN_DECLS

/* Is it an event (PERF_COUNT_SW_BPF_OUTPUT) whose samples a BPF program writes? They are no samples
 * of the profile (rule W1). But for perf's own of `--off-cpu`, which stand for who did not run. */
gboolean pen_attr_is_bpf_output (const PenAttr *attr);

#define PEN_WITNESSED_BYTES 64u
/* A place begins at a multiple of it: bytes of one that reach into the next are read with both. */
#define PEN_WITNESSED_GRAIN 32u

/* PenWitnessedPlace.flags */
#define PEN_WITNESSED_USER 1u  /* memory of a process */
#define PEN_WITNESSED_FIRST 2u /* the first reading of the place; else its bytes have changed */
#define PEN_WITNESSED_UNREADABLE 4u /* with no bytes */

/*
 * PenWitnessedPlace: what a witness read at a sampled address
 * @start: of @bytes: as a rule @address without its lowest five bits
 * @address: as sampled: less than 64 bytes from @start
 * @length: 64, 32 or 0
 */
typedef struct {
  guint64 start;
  guint64 address;
  guint16 flags;
  guint8 length;
  guint8 bytes[PEN_WITNESSED_BYTES];
} PenWitnessedPlace;

/*
 * pen_witnessed_place_parse:
 * @big_endian: of the recording machine
 *
 * The payload of a sample, which a witness wrote if its magic number ("PWIT"), version and size say
 * so, whatever the event is called: 88 bytes, and up to seven that the kernel adds to fill a word
 * (kernel/events/core.c: perf_sample_save_raw_data).
 *
 * Returns: FALSE: it is another program's
 */
gboolean pen_witnessed_place_parse (const PenSampleRecord *sample, gboolean big_endian,
                                    PenWitnessedPlace *record);

G_END_DECLS
