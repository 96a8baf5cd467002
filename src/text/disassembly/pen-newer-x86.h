/* pen-newer-x86.h: instructions of x86 that kernels contain and Capstone 4 does not know
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <capstone.h>
#include <glib.h>

G_BEGIN_DECLS

/*
 * PenNewerX86:
 * @stand_in: bytes of an instruction with the same operands that Capstone knows; of length
 *   @n_stand_in, or 0: @operands is all there is
 * @from, @to: words of the stand-in's operands to exchange, or NULL
 */
typedef struct {
  gsize length;
  char mnemonic[24];
  char operands[96]; /* AT&T */
  guint8 stand_in[16];
  gsize n_stand_in;
  const char *from;
  const char *to;
} PenNewerX86;

/*
 * pen_newer_x86_find:
 * @bytes: at most @length of them are looked at
 *
 * Of 64-bit mode. Encodings are those of Intel's and AMD's manuals.
 */
gboolean pen_newer_x86_find (const guint8 *bytes, gsize length, PenNewerX86 *newer);

G_END_DECLS
