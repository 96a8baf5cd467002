/* pen-btf-strings.h: the string section of a BTF blob
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @start, @length: empty where the blob makes no sense */
typedef struct {
  const char *start;
  gsize length;
} PenBtfStrings;

/* Header: the kernel's Documentation/bpf/btf.rst. The blob's own magic shows its byte order.
 * @blob: (nullable): must live as long as the strings */
PenBtfStrings pen_btf_strings_find (GBytes *blob);

/* "" where there is none at @offset. */
const char *pen_btf_strings_get (const PenBtfStrings *self, guint32 offset);

G_END_DECLS
