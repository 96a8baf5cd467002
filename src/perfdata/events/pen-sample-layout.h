/* pen-sample-layout.h: where an event's fields are in its samples, and in the trailer of others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"

G_BEGIN_DECLS

/*
 * PenTrailer: what sample_id_all puts at the end of every record of the kernel that is no sample
 *
 * Places count from the trailer's start; -1: not there.
 */
typedef struct {
  int tid_at;
  int time_at;
  int id_at;
  int cpu_at;
  guint size; /* 0: none */
} PenTrailer;

/*
 * PenSampleLayout: the fields of SAMPLE
 *
 * Places count from the record's start; 0: not there. The fields up to PERIOD have fixed places;
 * those after them (@has_rest) must be walked.
 */
typedef struct {
  guint16 id_at;
  guint16 ip_at;
  guint16 tid_at;
  guint16 time_at;
  guint16 data_address_at;
  guint16 cpu_at;
  guint16 period_at;
  guint16 fixed_size; /* header and fixed fields */
  gboolean has_rest;
  guint has_of_rest; /* PenHas of the fields that must be walked */
  guint64 sample_type;
  guint64 read_format;
  guint64 branch_sample_type;
  guint user_registers; /* how many */
  guint interrupt_registers;
  gboolean has_fixed_period;
  guint64 fixed_period;
  guint trailer; /* index into the event table's trailers */
} PenSampleLayout;

void pen_trailer_init (PenTrailer *self, const PenAttr *attr);
gboolean pen_trailer_equal (const PenTrailer *self, const PenTrailer *other);
void pen_sample_layout_init (PenSampleLayout *self, const PenAttr *attr);

G_END_DECLS
