/* pen-module-load.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-load.h"

#include <string.h>

#include "pen-module-relocation.h"

#define BRANCH 5u
#define MAX_SITE 255u
#define CALL 0xe8
#define JUMP 0xe9
#define RETURN 0xc3
#define BREAKPOINT 0xcc
#define TRAMPOLINE_PREFIX "__SCT__"
#define RETURN_ZERO "__static_call_return0"

typedef struct {
  PenKernelFile *file;
  const PenKernelSection *section;
  guint64 address; /* of the first byte */
  gsize length;
  guint8 *buffer;
  guint8 *states;
  const PenModuleLoad *load;
  gboolean is_last; /* the places about which nothing can be proved */
} Settling;

/* One place: all its bytes, also where only some of them are wanted. */
typedef struct {
  guint64 address;
  gsize length;
  guint8 bytes[MAX_SITE];
  guint8 states[MAX_SITE];
} Place;

static gboolean
read_place (const Settling *self, const PenRewrite *rewrite, Place *place)
{
  guint64 offset = rewrite->start - self->section->address;

  place->address = rewrite->start;
  place->length = rewrite->length;
  return rewrite->start >= self->section->address
         && pen_kernel_file_read_linked (self->file, self->section, offset, place->length,
                                         place->bytes, place->states, self->load);
}

static void
forget (Place *place)
{
  memset (place->bytes, 0, place->length);
  memset (place->states, PEN_FILE_BYTE_UNKNOWN, place->length);
}

static void
put (Place *place, const guint8 *bytes, gsize length)
{
  if (length > place->length) {
    forget (place);
    return;
  }

  memset (place->bytes, BREAKPOINT, place->length);
  memcpy (place->bytes, bytes, length);
  memset (place->states, PEN_FILE_BYTE_REWRITTEN, place->length);
}

static void
put_branch (Place *place, guint8 code, guint64 target)
{
  guint32 distance = GUINT32_TO_LE ((guint32) (target - place->address - BRANCH));
  guint8 bytes[BRANCH] = { code };

  memcpy (bytes + 1, &distance, sizeof distance);
  put (place, bytes, sizeof bytes);
}

static void
put_return (Place *place, const PenBootText *boot)
{
  static const guint8 plain[] = { RETURN };

  if (boot->returns != PEN_BOOT_REPLACED)
    forget (place);
  else if (boot->return_thunk != 0)
    put_branch (place, JUMP, boot->return_thunk);
  else
    put (place, plain, sizeof plain);
}

/* ftrace_init_nop() needs nothing of this boot: it is the nop that all x86-64 have now. */
static void
put_nop (Place *place, const PenBootText *boot)
{
  static const guint8 usual[BRANCH] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

  put (place, boot->has_nop ? boot->nop : usual, BRANCH);
}

static guint64
resolve (const PenModuleLoad *load, const char *name)
{
  return load->resolve ? load->resolve (name, load->user_data) : 0;
}

/* The trampoline of a static call leads to where its sites lead. See __static_call_transform() in
 * arch/x86/kernel/static_call.c. */
static void
settle_static_call (const Settling *self, Place *place)
{
  const PenModuleLoad *load = self->load;
  const PenBootText *boot = load->boot;
  guint8 code = place->bytes[0];
  guint8 bytes[BRANCH];
  g_autofree char *name = NULL;
  guint64 trampoline;
  guint64 target;
  gint32 distance;
  PenTextSite site;

  forget (place);
  if ((code != CALL && code != JUMP) || !load->read
      || !pen_text_sites_find (pen_rewritten_text_get_sites (self->file->rewritten), place->address,
                               &site)
      || !site.name)
    return;

  name = g_strconcat (TRAMPOLINE_PREFIX, site.name, NULL);
  trampoline = resolve (load, name);
  if (trampoline == 0 || !load->read (trampoline, sizeof bytes, bytes, load->user_data))
    return;

  if (bytes[0] == RETURN && code == JUMP) {
    put_return (place, boot);
  } else if (bytes[0] == RETURN) {
    put_nop (place, boot);
  } else if (bytes[0] == JUMP) {
    memcpy (&distance, bytes + 1, sizeof distance);
    target = trampoline + BRANCH + (guint64) (gint64) GINT32_FROM_LE (distance);
    if (boot->returns != PEN_BOOT_REPLACED || target == boot->return_thunk)
      return;
    if (code == CALL && target == resolve (load, RETURN_ZERO)) {
      if (boot->has_zero)
        put (place, boot->zero, sizeof boot->zero);
    } else {
      put_branch (place, code, target);
    }
  }
}

/* A key of the core kernel may be on or off; those of the module itself are as it was linked when
 * it is loaded. */
static gboolean
has_linked_key (const Settling *self, const Place *place)
{
  PenTextSite site;

  return self->load->is_new
         && pen_text_sites_find (pen_rewritten_text_get_sites (self->file->rewritten),
                                 place->address, &site)
         && site.is_own;
}

static void
keep_if (Place *place, gboolean is_kept)
{
  if (!is_kept)
    forget (place);
}

static void
settle_place (const Settling *self, PenRewriteKind kind, Place *place)
{
  static const guint8 data_prefix[] = { 0x3e };
  const PenBootText *boot = self->load->boot;

  switch (kind) {
  case PEN_REWRITE_RETPOLINE:
    keep_if (place, boot->retpolines == PEN_BOOT_KEPT);
    break;
  case PEN_REWRITE_RETURN:
    put_return (place, boot);
    break;
  case PEN_REWRITE_CALL:
    keep_if (place, boot->thunks == PEN_BOOT_KEPT);
    break;
  case PEN_REWRITE_SEAL:
    if (boot->seals == PEN_BOOT_REPLACED)
      put (place, boot->seal, sizeof boot->seal);
    else
      keep_if (place, boot->seals == PEN_BOOT_KEPT);
    break;
  case PEN_REWRITE_LOCK:
    if (boot->locks == PEN_BOOT_REPLACED)
      put (place, data_prefix, sizeof data_prefix);
    else
      keep_if (place, boot->locks == PEN_BOOT_KEPT);
    break;
  case PEN_REWRITE_JUMP_LABEL:
    keep_if (place, has_linked_key (self, place));
    break;
  case PEN_REWRITE_STATIC_CALL:
    settle_static_call (self, place);
    break;
  case PEN_REWRITE_FTRACE:
    if (place->bytes[0] == CALL || place->bytes[0] == 0x0f)
      put_nop (place, boot);
    else
      forget (place);
    break;
  case PEN_REWRITE_OTHER:
    forget (place);
    break;
  }
}

static void
settle (const PenRewrite *rewrite, gpointer user_data)
{
  const Settling *self = user_data;
  guint64 from = MAX (rewrite->start, self->address);
  guint64 to = MIN (rewrite->start + rewrite->length, self->address + self->length);
  Place place;

  if ((rewrite->kind == PEN_REWRITE_OTHER) != self->is_last)
    return;
  if (!read_place (self, rewrite, &place) || self->file->machine != EM_X86_64)
    forget (&place);
  else
    settle_place (self, rewrite->kind, &place);

  for (; from < to; from++) {
    guint8 state = place.states[from - place.address];

    self->buffer[from - self->address] = place.bytes[from - place.address];
    self->states[from - self->address] = MIN (state, PEN_FILE_BYTE_REWRITTEN);
  }
}

void
pen_module_load_settle (PenKernelFile *file, const PenKernelSection *section, guint64 offset,
                        gsize length, guint8 *buffer, guint8 *states, const PenModuleLoad *load)
{
  static const PenBootText nothing;
  PenModuleLoad known = load ? *load : (PenModuleLoad){ 0 };
  Settling settling = { .file = file,
                        .section = section,
                        .address = section->address + offset,
                        .length = length,
                        .buffer = buffer,
                        .states = states,
                        .load = &known };

  if (!known.boot)
    known.boot = &nothing;
  for (guint i = 0; i < 2; i++) {
    settling.is_last = i == 1;
    pen_rewritten_text_foreach (file->rewritten, settling.address, length, settle, &settling);
  }
}
