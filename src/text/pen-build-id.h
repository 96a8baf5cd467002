/* pen-build-id.h: build-ids as text, and whether two are the same
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <libelf.h>

G_BEGIN_DECLS

/* Returns: (transfer full): hexadecimal digits; "" of none */
char *pen_build_id_to_string (const guint8 *id, guint length);

/* Some recorders fill an id that is shorter up with zeros: these do not count in @recorded. None is
 * the same as no other. */
gboolean pen_build_id_is_same (const guint8 *own, guint own_length, const guint8 *recorded,
                               guint recorded_length);

/*
 * pen_build_id_find_in_notes:
 * @notes: ELF notes, as /sys/kernel/notes has them
 *
 * Returns: (nullable): within @notes; @id_length: 20 at most
 */
const guint8 *pen_build_id_find_in_notes (const guint8 *notes, gsize length, guint *id_length);

/* The same of a file's note sections, or of its note segments where it has no sections. Returns:
 * (nullable): valid as long as @elf */
const guint8 *pen_build_id_find_in_elf (Elf *elf, guint *id_length);

G_END_DECLS
