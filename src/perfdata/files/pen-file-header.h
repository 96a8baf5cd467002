/* pen-file-header.h: the header of a perf.data file, with its events and its features
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-event-table.h"
#include "pen-features.h"
#include "pen-file.h"
#include "pen-problems.h"

G_BEGIN_DECLS

/*
 * PenFileHeader:
 * @data_begin, @data_end: within the file, whatever the header says
 * @is_terminated: it says where the records end: the recorder has ended
 * @features_at: where the feature table is; 0: there is none
 * @feature_bits: bit b of the bitmap is bit b % 64 of element b / 64
 */
typedef struct {
  gboolean big_endian;
  gboolean is_pipe;
  gboolean is_terminated;
  guint64 attrs_offset;
  guint64 attrs_size;
  guint64 attr_entry_size;
  guint64 data_begin;
  guint64 data_end;
  guint64 features_at;
  guint64 feature_bits[4];
} PenFileHeader;

/* Fails if @file is no perf.data file, or if nothing can be read by this header. @is_growing: that
 * the recorder has not ended is no problem */
gboolean pen_file_header_read (PenFileHeader *self, PenFile *file, gboolean is_growing,
                               PenProblems *problems, GError **error);

/* Fails if there is no event left to read samples by. */
gboolean pen_file_header_read_events (const PenFileHeader *self, PenFile *file,
                                      PenEventTable *events, PenProblems *problems, GError **error);

/* A damaged feature becomes a problem row. */
void pen_file_header_read_features (const PenFileHeader *self, PenFile *file, PenEventTable *events,
                                    PenFeatures *features, PenProblems *problems);

G_END_DECLS
