/* pen-test-between.h: captures with a case to be tested between two good records
 *
 * Whatever becomes of the case, the records around it must come out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-test-fixture.h"

G_BEGIN_DECLS

#define BOTH_ORDERS(flags)                                                                         \
  for (PenTestCaptureFlags flags = 0; flags <= PEN_TEST_CAPTURE_BIG_ENDIAN;                        \
       flags += PEN_TEST_CAPTURE_BIG_ENDIAN)

/* A capture with one event, and the record before. */
PenTestCapture *between_start (void);
PenTestCapture *between_start_with (const PenTestEvent *event);

/*
 * between_end:
 * @capture: (transfer full)
 * @problem: how the only problem starts, or NULL for none
 *
 * Adds the record after, writes the capture and reads it.
 *
 * Returns: (element-type utf8): what is between
 */
GPtrArray *between_end (Fixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags,
                        const char *problem);

/* The same, when only the number of records between is of interest. */
void between_check (Fixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags,
                    const char *problem, guint n_between);

/* How many records of @type the capture that was written last has. */
guint64 between_count (Fixture *fixture, guint32 type);

G_END_DECLS
