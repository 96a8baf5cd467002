/* pen-clean-slide.h: the distances by which addresses of the kernel's space are moved
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-store.h"

G_BEGIN_DECLS

typedef struct {
  guint64 start;
  guint64 end;
} PenCleanRange;

/*
 * PenCleanSlide:
 * @distance: of the last 2 GiB, where the kernel's text and data and its modules are; modulo 2^64,
 *   whole pages
 * @turned: pages by which the places of its memory are moved round and round. Memory begins
 *   anywhere in many terabytes: one distance for both would leave the higher bits
 * @made: (element-type PenCleanRange): programs and stubs, by address, without overlap
 * @images: where the kernel's text and data may be, and its modules and programs
 */
typedef struct {
  guint64 distance;
  guint64 turned;
  PenMoveRange images[2];
  GArray *made;
} PenCleanSlide;

/* Chooses a distance with which no address leaves its part of the kernel's space.
 * Errors: G_IO_ERROR, NOT_SUPPORTED where it is not of x86-64. */
gboolean pen_clean_slide_init (PenCleanSlide *self, PenStore *store, GError **error);
void pen_clean_slide_clear (PenCleanSlide *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenCleanSlide, pen_clean_slide_clear)

/* What is not of the kernel's space stays, and so do pages at its end that are the same in every
 * kernel. */
guint64 pen_clean_slide_address (const PenCleanSlide *self, guint64 address);
/* Was the code at @address made while the kernel ran? */
gboolean pen_clean_slide_is_made (const PenCleanSlide *self, guint64 address);

G_END_DECLS
