/* pen-clean-slide.h: one distance by which all addresses of the kernel's space are moved
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-decoder.h"
#include "pen-store.h"

G_BEGIN_DECLS

typedef struct {
  guint64 address;
  guint8 before;
  guint8 after;
} PenCleanByte;

typedef struct {
  guint64 start;
  guint64 end;
} PenCleanRange;

/*
 * PenCleanSlide:
 * @distance: modulo 2^64; whole pages
 * @made: (element-type PenCleanRange): programs and stubs, by address, without overlap
 * @images: where the kernel's text and data may be, and its modules and programs
 * @changed: (element-type PenCleanByte): bytes of code that were changed; @known: (element-type
 *   PenCleanRange): that code; both by address once @is_sorted
 */
typedef struct {
  guint64 distance;
  PenMoveRange images[2];
  GArray *made;
  PenDecoder *decoder;
  GArray *changed;
  GArray *known;
  gboolean is_sorted;
} PenCleanSlide;

/* Chooses a distance with which no address leaves its part of the kernel's space. */
gboolean pen_clean_slide_init (PenCleanSlide *self, PenStore *store, GError **error);
void pen_clean_slide_clear (PenCleanSlide *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenCleanSlide, pen_clean_slide_clear)

/* What is not of the kernel's space stays, and so do pages at its end that are the same in every
 * kernel. */
guint64 pen_clean_slide_address (const PenCleanSlide *self, guint64 address);
/* Addresses in the code at @address, which begins with an instruction. */
void pen_clean_slide_bytes (PenCleanSlide *self, guint64 address, guint8 *bytes, gsize n);
/* In bytes that may begin anywhere: as they were changed in the code that was there; what no code
 * had is decoded from its first byte on. */
void pen_clean_slide_reading (PenCleanSlide *self, guint64 address, guint8 *bytes, gsize n);

G_END_DECLS
