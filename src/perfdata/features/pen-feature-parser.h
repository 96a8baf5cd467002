/* pen-feature-parser.h: takes the features of a capture apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-event-table.h"
#include "pen-features.h"

G_BEGIN_DECLS

/* Bits of the feature bitmap: perf.data-file-format.txt in the kernel's tools/perf/Documentation.
 */
typedef enum {
  PEN_FEATURE_TRACING_DATA = 1,
  PEN_FEATURE_BUILD_ID = 2,
  PEN_FEATURE_HOSTNAME = 3,
  PEN_FEATURE_OSRELEASE = 4,
  PEN_FEATURE_VERSION = 5,
  PEN_FEATURE_ARCH = 6,
  PEN_FEATURE_NRCPUS = 7,
  PEN_FEATURE_CPUDESC = 8,
  PEN_FEATURE_CPUID = 9,
  PEN_FEATURE_TOTAL_MEM = 10,
  PEN_FEATURE_CMDLINE = 11,
  PEN_FEATURE_EVENT_DESC = 12,
  PEN_FEATURE_PMU_MAPPINGS = 16,
  PEN_FEATURE_GROUP_DESC = 17,
  PEN_FEATURE_CACHE = 20,
  PEN_FEATURE_SAMPLE_TIME = 21,
  PEN_FEATURE_CLOCKID = 23,
  PEN_FEATURE_BPF_PROG_INFO = 25,
  PEN_FEATURE_BPF_BTF = 26,
  PEN_FEATURE_COMPRESSED = 27,
  PEN_FEATURE_CLOCK_DATA = 29,
  PEN_FEATURE_BITS = 256,
} PenFeatureBit;

/* Whether pen_feature_parse() makes anything of it: others need not be read. */
gboolean pen_feature_is_known (guint bit);

/*
 * pen_feature_parse:
 * @section: the feature's payload
 * @events: get their names from EVENT_DESC
 *
 * Returns: NULL, or why the feature (or the rest of it) was left out: (transfer none)
 */
const char *pen_feature_parse (PenFeatures *features, PenEventTable *events, guint bit,
                               GBytes *section, gboolean big_endian);

/* Gives an event its recorded name. */
void pen_attr_set_recorded_name (PenAttr *attr, const char *name);

G_END_DECLS
