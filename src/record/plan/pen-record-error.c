/* pen-record-error.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-error.h"

G_DEFINE_QUARK (pen_record_error_quark, pen_record_error)
