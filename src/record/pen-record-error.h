/* pen-record-error.h: why nothing is recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PEN_RECORD_ERROR (pen_record_error_quark ())
GQuark pen_record_error_quark (void);

typedef enum {
  PEN_RECORD_ERROR_USAGE,  /* an option that cannot be given */
  PEN_RECORD_ERROR_NEEDED, /* perf, or a right, that nothing can be recorded without */
  PEN_RECORD_ERROR_FAILED,
} PenRecordError;

G_END_DECLS
