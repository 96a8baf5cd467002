/* steep.h: what the kinds of steep captures are made with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-capture.h"

G_BEGIN_DECLS

#define KERNEL G_GUINT64_CONSTANT (0xffffffff81000000)
#define PROGRAM G_GUINT64_CONSTANT (0xffffffffc0000000)
#define MEMORY G_GUINT64_CONSTANT (0x7f0000000000)
#define PAGE 4096u

/* Tracepoints: events after the first four of each capture. */
enum { STEEP_ALLOCATION = 4, STEEP_MODULE_LOAD, STEEP_SWITCH };

/* Events: samples; the records of the side band; samples with callchains; what a
 * witness read; and the tracepoints. @directory: files that
 * the capture names lie there */
typedef struct {
  PenTestCapture *capture;
  const char *directory;
  guint64 now;
  PenTestCaptureFlags flags;
} SteepMaker;

typedef struct {
  const char *name; /* NULL: the end */
  void (*add) (SteepMaker *self, guint n);
} SteepKind;

#define STEEP_KIND(name)                                                                           \
  {                                                                                                \
#name, name                                                                                    \
  }

extern const SteepKind steep_maps[];
extern const SteepKind steep_tasks[];
extern const SteepKind steep_ksymbols[];
extern const SteepKind steep_pokes[];
extern const SteepKind steep_samples[];
extern const SteepKind steep_features[];
extern const SteepKind steep_kernel_files[];
extern const SteepKind steep_program_files[];
extern const SteepKind steep_debug_files[];
extern const SteepKind steep_others[];
extern const SteepKind steep_witness[];
extern const SteepKind steep_events[];
extern const SteepKind steep_tracepoints[];

extern const guint8 steep_nop[5];

/* The next record is later than the one before, of @pid. */
void steep_at (SteepMaker *self, gint32 pid);
void steep_sample (SteepMaker *self, guint64 address);
void steep_map (SteepMaker *self, gint32 pid, guint64 start, guint64 length, guint number);
void steep_ksymbol (SteepMaker *self, guint64 address, guint32 length, gboolean is_end,
                    guint number);

G_END_DECLS
