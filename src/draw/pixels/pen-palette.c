/* pen-palette.c: the colours of kinds and causes, and the letters that say the same
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-palette.h"

#include <glib/gi18n-lib.h>

#include "pen-raster.h"

#define OPAQUE(rgb) (0xff000000u | (rgb))

typedef struct {
  const char *title;
  guint32 light;
  guint32 dark;
} PenKindLook;

typedef struct {
  const char *title;
  const char *letter;
  guint32 light;
  guint32 dark;
} PenCauseLook;

static const PenKindLook kind_looks[PEN_KINDS] = {
  [PEN_KIND_UNKNOWN] = { NC_ ("kind", "Unknown"), 0x77767b, 0x9a9996 },
  [PEN_KIND_KERNEL] = { NC_ ("kind", "Kernel"), 0x3584e4, 0x4a90e8 },
  [PEN_KIND_MODULE] = { NC_ ("kind", "Module"), 0x1f8a57, 0x57d38c },
  [PEN_KIND_BPF] = { NC_ ("kind", "BPF"), 0xd9590b, 0xffa348 },
  [PEN_KIND_STUB] = { NC_ ("kind", "Stub"), 0xa51d2d, 0xf66151 },
  [PEN_KIND_DSO] = { NC_ ("kind", "DSO"), 0x9141ac, 0xcf7fe0 },
  [PEN_KIND_VDSO] = { NC_ ("kind", "vDSO"), 0x865e3c, 0xcdab8f },
  [PEN_KIND_ANON] = { NC_ ("kind", "Anonymous"), 0x8f6d00, 0xf5d33a },
  [PEN_KIND_GUEST] = { NC_ ("kind", "Guest"), 0x0f7c86, 0x4fc8d4 },
};

static const PenCauseLook cause_looks[PEN_CAUSES] = {
  [PEN_CAUSE_UNKNOWN] = { NC_ ("cause", "Unknown"), "?", 0x5e5c64, 0xb0aeb5 },
  [PEN_CAUSE_STATIC_KEY] = { NC_ ("cause", "Static key"), "K", 0x1a5fb4, 0x78aeed },
  [PEN_CAUSE_STATIC_CALL] = { NC_ ("cause", "Static call"), "C", 0x0f7c86, 0x4fc8d4 },
  [PEN_CAUSE_FTRACE] = { NC_ ("cause", "Ftrace"), "F", 0x813d9c, 0xdc8add },
  [PEN_CAUSE_LIVEPATCH] = { NC_ ("cause", "Live patch"), "L", 0x1c7f50, 0x57d38c },
  [PEN_CAUSE_KPROBE] = { NC_ ("cause", "Kprobe"), "P", 0xa51d2d, 0xf66151 },
  [PEN_CAUSE_OPTPROBE] = { NC_ ("cause", "Optprobe"), "O", 0x865e3c, 0xcdab8f },
  [PEN_CAUSE_BPF] = { NC_ ("cause", "BPF"), "B", 0xc04c08, 0xffa348 },
  [PEN_CAUSE_UNANNOUNCED] = { NC_ ("cause", "Unannounced"), "U", 0xc01c28, 0xff7b63 },
};

static const guint8 stack_order[PEN_KINDS] = {
  PEN_KIND_KERNEL, PEN_KIND_MODULE, PEN_KIND_DSO,  PEN_KIND_VDSO,    PEN_KIND_ANON,
  PEN_KIND_GUEST,  PEN_KIND_BPF,    PEN_KIND_STUB, PEN_KIND_UNKNOWN,
};

guint32
pen_palette_ground (gboolean dark)
{
  return dark ? OPAQUE (0x1e1e1e) : OPAQUE (0xffffff);
}

guint32
pen_palette_kind (PenKind kind, gboolean dark)
{
  g_return_val_if_fail (kind < PEN_KINDS, OPAQUE (0));
  return OPAQUE (dark ? kind_looks[kind].dark : kind_looks[kind].light);
}

guint32
pen_palette_bar (PenKind kind, gboolean is_other, gboolean dark)
{
  return pen_raster_blend (pen_palette_kind (kind, dark), pen_palette_ground (dark),
                           is_other ? 0.45 : 0.28);
}

guint32
pen_palette_cause (PenCause cause, gboolean dark)
{
  g_return_val_if_fail (cause < PEN_CAUSES, OPAQUE (0));
  return OPAQUE (dark ? cause_looks[cause].dark : cause_looks[cause].light);
}

guint32
pen_palette_lane (gboolean dark)
{
  return dark ? OPAQUE (0x2e2e32) : OPAQUE (0xececee);
}

guint32
pen_palette_loss (gboolean dark)
{
  return dark ? OPAQUE (0xff7b63) : OPAQUE (0xc01c28);
}

const char *
pen_palette_cause_letter (PenCause cause)
{
  g_return_val_if_fail (cause < PEN_CAUSES, "?");
  return cause_looks[cause].letter;
}

const char *
pen_palette_cause_title (PenCause cause)
{
  g_return_val_if_fail (cause < PEN_CAUSES, "");
  return g_dpgettext2 (GETTEXT_PACKAGE, "cause", cause_looks[cause].title);
}

const char *
pen_palette_kind_title (PenKind kind)
{
  g_return_val_if_fail (kind < PEN_KINDS, "");
  return g_dpgettext2 (GETTEXT_PACKAGE, "kind", kind_looks[kind].title);
}

const guint8 *
pen_palette_stack_order (void)
{
  return stack_order;
}
