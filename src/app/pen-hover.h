/* pen-hover.h: what is pointed at, in any view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A moment, and addresses [@address_from, @address_to), each if it has any; and what was patched
 * together, 0 if that is nothing. */
typedef struct {
  gboolean has_time;
  guint64 time;
  gboolean has_address;
  guint64 address_from;
  guint64 address_to;
  guint32 batch;
} PenHover;

G_END_DECLS
